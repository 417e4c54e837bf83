// A user constraint whose rows a function writes.
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "tests/engine/world/scenes.hpp"

namespace test {

struct Written {
  std::function<int(UserRow*)> rows;
  int id = -1;
  static int evaluate(void* self, int, UserRow* rows) { return static_cast<Written*>(self)->rows(rows); }
  void create(world::World& w, std::vector<int> bodies, std::vector<int> joints, int count) {
    UserConstraintDefinition d;
    d.bodies = std::move(bodies);
    d.joints = std::move(joints);
    d.rows = count;
    d.evaluate = evaluate;
    d.user = this;
    REQUIRE_FALSE(w.createConstraint(d, id));
  }
};

}  // namespace test
