// See build.hpp and builder.hpp.
#include <cstring>

#include "capi/src/scene/builder.hpp"
#include "capi/src/scene/table.hpp"
#include "loaders/scene/spelling.hpp"
#include "loaders/scene/write.hpp"

namespace vertebra::capi::scene {

namespace {

bool isShape(const ElementRule* rule) {
  for (const ElementRule* shape : kBody.children)
    if (shape == rule) return true;
  return false;
}

struct KindName {
  const ElementRule* rule;
  int kind;
  const char* word;
};
const KindName kKinds[] = {{&kBody, VTB_NAMED_BODY, "body"},
                           {&kJoint, VTB_NAMED_JOINT, "joint"},
                           {&kCoupling, VTB_NAMED_COUPLING, "coupling"},
                           {&kField, VTB_NAMED_FIELD, "field"},
                           {&kFigure, VTB_NAMED_FIGURE, "figure"},
                           {nullptr, VTB_NAMED_SHAPE, "shape"},
                           {&kDriveline, VTB_NAMED_CONSTRAINT, "driveline or measure"},
                           {&kPoints, VTB_NAMED_CONSTRAINT, "driveline or measure"},
                           {&kParticles, VTB_NAMED_PARTICLES, "particle system"},
                           {&kSensor, VTB_NAMED_SENSOR, "sensor"}};

const char* wordOf(int kind) {
  for (const KindName& k : kKinds)
    if (k.kind == kind) return k.word;
  return "thing";
}

}  // namespace

void SceneBuilder::error(const char* code, const Element& e, const std::string& text) {
  if (!report_) refuse(VTB_E_ARG, *e.file + ":" + std::to_string(e.line) + ": " + e.label() + ": " + text);
  report_->error(code, e, text);
}

void SceneBuilder::attempt(const Element& e, const std::function<void()>& work) {
  if (!e.sound) return;  // told already
  try {
    work();
  } catch (const Refusal& refusal) {
    if (!report_ || refusal.status == VTB_E_NOMEM) throw;
    report_->error("scene.refused", e, refusal.text);
  }
}

void SceneBuilder::call(vtb_status status) const {
  if (status == VTB_OK) return;
  const std::string text = vtb_last_error();
  const std::size_t colon = text.find(": ");  // after the function's name
  refuse(status, colon == std::string::npos ? text : text.substr(colon + 2));
}

Pose SceneBuilder::placed(const Element& e, const double* pose) const {
  return placementOf(e) * Pose{Vec3(pose[0], pose[1], pose[2]), unit(Quat(pose[6], pose[3], pose[4], pose[5]))};
}

void SceneBuilder::taken(int kind, const std::string& name) const {
  refuse(VTB_E_ARG, std::string("the world has a ") + wordOf(kind) + " '" + prefix_ + name + "' already; add the scene with a prefix");
}

void SceneBuilder::named(int kind, const std::string& name, std::uint64_t bits) {
  if (!name.empty() && !world_.names[kind].add(prefix_ + name, bits) && twice_.count(name) == 0) taken(kind, name);
}

bool SceneBuilder::find(int kind, const std::string& name, const Element& e, std::uint64_t& bits) {
  bits = 0;
  if (name.empty() || name == "world") return true;
  bits = world_.names[kind].find(prefix_ + name);
  if (bits != 0) return true;
  const std::size_t slash = name.rfind('/');
  const bool told = declared_[kind].count(name) > 0 || (slash != std::string::npos && failedFigures_.count(name.substr(0, slash)) > 0);
  if (told || !model_.root.sound) return false;
  error("scene.reference.unknown", e,
        std::string("there is no ") + wordOf(kind) + " '" + name + "'" + vertebra::scene::suggestion(name, world_.names[kind].names()) +
            "; to mend: name one of this file, with the prefix of its include");
  return false;
}

bool SceneBuilder::known(const std::string& body) const {
  return body.empty() || body == "world" || world_.names[VTB_NAMED_BODY].find(prefix_ + body) != 0;
}

// Names must be there once; materials are found by theirs.
void SceneBuilder::declare(const Elements& elements) {
  for (const Element& e : elements) {
    int kind = isShape(e.rule) ? VTB_NAMED_SHAPE : -1;
    for (const KindName& k : kKinds)
      if (k.rule == e.rule) kind = k.kind;
    const auto* attribute = e.rule->attribute("name");
    if (attribute && (kind >= 0 || e.rule == &kMaterial) && attribute->value == vertebra::scene::Value::Name) {
      const auto& name = *reinterpret_cast<const std::string*>(static_cast<const char*>(e.values.get()) + attribute->offset);
      const bool once = kind >= 0 ? name.empty() || declared_[kind].insert(name).second : materials_.emplace(name, &e).second;
      if (!once) {
        twice_.insert(name);
        error("scene.name.twice", e, "another " + std::string(e.rule->name) + " has this name; to mend: give each its own");
      }
      if (name == "world" && kind == VTB_NAMED_BODY) error("scene.name.world", e, "a body cannot be called world, which means the scene");
    }
    if (isShape(e.rule) || e.rule == &kBody) declare(e.children);
  }
}

void SceneBuilder::build() {
  const Elements& all = model_.root.children;
  declare(all);
  // Before anything is made: what was made and is destroyed again leaves gaps in the numbering.
  for (int kind = 0; kind < kNameKinds; kind++)
    for (const std::string& name : declared_[kind])
      if (world_.names[kind].find(prefix_ + name) != 0) taken(kind, name);
  // In the order of the file, as far as what they refer to is there: so the things of a saved world get their numbers back.
  std::vector<const Element*> later;
  for (const Element& e : all) {
    if (e.rule == &kBody) attempt(e, [&] { body(e); });
    if (isShape(e.rule)) shape(e, vtb_body{0}, placementOf(e), vtb_shape{0});
    if (e.rule == &kFigure) attempt(e, [&] { figure(e); });
    if (e.rule == &kParticles) attempt(e, [&] { particles(e); });
    if (e.rule != &kJoint) continue;
    if (e.sound && known(e.as<JointValues>().a) && known(e.as<JointValues>().b))
      attempt(e, [&] { joint(e); });
    else
      later.push_back(&e);
  }
  for (const Element* e : later) attempt(*e, [&] { joint(*e); });
  placeByJoints();
  for (const auto& made : joints_) attempt(*made.first, [&] { jointState(*made.first); });
  for (const Element& e : all) {
    if (e.rule == &kMotion) attempt(e, [&] { motion(e); });
    if (e.rule == &kCoupling) attempt(e, [&] { coupling(e); });
    if (e.rule == &kDriveline) attempt(e, [&] { driveline(e); });
    if (e.rule == &kPoints) attempt(e, [&] { points(e); });
    if (e.rule == &kField) attempt(e, [&] { field(e); });
    if (e.rule == &kSensor) attempt(e, [&] { sensor(e); });
    if (e.rule == &kForce) attempt(e, [&] { force(e); });
    if (e.rule == &kNoCollision) attempt(e, [&] { noCollision(e); });
  }
  for (const Element& e : all)
    if (e.rule == &kState && *e.file == *model_.root.file) attempt(e, [&] { state(e); });
}

void SceneBuilder::undo() {
  for (const auto& pair : pairs_) (void)vtb_world_set_pair_collides(&world_, pair.first, pair.second, 1);
  for (auto m = made_.rbegin(); m != made_.rend(); ++m) {  // what went with another is stale by then
    if (m->kind == VTB_NAMED_BODY) (void)vtb_body_destroy(&world_, {m->bits});
    if (m->kind == VTB_NAMED_SHAPE) (void)vtb_shape_destroy(&world_, {m->bits});
    if (m->kind == VTB_NAMED_JOINT) (void)vtb_joint_destroy(&world_, {m->bits});
    if (m->kind == VTB_NAMED_COUPLING) (void)vtb_coupling_destroy(&world_, {m->bits});
    if (m->kind == VTB_NAMED_FIELD) (void)vtb_field_destroy(&world_, {m->bits});
    if (m->kind == VTB_NAMED_FIGURE) (void)vtb_figure_destroy(&world_, {m->bits});
    if (m->kind == VTB_NAMED_CONSTRAINT) (void)vtb_constraint_destroy(&world_, {m->bits});
    if (m->kind == VTB_NAMED_PARTICLES) (void)vtb_particles_destroy(&world_, {m->bits});
    if (m->kind == VTB_NAMED_SENSOR) (void)vtb_sensor_destroy(&world_, {m->bits});
  }
}

void tryScene(SceneModel& model, Report& report) {
  const Element* settings = nullptr;
  const Element* state = nullptr;
  model.settings = SettingsValues().def;
  for (const Element& e : model.root.children) {
    if (e.rule == &kCamera) model.cameras.push_back(e.as<CameraValues>());
    if (*e.file != *model.root.file) continue;
    const Element*& once = e.rule == &kSettings ? settings : state;
    if (e.rule != &kSettings && e.rule != &kState) continue;
    if (once) report.error("scene.element.twice", e, "it is there a second time; to mend: keep one");
    once = &e;
  }
  if (settings && settings->sound) model.settings = settings->as<SettingsValues>().def;
  vtb_world* made = nullptr;
  const vtb_status status = vtb_world_create(&model.settings, &made);
  if (status == VTB_E_NOMEM) refuse(status, "out of memory");
  if (status != VTB_OK) {
    const std::string text = vtb_last_error();
    report.error("scene.refused", *settings, text.substr(text.find(": ") + 2));
    model.settings = SettingsValues().def;
    if (vtb_world_create(&model.settings, &made) != VTB_OK) refuse(VTB_E_NOMEM, "out of memory");
  }
  const std::unique_ptr<vtb_world> world(made);
  SceneBuilder(model, &model, *world, "", Pose(), &report).build();
}

void rehearse(const SceneModel& model, const vtb_world& world) {
  SettingsValues own, given;
  own.def = model.settings;
  if (vtb_world_get_settings(&world, &given.def) != VTB_OK) refuse(VTB_E_INTERNAL, vtb_last_error());
  own.def.callbacks = given.def.callbacks = {};
  tinyxml2::XMLDocument scratch;
  if (vertebra::scene::updateAttributes(kSettings, &own, &given, *scratch.NewElement(kSettings.name)) == 0) return;
  vtb_world* made = nullptr;
  if (vtb_world_create(&given.def, &made) != VTB_OK) refuse(VTB_E_NOMEM, "out of memory");
  const std::unique_ptr<vtb_world> stage(made);
  SceneBuilder(model, nullptr, *stage, "", Pose(), nullptr).build();
}

void addScene(const std::shared_ptr<const SceneModel>& model, vtb_world& world, const std::string& prefix, const Pose& placement) {
  const bool tilted = !((placement.q * Vec3::UnitZ()).z() > 1 - 1e-9);
  for (const Element& e : model->root.children)
    for (const Element& child : e.children)
      if (tilted && child.rule == &kAnimation && !child.children.empty())
        refuse(VTB_E_ARG, "pose tilts the scene, whose clips can be turned about z only");
  std::size_t known[kNameKinds];
  for (int kind = 0; kind < kNameKinds; kind++) known[kind] = world.names[kind].list().size();
  auto instance = std::make_shared<Instance>(Instance{model, prefix, placement, {}});
  SceneBuilder builder(*model, nullptr, world, prefix, placement, nullptr);
  try {
    builder.build();
    instance->things = builder.made();
    world.scenes.push_back(std::move(instance));
  } catch (...) {
    builder.undo();
    for (int kind = 0; kind < kNameKinds; kind++) world.names[kind].shorten(known[kind]);
    throw;
  }
}

}  // namespace vertebra::capi::scene
