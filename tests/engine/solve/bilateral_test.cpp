// Bilateral rows in a metric against Eigen's complete orthogonal decomposition, with y = r and with r = M^-1 y, and on loops of real
// linkages. References are computed in coordinates whitened by a Cholesky factor of M, where the metric is the identity.
#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "engine/dynamics/link_recursions.hpp"
#include "engine/solve/bilateral.hpp"
#include "tests/engine/dynamics/random_tree.hpp"

using namespace vertebra;
using test::Random;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

namespace {

Rows randomRows(Random& r, int m, int n) {
  Rows x(m, n);
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++) x(i, k) = r.range(-1, 1);
  return x;
}
Vector randomVector(Random& r, int n) { return randomRows(r, n, 1).col(0); }

// J of a given rank with rows of different lengths, in random order.
Rows rowsOfRank(Random& r, int m, int n, int rank) {
  Rows J = randomRows(r, m, rank) * randomRows(r, rank, n);
  for (int i = 0; i < m; i++) J.row(i) *= std::pow(10.0, r.range(-2, 2));
  return J;
}
Eigen::CompleteOrthogonalDecomposition<Matrix> reference(const Matrix& J) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> d;
  d.setThreshold(1e-9);
  d.compute(J);
  return d;
}

// J x = c in the metric of M = L L^T; white = J L^-T has rows of length one after scaling.
struct System {
  Rows J;
  Matrix L, inverse;  // inverse of M
  bool metric;
  Vector length;  // of rows, in the metric
  Rows white;     // scaled

  System(const Rows& rows, const Matrix& M, bool withMetric) : J(rows), L(M.llt().matrixL()), inverse(M.inverse()), metric(withMetric) {
    white = L.triangularView<Eigen::Lower>().solve(Matrix(J.transpose())).transpose();
    length = white.rowwise().norm();
    for (int i = 0; i < J.rows(); i++)
      if (length[i] > 0) white.row(i) /= length[i];
  }
  void build(solve::BilateralRows& b, const Vector& c) const {
    b.begin(static_cast<int>(J.cols()));
    for (int i = 0; i < J.rows(); i++) {
      const int row = b.add(c[i]);
      const Vector y = J.row(i), r = metric ? Vector(inverse * y) : y;
      for (int k = 0; k < y.size(); k++) b.y(row)[k] = y[k], b.r(row)[k] = r[k];
    }
    b.build(!metric);
  }
  // The x nearest to `from` (in the metric) that meets the scaled rows in the least-squares sense.
  Vector nearest(const Vector& from, const Vector& c) const {
    const Vector left = (c - J * from).cwiseQuotient(length);
    const Vector step = reference(white).solve(left);
    return from + L.transpose().triangularView<Eigen::Upper>().solve(step);
  }
};

template <class F>
void forSystems(F&& f) {
  Random r(2);
  solve::BilateralRows b;
  b.reserve(24, 40);
  for (int repeat = 0; repeat < 300; repeat++) {
    const int n = 1 + r.below(40), m = 1 + r.below(24), rank = 1 + r.below(std::min(m, n));
    const Rows J = rowsOfRank(r, m, n, rank);
    const bool metric = repeat % 2;
    Matrix M = Matrix::Identity(n, n);
    if (metric) {
      const Matrix g = randomRows(r, n, n);
      M += g * g.transpose();
    }
    const System s(J, M, metric);
    INFO(repeat << " rows " << m << " of rank " << rank << " in " << n << (metric ? " metric" : ""));
    f(r, b, s, rank);
  }
}

}  // namespace

TEST_CASE("rank and basis: orthonormal in the metric, consistent targets met by the nearest x") {
  forSystems([](Random& r, solve::BilateralRows& b, const System& s, int rank) {
    const int n = static_cast<int>(s.J.cols());
    const Vector c = s.J * randomVector(r, n), from = randomVector(r, n);
    s.build(b, c);
    REQUIRE(b.rank() == rank);
    for (int i = 0; i < rank; i++)
      for (int j = 0; j < rank; j++) {
        double product = 0;
        for (int k = 0; k < n; k++) product += b.y(i)[k] * b.r(j)[k];
        REQUIRE(product == Approx(i == j).margin(1e-11));
      }
    CHECK(b.inconsistency() < 1e-8);
    Vector x = from;
    b.project(x.data());
    CHECK((x - s.nearest(from, c)).cwiseAbs().maxCoeff() < 1e-7);
    // Impulses of the original rows explain the motion.
    Vector lambda(s.J.rows());
    b.multipliers(lambda.data());
    const Vector push = s.metric ? Vector(s.inverse * (s.J.transpose() * lambda)) : Vector(s.J.transpose() * lambda);
    CHECK((x - from - push).cwiseAbs().maxCoeff() < 1e-7);
  });
}

