// See render_source.hpp.
#include "cli/render_source.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "cli/retarget.hpp"
#include "cli/simulation.hpp"

namespace vertebra::cli {

namespace {
constexpr double kSceneEnd = 5;  // s
}  // namespace

Source::Source(const std::string& path, const Arguments& arguments) {
  if (arguments.has("figure") && (isScene(path) || !isBvh(path))) throw UsageError("--figure needs a motion (BVH); " + path + " is none");
  if (arguments.has("source") && !arguments.has("motion"))
    throw UsageError("--source is the motion that the trajectory of --motion came from");
  if (arguments.has("drop") && (isScene(path) || isBvh(path) || arguments.has("motion")))
    throw UsageError("--drop needs a robot alone (URDF), which falls by physics");
  if (arguments.has("figure"))
    openTracked(path, arguments);
  else if (isScene(path))
    openScene(path, arguments);
  else
    openFigure(path, arguments);
}

void Source::openScene(const std::string& path, const Arguments& arguments) {
  if (arguments.has("motion")) throw UsageError("--motion does not apply to scene files");
  std::vector<Diagnostic> diagnostics;
  scene_ = loadScene(path, diagnostics);
  printDiagnostics(diagnostics, arguments);
  restart();
  auto settings = sized<vtb_world_def>();
  check(vtb_world_get_settings(world_.get(), &settings), "reading the settings");
  step_ = settings.time_step;
  end_ = kSceneEnd;
}

namespace {

// Its links become NAME/LINK, by which a script and the report of a viewer name them.
void nameFigure(vtb_world* world, vtb_figure figure, const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isspace(c) || c == '/'; }, '_');
  if (!name.empty()) check(vtb_world_set_name(world, VTB_NAMED_FIGURE, figure.bits, name.c_str()), "naming the figure");
}

}  // namespace

void Source::openTrajectory(const std::string& path, const Arguments& arguments) {
  vtb_diagnostics* list = nullptr;
  vtb_trajectory* made = nullptr;
  const vtb_status status = vtb_trajectory_load_csv(path.c_str(), &list, &made);
  const std::vector<Diagnostic> found = take(list);
  if (status != VTB_OK) throw LoadFailure(path + ": " + vtb_last_error(), found);
  trajectory_.reset(made);
  printDiagnostics(found, arguments);
  auto info = sized<vtb_trajectory_info>();
  check(vtb_trajectory_get_info(made, &info), "reading the trajectory");
  size_t total = 0;  // refuses a trajectory of another figure
  std::vector<double> v(static_cast<std::size_t>(info.nq));
  check(vtb_trajectory_get_velocities(made, model_.skeleton.get(), 0, at(v), v.size(), &total), path);
  frames_ = info.frames;
  frameTime_ = info.frame_time;
  end_ = (frames_ - 1) * frameTime_;
}

void Source::openFigure(const std::string& path, const Arguments& arguments) {
  model_ = loadModel(path, arguments);
  printDiagnostics(model_.diagnostics, arguments);
  auto def = defaults(vtb_figure_def_init);
  def.skeleton = model_.skeleton.get();
  def.base = baseOf(arguments);
  if (arguments.has("motion")) {
    if (model_.motion) throw UsageError("--motion needs a robot (URDF); " + path + " has its own");
    openTrajectory(arguments.text("motion"), arguments);
    def.base = VTB_BASE_FLOATING;
  } else if (model_.motion) {
    const vtb_motion_info info = infoOf(model_.motion.get());
    end_ = std::max(0, info.frames - 1) * info.frame_time;
  }
  floating_ = def.base == VTB_BASE_DEFAULT ? infoOf(model_.skeleton.get()).floating_by_default != 0 : def.base == VTB_BASE_FLOATING;
  vtb_workspace* workspace = nullptr;
  check(vtb_workspace_create(model_.skeleton.get(), def.base, 0, &workspace), "preparing the figure's coordinates");
  coordinates_.workspace.reset(workspace);
  int32_t nq = 0, nv = 0;
  check(vtb_workspace_get_size(workspace, &nq, &nv), "reading the number of coordinates");
  q_.resize(static_cast<std::size_t>(nq));
  v_.resize(static_cast<std::size_t>(nv));
  if (arguments.has("drop")) {
    figurePath_ = path;
    base_ = def.base;
    height_ = arguments.number("drop", 0);
    end_ = kSceneEnd;
    drops_ = true;
    drop();
    return;
  }
  const auto settings = defaults(vtb_world_def_init);
  vtb_world* world = nullptr;
  check(vtb_world_create(&settings, &world), "making the world");
  world_.reset(world);
  check(vtb_figure_create(world, &def, &figure_), "putting the figure into the world");
  nameFigure(world, figure_, path);
  if (!arguments.has("source")) return;
  std::vector<Diagnostic> diagnostics;
  Motion source = loadMotion(arguments.text("source"), arguments, diagnostics);
  printDiagnostics(diagnostics, arguments);
  beside_ = std::move(source);
  companion_ = std::make_unique<Companion>(world, beside_.get(), figure_);
}

