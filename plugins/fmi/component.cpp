// See component.hpp.
#include "plugins/fmi/component.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <new>

namespace vertebra::fmi {

namespace {

std::mutex living;  // guards the set; an instance itself is used by one thread at a time
std::set<void*>& alive() {
  static std::set<void*> handles;
  return handles;
}
bool lives(void* handle) {
  const std::lock_guard<std::mutex> guard(living);
  return handle != nullptr && alive().count(handle) != 0;
}

const char* categoryOf(Status status) {
  return status == Status::kWarning ? "logStatusWarning" : status == Status::kDiscard ? "logStatusDiscard" : "logStatusError";
}

SavedState& saved(Component& c, void* state) {
  auto* known = static_cast<SavedState*>(state);
  if (c.saved.count(known) == 0) throw Failure("the state is none of this instance, or was freed");
  return *known;
}

constexpr char kMagic[8] = {'V', 'T', 'B', 'F', 'M', 'U', '1', 0};

std::uint64_t sumOf(const char* bytes, std::size_t size) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3u;
  return hash;
}
constexpr std::size_t kTokenSize = 40;
struct SerialHead {
  char magic[8];
  char token[kTokenSize];
  std::uint64_t state, size, sum;
};

}  // namespace

Component::~Component() {
  for (SavedState* state : saved) delete state;
}

Status Component::report(Status status, const std::string& text) {
  const char* category = categoryOf(status);
  if (logging && log && (categories.empty() || categories.count(category))) log(*this, status, category, text);
  if (status == Status::kError) state = afterError;
  return status;
}

Component* instantiate(const char* name, const char* token, const std::string& resources, bool logging, unsigned afterError, Log log) {
  auto made = std::make_unique<Component>();
  made->name = name ? name : "";
  made->log = std::move(log);
  made->logging = true;  // why there is no instance is told in any case
  made->afterError = afterError;
  try {
    if (made->name.find_first_not_of(" \t\r\n") == std::string::npos) throw Failure("the instance has no name");
    if (!token) throw Failure("the instance is given no token (guid)");
    made->instance = std::make_unique<Instance>(resources);
    if (made->instance->model().token() != token)
      throw Failure(std::string("the token (guid) ") + token + " is not that of this FMU's resources, " + made->instance->model().token());
    made->logging = logging;
    const std::lock_guard<std::mutex> guard(living);
    alive().insert(made.get());
    return made.release();
  } catch (const std::bad_alloc&) {
    made->report(Status::kError, "out of memory");
  } catch (const std::exception& error) {
    made->report(Status::kError, error.what());
  }
  return nullptr;
}

void release(void* handle) {
  {
    const std::lock_guard<std::mutex> guard(living);
    if (handle == nullptr || alive().erase(handle) == 0) return;
  }
  delete static_cast<Component*>(handle);
}

Status call(void* handle, const char* function, unsigned allowed, const std::function<Status(Component&)>& action) {
  if (!lives(handle)) return Status::kError;
  auto& c = *static_cast<Component*>(handle);
  try {
    if (allowed == 0) return c.report(Status::kError, std::string(function) + ": this FMU does not offer it; see its capability flags");
    if ((c.state & allowed) == 0) return c.report(Status::kError, std::string(function) + ": not allowed in the present state of the FMU");
    return action(c);
  } catch (const Refused& error) {
    return c.report(Status::kDiscard, std::string(function) + ": " + error.what());
  } catch (const std::bad_alloc&) {
    return c.report(Status::kError, std::string(function) + ": out of memory");
  } catch (const std::exception& error) {
    return c.report(Status::kError, std::string(function) + ": " + error.what());
  }
}

Status setLogging(Component& c, bool on, std::size_t count, const char* const* categories) {
  if (count > 0 && !categories) throw Failure("no array of categories is given");
  std::set<std::string> wanted;
  for (std::size_t i = 0; i < count; ++i) {
    if (!categories[i] ||
        std::none_of(std::begin(kCategories), std::end(kCategories), [&](const char* k) { return std::strcmp(k, categories[i]) == 0; }))
      throw Failure(std::string("there is no log category '") + (categories[i] ? categories[i] : "") + "'");
    wanted.insert(categories[i]);
  }
  c.logging = on;
  if (on) c.categories = wanted;
  return Status::kOk;
}

Status readValues(Component& c, const unsigned* references, std::size_t count, bool integer,
                  const std::function<void(std::size_t, double)>& out) {
  if (count > 0 && !references) throw Failure("no array of value references is given");
  const std::vector<Variable>& variables = c.instance->model().variables;
  for (std::size_t i = 0; i < count; ++i)
    if (references[i] >= variables.size() || variables[references[i]].integer != integer)
      throw Failure("there is no variable of this type with the value reference " + std::to_string(references[i]));
  for (std::size_t i = 0; i < count; ++i) out(i, c.instance->get(references[i]));
  return Status::kOk;
}

