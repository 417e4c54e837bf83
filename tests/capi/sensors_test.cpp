// Sensors under every stepper against closed forms: free fall, rest, a spinning body, a pendulum, a static arm, weight by touch; and what
// they promise as things of a world: defined before the first step, kept until the next, in snapshots and scenes, gone with their body.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <vertebra/vertebra.h>

#include "tests/support.hpp"

namespace {

constexpr double kG = 9.81;
const vtb_stepper kSteppers[] = {VTB_STEPPER_IMPULSE, VTB_STEPPER_VARIATIONAL, VTB_STEPPER_ODE, VTB_STEPPER_SPOOK,
                                 VTB_STEPPER_DISPLACEMENT};

struct Bench {
  vtb_world* world = nullptr;
  explicit Bench(
      vtb_stepper stepper = VTB_STEPPER_IMPULSE, const std::function<void(vtb_world_def&)>& change = [](vtb_world_def&) {}) {
    vtb_world_def def;
    vtb_world_def_init(&def, sizeof def);
    def.stepper = stepper;
    def.flags = VTB_WORLD_FLAG_NO_SLEEP;
    change(def);
    REQUIRE(vtb_world_create(&def, &world) == VTB_OK);
  }
  ~Bench() { vtb_world_destroy(world); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  vtb_body body(double x, double z, double mass = 2, vtb_body_kind kind = VTB_BODY_KIND_DYNAMIC) const {
    vtb_body_def def;
    vtb_body_def_init(&def, sizeof def);
    def.kind = kind;
    def.pose[0] = x;
    def.pose[2] = z;
    def.mass = mass;
    def.inertia[0] = def.inertia[3] = def.inertia[5] = 0.02;
    vtb_body made;
    REQUIRE(vtb_body_create(world, &def, &made) == VTB_OK);
    return made;
  }
  vtb_body box(double z) const {
    const double pose[7] = {0, 0, z, 0, 0, 0, 1}, half[3] = {0.2, 0.2, 0.2};
    vtb_body made;
    REQUIRE(vtb_make_ground(world, 0.8, nullptr) == VTB_OK);
    REQUIRE(vtb_make_box(world, pose, half, 2, &made) == VTB_OK);
    return made;
  }
  vtb_sensor sensor(
      vtb_sensor_type type, vtb_body body, const std::function<void(vtb_sensor_def&)>& change = [](vtb_sensor_def&) {}) const {
    vtb_sensor_def def;
    vtb_sensor_def_init(&def, sizeof def);
    def.type = type;
    def.body = body;
    change(def);
    vtb_sensor made;
    REQUIRE(vtb_sensor_create(world, &def, &made) == VTB_OK);
    return made;
  }
  vtb_sensor forceTorque(
      vtb_joint joint, const std::function<void(vtb_sensor_def&)>& change = [](vtb_sensor_def&) {}) const {
    return sensor(VTB_SENSOR_TYPE_FORCE_TORQUE, vtb_body{0}, [&](vtb_sensor_def& d) {
      d.joint = joint;
      change(d);
    });
  }
  std::vector<double> read(vtb_sensor sensor) const {
    std::vector<double> values(7);
    std::size_t total = 0;
    REQUIRE(vtb_sensor_get_values(world, sensor, values.data(), values.size(), &total) == VTB_OK);
    values.resize(total);
    return values;
  }
  std::vector<unsigned char> saved() const {
    std::size_t size = 0;
    REQUIRE(vtb_world_save(world, nullptr, 0, &size) == VTB_OK);
    std::vector<unsigned char> bytes(size);
    REQUIRE(vtb_world_save(world, bytes.data(), size, &size) == VTB_OK);
    return bytes;
  }
  void step(int steps) const { REQUIRE(vtb_world_step(world, static_cast<std::uint32_t>(steps)) == VTB_OK); }
};

void near(const std::vector<double>& values, const std::vector<double>& expected, double bound) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t k = 0; k < values.size(); k++) {
    INFO("value " << k << " is " << values[k] << ", expected " << expected[k]);
    CHECK(std::fabs(values[k] - expected[k]) <= bound);
  }
}

void turnedAboutX(vtb_sensor_def& d) {  // site's z is the body's -y, its y the body's z
  d.pose[3] = d.pose[6] = std::sqrt(0.5);
}

