// simultaneous_impacts.xml, newtons_cradle.xml, contact_stabilisation.xml, pool.xml: simultaneous contacts and impacts that follow one
// another, overlap at the start, a heap.
#include "tests/scenes/scene.hpp"

using test::Vector;

TEST_CASE("simultaneous impacts: Newton's law holds at all points at once") {
  test::Scene s("simultaneous_impacts.xml");
  s.run(0.6);
  // Impulses p along both normals, 30 degrees off: p (1 + 2 c^2) = v c (1 + e), c = cos 30, e = 1, v = 1, masses 1.
  const double c = std::cos(M_PI / 6), p = 2 * c / (1 + 2 * c * c);
  const Vector cue = s.velocity("cue"), left = s.velocity("left"), right = s.velocity("right");
  CHECK(cue.x == Approx(1 - 2 * p * c).margin(5e-3));  // -0.2
  CHECK(std::fabs(cue.y) < 1e-3);
  CHECK(left.x == Approx(p * c).margin(5e-3));
  CHECK(left.y == Approx(p / 2).margin(5e-3));
  CHECK(right.y == Approx(-left.y).margin(1e-3));
  // A bar that hits a wall flat leaves flat, at half its speed.
  CHECK(s.velocity("bar").z == Approx(1).epsilon(2e-3));
  CHECK(std::fabs(s.omega("bar").y) < 1e-3);
  CHECK(std::fabs(s.omega("bar").x) < 1e-3);
}

TEST_CASE("Newton's cradle: the outer balls swing in turn, the others stay") {
  test::Scene s("newtons_cradle.xml");
  double swing[5] = {};
  for (int i = 0; i < 8 * 240; i++) {
    s.step(1);
    if (i < 6 * 240) continue;
    for (int k = 0; k < 5; k++) swing[k] = std::max(swing[k], std::fabs(s.position("ball_" + std::to_string(k + 1)).x - 0.1 * k));
  }
  const double let = 0.5 * std::sin(0.5);
  for (int k : {0, 4}) CHECK(swing[k] == Approx(let).epsilon(0.015));
  for (int k : {1, 2, 3}) CHECK(swing[k] < 1e-4);
  CHECK(s.stats().unsolved == 0);
}

TEST_CASE("contact stabilisation: boxes made half inside each other part gently") {
  test::Scene s("contact_stabilisation.xml");
  double fastest = 0;  // of neighbours to each other
  for (int i = 0; i < 720; i++) {
    s.step(1);
    for (int k = 0; k < 4; k++) {
      const Vector v = s.velocity("box" + std::to_string(k)), w = s.velocity("box" + std::to_string(k + 1));
      fastest = std::max(fastest, std::hypot(v.x - w.x, v.y - w.y, v.z - w.z));
    }
  }
  CHECK(fastest > 0.05);
  CHECK(fastest <= 1.0 + 1e-3);
  CHECK(s.stats().max_penetration < 2e-3);

  vtb_world_def settings = s.settings();
  settings.contact.correction = 0;
  test::Scene without("contact_stabilisation.xml", &settings);
  without.run(3);
  CHECK(without.stats().max_penetration > 0.09);
}

TEST_CASE("pool: all stay in it and come to rest") {
  test::Scene s("pool.xml");
  double deepest = 0;
  for (int i = 0; i < 8 * 240; i++) {
    s.step(1);
    if (i > 7 * 240) deepest = std::max(deepest, s.stats().max_penetration);
  }
  CHECK(deepest < 5e-3);
  const double kinetic = s.energy().kinetic;
  double mass = 0;
  size_t count = 0;
  test::require(vtb_world_get_bodies(s.world(), nullptr, 0, &count));
  CHECK(count == 73);
  std::vector<vtb_body> bodies(count);
  test::require(vtb_world_get_bodies(s.world(), bodies.data(), count, &count));
  for (const vtb_body body : bodies) {
    double pose[7], m, com[3], inertia[6];
    test::require(vtb_body_get_pose(s.world(), body, pose));
    test::require(vtb_body_get_mass(s.world(), body, &m, com, inertia));
    mass += m;
    CHECK(std::fabs(pose[0]) < 1);
    CHECK(std::fabs(pose[1]) < 1);
    CHECK(pose[2] > 0.1);
    CHECK(pose[2] < 1.2);
  }
  CHECK(kinetic / mass < 1e-3);
}

TEST_CASE("group merging: tree systems that meet within a step repeat it together, the others are unaffected") {
  test::Scene s("group_merging.xml");
  int merges = 0;
  for (int k = 0; k < 12; k++) {
    s.step(1);
    merges += s.stats().merges;
  }
  CHECK(merges == 1);
  // 1 kg at 6 m/s against 3 kg at rest, elastic.
  CHECK(s.velocity("ball0").x == Approx(-3).epsilon(5e-3));
  CHECK(s.velocity("ball1").x == Approx(3).epsilon(5e-3));
  CHECK(s.velocity("ball0").x + 3 * s.velocity("ball1").x == Approx(6).margin(1e-9));
  // The pair beside them rotates about its middle at 5 rad/s, which moves at half the weight's speed.
  CHECK(s.omega("hub").z == Approx(5).margin(1e-6));
  CHECK((s.velocity("hub").y + s.velocity("weight").y) / 2 == Approx(1.25).margin(1e-6));
}

TEST_CASE("own steps: bodies that ask for them make the world's step in parts, together with those that they hit") {
  test::Scene s("own_steps.xml");
  CHECK(s.saved().find("step=\"1/1920\"") != std::string::npos);
  int merges = 0;
  for (int k = 0; k < 120; k++) {
    s.step(1);
    CHECK(s.stats().parts == 16);
    merges += s.stats().merges;
  }
  CHECK(merges > 0);
  CHECK(s.position("box").x > 0.01);
  // The top precesses at m g r / (C w) and hardly sinks.
  CHECK(s.position("top").z > 0.95);
  CHECK(s.stats().max_energy_correction < 1e-4);
  // A change by a call is saved if a file can express it.
  test::require(vtb_body_set_integration(s.world(), s.body("pendulum"), 0.002, VTB_INTEGRATOR_WORLD));
  CHECK(s.saved().find("step=\"0.002\"") != std::string::npos);
}

TEST_CASE("critical contacts: a body that cannot leave a contact is stopped there") {
  test::Scene s("critical_contacts.xml");
  int stops = 0;
  for (int k = 0; k < 10; k++) {
    s.step(1);
    stops += s.stats().stops;
    CHECK(std::fabs(s.position("ball").x) < 5e-4 + 2e-4);
    if (stops == 0) continue;
    const Vector v = s.velocity("ball");
    CHECK(std::hypot(v.x, v.y, v.z) == 0);
  }
  CHECK(stops > 0);
}
