// Measures of retargeted trajectories as JSON: units are in the names; shares are per cent.
#include <cstdio>

#include "cli/retarget.hpp"
#include "cli/retarget_physics.hpp"

namespace vertebra::cli {

namespace {

const char* kRoles[] = {"left_hip",   "left_knee",  "left_foot", "left_toe",       "left_shoulder", "left_elbow", "left_hand", "right_hip",
                        "right_knee", "right_foot", "right_toe", "right_shoulder", "right_elbow",   "right_hand", "pelvis",    "head"};
constexpr double kDegrees = 57.295779513082320877;

void writeRoles(Json& json, const vtb_retarget_report* report) {
  json.key("key_points").beginObject();
  for (int r = 0; r < 16; r++) {
    auto role = sized<vtb_retarget_report_role>();
    check(vtb_retarget_report_get_role(report, static_cast<vtb_retarget_role>(r), &role), "reading the report");
    if (!role.known && role.turn_mean < 0) continue;
    json.key(kRoles[r]).beginObject();
    if (role.known) {
      json.member("error_relative_mm", 1e3 * role.error_relative).member("error_relative_p95_mm", 1e3 * role.error_relative_p95);
      json.member("error_global_mm", 1e3 * role.error_global).member("error_global_p95_mm", 1e3 * role.error_global_p95);
    }
    if (role.turn_mean >= 0)
      json.member("orientation_deg", kDegrees * role.turn_mean).member("orientation_p95_deg", kDegrees * role.turn_p95);
    json.endObject();
  }
  json.endObject();
}

void writeAxes(Json& json, const vtb_retarget_report* report, int count) {
  json.key("joints").beginArray();
  for (int i = 0; i < count; i++) {
    auto a = sized<vtb_retarget_report_axis>();
    check(vtb_retarget_report_get_axis(report, i, &a), "reading the report");
    json.beginObject().member("name", a.name).member("lower_rad_or_m", a.lower).member("upper_rad_or_m", a.upper);
    json.member("velocity_limit_per_s", a.velocity_limit).member("lowest_rad_or_m", a.lowest).member("highest_rad_or_m", a.highest);
    json.member("limit_excess_rad_or_m", a.excess).member("limit_frames_pct", 100 * a.beyond_frames);
    json.member("resting_frames_pct", 100 * a.resting_frames).member("speed_max_per_s", a.speed_max);
    json.member("speed_frames_pct", 100 * a.speed_frames).member("jump_max_rad_or_m", a.jump_max).member("spike_max_rad_or_m", a.spike_max);
    json.endObject();
  }
  json.endArray();
}

void writeContacts(Json& json, const vtb_retarget_report* report, const vtb_retarget_report_info& info) {
  json.key("contacts").beginArray();
  for (int i = 0; i < info.contacts; i++) {
    auto c = sized<vtb_retarget_report_contact>();
    check(vtb_retarget_report_get_contact(report, i, &c), "reading the report");
    json.beginObject().member("side", c.side == 0 ? "left" : "right").member("first_s", c.first * info.frame_time);
    json.member("last_s", c.last * info.frame_time).member("slide_mm", 1e3 * c.slide).member("drift_length_mm", 1e3 * c.path).endObject();
  }
  json.endArray();
}

std::string nameOf(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace

RetargetReport measureClip(const Motion& motion, const Model& model, const Retargeted& made, const vtb_retarget_map* map) {
  vtb_retarget_report* report = nullptr;
  check(vtb_retarget_report_create(motion.get(), model.skeleton.get(), made.trajectory.get(), map, &report), "measuring");
  return RetargetReport(report);
}

vtb_retarget_report_info infoOf(const RetargetReport& report) {
  auto info = sized<vtb_retarget_report_info>();
  check(vtb_retarget_report_get_info(report.get(), &info), "reading the report");
  return info;
}

void writeSummary(Json& json, const vtb_retarget_report_info& m, double seconds) {
  const double length = m.frames * m.frame_time;
  json.member("frames", m.frames).member("frame_time_s", m.frame_time).member("seconds", seconds);
  json.member("frames_per_s", m.frames / seconds).member("times_real_time", length / seconds);
  json.member("error_relative_mm", 1e3 * m.error_relative).member("error_relative_p95_mm", 1e3 * m.error_relative_p95);
  json.member("error_global_mm", 1e3 * m.error_global).member("error_global_p95_mm", 1e3 * m.error_global_p95);
  json.member("yaw_deg", kDegrees * m.yaw).member("path_scale", m.path_scale).member("contacts_count", m.contacts);
  json.member("slide_mean_mm", 1e3 * m.slide_mean).member("slide_p95_mm", 1e3 * m.slide_p95).member("slide_max_mm", 1e3 * m.slide_max);
  json.member("slide_speed_mm_per_s", 1e3 * m.slide_speed).member("contact_share_pct", 100 * m.contact_share);
  json.member("contact_kept_pct", 100 * m.contact_kept).member("contact_height_mm", 1e3 * m.contact_height);
  json.member("depth_max_mm", 1e3 * m.depth_max).member("depth_mean_mm", 1e3 * m.depth_mean).member("depth_link", m.depth_link);
  json.member("depth_over_5mm_frames_pct", 100 * m.depth_frames).member("floating_frames_pct", 100 * m.floating_frames);
  json.member("overlap_max_mm", 1e3 * m.overlap_max).member("overlap_over_10mm_frames_pct", 100 * m.overlap_frames);
  json.member("overlap_links", m.overlap_links).member("limit_excess_rad_or_m", m.limit_excess);
  json.member("limit_frames_pct", 100 * m.limit_frames).member("resting_frames_pct", 100 * m.resting_frames);
  json.member("speed_over_limit", m.speed_ratio).member("speed_frames_pct", 100 * m.speed_frames);
  json.member("jump_max_rad_or_m", m.jump_max).member("jump_frames_pct", 100 * m.jump_frames);
  json.member("spike_max_rad_or_m", m.spike_max).member("spike_frames_pct", 100 * m.spike_frames);
  json.member("jerk_rms_per_s3", m.jerk_rms).member("jerk_feet_over_motion", m.jerk_feet).member("jerk_hands_over_motion", m.jerk_hands);
}

void writeWhole(const std::string& path, const std::string& text) {
  FILE* file = std::fopen(path.c_str(), "wb");
  const bool wrote = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = file && std::fclose(file) == 0;
  if (!wrote || !closed) throw Failure("writing " + path + ": it cannot be written");
}

void saveReport(const std::string& path, const RetargetReport& report, double seconds, const std::string& clip, const std::string& figure,
                const Tracked* tracked) {
  if (path.ends_with(".html")) return writeWhole(path, reportPage(report, seconds, nameOf(clip) + " on " + nameOf(figure), tracked));
  const vtb_retarget_report_info info = infoOf(report);
  Json json;
  json.beginObject().member("motion", clip).member("figure", figure).key("clip").beginObject();
  writeSummary(json, info, seconds);
  json.endObject();
  if (tracked) write(json, *tracked);
  writeRoles(json, report.get());
  writeAxes(json, report.get(), info.axes);
  writeContacts(json, report.get(), info);
  writeWhole(path, json.endObject().text() + "\n");
}

}  // namespace vertebra::cli
