// mixed_chain.xml, joint_cycles.xml: trees and cycles of joints stay closed and conserve their invariants.
#include <fstream>
#include <iterator>

#include "tests/scenes/scene.hpp"

TEST_CASE("chain of 32 of mixed joints: holds together and keeps its energy") {
  test::Scene s("mixed_chain.xml");
  const vtb_energy start = s.energy();
  const double scale = 32 * 0.5 * 9.81 * 3.2;  // J
  double fastest = 0;
  for (int i = 0; i < 5 * 240; i++) {
    s.step(1);
    CHECK(s.stats().max_joint_error < 1e-12);
    const vtb_energy e = s.energy();
    fastest = std::max(fastest, e.kinetic);
    CHECK(std::fabs(e.kinetic + e.potential - start.potential) < 1e-9 * scale);
  }
  CHECK(fastest > 0.3 * scale);
}

TEST_CASE("chain of 32 of mixed joints: with limits on its slides its account closes") {
  std::ifstream file(test::sourceDir() + "/models/scenes/mixed_chain.xml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  for (size_t at = 0; (at = text.find("stiffness=\"500\"", at)) != std::string::npos; at += 40)
    text.insert(at, "lower=\"-0.02\" upper=\"0.02\" ");
  test::Scene s = test::Scene::fromText(text);
  const vtb_energy start = s.energy();
  for (int i = 0; i < 5; i++) {
    s.run(1);
    const vtb_energy e = s.energy();
    const double moved = std::fabs(e.potential - start.potential);
    CAPTURE(i, e.kinetic, moved, e.lost_impact, e.discretisation);
    CHECK(std::fabs(s.unexplained(start) - e.discretisation) < 1e-3 * moved);
    CHECK(std::fabs(e.discretisation) < 0.5 * moved);
  }
  CHECK(s.energy().lost_impact > 10);
}

TEST_CASE("joint cycles: the platform stays level and swings as one crank with all the mass") {
  test::Scene s("joint_cycles.xml");
  const vtb_energy start = s.energy();
  // (3 (Ic + m L^2 / 4) + M L^2) a'' = -(3 m L / 2 + M L) g sin a; boxes of 4 by 100 cm.
  const double L = 1, m = 0.5, M = 2, Ic = m / 12 * (1 + 0.04 * 0.04), g = 9.81;
  const double rate = (3 * m * L / 2 + M * L) * g / (3 * (Ic + m * L * L / 4) + M * L * L);
  double a = M_PI / 4, v = 0;
  const double h = 1.0 / 240 / 10;
  for (int i = 0; i < 2 * 240; i++) {
    s.step(1);
    for (int k = 0; k < 10; k++) {  // midpoint rule
      const double am = a + h / 2 * v, vm = v - h / 2 * rate * std::sin(a);
      a += h * vm, v -= h * rate * std::sin(am);
    }
    INFO(i);
    double pose[7];
    test::require(vtb_body_get_pose(s.world(), s.body("platform"), pose));
    CHECK(std::fabs(pose[4]) < 1e-9);
    CHECK(s.stats().max_joint_error < 1e-9);
    for (int k = 0; k < 3; k++) CHECK(std::fabs(s.q("pivot" + std::to_string(k)) - s.q("pivot0")) < 1e-9);
    CHECK(std::fabs(s.q("pivot0") + M_PI / 4 - a) < 0.01);
  }
  CHECK(std::fabs(s.unexplained(start)) < 0.02 * 3.5 * 9.81);
}