vtb_joint fixedArm(const Bench& bench, vtb_body body, double x) {
  vtb_joint_def def;
  vtb_joint_def_init(&def, sizeof def);
  def.type = VTB_JOINT_TYPE_FIXED;
  def.body_b = body;
  def.frame_b[0] = -x;
  def.as_they_stand = 0;
  vtb_joint joint;
  REQUIRE(vtb_joint_create(bench.world, &def, &joint) == VTB_OK);
  return joint;
}

}  // namespace

TEST_CASE("an accelerometer reads nothing in free fall, and the centripetal acceleration of a spinning body") {
  for (const vtb_stepper stepper : kSteppers) {
    INFO("stepper " << stepper);
    Bench bench(stepper);
    const vtb_body falling = bench.body(0, 0), spinning = bench.body(5, 0);
    const double twist[6] = {1, 0, 0, 0, 0, 3};
    REQUIRE(vtb_body_set_twist(bench.world, spinning, twist, nullptr) == VTB_OK);
    const auto aside = [](vtb_sensor_def& d) { d.pose[0] = 0.4; };
    const vtb_sensor imu = bench.sensor(VTB_SENSOR_TYPE_IMU, falling, aside), other = bench.sensor(VTB_SENSOR_TYPE_IMU, spinning, aside);
    const vtb_sensor acceleration = bench.sensor(VTB_SENSOR_TYPE_ACCELERATION, falling, aside);
    const vtb_sensor velocity = bench.sensor(VTB_SENSOR_TYPE_VELOCITY, spinning, aside);
    bench.step(60);
    near(bench.read(imu), {0, 0, 0, 0, 0, 0}, 1e-9);
    near(bench.read(acceleration), {0, 0, -kG, 0, 0, 0}, 1e-9);
    near(bench.read(other), {-9 * 0.4, 0, 0, 0, 0, 3}, 1e-6);
    const double angle = 3 * 0.25;  // its x axis by now; the site moves across it
    near(bench.read(velocity), {std::cos(angle), -std::sin(angle) + 1.2, -kG * 0.25, 0, 0, 3}, 0.03);
  }
}

TEST_CASE("a body that feels half of gravity reads nothing in its fall either, in whatever axes") {
  for (const vtb_sensor_axes axes : {VTB_SENSOR_AXES_SITE, VTB_SENSOR_AXES_WORLD}) {
    Bench bench;
    vtb_body_def def;
    vtb_body_def_init(&def, sizeof def);
    def.gravity_scale = 0.5;
    vtb_body body;
    REQUIRE(vtb_body_create(bench.world, &def, &body) == VTB_OK);
    const vtb_sensor imu = bench.sensor(VTB_SENSOR_TYPE_IMU, body, [&](vtb_sensor_def& d) {
      turnedAboutX(d);
      d.axes = axes;
    });
    const bool site = axes == VTB_SENSOR_AXES_SITE;
    near(bench.read(imu), {0, site ? 0.5 * kG : 0, site ? 0 : 0.5 * kG, 0, 0, 0}, 1e-12);  // before the first step: gravity alone
    bench.step(10);
    near(bench.read(imu), {0, 0, 0, 0, 0, 0}, 1e-9);
  }
}

TEST_CASE("a box at rest: its accelerometer reads gravity upwards, its touch its weight, half of it on half of the box") {
  for (const vtb_stepper stepper : kSteppers) {
    INFO("stepper " << stepper);
    Bench bench(stepper);
    const vtb_body box = bench.box(0.2);
    const vtb_sensor imu = bench.sensor(VTB_SENSOR_TYPE_IMU, box, turnedAboutX), touch = bench.sensor(VTB_SENSOR_TYPE_TOUCH, box);
    const vtb_sensor ground = bench.sensor(VTB_SENSOR_TYPE_TOUCH, vtb_body{0});
    const auto region = [&](double x, vtb_sensor_region kind, double size) {
      return bench.sensor(VTB_SENSOR_TYPE_TOUCH, box, [=](vtb_sensor_def& d) {
        d.pose[0] = x;
        d.region = kind;
        d.size[0] = size;
        d.size[1] = d.size[2] = 1;
      });
    };
    const vtb_sensor half = region(-0.2, VTB_SENSOR_REGION_BOX, 0.1), above = region(5, VTB_SENSOR_REGION_SPHERE, 1);
    const vtb_sensor all = region(0, VTB_SENSOR_REGION_SPHERE, 0.5);
    near(bench.read(touch), {0}, 0);
    bench.step(240);
    near(bench.read(imu), {0, kG, 0, 0, 0, 0}, 1e-3);
    for (const vtb_sensor sensor : {touch, ground, all}) near(bench.read(sensor), {2 * kG}, 0.05);
    near(bench.read(half), {kG}, 0.05);
    near(bench.read(above), {0}, 0);
  }
}

