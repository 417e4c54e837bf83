// rope.xml: a chain of ball joints with a ball on a thread that only pulls.
#include "tests/scenes/scene.hpp"

TEST_CASE("rope: joints hold, the thread is never longer than it is, energy is explained") {
  test::Scene s("rope.xml");
  const vtb_energy start = s.energy();
  double longest = 0;
  for (int i = 0; i < 480; i++) {
    s.step(1);
    double pose[7];
    test::require(vtb_body_get_pose(s.world(), s.body("piece19"), pose));
    // The piece's z axis, from the third column of its rotation.
    const double x = pose[3], y = pose[4], z = pose[5], w = pose[6];
    const double axis[3] = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
    const test::Vector ball = s.position("ball");
    longest = std::max(longest,
                       std::hypot(ball.x - pose[0] - 0.05 * axis[0], ball.y - pose[1] - 0.05 * axis[1], ball.z - pose[2] - 0.05 * axis[2]));
    CHECK(s.stats().max_joint_error < 1e-9);
  }
  CHECK(longest < 0.2 + 2e-3);
  const double whole = 9.81 * (1 * 2.2 + 20 * 0.05 * 1);  // J, of all parts that can fall, over their length
  CHECK(std::fabs(s.unexplained(start)) < 0.05 * whole);
}
