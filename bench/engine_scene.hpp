// Scenes of the benchmark in a world of the engine itself.
#pragma once
#include <cstdio>
#include <cstdlib>

#include "bench/scene.hpp"
#include "engine/world/world.hpp"

namespace bench {

inline vertebra::Vec3 vec(Vec v) { return {v.x, v.y, v.z}; }
inline vertebra::Quat quat(Quat q) { return vertebra::Quat(q.w, q.x, q.y, q.z); }

inline void must(const vertebra::Failure& failure) {
  if (!failure) return;
  std::fprintf(stderr, "%s\n", failure.text().c_str());
  std::exit(1);
}
inline void addGround(vertebra::world::World& w, double friction) {
  vertebra::geometry::Shape plane;
  plane.geometry.type = vertebra::geometry::ShapeType::Plane;
  plane.surface.friction = friction;
  int id;
  must(w.createShape(-1, plane, -1, id));
}
// Bodies and joints, moved by `offset`; the ground is the caller's.
inline void addBodies(vertebra::world::World& w, const Scene& scene, Vec offset = {}) {
  std::vector<int> bodies;
  for (const Body& b : scene.bodies) {
    vertebra::BodyDefinition d;
    d.pose = {vec(b.position + offset), quat(b.orientation)};
    d.mass = b.mass;
    d.inertia = vec(b.inertia).asDiagonal();
    bodies.push_back(w.createBody(d));
    vertebra::geometry::Shape s;
    s.geometry.type = b.shape == Shape::capsule ? vertebra::geometry::ShapeType::Capsule
                      : b.shape == Shape::box   ? vertebra::geometry::ShapeType::Box
                                                : vertebra::geometry::ShapeType::Sphere;
    s.geometry.size = vec(b.size);
    s.surface.friction = scene.friction;
    s.category = filterOf(scene, b).group;
    s.mask = filterOf(scene, b).mask;
    int id;
    must(w.createShape(bodies.back(), s, -1, id));
  }
  for (const Joint& j : scene.joints) {
    vertebra::JointDefinition d;
    d.type = j.type == JointType::hinge  ? vertebra::dynamics::JointType::Revolute
             : j.type == JointType::ball ? vertebra::dynamics::JointType::Spherical
                                         : vertebra::dynamics::JointType::Fixed;
    d.a = j.parent < 0 ? -1 : bodies[j.parent];
    d.b = bodies[j.child];
    auto frame = [&](int body) -> vertebra::Pose {
      if (body < 0) return {vec(j.anchor + offset), vertebra::Quat::Identity()};
      const Body& b = scene.bodies[body];
      const vertebra::Quat back = quat(b.orientation).conjugate();
      return {back * (vec(j.anchor) - vec(b.position)), back};
    };
    d.frameA = frame(j.parent);
    d.frameB = frame(j.child);
    d.axis = vec(unit(j.axis));
    if (j.limited && j.type == JointType::ball) {
      d.swing = j.cone;
      d.twistLower = -j.twist;
      d.twistUpper = j.twist;
    }
    int id;
    must(w.createJoint(d, id));
    if (!j.limited || j.type != JointType::hinge) continue;
    vertebra::dynamics::AxisParameters axis;
    axis.lower = j.lower;
    axis.upper = j.upper;
    must(w.setAxis(id, 0, axis));
  }
}
inline void addScene(vertebra::world::World& w, const Scene& scene) {
  addGround(w, scene.friction);
  addBodies(w, scene);
}

}  // namespace bench
