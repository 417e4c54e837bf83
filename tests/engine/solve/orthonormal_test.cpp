// Orthonormal rows against Eigen's complete orthogonal decomposition, and on loops of real linkages.
#include <Eigen/Dense>
#include <vector>

#include "engine/dynamics/tree.hpp"
#include "engine/solve/orthonormal.hpp"
#include "tests/engine/dynamics/random_tree.hpp"

using namespace vertebra;
using test::Random;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

namespace {

Rows randomRows(Random& r, int m, int n) {
  Rows x(m, n);
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++) x(i, k) = r.range(-1, 1);
  return x;
}
Vector randomVector(Random& r, int n) { return randomRows(r, n, 1).col(0); }

int build(OrthonormalRows& o, const Rows& J, const Vector& c, const double* scale = nullptr) {
  std::vector<const double*> rows;
  for (int i = 0; i < J.rows(); i++) rows.push_back(J.data() + i * J.cols());
  return o.build(rows.data(), c.data(), static_cast<int>(J.rows()), static_cast<int>(J.cols()), scale);
}
Rows basis(const OrthonormalRows& o) {
  Rows Q(o.rank(), o.dimension());
  for (int k = 0; k < o.rank(); k++)
    for (int e = 0; e < o.dimension(); e++) Q(k, e) = o.row(k)[e];
  return Q;
}

// J of a given rank with rows of very different lengths, in random order; the first rows may be combinations of others.
Rows rowsOfRank(Random& r, int m, int n, int rank) {
  Rows J = randomRows(r, m, rank) * randomRows(r, rank, n);
  for (int i = 0; i < m; i++) J.row(i) *= std::pow(10.0, r.range(-3, 3));
  return J;
}
Rows scaled(const Rows& J) {
  Rows s = J;
  for (int i = 0; i < J.rows(); i++)
    if (J.row(i).norm() > 0) s.row(i) /= J.row(i).norm();
  return s;
}
Vector scaledRight(const Rows& J, const Vector& c) {
  Vector s = c;
  for (int i = 0; i < J.rows(); i++)
    if (J.row(i).norm() > 0) s[i] /= J.row(i).norm();
  return s;
}
Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> reference(const Eigen::MatrixXd& J) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> d;
  d.setThreshold(1e-9);
  d.compute(J);
  return d;
}

template <class F>
void forSystems(F&& f) {
  Random r(2);
  OrthonormalRows o;
  o.reserve(24, 60);
  for (int repeat = 0; repeat < 300; repeat++) {
    const int n = 1 + r.below(60), m = 1 + r.below(24), rank = 1 + r.below(std::min(m, n));
    f(r, o, rowsOfRank(r, m, n, rank), rank);
  }
}

}  // namespace

TEST_CASE("rank and basis: orthonormal, and spanning the same rows") {
  forSystems([](Random& r, OrthonormalRows& o, const Rows& J, int rank) {
    REQUIRE(build(o, J, randomVector(r, static_cast<int>(J.rows()))) == rank);
    REQUIRE(reference(scaled(J)).rank() == rank);
    const Rows Q = basis(o);
    CHECK((Q * Q.transpose() - Eigen::MatrixXd::Identity(rank, rank)).cwiseAbs().maxCoeff() < 1e-13);
    const Rows s = scaled(J);
    CHECK((s - s * Q.transpose() * Q).cwiseAbs().maxCoeff() < 1e-9);
    int dependent = 0;
    for (int i = 0; i < J.rows(); i++) dependent += o.dependent(i);
    CHECK(dependent == J.rows() - rank);
  });
}

TEST_CASE("consistent rows: the projection is the nearest solution of the original rows") {
  forSystems([](Random& r, OrthonormalRows& o, const Rows& J, int) {
    const int n = static_cast<int>(J.cols());
    const Vector c = J * randomVector(r, n), z = randomVector(r, n);
    build(o, J, c);
    CHECK(o.inconsistency() < 1e-10);
    Vector p = z;
    o.project(p.data());
    const Vector nearest = z + reference(scaled(J)).solve(scaledRight(J, c - J * z));
    CHECK((p - nearest).cwiseAbs().maxCoeff() < 1e-8);
    Vector again = p;
    o.project(again.data());
    CHECK((again - p).cwiseAbs().maxCoeff() < 1e-12 * (1 + p.norm()));
  });
}

