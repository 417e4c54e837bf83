// Springs, dampers, armature and motors on the axes of tree joints, as part of the elimination: each axis adds E to the diagonal of its
// joint's block and g to its momentum, such that the impulse on the axis is g - E v. First-order form: backward Euler, so stiff gains are
// unconditionally stable; second-order form: the half of the force at the new state (the other half is in the stored reactions). A motor
// whose implicit force exceeds its bound acts as a constant force instead, and the tree is factored again.
#include <algorithm>
#include <cmath>
#include <span>

#include "engine/state/stepper_traits.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {
namespace {

// Velocity error that a drive of infinite gain may have when something stronger stops it: m/s or rad/s, and a share of its velocity.
constexpr double kMissed = 1e-3, kMissedShare = 0.01;

struct Drive {
  double E = 0, g = 0;  // implicit impulse g - E v over h, in the first-order form
  double bound = kInf;  // N or N m
  double damping = 0;
  bool active = false;
};

// The motor of one axis over h; its force at velocity v is (g - E v) / h, to be bounded.
Drive driveOf(const JointSlot& j, int k, double error, double h, double strong) {
  Drive d;
  const MotorSettings& motor = *j.axes[k].motor;
  d.bound = std::min(motor.maxForce, j.axes[k].parameters->effort);
  switch (motor.mode) {
    case MotorMode::Off:
      return d;
    case MotorMode::Torque:
      d.g = h * motor.force;
      break;
    case MotorMode::Position:
    case MotorMode::Velocity: {
      double damping = motor.damping;
      if (!(damping < kInf)) damping = strong / h;
      double stiffness = motor.mode == MotorMode::Position ? motor.stiffness : 0;
      if (!(stiffness < kInf)) stiffness = strong / (h * h);
      d.damping = damping;
      d.E = h * damping + h * h * stiffness;
      d.g = h * (motor.force + damping * motor.velocity - stiffness * error);
      break;
    }
  }
  d.active = true;
  return d;
}

// N or N m of the motor at the present state; a drive of infinite gain as one over 1 s.
double explicitForce(const Drive& d, double v) { return d.active ? std::min(d.bound, std::max(-d.bound, d.g - d.damping * v)) : 0; }

// Replaces infinite gain: far above any inertia that the axis can have.
double strongInertia(const TreeRuntime& t) { return 1e8 * std::max(t.mass, 1e-3); }

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
        if (d.active) g += std::min(half * d.bound, std::max(-half * d.bound, d.g));
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
}

