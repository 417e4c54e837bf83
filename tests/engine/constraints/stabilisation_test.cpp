// Penetration removed by displacements instead of velocities; and the clock between the stages of a step, which changes no result.
#include <algorithm>
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

WorldSettings awake(bool positions, Stepper stepper = Stepper::Impulse) {
  WorldSettings s;
  s.sleeping = false;
  s.contactPositions = positions;
  s.stepper = stepper;
  return s;
}
double fastest(const world::World& w, const std::vector<int>& bodies) {
  double most = 0;
  for (int body : bodies) {
    Vec3 v, omega;
    w.bodyTwist(body, v, omega);
    most = std::max(most, v.norm());
  }
  return most;
}
double deepest(const world::World& w) {
  double depth = 0;
  for (const Contact& c : w.contacts()) depth = std::max(depth, -c.gap);
  return depth;
}

}  // namespace

TEST_CASE("bodies that start in deep penetration separate without speed where displacements remove it", "[step][stabilisation]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational}) {
    double speed[2], left[2];
    for (bool positions : {false, true}) {
      world::World w(awake(positions, stepper));
      test::addGround(w, 0.5, 0);
      std::vector<int> boxes;
      for (int i = 0; i < 3; i++) boxes.push_back(test::addBox(w, Vec3(0.2, 0.2, 0.2), 1 + i, Vec3(0, 0, 0.1 + 0.3 * i), 0.5, 0));
      speed[positions] = 0;
      double before[3];
      for (int i = 0; i < 480; i++) {
        for (int b = 0; b < 3; b++) before[b] = w.bodyPose(boxes[b]).p.z();
        test::advance(w, 1);
        speed[positions] = std::max(speed[positions], fastest(w, boxes));
        for (int b = 0; b < 3; b++) REQUIRE(w.bodyPose(boxes[b]).p.z() - before[b] < 3.01 * w.settings().contactSpeed / 240);
      }
      left[positions] = deepest(w);
      CHECK(fastest(w, boxes) < 1e-3);
    }
    INFO("stepper " << static_cast<int>(stepper));
    CHECK(speed[0] > 0.5);
    CHECK(speed[1] < 0.02);
    CHECK(left[1] < 1.2e-4);
  }
}

TEST_CASE("where positions are corrected towers stand, slides keep their way and balls bounce as high", "[step][stabilisation]") {
  SECTION("a tower of ten") {
    world::World w(awake(true));
    test::addGround(w, 0.5, 0);
    std::vector<int> boxes;
    for (int i = 0; i < 10; i++) boxes.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1 + 0.2 * i), 0.5, 0));
    double depth = 0;
    for (int i = 0; i < 1200; i++) {
      test::advance(w, 1);
      depth = std::max(depth, deepest(w));
    }
    CHECK(depth < 2e-4);
    CHECK(fastest(w, boxes) < 1e-3);
    CHECK(w.bodyPose(boxes[9]).p.head<2>().norm() < 5e-4);
    CHECK(w.bodyPose(boxes[9]).p.z() == Approx(1.9).margin(2e-3));
  }
  SECTION("a sliding box") {
    double way[2];
    for (bool positions : {false, true}) {
      world::World w(awake(positions));
      test::addGround(w, 0.3, 0);
      const int box = test::addBox(w, Vec3(0.2, 0.2, 0.2), 1, Vec3(0, 0, 0.2), 0.3, 0);
      REQUIRE_FALSE(w.setBodyTwist(box, Vec3(3, 0, 0), Vec3::Zero(), nullptr));
      test::advance(w, 480);
      way[positions] = w.bodyPose(box).p.x();
    }
    CHECK(way[1] == Approx(way[0]).epsilon(5e-3));
  }
  SECTION("a bouncing ball") {
    double top[2];
    for (bool positions : {false, true}) {
      world::World w(awake(positions));
      test::addGround(w, 0.5, 0.7);
      const int ball = test::addBall(w, 0.1, 1, Vec3(0, 0, 1.1), 0.5, 0.7);
      top[positions] = 0;
      for (int i = 0; i < 240; i++) {
        test::advance(w, 1);
        if (i > 120) top[positions] = std::max(top[positions], w.bodyPose(ball).p.z());
      }
    }
    CHECK(top[0] == Approx(0.1 + 0.49).epsilon(0.02));
    CHECK(top[1] == Approx(top[0]).epsilon(1e-3));
  }
  SECTION("a chain that lies in the floor comes out whole") {
    world::World w(awake(true));
    test::addGround(w, 0.5, 0);
    test::Chain chain = test::addChain(w, 5, 0.3, 0.5);
    for (int body : chain.bodies) test::addShape(w, body, geometry::ShapeType::Capsule, Vec3(0.03, 0, 0.12), 0.5, 0);
    w.destroyJoint(chain.joints[0]);
    for (int i = 0; i < 5; i++) REQUIRE(w.bodyAlive(chain.bodies[i]));
    REQUIRE_FALSE(w.setBodyPose(chain.bodies[0], {Vec3(0, 0, 0.01), quatFromAxisAngle(Vec3::UnitY(), kPi / 2)}, nullptr));
    double speed = 0;
    for (int i = 0; i < 480; i++) {
      test::advance(w, 1);
      speed = std::max(speed, fastest(w, chain.bodies));
    }
    CHECK(deepest(w) < 1e-3);
    CHECK(speed < 0.3);  // it falls a little because it comes out unevenly
    for (int i = 1; i < 5; i++) CHECK(test::jointGap(w, chain.joints[i]) < 1e-12);
  }
}

TEST_CASE("the clock between stages measures their times and changes nothing", "[step][stabilisation]") {
  std::uint64_t hash[2];
  for (bool clock : {false, true}) {
    WorldSettings s = awake(false);
    s.stageTimes = clock;
    world::World w(s);
    test::addGround(w, 0.5, 0);
    for (int i = 0; i < 20; i++) test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0.15 * (i % 3), 0, 0.15 + 0.25 * i), 0.5, 0);
    w.resetStatistics();
    test::advance(w, 240);
    const double* seconds = w.statistics().seconds;
    double sum = 0;
    for (int i = 0; i < kStages; i++) {
      CHECK((clock ? seconds[i] >= 0 : seconds[i] == 0));
      sum += seconds[i];
    }
    for (Stage stage : {Stage::Move, Stage::Collide, Stage::Factor, Stage::Rows, Stage::Solve, Stage::Finish})
      CHECK((seconds[static_cast<int>(stage)] > 0) == clock);
    CHECK((sum > 0) == clock);
    CHECK(sum < 20);
    hash[clock] = w.hash();
    w.resetStatistics();
    CHECK(w.statistics().seconds[static_cast<int>(Stage::Solve)] == 0);
  }
  CHECK(hash[0] == hash[1]);
}