TEST_CASE(
    "a pendulum's accelerometer reads the reaction of its rod: omega squared l + g cos along it, and across it what is left of gravity") {
  constexpr double kLength = 0.7, kMass = 2, kInertia = 0.02, kSite = 1.1;
  for (const vtb_stepper stepper : kSteppers) {
    INFO("stepper " << stepper);
    Bench bench(stepper, [](vtb_world_def& d) { d.time_step = 1.0 / 2000; });
    const vtb_body rod = bench.body(0, -kLength, kMass);
    const double push[6] = {-2, 0, 0, 0, 2 / kLength, 0};
    vtb_joint_def def;
    vtb_joint_def_init(&def, sizeof def);
    def.body_b = rod;
    def.frame_b[2] = kLength;
    def.axis[0] = 0;
    def.axis[1] = 1;
    vtb_joint hinge;
    REQUIRE(vtb_joint_create(bench.world, &def, &hinge) == VTB_OK);
    REQUIRE(vtb_body_set_twist(bench.world, rod, push, nullptr) == VTB_OK);
    const vtb_sensor imu = bench.sensor(VTB_SENSOR_TYPE_IMU, rod, [](vtb_sensor_def& d) { d.pose[2] = -(kSite - kLength); });
    const vtb_sensor force = bench.forceTorque(hinge), acceleration = bench.sensor(VTB_SENSOR_TYPE_ACCELERATION, rod);
    for (int i = 0; i < 8; i++) {
      bench.step(100);
      double q, v;
      REQUIRE(vtb_joint_get_state(bench.world, hinge, &q, &v) == VTB_OK);
      // Rod along -z of the body, turned by q about y; its angular acceleration by gravity about the hinge.
      const double alpha = -kMass * kG * kLength * std::sin(q) / (kInertia + kMass * kLength * kLength);
      near(bench.read(imu), {-kSite * alpha - kG * std::sin(q), 0, kSite * v * v + kG * std::cos(q), 0, v, 0}, 0.03);
      // The rod's own mass feels the same at its centre; that force goes through the hinge.
      near(bench.read(force), {kMass * (-kLength * alpha - kG * std::sin(q)), 0, kMass * (kLength * v * v + kG * std::cos(q)), 0, 0, 0},
           0.05);
      const std::vector<double> a = bench.read(acceleration);
      CHECK(std::fabs(a[4] - alpha) < 0.03);
    }
  }
}

TEST_CASE("a force-torque sensor reads the weight of a static arm and its moment, at its site and in its axes") {
  for (const vtb_stepper stepper : kSteppers) {
    INFO("stepper " << stepper);
    Bench bench(stepper);
    const vtb_body arm = bench.body(0.5, 0);
    const vtb_joint joint = fixedArm(bench, arm, 0.5);
    const vtb_sensor atJoint = bench.forceTorque(joint), atCentre = bench.forceTorque(joint, [](vtb_sensor_def&d) { d.pose[0] = 0.5; });
    const vtb_sensor turned = bench.forceTorque(joint, turnedAboutX);
    const vtb_sensor world = bench.forceTorque(joint, [](vtb_sensor_def& d) {
      turnedAboutX(d);
      d.axes = VTB_SENSOR_AXES_WORLD;
    });
    near(bench.read(atJoint), {0, 0, 0, 0, 0, 0}, 0);
    bench.step(240);
    const double weight = 2 * kG, moment = -0.5 * weight;  // about y: what holds the arm up turns it upwards
    near(bench.read(atJoint), {0, 0, weight, 0, moment, 0}, 1e-2);
    near(bench.read(atCentre), {0, 0, weight, 0, 0, 0}, 1e-2);
    near(bench.read(turned), {0, weight, 0, 0, 0, -moment}, 1e-2);
    near(bench.read(world), {0, 0, weight, 0, moment, 0}, 1e-2);
  }
}

