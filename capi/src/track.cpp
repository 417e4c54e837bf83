// Tracking: a trajectory played by physics.
#include "capi/src/check.hpp"
#include "capi/src/objects.hpp"
#include "engine/control/physics.hpp"
#include "engine/figure/trajectory_arrays.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

control::PhysicsSettings settingsOf(const vtb_track_def& def) {
  control::PhysicsSettings s;
  s.track.feedForward = !(def.flags & VTB_TRACK_FLAG_NO_FEED_FORWARD);
  s.track.feedback = !(def.flags & VTB_TRACK_FLAG_NO_FEEDBACK);
  s.prepares = !(def.flags & VTB_TRACK_FLAG_NO_PREPARATION);
  s.selfCollision = def.flags & VTB_TRACK_FLAG_SELF_COLLISION;
  const bool helps = !(def.flags & VTB_TRACK_FLAG_NO_ASSIST);
  s.track.assistForce = helps ? def.assist_force : 0;
  s.track.assistMoment = helps ? def.assist_moment : 0;
  s.track.friction = def.friction;
  s.track.omega = def.omega;
  s.track.rootOmega = def.root_omega;
  s.preparation.clearance = def.clearance;
  s.step = def.step;
  s.start = def.start;
  return s;
}

vtb_track_info infoOf(const control::PhysicsResult& result, double start) {
  const control::TrackMeasures& m = result.measures;
  vtb_track_info info{};
  info.fell = m.fall >= 0;
  info.time = m.time - start;
  info.assist_mean = m.assistMean;
  info.assist_peak = m.assistPeak;
  info.assist_moment_mean = m.assistMomentMean;
  info.assist_moment_peak = m.assistMomentPeak;
  info.error_mean = m.errorMean;
  info.error_peak = m.errorPeak;
  info.clamped = m.clamped;
  info.clamped_axis = m.clampedVelocity;
  info.slide_mean = m.slideMean;
  info.slide_peak = m.slidePeak;
  info.penetration = m.depth;
  info.shift = result.shift;
  info.contacts = m.contacts;
  info.derived_efforts = m.derivedEfforts;
  return info;
}

}  // namespace

vtb_status vtb_track_def_init(vtb_track_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_track(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton, const vtb_track_def* given, vtb_track_info* info,
                     vtb_trajectory** out) {
  return guarded(__func__, [&] {
    const auto frames = required(trajectory, "trajectory").frames;
    required(skeleton, "skeleton");
    const vtb_track_def def = readOptional(given);
    const auto model = skeleton->freeModel();
    if (const std::string fault = figure::faultOfTrajectory(*frames, *model); !fault.empty())
      refuse(VTB_E_ARG, "the trajectory is another figure's: " + fault);
    if (frames->frames() > 1 && !(def.start < frames->frameTime * (frames->frames() - 1)))
      refuse(VTB_E_ARG, "start is at the trajectory's end or behind it");
    if (info) structSize(info->struct_size);
    control::PhysicsResult result;
    const std::string wrong = control::playByPhysics(model, frames, settingsOf(def), result);
    if (!wrong.empty()) refuse(VTB_E_UNSUPPORTED, wrong);
    if (info) writeStruct(info, infoOf(result, result.started));
    if (!out) return;
    auto object = std::make_unique<vtb_trajectory>();
    object->frames = std::make_shared<const figure::Trajectory>(std::move(result.trajectory));
    *out = object.release();
  });
}
