// Calls that a careful program would not make: what is refused changes nothing, and what is accepted goes on with numbers.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <vertebra/vertebra.h>

#include "tests/support.hpp"

namespace {

template <class T>
T made(vtb_status (*init)(T*, uint32_t)) {
  T def;
  REQUIRE(init(&def, sizeof def) == VTB_OK);
  return def;
}

struct World {
  explicit World(const vtb_world_def& def = made(vtb_world_def_init)) { REQUIRE(vtb_world_create(&def, &world) == VTB_OK); }
  ~World() { vtb_world_destroy(world); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  operator vtb_world*() const { return world; }

  std::uint64_t hash() const {
    std::uint64_t hash = 0;
    REQUIRE(vtb_world_get_hash(world, &hash) == VTB_OK);
    return hash;
  }
  std::vector<char> saved() const {
    std::size_t size = 0;
    REQUIRE(vtb_world_save(world, nullptr, 0, &size) == VTB_OK);
    std::vector<char> bytes(size);
    REQUIRE(vtb_world_save(world, bytes.data(), size, &size) == VTB_OK);
    return bytes;
  }
  void shape(vtb_body body, const vtb_shape_def& def) const {
    vtb_shape shape;
    REQUIRE(vtb_shape_create(world, body, &def, &shape) == VTB_OK);
  }
  vtb_body body(const vtb_body_def& def) const {
    vtb_body body;
    REQUIRE(vtb_body_create(world, &def, &body) == VTB_OK);
    return body;
  }
  vtb_body box(double x, double z) const {
    const double pose[7] = {x, 0, z, 0, 0, 0, 1}, half[3] = {0.1, 0.1, 0.1};
    vtb_body body;
    REQUIRE(vtb_make_box(world, pose, half, 1, &body) == VTB_OK);
    return body;
  }

  vtb_world* world = nullptr;
};

bool finitePoses(const vtb_world* world) {
  std::size_t count = 0;
  REQUIRE(vtb_world_get_poses(world, nullptr, 0, 0, &count) == VTB_OK);
  std::vector<double> poses(7 * count), twists(6 * count);
  REQUIRE(vtb_world_get_poses(world, poses.data(), count, 0, &count) == VTB_OK);
  REQUIRE(vtb_world_get_twists(world, twists.data(), count, 0, &count) == VTB_OK);
  bool good = true;
  for (double x : poses) good = good && std::isfinite(x);
  for (double x : twists) good = good && std::isfinite(x);
  return good;
}

const std::vector<double> kCorners = {-0.1, -0.1, -0.1, 0.1, -0.1, -0.1, -0.1, 0.1, -0.1, 0.1, 0.1, -0.1,
                                      -0.1, -0.1, 0.1,  0.1, -0.1, 0.1,  -0.1, 0.1, 0.1,  0.1, 0.1, 0.1};
const std::vector<std::uint32_t> kFaces = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                           2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

vtb_shape_def surfaceMesh() {
  vtb_shape_def def = made(vtb_shape_def_init);
  def.type = VTB_SHAPE_TYPE_MESH;
  def.geometry.points = kCorners.data();
  def.geometry.point_count = 8;
  def.geometry.triangles = kFaces.data();
  def.geometry.triangle_count = 12;
  return def;
}

}  // namespace

TEST_CASE("a fast surface passes planes, heightfields and other surfaces that are on moving or resting bodies", "[hostile]") {
  for (vtb_body_kind kind : {VTB_BODY_KIND_STATIC, VTB_BODY_KIND_KINEMATIC, VTB_BODY_KIND_DYNAMIC})
    for (vtb_shape_type type : {VTB_SHAPE_TYPE_PLANE, VTB_SHAPE_TYPE_HEIGHTFIELD, VTB_SHAPE_TYPE_MESH})
      for (bool first : {true, false}) {
        if (kind == VTB_BODY_KIND_DYNAMIC && type != VTB_SHAPE_TYPE_MESH) continue;  // they are for bodies that do not fall
        const World world;
        vtb_body_def fast = made(vtb_body_def_init), other = fast;
        fast.pose[2] = 1;
        fast.twist[2] = -500;
        other.kind = kind;
        vtb_shape_def shape = type == VTB_SHAPE_TYPE_MESH ? surfaceMesh() : made(vtb_shape_def_init);
        shape.type = type;
        shape.size[0] = shape.size[1] = shape.size[2] = 0.5;
        const double heights[4] = {0, 0, 0, 0};
        shape.geometry.heights = heights;
        if (type == VTB_SHAPE_TYPE_HEIGHTFIELD) shape.geometry.height_rows = shape.geometry.height_columns = 2;
        if (!first) world.shape(world.body(other), shape);
        world.shape(world.body(fast), surfaceMesh());
        if (first) world.shape(world.body(other), shape);
        REQUIRE(vtb_world_step(world, 3) == VTB_OK);
        CHECK(finitePoses(world));
      }
}

TEST_CASE("a stiff implicit field forgets the bodies that are destroyed", "[hostile]") {
  const World world;
  std::vector<vtb_body> bodies;
  for (int i = 0; i < 40; i++) bodies.push_back(world.box(i, 0));
  vtb_field_def def = made(vtb_field_def_init);
  def.type = VTB_FIELD_TYPE_USER;
  def.implicit = 1;
  def.user.evaluate = [](void*, const vtb_world* w, vtb_field, vtb_body body, double* force, double*) {
    double pose[7];
    if (vtb_body_get_pose(w, body, pose) != VTB_OK) return 0;
    for (int k = 0; k < 3; k++) force[k] -= 1e6 * pose[k];
    return 1;
  };
  vtb_field field;
  REQUIRE(vtb_field_create(world, &def, &field) == VTB_OK);
  REQUIRE(vtb_world_step(world, 1) == VTB_OK);
  for (int i = 0; i < 39; i++) REQUIRE(vtb_body_destroy(world, bodies[i]) == VTB_OK);
  REQUIRE(vtb_world_step(world, 1) == VTB_OK);
  REQUIRE(vtb_field_destroy(world, field) == VTB_OK);
  REQUIRE(vtb_world_step(world, 1) == VTB_OK);
  CHECK(finitePoses(world));
}

TEST_CASE("a prescribed motion that leads to no pose is refused by the step, which is undone", "[hostile]") {
  const World world;
  vtb_body_def def = made(vtb_body_def_init);
  def.kind = VTB_BODY_KIND_KINEMATIC;
  const vtb_body body = world.body(def), still = world.box(1, 0);
  (void)still;
  REQUIRE(vtb_world_step(world, 1) == VTB_OK);
  const double spin[6] = {0, 0, 0, 0, 0, 1e200}, flight[6] = {1e308, 1e308, 0, 0, 0, 0}, none[6] = {};
  for (const double* twist : {spin, flight}) CHECK(vtb_body_set_twist(world, body, twist, nullptr) == VTB_E_ARG);
  const double fastest[6] = {1e100, 0, 0, 0, 0, 1e100}, far[7] = {1e100, 0, 0, 0, 0, 0, 1};
  for (bool moved : {false, true}) {
    double time = 0, after = 0;
    REQUIRE(vtb_world_get_time(world, &time) == VTB_OK);
    REQUIRE((moved ? vtb_body_move_to(world, body, far, 1e-300) : vtb_body_set_twist(world, body, fastest, nullptr)) == VTB_OK);
    const std::uint64_t before = world.hash();
    vtb_status status = VTB_OK;
    for (int i = 0; i < 100 && status == VTB_OK; i++) status = vtb_world_step(world, 1);
    if (moved) {
      CHECK(status == VTB_E_DIVERGED);
      CHECK(world.hash() == before);
    }
    CHECK(finitePoses(world));
    REQUIRE(vtb_body_set_twist(world, body, none, nullptr) == VTB_OK);
    REQUIRE(vtb_world_step(world, 1) == VTB_OK);
    REQUIRE(vtb_world_get_time(world, &after) == VTB_OK);
    CHECK(after > time);
  }
}

TEST_CASE("a speed that was cut is told to the log and counted, and the step is good", "[hostile]") {
  struct Told {
    int times = 0;
    vtb_status code = VTB_E_INTERNAL;
    std::string text;
  } told;
  vtb_world_def def = made(vtb_world_def_init);
  def.callbacks.user = &told;
  def.callbacks.log = [](void* user, vtb_status code, const char* text) {
    Told& to = *static_cast<Told*>(user);
    to.times++;
    to.code = code;
    to.text = text;
  };
  const World world(def);
  const vtb_body body = world.box(0, 1);
  const double fast[6] = {0, 0, 0, 0, 0, 5000};
  REQUIRE(vtb_world_step(world, 1) == VTB_OK);
  CHECK(told.times == 0);
  REQUIRE(vtb_body_set_twist(world, body, fast, nullptr) == VTB_OK);
  REQUIRE(vtb_world_step(world, 1) == VTB_OK);
  vtb_world_stats stats{};
  stats.struct_size = sizeof stats;
  REQUIRE(vtb_world_get_stats(world, &stats) == VTB_OK);
  CHECK(stats.capped == 1);
  CHECK(told.times == 1);
  CHECK(told.code == VTB_OK);
  CHECK(told.text.find("1 bodies or figures slowed down") != std::string::npos);
}

TEST_CASE("a snapshot with a broken joint is refused by a world of other topology, which stays as it is", "[hostile]") {
  const World broken, other;
  for (const World* world : {&broken, &other}) {
    vtb_body last{0};
    for (int i = 0; i < 4; i++) {
      const vtb_body next = world->box(0.3 * i, 1);
      vtb_joint_def def = made(vtb_joint_def_init);
      def.body_a = last;
      def.body_b = next;
      def.as_they_stand = 1;
      def.breaking.force = world == &broken ? 0.5 : 1e6;
      vtb_joint joint;
      REQUIRE(vtb_joint_create(*world, &def, &joint) == VTB_OK);
      last = next;
    }
    if (world == &other) (void)world->box(5, 0.1);
    REQUIRE(vtb_world_step(*world, 10) == VTB_OK);
  }
  const std::vector<char> bytes = broken.saved();
  const std::uint64_t before = other.hash();
  CHECK(vtb_world_restore(other, bytes.data(), bytes.size()) == VTB_E_ARG);
  CHECK(other.hash() == before);
}

TEST_CASE("a joint without coordinates of its own refuses them, and the world stays as it is", "[hostile]") {
  for (vtb_stepper stepper : {VTB_STEPPER_IMPULSE, VTB_STEPPER_DISPLACEMENT}) {
    vtb_world_def settings = made(vtb_world_def_init);
    settings.stepper = stepper;
    settings.flags = VTB_WORLD_FLAG_FREE_POSES;
    const World world(settings);
    const vtb_body a = world.box(0, 0), b = world.box(0.5, 0.1);
    const double start[3] = {0, 0, 0}, middle[3] = {0.2, 0, 0}, end[3] = {0.5, 0, 0}, axis[3] = {0, 1, 0};
    vtb_joint first, second, closing;
    REQUIRE(vtb_make_hinge(world, vtb_body{0}, a, start, axis, &first) == VTB_OK);
    REQUIRE(vtb_make_hinge(world, a, b, middle, axis, &second) == VTB_OK);
    REQUIRE(vtb_make_hinge(world, vtb_body{0}, b, end, axis, &closing) == VTB_OK);
    const double twist[6] = {1, 0, 0, 1, 2, 3};
    REQUIRE(vtb_body_set_twist(world, world.box(5, 0), twist, nullptr) == VTB_OK);
    const double q = 0.1;
    int refused = 0;
    for (vtb_joint joint : {first, second, closing}) {
      REQUIRE(vtb_world_step(world, 5) == VTB_OK);
      const std::uint64_t before = world.hash();
      if (vtb_joint_set_state(world, joint, &q, nullptr) == VTB_OK) continue;
      CHECK(world.hash() == before);
      refused++;
    }
    CHECK(refused == 1);
  }
}

TEST_CASE("a static body has no velocity, so that a written scene can be read", "[hostile]") {
  const World world;
  vtb_body_def def = made(vtb_body_def_init);
  def.kind = VTB_BODY_KIND_STATIC;
  def.twist[4] = 1;
  vtb_body body{7};
  CHECK(vtb_body_create(world, &def, &body) == VTB_E_ARG);
  CHECK(body.bits == 7);
  def.kind = VTB_BODY_KIND_KINEMATIC;
  body = world.body(def);
  REQUIRE(vtb_body_set_kind(world, body, VTB_BODY_KIND_STATIC) == VTB_OK);
  std::size_t size = 0;
  REQUIRE(vtb_world_write_scene(world, nullptr, 0, &size) == VTB_OK);
  std::string text(size, ' ');
  REQUIRE(vtb_world_write_scene(world, text.data(), size, &size) == VTB_OK);
  vtb_scene* scene = nullptr;
  vtb_world* again = nullptr;
  REQUIRE(vtb_scene_parse(text.data(), size - 1, "written.xml", nullptr, &scene) == VTB_OK);
  CHECK(vtb_scene_create_world(scene, nullptr, &again) == VTB_OK);
  CHECK(vtb_world_destroy(again) == VTB_OK);
  CHECK(vtb_scene_release(scene) == VTB_OK);
}

TEST_CASE("places so far out that sums of them are no numbers are refused", "[hostile]") {
  const World world;
  vtb_body body{7};
  vtb_body_def def = made(vtb_body_def_init);
  def.com[0] = -1.7e308;
  CHECK(vtb_body_create(world, &def, &body) == VTB_E_ARG);
  CHECK(std::string(vtb_last_error()).find("com") != std::string::npos);
  def = made(vtb_body_def_init);
  def.pose[1] = 1.7e308;
  CHECK(vtb_body_create(world, &def, &body) == VTB_E_ARG);
  CHECK(std::string(vtb_last_error()).find("pose[1]") != std::string::npos);
  CHECK(body.bits == 7);
  def.pose[1] = 0;
  body = world.body(def);
  const double com[3] = {0, 0, 1e200}, inertia[6] = {1, 0, 0, 1, 0, 1};
  CHECK(vtb_body_set_mass(world, body, 1, com, inertia) == VTB_E_ARG);
  def.twist[3] = 1e200;
  CHECK(vtb_body_create(world, &def, &body) == VTB_E_ARG);
  CHECK(std::string(vtb_last_error()).find("twist[3]") != std::string::npos);
  // And of calls.
  const double far[7] = {0, 1e308, 0, 0, 0, 0, 1}, here[7] = {0, 0, 0, 0, 0, 0, 1}, fast[6] = {0, 0, 1e200, 0, 0, 0}, q = 1e200;
  vtb_shape_def round = made(vtb_shape_def_init);
  round.size[0] = 0.1;
  vtb_shape shape;
  REQUIRE(vtb_shape_create(world, body, &round, &shape) == VTB_OK);
  vtb_joint_def motor = made(vtb_joint_def_init), slider = motor;
  motor.type = VTB_JOINT_TYPE_MOTOR;
  motor.body_b = world.box(3, 0);
  slider.type = VTB_JOINT_TYPE_PRISMATIC;
  slider.body_b = world.box(4, 0);
  vtb_joint driven, sliding;
  REQUIRE(vtb_joint_create(world, &motor, &driven) == VTB_OK);
  REQUIRE(vtb_joint_create(world, &slider, &sliding) == VTB_OK);
  REQUIRE(vtb_world_step(world, 1) == VTB_OK);
  const std::uint64_t before = world.hash();
  double out[7];
  CHECK(vtb_body_set_pose(world, body, far, nullptr) == VTB_E_ARG);
  CHECK(std::string(vtb_last_error()).find("pose[1] must be from -1e100 to 1e100") != std::string::npos);
  CHECK(vtb_body_move_to(world, body, far, 1) == VTB_E_ARG);
  CHECK(vtb_body_set_twist(world, body, fast, nullptr) == VTB_E_ARG);
  CHECK(vtb_shape_set_pose(world, shape, far) == VTB_E_ARG);
  CHECK(vtb_joint_set_target(world, driven, far, nullptr) == VTB_E_ARG);
  CHECK(vtb_joint_set_target(world, driven, here, fast) == VTB_E_ARG);
  CHECK(vtb_joint_set_state(world, sliding, &q, nullptr) == VTB_E_ARG);
  CHECK(vtb_joint_set_state(world, sliding, nullptr, &q) == VTB_E_ARG);
  CHECK(vtb_pose_multiply(far, here, out) == VTB_E_ARG);
  CHECK(world.hash() == before);
  CHECK(vtb_world_step(world, 1) == VTB_OK);
  CHECK(finitePoses(world));
}

TEST_CASE("the state of a figure is set as a whole or not at all", "[hostile]") {
  vtb_skeleton_builder* builder = nullptr;
  REQUIRE(vtb_skeleton_builder_create("s", &builder) == VTB_OK);
  for (const char* name : {"root", "arm", "hand"}) {
    vtb_link_def link = made(vtb_link_def_init);
    link.name = name;
    link.mass = 1;
    for (int k : {0, 3, 5}) link.inertia[k] = 0.01;
    int32_t index = -1;
    REQUIRE(vtb_skeleton_builder_add_link(builder, &link, &index) == VTB_OK);
  }
  for (int i = 0; i < 2; i++) {
    vtb_skeleton_joint_def joint = made(vtb_skeleton_joint_def_init);
    joint.name = i == 0 ? "shoulder" : "wrist";
    joint.type = VTB_JOINT_TYPE_REVOLUTE;
    joint.parent = i;
    joint.child = i + 1;
    joint.parent_frame[0] = 0.3;
    int32_t index = -1;
    REQUIRE(vtb_skeleton_builder_add_joint(builder, &joint, &index) == VTB_OK);
  }
  vtb_skeleton* skeleton = nullptr;
  REQUIRE(vtb_skeleton_builder_finish(builder, 0, &skeleton) == VTB_OK);
  REQUIRE(vtb_skeleton_builder_destroy(builder) == VTB_OK);
  for (bool freePoses : {false, true})
    for (bool rootStands : {false, true}) {
      vtb_world_def settings = made(vtb_world_def_init);
      if (freePoses) settings.flags = VTB_WORLD_FLAG_FREE_POSES;
      const World world(settings);
      vtb_figure figure;
      vtb_figure_def def = made(vtb_figure_def_init);
      def.skeleton = skeleton;
      REQUIRE(vtb_figure_create(world, &def, &figure) == VTB_OK);
      vtb_body root, arm, hand;
      REQUIRE(vtb_figure_get_body(world, figure, 0, &root) == VTB_OK);
      REQUIRE(vtb_figure_get_body(world, figure, 1, &arm) == VTB_OK);
      REQUIRE(vtb_figure_get_body(world, figure, 2, &hand) == VTB_OK);
      std::size_t nq = 0, nv = 0;
      REQUIRE(vtb_figure_get_q(world, figure, nullptr, 0, &nq) == VTB_OK);
      REQUIRE(vtb_figure_get_v(world, figure, nullptr, 0, &nv) == VTB_OK);
      std::vector<double> q(nq, 0.2), v(nv, 0.1);
      for (int k = 3; k < 7; k++) q[static_cast<std::size_t>(k)] = k == 6;
      REQUIRE(vtb_figure_set_state(world, figure, q.data(), v.data()) == VTB_OK);
      // A body that stands takes no velocity; a joint between two of them has no coordinate of its own.
      for (vtb_body body : rootStands ? std::vector{root} : std::vector{arm, hand})
        REQUIRE(vtb_body_set_kind(world, body, VTB_BODY_KIND_STATIC) == VTB_OK);
      REQUIRE(vtb_world_step(world, 3) == VTB_OK);
      const std::uint64_t before = world.hash();
      q[0] = 0.7;
      CHECK(vtb_figure_set_state(world, figure, q.data(), v.data()) == VTB_E_UNSUPPORTED);
      CHECK(world.hash() == before);
      CHECK(vtb_world_step(world, 3) == VTB_OK);
    }
  vtb_skeleton_release(skeleton);
}

TEST_CASE("a link of a skeleton carries no heightfield, so that a figure is made as a whole or not at all", "[hostile]") {
  vtb_skeleton_builder* builder = nullptr;
  REQUIRE(vtb_skeleton_builder_create("s", &builder) == VTB_OK);
  vtb_link_def link = made(vtb_link_def_init);
  link.name = "l";
  int32_t index = -1;
  REQUIRE(vtb_skeleton_builder_add_link(builder, &link, &index) == VTB_OK);
  vtb_shape_def shape = made(vtb_shape_def_init);
  shape.type = VTB_SHAPE_TYPE_HEIGHTFIELD;
  CHECK(vtb_skeleton_builder_add_shape(builder, index, &shape) == VTB_E_ARG);
  CHECK(vtb_skeleton_builder_destroy(builder) == VTB_OK);
}

TEST_CASE("a step that lacks inertia names the body, and puts back the targets of clips", "[hostile]") {
  const char* bvh =
      "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nJOINT knee\n{\n"
      "OFFSET 0 -0.5 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 -0.5 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n"
      "0 1 0 0 0 0 20\n0 1 0 0 0 0 60\n";
  vtb_motion* motion = nullptr;
  REQUIRE(vtb_motion_parse_bvh(bvh, std::strlen(bvh), "two.bvh", nullptr, nullptr, &motion) == VTB_OK);
  vtb_skeleton* skeleton = nullptr;
  REQUIRE(vtb_skeleton_from_motion(motion, nullptr, nullptr, &skeleton) == VTB_OK);
  const World world;
  vtb_figure figure;
  vtb_figure_def def = made(vtb_figure_def_init);
  def.skeleton = skeleton;
  REQUIRE(vtb_figure_create(world, &def, &figure) == VTB_OK);
  REQUIRE(vtb_figure_play(world, figure, motion, 0, 1, 1) == VTB_OK);
  const vtb_body light = world.body([] {
    vtb_body_def d = made(vtb_body_def_init);
    std::fill_n(d.inertia, 6, 0.0);
    d.pose[0] = 5;
    return d;
  }());
  REQUIRE(vtb_world_set_name(world, VTB_NAMED_BODY, light.bits, "feather") == VTB_OK);
  vtb_joint joint;
  REQUIRE(vtb_figure_get_joint(world, figure, 0, &joint) == VTB_OK);
  vtb_motor_def before = made(vtb_motor_def_init), after = before;
  REQUIRE(vtb_joint_get_motor(world, joint, 0, &before) == VTB_OK);
  const std::uint64_t hash = world.hash();
  REQUIRE(vtb_world_step(world, 1) == VTB_E_ARG);
  CHECK(std::string(vtb_last_error()).find("body 'feather'") != std::string::npos);
  REQUIRE(vtb_joint_get_motor(world, joint, 0, &after) == VTB_OK);
  CHECK(after.mode == before.mode);
  CHECK(after.position == before.position);
  CHECK(world.hash() == hash);
  // Once the body has its inertia, the step sets the clip's target.
  const double com[3] = {0, 0, 0}, inertia[6] = {1, 0, 0, 1, 0, 1};
  REQUIRE(vtb_body_set_mass(world, light, 1, com, inertia) == VTB_OK);
  REQUIRE(vtb_world_step(world, 1) == VTB_OK);
  REQUIRE(vtb_joint_get_motor(world, joint, 0, &after) == VTB_OK);
  CHECK(after.mode == VTB_MOTOR_MODE_POSITION);
  vtb_skeleton_release(skeleton);
  vtb_motion_release(motion);
}
