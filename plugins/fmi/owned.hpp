// The C ABI for the FMU's runtime: statuses as exceptions, lists as vectors. SI units, world axes, as vertebra.h has them.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "capi/client/owned.hpp"

namespace vertebra::fmi {

using namespace client;

// What was asked for cannot be done.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// A value is refused and nothing was changed.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(vtb_status status, const char* doing) {
  if (status != VTB_OK) throw Failure(std::string(doing) + ": " + vtb_last_error() + " [" + vtb_status_name(status) + "]");
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

}  // namespace vertebra::fmi
