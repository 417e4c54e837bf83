// FigureWorkspace on random skeletons with every type of joint, against finite differences, sums over links and d'Alembert's principle.
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "engine/figure/figure_model.hpp"
#include "tests/engine/figure/random_skeleton.hpp"

using namespace vertebra;
using namespace test;

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
const Vec3 kGravity(0.3, -0.7, -9.81);

struct Case {
  std::shared_ptr<figure::Skeleton> skeleton;
  std::shared_ptr<const figure::FigureModel> model;
  figure::FigureWorkspace work;
  std::vector<double> q, v, a;
  Case(std::uint64_t seed, figure::BaseKind base, RandomSkeletonOptions options = {})
      : skeleton(randomSkeleton(seed, options)), model(figure::makeFigureModel(skeleton, base)), work(model) {
    Random r(seed + 1000);
    q = randomCoordinates(r, model->coordinates);
    v = randomValues(r, model->nv());
    a = randomValues(r, model->nv(), 5);
  }
  int nv() const { return model->nv(); }
  std::vector<Pose> poses(const std::vector<double>& at) {
    const Pose* p = work.poses(at.data());
    return {p, p + skeleton->links.size()};
  }
  std::vector<Vec6> twists(const std::vector<double>& at, const std::vector<double>& rate) {
    const Vec6* t = work.twists(at.data(), rate.data());
    return {t, t + skeleton->links.size()};
  }
  // On a path with velocity v and acceleration a at t = 0; exact to t^3 in q.
  std::vector<double> q_at(double t) {
    std::vector<double> mean(nv()), out(model->nq());
    for (int k = 0; k < nv(); k++) mean[k] = v[k] + 0.5 * t * a[k];
    figure::integrate(model->coordinates, q.data(), mean.data(), t, out.data());
    return out;
  }
  std::vector<double> v_at(double t) {
    std::vector<double> out(nv());
    for (int k = 0; k < nv(); k++) out[k] = v[k] + t * a[k];
    return out;
  }
  Matrix massMatrix() {
    Matrix M(nv(), nv());
    work.massMatrix(q.data(), M.data());
    return M;
  }
};

template <class F>
void everyCase(F f) {
  for (const bool mimic : {false, true})
    for (std::uint64_t seed = 1; seed <= 12; seed++)
      for (const figure::BaseKind base : {figure::BaseKind::Fixed, figure::BaseKind::Floating}) {
        INFO("seed " << seed << ", floating " << (base == figure::BaseKind::Floating) << ", mimic " << mimic);
        RandomSkeletonOptions options;
        options.links = 10 + static_cast<int>(seed) * 2;
        options.mimic = mimic;
        Case c(seed, base, options);
        REQUIRE(figure::checkSkeleton(*c.skeleton) == "");
        REQUIRE(c.model->coordinates.follows == mimic);
        f(c);
      }
}

Vector map(const std::vector<double>& x) { return Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size())); }
template <class A, class B>
double relativeError(const A& a, const B& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}

}  // namespace

TEST_CASE("Twists are the rates of poses") {
  everyCase([](Case& c) {
    const double h = 1e-3;
    const auto twists = c.twists(c.q, c.v);
    std::fill(c.a.begin(), c.a.end(), 0.0);
    const auto p1 = c.poses(c.q_at(h)), m1 = c.poses(c.q_at(-h)), p2 = c.poses(c.q_at(2 * h)), m2 = c.poses(c.q_at(-2 * h));
    for (std::size_t l = 0; l < twists.size(); l++) {
      const Vec3 linear = (8 * (p1[l].p - m1[l].p) - (p2[l].p - m2[l].p)) / (12 * h);
      const Vec3 angular = (8 * quatLog(p1[l].q * m1[l].q.conjugate()) - quatLog(p2[l].q * m2[l].q.conjugate())) / (12 * h);
      REQUIRE(relativeError(linear, twists[l].head<3>()) < 1e-8);
      REQUIRE(relativeError(angular, twists[l].tail<3>()) < 1e-8);
    }
  });
}

