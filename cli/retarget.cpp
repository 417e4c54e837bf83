// vertebra retarget: a motion, or a folder of motions, onto a robot or another figure, as CSVs of its coordinates.
#include "cli/retarget.hpp"

#include <chrono>
#include <filesystem>

#include "cli/output.hpp"
#include "cli/retarget_physics.hpp"
#include "cli/verbs.hpp"

namespace vertebra::cli {

RetargetMap loadRetargetMap(const std::string& path, std::vector<Diagnostic>& diagnostics) {
  vtb_diagnostics* found = nullptr;
  vtb_retarget_map* map = nullptr;
  const vtb_status status = vtb_retarget_map_load(path.c_str(), &found, &map);
  const std::string error = status == VTB_OK ? "" : vtb_last_error();
  const std::vector<Diagnostic> said = take(found);
  diagnostics.insert(diagnostics.end(), said.begin(), said.end());
  if (status != VTB_OK) throw LoadFailure("reading the map " + path + ": " + error, diagnostics);
  return RetargetMap(map);
}

Retargeted retargetClip(const Motion& motion, const Model& model, const vtb_retarget_def& def) {
  const auto start = std::chrono::steady_clock::now();
  vtb_diagnostics* found = nullptr;
  vtb_trajectory* made = nullptr;
  check(vtb_retarget(motion.get(), model.skeleton.get(), &def, &found, &made), "retargeting");
  Retargeted out;
  out.trajectory.reset(made);
  for (Diagnostic& d : take(found)) (d.code == "retarget.role" ? out.roles : out.findings).push_back(std::move(d));
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

namespace {

// The part of the motion that a figure was tracked in until it fell: as many frames at the same rate.
Motion untilFall(const Motion& motion, const vtb_trajectory* trajectory) {
  vtb_trajectory_info info = sized<vtb_trajectory_info>();
  check(vtb_trajectory_get_info(trajectory, &info), "reading the trajectory");
  vtb_motion* made = nullptr;
  check(vtb_motion_resampled(motion.get(), 1 / info.frame_time, &made), "preparing the report");
  const Motion resampled(made);
  check(vtb_motion_trimmed(made, 0, info.frames - 1, &made), "preparing the report");
  return Motion(made);
}

// Also where the roles found do not suffice: then the file is what to fill in.
void saveMap(const std::string& path, const Motion& motion, const Model& model, const vtb_retarget_map* given) {
  vtb_retarget_map* guessed = nullptr;
  check(vtb_retarget_map_guess(motion.get(), model.skeleton.get(), given, nullptr, &guessed), "finding roles");
  const RetargetMap map(guessed);
  check(vtb_retarget_map_save(guessed, path.c_str()), "writing " + path);
}

// By the extension: .json, .npz, else CSV.
int run(const Arguments& arguments) {
  const std::string &from = arguments.operand(0), &to = arguments.operand(1);
  if (std::filesystem::is_directory(from)) return retargetFolder(arguments);
  if (arguments.has("jobs")) throw UsageError("--jobs needs a folder of motions; " + from + " is none");
  const bool physics = wantsPhysics(arguments);
  if (arguments.has("report") && (arguments.has("from") || arguments.has("to")))
    throw UsageError("--report measures a whole motion: leave --from and --to out");
  for (const std::string& path : arguments.all("report"))
    if (!path.ends_with(".html") && !path.ends_with(".json"))
      throw UsageError("--report " + path + ": the name must end in .json or .html");
  if (!isBvh(from)) throw Failure(from + " is not a BVH");
  std::vector<Diagnostic> diagnostics;
  const Motion motion = loadMotion(from, arguments, diagnostics);
  const Model model = loadModel(to, arguments);
  diagnostics.insert(diagnostics.end(), model.diagnostics.begin(), model.diagnostics.end());
  printDiagnostics(diagnostics, arguments);

  auto def = defaults(vtb_retarget_def_init);
  def.rate = arguments.positive("rate", 0);
  def.start = arguments.number("from", 0);
  def.end = arguments.positive("to", 0);
  RetargetMap map;
  if (arguments.has("map")) map = loadRetargetMap(arguments.text("map"), diagnostics);
  def.map = map.get();
  if (arguments.has("save-map")) saveMap(arguments.text("save-map"), motion, model, map.get());
  Retargeted made = retargetClip(motion, model, def);
  diagnostics.insert(diagnostics.end(), made.findings.begin(), made.findings.end());
  printDiagnostics(made.findings, arguments);
  Tracked tracked{};
  if (physics) made.trajectory.reset(trackByPhysics(made.trajectory.get(), model.skeleton.get(), arguments, tracked));
  const std::string out = arguments.text("out");
  if (!out.empty()) saveTrajectory(made.trajectory.get(), model.skeleton.get(), out);
  if (arguments.has("report")) {
    const bool fell = physics && tracked.info.fell;
    const Motion part = fell ? untilFall(motion, made.trajectory.get()) : nullptr;
    const RetargetReport report = measureClip(fell ? part : motion, model, made, map.get());
    for (const std::string& path : arguments.all("report")) saveReport(path, report, made.seconds, from, to, physics ? &tracked : nullptr);
  }

  vtb_trajectory_info info = sized<vtb_trajectory_info>();
  check(vtb_trajectory_get_info(made.trajectory.get(), &info), "reading the trajectory");
  if (arguments.has("json")) {
    Json json;
    json.beginObject().member("motion", from).member("figure", to).member("output", out).member("frames", info.frames);
    json.member("frame_time", info.frame_time).member("coordinates", info.nq).member("seconds", made.seconds).key("roles").beginObject();
    for (const Diagnostic& role : made.roles) json.member(role.element, role.message);
    json.endObject();
    if (physics) write(json, tracked);
    json.key("diagnostics");
    write(json, diagnostics);
    print(json.endObject().text() + "\n");
    return 0;
  }
  Table table({"role", "found"});
  for (const Diagnostic& role : made.roles) table.add({role.element, role.message});
  print(table.text());
  if (physics) print(tracked);
  print((out.empty() ? from : out) + ": " + std::to_string(info.frames) + " frames, " + readable(info.frame_time) + " s each, in " +
        readable(made.seconds) + " s\n");
  return 0;
}

}  // namespace

Verb retargetVerb() {
  Syntax syntax;
  syntax.verb = "retarget";
  syntax.operands = "MOTION FIGURE";
  syntax.operandCount = 2;
  syntax.summary =
      "Puts a BVH motion onto a robot (URDF) or the figure of another BVH, without forces or, with --physics, tracked in simulation.";
  syntax.options = {
      {"out", "OUT", "write the figure's coordinates, metres, radians, Z up: a CSV with a header, or by extension .json, .npz", false, 'o'},
      {"rate", "HZ", "frames a second of the result; default: the motion's"},
      {"from", "S", "first time of the motion that the result has; the whole motion is looked at"},
      {"to", "S", "last time of the motion that the result has"},
      {"map", "FILE", "names of joints and links for roles (XML); roles that it leaves out are found"},
      {"report", "FILE", "write measures of the result: a .json, or a .html with plots and a film strip", true},
      {"jobs", "N", "of a folder: clips at a time; default: 1"},
      {"save-map", "FILE", "write the roles as a map, to be mended and given back; also where they do not suffice"},
  };
  for (Option& option : physicsOptions()) syntax.options.push_back(std::move(option));
  for (Option& option : loadOptions()) syntax.options.push_back(std::move(option));
  syntax.details =
      "Legs, arms and head of both are found by names and topology, or taken from a map, and printed.\n"
      "A report after a fall measures the motion until then, and tells when that was.\n"
      "MOTION may be a folder: every BVH below it goes to the same place below OUT; what is newer there than clip, figure\n"
      "and map and was made with the same figure, rate, unit, up and map is kept.\n"
      "Feet stand where the motion's do; joints keep their limits; links keep apart.\n"
      " JSON: motion, figure, output, frames, frame_time, coordinates, seconds, roles{role: found}, physics{}, diagnostics;\n"
      "of a folder: figure, output, made, kept, failed, seconds, clips[motion, state, error, measures with units in their names,\n"
      "roles{}, diagnostics].\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
