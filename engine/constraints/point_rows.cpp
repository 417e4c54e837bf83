// Constraints on points of several bodies that the engine implements itself: the length of the line through them, the volume of the
// tetrahedron of four (Waterson 10). One row over all their bodies, which every stepper treats as a user constraint.
#include <cmath>

#include "engine/constraints/points.hpp"
#include "engine/trees/body_poses.hpp"

namespace vertebra::constraints {
namespace {

using Bodies = std::vector<BodySlot>;

Vec3 placeOf(const Bodies& bodies, const TreeState& topology, const UserConstraintDefinition& d, std::size_t k) {
  const int body = d.pointBodies[k];
  return body < 0 ? d.points[k] : Vec3(trees::poseOf(bodies, topology, body) * d.points[k]);
}

// Derivative of the length by each point of the line (Waterson eq. 137; where two points coincide they have no direction).
Vec3 lengthGradient(const Bodies& bodies, const TreeState& topology, const UserConstraintDefinition& d, std::size_t k) {
  const Vec3 here = placeOf(bodies, topology, d, k);
  Vec3 sum = Vec3::Zero();
  auto from = [&](std::size_t other) {
    const Vec3 away = here - placeOf(bodies, topology, d, other);
    const double size = away.norm();
    if (size > 1e-12) sum += away / size;
  };
  if (k > 0) from(k - 1);
  if (k + 1 < d.points.size()) from(k + 1);
  return sum;
}

// Of 6 V (Waterson eq. 141): twice the directed area of the opposite face.
Vec3 volumeGradient(const Bodies& bodies, const TreeState& topology, const UserConstraintDefinition& d, std::size_t k) {
  const Vec3 origin = placeOf(bodies, topology, d, 0), a = placeOf(bodies, topology, d, 1) - origin,
             b = placeOf(bodies, topology, d, 2) - origin, c = placeOf(bodies, topology, d, 3) - origin;
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

double measurePoints(const Bodies& bodies, const TreeState& topology, const UserConstraintDefinition& d) {
  if (d.measure == PointMeasure::Length) {
    double length = 0;
    for (std::size_t k = 1; k < d.points.size(); k++)
      length += (placeOf(bodies, topology, d, k) - placeOf(bodies, topology, d, k - 1)).norm();
    return length;
  }
  const Vec3 origin = placeOf(bodies, topology, d, 0), a = placeOf(bodies, topology, d, 1) - origin,
             b = placeOf(bodies, topology, d, 2) - origin, c = placeOf(bodies, topology, d, 3) - origin;
  return a.dot(b.cross(c)) / 6;
}

void pointRow(const Bodies& bodies, const TreeState& topology, const UserConstraintDefinition& d, UserRow& row) {
  const bool volume = d.measure == PointMeasure::Volume;
  row.error = d.scale * (measurePoints(bodies, topology, d) - d.value);
  row.lower = d.lower;
  row.upper = d.upper;
  row.softness = d.softness;
  double* block = row.bodies;
  for (std::size_t k = 0; k < d.points.size(); k++) {
    const int body = d.pointBodies[k];
    if (body < 0) continue;
    const Vec3 force = volume ? Vec3(d.scale / 6 * volumeGradient(bodies, topology, d, k)) : lengthGradient(bodies, topology, d, k);
    const Vec3 torque = (placeOf(bodies, topology, d, k) - trees::poseOf(bodies, topology, body).p).cross(force);
    for (int e = 0; e < 3; e++) block[e] = force[e], block[3 + e] = torque[e];
    block += 6;
  }
}

}  // namespace vertebra::constraints
