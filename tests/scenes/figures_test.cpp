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
    if (t < 0.3 || t > length - 0.1) continue;  // from the clip's end it jumps to its beginning
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
  // Stopped, the figure stays where its targets are.
  test::require(vtb_figure_play(s.world(), waver, nullptr, 0, 1, 0));
  s.run(2);
  CHECK(s.stats().max_joint_error < 1e-9);
  vtb_workspace_destroy(workspace);
  vtb_motion_release(clip);
}
