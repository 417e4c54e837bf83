// Skeleton files: what is written reads back the same, for our models, robots and motions of the shared data; what is wrong in one is told
// with its line and the word that was meant.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <vertebra/vertebra.h>

#include "tests/support.hpp"

namespace {

std::string written(const vtb_skeleton* skeleton) {
  size_t needed = 0;
  REQUIRE(vtb_skeleton_write(skeleton, nullptr, 0, &needed) == VTB_OK);
  std::string text(needed, '\0');
  REQUIRE(vtb_skeleton_write(skeleton, text.data(), text.size(), &needed) == VTB_OK);
  text.resize(needed - 1);
  return text;
}

vtb_skeleton* parsed(const std::string& text) {
  vtb_skeleton* skeleton = nullptr;
  const vtb_status status = vtb_skeleton_parse(text.data(), text.size(), "own.xml", nullptr, nullptr, &skeleton);
  INFO(vtb_last_error());
  REQUIRE(status == VTB_OK);
  return skeleton;
}

// The findings of a text that must be refused.
std::string refused(const std::string& text) {
  vtb_diagnostics* list = nullptr;
  vtb_skeleton* skeleton = nullptr;
  CHECK(vtb_skeleton_parse(text.data(), text.size(), "own.xml", nullptr, &list, &skeleton) == VTB_E_PARSE);
  CHECK(skeleton == nullptr);
  std::string all;
  size_t count = 0;
  REQUIRE(vtb_diagnostics_count(list, &count) == VTB_OK);
  for (size_t i = 0; i < count; i++) {
    vtb_diagnostic d;
    REQUIRE(vtb_diagnostics_get(list, i, &d) == VTB_OK);
    all += std::string(d.file) + ":" + std::to_string(d.line) + ": " + d.element + ": " + d.message + " [" + d.code + "]\n";
  }
  vtb_diagnostics_release(list);
  return all;
}

vtb_skeleton_info infoOf(const vtb_skeleton* skeleton) {
  vtb_skeleton_info info{};
  info.struct_size = sizeof info;
  REQUIRE(vtb_skeleton_get_info(skeleton, &info) == VTB_OK);
  return info;
}

struct Numbers {  // at a pose of its own: link frames, mass matrix
  std::vector<double> poses, M;
};
Numbers numbersOf(vtb_skeleton* skeleton) {
  vtb_workspace* workspace = nullptr;
  REQUIRE(vtb_workspace_create(skeleton, VTB_BASE_FLOATING, 0, &workspace) == VTB_OK);
  int32_t nq = 0, nv = 0;
  REQUIRE(vtb_workspace_get_size(workspace, &nq, &nv) == VTB_OK);
  std::vector<double> q(static_cast<std::size_t>(nq)), v(static_cast<std::size_t>(nv));
  REQUIRE(vtb_workspace_neutral(workspace, q.data()) == VTB_OK);
  test::Random random(7);
  for (double& x : v) x = random.range(-0.7, 0.7);
  REQUIRE(vtb_workspace_integrate(workspace, q.data(), v.data(), 1, q.data()) == VTB_OK);
  Numbers n;
  n.poses.resize(7 * static_cast<std::size_t>(infoOf(skeleton).links));
  n.M.resize(v.size() * v.size());
  size_t links = 0;
  REQUIRE(vtb_dynamics_poses(workspace, q.data(), n.poses.data(), n.poses.size() / 7, 7 * sizeof(double), &links) == VTB_OK);
  REQUIRE(vtb_dynamics_mass_matrix(workspace, q.data(), n.M.data()) == VTB_OK);
  vtb_workspace_destroy(workspace);
  return n;
}

double largest(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return INFINITY;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); i++) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

