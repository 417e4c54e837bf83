// See state.hpp, and builder.hpp for reading it.
#include "capi/src/scene/state.hpp"

#include "capi/src/controllers.hpp"
#include "capi/src/scene/builder.hpp"
#include "capi/src/scene/table.hpp"
#include "engine/particles/particles.hpp"
#include "engine/state/stepper_traits.hpp"
#include "loaders/scene/values.hpp"
#include "loaders/scene/write.hpp"

namespace vertebra::capi::scene {

namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// One number of all that stands beside the exact state, so that a change of it shows (FNV-1a).
std::string checksum(const std::string& text) {
  std::uint64_t h = 1469598103934665603ull;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  std::string digits(16, '0');
  for (int i = 15; i >= 0; i--, h >>= 4) digits[static_cast<std::size_t>(i)] = "0123456789abcdef"[h & 15];
  return digits;
}

std::string textOf(const ElementRule& rule, const void* values) {
  std::string text = rule.name;
  for (const auto& attribute : rule.attributes) text += " " + vertebra::scene::writeValue(attribute, values);
  return text + "\n";
}

std::vector<double> particleNumbers(const world::World& engine, int system) {
  std::vector<double> numbers;
  for (int i = 0; i < engine.particleCount(system); i++) {
    const particles::Particle p = engine.particle(system, i);
    numbers.insert(numbers.end(), p.position.data(), p.position.data() + 3);
    numbers.insert(numbers.end(), p.velocity.data(), p.velocity.data() + 3);
    numbers.insert(numbers.end(), {p.mass, p.radius, p.life});
  }
  return numbers;
}

bool hasState(const world::World& engine, int joint) {
  const JointDefinition& d = engine.joint(joint);
  return d.constraint == ConstraintType::Joint && d.type != dynamics::JointType::Fixed && !engine.jointBroken(joint);
}

}  // namespace

std::string toBase64(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = std::uint32_t(bytes[i]) << 16;
    if (i + 1 < bytes.size()) three |= std::uint32_t(bytes[i + 1]) << 8;
    if (i + 2 < bytes.size()) three |= bytes[i + 2];
    for (std::size_t k = 0; k < 4; k++) text += i + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63];
  }
  return text;
}

bool fromBase64(std::string_view text, std::vector<std::uint8_t>& bytes) {
  bytes.clear();
  if (text.size() % 4 != 0) return false;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::uint32_t bits = 0;
  int held = 0;
  const std::string_view digits(kDigits, 64);
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return false;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<std::uint8_t>(bits >> held));
  }
  return true;
}

void writeState(const vtb_world& world, const NameTable* names, tinyxml2::XMLElement& xml) {
  const world::World& engine = world.engine;
  std::string sum;
  const auto add = [&](const ElementRule& rule, const auto& values) {
    tinyxml2::XMLElement* child = xml.InsertNewChildElement(rule.name);
    vertebra::scene::writeAttributes(rule, &values, *child);
    sum += textOf(rule, &values);
  };
  StateValues head;
  head.time = engine.time();
  vertebra::scene::writeAttributes(kState, &head, xml);
  // Where every body has a pose of its own joints and figures have no coordinates, and links are bodies like others.
  const bool free = keepsFreePoses(engine.settings());
  for (const auto& [name, bits] : names[VTB_NAMED_BODY].list()) {
    const int id = world.bodies.find(bits);
    if (id < 0 || (world.bodies.owner(id) >= 0 && !free) || engine.bodyKind(id) == BodyKind::Static) continue;
    CoordinatesValues values{name, std::vector<double>(7), std::vector<double>(6)};
    write(engine.bodyPose(id), values.q.data());
    Vec3 velocity, omega;
    engine.bodyTwist(id, velocity, omega);
    write(velocity, values.v.data());
    write(omega, values.v.data() + 3);
    add(kBodyState, values);
  }
  for (const auto& [name, bits] : names[VTB_NAMED_JOINT].list()) {
    const int id = world.joints.find(bits);
    if (id < 0 || free || world.joints.owner(id) >= 0 || !hasState(engine, id)) continue;
    const dynamics::JointType type = engine.joint(id).type;
    CoordinatesValues values{name, std::vector<double>(static_cast<std::size_t>(dynamics::jointNq(type))),
                             std::vector<double>(static_cast<std::size_t>(dynamics::jointNv(type)))};
    engine.jointState(id, values.q.data(), values.v.data());
    add(kJointState, values);
  }
  for (const auto& [name, bits] : names[VTB_NAMED_FIGURE].list()) {
    const int slot = world.figures.find(bits);
    if (slot < 0 || free) continue;
    const figure::Figure& figure = *world.figureSlots[static_cast<std::size_t>(slot)];
    CoordinatesValues values{name, std::vector<double>(static_cast<std::size_t>(figure.model().nq())),
                             std::vector<double>(static_cast<std::size_t>(figure.model().nv()))};
    figure.q(engine, values.q.data());
    figure.v(engine, values.v.data());
    add(kFigureState, values);
  }
  for (const auto& [name, bits] : names[VTB_NAMED_PARTICLES].list()) {
    const int id = world.particles.find(bits);
    if (id < 0) continue;
    add(kParticlesState, ParticlesStateValues{name, particleNumbers(engine, id)});
  }
  std::vector<std::uint8_t> bytes;
  engine.save(bytes);
  saveControllers(world, bytes);
  const BytesValues exact{checksum(sum), toBase64(bytes)};
  vertebra::scene::writeAttributes(kExact, &exact, *xml.InsertNewChildElement(kExact.name));
}

