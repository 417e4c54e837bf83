// What holds for every scene: it loads without a word, runs, and what is saved at any time goes on as the world it was saved from.
#include <memory>

#include "tests/scenes/scene.hpp"

using test::Scene;

TEST_CASE("every scene: a saved one goes on bit for bit") {
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

namespace {

// The scene's world under a stepper, or none where the stepper says that it is not for it, in words that name what it cannot do.
std::unique_ptr<Scene> under(const std::string& file, int stepper) {
  const Scene plain(file);
  vtb_world_def settings = plain.settings();
  settings.stepper = stepper;
  vtb_world* tried = nullptr;
  if (vtb_scene_create_world(plain.scene(), &settings, &tried) != VTB_OK) {
    const std::string text = vtb_last_error();
    INFO(text);
    REQUIRE((stepper == VTB_STEPPER_DISPLACEMENT || stepper == VTB_STEPPER_VARIATIONAL));
    CHECK(text.find("bodies have steps of their own under") != std::string::npos);
    return nullptr;
  }
  vtb_world_destroy(tried);
  auto scene = std::make_unique<Scene>(file, &settings);
  const vtb_status status = vtb_world_step(scene->world(), 12);
  const std::string text = vtb_last_error();
  if (status == VTB_OK) return scene;
  INFO(text);
  // The stepper ode refuses what has no acceleration (drives without bounds on their gains, links that only drives hold).
  REQUIRE(stepper == VTB_STEPPER_ODE);
  CHECK((status == VTB_E_UNSUPPORTED || status == VTB_E_ARG || status == VTB_E_DIVERGED));
  return nullptr;
}

double jointBound(const std::string& file, int stepper) {
  if (stepper == VTB_STEPPER_SPOOK) return 0.02;  // joints outside trees are soft
  if (file == "cloth.xml") return 0.1;            // eight sweeps under ten times the earth's gravity
  // Open by what is left of the sweeps; more where a ball of 1e-6 kg m^2 hangs on 1 m.
  if (stepper == VTB_STEPPER_DISPLACEMENT) return file == "joint_types.xml" ? 0.04 : 0.01;
  return 1e-9;
}

}  // namespace

TEST_CASE("every scene under every stepper: joints hold, and what is saved goes on bit for bit") {
  for (const std::string& file : test::sceneFiles())
    for (const int stepper : {VTB_STEPPER_VARIATIONAL, VTB_STEPPER_SPOOK, VTB_STEPPER_ODE, VTB_STEPPER_DISPLACEMENT}) {
      if (file == "cloth.xml" && stepper != VTB_STEPPER_DISPLACEMENT) continue;  // under 100 m/s2 the others want shorter steps (soft_test.cpp)
      INFO(file << ", stepper " << stepper);
      const std::unique_ptr<Scene> one = under(file, stepper);
      if (!one) continue;
      CHECK(one->stats().max_joint_error < jointBound(file, stepper));
      Scene other = Scene::fromText(one->saved());
      REQUIRE(other.hash() == one->hash());
      one->step(12), other.step(12);
      CHECK(other.hash() == one->hash());
    }
}

TEST_CASE("the stepper displacement says what it is not for") {
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
  other.flags |= VTB_WORLD_PLANAR;
  CHECK(refused(other).find("planar") != std::string::npos);
  other = settings;
  other.restitution_law = VTB_RESTITUTION_POISSON;
  CHECK(refused(other).find("restitution") != std::string::npos);
  other = settings;
  other.friction_law = VTB_FRICTION_PYRAMID;
  CHECK(refused(other).find("friction") != std::string::npos);
  other = settings;
  other.lcp = VTB_LCP_DANTZIG;
  CHECK(refused(other).find("lcp") != std::string::npos);
}
