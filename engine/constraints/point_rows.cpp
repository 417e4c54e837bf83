// Constraints on points of several bodies that the engine implements itself: the length of the line through them, the volume of the
// tetrahedron of four (Waterson 10). One row over all their bodies, which every stepper treats as a user constraint.
#include <cmath>

#include "engine/constraints/points.hpp"
#include "engine/state/world_data.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra {
namespace {

Vec3 placeOf(const WorldData& w, const UserConstraintDefinition& d, std::size_t k) {
  const int body = d.pointBodies[k];
  return body < 0 ? d.points[k] : Vec3(poseOf(w, body) * d.points[k]);
}

// Derivative of the length by each point of the line (Waterson eq. 137; where two points coincide they have no direction).
Vec3 lengthGradient(const WorldData& w, const UserConstraintDefinition& d, std::size_t k) {
  const Vec3 here = placeOf(w, d, k);
  Vec3 sum = Vec3::Zero();
  auto from = [&](std::size_t other) {
    const Vec3 away = here - placeOf(w, d, other);
    const double size = away.norm();
    if (size > 1e-12) sum += away / size;
  };
  if (k > 0) from(k - 1);
  if (k + 1 < d.points.size()) from(k + 1);
  return sum;
}

// Of 6 V (Waterson eq. 141): twice the directed area of the opposite face.
Vec3 volumeGradient(const WorldData& w, const UserConstraintDefinition& d, std::size_t k) {
  const Vec3 origin = placeOf(w, d, 0), a = placeOf(w, d, 1) - origin, b = placeOf(w, d, 2) - origin, c = placeOf(w, d, 3) - origin;
  switch (k) {
    case 0:
      return -(a.cross(b) + b.cross(c) + c.cross(a));
    case 1:
      return b.cross(c);
    case 2:
      return c.cross(a);
    default:
      return a.cross(b);
  }
}

}  // namespace

double measurePoints(const WorldData& w, const UserConstraintDefinition& d) {
  if (d.measure == PointMeasure::Length) {
    double length = 0;
    for (std::size_t k = 1; k < d.points.size(); k++) length += (placeOf(w, d, k) - placeOf(w, d, k - 1)).norm();
    return length;
  }
  const Vec3 origin = placeOf(w, d, 0), a = placeOf(w, d, 1) - origin, b = placeOf(w, d, 2) - origin, c = placeOf(w, d, 3) - origin;
  return a.dot(b.cross(c)) / 6;
}

void pointRow(const WorldData& w, const UserConstraintDefinition& d, UserRow& row) {
  const bool volume = d.measure == PointMeasure::Volume;
  row.error = d.scale * (measurePoints(w, d) - d.value);
  row.lower = d.lower;
  row.upper = d.upper;
  row.softness = d.softness;
  double* block = row.bodies;
  for (std::size_t k = 0; k < d.points.size(); k++) {
    const int body = d.pointBodies[k];
    if (body < 0) continue;
    const Vec3 force = volume ? Vec3(d.scale / 6 * volumeGradient(w, d, k)) : lengthGradient(w, d, k);
    const Vec3 torque = (placeOf(w, d, k) - poseOf(w, body).p).cross(force);
    for (int e = 0; e < 3; e++) block[e] = force[e], block[3 + e] = torque[e];
    block += 6;
  }
}

}  // namespace vertebra
