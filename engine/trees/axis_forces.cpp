// Springs, dampers, armature and motors on the axes of tree joints, as part of the elimination: each axis adds E to the diagonal of its
// joint's block and g to its momentum, such that the impulse on the axis is g - E v. First-order form: backward Euler, so stiff gains are
// unconditionally stable; second-order form: the half of the force at the new state (the other half is in the stored reactions). A motor
// whose implicit force exceeds its bound acts as a constant force instead, and the tree is factored again.
#include <algorithm>
#include <cmath>
#include <span>

#include "engine/state/stepper_traits.hpp"
#include "engine/trees/axis_drive.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {
namespace {

// Velocity error that a drive of infinite gain may have when something stronger stops it: m/s or rad/s, and a share of its velocity.
constexpr double kMissed = 1e-3, kMissedShare = 0.01;

// What a drive towards a position has to go from the start of the step.
void errorAtStart(const TreeWorld& w, const dynamics::LinkModel& m, const JointSlot& j, double* error) {
  if (std::any_of(j.axes, j.axes + m.nv, [](const JointAxis& a) { return a.motor->mode == MotorMode::Position; }))
    axisError(m, j, w.q0.data() + m.qOffset, true, error);
}

}  // namespace

void axisError(const dynamics::LinkModel& m, const JointSlot& j, const double* q, bool target, double* e) {
  const int quaternion = dynamics::traitsOf(m.type).quaternion, plain = quaternion < 0 ? m.nv : quaternion;
  for (int k = 0; k < plain; k++) e[k] = q[k] - (target ? j.axes[k].motor->position : j.axes[k].parameters->rest);
  if (quaternion < 0) return;
  // An orientation alone is measured from the orientation at rest or at the target; together with a position, from the identity, minus the
  // axes' own values.
  const bool alone = quaternion == 0;
  const double* r = q + quaternion;
  const Quat turn(r[3], r[0], r[1], r[2]);
  const Vec3 d = quatLog(alone ? Quat((target ? j.orientation->targetQuat : j.orientation->restQuat).conjugate() * turn) : turn);
  for (int k = 0; k < 3; k++)
    e[plain + k] = alone ? d[k] : d[k] - (target ? j.axes[plain + k].motor->position : j.axes[plain + k].parameters->rest);
}

void measureAxes(TreeWorld& w, const TreeRuntime& t) {
  if (!t.driven) return;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const dynamics::LinkModel& m = w.model[i];
    const JointSlot& j = w.joints[w.links[i].joint];
    bool springs = false, drives = false;
    for (int k = 0; k < m.nv; k++) {
      springs |= j.axes[k].parameters->stiffness > 0;
      drives |= j.axes[k].motor->mode == MotorMode::Position;
    }
    double *rest = w.fromRest.data() + m.vOffset, *target = w.fromTarget.data() + m.vOffset;
    if (springs)
      axisError(m, j, w.q.data() + m.qOffset, false, rest);
    else
      std::fill_n(rest, m.nv, 0.0);
    if (drives)
      axisError(m, j, w.q.data() + m.qOffset, true, target);
    else
      std::fill_n(target, m.nv, 0.0);
  }
}

void implicitAxisForces(TreeWorld& w, TreeRuntime& t, double h, bool smooth) {
  measureAxes(w, t);
  const double half = 0.5 * h, strong = strongInertia(t);
  std::fill_n(w.extra.begin() + t.vFirst, t.nv, 0.0);
  std::fill_n(w.generalized.begin() + t.vFirst, t.nv, 0.0);
  if (!t.driven) return;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const dynamics::LinkModel& m = w.model[i];
    const JointSlot& j = w.joints[w.links[i].joint];
    const double *rest = w.fromRest.data() + m.vOffset, *target = w.fromTarget.data() + m.vOffset;
    for (int k = 0; k < m.nv; k++) {
      const dynamics::AxisParameters& a = *j.axes[k].parameters;
      double& E = w.extra[m.vOffset + k];
      double& g = w.generalized[m.vOffset + k];
      // The rotor has the momentum of the joint's old velocity (and half its acceleration, as the bodies have).
      E += a.armature;
      g += a.armature * (w.v0[m.vOffset + k] + (smooth ? half * w.a[m.vOffset + k] : 0));
      const bool driven = j.axes[k].motor->mode != MotorMode::Off;
      if (smooth) {
        E += half * a.damping;
        g -= half * a.stiffness * rest[k];
        if (!driven) continue;
        const Drive d = driveOf(j, k, target[k], half, strong);
        if (j.axes[k].saturated != 0)
          g += j.axes[k].saturated * half * d.bound;
        else
          E += half * d.damping, g += d.g;
      } else {
        E += h * a.damping + h * h * a.stiffness;
        g -= h * a.stiffness * rest[k];
        if (!driven) continue;
        const Drive d = driveOf(j, k, target[k], h, strong);
        if (j.axes[k].saturated != 0)
          g += j.axes[k].saturated * h * d.bound;
        else
          E += d.E, g += d.g;
      }
    }
  }
  if (!smooth) addCoasting(w, t, h);
}

