// joint_types.xml: each joint's motion in closed form, or its invariants.
#include "tests/scenes/scene.hpp"

using test::Vector;

namespace {
constexpr double g = 9.81;
}

TEST_CASE("joint types: closed forms") {
  test::Scene s("joint_types.xml");
  const vtb_energy start = s.energy();
  const double t = 0.4;
  s.run(t);
  // A slope of 30 degrees: half of g along it.
  CHECK(s.q("prismatic") == Approx(0.5 * g * 0.5 * t * t).epsilon(1e-6));
  // A bead on a wire of the same slope does the same.
  CHECK(s.position("bead").x - 18 == Approx(0.5 * g * 0.5 * t * t * std::cos(M_PI / 6)).epsilon(2e-2));
  CHECK((3 - s.position("bead").z) / (s.position("bead").x - 18) == Approx(std::tan(M_PI / 6)).epsilon(1e-6));
  CHECK(s.position("disc").z == Approx(3).margin(1e-9));
  CHECK(s.position("disc").x == Approx(20 + t).epsilon(1e-9));
  // A sleeve on a pole falls freely and keeps rotating.
  CHECK(s.q("cylindrical", 1) == Approx(-0.5 * g * t * t).epsilon(1e-6));
  CHECK(s.q("cylindrical", 0) == Approx(3 * t).epsilon(1e-9));
  // A nut of inertia I and mass m on a thread of p per radian: a = g m p / (m p^2 + I) of the angle, times p for the travel.
  const double p = 0.1 / (2 * M_PI), angle = -g * p / (p * p + 0.01);
  CHECK(s.q("screw") == Approx(0.5 * angle * t * t).epsilon(1e-6));
  CHECK(s.position("nut").z - 2 == Approx(p * s.q("screw")).epsilon(1e-9));
  CHECK(s.q("planar", 0) == Approx(0.5 * t).epsilon(1e-9));
  CHECK(s.q("planar", 1) == Approx(0.2 * t).epsilon(1e-9));
  CHECK(s.q("planar", 2) == Approx(3 * t).epsilon(1e-9));
  CHECK(s.position("sign").z == Approx(1).margin(1e-12));
  // The conical pendulum keeps its height and its rate, sqrt(g / (l cos)).
  CHECK(s.position("conical").z == Approx(3 - 0.5).margin(1e-3));
  const Vector bob = s.position("conical");
  CHECK(std::atan2(bob.y, bob.x - 4) == Approx(std::sqrt(g / 0.5) * t).epsilon(2e-3));
  // The pendulums keep their length and their energy.
  const Vector rod = s.position("rodded"), hinged = s.position("hinged");
  CHECK(std::hypot(rod.x - 16, rod.z - 3) == Approx(1).margin(1e-6));
  CHECK(std::hypot(hinged.x, hinged.z - 2) == Approx(0.5).margin(1e-12));
  const Vector speed = s.velocity("hinged");
  CHECK(0.5 * (speed.x * speed.x + speed.z * speed.z) * (1 + 0.001 / 0.25) + g * (hinged.z - 2) == Approx(0).margin(5e-3));
  CHECK(std::fabs(s.unexplained(start)) < 0.5);
}

TEST_CASE("joint types: a universal joint at 30 degrees") {
  test::Scene s("joint_types.xml");
  double largest = 0, least = 10;
  for (int i = 0; i < 480; i++) {
    s.step(1);
    CHECK(s.v("shaft") == Approx(5).epsilon(1e-3));
    if (i < 10) continue;
    largest = std::max(largest, std::fabs(s.v("bearing")));
    least = std::min(least, std::fabs(s.v("bearing")));
  }
  // The output's rate swings between cos and 1 / cos of the angle, times the input's.
  CHECK(largest == Approx(5 / std::cos(M_PI / 6)).epsilon(1e-2));
  CHECK(least == Approx(5 * std::cos(M_PI / 6)).epsilon(1e-2));
}

TEST_CASE("joint types: a wheel's strut carries the carriage") {
  test::Scene s("joint_types.xml");
  s.run(4);
  // 20 kg on a spring of 2000 N/m.
  CHECK(std::fabs(s.q("strut", 0)) == Approx(20 * g / 2000).epsilon(1e-2));
  CHECK(s.position("wheel").z == Approx(0.3).margin(2e-3));
}
