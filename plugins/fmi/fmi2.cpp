// The functions of FMI 2.0. Which states allow which call: table of section 4.2.4 of FMI 2.0.4. What that table leaves to co-simulation
// FMUs with other capability flags, and all of model exchange, is an error here. Inputs may be set before the initialization too.
#include "plugins/fmi/fmi2.h"

#include "plugins/fmi/component.hpp"

namespace vertebra::fmi {
extern const int kVersion;
const int kVersion = 2;
}  // namespace vertebra::fmi

using namespace vertebra::fmi;

namespace {

constexpr unsigned kReadable = kInitialization | kStepMode | kStepFailed | kTerminated | kErrorState;
constexpr unsigned kWritable = kInstantiated | kInitialization | kStepMode;
constexpr unsigned kStatusKnown = kStepMode | kStepFailed | kTerminated;

fmi2Status answer(fmi2Component c, const char* function, unsigned allowed, const std::function<Status(Component&)>& action) {
  return static_cast<fmi2Status>(call(c, function, allowed, action));
}
fmi2Status notOffered(fmi2Component c, const char* function) {
  return answer(c, function, 0, [](Component&) { return Status::kOk; });
}
Status unknownStatus(Component& c, const char* text) { return c.report(Status::kDiscard, text); }

// The folder of a URI: "file:///a%20b" or "file:/a"; a plain path stays what it is.
std::string folderOf(const char* uri) {
  std::string text = uri ? uri : "";
  if (text.starts_with("file://")) {
    text.erase(0, 7);
    if (!text.starts_with("/")) text.erase(0, std::min(text.find('/'), text.size()));  // a host, such as localhost
  } else if (text.starts_with("file:")) {
    text.erase(0, 5);
  } else {
    return text;
  }
  std::string path;
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      path += static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2]));
      i += 2;
    } else {
      path += text[i];
    }
  }
  return path;
}

// A message is a format of printf in which '#' begins a value reference: both signs stand doubled. Importers that show it as it is show it
// whole.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '%' || c == '#' ? std::string(2, c) : std::string(1, c);
  return result;
}

}  // namespace

// --- common -----------------------------------------------------------------------------------------------------------------------------

const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[]) {
  return answer(c, __func__, kAllStates, [&](Component& self) { return setLogging(self, on != 0, count, categories); });
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions* functions,
                              fmi2Boolean, fmi2Boolean logging) {
  if (!functions || !functions->logger) return nullptr;
  const fmi2CallbackFunctions callbacks = *functions;
  const Log log = [callbacks](const Component& self, Status status, const char* category, const std::string& text) {
    callbacks.logger(callbacks.componentEnvironment, self.name.c_str(), static_cast<fmi2Status>(status), category, escaped(text).c_str());
  };
  if (type != fmi2CoSimulation) {
    Component none;
    none.name = name ? name : "";
    log(none, Status::kError, "logStatusError", "this FMU is for co-simulation only");
    return nullptr;
  }
  return instantiate(name, guid, folderOf(resources), logging != 0, kErrorState, log);
}

