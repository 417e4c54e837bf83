// The motor of one axis of a tree joint: its law over a step, its bound. N or N m, over h: N s or N m s.
#pragma once
#include <algorithm>

#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {

// Share of a joint's block up to which h^2 k + h c act in the second-order form. Explicit springs are stable to 4; this keeps them
// accurate, and leaves room for parents that are lighter than what they carry.
inline constexpr double kMildGains = 0.05;
// In trees with drives: h c, which act by the trapezoidal rule, and the sum of (h omega)^2 over all natural frequencies.
inline constexpr double kMildDamper = 2, kMildRates = 1;

struct Drive {
  double E = 0, g = 0;  // implicit impulse g - E v over h, in the first-order form
  double bound = kInf;  // N or N m
  double damping = 0;
  bool active = false;
  std::int8_t side(double force) const { return static_cast<std::int8_t>((force > bound) - (force < -bound)); }
};

inline bool hasGains(const MotorSettings& m) { return m.mode == MotorMode::Position || m.mode == MotorMode::Velocity; }

inline double within(double bound, double force) { return std::min(bound, std::max(-bound, force)); }

// The motor of one axis over h; its force at velocity v is (g - E v) / h, to be bounded. `strong` replaces infinite gain.
inline Drive driveOf(const JointSlot& j, int k, double error, double h, double strong) {
  Drive d;
  const MotorSettings& motor = *j.axes[k].motor;
  d.bound = std::min(motor.maxForce, j.axes[k].parameters->effort);
  switch (motor.mode) {
    case MotorMode::Off:
      return d;
    case MotorMode::Torque:
      d.g = h * within(d.bound, motor.force);
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

// Of the motor at a state; a drive of infinite gain as one over 1 s.
inline double forceAt(const JointSlot& j, int k, double error, double v, double strong) {
  const Drive d = driveOf(j, k, error, 1, strong);
  return d.active ? within(d.bound, d.g - d.damping * v) : 0;
}

// Replaces infinite gain: far above any inertia that the axis can have.
inline double strongInertia(const TreeRuntime& t) { return 1e8 * std::max(t.mass, 1e-3); }

// Stiffness and damping of an axis, of its spring and its drive.
struct AxisGains {
  double stiffness, damping;
};
inline AxisGains gainsOf(const JointAxis& axis) {
  const MotorSettings& m = *axis.motor;
  return {axis.parameters->stiffness + (m.mode == MotorMode::Position ? m.stiffness : 0),
          axis.parameters->damping + (hasGains(m) ? m.damping : 0)};
}

// Inertia that an axis moves while its parent rests, with its armature: the joint's block by the last factor, without the implicit part.
inline double jointBlock(const TreeWorld& w, int link, int k) {
  const auto& G = w.state[link].G;
  double D = 0;
  for (int c = 0; c <= k; c++) D += c == k ? 1 / (G[k][k] * G[k][k]) : G[k][c] * G[k][c];
  return D + w.joints[w.links[link].joint].axes[k].parameters->armature - w.extra[w.model[link].vOffset + k];
}

}  // namespace vertebra::trees
