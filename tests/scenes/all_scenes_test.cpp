// What holds for every scene: it loads without a word, runs, and what is saved at any time goes on as the world it was saved from.
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
