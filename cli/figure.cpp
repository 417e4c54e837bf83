// vertebra figure: a figure from any file as a tree with what is missing in it; edited, and written as a skeleton file; a motion held
// against it; the controllers of a scene's figures.
#include <algorithm>
#include <cmath>
#include <functional>

#include "cli/figure_check.hpp"
#include "cli/model.hpp"
#include "cli/output.hpp"
#include "cli/scene.hpp"
#include "cli/verbs.hpp"

namespace vertebra::cli {

namespace {

constexpr vtb_joint_type kTypes[] = {VTB_JOINT_TYPE_FIXED,     VTB_JOINT_TYPE_REVOLUTE,  VTB_JOINT_TYPE_CONTINUOUS,
                                     VTB_JOINT_TYPE_PRISMATIC, VTB_JOINT_TYPE_UNIVERSAL, VTB_JOINT_TYPE_SPHERICAL,
                                     VTB_JOINT_TYPE_PLANAR,    VTB_JOINT_TYPE_FLOATING};
const char* const kTypeNames[] = {"fixed", "revolute", "continuous", "prismatic", "universal", "spherical", "planar", "floating"};

double factorOf(const std::string& option, std::string_view text) {
  double value = 0;
  if (!parseNumber(text, value) || !(value > 0)) throw UsageError("--" + option + ": '" + std::string(text) + "' is not a number above 0");
  return value;
}

int jointNamed(const vtb_skeleton* skeleton, const std::string& name) {
  int32_t joint = -1;
  check(vtb_skeleton_find_joint(skeleton, name.c_str(), &joint), "editing");
  return joint;
}

class Editor {
 public:
  Editor(Skeleton& skeleton, const Arguments& arguments) : skeleton_(skeleton), arguments_(arguments) {}

  // In this order, whatever the order on the command line.
  void run() {
    for (const std::string& name : arguments_.all("drop"))
      edit([&](vtb_skeleton** out) { return vtb_skeleton_joint_dropped(now(), jointNamed(now(), name), out); });
    for (const std::string& name : arguments_.all("merge"))
      edit([&](vtb_skeleton** out) { return vtb_skeleton_joint_merged(now(), jointNamed(now(), name), out); });
    for (const std::string& text : arguments_.all("type")) retype(text);
    for (const std::string& text : arguments_.all("bone")) bone(text);
    if (arguments_.has("length") || arguments_.has("thickness")) {
      const double length = arguments_.positive("length", 1), thickness = arguments_.positive("thickness", 1);
      edit([&](vtb_skeleton** out) { return vtb_skeleton_link_scaled(now(), -1, length, thickness, out); });
    }
    if (arguments_.has("scale")) edit([&](vtb_skeleton** out) { return vtb_skeleton_scaled(now(), arguments_.positive("scale", 1), out); });
    if (arguments_.has("mirror"))
      edit([&](vtb_skeleton** out) { return vtb_skeleton_mirrored(now(), arguments_.choice("mirror", {"x", "y", "z"}, 1), out); });
  }

 private:
  const vtb_skeleton* now() const { return skeleton_.get(); }
  void edit(const std::function<vtb_status(vtb_skeleton**)>& work) {
    vtb_skeleton* made = nullptr;
    check(work(&made), "editing");
    skeleton_.reset(made);
  }

  void retype(const std::string& text) {
    const auto [name, rest] = parted("type", text);
    const int joint = jointNamed(now(), name);
    const vtb_joint_info info = jointOf(now(), joint);
    const auto words = split(rest, ':');
    double axis[3] = {info.axis[0], info.axis[1], info.axis[2]};
    const auto found = std::find(std::begin(kTypeNames), std::end(kTypeNames), words[0]);
    if (found == std::end(kTypeNames) || words.size() > 2) {
      std::string known;
      for (const char* type : kTypeNames) known += std::string(" ") + type;
      throw UsageError("--type: '" + rest + "' is not TYPE or TYPE:x,y,z with a type of" + known);
    }
    if (words.size() == 2) {
      const auto numbers = split(words[1], ',');
      double square = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        if (numbers.size() != 3 || !parseNumber(numbers[i], axis[i]))
          throw UsageError("--type: '" + std::string(words[1]) + "' is not an axis x,y,z");
        square += axis[i] * axis[i];
      }
      if (!(square > 0) || !std::isfinite(square)) throw UsageError("--type: the axis has no direction");
      for (double& x : axis) x /= std::sqrt(square);
    }
    const vtb_joint_type type = kTypes[found - std::begin(kTypeNames)];
    edit([&](vtb_skeleton** out) { return vtb_skeleton_joint_retyped(now(), joint, type, axis, out); });
  }

