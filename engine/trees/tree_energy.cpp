// Energies of a tree: kinetic, and the work of forces on it over a step, [J] times two; of its springs, J; velocities scaled to an energy,
// or down to the caps. See tree_step.hpp.
#include "engine/trees/tree_step.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/link_recursions.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::trees {
namespace {

// Energies are measured in the frame of a base that moves at constant velocity, where they are conserved as on one at rest.
Vec3 baseVelocity(const TreeWorld& w, const TreeRuntime& t) { return t.movingBase ? w.bodies[t.baseBody].velocity : Vec3(Vec3::Zero()); }
double twiceEnergy(const dynamics::LinkModel& m, const dynamics::LinkState& s, const Vec3& base) {
  return m.mass * (s.v - base).squaredNorm() + s.w.dot(m.inertia.cwiseProduct(s.w));
}

double rotorsTwice(const TreeWorld& w, const TreeRuntime& t) {
  double sum = 0;
  if (!t.armature) return sum;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < j.nv; k++) {
      const double v = w.v[w.model[i].vOffset + k];
      sum += j.axes[k].parameters->armature * v * v;
    }
  }
  return sum;
}

}  // namespace

double kineticTwice(const TreeWorld& w, const TreeRuntime& t) {
  const Vec3 base = baseVelocity(w, t);
  double sum = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) sum += twiceEnergy(w.model[i], w.state[i], base);
  return sum + rotorsTwice(w, t);
}

namespace {
// J, twice: what the mean force F of springs over the way of a step may be off by, as that way is made with the acceleration at the start:
// h^2 F (F' - F) / 2 m with the force F' at the end; of which the double is allowed.
double doubtOfSprings(const TreeWorld& w, const TreeRuntime& t, double h) {
  double sum = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const AppliedForces& f = *w.bodies[w.links[i].body].applied;
    const dynamics::LinkModel& m = w.model[i];
    if (m.mass > 0) sum += std::fabs(f.springForce.dot(f.springForceAtEnd - f.springForce)) / m.mass;
    if (m.inertia.minCoeff() > 0) sum += std::fabs(f.springTorque.dot(f.springTorqueAtEnd - f.springTorque)) / m.inertia.minCoeff();
  }
  return 2 * h * h * sum;
}
}  // namespace

double workTwice(const TreeWorld& w, const TreeRuntime& t, double h, bool accelerated, double* doubt) {
  const Vec3 carried = h * baseVelocity(w, t);
  double sum = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const dynamics::LinkModel& m = w.model[i];
    const dynamics::LinkState& s = w.state[i];
    const LinkRuntime& r = w.links[i];
    const Vec3 way = s.c - r.startC - carried;
    sum += m.mass * r.gravityScale * w.settings.gravity.dot(way);
    if (w.anyForce) {
      const BodySlot& b = w.bodies[r.body];
      sum += b.appliedForce().dot(way) + 0.5 * h * b.appliedTorque().dot(s.R * Vec3(s.w + r.startW));
    }
  }
  if (t.driven) {
    const AxisWork axes = axisWork(w, t, h, accelerated);
    sum += springEnergy(w, t, w.q0.data()) - springEnergy(w, t, nullptr) + axes.drives - axes.damping;
    if (doubt) *doubt = 2 * axes.doubt;
  }
  if (doubt && t.sprung) *doubt += doubtOfSprings(w, t, h);
  return 2 * sum;
}

double scaleRelativeMotion(TreeWorld& w, TreeRuntime& t, double now, double target, bool wholeGain) {
  Vec6 rigid = Vec6::Zero();
  double relative = now;
  if (t.floating) {
    if (t.tree.count == 1) return 1;
    Mat6 total = Mat6::Zero(), A;
    Vec6 momentum = Vec6::Zero();
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      const dynamics::LinkState& s = w.state[i];
      dynamics::bodyInertia(w.model[i], s, t.tree.O, A);
      total += A;
      momentum += A * s.t;
    }
    rigid = total.llt().solve(momentum);
    relative = now - rigid.dot(momentum);
  }
  if (!(relative > 1e-9 * now) || !(now > 0)) return 1;
  const double wanted = relative + target - now;
  constexpr double kMost = 0.02;  // share of the relative motion corrected in one step; more would hide a failure
  const double least = wholeGain ? 0 : 1 - kMost;
  const double scale = std::min(1 + kMost, std::max(least, wanted > 0 ? std::sqrt(wanted / relative) : least));
  double* const v = w.v.data() + t.vFirst;
  int own = 0;  // velocities of the root, whose motion is not all relative
  if (t.floating) {
    const dynamics::LinkModel& m = w.model[t.first];
    double rates[6];
    fitVelocity(m, w.state[t.first], t.tree.O, rigid, rates);
    for (; own < m.nv; own++) v[own] = rates[own] + scale * (v[own] - rates[own]);
  }
  for (int k = own; k < t.nv; k++) v[k] *= scale;
  if (t.floating || t.movingBase) {
    dynamics::updateTwists(t.tree, w.v.data());
  } else {
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      dynamics::LinkState& s = w.state[i];
      s.t *= scale;
      s.v *= scale;
      s.w *= scale;
    }
  }
  return scale;
}