TEST_CASE("inconsistent rows are met in the least-squares sense, and said") {
  forSystems([](Random& r, OrthonormalRows& o, const Rows& J, int) {
    const int n = static_cast<int>(J.cols());
    Vector c = randomVector(r, static_cast<int>(J.rows()));
    for (int i = 0; i < c.size(); i++) c[i] *= J.row(i).norm();
    const Vector z = randomVector(r, n);
    build(o, J, Vector::Zero(c.size()));
    o.setRight(c.data());
    Vector p = z;
    o.project(p.data());
    const Rows s = scaled(J);
    const Vector nearest = z + reference(s).solve(scaledRight(J, c - J * z));
    const double size = 1 + nearest.norm();
    CHECK((p - nearest).cwiseAbs().maxCoeff() < 1e-8 * size);
    CHECK(o.inconsistency() == Approx((s * nearest - scaledRight(J, c)).cwiseAbs().maxCoeff()).margin(1e-8 * size));
  });
}

TEST_CASE("removing leaves what the rows do not feel") {
  forSystems([](Random& r, OrthonormalRows& o, const Rows& J, int) {
    const int n = static_cast<int>(J.cols());
    build(o, J, Vector::Zero(J.rows()));
    const Vector y = randomVector(r, n);
    Vector left = y;
    o.remove(left.data());
    const Eigen::MatrixXd s = scaled(J);
    CHECK((s * left).cwiseAbs().maxCoeff() < 1e-9);
    CHECK((left - (y - reference(s).solve(s * y))).cwiseAbs().maxCoeff() < 1e-8);
  });
}

TEST_CASE("multipliers of the original rows give the same push, with the least norm") {
  forSystems([](Random& r, OrthonormalRows& o, const Rows& J, int rank) {
    build(o, J, Vector::Zero(J.rows()));
    const Vector mu = randomVector(r, rank);
    const Vector push = basis(o).transpose() * mu;
    Vector lambda(J.rows());
    o.multipliers(mu.data(), lambda.data());
    const Rows s = scaled(J);
    Vector own = lambda;
    for (int i = 0; i < own.size(); i++) own[i] *= J.row(i).norm();
    const double size = 1 + own.norm();
    CHECK((s.transpose() * own - push).cwiseAbs().maxCoeff() < 1e-9 * size);
    CHECK((own - reference(s.transpose()).solve(push)).cwiseAbs().maxCoeff() < 1e-7 * size);
  });
}

TEST_CASE("nearly dependent rows stay orthonormal, and the threshold parts them") {
  Random r(6);
  OrthonormalRows o;
  for (const double apart : {1e-3, 1e-6, 1e-8, 1e-10, 1e-13}) {
    const int n = 12;
    Rows J = randomRows(r, 6, n);
    for (int i = 1; i < 6; i++) J.row(i) = J.row(0) + apart * J.row(i);
    const int rank = build(o, J, Vector::Zero(6));
    INFO(apart);
    CHECK(rank == (apart >= 1e-8 ? 6 : 1));
    const Rows Q = basis(o);
    CHECK((Q * Q.transpose() - Eigen::MatrixXd::Identity(rank, rank)).cwiseAbs().maxCoeff() < 1e-13);
  }
}

TEST_CASE("twins share a load; zero rows, rows that are no numbers and no rows at all do no harm") {
  OrthonormalRows o;
  Rows J(5, 3);
  J << 0, 2, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, std::nan(""), 1, 0;
  Vector c(5);
  c << 4, 4, 0, 1, 0;
  REQUIRE(build(o, J, c) == 2);
  CHECK(o.inconsistency() == Approx(0).margin(1e-15));
  Vector z = Vector::Zero(3);
  o.project(z.data());
  CHECK((z - Vector(Eigen::Vector3d(1, 2, 0))).norm() < 1e-15);
  const Vector push = Eigen::Vector3d(3, 8, 0), mu = basis(o) * push;
  Vector lambda(5);
  o.multipliers(mu.data(), lambda.data());
  CHECK(lambda[0] == Approx(2));
  CHECK(lambda[1] == Approx(2));
  CHECK(lambda[2] == 0);
  CHECK(lambda[3] == Approx(3));
  CHECK(lambda[4] == 0);
  c[2] = 6;  // nothing can move along a zero row: 6 relative to the longest row
  o.setRight(c.data());
  CHECK(o.inconsistency() == Approx(3));

  REQUIRE(o.build(nullptr, nullptr, 0, 3) == 0);
  o.project(z.data());
  CHECK(z[1] == 2);
}