TEST_CASE("Jacobian times velocity is the twist of the point") {
  everyCase([](Case& c) {
    Random r(7);
    const auto poses = c.poses(c.q);
    const auto twists = c.twists(c.q, c.v);
    for (int l = 0; l < static_cast<int>(twists.size()); l++) {
      const Vec3 point = randomVector(r, 0.5);
      Matrix J(6, c.nv());
      c.work.jacobian(c.q.data(), l, point, J.data());
      const Vector expected = J * map(c.v);
      const Vec3 w = twists[l].tail<3>();
      REQUIRE(relativeError(Vec3(expected.head<3>()), Vec3(twists[l].head<3>()) + w.cross(poses[l].q * point)) < 1e-12);
      REQUIRE(relativeError(Vec3(expected.tail<3>()), w) < 1e-12);
    }
  });
}

TEST_CASE("Inverse dynamics is d'Alembert's principle over the links") {
  everyCase([](Case& c) {
    const int n = c.nv();
    const double h = 2e-3;
    const auto p0 = c.poses(c.q);
    const auto t0 = c.twists(c.q, c.v);
    const auto tp = c.twists(c.q_at(h), c.v_at(h)), tm = c.twists(c.q_at(-h), c.v_at(-h));
    const auto tp2 = c.twists(c.q_at(h / 2), c.v_at(h / 2)), tm2 = c.twists(c.q_at(-h / 2), c.v_at(-h / 2));
    Vector expected = Vector::Zero(n);
    for (int l = 0; l < static_cast<int>(p0.size()); l++) {
      const figure::LinkDescription& link = c.skeleton->links[l];
      // Acceleration of the link frame's origin and angular acceleration, by Richardson's extrapolation of central differences.
      const Vec6 rate = (4 * (tp2[l] - tm2[l]) / h - (tp[l] - tm[l]) / (2 * h)) / 3;
      const Vec3 w = t0[l].tail<3>(), angular = rate.tail<3>(), d = p0[l].q * link.com;
      const Vec3 atCom = Vec3(rate.head<3>()) + angular.cross(d) + w.cross(w.cross(d));
      const Mat3 R = p0[l].q.toRotationMatrix(), inertia = R * link.inertia * R.transpose();
      Vector wrench(6);
      wrench << link.mass * (atCom - kGravity), inertia * angular + w.cross(inertia * w);
      Matrix J(6, n);
      c.work.jacobian(c.q.data(), l, link.com, J.data());
      expected += J.transpose() * wrench;
    }
    for (std::size_t j = 0; j < c.skeleton->joints.size(); j++) {  // the rotors
      const figure::CoordinatePart* part =
          c.model->coordinates.partOfJoint[j] < 0 ? nullptr : &c.model->coordinates.parts[c.model->coordinates.partOfJoint[j]];
      if (!part) continue;
      const int column = c.model->coordinates.column[part->treeV];
      if (column < 0) continue;
      const double factor = c.model->coordinates.factor[part->treeV];
      expected[column] += factor * factor * c.skeleton->joints[j].axes[0].armature * c.a[column];
    }
    Vector tau(n);
    c.work.inverse(c.q.data(), c.v.data(), c.a.data(), kGravity, tau.data());
    REQUIRE(relativeError(tau, expected) < 2e-7);
  });
}

TEST_CASE("Mass matrix: symmetric, positive, inverse dynamics column by column; bias and gravity are its affine parts") {
  everyCase([](Case& c) {
    const int n = c.nv();
    const Matrix M = c.massMatrix();
    REQUIRE(relativeError(M, M.transpose()) < 1e-15);
    REQUIRE(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues().minCoeff() > 0);
    const Vector zero = Vector::Zero(n);
    for (int k = 0; k < n; k++) {
      const Vector unit = Vector::Unit(n, k);
      Vector column(n);
      c.work.inverse(c.q.data(), zero.data(), unit.data(), Vec3::Zero(), column.data());
      REQUIRE(relativeError(column, M.col(k)) < 1e-13);
    }
    Vector bias(n), gravity(n), tau(n), still(n);
    c.work.bias(c.q.data(), c.v.data(), kGravity, bias.data());
    c.work.inverse(c.q.data(), c.v.data(), c.a.data(), kGravity, tau.data());
    REQUIRE(relativeError(tau, M * map(c.a) + bias) < 1e-12);
    c.work.gravity(c.q.data(), kGravity, gravity.data());
    c.work.bias(c.q.data(), zero.data(), kGravity, still.data());
    REQUIRE(relativeError(gravity, still) < 1e-13);
  });
}