TEST_CASE("whatever the joint and what holds it: its force and torque are those that move the body") {
  const vtb_joint_type types[] = {VTB_JOINT_TYPE_FIXED,       VTB_JOINT_TYPE_REVOLUTE,  VTB_JOINT_TYPE_PRISMATIC,
                                  VTB_JOINT_TYPE_UNIVERSAL,   VTB_JOINT_TYPE_SPHERICAL, VTB_JOINT_TYPE_PLANAR,
                                  VTB_JOINT_TYPE_CYLINDRICAL, VTB_JOINT_TYPE_SCREW,     VTB_JOINT_TYPE_WHEEL};
  for (const vtb_stepper stepper : kSteppers)
    for (const bool free : {false, true}) {
      if (free && (stepper == VTB_STEPPER_VARIATIONAL || stepper == VTB_STEPPER_ODE)) continue;
      for (const vtb_joint_type type : types) {
        if (stepper == VTB_STEPPER_DISPLACEMENT && type == VTB_JOINT_TYPE_SCREW) continue;  // diverges: known_gaps.md
        for (const bool reversed : {false, true}) {
          INFO("stepper " << stepper << ", free poses " << free << ", joint type " << type << ", reversed " << reversed);
          Bench bench(stepper, [&](vtb_world_def& d) {
            d.time_step = 1.0 / 1000;
            d.joint.stabilisation = VTB_STABILISATION_NONE;
            d.solver.iterations = 500;
            d.solver.tolerance = 1e-12;
            if (free) d.flags |= VTB_WORLD_FLAG_FREE_POSES;
          });
          const vtb_body body = bench.body(0.4, 0);
          vtb_joint_def def;
          vtb_joint_def_init(&def, sizeof def);
          def.type = type;
          (reversed ? def.body_a : def.body_b) = body;
          (reversed ? def.frame_a : def.frame_b)[0] = -0.4;
          def.pitch = 0.1;
          def.axis[0] = 0.6;
          def.axis[1] = 0.8;
          def.axis2[0] = 0.8;
          def.axis2[1] = -0.6;
          vtb_joint joint;
          REQUIRE(vtb_joint_create(bench.world, &def, &joint) == VTB_OK);
          std::int32_t axes = 0;
          REQUIRE(vtb_joint_get_size(bench.world, joint, nullptr, &axes) == VTB_OK);
          for (int k = 0; k < axes; k++) {
            vtb_axis_def axis;
            REQUIRE(vtb_axis_def_init(&axis, sizeof axis) == VTB_OK);
            axis.stiffness = 20 + 10 * k;
            axis.damping = 1;
            REQUIRE(vtb_joint_set_axis(bench.world, joint, k, &axis) == VTB_OK);
          }
          const vtb_sensor load = bench.forceTorque(joint, [&](vtb_sensor_def& d) {
            d.axes = VTB_SENSOR_AXES_WORLD;
            d.pose[0] = reversed ? 0 : 0.4;  // at the centre of mass where it moves with it
          });
          const vtb_sensor imu = bench.sensor(VTB_SENSOR_TYPE_IMU, body, [](vtb_sensor_def& d) { d.axes = VTB_SENSOR_AXES_WORLD; });
          const vtb_sensor acceleration = bench.sensor(VTB_SENSOR_TYPE_ACCELERATION, body);
          bench.step(40);
          const std::vector<double> f = bench.read(load), a = bench.read(imu), turn = bench.read(acceleration);
          const double side = reversed ? -1 : 1, bound = stepper == VTB_STEPPER_DISPLACEMENT || stepper == VTB_STEPPER_ODE ? 0.05 : 1e-3;
          near({f[0], f[1], f[2]}, {side * 2 * a[0], side * 2 * a[1], side * 2 * a[2]}, bound);
          if (reversed) continue;  // about the joint's frame in the world, from where the arm is long
          // All moments are equal: the torque about the centre is 0.02 times the angular acceleration, in any axes.
          const double square = turn[3] * turn[3] + turn[4] * turn[4] + turn[5] * turn[5];
          CHECK(std::fabs(std::sqrt(f[3] * f[3] + f[4] * f[4] + f[5] * f[5]) - 0.02 * std::sqrt(square)) < bound);
        }
      }
    }
}

