// vertebra retarget --physics: the trajectory tracked in simulation, and what was measured.
#include <chrono>

#include "cli/model.hpp"
#include "cli/output.hpp"
#include "cli/retarget_physics.hpp"

namespace vertebra::cli {

std::vector<Option> physicsOptions() {
  return {
      {"physics", "", "track the result in simulation: limits of torque, contact, friction"},
      {"no-assist", "", "with --physics: nothing helps the root; tells the time to the fall"},
      {"step", "S", "with --physics: longest step, default 1/240"},
  };
}

bool wantsPhysics(const Arguments& arguments) {
  if (arguments.has("physics")) return true;
  for (const char* option : {"no-assist", "step"})
    if (arguments.has(option)) throw UsageError(std::string("--") + option + " needs --physics");
  return false;
}

vtb_trajectory* trackByPhysics(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton, const Arguments& arguments, Tracked& out) {
  auto def = defaults(vtb_track_def_init);
  def.step = arguments.positive("step", def.step);
  if (arguments.has("no-assist")) def.flags |= VTB_TRACK_FLAG_NO_ASSIST;
  out.assisted = !arguments.has("no-assist");
  out.info = sized<vtb_track_info>();
  vtb_trajectory* made = nullptr;
  const auto start = std::chrono::steady_clock::now();
  check(vtb_track(trajectory, skeleton, &def, &out.info, &made), "tracking");
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return made;
}

void write(Json& json, const Tracked& t) {
  const vtb_track_info& i = t.info;
  json.key("physics").beginObject().member("assisted", t.assisted).member("fell", i.fell != 0).member("time", i.time);
  json.member("assist_mean", i.assist_mean).member("assist_peak", i.assist_peak).member("assist_moment_mean", i.assist_moment_mean);
  json.member("assist_moment_peak", i.assist_moment_peak).member("error_mean", i.error_mean).member("error_peak", i.error_peak);
  json.member("clamped", i.clamped).member("clamped_axis", i.clamped_axis).member("slide_mean", i.slide_mean);
  json.member("slide_peak", i.slide_peak).member("penetration", i.penetration).member("shift", i.shift).member("contacts", i.contacts);
  json.member("derived_efforts", i.derived_efforts).member("seconds", t.seconds).endObject();
}

void print(const Tracked& t) {
  const vtb_track_info& i = t.info;
  const auto percent = [](double x) { return readable(100 * x) + " %"; };
  const auto mm = [](double x) { return readable(1000 * x) + " mm"; };
  Table table({"physics", "mean", "most"});
  table.add({"force on the root, share of the weight", percent(i.assist_mean), percent(i.assist_peak)});
  table.add({"moment on the root, share of weight x height", percent(i.assist_moment_mean), percent(i.assist_moment_peak)});
  table.add({"key points off", mm(i.error_mean), mm(i.error_peak)});
  table.add({"slide of a contact, of " + std::to_string(i.contacts), mm(i.slide_mean), mm(i.slide_peak)});
  table.add({"penetration", "", mm(i.penetration)});
  table.add({"time of an axis at its limit of torque", "", percent(i.clamped)});
  table.add({"body shifted to stand on its feet", "", mm(i.shift)});
  print(table.text());
  if (i.derived_efforts > 0)
    print(std::to_string(i.derived_efforts) + " axes have no limit of torque; theirs were made from the masses that they carry\n");
  print(outcomeOf(t) + "; tracked in " + readable(t.seconds) + " s\n");
}

std::string outcomeOf(const Tracked& t) {
  return std::string(t.assisted ? "with" : "without") + " assistance: " + (t.info.fell ? "fell after " : "upright to the end, ") +
         readable(t.info.time) + " s; key points " + readable(1000 * t.info.error_mean) + " mm off on average, " +
         readable(1000 * t.info.error_peak) + " mm at most";
}

}  // namespace vertebra::cli
