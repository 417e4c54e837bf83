// What the C ABI promises beyond single calls: structs that grow, texts, lifetimes, independence of the host's floating-point
// environment and locale, worlds that only differ in their handles.
#include <clocale>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <vertebra/vertebra.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif
#include <cfenv>

#include "tests/support.hpp"

namespace {

const std::string kRobot =
    "<robot name='r\xC3\xB6"
    "bot'><link name='a'/><link name='b'><inertial><mass value='1.5'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/>"
    "</inertial></link><joint name='j' type='continuous'><origin xyz='0.125 0 0'/><parent link='a'/><child link='b'/><axis xyz='0 1 0'/>"
    "</joint></robot>";

vtb_skeleton* parse(const std::string& text, vtb_diagnostics** diagnostics = nullptr) {
  vtb_skeleton* skeleton = nullptr;
  REQUIRE(vtb_skeleton_parse_urdf(text.data(), text.size(), "r.urdf", nullptr, diagnostics, &skeleton) == VTB_OK);
  return skeleton;
}

// A world with a ground and a pile of balls and boxes joined in pairs.
vtb_world* pile(
    int bodies, const std::function<void(vtb_world_def&)>& change = [](vtb_world_def&) {}) {
  vtb_world* world = nullptr;
  vtb_world_def def;
  vtb_world_def_init(&def, sizeof def);
  change(def);
  REQUIRE(vtb_world_create(&def, &world) == VTB_OK);
  vtb_shape shape;
  vtb_shape_def plane;
  vtb_shape_def_init(&plane, sizeof plane);
  plane.type = VTB_SHAPE_TYPE_PLANE;
  REQUIRE(vtb_shape_create(world, vtb_body{0}, &plane, &shape) == VTB_OK);
  test::Random random(7);
  vtb_body last{0};
  for (int i = 0; i < bodies; i++) {
    vtb_body_def body;
    vtb_body_def_init(&body, sizeof body);
    body.pose[0] = random.range(-0.3, 0.3);
    body.pose[1] = random.range(-0.3, 0.3);
    body.pose[2] = 0.2 + 0.3 * i;
    vtb_body id;
    REQUIRE(vtb_body_create(world, &body, &id) == VTB_OK);
    vtb_shape_def s;
    vtb_shape_def_init(&s, sizeof s);
    s.type = i % 2 ? VTB_SHAPE_TYPE_BOX : VTB_SHAPE_TYPE_SPHERE;
    s.size[0] = s.size[1] = s.size[2] = 0.1;
    REQUIRE(vtb_shape_create(world, id, &s, &shape) == VTB_OK);
    if (i % 2) {
      vtb_joint_def joint;
      vtb_joint joined;
      vtb_joint_def_init(&joint, sizeof joint);
      joint.body_a = last;
      joint.body_b = id;
      joint.as_they_stand = 1;
      REQUIRE(vtb_joint_create(world, &joint, &joined) == VTB_OK);
    }
    last = id;
  }
  return world;
}

std::uint64_t hashAfter(vtb_world* world, std::uint32_t steps) {
  std::uint64_t hash = 0;
  REQUIRE(vtb_world_step(world, steps) == VTB_OK);
  REQUIRE(vtb_world_get_hash(world, &hash) == VTB_OK);
  REQUIRE(vtb_world_destroy(world) == VTB_OK);
  return hash;
}

}  // namespace

TEST_CASE("a program built with a smaller struct gets defaults for the rest") {
  vtb_world_def def;
  std::memset(&def, 0xff, sizeof def);  // memory beyond the older struct must not be read
  const std::uint32_t older = offsetof(vtb_world_def, substeps);
  REQUIRE(vtb_world_def_init(&def, older) == VTB_OK);
  CHECK(def.time_step == 1.0 / 240);
  CHECK(def.substeps == -1);  // nor written
  vtb_world* world = nullptr;
  REQUIRE(vtb_world_create(&def, &world) == VTB_OK);
  vtb_world_def now;
  now.struct_size = sizeof now;
  REQUIRE(vtb_world_get_settings(world, &now) == VTB_OK);
  CHECK(now.substeps == 1);
  CHECK(now.solver.iterations == 50);

  std::memset(&now, 0x55, sizeof now);  // an older struct is filled up to its end and no further
  now.struct_size = older;
  REQUIRE(vtb_world_get_settings(world, &now) == VTB_OK);
  CHECK(now.time_step == 1.0 / 240);
  CHECK(now.substeps == 0x55555555);
  vtb_world_destroy(world);
}

