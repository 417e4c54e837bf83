// See surface.hpp: corners, vertices, centres with radii.
#include "engine/figure/surface.hpp"

#include <algorithm>
#include <cmath>

#include "engine/figure/figure_model.hpp"
#include "engine/geometry/point_tree.hpp"

namespace vertebra::figure {

namespace {

using geometry::Geometry;
using geometry::ShapeType;

constexpr int kRing = 16;         // points of a cylinder's rim
constexpr int kDirections = 200;  // in which extreme points are kept

Vec3 direction(int k, int count) {  // evenly over the sphere
  const double z = 1 - 2 * (k + 0.5) / count, turn = kPi * (1 + std::sqrt(5.0)) * (k + 0.5), r = std::sqrt(std::max(0.0, 1 - z * z));
  return {r * std::cos(turn), r * std::sin(turn), z};
}

void addPoints(const Geometry& g, const Pose& pose, std::vector<SurfacePoint>& out) {
  const auto add = [&](const Vec3& p, double radius) { out.push_back({pose * p, radius}); };
  switch (g.type) {
    case ShapeType::Sphere:
      add(Vec3::Zero(), g.size.x());
      break;
    case ShapeType::Capsule:
      for (double end : {-1.0, 1.0}) add({0, 0, end * g.size.z()}, g.size.x());
      break;
    case ShapeType::Box:
      for (int k = 0; k < 8; k++) add(g.size.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)), 0);
      break;
    case ShapeType::Cylinder:
      for (int k = 0; k < kRing; k++)
        for (double end : {-1.0, 1.0})
          add({g.size.x() * std::cos(2 * kPi * k / kRing), g.size.x() * std::sin(2 * kPi * k / kRing), end * g.size.z()}, 0);
      break;
    case ShapeType::Convex:
      for (const Vec3& v : g.hull->vertices) add(v, 0);
      break;
    case ShapeType::Mesh:
      for (const Vec3& v : g.mesh->vertices) add(v, 0);
      break;
    case ShapeType::Plane:
    case ShapeType::Compound:
    case ShapeType::Heightfield:
      break;
  }
}

Pose shapePose(const std::vector<geometry::Shape>& shapes, int index) {
  const geometry::Shape& s = shapes[static_cast<std::size_t>(index)];
  return s.parent >= 0 ? shapePose(shapes, s.parent) * s.local : s.local;
}

// The points that are extreme in any of the directions.
std::vector<SurfacePoint> extremes(const std::vector<SurfacePoint>& balls) {
  if (balls.size() <= 60) return balls;
  std::vector<Vec3> points;
  std::vector<double> radii;
  for (const SurfacePoint& ball : balls) {
    points.push_back(ball.point);
    radii.push_back(ball.radius);
  }
  const geometry::PointTree tree(points, radii);
  std::vector<bool> kept(balls.size());
  for (int k = 0; k < kDirections; k++) kept[static_cast<std::size_t>(tree.support(direction(k, kDirections)))] = true;
  std::vector<SurfacePoint> out;
  for (std::size_t i = 0; i < balls.size(); i++)
    if (kept[i]) out.push_back(balls[i]);
  return out;
}

Surface surfaceOf(const FigureModel& model) {
  Surface out(model.bodies.size());
  std::vector<int> links(model.bodies.size());  // that a body's points come from
  const Skeleton& s = *model.skeleton;
  for (std::size_t l = 0; l < s.links.size(); l++) {
    const LinkPlace& place = model.links[l];
    if (place.body < 0) continue;
    std::vector<SurfacePoint> points;
    const LinkDescription& link = s.links[l];
    for (std::size_t i = 0; i < link.shapes.size(); i++)
      addPoints(link.shapes[i].geometry, place.pose * shapePose(link.shapes, static_cast<int>(i)), points);
    if (points.empty())
      for (const geometry::Visual& v : link.visuals) addPoints(v.geometry, place.pose * v.local, points);
    std::vector<SurfacePoint>& body = out[static_cast<std::size_t>(place.body)];
    const std::vector<SurfacePoint> few = extremes(points);
    body.insert(body.end(), few.begin(), few.end());
    links[static_cast<std::size_t>(place.body)] += few.empty() ? 0 : 1;
  }
  for (std::size_t b = 0; b < out.size(); b++)
    if (links[b] > 1) out[b] = extremes(out[b]);
  return out;
}

}  // namespace

const Surface& LazySurface::of(const FigureModel& model) const {
  std::call_once(found_, [&] { points_ = surfaceOf(model); });
  return points_;
}

}  // namespace vertebra::figure
