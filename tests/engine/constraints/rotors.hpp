// Shafts for tests: a rotor, torques on it, its angle and rate.
#pragma once
#include "tests/engine/world/scenes.hpp"

namespace test {

inline int rotor(world::World& w, double inertia, double damping = 0) {
  JointDefinition d;
  d.rotor = true;
  int id = -1;
  REQUIRE_FALSE(w.createJoint(d, id));
  dynamics::AxisParameters p;
  p.armature = inertia;
  p.damping = damping;
  REQUIRE_FALSE(w.setAxis(id, 0, p));
  return id;
}
inline void twist(world::World& w, int joint, double torque) {
  MotorSettings m;
  m.mode = MotorMode::Torque;
  m.force = torque;
  REQUIRE_FALSE(w.setMotor(joint, 0, m));
}
inline double angle(const world::World& w, int joint) {
  double q[7], v[6];
  w.jointState(joint, q, v);
  return q[0];
}
inline double speed(const world::World& w, int joint) {
  double q[7], v[6];
  w.jointState(joint, q, v);
  return v[0];
}

}  // namespace test
