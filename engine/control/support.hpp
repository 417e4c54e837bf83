// Support: the convex hull of the points on which a figure stands. Points on level ground, metres.
#pragma once
#include <Eigen/Core>
#include <vector>

namespace vertebra::control {

// The point of the convex hull of points that is nearest to p; p itself if it is inside. There must be a point.
Eigen::Vector2d nearestInHull(const Eigen::Vector2d& p, const std::vector<Eigen::Vector2d>& points);

}  // namespace vertebra::control
