// Common to the tests of force fields: a world without gravity, and balls on which fields act. SI units, world axes.
#pragma once
#include "tests/engine/world/scenes.hpp"

inline vertebra::WorldSettings weightless(double h) {
  vertebra::WorldSettings s;
  s.timeStep = h;
  s.gravity.setZero();
  s.sleeping = false;
  return s;
}
inline int point(vertebra::world::World& w, const vertebra::Vec3& p, const vertebra::Vec3& v, double mass = 1,
                 const vertebra::Vec3& omega = vertebra::Vec3::Zero()) {
  vertebra::BodyDefinition d;
  d.pose.p = p;
  d.velocity = v;
  d.omega = omega;
  d.mass = mass;
  d.inertia = 0.01 * vertebra::Mat3::Identity();
  return w.createBody(d);
}