  void bone(const std::string& text) {
    const auto [name, rest] = parted("bone", text);
    const auto factors = split(rest, ',');
    if (factors.size() > 2) throw UsageError("--bone: '" + rest + "' is not LENGTH or LENGTH,THICKNESS");
    const double length = factorOf("bone", factors[0]), thickness = factors.size() > 1 ? factorOf("bone", factors[1]) : 1;
    int32_t link = -1;
    check(vtb_skeleton_find_link(now(), name.c_str(), &link), "editing");
    edit([&](vtb_skeleton** out) { return vtb_skeleton_link_scaled(now(), link, length, thickness, out); });
  }

  Skeleton& skeleton_;
  const Arguments& arguments_;
};

// What a simulation or a retargeting of the figure would miss: a sentence each.
std::vector<std::string> findingsOf(const vtb_skeleton* skeleton) {
  const vtb_skeleton_info info = infoOf(skeleton);
  std::vector<std::string> findings;
  int bare = 0, free = 0, weak = 0, axes = 0;
  std::vector<bool> shaped(static_cast<std::size_t>(info.links), false);
  for (int i = 0; i < info.shapes; ++i) {
    auto shape = sized<vtb_visual_info>();
    check(vtb_skeleton_get_visual(skeleton, 1, i, &shape), "reading a shape");
    shaped[static_cast<std::size_t>(shape.link)] = true;
  }
  for (int l = 0; l < info.links; ++l) {
    const vtb_link_info link = linkOf(skeleton, l);
    if (link.mass > 0 && !shaped[static_cast<std::size_t>(l)]) ++bare;
    double trace = 0;
    for (const int k : {0, 3, 5}) trace += link.inertia[k];
    if (link.mass > 0 && !(trace > 0)) findings.push_back("link '" + std::string(link.name) + "' has a mass but no inertia");
  }
  for (int j = 0; j < info.joints; ++j) {
    const vtb_joint_info joint = jointOf(skeleton, j);
    for (int k = 0; k < joint.axes && !joint.loop && joint.mimic < 0; ++k) {
      auto axis = sized<vtb_axis_def>();
      check(vtb_skeleton_get_axis(skeleton, j, k, &axis), "reading an axis");
      ++axes;
      if (joint.type != VTB_JOINT_TYPE_CONTINUOUS && !std::isfinite(axis.lower) && !std::isfinite(axis.upper) && joint.axes == 1) ++free;
      if (!std::isfinite(axis.effort) || axis.effort == 0) ++weak;
    }
  }
  const auto count = [&](int number, const std::string& text) {
    if (number > 0) findings.push_back(std::to_string(number) + text);
  };
  count(bare, " links have a mass but no collision shape: they pass through everything");
  count(free, " of " + std::to_string(axes) + " axes have no range");
  count(weak, " of " + std::to_string(axes) + " axes have no largest torque: controllers take one from the masses");
  if (info.mass == 0) findings.emplace_back("the figure has no mass");
  return findings;
}

std::string tree(const vtb_skeleton* skeleton) {
  const vtb_skeleton_info info = infoOf(skeleton);
  std::vector<std::vector<int>> joints(static_cast<std::size_t>(info.links));  // that hang on a link
  std::string loops;
  for (int j = 0; j < info.joints; ++j) {
    const vtb_joint_info joint = jointOf(skeleton, j);
    if (!joint.loop) joints[static_cast<std::size_t>(joint.parent)].push_back(j);
    if (joint.loop)
      loops += std::string("closes a cycle: ") + joint.name + " (" + joint.type_name + ") from " +
               (joint.parent < 0 ? "the world" : linkOf(skeleton, joint.parent).name) + " to " + linkOf(skeleton, joint.child).name + "\n";
  }
  Table table({"link", "mass", "joint", "type", "range"});
  const auto range = [&](int j, const vtb_joint_info& joint) {
    std::string text;
    for (int k = 0; k < joint.axes; ++k) {
      auto axis = sized<vtb_axis_def>();
      check(vtb_skeleton_get_axis(skeleton, j, k, &axis), "reading an axis");
      if (std::isfinite(axis.lower) || std::isfinite(axis.upper))
        text += (text.empty() ? "" : ", ") + readable(axis.lower) + " .. " + readable(axis.upper);
    }
    return text;
  };
  std::vector<std::pair<int, int>> open = {{-1, 0}};  // joint that leads to the link, depth
  while (!open.empty()) {
    const auto [j, depth] = open.back();
    open.pop_back();
    const vtb_joint_info joint = j < 0 ? vtb_joint_info{} : jointOf(skeleton, j);
    const int link = j < 0 ? info.root : joint.child;
    const vtb_link_info about = linkOf(skeleton, link);
    table.add({std::string(2 * static_cast<std::size_t>(depth), ' ') + about.name, readable(about.mass), j < 0 ? "" : joint.name,
               j < 0 ? (info.floating_by_default ? "(free)" : "(fixed)") : joint.type_name, j < 0 ? "" : range(j, joint)});
    const auto& next = joints[static_cast<std::size_t>(link)];
    for (auto at = next.rbegin(); at != next.rend(); ++at) open.emplace_back(*at, depth + 1);
  }
  return table.text() + loops;
}

std::vector<std::pair<std::string, std::string>> rolesOf(const vtb_skeleton* skeleton) {
  std::vector<std::pair<std::string, std::string>> roles;
  for (int i = 0; i < infoOf(skeleton).roles; ++i) {
    auto role = sized<vtb_role_info>();
    check(vtb_skeleton_get_role(skeleton, i, &role), "reading a role");
    roles.emplace_back(role.name, linkOf(skeleton, role.link).name);
  }
  return roles;
}

int run(const Arguments& arguments) {
  const std::string& file = arguments.operand(0);
  if (isScene(file)) return checkControllers(arguments);
  Model model = loadModel(file, arguments);
  printDiagnostics(model.diagnostics, arguments);
  Editor(model.skeleton, arguments).run();
  const vtb_skeleton* skeleton = model.skeleton.get();
  const vtb_skeleton_info info = infoOf(skeleton);
  const std::string out = arguments.text("out");
  if (!out.empty()) check(vtb_skeleton_save(skeleton, out.c_str()), "writing " + out);
  const std::vector<std::string> findings = findingsOf(skeleton);
  std::vector<MotionCheck> motions;
  std::vector<Diagnostic> read;
  for (const std::string& motion : arguments.all("motion")) motions.push_back(checkMotion(motion, model, arguments, read));
  printDiagnostics(read, arguments);
  model.diagnostics.insert(model.diagnostics.end(), read.begin(), read.end());
  if (arguments.has("json")) {
    Json json;
    json.beginObject().member("name", nameOf(skeleton)).member("links", info.links).member("joints", info.joints);
    json.member("shapes", info.shapes).member("sites", info.sites).member("mass", info.mass).key("roles").beginObject();
    for (const auto& [role, link] : rolesOf(skeleton)) json.member(role.c_str(), link);
    json.endObject().key("findings").strings(findings).key("output");
    if (out.empty())
      json.null();
    else
      json.value(out);
    if (!motions.empty()) {
      json.key("motions").beginArray();
      for (const MotionCheck& motion : motions) write(json, motion);
      json.endArray();
    }
    json.key("diagnostics");
    write(json, model.diagnostics);
    print(json.endObject().text() + "\n");
    return 0;
  }
  std::string text = nameOf(skeleton) + ": " + std::to_string(info.links) + " links, " + std::to_string(info.joints) + " joints, " +
                     std::to_string(info.shapes) + " collision shapes, " + std::to_string(info.sites) + " sites, " + readable(info.mass) +
                     " kg\n\n" + tree(skeleton);
  for (const auto& [role, link] : rolesOf(skeleton)) text += "role " + role + ": " + link + "\n";
  for (const std::string& finding : findings) text += "note: " + finding + "\n";
  if (!out.empty()) text += "written: " + out + "\n";
  for (const MotionCheck& motion : motions) text += describe(motion);
  print(text);
  return 0;
}

}  // namespace

