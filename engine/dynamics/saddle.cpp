// What both saddle-point tree solvers share: parts, rows of joints, right sides, refinement, results. See saddle.hpp for frames and the
// system.
#include "engine/dynamics/saddle.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vertebra::dynamics {
namespace {

// A wrench about point p, moved to a part's centre of mass, with its torque in the part's axes.
inline Vec6 onPart(const Vec6& wrench, const Vec3& p, const Vec3& c, const Mat3& axes) {
  const Vec3 force = wrench.tail<3>();
  return stack(axes.transpose() * (Vec3(wrench.head<3>()) + (p - c).cross(force)), force);
}

// The point about which a link's wrenches are taken: the joint's origin, or O where velocities are a twist about O.
inline Vec3 pointOfRows(const Tree& tree, int link) { return tree.model[link].velocityIsTwist ? tree.O : tree.state[link].anchor; }

inline bool fixedToParent(const LinkModel& m) { return m.nv == 0; }

constexpr double kNothing = 1e-300;  // a smaller mass or moment is treated as zero, because its reciprocal may overflow

// No mass or no inertia about some axis, or one moment so much smaller than another that dividing by it would lose half the digits.
inline bool lacksInertia(double mass, const Vec3& moments) {
  return !(mass > kNothing) || !(moments.minCoeff() > std::max(kNothing, 1e-8 * moments.maxCoeff()));
}

// Axes that make an inertia diagonal, axes^T I axes = diag(moments), each conjugate to those before it, the largest remaining moment first.
// They need not be perpendicular, so no eigenvalues are needed. A moment at the level of round-off becomes 0.
inline void diagonalise(Mat3 I, Mat3& axes, Vec3& moments) {
  Vec3 whole = I.diagonal();
  axes.setIdentity();
  moments.setZero();
  for (int k = 0; k < 3; k++) {
    int largest = k;
    for (int j = k + 1; j < 3; j++)
      if (I(j, j) > I(largest, largest)) largest = j;
    axes.col(k).swap(axes.col(largest));
    I.row(k).swap(I.row(largest));
    I.col(k).swap(I.col(largest));
    std::swap(whole[k], whole[largest]);
    if (!(I(k, k) > 1e-14 * whole[k])) return;
    moments[k] = I(k, k);
    for (int j = k + 1; j < 3; j++) {
      const double share = I(k, j) / I(k, k);
      axes.col(j) -= share * axes.col(k);
      for (int e = k + 1; e <= j; e++) I(e, j) = I(j, e) = I(e, j) - share * I(k, e);
    }
  }
}

}  // namespace

void SaddleOperator::reserve(const Tree& tree) {
  const std::size_t n = static_cast<std::size_t>(tree.count);
  partOf_.resize(n);
  parts_.reserve(n);
  for (auto* x : {&force_, &right_, &twist_, &impulse_, &forceLeft_, &rightLeft_, &twistChange_, &impulseChange_, &wrench_}) x->resize(n);
  joints_.resize(n);
  for (int i = 0; i < tree.count; i++) {  // parts are indexed by their head links here; if a part lacks inertia, so does each of its links
    const LinkModel& m = tree.model[i];
    const bool head = !fixedToParent(m);
    partOf_[i] = head ? i : m.parent >= 0 ? partOf_[m.parent] : -1;
    joints_[i].lacksInertia = head;
    if (partOf_[i] >= 0 && !lacksInertia(m.mass, m.inertia)) joints_[partOf_[i]].lacksInertia = false;
  }
  int lacking = 0;
  for (const Joint& j : joints_) lacking += j.lacksInertia;
  reserveFactor(tree.count, lacking);
}

