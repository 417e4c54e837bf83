// The functions of FMI 3.0. Which states allow which call: sections 2.3 and 4.2.1 of FMI 3.0, for a co-simulation FMU without event mode,
// clocks, structural parameters and intermediate updates. What needs those, model exchange and scheduled execution is an error.
#include "plugins/fmi/fmi3.h"

#include "plugins/fmi/component.hpp"

namespace vertebra::fmi {
extern const int kVersion;
const int kVersion = 3;
}  // namespace vertebra::fmi

using namespace vertebra::fmi;

namespace {

constexpr unsigned kReadable = kInstantiated | kInitialization | kStepMode | kTerminated;
constexpr unsigned kWritable = kInstantiated | kInitialization | kStepMode;

fmi3Status answer(fmi3Instance i, const char* function, unsigned allowed, const std::function<Status(Component&)>& action) {
  return static_cast<fmi3Status>(call(i, function, allowed, action));
}
fmi3Status notOffered(fmi3Instance i, const char* function) {
  return answer(i, function, 0, [](Component&) { return Status::kOk; });
}
fmi3Status none(fmi3Instance i, const char* function, unsigned allowed, size_t count, const char* type) {
  return answer(i, function, allowed, [&](Component& self) { return noSuchType(self, count, type); });
}
// Our variables are scalars: as many values as references.
void sameCount(size_t references, size_t values, const void* array) {
  if (references != values) throw Failure("the number of values is not that of the value references; all variables are scalars");
  if (values > 0 && !array) throw Failure("no array of values is given");
}
fmi3Instance refuse(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, const char* text) {
  if (log) log(environment, fmi3Error, "logStatusError", text);
  return nullptr;
}
// A message may hold a '#' only doubled: one alone would begin a value reference.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '#' ? std::string(2, c) : std::string(1, c);
  return result;
}

}  // namespace

// --- common -----------------------------------------------------------------------------------------------------------------------------

const char* fmi3GetVersion(void) { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance i, fmi3Boolean on, size_t count, const fmi3String categories[]) {
  return answer(i, __func__, kAllStates, [&](Component& self) { return setLogging(self, on, count, categories); });
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log) {
  return refuse(environment, log, "this FMU is for co-simulation only");
}
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean logging,
                                         fmi3Boolean eventModeUsed, fmi3Boolean, const fmi3ValueReference[], size_t intermediateCount,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback) {
  if (eventModeUsed) return refuse(environment, log, "this FMU has no event mode");
  if (intermediateCount > 0) return refuse(environment, log, "this FMU has no intermediate variables");
  if (!resources) return refuse(environment, log, "this FMU needs the path of its resources");
  const Log told = [environment, log](const Component&, Status status, const char* category, const std::string& text) {
    if (log) log(environment, static_cast<fmi3Status>(status), category, escaped(text).c_str());
  };
  return instantiate(name, token, resources, logging, kTerminated, told);
}
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback,
                                               fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback) {
  return refuse(environment, log, "this FMU is for co-simulation only");
}
void fmi3FreeInstance(fmi3Instance i) { release(i); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean, fmi3Float64, fmi3Float64 startTime, fmi3Boolean stopTimeDefined,
                                       fmi3Float64 stopTime) {
  return answer(i, __func__, kInstantiated,
                [&](Component& self) { return enterInitialization(self, startTime, stopTimeDefined, stopTime); });
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance i) {
  return answer(i, __func__, kInitialization, [](Component& self) {
    self.state = kStepMode;
    return Status::kOk;
  });
}
fmi3Status fmi3EnterEventMode(fmi3Instance i) { return notOffered(i, __func__); }
fmi3Status fmi3Terminate(fmi3Instance i) {
  return answer(i, __func__, kStepMode, [](Component& self) {
    self.state = kTerminated;
    return Status::kOk;
  });
}
fmi3Status fmi3Reset(fmi3Instance i) { return answer(i, __func__, kAllStates, reset); }

// --- values -----------------------------------------------------------------------------------------------------------------------------

