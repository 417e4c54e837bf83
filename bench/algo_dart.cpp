// DART's algorithms on a robot. Usage: see algo.hpp. Setting the state is part of each call, as DART caches by state.
#include <dart/dart.hpp>
#include <dart/utils/urdf/urdf.hpp>
#include <fstream>
#include <sstream>

#include "bench/algo.hpp"

namespace {

// Removes elements with this tag, so that DART does not look for meshes.
std::string without(std::string text, const std::string& tag) {
  for (std::size_t begin; (begin = text.find("<" + tag)) != std::string::npos;) {
    const std::size_t close = text.find('>', begin);
    const std::size_t end = text[close - 1] == '/' ? close + 1 : text.find("</" + tag + ">", begin) + tag.size() + 3;
    text.erase(begin, end - begin);
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  const Robot robot(argc, argv);
  std::stringstream text;
  text << std::ifstream(argv[1]).rdbuf();
  using Loader = dart::utils::DartLoader;
  Loader::Options options;
  options.mDefaultRootJointType = robot.floating ? Loader::RootJointType::FLOATING : Loader::RootJointType::FIXED;
  options.mDefaultInertia = dart::dynamics::Inertia(1e-9, Eigen::Vector3d::Zero(), 1e-12 * Eigen::Matrix3d::Identity());
  const auto skeleton =
      Loader(options).parseSkeletonString(without(without(text.str(), "visual"), "collision"), dart::common::Uri("file:///"));
  if (!skeleton) return 1;
  skeleton->setGravity(Eigen::Vector3d(0, 0, -kGravity));
  const int n = static_cast<int>(skeleton->getNumDofs());
  std::vector<Eigen::VectorXd> q(kStates, Eigen::VectorXd::Zero(n)), v = q, a = q, tau = q;
  for (int i = 0; i < n; i++) {
    auto* dof = skeleton->getDof(i);
    dof->getJoint()->setActuatorType(dart::dynamics::Joint::FORCE);  // mimic ignored
    dof->setDampingCoefficient(0);
    dof->setCoulombFriction(0);
    dof->setSpringStiffness(0);
    const auto found = robot.joints.find(dof->getJoint()->getName());
    if (found == robot.joints.end()) continue;
    for (int k = 0; k < kStates; k++) {
      q[k][i] = position(found->second, k);
      v[k][i] = velocity(found->second, k);
      a[k][i] = acceleration(found->second, k);
      tau[k][i] = torque(found->second, k);
    }
  }
  volatile double sink = 0;
  const auto forward = [&](int k) {
    skeleton->setPositions(q[k]);
    skeleton->setVelocities(v[k]);
    skeleton->setForces(tau[k]);
    skeleton->computeForwardDynamics();
  };
  const auto inverse = [&](int k) {
    skeleton->setPositions(q[k]);
    skeleton->setVelocities(v[k]);
    skeleton->setAccelerations(a[k]);
    skeleton->computeInverseDynamics();
  };
  const auto mass = [&](int k) {
    skeleton->setPositions(q[k]);
    sink = skeleton->getMassMatrix()(0, 0);
  };
  const auto kinematics = [&](int k) {
    skeleton->setPositions(q[k]);
    for (std::size_t i = 0; i < skeleton->getNumBodyNodes(); i++) sink = skeleton->getBodyNode(i)->getWorldTransform()(0, 3);
  };
  const std::vector<std::pair<std::string, Times>> rows{
      {"fd", timeStates(forward)}, {"id", timeStates(inverse)}, {"massmatrix", timeStates(mass)}, {"fk", timeStates(kinematics)}};
  const auto joints = static_cast<Eigen::Index>(robot.joints.size());
  CheckSums sums;
  forward(0);
  sums.accelerations = skeleton->getAccelerations().tail(joints).sum();
  inverse(0);
  sums.torques = skeleton->getForces().tail(joints).cwiseAbs().sum();
  sums.trace = skeleton->getMassMatrix().diagonal().tail(joints).sum();
  kinematics(0);
  sums.positions = 0;
  for (std::size_t i = 0; i < skeleton->getNumBodyNodes(); i++)
    sums.positions += skeleton->getBodyNode(i)->getWorldTransform().translation().cwiseAbs().sum();
  printAlgorithms("dart", robot, n, rows, sums, "double; setting the state is part of each call");
}
