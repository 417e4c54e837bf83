// vertebra info: what a file holds, as links, joints, coordinates and diagnostics.
#include <cmath>

#include "cli/model.hpp"
#include "cli/output.hpp"
#include "cli/scene.hpp"
#include "cli/verbs.hpp"

namespace vertebra::cli {

namespace {

struct Contents {
  Model model;
  Coordinates coordinates;
  vtb_skeleton_info info;
  std::string name, kind, base;
  int frames = 0;
  double frameTime = 0;
};

bool hasAxis(int type) { return type != VTB_JOINT_TYPE_FIXED && type != VTB_JOINT_TYPE_FLOATING && type != VTB_JOINT_TYPE_SPHERICAL; }

std::vector<vtb_axis_def> axesOf(const vtb_skeleton* skeleton, int joint, int count) {
  std::vector<vtb_axis_def> axes;
  for (int i = 0; i < count; ++i) {
    auto axis = sized<vtb_axis_def>();
    check(vtb_skeleton_get_axis(skeleton, joint, i, &axis), "reading a joint's axis");
    axes.push_back(axis);
  }
  return axes;
}

// One value for a joint of one axis, a list for one of more; null where nothing is bounded.
void writeBound(Json& json, const char* name, const std::vector<vtb_axis_def>& axes, double vtb_axis_def::*bound) {
  json.key(name);
  bool any = false;
  for (const auto& axis : axes) any |= std::isfinite(axis.*bound);
  if (!any) {
    json.null();
  } else if (axes.size() == 1) {
    json.value(axes[0].*bound);
  } else {
    json.beginArray();
    for (const auto& axis : axes) json.value(axis.*bound);
    json.endArray();
  }
}

void writeJoint(Json& json, const vtb_skeleton* skeleton, int index) {
  const vtb_joint_info joint = jointOf(skeleton, index);
  const auto axes = axesOf(skeleton, index, joint.axes);
  json.beginObject().member("name", joint.name).member("type", joint.type_name);
  json.member("parent", linkOf(skeleton, joint.parent).name).member("child", linkOf(skeleton, joint.child).name);
  json.key("axis");
  if (hasAxis(joint.type))
    json.numbers(joint.axis, 3);
  else
    json.null();
  writeBound(json, "lower", axes, &vtb_axis_def::lower);
  writeBound(json, "upper", axes, &vtb_axis_def::upper);
  writeBound(json, "effort", axes, &vtb_axis_def::effort);
  writeBound(json, "velocity", axes, &vtb_axis_def::velocity);
  json.key("mimic");
  if (joint.mimic < 0) {
    json.null();
  } else {
    json.beginObject().member("joint", jointOf(skeleton, joint.mimic).name);
    json.member("multiplier", joint.mimic_multiplier).member("offset", joint.mimic_offset).endObject();
  }
  json.endObject();
}

std::string asJson(const Contents& c) {
  const vtb_skeleton* skeleton = c.model.skeleton.get();
  Json json;
  json.beginObject().member("name", c.name).member("kind", c.kind);
  json.key("links").beginArray();
  for (int i = 0; i < c.info.links; ++i) {
    const vtb_link_info link = linkOf(skeleton, i);
    json.beginObject().member("name", link.name).member("mass", link.mass);
    json.key("com").numbers(link.com, 3).key("inertia").numbers(link.inertia, 6).endObject();
  }
  json.endArray().key("joints").beginArray();
  for (int i = 0; i < c.info.joints; ++i) writeJoint(json, skeleton, i);
  json.endArray();
  json.key("coordinates").strings(c.coordinates.q).key("velocities").strings(c.coordinates.v);
  json.member("nq", static_cast<int>(c.coordinates.q.size())).member("nv", static_cast<int>(c.coordinates.v.size()));
  json.member("base", c.base).member("mass", c.info.mass);
  if (c.model.motion)
    json.member("frames", c.frames).member("frame_time", c.frameTime);
  else
    json.key("frames").null().key("frame_time").null();
  json.key("diagnostics");
  write(json, c.model.diagnostics);
  return json.endObject().text() + "\n";
}

std::string range(const std::vector<vtb_axis_def>& axes) {
  std::string text;
  for (const auto& axis : axes)
    if (std::isfinite(axis.lower) || std::isfinite(axis.upper))
      text += (text.empty() ? "" : ", ") + readable(axis.lower) + " .. " + readable(axis.upper);
  return text;
}

std::string bound(const std::vector<vtb_axis_def>& axes, double vtb_axis_def::*member) {
  std::string text;
  for (const auto& axis : axes)
    if (std::isfinite(axis.*member)) text += (text.empty() ? "" : ", ") + readable(axis.*member);
  return text;
}

std::string asText(const Contents& c, bool all) {
  const vtb_skeleton* skeleton = c.model.skeleton.get();
  std::string text = c.name + " (" + c.kind + "): " + std::to_string(c.info.links) + " links, " + std::to_string(c.info.joints) +
                     " joints, " + readable(c.info.mass) + " kg, nq " + std::to_string(c.coordinates.q.size()) + ", nv " +
                     std::to_string(c.coordinates.v.size()) + ", base " + c.base + "\n";
  if (c.model.motion) text += std::to_string(c.frames) + " frames, " + readable(c.frameTime) + " s each\n";

  Table links({"link", "mass", "centre of mass", "inertia xx xy xz yy yz zz"});
  for (int i = 0; i < c.info.links; ++i) {
    const vtb_link_info link = linkOf(skeleton, i);
    links.add({link.name, readable(link.mass), readable(link.com, 3), readable(link.inertia, 6)});
  }
  text += "\n" + links.text();

  Table joints({"joint", "type", "parent", "child", "axis", "range", "effort", "velocity", "mimic"});
  for (int i = 0; i < c.info.joints; ++i) {
    const vtb_joint_info joint = jointOf(skeleton, i);
    const auto axes = axesOf(skeleton, i, joint.axes);
    std::string mimic;
    if (joint.mimic >= 0)
      mimic = readable(joint.mimic_multiplier) + " * " + jointOf(skeleton, joint.mimic).name + " + " + readable(joint.mimic_offset);
    joints.add({joint.name, joint.type_name, linkOf(skeleton, joint.parent).name, linkOf(skeleton, joint.child).name,
                hasAxis(joint.type) ? readable(joint.axis, 3) : "", range(axes), bound(axes, &vtb_axis_def::effort),
                bound(axes, &vtb_axis_def::velocity), mimic});
  }
  if (!joints.empty()) text += "\n" + joints.text();

  text += "\ncoordinates:";
  for (const std::string& name : c.coordinates.q) text += " " + name;
  text += "\nvelocities:";
  for (const std::string& name : c.coordinates.v) text += " " + name;
  text += "\n";
  if (!c.model.diagnostics.empty()) text += "\n";
  text += describe(c.model.diagnostics, all);
  return text;
}

int run(const Arguments& arguments) {
  if (isScene(arguments.operand(0))) return infoOfScene(arguments);
  Contents c;
  c.model = loadModel(arguments.operand(0), arguments);
  c.coordinates = coordinatesOf(c.model, arguments);
  c.info = infoOf(c.model.skeleton.get());
  c.name = nameOf(c.model.skeleton.get());
  c.kind = c.model.motion ? "bvh" : "urdf";
  c.base = floats(c.model, arguments) ? "floating" : "fixed";
  if (c.model.motion) {
    const vtb_motion_info motion = infoOf(c.model.motion.get());
    c.frames = motion.frames;
    c.frameTime = motion.frame_time;
  }
  print(arguments.has("json") ? asJson(c) : asText(c, arguments.has("verbose")));
  return 0;
}

}  // namespace

Verb infoVerb() {
  Syntax syntax;
  syntax.verb = "info";
  syntax.operands = "FILE";
  syntax.operandCount = 1;
  syntax.summary = "What a URDF, BVH or scene holds: links, joints, coordinates, masses, and what was odd about the file.";
  syntax.options = loadOptions();
  for (Option& option : baseOptions()) syntax.options.push_back(std::move(option));
  syntax.details =
      "A BVH is shown as the figure made from it: its joints are the links, joint types come from its rotation channels.\n"
      "Links and joints are in file order; coordinates too, the floating base first. Inertia is xx, xy, xz, yy, yz, zz about the\n"
      "centre of mass in link axes. kg, m, s, N, rad.\n\n"
      "JSON: name, kind (urdf or bvh), links[{name, mass, com, inertia}], joints[{name, type, parent, child, axis, lower, upper,\n"
      "effort, velocity, mimic}], coordinates[], velocities[], nq, nv, base, mass, frames, frame_time, diagnostics[{severity, code,\n"
      "file, line, element, message}]. What is unbounded is null; joints of several axes list their bounds one by one. axis is null\n"
      "for fixed, spherical and floating joints; mimic is null or {joint, multiplier, offset}; frames and frame_time are null for a "
      "URDF.\n\nOf a scene: name, kind (scene), time_step, the names of its bodies, shapes, joints, couplings, fields, figures and "
      "cameras,\n"
      "diagnostics.\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
