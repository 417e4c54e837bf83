// What a step tells beside poses: moments, slip and impulses of contacts; forces of joints as vectors, by cause; energy and momentum by
// body and figure; potentials of callers' fields; the call after each step. Closed forms.
#include <cmath>
#include <functional>
#include <vector>

#include <vertebra/vertebra.h>

#include "tests/support.hpp"

namespace {

constexpr double kG = 9.81;
const vtb_stepper kSteppers[] = {VTB_STEPPER_IMPULSE, VTB_STEPPER_VARIATIONAL, VTB_STEPPER_ODE, VTB_STEPPER_SPOOK,
                                 VTB_STEPPER_DISPLACEMENT};

struct Owner {
  vtb_world* world = nullptr;
  explicit Owner(const std::function<void(vtb_world_def&)>& change = [](vtb_world_def&) {}) {
    vtb_world_def def;
    vtb_world_def_init(&def, sizeof def);
    def.flags = VTB_WORLD_FLAG_NO_SLEEP;
    change(def);
    REQUIRE(vtb_world_create(&def, &world) == VTB_OK);
  }
  ~Owner() { vtb_world_destroy(world); }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  operator vtb_world*() const { return world; }
};

vtb_body ball(vtb_world* world, double x, double z, double radius, const std::function<void(vtb_surface&)>& change, const double twist[6]) {
  const double pose[7] = {x, 0, z, 0, 0, 0, 1};
  vtb_body body;
  REQUIRE(vtb_make_sphere(world, pose, radius, 2, &body) == VTB_OK);
  vtb_shape shape;
  std::size_t total;
  REQUIRE(vtb_body_get_shapes(world, body, &shape, 1, &total) == VTB_OK);
  vtb_surface surface;
  REQUIRE(vtb_shape_get_surface(world, shape, &surface) == VTB_OK);
  change(surface);
  REQUIRE(vtb_shape_set_surface(world, shape, &surface) == VTB_OK);
  REQUIRE(vtb_body_set_twist(world, body, twist, nullptr) == VTB_OK);
  return body;
}

vtb_contact onlyContact(vtb_world* world) {
  vtb_contact contact;
  std::size_t total = 0;
  REQUIRE(vtb_world_get_contacts(world, &contact, 1, 0, &total) == VTB_OK);
  REQUIRE(total == 1);
  return contact;
}

vtb_joint arm(vtb_world* world, vtb_joint_type type, vtb_body* body) {
  vtb_body_def def;
  vtb_body_def_init(&def, sizeof def);
  def.mass = 2;
  def.pose[0] = 0.5;
  REQUIRE(vtb_body_create(world, &def, body) == VTB_OK);
  vtb_joint_def joint;
  vtb_joint_def_init(&joint, sizeof joint);
  joint.type = type;
  joint.body_b = *body;
  joint.frame_b[0] = -0.5;
  joint.axis[0] = joint.axis[2] = 0;
  joint.axis[1] = 1;
  if (type == VTB_JOINT_TYPE_PRISMATIC) {
    joint.axis[1] = 0;
    joint.axis[2] = 1;
  }
  vtb_joint made;
  REQUIRE(vtb_joint_create(world, &joint, &made) == VTB_OK);
  return made;
}

vtb_joint_forces forcesOf(vtb_world* world, vtb_joint joint) {
  vtb_joint_forces forces;
  forces.struct_size = sizeof forces;
  REQUIRE(vtb_joint_get_forces(world, joint, &forces) == VTB_OK);
  return forces;
}

void near(const double* values, const std::vector<double>& expected, double bound) {
  for (std::size_t k = 0; k < expected.size(); k++) {
    INFO("value " << k << " is " << values[k] << ", expected " << expected[k]);
    CHECK(std::fabs(values[k] - expected[k]) <= bound);
  }
}

}  // namespace

