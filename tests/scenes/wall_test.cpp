// wall.xml: a walker led into a wall by bounded drives: it stops there, no joint tears, and its limbs keep moving. Led without a bound the
// problem is reported as infeasible, and the walker stops all the same.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/scenes/scene.hpp"

TEST_CASE("wall: a figure driven through a wall yields") {
  test::Scene s("wall.xml");
  double deepest = 0, error = 0, farthest = 0, reach = 0;
  s.run(3);
  const double stood = s.position("walker/Hips").x;
  double least = 1e9, most = -1e9;
  for (int i = 0; i < 480; i++) {
    s.step(1);
    deepest = std::max(deepest, s.stats().max_penetration);
    error = std::max(error, s.stats().max_joint_error);
    farthest = std::max(farthest, std::fabs(s.position("walker/Hips").x - stood));
    reach = std::max(reach, s.position("walker/Head").x);
    const double leg = s.position("walker/LeftLeg").x - s.position("walker/Hips").x;
    least = std::min(least, leg);
    most = std::max(most, leg);
  }
  CHECK(stood > 1);  // 2 s of walking at 1.2 m/s would have taken it to the other side
  CHECK(stood < 1.5);
  CHECK(reach < 1.5);
  CHECK(farthest < 0.15);
  CHECK(most - least > 0.1);  // its knees still swing
  CHECK(deepest < 5e-3);
  CHECK(error < 1e-9);
}

namespace {
std::string withLead(const std::string& gains) {
  std::ifstream file(test::sourceDir() + "/models/scenes/wall.xml");
  std::stringstream text;
  text << file.rdbuf();
  std::string scene = text.str();
  const std::string bounded = "damping=\"2000\" max_force=\"300\"";
  const std::size_t at = scene.find(bounded);
  REQUIRE(at != std::string::npos);
  return scene.replace(at, bounded.size(), gains);
}
}  // namespace

TEST_CASE("wall: a figure drawn by a drive without a bound is reported as infeasible") {
  test::Scene s = test::Scene::fromText(withLead("damping=\"inf\""));
  int free = 0, blocked = 0;
  double deepest = 0, error = 0, farthest = 0;
  for (int i = 0; i < 5 * 240; i++) {
    const vtb_status status = vtb_world_step(s.world(), 1);
    INFO(vtb_last_error());
    REQUIRE((status == VTB_OK || status == VTB_E_INFEASIBLE));
    (i < 180 ? free : blocked) += status == VTB_E_INFEASIBLE;
    deepest = std::max(deepest, s.stats().max_penetration);
    error = std::max(error, s.stats().max_joint_error);
    farthest = std::max(farthest, s.position("walker/Head").x);
  }
  CHECK(free == 0);  // 0.9 m on the way, before any limb reaches the wall
  CHECK(blocked > 600);
  CHECK(deepest < 5e-3);
  CHECK(error < 1e-9);
  CHECK(farthest < 1.5);
}

TEST_CASE("wall: a drive of finite gain has a solution, bounded or not") {
  test::Scene s = test::Scene::fromText(withLead("damping=\"2000\""));
  double deepest = 0;
  for (int i = 0; i < 5 * 240; i++) {
    s.step(1);
    deepest = std::max(deepest, s.stats().max_penetration);
  }
  CHECK(deepest < 5e-3);
}