void addCoasting(TreeWorld& w, const TreeRuntime& t, double h) {
  if (!t.coasting || !t.driven) return;
  const double strong = strongInertia(t);
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const int v = w.model[i].vOffset;
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < w.model[i].nv; k++) {
      const dynamics::AxisParameters& a = *j.axes[k].parameters;
      const double E = a.armature + h * a.damping + h * h * a.stiffness + driveOf(j, k, 0, h, strong).E;
      w.generalized[v + k] += 0.5 * h * E * w.a[v + k];
    }
  }
}

bool resaturate(TreeWorld& w, RowWorkspace& work, std::span<const int> trees, double h, bool first) {
  auto eachBounded = [&](auto&& visit) {
    for (int ti : trees) {
      const TreeRuntime& t = w.trees[ti];
      if (!t.driven) continue;
      const double share = t.smooth ? 0.5 * h : h;
      const double strong = strongInertia(t);
      for (int i = t.first; i < t.first + t.tree.count; i++) {
        if (!w.links[i].driven) continue;
        const int v = w.model[i].vOffset;
        JointSlot& j = w.joints[w.links[i].joint];
        for (int k = 0; k < w.model[i].nv; k++) {
          if (j.axes[k].motor->mode == MotorMode::Off) continue;
          const Drive d = driveOf(j, k, w.fromTarget[v + k], share, strong);
          if (d.bound < kInf)
            visit(DrivePoint{&j.axes[k].saturated, t.smooth ? share * d.damping : d.E, d.g, share * d.bound, w.v[v + k], 0});
        }
      }
    }
  };
  bool differs = false;
  eachBounded([&](const DrivePoint& p) { differs |= p.sideAt(p.v) != *p.side; });
  if (!differs) return false;
  // Bounded drives ask for the minimum of a convex function of the velocities whose gradient on an axis is u - c, with u the impulse that
  // made the velocities and c the impulse of the drive's law at them. A solution with fixed sides is Newton's method; the line search along
  // each of its steps keeps it from alternating between sides, some of which would give light links thousands of radians a second.
  work.drivePoints.clear();
  eachBounded([&](DrivePoint p) {
    p.impulse = *p.side != 0 ? *p.side * p.bound : p.wanted(p.v);
    work.drivePoints.push_back(p);
  });
  if (!first) {
    auto slope = [&](double share) {
      double sum = 0;
      for (std::size_t n = 0; n < work.drivePoints.size(); n++) {
        const DrivePoint &from = work.drivePointsBefore[n], &to = work.drivePoints[n];
        const double way = to.v - from.v, wanted = to.wanted(from.v + share * way);
        sum += way * (from.impulse + share * (to.impulse - from.impulse) - std::min(to.bound, std::max(-to.bound, wanted)));
      }
      return sum;
    };
    if (slope(0) < 0 && slope(1) > 0) {
      double low = 0, high = 1;
      for (int n = 0; n < 20; n++) (slope(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
      for (std::size_t n = 0; n < work.drivePoints.size(); n++) {
        const DrivePoint& from = work.drivePointsBefore[n];
        DrivePoint& to = work.drivePoints[n];
        to.v = from.v + high * (to.v - from.v);
        to.impulse = from.impulse + high * (to.impulse - from.impulse);
      }
    }
  }
  for (const DrivePoint& p : work.drivePoints) *p.side = p.sideAt(p.v);
  work.drivePointsBefore.reserve(work.drivePoints.capacity());  // either may be the first of the next step
  work.drivePoints.swap(work.drivePointsBefore);
  return true;
}

void recordImplicitAxisForces(TreeWorld& w, TreeRuntime& t, double h, AxisForm form, StepTally& tally) {
  if (!t.driven) return;
  const bool smooth = form != AxisForm::Implicit;
  const double strong = strongInertia(t);
  bool missed = false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const dynamics::LinkModel& m = w.model[i];
    JointSlot& j = w.joints[w.links[i].joint];
    const double *rest = w.fromRest.data() + m.vOffset, *target = w.fromTarget.data() + m.vOffset;
    for (int k = 0; k < m.nv; k++) {
      const dynamics::AxisParameters& a = *j.axes[k].parameters;
      const double v = w.v[m.vOffset + k], v0 = w.settings.energyAccount && !smooth ? w.referenceRate[m.vOffset + k] : 0;
      j.axes[k].springForce = -a.stiffness * (rest[k] + (smooth ? 0 : h * v)) - a.damping * v;
      j.axes[k].motorForce = 0;
      if (j.axes[k].motor->mode != MotorMode::Off) {
        const Drive d = driveOf(j, k, target[k], h, strong);
        const double force = j.axes[k].saturated != 0 ? j.axes[k].saturated * d.bound : (d.g - d.E * v) / h;
        j.axes[k].motorForce = smooth ? forceAt(j, k, target[k], v, strong) : within(d.bound, force);
        if (d.E >= strong && !(d.bound < kInf) && !smooth) {
          const double wanted = d.g / d.E;
          missed |= std::fabs(wanted - v) > kMissed + kMissedShare * std::fabs(wanted);
        }
      }
      if (w.settings.energyAccount && !smooth) {
        tally.account.workDrives += 0.5 * h * j.axes[k].motorForce * (v + v0);
        tally.account.lostDamping += 0.5 * h * a.damping * v * (v + v0);
      }
    }
  }
  if (missed) tally.infeasible++;
  if (!smooth || !w.settings.energyAccount) return;
  // Of an interval in parts, the last part stands for all.
  const double part = form == AxisForm::Midpoint ? t.interval : h;
  const AxisWork work = axisWork(w, t, part, form == AxisForm::Smooth);
  tally.account.workDrives += h / part * work.drives;
  tally.account.lostDamping += h / part * work.damping;
}

AxisWork axisWork(const TreeWorld& w, const TreeRuntime& t, double h, bool accelerated) {
  const double strong = strongInertia(t);
  AxisWork sum;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const dynamics::LinkModel& m = w.model[i];
    const JointSlot& j = w.joints[w.links[i].joint];
    double start[6] = {};
    errorAtStart(w, m, j, start);
    const double* const end = w.fromTarget.data() + m.vOffset;
    for (int k = 0; k < m.nv; k++) {
      // Mean rate and mean of its square, of a rate that is quadratic in time; without the acceleration of the start, linear.
      const double v0 = w.v0[m.vOffset + k], v1 = w.v[m.vOffset + k];
      const double x = accelerated ? h * w.a[m.vOffset + k] : v1 - v0, y = v1 - v0 - x;
      const double mean = v0 + x / 2 + y / 3, square = v0 * v0 + v0 * x + x * x / 3 + 2 * v0 * y / 3 + x * y / 2 + y * y / 5;
      sum.damping += h * j.axes[k].parameters->damping * square;
      sum.doubt += 0.5 * h * gainsOf(j.axes[k]).damping * (v1 - v0) * (v1 - v0);
      const MotorSettings& motor = *j.axes[k].motor;
      if (motor.mode == MotorMode::Off) continue;
      const double f0 = forceAt(j, k, start[k], v0, strong), f1 = forceAt(j, k, end[k], v1, strong);
      const double bound = std::min(motor.maxForce, j.axes[k].parameters->effort);
      const bool bounded = !(std::fabs(f0) < bound && std::fabs(f1) < bound);
      if (bounded) sum.doubt += 0.5 * h * std::fabs((f1 - f0) * mean);  // when in the step it came to its bound or left it
      if (hasGains(motor) && !bounded && motor.stiffness < kInf && motor.damping < kInf) {
        sum.drives += h * ((motor.force + motor.damping * motor.velocity) * mean - motor.damping * square);
        if (motor.mode == MotorMode::Position) sum.drives -= 0.5 * motor.stiffness * (end[k] * end[k] - start[k] * start[k]);
      } else {
        sum.drives += 0.5 * h * mean * (f0 + f1);
      }
    }
  }
  return sum;
}