Status writeValues(Component& c, const unsigned* references, std::size_t count, bool integer,
                   const std::function<double(std::size_t)>& in) {
  if (count > 0 && !references) throw Failure("no array of value references is given");
  const std::vector<Variable>& variables = c.instance->model().variables;
  std::vector<std::size_t> indices;
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    if (references[i] >= variables.size() || variables[references[i]].integer != integer)
      throw Failure("there is no variable of this type with the value reference " + std::to_string(references[i]));
    const Variable& v = variables[references[i]];
    if (!v.settable()) throw Failure(v.name + " is an output or the time; it cannot be set");
    if (c.state == kStepMode && v.variability == Variability::kFixed)
      throw Failure(v.name + " is a fixed parameter; it can be set before the end of the initialization only");
    indices.push_back(references[i]);
    values.push_back(in(i));
  }
  c.instance->set(indices, values);
  return Status::kOk;
}

Status noSuchType(Component& c, std::size_t count, const char* type) {
  if (count == 0) return Status::kOk;
  throw Failure(std::string("the FMU has no variables of type ") + type);
}

Status enterInitialization(Component& c, double startTime, bool stopDefined, double stopTime) {
  if (!std::isfinite(startTime)) throw Failure("the start time is not a number");
  if (stopDefined && !(stopTime >= startTime)) throw Failure("the stop time is not after the start time");
  c.instance->begin(startTime, stopDefined, stopTime);
  c.state = kInitialization;
  return Status::kOk;
}

Status reset(Component& c) {
  c.instance->reset();
  c.state = kInstantiated;
  c.experimentSet = c.stopDefined = c.terminatedByItself = false;
  c.startTime = c.stopTime = 0;
  return Status::kOk;
}

// --- states -----------------------------------------------------------------------------------------------------------------------------

Status getState(Component& c, void** state) {
  if (!state) throw Failure("no place for the state is given");
  SavedState present{c.state, c.instance->save()};
  if (*state) {
    saved(c, *state) = std::move(present);
    return Status::kOk;
  }
  auto made = std::make_unique<SavedState>(std::move(present));
  c.saved.insert(made.get());
  *state = made.release();
  return Status::kOk;
}

Status setState(Component& c, void* state) {
  const SavedState& wanted = saved(c, state);
  c.instance->restore(wanted.bytes);
  c.state = wanted.state;
  c.terminatedByItself = wanted.state == kStepFailed;
  return Status::kOk;
}

Status freeState(Component& c, void** state) {
  if (!state || !*state) return Status::kOk;
  SavedState* known = &saved(c, *state);
  c.saved.erase(known);
  delete known;
  *state = nullptr;
  return Status::kOk;
}

Status stateSize(Component& c, void* state, std::size_t* size) {
  const SavedState& known = saved(c, state);
  if (!size) throw Failure("no place for the size is given");
  *size = sizeof(SerialHead) + known.bytes.size();
  return Status::kOk;
}

Status serialize(Component& c, void* state, char* bytes, std::size_t size) {
  const SavedState& known = saved(c, state);
  if (!bytes || size < sizeof(SerialHead) + known.bytes.size()) throw Failure("the place for the serialised state is too small");
  SerialHead head{};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  std::strncpy(head.token, c.instance->model().token().c_str(), kTokenSize - 1);
  head.state = known.state;
  head.size = known.bytes.size();
  head.sum = sumOf(known.bytes.data(), known.bytes.size());
  std::memcpy(bytes, &head, sizeof head);
  std::memcpy(bytes + sizeof head, known.bytes.data(), known.bytes.size());
  return Status::kOk;
}

Status deserialize(Component& c, const char* bytes, std::size_t size, void** state) {
  if (!state || !bytes) throw Failure("no bytes, or no place for the state, are given");
  SerialHead head;
  if (size < sizeof head) throw Failure("the bytes are no state of this FMU: they are too few");
  std::memcpy(&head, bytes, sizeof head);
  if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || std::strncmp(head.token, c.instance->model().token().c_str(), kTokenSize) != 0)
    throw Failure("the bytes are no state of this FMU");
  const bool known = head.state == kInstantiated || head.state == kInitialization || head.state == kStepMode || head.state == kTerminated ||
                     (c.afterError == kErrorState && (head.state == kStepFailed || head.state == kErrorState));
  if (!known || head.size > size - sizeof head || head.sum != sumOf(bytes + sizeof head, head.size))
    throw Failure("the bytes of the state are damaged");
  SavedState read{static_cast<unsigned>(head.state), {bytes + sizeof head, bytes + sizeof head + head.size}};
  if (*state) {
    saved(c, *state) = std::move(read);
    return Status::kOk;
  }
  auto made = std::make_unique<SavedState>(std::move(read));
  c.saved.insert(made.get());
  *state = made.release();
  return Status::kOk;
}

}  // namespace vertebra::fmi