TEST_CASE("a program built with a larger struct works as long as it sets only fields that this library has") {
  struct Newer {
    vtb_body_def known;
    double added[2];
  } def;
  std::memset(&def, 0xff, sizeof def);
  REQUIRE(vtb_body_def_init(&def.known, sizeof def) == VTB_OK);
  CHECK(def.known.struct_size == sizeof def);
  CHECK(def.added[0] == 0);
  vtb_world* world = nullptr;
  REQUIRE(vtb_world_create(nullptr, &world) == VTB_OK);
  vtb_body body{0};
  CHECK(vtb_body_create(world, &def.known, &body) == VTB_OK);
  def.added[1] = 1;
  CHECK(vtb_body_create(world, &def.known, &body) == VTB_E_ARG);
  CHECK(std::string(vtb_last_error()).find(vtb_version()) != std::string::npos);
  vtb_world_destroy(world);
}

TEST_CASE("error texts name function and value, stay valid over calls that succeed, and are cut at characters") {
  vtb_skeleton* robot = parse(kRobot);
  vtb_link_info link;
  link.struct_size = sizeof link;
  REQUIRE(vtb_skeleton_get_link(robot, 17, &link) == VTB_E_ARG);
  const std::string text = vtb_last_error();
  CHECK(text.find("vtb_skeleton_get_link: ") == 0);
  CHECK(text.find("17") != std::string::npos);
  REQUIRE(vtb_skeleton_get_link(robot, 0, &link) == VTB_OK);
  CHECK(text == vtb_last_error());

  int32_t index;
  std::string longName;
  for (int i = 0; i < 3000; i++) longName += "\xC3\xA4";  // two bytes each
  REQUIRE(vtb_skeleton_find_link(robot, longName.c_str(), &index) == VTB_E_ARG);
  const std::string cut = vtb_last_error();
  CHECK(cut.size() > 1000);
  std::size_t begins = 0, goesOn = 0;
  for (unsigned char c : cut) begins += c == 0xC3, goesOn += c == 0xA4;
  CHECK(begins == goesOn);

  char name[8];
  std::size_t needed = 0;
  REQUIRE(vtb_skeleton_get_name(robot, name, 3, &needed) == VTB_OK);  // room for "r" and half of the o with dots
  CHECK(std::string(name) == "r");
  CHECK(needed == 7);
  vtb_skeleton_release(robot);
}

TEST_CASE("a reference-counted object lives as long as a reference to it") {
  vtb_diagnostics* list = nullptr;
  vtb_skeleton* robot = parse("<robot name='r'><link name='a'><nonsense/></link></robot>", &list);
  REQUIRE(list != nullptr);
  std::size_t count = 0;
  REQUIRE(vtb_diagnostics_count(list, &count) == VTB_OK);
  REQUIRE(count > 0);
  vtb_diagnostic first;
  REQUIRE(vtb_diagnostics_get(list, 0, &first) == VTB_OK);
  vtb_skeleton_release(robot);  // the list stays valid without it
  CHECK(std::string(first.file) == "r.urdf");
  CHECK(std::string(first.code).find("urdf.") == 0);
  CHECK(first.line == 1);
  vtb_diagnostics_release(list);

  robot = parse(kRobot);
  REQUIRE(vtb_skeleton_retain(robot) == VTB_OK);
  vtb_skeleton_release(robot);
  vtb_workspace* workspace = nullptr;
  REQUIRE(vtb_workspace_create(robot, VTB_BASE_FIXED, 0, &workspace) == VTB_OK);
  vtb_skeleton_release(robot);
  const double q[1] = {0.5};
  double poses[14];
  std::size_t total = 0;
  REQUIRE(vtb_dynamics_poses(workspace, q, poses, 2, 0, &total) == VTB_OK);
  CHECK(poses[7] == 0.125);
  vtb_workspace_destroy(workspace);
}

TEST_CASE("results do not depend on the host's floating-point environment") {
  const std::uint64_t expected = hashAfter(pile(12), 200);
  vtb_skeleton* robot = parse(kRobot);
  vtb_joint_info joint;
  joint.struct_size = sizeof joint;
  for (int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    vtb_world* world = pile(12);  // made before: rounding would change the test's own sums
    std::fesetround(rounding);
    const std::uint64_t hash = hashAfter(world, 200);
    vtb_skeleton* again = nullptr;
    const vtb_status parsed = vtb_skeleton_parse_urdf(kRobot.data(), kRobot.size(), "r", nullptr, nullptr, &again);
    const int kept = std::fegetround();
    std::fesetround(FE_TONEAREST);
    CHECK(hash == expected);
    CHECK(kept == rounding);  // the host's mode is restored
    REQUIRE(parsed == VTB_OK);
    REQUIRE(vtb_skeleton_get_joint(again, 0, &joint) == VTB_OK);
    CHECK(joint.parent_frame[0] == 0.125);
    vtb_skeleton_release(again);
  }
#if defined(__SSE2__)
  const unsigned host = _mm_getcsr();
  vtb_world* world = pile(12);
  _mm_setcsr(host | 0x8040);  // flush to zero, subnormals are zero
  const std::uint64_t hash = hashAfter(world, 200);
  const unsigned kept = _mm_getcsr();
  _mm_setcsr(host);
  CHECK(hash == expected);
  CHECK((kept & 0x8040) == 0x8040);
#endif
  vtb_skeleton_release(robot);
}

