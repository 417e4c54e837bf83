// The measures of a torture world. See watch.hpp.
#include "tests/torture/watch.hpp"

#include <algorithm>
#include <stdexcept>

namespace torture {
namespace {

constexpr double kGravity = 9.81;  // m/s^2

void check(vtb_status status) {
  if (status != VTB_OK) throw std::runtime_error(std::string(vtb_status_name(status)) + ": " + vtb_last_error());
}

Vec vec(const double* v) { return {v[0], v[1], v[2]}; }
Quat quat(const double* q) { return {q[0], q[1], q[2], q[3]}; }

template <class T>
T prepared() {
  T t;
  t.struct_size = sizeof t;
  return t;
}

double accountOf(const vtb_world* world) {
  vtb_energy energy = prepared<vtb_energy>();
  check(vtb_world_get_energy(world, &energy));
  return energy.kinetic + energy.potential - energy.work_drives - energy.work_applied;
}

// The lowest point of a shape in the world, for the shapes with a simple one.
Vec lowest(vtb_shape_type type, const Vec& size, const Vec& place, const Quat& turn) {
  const Vec down = rotateBack(turn, {0, 0, -1});
  const double along = down[2] >= 0 ? size[2] : -size[2];
  if (type == VTB_SHAPE_TYPE_BOX) return place + rotate(turn, {std::copysign(size[0], down[0]), std::copysign(size[1], down[1]), along});
  if (type == VTB_SHAPE_TYPE_SPHERE) return place + Vec{0, 0, -size[0]};
  if (type == VTB_SHAPE_TYPE_CAPSULE) return place + rotate(turn, {0, 0, along}) + Vec{0, 0, -size[0]};
  const double across = std::hypot(down[0], down[1]), rim = across > 1e-12 ? size[0] / across : 0;
  return place + rotate(turn, {rim * down[0], rim * down[1], along});  // a cylinder
}

bool hasLowest(vtb_shape_type type) {
  return type == VTB_SHAPE_TYPE_BOX || type == VTB_SHAPE_TYPE_SPHERE || type == VTB_SHAPE_TYPE_CAPSULE || type == VTB_SHAPE_TYPE_CYLINDER;
}

}  // namespace

Watch::Watch(vtb_world* world, const Recipe& recipe, const Combination& combination)
    : world_(world),
      combination_(combination),
      step_(1.0 / combination.rate),
      ground_(recipe.ground),
      exactForces_(recipe.substeps == 1) {  // forces told are those of the last physics step only
  findBodies();
  findJoints();
  if (ground_) findShapes();
  after_ = read();
  energyAtStart_ = energy(after_);
  accountAtStart_ = accountOf(world_);
  lowest_ = driven_ ? accountAtStart_ : energyAtStart_;
}

void Watch::findBodies() {
  std::size_t count = 0;
  check(vtb_world_get_bodies(world_, nullptr, 0, &count));
  std::vector<vtb_body> handles(count);
  check(vtb_world_get_bodies(world_, handles.data(), count, &count));
  for (std::size_t i = 0; i < count; i++) {
    Body body;
    vtb_body_kind kind;
    check(vtb_body_get_kind(world_, handles[i], &kind));
    if (kind == VTB_BODY_KIND_DYNAMIC) check(vtb_body_get_mass(world_, handles[i], &body.mass, body.com.data(), body.inertia.data()));
    numbers_[handles[i].bits] = i;
    bodies_.push_back(body);
    mass_ += body.mass;
  }
}

void Watch::findJoints() {
  std::size_t count = 0;
  check(vtb_world_get_joints(world_, nullptr, 0, &count));
  std::vector<vtb_joint> handles(count);
  check(vtb_world_get_joints(world_, handles.data(), count, &count));
  for (const vtb_joint handle : handles) {
    Joint joint{handle, prepared<vtb_joint_def>(), false};
    check(vtb_joint_get_def(world_, handle, &joint.def));
    joint.world = joint.def.body_a.bits == 0 || joint.def.body_b.bits == 0;
    joints_.push_back(joint);
    int32_t axes = 0;
    check(vtb_joint_get_size(world_, handle, nullptr, &axes));
    for (int32_t i = 0; i < axes; i++) {
      vtb_axis_def axis = prepared<vtb_axis_def>();
      vtb_motor_def motor = prepared<vtb_motor_def>();
      check(vtb_joint_get_axis(world_, handle, i, &axis));
      check(vtb_joint_get_motor(world_, handle, i, &motor));
      // A rotor or a spring holds energy that the bodies' states do not show.
      driven_ |= motor.mode != VTB_MOTOR_MODE_OFF || axis.armature > 0 || axis.stiffness > 0;
    }
  }
}

void Watch::findShapes() {
  std::size_t count = 0;
  check(vtb_world_get_shapes(world_, nullptr, 0, &count));
  std::vector<vtb_shape> handles(count);
  check(vtb_world_get_shapes(world_, handles.data(), count, &count));
  for (const vtb_shape handle : handles) {
    vtb_body body;
    vtb_shape_def def = prepared<vtb_shape_def>();
    check(vtb_shape_get_body(world_, handle, &body));
    check(vtb_shape_get_def(world_, handle, &def));
    if (body.bits == 0 || def.parent.bits != 0 || !hasLowest(def.type)) continue;
    shapes_.push_back({numbers_.at(body.bits), def.type, vec(def.size), vec(def.pose), quat(def.pose + 3), 0});
  }
}

Watch::State Watch::read() const {
  State state;
  std::size_t count = bodies_.size();
  state.poses.resize(7 * count), state.twists.resize(6 * count);
  check(vtb_world_get_poses(world_, state.poses.data(), count, 0, &count));
  check(vtb_world_get_twists(world_, state.twists.data(), count, 0, &count));
  return state;
}

void Watch::before() { before_ = after_; }

void Watch::note(Result& result, Measure measure, double value) const {
  if (!std::isfinite(value)) {  // a body's state is not a number, or its squares are too large
    value = 1;
    measure = NUMBER;
  }
  const std::size_t m = measure;
  const double bound = boundOf(measure, combination_);
  if (value > bound && result.worst[m] <= bound) result.when[m] = time_;
  result.worst[m] = std::max(result.worst[m], value);
}

void Watch::after(Result& result) {
  time_ += step_;
  after_ = read();
  const auto finite = [](const std::vector<double>& v) {
    return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
  };
  if (!finite(after_.poses) || !finite(after_.twists)) return note(result, NUMBER, 1);
  std::size_t count = 0;
  check(vtb_world_get_contacts(world_, nullptr, 0, 0, &count));
  contacts_.resize(count);
  check(vtb_world_get_contacts(world_, contacts_.data(), count, 0, &count));
  vtb_world_stats stats = prepared<vtb_world_stats>();
  check(vtb_world_get_stats(world_, &stats));
  result.unsolved += stats.unsolved;

  note(result, DEPTH, depth());
  if (ground_) note(result, DEPTH, depthBelowGround());
  for (const Joint& joint : joints_) note(result, JOINT, opening(joint));
  const double weight = mass_ * kGravity;
  const double states = energy(after_), account = accountOf(world_), known = driven_ ? account : states;
  if (!driven_) note(result, ENERGY, (states - energyAtStart_) / weight);
  note(result, ACCOUNT, (account - accountAtStart_) / weight);
  note(result, REGAIN, (known - lowest_) / weight);
  lowest_ = std::min(lowest_, known);
  if (exactForces_ && sleeping_ == 0 && stats.sleeping_bodies == 0 && stats.capped == 0) {  // no force slows down to a limit of speed
    const Vec told = step_ * (toldForce() + Vec{0, 0, -weight});
    note(result, MOMENTUM, length(momentum(after_) - momentum(before_) - told) / (step_ * weight));
  }
  sleeping_ = stats.sleeping_bodies;
}

// How much depth the approach before the step explains. It is let pass at first, and fades by a tenth a step, because the engine removes a
// fifth of it in a step.
double Watch::allowed(double approach, double before) {
  constexpr double kFades = 0.9;
  return std::max(approach, kFades * before);
}

double Watch::depth() {
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  const auto pairOf = [](const vtb_contact& contact) { return Pair{contact.shape_a.bits, contact.shape_b.bits}; };
  std::map<Pair, double> allowances;
  for (const vtb_contact& contact : contacts_) {
    const Vec point = vec(contact.position);
    const auto velocity = [&](vtb_body body) { return body.bits ? before_.at(numbers_.at(body.bits), point) : Vec{}; };
    const double approach = step_ * dot(velocity(contact.body_a) - velocity(contact.body_b), vec(contact.normal));
    const auto old = allowances_.find(pairOf(contact));
    double& allowance = allowances[pairOf(contact)];  // that of the point which explains most
    allowance = std::max(allowance, allowed(approach, old == allowances_.end() ? 0 : old->second));
  }
  double worst = 0;
  for (const vtb_contact& contact : contacts_) worst = std::max(worst, -contact.gap - allowances[pairOf(contact)]);
  allowances_ = std::move(allowances);
  return worst;
}

double Watch::depthBelowGround() {
  double worst = 0;
  for (Ground& shape : shapes_) {
    const auto point = [&](const State& state) {
      const Quat& q = state.turn(shape.body);
      const Vec place = state.place(shape.body) + rotate(q, shape.place);
      // The product of the two turns, which takes the shape's axes to the world's.
      const Vec u{q[0], q[1], q[2]}, w{shape.turn[0], shape.turn[1], shape.turn[2]};
      const Vec v = q[3] * w + shape.turn[3] * u + cross(u, w);
      return lowest(shape.type, shape.size, place, {v[0], v[1], v[2], q[3] * shape.turn[3] - dot(u, w)});
    };
    shape.allowance = allowed(-step_ * before_.at(shape.body, point(before_))[2], shape.allowance);
    worst = std::max(worst, -point(after_)[2] - shape.allowance);
  }
  return worst;
}

double Watch::opening(const Joint& joint) const {
  double frameA[7], frameB[7];
  const vtb_joint_type type = joint.def.type;
  if (type == VTB_JOINT_TYPE_ROTOR) return 0;
  check(vtb_joint_get_world_frames(world_, joint.handle, frameA, frameB));
  const Vec apart = vec(frameB) - vec(frameA);
  const Quat a = quat(frameA + 3), b = quat(frameB + 3);
  const Vec axis = vec(joint.def.axis), alongA = rotate(a, axis), alongB = rotate(b, axis);
  switch (type) {
    case VTB_JOINT_TYPE_SPHERICAL:
      return length(apart);
    case VTB_JOINT_TYPE_REVOLUTE:
    case VTB_JOINT_TYPE_CONTINUOUS:
      return std::max(length(apart), length(cross(alongA, alongB)));
    case VTB_JOINT_TYPE_UNIVERSAL: {
      const Vec across = vec(joint.def.axis2);
      return std::max(length(apart), std::fabs(dot(alongA, rotate(b, across)) - dot(axis, across)));
    }
    case VTB_JOINT_TYPE_PRISMATIC: {
      const double turned =
          std::max(length(rotate(a, {1, 0, 0}) - rotate(b, {1, 0, 0})), length(rotate(a, {0, 1, 0}) - rotate(b, {0, 1, 0})));
      return std::max(length(apart - dot(apart, alongA) * alongA), turned);
    }
    default:
      return 0;  // the worlds have no others but fixed ones, which make one link of two
  }
}

double Watch::energy(const State& state) const {
  double sum = 0;
  for (std::size_t i = 0; i < bodies_.size(); i++) {
    const Body& body = bodies_[i];
    const Quat turn = state.turn(i);
    const Vec com = state.place(i) + rotate(turn, body.com), velocity = state.at(i, com), w = rotateBack(turn, state.omega(i));
    const std::array<double, 6>& m = body.inertia;
    const Vec spin{m[0] * w[0] + m[1] * w[1] + m[2] * w[2], m[1] * w[0] + m[3] * w[1] + m[4] * w[2],
                   m[2] * w[0] + m[4] * w[1] + m[5] * w[2]};
    sum += 0.5 * body.mass * dot(velocity, velocity) + (body.mass > 0 ? 0.5 * dot(w, spin) : 0) + body.mass * kGravity * com[2];
  }
  return sum;
}

Vec Watch::momentum(const State& state) const {
  Vec sum{};
  for (std::size_t i = 0; i < bodies_.size(); i++)
    sum = sum + bodies_[i].mass * state.at(i, state.place(i) + rotate(state.turn(i), bodies_[i].com));
  return sum;
}

Vec Watch::toldForce() const {
  Vec sum{};
  for (const vtb_contact& contact : contacts_) {
    if (contact.body_a.bits == 0) sum = sum + vec(contact.force);
    if (contact.body_b.bits == 0) sum = sum - vec(contact.force);
  }
  for (const Joint& joint : joints_) {
    if (!joint.world) continue;
    vtb_joint_forces forces = prepared<vtb_joint_forces>();
    check(vtb_joint_get_forces(world_, joint.handle, &forces));
    Vec force = vec(forces.force);
    if (joint.def.type == VTB_JOINT_TYPE_PRISMATIC) {
      double axis[3];
      std::size_t axes = 0;
      check(vtb_joint_get_world_axes(world_, joint.handle, axis, 1, &axes));
      force = force + (forces.motor[0] + forces.spring[0] + forces.friction[0] + forces.limit[0]) * vec(axis);
    }
    sum = sum + (joint.def.body_a.bits == 0 ? 1.0 : -1.0) * force;
  }
  return sum;
}

}  // namespace torture
