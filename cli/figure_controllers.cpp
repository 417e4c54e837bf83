// vertebra figure SCENE: the controllers of its figures after one step: what they are, which axes they drive, gains, targets, and what is
// odd about these.
#include <array>
#include <cmath>

#include "cli/figure_check.hpp"
#include "cli/output.hpp"
#include "cli/scene.hpp"

namespace vertebra::cli {

namespace {

const char* const kTypes[] = {"drive", "animation", "root_drive", "marker_drive", "inverse_dynamics", "point_at", "balance"};

struct DrivenAxis {
  std::string name;
  vtb_motor_def motor;
  vtb_axis_def limits;
  bool ball;         // its target is an orientation of the joint, of which this is
  double target;     // rad or m: a component of the rotation vector
  double force = 0;  // N m or N: of the drive in the step
  bool driven() const { return motor.mode != VTB_MOTOR_MODE_OFF; }
  double bound() const { return std::min(motor.max_force, limits.effort); }
};

struct ControlledFigure {
  std::string name;
  vtb_figure figure{0};
  std::vector<vtb_controller_info> controllers;
  std::vector<DrivenAxis> axes;
  std::vector<std::string> findings;
};

// rad, of x, y, z, w.
std::array<double, 3> rotationVector(const double q[4]) {
  const double sine = std::hypot(q[0], q[1], q[2]), sign = q[3] < 0 ? -1 : 1;
  const double scale = sine > 0 ? sign * 2 * std::atan2(sine, sign * q[3]) / sine : 0;
  return {scale * q[0], scale * q[1], scale * q[2]};
}

void readAxes(const vtb_world* world, ControlledFigure& f) {
  vtb_skeleton* shared = nullptr;
  check(vtb_figure_get_skeleton(world, f.figure, &shared), "reading a figure");
  const Skeleton skeleton(shared);
  vtb_workspace* made = nullptr;
  check(vtb_figure_create_workspace(world, f.figure, &made), "reading a figure");
  const Workspace workspace(made);
  size_t total = 0;
  int32_t nq = 0, nv = 0;
  check(vtb_workspace_get_size(made, &nq, &nv), "reading a figure");
  std::vector<double> forces(static_cast<std::size_t>(nv));
  check(vtb_figure_get_motor_forces(world, f.figure, at(forces), forces.size(), &total), "reading the drives");
  for (int j = 0; j < infoOf(shared).joints; ++j) {
    const vtb_joint_info info = jointOf(shared, j);
    int32_t q = 0, v = 0;
    check(vtb_workspace_get_joint(made, j, &q, &v), "reading a figure");
    if (v < 0) continue;
    vtb_joint joint{0};
    check(vtb_figure_get_joint(world, f.figure, j, &joint), "reading a joint");
    for (int k = 0; k < info.axes; ++k) {
      DrivenAxis axis{};
      axis.name = info.axes == 1 ? std::string(info.name) : std::string(info.name) + "." + std::to_string(k + 1);
      axis.ball = info.type == VTB_JOINT_TYPE_SPHERICAL;
      axis.motor = sized<vtb_motor_def>();
      check(vtb_joint_get_motor(world, joint, k, &axis.motor), "reading a drive");
      axis.target = axis.motor.position;
      if (double pose[7]; axis.ball && vtb_joint_get_target(world, joint, pose, nullptr) == VTB_OK)
        axis.target = rotationVector(pose + 3)[k];
      axis.limits = sized<vtb_axis_def>();
      check(vtb_skeleton_get_axis(shared, j, k, &axis.limits), "reading an axis");
      axis.force = forces[static_cast<std::size_t>(v + k)];
      f.axes.push_back(axis);
    }
  }
}

void find(ControlledFigure& f) {
  int limp = 0, unbounded = 0, driven = 0;
  for (const DrivenAxis& a : f.axes) {
    if (!a.driven()) {
      ++limp;
      continue;
    }
    ++driven;
    if (!std::isfinite(a.bound())) ++unbounded;
    if (a.motor.mode == VTB_MOTOR_MODE_POSITION && !a.ball && a.motor.stiffness > 0 &&
        (a.target > a.limits.upper + 1e-9 || a.target < a.limits.lower - 1e-9))
      f.findings.push_back("axis '" + a.name + "' is drawn to " + readable(a.target) + ", beyond its range " + readable(a.limits.lower) +
                           " .. " + readable(a.limits.upper));
    if (a.bound() > 0 && std::fabs(a.force) >= a.bound() * (1 - 1e-9))
      f.findings.push_back("axis '" + a.name + "' is at its bound of " + readable(a.bound()) + " in the first step");
  }
  if (f.controllers.empty()) f.findings.emplace_back("it has no controller");
  if (limp > 0)
    f.findings.push_back(std::to_string(limp) + " of " + std::to_string(limp + driven) + " axes are driven by nothing: they are limp");
  if (unbounded > 0) f.findings.push_back(std::to_string(unbounded) + " driven axes have no largest force: they are as strong as it takes");
}

std::string describe(const ControlledFigure& f) {
  std::string text = f.name + ": " + std::to_string(f.controllers.size()) + " controllers, " + std::to_string(f.axes.size()) + " axes\n";
  for (const vtb_controller_info& c : f.controllers) {
    text += std::string("  ") + kTypes[c.type];
    if (c.type == VTB_CONTROLLER_TYPE_ANIMATION)
      text += std::string(c.let_go ? ", has let go" : "") + ", " + readable(c.error) + " m from its pose";
    if (c.type == VTB_CONTROLLER_TYPE_MARKER_DRIVE) text += ", the farthest marker " + readable(c.error) + " m away";
    if (c.type == VTB_CONTROLLER_TYPE_ROOT_DRIVE)
      text += ", force " + readable(c.force, 3) + " N, moment " + readable(c.moment, 3) + " N m";
    if (c.type == VTB_CONTROLLER_TYPE_BALANCE) text += c.standing ? ", stands" : ", does not stand";
    text += "\n";
  }
  Table table({"axis", "target", "stiffness", "damping", "bound", "force", "range"});
  for (const DrivenAxis& a : f.axes)
    if (a.driven())
      table.add({a.name, readable(a.target), readable(a.motor.stiffness), readable(a.motor.damping), readable(a.bound()), readable(a.force),
                 readable(a.limits.lower) + " .. " + readable(a.limits.upper)});
  if (!table.empty()) text += table.text();
  for (const std::string& finding : f.findings) text += "note: " + finding + "\n";
  return text;
}

void write(Json& json, const ControlledFigure& f) {
  json.beginObject().member("name", f.name).key("controllers").beginArray();
  for (const vtb_controller_info& c : f.controllers) {
    json.beginObject().member("type", kTypes[c.type]).member("let_go", c.let_go != 0).member("standing", c.standing != 0);
    json.member("error", c.error)
        .key("force")
        .numbers(c.force, 3)
        .key("moment")
        .numbers(c.moment, 3)
        .member("outside", c.outside)
        .endObject();
  }
  json.endArray().key("axes").beginArray();
  for (const DrivenAxis& a : f.axes) {
    json.beginObject().member("name", a.name).member("driven", a.driven()).key("target");
    if (a.driven())
      json.value(a.target);
    else
      json.null();
    json.member("stiffness", a.motor.stiffness).member("damping", a.motor.damping).member("max_force", a.bound()).member("force", a.force);
    json.member("lower", a.limits.lower).member("upper", a.limits.upper).endObject();
  }
  json.endArray().key("findings").strings(f.findings).endObject();
}

}  // namespace

int checkControllers(const Arguments& arguments) {
  std::vector<Diagnostic> diagnostics;
  const std::string& file = arguments.operand(0);
  for (const char* other : {"out", "drop", "merge", "type", "bone", "length", "thickness", "scale", "mirror", "motion"})
    if (arguments.has(other)) throw UsageError(std::string("--") + other + " is for the file of a figure; " + file + " is a scene");
  const Scene scene = loadScene(file, diagnostics);
  printDiagnostics(diagnostics, arguments);
  const World world = worldOf(scene.get(), nullptr);
  std::vector<ControlledFigure> figures;
  for (const Named& named : namesOf(world.get(), VTB_NAMED_FIGURE)) {
    ControlledFigure f;
    f.name = named.name;
    f.figure.bits = named.bits;
    figures.push_back(std::move(f));
  }
  check(vtb_world_step(world.get(), 1), "making the first step");
  for (ControlledFigure& f : figures) {
    size_t total = 0;
    check(vtb_figure_get_controllers(world.get(), f.figure, nullptr, 0, &total), "reading controllers");
    std::vector<vtb_controller> list(total);
    if (total > 0) check(vtb_figure_get_controllers(world.get(), f.figure, list.data(), list.size(), &total), "reading controllers");
    for (const vtb_controller controller : list) {
      auto info = sized<vtb_controller_info>();
      check(vtb_controller_get_info(world.get(), controller, &info), "reading a controller");
      f.controllers.push_back(info);
    }
    readAxes(world.get(), f);
    find(f);
  }
  if (arguments.has("json")) {
    Json json;
    json.beginObject().member("scene", file).key("figures").beginArray();
    for (const ControlledFigure& f : figures) write(json, f);
    json.endArray().key("diagnostics");
    write(json, diagnostics);
    print(json.endObject().text() + "\n");
    return 0;
  }
  std::string text;
  for (const ControlledFigure& f : figures) text += (text.empty() ? "" : "\n") + describe(f);
  print(text.empty() ? file + " has no figures\n" : text);
  return 0;
}

}  // namespace vertebra::cli
