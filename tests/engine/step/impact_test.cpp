// Blows with restitution: energy that Newton's law must not create, Poisson's law, several contacts at once. Steps made again in parts, and
// a budget of time.
#include <cmath>
#include <random>

#include "engine/math/rotation.hpp"
#include "tests/engine/step/scenes.hpp"

using namespace vertebra;

namespace {

WorldSettings settings(bool poisson) {
  WorldSettings s;
  s.sleeping = false;
  s.poisson = poisson;
  s.gravity.setZero();
  s.lcpTolerance = 1e-9;
  s.lcpIterations = 2000;
  return s;
}

// A rod at a slant that strikes rough ground; kinetic energy after over before.
double strike(bool poisson, double restitution, double friction, double angle, const Vec3& velocity, double spin) {
  World w(settings(poisson));
  test::addGround(w, friction, restitution);
  BodyDefinition d;
  d.mass = 1;
  d.inertia = Vec3(0.0834, 0.0834, 1e-3).asDiagonal();
  d.pose.q = quatFromAxisAngle(Vec3::UnitY(), angle);
  const double low = std::fabs(std::cos(angle)) * 0.5 + 0.01;
  d.pose.p = Vec3(0, 0, low + 1e-4);
  const int body = w.createBody(d);
  test::addShape(w, body, ShapeType::Capsule, Vec3(0.01, 0, 0.5), friction, restitution);
  double residual[2];
  REQUIRE_FALSE(w.setBodyTwist(body, velocity, Vec3(0, spin, 0), residual));
  const double before = w.energy().kinetic;
  test::advance(w, 2);
  return w.energy().kinetic / before;
}

}  // namespace

TEST_CASE("restitution with friction creates no energy", "[step][impact]") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(0, 1);
  double most[2] = {};
  for (int k = 0; k < 400; k++) {
    const double e = 0.5 + 0.5 * share(random), mu = 1.5 * share(random), angle = 0.1 + 1.3 * share(random);
    const Vec3 velocity(4 * share(random) - 2, 0, -0.5 - 2 * share(random));
    const double spin = 8 * share(random) - 4;
    for (bool poisson : {false, true}) most[poisson] = std::max(most[poisson], strike(poisson, e, mu, angle, velocity, spin));
  }
  INFO("Newton " << most[0] << ", Poisson " << most[1]);
  CHECK(most[0] < 1 + 1e-5);
  CHECK(most[0] > 0.9);
}

TEST_CASE("Poisson's law gives a lone ball Newton's rebound", "[step][impact]") {
  for (bool poisson : {false, true}) {
    World w(settings(poisson));
    test::addGround(w, 0, 0.6);
    const int ball = test::addBall(w, 0.1, 1, Vec3(0, 0, 0.101), 0, 0.6);
    double residual[2];
    REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(0.3, 0, -2), Vec3::Zero(), residual));
    test::advance(w, 3);
    Vec3 v, spin;
    w.bodyTwist(ball, v, spin);
    CHECK(v.z() == Approx(1.2).epsilon(1e-6));
    CHECK(v.x() == Approx(0.3).epsilon(1e-6));
  }
}

TEST_CASE("a ball that strikes two touching ones: momentum is kept, no energy comes, and the pair stays together", "[step][impact]") {
  double speeds[2][3];
  for (bool poisson : {false, true}) {
    World w(settings(poisson));
    const double r = 0.1, e = 0.5;
    int balls[3];
    for (int k = 0; k < 3; k++) balls[k] = test::addBall(w, r, 1, Vec3(k == 0 ? -2 * r - 1e-3 : (k - 1) * 2 * r, 0, 0), 0, e);
    double residual[2];
    REQUIRE_FALSE(w.setBodyTwist(balls[0], Vec3(2, 0, 0), Vec3::Zero(), residual));
    test::advance(w, 3);
    double momentum = 0;
    for (int k = 0; k < 3; k++) {
      Vec3 v, spin;
      w.bodyTwist(balls[k], v, spin);
      speeds[poisson][k] = v.x();
      momentum += v.x();
    }
    CHECK(momentum == Approx(2).epsilon(1e-9));
    CHECK(w.energy().kinetic < 2);
    CHECK(speeds[poisson][2] >= speeds[poisson][1] - 1e-9);
  }
  // By hand, contacts being soft by half a hundredth: the pair leaves at half the speed at which the first met it, and stays together.
  // Compression ends the approach of all at 2/3 m/s, by impulses 4/3 and 2/3; half as much again follows, which is the same here.
  for (const auto& v : speeds)
    for (int k = 0; k < 3; k++) CHECK(v[k] == Approx(k == 0 ? 0 : 1).margin(0.015));
}

TEST_CASE("a step that goes too deep is made again in parts", "[step][impact]") {
  const auto deepest = [](int parts, int* restarts) {
    WorldSettings s;
    s.timeStep = 1.0 / 60;
    s.continuous = false;
    s.adaptiveSubsteps = parts;
    World w(s);
    test::addGround(w, 0.5, 0);
    const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 1.03), 0.5, 0);
    double residual[2];
    REQUIRE_FALSE(w.setBodyTwist(box, Vec3(0, 0, -10), Vec3::Zero(), residual));
    test::advance(w, 30);
    *restarts = w.statistics().restarts;
    CHECK(w.time() == Approx(0.5).epsilon(1e-12));
    return w.statistics().maxPenetration;
  };
  int none, some;
  const double coarse = deepest(1, &none), fine = deepest(256, &some);
  INFO("deepest " << coarse << " m, in parts " << fine << " m, made again " << some);
  CHECK(none == 0);
  CHECK(some > 0);
  CHECK(coarse > 0.02);
  CHECK(fine < 1.5e-3);
}

TEST_CASE("past its budget of time a step still ends, with few sweeps", "[step][impact]") {
  WorldSettings s;
  s.sleeping = false;
  s.timeBudget = 1e-9;
  s.lcpTolerance = 0;
  World w(s);
  test::addGround(w, 0.5, 0);
  std::vector<int> boxes;
  for (int k = 0; k < 6; k++) boxes.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1 + 0.2 * k), 0.5, 0));
  test::advance(w, 240);
  CHECK(w.statistics().hurried > 0);
  CHECK(w.statistics().lcpIterations <= 8);
  for (int k = 0; k < 6; k++) CHECK((w.bodyPose(boxes[k]).p - Vec3(0, 0, 0.1 + 0.2 * k)).norm() < 0.03);
}