void startRowsFromVelocities(TreeWorld& w, TreeRuntime& t) {
  if (t.saddle) return;  // x are the velocities
  Mat6 A;
  for (int i = 0; i < t.tree.count; i++) {
    const dynamics::LinkState& s = t.tree.state[i];
    dynamics::bodyInertia(t.tree.model[i], s, t.tree.O, A);
    if (t.slender) A.topLeftCorner<3, 3>() += w.slender[t.first + i].stiffening;
    t.tree.P[i] = A * s.t;
  }
  if (t.hasAxisForces)
    for (int k = t.vFirst; k < t.vFirst + t.nv; k++) w.generalized[k] = w.extra[k] * w.v[k];
  dynamics::sweepUp(t.tree, t.hasAxisForces ? w.generalized.data() : nullptr, w.z.data());
}

// The largest s in [0, 1] with |base + s relative| <= cap; 0 where none is.
double shareBelow(const Vec3& base, const Vec3& relative, double cap) {
  const double a = relative.squaredNorm(), b = base.dot(relative), c = base.squaredNorm() - cap * cap, d = b * b - a * c;
  return c > 0 || !(a > 0) || d < 0 ? 0 : std::clamp((std::sqrt(d) - b) / a, 0.0, 1.0);
}

// From the root on, slows the rates of the own joint of each link that turns faster than the cap. The tree beyond it keeps its rates: one
// link that whips must not slow the whole.
void capTurning(TreeWorld& w, TreeRuntime& t) {
  const double cap = w.settings.maxAngularSpeed;
  for (int i = 0; i < t.tree.count; i++) {
    const dynamics::LinkModel& m = t.tree.model[i];
    const dynamics::LinkState& s = t.tree.state[i];
    if (!(s.w.squaredNorm() > cap * cap)) continue;
    const Vec3 base = m.parent >= 0  ? Vec3(t.tree.state[m.parent].R * t.tree.state[m.parent].w)
                      : t.movingBase ? t.onBase->omega
                                     : Vec3(Vec3::Zero());
    const double share = shareBelow(base, s.R * s.w - base, cap);
    for (int k = 0; k < (m.parent < 0 && t.freeRoot ? 3 : m.nv); k++) w.v[m.vOffset + k] *= share;
    dynamics::updateTwists(t.tree, w.v.data());
  }
}

void capSpeeds(TreeWorld& w, TreeRuntime& t, StepTally& tally) {
  const double maxSpeed2 = w.settings.maxSpeed * w.settings.maxSpeed,
               maxAngularSpeed2 = w.settings.maxAngularSpeed * w.settings.maxAngularSpeed;
  double speed2 = 0, omega2 = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    speed2 = std::max(speed2, w.state[i].v.squaredNorm());
    omega2 = std::max(omega2, w.state[i].w.squaredNorm());
  }
  if (!(speed2 > maxSpeed2) && !(omega2 > maxAngularSpeed2)) return;
  tally.capped++;
  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (int i = t.first; i < t.first + t.tree.count; i++) sum += w.model[i].mass * w.state[i].v;
    return sum;
  };
  // What spins too fast flies on as fast: its centre of mass keeps its velocity.
  const bool flies = t.freeRoot && !(speed2 > maxSpeed2);
  const Vec3 linear = momentum();
  const double before = kineticTwice(w, t);
  const auto scale = [&](double ratio) {
    for (int k = 0; k < t.nv; k++) w.v[t.vFirst + k] *= ratio;
    dynamics::updateTwists(t.tree, w.v.data());
  };
  if (speed2 > maxSpeed2) scale(std::sqrt(maxSpeed2 / speed2));
  if (omega2 > maxAngularSpeed2) capTurning(w, t);
  if (flies) {
    Eigen::Map<Vec3>(&w.v[t.vFirst + 3]) += (linear - momentum()) / t.mass;
    dynamics::updateTwists(t.tree, w.v.data());
  }
  // A joint that slows may speed up what it carried back; that is no reason for energy to rise.
  const double now = kineticTwice(w, t);
  if (now > before) scale(std::sqrt(before / now));
  if (w.settings.energyAccount) tally.account.lostClamp += 0.5 * (before - std::min(before, now));
}

double springEnergyOf(const TreeWorld& w, int link, const double* q) {
  if (!w.links[link].driven) return 0;
  const dynamics::LinkModel& m = w.model[link];
  const JointSlot& j = w.joints[w.links[link].joint];
  bool any = false;
  for (int k = 0; k < m.nv; k++) any |= j.axes[k].parameters->stiffness > 0;
  if (!any) return 0;
  double given[6], sum = 0;
  if (q) axisError(m, j, q + m.qOffset, false, given);
  const double* rest = q ? given : w.fromRest.data() + m.vOffset;
  for (int k = 0; k < m.nv; k++) sum += 0.5 * j.axes[k].parameters->stiffness * rest[k] * rest[k];
  return sum;
}

double springEnergy(const TreeWorld& w, const TreeRuntime& t, const double* q) {
  double sum = 0;
  if (!t.springs) return sum;
  for (int i = t.first; i < t.first + t.tree.count; i++) sum += springEnergyOf(w, i, q);
  return sum;
}

}  // namespace vertebra::trees