TEST_CASE("a contact tells rolling and torsional moments and the slip of its point") {
  for (const vtb_stepper stepper : {VTB_STEPPER_IMPULSE, VTB_STEPPER_VARIATIONAL, VTB_STEPPER_ODE, VTB_STEPPER_SPOOK}) {
    INFO("stepper " << stepper);
    constexpr double kRadius = 0.1, kRolling = 0.005, kTorsion = 0.01, kWeight = 2 * kG;
    const auto surface = [](vtb_surface& s) {
      s.friction = 0.8;
      s.rolling_friction = kRolling;
      s.torsional_friction = kTorsion;
    };
    const double rolls[6] = {1, 0, 0, 0, 1 / kRadius, 20}, slides[6] = {3, 0, 0, 0, 0, 0};
    Owner world([&](vtb_world_def& d) { d.stepper = stepper; });
    REQUIRE(vtb_make_ground(world, 0.8, nullptr) == VTB_OK);
    ball(world, 0, kRadius, kRadius, surface, rolls);
    REQUIRE(vtb_world_step(world, 20) == VTB_OK);
    vtb_contact c = onlyContact(world);
    const double side = c.body_b.bits ? 1 : -1;  // the ball may be a or b
    CHECK(std::fabs(side * c.normal[2] - 1) < 1e-9);
    CHECK(std::fabs(c.torsion - c.normal[2] * side * -kTorsion * kWeight) < 0.02);
    near(c.rolling, {0, side * -kRolling * kWeight, 0}, 0.01);
    near(c.slip, {0, 0, 0}, 0.02);

    Owner other([&](vtb_world_def& d) { d.stepper = stepper; });
    REQUIRE(vtb_make_ground(other, 0.3, nullptr) == VTB_OK);
    ball(
        other, 0, kRadius, kRadius, [](vtb_surface& s) { s.friction = 0.3; }, slides);
    REQUIRE(vtb_world_step(other, 24) == VTB_OK);
    c = onlyContact(other);
    near(c.slip, {side * (3 - 3.5 * 0.3 * kG * 0.1), 0, 0}, 0.05);  // slows down by friction, and by the turning that it begins
    near(c.rolling, {0, 0, 0}, 1e-12);
    CHECK(c.torsion == 0);
  }
}

TEST_CASE("an event of contact tells when it began, and the impulse of the impact") {
  for (const vtb_stepper stepper : {VTB_STEPPER_IMPULSE, VTB_STEPPER_SPOOK, VTB_STEPPER_VARIATIONAL, VTB_STEPPER_DISPLACEMENT}) {
    INFO("stepper " << stepper);
    Owner world([&](vtb_world_def& d) { d.stepper = stepper; });
    REQUIRE(vtb_make_ground(world, 0.8, nullptr) == VTB_OK);
    const double still[6] = {};
    const vtb_body body = ball(
        world, 0, 0.6, 0.1, [](vtb_surface& s) { s.restitution = 0; }, still);
    std::size_t total = 0;
    double before[6], after[6], time = 0;
    for (int i = 0; i < 200 && total == 0; i++) {
      REQUIRE(vtb_body_get_twist(world, body, before) == VTB_OK);
      REQUIRE(vtb_world_step(world, 1) == VTB_OK);
      REQUIRE(vtb_world_get_contact_events(world, nullptr, 0, 0, &total) == VTB_OK);
    }
    vtb_contact_event event;
    REQUIRE(vtb_world_get_contact_events(world, &event, 1, 0, &total) == VTB_OK);
    REQUIRE(total == 1);
    CHECK(event.phase == VTB_CONTACT_PHASE_BEGIN);
    REQUIRE(vtb_world_get_time(world, &time) == VTB_OK);
    CHECK(event.time == time);
    CHECK(std::fabs(time - std::sqrt(2 * 0.5 / kG)) < 2.0 / 240);
    REQUIRE(vtb_body_get_twist(world, body, after) == VTB_OK);
    // What the contact gave: the change of momentum less that by gravity. The ball may be the first of the pair.
    vtb_shape shape;
    REQUIRE(vtb_body_get_shapes(world, body, &shape, 1, &total) == VTB_OK);
    const double side = shape.bits == event.shape_b.bits ? 1 : -1;
    // Velocities of the stepper variational are half a step's gravity ahead while rows act.
    near(event.impulse, {0, 0, side * 2 * (after[2] - before[2] + kG / 240)},
         stepper == VTB_STEPPER_VARIATIONAL ? 2 * kG / 480 + 1e-6 : 1e-6);
    CHECK(side * event.impulse[2] > 1);
    const double away[7] = {0, 0, 3, 0, 0, 0, 1};
    REQUIRE(vtb_body_set_pose(world, body, away, nullptr) == VTB_OK);
    REQUIRE(vtb_world_step(world, 1) == VTB_OK);
    REQUIRE(vtb_world_get_contact_events(world, &event, 1, 0, &total) == VTB_OK);
    REQUIRE(total == 1);
    CHECK(event.phase == VTB_CONTACT_PHASE_END);
    near(event.impulse, {0, 0, 0}, 0);
    CHECK(event.time > time);
  }
}

