// Springs, dampers, armature and motors on the axes of tree joints over an interval of the stepper variational, whose unknowns are
// increments: by the midpoint rule, in which stiffness and damping never make a step unstable. Which trees need the form of
// axis_forces.cpp there. See tree_step.hpp.
#include <algorithm>
#include <span>

#include "engine/trees/axis_drive.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {
namespace {
// Displacement from rest or target at the middle of a joint's way from q0, in velocity coordinates.
void midway(const dynamics::LinkModel& m, const JointSlot& j, const double* q0, const double* increment, bool target, double* error) {
  double middle[7], half[6];
  std::copy_n(q0, j.nq, middle);
  for (int k = 0; k < m.nv; k++) half[k] = 0.5 * increment[k];
  dynamics::withJoint(m.type, [&](auto joint) { decltype(joint)::advance(m, middle, half); });
  axisError(m, j, middle, target, error);
}
}  // namespace

void midpointAxisForces(TreeWorld& w, TreeRuntime& t, double h, double share, bool atEnd) {
  const double rate = 1 / h, strong = strongInertia(t);
  std::fill_n(w.extra.begin() + t.vFirst, t.nv, 0.0);
  std::fill_n(w.generalized.begin() + t.vFirst, t.nv, 0.0);
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].hasAxisForces) continue;
    const dynamics::LinkModel& m = w.model[i];
    JointSlot& j = w.joints[w.links[i].joint];
    double increment[6], fromRest[6] = {}, fromTarget[6] = {};
    if (atEnd)
      std::copy_n(w.increment.data() + m.vOffset, m.nv, increment);
    else
      dynamics::withJoint(m.type,
                          [&](auto joint) { decltype(joint)::difference(m, w.q0.data() + m.qOffset, w.q.data() + m.qOffset, increment); });
    bool springs = false, drives = false;
    for (int k = 0; k < m.nv; k++) {
      springs |= j.axes[k].parameters->stiffness > 0;
      drives |= j.axes[k].motor->mode == MotorMode::Position;
    }
    if (springs) midway(m, j, w.q0.data() + m.qOffset, increment, false, fromRest);
    if (drives) midway(m, j, w.q0.data() + m.qOffset, increment, true, fromTarget);
    for (int k = 0; k < m.nv; k++) {
      const dynamics::AxisParameters& a = *j.axes[k].parameters;
      double& E = w.extra[m.vOffset + k];
      double& g = w.generalized[m.vOffset + k];
      const double rotor = a.armature * rate * increment[k];
      if (atEnd) {
        E = a.armature;
        g = rotor;
      } else {
        E = a.armature * rate;
        g = a.armature * w.v0[m.vOffset + k] - rotor;
        E += share * (rate * a.damping + 0.5 * a.stiffness);
      }
      g -= share * (a.stiffness * fromRest[k] + rate * a.damping * increment[k]);
      if (j.axes[k].motor->mode == MotorMode::Off) continue;
      const Drive d = driveOf(j, k, fromTarget[k], 1, strong);
      const double force = d.g - d.damping * rate * increment[k];
      j.axes[k].saturated = d.side(force);
      g += share * within(d.bound, force);
      if (!atEnd && j.axes[k].saturated == 0) E += share * (rate * d.damping + 0.5 * (d.E - d.damping));
    }
  }
}

void addRotorMomenta(TreeWorld& w, TreeRuntime& t) {
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].hasAxisForces) continue;
    const dynamics::LinkModel& m = w.model[i];
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < m.nv; k++)
      w.generalized[m.vOffset + k] += j.axes[k].parameters->armature * (w.increment[m.vOffset + k] / t.interval - w.v0[m.vOffset + k]);
  }
}

bool rubs(const TreeWorld& w, const TreeRuntime& t) {
  if (!t.hasAxisForces) return false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].rubs) continue;
    const JointSlot& j = w.joints[w.links[i].joint];
    for (const JointAxis& a : std::span(j.axes, static_cast<std::size_t>(w.model[i].nv)))
      if (a.parameters->friction > 0) return true;
  }
  return false;
}

bool actsImplicitly(const TreeWorld& w, const TreeRuntime& t, double h) {
  if (rubs(w, t)) return true;
  if (!t.hasAxisForces) return false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < w.model[i].nv; k++) {
      const AxisGains gains = gainsOf(j.axes[k]);
      const bool driven = hasGains(*j.axes[k].motor);
      if (!(gains.damping > 0) && !driven) continue;
      const double D = jointBlock(w, i, k);
      if (!(h * gains.damping <= (driven ? 0.5 : 1) * D) || (driven && !(h * h * gains.stiffness <= kMildGains * D))) return true;
    }
  }
  return false;
}

bool startsImplicitly(TreeWorld& w, TreeRuntime& t, double h) {
  if (rubs(w, t)) return true;
  if (!hasDrives(w, t)) return false;
  measureAxes(w, t);
  const double strong = strongInertia(t);
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const int offset = w.model[i].vOffset;
    JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < w.model[i].nv; k++) {
      const Drive d = driveOf(j, k, w.fromTarget[offset + k], 1, strong);
      j.axes[k].saturated = d.side(d.g - d.damping * w.v[offset + k]);
    }
  }
  implicitAxisForces(w, t, h, true);
  updateGeometry(w, t);
  return factorTree(w, t) < 0 && actsImplicitly(w, t, h);
}

}  // namespace vertebra::trees