TEST_CASE("what sleeps reads on: gravity, its weight, no motion") {
  Bench bench(VTB_STEPPER_IMPULSE, [](vtb_world_def& d) { d.flags = 0; });
  const vtb_body box = bench.box(0.2);
  const vtb_body arm = bench.body(3.5, 0);
  const vtb_sensor imu = bench.sensor(VTB_SENSOR_TYPE_IMU, box), touch = bench.sensor(VTB_SENSOR_TYPE_TOUCH, box);
  const vtb_sensor load = bench.forceTorque(fixedArm(bench, arm, 0.5));
  bench.step(480);
  std::int32_t awake = 1;
  REQUIRE(vtb_body_get_awake(bench.world, box, &awake) == VTB_OK);
  REQUIRE(awake == 0);
  near(bench.read(imu), {0, 0, kG, 0, 0, 0}, 1e-9);
  near(bench.read(touch), {2 * kG}, 1e-3);
  near(bench.read(load), {0, 0, 2 * kG, 0, -kG, 0}, 1e-9);
}

TEST_CASE("forces and impulses that are given for one step are no load of the joint, and arrive in the sensor of the joint above") {
  Bench bench;
  const vtb_body upper = bench.body(0.5, 0), lower = bench.body(1.5, 0);
  const vtb_joint first = fixedArm(bench, upper, 0.5);
  vtb_joint_def def;
  vtb_joint_def_init(&def, sizeof def);
  def.type = VTB_JOINT_TYPE_FIXED;
  def.body_a = upper;
  def.body_b = lower;
  def.frame_a[0] = 0.5;
  def.frame_b[0] = -0.5;
  vtb_joint second;
  REQUIRE(vtb_joint_create(bench.world, &def, &second) == VTB_OK);
  const vtb_sensor near1 = bench.forceTorque(first), near2 = bench.forceTorque(second);
  const double push[3] = {0, 7, 0}, impulse[3] = {0, 0, 0.5};
  REQUIRE(vtb_body_add_force(bench.world, lower, push, nullptr, VTB_DURATION_ONE_STEP) == VTB_OK);
  REQUIRE(vtb_body_add_impulse(bench.world, upper, impulse, nullptr) == VTB_OK);
  bench.step(1);
  const double weight = 2 * kG, blow = 0.5 * 240;
  near(bench.read(near2), {0, -7, weight, 0, -0.5 * weight, -0.5 * 7}, 1e-6);
  near(bench.read(near1), {0, -7, 2 * weight - blow, 0, -0.5 * weight - 1.5 * weight + 0.5 * blow, -1.5 * 7}, 1e-6);
  vtb_joint_forces told;
  told.struct_size = sizeof told;
  REQUIRE(vtb_joint_get_forces(bench.world, first, &told) == VTB_OK);
  CHECK(std::fabs(told.force[2] - (2 * weight - blow)) < 1e-6);
  bench.step(1);
  near(bench.read(near1), {0, 0, 2 * weight, 0, -2 * weight, 0}, 1e-6);
}

TEST_CASE("a body that is moved by prescription: what carries a sensor round in a circle") {
  for (const vtb_stepper stepper : kSteppers) {
    INFO("stepper " << stepper);
    Bench bench(stepper, [](vtb_world_def& d) { d.gravity[2] = 0; });
    const vtb_body table = bench.body(0, 0, 1, VTB_BODY_KIND_KINEMATIC);
    const double spin[6] = {0, 0, 0, 0, 0, 2}, faster[6] = {0.24, 0, 0, 0, 0, 2};
    REQUIRE(vtb_body_set_twist(bench.world, table, spin, nullptr) == VTB_OK);
    const vtb_sensor imu = bench.sensor(VTB_SENSOR_TYPE_IMU, table, [](vtb_sensor_def& d) { d.pose[0] = 0.5; });
    const vtb_sensor acceleration =
        bench.sensor(VTB_SENSOR_TYPE_ACCELERATION, table, [](vtb_sensor_def& d) { d.axes = VTB_SENSOR_AXES_WORLD; });
    bench.step(5);
    near(bench.read(imu), {-4 * 0.5, 0, 0, 0, 0, 2}, 1e-9);
    REQUIRE(vtb_body_set_twist(bench.world, table, faster, nullptr) == VTB_OK);
    bench.step(1);
    near(bench.read(acceleration), {0.24 * 240, 0, 0, 0, 0, 0}, 1e-6);
    bench.step(1);
    near(bench.read(acceleration), {0, 0, 0, 0, 0, 0}, 1e-9);
  }
}

