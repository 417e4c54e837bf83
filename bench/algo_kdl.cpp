// KDL's inverse dynamics of a tree on a fixed base; KDL 1.5 has no forward dynamics or mass matrix of trees. Usage: see algo.hpp.
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>

#include "bench/algo.hpp"

namespace {

KDL::Vector toKdl(const urdf::Vector3& p) { return {p.x, p.y, p.z}; }
KDL::Frame toKdl(const urdf::Pose& pose) {
  double x, y, z, w;
  pose.rotation.getQuaternion(x, y, z, w);
  return {KDL::Rotation::Quaternion(x, y, z, w), toKdl(pose.position)};
}

KDL::RigidBodyInertia inertiaOf(const urdf::Link& link) {
  if (!link.inertial) return KDL::RigidBodyInertia::Zero();
  const urdf::Inertial& in = *link.inertial;
  const KDL::Frame frame = toKdl(in.origin);
  const KDL::RotationalInertia inertia(in.ixx, in.iyy, in.izz, in.ixy, in.ixz, in.iyz);
  return KDL::Frame(frame.p) * (frame.M * KDL::RigidBodyInertia(in.mass, KDL::Vector::Zero(), inertia));
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  const Robot robot(argc, argv);
  if (robot.floating) {
    std::fprintf(stderr, "kdl: fixed bases only\n");
    return 2;
  }
  KDL::Tree tree(robot.model->getRoot()->name);
  std::map<std::string, std::string> segmentOf;
  for (const auto& link : robot.links()) {
    const auto joint = link->parent_joint;
    if (!joint) continue;
    const KDL::Frame frame = toKdl(joint->parent_to_joint_origin_transform);
    const KDL::Vector axis = frame.M * toKdl(joint->axis);
    const bool fixed = joint->type == urdf::Joint::FIXED;
    const auto kind = joint->type == urdf::Joint::PRISMATIC ? KDL::Joint::TransAxis : KDL::Joint::RotAxis;
    const KDL::Joint made = fixed ? KDL::Joint(joint->name, KDL::Joint::None) : KDL::Joint(joint->name, frame.p, axis, kind);
    tree.addSegment(KDL::Segment(link->name, made, frame, inertiaOf(*link)), joint->parent_link_name);
    if (!fixed) segmentOf[joint->name] = link->name;
  }
  const unsigned n = tree.getNrOfJoints();
  std::vector<KDL::JntArray> q(kStates, KDL::JntArray(n)), v = q, a = q;
  for (const auto& [name, i] : robot.joints) {
    const unsigned index = GetTreeElementQNr(tree.getSegment(segmentOf[name])->second);
    for (int k = 0; k < kStates; k++) {
      q[k](index) = position(i, k);
      v[k](index) = velocity(i, k);
      a[k](index) = acceleration(i, k);
    }
  }
  KDL::TreeIdSolver_RNE solver(tree, KDL::Vector(0, 0, -kGravity));
  KDL::JntArray tau(n);
  const KDL::WrenchMap none;
  const auto inverse = [&](int k) { solver.CartToJnt(q[k], v[k], a[k], none, tau); };
  const std::vector<std::pair<std::string, Times>> rows{{"id", timeStates(inverse)}};
  CheckSums sums;
  inverse(0);
  sums.torques = tau.data.cwiseAbs().sum();
  printAlgorithms("orocos-kdl", robot, static_cast<int>(n), rows, sums, "double; TreeIdSolver_RNE");
}
