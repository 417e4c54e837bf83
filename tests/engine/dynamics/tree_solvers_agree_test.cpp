// The three tree solvers realise one operator: against each other, against an independent full system, and by residuals.
#include <memory>
#include <numeric>

#include "tests/engine/dynamics/tree_solvers_agree.hpp"

using namespace test;

namespace {

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
  const auto dense = dynamics::makeDenseOperator(), sparse = dynamics::makeSparseOperator();
  double worst = 0;
  forTrees(100, fixedShare, [&](RandomTree& t, const Case& c) {
    const Answer a = byArticulated(t, c);
    const double d = difference(t, c, a, bySaddle(*dense, t, c)), s = difference(t, c, a, bySaddle(*sparse, t, c));
    INFO(t.tree.count << " links, free root " << t.model[0].velocityIsTwist << ", E " << !c.extra.empty() << ", g "
                      << !c.generalized.empty());
    CHECK(d < 1e-9);
    CHECK(s < 1e-9);
    worst = std::max({worst, d, s});
  });
  INFO("worst " << worst);
  CHECK(worst > 0);
  if (std::getenv("VERTEBRA_MEASURE")) WARN("largest relative difference " << worst);
}

TEST_CASE("all three agree with a full system solved without knowledge of the structure") {
  const auto dense = dynamics::makeDenseOperator(), sparse = dynamics::makeSparseOperator();
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
    const auto op = isDense ? dynamics::makeDenseOperator() : dynamics::makeSparseOperator();
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
  const auto dense = dynamics::makeDenseOperator(), sparse = dynamics::makeSparseOperator();
  forTrees(100, fixedShare, [&](RandomTree& t, const Case& c) {
    std::vector<double> v(t.nv + 1), a(t.nv + 1), z(t.nv + 1), other(t.nv + 1);
    std::iota(v.begin(), v.end(), 1.0);
    for (double& x : v) x = sine(x);
    dynamics::updateTwists(t.tree, v.data());
    dynamics::biasForces(t.tree, t.q.data(), v.data(), nullptr, Vec3(0, 0, -9.81));
    const std::vector<Vec6> before = t.P;
    dynamics::updateInertias(t.tree);
    REQUIRE(dynamics::factor(t.tree, c.E()) == -1);
    dynamics::sweepUp(t.tree, c.g(), z.data());
    dynamics::sweepDownAccelerations(t.tree, z.data(), a.data());
    for (dynamics::SaddleOperator* op : {dense.get(), sparse.get()}) {
      for (int i = 0; i < t.tree.count; i++) t.P[i] = before[i];
      REQUIRE(op->factor(t.tree, c.E()) == -1);
      op->solve(t.tree, c.g(), other.data(), false);
      double scale = 9.81, most = 0;
      for (int k = 0; k < t.nv; k++) {
        scale = std::max(scale, std::fabs(a[k]));
        most = std::max(most, std::fabs(a[k] - other[k]));
      }
      INFO(t.tree.count << " links");
      CHECK(most <= 1e-9 * scale);
      for (int i = 0; i < t.tree.count; i++) CHECK(t.P[i] == before[i]);  // forces are unchanged
    }
  });
}