TEST_CASE("sensors read the present until a step samples them, keep what they read whatever is edited, and continue from a snapshot") {
  for (const vtb_stepper stepper : kSteppers) {
    INFO("stepper " << stepper);
    Bench bench(stepper);
    const vtb_body box = bench.box(0.3);
    const vtb_sensor pose = bench.sensor(VTB_SENSOR_TYPE_POSE, box, [](vtb_sensor_def& d) { d.pose[1] = 0.1; });
    const vtb_sensor touch = bench.sensor(VTB_SENSOR_TYPE_TOUCH, box), imu = bench.sensor(VTB_SENSOR_TYPE_IMU, box);
    near(bench.read(pose), {0, 0.1, 0.3, 0, 0, 0, 1}, 1e-12);
    const double higher[7] = {1, 0, 0.25, 0, 0, 0, 1}, elsewhere[7] = {9, 9, 9, 0, 0, 0, 1};
    REQUIRE(vtb_body_set_pose(bench.world, box, higher, nullptr) == VTB_OK);
    near(bench.read(pose), {1, 0.1, 0.25, 0, 0, 0, 1}, 1e-12);
    const std::vector<unsigned char> fresh = bench.saved();
    bench.step(30);
    const std::vector<double> readings[] = {bench.read(pose), bench.read(touch), bench.read(imu)};
    const std::vector<unsigned char> bytes = bench.saved();
    const std::size_t size = bytes.size();
    REQUIRE(vtb_body_set_pose(bench.world, box, elsewhere, nullptr) == VTB_OK);
    CHECK(bench.read(pose) == readings[0]);
    bench.step(3);
    CHECK(bench.read(pose) != readings[0]);
    REQUIRE(vtb_world_restore(bench.world, bytes.data(), size) == VTB_OK);
    CHECK(bench.read(pose) == readings[0]);
    CHECK(bench.read(touch) == readings[1]);
    CHECK(bench.read(imu) == readings[2]);
    REQUIRE(vtb_world_restore(bench.world, fresh.data(), fresh.size()) == VTB_OK);  // as if no step had been made
    near(bench.read(pose), {1, 0.1, 0.25, 0, 0, 0, 1}, 1e-12);
    near(bench.read(touch), {0}, 0);
    REQUIRE(vtb_world_restore(bench.world, bytes.data(), size) == VTB_OK);
    std::vector<double> all(16, -1);
    std::size_t total = 0;
    REQUIRE(vtb_world_get_sensor_values(bench.world, all.data(), all.size(), &total) == VTB_OK);
    CHECK(total == 14);
    CHECK(all[7] == readings[1][0]);
    CHECK(all[8] == readings[2][0]);
    CHECK(all[14] == -1);
    // Another sensor: the snapshot is of another world.
    bench.sensor(VTB_SENSOR_TYPE_POSE, box);
    CHECK(vtb_world_restore(bench.world, bytes.data(), size) == VTB_E_ARG);
  }
}

