// Worlds made by calls: what a file can express is saved and continues bit for bit, the rest is rejected by name.
#include "tests/scenes/scene.hpp"

using test::require;
using test::Scene;

namespace {

struct Made {
  Made() { require(vtb_world_create(nullptr, &world)); }
  explicit Made(const vtb_world_def& def) { require(vtb_world_create(&def, &world)); }
  ~Made() { vtb_world_destroy(world); }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;

  vtb_body body(double x, double y, double z, double gravityScale = 1) {
    vtb_body_def def;
    vtb_body made;
    require(vtb_body_def_init(&def, sizeof def));
    def.pose[0] = x, def.pose[1] = y, def.pose[2] = z;
    const double turn[4] = {0.1, -0.2, 0.3, std::sqrt(1 - 0.14)};  // of unit length to round-off only
    std::copy_n(turn, 4, def.pose + 3);
    def.mass = 1.0 / 3;
    def.gravity_scale = gravityScale;
    require(vtb_body_create(world, &def, &made));
    return made;
  }
  vtb_shape shape(vtb_body body, vtb_shape_type type, double size, float red, vtb_shape parent = {0}) {
    vtb_shape_def def;
    vtb_shape made;
    require(vtb_shape_def_init(&def, sizeof def));
    def.type = type;
    def.size[0] = def.size[1] = def.size[2] = size;
    def.rgba[0] = red;
    def.parent = parent;
    def.surface.rolling_friction = 1e-3;
    static const double corners[12] = {0.1, 0, 0, -0.1, 0, 0, 0, 0.1, 0.05, 0, -0.03, 0.1};
    if (type == VTB_SHAPE_TYPE_CONVEX) def.geometry.points = corners, def.geometry.point_count = 4;
    require(vtb_shape_create(world, body, &def, &made));
    return made;
  }
  vtb_joint joint(vtb_joint_type type, vtb_body a, vtb_body b) {
    vtb_joint_def def;
    vtb_joint made;
    require(vtb_joint_def_init(&def, sizeof def));
    def.type = type;
    def.body_a = a, def.body_b = b;
    def.axis[0] = 0.6, def.axis[1] = 0.8;
    def.axis2[0] = -0.8, def.axis2[1] = 0.6;
    if (type != VTB_JOINT_TYPE_ROTOR && type != VTB_JOINT_TYPE_DISTANCE) def.as_they_stand = 1;
    static const double curve[9] = {0, 0, 0, 1, 0, 0, 2, 0.5, 0};
    if (type == VTB_JOINT_TYPE_POINT_ON_CURVE) def.curve.points = curve, def.curve.point_count = 3, def.curve.flags = VTB_CURVE_FLAG_SPLINE;
    require(vtb_joint_create(world, &def, &made));
    return made;
  }
  std::string saved() const {
    size_t needed = 0;
    require(vtb_world_write_scene(world, nullptr, 0, &needed));
    std::string text(needed, '\0');
    require(vtb_world_write_scene(world, text.data(), text.size(), &needed));
    text.resize(needed - 1);
    return text;
  }
  std::string refusal() const {
    size_t needed = 0;
    CHECK(vtb_world_write_scene(world, nullptr, 0, &needed) == VTB_E_UNSUPPORTED);
    return vtb_last_error();
  }
  uint64_t hash() const {
    uint64_t h = 0;
    require(vtb_world_get_hash(world, &h));
    return h;
  }

