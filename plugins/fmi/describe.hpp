// modelDescription.xml of FMI 2.0 and 3.0, and the run that an importer may compare its own with.
#pragma once
#include <functional>
#include <string>

#include "plugins/fmi/instance.hpp"

namespace vertebra::fmi {

struct Experiment {
  std::string identifier;  // name of the shared library, a C identifier
  std::string name;        // of the model, for people
  double stopTime = 5;     // s
  double stepSize = 0;     // s: between communication points
};

double defaultStepSize(double innerStep);  // the least multiple of the inner step that is not below 0.01 s

std::string describe(const Model& model, int version, const Experiment& experiment);

// A run from time 0 with all values at their starts, as CSV: time and every output at every communication point.
void writeReference(const std::string& resources, const Experiment& experiment, const std::function<void(const std::string&)>& write);

}  // namespace vertebra::fmi
