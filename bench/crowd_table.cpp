// What a figure costs in a crowd: limp figures of a URDF (limits kept; no friction, dampers or motors) on a plane, each touching only the
// ground, all in one world and each in a world of its own. The figures make the same motion either way; both are stepped in turn, a tenth
// of a second each, and processor time counts, so that the ratio holds on a busy machine. Prints markdown.
//
// usage: crowd_table URDF [COUNT [SECONDS [together|apart]]]; 100 figures for 4 s, both; one alone is for counting instructions
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <vertebra/vertebra.h>

namespace {

constexpr int kPerSecond = 240, kBlock = 24;  // steps

void check(vtb_status status) {
  if (status == VTB_OK) return;
  std::fprintf(stderr, "vertebra: %s: %s\n", vtb_status_name(status), vtb_last_error());
  std::exit(1);
}

double seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

vtb_world* emptyWorld() {
  vtb_world_def def;
  check(vtb_world_def_init(&def, sizeof def));
  def.time_step = 1.0 / kPerSecond;
  def.flags = VTB_WORLD_FLAG_NO_SLEEP;
  vtb_world* world = nullptr;
  check(vtb_world_create(&def, &world));
  check(vtb_make_ground(world, 0.8, nullptr));
  return world;
}

// The k-th figure of the crowd, 2.5 m from its neighbours.
void addFigure(vtb_world* world, vtb_skeleton* skeleton, int k, int side) {
  vtb_figure_def def;
  check(vtb_figure_def_init(&def, sizeof def));
  def.skeleton = skeleton;
  def.flags = VTB_FIGURE_FLAG_NO_SELF_COLLISION;
  const double place[7] = {2.5 * (k % side), 2.5 * (k / side), 1.1, 0, 0, std::sin(0.35 * k), std::cos(0.35 * k)};
  std::copy(place, place + 7, def.pose);
  vtb_figure figure;
  check(vtb_figure_create(world, &def, &figure));
  int32_t links = 0, joints = 0, nq = 0, nv = 0;
  check(vtb_figure_get_size(world, figure, &links, &joints, &nq, &nv));
  for (int32_t i = 0; i < joints; i++) {
    vtb_joint joint;
    check(vtb_figure_get_joint(world, figure, i, &joint));
    vtb_axis_def axis;
    for (int32_t n = 0; vtb_joint_get_axis(world, joint, n, (axis.struct_size = sizeof axis, &axis)) == VTB_OK; n++) {
      axis.friction = axis.damping = axis.stiffness = 0;
      check(vtb_joint_set_axis(world, joint, n, &axis));
    }
  }
}

double timeOf(const std::vector<vtb_world*>& worlds) {
  const double start = seconds();
  for (vtb_world* world : worlds) check(vtb_world_step(world, kBlock));
  return seconds() - start;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: crowd_table URDF [COUNT [SECONDS [together|apart]]]\n");
    return 2;
  }
  const int count = argc > 2 ? std::atoi(argv[2]) : 100;
  const double duration = argc > 3 ? std::atof(argv[3]) : 4;
  const std::string only = argc > 4 ? argv[4] : "";
  vtb_urdf_def def;
  check(vtb_urdf_def_init(&def, sizeof def));
  def.flags = VTB_LOAD_FLAG_NO_MESHES;
  vtb_skeleton* skeleton = nullptr;
  check(vtb_skeleton_load_urdf(argv[1], &def, nullptr, &skeleton));
  const int side = static_cast<int>(std::ceil(std::sqrt(count)));
  std::vector<vtb_world*> together, apart;
  if (only != "apart") together.push_back(emptyWorld());
  for (int k = 0; k < count; k++) {
    if (only != "apart") addFigure(together[0], skeleton, k, side);
    if (only == "together") continue;
    apart.push_back(emptyWorld());
    addFigure(apart.back(), skeleton, k, side);
  }
  double crowd = 0, alone = 0;
  std::vector<double> ratios;
  for (int block = 0; block * kBlock < duration * kPerSecond; block++) {
    const double a = timeOf(together), b = timeOf(apart);
    crowd += a;
    alone += b;
    if (b > 0) ratios.push_back(a / b);
  }
  const double scale = 1e6 / (count * duration * kPerSecond);
  std::sort(ratios.begin(), ratios.end());
  std::printf(
      "| figures | us a figure and step, in one world | each in its own | ratio of the sums | median ratio of the blocks "
      "|\n|---|---|---|---|---|\n");
  std::printf("| %d | %.3f | %.3f | %.3f | %.3f |\n", count, scale * crowd, scale * alone, alone > 0 ? crowd / alone : 0,
              ratios.empty() ? 0 : ratios[ratios.size() / 2]);
  for (vtb_world* world : together) check(vtb_world_destroy(world));
  for (vtb_world* world : apart) check(vtb_world_destroy(world));
  check(vtb_skeleton_release(skeleton));
}
