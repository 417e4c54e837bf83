// The C ABI for the FMU's runtime: owned objects, statuses as exceptions, lists as vectors. SI units, world axes, as vertebra.h has them.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <vertebra/vertebra.h>

namespace vertebra::fmi {

// What was asked for cannot be done.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// A value is refused and nothing was changed.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <auto release>
struct Release {
  template <class T>
  void operator()(T* object) const {
    release(object);
  }
};
using Scene = std::unique_ptr<vtb_scene, Release<vtb_scene_release>>;
using World = std::unique_ptr<vtb_world, Release<vtb_world_destroy>>;
using Skeleton = std::unique_ptr<vtb_skeleton, Release<vtb_skeleton_release>>;
using Workspace = std::unique_ptr<vtb_workspace, Release<vtb_workspace_destroy>>;

inline void check(vtb_status status, const char* doing) {
  if (status != VTB_OK) throw Failure(std::string(doing) + ": " + vtb_last_error() + " [" + vtb_status_name(status) + "]");
}

template <class T>
T sized() {
  T result{};
  result.struct_size = sizeof(T);
  return result;
}

// All things of one kind, in the order of vtb_world_get_....
template <class T>
std::vector<T> listOf(const vtb_world* world, vtb_status (*list)(const vtb_world*, T*, size_t, size_t*)) {
  size_t total = 0;
  check(list(world, nullptr, 0, &total), "counting what the world holds");
  std::vector<T> things(total);
  if (total > 0) check(list(world, things.data(), total, &total), "listing what the world holds");
  return things;
}

inline std::string nameOf(const vtb_world* world, vtb_named kind, uint64_t bits) {
  size_t needed = 0;
  check(vtb_world_get_name_of(world, kind, bits, nullptr, 0, &needed), "reading a name");
  std::string name(needed, '\0');
  check(vtb_world_get_name_of(world, kind, bits, name.data(), name.size(), &needed), "reading a name");
  name.resize(needed > 0 ? needed - 1 : 0);
  return name;
}

}  // namespace vertebra::fmi