bool resaturate(TreeWorld& w, RowWorkspace& work, const Island& island, double h, bool first) {
  auto eachBounded = [&](auto&& visit) {
    for (int ti : island.trees) {
      const TreeRuntime& t = w.trees[ti];
      if (!t.driven || t.smooth) continue;
      const double strong = strongInertia(t);
      for (int i = t.first; i < t.first + t.tree.count; i++) {
        if (!w.links[i].driven) continue;
        const int v = w.model[i].vOffset;
        JointSlot& j = w.joints[w.links[i].joint];
        for (int k = 0; k < w.model[i].nv; k++) {
          if (j.axes[k].motor->mode == MotorMode::Off) continue;
          const Drive d = driveOf(j, k, w.fromTarget[v + k], h, strong);
          if (d.bound < kInf) visit(DrivePoint{&j.axes[k].saturated, d.E, d.g, h * d.bound, w.v[v + k], 0});
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

void recordImplicitAxisForces(TreeWorld& w, TreeRuntime& t, double h, bool smooth, StepTally& tally) {
  if (!t.driven) return;
  const double strong = strongInertia(t);
  bool missed = false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const dynamics::LinkModel& m = w.model[i];
    JointSlot& j = w.joints[w.links[i].joint];
    const double *rest = w.fromRest.data() + m.vOffset, *target = w.fromTarget.data() + m.vOffset;
    for (int k = 0; k < m.nv; k++) {
      const dynamics::AxisParameters& a = *j.axes[k].parameters;
      const double v = w.v[m.vOffset + k], v0 = smooth || !w.settings.energyAccount ? w.v0[m.vOffset + k] : w.referenceRate[m.vOffset + k];
      j.axes[k].springForce = -a.stiffness * (rest[k] + (smooth ? 0 : h * v)) - a.damping * v;
      j.axes[k].motorForce = 0;
      if (j.axes[k].motor->mode != MotorMode::Off) {
        const Drive d = driveOf(j, k, target[k], h, strong);
        const double force = j.axes[k].saturated != 0 && !smooth ? j.axes[k].saturated * d.bound : (d.g - d.E * v) / h;
        j.axes[k].motorForce = std::min(d.bound, std::max(-d.bound, force));
        if (d.E >= strong && !(d.bound < kInf) && !smooth) {
          const double wanted = d.g / d.E;
          missed |= std::fabs(wanted - v) > kMissed + kMissedShare * std::fabs(wanted);
        }
      }
      if (w.settings.energyAccount) {
        tally.account.workDrives += 0.5 * h * j.axes[k].motorForce * (v + v0);
        tally.account.lostDamping += smooth ? 0.5 * h * a.damping * (v * v + v0 * v0) : 0.5 * h * a.damping * v * (v + v0);
      }
    }
  }
  if (missed) tally.infeasible++;
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
      if (h > 0) g += 0.5 * h * a.damping * w.a[m.vOffset + k];  // what the factor's h/2 c would subtract from the acceleration
      w.generalized[m.vOffset + k] = g + explicitForce(driveOf(j, k, target[k], 1, strong), w.v[m.vOffset + k]);
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
      j.axes[k].motorForce = explicitForce(driveOf(j, k, target[k], 1, 1), v);
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
      power.drives += v * explicitForce(driveOf(j, k, w.fromTarget[m.vOffset + k], 1, 1), v);
      power.damping += j.axes[k].parameters->damping * v * v;
    }
  }
  return power;
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
// Displacement from rest at the middle of a joint's way from q0, in velocity coordinates.
void midway(const dynamics::LinkModel& m, const JointSlot& j, const double* q0, const double* increment, double* fromRest) {
  double middle[7], half[6];
  std::copy_n(q0, j.nq, middle);
  for (int k = 0; k < m.nv; k++) half[k] = 0.5 * increment[k];
  dynamics::withJoint(m.type, [&](auto joint) { decltype(joint)::advance(m, middle, half); });
  axisError(m, j, middle, false, fromRest);
}
}  // namespace

void midpointAxisForces(TreeWorld& w, TreeRuntime& t, double h, double share, bool atEnd) {
  const double rate = 1 / h;
  std::fill_n(w.extra.begin() + t.vFirst, t.nv, 0.0);
  std::fill_n(w.generalized.begin() + t.vFirst, t.nv, 0.0);
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].hasAxisForces) continue;
    const dynamics::LinkModel& m = w.model[i];
    const JointSlot& j = w.joints[w.links[i].joint];
    double increment[6], fromRest[6] = {};
    if (atEnd)
      std::copy_n(w.increment.data() + m.vOffset, m.nv, increment);
    else
      dynamics::withJoint(m.type,
                          [&](auto joint) { decltype(joint)::difference(m, w.q0.data() + m.qOffset, w.q.data() + m.qOffset, increment); });
    bool springs = false;
    for (int k = 0; k < m.nv; k++) springs |= j.axes[k].parameters->stiffness > 0;
    if (springs) midway(m, j, w.q0.data() + m.qOffset, increment, fromRest);
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
      if (j.axes[k].motor->mode == MotorMode::Torque) {
        const double bound = std::min(j.axes[k].motor->maxForce, a.effort);
        g += share * std::min(bound, std::max(-bound, j.axes[k].motor->force));
      }
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

bool actsByVelocity(const TreeWorld& w, const TreeRuntime& t) {
  if (!t.hasAxisForces) return false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven && !w.links[i].rubs) continue;
    const JointSlot& j = w.joints[w.links[i].joint];
    for (const JointAxis& a : std::span(j.axes, static_cast<std::size_t>(w.model[i].nv)))
      if (a.parameters->friction > 0 || a.motor->mode == MotorMode::Position || a.motor->mode == MotorMode::Velocity) return true;
  }
  return false;
}

bool actsImplicitly(const TreeWorld& w, const TreeRuntime& t, double h) {
  if (actsByVelocity(w, t)) return true;
  if (!t.hasAxisForces) return false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven) continue;
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < w.model[i].nv; k++) {
      if (!(j.axes[k].parameters->damping > 0)) continue;
      double D = 0;
      for (int c = 0; c <= k; c++) D += c == k ? 1 / (w.state[i].G[k][k] * w.state[i].G[k][k]) : w.state[i].G[k][c] * w.state[i].G[k][c];
      D += j.axes[k].parameters->armature - w.extra[w.model[i].vOffset + k];  // minus the implicit part of the factor
      if (h * j.axes[k].parameters->damping > D) return true;
    }
  }
  return false;
}

bool needsFirstOrder(const TreeWorld& w, const TreeRuntime& t, double h) {
  if (!traitsOf(w.settings.stepper).smoothSteps || t.pulled) return true;
  if (!t.hasAxisForces) return false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].driven && !w.links[i].rubs) continue;
    const dynamics::LinkModel& m = w.model[i];
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < m.nv; k++) {
      const dynamics::AxisParameters& a = *j.axes[k].parameters;
      if (a.friction > 0) return true;
      const MotorMode mode = j.axes[k].motor->mode;
      if (mode == MotorMode::Position || mode == MotorMode::Velocity) return true;
      // Explicit springs are stable to h^2 k = 4 D; a twentieth keeps them accurate too. D is the joint block of the last factor.
      const double stiff = h * a.damping + h * h * a.stiffness;
      if (!(stiff > 0)) continue;
      double D = 0;
      for (int c = 0; c <= k; c++) D += c == k ? 1 / (w.state[i].G[k][k] * w.state[i].G[k][k]) : w.state[i].G[k][c] * w.state[i].G[k][c];
      if (stiff > 0.05 * D) return true;
    }
  }
  return false;
}

}  // namespace vertebra::trees