  vtb_world* world = nullptr;
};

void drive(vtb_world* world, vtb_joint joint, int axis, vtb_motor_mode mode, double target) {
  vtb_motor_def motor;
  require(vtb_motor_def_init(&motor, sizeof motor));
  motor.mode = mode;
  motor.position = motor.velocity = target;
  motor.stiffness = 20, motor.damping = 2, motor.max_force = 5;
  require(vtb_joint_set_motor(world, joint, axis, &motor));
}

// Everything that a file can express, created in an order that no file has.
void fill(Made& m) {
  vtb_world* w = m.world;
  m.shape({0}, VTB_SHAPE_TYPE_PLANE, 0, 0.25f);
  const vtb_body light = m.body(0, 0, 1, 0.25);
  m.shape(light, VTB_SHAPE_TYPE_BOX, 0.1, 0.5f);
  const vtb_joint shaft = m.joint(VTB_JOINT_TYPE_ROTOR, {0}, {0});
  m.shape({0}, VTB_SHAPE_TYPE_SPHERE, 0.3, 0.125f);
  const vtb_body ball = m.body(1, 0, 0.5), gem = m.body(2, 0, 0.5);
  m.shape(ball, VTB_SHAPE_TYPE_SPHERE, 0.1, 0.75f, m.shape(ball, VTB_SHAPE_TYPE_COMPOUND, 0, 0));
  m.shape(gem, VTB_SHAPE_TYPE_CONVEX, 0, 1);
  const vtb_joint pin = m.joint(VTB_JOINT_TYPE_REVOLUTE, {0}, light);
  const vtb_joint wheel = m.joint(VTB_JOINT_TYPE_ROTOR, {0}, {0});
  const vtb_body arm = m.body(3, 0, 2), hand = m.body(3, 0, 1.5), bead = m.body(-2, 0, 1), lift = m.body(-4, 0, 1),
                 ghost = m.body(-6, 0, 1);
  const vtb_joint shoulder = m.joint(VTB_JOINT_TYPE_SPHERICAL, {0}, arm);
  m.joint(VTB_JOINT_TYPE_DISTANCE, arm, hand);
  m.joint(VTB_JOINT_TYPE_POINT_ON_CURVE, {0}, bead);
  const vtb_joint six = m.joint(VTB_JOINT_TYPE_MOTOR, {0}, lift);
  require(vtb_body_set_enabled(w, ghost, 0));

  drive(w, pin, 0, VTB_MOTOR_MODE_VELOCITY, 1);
  const double turn[4] = {0.6, 0, 0, 0.8}, omega[3] = {0.1, 0.2, 0.3};
  require(vtb_joint_set_orientation_motor(w, shoulder, turn, omega, 30, 3, 8));
  for (int k = 0; k < 6; k++) drive(w, six, k, VTB_MOTOR_MODE_POSITION, 0);
  const double pose[7] = {0.1, 0.2, 0.3, 0, 0.6, 0, 0.8}, twist[6] = {0.01, 0, 0, 0, 0, 0.02};
  require(vtb_joint_set_target(w, six, pose, twist));
  const double force[3] = {0.5, 0.25, 0}, torque[3] = {0, 0, 0.01}, point[3] = {1, 0, 0.6};
  require(vtb_body_add_force(w, ball, force, point, VTB_DURATION_UNTIL_CLEARED));
  require(vtb_body_add_torque(w, ball, torque, VTB_DURATION_UNTIL_CLEARED));
  require(vtb_world_set_pair_collides(w, ball, gem, 0));
  require(vtb_world_set_pair_collides(w, gem, {0}, 0));

  vtb_driveline_def part;
  vtb_constraint made;
  require(vtb_driveline_def_init(&part, sizeof part));
  const vtb_coupling_term crank{shaft, 0, 0, 1}, both[2] = {{shaft, 0, 0, 1}, {wheel, 0, 0, 1}};
  const double speeds[3] = {0, 100, 200}, throttles[2] = {0, 1}, torques[6] = {0, 0, 0, 20, 30, 10}, ratios[3] = {0, 3, 1.5};
  part.axes = &crank, part.axis_count = 1;
  part.speeds = speeds, part.speed_count = 3, part.throttles = throttles, part.throttle_count = 2, part.torques = torques;
  part.friction[1] = 0.01, part.fuel = 1e-7;
  require(vtb_driveline_create(w, &part, &made));
  vtb_driveline_input input;
  input.struct_size = sizeof input;
  require(vtb_driveline_get_input(w, made, &input));
  input.throttle = 0.6;
  require(vtb_driveline_set_input(w, made, &input));
  require(vtb_driveline_def_init(&part, sizeof part));
  part.type = VTB_DRIVELINE_TYPE_GEARBOX;
  part.axes = both, part.axis_count = 2;
  part.ratios = ratios, part.ratio_count = 3;
  part.max_torque = 40, part.shift_time = 0.2, part.efficiency = 0.95;
  require(vtb_driveline_create(w, &part, &made));
  require(vtb_driveline_get_input(w, made, &input));
  CHECK(input.gear == 0);
  input.gear = 1;
  require(vtb_driveline_set_input(w, made, &input));

  vtb_points_def rope;
  require(vtb_points_def_init(&rope, sizeof rope));
  const vtb_body line[3] = {{0}, hand, ball};
  const double points[9] = {2, 0, 3, 0, 0, 0.1, 0, 0, 0};
  rope.bodies = line, rope.points = points, rope.point_count = 3, rope.upper = 0;
  require(vtb_constraint_create_points(w, &rope, &made));

  vtb_particles_def grains;
  vtb_particles system;
  require(vtb_particles_def_init(&grains, sizeof grains));
  grains.max_count = 60, grains.friction = 0.3, grains.gravity_scale = 0.5;
  require(vtb_particles_create(w, &grains, &system));
  vtb_emitter_def emitter;
  require(vtb_emitter_def_init(&emitter, sizeof emitter));
  emitter.position[2] = 0.5, emitter.direction[0] = 1, emitter.rate = 40, emitter.cone_angle = 0.2, emitter.life = 2, emitter.seed = 77;
  require(vtb_particles_set_emitters(w, system, &emitter, 1, 0));
  vtb_sink_def sink;
  require(vtb_sink_def_init(&sink, sizeof sink));
  sink.type = VTB_SINK_TYPE_SPHERE, sink.size[0] = 0.2, sink.pose[0] = 1;
  require(vtb_particles_set_sinks(w, system, &sink, 1, 0));

  vtb_coupling_def gear;
  vtb_coupling coupling;
  require(vtb_coupling_def_init(&gear, sizeof gear));
  gear.joint_a = pin, gear.joint_b = wheel, gear.ratio = 1.0 / 7, gear.stiffness = 50, gear.damping = 0.5;
  require(vtb_coupling_create(w, &gear, &coupling));
  vtb_field_def wind;
  vtb_field field;
  require(vtb_field_def_init(&wind, sizeof wind));
  wind.type = VTB_FIELD_TYPE_DRAG, wind.drag.linear = 0.05, wind.bodies = &gem, wind.body_count = 1, wind.particles = system,
  wind.drag.wind[1] = 1;
  require(vtb_field_create(w, &wind, &field));
}

}  // namespace