TEST_CASE("forces of a joint by cause, as vectors: a motor that holds an arm, a limit, a spring") {
  for (const vtb_stepper stepper : kSteppers) {
    INFO("stepper " << stepper);
    constexpr double kWeight = 2 * kG, kMoment = -0.5 * kWeight;
    Owner world([&](vtb_world_def& d) { d.stepper = stepper; });
    vtb_body first, second, third;
    const vtb_joint motor = arm(world, VTB_JOINT_TYPE_REVOLUTE, &first);
    vtb_motor_def drive;
    vtb_motor_def_init(&drive, sizeof drive);
    drive.mode = VTB_MOTOR_MODE_POSITION;
    drive.stiffness = 1000;
    drive.damping = 100;
    REQUIRE(vtb_joint_set_motor(world, motor, 0, &drive) == VTB_OK);
    const vtb_joint limit = arm(world, VTB_JOINT_TYPE_REVOLUTE, &second);
    vtb_axis_def axis;
    REQUIRE(vtb_axis_def_init(&axis, sizeof axis) == VTB_OK);
    axis.upper = 0;
    axis.lower = -1;
    REQUIRE(vtb_joint_set_axis(world, limit, 0, &axis) == VTB_OK);
    const vtb_joint spring = arm(world, VTB_JOINT_TYPE_PRISMATIC, &third);
    REQUIRE(vtb_axis_def_init(&axis, sizeof axis) == VTB_OK);
    axis.stiffness = 2000;
    axis.damping = 100;
    REQUIRE(vtb_joint_set_axis(world, spring, 0, &axis) == VTB_OK);
    REQUIRE(vtb_world_step(world, 480) == VTB_OK);

    vtb_joint_forces f = forcesOf(world, motor);
    near(f.motor_torque, {0, kMoment, 0}, 0.02);
    near(f.motor_force, {0, 0, 0}, 1e-12);
    near(f.force, {0, 0, kWeight}, 0.02);
    near(f.torque, {0, 0, 0}, 0.02);
    near(f.limit_torque, {0, 0, 0}, 0);
    f = forcesOf(world, limit);
    near(f.limit_torque, {0, kMoment, 0}, 0.02);
    near(f.motor_torque, {0, 0, 0}, 0);
    near(f.force, {0, 0, kWeight}, 0.02);
    f = forcesOf(world, spring);
    near(f.spring_force, {0, 0, kWeight}, 0.02);
    near(f.spring_torque, {0, 0, 0}, 1e-12);
    near(f.force, {0, 0, 0}, 0.02);
    near(f.torque, {0, kMoment, 0}, 0.03);
  }
}

TEST_CASE("the torques of a motor and of dry friction on a joint whose tree runs against it act on body_b all the same") {
  for (const vtb_stepper stepper : kSteppers)
    for (const bool reversed : {false, true}) {
      INFO("stepper " << stepper << ", reversed " << reversed);
      Owner world([&](vtb_world_def& d) { d.gravity[2] = 0, d.stepper = stepper; });
      vtb_body_def def;
      vtb_body_def_init(&def, sizeof def);
      vtb_body body;
      REQUIRE(vtb_body_create(world, &def, &body) == VTB_OK);
      vtb_joint_def joint;
      vtb_joint_def_init(&joint, sizeof joint);
      (reversed ? joint.body_a : joint.body_b) = body;
      vtb_joint made;
      REQUIRE(vtb_joint_create(world, &joint, &made) == VTB_OK);
      vtb_axis_def axis;
      REQUIRE(vtb_axis_def_init(&axis, sizeof axis) == VTB_OK);
      axis.friction = 0.5;
      REQUIRE(vtb_joint_set_axis(world, made, 0, &axis) == VTB_OK);
      vtb_motor_def drive;
      vtb_motor_def_init(&drive, sizeof drive);
      drive.mode = VTB_MOTOR_MODE_TORQUE;
      drive.force = 2;
      REQUIRE(vtb_joint_set_motor(world, made, 0, &drive) == VTB_OK);
      REQUIRE(vtb_world_step(world, 10) == VTB_OK);
      double twist[6];
      REQUIRE(vtb_body_get_twist(world, body, twist) == VTB_OK);
      CHECK((reversed ? -1 : 1) * twist[3] > 0.1);
      const vtb_joint_forces f = forcesOf(world, made);
      near(f.motor_torque, {2, 0, 0}, 1e-3);
      near(f.friction_torque, {-0.5, 0, 0}, 1e-3);
      near(f.torque, {0, 0, 0}, 1e-3);
    }
}

