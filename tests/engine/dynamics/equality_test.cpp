// The three treatments of primary joints give one operator: against each other, against an independent full system, and by residuals.
#include <Eigen/Dense>
#include <memory>
#include <numeric>

#include "engine/dynamics/saddle.hpp"
#include "tests/engine/dynamics/random_tree.hpp"

using namespace vertebra;
using test::Random;
using test::RandomTree;
using test::TreeOptions;

namespace {

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
Answer collect(const RandomTree& t, std::vector<double> v) {
  Answer a;
  v.resize(t.nv);
  a.v = v;
  for (const LinkState& s : t.state) {
    a.t.push_back(s.t);
    a.linear.push_back(s.v);
    a.angular.push_back(s.w);
  }
  return a;
}
void setMomenta(RandomTree& t, const Case& c) {
  for (std::size_t i = 0; i < c.P.size(); i++) t.state[i].P = c.P[i];
}
Answer byArticulated(RandomTree& t, const Case& c) {
  setMomenta(t, c);
  updateInertias(t.tree);
  REQUIRE(factor(t.tree, c.E()) == -1);
  std::vector<double> z(t.nv + 1), v(t.nv + 1);
  sweepUp(t.tree, c.g(), z.data());
  sweepDown(t.tree, z.data(), v.data(), c.withBase);
  return collect(t, v);
}
Answer bySaddle(SaddleOperator& op, RandomTree& t, const Case& c) {
  setMomenta(t, c);
  op.reserve(t.tree);
  REQUIRE(op.factor(t.tree, c.E()) == -1);
  std::vector<double> v(t.nv + 1);
  op.solve(t.tree, c.g(), v.data(), c.withBase);
  return collect(t, v);
}

// Speed the links would have alone: what joints hold still is held still to round-off of this.
double freeSpeed(const RandomTree& t, const Case& c) {
  double most = c.withBase ? t.tree.base.twist.cwiseAbs().maxCoeff() : 0;
  for (std::size_t i = 0; i < c.P.size(); i++) {
    const Vec3 force = c.P[i].tail<3>(), turn = Vec3(c.P[i].head<3>()) - (t.state[i].c - t.tree.O).cross(force);
    if (t.model[i].mass > 0) most = std::max(most, force.cwiseAbs().maxCoeff() / t.model[i].mass);
    if (t.model[i].inertia.maxCoeff() > 0) most = std::max(most, turn.cwiseAbs().maxCoeff() / t.model[i].inertia.maxCoeff());
  }
  return most;
}

// Largest difference relative to the largest number of its kind, or to a ten-thousandth of the free speed if that is more.
double difference(const RandomTree& t, const Case& c, const Answer& a, const Answer& b) {
  const double least = 1e-4 * freeSpeed(t, c);
  double worst = 0;
  auto compare = [&](auto&& list, auto&& other) {
    double scale = least, most = 0;
    for (std::size_t i = 0; i < list.size(); i++) {
      const auto x = list[i];
      const auto y = other[i];
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

Mat6 inertiaAbout(const LinkModel& m, const LinkState& s, const Vec3& O) {
  const Mat3 c = skew(s.c - O);
  Mat6 A;
  A << s.R * m.inertia.asDiagonal() * s.R.transpose() - m.mass * c * c, m.mass * c, -m.mass * c, m.mass * Mat3::Identity();
  return A;
}

// Unknowns t (6 a link), v, and the wrench each joint gives its child (6 a link): no constraint directions, no elimination.
Answer byFullSystem(const RandomTree& t, const Case& c) {
  const int n = t.tree.count, size = 12 * n + t.nv, atV = 6 * n, atW = 6 * n + t.nv;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
  for (int i = 0; i < n; i++) {
    const LinkModel& m = t.model[i];
    const LinkState& s = t.state[i];
    K.block<6, 6>(6 * i, 6 * i) = inertiaAbout(m, s, t.tree.O);
    K.block<6, 6>(6 * i, atW + 6 * i) = -Mat6::Identity();
    b.segment<6>(6 * i) = c.P[i];
    const int link = atW + 6 * i;  // rows: child - parent - S v = 0
    K.block<6, 6>(link, 6 * i).setIdentity();
    if (m.parent >= 0) {
      K.block<6, 6>(6 * m.parent, atW + 6 * i).setIdentity();
      K.block<6, 6>(link, 6 * m.parent) = -Mat6::Identity();
    } else if (!m.freeRoot && c.withBase) {
      b.segment<6>(link) = t.tree.base.twist;
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
    const LinkState& s = t.state[i];
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
Residuals residuals(const SaddleOperator& op, const RandomTree& t, const Case& c, const std::vector<double>& v) {
  const int n = t.tree.count;
  std::vector<Vec6> sum(n);
  std::vector<double> scale(n, 0.0);
  auto atCentre = [&](const Vec6& aboutO, int i) {
    const Vec3 f = aboutO.tail<3>();
    return stack(Vec3(aboutO.head<3>()) - (t.state[i].c - t.tree.O).cross(f), f);
  };
  auto add = [&](int i, const Vec6& x) {
    sum[i] += x;
    scale[i] = std::max(scale[i], x.cwiseAbs().maxCoeff());
  };
  for (Vec6& x : sum) x.setZero();
  for (int i = 0; i < n; i++) {
    const LinkModel& m = t.model[i];
    const LinkState& s = t.state[i];
    add(i, stack(s.R * m.inertia.cwiseProduct(s.w), m.mass * s.v));
    add(i, -atCentre(c.P[i], i));
    const Vec6 wrench = op.jointWrench(t.tree, i);
    add(i, -atCentre(wrench, i));
    if (m.parent >= 0) add(m.parent, atCentre(wrench, m.parent));
  }
  Residuals r;
  const double least = 1e-4 * freeSpeed(t, c);
  for (int i = 0; i < n; i++) r.momentum = std::max(r.momentum, sum[i].cwiseAbs().maxCoeff() / scale[i]);
  for (int i = 0; i < n; i++) {
    const LinkModel& m = t.model[i];
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
        const double terms = std::fabs(g) + E * std::fabs(v[m.vOffset + axis]) + scale[i] + t.state[i].S[axis].cwiseAbs().dot(wrench.cwiseAbs());
        r.axes = std::max(r.axes, std::fabs(along - wanted) / terms);
      }
      r.joints = std::max(r.joints, std::fabs(rate) / size);
    }
  }
  return r;
}

const int kSizes[] = {1, 2, 3, 5, 8, 13, 30, 60, 120, 200};

template <class F>
void forTrees(double massRatio, double fixedShare, F&& f) {
  Random r(17);
  for (int links : kSizes)
    for (int repeat = 0; repeat < (links <= 13 ? 16 : 4); repeat++) {
      TreeOptions o;
      o.links = links;
      o.freeRoot = repeat & 1;
      o.massRatio = massRatio;
      o.fixedShare = fixedShare;
      o.reach = repeat % 4 == 0 ? 1 : repeat % 4 == 1 ? 3 : 1 << 30;
      o.forest = repeat % 8 == 6;
      RandomTree t(r, o);
      for (int flags = 0; flags < 8; flags += links <= 13 ? 1 : 7) {
        const Case c(r, t, flags & 1, flags & 2, flags & 4);
        f(t, c);
      }
    }
}

}  // namespace

TEST_CASE("dense and sparse agree with the articulated elimination for mass ratios to 1:100") {
  const double fixedShare = GENERATE(0.0, 0.5);
  const auto dense = makeDenseOperator(), sparse = makeSparseOperator();
  double worst = 0;
  forTrees(100, fixedShare, [&](RandomTree& t, const Case& c) {
    const Answer a = byArticulated(t, c);
    const double d = difference(t, c, a, bySaddle(*dense, t, c)), s = difference(t, c, a, bySaddle(*sparse, t, c));
    INFO(t.tree.count << " links, free root " << t.model[0].freeRoot << ", E " << !c.extra.empty() << ", g " << !c.generalized.empty());
    CHECK(d < 1e-9);
    CHECK(s < 1e-9);
    worst = std::max({worst, d, s});
  });
  INFO("worst " << worst);
  CHECK(worst > 0);
  if (std::getenv("VERTEBRA_MEASURE")) WARN("largest relative difference " << worst);
}

TEST_CASE("all three agree with a full system solved without knowledge of the structure") {
  const auto dense = makeDenseOperator(), sparse = makeSparseOperator();
  Random r(5);
  double worst = 0;
  for (int repeat = 0; repeat < 60; repeat++)
    for (int type = -1; type < 8; type++) {
      TreeOptions o;
      o.links = 1 + r.below(8);
      o.freeRoot = repeat & 1;
      o.massRatio = 10;
      o.fixedShare = repeat % 3 == 0 ? 0.5 : 0;
      o.onlyType = type;
      RandomTree t(r, o);
      const Case c(r, t, repeat & 2, repeat & 4, repeat & 8);
      const Answer full = byFullSystem(t, c);
      INFO(o.links << " links of type " << type);
      for (const Answer& a : {byArticulated(t, c), bySaddle(*dense, t, c), bySaddle(*sparse, t, c)}) {
        const double d = difference(t, c, full, a);
        CHECK(d < 1e-10);
        worst = std::max(worst, d);
      }
    }
  if (std::getenv("VERTEBRA_MEASURE")) WARN("largest relative difference " << worst);
}

TEST_CASE("residuals of momentum and joints stay at round-off up to mass ratios of 1:10000") {
  const double fixedShare = GENERATE(0.0, 0.5);
  for (const bool isDense : {true, false}) {
    const auto op = isDense ? makeDenseOperator() : makeSparseOperator();
    Residuals worst;
    forTrees(1e4, fixedShare, [&](RandomTree& t, const Case& c) {
      const Answer a = bySaddle(*op, t, c);
      const Residuals r = residuals(*op, t, c, a.v);
      INFO((isDense ? "dense, " : "sparse, ") << t.tree.count << " links");
      CHECK(r.momentum <= 1e-11);
      CHECK(r.joints <= 1e-11);
      CHECK(r.axes <= 1e-11);
      worst.momentum = std::max(worst.momentum, r.momentum);
      worst.joints = std::max(worst.joints, r.joints);
      worst.axes = std::max(worst.axes, r.axes);
    });
    if (std::getenv("VERTEBRA_MEASURE")) WARN("momentum " << worst.momentum << ", joints " << worst.joints << ", axes " << worst.axes);
  }
}

TEST_CASE("the same accelerations come from forces, Coriolis terms and drives") {
  const double fixedShare = GENERATE(0.0, 0.5);
  const auto dense = makeDenseOperator(), sparse = makeSparseOperator();
  forTrees(100, fixedShare, [&](RandomTree& t, const Case& c) {
    std::vector<double> v(t.nv + 1), a(t.nv + 1), z(t.nv + 1), other(t.nv + 1);
    std::iota(v.begin(), v.end(), 1.0);
    for (double& x : v) x = sine(x);
    updateTwists(t.tree, v.data());
    updateBias(t.tree, v.data(), nullptr);
    biasForces(t.tree, Vec3(0, 0, -9.81));
    const std::vector<LinkState> before = t.state;
    updateInertias(t.tree);
    REQUIRE(factor(t.tree, c.E()) == -1);
    sweepUp(t.tree, c.g(), z.data());
    sweepDownAccelerations(t.tree, z.data(), a.data());
    for (SaddleOperator* op : {dense.get(), sparse.get()}) {
      for (int i = 0; i < t.tree.count; i++) t.state[i].P = before[i].P;
      REQUIRE(op->factor(t.tree, c.E()) == -1);
      op->solve(t.tree, c.g(), other.data(), false);
      double scale = 9.81, most = 0;
      for (int k = 0; k < t.nv; k++) {
        scale = std::max(scale, std::fabs(a[k]));
        most = std::max(most, std::fabs(a[k] - other[k]));
      }
      INFO(t.tree.count << " links");
      CHECK(most <= 1e-9 * scale);
      for (int i = 0; i < t.tree.count; i++) CHECK(t.state[i].P == before[i].P);  // forces are left as they are
    }
  });
}

TEST_CASE("links without inertia of their own, and numbers that are none, are refused by index") {
  for (const auto& op : {makeDenseOperator(), makeSparseOperator()}) {
    Random r(3);
    TreeOptions o;
    o.links = 6;
    o.onlyType = static_cast<int>(JointType::Universal);  // none is fixed to another
    RandomTree t(r, o);
    op->reserve(t.tree);
    std::vector<double> extra(t.nv + 1, 0.0);
    CHECK(op->factor(t.tree, extra.data()) == -1);
    auto refusedWith = [&](auto&& change) {
      const std::vector<LinkModel> model = t.model;
      const std::vector<LinkState> state = t.state;
      change();
      const int link = op->factor(t.tree, extra.data());
      t.model = model;
      t.state = state;
      t.tree.model = t.model.data();
      t.tree.state = t.state.data();
      return link;
    };
    CHECK(refusedWith([&] { t.model[3].mass = 0; }) == 3);
    CHECK(refusedWith([&] { t.model[2].inertia.y() = 0; }) == 2);
    CHECK(refusedWith([&] { t.model[5].mass = -1; }) == 5);
    CHECK(refusedWith([&] { t.model[4].mass = std::nan(""); }) == 4);
    CHECK(refusedWith([&] { t.model[4].inertia.z() = kInf; }) == 4);
    CHECK(refusedWith([&] { t.model[1].inertia.x() = 1e-320; }) == 1);  // its reciprocal overflows
    CHECK(refusedWith([&] { t.state[5].c.x() = std::nan(""); }) == 5);
    for (const double bad : {-1.0, std::nan(""), kInf}) {
      extra[t.model[4].vOffset] = bad;
      CHECK(op->factor(t.tree, extra.data()) == 4);
    }
    extra[t.model[4].vOffset] = 1e-320;  // too small to matter, and no row of infinite compliance
    CHECK(op->factor(t.tree, extra.data()) == -1);
  }
}

namespace {
// A chain given by types; links named in `massless` have neither mass nor moments.
std::unique_ptr<RandomTree> chainOf(Random& r, const std::vector<JointType>& types, bool freeRoot, const std::vector<int>& massless) {
  TreeOptions o;
  o.links = static_cast<int>(types.size());
  o.reach = 1;
  o.freeRoot = freeRoot;
  o.types = types;
  auto t = std::make_unique<RandomTree>(r, o);
  for (int i : massless) {
    t->model[i].mass = 0;
    t->model[i].inertia = t->model[i].inverseInertia = Vec3::Zero();
  }
  return t;
}
}  // namespace

TEST_CASE("links fixed together are one body wherever the mass is") {
  const auto F = JointType::Fixed, H = JointType::Revolute;
  struct Figure {
    std::vector<JointType> types;
    bool freeRoot;
    std::vector<int> massless;
  };
  const Figure figures[] = {
      {{F, F}, true, {0}},                    // a free massless root with all mass fixed to it
      {{F, F, F, H}, true, {0, 1}},
      {{F, F, H, F, F, H}, false, {0, 2, 3}},  // welded to the base: its own masses do not count
      {{F, F, F}, false, {0, 1, 2}},           // nothing moves
      {{H, F}, false, {0}},
      {{H, F, H, F}, false, {1, 3}},
  };
  Random r(12);
  for (const auto& op : {makeDenseOperator(), makeSparseOperator()})
    for (const Figure& f : figures)
      for (int flags = 0; flags < 8; flags++) {
        const auto t = chainOf(r, f.types, f.freeRoot, f.massless);
        const Case c(r, *t, flags & 1, flags & 2, flags & 4);
        const Answer full = byFullSystem(*t, c), own = bySaddle(*op, *t, c);
        INFO("figure " << &f - figures << ", flags " << flags);
        CHECK(difference(*t, c, full, own) < 1e-11);
        CHECK(difference(*t, c, full, byArticulated(*t, c)) < 1e-11);
      }
}

TEST_CASE("links fixed together without mass or without inertia about an axis are refused at the link that moves") {
  const auto F = JointType::Fixed, H = JointType::Revolute;
  Random r(13);
  for (const auto& op : {makeDenseOperator(), makeSparseOperator()}) {
    CHECK(op->factor(chainOf(r, {H, H, F}, false, {1, 2})->tree, nullptr) == 1);   // nothing behind it
    CHECK(op->factor(chainOf(r, {F, H, F, H}, false, {1, 2})->tree, nullptr) == 1);  // mass behind it, none of its own
    CHECK(op->factor(chainOf(r, {F, F, H}, true, {0, 1})->tree, nullptr) == 0);
    const auto line = chainOf(r, {H, F}, false, {});  // two points: no inertia about the line through both
    line->model[0].inertia = line->model[1].inertia = Vec3::Zero();
    CHECK(op->factor(line->tree, nullptr) == 0);
    const auto negative = chainOf(r, {F, F, H, F}, false, {});
    negative->model[1].mass = -1;  // though fixed to the base
    CHECK(op->factor(negative->tree, nullptr) == 1);
    negative->model[1].mass = 1;
    negative->model[3].inertia.y() = -1;
    CHECK(op->factor(negative->tree, nullptr) == 3);
  }
}

TEST_CASE("extra inertia from none to rigid passes without a jump") {
  Random r(8);
  TreeOptions o;
  o.links = 12;
  RandomTree t(r, o);
  Case c(r, t, true, true, true);
  for (const auto& op : {makeDenseOperator(), makeSparseOperator()})
    for (double E = 1e-18; E < 1e13; E *= 1e3) {
      for (double& x : c.extra) x = E;
      const Answer a = byArticulated(t, c), b = bySaddle(*op, t, c);
      INFO("E " << E);
      CHECK(difference(t, c, a, b) < 1e-9);
    }
}

TEST_CASE("an operator serves trees of any number of links one after another") {
  Random r(21);
  for (const auto& op : {makeDenseOperator(), makeSparseOperator()})
    for (const int links : {7, 2, 11, 1}) {
      TreeOptions o;
      o.links = links;
      RandomTree t(r, o);
      const Case c(r, t, false, true, true);
      setMomenta(t, c);
      REQUIRE(op->factor(t.tree, c.E()) == -1);
      std::vector<double> v(t.nv + 1);
      op->solve(t.tree, c.g(), v.data());
      const Answer own = collect(t, v);
      CHECK(difference(t, c, byArticulated(t, c), own) < 1e-9);
    }
}