TEST_CASE("Forward dynamics undoes inverse dynamics") {
  everyCase([](Case& c) {
    Vector tau(c.nv()), a(c.nv());
    c.work.inverse(c.q.data(), c.v.data(), c.a.data(), kGravity, tau.data());
    REQUIRE(c.work.forward(c.q.data(), c.v.data(), tau.data(), kGravity, a.data()) == -1);
    REQUIRE(relativeError(a, map(c.a)) < 1e-9);
  });
}

TEST_CASE("Centre of mass, momentum and energies are sums over links") {
  everyCase([](Case& c) {
    const auto poses = c.poses(c.q);
    const auto twists = c.twists(c.q, c.v);
    double mass = 0, kinetic = 0, potential = 0;
    Vec3 moment = Vec3::Zero(), linear = Vec3::Zero(), angular = Vec3::Zero();
    for (std::size_t l = 0; l < poses.size(); l++) {
      const figure::LinkDescription& link = c.skeleton->links[l];
      const Vec3 x = poses[l] * link.com, w = twists[l].tail<3>(), v = Vec3(twists[l].head<3>()) + w.cross(poses[l].q * link.com);
      const Mat3 R = poses[l].q.toRotationMatrix(), inertia = R * link.inertia * R.transpose();
      mass += link.mass;
      moment += link.mass * x;
      linear += link.mass * v;
      angular += inertia * w + link.mass * x.cross(v);
      kinetic += 0.5 * link.mass * v.squaredNorm() + 0.5 * w.dot(inertia * w);
      potential -= link.mass * kGravity.dot(x);
    }
    angular -= (moment / mass).cross(linear);
    const Matrix M = c.massMatrix();
    double rotors = 0;
    for (int i = 0; i < c.model->coordinates.treeNv; i++)
      if (c.model->coordinates.column[i] >= 0)
        rotors += 0.5 * c.model->armature[i] * std::pow(c.model->coordinates.factor[i] * c.v[c.model->coordinates.column[i]], 2);
    Vec3 com, comVelocity, p, l;
    REQUIRE(c.work.centerOfMass(c.q.data(), c.v.data(), com, &comVelocity));
    REQUIRE(relativeError(com, moment / mass) < 1e-13);
    REQUIRE(relativeError(comVelocity, linear / mass) < 1e-13);
    c.work.momentum(c.q.data(), c.v.data(), p, l);
    REQUIRE(relativeError(p, linear) < 1e-13);
    REQUIRE(relativeError(l, angular) < 1e-12);
    double k, u;
    c.work.energy(c.q.data(), c.v.data(), kGravity, k, u);
    REQUIRE(k == Approx(kinetic + rotors).epsilon(1e-12));
    REQUIRE(k == Approx(0.5 * map(c.v).dot(M * map(c.v))).epsilon(1e-12));
    REQUIRE(u == Approx(potential).epsilon(1e-12).margin(1e-11));
  });
}

TEST_CASE("Energy grows by the power of the generalised forces") {
  everyCase([](Case& c) {
    Vector tau(c.nv());
    c.work.inverse(c.q.data(), c.v.data(), c.a.data(), kGravity, tau.data());
    const auto energy = [&](double t) {
      double k, u;
      c.work.energy(c.q_at(t).data(), c.v_at(t).data(), kGravity, k, u);
      return k + u;
    };
    const double h = 2e-3;
    const double rate = (4 * (energy(h / 2) - energy(-h / 2)) / h - (energy(h) - energy(-h)) / (2 * h)) / 3;
    REQUIRE(rate == Approx(tau.dot(map(c.v))).epsilon(1e-6).margin(1e-5));
  });
}

