// Small pieces of scenes for tests of the world.
#pragma once
#include "engine/geometry/mass_properties.hpp"
#include "engine/step/world.hpp"
#include "tests/support.hpp"

namespace test {

using namespace vertebra;

inline int addShape(World& w, int body, ShapeType type, const Vec3& size, double friction, double restitution, const Pose& local = {}) {
  Shape s;
  s.geometry.type = type;
  s.geometry.size = size;
  s.local = local;
  s.surface = {friction, restitution};
  int id = -1;
  Failure f = w.createShape(body, s, -1, id);
  INFO(f.text);
  REQUIRE_FALSE(f);
  return id;
}
inline int addGround(World& w, double friction, double restitution) {
  return addShape(w, -1, ShapeType::Plane, Vec3::Zero(), friction, restitution);
}
inline int addSolid(World& w, ShapeType type, const Vec3& size, double mass, const Vec3& p, double friction, double restitution) {
  BodyDefinition d;
  d.pose.p = p;
  d.mass = mass;
  const int body = w.createBody(d);
  addShape(w, body, type, size, friction, restitution);
  REQUIRE_FALSE(w.setBodyMassFromShapes(body, 0, mass));
  return body;
}
inline int addBall(World& w, double radius, double mass, const Vec3& p, double friction, double restitution) {
  return addSolid(w, ShapeType::Sphere, Vec3(radius, 0, 0), mass, p, friction, restitution);
}
inline int addBox(World& w, const Vec3& half, double mass, const Vec3& p, double friction, double restitution) {
  return addSolid(w, ShapeType::Box, half, mass, p, friction, restitution);
}

}  // namespace test
