// vertebra render: a picture or a film strip of a robot, a motion, a robot with its trajectory, or a simulated scene, without a display.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/output.hpp"
#include "cli/retarget.hpp"
#include "cli/scene.hpp"
#include "cli/verbs.hpp"
#include "cli/view_library.hpp"

namespace vertebra::cli {

namespace {

constexpr double kFov = 0.5, kMargin = 1.06;
constexpr long kLargestPicture = 8192;
using Scene = std::unique_ptr<vtb_scene, Release<vtb_scene_release>>;

struct ViewRelease {
  void operator()(vtb_view* view) const { viewLibrary().destroy(view); }
  void operator()(vtb_strip* strip) const { viewLibrary().stripDestroy(strip); }
};
using View = std::unique_ptr<vtb_view, ViewRelease>;
using Strip = std::unique_ptr<vtb_strip, ViewRelease>;

// What is drawn: a world that is brought to times one after another.
class Source {
 public:
  Source(const std::string& path, const Arguments& arguments) : scenic_(isScene(path)) {
    if (scenic_)
      openScene(path, arguments);
    else
      openFigure(path, arguments);
  }
  const vtb_world* world() const { return world_.get(); }
  double end() const { return end_; }       // s, last time; of a scene 5
  bool bvh() const { return static_cast<bool>(model_.motion); }
  vtb_scene* scene() const { return scene_.get(); }

  // A still robot whose root is free: the lowest of what is shown comes to height 0. False for everything else.
  bool stand(double lowest) {
    if (scenic_ || trajectory_ || model_.motion || !floating_ || lowest == 0) return false;
    size_t total = 0;
    check(vtb_figure_get_q(world_.get(), figure_, at(q_), q_.size(), &total), "reading the coordinates");
    q_[2] -= lowest;
    check(vtb_figure_set_state(world_.get(), figure_, at(q_), nullptr), "placing the figure");
    return true;
  }

  void goTo(double time) {
    if (scenic_) {
      for (double now = 0; check(vtb_world_get_time(world_.get(), &now), "reading the time"), now + 0.5 * step_ < time;)
        if (const vtb_status status = vtb_world_step(world_.get(), 1); status != VTB_E_UNSOLVED && status != VTB_E_INFEASIBLE)
          check(status, "simulating");
      return;
    }
    if (!trajectory_ && !model_.motion) return;
    std::vector<double> v(coordinates_.v.size());
    if (trajectory_) {
      const double at = std::clamp(time / frameTime_, 0.0, static_cast<double>(frames_ - 1));
      const int first = std::min(static_cast<int>(at), std::max(0, frames_ - 2)), second = std::min(first + 1, frames_ - 1);
      std::vector<double> a(q_.size()), b(q_.size());
      size_t total = 0;
      check(vtb_trajectory_get_frame(trajectory_.get(), first, at_(a), a.size(), &total), "reading the trajectory");
      check(vtb_trajectory_get_frame(trajectory_.get(), second, at_(b), b.size(), &total), "reading the trajectory");
      check(vtb_workspace_difference(coordinates_.workspace.get(), at_(a), at_(b), at_(v)), "between frames");
      check(vtb_workspace_integrate(coordinates_.workspace.get(), at_(a), at_(v), at - first, at_(q_)), "between frames");
    } else {
      check(vtb_workspace_from_motion(coordinates_.workspace.get(), model_.motion.get(), time, at_(q_), at_(v), nullptr), "sampling the motion");
    }
    check(vtb_figure_set_state(world_.get(), figure_, at_(q_), nullptr), "placing the figure");
  }

