// Simbody's algorithms on a robot; fixed joints are welds. Usage: see algo.hpp.
// fd = realize(Acceleration); id = realize(Dynamics) + calcResidualForceIgnoringConstraints; massmatrix = realize(Position) + calcM.
#include <Simbody.h>

#include "bench/algo.hpp"

namespace {

using namespace SimTK;

Vec3 toSimTK(const urdf::Vector3& p) { return {p.x, p.y, p.z}; }
Transform toSimTK(const urdf::Pose& pose) {
  double x, y, z, w;
  pose.rotation.getQuaternion(x, y, z, w);
  return Transform(Rotation(Quaternion(w, x, y, z)), toSimTK(pose.position));
}

MassProperties massOf(const urdf::Link& link) {
  if (!link.inertial || link.inertial->mass <= 0) return MassProperties(0, Vec3(0), Inertia(0));
  const urdf::Inertial& in = *link.inertial;
  const Transform frame = toSimTK(in.origin);
  const Inertia inertia = Inertia(in.ixx, in.iyy, in.izz, in.ixy, in.ixz, in.iyz).reexpress(~frame.R());
  return MassProperties(in.mass, frame.p(), inertia.shiftFromMassCenter(frame.p(), in.mass));
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Robot robot(argc, argv);
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  const Force::Gravity gravity(forces, matter, Vec3(0, 0, -bench::kGravity));
  const Force::DiscreteForces jointForces(forces, matter);
  std::map<std::string, MobilizedBody> bodies;
  std::map<std::string, MobilizedBodyIndex> ofJoint;
  for (const auto& link : robot.links()) {
    const Body::Rigid body(massOf(*link));
    const auto joint = link->parent_joint;
    if (!joint) {
      if (robot.floating)
        bodies[link->name] = MobilizedBody::Free(matter.updGround(), body);
      else
        bodies[link->name] = MobilizedBody::Weld(matter.updGround(), body);
      continue;
    }
    const Transform frame = toSimTK(joint->parent_to_joint_origin_transform);
    MobilizedBody& parent = bodies[joint->parent_link_name];
    if (joint->type == urdf::Joint::FIXED) {
      bodies[link->name] = MobilizedBody::Weld(parent, frame, body, Transform());
      continue;
    }
    const bool slides = joint->type == urdf::Joint::PRISMATIC;
    const Rotation axes(UnitVec3(toSimTK(joint->axis)), slides ? CoordinateAxis(XAxis) : CoordinateAxis(ZAxis));
    const Transform inParent(frame.R() * axes, frame.p());
    if (slides)
      bodies[link->name] = MobilizedBody::Slider(parent, inParent, body, Transform(axes));
    else
      bodies[link->name] = MobilizedBody::Pin(parent, inParent, body, Transform(axes));
    ofJoint[joint->name] = bodies[link->name].getMobilizedBodyIndex();
  }
  State s = system.realizeTopology();
  system.realizeModel(s);
  const int n = s.getNU();
  std::vector<Vector> q(bench::kStates, s.getQ()), v(bench::kStates, Vector(n, 0.0)), a = v, tau = v;
  std::vector<int> ofJoints;
  for (const auto& [name, index] : ofJoint) {
    const MobilizedBody& body = matter.getMobilizedBody(index);
    const int qIndex = body.getFirstQIndex(s), vIndex = body.getFirstUIndex(s), i = robot.joints.at(name);
    ofJoints.push_back(vIndex);
    for (int k = 0; k < bench::kStates; k++) {
      q[k][qIndex] = bench::position(i, k);
      v[k][vIndex] = bench::velocity(i, k);
      a[k][vIndex] = bench::acceleration(i, k);
      tau[k][vIndex] = bench::torque(i, k);
    }
  }
  Vector residual;
  const Vector none, zero(n, 0.0);
  Matrix mass;
  const auto forward = [&](int k) {
    s.updQ() = q[k];
    s.updU() = v[k];
    jointForces.setAllMobilityForces(s, tau[k]);
    system.realize(s, Stage::Acceleration);
  };
  const auto inverse = [&](int k) {
    s.updQ() = q[k];
    s.updU() = v[k];
    jointForces.setAllMobilityForces(s, zero);
    system.realize(s, Stage::Dynamics);
    matter.calcResidualForceIgnoringConstraints(s, none, system.getRigidBodyForces(s, Stage::Dynamics), a[k], residual);
  };
  const auto kinematics = [&](int k) {
    s.updQ() = q[k];
    system.realize(s, Stage::Position);
  };
  const auto massMatrix = [&](int k) {
    kinematics(k);
    matter.calcM(s, mass);
  };
  const std::vector<std::pair<std::string, bench::Times>> rows{{"fd", bench::timeStates(forward)},
                                                               {"id", bench::timeStates(inverse)},
                                                               {"massmatrix", bench::timeStates(massMatrix)},
                                                               {"fk", bench::timeStates(kinematics)}};
  bench::CheckSums sums{0, 0, 0};
  forward(0);
  for (const int i : ofJoints) sums.accelerations += s.getUDot()[i];
  inverse(0);
  massMatrix(0);
  for (const int i : ofJoints) {
    sums.torques += std::fabs(residual[i]);
    sums.trace += mass(i, i);
  }
  bench::printAlgorithms("simbody", robot, n, rows, sums, "double");
}