TEST_CASE("energy and momentum of bodies and figures add up to the world's, and have their closed forms") {
  Owner world;
  const char* urdf =
      "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' "
      "izz='0.1'/></inertial>"
      "</link><link name='b'><inertial><origin xyz='0 0 -0.5'/><mass value='3'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' "
      "izz='0.1'/></inertial></link><joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 1 "
      "0'/></joint></robot>";
  vtb_skeleton* skeleton = nullptr;
  REQUIRE(vtb_skeleton_parse_urdf(urdf, std::char_traits<char>::length(urdf), "r", nullptr, nullptr, &skeleton) == VTB_OK);
  vtb_figure_def figureDef;
  vtb_figure_def_init(&figureDef, sizeof figureDef);
  figureDef.skeleton = skeleton;
  figureDef.base = VTB_BASE_FLOATING;
  vtb_figure figure;
  REQUIRE(vtb_figure_create(world, &figureDef, &figure) == VTB_OK);
  vtb_joint joint;
  REQUIRE(vtb_figure_get_joint(world, figure, 0, &joint) == VTB_OK);
  vtb_axis_def axis;
  REQUIRE(vtb_axis_def_init(&axis, sizeof axis) == VTB_OK);
  axis.stiffness = 40;
  axis.armature = 0.5;
  REQUIRE(vtb_joint_set_axis(world, joint, 0, &axis) == VTB_OK);
  const double q = 0.3, v = 2, twist[6] = {0, 1, 2, 0, 0, 4}, about[3] = {1, -2, 3};
  REQUIRE(vtb_joint_set_state(world, joint, &q, &v) == VTB_OK);
  vtb_body_def def;
  vtb_body_def_init(&def, sizeof def);
  def.mass = 2;
  def.pose[2] = 1.5;
  def.com[0] = 0.25;
  vtb_body loose;
  REQUIRE(vtb_body_create(world, &def, &loose) == VTB_OK);
  REQUIRE(vtb_body_set_twist(world, loose, twist, nullptr) == VTB_OK);

  double kinetic, potential, ofFigure[2];
  REQUIRE(vtb_body_get_energy(world, loose, &kinetic, &potential) == VTB_OK);
  // Its centre moves with (0, 1 + 4 * 0.25, 2).
  CHECK(std::fabs(kinetic - (0.5 * 2 * (4 + 4) + 0.5 * 0.01 * 16)) < 1e-12);
  CHECK(std::fabs(potential - 2 * kG * 1.5) < 1e-12);
  double p[3], l[3];
  REQUIRE(vtb_body_get_momentum(world, loose, nullptr, p, l) == VTB_OK);
  near(p, {0, 4, 4}, 1e-12);
  near(l, {0, 0, 0.04}, 1e-12);
  REQUIRE(vtb_body_get_momentum(world, loose, about, nullptr, l) == VTB_OK);  // from about to the centre: (-0.75, 2, -1.5)
  near(l, {2 * 4 - -1.5 * 4, -(-0.75 * 4 - 0), -0.75 * 4 + 0.04}, 1e-12);

  REQUIRE(vtb_figure_get_energy(world, figure, &ofFigure[0], &ofFigure[1]) == VTB_OK);
  // Link b turns by 2 rad/s about a at rest, or a with it: the links keep their state but for the joint's.
  vtb_body links[2];
  double sum[2] = {0, 0}, total[3] = {0, 0, 0}, angular[3] = {0, 0, 0};
  for (int i = 0; i < 2; i++) {
    REQUIRE(vtb_figure_get_body(world, figure, i, &links[i]) == VTB_OK);
    REQUIRE(vtb_body_get_energy(world, links[i], &kinetic, &potential) == VTB_OK);
    sum[0] += kinetic;
    sum[1] += potential;
    REQUIRE(vtb_body_get_momentum(world, links[i], about, p, l) == VTB_OK);
    for (int k = 0; k < 3; k++) {
      total[k] += p[k];
      angular[k] += l[k];
    }
  }
  CHECK(std::fabs(sum[0] - (0.5 * 0.1 * 4 + 0.5 * 3 * 0.25 * 4)) < 1e-12);
  CHECK(std::fabs(ofFigure[0] - sum[0] - 0.5 * 0.5 * 4) < 1e-12);     // armature
  CHECK(std::fabs(ofFigure[1] - sum[1] - 0.5 * 40 * q * q) < 1e-12);  // spring
  REQUIRE(vtb_figure_get_momentum(world, figure, about, p, l) == VTB_OK);
  near(p, {total[0], total[1], total[2]}, 1e-12);
  near(l, {angular[0], angular[1], angular[2]}, 1e-12);
  // About its own centre of mass: less what the centre has.
  double centre[3], velocity[3], own[3];
  REQUIRE(vtb_figure_com(world, figure, centre, velocity) == VTB_OK);
  REQUIRE(vtb_figure_get_momentum(world, figure, nullptr, nullptr, own) == VTB_OK);
  const double arm[3] = {centre[0] - about[0], centre[1] - about[1], centre[2] - about[2]};
  near(own, {l[0] - (arm[1] * p[2] - arm[2] * p[1]), l[1] - (arm[2] * p[0] - arm[0] * p[2]), l[2] - (arm[0] * p[1] - arm[1] * p[0])},
       1e-12);

  vtb_energy energy;
  energy.struct_size = sizeof energy;
  REQUIRE(vtb_world_get_energy(world, &energy) == VTB_OK);
  REQUIRE(vtb_body_get_energy(world, loose, &kinetic, &potential) == VTB_OK);
  CHECK(std::fabs(energy.kinetic - kinetic - ofFigure[0]) < 1e-12);
  CHECK(std::fabs(energy.potential - potential - ofFigure[1]) < 1e-12);
  vtb_skeleton_release(skeleton);
}