void Source::openTracked(const std::string& path, const Arguments& arguments) {
  if (arguments.has("motion")) throw UsageError("--figure and --motion do not go together");
  figurePath_ = arguments.text("figure");
  model_ = loadModel(figurePath_, arguments);
  std::vector<Diagnostic> diagnostics = model_.diagnostics;
  Motion source = loadMotion(path, arguments, diagnostics);
  printDiagnostics(diagnostics, arguments);
  Retargeted made = retargetClip(source, model_, defaults(vtb_retarget_def_init));
  trajectory_ = std::move(made.trajectory);
  auto info = sized<vtb_trajectory_info>();
  check(vtb_trajectory_get_info(trajectory_.get(), &info), "reading the trajectory");
  end_ = (info.frames - 1) * info.frame_time;
  frames_ = info.frames;
  q_.resize(static_cast<std::size_t>(info.nq));
  tracks_ = true;
  beside_ = std::move(source);
  track();
}

vtb_world* Source::makeGroundedWorld() {
  const auto settings = defaults(vtb_world_def_init);
  step_ = settings.time_step;
  vtb_world* world = nullptr;
  check(vtb_world_create(&settings, &world), "making the world");
  world_.reset(world);
  check(vtb_make_ground(world, 0.8, nullptr), "making the ground");
  return world;
}

void Source::track() {
  companion_.reset();
  vtb_world* const world = makeGroundedWorld();
  auto def = defaults(vtb_figure_def_init);
  def.skeleton = model_.skeleton.get();
  def.base = VTB_BASE_FLOATING;
  check(vtb_figure_create(world, &def, &figure_), "putting the figure into the world");
  nameFigure(world, figure_, figurePath_);
  size_t total = 0;
  std::vector<double> v(q_.size());
  check(vtb_trajectory_get_frame(trajectory_.get(), 0, at(q_), q_.size(), &total), "reading the trajectory");
  check(vtb_trajectory_get_velocities(trajectory_.get(), model_.skeleton.get(), 0, at(v), v.size(), &total), "reading the trajectory");
  v.resize(total);
  check(vtb_figure_set_state(world, figure_, at(q_), at(v)), "placing the figure");
  vtb_controller controller{};
  check(vtb_figure_add_animation(world, figure_, nullptr, &controller), "giving the figure its drives");
  auto play = defaults(vtb_play_def_init);
  play.trajectory = trajectory_.get();
  play.blend = 0;
  check(vtb_animation_play(world, controller, &play), "giving the figure its motion");
  check(vtb_figure_add_root_drive(world, figure_, nullptr, &controller), "giving the root its drive");
  companion_ = std::make_unique<Companion>(world, beside_.get(), figure_);
}