fmi3Status fmi3GetFloat64(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3Float64 values[], size_t valueCount) {
  return answer(i, __func__, kReadable, [&](Component& self) {
    sameCount(count, valueCount, values);
    return readValues(self, references, count, false, [&](std::size_t k, double value) { values[k] = value; });
  });
}
fmi3Status fmi3SetFloat64(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Float64 values[],
                          size_t valueCount) {
  return answer(i, __func__, kWritable, [&](Component& self) {
    sameCount(count, valueCount, values);
    return writeValues(self, references, count, false, [&](std::size_t k) { return values[k]; });
  });
}
fmi3Status fmi3GetInt32(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3Int32 values[], size_t valueCount) {
  return answer(i, __func__, kReadable, [&](Component& self) {
    sameCount(count, valueCount, values);
    return readValues(self, references, count, true, [&](std::size_t k, double value) { values[k] = static_cast<fmi3Int32>(value); });
  });
}
fmi3Status fmi3SetInt32(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Int32 values[], size_t valueCount) {
  return answer(i, __func__, kWritable, [&](Component& self) {
    sameCount(count, valueCount, values);
    return writeValues(self, references, count, true, [&](std::size_t k) { return static_cast<double>(values[k]); });
  });
}
fmi3Status fmi3GetFloat32(fmi3Instance i, const fmi3ValueReference[], size_t count, fmi3Float32[], size_t) {
  return none(i, __func__, kReadable, count, "Float32");
}
fmi3Status fmi3SetFloat32(fmi3Instance i, const fmi3ValueReference[], size_t count, const fmi3Float32[], size_t) {
  return none(i, __func__, kWritable, count, "Float32");
}
fmi3Status fmi3GetInt8(fmi3Instance i, const fmi3ValueReference[], size_t count, fmi3Int8[], size_t) {
  return none(i, __func__, kReadable, count, "Int8");
}
fmi3Status fmi3SetInt8(fmi3Instance i, const fmi3ValueReference[], size_t count, const fmi3Int8[], size_t) {
  return none(i, __func__, kWritable, count, "Int8");
}
fmi3Status fmi3GetUInt8(fmi3Instance i, const fmi3ValueReference[], size_t count, fmi3UInt8[], size_t) {
  return none(i, __func__, kReadable, count, "UInt8");
}
fmi3Status fmi3SetUInt8(fmi3Instance i, const fmi3ValueReference[], size_t count, const fmi3UInt8[], size_t) {
  return none(i, __func__, kWritable, count, "UInt8");
}
fmi3Status fmi3GetInt16(fmi3Instance i, const fmi3ValueReference[], size_t count, fmi3Int16[], size_t) {
  return none(i, __func__, kReadable, count, "Int16");
}
fmi3Status fmi3SetInt16(fmi3Instance i, const fmi3ValueReference[], size_t count, const fmi3Int16[], size_t) {
  return none(i, __func__, kWritable, count, "Int16");
}
fmi3Status fmi3GetUInt16(fmi3Instance i, const fmi3ValueReference[], size_t count, fmi3UInt16[], size_t) {
  return none(i, __func__, kReadable, count, "UInt16");
}
fmi3Status fmi3SetUInt16(fmi3Instance i, const fmi3ValueReference[], size_t count, const fmi3UInt16[], size_t) {
  return none(i, __func__, kWritable, count, "UInt16");
}
fmi3Status fmi3GetUInt32(fmi3Instance i, const fmi3ValueReference[], size_t count, fmi3UInt32[], size_t) {
  return none(i, __func__, kReadable, count, "UInt32");
}
fmi3Status fmi3SetUInt32(fmi3Instance i, const fmi3ValueReference[], size_t count, const fmi3UInt32[], size_t) {
  return none(i, __func__, kWritable, count, "UInt32");
}
fmi3Status fmi3GetInt64(fmi3Instance i, const fmi3ValueReference[], size_t count, fmi3Int64[], size_t) {
  return none(i, __func__, kReadable, count, "Int64");
}
fmi3Status fmi3SetInt64(fmi3Instance i, const fmi3ValueReference[], size_t count, const fmi3Int64[], size_t) {
  return none(i, __func__, kWritable, count, "Int64");
}
fmi3Status fmi3GetUInt64(fmi3Instance i, const fmi3ValueReference[], size_t count, fmi3UInt64[], size_t) {
  return none(i, __func__, kReadable, count, "UInt64");
}
fmi3Status fmi3SetUInt64(fmi3Instance i, const fmi3ValueReference[], size_t count, const fmi3UInt64[], size_t) {
  return none(i, __func__, kWritable, count, "UInt64");
}
fmi3Status fmi3GetBoolean(fmi3Instance i, const fmi3ValueReference[], size_t count, fmi3Boolean[], size_t) {
  return none(i, __func__, kReadable, count, "Boolean");
}
fmi3Status fmi3SetBoolean(fmi3Instance i, const fmi3ValueReference[], size_t count, const fmi3Boolean[], size_t) {
  return none(i, __func__, kWritable, count, "Boolean");
}
fmi3Status fmi3GetString(fmi3Instance i, const fmi3ValueReference[], size_t count, fmi3String[], size_t) {
  return none(i, __func__, kReadable, count, "String");
}
fmi3Status fmi3SetString(fmi3Instance i, const fmi3ValueReference[], size_t count, const fmi3String[], size_t) {
  return none(i, __func__, kWritable, count, "String");
}
fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference[], size_t count, size_t[], fmi3Binary[], size_t) {
  return none(i, __func__, kReadable, count, "Binary");
}
fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference[], size_t count, const size_t[], const fmi3Binary[], size_t) {
  return none(i, __func__, kWritable, count, "Binary");
}
fmi3Status fmi3GetClock(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3Clock[]) { return notOffered(i, __func__); }
fmi3Status fmi3SetClock(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3Clock[]) { return notOffered(i, __func__); }

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance i, fmi3ValueReference, size_t*) { return notOffered(i, __func__); }
fmi3Status fmi3GetVariableDependencies(fmi3Instance i, fmi3ValueReference, size_t[], fmi3ValueReference[], size_t[], fmi3DependencyKind[],
                                       size_t) {
  return notOffered(i, __func__);
}