void axisForces(TreeWorld& w, TreeRuntime& t, double h) {
  const double strong = strongInertia(t);
  std::fill_n(w.generalized.begin() + t.vFirst, t.nv, 0.0);
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const dynamics::LinkModel& m = w.model[i];
    const JointSlot& j = w.joints[w.links[i].joint];
    const double *rest = w.fromRest.data() + m.vOffset, *target = w.fromTarget.data() + m.vOffset;
    for (int k = 0; k < m.nv; k++) {
      const dynamics::AxisParameters& a = *j.axes[k].parameters;
      double g = -a.stiffness * rest[k] - a.damping * w.v[m.vOffset + k];
      // What the implicit part of the factor would subtract from the acceleration.
      if (h > 0) g += (w.extra[m.vOffset + k] - a.armature) * w.a[m.vOffset + k];
      w.generalized[m.vOffset + k] = g + forceAt(j, k, target[k], w.v[m.vOffset + k], strong);
    }
  }
}

void recordAxisForces(TreeWorld& w, const TreeRuntime& t) {
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const dynamics::LinkModel& m = w.model[i];
    JointSlot& j = w.joints[w.links[i].joint];
    const double *rest = w.fromRest.data() + m.vOffset, *target = w.fromTarget.data() + m.vOffset;
    for (int k = 0; k < m.nv; k++) {
      const dynamics::AxisParameters& a = *j.axes[k].parameters;
      const double v = w.v[m.vOffset + k];
      j.axes[k].springForce = -a.stiffness * rest[k] - a.damping * v;
      j.axes[k].motorForce = forceAt(j, k, target[k], v, 1);
    }
  }
}

