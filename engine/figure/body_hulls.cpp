// See body_hulls.hpp.
#include "engine/figure/body_hulls.hpp"

#include <algorithm>
#include <utility>

#include "engine/figure/figure_model.hpp"
#include "engine/geometry/convex_hull.hpp"

namespace vertebra::figure {

namespace {

// The hull of a body that has one shape, a hull; null of others, whose points make one. Frame: the body's.
std::shared_ptr<const geometry::ConvexHull> onlyHull(const FigureModel& m, std::size_t body, Pose& pose) {
  std::shared_ptr<const geometry::ConvexHull> out;
  for (std::size_t l = 0; l < m.links.size(); l++) {
    if (m.links[l].body != static_cast<int>(body)) continue;
    const LinkDescription& link = m.skeleton->links[l];
    if (link.shapes.empty() && link.visuals.empty()) continue;
    if (out || link.shapes.size() != 1 || link.shapes[0].geometry.type != geometry::ShapeType::Convex) return nullptr;
    out = link.shapes[0].geometry.hull;
    pose = m.links[l].pose * link.shapes[0].local;
  }
  return out;
}

BodyHull hullOf(const FigureModel& model, std::size_t body) {
  BodyHull h;
  std::vector<Vec3> points;
  for (const SurfacePoint& ball : model.surface()[body]) {
    points.push_back(ball.point);
    h.radius = std::max(h.radius, ball.radius);
  }
  if (points.empty()) return h;
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  h.centre = 0.5 * (low + high);
  for (const Vec3& p : points) h.reach = std::max(h.reach, (p - h.centre).norm() + h.radius);
  Pose pose;
  if (h.hull = onlyHull(model, body, pose); h.hull) {
    h.p = pose.p;
    h.R = pose.q.toRotationMatrix();
    for (const Vec3& v : h.hull->vertices) h.reach = std::max(h.reach, (pose * v - h.centre).norm() + h.radius);
    return h;
  }
  auto hull = std::make_shared<geometry::ConvexHull>();
  if (points.size() >= 4 && geometry::makeConvexHull(points, *hull).empty()) h.hull = std::move(hull);
  return h;
}

}  // namespace

const std::vector<BodyHull>& LazyHulls::of(const FigureModel& model) const {
  std::call_once(found_, [&] {
    std::vector<BodyHull> hulls;  // memory may end in between, and the next call tries again
    for (std::size_t b = 0; b < model.bodies.size(); b++) hulls.push_back(hullOf(model, b));
    hulls_ = std::move(hulls);
  });
  return hulls_;
}

}  // namespace vertebra::figure