TEST_CASE("a scene holds its sensors, with their readings, and goes on as the world it was saved from") {
  const char* text =
      "<scene><plane/><body name='box' position='0 0 0.5' mass='2'><box half_extents='0.2 0.2 0.2'/></body>"
      "<body name='arm' position='3 0 1' mass='1'><sphere radius='0.1'/></body><joint name='post' type='fixed' b='arm' position='2.5 0 1'/>"
      "<sensor name='eye' type='pose' body='box' position='0.1 0 0'/>"
      "<sensor name='skin' type='touch' body='box' region='box' size='1 1 1'/>"
      "<sensor name='load' type='force_torque' joint='post' axes='world'/><sensor name='mark' type='pose' position='1 2 3'/></scene>";
  vtb_scene* scene = nullptr;
  REQUIRE(vtb_scene_parse(text, std::char_traits<char>::length(text), "s.xml", nullptr, &scene) == VTB_OK);
  vtb_world* world = nullptr;
  REQUIRE(vtb_scene_create_world(scene, nullptr, &world) == VTB_OK);
  vtb_sensor load, mark;
  REQUIRE(vtb_world_find_sensor(world, "load", &load) == VTB_OK);
  REQUIRE(vtb_world_find_sensor(world, "mark", &mark) == VTB_OK);
  vtb_sensor_def def;
  vtb_sensor_def_init(&def, sizeof def);
  REQUIRE(vtb_sensor_get_def(world, load, &def) == VTB_OK);
  CHECK(def.type == VTB_SENSOR_TYPE_FORCE_TORQUE);
  CHECK(def.axes == VTB_SENSOR_AXES_WORLD);
  CHECK(def.joint.bits != 0);
  def.axes = VTB_SENSOR_AXES_SITE;
  def.pose[0] = 0.5;
  vtb_sensor made;
  REQUIRE(vtb_sensor_create(world, &def, &made) == VTB_OK);
  REQUIRE(vtb_world_set_name(world, VTB_NAMED_SENSOR, made.bits, "made") == VTB_OK);
  REQUIRE(vtb_world_step(world, 120) == VTB_OK);
  const auto values = [](vtb_world* of) {
    std::vector<double> all(64);
    std::size_t total = 0;
    REQUIRE(vtb_world_get_sensor_values(of, all.data(), all.size(), &total) == VTB_OK);
    all.resize(total);
    return all;
  };
  std::size_t needed = 0;
  REQUIRE(vtb_world_write_scene(world, nullptr, 0, &needed) == VTB_OK);
  std::vector<char> saved(needed);
  REQUIRE(vtb_world_write_scene(world, saved.data(), needed, &needed) == VTB_OK);
  vtb_scene* again = nullptr;
  REQUIRE(vtb_scene_parse(saved.data(), needed - 1, "t.xml", nullptr, &again) == VTB_OK);
  vtb_world* copy = nullptr;
  REQUIRE(vtb_scene_create_world(again, nullptr, &copy) == VTB_OK);
  const std::vector<double> then = values(world);
  CHECK(then.size() == 7 + 1 + 6 + 7 + 6);
  CHECK(values(copy) == then);
  CHECK(std::fabs(then[7] - 2 * kG) < 0.5);
  CHECK(std::fabs(then[7 + 1 + 2] - kG) < 1e-6);
  CHECK(then[7 + 1 + 6 + 1] == 2);  // the fixed mark
  REQUIRE(vtb_world_find_sensor(copy, "made", &made) == VTB_OK);
  REQUIRE(vtb_world_step(world, 10) == VTB_OK);
  REQUIRE(vtb_world_step(copy, 10) == VTB_OK);
  CHECK(values(copy) == values(world));
  // Added at another place, what is fixed goes along; a scene that is refused leaves none behind.
  const double aside[7] = {10, 0, 0, 0, 0, 0, 1};
  REQUIRE(vtb_scene_add(scene, copy, "b.", aside) == VTB_OK);
  REQUIRE(vtb_world_find_sensor(copy, "b.mark", &mark) == VTB_OK);
  double pose[7];
  REQUIRE(vtb_sensor_get_values(copy, mark, pose, 7, &needed) == VTB_OK);
  CHECK(pose[0] == 11);
  std::uint64_t before = 0, after = 0;
  REQUIRE(vtb_world_get_hash(copy, &before) == VTB_OK);
  CHECK(vtb_scene_add(scene, copy, "b.", nullptr) == VTB_E_ARG);
  REQUIRE(vtb_world_get_hash(copy, &after) == VTB_OK);
  CHECK(after == before);  // names that are taken are found before anything is made
  std::size_t total = 0;
  REQUIRE(vtb_world_get_sensors(copy, nullptr, 0, &total) == VTB_OK);
  CHECK(total == 5 + 4);
  vtb_world_destroy(copy);
  vtb_world_destroy(world);
  vtb_scene_release(again);
  vtb_scene_release(scene);
}