TEST_CASE("a world made by calls: saved at any time it continues bit for bit") {
  Made m;
  fill(m);
  for (const int steps : {0, 100}) {
    if (steps > 0) require(vtb_world_step(m.world, static_cast<uint32_t>(steps)));
    const std::string text = m.saved();
    INFO(text);
    Scene other = Scene::fromText(text);
    REQUIRE(other.hash() == m.hash());
    for (int i = 0; i < 4; i++) {
      require(vtb_world_step(m.world, 60));
      other.step(60);
      REQUIRE(other.hash() == m.hash());
    }
    CHECK(other.saved().size() > 0);
  }
}

TEST_CASE("a world made by calls: its settings are in the elements, too") {
  Made m;
  fill(m);
  require(vtb_world_step(m.world, 30));
  std::string text = m.saved();
  for (const char* words :
       {"<body name=\"body1\"", "gravity_scale=\"0.25\"", "rgba=\"0.5 ", "rgba=\"0.25 ", "<orientation_motor orientation=\"0.6 0 0 0.8\"",
        "velocity=\"0.1 0.2 0.3\" stiffness=\"30\" damping=\"3\" max_force=\"8\"", "<target position=\"0.1 0.2 0.3\"", "spline=\"yes\"",
        "<force body=\"body2\" force=\"0.5 0.25 0\"", "<no_collision a=\"body2\" b=\"body3\"/>", "<no_collision a=\"body3\" b=\"world\"/>",
        "<driveline name=\"part1\" speeds=\"0 100 200\"", "gear=\"1\"", "<points name=\"part3\"", "seed=\"77\"", "<sink type=\"sphere\"",
        "particles=\"particles1\"", "disabled=\"yes\""}) {
    INFO(words);
    CHECK(text.find(words) != std::string::npos);
  }
  // Without the exact state the elements and the numbers in <state> apply, and give the same motion.
  const std::size_t exact = text.find("<exact");
  text.erase(exact, text.find("/>", exact) + 2 - exact);
  Scene other = Scene::fromText(text);
  require(vtb_world_step(m.world, 24));
  other.step(24);
  size_t count = 0;
  std::vector<vtb_body> bodies(20);
  require(vtb_world_get_bodies(m.world, bodies.data(), bodies.size(), &count));
  for (size_t i = 0; i < count; i++) {
    double pose[7];
    require(vtb_body_get_pose(m.world, bodies[i], pose));
    const test::Vector p = other.position("body" + std::to_string(i + 1));
    CHECK(std::hypot(p.x - pose[0], p.y - pose[1], p.z - pose[2]) < 2e-3);
  }
}

// A joint between two links of a figure closes a cycle, and may stand in the tree where one of the figure's own did.
TEST_CASE("a figure of which a joint by calls ties two links is saved and continues bit for bit") {
  for (const std::string type : {"cylindrical", "revolute", "spherical"}) {
    Scene first = Scene::fromText(
        "<scene name=\"tied\"><plane/><figure name=\"walker\" file=\"../motions/walk.bvh\" position=\"0 0 1.1\" orientation=\"90deg 0 "
        "90deg\"/><joint name=\"tie\" type=\"" +
        type + "\" a=\"walker/RightShoulder\" b=\"walker/LeftFoot\" position=\"0.3 0.1 0.6\"/></scene>");
    for (int round = 0; round < 2; round++) {
      INFO("type " << type << ", round " << round);
      Scene again = Scene::fromText(first.saved());
      CHECK(again.hash() == first.hash());
      first.step(30);
      again.step(30);
      CHECK(again.hash() == first.hash());
    }
  }
}

