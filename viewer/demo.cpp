// vertebra_demo: a person made from a walking clip walks under force-limited drives, a ball is thrown at it, and drives that are too far
// from their target go limp; beside it an arm holds its pose under gravity. Writes a film strip and prints a report. The ground is z = 0;
// the clip walks along -y and is seen from -x, so that it walks from left to right.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vertebra/vertebra.h"
#include "viewer/film_strip.hpp"
#include "viewer/offscreen.hpp"
#include "viewer/scene.hpp"

using namespace vertebra::viewer;

namespace {

constexpr double kGravity = 9.81;
constexpr double kStep = 1.0 / 240;  // s
constexpr double kHit = 0.43;        // of the film's duration: the moment the ball arrives
constexpr double kFlight = 0.42;     // s
constexpr double kBallMass = 9, kBallRadius = 0.15;
constexpr double kJointGoesLimp = 0.45;                                        // rad from its target
constexpr double kRootGoesLimp = 0.20;                                         // m from its target
constexpr double kArmY = -1.5;                                                 // m, position of the arm along the walk
constexpr double kShots[] = {0.06, 0.22, 0.385, 0.43, 0.46, 0.50, 0.58, 1.0};  // pictures, of the film's duration
constexpr int kWidth = 620, kHeight = 440, kColumns = 4;

constexpr Colour kWalkerColour{0.87f, 0.55f, 0.28f}, kLimpColour{0.36f, 0.47f, 0.66f}, kBallColour{0.78f, 0.16f, 0.20f};

// Joints whose names contain the word: their drives and ranges. Twist is about the axis of the clip's first rotation channel, which points
// forward in these clips, so that bending knees and hips are swing, arms hanging down are twist.
struct Drive {
  const char* word;
  double stiffness, damping, torque;  // N m/rad, N m s/rad, N m
  double swing, twist;                // rad
};
constexpr Drive kDrives[] = {{"UpLeg", 1200, 60, 260, 1.8, 0.6},  {"Foot", 500, 20, 160, 0.9, 0.4},   {"Toe", 40, 2, 30, 0.9, 0.3},
                             {"Leg", 900, 40, 220, 2.2, 0.2},     {"Spine", 1200, 60, 260, 0.5, 0.4}, {"Chest", 900, 40, 200, 0.5, 0.4},
                             {"Shoulder", 300, 10, 80, 0.5, 0.4}, {"ForeArm", 80, 3, 40, 2.2, 2.2},   {"Hand", 20, 0.5, 10, 1.0, 1.0},
                             {"Arm", 160, 6, 70, 2.2, 1.8},       {"", 80, 3, 30, 0.6, 0.5}};  // the last: neck and head
constexpr double kLimpDamping = 1.5;                                                           // N m s/rad, like that of flesh

const Drive& driveOf(const char* name) {
  const Drive* d = kDrives;
  while (!std::strstr(name, d->word)) d++;
  return *d;
}

void check(vtb_status status) {
  if (status != VTB_OK) throw std::runtime_error(std::string(vtb_status_name(status)) + ": " + vtb_last_error());
}

template <auto release>
struct Release {
  template <typename T>
  void operator()(T* p) const {
    release(p);
  }
};
using World = std::unique_ptr<vtb_world, Release<vtb_world_destroy>>;
using Skeleton = std::unique_ptr<vtb_skeleton, Release<vtb_skeleton_release>>;
using Motion = std::unique_ptr<vtb_motion, Release<vtb_motion_release>>;
using Workspace = std::unique_ptr<vtb_workspace, Release<vtb_workspace_destroy>>;

// A figure with the scratch memory and the arrays of coordinates that its drives need.
struct Driven {
  vtb_figure figure{};
  Skeleton skeleton;
  Workspace workspace;
  int32_t links = 0, joints = 0, nq = 0, nv = 0;
  std::vector<double> target, targetRate, stiffness, damping, torque, q, error;

  void create(vtb_world* world, vtb_base base, const double* position) {
    vtb_figure_def def;
    check(vtb_figure_def_init(&def, sizeof def));
    def.skeleton = skeleton.get();
    def.base = base;
    std::copy_n(position, 3, def.pose);
    check(vtb_figure_create(world, &def, &figure));
    check(vtb_figure_get_size(world, figure, &links, &joints, &nq, &nv));
    vtb_workspace* made = nullptr;
    check(vtb_figure_create_workspace(world, figure, &made));
    workspace.reset(made);
    target.assign(static_cast<std::size_t>(nq), 0);
    q = target;
    targetRate.assign(static_cast<std::size_t>(nv), 0);
    stiffness = damping = torque = error = targetRate;
  }

