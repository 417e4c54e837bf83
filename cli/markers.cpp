// vertebra markers: what optical cameras would record of a clip, as a TRC file; and from such a file the motion of a figure.
#include "cli/model.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace vertebra::cli {

namespace {

using Markers = std::unique_ptr<vtb_markers, Release<vtb_markers_release>>;

void refuseOptions(const Arguments& arguments, std::initializer_list<const char*> names, const std::string& why) {
  for (const char* name : names)
    if (arguments.has(name)) throw UsageError(std::string("--") + name + " " + why);
}

int fit(const Arguments& arguments, const std::string& from, const std::string& set, const std::string& out) {
  refuseOptions(arguments, {"dropout", "swap", "seed"}, "is for making markers; a record has its own");
  auto def = defaults(vtb_marker_fit_def_init);
  def.noise = 1e-3 * arguments.positive("noise", 1e3 * def.noise);
  def.latency = arguments.number("latency", def.latency);
  def.agility = arguments.positive("agility", def.agility);
  def.calibrate = arguments.has("calibrate");
  Model model = loadModel(arguments.text("figure"), arguments);
  std::vector<Diagnostic> diagnostics = model.diagnostics;
  vtb_markers* read = nullptr;
  vtb_diagnostics* list = nullptr;
  const vtb_status loaded = vtb_markers_load_trc(from.c_str(), VTB_UP_AXIS_GUESS, &list, &read);
  const Markers markers(read);
  for (Diagnostic& d : take(list)) diagnostics.push_back(std::move(d));
  check(loaded, "reading " + from);
  if (arguments.has("bones")) {
    const std::string bones = arguments.text("bones");
    vtb_skeleton* longer = nullptr;
    list = nullptr;
    const vtb_status found = vtb_markers_calibrate_bones(read, model.skeleton.get(), set.c_str(), &def, &list, &longer);
    for (Diagnostic& d : take(list)) diagnostics.push_back(std::move(d));
    check(found, "finding the lengths of bones");
    model.skeleton.reset(longer);
    check(vtb_skeleton_save(longer, bones.c_str()), "writing " + bones);
  }
  vtb_marker_fit_info info = sized<vtb_marker_fit_info>();
  vtb_trajectory* made = nullptr;
  list = nullptr;
  const vtb_status fitted = vtb_markers_fit(read, model.skeleton.get(), set.c_str(), &def, &info, &list, &made);
  const Trajectory trajectory(made);
  for (Diagnostic& d : take(list)) diagnostics.push_back(std::move(d));
  check(fitted, "fitting the markers");
  printDiagnostics(diagnostics, arguments);
  saveTrajectory(made, model.skeleton.get(), out);
  vtb_trajectory_info frames = sized<vtb_trajectory_info>();
  check(vtb_trajectory_get_info(made, &frames), "reading the trajectory");
  if (arguments.has("json")) {
    Json json;
    json.beginObject().member("markers", from).member("figure", arguments.text("figure")).member("output", out);
    json.member("frames", frames.frames).member("frame_time", frames.frame_time).member("coordinates", frames.nq);
    json.member("residual_mm", 1e3 * info.residual).member("swaps", info.swaps).member("outliers", info.outliers);
    json.member("hidden", info.hidden).member("first", info.first).key("diagnostics");
    write(json, diagnostics);
    print(json.endObject().text() + "\n");
    return 0;
  }
  print(out + ": " + std::to_string(frames.frames) + " frames, " + readable(1e3 * info.residual) + " mm from the markers, " +
        std::to_string(info.hidden) + " hidden, " + std::to_string(info.outliers) + " left out, " + std::to_string(info.swaps) +
        " pairs exchanged\n");
  return 0;
}

int run(const Arguments& arguments) {
  const std::string &from = arguments.operand(0), set = arguments.text("set"), out = arguments.text("out");
  if (set.empty() || out.empty()) throw UsageError("--set and --out are needed");
  if (arguments.has("figure")) return fit(arguments, from, set, out);
  refuseOptions(arguments, {"latency", "agility", "calibrate", "bones"}, "is for fitting a figure: give --figure");
  auto def = defaults(vtb_marker_faults_def_init);
  def.noise = 1e-3 * arguments.number("noise", 0);
  def.dropout = arguments.number("dropout", 0);
  if (def.noise < 0) throw UsageError("--noise is negative");
  if (def.dropout < 0 || def.dropout > 0.99) throw UsageError("--dropout is a share from 0 to 0.99");
  def.swaps = static_cast<int32_t>(arguments.integer("swap", 0, 0, 1000));
  def.seed = static_cast<uint64_t>(arguments.integer("seed", 0, 0, 1000000000));
  if (!isBvh(from)) throw Failure(from + " is not a BVH; markers of a TRC file are fitted with --figure");
  std::vector<Diagnostic> diagnostics;
  const Motion motion = loadMotion(from, arguments, diagnostics);
  printDiagnostics(diagnostics, arguments);
  vtb_markers* made = nullptr;
  check(vtb_markers_from_motion(motion.get(), set.c_str(), &def, nullptr, &made), "making markers");
  const Markers markers(made);
  check(vtb_markers_save_trc(made, out.c_str()), "writing " + out);
  vtb_markers_info info = sized<vtb_markers_info>();
  check(vtb_markers_get_info(made, &info), "reading the markers");
  if (arguments.has("json")) {
    Json json;
    json.beginObject().member("motion", from).member("output", out).member("markers", info.markers).member("frames", info.frames);
    json.member("frame_time", info.frame_time).key("diagnostics");
    write(json, diagnostics);
    print(json.endObject().text() + "\n");
    return 0;
  }
  print(out + ": " + std::to_string(info.markers) + " markers, " + std::to_string(info.frames) + " frames, " + readable(info.frame_time) +
        " s each\n");
  return 0;
}

}  // namespace

Verb markersVerb() {
  Syntax syntax;
  syntax.verb = "markers";
  syntax.operands = "MOTION";
  syntax.operandCount = 1;
  syntax.summary = "Makes the optical markers of a BVH motion, as a TRC file; with --figure, fits a figure to the markers of a TRC file.";
  syntax.options = {
      {"set", "SET.xml", "where markers sit: <markers><marker name joint offset=\"x y z\"/>, metres in the frame of the joint or link"},
      {"out", "OUT", "write the markers as TRC, Y up, millimetres; or the figure's coordinates as retarget does", false, 'o'},
      {"figure", "FIGURE", "a URDF or BVH whose coordinates are fitted to the markers of the TRC file MOTION"},
      {"calibrate", "", "find from the record where the markers sit, beginning with the set"},
      {"bones", "OUT.xml", "first find from the record how long the bones are; write that figure, whose coordinates the result then has"},
      {"latency", "S", "how far the fit of a frame looks ahead; default 0.1"},
      {"agility", "RAD/S2", "standard deviation of the accelerations of joints at the start; default 30"},
      {"noise", "MM", "standard deviation of each coordinate in millimetres; to fit: default 5"},
      {"dropout", "SHARE", "share of frames without a marker, in gaps of 0.1 s on average"},
      {"swap", "N", "how many times a marker and its nearest exchange their names"},
      {"seed", "K", "of the faults; default 0"},
  };
  for (Option& option : loadOptions()) syntax.options.push_back(std::move(option));
  syntax.details =
      "JSON: motion, output, markers, frames, frame_time, diagnostics;\n"
      "of a fit: markers, figure, output, frames, frame_time, coordinates, residual_mm, swaps, outliers, hidden, first, diagnostics.\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
