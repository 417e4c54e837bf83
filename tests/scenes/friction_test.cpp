// dragged_desk.xml: what friction can carry rides along, the rest stays behind.
#include "tests/scenes/scene.hpp"

TEST_CASE("dragged desk: the stack rides along, the box on ice stays") {
  test::Scene s("dragged_desk.xml");
  const double stack = s.position("box0").x - s.position("desk").x, loose = s.position("loose").x;
  s.run(0.5);
  // One body of 106 kg under 212 N; the loose box adds nothing along x.
  CHECK(s.velocity("desk").x == Approx(2 * 0.5).epsilon(1e-3));
  for (const char* box : {"box0", "box1", "box2"}) {
    INFO(box);
    CHECK(std::fabs(s.position(box).x - s.position("desk").x - stack) < 2e-3);
    CHECK(std::fabs(s.velocity(box).x - s.velocity("desk").x) < 1e-2);
  }
  CHECK(std::fabs(s.position("loose").x - loose) < 1e-6);
  CHECK(s.position("loose").z == Approx(0.65).margin(1e-3));
}
