// Retargeting: a motion and a figure's model give a trajectory.
#include "engine/retarget/retarget.hpp"

#include <cstdio>

#include "capi/src/retarget_map.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace vertebra::capi {

retarget::Settings retargetSettings(const vtb_retarget_def* given, const figure::Motion& motion, const figure::Skeleton& skeleton) {
  const vtb_retarget_def def = readOptional(given);
  if (def.rate > 0) ratio(def.rate, "rate");
  retarget::Settings settings{.rate = def.rate, .start = def.start};
  if (def.end > 0) settings.end = def.end;
  if (def.map) settings.map = def.map->names;
  checkMap(settings.map, motion, skeleton);
  return settings;
}

}  // namespace vertebra::capi

vtb_status vtb_retarget_def_init(vtb_retarget_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_retarget(const vtb_motion* motion, const vtb_skeleton* skeleton, const vtb_retarget_def* given,
                        vtb_diagnostics** diagnostics, vtb_trajectory** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = *required(motion, "motion").clip;
    required(skeleton, "skeleton");
    required(out, "out");
    const retarget::Settings settings = retargetSettings(given, clip, *skeleton->model);
    retarget::Result result;
    const std::string wrong = retarget::retarget(clip, skeleton->freeModel(), settings, result);
    if (!wrong.empty()) refuse(VTB_E_UNSUPPORTED, wrong);
    auto findings = std::make_unique<vtb_diagnostics>();
    for (const retarget::Match& m : result.matches)
      findings->list.add(Severity::Info, "retarget.role", clip.name, 0, m.role,
                         m.joint.empty()  ? "the motion has no joint for it"
                         : m.link.empty() ? "joint '" + m.joint + "' of the motion; of the figure no link is taken"
                                          : "joint '" + m.joint + "' of the motion, link '" + m.link + "' of the figure");
    const auto tell = [&](const char* code, const std::string& text) {
      findings->list.add(Severity::Info, code, clip.name, 0, "motion", text);
    };
    if (const int n = result.foreignFirst; n == 1)
      tell("retarget.first-frame", "its first frame is of another pose (a T-pose?); taken as what the next two lead to");
    else if (n > 1)
      tell("retarget.first-frame",
           "its first " + std::to_string(n) + " frames are of another pose (a T-pose?); taken as the one after them");
    if (const int n = result.foreignLast; n == 1)
      tell("retarget.last-frame", "its last frame is of another pose (a T-pose?); taken as what the two before lead to");
    else if (n > 1)
      tell("retarget.last-frame",
           "its last " + std::to_string(n) + " frames are of another pose (a T-pose?); taken as the one before them");
    if (const double slope = result.slope.norm(); slope > 0) {
      char text[80];
      std::snprintf(text, sizeof text, "its floor leans by %.2g degrees; taken as level", std::atan(slope) * 180 / kPi);
      tell("retarget.floor", text);
    }
    auto object = std::make_unique<vtb_trajectory>();
    object->frames = std::make_shared<const figure::Trajectory>(std::move(result.trajectory));
    if (diagnostics) *diagnostics = findings.release();
    *out = object.release();
  });
}
