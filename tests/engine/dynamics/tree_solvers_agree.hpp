// Common to tests of the tree solvers: right sides, the three solutions and a fourth from a full system without knowledge of the structure,
// differences between solutions, residuals.
#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "engine/dynamics/saddle.hpp"
#include "tests/engine/dynamics/random_tree.hpp"

namespace test {

using namespace vertebra;

struct Case {
  std::vector<double> extra, generalized;
  std::vector<Vec6> P;
  bool withBase = true;

  Case(Random& r, const RandomTree& t, bool withExtra, bool withGeneralized, bool base) : P(t.model.size()), withBase(base) {
    for (Vec6& p : P) p = test::randomSix(r);
    if (withExtra)
      for (int k = 0; k < t.nv; k++) extra.push_back(r.unit() < 0.4 ? 0 : std::pow(10.0, r.range(-3, 3)));
    if (withGeneralized)
      for (int k = 0; k < t.nv; k++) generalized.push_back(r.range(-1, 1));
    extra.reserve(1);
    generalized.reserve(1);
  }
  const double* E() const { return extra.empty() ? nullptr : extra.data(); }
  const double* g() const { return generalized.empty() ? nullptr : generalized.data(); }
};

struct Answer {
  std::vector<double> v;
  std::vector<Vec6> t;
  std::vector<Vec3> linear, angular;
};
inline Answer collect(const RandomTree& t, std::vector<double> v) {
  Answer a;
  v.resize(t.nv);
  a.v = v;
  for (const dynamics::LinkState& s : t.state) {
    a.t.push_back(s.t);
    a.linear.push_back(s.v);
    a.angular.push_back(s.w);
  }
  return a;
}
inline void setMomenta(RandomTree& t, const Case& c) {
  for (std::size_t i = 0; i < c.P.size(); i++) t.P[i] = c.P[i];
}
inline Answer byArticulated(RandomTree& t, const Case& c) {
  setMomenta(t, c);
  dynamics::updateInertias(t.tree);
  REQUIRE(dynamics::factor(t.tree, c.E()) == -1);
  std::vector<double> z(t.nv + 1), v(t.nv + 1);
  dynamics::sweepUp(t.tree, c.g(), z.data());
  dynamics::sweepDown(t.tree, z.data(), v.data(), c.withBase);
  return collect(t, v);
}
inline Answer bySaddle(dynamics::SaddleOperator& op, RandomTree& t, const Case& c) {
  setMomenta(t, c);
  op.reserve(t.tree);
  REQUIRE(op.factor(t.tree, c.E()) == -1);
  std::vector<double> v(t.nv + 1);
  op.solve(t.tree, c.g(), v.data(), c.withBase);
  return collect(t, v);
}

// Speed that the links would have without joints: what joints hold still has only round-off of this.
inline double freeSpeed(const RandomTree& t, const Case& c) {
  double most = c.withBase ? t.base.twist.cwiseAbs().maxCoeff() : 0;
  for (std::size_t i = 0; i < c.P.size(); i++) {
    const Vec3 force = c.P[i].tail<3>(), turn = Vec3(c.P[i].head<3>()) - (t.state[i].c - t.tree.O).cross(force);
    if (t.model[i].mass > 0) most = std::max(most, force.cwiseAbs().maxCoeff() / t.model[i].mass);
    if (t.model[i].inertia.maxCoeff() > 0) most = std::max(most, turn.cwiseAbs().maxCoeff() / t.model[i].inertia.maxCoeff());
  }
  return most;
}

// Largest difference relative to the largest number of its kind, or to a ten-thousandth of the free speed if that is more.
inline double difference(const RandomTree& t, const Case& c, const Answer& a, const Answer& b) {
  const double least = 1e-4 * freeSpeed(t, c);
  double worst = 0;
  auto compare = [&](auto&& list, auto&& other) {
    double scale = least, most = 0;
    for (std::size_t i = 0; i < list.size(); i++) {
      const auto& x = list[i];
      const auto& y = other[i];
      if constexpr (std::is_same_v<std::decay_t<decltype(x)>, double>) {
        scale = std::max(scale, std::fabs(x));
        most = std::max(most, std::fabs(x - y));
        if (!std::isfinite(y)) most = kInf;
      } else {
        scale = std::max(scale, x.cwiseAbs().maxCoeff());
        most = std::max(most, (x - y).cwiseAbs().maxCoeff());
        if (!y.allFinite()) most = kInf;
      }
    }
    if (most > 0) worst = std::max(worst, most / scale);
  };
  compare(a.v, b.v);
  compare(a.t, b.t);
  compare(a.linear, b.linear);
  compare(a.angular, b.angular);
  return worst;
}

inline Mat6 inertiaAbout(const dynamics::LinkModel& m, const dynamics::LinkState& s, const Vec3& O) {
  const Mat3 c = skew(s.c - O);
  Mat6 A;
  A << s.R * m.inertia.asDiagonal() * s.R.transpose() - m.mass * c * c, m.mass * c, -m.mass * c, m.mass * Mat3::Identity();
  return A;
}

// Unknowns t (6 a link), v, and the wrench each joint gives its child (6 a link): no constraint directions, no elimination.
inline Answer byFullSystem(const RandomTree& t, const Case& c) {
  const int n = t.tree.count, size = 12 * n + t.nv, atV = 6 * n, atW = 6 * n + t.nv;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
  for (int i = 0; i < n; i++) {
    const dynamics::LinkModel& m = t.model[i];
    const dynamics::LinkState& s = t.state[i];
    K.block<6, 6>(6 * i, 6 * i) = inertiaAbout(m, s, t.tree.O);
    K.block<6, 6>(6 * i, atW + 6 * i) = -Mat6::Identity();
    b.segment<6>(6 * i) = c.P[i];
    const int link = atW + 6 * i;  // rows: child - parent - S v = 0
    K.block<6, 6>(link, 6 * i).setIdentity();
    if (m.parent >= 0) {
      K.block<6, 6>(6 * m.parent, atW + 6 * i).setIdentity();
      K.block<6, 6>(link, 6 * m.parent) = -Mat6::Identity();
    } else if (!m.velocityIsTwist && c.withBase) {
      b.segment<6>(link) = t.base.twist;
    }
    for (int k = 0; k < m.nv; k++) {
      const int axis = atV + m.vOffset + k;
      K.block<6, 1>(link, axis) = -s.S[k];
      K.block<1, 6>(axis, atW + 6 * i) = s.S[k].transpose();
      if (c.E()) K(axis, axis) = c.E()[m.vOffset + k];
      if (c.g()) b[axis] = c.g()[m.vOffset + k];
    }
  }
  const Eigen::VectorXd x = K.fullPivLu().solve(b);
  Answer a;
  for (int k = 0; k < t.nv; k++) a.v.push_back(x[atV + k]);
  for (int i = 0; i < n; i++) {
    const dynamics::LinkState& s = t.state[i];
    const Vec6 twist = x.segment<6>(6 * i);
    const Vec3 w = twist.head<3>();
    a.t.push_back(twist);
    a.linear.push_back(Vec3(twist.tail<3>()) + w.cross(s.c - t.tree.O));
    a.angular.push_back(s.R.transpose() * w);
  }
  return a;
}

struct Residuals {
  double momentum = 0, joints = 0, axes = 0;  // of each link, relative to the largest term of its own equation
};
// Of the last solve, in the bodies' own terms: about each link's centre of mass, from s.v and s.w.
inline Residuals residuals(const dynamics::SaddleOperator& op, const RandomTree& t, const Case& c, const std::vector<double>& v) {
  const int n = t.tree.count;
  std::vector<Vec6> sum(n);
  std::vector<double> scale(n, 0.0);
  auto atCentre = [&](const Vec6& aboutO, int i) {
    const Vec3 f = aboutO.tail<3>();
    return dynamics::stack(Vec3(aboutO.head<3>()) - (t.state[i].c - t.tree.O).cross(f), f);
  };
  auto add = [&](int i, const Vec6& x) {
    sum[i] += x;
    scale[i] = std::max(scale[i], x.cwiseAbs().maxCoeff());
  };
  for (Vec6& x : sum) x.setZero();
  for (int i = 0; i < n; i++) {
    const dynamics::LinkModel& m = t.model[i];
    const dynamics::LinkState& s = t.state[i];
    add(i, dynamics::stack(s.R * m.inertia.cwiseProduct(s.w), m.mass * s.v));
    add(i, -atCentre(c.P[i], i));
    const Vec6 wrench = op.jointWrench(t.tree, i);
    add(i, -atCentre(wrench, i));
    if (m.parent >= 0) add(m.parent, atCentre(wrench, m.parent));
  }
  Residuals r;
  const double least = 1e-4 * freeSpeed(t, c);
  for (int i = 0; i < n; i++) r.momentum = std::max(r.momentum, sum[i].cwiseAbs().maxCoeff() / scale[i]);
  for (int i = 0; i < n; i++) {
    const dynamics::LinkModel& m = t.model[i];
    Vec6 T[6];
    t.wrenches(i, T);
    const Vec6 parent = t.parentTwist(i, c.withBase), own = t.state[i].t;
    const Vec6 wrench = op.jointWrench(t.tree, i);
    for (int k = 0; k < 6; k++) {
      double rate = T[k].dot(own) - T[k].dot(parent);
      double size = T[k].cwiseAbs().dot(own.cwiseAbs() + parent.cwiseAbs()) + least * T[k].cwiseAbs().maxCoeff();
      const int axis = k - (6 - m.nv);
      if (axis >= 0) {  // the wrench along the axis is g - E v
        rate -= v[m.vOffset + axis];
        size += std::fabs(v[m.vOffset + axis]);
        const double E = c.E() ? c.E()[m.vOffset + axis] : 0, g = c.g() ? c.g()[m.vOffset + axis] : 0;
        const double along = t.state[i].S[axis].dot(wrench), wanted = g - E * v[m.vOffset + axis];
        const double terms =
            std::fabs(g) + E * std::fabs(v[m.vOffset + axis]) + scale[i] + t.state[i].S[axis].cwiseAbs().dot(wrench.cwiseAbs());
        r.axes = std::max(r.axes, std::fabs(along - wanted) / terms);
      }
      r.joints = std::max(r.joints, std::fabs(rate) / size);
    }
  }
  return r;
}

}  // namespace test