namespace {

struct Well {  // a spring of 30 N/m to the origin
  int asked = 0;
  double value = NAN;
};
int32_t pull(void*, const vtb_world* world, vtb_field, vtb_body body, double* force, double*) {
  double pose[7];
  if (vtb_body_get_pose(world, body, pose) != VTB_OK) return 0;
  for (int k = 0; k < 3; k++) force[k] -= 30 * pose[k];
  return 1;
}
double potentialOf(void* user, const vtb_world* world, vtb_field, vtb_body body) {
  Well& well = *static_cast<Well*>(user);
  well.asked++;
  if (std::isinf(well.value)) return well.value;
  double pose[7];
  if (vtb_body_get_pose(world, body, pose) != VTB_OK) return NAN;
  return 15 * (pose[0] * pose[0] + pose[1] * pose[1] + pose[2] * pose[2]);
}

double energyOf(vtb_world* world, vtb_energy& energy) {
  energy.struct_size = sizeof energy;
  REQUIRE(vtb_world_get_energy(world, &energy) == VTB_OK);
  return energy.kinetic + energy.potential;
}

}  // namespace

TEST_CASE("a caller's field that tells its potential is part of the energies, and does no work; one that does not is booked as work") {
  for (const vtb_stepper stepper : {VTB_STEPPER_IMPULSE, VTB_STEPPER_VARIATIONAL, VTB_STEPPER_ODE}) {
    INFO("stepper " << stepper);
    for (const bool tells : {true, false}) {
      Owner world([&](vtb_world_def& d) {
        d.stepper = stepper;
        d.gravity[2] = 0;
        d.flags |= VTB_WORLD_FLAG_ENERGY_ACCOUNT;
        d.time_step = 1.0 / 1000;
      });
      vtb_body_def def;
      vtb_body_def_init(&def, sizeof def);
      def.mass = 2;
      def.pose[0] = 1;
      vtb_body body;
      REQUIRE(vtb_body_create(world, &def, &body) == VTB_OK);
      Well well;
      vtb_field_def field;
      vtb_field_def_init(&field, sizeof field);
      field.type = VTB_FIELD_TYPE_USER;
      field.user.evaluate = pull;
      field.user.potential = tells ? potentialOf : nullptr;
      field.user.user = &well;
      vtb_field made;
      REQUIRE(vtb_field_create(world, &field, &made) == VTB_OK);
      vtb_energy energy;
      const double start = energyOf(world, energy);
      CHECK(energy.potential == (tells ? 15 : 0));
      REQUIRE(vtb_world_step(world, 300) == VTB_OK);
      const double end = energyOf(world, energy);
      const double x = std::cos(std::sqrt(15.0) * 0.3);
      CHECK(std::fabs(energy.kinetic - 15 * (1 - x * x)) < 0.02);
      if (tells) {
        CHECK(std::fabs(end - start) < 1e-3);
        CHECK(energy.work_applied == 0);
        double kinetic, potential;
        REQUIRE(vtb_body_get_energy(world, body, &kinetic, &potential) == VTB_OK);
        CHECK(potential == energy.potential);
        const int asked = well.asked;
        REQUIRE(vtb_world_step(world, 10) == VTB_OK);
        CHECK(well.asked == asked);  // steps do not ask
        well.value = INFINITY;
        CHECK(vtb_world_get_energy(world, &energy) == VTB_E_ARG);
        CHECK(vtb_body_get_energy(world, body, &kinetic, nullptr) == VTB_E_ARG);
        REQUIRE(vtb_field_destroy(world, made) == VTB_OK);
        REQUIRE(vtb_world_step(world, 10) == VTB_OK);
        const double free = energyOf(world, energy);
        CHECK(energy.work_applied == 0);  // none of what the field did once
        CHECK(std::fabs(free - energy.kinetic) == 0);
      } else {
        CHECK(std::fabs(energy.work_applied - energy.kinetic) < (stepper == VTB_STEPPER_ODE ? 0.03 : 1e-3));
        CHECK(energy.potential == 0);
      }
    }
  }
}