void checkSame(vtb_skeleton* a, vtb_skeleton* b) {
  const vtb_skeleton_info x = infoOf(a), y = infoOf(b);
  CHECK(x.links == y.links);
  CHECK(x.joints == y.joints);
  CHECK(x.root == y.root);
  CHECK(x.floating_by_default == y.floating_by_default);
  CHECK(x.visuals == y.visuals);
  CHECK(x.shapes == y.shapes);
  CHECK(x.sites == y.sites);
  CHECK(x.roles == y.roles);
  CHECK(x.mass == Approx(y.mass).epsilon(1e-15));
  const Numbers p = numbersOf(a), r = numbersOf(b);
  CHECK(largest(p.poses, r.poses) < 1e-12);
  CHECK(largest(p.M, r.M) < 1e-10 * std::max(1.0, x.mass));
  for (int32_t j = 0; j < x.joints; j++) {
    vtb_joint_info left{}, right{};
    left.struct_size = right.struct_size = sizeof left;
    REQUIRE(vtb_skeleton_get_joint(a, j, &left) == VTB_OK);
    REQUIRE(vtb_skeleton_get_joint(b, j, &right) == VTB_OK);
    CHECK(std::string(left.name) == right.name);
    CHECK(left.type == right.type);
    CHECK((left.parent == right.parent && left.child == right.child && left.mimic == right.mimic && left.loop == right.loop));
    CHECK((left.has_safety == right.has_safety && left.safety_lower == right.safety_lower));
    for (int32_t k = 0; k < left.axes; k++) {
      vtb_axis_def u{}, w{};
      u.struct_size = w.struct_size = sizeof u;
      REQUIRE(vtb_skeleton_get_axis(a, j, k, &u) == VTB_OK);
      REQUIRE(vtb_skeleton_get_axis(b, j, k, &w) == VTB_OK);
      CHECK((u.lower == w.lower && u.upper == w.upper && u.effort == w.effort && u.velocity == w.velocity && u.damping == w.damping &&
             u.friction == w.friction && u.stiffness == w.stiffness && u.rest == w.rest && u.armature == w.armature));
    }
  }
}

// Written, read, and written again: the second text is the first.
void checkRoundTrip(vtb_skeleton* skeleton) {
  const std::string text = written(skeleton);
  vtb_skeleton* again = parsed(text);
  checkSame(skeleton, again);
  const std::string second = written(again);
  vtb_skeleton* third = parsed(second);
  CHECK(written(third) == second);
  vtb_skeleton_release(third);
  vtb_skeleton_release(again);
}

std::vector<std::string> filesIn(const std::string& folder, const std::string& extension) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == extension) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

vtb_skeleton* loadUrdf(const std::string& file, uint32_t flags) {
  vtb_urdf_def load;
  REQUIRE(vtb_urdf_def_init(&load, sizeof load) == VTB_OK);
  load.flags |= flags;
  vtb_skeleton* skeleton = nullptr;
  REQUIRE(vtb_skeleton_load(file.c_str(), &load, nullptr, &skeleton) == VTB_OK);
  return skeleton;
}

const char* const kBoxes =
    "<skeleton name='boxes'>\n"
    "  <link name='a' mass='2' inertia='1 0 0 1 0 1'><box half_extents='0.1 0.1 0.1'/></link>\n"
    "  <link name='b' mass='1' inertia='1 0 0 1 0 1'/>\n"
    "  <joint name='hinge' type='revolute' parent='a' child='b' axis='0 1 0'><axis lower='-90deg' upper='1'/></joint>\n"
    "</skeleton>\n";
std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("our models are written to files that read back the same") {
  for (const std::string& file : filesIn(test::sourceDir() + "/models/urdf", ".urdf")) {
    INFO(file);
    vtb_skeleton* skeleton = loadUrdf(file, 0);
    checkRoundTrip(skeleton);
    vtb_skeleton_release(skeleton);
  }
}

TEST_CASE("figures of motions are written with the ends of their bones") {
  const std::vector<std::string> files = filesIn(test::sourceDir() + "/models", ".bvh");
  REQUIRE_FALSE(files.empty());
  for (const std::string& file : files) {
    INFO(file);
    vtb_motion* motion = nullptr;
    vtb_skeleton* skeleton = nullptr;
    REQUIRE(vtb_motion_load_bvh(file.c_str(), nullptr, nullptr, &motion) == VTB_OK);
    REQUIRE(vtb_skeleton_from_motion(motion, nullptr, nullptr, &skeleton) == VTB_OK);
    CHECK(infoOf(skeleton).sites > 0);
    checkRoundTrip(skeleton);
    vtb_skeleton_release(skeleton);
    vtb_motion_release(motion);
  }
}

