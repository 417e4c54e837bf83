// What the command that makes FMUs asks the runtime for, besides the standard's functions: the description of a model in a folder of
// resources, and its reference run. Both answer 0, or 1 after telling `fail` why; they write through a callback. No exception leaves them.
#include <exception>
#include <new>

#include "plugins/fmi/describe.hpp"

namespace vertebra::fmi {
extern const int kVersion;  // of FMI: 2 or 3
}

using namespace vertebra::fmi;

extern "C" {

typedef void vertebra_fmu_write(void* user, const char* text, size_t size);

#pragma GCC visibility push(default)

// told: receives inner step [s], step between communication points [s], numbers of inputs, parameters and outputs.
int vertebra_fmu_describe(const char* resources, const char* identifier, const char* name, double stopTime, double stepSize, double told[5],
                          vertebra_fmu_write* write, vertebra_fmu_write* fail, void* user) {
  try {
    const Model model(resources);
    Experiment experiment{identifier, name, stopTime, stepSize > 0 ? stepSize : defaultStepSize(model.timeStep())};
    const std::string text = describe(model, kVersion, experiment);
    told[0] = model.timeStep();
    told[1] = experiment.stepSize;
    told[2] = told[3] = told[4] = 0;
    for (const Variable& v : model.variables) {
      told[2] += v.causality == Causality::kInput;
      told[3] += v.causality == Causality::kParameter;
      told[4] += v.causality == Causality::kOutput;
    }
    write(user, text.data(), text.size());
    return 0;
  } catch (const std::bad_alloc&) {
    fail(user, "out of memory", 13);
  } catch (const std::exception& error) {
    fail(user, error.what(), std::string(error.what()).size());
  }
  return 1;
}

int vertebra_fmu_reference(const char* resources, double stopTime, double stepSize, vertebra_fmu_write* write, vertebra_fmu_write* fail,
                           void* user) {
  try {
    writeReference(resources, {"", "", stopTime, stepSize}, [&](const std::string& text) { write(user, text.data(), text.size()); });
    return 0;
  } catch (const std::bad_alloc&) {
    fail(user, "out of memory", 13);
  } catch (const std::exception& error) {
    fail(user, error.what(), std::string(error.what()).size());
  }
  return 1;
}

#pragma GCC visibility pop
}