int SaddleOperator::gatherParts(const Tree& tree) {
  parts_.clear();
  for (int i = 0; i < tree.count; i++) {
    const LinkModel& m = tree.model[i];
    const LinkState& s = tree.state[i];
    const bool heavy = m.mass > 0 || m.inertia.maxCoeff() > 0;
    if (!std::isfinite(m.mass) || !m.inertia.allFinite() || m.mass < 0 || m.inertia.minCoeff() < 0) return i;
    if (!s.c.allFinite() || !s.R.allFinite()) return i;
    if (fixedToParent(m)) {
      partOf_[i] = m.parent >= 0 ? partOf_[m.parent] : -1;
      if (partOf_[i] < 0) continue;
    } else {
      partOf_[i] = static_cast<int>(parts_.size());
      parts_.push_back({i, -1, 0, Vec3::Zero(), Mat3::Identity(), Mat3::Zero()});
    }
    Part& part = parts_[partOf_[i]];
    if (!heavy) continue;
    part.heavy = part.heavy == -1 ? i : -2;
    part.mass += m.mass;
    part.c += m.mass * (s.c - tree.state[part.head].c);
  }
  for (Part& part : parts_) {
    if (part.mass > 0) part.c /= part.mass;
    part.c = part.heavy >= 0 ? tree.state[part.heavy].c : Vec3(tree.state[part.head].c + part.c);
  }
  for (int i = 0; i < tree.count; i++) {
    if (partOf_[i] < 0) continue;
    Part& part = parts_[partOf_[i]];
    if (part.heavy != -2) continue;
    const LinkModel& m = tree.model[i];
    const LinkState& s = tree.state[i];
    const Vec3 d = s.c - part.c;
    part.inertia += s.R * m.inertia.asDiagonal() * s.R.transpose() + m.mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  joints_.resize(parts_.size());
  for (std::size_t p = 0; p < parts_.size(); p++) {
    Part& part = parts_[p];
    Vec3 moments = Vec3::Zero();
    if (part.heavy >= 0) {
      part.axes = tree.state[part.heavy].R;
      moments = tree.model[part.heavy].inertia;
    } else if (part.heavy == -2) {
      diagonalise(part.inertia, part.axes, moments);
    }
    Joint& j = joints_[p];
    j.lacksInertia = lacksInertia(part.mass, moments);
    if (j.lacksInertia) {
      moments = (moments.array() > kNothing).select(moments, 0);
      part.mass = part.mass > kNothing ? part.mass : 0;
    }
    j.added = -1;
    j.mass << moments, Vec3::Constant(part.mass);
    if (!j.mass.allFinite()) return part.head;
  }
  return -1;
}

void SaddleOperator::takeAdded(const Tree& tree) {
  added_.clear();
  for (const Added& a : pending_) {
    const int p = partOf_[a.link];
    if (p < 0) continue;
    Joint& j = joints_[p];
    if (j.added < 0) {
      j.added = static_cast<int>(added_.size());
      added_.push_back(Mat6::Zero());
    }
    j.lacksInertia = true;
    Mat6 J = Mat6::Identity();  // twist of the part -> twist of the link's centre of mass
    J.topLeftCorner<3, 3>() = parts_[p].axes;
    J.bottomLeftCorner<3, 3>() = -skew(tree.state[a.link].c - parts_[p].c) * parts_[p].axes;
    added_[j.added] += J.transpose() * a.inertia * J;
  }
}

int SaddleOperator::factor(const Tree& tree, const double* extra) {
  if (force_.size() < static_cast<std::size_t>(tree.count)) reserve(tree);
  partOf_.resize(static_cast<std::size_t>(tree.count));
  const int unusable = gatherParts(tree);
  if (unusable < 0) takeAdded(tree);
  pending_.clear();
  if (unusable >= 0) return unusable;
  for (std::size_t p = 0; p < parts_.size(); p++) {
    const Part& part = parts_[p];
    const int i = part.head;
    const LinkModel& m = tree.model[i];
    const LinkState& s = tree.state[i];
    Joint& j = joints_[p];
    j.parent = m.parent >= 0 ? partOf_[m.parent] : -1;
    const Vec3 point = pointOfRows(tree, i);
    Vec6 T[6];
    const BodyPose& parent = m.parent >= 0 ? static_cast<const BodyPose&>(tree.state[m.parent]) : tree.base->pose;
    withJoint(m.type, [&](auto joint) { decltype(joint)::constraints(m, parent, point, s, T); });
    // A base is a part whose frame has the world's axes and its origin at the joint.
    const Vec3 parentC = j.parent >= 0 ? parts_[j.parent].c : point;
    const Mat3 parentAxes = j.parent >= 0 ? parts_[j.parent].axes : Mat3(Mat3::Identity());
    for (int k = 0; k < 6; k++) {
      j.onChild.col(k) = onPart(T[k], point, part.c, part.axes);
      j.onParent.col(k) = -onPart(T[k], point, parentC, parentAxes);
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
  const int failed = factorRows();
  return failed < 0 ? -1 : parts_[failed].head;
}

void SaddleOperator::solve(Tree& tree, const double* generalized, double* v, bool withBase) {
  const int n = static_cast<int>(parts_.size());
  auto baseTwist = [&](int link) {  // about the joint's origin
    if (!withBase || tree.model[link].velocityIsTwist) return Vec6(Vec6::Zero());
    const Vec3 w = tree.base->twist.head<3>();
    return stack(w, Vec3(tree.base->twist.tail<3>()) + w.cross(tree.state[link].anchor - tree.O));
  };
  for (int p = 0; p < n; p++) force_[p].setZero();
  for (int i = 0; i < tree.count; i++) {
    if (partOf_[i] < 0) continue;
    const Part& part = parts_[partOf_[i]];
    force_[partOf_[i]] += onPart(tree.P[i], tree.O, part.c, part.axes);
  }
  for (int p = 0; p < n; p++) {
    const Joint& j = joints_[p];
    right_[p].setZero();
    if (j.parent < 0) {
      const Vec6 t = baseTwist(parts_[p].head);
      for (int k = 0; k < 6; k++)
        if (j.row[k]) right_[p][k] = -j.onParent.col(k).dot(t);
    }
  }
  if (generalized) {
    for (int p = 0; p < n; p++) {
      const LinkModel& m = tree.model[parts_[p].head];
      const Joint& j = joints_[p];
      for (int k = 0; k < m.nv; k++) {
        const double g = generalized[m.vOffset + k];
        force_[p] += g * j.onChild.col(6 - m.nv + k);
        if (j.parent >= 0) force_[j.parent] += g * j.onParent.col(6 - m.nv + k);
      }
    }
  }
  solveRows(force_.data(), right_.data(), twist_.data(), impulse_.data());
  refine();

  for (int p = 0; p < n; p++) {
    const int i = parts_[p].head;
    const LinkModel& m = tree.model[i];
    const Joint& j = joints_[p];
    const Vec6 parent = j.parent >= 0 ? twist_[j.parent] : baseTwist(i);
    wrench_[p] = impulse_[p];
    for (int k = 0; k < m.nv; k++) {
      const int c = 6 - m.nv + k;
      v[m.vOffset + k] = j.onChild.col(c).dot(twist_[p]) + j.onParent.col(c).dot(parent);
      if (generalized) wrench_[p][c] += generalized[m.vOffset + k];
    }
  }
  const Vec6 still = Vec6::Zero();
  for (int i = 0; i < tree.count; i++) {
    LinkState& s = tree.state[i];
    const int p = partOf_[i];
    const Vec6& twist = p >= 0 ? twist_[p] : withBase ? tree.base->twist : still;  // about the part's centre of mass, or about O
    const Vec3& at = p >= 0 ? parts_[p].c : tree.O;
    const Vec3 w = p >= 0 ? Vec3(parts_[p].axes * twist.head<3>()) : Vec3(twist.head<3>());
    const Vec3 linear = twist.tail<3>();
    s.t = stack(w, linear - w.cross(at - tree.O));
    s.v = linear + w.cross(s.c - at);
    s.w = s.R.transpose() * w;
  }
}

void SaddleOperator::refine() {
  const std::size_t n = joints_.size();
  for (std::size_t i = 0; i < n; i++) forceLeft_[i] = force_[i];
  for (std::size_t i = 0; i < n; i++) {
    const Joint& j = joints_[i];
    const Vec6& l = impulse_[i];
    forceLeft_[i] += j.onChild * l - j.mass.cwiseProduct(twist_[i]);
    if (j.added >= 0) forceLeft_[i] -= added_[j.added] * twist_[i];
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
  if (!fixedToParent(tree.model[link])) {
    const Part& part = parts_[partOf_[link]];
    const Vec6 own = joints_[partOf_[link]].onChild * wrench_[partOf_[link]];
    const Vec3 force = own.tail<3>();
    const Vec3 torque = part.axes.inverse().transpose() * Vec3(own.head<3>());
    return stack(torque + (part.c - tree.O).cross(force), force);
  }
  Vec6 sum = Vec6::Zero();
  for (int i = link; i < tree.count; i++) {
    const bool fixed = fixedToParent(tree.model[i]);
    int behind = fixed ? i : tree.model[i].parent;  // the first link on the way to the root that is fixed to `link`, or none
    while (behind > link && fixedToParent(tree.model[behind])) behind = tree.model[behind].parent;
    if (behind != link) continue;
    if (fixed) {
      const LinkModel& m = tree.model[i];
      const LinkState& s = tree.state[i];
      const Vec3 momentum = m.mass * s.v;
      sum += stack(s.R * m.inertia.cwiseProduct(s.w) + (s.c - tree.O).cross(momentum), momentum) - tree.P[i];
    } else {
      sum += jointWrench(tree, i);
    }
  }
  return sum;
}

}  // namespace vertebra::dynamics
