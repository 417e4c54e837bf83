// See skeleton_stretch.hpp.
#include "engine/figure/skeleton_stretch.hpp"

#include <algorithm>
#include <cmath>

#include "engine/geometry/convex_hull.hpp"
#include "engine/geometry/convex_parts.hpp"

namespace vertebra::figure {

namespace {

using geometry::Geometry;
using geometry::ShapeType;

std::string mapHull(Geometry& g, const Mat3& local) {
  std::vector<Vec3> points;
  for (const Vec3& v : g.hull->vertices) points.push_back(local * v);
  auto hull = std::make_shared<geometry::ConvexHull>();
  std::string wrong = geometry::makeConvexHull(points, *hull);
  if (wrong.empty()) g.hull = hull;
  return wrong;
}

std::string mapMesh(Geometry& g, const Mat3& local) {
  auto mesh = std::make_shared<geometry::TriangleMesh>(*g.mesh);
  for (Vec3& v : mesh->vertices) v = local * v;
  if (local.determinant() < 0)
    for (auto& t : mesh->triangles) std::swap(t[1], t[2]);
  g.mesh = mesh;
  if (!g.parts) return "";
  auto parts = std::make_shared<geometry::ConvexParts>(*g.parts);
  const double volume = std::fabs(local.determinant());
  parts->solidVolume *= volume;
  parts->hullVolume *= volume;
  for (std::size_t i = 0; i < parts->part.size(); i++) {
    if (const std::string wrong = mapHull(parts->part[i], local); !wrong.empty()) return wrong;
    parts->box[i] = geometry::bounds(parts->part[i], Pose(), 0);
    if (i == 0) parts->whole = parts->box[0];
    parts->whole.lo = parts->whole.lo.cwiseMin(parts->box[i].lo);
    parts->whole.hi = parts->whole.hi.cwiseMax(parts->box[i].hi);
  }
  g.parts = parts;
  return "";
}

// The shape's frame: where its axes keep their directions under the map, or nearly.
std::string mapShape(Geometry& g, Pose& local, const Stretch& map) {
  const bool mirrored = map.A.determinant() < 0;
  const Mat3 R = local.q.toRotationMatrix();
  Vec3 f;  // along the shape's axes
  for (int k = 0; k < 3; k++) f[k] = (map.A * R.col(k)).norm();
  const Pose moved = mirrored ? map.image(local) : Pose{map(local.p), local.q};
  const Mat3 inner = moved.q.toRotationMatrix().transpose() * map.A * R;
  local = moved;
  const double across = std::sqrt(f.x() * f.y());
  switch (g.type) {
    case ShapeType::Sphere:
      g.size.x() *= std::cbrt(std::fabs(map.A.determinant()));
      return "";
    case ShapeType::Capsule: {
      const double whole = (g.size.x() + g.size.z()) * f.z();
      g.size.x() *= across;
      g.size.z() = std::max(0.0, whole - g.size.x());
      return "";
    }
    case ShapeType::Cylinder:
      g.size.x() *= across;
      g.size.z() *= f.z();
      return "";
    case ShapeType::Box:
      g.size = g.size.cwiseProduct(f);
      return "";
    case ShapeType::Convex:
      return mapHull(g, inner);
    case ShapeType::Mesh:
      return mapMesh(g, inner);
    default:
      return "";  // planes and terrain are on no link; a compound is a frame
  }
}

}  // namespace

Stretch Stretch::uniform(double factor, const Vec3& start) { return {factor * Mat3::Identity(), start}; }

Stretch Stretch::along(const Vec3& d, double length, double thickness, const Vec3& start) {
  return {thickness * Mat3::Identity() + (length - thickness) * d * d.transpose(), start};
}

Stretch Stretch::mirror(int axis) {
  Stretch map;
  map.A(axis, axis) = -1;
  return map;
}

Pose Stretch::image(const Pose& p) const { return {(*this)(p.p), Quat(Mat3(A * p.q.toRotationMatrix() * A)).normalized()}; }

std::string stretchLink(LinkDescription& link, const Stretch& map) {
  const auto failed = [&](const std::string& wrong) { return "link '" + link.name + "': its shape cannot be made this size: " + wrong; };
  for (geometry::Shape& shape : link.shapes)
    if (const std::string wrong = mapShape(shape.geometry, shape.local, shape.parent < 0 ? map : Stretch{map.A, Vec3::Zero()});
        !wrong.empty())
      return failed(wrong);
  for (geometry::Visual& visual : link.visuals)
    if (const std::string wrong = mapShape(visual.geometry, visual.local, map); !wrong.empty()) return failed(wrong);
  const double volume = std::fabs(map.A.determinant());
  // Second moments of mass map as A C A^T, inertia = trace(C) - C.
  const Mat3 C = 0.5 * link.inertia.trace() * Mat3::Identity() - link.inertia;
  const Mat3 D = volume * map.A * C * map.A.transpose();
  link.inertia = D.trace() * Mat3::Identity() - D;
  link.inertia = (0.5 * (link.inertia + link.inertia.transpose())).eval();
  link.com = map(link.com);
  link.mass *= volume;
  return "";
}

bool findBone(const Skeleton& s, int link, Vec3& start, Vec3& direction) {
  start = Vec3::Zero();
  Vec3 next = Vec3::Zero(), tips = Vec3::Zero();
  int joints = 0, sites = 0;
  for (const JointDescription& j : s.joints) {
    if (j.loop) continue;
    if (j.child == link) start = j.inChild.p;
    if (j.parent != link) continue;
    next += j.inParent.p;
    joints++;
  }
  for (const Site& site : s.sites)
    if (site.link == link) {
      tips += site.pose.p;
      sites++;
    }
  constexpr double kShortest = 1e-6;  // m
  for (const Vec3& end : {Vec3(joints > 0 ? Vec3(next / joints) : start), Vec3(sites > 0 ? Vec3(tips / sites) : start),
                          s.links[static_cast<std::size_t>(link)].com}) {
    direction = end - start;
    if (direction.norm() < kShortest) continue;
    direction.normalize();
    return true;
  }
  return false;
}

}  // namespace vertebra::figure
