// figures.xml: figures from files in a scene, their pose, drives and clip.
#include "tests/scenes/scene.hpp"

TEST_CASE("figures: an arm holds its pose, a clip is followed, a quadruped comes to rest") {
  test::Scene s("figures.xml");
  CHECK(s.q("arm/joint2") == 0.5);
  CHECK(s.q("arm/joint4") == -1);
  vtb_figure waver{0};
  test::require(vtb_world_find(s.world(), VTB_NAMED_FIGURE, "waver", &waver.bits));
  vtb_motion* clip = nullptr;
  test::require(vtb_motion_load_bvh((test::sourceDir() + "/models/motions/wave.bvh").c_str(), nullptr, nullptr, &clip));
  vtb_workspace* workspace = nullptr;
  test::require(vtb_figure_create_workspace(s.world(), waver, &workspace));
  int32_t nq = 0, nv = 0;
  test::require(vtb_workspace_get_size(workspace, &nq, &nv));
  std::vector<double> wanted(nq), q(nq), v(nv);
  vtb_motion_info info;
  info.struct_size = sizeof info;
  test::require(vtb_motion_get_info(clip, &info));
  const double length = (info.frames - 1) * info.frame_time;
  double worst = 0, moved = 0;
  std::vector<double> first;
  for (int i = 0; i < 4 * 240; i++) {
    s.step(1);
    if (i < 240) continue;  // it starts at its neutral pose
    const double t = std::fmod(s.time(), length);
    if (t < 0.3 || t > length - 0.1) continue;  // at the clip's end it jumps to its beginning
    size_t total = 0;
    test::require(vtb_workspace_from_motion(workspace, clip, t, wanted.data(), nullptr, nullptr));
    test::require(vtb_figure_get_q(s.world(), waver, q.data(), q.size(), &total));
    test::require(vtb_workspace_difference(workspace, wanted.data(), q.data(), v.data()));
    for (const double error : v) worst = std::max(worst, std::fabs(error));
    if (first.empty()) first = wanted;
    test::require(vtb_workspace_difference(workspace, first.data(), wanted.data(), v.data()));
    for (const double way : v) moved = std::max(moved, std::fabs(way));
  }
  CHECK(moved > 0.4);  // rad
  CHECK(worst < 0.15);
  CHECK(s.q("arm/joint2") == Approx(0.5).margin(0.05));
  CHECK(s.q("arm/joint4") == Approx(-1).margin(0.05));
  const test::Vector v_dog = s.velocity("dog/trunk");
  CHECK(std::hypot(v_dog.x, v_dog.y, v_dog.z) < 0.05);
  CHECK(s.position("dog/trunk").z > 0.02);
  // After a stop, the figure stays at its targets.
  test::require(vtb_figure_play(s.world(), waver, nullptr, 0, 1, 0));
  s.run(2);
  CHECK(s.stats().max_joint_error < 1e-9);
  vtb_workspace_destroy(workspace);
  vtb_motion_release(clip);
}

TEST_CASE("figures: where bodies keep poses of their own they are made as in trees, and one that drops stays whole") {
  const test::Scene trees("figures.xml");
  vtb_world_def settings = trees.settings();
  settings.stepper = VTB_STEPPER_DISPLACEMENT;
  test::Scene apart("figures.xml", &settings);
  for (const char* name : {"arm", "dog", "waver"}) {
    std::vector<double> poses[2];
    for (const test::Scene* s : {&trees, static_cast<const test::Scene*>(&apart)}) {
      vtb_figure figure{0};
      test::require(vtb_world_find(s->world(), VTB_NAMED_FIGURE, name, &figure.bits));
      std::vector<double>& to = poses[s != &trees];
      size_t links = 0;
      test::require(vtb_figure_get_poses(s->world(), figure, nullptr, 0, 0, &links));
      to.resize(7 * links);
      test::require(vtb_figure_get_poses(s->world(), figure, to.data(), links, 0, &links));
    }
    REQUIRE(poses[0].size() == poses[1].size());
    double worst = 0;
    for (size_t k = 0; k < poses[0].size(); k++) worst = std::max(worst, std::fabs(poses[0][k] - poses[1][k]));
    INFO(name);
    CHECK(worst < 1e-12);
  }
  apart.run(3);
  CHECK(apart.stats().max_joint_error < 0.3);  // in the step of the impact; with a warm start they flew apart by 3
  const test::Vector v = apart.velocity("dog/trunk");
  CHECK(std::hypot(v.x, v.y, v.z) < 0.1);
  CHECK(apart.position("dog/trunk").z > 0.02);
}

namespace {

// A walker whose hips follow the clip by a joint of type motor, its origin half a metre up; steps it for a while and returns its distance
// from the clip.
double offTheClip(const std::string& bound) {
  std::string drives;
  for (int k = 0; k < 6; k++)
    drives += "<motor axis='" + std::to_string(k) + "' mode='position' stiffness='1e5' damping='4e3' max_force='" + bound + "'/>";
  test::Scene s = test::Scene::fromText(
      "<scene><figure name='walker' file='../motions/walk.bvh' position='0 0 1.5' orientation='90deg 0 90deg'/>"
      "<joint name='lead' type='motor' b='walker/Hips' position_a='0 0 0.5' position_b='0 0 0'>" +
      drives + "</joint><motion figure='walker' file='../motions/walk.bvh' stiffness='300' damping='15' root='lead'/></scene>");
  vtb_motion* clip = nullptr;
  vtb_workspace* workspace = nullptr;
  vtb_figure walker{0};
  test::require(vtb_world_find(s.world(), VTB_NAMED_FIGURE, "walker", &walker.bits));
  test::require(vtb_motion_load_bvh((test::sourceDir() + "/models/motions/walk.bvh").c_str(), nullptr, nullptr, &clip));
  test::require(vtb_figure_create_workspace(s.world(), walker, &workspace));
  vtb_motion_info info;
  info.struct_size = sizeof info;
  test::require(vtb_motion_get_info(clip, &info));
  int32_t nq = 0, nv = 0;
  test::require(vtb_workspace_get_size(workspace, &nq, &nv));
  std::vector<double> wanted(nq), v(nv);
  double worst = 0, way = 0, first = 0;
  for (int i = 0; s.time() < (info.frames - 2) * info.frame_time; i++) {
    s.step(1);
    if (s.time() < 0.5) continue;  // it starts at its neutral pose
    test::require(vtb_workspace_from_motion(workspace, clip, s.time(), wanted.data(), v.data(), nullptr));
    const test::Vector hips = s.position("walker/Hips");
    worst = std::max(worst, std::hypot(hips.x - wanted[0], hips.y - wanted[1], hips.z - wanted[2] - 0.5));
    if (way == 0) first = wanted[0] + wanted[1];
    way = std::fabs(wanted[0] + wanted[1] - first) + 1e-9;
  }
  CHECK(way > 0.3);  // the clip travels
  test::Scene again = test::Scene::fromText(s.saved());
  CHECK(again.hash() == s.hash());
  again.step(60), s.step(60);
  CHECK(again.hash() == s.hash());
  vtb_workspace_destroy(workspace);
  vtb_motion_release(clip);
  return worst;
}

}  // namespace

TEST_CASE("a motion moves the figure's root, too, by drives as strong as they are") {
  CHECK(offTheClip("inf") < 0.03);
  CHECK(offTheClip("300") > 0.3);  // too weak for its weight: it sinks
}
