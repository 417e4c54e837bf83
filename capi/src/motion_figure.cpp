// What motions and figures have to do with each other: a skeleton from a motion's hierarchy, a clip as a figure's coordinates.
#include "capi/src/check.hpp"
#include "capi/src/objects.hpp"
#include "capi/src/workspace.hpp"
#include "engine/figure/motion_coordinates.hpp"
#include "loaders/bvh/figure.hpp"

struct vertebra::capi::BoundClip {
  BoundClip(std::shared_ptr<const figure::Motion> m, const figure::FigureModel& model)
      : motion(std::move(m)), binding(*motion, *model.skeleton, model.coordinates) {}
  std::shared_ptr<const figure::Motion> motion;
  figure::MotionBinding binding;
};

using namespace vertebra;
using namespace vertebra::capi;

namespace {}  // namespace

vtb_status vtb_motion_figure_def_init(vtb_motion_figure_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_skeleton_from_motion(const vtb_motion* motion, const vtb_motion_figure_def* given, vtb_diagnostics** diagnostics,
                                    vtb_skeleton** out) {
  return guarded(__func__, [&] {
    required(motion, "motion");
    required(out, "out");
    const vtb_motion_figure_def def = readOptional(given);
    std::size_t roots = 0;
    for (const figure::MotionJoint& joint : motion->clip->joints) roots += joint.parent < 0;
    inRange(def.root, roots, "root");
    MotionFigureOptions options;
    options.root = def.root;
    options.mass = def.mass;
    options.density = def.density;
    deliver(diagnostics, out, [&](Diagnostics& findings) {
      figure::Skeleton skeleton;
      const bool made = skeletonFromMotion(*motion->clip, options, skeleton, findings);
      return made ? std::make_shared<const figure::Skeleton>(std::move(skeleton)) : nullptr;
    });
  });
}

vtb_status vtb_workspace_from_motion(vtb_workspace* workspace, const vtb_motion* motion, double time, double* q, double* v,
                                     int32_t* found) {
  return guarded(__func__, [&] {
    required(workspace, "workspace");
    required(motion, "motion");
    finite(time, "time");
    if (!workspace->clip || workspace->clip->motion != motion->clip)  // binding looks at the whole clip, so the last one is kept
      workspace->clip = std::make_shared<BoundClip>(motion->clip, workspace->scratch.model());
    const figure::MotionBinding& binding = workspace->clip->binding;
    if (q) binding.coordinates(time, q);
    if (v) binding.velocities(time, v);
    if (found) *found = binding.matched();
  });
}