TEST_CASE("a callback that changes the floating-point environment does not change the step") {
  const std::uint64_t expected = hashAfter(pile(6), 100);
  vtb_world* world =
      pile(6, [](vtb_world_def& def) { def.callbacks.before_step = [](void*, const vtb_world*) { std::fesetround(FE_UPWARD); }; });
  const std::uint64_t hash = hashAfter(world, 100);
  std::fesetround(FE_TONEAREST);
  CHECK(hash == expected);
}

TEST_CASE("numbers are read and written the same under a locale with a decimal comma") {
  const std::string bvh =
      "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 0 1.5 0\n}\n}\n"
      "MOTION\nFrames: 1\nFrame Time: 0.025\n0.5 1.25 -2.75\n";
  const auto written = [&] {
    vtb_motion* motion = nullptr;
    vtb_bvh_def def;
    vtb_bvh_def_init(&def, sizeof def);
    def.unit = 1;
    REQUIRE(vtb_motion_parse_bvh(bvh.data(), bvh.size(), "a.bvh", &def, nullptr, &motion) == VTB_OK);
    std::size_t needed = 0;
    REQUIRE(vtb_motion_write_bvh(motion, nullptr, 0, &needed) == VTB_OK);
    std::string text(needed, '\0');
    REQUIRE(vtb_motion_write_bvh(motion, text.data(), needed, &needed) == VTB_OK);
    vtb_motion_release(motion);
    return text;
  };
  const std::string expected = written();
  CHECK(expected.find("-2.75") != std::string::npos);
  if (!std::setlocale(LC_ALL, "de_DE.UTF-8")) {
    WARN("skipped: the locale de_DE.UTF-8 is not installed");
    return;
  }
  const std::string german = written();
  vtb_skeleton* robot = parse(kRobot);
  std::setlocale(LC_ALL, "C");
  CHECK(german == expected);
  vtb_joint_info joint;
  joint.struct_size = sizeof joint;
  REQUIRE(vtb_skeleton_get_joint(robot, 0, &joint) == VTB_OK);
  CHECK(joint.parent_frame[0] == 0.125);
  vtb_skeleton_release(robot);
}

TEST_CASE("handles go stale for good: slots that are used again never answer to old handles") {
  vtb_world* world = nullptr;
  REQUIRE(vtb_world_create(nullptr, &world) == VTB_OK);
  vtb_body_def def;
  vtb_body_def_init(&def, sizeof def);
  std::vector<vtb_body> old;
  double pose[7];
  for (int i = 0; i < 1000; i++) {
    vtb_body body;
    REQUIRE(vtb_body_create(world, &def, &body) == VTB_OK);
    REQUIRE(vtb_body_destroy(world, body) == VTB_OK);
    old.push_back(body);
  }
  vtb_body living;
  REQUIRE(vtb_body_create(world, &def, &living) == VTB_OK);
  int answered = 0;
  for (vtb_body body : old) answered += vtb_body_get_pose(world, body, pose) != VTB_E_STALE;
  CHECK(answered == 0);
  CHECK(vtb_body_get_pose(world, living, pose) == VTB_OK);

  vtb_world* other = nullptr;  // built by the same calls: same slots, other handles
  REQUIRE(vtb_world_create(nullptr, &other) == VTB_OK);
  vtb_body twin;
  REQUIRE(vtb_body_create(other, &def, &twin) == VTB_OK);
  CHECK(vtb_body_get_pose(world, twin, pose) == VTB_E_STALE);
  CHECK(vtb_body_get_pose(other, living, pose) == VTB_E_STALE);
  vtb_world_destroy(world);
  vtb_world_destroy(other);
}

