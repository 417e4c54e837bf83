// Loading figures and naming coordinates through the C ABI; see model.hpp.
#include "cli/model.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

namespace vertebra::cli {

namespace {

constexpr const char* kSearchDetail = "urdf.mesh.looked-at";

void append(std::vector<Diagnostic>& list, std::vector<Diagnostic> more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void checkLoad(vtb_status status, const std::string& path, const std::vector<Diagnostic>& diagnostics) {
  if (status != VTB_OK) throw LoadFailure(path + ": " + vtb_last_error(), diagnostics);
}

// The text of a call (buffer, size, needed).
template <class Call>
std::string textOf(Call call) {
  size_t needed = 0;
  check(call(nullptr, 0, &needed), "reading a name");
  std::string text(needed, '\0');
  check(call(text.data(), text.size(), &needed), "reading a name");
  text.resize(needed == 0 ? 0 : needed - 1);
  return text;
}

Skeleton loadUrdf(const std::string& path, const Arguments& arguments, std::vector<Diagnostic>& diagnostics) {
  auto def = defaults(vtb_urdf_def_init);
  if (arguments.has("strict")) def.flags |= VTB_LOAD_FLAG_STRICT;
  if (arguments.has("no-meshes")) def.flags |= VTB_LOAD_FLAG_NO_MESHES;
  if (arguments.has("derive-collision")) def.flags |= VTB_LOAD_FLAG_DERIVE_COLLISION;
  def.inertia = static_cast<vtb_inertia>(arguments.choice("inertia", {"lenient", "geometry", "error"}, def.inertia));
  const std::vector<std::string> roots = arguments.all("mesh-root");
  std::vector<const char*> rootTexts;
  for (const std::string& root : roots) rootTexts.push_back(root.c_str());
  def.mesh_roots = rootTexts.empty() ? nullptr : rootTexts.data();
  def.mesh_root_count = static_cast<uint32_t>(rootTexts.size());
  vtb_diagnostics* list = nullptr;
  vtb_skeleton* skeleton = nullptr;
  const vtb_status status = vtb_skeleton_load(path.c_str(), &def, &list, &skeleton);
  append(diagnostics, take(list));
  checkLoad(status, path, diagnostics);
  return Skeleton(skeleton);
}

void checkReadable(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw Failure("cannot read " + path + ": it is a folder");
  errno = 0;
  if (!std::ifstream(path, std::ios::binary)) throw Failure("cannot open " + path + ": " + std::strerror(errno ? errno : EIO));
}

}  // namespace

std::vector<Diagnostic> take(vtb_diagnostics* list) {
  std::vector<Diagnostic> result;
  if (list == nullptr) return result;
  const Diagnostics owner(list);
  size_t count = 0;
  check(vtb_diagnostics_count(list, &count), "reading diagnostics");
  const auto text = [](const char* given) { return std::string(given ? given : ""); };
  for (size_t i = 0; i < count; ++i) {
    vtb_diagnostic d;
    check(vtb_diagnostics_get(list, i, &d), "reading diagnostics");
    result.push_back({d.severity, d.line, text(d.code), text(d.file), text(d.element), text(d.message)});
  }
  return result;
}

void check(vtb_status status, const std::string& doing) {
  if (status != VTB_OK) throw Failure(doing + ": " + vtb_last_error() + " [" + vtb_status_name(status) + "]");
}

const char* severityName(int severity) {
  return severity == VTB_SEVERITY_ERROR ? "error" : severity == VTB_SEVERITY_WARNING ? "warning" : "info";
}

std::string describe(const Diagnostic& d) {
  std::string text = d.file;
  if (d.line > 0) text += ":" + std::to_string(d.line);
  if (!text.empty()) text += ": ";
  text += std::string(severityName(d.severity)) + ": ";
  if (!d.element.empty()) text += d.element + ": ";
  return text + d.message + " [" + d.code + "]";
}

void write(Json& json, const std::vector<Diagnostic>& diagnostics) {
  json.beginArray();
  for (const Diagnostic& d : diagnostics) {
    json.beginObject().member("severity", severityName(d.severity)).member("code", d.code).member("file", d.file);
    json.member("line", d.line).member("element", d.element).member("message", d.message).endObject();
  }
  json.endArray();
}

std::string describe(const std::vector<Diagnostic>& diagnostics, bool all) {
  std::string text;
  const auto alike = [](const Diagnostic& a, const Diagnostic& b) {
    return a.code == b.code && a.message == b.message && a.file == b.file;
  };
  for (auto d = diagnostics.begin(); d != diagnostics.end(); ++d) {
    if (all || d->severity == VTB_SEVERITY_ERROR) {
      text += describe(*d) + "\n";
      continue;
    }
    if (d->code == kSearchDetail || std::any_of(diagnostics.begin(), d, [&](const Diagnostic& before) { return alike(before, *d); }))
      continue;
    const auto count = std::count_if(d, diagnostics.end(), [&](const Diagnostic& later) { return alike(later, *d); });
    text += describe(*d) + (count > 1 ? " (" + std::to_string(count) + " times)\n" : "\n");
  }
  return text;
}

void printDiagnostics(const std::vector<Diagnostic>& diagnostics, const Arguments& arguments) {
  std::fputs(describe(diagnostics, arguments.has("verbose")).c_str(), stderr);
}

std::vector<Option> loadOptions() {
  return {
      {"json", "", "print one JSON object"},
      {"strict", "", "refuse what would be repaired otherwise"},
      {"verbose", "", "list every finding, also alike ones, and all paths at which a mesh was looked for"},
      {"mesh-root", "DIR", "URDF: search meshes here first; may be repeated", true},
      {"no-meshes", "", "URDF: leave mesh files unread"},
      {"derive-collision", "", "URDF: a link without collision shape gets one from its visual or its bones"},
      {"inertia", "POLICY", "URDF: lenient (mend and say so, default), geometry (missing ones from the shapes at 1000 kg/m^3), error"},
      {"unit", "METRES", "BVH: metres per unit of the file; guessed from the figure's height otherwise"},
      {"up", "AXIS", "BVH: which axis of the file points up, x, y or z; guessed otherwise"},
      {"root", "N", "BVH: which root joint the figure is made from, counted from 0 (default 0)"},
  };
}

std::vector<Option> baseOptions() {
  return {
      {"base", "BASE", "fixed or floating; by default floating unless the file fixes its root (a link named 'world')"},
      {"no-mimic", "", "mimic joints get coordinates of their own"},
  };
}

vtb_stepper stepperOf(const Arguments& arguments, vtb_stepper fallback) {
  constexpr vtb_stepper kSteppers[] = {VTB_STEPPER_IMPULSE, VTB_STEPPER_VARIATIONAL, VTB_STEPPER_ODE, VTB_STEPPER_SPOOK,
                                       VTB_STEPPER_DISPLACEMENT};
  const int chosen = arguments.choice("stepper", {"impulse", "variational", "ode", "spook", "displacement"}, -1);
  return chosen < 0 ? fallback : kSteppers[chosen];
}

bool isBvh(const std::string& path) {
  checkReadable(path);
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) {
    std::string head(4096, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    if (head.starts_with("\xEF\xBB\xBF")) head.erase(0, 3);
    head.erase(0, std::min(head.find_first_not_of(" \t\r\n"), head.size()));
    if (head.starts_with('<')) return false;
    const std::string keyword = "HIERARCHY";
    if (head.size() >= keyword.size() &&
        std::equal(keyword.begin(), keyword.end(), head.begin(), [](char a, char b) { return a == (b & ~0x20); }))
      return true;
  }
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  if (extension == ".bvh") return true;
  if (extension == ".urdf" || extension == ".xml" || extension == ".xacro") return false;
  throw Failure(path + " is neither a URDF (XML with a <robot>) nor a BVH (text that starts with HIERARCHY)");
}

Motion loadMotion(const std::string& path, const Arguments& arguments, std::vector<Diagnostic>& diagnostics) {
  checkReadable(path);
  auto def = defaults(vtb_bvh_def_init);
  if (arguments.has("strict")) def.flags |= VTB_LOAD_FLAG_STRICT;
  def.unit = arguments.positive("unit", def.unit);
  def.up_axis = static_cast<vtb_up_axis>(arguments.choice("up", {"x", "y", "z"}, def.up_axis));
  vtb_diagnostics* list = nullptr;
  vtb_motion* motion = nullptr;
  const vtb_status status = vtb_motion_load_bvh(path.c_str(), &def, &list, &motion);
  append(diagnostics, take(list));
  checkLoad(status, path, diagnostics);
  return Motion(motion);
}

Model loadModel(const std::string& path, const Arguments& arguments) {
  Model model;
  if (!isBvh(path)) {
    model.skeleton = loadUrdf(path, arguments, model.diagnostics);
    return model;
  }
  model.motion = loadMotion(path, arguments, model.diagnostics);
  auto def = defaults(vtb_motion_figure_def_init);
  def.root = static_cast<int32_t>(arguments.integer("root", def.root, 0, 1000000));
  vtb_diagnostics* list = nullptr;
  vtb_skeleton* skeleton = nullptr;
  const vtb_status status = vtb_skeleton_from_motion(model.motion.get(), &def, &list, &skeleton);
  append(model.diagnostics, take(list));
  checkLoad(status, path, model.diagnostics);
  model.skeleton.reset(skeleton);
  return model;
}

vtb_base baseOf(const Arguments& arguments) {
  return static_cast<vtb_base>(arguments.choice("base", {"default", "fixed", "floating"}, VTB_BASE_DEFAULT));
}

bool floats(const Model& model, const Arguments& arguments) {
  const vtb_base base = baseOf(arguments);
  return base == VTB_BASE_DEFAULT ? infoOf(model.skeleton.get()).floating_by_default != 0 : base == VTB_BASE_FLOATING;
}

Coordinates coordinatesOf(const Model& model, const Arguments& arguments) {
  Coordinates result;
  vtb_workspace* workspace = nullptr;
  const uint32_t flags = arguments.has("no-mimic") ? VTB_MODEL_FLAG_NO_MIMIC : 0;
  check(vtb_workspace_create(model.skeleton.get(), baseOf(arguments), flags, &workspace), "preparing the figure's coordinates");
  result.workspace.reset(workspace);
  int32_t nq = 0, nv = 0;
  check(vtb_workspace_get_size(workspace, &nq, &nv), "reading the number of coordinates");
  for (int32_t i = 0; i < nq; ++i)
    result.q.push_back(textOf([&](char* b, size_t s, size_t* n) { return vtb_workspace_get_q_name(workspace, i, b, s, n); }));
  for (int32_t i = 0; i < nv; ++i)
    result.v.push_back(textOf([&](char* b, size_t s, size_t* n) { return vtb_workspace_get_v_name(workspace, i, b, s, n); }));
  return result;
}

std::vector<double> neutral(const Coordinates& coordinates) {
  std::vector<double> q(coordinates.q.size());
  check(vtb_workspace_neutral(coordinates.workspace.get(), at(q)), "reading the neutral pose");
  return q;
}

std::vector<double> namedNumbers(const Arguments& arguments, const std::string& option, const std::vector<std::string>& names,
                                 std::vector<double> fallback) {
  if (!arguments.has(option)) return fallback;
  const std::string given = arguments.text(option);
  if (given.empty() && names.empty()) return {};
  if (given.find('=') == std::string::npos) return arguments.numbers(option, names.size());
  std::set<std::size_t> seen;
  for (const std::string_view part : split(given, ',')) {
    const std::size_t equals = part.rfind('=');
    const std::string name(part.substr(0, equals));
    if (equals == std::string_view::npos) throw UsageError("--" + option + ": '" + name + "' has no name; write name=value");
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      std::string known;
      for (const std::string& each : names) known += " " + each;
      throw UsageError("--" + option + ": '" + name + "' is not one of" + known);
    }
    const std::size_t index = static_cast<std::size_t>(found - names.begin());
    if (!seen.insert(index).second) throw UsageError("--" + option + ": " + name + " is given twice");
    if (!parseNumber(part.substr(equals + 1), fallback[index]))
      throw UsageError("--" + option + ": '" + std::string(part.substr(equals + 1)) + "' is not a number");
  }
  return fallback;
}

vtb_motion_info infoOf(const vtb_motion* motion) {
  auto info = sized<vtb_motion_info>();
  check(vtb_motion_get_info(motion, &info), "reading the motion");
  return info;
}

vtb_skeleton_info infoOf(const vtb_skeleton* skeleton) {
  auto info = sized<vtb_skeleton_info>();
  check(vtb_skeleton_get_info(skeleton, &info), "reading the skeleton");
  return info;
}

std::string nameOf(const vtb_skeleton* skeleton) {
  return textOf([&](char* b, size_t s, size_t* n) { return vtb_skeleton_get_name(skeleton, b, s, n); });
}

vtb_link_info linkOf(const vtb_skeleton* skeleton, int link) {
  auto info = sized<vtb_link_info>();
  check(vtb_skeleton_get_link(skeleton, link, &info), "reading a link");
  return info;
}

vtb_joint_info jointOf(const vtb_skeleton* skeleton, int joint) {
  auto info = sized<vtb_joint_info>();
  check(vtb_skeleton_get_joint(skeleton, joint, &info), "reading a joint");
  return info;
}

void saveTrajectory(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton, const std::string& path) {
  const auto status = path.ends_with(".npz")    ? vtb_trajectory_save_npz(trajectory, skeleton, path.c_str())
                      : path.ends_with(".json") ? vtb_trajectory_save_json(trajectory, path.c_str())
                                                : vtb_trajectory_save_csv(trajectory, path.c_str());
  check(status, "writing " + path);
}

}  // namespace vertebra::cli
