// What the axes of joints ask for, summed up for their links and trees: whether anything acts along them, and what of it a step must look
// at (armature, springs, motors, limits, friction, bounds of velocity). Renewed when axes or motors are edited and when trees are made.
#include "engine/trees/axis_summary.hpp"

#include "engine/math/elementary.hpp"
#include "engine/math/rotation.hpp"
#include "engine/state/growth.hpp"
#include "engine/trees/combined_joints.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::trees {
namespace {

bool needsAxisForces(const JointSlot& j) {
  if (j.def->limitsOrientation() || j.orientationMotor) return true;
  for (int k = 0; k < j.nv; k++) {
    const dynamics::AxisParameters& a = *j.axes[k].parameters;
    if (a.lower > -kInf || a.upper < kInf || a.velocity < kInf || a.damping > 0 || a.friction > 0 || a.stiffness > 0 || a.armature > 0)
      return true;
    if (j.axes[k].motor->mode != MotorMode::Off) return true;
  }
  return false;
}

void measureBounds(JointSlot& j) {
  if (j.def->type != dynamics::JointType::Spherical) return;
  JointOrientation& o = j.orientation.make();
  o.restQuat = quatExp(Vec3(j.axes[0].parameters->rest, j.axes[1].parameters->rest, j.axes[2].parameters->rest));
  o.cosSwing = j.def->swing < kPi ? cosine(j.def->swing) : -2;
  const SinCos low = sincos(0.5 * j.def->twistLower), high = sincos(0.5 * j.def->twistUpper);
  o.twistLow[0] = j.def->twistLower > -kInf ? low.c : 0;
  o.twistLow[1] = j.def->twistLower > -kInf ? low.s : -2;
  o.twistHigh[0] = j.def->twistUpper < kInf ? high.c : 0;
  o.twistHigh[1] = j.def->twistUpper < kInf ? high.s : 2;
}

}  // namespace

void collectAxisForces(TreeWorld& w, TreeRuntime& t) {
  t.hasAxisForces = t.driven = t.limited = t.bounded = t.armature = t.springs = false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    LinkRuntime& r = w.links[i];
    if (r.joint < 0) continue;
    const JointSlot& j = w.joints[r.joint];
    r.driven = r.rubs = r.bounded = false;
    r.limited = j.def->limitsOrientation();
    for (int k = 0; k < j.nv; k++) {
      const dynamics::AxisParameters& a = *j.axes[k].parameters;
      t.armature |= a.armature > 0;
      t.springs |= a.stiffness > 0 || a.damping > 0;
      r.driven |= a.armature > 0 || a.stiffness > 0 || a.damping > 0 || j.axes[k].motor->mode != MotorMode::Off;
      r.limited |= a.lower > -kInf || a.upper < kInf;
      r.rubs |= a.friction > 0;
      r.bounded |= a.velocity < kInf;
    }
    r.bounded |= r.limited || r.rubs;
    r.hasAxisForces = j.hasAxisForces;
    t.driven |= r.driven;
    t.limited |= r.limited;
    t.bounded |= r.bounded;
    t.hasAxisForces |= r.hasAxisForces;
  }
  if (t.hasAxisForces)
    for (std::vector<double>* x : {&w.extra, &w.fromRest, &w.fromTarget}) growTo(*x, w.v.size());
}

void updateAxisForces(TreeWorld& w, int joint) {
  JointSlot& j = w.joints[joint];
  const bool before = j.hasAxisForces;
  j.hasAxisForces = needsAxisForces(j);
  measureBounds(j);
  if (changesCombination(w, j, before)) invalidateTopology(w);
  if (j.link >= 0) collectAxisForces(w, w.trees[w.bodies[w.links[j.link].body].tree]);
}

void updateAxisForces(TreeWorld& w) {
  for (JointSlot& j : w.joints) {
    if (!j.alive) continue;
    j.hasAxisForces = needsAxisForces(j);
    measureBounds(j);
  }
  for (TreeRuntime& t : w.trees) collectAxisForces(w, t);
}

}  // namespace vertebra::trees
