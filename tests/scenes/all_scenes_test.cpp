// Common to every scene: it loads without diagnostics, runs, and a saved state continues as the world from which it was saved.
#include "tests/scenes/steppers.hpp"

using test::Scene;

TEST_CASE("every scene: a saved one continues bit for bit") {
  REQUIRE(test::sceneFiles().size() >= 3);
  for (const std::string& file : test::sceneFiles()) {
    INFO(file);
    Scene one(file);
    {
      Scene again = Scene::fromText(one.saved());
      REQUIRE(again.hash() == one.hash());
      CHECK(again.saved() == one.saved());
    }
    one.run(0.5);
    Scene other = Scene::fromText(one.saved());
    REQUIRE(other.hash() == one.hash());
    one.run(1), other.run(1);
    CHECK(other.hash() == one.hash());
  }
}

TEST_CASE("every scene under every stepper: a saved one continues bit for bit") {
  for (const std::string& file : test::sceneFiles())
    for (const auto& [stepper, name] : test::steppers()) {
      if (stepper == VTB_STEPPER_IMPULSE || test::refusal(file, stepper)) continue;
      if (file == "cloth.xml" && stepper != VTB_STEPPER_DISPLACEMENT)
        continue;  // under 100 m/s2 the others need shorter steps (soft_test.cpp)
      INFO(file << " under " << name);
      vtb_world_def settings = Scene(file).settings();
      settings.stepper = stepper;
      test::adapt(file, settings);
      const int steps = settings.ode.control == VTB_STEP_CONTROL_EMBEDDED ? 4 : 12;
      Scene one(file, &settings);
      one.step(steps);
      Scene other = Scene::fromText(one.saved());
      REQUIRE(other.hash() == one.hash());
      one.step(steps), other.step(steps);
      CHECK(other.hash() == one.hash());
    }
}

TEST_CASE("the stepper displacement names what it does not support") {
  const Scene rope("rope.xml");
  vtb_world_def settings = rope.settings();
  settings.stepper = VTB_STEPPER_DISPLACEMENT;
  const auto refused = [&](const vtb_world_def& def) {
    vtb_world* world = nullptr;
    vtb_status status = vtb_scene_create_world(rope.scene(), &def, &world);
    if (status == VTB_OK) status = vtb_world_step(world, 1);
    const std::string text = status == VTB_OK ? "" : vtb_last_error();
    vtb_world_destroy(world);
    return text;
  };
  CHECK(refused(settings).empty());
  vtb_world_def other = settings;
  other.flags |= VTB_WORLD_FLAG_PLANAR;
  CHECK(refused(other).find("planar") != std::string::npos);
  other = settings;
  other.contact.restitution_law = VTB_RESTITUTION_LAW_POISSON;
  CHECK(refused(other).find("restitution") != std::string::npos);
  other = settings;
  other.contact.friction_law = VTB_FRICTION_LAW_PYRAMID;
  CHECK(refused(other).find("friction") != std::string::npos);
  other = settings;
  other.solver.type = VTB_SOLVER_DANTZIG;
  CHECK(refused(other).find("solver") != std::string::npos);
}
