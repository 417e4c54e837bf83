// The energy that a first-order step gains or loses by its own error, which is the work of no force (docs/computation.md). The account
// multiplies all impulses of a step by the mean of the reference motion and the velocities after it. Three errors of first order remain
// between that and the change of energy: the reference motion has less energy than the motion at the start (it is a projection); the move
// along joints at constant rates gains another height than that mean; and the terms of the factor beyond the inertia act on the mean.
#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {

void carryEnergy(const TreeWorld& w, TreeRuntime& t, double h) {
  double& carried = t.rare.make().carried;
  carried = -0.5 * t.startKinetic;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const dynamics::LinkModel& m = w.model[i];
    const dynamics::LinkState& s = w.state[i];  // of the reference motion
    carried += 0.5 * (m.mass * s.v.squaredNorm() + s.w.dot(m.inertia.cwiseProduct(s.w))) +
               0.5 * h * m.mass * w.links[i].gravityScale * w.settings.gravity.dot(s.v);
    if (!w.links[i].hasAxisForces) continue;
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < m.nv; k++) {
      const double v = w.referenceRate[m.vOffset + k];
      carried += 0.5 * j.axes[k].parameters->armature * v * v;
    }
  }
  if (t.slender) carried += gainedBySlenderLinks(w, t, carriedFrom(t, h), true);
}

double gainedEnergy(const TreeWorld& w, const TreeRuntime& t, double h) {
  double sum = t.rare->carried + t.rare->clampWork;
  if (t.slender) sum += gainedBySlenderLinks(w, t, carriedFrom(t, h), false);
  if (t.hasAxisForces) sum += springEnergy(w, t, w.q.data()) - springEnergy(w, t, w.q0.data());
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const dynamics::LinkModel& m = w.model[i];
    const dynamics::LinkState& s = w.state[i];
    const Vec3 mean = 0.5 * h * s.v, way = s.c - w.links[i].startC;
    sum += m.mass * w.links[i].gravityScale * w.settings.gravity.dot(mean - way);
    if (!w.links[i].hasAxisForces) continue;
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < m.nv; k++) {
      const dynamics::AxisParameters& a = *j.axes[k].parameters;
      const int n = m.vOffset + k;
      const double v = w.referenceRate[n] + w.v[n];
      sum += 0.5 * v * ((w.extra[n] - a.armature) * (w.referenceRate[n] - w.v0[n]) - h * a.stiffness * (w.fromRest[n] + h * w.v[n]));
    }
  }
  return sum;
}

}  // namespace vertebra::trees
