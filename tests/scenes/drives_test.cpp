// motor_joint.xml, limited_spring.xml, driven_tree.xml: drives and springs against closed forms.
#include "tests/scenes/scene.hpp"

namespace {
constexpr double g = 9.81;
}

TEST_CASE("motor joint: springs along and about six axes, one bounded") {
  test::Scene s("motor_joint.xml");
  s.run(0.5);
  // The weak motor gives at most 10 N upwards, once its spring demands that: the remaining weight falls.
  const test::Vector weak = s.velocity("body1");
  CHECK(weak.z < -(g - 10.0 / 2) * 0.45);
  CHECK(weak.z > -g * 0.5);
  s.run(5);
  // Force over stiffness, torque over stiffness.
  CHECK(s.position("body0").x == Approx(10.0 / 500).margin(1e-5));
  CHECK(s.position("body0").z == Approx(1 - 2 * g / 500).margin(1e-5));
  double pose[7];
  test::require(vtb_body_get_pose(s.world(), s.body("body0"), pose));
  CHECK(2 * std::asin(pose[5]) == Approx(2.0 / 50).margin(1e-4));
  CHECK(s.position("body2").y == Approx(0.1).margin(1e-5));
}

TEST_CASE("limited spring: a harmonic oscillation, and a stop") {
  test::Scene s("limited_spring.xml");
  const double omega = std::sqrt(100.0);
  double lowest = 2, stopped = 2;
  for (int i = 1; i <= 1500; i++) {
    s.step(1);
    // Springs between bodies are implicit, of first order: the oscillation decays by h omega^2 / 2 per second.
    const double t = i * 1e-3, fading = std::exp(-1e-3 * omega * omega / 2 * t);
    const double z = s.position("weight0").z, wanted = 1 - g / 100 * (1 - fading * std::cos(omega * t));
    CHECK(std::fabs(z - wanted) < 2e-3);
    lowest = std::min(lowest, z);
    stopped = std::min(stopped, s.position("weight1").z);
  }
  CHECK(lowest == Approx(1 - 2 * g / 100).margin(4e-3));
  CHECK(stopped == Approx(0.95).margin(1e-3));
}

TEST_CASE("driven tree: every axis comes to its angle, at long steps too") {
  for (const double step : {1.0 / 240, 1.0 / 60, 1.0 / 30}) {
    INFO(step);
    vtb_world_def settings = test::Scene("driven_tree.xml").settings();
    settings.time_step = step;
    test::Scene s("driven_tree.xml", &settings);
    s.run(4);
    CHECK(s.energy().kinetic < 1e-6);
    double off = 0;
    for (int i = 1; i <= 126; i++) {
      const std::string name = "joint" + std::to_string(i);
      off = std::max(off, std::fabs(s.q(name, 0) - 0.3 * std::sin(i)));
      off = std::max(off, std::fabs(s.q(name, 1) - 0.2 * (2 * (i % 2) - 1)));
      // Equilibrium: the spring's torque is that of the error.
      vtb_joint_forces forces;
      forces.struct_size = sizeof forces;
      test::require(vtb_joint_get_forces(s.world(), s.joint(name), &forces));
      CHECK(forces.motor[0] == Approx(50 * (0.3 * std::sin(i) - s.q(name, 0))).margin(5e-3));
    }
    CHECK(off < 0.05);
  }
}

TEST_CASE("an orientation motor takes its velocity with free poses as in trees") {
  for (const char* free : {"no", "yes"}) {
    INFO("free poses: " << free);
    test::Scene s = test::Scene::fromText(std::string("<scene><settings gravity='0 0 0' sleep='no' free_poses='") + free +
                                          "'/><body name='b' mass='1' inertia='0.1 0 0 0.1 0 0.1'/><joint type='spherical' b='b'>"
                                          "<orientation_motor velocity='0 0 2' damping='10' stiffness='0'/></joint></scene>");
    s.run(1);
    CHECK(s.omega("b").z == Approx(2).epsilon(1e-3));
  }
}