namespace {

struct Seen {
  vtb_world* world = nullptr;
  vtb_body body{0};
  vtb_sensor sensor{0};
  std::vector<double> times, heights;
  int refused = 0;
};
void after(void* user, const vtb_world* world) {
  Seen& seen = *static_cast<Seen*>(user);
  double time, pose[7], sensed[7];
  std::size_t total;
  if (vtb_world_get_time(world, &time) != VTB_OK || vtb_body_get_pose(world, seen.body, pose) != VTB_OK ||
      vtb_sensor_get_values(world, seen.sensor, sensed, 7, &total) != VTB_OK || sensed[2] != pose[2])
    return;
  seen.times.push_back(time);
  seen.heights.push_back(pose[2]);
  const double twist[6] = {};
  seen.refused += vtb_body_set_twist(seen.world, seen.body, twist, nullptr) == VTB_E_BUSY;
  seen.refused += vtb_world_step(seen.world, 1) == VTB_E_BUSY;
  std::size_t needed;
  seen.refused += vtb_world_save(world, nullptr, 0, &needed) == VTB_OK ? 0 : 100;
}

}  // namespace

TEST_CASE("the call after each physics step sees its results, and changes nothing") {
  for (const vtb_stepper stepper : kSteppers) {
    INFO("stepper " << stepper);
    Seen seen;
    Owner world([&](vtb_world_def& d) {
      d.stepper = stepper;
      d.substeps = 4;
      d.time_step = 0.02;
      d.callbacks.after_step = after;
      d.callbacks.user = &seen;
      if (stepper == VTB_STEPPER_IMPULSE) d.adaptive.substeps = 8;
    });
    seen.world = world;
    const double still[6] = {};
    REQUIRE(vtb_make_ground(world, 0.8, nullptr) == VTB_OK);
    seen.body = ball(
        world, 0, 0.2, 0.1, [](vtb_surface&) {}, still);
    vtb_sensor_def def;
    vtb_sensor_def_init(&def, sizeof def);
    def.body = seen.body;
    REQUIRE(vtb_sensor_create(world, &def, &seen.sensor) == VTB_OK);
    REQUIRE(vtb_world_step(world, 10) == VTB_OK);
    REQUIRE(seen.times.size() == 40);
    for (std::size_t i = 0; i < 40; i++) CHECK(std::fabs(seen.times[i] - 0.005 * static_cast<double>(i + 1)) < 1e-12);
    CHECK(seen.heights[1] < 0.2);
    CHECK(seen.heights[3] < seen.heights[2]);
    CHECK(seen.refused == 80);
  }
}