Verb figureVerb() {
  Syntax syntax;
  syntax.verb = "figure";
  syntax.operands = "FILE";
  syntax.operandCount = 1;
  syntax.summary =
      "Shows a figure with what it lacks, edits and writes it, holds motions against it; of a scene, shows the figures' controllers.";
  syntax.options = loadOptions();
  const std::vector<Option> own = {
      {"out", "FILE", "write the figure as a skeleton file (XML)", false, 'o'},
      {"motion", "MOTION", "hold a BVH or a CSV of coordinates against it: joints that meet, ranges, rates, jumps; may be repeated", true},
      {"drop", "JOINT", "take away a joint and all that hangs on it; may be repeated", true},
      {"merge", "JOINT", "make the child of a joint part of its parent; may be repeated", true},
      {"type", "J=TYPE[:X,Y,Z]", "give joint J another type, and axis in its frame; may be repeated", true},
      {"bone", "L=LEN[,THICK]", "link L's bone longer and thicker by these factors; may be repeated", true},
      {"length", "F", "all bones longer by this factor"},
      {"thickness", "F", "all bones thicker by this factor"},
      {"scale", "F", "all lengths by this factor"},
      {"mirror", "AXIS", "the mirror image across a plane of normal x, y or z; left and right change places in names"},
  };
  syntax.options.insert(syntax.options.end(), own.begin(), own.end());
  syntax.details =
      "FILE is a URDF, a BVH or a skeleton file. Edits are made in the order of this list. Masses follow the shapes at the same density.\n"
      "A scene is stepped once; then gains, targets and forces of the axes are those of its controllers.\n"
      "JSON: name, links, joints, shapes, sites, mass, roles, findings, output, with --motion motions[file, frames, joints_met[],\n"
      "joints_of_figure_alone[], joints_of_motion_alone[], axes[], outliers[]], diagnostics; of a scene: scene, figures[name, "
      "controllers[],\n"
      "axes[], findings[]], diagnostics.\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