  void drive(vtb_world* world) {
    check(vtb_figure_set_motors(world, figure, target.data(), targetRate.data(), stiffness.data(), damping.data(), torque.data()));
  }

  void measureError(vtb_world* world) {
    std::size_t total = 0;
    check(vtb_figure_get_q(world, figure, q.data(), q.size(), &total));
    check(vtb_workspace_difference(workspace.get(), q.data(), target.data(), error.data()));
  }

  // Axes of a joint among the velocities; empty for fixed ones.
  std::pair<std::size_t, std::size_t> axes(int32_t joint) const {
    vtb_joint_info info{};
    info.struct_size = sizeof info;
    check(vtb_skeleton_get_joint(skeleton.get(), joint, &info));
    int32_t qIndex = -1, vIndex = -1;
    check(vtb_workspace_get_joint(workspace.get(), joint, &qIndex, &vIndex));
    if (vIndex < 0) return {0, 0};
    return {static_cast<std::size_t>(vIndex), static_cast<std::size_t>(vIndex + info.axes)};
  }

  double norm(std::size_t first, std::size_t last) const {
    double sum = 0;
    for (std::size_t i = first; i < last; i++) sum += error[i] * error[i];
    return std::sqrt(sum);
  }
};

class Walker : public Driven {
 public:
  Walker(vtb_world* world, const std::string& clip) : world_(world) {
    vtb_motion* motion = nullptr;
    check(vtb_motion_load_bvh(clip.c_str(), nullptr, nullptr, &motion));
    motion_.reset(motion);
    vtb_skeleton* made = nullptr;
    check(vtb_skeleton_from_motion(motion, nullptr, nullptr, &made));
    skeleton.reset(made);
    const double origin[3] = {};
    create(world, VTB_BASE_FLOATING, origin);
    follow(0);
    check(vtb_figure_set_state(world, figure, target.data(), targetRate.data()));

    vtb_skeleton_info info{};
    info.struct_size = sizeof info;
    check(vtb_skeleton_get_info(made, &info));
    weight_ = info.mass * kGravity;
    check(vtb_figure_get_body(world, figure, info.root, &root_));
    limp_.assign(static_cast<std::size_t>(joints), false);
    for (int32_t j = 0; j < joints; j++) {
      bound(j);
      setLimp(j, false);
    }
    driveRoot(VTB_MOTOR_MODE_POSITION);
  }

  // Sets the targets of the drives to the clip at a time, and switches them off where the figure is too far from them.
  void control(double time) {
    follow(time);
    measureError(world_);
    if (!fallen_) {
      for (int32_t j = 0; j < joints; j++) {
        const auto [first, last] = axes(j);
        const double off = norm(first, last);
        jointError_ = std::max(jointError_, off);
        if (off > kJointGoesLimp) setLimp(j, true);
        if (off < 0.5 * kJointGoesLimp && limp(j)) setLimp(j, false);
      }
      if (norm(0, 3) > kRootGoesLimp || 3 * limpCount() > joints) {
        fallen_ = true;
        driveRoot(VTB_MOTOR_MODE_OFF);
        for (int32_t j = 0; j < joints; j++) setLimp(j, true);
      }
    }
    check(vtb_joint_set_target(world_, rootDrive_, target.data(), targetRate.data()));
    drive(world_);
  }

  bool limp(int32_t joint) const { return limp_[static_cast<std::size_t>(joint)]; }
  int limpCount() const { return static_cast<int>(std::count(limp_.begin(), limp_.end(), true)); }
  bool letGo() const { return fallen_; }
  double weight() const { return weight_; }
  double takeJointError() { return std::exchange(jointError_, 0); }  // the largest since the last call
  double rootHeight() const { return q[2]; }

  // Pose of a link in the clip at a time.
  void clipPosition(double time, const char* link, double* position) {
    follow(time);
    int32_t index = 0;
    check(vtb_skeleton_find_link(skeleton.get(), link, &index));
    std::vector<double> poses(7 * static_cast<std::size_t>(links));
    std::size_t total = 0;
    check(vtb_dynamics_poses(workspace.get(), target.data(), poses.data(), static_cast<std::size_t>(links), 0, &total));
    std::copy_n(&poses[7 * static_cast<std::size_t>(index)], 3, position);
  }

