// The stepper `displacement`: light boxes under heavy ones. Rotations that were made one after the other did not cancel where their
// impulses did, so that a light box was spun until it was thrown out (two boxes of 1 and 100 kg: at 766 rad/s within 0.1 s).
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/world/world.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

TEST_CASE("displacement: light boxes bear heavy ones", "[step]") {
  struct Case {
    int boxes;
    double ratio, step, deep, fast;  // m; m/s or rad/s in the second half
  };
  const Case cases[] = {{2, 100, 1.0 / 240, 3e-4, 2e-2}, {3, 10, 1.0 / 240, 3e-4, 2e-2}, {6, 2, 1.0 / 240, 3e-4, 2e-2},
                        {10, 1, 1.0 / 240, 1e-4, 2e-2},  {2, 100, 1.0 / 60, 4e-3, 0.2},  {3, 10, 1.0 / 60, 4e-3, 0.2},
                        {6, 2, 1.0 / 60, 4e-3, 0.2},     {10, 1, 1.0 / 60, 1e-3, 0.2}};
  for (const Case& c : cases) {
    WorldSettings s;
    s.stepper = Stepper::Displacement;
    s.timeStep = c.step;
    s.sleeping = false;
    world::World w(s);
    test::addGround(w, 0.8, 0);
    std::vector<int> boxes;
    for (int i = 0; i < c.boxes; i++)
      boxes.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), std::pow(c.ratio, i), Vec3(0, 0, 0.1 + 0.2 * i), 0.8, 0));
    double deep = 0, fast = 0, far = 0;
    const int steps = static_cast<int>(std::lround(6 / c.step));
    for (int i = 0; i < steps; i++) {
      REQUIRE_FALSE(w.step());
      deep = std::max(deep, w.statistics().maxPenetration);
      for (std::size_t k = 0; k < boxes.size(); k++) {
        Vec3 v, omega;
        w.bodyTwist(boxes[k], v, omega);
        if (i > steps / 2) fast = std::max({fast, v.norm(), omega.norm()});
        far = std::max(far, (w.bodyPose(boxes[k]).p - Vec3(0, 0, 0.1 + 0.2 * static_cast<double>(k))).norm());
      }
    }
    INFO(c.boxes << " boxes, each " << c.ratio << " times as heavy as the one below, step 1/" << std::lround(1 / c.step) << ": deep "
                 << deep << ", fast " << fast << ", far " << far);
    CHECK(deep < c.deep);
    CHECK(fast < c.fast);
    CHECK(far < 0.03);
  }
}