AxisPower axisPower(const TreeWorld& w, const TreeRuntime& t) {
  AxisPower power;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const dynamics::LinkModel& m = w.model[i];
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < m.nv; k++) {
      const double v = w.v[m.vOffset + k];
      power.drives += v * forceAt(j, k, w.fromTarget[m.vOffset + k], v, 1);
      power.damping += j.axes[k].parameters->damping * v * v;
    }
  }
  return power;
}

bool hasDrives(const TreeWorld& w, const TreeRuntime& t) {
  if (!t.driven) return false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const JointSlot* const j = w.links[i].driven ? &w.joints[w.links[i].joint] : nullptr;
    if (j && std::any_of(j->axes, j->axes + w.model[i].nv, [](const JointAxis& a) { return hasGains(*a.motor); })) return true;
  }
  return false;
}

bool hasInfiniteGains(const JointSlot& j) {
  for (int k = 0; k < j.nv; k++) {
    const MotorSettings& m = *j.axes[k].motor;
    if ((m.mode == MotorMode::Position && !(m.stiffness < kInf)) ||
        ((m.mode == MotorMode::Position || m.mode == MotorMode::Velocity) && !(m.damping < kInf)))
      return true;
  }
  return false;
}

namespace {
// 1/s^2: the sum of the squares of a tree's natural frequencies by its springs and drives, the trace of K M^-1. M is that of the factor,
// with the implicit parts of axes, so it may be too small.
double swingRates(TreeWorld& w, TreeRuntime& t) {
  std::fill_n(w.generalized.begin() + t.vFirst, t.nv, 0.0);
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < w.model[i].nv; k++) w.generalized[w.model[i].vOffset + k] = gainsOf(j.axes[k]).stiffness;
  }
  return dynamics::weightedMobility(t.tree, w.generalized.data());
}
}  // namespace

bool needsFirstOrder(TreeWorld& w, TreeRuntime& t, double h) {
  if (!traitsOf(w.settings.stepper).smoothSteps || t.pulled) return true;
  if (!t.hasAxisForces) return false;
  const bool drives = hasDrives(w, t);
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven && !w.links[i].rubs) continue;
    const dynamics::LinkModel& m = w.model[i];
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < m.nv; k++) {
      if (j.axes[k].parameters->friction > 0) return true;
      const AxisGains gains = gainsOf(j.axes[k]);
      if (!(gains.stiffness > 0) && !(gains.damping > 0)) continue;
      const double D = jointBlock(w, i, k), springs = h * h * gains.stiffness, dampers = h * gains.damping;
      if (!(drives ? springs <= D && dampers <= kMildDamper * D : springs + dampers <= kMildGains * D)) return true;
    }
  }
  if (!drives) return false;
  return !(h * h * swingRates(w, t) <= (t.smooth ? kMildRates : 0.5 * kMildRates));
}

}  // namespace vertebra::trees