TEST_CASE("a planar world made by calls keeps its planes when it is saved") {
  vtb_world_def def;
  require(vtb_world_def_init(&def, sizeof def));
  def.flags |= VTB_WORLD_FLAG_PLANAR;
  Made m(def);
  m.shape({0}, VTB_SHAPE_TYPE_PLANE, 0, 0);
  const vtb_body disc = m.body(0, 1, 0.5);
  m.shape(disc, VTB_SHAPE_TYPE_SPHERE, 0.1, 1);
  const double push[3] = {0.2, 0, 0};
  require(vtb_body_add_impulse(m.world, disc, push, nullptr));
  require(vtb_world_step(m.world, 100));
  Scene other = Scene::fromText(m.saved());
  REQUIRE(other.hash() == m.hash());
  require(vtb_world_step(m.world, 240));
  other.step(240);
  CHECK(other.hash() == m.hash());
  CHECK(other.position("body1").y == 1);
}

TEST_CASE("saving: things that a file cannot express are refused by name") {
  {
    vtb_world_def def;
    require(vtb_world_def_init(&def, sizeof def));
    def.callbacks.filter = [](void*, const vtb_world*, vtb_body, vtb_body) -> int32_t { return 1; };
    Made m(def);
    CHECK(m.refusal().find("a filter of the caller") != std::string::npos);
  }
  size_t needed = 0;
  vtb_axis_def axis;
  axis.struct_size = sizeof axis;
  {
    Scene s = Scene::fromText(
        "<scene><repeat count='2'><body name='b{i}' mass='1' inertia='1 0 0 1 0 1'/><joint name='j{i}' type='revolute' b='b{i}'/></repeat>"
        "</scene>");
    s.step(3);
    require(vtb_joint_get_axis(s.world(), s.joint("j1"), 0, &axis));
    axis.damping = 0.5;
    require(vtb_joint_set_axis(s.world(), s.joint("j1"), 0, &axis));
    CHECK(vtb_world_write_scene(s.world(), nullptr, 0, &needed) == VTB_E_UNSUPPORTED);
    CHECK(std::string(vtb_last_error()).find("joint 'j1' was changed, but its element is in an include or a repetition") !=
          std::string::npos);
  }
  {
    Scene s("figures.xml");
    const vtb_joint joint = s.joint("arm/joint2");
    require(vtb_joint_get_axis(s.world(), joint, 0, &axis));
    axis.damping += 0.5;
    require(vtb_joint_set_axis(s.world(), joint, 0, &axis));
    CHECK(vtb_world_write_scene(s.world(), nullptr, 0, &needed) == VTB_E_UNSUPPORTED);
    CHECK(std::string(vtb_last_error()).find("a figure, were changed by calls") != std::string::npos);
  }
}

TEST_CASE("saving: references to a destroyed thing go with it; a pair may collide again") {
  Scene s = Scene::fromText(
      "<scene><settings sleep='no'/><body name='a' mass='1' position='0 0 3'><sphere radius='0.1'/><compound><sphere "
      "radius='0.05'/></compound></body>"
      "<body name='b' mass='1' position='1 0 3'><sphere radius='0.1'/><repeat count='2'><sphere radius='0.01'/></repeat><box "
      "half_extents='0.1 0.1 0.1'/><box half_extents='0.2 0.1 0.1'/></body><body name='c' mass='1' position='2 0 3'><sphere "
      "radius='0.1'/></body>"
      "<force body='a' force='1 0 0'/><no_collision a='a' b='b'/><no_collision a='b' b='c'/><field type='drag' bodies='a b' "
      "drag_linear='1'/></scene>");
  require(vtb_body_destroy(s.world(), s.body("a")));
  require(vtb_world_set_pair_collides(s.world(), s.body("c"), s.body("b"), 1));
  s.step(10);
  const std::string text = s.saved();
  INFO(text);
  CHECK(text.find("<force") == std::string::npos);
  CHECK(text.find("<no_collision") == std::string::npos);
  CHECK(text.find("bodies=\"b\"") != std::string::npos);
  Scene other = Scene::fromText(text);
  other.step(20), s.step(20);
  CHECK(other.position("b").z == Approx(s.position("b").z).margin(1e-9));
}
