// wall.xml: a walker led into a wall by bounded drives: it comes to stand there, nothing is torn, and its limbs go on.
#include <algorithm>

#include "tests/scenes/scene.hpp"

TEST_CASE("wall: a figure told to walk through a wall yields") {
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