 private:
  void follow(double time) {
    check(vtb_workspace_from_motion(workspace.get(), motion_.get(), time, target.data(), targetRate.data(), nullptr));
  }

  void bound(int32_t joint) {
    vtb_joint_info info{};
    info.struct_size = sizeof info;
    check(vtb_skeleton_get_joint(skeleton.get(), joint, &info));
    if (info.type != VTB_JOINT_TYPE_SPHERICAL) return;
    vtb_joint handle{};
    check(vtb_figure_get_joint(world_, figure, joint, &handle));
    const Drive& d = driveOf(info.name);
    check(vtb_joint_set_swing_twist(world_, handle, d.swing, -d.twist, d.twist));
  }

  void setLimp(int32_t joint, bool limp) {
    vtb_joint_info info{};
    info.struct_size = sizeof info;
    check(vtb_skeleton_get_joint(skeleton.get(), joint, &info));
    const Drive& d = driveOf(info.name);
    const auto [first, last] = axes(joint);
    for (std::size_t i = first; i < last; i++) {
      stiffness[i] = limp ? 0 : d.stiffness;
      damping[i] = limp ? kLimpDamping : d.damping;
      torque[i] = d.torque;
      if (limp) targetRate[i] = 0;
    }
    limp_[static_cast<std::size_t>(joint)] = limp;
  }

  // Six axes between the world and the pelvis. Together the three forces never carry more than half the weight.
  void driveRoot(vtb_motor_mode mode) {
    if (!rootDrive_.bits) {
      vtb_joint_def def;
      check(vtb_joint_def_init(&def, sizeof def));
      def.type = VTB_JOINT_TYPE_MOTOR;
      def.body_b = root_;
      check(vtb_joint_create(world_, &def, &rootDrive_));
    }
    const double share[3] = {0.2, 0.2, 0.4};  // of the weight; their norm is 0.49
    for (int32_t axis = 0; axis < 6; axis++) {
      vtb_motor_def motor;
      check(vtb_motor_def_init(&motor, sizeof motor));
      motor.mode = mode;
      motor.stiffness = axis < 3 ? 6000 : 1500;
      motor.damping = axis < 3 ? 600 : 100;
      motor.max_force = axis < 3 ? share[axis] * weight_ : 120;
      check(vtb_joint_set_motor(world_, rootDrive_, axis, &motor));
    }
  }

  vtb_world* world_;
  Motion motion_;
  vtb_body root_{};
  vtb_joint rootDrive_{};
  std::vector<bool> limp_;
  bool fallen_ = false;
  double weight_ = 0, jointError_ = 0;
};

class Arm : public Driven {
 public:
  Arm(vtb_world* world, const std::string& file) : world_(world) {
    vtb_skeleton* made = nullptr;
    check(vtb_skeleton_load_urdf(file.c_str(), nullptr, nullptr, &made));
    skeleton.reset(made);
    const double place[3] = {0.9, kArmY, 0};
    create(world, VTB_BASE_FIXED, place);
    check(vtb_workspace_neutral(workspace.get(), target.data()));
    const std::pair<const char*, double> pose[] = {{"joint1", 1.9}, {"joint2", 0.4}, {"joint4", 1.0}, {"joint6", 0.7}};
    for (const auto& [name, angle] : pose) {
      int32_t joint = 0, qIndex = 0, vIndex = 0;
      check(vtb_skeleton_find_joint(made, name, &joint));
      check(vtb_workspace_get_joint(workspace.get(), joint, &qIndex, &vIndex));
      target[static_cast<std::size_t>(qIndex)] = angle;
    }
    check(vtb_figure_set_state(world, figure, target.data(), targetRate.data()));
    std::fill(stiffness.begin(), stiffness.end(), 4000);
    std::fill(damping.begin(), damping.end(), 80);
    std::fill(torque.begin(), torque.end(), HUGE_VAL);  // the effort limits of the file bound them
    drive(world);
  }

  double sag() {  // rad
    measureError(world_);
    return norm(0, error.size());
  }

