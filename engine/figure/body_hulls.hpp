// Hulls of a figure's bodies, each of all its links' shapes, for distances between them. Metres, the body's inertial frame.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "engine/geometry/shape.hpp"
#include "engine/math/types.hpp"

namespace vertebra::figure {

struct FigureModel;

struct BodyHull {
  std::shared_ptr<const geometry::ConvexHull> hull;  // null: the body has no points, or these make no solid
  Vec3 p = Vec3::Zero();                             // the hull's frame in the body
  Mat3 R = Mat3::Identity();
  Vec3 centre = Vec3::Zero();  // of a sphere around all points
  double reach = 0;            // that sphere's radius, with that of the points
  double radius = 0;           // of the points: the hull is of their centres
};

// Found when they are first asked for, as most models never are.
class LazyHulls {
 public:
  const std::vector<BodyHull>& of(const FigureModel& model) const;  // the model that holds them, by body; from any thread

 private:
  mutable std::once_flag found_;
  mutable std::vector<BodyHull> hulls_;
};

}  // namespace vertebra::figure
