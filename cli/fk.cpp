// vertebra fk: where the links are, for given coordinates or in a frame of a motion.
#include "cli/model.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace vertebra::cli {

namespace {

struct Pose {
  std::string name;
  double values[7];  // position, quaternion x, y, z, w
};

std::vector<Pose> posesOfCoordinates(const Model& model, const Arguments& arguments) {
  const Coordinates coordinates = coordinatesOf(model, arguments);
  const std::vector<double> q = namedNumbers(arguments, "q", coordinates.q, neutral(coordinates));
  const int links = infoOf(model.skeleton.get()).links;
  std::vector<Pose> poses(static_cast<std::size_t>(links));
  size_t total = 0;
  check(
      vtb_dynamics_poses(coordinates.workspace.get(), at(q), poses.empty() ? nullptr : poses[0].values, poses.size(), sizeof(Pose), &total),
      "kinematics");
  for (int i = 0; i < links; ++i) poses[static_cast<std::size_t>(i)].name = linkOf(model.skeleton.get(), i).name;
  return poses;
}

std::vector<Pose> posesOfFrame(const vtb_motion* motion, const Arguments& arguments) {
  const vtb_motion_info info = infoOf(motion);
  if (info.frames == 0) throw Failure("the motion has no frames");
  const int frame = static_cast<int>(arguments.integer("frame", 0, 0, info.frames - 1));
  std::vector<Pose> poses(static_cast<std::size_t>(info.joints));
  size_t total = 0;
  check(vtb_motion_get_poses(motion, frame, arguments.has("raw"), poses.empty() ? nullptr : poses[0].values, poses.size(), sizeof(Pose),
                             &total),
        "kinematics");
  for (int i = 0; i < info.joints; ++i) {
    vtb_motion_joint joint = sized<vtb_motion_joint>();
    check(vtb_motion_get_joint(motion, i, &joint), "reading a joint");
    poses[static_cast<std::size_t>(i)].name = joint.name;
  }
  return poses;
}

std::vector<Pose> compute(const Arguments& arguments) {
  const std::string& path = arguments.operand(0);
  std::vector<Diagnostic> diagnostics;
  if (arguments.has("q")) {
    if (arguments.has("frame")) throw UsageError("--frame and --q exclude each other; give one");
    const Model model = loadModel(path, arguments);
    if (model.motion && arguments.has("raw")) throw UsageError("--raw needs --frame; coordinates of a figure are in metres, Z up");
    printDiagnostics(model.diagnostics, arguments);
    return posesOfCoordinates(model, arguments);
  }
  if (!arguments.has("frame")) throw UsageError("one of --q and --frame is needed");
  if (!isBvh(path)) throw UsageError("--frame is for BVH files; " + path + " is a URDF, use --q");
  const Motion motion = loadMotion(path, arguments, diagnostics);
  printDiagnostics(diagnostics, arguments);
  return posesOfFrame(motion.get(), arguments);
}

int run(const Arguments& arguments) {
  const std::vector<Pose> poses = compute(arguments);
  if (!arguments.has("json")) {
    Table table({"link", "x", "y", "z", "qx", "qy", "qz", "qw"});
    for (const Pose& pose : poses) {
      std::vector<std::string> cells{pose.name};
      for (const double value : pose.values) cells.push_back(readable(value));
      table.add(std::move(cells));
    }
    print(table.text());
    return 0;
  }
  Json json;
  json.beginObject().key("links").beginObject();
  for (const Pose& pose : poses)
    json.key(pose.name).beginObject().key("p").numbers(pose.values, 3).key("q").numbers(pose.values + 3, 4).endObject();
  print(json.endObject().endObject().text() + "\n");
  return 0;
}

}  // namespace

Verb fkVerb() {
  Syntax syntax;
  syntax.verb = "fk";
  syntax.operands = "FILE (--q VALUES | --frame N)";
  syntax.operandCount = 1;
  syntax.summary = "Forward kinematics: position and orientation of every link frame in the world, Z up, metres.";
  syntax.options = {
      {"q", "VALUES", "all coordinates as v,v,... or some by name as name=v,name=v, the others neutral (see info for the names)"},
      {"frame", "N", "BVH: pose of frame N, counted from 0, of all joints of the file"},
      {"raw", "", "BVH: with --frame, keep the file's axes and units"},
  };
  for (Option& option : loadOptions()) syntax.options.push_back(std::move(option));
  for (Option& option : baseOptions()) syntax.options.push_back(std::move(option));
  syntax.details = "JSON: links{name: {p: [x, y, z], q: [x, y, z, w]}}. q turns link axes into world axes.\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
