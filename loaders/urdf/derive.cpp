// Collision shapes for links that have none: from their visuals, otherwise along their bones, otherwise from their inertia. See build.hpp.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "engine/math/rotation.hpp"
#include "loaders/mesh/collision_hull.hpp"
#include "loaders/urdf/build.hpp"
#include "loaders/urdf/structure.hpp"

namespace vertebra {

namespace {

constexpr double kFleshDensity = 1000;  // kg/m3, determines the thickness of a bone
constexpr double kShortestBone = 0.02;  // m

bool fromVisuals(figure::LinkDescription& link, const geometry::Surface& surface) {
  for (const geometry::Visual& v : link.visuals) {
    geometry::Shape s;
    s.name = v.name;
    s.local = v.local;
    s.surface = surface;
    s.geometry = v.geometry;
    if (v.geometry.type == geometry::ShapeType::Mesh) {
      CollisionHull made;
      if (!makeCollisionHull(v.geometry.mesh->vertices, made).empty()) continue;
      s.geometry = geometry::Geometry();
      s.geometry.type = geometry::ShapeType::Convex;
      s.geometry.hull = std::make_shared<const geometry::ConvexHull>(std::move(made.hull));
    }
    link.shapes.push_back(std::move(s));
  }
  return !link.shapes.empty();
}

// The box, or the ball, with the link's mass and moments of inertia: for the end of a limb (a foot, a hand).
geometry::Shape equivalentSolid(const figure::LinkDescription& link, const geometry::Surface& surface) {
  geometry::Shape s;
  s.surface = surface;
  s.local.p = link.com;
  Eigen::SelfAdjointEigenSolver<Mat3> eigen(0.5 * link.inertia.trace() * Mat3::Identity() - link.inertia);
  Vec3 half = (3 * eigen.eigenvalues().cwiseMax(0.0) / link.mass).cwiseSqrt();  // of a box: S_x = m h_x^2 / 3
  double ball = std::cbrt(link.mass / kFleshDensity * 3 / (4 * kPi));
  if (half.minCoeff() > 0.002 && half.maxCoeff() < 1) {
    Mat3 axes = eigen.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    s.geometry.type = geometry::ShapeType::Box;
    s.geometry.size = half;
    s.local.q = quatFromMatrix(axes);
  } else {
    s.geometry.type = geometry::ShapeType::Sphere;
    s.geometry.size = Vec3(ball, 0, 0);
  }
  return s;
}

}  // namespace

geometry::Shape bone(const Vec3& end, double mass, const geometry::Surface& surface) {
  double length = end.norm();
  double radius = mass > 0 ? std::sqrt(mass / (kFleshDensity * kPi * length)) : 0.1 * length;
  radius = std::min(std::max(radius, 0.05 * length), 0.3 * length);
  geometry::Shape s;
  s.surface = surface;
  s.geometry.type = geometry::ShapeType::Capsule;
  s.geometry.size = Vec3(radius, 0, std::max(0.5 * length - radius, 0.01 * length));
  s.local.p = 0.5 * end;
  s.local.q = quatBetween(Vec3::UnitZ(), end / length);
  return s;
}

std::vector<Vec3> jointsFurtherOut(const figure::Skeleton& skeleton, std::size_t link) {
  std::vector<Vec3> ends;
  for (const figure::JointDescription& j : skeleton.joints)
    if (!j.loop && j.type != dynamics::JointType::Fixed && j.parent == static_cast<int>(link) && j.inParent.p.norm() > kShortestBone)
      ends.push_back(j.inParent.p);
  return ends;
}

void deriveCollisionShapes(const UrdfRobot& robot, UrdfReport& report, figure::Skeleton& out) {
  for (std::size_t i = 0; i < out.links.size(); ++i) {
    figure::LinkDescription& link = out.links[i];
    const UrdfLink& source = robot.links[i];
    if (!link.shapes.empty()) continue;
    const std::vector<Vec3> ends = jointsFurtherOut(out, i);
    std::string how;
    if (fromVisuals(link, source.surface)) {
      how = "its visuals";
    } else if (link.mass > 0 && !ends.empty()) {
      for (const Vec3& end : ends) link.shapes.push_back(bone(end, link.mass / static_cast<double>(ends.size()), source.surface));
      how = "its bones: " + std::to_string(ends.size()) + " capsules";
    } else if (link.mass > 0) {
      link.shapes.push_back(equivalentSolid(link, source.surface));
      how = link.shapes.back().geometry.type == geometry::ShapeType::Box ? "its inertia: a box" : "its mass: a ball";
    } else {
      continue;
    }
    report.info("urdf.collision.derived", source.line, quoted("link", source.name),
                "it has no collision shape; one is derived from " + how);
  }
}

}  // namespace vertebra