TEST_CASE("a step that diverges is undone, and the world can step again") {
  vtb_world* world = nullptr;
  vtb_world_def settings;
  vtb_world_def_init(&settings, sizeof settings);
  REQUIRE(vtb_world_create(&settings, &world) == VTB_OK);
  vtb_body_def def;
  vtb_body_def_init(&def, sizeof def);
  vtb_body body;
  REQUIRE(vtb_body_create(world, &def, &body) == VTB_OK);
  REQUIRE(vtb_world_step(world, 3) == VTB_OK);
  double before[7], after[7];
  REQUIRE(vtb_body_get_pose(world, body, before) == VTB_OK);
  const double huge[3] = {1e308, 1e308, 1e308};
  for (int i = 0; i < 4; i++) REQUIRE(vtb_body_add_force(world, body, huge, nullptr, VTB_DURATION_ONE_STEP) == VTB_OK);
  const vtb_status status = vtb_world_step(world, 1);
  INFO(vtb_last_error());
  CHECK((status == VTB_E_DIVERGED || status == VTB_OK));  // or the cap on speed holds it
  REQUIRE(vtb_body_get_pose(world, body, after) == VTB_OK);
  for (double x : after) CHECK(std::isfinite(x));
  if (status == VTB_E_DIVERGED) CHECK(std::memcmp(before, after, sizeof before) == 0);
  REQUIRE(vtb_body_clear_forces(world, body) == VTB_OK);
  CHECK(vtb_world_step(world, 10) == VTB_OK);
  REQUIRE(vtb_body_get_pose(world, body, after) == VTB_OK);
  for (double x : after) CHECK(std::isfinite(x));
  vtb_world_destroy(world);
}

TEST_CASE("Parts of figures have the names of their links and joints, by which they are found") {
  vtb_skeleton* skeleton = parse(kRobot);
  vtb_world* world = pile(1);
  vtb_figure_def def;
  vtb_figure_def_init(&def, sizeof def);
  def.skeleton = skeleton;
  vtb_figure figures[3];
  for (vtb_figure& figure : figures) REQUIRE(vtb_figure_create(world, &def, &figure) == VTB_OK);
  REQUIRE(vtb_world_set_name(world, VTB_NAMED_FIGURE, figures[0].bits, "first") == VTB_OK);
  REQUIRE(vtb_world_set_name(world, VTB_NAMED_FIGURE, figures[1].bits, "second") == VTB_OK);
  const auto nameOf = [&](vtb_named kind, uint64_t bits) {
    char text[64];
    size_t needed = 0;
    REQUIRE(vtb_world_get_name_of(world, kind, bits, text, sizeof text, &needed) == VTB_OK);
    return std::string(text);
  };
  for (int k = 0; k < 3; k++) {
    vtb_body bodies[2];
    vtb_joint joint;
    for (int link = 0; link < 2; link++) REQUIRE(vtb_figure_get_body(world, figures[k], link, &bodies[link]) == VTB_OK);
    REQUIRE(vtb_figure_get_joint(world, figures[k], 0, &joint) == VTB_OK);
    const std::string of = k == 0 ? "first/" : k == 1 ? "second/" : "";
    CHECK(nameOf(VTB_NAMED_BODY, bodies[0].bits) == of + "a");
    CHECK(nameOf(VTB_NAMED_BODY, bodies[1].bits) == of + "b");
    CHECK(nameOf(VTB_NAMED_JOINT, joint.bits) == of + "j");
    vtb_body found{1};
    vtb_joint foundJoint{1};
    CHECK(vtb_world_find_body(world, (of + "b").c_str(), &found) == (k < 2 ? VTB_OK : VTB_E_ARG));
    CHECK(vtb_world_find_joint(world, (of + "j").c_str(), &foundJoint) == (k < 2 ? VTB_OK : VTB_E_ARG));
    if (k == 2) continue;  // of a figure without a name, several may have such a part
    CHECK(found.bits == bodies[1].bits);
    CHECK(foundJoint.bits == joint.bits);
  }
  vtb_body gone;
  REQUIRE(vtb_world_find_body(world, "first/a", &gone) == VTB_OK);
  REQUIRE(vtb_figure_destroy(world, figures[0]) == VTB_OK);
  CHECK(vtb_world_find_body(world, "first/a", &gone) == VTB_E_ARG);
  CHECK(vtb_world_find_body(world, "second/", &gone) == VTB_E_ARG);
  CHECK(vtb_world_find_body(world, "second/c", &gone) == VTB_E_ARG);
  vtb_world_destroy(world);
  vtb_skeleton_release(skeleton);
}

TEST_CASE("an exception out of a callback becomes a status, and the world may only be destroyed") {
  vtb_world* world = pile(2, [](vtb_world_def& def) { def.callbacks.before_step = [](void*, const vtb_world*) { throw 42; }; });
  CHECK(vtb_world_step(world, 1) == VTB_E_INTERNAL);
  double seconds;
  CHECK(vtb_world_get_time(world, &seconds) == VTB_E_INTERNAL);
  CHECK(vtb_world_step(world, 1) == VTB_E_INTERNAL);
  CHECK(vtb_world_destroy(world) == VTB_OK);
}
