// Hinge chains: order of convergence, joint error, energy, reports of halved steps, and that extreme starts never diverge.
#include <cmath>

#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

// Positions of all links after two seconds, released straight at ten degrees from hanging.
std::vector<Vec3> swing(int n, int stepsASecond, double* gap = nullptr, double* drift = nullptr) {
  WorldSettings s;
  s.timeStep = 1.0 / stepsASecond;
  s.sleeping = false;
  world::World w(s);
  const test::Chain c = test::addChain(w, n, 0.3, 1);
  const double start = 10 * kPi / 180;
  REQUIRE_FALSE(w.setJointState(c.joints[0], &start, nullptr));
  const double e0 = test::totalEnergy(w), scale = 9.81 * n;  // of the chain's weight, J a metre
  for (int i = 0; i < 2 * stepsASecond; i++) {
    REQUIRE_FALSE(w.step());
    if (gap)
      for (int j : c.joints) *gap = std::max(*gap, test::jointGap(w, j));
    if (drift) *drift = std::max(*drift, std::fabs(test::totalEnergy(w) - e0) / scale);
  }
  std::vector<Vec3> p;
  for (int b : c.bodies) p.push_back(w.bodyPose(b).p);
  return p;
}

double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); i++) worst = std::max(worst, (a[i] - b[i]).norm());
  return worst;
}

}  // namespace

TEST_CASE("the error of a hinge chain falls with the square of the step", "[step]") {
  for (int n : {8, 32}) {
    const std::vector<Vec3> reference = swing(n, 1920 * 16);
    double last = 0, first = 0;
    for (int rate : {240, 480, 960, 1920}) {
      const double error = difference(swing(n, rate), reference);
      INFO(n << " links at 1/" << rate << " s: " << error << " m, before " << last);
      if (rate == 240) first = error;
      last = error;
    }
    const double order = std::log2(first / last) / 3;
    INFO(n << " links: error " << first << " m at 1/240 s, " << last << " m at 1/1920 s, order " << order);
    CHECK(order >= 1.9);
    CHECK(first < 0.05);
  }
}

TEST_CASE("hinge chains keep their joints to 1e-12 m and their energy to 1e-10", "[step]") {
  for (int n : {8, 32}) {
    double gap = 0, drift = 0;
    swing(n, 240, &gap, &drift);
    INFO(n << " links: gap " << gap << " m, energy " << drift);
    CHECK(gap <= 1e-12);
    CHECK(drift <= 1e-10);
  }
}

TEST_CASE("chains released from any angles never diverge", "[step]") {
  for (int n : {8, 32})
    for (int seed = 1; seed <= 6; seed++) {
      WorldSettings s;
      s.sleeping = false;
      world::World w(s);
      const test::Chain c = test::addChain(w, n, 0.3, 1, -1, seed % 2 ? dynamics::JointType::Revolute : dynamics::JointType::Spherical);
      test::Random random(seed);
      for (int j : c.joints) {
        const double q = random.range(-kPi, kPi);
        const double ball[4] = {0, std::sin(q / 2) * 0.8, std::sin(q / 2) * 0.6, std::cos(q / 2)};
        REQUIRE_FALSE(w.setJointState(j, seed % 2 ? &q : ball, nullptr));
      }
      const double e0 = test::totalEnergy(w), reach = 9.81 * n * 0.3 * n;
      for (int i = 0; i < 2400; i++) {
        const Failure f = w.step();
        INFO(n << " links, seed " << seed << ", step " << i << ": " << f.text());
        REQUIRE_FALSE(f);
        if (i % 40) continue;
        const double e = test::totalEnergy(w);
        INFO("energy " << e << " from " << e0 << " J");
        REQUIRE(std::fabs(e - e0) < 0.02 * reach);
        for (int j : c.joints) REQUIRE(test::jointGap(w, j) < 1e-12);
      }
    }
}

TEST_CASE("chains released from any angles stay near their energy without the correction too", "[step]") {
  constexpr int n = 32;
  constexpr double length = 0.3;
  const double scale = 9.81 * n * length * n / 2;  // J, from hanging straight to level, at 1 kg a link
  double worst = 0;
  for (int seed = 1; seed <= 12; seed++) {
    WorldSettings s;
    s.sleeping = false;
    s.energyCorrection = false;
    world::World w(s);
    const test::Chain c = test::addChain(w, n, length, 1);
    test::Random random(seed);
    for (int j : c.joints) {
      const double q = random.range(-kPi, kPi);
      REQUIRE_FALSE(w.setJointState(j, &q, nullptr));
    }
    const double e0 = test::totalEnergy(w);
    for (int i = 0; i < 2400; i++) {
      REQUIRE_FALSE(w.step());
      if (i % 10 == 0) worst = std::max(worst, std::fabs(test::totalEnergy(w) - e0) / scale);
    }
  }
  INFO("worst " << worst);
  CHECK(worst < 0.3);
}

TEST_CASE("the acceleration of a body is that of the whole step when it was halved", "[step]") {
  WorldSettings s;
  s.timeStep = 1.0 / 60;
  s.sleeping = false;
  world::World w(s);
  const test::Chain c = test::addChain(w, 4, 0.3, 1);
  const double start = 2.5;
  REQUIRE_FALSE(w.setJointState(c.joints[0], &start, nullptr));
  int halved = 0;
  for (int i = 0; i < 600 && halved < 5; i++) {
    Vec3 before, after, omega, linear, angular;
    w.bodyTwist(c.bodies[3], before, omega);
    w.resetStatistics();
    REQUIRE_FALSE(w.step());
    if (w.statistics().halvings == 0) continue;
    halved++;
    w.bodyTwist(c.bodies[3], after, omega);
    w.bodyAcceleration(c.bodies[3], linear, angular);
    CHECK((linear - (after - before) * 60).norm() < 1e-9 * (1 + linear.norm()));  // a rod's frame is at its centre of mass
  }
  CHECK(halved == 5);
}
