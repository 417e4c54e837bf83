// A contact of two shapes at a point where they meet, world axes.
#pragma once
#include "engine/geometry/collision.hpp"
#include "engine/state/contact_world.hpp"

namespace vertebra::collision {

inline Contact contactAt(const ContactWorld& w, int shapeA, int shapeB, const geometry::ContactPoint& p) {
  Contact c;
  c.bodyA = w.shapes[shapeA].body;
  c.bodyB = w.shapes[shapeB].body;
  c.shapeA = shapeA;
  c.shapeB = shapeB;
  c.position = p.position;
  c.normal = p.normal;
  c.gap = p.gap;
  c.feature = p.feature;
  return c;
}

}  // namespace vertebra::collision
