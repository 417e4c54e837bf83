// Distance and penetration of two convex cores. World axes about the caller's origin, metres; normals from A to B.
#pragma once
#include "engine/geometry/convex_core.hpp"

namespace vertebra::geometry {

struct MinkowskiPoint {
  Vec3 w, a, b;  // w = a - b, a on core A, b on core B
};

struct Simplex {
  int count = 0;
  MinkowskiPoint point[4];
};

struct Separation {
  enum class Kind : std::uint8_t { Far, Apart, Overlap };
  Kind kind = Kind::Far;
  double distance = 0;  // of the cores: positive if separate, minus the depth after penetration()
  Vec3 normal = Vec3::Zero();
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  // closest or deepest points of the cores
  Simplex simplex;                          // the last one, start of penetration()
  int effort = 1;                           // what it cost, in distances: penetrations of curved cores cost up to a thousand
};

struct GjkCourse {                // where a search ended, from which the next begins with the same cores, moved a little
  Vec3 direction = Vec3::Zero();  // from B to A; zero: none yet
  int hintA = -1, hintB = -1;     // vertices of hulls
};

// Closest points by GJK. Far: the cores are farther apart than maxDistance, and at least `distance` (nothing else filled in). Overlap: they
// touch or intersect. course may be null.
void gjkDistance(const ConvexCore& a, const ConvexCore& b, double maxDistance, Separation& out, GjkCourse* course = nullptr);

// After Overlap: least translation that separates the cores, by EPA. Fills normal, distance <= 0 and the points.
void epaPenetration(const ConvexCore& a, const ConvexCore& b, Separation& io);

// Both together.
void separation(const ConvexCore& a, const ConvexCore& b, double maxDistance, Separation& out, GjkCourse* course = nullptr);

}  // namespace vertebra::geometry