void fmi2FreeInstance(fmi2Component c) { release(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
  return answer(c, __func__, kInstantiated, [&](Component& self) {
    self.experimentSet = true;
    self.startTime = startTime;
    self.stopDefined = stopTimeDefined != 0;
    self.stopTime = stopTime;
    return Status::kOk;
  });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return answer(c, __func__, kInstantiated, [&](Component& self) {
    if (!self.experimentSet) throw Failure("fmi2SetupExperiment comes first");
    return enterInitialization(self, self.startTime, self.stopDefined, self.stopTime);
  });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return answer(c, __func__, kInitialization, [](Component& self) {
    self.state = kStepMode;
    return Status::kOk;
  });
}

fmi2Status fmi2Terminate(fmi2Component c) {
  return answer(c, __func__, kStepMode | kStepFailed, [](Component& self) {
    self.state = kTerminated;
    return Status::kOk;
  });
}

fmi2Status fmi2Reset(fmi2Component c) { return answer(c, __func__, kAllStates, reset); }

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2Real values[]) {
  return answer(c, __func__, kReadable, [&](Component& self) {
    if (count > 0 && !values) throw Failure("no place for the values is given");
    return readValues(self, references, count, false, [&](std::size_t i, double value) { values[i] = value; });
  });
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2Integer values[]) {
  return answer(c, __func__, kReadable, [&](Component& self) {
    if (count > 0 && !values) throw Failure("no place for the values is given");
    return readValues(self, references, count, true, [&](std::size_t i, double value) { values[i] = static_cast<fmi2Integer>(value); });
  });
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference[], size_t count, fmi2Boolean[]) {
  return answer(c, __func__, kReadable, [&](Component& self) { return noSuchType(self, count, "Boolean"); });
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t count, fmi2String[]) {
  return answer(c, __func__, kReadable, [&](Component& self) { return noSuchType(self, count, "String"); });
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t count, const fmi2Real values[]) {
  return answer(c, __func__, kWritable, [&](Component& self) {
    if (count > 0 && !values) throw Failure("no values are given");
    return writeValues(self, references, count, false, [&](std::size_t i) { return values[i]; });
  });
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference references[], size_t count, const fmi2Integer values[]) {
  return answer(c, __func__, kWritable, [&](Component& self) {
    if (count > 0 && !values) throw Failure("no values are given");
    return writeValues(self, references, count, true, [&](std::size_t i) { return static_cast<double>(values[i]); });
  });
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference[], size_t count, const fmi2Boolean[]) {
  return answer(c, __func__, kWritable, [&](Component& self) { return noSuchType(self, count, "Boolean"); });
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t count, const fmi2String[]) {
  return answer(c, __func__, kWritable, [&](Component& self) { return noSuchType(self, count, "String"); });
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return answer(c, __func__, kAllStates, [&](Component& self) { return getState(self, state); });
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return answer(c, __func__, kAllStates, [&](Component& self) { return setState(self, state); });
}
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return answer(c, __func__, kAllStates, [&](Component& self) { return freeState(self, state); });
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
  return answer(c, __func__, kAllStates, [&](Component& self) { return stateSize(self, state, size); });
}
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  return answer(c, __func__, kAllStates, [&](Component& self) { return serialize(self, state, bytes, size); });
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate* state) {
  return answer(c, __func__, kAllStates, [&](Component& self) { return deserialize(self, bytes, size, state); });
}
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference[], size_t, const fmi2ValueReference[], size_t,
                                        const fmi2Real[], fmi2Real[]) {
  return notOffered(c, __func__);
}

// --- model exchange ---------------------------------------------------------------------------------------------------------------------

fmi2Status fmi2EnterEventMode(fmi2Component c) { return notOffered(c, __func__); }
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo*) { return notOffered(c, __func__); }
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { return notOffered(c, __func__); }
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean, fmi2Boolean*, fmi2Boolean*) { return notOffered(c, __func__); }
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real) { return notOffered(c, __func__); }
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real[], size_t) { return notOffered(c, __func__); }
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real[], size_t) { return notOffered(c, __func__); }
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real[], size_t) { return notOffered(c, __func__); }
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real[], size_t) { return notOffered(c, __func__); }
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real[], size_t) { return notOffered(c, __func__); }

// --- co-simulation ----------------------------------------------------------------------------------------------------------------------

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t, const fmi2Integer[], const fmi2Real[]) {
  return notOffered(c, __func__);
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t, const fmi2Integer[], fmi2Real[]) {
  return notOffered(c, __func__);
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real point, fmi2Real length, fmi2Boolean) {
  return answer(c, __func__, kStepMode, [&](Component& self) {
    const StepResult made = self.instance->step(point, length);
    if (made.diverged) {
      self.state = kStepFailed;
      self.terminatedByItself = true;
      return self.report(Status::kDiscard, made.warning);
    }
    return made.warning.empty() ? Status::kOk : self.report(Status::kWarning, made.warning);
  });
}
fmi2Status fmi2CancelStep(fmi2Component c) { return notOffered(c, __func__); }

fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind, fmi2Status*) {
  return answer(c, __func__, kStatusKnown,
                [](Component& self) { return unknownStatus(self, "no step is pending: steps are not asynchronous"); });
}
fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real* value) {
  return answer(c, __func__, kStatusKnown, [&](Component& self) {
    if (!value) throw Failure("no place for the value is given");
    if (kind != fmi2LastSuccessfulTime) return unknownStatus(self, "this status is no Real");
    *value = self.instance->lastSuccessfulTime();
    return Status::kOk;
  });
}
fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind, fmi2Integer*) {
  return answer(c, __func__, kStatusKnown, [](Component& self) { return unknownStatus(self, "no status is an Integer"); });
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value) {
  return answer(c, __func__, kStatusKnown, [&](Component& self) {
    if (!value) throw Failure("no place for the value is given");
    if (kind != fmi2Terminated) return unknownStatus(self, "this status is no Boolean");
    *value = self.terminatedByItself;
    return Status::kOk;
  });
}
fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind, fmi2String*) {
  return answer(c, __func__, kStatusKnown,
                [](Component& self) { return unknownStatus(self, "no step is pending: steps are not asynchronous"); });
}
