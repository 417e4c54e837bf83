// All shared robots move alike under the three tree solvers: fixed to the world, and free in the air, each from its neutral pose with every
// joint in motion, at 1/480 s for 0.5 s, without contacts (whose order of solution is not compared). At 1/240 s only the articulated solver
// gives the hands of the G1 inertia against the loads through their joints (trees/geometric_stiffness.cpp); they then differ by 5e-3.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <vertebra/vertebra.h>

#include "tests/support.hpp"

namespace {

constexpr double kStep = 1.0 / 480;  // s
constexpr int kSteps = 240;

struct Run {
  vtb_status status = VTB_OK;
  std::string error;
  std::vector<double> q, v;  // of every step, one after another
};

Run run(vtb_skeleton* skeleton, vtb_base base, vtb_tree_solver tree_solver) {
  Run r;
  vtb_world_def def;
  REQUIRE(vtb_world_def_init(&def, sizeof def) == VTB_OK);
  def.flags |= VTB_WORLD_FLAG_NO_SLEEP;
  def.joint.tree_solver = tree_solver;
  def.time_step = kStep;
  def.solver.type = VTB_SOLVER_DANTZIG;  // limits to round-off, without a tolerance
  vtb_world* world = nullptr;
  REQUIRE(vtb_world_create(&def, &world) == VTB_OK);
  vtb_figure_def figureDef;
  REQUIRE(vtb_figure_def_init(&figureDef, sizeof figureDef) == VTB_OK);
  figureDef.base = base;
  figureDef.skeleton = skeleton;
  figureDef.flags = VTB_FIGURE_FLAG_NO_SELF_COLLISION;
  vtb_figure figure;
  REQUIRE(vtb_figure_create(world, &figureDef, &figure) == VTB_OK);
  int32_t links = 0, joints = 0, nq = 0, nv = 0;
  REQUIRE(vtb_figure_get_size(world, figure, &links, &joints, &nq, &nv) == VTB_OK);
  std::vector<double> q(nq + 1), v(nv + 1);
  test::Random random(5);
  for (double& x : v) x = random.range(-1, 1);
  REQUIRE(vtb_figure_set_state(world, figure, nullptr, v.data()) == VTB_OK);
  for (int i = 0; i < kSteps && r.status == VTB_OK; i++) {
    r.status = vtb_world_step(world, 1);
    if (r.status != VTB_OK) r.error = vtb_last_error();
    size_t total = 0;
    REQUIRE(vtb_figure_get_q(world, figure, q.data(), q.size(), &total) == VTB_OK);
    REQUIRE(vtb_figure_get_v(world, figure, v.data(), v.size(), &total) == VTB_OK);
    r.q.insert(r.q.end(), q.begin(), q.begin() + nq);
    r.v.insert(r.v.end(), v.begin(), v.begin() + nv);
  }
  REQUIRE(vtb_world_destroy(world) == VTB_OK);
  return r;
}

double largest(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); i++) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

}  // namespace

TEST_CASE("every robot moves alike under the three tree solvers") {
  REQUIRE_SHARED_DATA();
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::sharedData() + "/urdf"))
    if (entry.path().extension() == ".urdf") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() >= 29);
  vtb_urdf_def load;
  REQUIRE(vtb_urdf_def_init(&load, sizeof load) == VTB_OK);
  load.flags |= VTB_LOAD_FLAG_NO_MESHES;
  int moved = 0;
  for (const std::string& file : files)
    for (const vtb_base base : {VTB_BASE_FIXED, VTB_BASE_FLOATING}) {
      INFO(file << ", base " << base);
      vtb_skeleton* skeleton = nullptr;
      REQUIRE(vtb_skeleton_load_urdf(file.c_str(), &load, nullptr, &skeleton) == VTB_OK);
      const Run a = run(skeleton, base, VTB_TREE_SOLVER_ARTICULATED);
      double q = 0, v = 0, scale = 1;
      for (const double x : a.v) scale = std::max(scale, std::fabs(x));
      for (const vtb_tree_solver tree_solver : {VTB_TREE_SOLVER_SPARSE, VTB_TREE_SOLVER_DENSE}) {
        const Run b = run(skeleton, base, tree_solver);
        INFO("tree solver " << tree_solver << ": " << b.error << "; articulated: " << a.error);
        CHECK(b.status == a.status);
        CHECK(b.error == a.error);
        if (a.status != VTB_OK) continue;
        q = std::max(q, largest(a.q, b.q));
        v = std::max(v, largest(a.v, b.v) / scale);
      }
      if (std::getenv("VERTEBRA_MEASURE"))
        WARN(file << ", base " << base << ": status " << a.status << ", fastest " << scale << ", differences " << q << " and " << v
                  << " of that");
      CHECK(q < 1e-11);  // measured: 2e-12 and 3e-11
      CHECK(v < 2e-10);
      moved += a.status == VTB_OK;
      vtb_skeleton_release(skeleton);
    }
  CHECK(moved >= 54);  // all three reject a tendon of points on hinges of their own, and massless bases that are free
}