TEST_CASE("setting a drive of a figure that is awake changes nothing of what the last step told") {
  for (const vtb_stepper stepper : kSteppers) {
    INFO("stepper " << stepper);
    const Owner world([&](vtb_world_def& def) { def.stepper = stepper; });
    const double still[6] = {0, 0, 0, 0, 0, 0};
    const vtb_body arm = ball(
        world, 0.5, 0, 0.1, [](vtb_surface&) {}, still);
    vtb_joint hinge;
    const double point[3] = {0, 0, 0}, axis[3] = {0, 1, 0};
    REQUIRE(vtb_make_hinge(world, {}, arm, point, axis, &hinge) == VTB_OK);
    REQUIRE(vtb_world_step(world, 20) == VTB_OK);
    double before[6], after[6];
    REQUIRE(vtb_body_get_acceleration(world, arm, before) == VTB_OK);
    CHECK(std::hypot(before[0], before[2]) > 3);  // falls about its hinge
    vtb_motor_def motor;
    REQUIRE(vtb_motor_def_init(&motor, sizeof motor) == VTB_OK);
    motor.mode = VTB_MOTOR_MODE_POSITION;
    motor.stiffness = 10;
    REQUIRE(vtb_joint_set_motor(world, hinge, 0, &motor) == VTB_OK);
    REQUIRE(vtb_body_get_acceleration(world, arm, after) == VTB_OK);
    for (int k = 0; k < 6; k++) CHECK(after[k] == before[k]);
  }
}

TEST_CASE("a step that fails is not told as one that stands") {
  Seen seen;
  Owner world([&](vtb_world_def& d) {
    d.callbacks.after_step = after;
    d.callbacks.user = &seen;
  });
  vtb_field_def field;
  vtb_field_def_init(&field, sizeof field);
  field.type = VTB_FIELD_TYPE_USER;
  field.user.evaluate = [](void*, const vtb_world*, vtb_field, vtb_body, double*, double*) -> int32_t { return 0; };
  vtb_field made;
  REQUIRE(vtb_field_create(world, &field, &made) == VTB_OK);
  const double still[6] = {};
  seen.world = world;
  seen.body = ball(
      world, 0, 0.2, 0.1, [](vtb_surface&) {}, still);
  vtb_sensor_def def;
  vtb_sensor_def_init(&def, sizeof def);
  def.body = seen.body;
  REQUIRE(vtb_sensor_create(world, &def, &seen.sensor) == VTB_OK);
  CHECK(vtb_world_step(world, 1) == VTB_E_ARG);
  CHECK(seen.times.empty());
  REQUIRE(vtb_field_destroy(world, made) == VTB_OK);
  CHECK(vtb_world_step(world, 1) == VTB_OK);
  CHECK(seen.times.size() == 1);
}

TEST_CASE("a step that leaves an island unsolved says so by its status where that is asked for, and stands") {
  std::uint64_t hash[2];
  int unsolved[2] = {0, 0};
  for (const bool asked : {false, true}) {
    Owner world([&](vtb_world_def& d) {
      if (asked) d.flags |= VTB_WORLD_FLAG_TELL_UNSOLVED;
    });
    // A board on two ball joints whose places on the ground are farther apart than those on the board.
    vtb_body board;
    const double pose[7] = {0, 0, 3, 0, 0, 0, 1}, half[3] = {0.23, 0.5, 0.025};
    REQUIRE(vtb_make_box(world, pose, half, 5, &board) == VTB_OK);
    for (int i = 0; i < 2; i++) {
      vtb_joint_def d;
      REQUIRE(vtb_joint_def_init(&d, sizeof d) == VTB_OK);
      d.type = VTB_JOINT_TYPE_SPHERICAL;
      d.body_b = board;
      d.frame_b[1] = i ? 0.4 : -0.4;
      d.frame_a[1] = i ? 0.401 : -0.4;
      d.frame_a[2] = 3;
      vtb_joint joint;
      REQUIRE(vtb_joint_create(world, &d, &joint) == VTB_OK);
    }
    for (int i = 0; i < 240; i++) {
      const vtb_status status = vtb_world_step(world, 1);
      vtb_world_stats stats;
      stats.struct_size = sizeof stats;
      REQUIRE(vtb_world_get_stats(world, &stats) == VTB_OK);
      REQUIRE(status == (asked && stats.unsolved > 0 ? VTB_E_UNSOLVED : VTB_OK));
      unsolved[asked] += stats.unsolved > 0;
    }
    double time;
    REQUIRE(vtb_world_get_time(world, &time) == VTB_OK);
    CHECK(std::fabs(time - 1) < 1e-9);
    REQUIRE(vtb_world_get_hash(world, &hash[asked]) == VTB_OK);
  }
  CHECK(unsolved[0] > 0);
  CHECK(unsolved[1] == unsolved[0]);
  CHECK(hash[1] == hash[0]);
}
