// World: joints, their axes and coordinates. Motors: joint_drives.cpp. See world.hpp.
#include <algorithm>
#include <cmath>

#include "engine/constraints/joint_forces.hpp"
#include "engine/constraints/pair_constraint.hpp"
#include "engine/dynamics/joints/joints.hpp"
#include "engine/geometry/curve.hpp"
#include "engine/state/stepper_traits.hpp"
#include "engine/steppers/undo.hpp"
#include "engine/trees/axis_summary.hpp"
#include "engine/trees/combined_joints.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"
#include "engine/world/edits.hpp"
#include "engine/world/snapshot.hpp"
#include "engine/world/world.hpp"

namespace vertebra::world {

namespace {

bool names(const CouplingDefinition& c, int joint) {
  return std::any_of(c.terms.begin(), c.terms.end(), [&](const CouplingTerm& t) { return t.joint == joint; });
}

Failure checkJoint(const JointDefinition& d) {
  if (d.rotor)
    return d.a < 0 && d.b < 0 ? Failure{} : Failure{Failure::Argument, "a rotor has no bodies; to turn one, use a revolute joint"};
  if (d.a < 0 && d.b < 0) return {Failure::Argument, "a joint needs at least one body"};
  if (d.a == d.b) return {Failure::Argument, "a joint needs two different bodies"};
  if (d.constraint == ConstraintType::PointOnCurve && !d.curve) return {Failure::Argument, "a point on a curve needs the curve's points"};
  return {};
}

JointAxes axesOf(const JointDefinition& d) {
  switch (d.constraint) {
    case ConstraintType::Joint:
      return JointAxes(dynamics::jointNv(d.type), dynamics::jointNq(d.type));
    case ConstraintType::Motor:
      return JointAxes(6, 7);
    case ConstraintType::PointOnPlane:
      return JointAxes(2, 2);
    default:
      return JointAxes(1, 1);
  }
}

void dropRotor(WorldData& w, int body) {
  w.bodies[body] = BodySlot();
  w.bodies[body].enabled = false;
  w.firstFreeBody = std::min<std::size_t>(w.firstFreeBody, body);
}

int makeJoint(WorldData& w, const JointDefinition& d) {
  NewSlot slot(w.joints, w.firstFreeJoint);
  JointSlot& j = *slot;
  j = JointSlot();
  j.alive = true;
  j.a = d.a;
  j.b = d.b;
  JointConstants c = d;
  c.frameA.q = unit(d.frameA.q);
  c.frameB.q = unit(d.frameB.q);
  if (d.axis.squaredNorm() > 0) c.axis = unit(d.axis);
  if (d.axis2.squaredNorm() > 0) c.axis2 = unit(d.axis2);
  if (d.asTheyStand) {
    const Pose a = d.a < 0 ? Pose() : trees::poseOf(w, d.a), b = d.b < 0 ? Pose() : trees::poseOf(w, d.b);
    c.frameB = b.inverse() * (a * c.frameA);
    c.frameB.q = normalized(c.frameB.q);
  }
  j.def = w.jointConstants.keep(std::move(c));
  static_cast<JointAxes&>(j) = axesOf(d);
  if (d.rotor) {
    AxisConstants inertia;
    inertia.armature = 1;
    j.axes[0].parameters = w.axisConstants.keep(inertia);
  }
  if (j.nq == 4) j.q[3] = 1;
  if (j.nq == 7) j.q[6] = 1;
  if (d.constraint == ConstraintType::PointOnCurve) {
    const Pose a = d.a < 0 ? Pose() : trees::poseOf(w, d.a), b = d.b < 0 ? Pose() : trees::poseOf(w, d.b);
    j.q[0] = d.curve->nearest((a * j.def->frameA).inverse() * (b * j.def->frameB).p);
  }
  if (d.constraint != ConstraintType::Joint) {
    constraints::PairConstraint pair;
    constraints::viewPair(w.bodies, w, j, j.q, pair);
    if (d.constraint == ConstraintType::Distance) {  // a rod of its present length
      AxisConstants length;
      length.lower = length.upper = j.q[0];
      j.axes[0].parameters = w.axisConstants.keep(length);
    }
  }
  trees::updateAxisForces(w, slot.at());
  trees::addJoint(w, slot.at());
  w.anyBreakable |= d.breakable();
  const int id = slot.keep();
  for (int side = 0; side < 2; side++) {
    const int body = side ? d.b : d.a;
    if (body < 0) continue;
    j.nextJoint[side] = w.bodies[body].firstJoint;
    w.bodies[body].firstJoint = id;
  }
  return id;
}

}  // namespace

Failure World::createJoint(const JointDefinition& given, int& id) {
  WorldData& w = *data_;
  if (Failure f = checkJoint(given)) return f;
  JointDefinition d = given;
  if (d.rotor) {
    d.constraint = ConstraintType::Joint;
    d.type = dynamics::JointType::Continuous;
    BodyDefinition rotor;  // no pose, no mass; the armature of its joint is its inertia
    rotor.mass = 0;
    rotor.inertia.setZero();
    d.b = createBody(rotor);
    w.bodies[d.b].hidden = true;
  }
  wakeAll();
  try {
    id = makeJoint(w, d);
  } catch (...) {  // memory
    trees::invalidateTopology(w);
    if (d.rotor) dropRotor(w, d.b);
    throw;
  }
  return {};
}

void World::destroyJoint(int joint) {
  WorldData& w = *data_;
  wakeAll();
  trees::invalidateTopology(w);
  Destroyed gone;
  for (std::size_t i = 0; i < w.couplings.size() && w.joints[joint].named > 0; i++)
    if (w.couplings[i].alive && names(w.couplings[i].def, joint)) {
      dropCoupling(w, static_cast<int>(i));
      gone.couplings.push_back(static_cast<int>(i));
    }
  for (std::size_t i = 0; i < w.constraints.size() && w.joints[joint].named > 0; i++) {
    const std::vector<int>& of = w.constraints[i].def.joints;
    if (!w.constraints[i].alive || std::find(of.begin(), of.end(), joint) == of.end()) continue;
    dropConstraint(w, static_cast<int>(i));
    gone.constraints.push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < w.sensors.size(); i++) {
    if (!w.sensors[i].alive || w.sensors[i].def.joint != joint) continue;
    destroySensor(static_cast<int>(i));
    gone.sensors.push_back(static_cast<int>(i));
  }
  for (int side = 0; side < 2; side++) {
    const int body = side ? w.joints[joint].b : w.joints[joint].a;
    if (body < 0) continue;
    int* at = &w.bodies[body].firstJoint;
    while (*at != joint) at = &w.joints[*at].nextJoint[w.joints[*at].a != body];
    *at = w.joints[joint].nextJoint[side];
  }
  if (w.joints[joint].def->rotor) dropRotor(w, w.joints[joint].b);
  w.joints[joint] = JointSlot();
  w.firstFreeJoint = std::min<std::size_t>(w.firstFreeJoint, joint);
  gone.joints.push_back(joint);
  w.destroyed = std::move(gone);
}
bool World::jointAlive(int joint) const {
  return joint >= 0 && joint < static_cast<int>(data_->joints.size()) && data_->joints[joint].alive;
}
JointDefinition World::joint(int joint) const {
  const JointSlot& j = data_->joints[joint];
  JointDefinition d;
  static_cast<JointConstants&>(d) = *j.def;
  d.a = j.a;
  d.b = j.b;
  return d;
}
int World::jointAxes(int joint) const { return data_->joints[joint].nv; }
dynamics::AxisParameters World::axis(int joint, int axis) const {
  const JointSlot& j = data_->joints[joint];
  if (axis < j.nv) return *j.axes[axis].parameters;
  return {};
}

void wakeBothEnds(WorldData& w, const JointSlot& j) {
  for (int body : {j.a, j.b}) {
    if (body < 0 || (body == j.b && j.a >= 0 && steppers::wakeTogether(w, j.a, j.b))) continue;
    if (w.drivesWait)
      w.driven.push_back(body);
    else
      steppers::wakeDriven(w, body);
  }
}

Failure World::setAxis(int joint, int axis, const dynamics::AxisParameters& p) {
  JointSlot& j = data_->joints[joint];
  if (axis < 0 || axis >= j.nv) return {Failure::Argument, "the joint has " + std::to_string(j.nv) + " axes"};
  j.axes[axis].parameters = data_->axisConstants.keep({p});
  trees::updateAxisForces(*data_, joint);
  wakeBothEnds(*data_, j);
  return {};
}
Failure World::setSwingTwist(int joint, double swing, double lower, double upper) {
  JointSlot& j = data_->joints[joint];
  if (j.def->constraint != ConstraintType::Joint || j.def->type != dynamics::JointType::Spherical)
    return {Failure::Unsupported, "swing and twist limits are for spherical joints"};
  JointConstants c = *j.def;
  c.swing = swing;
  c.twistLower = lower;
  c.twistUpper = upper;
  j.def = data_->jointConstants.keep(std::move(c));
  trees::updateAxisForces(*data_, joint);
  wakeBothEnds(*data_, j);
  return {};
}

void World::jointForces(int joint, JointForces& out) const {
  std::vector<char> beyond;
  vertebra::constraints::jointForces(*data_, joint, beyond, out);
}
void World::motorForces(int joint, double* out) const {
  const JointSlot& j = data_->joints[joint];
  for (int k = 0; k < j.nv; k++) out[k] = j.role == Role::Inactive ? 0 : j.axes[k].motorForce;
}
void World::jointDirections(int joint, Vec3* out) const { vertebra::constraints::jointDirections(*data_, joint, out); }

void World::startJoint(int joint, const double* q) {
  JointSlot& j = data_->joints[joint];
  std::copy_n(q, j.nq, j.q);
  for (int k = 0; k < j.nv; k++) j.axes[k].v = 0;
  j.placed = true;
}

void World::jointState(int joint, double* q, double* v) const { vertebra::constraints::jointState(*data_, joint, q, v); }

namespace {
// Of ball joints that a link has together: the nearest that all of them allow.
void setCombinedState(TreeWorld& w, int joint, const double* q, const double* v) {
  JointSlot& j = w.joints[joint];
  const int link = j.combinedLink, body = w.links[link].body, tree = w.bodies[body].tree, other = trees::parentBody(j, body);
  const dynamics::LinkModel& m = w.model[link];
  const auto inertial = [&](const dynamics::BodyPose& p) { return Pose{p.c, p.q}; };
  const auto parent = [&]() -> const dynamics::BodyPose& {
    return m.parent >= 0 ? static_cast<const dynamics::BodyPose&>(w.trees[tree].tree.state[m.parent]) : w.trees[tree].tree.base->pose;
  };
  const Pose back = w.bodies[body].inertialInLink();
  if (q) {
    std::copy_n(q, 4, j.q);
    const Pose from = other < 0 ? Pose() : trees::poseOf(w, other);
    trees::fitCoordinates(m, trees::framesOf(w, link), inertial(parent()), trees::poseByJoint(j, body, from) * back,
                          w.q.data() + m.qOffset);
    trees::touchTree(w, tree);
  }
  if (!v || m.nv == 0) return;
  const dynamics::LinkState& s = w.state[link];
  const Vec3 omega = trees::omegaByJoint(j, body, j.b < 0 ? Quat(Quat::Identity()) : trees::poseOf(w, j.b).q, v);
  trees::fitVelocity(m, s, w.trees[tree].tree.O, dynamics::stack(omega, (s.anchor - w.trees[tree].tree.O).cross(omega)),
                     w.v.data() + m.vOffset);
  trees::touchTree(w, tree);
}

// Coordinates and rates of a joint that stands in a tree.
Failure setTreeState(TreeWorld& w, int joint, const double* q, const double* v) {
  if (Failure f = trees::updateTopology(w)) return f;
  JointSlot& j = w.joints[joint];
  if (j.combinedLink >= 0) {
    setCombinedState(w, joint, q, v);
    return {};
  }
  if (j.link < 0)
    return {Failure::Unsupported,
            "the joint closes a cycle, joins figures or is a drive: it has no coordinates of its own; set those of the tree's joints"};
  const dynamics::LinkModel& m = w.model[j.link];
  const int tree = w.bodies[w.links[j.link].body].tree;
  if (q) {
    double* now = w.q.data() + m.qOffset;
    std::copy_n(q, j.nq, now);
    if (const int at = dynamics::traitsOf(m.type).quaternion; at >= 0) {
      const Quat r = normalized(Quat(now[at + 3], now[at], now[at + 1], now[at + 2]));
      for (int k = 0; k < 4; k++) now[at + k] = r.coeffs()[k];
    }
  }
  if (v) std::copy_n(v, j.nv, w.v.data() + m.vOffset);
  trees::touchTree(w, tree);
  return {};
}
}  // namespace

Failure World::setJointState(int joint, const double* q, const double* v) {
  WorldData& w = *data_;
  if (keepsFreePoses(w.settings) && !w.jointsInTrees && !w.joints[joint].def->rotor) {
    struct State {
      int joint;
      const double *q, *v;
    } state{joint, q, v};
    const auto set = [](TreeWorld& inTrees, const void* what) {
      const State& s = *static_cast<const State*>(what);
      return setTreeState(inTrees, s.joint, s.q, s.v);
    };
    std::vector<std::uint8_t> before;  // the trees are made twice, which forgets what is known of the last step
    saveState(w, before);
    Failure failure = trees::placeInTrees(w, {joint}, set, &state);
    if (failure) (void)restoreState(w, before.data(), before.size());
    return failure;
  }
  return setTreeState(w, joint, q, v);
}

Failure World::setTogether(int body, const std::vector<int>& joints, const std::function<Failure()>& set) {
  WorldData& w = *data_;
  if (Failure f = trees::updateTopology(w)) return f;
  // Joints in trees and bodies that move by physics refuse no state; what may be refused needs a copy of all.
  const bool sure = !keepsFreePoses(w.settings) && w.bodies[body].kind == BodyKind::Dynamic &&
                    std::all_of(joints.begin(), joints.end(), [&](int j) { return w.joints[j].link >= 0; });
  if (sure) return set();
  std::vector<std::uint8_t> before;
  saveState(w, before);
  Failure failure = set();
  if (failure) (void)restoreState(w, before.data(), before.size());
  return failure;
}

const Destroyed& World::lastDestroyed() const { return data_->destroyed; }

Failure World::placeByJoints(const std::vector<int>& joints) {
  if (!keepsFreePoses(data_->settings) || joints.empty()) return {};
  return trees::placeInTrees(
      *data_, joints, [](TreeWorld&, const void*) { return Failure(); }, nullptr);
}

}  // namespace vertebra::world