 private:
  static double* at_(std::vector<double>& values) { return at(values); }
  void openScene(const std::string& path, const Arguments& arguments) {
    if (arguments.has("motion")) throw UsageError("--motion does not apply to scene files");
    vtb_diagnostics* list = nullptr;
    vtb_scene* scene = nullptr;
    const vtb_status status = vtb_scene_load(path.c_str(), &list, &scene);
    const std::vector<Diagnostic> found = take(list);
    if (status != VTB_OK) throw LoadFailure(path + ": " + vtb_last_error(), found);
    scene_.reset(scene);
    printDiagnostics(found, arguments);
    vtb_world* world = nullptr;
    check(vtb_scene_create_world(scene, nullptr, &world), "making the scene's world");
    world_.reset(world);
    auto settings = sized<vtb_world_def>();
    check(vtb_world_get_settings(world, &settings), "reading the settings");
    step_ = settings.time_step;
    end_ = 5;
  }
  void openFigure(const std::string& path, const Arguments& arguments) {
    model_ = loadModel(path, arguments);
    printDiagnostics(model_.diagnostics, arguments);
    auto def = defaults(vtb_figure_def_init);
    def.skeleton = model_.skeleton.get();
    def.base = baseOf(arguments);
    if (arguments.has("motion")) {
      if (model_.motion) throw UsageError("--motion needs a robot (URDF); " + path + " has its own");
      vtb_diagnostics* list = nullptr;
      vtb_trajectory* made = nullptr;
      const std::string csv = arguments.text("motion");
      const vtb_status status = vtb_trajectory_load_csv(csv.c_str(), &list, &made);
      const std::vector<Diagnostic> found = take(list);
      if (status != VTB_OK) throw LoadFailure(csv + ": " + vtb_last_error(), found);
      trajectory_.reset(made);
      auto info = sized<vtb_trajectory_info>();
      check(vtb_trajectory_get_info(made, &info), "reading the trajectory");
      size_t total = 0;  // refuses a trajectory of another figure
      std::vector<double> v(static_cast<std::size_t>(info.nq));
      check(vtb_trajectory_get_velocities(made, model_.skeleton.get(), 0, at(v), v.size(), &total), csv);
      frames_ = info.frames;
      frameTime_ = info.frame_time;
      end_ = (frames_ - 1) * frameTime_;
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
    coordinates_.v.resize(static_cast<std::size_t>(nv));
    auto settings = defaults(vtb_world_def_init);
    vtb_world* world = nullptr;
    check(vtb_world_create(&settings, &world), "making the world");
    world_.reset(world);
    check(vtb_figure_create(world, &def, &figure_), "putting the figure into the world");
  }

  bool scenic_, floating_ = false;
  Scene scene_;
  Model model_;
  Trajectory trajectory_;
  Coordinates coordinates_;
  World world_;
  vtb_figure figure_{};
  std::vector<double> q_;
  int frames_ = 0;
  double frameTime_ = 1, step_ = 0, end_ = 0;
};

// From a target to the eye, m; the front of robots is +x, of motions -y.
void directionOf(const std::string& name, bool bvh, double* d) {
  static constexpr struct {
    const char* name;
    double robot[3];
  } kViews[] = {{"corner", {1, -0.7, 0.42}}, {"front", {1, 0, 0.12}}, {"side", {0, -1, 0.12}}, {"top", {0, 0, 1}}};
  for (const auto& view : kViews)
    if (name == view.name) {
      d[0] = bvh ? view.robot[1] : view.robot[0];
      d[1] = bvh ? -view.robot[0] : view.robot[1];
      d[2] = view.robot[2];
      return;
    }
  throw UsageError("--camera: '" + name + "' is not one of corner, front, side, top, nor x,y,z:tx,ty,tz");
}

// A level line of sight leaves up +z; from above, x points right.
vtb_camera cameraFrom(const double* eye, const double* target, double fov) {
  auto camera = sized<vtb_camera>();
  std::copy_n(eye, 3, camera.position);
  std::copy_n(target, 3, camera.target);
  const bool above = std::hypot(eye[0] - target[0], eye[1] - target[1]) < 1e-3 * std::fabs(eye[2] - target[2]);
  camera.up[above ? 1 : 2] = 1;
  camera.fov = fov;
  return camera;
}

struct Size {
  int width = 1280, height = 720;
};
Size sizeOf(const Arguments& arguments, Size size) {
  if (!arguments.has("size")) return size;
  const std::string given = arguments.text("size");
  char rest = 0;
  if (std::sscanf(given.c_str(), "%dx%d%c", &size.width, &size.height, &rest) != 2 || size.width < 1 || size.height < 1 ||
      size.width > kLargestPicture || size.height > kLargestPicture)
    throw UsageError("--size: '" + given + "' is not WIDTHxHEIGHT with 1 to 8192 pixels each");
  return size;
}

int run(const Arguments& arguments) {
  const std::string out = arguments.text("out");
  if (!out.ends_with(".png")) throw UsageError("-o OUT.png is needed");
  const long pictures = arguments.integer("strip", 1, 1, 200);
  const Size size = sizeOf(arguments, pictures > 1 ? Size{480, 360} : Size{});
  double eye[3] = {}, target[3] = {}, direction[3] = {};
  const std::string camera = arguments.text("camera", "corner");
  const bool placed = camera.find(':') != std::string::npos;
  if (placed) {
    char rest = 0;
    if (std::sscanf(camera.c_str(), "%lf,%lf,%lf:%lf,%lf,%lf%c", eye, eye + 1, eye + 2, target, target + 1, target + 2, &rest) != 6)
      throw UsageError("--camera: '" + camera + "' is not x,y,z:tx,ty,tz");
  } else {
    directionOf(camera, false, direction);
  }
  const ViewLibrary& library = viewLibrary();
  Source source(arguments.operand(0), arguments);
  if (!placed) directionOf(camera, source.bvh(), direction);
  double from = 0, to = pictures > 1 ? source.end() : 0;
  if (arguments.has("time")) {
    const auto parts = split(arguments.text("time"), ':');
    if (parts.size() > 2 || !parseNumber(parts[0], from) || (to = from, parts.size() == 2 && !parseNumber(parts[1], to)) || from < 0 || to < from)
      throw UsageError("--time: '" + arguments.text("time") + "' is not a time or a:b with 0 <= a <= b, in s");
  }

  vtb_view_def def;
  library.check(library.defInit(&def, sizeof def));
  def.width = size.width;
  def.height = size.height;
  vtb_view* made = nullptr;
  library.check(library.create(&def, &made));
  const View view(made);
  Strip strip;
  if (pictures > 1) {
    const int columns = static_cast<int>(std::min(pictures, std::max(4L, std::lround(std::ceil(std::sqrt(2.0 * static_cast<double>(pictures)))))));
    vtb_strip* raw = nullptr;
    library.check(library.stripCreate(size.width, size.height, columns, &raw));
    strip.reset(raw);
  }
  std::vector<std::uint8_t> pixels(std::size_t{3} * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
  Progress progress("drawing");
  for (long i = 0; i < pictures; i++) {
    const double time = pictures > 1 ? from + (to - from) * static_cast<double>(i) / static_cast<double>(pictures - 1) : from;
    source.goTo(time);
    library.check(library.push(view.get(), source.world()));
    double lower[3], upper[3];
    if (i == 0 && library.getBox(view.get(), lower, upper) == VTB_OK && source.stand(lower[2]))
      library.check(library.push(view.get(), source.world()));
    auto seen = sized<vtb_camera>();
    if (placed) {
      seen = cameraFrom(eye, target, kFov);
    } else if (arguments.has("camera") || !source.scene() || vtb_scene_get_camera(source.scene(), 0, &seen) != VTB_OK) {
      double distance = 0, length = std::hypot(direction[0], direction[1], direction[2]);
      library.check(library.getBox(view.get(), lower, upper));
      for (int k = 0; k < 3; k++) target[k] = 0.5 * (lower[k] + upper[k]);
      library.check(library.getDistance(view.get(), target, direction, kFov, &distance));
      for (int k = 0; k < 3; k++) eye[k] = target[k] + kMargin * distance * direction[k] / length;
      seen = cameraFrom(eye, target, kFov);
    }
    library.check(library.setCamera(view.get(), &seen));
    library.check(library.draw(view.get(), pixels.data(), pixels.size()));
    char caption[32];
    std::snprintf(caption, sizeof caption, "%d.%02d s", static_cast<int>(time), static_cast<int>(100 * time + 0.5) % 100);
    if (strip) library.check(library.stripAdd(strip.get(), pixels.data(), caption, ""));
    progress.update(static_cast<double>(i + 1) / static_cast<double>(pictures));
  }
  library.check(strip ? library.stripWrite(strip.get(), out.c_str()) : library.writePng(out.c_str(), pixels.data(), size.width, size.height));
  print(out + ": written\n");
  return 0;
}

}  // namespace

Verb renderVerb() {
  Syntax syntax;
  syntax.verb = "render";
  syntax.operands = "FILE";
  syntax.operandCount = 1;
  syntax.summary = "Draws a robot (URDF), a motion (BVH), a robot with its trajectory, or a simulated scene as a PNG, without a display.";
  syntax.options = {
      {"out", "OUT.png", "the picture", false, 'o'},
      {"size", "WxH", "pixels (default 1280x720; of each picture of a strip 480x360)"},
      {"time", "A[:B]", "s: time of the picture, or first and last of a strip (default: all of a motion, 5 s of a scene)"},
      {"strip", "N", "so many pictures, evenly over the time, in one file"},
      {"camera", "VIEW", "corner (default), front, side, top, or x,y,z:tx,ty,tz; of a scene its own first one by default"},
      {"motion", "F.csv", "the robot's trajectory, as vertebra retarget writes it"},
  };
  for (Option& option : loadOptions())
    if (option.name != "json") syntax.options.push_back(std::move(option));
  syntax.options.push_back(baseOptions().front());
  return {syntax, run};
}

}  // namespace vertebra::cli
