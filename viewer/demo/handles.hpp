// Calls of the C interface for the demo: failures become exceptions, owned objects are released by unique pointers.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>

#include "vertebra/vertebra.h"

namespace vertebra::viewer {

inline void check(vtb_status status) {
  if (status != VTB_OK) throw std::runtime_error(std::string(vtb_status_name(status)) + ": " + vtb_last_error());
}

template <auto release>
struct Release {
  template <typename T>
  void operator()(T* p) const {
    release(p);
  }
};
using OwnedWorld = std::unique_ptr<vtb_world, Release<vtb_world_destroy>>;
using OwnedSkeleton = std::unique_ptr<vtb_skeleton, Release<vtb_skeleton_release>>;
using OwnedMotion = std::unique_ptr<vtb_motion, Release<vtb_motion_release>>;
using OwnedWorkspace = std::unique_ptr<vtb_workspace, Release<vtb_workspace_destroy>>;

}  // namespace vertebra::viewer
