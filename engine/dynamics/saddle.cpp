// What both treatments share: rows of joints, right sides, refinement, results. See saddle.hpp for frames and the system.
#include "engine/dynamics/saddle.hpp"

#include <cmath>

namespace vertebra {
namespace {

// A wrench about point p, moved to a body's centre of mass, its torque in principal axes.
inline Vec6 onBody(const Vec6& wrench, const Vec3& p, const BodyPose& body) {
  const Vec3 force = wrench.tail<3>();
  return stack(body.R.transpose() * (Vec3(wrench.head<3>()) + (p - body.c).cross(force)), force);
}

// Where a link's wrenches are taken: a free root's velocities are its twist about O, a joint's belong to its origin.
inline Vec3 pointOfRows(const Tree& tree, int link) { return tree.model[link].freeRoot ? tree.O : tree.state[link].anchor; }

}  // namespace

void SaddleOperator::reserve(const Tree& tree) {
  const std::size_t n = static_cast<std::size_t>(tree.count);
  joints_.resize(n);
  for (auto* x : {&force_, &right_, &twist_, &impulse_, &forceLeft_, &rightLeft_, &twistChange_, &impulseChange_, &wrench_}) x->resize(n);
  reserveFactor(tree.count);
}

int SaddleOperator::factor(const Tree& tree, const double* extra) {
  if (joints_.size() != static_cast<std::size_t>(tree.count)) reserve(tree);
  for (int i = 0; i < tree.count; i++) {
    const LinkModel& m = tree.model[i];
    const LinkState& s = tree.state[i];
    Joint& j = joints_[i];
    j.mass << m.inertia, Vec3::Constant(m.mass);
    if (!(j.mass.minCoeff() > 0) || !j.mass.allFinite() || !j.mass.cwiseInverse().allFinite()) return i;
    j.parent = m.parent;
    // A base is a body whose frame is the world's, moved to the joint.
    const Vec3 point = pointOfRows(tree, i);
    BodyPose base;
    base.c = point;
    Vec6 T[6];
    if (m.freeRoot) {
      for (int k = 0; k < 6; k++) T[k] = Vec6::Unit(k);
    } else {
      const BodyPose& parent = m.parent >= 0 ? static_cast<const BodyPose&>(tree.state[m.parent]) : tree.base.pose;
      withJoint(m.type, [&](auto joint) { decltype(joint)::constraints(m, parent, point, s, T); });
    }
    const BodyPose& parent = m.parent >= 0 ? static_cast<const BodyPose&>(tree.state[m.parent]) : base;
    for (int k = 0; k < 6; k++) {
      j.onChild.col(k) = onBody(T[k], point, s);
      j.onParent.col(k) = -onBody(T[k], point, parent);
      const int axis = k - (6 - m.nv);
      j.row[k] = axis < 0;
      j.compliance[k] = 0;
      if (axis >= 0 && extra) {
        const double E = extra[m.vOffset + axis];
        if (!(E >= 0) || std::isinf(E)) return i;
        j.row[k] = E > 0 && !std::isinf(1 / E);
        if (j.row[k]) j.compliance[k] = 1 / E;
      }
    }
    if (!j.onChild.allFinite() || !j.onParent.allFinite()) return i;
  }
  return factorRows();
}

void SaddleOperator::solve(Tree& tree, const double* generalized, double* v, bool withBase) {
  const int n = tree.count;
  auto baseTwist = [&](int i) {  // about the joint's origin
    if (!withBase || tree.model[i].freeRoot) return Vec6(Vec6::Zero());
    const Vec3 w = tree.base.twist.head<3>();
    return stack(w, Vec3(tree.base.twist.tail<3>()) + w.cross(tree.state[i].anchor - tree.O));
  };
  for (int i = 0; i < n; i++) {
    const Joint& j = joints_[i];
    force_[i] = onBody(tree.state[i].P, tree.O, tree.state[i]);
    right_[i].setZero();
    if (j.parent < 0) {
      const Vec6 t = baseTwist(i);
      for (int k = 0; k < 6; k++)
        if (j.row[k]) right_[i][k] = -j.onParent.col(k).dot(t);
    }
  }
  if (generalized) {
    for (int i = 0; i < n; i++) {
      const LinkModel& m = tree.model[i];
      const Joint& j = joints_[i];
      for (int k = 0; k < m.nv; k++) {
        const double g = generalized[m.vOffset + k];
        force_[i] += g * j.onChild.col(6 - m.nv + k);
        if (j.parent >= 0) force_[j.parent] += g * j.onParent.col(6 - m.nv + k);
      }
    }
  }
  solveRows(force_.data(), right_.data(), twist_.data(), impulse_.data());
  refine();

  for (int i = 0; i < n; i++) {
    const LinkModel& m = tree.model[i];
    const Joint& j = joints_[i];
    LinkState& s = tree.state[i];
    s.w = twist_[i].head<3>();
    s.v = twist_[i].tail<3>();
    const Vec3 w = s.R * s.w;
    s.t = stack(w, s.v - w.cross(s.c - tree.O));
    const Vec6 parent = j.parent >= 0 ? twist_[j.parent] : baseTwist(i);
    wrench_[i] = impulse_[i];
    for (int k = 0; k < m.nv; k++) {
      const int c = 6 - m.nv + k;
      v[m.vOffset + k] = j.onChild.col(c).dot(twist_[i]) + j.onParent.col(c).dot(parent);
      if (generalized) wrench_[i][c] += generalized[m.vOffset + k];
    }
  }
}

void SaddleOperator::refine() {
  const std::size_t n = joints_.size();
  for (std::size_t i = 0; i < n; i++) forceLeft_[i] = force_[i];
  for (std::size_t i = 0; i < n; i++) {
    const Joint& j = joints_[i];
    const Vec6& l = impulse_[i];
    forceLeft_[i] += j.onChild * l - j.mass.cwiseProduct(twist_[i]);
    Vec6 left = right_[i] - j.onChild.transpose() * twist_[i] - j.compliance.cwiseProduct(l);
    if (j.parent >= 0) {
      forceLeft_[j.parent] += j.onParent * l;
      left -= j.onParent.transpose() * twist_[j.parent];
    }
    for (int k = 0; k < 6; k++) rightLeft_[i][k] = j.row[k] ? left[k] : 0;
  }
  solveRows(forceLeft_.data(), rightLeft_.data(), twistChange_.data(), impulseChange_.data());
  for (std::size_t i = 0; i < n; i++) {
    twist_[i] += twistChange_[i];
    impulse_[i] += impulseChange_[i];
  }
}

Vec6 SaddleOperator::jointWrench(const Tree& tree, int link) const {
  const BodyPose& body = tree.state[link];
  const Vec6 own = joints_[link].onChild * wrench_[link];
  const Vec3 force = own.tail<3>();
  return stack(body.R * Vec3(own.head<3>()) + (body.c - tree.O).cross(force), force);
}

}  // namespace vertebra