TEST_CASE("a sensor goes with its body or joint, and what cannot be read is refused by name") {
  Bench bench;
  const vtb_body arm = bench.body(0.5, 0);
  const vtb_joint joint = fixedArm(bench, arm, 0.5);
  const vtb_sensor onBody = bench.sensor(VTB_SENSOR_TYPE_POSE, arm), onJoint = bench.forceTorque(joint),
                   onWorld = bench.sensor(VTB_SENSOR_TYPE_POSE, vtb_body{0});
  std::size_t total = 0;
  REQUIRE(vtb_joint_destroy(bench.world, joint) == VTB_OK);
  CHECK(vtb_sensor_get_values(bench.world, onJoint, nullptr, 0, &total) == VTB_E_STALE);
  CHECK(vtb_sensor_get_values(bench.world, onBody, nullptr, 0, &total) == VTB_OK);
  const vtb_joint next = fixedArm(bench, arm, 0.5);
  const vtb_sensor onNext = bench.forceTorque(next);
  REQUIRE(vtb_body_destroy(bench.world, arm) == VTB_OK);
  CHECK(vtb_sensor_get_values(bench.world, onBody, nullptr, 0, &total) == VTB_E_STALE);
  CHECK(vtb_sensor_get_values(bench.world, onNext, nullptr, 0, &total) == VTB_E_STALE);
  CHECK(vtb_sensor_get_values(bench.world, onWorld, nullptr, 0, &total) == VTB_OK);
  bench.step(1);
  REQUIRE(vtb_world_get_sensors(bench.world, nullptr, 0, &total) == VTB_OK);
  CHECK(total == 1);

  const vtb_body body = bench.body(0, 0);
  const auto refused = [&](const std::function<void(vtb_sensor_def&)>& change, const char* why, vtb_status status = VTB_E_ARG) {
    vtb_sensor_def def;
    vtb_sensor_def_init(&def, sizeof def);
    def.body = body;
    change(def);
    vtb_sensor made{7};
    CHECK(vtb_sensor_create(bench.world, &def, &made) == status);
    CHECK(made.bits == 7);
    INFO(vtb_last_error());
    CHECK(std::string(vtb_last_error()).find(why) != std::string::npos);
  };
  vtb_joint_def rotor;
  vtb_joint_def_init(&rotor, sizeof rotor);
  rotor.type = VTB_JOINT_TYPE_ROTOR;
  vtb_joint shaft;
  REQUIRE(vtb_joint_create(bench.world, &rotor, &shaft) == VTB_OK);
  const vtb_joint hold = fixedArm(bench, body, 0.5);
  refused([](vtb_sensor_def& d) { d.type = VTB_SENSOR_TYPE_FORCE_TORQUE; }, "needs a joint");
  refused([&](vtb_sensor_def& d) { d.joint = hold; }, "only a sensor of type force_torque");
  refused([&](vtb_sensor_def& d) { d.type = VTB_SENSOR_TYPE_FORCE_TORQUE, d.joint = hold; }, "no body");
  refused([&](vtb_sensor_def& d) { d.type = VTB_SENSOR_TYPE_FORCE_TORQUE, d.joint = shaft, d.body.bits = 0; }, "rotor", VTB_E_UNSUPPORTED);
  refused([](vtb_sensor_def& d) { d.region = VTB_SENSOR_REGION_BOX; }, "region");
  refused([](vtb_sensor_def& d) { d.type = VTB_SENSOR_TYPE_TOUCH, d.region = VTB_SENSOR_REGION_SPHERE; }, "size");
  refused([](vtb_sensor_def& d) { d.size[1] = -1; }, "size");
  refused([](vtb_sensor_def& d) { d.type = static_cast<vtb_sensor_type>(6); }, "type");
  refused([](vtb_sensor_def& d) { d.pose[3] = d.pose[6] = 0; }, "pose");
  refused([&](vtb_sensor_def& d) { d.body.bits = arm.bits; }, "no longer exists", VTB_E_STALE);
}

TEST_CASE("a joint that broke bears nothing") {
  Bench bench;
  const vtb_body arm = bench.body(0.5, 0);
  vtb_joint_def def;
  vtb_joint_def_init(&def, sizeof def);
  def.type = VTB_JOINT_TYPE_FIXED;
  def.body_b = arm;
  def.as_they_stand = 1;
  def.breaking.force = 5;
  vtb_joint joint;
  REQUIRE(vtb_joint_create(bench.world, &def, &joint) == VTB_OK);
  const vtb_sensor load = bench.forceTorque(joint);
  bench.step(1);
  CHECK(std::fabs(bench.read(load)[2] - 2 * kG) < 1e-6);  // in the step that broke it
  bench.step(1);
  near(bench.read(load), {0, 0, 0, 0, 0, 0}, 0);
}
