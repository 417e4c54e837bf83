// The scenes of the comparison: what is run, what is measured against what, and how much of it is let pass.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plugins/ignition/test/engines.hpp"

namespace compare {

struct Result {
  double error = 0, microseconds = 0;  // microseconds in a step
};

struct SceneRow {
  std::string name, measure, unit;
  double bound;  // of our error
  std::function<Result(const Engine&)> run;
};

// `fine` is the engine whose own runs with short steps are the reference where there is no closed form.
std::vector<SceneRow> sceneRows(const Engine& fine);

}  // namespace compare