namespace {

// Links in a plane through random space, hinged one to the next about its normal; the last is hinged to the world again.
struct PlanarLoop {
  std::vector<LinkModel> model;
  std::vector<LinkState> state;
  std::vector<double> q;
  Tree tree;

  PlanarLoop(Random& r, int links) : model(links), state(links), q(links, 0.0) {
    const Pose plane = test::randomPose(r, 1);
    for (int i = 0; i < links; i++) {
      LinkModel& m = model[i];
      m.parent = i - 1;
      m.mass = r.range(0.5, 2);
      m.inertia = Vec3(0.01, 0.02, 0.025) * m.mass;
      m.inverseInertia = m.inertia.cwiseInverse();
      const double length = r.range(0.5, 1);
      setJoint(m, JointType::Revolute, i == 0 ? plane : Pose{Vec3(0.5 * length, 0, 0), Quat::Identity()}, {Vec3(-0.5 * length, 0, 0), Quat::Identity()},
               Vec3::UnitZ(), Vec3::UnitX());
      m.qOffset = m.vOffset = i;
      q[i] = r.range(0.4, 1.2);
    }
    tree.model = model.data();
    tree.state = state.data();
    tree.count = links;
    tree.O = plane.p;
    updatePoses(tree, q.data());
    updateSubspaces(tree);
    updateInertias(tree);
    REQUIRE(factor(tree, nullptr) == -1);
  }
  // Rows of the closing hinge in whitened coordinates: its five wrenches on the last link.
  Rows closingRows() {
    LinkState tip = state.back();
    tip.anchor = tip.c + tip.R * Vec3(0.4, 0, 0);
    Vec6 T[6];
    RevoluteJoint::constraints(model.back(), BodyPose{}, tree.O, tip, T);
    Rows J = Rows::Zero(5, tree.count);
    for (int k = 0; k < 5; k++) {
      Vec6 P = T[k];
      for (int i = tree.count - 1; i >= 0; i--) passUp(model[i], state[i], P, &J(k, i));
    }
    return J;
  }
};

}  // namespace

TEST_CASE("a planar linkage closed by a spatial hinge has two rows that count, not five") {
  Random r(14);
  OrthonormalRows o;
  for (int repeat = 0; repeat < 200; repeat++) {
    PlanarLoop loop(r, 3 + r.below(10));
    const Rows J = loop.closingRows();
    REQUIRE(build(o, J, Vector::Zero(5)) == 2);
    const std::vector<double> scale(5, 1.0);
    REQUIRE(build(o, J, Vector::Zero(5), scale.data()) == 2);
    // The out-of-plane rows alone are round-off: only their scale tells.
    REQUIRE(build(o, J.topRows(2), Vector::Zero(2), scale.data()) == 0);
  }
}

TEST_CASE("closing a four-bar loop leaves one motion, along which the closing point stands still") {
  Random r(15);
  OrthonormalRows o;
  for (int repeat = 0; repeat < 50; repeat++) {
    PlanarLoop loop(r, 3);
    const Rows J = loop.closingRows();
    REQUIRE(build(o, J, Vector::Zero(5)) == 2);
    Vector z = randomVector(r, 3), v(3);
    o.project(z.data());
    REQUIRE(z.norm() > 0);
    sweepDown(loop.tree, z.data(), v.data());
    const LinkState& tip = loop.state.back();
    const Vec3 point = tip.v + (tip.R * tip.w).cross(tip.R * Vec3(0.4, 0, 0));
    CHECK(point.norm() < 1e-13 * (1 + v.norm()));
  }
}
