// World: bodies. Poses and twists of jointed bodies are written through their joint's coordinates.
#include <algorithm>
#include <cmath>

#include "engine/dynamics/joints/joints.hpp"
#include "engine/geometry/mass_properties.hpp"
#include "engine/geometry/shapes/shapes.hpp"
#include "engine/steppers/multirate.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"
#include "engine/world/edits.hpp"
#include "engine/world/world.hpp"

namespace vertebra::world {
namespace {

void setMass(WorldData& w, BodySlot& b, double mass, const Vec3& com, const Mat3& inertia) {
  BodyConstants c;
  c.mass = mass;
  c.inertia = inertia;
  c.inertialInLink.p = com;
  dynamics::principalAxes(inertia, c.moments, c.inertialInLink.q);
  b.def = w.bodyConstants.keep(c);
}

std::vector<int> jointsAt(const WorldData& w, int body) {  // ascending
  std::vector<int> joints;
  for (int j = w.bodies[body].firstJoint; j >= 0; j = w.joints[j].nextJoint[w.joints[j].a != body]) joints.push_back(j);
  std::sort(joints.begin(), joints.end());
  return joints;
}

// One pass over all pairs for any number of destroyed bodies, before another body takes one of their slots.
void dropDeadPairs(WorldData& w) {
  if (!w.deadPairs) return;
  const auto dead = [&](int body) { return body >= 0 && !w.bodies[body].alive; };
  w.ignoredPairs.dropIf([&](const auto& p) { return dead(p.first) || dead(p.second); });
  w.deadPairs = false;
}

}  // namespace

int World::newFigureMark() { return data_->figureMarks++; }

int World::createBody(const BodyDefinition& d) {
  WorldData& w = *data_;
  NewSlot slot(w.bodies, w.firstFreeBody);
  if (!slot.isNew()) dropDeadPairs(w);
  BodySlot& b = *slot;
  b = BodySlot();
  b.alive = true;
  b.enabled = !d.disabled;
  b.launched = d.kind == BodyKind::Kinematic;
  b.kind = d.kind;
  b.figure = d.figure;
  b.pose = {d.pose.p, unit(d.pose.q)};
  if (w.settings.planar) b.rare.make().created.make() = b.pose;
  b.velocity = d.velocity;
  b.omega = d.omega;
  b.gravityScale = d.gravityScale;
  if (d.integration.asks()) b.rare.make().integration.make() = d.integration;
  w.ownSteps |= d.integration.step > 0;
  setMass(w, b, d.mass, d.com, d.inertia);
  trees::addBody(w, slot.at());
  return slot.keep();
}

void World::destroyBody(int body) {
  WorldData& w = *data_;
  wakeAll();
  trees::invalidateTopology(w);
  Destroyed gone;
  for (int joint : jointsAt(w, body)) {
    destroyJoint(joint);
    gone.joints.insert(gone.joints.end(), w.destroyed.joints.begin(), w.destroyed.joints.end());
    gone.couplings.insert(gone.couplings.end(), w.destroyed.couplings.begin(), w.destroyed.couplings.end());
    gone.constraints.insert(gone.constraints.end(), w.destroyed.constraints.begin(), w.destroyed.constraints.end());
    gone.sensors.insert(gone.sensors.end(), w.destroyed.sensors.begin(), w.destroyed.sensors.end());
  }
  for (std::size_t i = 0; i < w.fields.size(); i++) {  // a field of this body alone, or with it as source, is destroyed too
    FieldDefinition& d = w.fields[i].def;
    const bool among = std::erase(d.bodies, body) > 0;
    if (!w.fields[i].alive || (d.source != body && !(among && d.bodies.empty()))) continue;
    destroyField(static_cast<int>(i));
    gone.fields.push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < w.constraints.size(); i++) {
    const std::vector<int>& of = w.constraints[i].def.bodies;
    if (!w.constraints[i].alive || std::find(of.begin(), of.end(), body) == of.end()) continue;
    dropConstraint(w, static_cast<int>(i));
    gone.constraints.push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < w.sensors.size(); i++) {
    if (!w.sensors[i].alive || w.sensors[i].def.body != body) continue;
    destroySensor(static_cast<int>(i));
    gone.sensors.push_back(static_cast<int>(i));
  }
  for (int shape : ShapesOf(w, body)) gone.shapes.push_back(shape);
  std::sort(gone.shapes.begin(), gone.shapes.end());
  for (int shape : gone.shapes) {
    w.shapes[shape] = ShapeSlot();
    w.firstFreeShape = std::min<std::size_t>(w.firstFreeShape, shape);
  }
  w.deadPairs |= !w.ignoredPairs.empty();
  w.bodies[body] = BodySlot();
  w.bodies[body].enabled = false;
  w.firstFreeBody = std::min<std::size_t>(w.firstFreeBody, body);
  gone.bodies.push_back(body);
  w.destroyed = std::move(gone);
}

void World::destroyBodies(const std::vector<int>& bodies) {
  Destroyed gone;
  for (int body : bodies) {
    destroyBody(body);
    const auto collect = [](std::vector<int>& all, const std::vector<int>& of) { all.insert(all.end(), of.begin(), of.end()); };
    const Destroyed& of = data_->destroyed;
    collect(gone.bodies, of.bodies);
    collect(gone.shapes, of.shapes);
    collect(gone.joints, of.joints);
    collect(gone.couplings, of.couplings);
    collect(gone.constraints, of.constraints);
    collect(gone.fields, of.fields);
    collect(gone.sensors, of.sensors);
  }
  data_->destroyed = std::move(gone);
}

const std::vector<std::pair<int, int>>& World::ignoredPairs() const {
  dropDeadPairs(*data_);
  return data_->ignoredPairs.list();
}

int World::bodyCapacity() const { return static_cast<int>(data_->bodies.size()); }
bool World::bodyAlive(int body) const {
  return body >= 0 && body < bodyCapacity() && data_->bodies[body].alive && !data_->bodies[body].hidden;
}
double World::bodyGravityScale(int body) const { return data_->bodies[body].gravityScale; }
const Integration& World::bodyIntegration(int body) const { return *data_->bodies[body].rare->integration; }
Failure World::setBodyIntegration(int body, const Integration& of) {
  if (Failure f = checkIntegration(of)) return f;
  data_->bodies[body].rare.make().integration.make() = of;
  data_->ownSteps |= of.step > 0;
  wakeBody(body);
  return {};
}
Failure World::checkIntegration(const Integration& of) const { return vertebra::steppers::checkIntegration(of, data_->settings.stepper); }
Pose World::bodyCreated(int body) const { return *data_->bodies[body].rare->created; }
Pose World::bodyPose(int body) const { return trees::poseOf(*data_, body); }
void World::bodyTwist(int body, Vec3& velocity, Vec3& omega) const { trees::twistOf(*data_, body, velocity, omega); }

Failure World::setBodyPose(int body, const Pose& given, double residual[2]) {
  WorldData& w = *data_;
  if (residual) residual[0] = residual[1] = 0;
  const Pose pose{given.p, unit(given.q)};
  BodySlot& b = w.bodies[body];
  if (b.kind != BodyKind::Dynamic || !b.enabled) {
    b.pose = pose;
    b.dropTarget();
    if (w.standing()) {
      for (std::size_t i = 0; i < w.trees.size(); i++)
        if (w.trees[i].baseBody == body) {
          trees::placeBase(w, w.trees[i]);
          trees::touchTree(w, static_cast<int>(i));
        }
    }
    wakeAll();  // bodies that rested on it may lose their support
    return {};
  }
  if (Failure f = trees::updateTopology(w)) return f;
  TreeRuntime& t = w.trees[b.tree];
  const dynamics::LinkModel& m = w.model[b.link];
  const Pose inertial = pose * b.inertialInLink();
  double* q = w.q.data() + m.qOffset;
  const dynamics::BodyPose& parent = m.parent >= 0 ? static_cast<const dynamics::BodyPose&>(t.tree.state[m.parent]) : t.tree.base->pose;
  trees::fitCoordinates(m, trees::framesOf(w, b.link), {parent.c, parent.q}, inertial, q);
  trees::touchTree(w, b.tree);
  const Pose now = trees::poseOf(w, body);
  if (residual) {
    residual[0] = (now.p - pose.p).norm();
    residual[1] = quatLog(now.q.conjugate() * pose.q).norm();
  }
  return {};
}

Failure World::setBodyTwist(int body, const Vec3& velocity, const Vec3& omega, double residual[2]) {
  WorldData& w = *data_;
  if (residual) residual[0] = residual[1] = 0;
  BodySlot& b = w.bodies[body];
  if (b.kind != BodyKind::Dynamic || !b.enabled) {
    if (b.kind == BodyKind::Static) return {Failure::Unsupported, "a static body does not move; make it kinematic first"};
    b.velocity = velocity;
    b.omega = omega;
    b.dropTarget();
    b.arrived = false;
    b.launched = true;
    wakeAll();
    return {};
  }
  if (Failure f = trees::updateTopology(w)) return f;
  TreeRuntime& t = w.trees[b.tree];
  trees::wakeTree(w, b.tree);
  const dynamics::LinkModel& m = w.model[b.link];
  dynamics::LinkState& s = w.state[b.link];
  const Vec6 wanted = dynamics::stack(omega, velocity + omega.cross(t.tree.O - trees::poseOf(w, body).p));
  if (m.nv > 0) {
    const Vec6 relative = wanted - (m.parent >= 0 ? t.tree.state[m.parent].t : t.tree.base->twist);
    trees::fitVelocity(m, s, t.tree.O, relative, w.v.data() + m.vOffset);
  }
  dynamics::updateTwists(t.tree, w.v.data());
  t.smooth = t.coasting = t.ahead = t.shifted = t.falls = t.asPlaced = false;
  t.fresh = true;
  trees::forgetAccelerations(w, t);
  if (residual) {
    Vec3 nowV, nowW;
    trees::twistOf(w, body, nowV, nowW);
    residual[0] = (nowV - velocity).norm();
    residual[1] = (nowW - omega).norm();
  }
  return {};
}

void World::bodyAcceleration(int body, Vec3& linear, Vec3& angular) const { trees::accelerationOf(*data_, body, linear, angular); }

Failure World::moveBodyTo(int body, const Pose& pose, double seconds) {
  BodySlot& b = data_->bodies[body];
  if (b.kind != BodyKind::Kinematic) return {Failure::Unsupported, "only kinematic bodies follow a prescribed pose; see vtb_body_set_kind"};
  b.rare.make().target.make() = {{pose.p, normalized(pose.q)}, seconds};
  b.arrived = false;
  b.launched = true;
  wakeAll();
  return {};
}

BodyKind World::bodyKind(int body) const { return data_->bodies[body].kind; }
Failure World::setBodyKind(int body, BodyKind kind) {
  WorldData& w = *data_;
  if (w.bodies[body].kind == kind) return {};
  wakeAll();
  BodySlot& b = w.bodies[body];
  if (!b.added) trees::invalidateTopology(w);
  b.kind = kind;
  if (kind == BodyKind::Static) b.velocity = b.omega = Vec3::Zero();
  b.dropTarget();
  b.arrived = false;
  for (int joint : jointsAt(w, body)) w.joints[joint].placed = false;  // it may have gone elsewhere while it was moved by prescription
  return {};
}
bool World::bodyEnabled(int body) const { return data_->bodies[body].enabled; }
Failure World::setBodyEnabled(int body, bool enabled) {
  WorldData& w = *data_;
  if (w.bodies[body].enabled == enabled) return {};
  wakeAll();
  if (!w.bodies[body].added) trees::invalidateTopology(w);
  w.bodies[body].enabled = enabled;
  for (int joint : jointsAt(w, body)) w.joints[joint].placed = false;  // a body that was away may come back elsewhere
  return {};
}
bool World::bodyAwake(int body) const { return !data_->bodies[body].asleep; }
void World::wakeBody(int body) { vertebra::trees::wakeBody(*data_, body); }

void World::bodyMass(int body, double& mass, Vec3& com, Mat3& inertia) const {
  const BodySlot& b = data_->bodies[body];
  mass = b.def->mass;
  com = b.def->inertialInLink.p;
  inertia = b.def->inertia;
}
Failure World::setBodyMass(int body, double mass, const Vec3& com, const Mat3& inertia) {
  WorldData& w = *data_;
  wakeAll();
  BodySlot& b = w.bodies[body];
  if (!b.added) trees::invalidateTopology(w);
  const Shared<BodyConstants> before = b.def;
  setMass(w, b, mass, com, inertia);
  try {
    trees::updateShapeFrames(w, body);
  } catch (...) {  // memory
    b.def = before;
    throw;
  }
  return {};
}

Failure World::setBodyMassFromShapes(int body, double density, double mass) {
  WorldData& w = *data_;
  geometry::MassProperties sum;
  bool any = false;
  for (int id : ShapesOf(w, body)) {
    const ShapeSlot& s = w.shapes[id];
    if (geometry::traitsOf(s.def->geometry.type).kind == geometry::ShapeKind::Frame) continue;
    geometry::MassProperties part;
    const std::string error = geometry::massProperties(s.def->geometry, density > 0 ? density : 1000, part);
    if (!error.empty()) return {Failure::Argument, "shape " + std::to_string(id) + ": " + error};
    part = geometry::transform(poseInBody(w, s), part);
    sum = any ? geometry::add(sum, part) : part;
    any = true;
  }
  if (!any) return {Failure::Argument, "the body has no shape with a volume"};
  if (!(density > 0)) sum = geometry::scaleToMass(sum, mass);
  return setBodyMass(body, sum.mass, sum.com, sum.inertia);
}

namespace {
void push(WorldData& w, int body, const Vec3& force, const Vec3& torque, bool persistent) {
  AppliedForces& f = w.bodies[body].applied.make();
  if (w.drivesWait) w.pushed.push_back({body, f.force, f.torque, w.anyForce});
  (persistent ? f.persistentForce : f.force) += force;
  (persistent ? f.persistentTorque : f.torque) += torque;
  w.anyForce = true;
  if (!w.drivesWait) trees::wakeBody(w, body);
}
}  // namespace

void World::addForce(int body, const Vec3& force, const Vec3* point, bool persistent) {
  push(*data_, body, force, point ? Vec3((*point - bodyCentre(body)).cross(force)) : Vec3(Vec3::Zero()), persistent);
}
void World::addTorque(int body, const Vec3& torque, bool persistent) { push(*data_, body, Vec3::Zero(), torque, persistent); }
void World::takeBackForces() {
  WorldData& w = *data_;
  for (auto p = w.pushed.rbegin(); p != w.pushed.rend(); ++p) {
    AppliedForces& f = w.bodies[p->body].applied.make();
    f.force = p->force;
    f.torque = p->torque;
    w.anyForce = p->anyForce;
  }
  w.pushed.clear();
}
void World::addImpulse(int body, const Vec3& impulse, const Vec3* point) {
  AppliedForces& f = data_->bodies[body].applied.make();
  f.impulse += impulse;
  if (point) f.angularImpulse += (*point - bodyCentre(body)).cross(impulse);
  data_->anyForce = true;
  wakeBody(body);
}
void World::clearForces(int body) {
  AppliedForces* f = data_->bodies[body].applied.get();
  if (f) f->force = f->torque = f->persistentForce = f->persistentTorque = f->impulse = f->angularImpulse = Vec3::Zero();
}
void World::forces(int body, Vec3& force, Vec3& torque) const {
  const Rare<AppliedForces>& f = data_->bodies[body].applied;
  force = f->force + f->persistentForce;
  torque = f->torque + f->persistentTorque;
}
void World::lastingForces(int body, Vec3& force, Vec3& torque) const {
  force = data_->bodies[body].applied->persistentForce;
  torque = data_->bodies[body].applied->persistentTorque;
}

}  // namespace vertebra::world
