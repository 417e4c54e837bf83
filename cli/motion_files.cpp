// See motion_files.hpp.
#include "cli/motion_files.hpp"

#include <cmath>
#include <filesystem>

namespace vertebra::cli {

namespace {

using Markers = std::unique_ptr<vtb_markers, Release<vtb_markers_release>>;

std::string extensionOf(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return extension;
}

void take(vtb_diagnostics* list, vtb_status status, const std::string& doing, std::vector<Diagnostic>& diagnostics) {
  const std::string error = status == VTB_OK ? "" : std::string(vtb_last_error()) + " [" + vtb_status_name(status) + "]";
  for (Diagnostic& d : vertebra::cli::take(list)) diagnostics.push_back(std::move(d));
  if (status != VTB_OK) throw LoadFailure(doing + ": " + error, diagnostics);
}

Motion readMarkers(const std::string& path, bool fill, const Arguments& arguments, std::vector<Diagnostic>& diagnostics) {
  constexpr vtb_up_axis kUp[] = {VTB_UP_AXIS_Y, VTB_UP_AXIS_Z};
  const int up = arguments.choice("up", {"y", "z"}, -1);
  vtb_diagnostics* list = nullptr;
  vtb_markers* read = nullptr;
  const vtb_status loaded = vtb_markers_load_trc(path.c_str(), up < 0 ? VTB_UP_AXIS_GUESS : kUp[up], &list, &read);
  const Markers markers(read);
  take(list, loaded, "reading " + path, diagnostics);
  list = nullptr;
  vtb_motion* made = nullptr;
  const vtb_status status = vtb_motion_from_markers(read, fill ? 1 : 0, &list, &made);
  const std::string hint = status == VTB_E_UNSUPPORTED && !fill ? " (--fill fills gaps)" : "";
  take(list, status, "reading " + path + hint, diagnostics);
  return Motion(made);
}

Motion readTrajectory(const std::string& path, const vtb_skeleton* figure, std::vector<Diagnostic>& diagnostics) {
  if (!figure) throw UsageError(path + " holds coordinates of a figure: give it by --figure");
  vtb_diagnostics* list = nullptr;
  vtb_trajectory* read = nullptr;
  const vtb_status loaded = vtb_trajectory_load_csv(path.c_str(), &list, &read);
  const Trajectory trajectory(read);
  take(list, loaded, "reading " + path, diagnostics);
  vtb_motion* made = nullptr;
  check(vtb_motion_from_trajectory(read, figure, &made), "making a clip of " + path);
  return Motion(made);
}

// A clip made of coordinates stands in metres; what a reader of the file would guess otherwise is told.
void tellGuess(const std::string& path, const vtb_motion* motion, std::vector<Diagnostic>& diagnostics) {
  const vtb_motion_info info = infoOf(motion);
  vtb_motion* again = nullptr;
  check(vtb_motion_load_bvh(path.c_str(), nullptr, nullptr, &again), "reading " + path + " again");
  const Motion read(again);
  const vtb_motion_info guessed = infoOf(again);
  double same = 0;
  for (int k = 0; k < 4; ++k) same += info.turn[k] * guessed.turn[k];
  if (std::fabs(guessed.unit - info.unit) < 1e-9 * info.unit && std::fabs(same) > 1 - 1e-9) return;
  const bool zUp = std::fabs(info.turn[3]) > 0.99 || std::fabs(info.turn[0]) > 0.99;
  diagnostics.push_back({VTB_SEVERITY_WARNING, 0, "motion.guess", path, "",
                         std::string("the file is in metres with ") + (zUp ? "z" : "y") +
                             " up, which cannot be told from it: read it with --unit 1 --up " + (zUp ? "z" : "y")});
}

}  // namespace

MotionForm motionFormOf(const std::string& path) {
  const std::string extension = extensionOf(path);
  if (extension == ".trc") return MotionForm::Markers;
  if (extension == ".csv") return MotionForm::Trajectory;
  if (!isBvh(path)) throw Failure(path + " is not a BVH, TRC or CSV");
  return MotionForm::Clip;
}

Motion readMotion(const std::string& path, const vtb_skeleton* figure, bool fill, const Arguments& arguments,
                  std::vector<Diagnostic>& diagnostics) {
  switch (motionFormOf(path)) {
    case MotionForm::Markers:
      return readMarkers(path, fill, arguments, diagnostics);
    case MotionForm::Trajectory:
      return readTrajectory(path, figure, diagnostics);
    case MotionForm::Clip:
      break;
  }
  return loadMotion(path, arguments, diagnostics);
}

Trajectory trajectoryOf(const vtb_motion* motion, const vtb_skeleton* figure, Skeleton& made, std::vector<Diagnostic>& diagnostics) {
  if (!figure) {
    vtb_diagnostics* list = nullptr;
    vtb_skeleton* skeleton = nullptr;
    const vtb_status status = vtb_skeleton_from_motion(motion, nullptr, &list, &skeleton);
    take(list, status, "making a figure of the motion", diagnostics);
    made.reset(skeleton);
    figure = skeleton;
  }
  vtb_trajectory* trajectory = nullptr;
  int32_t found = 0;
  check(vtb_trajectory_from_motion(motion, figure, &found, &trajectory), "taking the figure's coordinates from the motion");
  int moving = 0;
  for (int j = 0; j < infoOf(figure).joints; ++j) {
    const vtb_joint_info joint = jointOf(figure, j);
    moving += !joint.loop && joint.axes > 0;
  }
  if (found < moving)
    diagnostics.push_back({VTB_SEVERITY_WARNING, 0, "motion.joints", "", "",
                           std::to_string(moving - found) + " of " + std::to_string(moving) +
                               " moving joints of the figure have no joint of their name in the motion, and stay at zero"});
  return Trajectory(trajectory);
}

void checkMotionName(const std::string& path) {
  const std::string extension = extensionOf(path);
  for (const char* known : {".bvh", ".trc", ".csv", ".json", ".npz"})
    if (extension == known) return;
  throw UsageError("--out " + path + ": the name must end in .bvh, .trc, .csv, .json or .npz");
}

void writeMotion(const std::string& path, const vtb_motion* motion, MotionForm from, const vtb_skeleton* figure,
                 std::vector<Diagnostic>& diagnostics) {
  const std::string extension = extensionOf(path);
  if (extension == ".trc") {
    vtb_markers* made = nullptr;
    check(vtb_markers_from_motion(motion, nullptr, nullptr, nullptr, &made), "making markers");
    const Markers markers(made);
    return check(vtb_markers_save_trc(made, path.c_str()), "writing " + path);
  }
  if (from == MotionForm::Markers)
    throw Failure("writing " + path + ": markers are points, and " + extension +
                  " holds rotations of joints; fit a figure to them by vertebra markers --figure, or write .trc or a --table");
  if (extension == ".bvh") {
    check(vtb_motion_save_bvh(motion, path.c_str()), "writing " + path);
    if (from == MotionForm::Trajectory) tellGuess(path, motion, diagnostics);
    return;
  }
  Skeleton made;
  const Trajectory trajectory = trajectoryOf(motion, figure, made, diagnostics);
  saveTrajectory(trajectory.get(), figure ? figure : made.get(), path);
}

}  // namespace vertebra::cli
