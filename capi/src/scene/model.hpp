// A scene file as loaded: its elements, and what they name (meshes, skeletons), found good by building a world of it once.
#pragma once
#include <map>
#include <memory>

#include "capi/src/objects.hpp"
#include "capi/src/scene/values.hpp"
#include "engine/geometry/shape.hpp"
#include "loaders/scene/grammar.hpp"

namespace vertebra::capi::scene {

using vertebra::scene::Element;

struct ReleaseSkeleton {
  void operator()(vtb_skeleton* s) const { vtb_skeleton_release(s); }
};
struct ReleaseMotion {
  void operator()(vtb_motion* m) const { vtb_motion_release(m); }
};
using MotionOwner = std::unique_ptr<vtb_motion, ReleaseMotion>;
using SkeletonOwner = std::unique_ptr<vtb_skeleton, ReleaseSkeleton>;

struct ReleaseTrajectory {
  void operator()(vtb_trajectory* t) const { vtb_trajectory_release(t); }
};
struct ReleaseMarkers {
  void operator()(vtb_markers* m) const { vtb_markers_release(m); }
};
using MarkersOwner = std::unique_ptr<vtb_markers, ReleaseMarkers>;
using TrajectoryOwner = std::unique_ptr<vtb_trajectory, ReleaseTrajectory>;

struct SceneModel {
  std::string path, text;
  Element root;
  vtb_world_def settings{};
  std::vector<CameraValues> cameras;
  // Of elements by their values, made when the scene is loaded.
  std::map<const void*, geometry::Shape> shapes;
  std::map<const void*, SkeletonOwner> skeletons;
  std::map<const void*, MotionOwner> motions;
  std::map<const void*, TrajectoryOwner> trajectories;
  std::map<const void*, MarkersOwner> records;
};

// A scene in a world: what was made of it, in the order of its making, which is the same each time.
struct Instance {
  std::shared_ptr<const SceneModel> model;
  std::string prefix;
  Pose placement;
  struct Thing {
    const Element* element;
    int kind;  // VTB_NAMED_*
    std::uint64_t bits;
  };
  std::vector<Thing> things;
};

}  // namespace vertebra::capi::scene

struct vtb_scene {
  std::shared_ptr<const vertebra::capi::scene::SceneModel> model;
  std::atomic<std::size_t> references{1};
};