// --- states -----------------------------------------------------------------------------------------------------------------------------

fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState* state) {
  return answer(i, __func__, kAllStates, [&](Component& self) { return getState(self, state); });
}
fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state) {
  return answer(i, __func__, kAllStates, [&](Component& self) { return setState(self, state); });
}
fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState* state) {
  return answer(i, __func__, kAllStates, [&](Component& self) { return freeState(self, state); });
}
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t* size) {
  return answer(i, __func__, kAllStates, [&](Component& self) { return stateSize(self, state, size); });
}
fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  return answer(i, __func__, kAllStates, [&](Component& self) { return serialize(self, state, reinterpret_cast<char*>(bytes), size); });
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte bytes[], size_t size, fmi3FMUState* state) {
  return answer(i, __func__, kAllStates,
                [&](Component& self) { return deserialize(self, reinterpret_cast<const char*>(bytes), size, state); });
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3ValueReference[], size_t,
                                        const fmi3Float64[], size_t, fmi3Float64[], size_t) {
  return notOffered(i, __func__);
}
fmi3Status fmi3GetAdjointDerivative(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3ValueReference[], size_t,
                                    const fmi3Float64[], size_t, fmi3Float64[], size_t) {
  return notOffered(i, __func__);
}
fmi3Status fmi3EnterConfigurationMode(fmi3Instance i) { return notOffered(i, __func__); }
fmi3Status fmi3ExitConfigurationMode(fmi3Instance i) { return notOffered(i, __func__); }

// --- clocks and events ------------------------------------------------------------------------------------------------------------------

fmi3Status fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3Float64[], fmi3IntervalQualifier[]) {
  return notOffered(i, __func__);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[],
                                   fmi3IntervalQualifier[]) {
  return notOffered(i, __func__);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3Float64[]) { return notOffered(i, __func__); }
fmi3Status fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[]) {
  return notOffered(i, __func__);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
  return notOffered(i, __func__);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3UInt64[], const fmi3UInt64[]) {
  return notOffered(i, __func__);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3Float64[]) { return notOffered(i, __func__); }
fmi3Status fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3UInt64[], const fmi3UInt64[]) {
  return notOffered(i, __func__);
}
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance i) { return notOffered(i, __func__); }
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Float64*) {
  return notOffered(i, __func__);
}

// --- model exchange ---------------------------------------------------------------------------------------------------------------------

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance i) { return notOffered(i, __func__); }
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance i, fmi3Boolean, fmi3Boolean*, fmi3Boolean*) { return notOffered(i, __func__); }
fmi3Status fmi3SetTime(fmi3Instance i, fmi3Float64) { return notOffered(i, __func__); }
fmi3Status fmi3SetContinuousStates(fmi3Instance i, const fmi3Float64[], size_t) { return notOffered(i, __func__); }
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance i, fmi3Float64[], size_t) { return notOffered(i, __func__); }
fmi3Status fmi3GetEventIndicators(fmi3Instance i, fmi3Float64[], size_t) { return notOffered(i, __func__); }
fmi3Status fmi3GetContinuousStates(fmi3Instance i, fmi3Float64[], size_t) { return notOffered(i, __func__); }
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance i, fmi3Float64[], size_t) { return notOffered(i, __func__); }
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t*) { return notOffered(i, __func__); }
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t*) { return notOffered(i, __func__); }

// --- co-simulation and scheduled execution ----------------------------------------------------------------------------------------------

fmi3Status fmi3EnterStepMode(fmi3Instance i) { return notOffered(i, __func__); }
fmi3Status fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3Int32[], fmi3Float64[], size_t) {
  return notOffered(i, __func__);
}
fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 point, fmi3Float64 length, fmi3Boolean, fmi3Boolean* eventHandlingNeeded,
                      fmi3Boolean* terminate, fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
  return answer(i, __func__, kStepMode, [&](Component& self) {
    const StepResult made = self.instance->step(point, length);
    for (fmi3Boolean* flag : {eventHandlingNeeded, terminate, earlyReturn})
      if (flag) *flag = false;
    if (lastSuccessfulTime) *lastSuccessfulTime = self.instance->lastSuccessfulTime();
    if (made.diverged) return self.report(Status::kError, made.warning);
    return made.warning.empty() ? Status::kOk : self.report(Status::kWarning, made.warning);
  });
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference, fmi3Float64) { return notOffered(i, __func__); }
