// vertebra markers: what optical cameras would record of a clip, as a TRC file.
#include "cli/model.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace vertebra::cli {

namespace {

using Markers = std::unique_ptr<vtb_markers, Release<vtb_markers_release>>;

int run(const Arguments& arguments) {
  const std::string &from = arguments.operand(0), set = arguments.text("set"), out = arguments.text("out");
  if (set.empty() || out.empty()) throw UsageError("--set and --out are needed");
  auto def = defaults(vtb_marker_faults_def_init);
  def.noise = 1e-3 * arguments.number("noise", 0);
  def.dropout = arguments.number("dropout", 0);
  if (def.noise < 0) throw UsageError("--noise is negative");
  if (def.dropout < 0 || def.dropout > 0.99) throw UsageError("--dropout is a share from 0 to 0.99");
  def.swaps = static_cast<int32_t>(arguments.integer("swap", 0, 0, 1000));
  def.seed = static_cast<uint64_t>(arguments.integer("seed", 0, 0, 1000000000));
  if (!isBvh(from)) throw Failure(from + " is not a BVH");
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
  syntax.summary = "Makes the optical markers of a BVH motion, as a TRC file.";
  syntax.options = {
      {"set", "SET.xml", "where markers sit: <markers><marker name joint offset=\"x y z\"/>, metres in the joint's frame"},
      {"out", "OUT.trc", "write the markers: Y up, millimetres", false, 'o'},
      {"noise", "MM", "standard deviation of each coordinate in millimetres"},
      {"dropout", "SHARE", "share of frames without a marker, in gaps of 0.1 s on average"},
      {"swap", "N", "how many times a marker and its nearest exchange their names"},
      {"seed", "K", "of the faults; default 0"},
      {"unit", "M", "length of the file's unit in metres"},
      {"up", "AXIS", "x, y or z: the file's axis that points up"},
      {"strict", "", "refuse what would be repaired otherwise"},
      {"verbose", "", "list every finding, also alike ones"},
      {"json", "", "print one JSON object"},
  };
  syntax.details = "JSON: motion, output, markers, frames, frame_time, diagnostics.\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
