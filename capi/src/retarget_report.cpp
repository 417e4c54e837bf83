// Measures of retargeted trajectories, told by clip, axis, contact, role and frame.
#include "capi/src/retarget_map.hpp"
#include "engine/figure/trajectory_arrays.hpp"
#include "engine/retarget/measure.hpp"

using namespace vertebra;
using namespace vertebra::capi;

struct vtb_retarget_report {
  retarget::Measures measures;
};

namespace {

const retarget::Measures& of(const vtb_retarget_report* report) { return required(report, "report").measures; }

template <class T, class Fill>
vtb_status tell(const char* function, const vtb_retarget_report* report, T* out, Fill&& fill) {
  return guarded(function, [&] {
    T to{};
    fill(of(report), to);
    writeStruct(out, to);
  });
}

}  // namespace

vtb_status vtb_retarget_report_create(const vtb_motion* motion, const vtb_skeleton* skeleton, const vtb_trajectory* trajectory,
                                      const vtb_retarget_map* map, vtb_retarget_report** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = *required(motion, "motion").clip;
    required(skeleton, "skeleton");
    required(trajectory, "trajectory");
    required(out, "out");
    const retarget::RoleMap names = map ? map->names : retarget::RoleMap{};
    checkMap(names, clip, *skeleton->model);
    auto report = std::make_unique<vtb_retarget_report>();
    auto model = skeleton->freeModel();
    if (const std::string fault = figure::faultOfTrajectory(*trajectory->frames, *model); !fault.empty())
      refuse(VTB_E_ARG, "the trajectory is another figure's: " + fault);
    const std::string wrong = retarget::measure(clip, std::move(model), names, *trajectory->frames, report->measures);
    if (!wrong.empty()) refuse(VTB_E_UNSUPPORTED, wrong);
    *out = report.release();
  });
}

vtb_status vtb_retarget_report_get_info(const vtb_retarget_report* report, vtb_retarget_report_info* out) {
  return tell(__func__, report, out, [](const retarget::Measures& m, vtb_retarget_report_info& to) {
    to.frames = static_cast<int32_t>(m.frames.size());
    to.axes = static_cast<int32_t>(m.axes.size());
    to.contacts = static_cast<int32_t>(m.contacts.size());
    to.yaw = m.yaw;
    to.path_scale = m.pathScale;
    to.slide_mean = m.slideMean;
    to.slide_p95 = m.slide95;
    to.slide_max = m.slideMost;
    to.slide_speed = m.slideSpeed;
    to.contact_share = m.contactShare;
    to.contact_kept = m.contactKept;
    to.contact_height = m.contactHeight;
    to.depth_max = m.depthMost;
    to.depth_mean = m.depthMean;
    to.depth_frames = m.deepFrames;
    to.floating_frames = m.floatingFrames;
    to.overlap_max = m.overlapMost;
    to.overlap_frames = m.overlapFrames;
    to.limit_excess = m.excess;
    to.limit_frames = m.limitFrames;
    to.resting_frames = m.restingFrames;
    to.speed_ratio = m.speedRatio;
    to.speed_frames = m.fastFrames;
    to.jump_max = m.jump;
    to.jump_frames = m.jumpFrames;
    to.spike_max = m.spike;
    to.spike_frames = m.spikeFrames;
    to.jerk_rms = m.jerk;
    to.jerk_feet = m.footJerk;
    to.jerk_hands = m.handJerk;
    to.frame_time = m.frameTime;
    to.error_relative = m.limbs.relative;
    to.error_relative_p95 = m.limbs.relative95;
    to.error_global = m.limbs.global;
    to.error_global_p95 = m.limbs.global95;
    to.depth_link = m.deepest.c_str();
    to.overlap_links = m.overlapping.c_str();
  });
}

vtb_status vtb_retarget_report_get_axis(const vtb_retarget_report* report, int32_t index, vtb_retarget_report_axis* out) {
  return tell(__func__, report, out, [&](const retarget::Measures& m, vtb_retarget_report_axis& to) {
    const retarget::AxisMeasure& a = m.axes[static_cast<std::size_t>(inRange(index, m.axes.size(), "index"))];
    to.name = a.name.c_str();
    to.lower = a.lower;
    to.upper = a.upper;
    to.velocity_limit = a.velocity;
    to.lowest = a.lowest;
    to.highest = a.highest;
    to.excess = a.excess;
    to.beyond_frames = a.beyond;
    to.resting_frames = a.resting;
    to.speed_max = a.speed;
    to.speed_frames = a.fast;
    to.jump_max = a.jump;
    to.spike_max = a.spike;
  });
}

vtb_status vtb_retarget_report_get_contact(const vtb_retarget_report* report, int32_t index, vtb_retarget_report_contact* out) {
  return tell(__func__, report, out, [&](const retarget::Measures& m, vtb_retarget_report_contact& to) {
    const retarget::ContactMeasure& c = m.contacts[static_cast<std::size_t>(inRange(index, m.contacts.size(), "index"))];
    to.side = c.side;
    to.first = c.first;
    to.last = c.last;
    to.slide = c.slide;
    to.path = c.path;
  });
}

vtb_status vtb_retarget_report_get_role(const vtb_retarget_report* report, vtb_retarget_role role, vtb_retarget_report_role* out) {
  return tell(__func__, report, out, [&](const retarget::Measures& m, vtb_retarget_report_role& to) {
    const retarget::Role r = static_cast<retarget::Role>(oneOf(role, "role"));
    const retarget::PointMeasure& p = m.points[r];
    to.known = p.known;
    to.error_relative = p.relative;
    to.error_relative_p95 = p.relative95;
    to.error_global = p.global;
    to.error_global_p95 = p.global95;
    to.turn_mean = m.turn[r];
    to.turn_p95 = m.turn95[r];
  });
}

vtb_status vtb_retarget_report_get_frame(const vtb_retarget_report* report, int32_t frame, vtb_retarget_report_frame* out) {
  return tell(__func__, report, out, [&](const retarget::Measures& m, vtb_retarget_report_frame& to) {
    const retarget::FrameMeasure& f = m.frames[static_cast<std::size_t>(inRange(frame, m.frames.size(), "frame"))];
    to.error = f.error;
    to.depth = f.depth;
    to.overlap = f.overlap;
    std::copy_n(f.footHeight, 2, to.foot_height);
    for (int r = 0; r < retarget::kRoles; r++) {
      write(f.source[static_cast<retarget::Role>(r)], to.motion_points + 3 * r);
      write(f.figure[static_cast<retarget::Role>(r)], to.figure_points + 3 * r);
    }
  });
}

vtb_status vtb_retarget_report_destroy(vtb_retarget_report* report) {
  return guarded(__func__, [&] { delete report; });
}