TEST_CASE("links without inertia in their subtree, and numbers that are not finite, are refused by index") {
  for (const auto& op : {dynamics::makeDenseOperator(), dynamics::makeSparseOperator()}) {
    Random r(3);
    TreeOptions o;
    o.links = 6;
    o.onlyType = static_cast<int>(dynamics::JointType::Universal);  // none is fixed to another
    RandomTree t(r, o);
    op->reserve(t.tree);
    std::vector<double> extra(t.nv + 1, 0.0);
    CHECK(op->factor(t.tree, extra.data()) == -1);
    auto refusedWith = [&](auto&& change) {
      const std::vector<dynamics::LinkModel> model = t.model;
      const std::vector<dynamics::LinkState> state = t.state;
      change();
      const int link = op->factor(t.tree, extra.data());
      t.model = model;
      t.state = state;
      t.tree.model = t.model.data();
      t.tree.state = t.state.data();
      return link;
    };
    CHECK(refusedWith([&] {
            t.model[5].mass = 0;
            t.model[5].inertia.setZero();
          }) == 5);
    CHECK(refusedWith([&] { t.model[5].mass = -1; }) == 5);
    CHECK(refusedWith([&] { t.model[4].mass = std::nan(""); }) == 4);
    CHECK(refusedWith([&] { t.model[4].inertia.z() = kInf; }) == 4);
    CHECK(refusedWith([&] { t.model[5].inertia.x() = 1e-320; }) == -1);  // its reciprocal overflows
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
std::unique_ptr<RandomTree> chainOf(Random& r, const std::vector<dynamics::JointType>& types, bool freeRoot,
                                    const std::vector<int>& massless) {
  TreeOptions o;
  o.links = static_cast<int>(types.size());
  o.reach = 1;
  o.freeRoot = freeRoot;
  o.types = types;
  auto t = std::make_unique<RandomTree>(r, o);
  for (int i : massless) {
    t->model[i].mass = 0;
    dynamics::setInertia(t->model[i], t->model[i].mass, Vec3::Zero());
  }
  return t;
}
}  // namespace

TEST_CASE("links fixed together are one body wherever the mass is") {
  const auto F = dynamics::JointType::Fixed, H = dynamics::JointType::Revolute;
  struct Figure {
    std::vector<dynamics::JointType> types;
    bool freeRoot;
    std::vector<int> massless;
  };
  const Figure figures[] = {
      {{F, F}, true, {0}},                                                    // a free massless root with all mass fixed to it
      {{F, F, F, H}, true, {0, 1}},  {{F, F, H, F, F, H}, false, {0, 2, 3}},  // welded to the base: its own masses do not count
      {{F, F, F}, false, {0, 1, 2}},                                          // nothing moves
      {{H, F}, false, {0}},          {{H, F, H, F}, false, {1, 3}},
  };
  Random r(12);
  for (const auto& op : {dynamics::makeDenseOperator(), dynamics::makeSparseOperator()})
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

TEST_CASE("links fixed together without inertia in their subtree are refused at the link that moves, as articulated elimination does") {
  const auto F = dynamics::JointType::Fixed, H = dynamics::JointType::Revolute;
  Random r(13);
  for (const auto& op : {dynamics::makeDenseOperator(), dynamics::makeSparseOperator()}) {
    auto refused = [&](std::unique_ptr<RandomTree> t) {
      dynamics::updateInertias(t->tree);
      const int link = op->factor(t->tree, nullptr);
      CHECK(dynamics::factor(t->tree, nullptr) == link);
      return link;
    };
    CHECK(refused(chainOf(r, {H, H, F}, false, {1, 2})) == 1);        // nothing in its subtree
    CHECK(refused(chainOf(r, {H, H, H, H}, false, {1, 2, 3})) == 3);  // the first from the leaves
    CHECK(refused(chainOf(r, {F, H, F, H}, false, {1, 2})) == -1);    // mass in its subtree, none of its own
    CHECK(refused(chainOf(r, {F, F, H}, true, {0, 1})) == 0);         // a hinge contributes no inertia about its own axis
    auto line = chainOf(r, {H, F}, false, {});  // two points: no inertia about the line through both, which is not the hinge's
    line->model[0].inertia = line->model[1].inertia = Vec3::Zero();
    CHECK(refused(std::move(line)) == -1);
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
  for (const auto& op : {dynamics::makeDenseOperator(), dynamics::makeSparseOperator()})
    for (double E = 1e-18; E < 1e13; E *= 1e3) {
      for (double& x : c.extra) x = E;
      const Answer a = byArticulated(t, c), b = bySaddle(*op, t, c);
      INFO("E " << E);
      CHECK(difference(t, c, a, b) < 1e-9);
    }
}

TEST_CASE("an operator serves trees of any number of links one after another") {
  Random r(21);
  for (const auto& op : {dynamics::makeDenseOperator(), dynamics::makeSparseOperator()})
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
