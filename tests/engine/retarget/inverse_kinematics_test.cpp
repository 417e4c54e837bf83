// Parts of the inverse kinematics: normal equations against Jacobians, distances of links against searches afresh.
#include <Eigen/Dense>
#include <random>

#include "engine/retarget/goal_squares.hpp"
#include "engine/retarget/obstacles.hpp"
#include "engine/retarget/retarget.hpp"
#include "tests/engine/retarget/walker.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::retarget;

namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3 vector(double size) { return {in(-size, size), in(-size, size), in(-size, size)}; }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }

 private:
  std::mt19937 engine_;
};

void move(const figure::FigureModel& m, Random& random, double size, std::vector<double>& q) {
  std::vector<double> v(static_cast<std::size_t>(m.nv())), from = q;
  for (double& x : v) x = random.in(-size, size);
  figure::integrate(m.coordinates, from.data(), v.data(), 1, q.data());
}

std::vector<double> neutral(const figure::FigureModel& m) {
  std::vector<double> q(static_cast<std::size_t>(m.nq()));
  figure::neutral(m.coordinates, q.data());
  return q;
}

using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;

// The same sums, row by row.
struct Dense {
  Eigen::MatrixXd H;
  Eigen::VectorXd g;
  double squares = 0;
  void add(const Rows& J, const Vec3& error, double weight) {
    H += weight * weight * J.transpose() * J;
    g += weight * weight * J.transpose() * error;
    squares += 0.5 * weight * weight * error.squaredNorm();
  }
};

}  // namespace

TEST_CASE("normal equations that are composed up the tree are those of the Jacobians, whatever body the reference is") {
  for (const char* name : {"humanoid", "quadruped", "car", "arm7"}) {  // the last two with axes that mimic others
    INFO(name);
    const auto model = walker::modelAt(test::sourceDir() + "/models/urdf/" + name + ".urdf");
    const int nv = model->nv(), bodies = static_cast<int>(model->bodies.size());
    Kinematics k(model);
    GoalSquares squares(k);
    StepSystem system;
    system.resize(static_cast<std::size_t>(nv));
    Random random(7);
    std::vector<double> q = neutral(*model);
    for (int round = 0; round < 40; round++) {
      move(*model, random, 0.5, q);
      k.update(q.data());
      const auto anchor = [&] { return Anchor{random.below(bodies + 1) - 1, random.vector(0.3)}; };
      const Anchor reference = anchor();
      Dense dense{Eigen::MatrixXd::Zero(nv, nv), Eigen::VectorXd::Zero(nv)};
      system.clear();
      squares.clear(reference);
      for (int goal = 0; goal < 12; goal++) {
        const Anchor a = anchor();
        const Vec3 error = random.vector(0.2);
        const double weight = random.in(0.01, 20);
        Rows J = Rows::Zero(3, nv);
        switch (random.below(3)) {
          case 0:
            squares.place(a, error, weight);
            k.addLinear(a, 1, J.data());
            break;
          case 1:
            squares.relative(a, error, weight);
            k.addLinear(a, 1, J.data());
            k.addLinear(reference, -1, J.data());
            break;
          default:
            squares.turn(a.body, error, weight);
            k.addAngular(a.body, 1, J.data());
        }
        dense.add(J, error, weight);
      }
      CHECK(squares.addTo(system) == Approx(dense.squares).epsilon(1e-13));
      const double size = dense.H.cwiseAbs().maxCoeff();
      for (int i = 0; i < nv; i++) {
        CHECK(std::fabs(system.g[static_cast<std::size_t>(i)] - dense.g[i]) < 1e-13 * (size + dense.g.cwiseAbs().maxCoeff()));
        for (int j = 0; j <= i; j++)
          REQUIRE(std::fabs(system.H[static_cast<std::size_t>(i * nv + j)] - dense.H(i, j)) < 1e-13 * (1 + size));
      }
    }
  }
}

TEST_CASE("links that are not searched as they cannot have come near are not near") {
  Target target;
  REQUIRE(readTarget(walker::modelAt(test::sourceDir() + "/models/urdf/humanoid.urdf"), {}, target).empty());
  Kinematics k(target.model);
  Obstacles obstacles(target), afresh(target);
  Random random(11);
  std::vector<double> q = target.zero;
  std::vector<int> pairs, expected, all;
  const double held[2] = {0, 0};
  k.update(q.data());
  obstacles.near(k, 10, all);
  std::size_t met = 0;
  for (int i = 0; i < 1000; i++) {
    move(*target.model, random, i % 50 == 0 ? 0.5 : 0.02, q);
    k.update(q.data());
    const double reach = random.in(0, 0.08);
    obstacles.near(k, reach, pairs);
    afresh.forget();
    afresh.near(k, reach, expected);
    REQUIRE(pairs == expected);
    std::vector<Nearness> found, right;
    obstacles.find(k, all, held, 0.01, found);
    afresh.forget();
    afresh.find(k, all, held, 0.01, right);
    REQUIRE(found.size() == right.size());
    for (std::size_t n = 0; n < found.size(); n++) {
      REQUIRE(found[n].a.body == right[n].a.body);
      REQUIRE(found[n].b.body == right[n].b.body);
      if (right[n].overlap <= 0) CHECK(found[n].lack == Approx(right[n].lack).margin(1e-9));
    }
    met += found.size();
  }
  CHECK(met > 1000);
}

TEST_CASE("where an arm has two ways past the body, frames that follow each other take the same one") {
  REQUIRE_SHARED_DATA();
  const auto model = walker::modelAt(test::sharedData() + "/urdf/g1_description/g1_29dof_rev_1_0.urdf");
  figure::Motion motion;
  Diagnostics findings;
  REQUIRE(loadBvhFile(test::sharedData() + "/bvh/bandai1_dance-short_normal_001.bvh", {}, motion, findings));
  Settings settings;
  settings.rate = 30;
  Result result;
  REQUIRE(retarget::retarget(motion, model, settings, result).empty());
  const figure::Trajectory& t = result.trajectory;
  double largest = 0;  // turn there and back again within two frames
  for (int i = 1; i + 1 < t.frames(); i++)
    for (int c = 7; c < t.nq(); c++) {
      const double there = t.frame(i)[c] - t.frame(i - 1)[c], back = t.frame(i)[c] - t.frame(i + 1)[c];
      if (there * back > 0) largest = std::max(largest, std::min(std::fabs(there), std::fabs(back)));
    }
  CHECK(largest < 0.5);  // 0.95 rad, nine times above 0.5, when each frame chose for itself
}
