// vertebra's algorithms on a robot, through its C ABI only: every time is that of one call. Usage: see algo.hpp.
#include <vertebra/vertebra.h>

#include "bench/algo.hpp"

namespace {

void check(vtb_status status) {
  if (status == VTB_OK) return;
  std::fprintf(stderr, "vertebra: %s: %s\n", vtb_status_name(status), vtb_last_error());
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  const Robot robot(argc, argv);
  vtb_urdf_def def;
  check(vtb_urdf_def_init(&def, sizeof def));
  def.flags = VTB_LOAD_FLAG_NO_MESHES;
  vtb_skeleton* skeleton = nullptr;
  check(vtb_skeleton_load_urdf(argv[1], &def, nullptr, &skeleton));
  vtb_workspace* workspace = nullptr;
  check(vtb_workspace_create(skeleton, robot.floating ? VTB_BASE_FLOATING : VTB_BASE_FIXED, VTB_MODEL_FLAG_NO_MIMIC, &workspace));
  int32_t nq = 0, nv = 0;
  check(vtb_workspace_get_size(workspace, &nq, &nv));

  std::vector<double> neutral(nq), zero(nv);
  check(vtb_workspace_neutral(workspace, neutral.data()));
  std::vector<std::vector<double>> q(kStates, neutral), v(kStates, zero), a = v, tau = v;
  std::vector<int> ofJoints;  // velocities that belong to joints
  for (const auto& [name, i] : robot.joints) {
    int32_t joint = 0, qIndex = 0, vIndex = 0;
    check(vtb_skeleton_find_joint(skeleton, name.c_str(), &joint));
    check(vtb_workspace_get_joint(workspace, joint, &qIndex, &vIndex));
    ofJoints.push_back(vIndex);
    for (int k = 0; k < kStates; k++) {
      q[k][qIndex] = position(i, k);
      v[k][vIndex] = velocity(i, k);
      a[k][vIndex] = acceleration(i, k);
      tau[k][vIndex] = torque(i, k);
    }
  }

  const double gravity[3] = {0, 0, -kGravity};
  vtb_skeleton_info info{};
  info.struct_size = sizeof info;
  check(vtb_skeleton_get_info(skeleton, &info));
  std::vector<double> out(nv), matrix(static_cast<std::size_t>(nv) * nv), poses(7 * static_cast<std::size_t>(info.links));
  size_t total = 0;
  const auto forward = [&](int k) { check(vtb_dynamics_forward(workspace, q[k].data(), v[k].data(), tau[k].data(), gravity, out.data())); };
  const auto inverse = [&](int k) { check(vtb_dynamics_inverse(workspace, q[k].data(), v[k].data(), a[k].data(), gravity, out.data())); };
  const auto mass = [&](int k) { check(vtb_dynamics_mass_matrix(workspace, q[k].data(), matrix.data())); };
  const auto kinematics = [&](int k) { check(vtb_dynamics_poses(workspace, q[k].data(), poses.data(), poses.size() / 7, 0, &total)); };
  const std::vector<std::pair<std::string, Times>> rows{
      {"fd", timeStates(forward)}, {"id", timeStates(inverse)}, {"massmatrix", timeStates(mass)}, {"fk", timeStates(kinematics)}};

  CheckSums sums{0, 0, 0, 0};
  forward(0);
  for (const int i : ofJoints) sums.accelerations += out[i];
  inverse(0);
  for (const int i : ofJoints) sums.torques += std::fabs(out[i]);
  mass(0);
  for (const int i : ofJoints) sums.trace += matrix[static_cast<std::size_t>(i) * nv + i];
  kinematics(0);
  for (std::size_t link = 0; link < poses.size(); link += 7)
    for (std::size_t k = 0; k < 3; k++) sums.positions += std::fabs(poses[link + k]);
  printAlgorithms(std::string("vertebra-") + vtb_version(), robot, nv, rows, sums, "double; one ABI call each, mimic dropped");
  check(vtb_workspace_destroy(workspace));
  check(vtb_skeleton_release(skeleton));
}
