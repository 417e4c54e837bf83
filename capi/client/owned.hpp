// What C++ programs in front of the C ABI share (command, viewer, plugins): owners that release what they hold, structs with their sizes
// set, and lists and names as the standard library has them. How a failure is told is each program's own.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <vertebra/vertebra.h>

namespace vertebra::client {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* object) const {
    release(object);
  }
};
using World = std::unique_ptr<vtb_world, Release<vtb_world_destroy>>;
using Scene = std::unique_ptr<vtb_scene, Release<vtb_scene_release>>;
using Skeleton = std::unique_ptr<vtb_skeleton, Release<vtb_skeleton_release>>;
using Motion = std::unique_ptr<vtb_motion, Release<vtb_motion_release>>;
using Trajectory = std::unique_ptr<vtb_trajectory, Release<vtb_trajectory_release>>;
using Workspace = std::unique_ptr<vtb_workspace, Release<vtb_workspace_destroy>>;
using Diagnostics = std::unique_ptr<vtb_diagnostics, Release<vtb_diagnostics_release>>;

// A struct of the C ABI, zero but for its size.
template <class T>
T sized() {
  T result{};
  result.struct_size = sizeof(T);
  return result;
}

// What the world calls it; "" where it has no name, or is no more.
inline std::string nameOf(const vtb_world* world, vtb_named kind, std::uint64_t bits) {
  std::size_t needed = 0;
  if (vtb_world_get_name_of(world, kind, bits, nullptr, 0, &needed) != VTB_OK || needed < 2) return "";
  std::string text(needed, '\0');
  if (vtb_world_get_name_of(world, kind, bits, text.data(), text.size(), &needed) != VTB_OK) return "";
  text.resize(needed - 1);
  return text;
}

}  // namespace vertebra::client