TEST_CASE("Mimic joints reduce the figure by a constant matrix: M' = G^T M G") {
  for (std::uint64_t seed = 1; seed <= 12; seed++)
    for (const figure::BaseKind base : {figure::BaseKind::Fixed, figure::BaseKind::Floating}) {
      RandomSkeletonOptions options;
      options.links = 30;
      options.mimic = true;
      Case c(seed, base, options);
      const auto full = figure::makeFigureModel(c.skeleton, base, false);
      figure::FigureWorkspace work(full);
      const int n = c.nv(), N = full->nv();
      REQUIRE(N > n);
      // G from the description: each joint's own rate, or its master's times the multiplier.
      Matrix G = Matrix::Zero(N, n);
      if (base == figure::BaseKind::Floating) G.topLeftCorner(6, 6).setIdentity();
      std::vector<double> q(full->nq());
      if (base == figure::BaseKind::Floating) std::copy(c.q.begin(), c.q.begin() + 7, q.begin());
      for (int j = 0; j < static_cast<int>(c.skeleton->joints.size()); j++) {
        const int fv = full->coordinates.jointV(j), fq = full->coordinates.jointQ(j);
        if (fv < 0) continue;
        double multiplier = 1, offset = 0;
        int at = j;
        for (; c.skeleton->joints[at].mimic.master >= 0; at = c.skeleton->joints[at].mimic.master) {
          offset += multiplier * c.skeleton->joints[at].mimic.offset;
          multiplier *= c.skeleton->joints[at].mimic.multiplier;
        }
        const int v = c.model->coordinates.jointV(at), qi = c.model->coordinates.jointQ(at);
        REQUIRE((c.model->coordinates.jointV(j) < 0) == (at != j));
        for (int k = 0; k < dynamics::jointNv(c.skeleton->joints[j].type); k++) G(fv + k, v + k) = multiplier;
        for (int k = 0; k < dynamics::jointNq(c.skeleton->joints[j].type); k++) q[fq + k] = multiplier * c.q[qi + k] + offset;
      }
      const Matrix M = c.massMatrix();
      Matrix fullM(N, N);
      work.massMatrix(q.data(), fullM.data());
      REQUIRE(relativeError(M, G.transpose() * fullM * G) < 1e-13);
      const Vector v = G * map(c.v);
      Vector bias(n), fullBias(N), tau(n), a(n);
      c.work.bias(c.q.data(), c.v.data(), kGravity, bias.data());
      work.bias(q.data(), v.data(), kGravity, fullBias.data());
      REQUIRE(relativeError(bias, G.transpose() * fullBias) < 1e-13);
      tau = Vector::LinSpaced(n, -3, 3);
      REQUIRE(c.work.forward(c.q.data(), c.v.data(), tau.data(), kGravity, a.data()) == -1);
      const Vector expected = Eigen::MatrixXd(M).ldlt().solve(tau - bias);
      REQUIRE(relativeError(a, expected) < 1e-10);
    }
}

TEST_CASE("Precision does not fall off far from the world's origin") {
  for (std::uint64_t seed = 1; seed <= 6; seed++) {
    Case c(seed, figure::BaseKind::Floating);
    Vector tau(c.nv()), near(c.nv()), far(c.nv());
    for (int k = 0; k < c.nv(); k++) tau[k] = k % 5 - 2.0;
    REQUIRE(c.work.forward(c.q.data(), c.v.data(), tau.data(), kGravity, near.data()) == -1);
    for (int k = 0; k < 3; k++) c.q[k] += 1e6;
    REQUIRE(c.work.forward(c.q.data(), c.v.data(), tau.data(), kGravity, far.data()) == -1);
    REQUIRE(relativeError(near, far) < 1e-15);
  }
}