TEST_CASE("rows between two of many bodies: orthonormal where they overlap, redundant ones found") {
  Random r(7);
  solve::BilateralRows b;
  constexpr int kBodies = 12, kPiece = 6, kSize = kBodies * kPiece;
  b.reserve(60, kSize);
  for (int repeat = 0; repeat < 60; repeat++) {
    const int own = 10 + r.below(40), repeated = r.below(8);
    Rows J = Rows::Zero(own + repeated, kSize);
    for (int i = 0; i < own; i++)
      for (int side = 0; side < 2; side++) J.block(i, kPiece * r.below(kBodies), 1, kPiece) = randomRows(r, 1, kPiece);
    for (int i = own; i < own + repeated; i++) J.row(i) = r.range(-2, 2) * J.row(r.below(own)) + r.range(0.5, 2) * J.row(r.below(own));
    const bool metric = repeat % 2;
    Matrix M = Matrix::Identity(kSize, kSize);
    for (int body = 0; metric && body < kBodies; body++) {
      const Matrix g = randomRows(r, kPiece, kPiece);
      M.block(kPiece * body, kPiece * body, kPiece, kPiece) += g * g.transpose();
    }
    const System s(J, M, metric);
    const Vector c = s.J * randomVector(r, kSize), from = randomVector(r, kSize);
    s.build(b, c);
    INFO(repeat << " rows " << own << " and " << repeated << (metric ? " metric" : ""));
    CHECK(b.rank() == reference(s.white).rank());
    for (int i = 0; i < b.rank(); i++)
      for (int j = 0; j < b.rank(); j++) {
        double product = 0;
        for (int k = 0; k < kSize; k++) product += b.y(i)[k] * b.r(j)[k];
        REQUIRE(product == Approx(i == j).margin(1e-11));
      }
    Vector x = from, lambda(s.J.rows());
    b.project(x.data());
    CHECK((x - s.nearest(from, c)).cwiseAbs().maxCoeff() < 1e-7);
    b.multipliers(lambda.data());
    CHECK((x - from - s.inverse * (s.J.transpose() * lambda)).cwiseAbs().maxCoeff() < 1e-7);
  }
}

TEST_CASE("redundant rows that disagree are met in the least-squares sense, and said") {
  forSystems([](Random& r, solve::BilateralRows& b, const System& s, int) {
    Vector c = randomVector(r, static_cast<int>(s.J.rows())).cwiseProduct(s.length);
    const Vector from = randomVector(r, static_cast<int>(s.J.cols()));
    s.build(b, c);
    Vector x = from;
    b.project(x.data());
    const Vector nearest = s.nearest(from, c);
    const double size = 1 + nearest.norm();
    CHECK((x - nearest).cwiseAbs().maxCoeff() < 1e-6 * size);
    CHECK(b.inconsistency() == Approx((s.J * nearest - c).cwiseAbs().maxCoeff()).margin(1e-5 * size * s.length.maxCoeff()));
  });
}

TEST_CASE("another row without its bilateral part: its impulse does not act on loops, and it reads the same velocity") {
  forSystems([](Random& r, solve::BilateralRows& b, const System& s, int rank) {
    const int n = static_cast<int>(s.J.cols());
    const Vector c = s.J * randomVector(r, n), y = randomVector(r, n);
    s.build(b, c);
    Vector x = randomVector(r, n);
    b.project(x.data());
    Vector row = y, response = s.metric ? Vector(s.inverse * y) : y, shares(rank);
    const double sure = b.removeFrom(row.data(), s.metric ? response.data() : row.data(), !s.metric, shares.data());
    if (!s.metric) response = row;
    CHECK(row.dot(x) + sure == Approx(y.dot(x)).margin(1e-7 * (1 + x.norm())));
    CHECK((s.J * response).cwiseQuotient(s.length).cwiseAbs().maxCoeff() < 1e-8);
    // A row that the loops imply altogether has no direction left in which to push.
    Vector own = s.J.transpose() * randomVector(r, static_cast<int>(s.J.rows())), ownResponse = s.metric ? Vector(s.inverse * own) : own;
    const double value = own.dot(x);
    const double all = b.removeFrom(own.data(), s.metric ? ownResponse.data() : own.data(), !s.metric, shares.data());
    CHECK(own.norm() == 0);
    CHECK(all == Approx(value).margin(1e-6 * (1 + std::fabs(value))));
  });
}

TEST_CASE("nearly dependent rows stay orthonormal, and the threshold parts them") {
  Random r(6);
  solve::BilateralRows b;
  for (const double apart : {1e-3, 1e-6, 1e-10, 1e-13}) {
    const int n = 12;
    Rows J = randomRows(r, 6, n);
    for (int i = 1; i < 6; i++) J.row(i) = J.row(0) + apart * J.row(i);
    const System s(J, Matrix::Identity(n, n), false);
    s.build(b, Vector::Zero(6));
    INFO(apart);
    CHECK(b.rank() == (apart >= 1e-6 ? 6 : 1));
    for (int i = 0; i < b.rank(); i++)
      for (int j = 0; j < b.rank(); j++)
        CHECK(Eigen::Map<Vector>(b.y(i), n).dot(Eigen::Map<Vector>(b.y(j), n)) == Approx(i == j).margin(1e-11));
  }
}

