// Skeletons made from a motion's hierarchy.
#include "capi/src/check.hpp"
#include "capi/src/objects.hpp"
#include "loaders/bvh/skeleton_from_motion.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

vtb_motion_figure_def motionFigureDefaults() {
  vtb_motion_figure_def def{};
  def.density = 1000;
  return def;
}

}  // namespace

vtb_status vtb_motion_figure_def_init(vtb_motion_figure_def* def, uint32_t struct_size) {
  return guarded(__func__, [&] { initStruct(def, struct_size, motionFigureDefaults()); });
}

vtb_status vtb_skeleton_from_motion(const vtb_motion* motion, const vtb_motion_figure_def* given, vtb_diagnostics** diagnostics,
                                    vtb_skeleton** out) {
  return guarded(__func__, [&] {
    required(motion, "motion");
    required(out, "out");
    const vtb_motion_figure_def def = given ? readStruct(given, motionFigureDefaults(), "def") : motionFigureDefaults();
    SkeletonFromMotionOptions options;
    options.root = def.root;
    options.mass = finiteNotNegative(def.mass, "mass");
    options.density = positive(def.density, "density");
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      Skeleton skeleton;
      const bool made = skeletonFromMotion(*motion->clip, options, skeleton, findings);
      return made ? std::make_shared<const Skeleton>(std::move(skeleton)) : nullptr;
    });
  });
}