 private:
  vtb_world* world_;
};

struct Options {
  std::string folder = ".";
  double seconds = 4.2;
};

struct Ball {
  vtb_body body{};
  int part = -1;
};

World makeWorld() {
  vtb_world_def def;
  check(vtb_world_def_init(&def, sizeof def));
  def.time_step = kStep;
  def.gravity[2] = -kGravity;
  vtb_world* world = nullptr;
  check(vtb_world_create(&def, &world));
  vtb_shape_def ground;
  check(vtb_shape_def_init(&ground, sizeof ground));
  ground.type = VTB_SHAPE_TYPE_PLANE;
  ground.surface.friction = 0.9;
  vtb_shape shape{};
  check(vtb_shape_create(world, vtb_body{}, &ground, &shape));
  return World(world);
}

// Thrown so that it reaches its target after the flight.
Ball throwBall(vtb_world* world, Scene& scene, const double* aim) {
  const double start[3] = {aim[0] - 0.9, aim[1] - 3.4, 1.1};
  vtb_body_def def;
  check(vtb_body_def_init(&def, sizeof def));
  def.mass = kBallMass;
  for (int i = 0; i < 3; i++) {
    def.pose[i] = start[i];
    def.twist[i] = (aim[i] - start[i]) / kFlight;
    def.inertia[i == 0 ? 0 : i == 1 ? 3 : 5] = 0.4 * kBallMass * kBallRadius * kBallRadius;
  }
  def.twist[2] += 0.5 * kGravity * kFlight;
  Ball ball;
  check(vtb_body_create(world, &def, &ball.body));
  vtb_shape_def shape;
  check(vtb_shape_def_init(&shape, sizeof shape));
  shape.size[0] = kBallRadius;
  shape.surface.restitution = 0.3;
  vtb_shape made{};
  check(vtb_shape_create(world, ball.body, &shape, &made));
  ball.part = scene.addShape(world, made, kBallColour);
  if (ball.part < 0) throw std::runtime_error(vtb_last_error());
  return ball;
}

bool touches(const vtb_world* world, vtb_body body) {
  std::vector<vtb_contact> contacts(256);
  std::size_t total = 0;
  check(vtb_world_get_contacts(world, contacts.data(), contacts.size(), 0, &total));
  contacts.resize(std::min(total, contacts.size()));
  return std::any_of(contacts.begin(), contacts.end(),
                     [&](const vtb_contact& c) { return c.gap < 0 && (c.body_a.bits == body.bits || c.body_b.bits == body.bits); });
}

void place(Scene& scene, const vtb_world* world, const Driven& driven, int firstPart) {
  std::vector<double> poses(7 * static_cast<std::size_t>(driven.links));
  std::size_t total = 0;
  check(vtb_figure_get_poses(world, driven.figure, poses.data(), static_cast<std::size_t>(driven.links), 0, &total));
  for (int link = 0; link < driven.links; link++) scene.setPose(firstPart + link, &poses[7 * static_cast<std::size_t>(link)]);
}

int drawnFigure(Scene& scene, const Driven& driven) {
  const int first = scene.addFigure(driven.skeleton.get());
  if (first < 0) throw std::runtime_error(vtb_last_error());
  return first;
}

// Follows the walker and keeps the arm in view.
Camera following(double walkerY) {
  const double y = walkerY + 0.25 * (kArmY - walkerY);
  return {{-6.2, y - 0.7, 1.7}, {0, y, 0.78}, 25};
}

std::string caption(double time) {
  char text[32];
  std::snprintf(text, sizeof text, "%d.%02d s", static_cast<int>(time), static_cast<int>(100 * time) % 100);
  return text;
}

std::string note(const Walker& walker, bool thrown, bool arrived) {
  if (walker.letGo()) return "all drives limp";
  if (const int limp = walker.limpCount()) return std::to_string(limp) + (limp == 1 ? " joint limp" : " joints limp");
  if (arrived) return "all drives on";
  return thrown ? "a ball is thrown" : "walking";
}

int run(const Options& options) {
  std::string error;
  const auto offscreen = Offscreen::create(kWidth, kHeight, error);
  if (!offscreen) throw std::runtime_error(error);
  const std::string models = VERTEBRA_MODELS;
  World owner = makeWorld();
  vtb_world* world = owner.get();
  Walker walker(world, models + "/motions/walk.bvh");
  Arm arm(world, models + "/urdf/arm7.urdf");

  Scene scene;
  const int walkerParts = drawnFigure(scene, walker), armParts = drawnFigure(scene, arm);
  offscreen->setScene(scene.root(), Scene::background());
  FilmStrip strip(kWidth, kHeight, kColumns);

  const double throwTime = std::max(0.0, kHit * options.seconds - kFlight);
  const int steps = static_cast<int>(std::lround(options.seconds / kStep));
  Ball ball;
  double before = 0, after = 0, separation = 0, penetration = 0, sag = 0, wall = 0, hitTime = -1, limpTime = -1;
  for (int step = 0; step <= steps; step++) {
    const double time = step * kStep;
    if (ball.part < 0 && time >= throwTime) {
      double chest[3];
      walker.clipPosition(throwTime + kFlight, "Chest", chest);
      chest[2] += 0.02;
      ball = throwBall(world, scene, chest);
    }
    walker.control(time);
    if (hitTime < 0 && ball.part >= 0 && touches(world, ball.body)) hitTime = time;
    double& largest = hitTime < 0 ? before : after;
    largest = std::max(largest, walker.takeJointError());
    if (limpTime < 0 && walker.limpCount() > 0) limpTime = time;
    sag = std::max(sag, arm.sag());

    while (strip.count() < static_cast<int>(std::size(kShots)) && time + 0.5 * kStep >= kShots[strip.count()] * options.seconds) {
      place(scene, world, walker, walkerParts);
      place(scene, world, arm, armParts);
      if (ball.part >= 0) {
        double pose[7];
        check(vtb_body_get_pose(world, ball.body, pose));
        scene.setPose(ball.part, pose);
      }
      vtb_joint_info info{};
      info.struct_size = sizeof info;
      for (int32_t j = 0; j < walker.joints; j++) {
        check(vtb_skeleton_get_joint(walker.skeleton.get(), j, &info));
        scene.setColour(walkerParts + info.child, walker.limp(j) ? kLimpColour : kWalkerColour);
      }
      scene.setColour(walkerParts, walker.letGo() ? kLimpColour : kWalkerColour);  // the root
      strip.add(offscreen->draw(following(walker.q[1])), caption(time), note(walker, ball.part >= 0, hitTime >= 0));
    }

    if (step == steps) break;
    const auto start = std::chrono::steady_clock::now();
    check(vtb_world_step(world, 1));
    wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    vtb_world_stats stats{};
    stats.struct_size = sizeof stats;
    check(vtb_world_get_stats(world, &stats));
    separation = std::max(separation, stats.max_joint_error);
    penetration = std::max(penetration, stats.max_penetration);
  }

  const std::string picture = (std::filesystem::path(options.folder) / "vertebra_demo.png").string();
  if (!strip.write(picture, error)) throw std::runtime_error(error);
  std::printf("simulated        %g s in %d steps of 1/240 s, %.0f us each\n", options.seconds, steps, 1e6 * wall / steps);
  std::printf("walker           %d links, %d velocities, %.1f kg; its root is held by at most half its weight\n", walker.links, walker.nv,
              walker.weight() / kGravity);
  std::printf("largest error    of a joint's drive %.2f rad before the ball hits, %.2f rad after\n", before, after);
  if (hitTime >= 0) std::printf("ball             of %g kg hits at %.2f s\n", kBallMass, hitTime);
  if (limpTime >= 0) std::printf("first limp joint %.2f s\n", limpTime);
  std::printf("outcome          the walker %s, %d of its %d joints limp\n", walker.rootHeight() < 0.5 ? "fell" : "is on its feet",
              walker.limpCount(), walker.joints);
  std::printf("arm              off its pose by at most %.4f rad\n", sag);
  std::printf("joints apart     by at most %.1e m; contacts overlap by at most %.1f mm\n", separation, 1e3 * penetration);
  std::printf("picture          %s (%d pictures, %d x %d)\n", picture.c_str(), strip.count(), strip.width(), strip.height());
  return 0;
}

constexpr const char* kUsage =
    "usage: vertebra_demo [--out DIR] [--seconds T]\n"
    "Simulates a walking person hit by a ball, and an arm; writes DIR/vertebra_demo.png (default: here) of T seconds (default: 4.2, at "
    "most 5.5).\n";

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (i + 1 == argc) return false;
    const std::string_view value = argv[i + 1];
    if (name == "--out") {
      options.folder = value;
    } else if (name == "--seconds") {
      const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), options.seconds);
      if (code != std::errc() || end != value.data() + value.size() || !(options.seconds >= 0.1 && options.seconds <= 5.5)) return false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && !std::strcmp(argv[1], "--help")) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  try {
    std::filesystem::create_directories(options.folder);
    return run(options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "vertebra_demo: %s\n", e.what());
    return 1;
  }
}