TEST_CASE("every robot of the shared data is written to a file that reads back the same") {
  REQUIRE_SHARED_DATA();
  int count = 0;
  for (const std::string& file : filesIn(test::sharedData() + "/urdf", ".urdf")) {
    INFO(file);
    vtb_skeleton* skeleton = loadUrdf(file, VTB_LOAD_FLAG_NO_MESHES);
    checkRoundTrip(skeleton);
    vtb_skeleton_release(skeleton);
    count++;
  }
  CHECK(count >= 29);
}

TEST_CASE("meshes and hulls stand in the file; visuals of their own too") {
  REQUIRE_SHARED_DATA();
  vtb_skeleton* skeleton = loadUrdf(test::sharedData() + "/urdf/panda_description/urdf/panda.urdf", 0);
  REQUIRE(infoOf(skeleton).visuals > 5);
  checkRoundTrip(skeleton);
  vtb_skeleton_release(skeleton);
}

TEST_CASE("a file by hand: units, defaults, roles, sites and pairs") {
  const std::string text = changed(kBoxes, "</skeleton>",
                                   "  <site name='grip' link='b' position='0 0 0.3'/><role name='left_hand' link='b'/>"
                                   "<no_collision a='a' b='b'/></skeleton>");
  vtb_skeleton* s = parsed(text);
  vtb_axis_def axis{};
  axis.struct_size = sizeof axis;
  REQUIRE(vtb_skeleton_get_axis(s, 0, 0, &axis) == VTB_OK);
  CHECK(axis.lower == Approx(-1.5707963267948966));
  CHECK(std::isinf(axis.effort));
  CHECK((infoOf(s).visuals == 1 && infoOf(s).shapes == 1 && infoOf(s).floating_by_default == 1));
  vtb_site_info site{};
  site.struct_size = sizeof site;
  int32_t index = -1;
  REQUIRE(vtb_skeleton_find_site(s, "grip", &index) == VTB_OK);
  REQUIRE(vtb_skeleton_get_site(s, index, &site) == VTB_OK);
  CHECK((site.link == 1 && site.pose[2] == 0.3 && site.pose[6] == 1));
  REQUIRE(vtb_skeleton_find_role(s, "left_hand", &index) == VTB_OK);
  CHECK(index == 1);
  checkRoundTrip(s);
  vtb_skeleton_release(s);
}

TEST_CASE("what is wrong is told with its line and the word that was meant") {
  const auto has = [](const std::string& findings, const std::string& wanted) {
    INFO(findings);
    CHECK(findings.find(wanted) != std::string::npos);
  };
  has(refused(changed(kBoxes, "half_extents", "half_extent")), "did you mean 'half_extents'?");
  has(refused(changed(kBoxes, "<box", "<boks")), "did you mean 'box'?");
  has(refused(changed(kBoxes, "'revolute'", "'revolut'")), "did you mean 'revolute'?");
  has(refused(changed(kBoxes, "'revolute'", "'motor'")), "own.xml:4");
  has(refused(changed(kBoxes, "child='b'", "child='bb'")), "there is no link 'bb'; did you mean 'b'?");
  has(refused(changed(kBoxes, "mass='2'", "mass='-2'")), "own.xml:2");
  has(refused(changed(kBoxes, "link name='b'", "link name='a'")), "there is a link of this name already");
  has(refused(changed(kBoxes, "parent='a' child='b'", "parent='b' child='a'")), "root");
  has(refused(changed(kBoxes, "<axis lower", "<axis index='1' lower")), "has 1 axis");
  has(refused(changed(kBoxes, "axis='0 1 0'", "axis='0 1 0' mimic='hing'")), "did you mean 'hinge'?");
  has(refused(changed(kBoxes, "axis='0 1 0'", "axis='0 1 0' mimic='hinge'")), "mimics itself");
  has(refused(changed(kBoxes, "axis='0 1 0'", "axis='0 0 0'")), "own.xml:4");
  has(refused(changed(kBoxes, "'-90deg'", "'2'")), "own.xml:");
  has(refused(changed(kBoxes, "</skeleton>", "<role name='left_hand' link='c'/></skeleton>")), "there is no link 'c'");
  has(refused(changed(kBoxes, "</skeleton>", "<site name='x' link='b'/><site name='x' link='b'/></skeleton>")), "already");
  has(refused(changed(kBoxes, "</skeleton>", "<no_collision a='b' b='b'/></skeleton>")), "the same link");
  has(refused("<skeleton name='none'/>"), "no links");
  has(refused("<skeleton name='cut'>"), "own.xml");
  // Two faults, told at once.
  const std::string both = refused(changed(changed(kBoxes, "half_extents", "half"), "child='b'", "child='zz'"));
  has(both, "half_extents");
  CHECK(refused(changed(kBoxes, "half_extents", "half")).find("no link") == std::string::npos);  // that link is only refused
}

