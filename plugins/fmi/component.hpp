// What both versions of FMI do around an Instance: which handles live, which calls a state allows, logging, saved states. No exception
// leaves it: what was asked wrongly or cannot be done is a status with a message to the importer's logger.
//
// By both standards a call that answers Error takes the instance to a state in which it can be read, reset, set back and freed only.
#pragma once
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "plugins/fmi/instance.hpp"

namespace vertebra::fmi {

// Statuses, with the numbers that both versions give them.
enum class Status { kOk = 0, kWarning = 1, kDiscard = 2, kError = 3, kFatal = 4 };

// States; FMI 3 has neither kStepFailed nor kError.
enum : unsigned {
  kInstantiated = 1,
  kInitialization = 2,
  kStepMode = 4,  // FMI 2: stepComplete
  kStepFailed = 8,
  kTerminated = 16,
  kErrorState = 32,
  kAllStates = 63
};

struct Component;
using Log = std::function<void(const Component&, Status, const char* category, const std::string& text)>;

struct SavedState {
  unsigned state = 0;
  std::vector<char> bytes;
};

struct Component {
  std::string name;
  Log log;
  unsigned state = kInstantiated;
  unsigned afterError = kErrorState;  // FMI 3: kTerminated
  std::unique_ptr<Instance> instance;
  bool logging = false;
  std::set<std::string> categories;  // empty: all
  std::set<SavedState*> saved;
  bool experimentSet = false;  // FMI 2: times came by fmi2SetupExperiment
  double startTime = 0, stopTime = 0;
  bool stopDefined = false;
  bool terminatedByItself = false;  // FMI 2: the last step diverged
  ~Component();

  Status report(Status status, const std::string& text);  // logs, and returns the status; an Error changes the state
};

constexpr const char* kCategories[] = {"logStatusWarning", "logStatusDiscard", "logStatusError"};

// Checks of instantiation; null after a message.
Component* instantiate(const char* name, const char* token, const std::string& resources, bool logging, unsigned afterError, Log log);
void release(void* handle);

// Runs an action for a handle that lives and is in one of the allowed states.
Status call(void* handle, const char* function, unsigned allowed, const std::function<Status(Component&)>& action);

// The functions of both standards.
Status setLogging(Component& c, bool on, std::size_t count, const char* const* categories);
Status readValues(Component& c, const unsigned* references, std::size_t count, bool integer,
                  const std::function<void(std::size_t, double)>& out);
Status writeValues(Component& c, const unsigned* references, std::size_t count, bool integer, const std::function<double(std::size_t)>& in);
Status noSuchType(Component& c, std::size_t count, const char* type);  // of variables that an FMU of ours has none of
Status enterInitialization(Component& c, double startTime, bool stopDefined, double stopTime);
Status reset(Component& c);
Status getState(Component& c, void** state);
Status setState(Component& c, void* state);
Status freeState(Component& c, void** state);
Status stateSize(Component& c, void* state, std::size_t* size);
Status serialize(Component& c, void* state, char* bytes, std::size_t size);
Status deserialize(Component& c, const char* bytes, std::size_t size, void** state);

}  // namespace vertebra::fmi
