// See fmu_runtime.hpp. Signatures: plugins/fmi/exporter.cpp.
#include "cli/fmu_runtime.hpp"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "cli/arguments.hpp"

namespace vertebra::cli {

namespace {

using Write = void(void* user, const char* text, size_t size);
using Describe = int(const char* resources, const char* identifier, const char* name, double stopTime, double stepSize, double told[5],
                     Write* write, Write* fail, void* user);
using Reference = int(const char* resources, double stopTime, double stepSize, Write* write, Write* fail, void* user);

struct Sink {
  std::function<void(std::string_view)> take;
  std::string failure;
};
void write(void* user, const char* text, size_t size) { static_cast<Sink*>(user)->take({text, size}); }
void fail(void* user, const char* text, size_t size) { static_cast<Sink*>(user)->failure.assign(text, size); }

// An opened library's own name, and those it asks for.
struct Names {
  std::string own;
  std::vector<std::string> needed;
};
Names namesOf(const link_map* object) {
  Names names;
  ElfW(Addr) strings = 0;
  for (const ElfW(Dyn)* entry = object->l_ld; entry && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
  if (strings == 0) return names;
  if (strings < object->l_addr) strings += object->l_addr;  // loaders differ in whether they write the address back
  const char* text = reinterpret_cast<const char*>(strings);
  for (const ElfW(Dyn)* entry = object->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SONAME) names.own = text + entry->d_un.d_val;
    if (entry->d_tag == DT_NEEDED) names.needed.emplace_back(text + entry->d_un.d_val);
  }
  return names;
}

bool ofHost(const std::string& name) {
  for (const char* library : {"libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "ld-linux", "libstdc++.so", "libgcc_s.so"})
    if (name.starts_with(library)) return true;
  return false;
}

}  // namespace

FmuRuntime::FmuRuntime(int version) {
  const std::string file = "libvertebra_fmi" + std::to_string(version) + ".so";
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* folder : {"../lib/vertebra/fmi", VERTEBRA_FMI_FROM_BIN}) {
    path_ = (here / folder / file).lexically_normal().string();
    if (std::filesystem::exists(path_)) break;
  }
  library_ = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_)
    throw Failure(std::string("FMUs need the library ") + file + ", which is not there (" + dlerror() + "); install all of vertebra");
}

void* FmuRuntime::function(const char* name) const {
  void* found = dlsym(library_, name);
  if (!found) throw Failure(path_ + " has no " + name + ": it is of another version than this command");
  return found;
}

std::vector<std::pair<std::string, std::string>> FmuRuntime::needed() const {
  std::map<std::string, const link_map*> opened;
  const auto* own = static_cast<const link_map*>(library_);
  const link_map* first = own;
  while (first->l_prev) first = first->l_prev;
  for (const link_map* object = first; object; object = object->l_next) {
    const std::string name = namesOf(object).own;
    if (!name.empty()) opened[name] = object;
  }
  std::vector<std::pair<std::string, std::string>> result;
  std::set<std::string> seen;
  std::vector<const link_map*> open{own};
  while (!open.empty()) {
    const link_map* object = open.back();
    open.pop_back();
    for (const std::string& name : namesOf(object).needed) {
      if (ofHost(name) || !seen.insert(name).second) continue;
      const auto found = opened.find(name);
      if (found == opened.end()) throw Failure("the library " + name + ", which " + object->l_name + " needs, was not found");
      result.emplace_back(name, found->second->l_name);
      open.push_back(found->second);
    }
  }
  return result;
}

FmuModel FmuRuntime::describe(const std::string& resources, const std::string& identifier, const std::string& name, double stopTime,
                              double stepSize) const {
  FmuModel model;
  double told[5] = {};
  Sink sink{[&](std::string_view text) { model.description.append(text); }, {}};
  const auto ask = reinterpret_cast<Describe*>(function("vertebra_fmu_describe"));
  if (ask(resources.c_str(), identifier.c_str(), name.c_str(), stopTime, stepSize, told, write, fail, &sink) != 0)
    throw Failure(sink.failure);
  model.innerStep = told[0];
  model.stepSize = told[1];
  model.inputs = static_cast<int>(told[2]);
  model.parameters = static_cast<int>(told[3]);
  model.outputs = static_cast<int>(told[4]);
  return model;
}

void FmuRuntime::reference(const std::string& resources, double stopTime, double stepSize,
                           const std::function<void(std::string_view)>& row) const {
  Sink sink{row, {}};
  const auto ask = reinterpret_cast<Reference*>(function("vertebra_fmu_reference"));
  if (ask(resources.c_str(), stopTime, stepSize, write, fail, &sink) != 0) throw Failure(sink.failure);
}

}  // namespace vertebra::cli
