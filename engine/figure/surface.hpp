// Points of a figure's links that may touch the ground or each other.
#pragma once
#include <mutex>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::figure {

struct FigureModel;

struct SurfacePoint {         // with a radius around it
  Vec3 point = Vec3::Zero();  // in the body's inertial frame, m
  double radius = 0;
};

using Surface = std::vector<std::vector<SurfacePoint>>;  // by body: extreme points of its collision shapes, else of its visuals

// Found when it is first asked for, as most models never are.
class LazySurface {
 public:
  const Surface& of(const FigureModel& model) const;  // the model that holds it; from any thread

 private:
  mutable std::once_flag found_;
  mutable Surface points_;
};

}  // namespace vertebra::figure
