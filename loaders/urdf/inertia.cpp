// See inertia.hpp.
#include "loaders/urdf/inertia.hpp"

#include <Eigen/Eigenvalues>
#include <charconv>
#include <cmath>

#include "engine/geometry/convex_hull.hpp"
#include "engine/geometry/mass_properties.hpp"
#include "loaders/urdf/moving_mass.hpp"
#include "loaders/urdf/xml.hpp"

namespace vertebra {

namespace {

constexpr double kTriangleTolerance = 1e-3;  // of the largest moment

std::string moments(const Vec3& m) {
  auto rounded = [](double x) {
    char buffer[32];
    auto r = std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::general, 4);
    return std::string(buffer, r.ptr);
  };
  return "principal moments " + rounded(m[0]) + ", " + rounded(m[1]) + ", " + rounded(m[2]);
}

}  // namespace

InertiaFault inertiaFault(double mass, const Mat3& inertia) {
  if (mass < 0) return {"mass-negative", "the mass " + formatNumber(mass) + " is negative", true};
  double size = inertia.cwiseAbs().maxCoeff();
  if (size <= mass * kPointRadius2)
    return mass > 0 ? InertiaFault{"zero", "a mass of " + formatNumber(mass) + " kg has moments of inertia near 0", false} : InertiaFault();
  if (!(size < 1e100)) return {"too-large", "the moments of inertia are beyond 1e100 kg m2", true};
  Vec3 m = Eigen::SelfAdjointEigenSolver<Mat3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();  // ascending
  if (m[0] < -1e-9 * size) return {"not-psd", "the inertia is not positive semidefinite: " + moments(m), true};
  if (m[0] + m[1] < m[2] * (1 - kTriangleTolerance))
    return {"triangle", "the inertia breaks the triangle inequality, no solid has it: " + moments(m), false};
  if (mass == 0) return {"massless", "the mass is 0 but the moments of inertia are not: " + moments(m), false};
  return {};
}

Mat3 nearestInertia(const Mat3& inertia) {
  Mat3 s = 0.5 * inertia.trace() * Mat3::Identity() - inertia;
  Eigen::SelfAdjointEigenSolver<Mat3> eigen(s);
  Vec3 e = eigen.eigenvalues().cwiseMax(0.0);
  s = eigen.eigenvectors() * e.asDiagonal() * eigen.eigenvectors().transpose();
  return s.trace() * Mat3::Identity() - s;
}

namespace {

bool addSolid(const geometry::Geometry& g, const Pose& pose, geometry::MassProperties& sum) {
  geometry::MassProperties one;
  bool good = geometry::massProperties(g, kUrdfDensity, one).empty();
  if (!good && g.type == geometry::ShapeType::Mesh && g.mesh != nullptr) {  // an open mesh: its hull
    geometry::ConvexHull hull;
    if (geometry::makeConvexHull(g.mesh->vertices, hull).empty()) {
      geometry::Geometry solid;
      solid.type = geometry::ShapeType::Convex;
      solid.hull = std::make_shared<const geometry::ConvexHull>(std::move(hull));
      good = geometry::massProperties(solid, kUrdfDensity, one).empty();
    }
  }
  if (good) sum = geometry::add(sum, geometry::transform(pose, one));
  return good;
}

}  // namespace

bool massFromGeometry(figure::LinkDescription& link) {
  geometry::MassProperties sum;
  bool any = false;
  for (const geometry::Shape& s : link.shapes) any = addSolid(s.geometry, s.local, sum) || any;
  if (!any)
    for (const geometry::Visual& v : link.visuals) any = addSolid(v.geometry, v.local, sum) || any;
  if (!any) return false;
  link.mass = sum.mass;
  link.com = sum.com;
  link.inertia = sum.inertia;
  return true;
}