void SceneBuilder::state(const Element& e) {
  std::string sum;
  const Element* exact = nullptr;
  for (const Element& child : e.children) {
    if (child.rule == &kExact) {
      exact = &child;
      continue;
    }
    sum += textOf(*child.rule, child.values.get());
    attempt(child, [&] { child.rule == &kParticlesState ? particlesState(child) : stateOf(child); });
  }
  if (!exact || !alone_) return;
  const BytesValues& values = exact->as<BytesValues>();
  std::vector<std::uint8_t> bytes;
  std::string lapsed;
  if (values.sum != checksum(sum))
    lapsed = "the numbers beside it were changed since";
  else if (!fromBase64(values.base64, bytes))
    lapsed = "it is damaged";
  else if (vtb_world_restore(&world_, bytes.data(), bytes.size()) != VTB_OK)
    lapsed = "the scene was changed since, or it was saved by another build";
  if (!lapsed.empty() && report_)
    report_->warning("scene.state.lapsed", *exact, "the exact state is not used: " + lapsed + "; the numbers beside it count");
}

void SceneBuilder::particlesState(const Element& e) {
  const ParticlesStateValues& values = e.as<ParticlesStateValues>();
  vtb_particles system{0};
  if (!find(VTB_NAMED_PARTICLES, values.name, e, system.bits)) return;
  std::vector<vtb_particle> list;
  for (std::size_t i = 0; i + 9 <= values.particles.size(); i += 9) {
    const double* n = &values.particles[i];
    list.push_back(placedParticle(e, {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, n[6], n[7], n[8], 0}));
  }
  call(vtb_particles_set(&world_, system, 0, list.data(), list.size(), 0));
}

void SceneBuilder::stateOf(const Element& e) {
  const CoordinatesValues& values = e.as<CoordinatesValues>();
  const int kind = e.rule == &kBodyState ? VTB_NAMED_BODY : e.rule == &kJointState ? VTB_NAMED_JOINT : VTB_NAMED_FIGURE;
  std::uint64_t bits = 0;
  if (!find(kind, values.name, e, bits)) return;
  const auto checkCounts = [&](std::size_t nq, std::size_t nv) {
    if (values.q.size() != nq || values.v.size() != nv)
      refuse(VTB_E_ARG, "it has " + std::to_string(values.q.size()) + " coordinates and " + std::to_string(values.v.size()) +
                            " velocities, there are " + std::to_string(nq) + " and " + std::to_string(nv));
  };
  if (kind == VTB_NAMED_BODY) {
    checkCounts(7, 6);
    double pose[7], twist[6];
    write(placed(e, values.q.data()), pose);
    const Quat turn = placementOf(e).q;
    write(Vec3(turn * Vec3(values.v[0], values.v[1], values.v[2])), twist);
    write(Vec3(turn * Vec3(values.v[3], values.v[4], values.v[5])), twist + 3);
    call(vtb_body_set_pose(&world_, {bits}, pose, nullptr));
    call(vtb_body_set_twist(&world_, {bits}, twist, nullptr));
  } else if (kind == VTB_NAMED_JOINT) {
    const dynamics::JointType type = world_.engine.joint(jointOf(world_, {bits})).type;
    checkCounts(static_cast<std::size_t>(dynamics::jointNq(type)), static_cast<std::size_t>(dynamics::jointNv(type)));
    const vtb_status status = vtb_joint_set_state(&world_, {bits}, values.q.data(), values.v.data());
    if (status != VTB_E_UNSUPPORTED) call(status);  // a joint that closes a cycle follows the others
  } else {
    const figure::Figure& figure = figureOf(world_, {bits});
    checkCounts(static_cast<std::size_t>(figure.model().nq()), static_cast<std::size_t>(figure.model().nv()));
    const vtb_status status = vtb_figure_set_state(&world_, {bits}, values.q.data(), values.v.data());
    if (status == VTB_E_UNSUPPORTED)  // a joint between its links may stand in the tree where one of its own closes the cycle
      check(figure.setState(world_.engine, values.q.data(), values.v.data(), true));
    else
      call(status);
  }
}

}  // namespace vertebra::capi::scene