TEST_CASE("zero rows, rows that are round-off, rows that are no numbers and no rows at all do no harm") {
  solve::BilateralRows b;
  Rows J(6, 3);
  J << 0, 2, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, std::nan(""), 1, 0, 0, 0, 1e-14;
  Vector c(6);
  c << 4, 4, 0, 1, 0, 1;
  const System s(J, Matrix::Identity(3, 3), false);
  s.build(b, c);
  REQUIRE(b.rank() == 2);
  CHECK(b.inconsistency() == Approx(1));
  Vector x = Vector::Zero(3);
  b.project(x.data());
  CHECK((x - Vector(Vec3(1, 2, 0))).norm() < 1e-14);
  b.begin(3);
  b.build();
  CHECK(b.rank() == 0);
  b.project(x.data());
  CHECK(x[1] == Approx(2));
}

namespace {

// Links in a random plane in space, each hinged to the next about its normal; the last is hinged to the world again.
struct PlanarLoop {
  std::vector<dynamics::LinkModel> model;
  dynamics::JointFrameList frames;
  std::vector<dynamics::LinkState> state;
  std::vector<Mat6> inertia;
  std::vector<double> columns, q;
  dynamics::Tree tree;

  PlanarLoop(Random& r, int links) : model(links), state(links), inertia(links), columns(14 * links), q(links, 0.0) {
    const Pose plane = test::randomPose(r, 1);
    for (int i = 0; i < links; i++) {
      dynamics::LinkModel& m = model[i];
      m.parent = i - 1;
      const double mass = r.range(0.5, 2);
      dynamics::setInertia(m, mass, mass * Vec3(0.01, 0.02, 0.025));
      const double length = r.range(0.5, 1);
      const Pose inParent = i == 0 ? plane : Pose{Vec3(0.5 * length, 0, 0), Quat::Identity()};
      const Pose inChild{Vec3(-0.5 * length, 0, 0), Quat::Identity()};
      dynamics::keepFrames(m, dynamics::setJoint(m, {dynamics::JointType::Revolute, Vec3::UnitZ()}, inParent, inChild), frames);
      m.qOffset = m.vOffset = i;
      q[i] = r.range(0.4, 1.2);
    }
    dynamics::attachColumns(model.data(), state.data(), model.size(), columns.data());
    tree.model = model.data();
    tree.state = state.data();
    tree.inertia = inertia.data();
    tree.count = links;
    tree.O = plane.p;
    dynamics::updatePoses(tree, q.data());
    dynamics::updateSubspaces(tree);
    dynamics::updateInertias(tree);
    REQUIRE(dynamics::factor(tree, nullptr) == -1);
  }
  // Rows of the closing hinge in whitened coordinates: its five wrenches on the last link.
  Rows closingRows() {
    dynamics::LinkState tip = state.back();
    tip.anchor = tip.c + tip.R * Vec3(0.4, 0, 0);
    Vec6 T[6];
    dynamics::RevoluteJoint::constraints(model.back(), dynamics::BodyPose{}, tree.O, tip, T);
    Rows J = Rows::Zero(5, tree.count);
    for (int k = 0; k < 5; k++) {
      Vec6 P = T[k];
      for (int i = tree.count - 1; i >= 0; i--) {
        double part[6] = {};
        dynamics::passUp<1>(model[i], state[i], &P, part, 6);
        J(k, i) = part[0];
      }
    }
    return J;
  }
};

}  // namespace

TEST_CASE("a planar linkage closed by a spatial hinge has two rows that count, not five, and keeps its motion") {
  Random r(14);
  solve::BilateralRows b;
  for (int repeat = 0; repeat < 200; repeat++) {
    const int links = 3 + r.below(10);
    PlanarLoop loop(r, links);
    const Rows J = loop.closingRows();
    const System s(J, Matrix::Identity(links, links), false);
    s.build(b, Vector::Zero(5));
    REQUIRE(b.rank() == 2);
    Vector z = randomVector(r, links), v(links);
    b.project(z.data());
    REQUIRE(z.norm() > 0);
    dynamics::sweepDown(loop.tree, z.data(), v.data());
    const dynamics::LinkState& tip = loop.state.back();
    const Vec3 point = tip.v + (tip.R * tip.w).cross(tip.R * Vec3(0.4, 0, 0));
    CHECK(point.norm() < 1e-12 * (1 + v.norm()));
  }
}
