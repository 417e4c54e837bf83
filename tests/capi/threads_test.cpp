// Distinct worlds on many threads, shared skeletons and motions, loaders side by side: equal results, and no report of the thread
// sanitizer.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <vertebra/vertebra.h>

#include "tests/support.hpp"

namespace {

constexpr int kThreads = 8;

template <class Work>
void onThreads(Work work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& t : threads) t.join();
}

std::string robotOf(int links) {
  std::string text = "<robot name='r'>";
  for (int i = 0; i < links; i++) {
    const std::string n = std::to_string(i);
    text += "<link name='l" + n +
            "'><inertial><mass value='1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial>"
            "<collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>";
    if (i > 0)
      text += "<joint name='j" + n + "' type='continuous'><origin xyz='0 0 0.2'/><parent link='l" + std::to_string(i - 1) +
              "'/><child link='l" + n + "'/><axis xyz='0 1 0'/></joint>";
  }
  return text + "</robot>";
}

std::uint64_t runWorld(int& failures) {
  vtb_world* world = nullptr;
  failures += vtb_world_create(nullptr, &world) != VTB_OK;
  vtb_shape shape;
  vtb_shape_def plane, ball;
  vtb_shape_def_init(&plane, sizeof plane);
  plane.type = VTB_SHAPE_TYPE_PLANE;
  failures += vtb_shape_create(world, vtb_body{0}, &plane, &shape) != VTB_OK;
  vtb_shape_def_init(&ball, sizeof ball);
  ball.size[0] = 0.1;
  for (int i = 0; i < 10; i++) {
    vtb_body_def def;
    vtb_body_def_init(&def, sizeof def);
    def.pose[0] = 0.05 * (i % 3);
    def.pose[2] = 0.15 + 0.21 * i;
    vtb_body body;
    failures += vtb_body_create(world, &def, &body) != VTB_OK;
    failures += vtb_shape_create(world, body, &ball, &shape) != VTB_OK;
  }
  std::uint64_t hash = 0;
  failures += vtb_world_step(world, 100) != VTB_OK;
  failures += vtb_world_get_hash(world, &hash) != VTB_OK;
  failures += vtb_world_destroy(world) != VTB_OK;
  return hash;
}

}  // namespace

TEST_CASE("worlds on many threads give equal results") {
  std::vector<std::uint64_t> hashes(kThreads);
  std::atomic<int> failures{0};
  onThreads([&](int i) {
    int mine = 0;
    for (int k = 0; k < 3; k++) hashes[i] = runWorld(mine);
    failures += mine;
  });
  CHECK(failures == 0);
  for (std::uint64_t h : hashes) CHECK(h == hashes[0]);
}

TEST_CASE("loaders run side by side, and error texts belong to their thread") {
  std::atomic<int> failures{0};
  onThreads([&](int i) {
    int mine = 0;
    for (int k = 0; k < 10; k++) {
      const std::string text = robotOf(2 + i);
      vtb_skeleton* robot = nullptr;
      vtb_diagnostics* list = nullptr;
      mine += vtb_skeleton_parse_urdf(text.data(), text.size(), "r", nullptr, &list, &robot) != VTB_OK;
      vtb_skeleton_info info;
      info.struct_size = sizeof info;
      mine += vtb_skeleton_get_info(robot, &info) != VTB_OK || info.links != 2 + i;
      vtb_link_info link;
      link.struct_size = sizeof link;
      mine += vtb_skeleton_get_link(robot, 1000 + i, &link) != VTB_E_ARG;
      mine += std::string(vtb_last_error()).find(std::to_string(1000 + i)) == std::string::npos;
      vtb_diagnostics_release(list);
      vtb_skeleton_release(robot);
    }
    failures += mine;
  });
  CHECK(failures == 0);
}

TEST_CASE("one skeleton serves many threads, and goes with the last that holds it") {
  const std::string text = robotOf(6);
  vtb_skeleton* robot = nullptr;
  REQUIRE(vtb_skeleton_parse_urdf(text.data(), text.size(), "r", nullptr, nullptr, &robot) == VTB_OK);
  for (int i = 0; i < kThreads; i++) REQUIRE(vtb_skeleton_retain(robot) == VTB_OK);
  REQUIRE(vtb_skeleton_release(robot) == VTB_OK);
  std::atomic<int> failures{0};
  onThreads([&](int i) {
    int mine = 0;
    vtb_workspace* workspace = nullptr;
    mine += vtb_workspace_create(robot, VTB_BASE_FIXED, 0, &workspace) != VTB_OK;
    mine += vtb_skeleton_release(robot) != VTB_OK;
    const std::vector<double> q(5, 0.1 * i);
    std::vector<double> matrix(25);
    for (int k = 0; k < 20; k++) mine += vtb_dynamics_mass_matrix(workspace, q.data(), matrix.data()) != VTB_OK;
    mine += vtb_workspace_destroy(workspace) != VTB_OK;
    failures += mine;
  });
  CHECK(failures == 0);
}