void Source::drop() {
  vtb_world* const world = makeGroundedWorld();
  vtb_workspace* workspace = coordinates_.workspace.get();
  check(vtb_workspace_neutral(workspace, at(q_)), "reading the neutral coordinates");
  std::vector<double> poses(7 * static_cast<std::size_t>(infoOf(model_.skeleton.get()).links));
  size_t total = 0;
  check(vtb_dynamics_poses(workspace, at(q_), at(poses), poses.size() / 7, 0, &total), "kinematics of the first state");
  const double lift = height_ - lowestPoint(model_.skeleton.get(), poses);
  auto def = defaults(vtb_figure_def_init);
  def.skeleton = model_.skeleton.get();
  def.base = base_;
  if (!floating_) def.pose[2] = lift;
  check(vtb_figure_create(world, &def, &figure_), "putting the figure into the world");
  nameFigure(world, figure_, figurePath_);
  if (floating_) q_[2] += lift;
  check(vtb_figure_set_state(world, figure_, at(q_), nullptr), "placing the figure");
}

void Source::makeGround() {
  if (simulated() || grounded_) return;
  check(vtb_make_ground(world_.get(), 0.8, nullptr), "making the ground");
  grounded_ = true;
}

void Source::accompany(double time) {
  if (companion_) companion_->goTo(time);
}

bool Source::stand(double lowest) {
  if (moves() || !floating_ || lowest == 0) return false;
  size_t total = 0;
  check(vtb_figure_get_q(world_.get(), figure_, at(q_), q_.size(), &total), "reading the coordinates");
  q_[2] -= lowest;
  check(vtb_figure_set_state(world_.get(), figure_, at(q_), nullptr), "placing the figure");
  return true;
}

void Source::restart() {
  if (scene_) world_ = worldOf(scene_.get(), nullptr);
  if (tracks_) track();
  if (drops_) drop();
}

void Source::sample(double time) {
  const double share = std::clamp(time / frameTime_, 0.0, static_cast<double>(frames_ - 1));
  const int first = std::min(static_cast<int>(share), std::max(0, frames_ - 2)), second = std::min(first + 1, frames_ - 1);
  std::vector<double> a(q_.size()), b(q_.size());
  size_t total = 0;
  check(vtb_trajectory_get_frame(trajectory_.get(), first, at(a), a.size(), &total), "reading the trajectory");
  check(vtb_trajectory_get_frame(trajectory_.get(), second, at(b), b.size(), &total), "reading the trajectory");
  vtb_workspace* workspace = coordinates_.workspace.get();
  check(vtb_workspace_difference(workspace, at(a), at(b), at(v_)), "between frames");
  check(vtb_workspace_integrate(workspace, at(a), at(v_), share - first, at(q_)), "between frames");
}

void Source::goTo(double time) {
  if (simulated()) {
    for (double now = 0; check(vtb_world_get_time(world_.get(), &now), "reading the time"), now + 0.5 * step_ < time;) {
      const vtb_status status = vtb_world_step(world_.get(), 1);
      if (status != VTB_E_UNSOLVED && status != VTB_E_INFEASIBLE) check(status, "simulating");
    }
    accompany(time);
    return;
  }
  if (!moves()) return;
  if (trajectory_)
    sample(time);
  else
    check(vtb_workspace_from_motion(coordinates_.workspace.get(), model_.motion.get(), time, at(q_), at(v_), nullptr),
          "sampling the motion");
  check(vtb_figure_set_state(world_.get(), figure_, at(q_), nullptr), "placing the figure");
  accompany(time);
}

std::vector<Option> sourceOptions() {
  return {{"motion", "F.csv", "the robot's trajectory, as vertebra retarget writes it"},
          {"source", "CLIP.bvh", "with --motion: the motion that it came from, beside the robot"},
          {"drop", "HEIGHT", "a robot falls by physics, its lowest point from this height above the ground, m"},
          {"figure", "ROBOT.urdf",
           "of a motion: this figure follows it in simulation, by drives of its joints, held at its root; the motion stands beside it"}};
}

}  // namespace vertebra::cli