namespace {

void fromFile(const UrdfLink& link, const UrdfOptions& options, UrdfReport& report, figure::LinkDescription& out) {
  using Policy = UrdfOptions::InvalidInertia;
  const UrdfInertial& in = link.inertial;
  std::string element = quoted("link", link.name) + "/inertial";
  Mat3 i;
  i << in.ixx, in.ixy, in.ixz, in.ixy, in.iyy, in.iyz, in.ixz, in.iyz, in.izz;
  Pose pose = in.origin.pose();
  out.mass = in.mass;
  out.com = pose.p;
  // An identity rotation leaves the numbers of the file unchanged to the last bit.
  Mat3 turn = pose.q.toRotationMatrix();
  out.inertia = in.origin.rpy.isZero(0) ? i : Mat3(turn * i * turn.transpose());
  InertiaFault fault = inertiaFault(in.mass, i);
  if (fault.code.empty()) return;
  std::string code = "urdf.inertia." + fault.code;
  Policy policy = options.strict ? Policy::Error : options.invalidInertia;
  const char* mend = "take mass properties from the CAD model";
  bool refuse = policy == Policy::Error || (policy == Policy::Keep && fault.impossible);
  if (refuse && fault.code != "zero") {
    report.error(code, in.line, element, fault.found + "; to mend: " + mend);
    return;
  }
  if (fault.code == "zero" && options.missingInertia == UrdfOptions::MissingInertia::FromGeometry) {
    figure::LinkDescription shaped = out;
    if (massFromGeometry(shaped)) {
      out.inertia = shaped.inertia * (out.mass / shaped.mass);
      report.warning("urdf.inertia.from-geometry", in.line, element,
                     fault.found + "; they are taken from its shapes, scaled to this mass; to mend: " + mend);
      return;
    }
  }
  if (fault.code == "zero" && policy != Policy::Keep) out.inertia.setZero();
  if (!fault.impossible && !(policy == Policy::Nearest && fault.code == "triangle")) {
    report.warning(code, in.line, element,
                   fault.found + (fault.code == "zero" ? "; it is a point" : "; it is kept") + "; to mend: " + mend);
    return;
  }
  if (fault.code == "mass-negative" || fault.code == "too-large") {
    out.mass = 0;
    out.inertia.setZero();
    report.warning(code, in.line, element, fault.found + "; mass and inertia are taken as 0; to mend: " + mend);
    return;
  }
  out.inertia = nearestInertia(out.inertia);
  report.warning(code, in.line, element,
                 fault.found + "; the nearest inertia a solid can have is used, ixx iyy izz " + formatNumber(out.inertia(0, 0)) + " " +
                     formatNumber(out.inertia(1, 1)) + " " + formatNumber(out.inertia(2, 2)) + "; to mend: " + mend);
}

void missing(const UrdfLink& link, const UrdfOptions& options, UrdfReport& report, figure::LinkDescription& out) {
  using Policy = UrdfOptions::MissingInertia;
  bool shapes = !link.visuals.empty() || !link.collisions.empty();
  std::string element = quoted("link", link.name);
  if (options.missingInertia == Policy::Error && shapes) {
    report.error("urdf.inertia.missing", link.line, element, "it has shapes but no <inertial>; to mend: add one");
  } else if (options.missingInertia == Policy::FromGeometry && shapes && massFromGeometry(out)) {
    report.warning(
        "urdf.inertia.from-geometry", link.line, element,
        "it has no <inertial>; " + formatNumber(out.mass) + " kg are taken from its shapes at 1000 kg/m3; to mend: add <inertial>");
  } else {
    report.tally(shapes ? "urdf.inertia.none" : "urdf.inertia.frame", "", link.line,
                 std::string(shapes ? "links with shapes" : "links without shapes (frames)") + " have no <inertial> and so no mass");
  }
}

// A centre of mass far outside the link's shapes usually means a wrong unit or frame.
void checkCentre(const UrdfLink& link, const figure::LinkDescription& made, UrdfReport& report) {
  if (!link.inertial.given || made.mass <= 0) return;
  Eigen::AlignedBox3d box;
  auto extend = [&](const geometry::Geometry& g, const Pose& pose) {
    if (g.mesh != nullptr) {
      for (const Vec3& v : g.mesh->vertices) box.extend(pose * v);
    } else if (g.hull != nullptr) {
      for (const Vec3& v : g.hull->vertices) box.extend(pose * v);
    } else if (g.type != geometry::ShapeType::Compound && g.type != geometry::ShapeType::Plane) {
      double reach = g.type == geometry::ShapeType::Box ? g.size.norm() : g.size.x() + g.size.z();
      box.extend(Vec3(pose.p.array() - reach));
      box.extend(Vec3(pose.p.array() + reach));
    }
  };
  for (const geometry::Shape& s : made.shapes) extend(s.geometry, s.local);
  for (const geometry::Visual& v : made.visuals) extend(v.geometry, v.local);
  if (box.isEmpty()) return;
  double far = box.exteriorDistance(made.com), size = box.diagonal().norm();
  if (far > size)
    report.warning("urdf.inertia.com-outside", link.inertial.line, quoted("link", link.name) + "/inertial",
                   "the centre of mass lies " + formatNumber(std::round(far * 1e4) / 1e4) + " m outside shapes of size " +
                       formatNumber(std::round(size * 1e4) / 1e4) + " m; it is kept; to mend: check units and frame of <origin>");
}

}  // namespace

void resolveInertia(const UrdfRobot& robot, const UrdfOptions& options, UrdfReport& report, figure::Skeleton& skeleton) {
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const UrdfLink& link = robot.links[i];
    figure::LinkDescription& made = skeleton.links[i];
    if (link.inertial.given)
      fromFile(link, options, report, made);
    else if (!link.invented)
      missing(link, options, report, made);
    made.inertia = (0.5 * (made.inertia + made.inertia.transpose())).eval();  // symmetric to the last bit after the rotation
    checkCentre(link, made, report);
  }
  deriveMovingMass(robot, options, report, skeleton);
  reportMassless(robot, report, skeleton);
}

}  // namespace vertebra
