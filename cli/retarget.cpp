// vertebra retarget: a motion onto a robot or another figure, as a CSV of its coordinates.
#include <chrono>

#include "cli/model.hpp"
#include "cli/output.hpp"
#include "cli/retarget_physics.hpp"
#include "cli/verbs.hpp"

namespace vertebra::cli {

namespace {

using Trajectory = std::unique_ptr<vtb_trajectory, Release<vtb_trajectory_release>>;

int run(const Arguments& arguments) {
  const std::string &from = arguments.operand(0), &to = arguments.operand(1);
  const bool physics = wantsPhysics(arguments);
  if (!isBvh(from)) throw Failure(from + " is not a BVH");
  std::vector<Diagnostic> diagnostics;
  const Motion motion = loadMotion(from, arguments, diagnostics);
  const Model model = loadModel(to, arguments);
  diagnostics.insert(diagnostics.end(), model.diagnostics.begin(), model.diagnostics.end());
  printDiagnostics(diagnostics, arguments);

  auto def = defaults(vtb_retarget_def_init);
  def.rate = arguments.positive("rate", 0);
  const auto start = std::chrono::steady_clock::now();
  vtb_diagnostics* found = nullptr;
  vtb_trajectory* made = nullptr;
  check(vtb_retarget(motion.get(), model.skeleton.get(), &def, &found, &made), "retargeting");
  const std::vector<Diagnostic> roles = take(found);
  Trajectory trajectory(made);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Tracked tracked{};
  if (physics) trajectory.reset(made = trackByPhysics(made, model.skeleton.get(), arguments, tracked));
  const std::string out = arguments.text("out");
  if (!out.empty()) check(vtb_trajectory_save_csv(made, out.c_str()), "writing " + out);

  vtb_trajectory_info info = sized<vtb_trajectory_info>();
  check(vtb_trajectory_get_info(made, &info), "reading the trajectory");
  if (arguments.has("json")) {
    Json json;
    json.beginObject().member("motion", from).member("figure", to).member("output", out).member("frames", info.frames);
    json.member("frame_time", info.frame_time).member("coordinates", info.nq).member("seconds", seconds).key("roles").beginObject();
    for (const Diagnostic& role : roles) json.member(role.element, role.message);
    json.endObject();
    if (physics) write(json, tracked);
    json.key("diagnostics");
    write(json, diagnostics);
    print(json.endObject().text() + "\n");
    return 0;
  }
  Table table({"role", "found"});
  for (const Diagnostic& role : roles) table.add({role.element, role.message});
  print(table.text());
  if (physics) print(tracked);
  print((out.empty() ? from : out) + ": " + std::to_string(info.frames) + " frames, " + readable(info.frame_time) + " s each, in " +
        readable(seconds) + " s\n");
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
      {"out", "OUT", "write the figure's coordinates: a CSV with a header, metres, radians, Z up", false, 'o'},
      {"rate", "HZ", "frames a second of the result; default: the motion's"},
  };
  for (Option& option : physicsOptions()) syntax.options.push_back(std::move(option));
  for (Option& option : loadOptions()) syntax.options.push_back(std::move(option));
  syntax.details =
      "Legs, arms and head of both are found by names and topology and printed. Feet stand where the motion's do; joints keep their "
      "limits;\n"
      "links keep apart. JSON: motion, figure, output, frames, frame_time, coordinates, seconds, roles{role: found}, physics{}, "
      "diagnostics.\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
