// See combined_joints.hpp. Source of the shares: least squares by the symmetric pseudoinverse of sum r^2 1 - r r^T (Golub and Van Loan,
// Matrix Computations, section 5.5).
#include "engine/trees/combined_joints.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "engine/dynamics/joints/joints.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::trees {
namespace {

constexpr double kSame = 1e-10;   // of the points' distance: they agree on both bodies, or are on a line
constexpr double kApart = 1e-4;   // of it, or of the body's size: a triangle, or two points, that give directions to 1e-12
constexpr double kSlight = 1e-9;  // of a joint's largest eigenvalue: about the line of points

bool mayCombine(const TreeWorld& w, const JointSlot& j) {
  const auto inFigure = [&](int body) { return body >= 0 && w.bodies[body].figure >= 0; };
  const auto takesPart = [&](int body) { return body < 0 || w.bodies[body].enabled; };
  return j.alive && !j.broken && j.def->constraint == ConstraintType::Joint && j.def->type == dynamics::JointType::Spherical &&
         j.def->rigid() && !j.def->auxiliary && !j.hasAxisForces && j.named == 0 && !inFigure(j.a) && !inFigure(j.b) && takesPart(j.a) &&
         takesPart(j.b);
}

struct Points {  // of the joints: the same ones seen from the parent and from the child
  std::vector<Vec3> parent, child;
  void add(const JointSlot& j, int body) {
    parent.push_back((j.b == body ? j.def->frameA : j.def->frameB).p);
    child.push_back((j.b == body ? j.def->frameB : j.def->frameA).p);
  }
};

// The most distant point from the first, and the one farthest from the line through both (-1: all lie on it).
struct Spread {
  int along = 0, aside = -1;
  double length = 0, height = 0;
};
Vec3 asideOf(const std::vector<Vec3>& p, const Spread& s, std::size_t i) {
  const Vec3 line = (p[s.along] - p[0]) / (p[s.along] - p[0]).norm(), at = p[i] - p[0];
  return at - line * line.dot(at);
}
Spread spreadOf(const std::vector<Vec3>& p) {
  Spread s;
  for (std::size_t i = 1; i < p.size(); i++)
    if (const double d = (p[i] - p[0]).norm(); d > s.length) s.length = d, s.along = static_cast<int>(i);
  if (!(s.length > 0)) return s;
  for (std::size_t i = 1; i < p.size(); i++)
    if (const double d = asideOf(p, s, i).norm(); d > s.height) s.height = d, s.aside = static_cast<int>(i);
  if (s.height <= kSame * s.length) s.aside = -1;
  return s;
}

// Axes at the first point: z along the line, x towards the point aside.
Quat axesAt(const std::vector<Vec3>& p, const Spread& s) {
  const Vec3 z = (p[s.along] - p[0]).normalized();
  if (s.aside < 0) return quatBetween(Vec3::UnitZ(), z);
  Mat3 frame;
  frame.col(0) = asideOf(p, s, s.aside).normalized();
  frame.col(2) = z;
  frame.col(1) = z.cross(frame.col(0));
  return normalized(quatFromMatrix(frame));
}

// Whether the points make a hinge or a weld beyond doubt.
bool agree(const Points& points, double size) {
  const Spread s = spreadOf(points.parent);
  if (!(s.length > kApart * size) || (s.aside >= 0 && s.height < kApart * s.length)) return false;
  if (!((points.child[s.along] - points.child[0]).norm() > 0.5 * s.length)) return false;
  const Quat turn = axesAt(points.parent, s) * axesAt(points.child, s).conjugate();
  for (std::size_t i = 1; i < points.parent.size(); i++) {
    const Vec3 there = turn * (points.child[i] - points.child[0]), here = points.parent[i] - points.parent[0];
    if ((there - here).norm() > kSame * s.length) return false;
  }
  return true;
}

}  // namespace

void combineJoints(TreeWorld& w, TreePlan& plan) {
  if (w.settings.planar) return;
  std::vector<int> tied;
  for (PlannedLink& link : plan.links) {
    if (link.joint < 0 || !mayCombine(w, w.joints[link.joint])) continue;
    const int parent = parentBody(w.joints[link.joint], link.body);
    tied.clear();
    for (int id = w.bodies[link.body].firstJoint; id >= 0; id = w.joints[id].nextJoint[w.joints[id].a != link.body])
      if (parentBody(w.joints[id], link.body) == parent && mayCombine(w, w.joints[id])) tied.push_back(id);
    if (tied.size() < 2) continue;
    std::sort(tied.begin(), tied.end());
    Points points;
    for (int id : tied) points.add(w.joints[id], link.body);
    const BodySlot& b = w.bodies[link.body];
    const double size = b.mass() > 0 ? std::sqrt(b.def->moments.maxCoeff() / b.mass()) : 0;
    if (!agree(points, size)) continue;
    for (std::size_t i = 0; i < tied.size(); i++) {
      JointSlot& j = w.joints[tied[i]];
      j.role = Role::Combined;
      j.nextCombined = i + 1 < tied.size() ? tied[i + 1] : -1;
    }
    link.joint = -1;
    link.combined = tied[0];
  }
}

CombinedJoint combinedJoint(const TreeWorld& w, int first, int body) {
  Points points;
  for (int id = first; id >= 0; id = w.joints[id].nextCombined) points.add(w.joints[id], body);
  const Spread s = spreadOf(points.parent);
  CombinedJoint c;
  c.shape.type = s.aside < 0 ? dynamics::JointType::Continuous : dynamics::JointType::Fixed;
  c.shape.axis = Vec3::UnitZ();
  c.inParent = {points.parent[0], axesAt(points.parent, s)};
  c.inChild = {points.child[0], axesAt(points.child, s)};
  return c;
}

bool changesCombination(const TreeWorld& w, const JointSlot& j, bool hadAxisForces) {
  if (j.role == Role::Combined) return j.hasAxisForces;
  if (!hadAxisForces || j.role == Role::Inactive || !mayCombine(w, j)) return false;
  const int body = j.b >= 0 ? j.b : j.a;
  int tied = 0;
  for (int id = w.bodies[body].firstJoint; id >= 0; id = w.joints[id].nextJoint[w.joints[id].a != body])
    tied += parentBody(w.joints[id], body) == parentBody(j, body) && mayCombine(w, w.joints[id]);
  return tied > 1;
}

Pose poseByJoint(const JointSlot& j, int body, const Pose& from) {
  const Pose turn{Vec3::Zero(), normalized(dynamics::SphericalJoint::quat(j.q))};
  return j.b == body ? from * j.def->frameA * turn * j.def->frameB.inverse()
                     : from * j.def->frameB * turn.inverse() * j.def->frameA.inverse();
}

Vec3 omegaByJoint(const JointSlot& j, int body, const Quat& ofB, const double* rates) {
  const Vec3 omega = (ofB * j.def->frameB.q) * Vec3(rates[0], rates[1], rates[2]);
  return j.b == body ? omega : Vec3(-omega);
}

Vec3 WrenchShares::at(const Vec3& point, const Vec3& force, const Vec3& torque) const {
  const Mat3 about = second_ - first_ * first_.transpose() / count_;
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(Mat3(about.trace() * Mat3::Identity() - about));
  Vec3 turn = Vec3::Zero();
  for (int k = 0; k < 3; k++)
    if (const double e = solver.eigenvalues()[k]; e > kSlight * solver.eigenvalues()[2])
      turn += solver.eigenvectors().col(k) * (solver.eigenvectors().col(k).dot(torque) / e);
  return force / count_ + turn.cross(point - middle());
}

}  // namespace vertebra::trees
