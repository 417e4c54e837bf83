// Controllers through the C interface: our humanoid stands under pushes while its hand reaches a place; a rag-doll is drawn to a pose under
// every stepper; a step that fails takes back what controllers did.
#include <cmath>
#include <string>
#include <vector>

#include <vertebra/vertebra.h>

#include "tests/support.hpp"

namespace {

struct Room {
  vtb_world* world = nullptr;
  vtb_skeleton* skeleton = nullptr;
  explicit Room(vtb_stepper stepper, double step = 1.0 / 240, bool sleeps = false) {
    vtb_world_def def;
    vtb_world_def_init(&def, sizeof def);
    def.stepper = stepper;
    def.time_step = step;
    def.flags = sleeps ? 0 : VTB_WORLD_FLAG_NO_SLEEP;
    REQUIRE(vtb_world_create(&def, &world) == VTB_OK);
    REQUIRE(vtb_make_ground(world, 0.8, nullptr) == VTB_OK);
    const std::string path = test::sourceDir() + "/models/urdf/humanoid.urdf";
    REQUIRE(vtb_skeleton_load_urdf(path.c_str(), nullptr, nullptr, &skeleton) == VTB_OK);
  }
  ~Room() {
    vtb_world_destroy(world);
    vtb_skeleton_release(skeleton);
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  // At a height of its root, or with the lowest point of its shapes on the ground.
  vtb_figure figure(double height, vtb_base base = VTB_BASE_FLOATING) const {
    vtb_figure_def def;
    vtb_figure_def_init(&def, sizeof def);
    def.skeleton = skeleton;
    def.flags = VTB_FIGURE_FLAG_NO_SELF_COLLISION;
    def.base = base;
    def.pose[2] = height;
    vtb_figure made;
    REQUIRE(vtb_figure_create(world, &def, &made) == VTB_OK);
    return made;
  }
  vtb_body body(vtb_figure of, const char* name) const {
    int32_t link = -1;
    REQUIRE(vtb_skeleton_find_link(skeleton, name, &link) == VTB_OK);
    vtb_body out;
    REQUIRE(vtb_figure_get_body(world, of, link, &out) == VTB_OK);
    return out;
  }
  std::vector<double> q(vtb_figure of) const {
    size_t total = 0;
    REQUIRE(vtb_figure_get_q(world, of, nullptr, 0, &total) == VTB_OK);
    std::vector<double> out(total);
    REQUIRE(vtb_figure_get_q(world, of, out.data(), total, &total) == VTB_OK);
    return out;
  }
};

// The height at which our humanoid's soles touch the ground.
constexpr double kStanding = 0.82;

}  // namespace

TEST_CASE("controllers in C: a figure stands for ten seconds under pushes and its hand reaches a place") {
  Room room(VTB_STEPPER_IMPULSE);
  const vtb_figure figure = room.figure(kStanding);
  vtb_controller point, balance;
  vtb_goal_def goal;
  vtb_goal_def_init(&goal, sizeof goal);
  REQUIRE(vtb_skeleton_find_link(room.skeleton, "right_hand", &goal.link) == VTB_OK);
  REQUIRE(vtb_skeleton_find_link(room.skeleton, "torso", &goal.from) == VTB_OK);
  goal.point[2] = -0.15;
  goal.target[0] = 0.35;
  goal.target[1] = -0.25;
  goal.target[2] = 1.2;
  goal.begin = 0.5;
  int32_t index = -1;
  REQUIRE(vtb_figure_add_point(room.world, figure, &point) == VTB_OK);
  REQUIRE(vtb_point_add_goal(room.world, point, &goal, &index) == VTB_OK);
  REQUIRE(vtb_figure_add_balance(room.world, figure, nullptr, &balance) == VTB_OK);
  const vtb_body root = room.body(figure, "pelvis");
  double worst = 0, lowest = 10;
  for (int i = 0; i < 2400; i++) {
    const double push[3] = {40, 0, 0};
    if (i >= 720 && i < 768) REQUIRE(vtb_body_add_force(room.world, root, push, nullptr, VTB_DURATION_ONE_STEP) == VTB_OK);
    const vtb_status status = vtb_world_step(room.world, 1);
    INFO(i << ": " << vtb_last_error());
    REQUIRE(status == VTB_OK);
    double error = 0;
    REQUIRE(vtb_point_get_error(room.world, point, index, &error) == VTB_OK);
    if (i > 600) worst = std::max(worst, error);
    lowest = std::min(lowest, room.q(figure)[2]);
  }
  vtb_controller_info info;
  info.struct_size = sizeof info;
  REQUIRE(vtb_controller_get_info(room.world, balance, &info) == VTB_OK);
  CHECK(info.standing >= 4);
  CHECK(info.outside == 0);
  CHECK(lowest > kStanding - 0.05);
  CHECK(worst < 0.03);
}

TEST_CASE("controllers in C: drives draw a hanging figure to a pose under each stepper") {
  for (const vtb_stepper stepper :
       {VTB_STEPPER_IMPULSE, VTB_STEPPER_VARIATIONAL, VTB_STEPPER_ODE, VTB_STEPPER_SPOOK, VTB_STEPPER_DISPLACEMENT}) {
    const double step = stepper == VTB_STEPPER_ODE ? 1.0 / 4000 : 1.0 / 240;  // its drives are explicit
    Room room(stepper, step);
    const vtb_figure figure = room.figure(2, VTB_BASE_FIXED);
    vtb_drive_def def;
    vtb_drive_def_init(&def, sizeof def);
    def.omega = 30;
    vtb_controller drive;
    REQUIRE(vtb_figure_add_drive(room.world, figure, &def, &drive) == VTB_OK);
    std::vector<double> target(room.q(figure).size(), 0.1);
    REQUIRE(vtb_drive_set_pose(room.world, drive, target.data(), nullptr) == VTB_OK);
    const vtb_status status = vtb_world_step(room.world, static_cast<uint32_t>(2 / step));
    INFO("stepper " << stepper << ": " << vtb_last_error());
    REQUIRE(status == VTB_OK);
    const std::vector<double> q = room.q(figure);
    double farthest = 0;
    for (double x : q) farthest = std::max(farthest, std::fabs(x - 0.1));
    INFO(farthest);
    CHECK(farthest < 0.12);
  }
}

TEST_CASE("controllers in C: drives wake every figure that they move, and all of its links") {
  Room room(VTB_STEPPER_IMPULSE, 1.0 / 240, true);
  const vtb_figure figures[2] = {room.figure(2, VTB_BASE_FIXED), room.figure(6, VTB_BASE_FIXED)};
  vtb_world_stats stats;
  stats.struct_size = sizeof stats;
  for (int i = 0; i < 60 * 240 && (i == 0 || stats.sleeping_bodies == 0); i += 24) {
    REQUIRE(vtb_world_step(room.world, 24) == VTB_OK);
    REQUIRE(vtb_world_get_stats(room.world, &stats) == VTB_OK);
  }
  REQUIRE(stats.sleeping_bodies > 0);
  std::vector<double> before[2];
  for (int k = 0; k < 2; k++) {
    before[k] = room.q(figures[k]);
    vtb_controller drive;
    REQUIRE(vtb_figure_add_drive(room.world, figures[k], nullptr, &drive) == VTB_OK);
    std::vector<double> target = before[k];
    for (double& x : target) x += 0.2;
    REQUIRE(vtb_drive_set_pose(room.world, drive, target.data(), nullptr) == VTB_OK);
  }
  REQUIRE(vtb_world_step(room.world, 48) == VTB_OK);
  for (int k = 0; k < 2; k++) {
    const std::vector<double> now = room.q(figures[k]);
    double most = 0;
    for (std::size_t i = 0; i < now.size(); i++) most = std::max(most, std::fabs(now[i] - before[k][i]));
    CHECK(most > 0.05);
  }
  REQUIRE(vtb_world_get_stats(room.world, &stats) == VTB_OK);
  CHECK(stats.sleeping_bodies == 0);
}

TEST_CASE("controllers in C: a trajectory on a figure whose root is fixed is refused with that reason") {
  Room room(VTB_STEPPER_IMPULSE);
  const vtb_figure figure = room.figure(2, VTB_BASE_FIXED);
  const std::string text = "# fps=30\nroot_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw\n0,0,1,0,0,0,1\n";
  vtb_trajectory* trajectory = nullptr;
  REQUIRE(vtb_trajectory_parse_csv(text.data(), text.size(), "x.csv", nullptr, &trajectory) == VTB_OK);
  vtb_controller animation;
  REQUIRE(vtb_figure_add_animation(room.world, figure, nullptr, &animation) == VTB_OK);
  vtb_play_def def;
  vtb_play_def_init(&def, sizeof def);
  def.trajectory = trajectory;
  CHECK(vtb_animation_play(room.world, animation, &def) == VTB_E_ARG);
  CHECK(std::string(vtb_last_error()).find("fixed to the world") != std::string::npos);
  vtb_trajectory_release(trajectory);
}

TEST_CASE("controllers in C: a step that fails takes back what they did") {
  Room room(VTB_STEPPER_IMPULSE);
  const vtb_figure held = room.figure(3), flying = room.figure(6);
  vtb_root_drive_def root;
  vtb_root_drive_def_init(&root, sizeof root);
  root.weight = 1;
  vtb_controller first, second, balance;
  REQUIRE(vtb_figure_add_root_drive(room.world, held, &root, &first) == VTB_OK);
  REQUIRE(vtb_figure_add_drive(room.world, held, nullptr, &second) == VTB_OK);
  REQUIRE(vtb_figure_add_balance(room.world, flying, nullptr, &balance) == VTB_OK);
  REQUIRE(vtb_world_step(room.world, 1) == VTB_E_ARG);
  CHECK(std::string(vtb_last_error()).find("balance: ") != std::string::npos);
  double force[3], torque[3];
  REQUIRE(vtb_body_get_forces(room.world, room.body(held, "pelvis"), force, torque) == VTB_OK);
  for (int k = 0; k < 3; k++) {
    CHECK(force[k] == 0);
    CHECK(torque[k] == 0);
  }
  vtb_joint joint;
  REQUIRE(vtb_figure_get_joint(room.world, held, 0, &joint) == VTB_OK);
  vtb_motor_def motor;
  motor.struct_size = sizeof motor;
  REQUIRE(vtb_joint_get_motor(room.world, joint, 0, &motor) == VTB_OK);
  CHECK(motor.mode == VTB_MOTOR_MODE_OFF);
  REQUIRE(vtb_controller_destroy(room.world, balance) == VTB_OK);
  REQUIRE(vtb_world_step(room.world, 480) == VTB_OK);
  CHECK(room.q(held)[2] == Approx(3).margin(0.05));
  CHECK(room.q(flying)[2] < 5);
}

// What they added to a caller's force, taken off again, would leave other last bits of it; and what slept would be awake.
TEST_CASE("controllers in C: a step that fails leaves forces that wait for it, and sleep, to the last bit") {
  Room room(VTB_STEPPER_IMPULSE, 1.0 / 240, true);
  const vtb_figure lying = room.figure(0.3), flying = room.figure(6);
  std::vector<double> aloft = room.q(flying);
  aloft[0] += 5;  // not onto the other: what lies under a figure that is moved wakes
  REQUIRE(vtb_figure_set_state(room.world, flying, aloft.data(), nullptr) == VTB_OK);
  REQUIRE(vtb_world_step(room.world, 2400) == VTB_OK);
  REQUIRE(vtb_figure_set_state(room.world, flying, aloft.data(), nullptr) == VTB_OK);
  const vtb_body pelvis = room.body(lying, "pelvis");
  int32_t awake = 1;
  REQUIRE(vtb_body_get_awake(room.world, pelvis, &awake) == VTB_OK);
  REQUIRE(awake == 0);
  const bool pushed = GENERATE(false, true);
  INFO(pushed);
  const double force[3] = {0.1, 0.2, 0.3}, torque[3] = {0.01, 0.02, 0.03};
  if (pushed) {
    REQUIRE(vtb_body_add_force(room.world, pelvis, force, nullptr, VTB_DURATION_ONE_STEP) == VTB_OK);
    REQUIRE(vtb_body_add_torque(room.world, pelvis, torque, VTB_DURATION_ONE_STEP) == VTB_OK);
  }
  vtb_root_drive_def root;
  vtb_root_drive_def_init(&root, sizeof root);
  root.weight = 1;
  vtb_controller drive, broken;
  REQUIRE(vtb_figure_add_root_drive(room.world, lying, &root, &drive) == VTB_OK);
  REQUIRE(vtb_figure_add_balance(room.world, flying, nullptr, &broken) == VTB_OK);
  uint64_t before = 0, after = 0;
  REQUIRE(vtb_world_get_hash(room.world, &before) == VTB_OK);
  REQUIRE(vtb_world_step(room.world, 1) == VTB_E_ARG);
  REQUIRE(vtb_world_get_hash(room.world, &after) == VTB_OK);
  CHECK(before == after);
}
