// Small pieces of scenes for tests of the world.
#pragma once
#include "engine/geometry/mass_properties.hpp"
#include "engine/world/world.hpp"
#include "tests/support.hpp"

namespace test {

using namespace vertebra;

// A stepper at this many steps a second, without sleep.
inline WorldSettings awake(Stepper stepper, double rate) {
  WorldSettings s;
  s.stepper = stepper;
  s.timeStep = 1 / rate;
  s.sleeping = false;
  return s;
}
inline void advance(world::World& w, int steps) {
  for (int i = 0; i < steps; i++) {
    const Failure f = w.step();
    INFO(f.text());
    REQUIRE_FALSE(f);
  }
}
inline int addShape(world::World& w, int body, geometry::ShapeType type, const Vec3& size, double friction, double restitution,
                    const Pose& local = {}) {
  geometry::Shape s;
  s.geometry.type = type;
  s.geometry.size = size;
  s.local = local;
  s.surface = {friction, restitution};
  int id = -1;
  Failure f = w.createShape(body, s, -1, id);
  INFO(f.text());
  REQUIRE_FALSE(f);
  return id;
}
inline int addGround(world::World& w, double friction, double restitution) {
  return addShape(w, -1, geometry::ShapeType::Plane, Vec3::Zero(), friction, restitution);
}
inline int addSolid(world::World& w, geometry::ShapeType type, const Vec3& size, double mass, const Vec3& p, double friction,
                    double restitution) {
  BodyDefinition d;
  d.pose.p = p;
  d.mass = mass;
  const int body = w.createBody(d);
  addShape(w, body, type, size, friction, restitution);
  REQUIRE_FALSE(w.setBodyMassFromShapes(body, 0, mass));
  return body;
}
inline int addBall(world::World& w, double radius, double mass, const Vec3& p, double friction, double restitution) {
  return addSolid(w, geometry::ShapeType::Sphere, Vec3(radius, 0, 0), mass, p, friction, restitution);
}
inline int addBox(world::World& w, const Vec3& half, double mass, const Vec3& p, double friction, double restitution) {
  return addSolid(w, geometry::ShapeType::Box, half, mass, p, friction, restitution);
}

inline double massOf(const world::World& w, int body) {
  double mass;
  Vec3 com;
  Mat3 inertia;
  w.bodyMass(body, mass, com, inertia);
  return mass;
}

inline int addJoint(world::World& w, dynamics::JointType type, int a, int b, const Vec3& pointInA, const Vec3& pointInB,
                    const Vec3& axis = Vec3::UnitY()) {
  JointDefinition d;
  d.type = type;
  d.a = a;
  d.b = b;
  d.frameA.p = pointInA;
  d.frameB.p = pointInB;
  d.axis = axis;
  d.axis2 = Vec3(axis.z(), axis.x(), axis.y());
  int id = -1;
  const Failure f = w.createJoint(d, id);
  INFO(f.text());
  REQUIRE_FALSE(f);
  return id;
}
// A rod along z of the given length, its joint at the top.
inline int addRod(world::World& w, double length, double mass, const Pose& pose = {}) {
  BodyDefinition d;
  d.mass = mass;
  d.pose = pose;
  const double side = mass * length * length / 12;
  d.inertia = Vec3(side, side, 0.02 * side).asDiagonal();
  return w.createBody(d);
}
struct Chain {
  std::vector<int> bodies, joints;
};
// n rods of `length` hanging from the world (or from `base`), hinges about y.
inline Chain addChain(world::World& w, int n, double length, double mass, int base = -1,
                      dynamics::JointType type = dynamics::JointType::Revolute) {
  Chain c;
  for (int i = 0; i < n; i++) {
    c.bodies.push_back(addRod(w, length, mass, Pose{Vec3(0, 0, -length * (i + 0.5)), Quat::Identity()}));
    c.joints.push_back(addJoint(w, type, i ? c.bodies[i - 1] : base, c.bodies[i], i ? Vec3(0, 0, -0.5 * length) : Vec3(0, 0, 0),
                                Vec3(0, 0, 0.5 * length)));
  }
  return c;
}
// Distance between the two points of a joint.
inline double jointGap(const world::World& w, int joint) {
  const JointDefinition& d = w.joint(joint);
  const Pose a = d.a < 0 ? d.frameA : w.bodyPose(d.a) * d.frameA, b = d.b < 0 ? d.frameB : w.bodyPose(d.b) * d.frameB;
  return (a.p - b.p).norm();
}
inline double totalEnergy(const world::World& w) {
  const EnergyAccount e = w.energy();
  return e.kinetic + e.potential;
}

}  // namespace test
