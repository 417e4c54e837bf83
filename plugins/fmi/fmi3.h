/* fmi3.h - the types and functions of FMI 3.0 in our own words, for the FMU's runtime and for the importer of the tests.
 * Source: Functional Mock-up Interface 3.0, chapters 2.2, 2.3, 3.2, 4.2 and 5.2. Names are the standard's; times in s. */
#ifndef VERTEBRA_FMI3_H
#define VERTEBRA_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef const char* fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

/* What the importer offers. */
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean setRequested,
                                               fmi3Boolean getAllowed, fmi3Boolean stepFinished, fmi3Boolean canReturnEarly,
                                               fmi3Boolean* earlyReturnRequested, fmi3Float64* earlyReturnTime);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

#pragma GCC visibility push(default)

/* Common. */
const char* fmi3GetVersion(void);
fmi3Status fmi3SetDebugLogging(fmi3Instance i, fmi3Boolean on, size_t count, const fmi3String categories[]);
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback log);
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed, const fmi3ValueReference intermediate[],
                                         size_t intermediateCount, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update);
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                               fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                               fmi3ClockUpdateCallback clockUpdate, fmi3LockPreemptionCallback lock,
                                               fmi3UnlockPreemptionCallback unlock);
void fmi3FreeInstance(fmi3Instance i);
fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean toleranceDefined, fmi3Float64 tolerance, fmi3Float64 startTime,
                                       fmi3Boolean stopTimeDefined, fmi3Float64 stopTime);
fmi3Status fmi3ExitInitializationMode(fmi3Instance i);
fmi3Status fmi3EnterEventMode(fmi3Instance i);
fmi3Status fmi3Terminate(fmi3Instance i);
fmi3Status fmi3Reset(fmi3Instance i);

fmi3Status fmi3GetFloat32(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3Float32 values[], size_t valueCount);
fmi3Status fmi3SetFloat32(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Float32 values[],
                          size_t valueCount);
fmi3Status fmi3GetFloat64(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3Float64 values[], size_t valueCount);
fmi3Status fmi3SetFloat64(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Float64 values[],
                          size_t valueCount);
fmi3Status fmi3GetInt8(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3Int8 values[], size_t valueCount);
fmi3Status fmi3SetInt8(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Int8 values[], size_t valueCount);
fmi3Status fmi3GetUInt8(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3UInt8 values[], size_t valueCount);
fmi3Status fmi3SetUInt8(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3UInt8 values[], size_t valueCount);
fmi3Status fmi3GetInt16(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3Int16 values[], size_t valueCount);
fmi3Status fmi3SetInt16(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Int16 values[], size_t valueCount);
fmi3Status fmi3GetUInt16(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3UInt16 values[], size_t valueCount);
fmi3Status fmi3SetUInt16(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3UInt16 values[], size_t valueCount);
fmi3Status fmi3GetInt32(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3Int32 values[], size_t valueCount);
fmi3Status fmi3SetInt32(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Int32 values[], size_t valueCount);
fmi3Status fmi3GetUInt32(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3UInt32 values[], size_t valueCount);
fmi3Status fmi3SetUInt32(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3UInt32 values[], size_t valueCount);
fmi3Status fmi3GetInt64(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3Int64 values[], size_t valueCount);
fmi3Status fmi3SetInt64(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Int64 values[], size_t valueCount);
fmi3Status fmi3GetUInt64(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3UInt64 values[], size_t valueCount);
fmi3Status fmi3SetUInt64(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3UInt64 values[], size_t valueCount);
fmi3Status fmi3GetBoolean(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3Boolean values[], size_t valueCount);
fmi3Status fmi3SetBoolean(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Boolean values[],
                          size_t valueCount);
fmi3Status fmi3GetString(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3String values[], size_t valueCount);
fmi3Status fmi3SetString(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3String values[], size_t valueCount);
fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference references[], size_t count, size_t sizes[], fmi3Binary values[],
                         size_t valueCount);
fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference references[], size_t count, const size_t sizes[],
                         const fmi3Binary values[], size_t valueCount);
fmi3Status fmi3GetClock(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3Clock values[]);
fmi3Status fmi3SetClock(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Clock values[]);

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance i, fmi3ValueReference reference, size_t* count);
fmi3Status fmi3GetVariableDependencies(fmi3Instance i, fmi3ValueReference dependent, size_t elementsOfDependent[],
                                       fmi3ValueReference independents[], size_t elementsOfIndependents[], fmi3DependencyKind kinds[],
                                       size_t count);

fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState* state);
fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state);
fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState* state);
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t* size);
fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte bytes[], size_t size);
fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte bytes[], size_t size, fmi3FMUState* state);

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance i, const fmi3ValueReference unknowns[], size_t unknownCount,
                                        const fmi3ValueReference knowns[], size_t knownCount, const fmi3Float64 seed[], size_t seedCount,
                                        fmi3Float64 sensitivity[], size_t sensitivityCount);
fmi3Status fmi3GetAdjointDerivative(fmi3Instance i, const fmi3ValueReference unknowns[], size_t unknownCount,
                                    const fmi3ValueReference knowns[], size_t knownCount, const fmi3Float64 seed[], size_t seedCount,
                                    fmi3Float64 sensitivity[], size_t sensitivityCount);
fmi3Status fmi3EnterConfigurationMode(fmi3Instance i);
fmi3Status fmi3ExitConfigurationMode(fmi3Instance i);

/* Clocks and events. */
fmi3Status fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3Float64 intervals[],
                                  fmi3IntervalQualifier qualifiers[]);
fmi3Status fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3UInt64 counters[],
                                   fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[]);
fmi3Status fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3Float64 shifts[]);
fmi3Status fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference references[], size_t count, fmi3UInt64 counters[],
                                fmi3UInt64 resolutions[]);
fmi3Status fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Float64 intervals[]);
fmi3Status fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3UInt64 counters[],
                                   const fmi3UInt64 resolutions[]);
fmi3Status fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Float64 shifts[]);
fmi3Status fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3UInt64 counters[],
                                const fmi3UInt64 resolutions[]);
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance i);
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean* needUpdate, fmi3Boolean* terminate, fmi3Boolean* nominalsChanged,
                                    fmi3Boolean* valuesChanged, fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime);

/* Model exchange. */
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance i);
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance i, fmi3Boolean noSetPrior, fmi3Boolean* enterEventMode, fmi3Boolean* terminate);
fmi3Status fmi3SetTime(fmi3Instance i, fmi3Float64 time);
fmi3Status fmi3SetContinuousStates(fmi3Instance i, const fmi3Float64 states[], size_t count);
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance i, fmi3Float64 derivatives[], size_t count);
fmi3Status fmi3GetEventIndicators(fmi3Instance i, fmi3Float64 indicators[], size_t count);
fmi3Status fmi3GetContinuousStates(fmi3Instance i, fmi3Float64 states[], size_t count);
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance i, fmi3Float64 nominals[], size_t count);
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t* count);
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t* count);

/* Co-simulation. */
fmi3Status fmi3EnterStepMode(fmi3Instance i);
fmi3Status fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference references[], size_t count, const fmi3Int32 orders[],
                                    fmi3Float64 values[], size_t valueCount);
fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 point, fmi3Float64 length, fmi3Boolean noSetPrior, fmi3Boolean* eventHandlingNeeded,
                      fmi3Boolean* terminate, fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime);

/* Scheduled execution. */
fmi3Status fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference clock, fmi3Float64 time);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