TEST_CASE("scenes hold figures of skeleton files, and retargeting takes the roles that a skeleton has") {
  const std::string folder = std::filesystem::temp_directory_path() / "vertebra_skeleton_file";
  std::filesystem::create_directories(folder);
  vtb_skeleton* humanoid = loadUrdf(test::sourceDir() + "/models/urdf/humanoid.urdf", 0);
  std::string text = written(humanoid);
  REQUIRE(vtb_skeleton_save(humanoid, (folder + "/humanoid.xml").c_str()) == VTB_OK);
  CHECK(vtb_skeleton_save(humanoid, (folder + "/no/such/folder.xml").c_str()) == VTB_E_IO);
  const std::string scene = "<scene><figure name='man' file='" + folder + "/humanoid.xml' position='0 0 1'/></scene>";
  vtb_scene* loaded = nullptr;
  REQUIRE(vtb_scene_parse(scene.data(), scene.size(), "scene.xml", nullptr, &loaded) == VTB_OK);
  vtb_world* world = nullptr;
  REQUIRE(vtb_scene_create_world(loaded, nullptr, &world) == VTB_OK);
  CHECK(vtb_world_step(world, 10) == VTB_OK);
  vtb_world_destroy(world);
  vtb_scene_release(loaded);

  // The feet of the two sides exchanged by roles: the map follows.
  text = changed(text, "</skeleton>",
                 "<role name='left_hip' link='right_hip_yaw_link'/><role name='left_foot' link='right_foot'/>"
                 "<role name='right_hip' link='left_hip_yaw_link'/><role name='right_foot' link='left_foot'/></skeleton>");
  vtb_skeleton* crossed = parsed(text);
  const std::vector<std::string> clips = filesIn(test::sourceDir() + "/models", ".bvh");
  bool found = false;
  for (const std::string& clip : clips) {
    vtb_motion* motion = nullptr;
    REQUIRE(vtb_motion_load_bvh(clip.c_str(), nullptr, nullptr, &motion) == VTB_OK);
    for (vtb_skeleton* skeleton : {humanoid, crossed}) {
      vtb_retarget_map* map = nullptr;
      if (vtb_retarget_map_guess(motion, skeleton, nullptr, nullptr, &map) != VTB_OK) continue;
      vtb_retarget_names names{};
      names.struct_size = sizeof names;
      REQUIRE(vtb_retarget_map_get(map, VTB_RETARGET_ROLE_LEFT_FOOT, &names) == VTB_OK);
      INFO(clip);
      CHECK(std::string(names.link) == (skeleton == humanoid ? "left_foot" : "right_foot"));
      found = true;
      vtb_retarget_map_destroy(map);
    }
    vtb_motion_release(motion);
  }
  CHECK(found);
  vtb_skeleton_release(crossed);
  vtb_skeleton_release(humanoid);
  std::filesystem::remove_all(folder);
}
