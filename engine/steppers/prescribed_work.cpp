// Work of prescribed bodies, J: forces of contacts and joints on what they touch and hold, means over the step, times the velocity of the
// prescribed body at their points. World axes. Callers' constraints and measures over points are left out.
#include "engine/steppers/prescribed_work.hpp"

#include "engine/constraints/joint_forces.hpp"
#include "engine/state/world_data.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::steppers {

void accountPrescribed(WorldData& w, double h, bool inLosses) {
  double sum = 0;
  const auto moves = [&](int body) { return body >= 0 && w.bodies[body].kind == BodyKind::Kinematic; };
  for (std::size_t i = 0; i < w.contacts.size(); i++) {
    const Contact& c = w.contacts[i];
    if (c.force == Vec3::Zero() || moves(c.bodyA) == moves(c.bodyB)) continue;
    const double sign = moves(c.bodyA) ? 1 : -1;
    const BodySlot& b = w.bodies[sign > 0 ? c.bodyA : c.bodyB];  // as its rows saw it, at the end
    sum += sign * (c.force.dot(b.velocity + b.omega.cross(c.position - b.pose.p)) + torqueAt(w.torques, i).dot(b.omega));
  }
  JointForces f;
  for (const PrescribedMotion& p : w.stepPrescribed) {
    const BodySlot& b = w.bodies[p.body];
    for (int id = b.firstJoint; id >= 0; id = w.joints[id].nextJoint[w.joints[id].a != p.body]) {
      const JointSlot& j = w.joints[id];
      if (moves(j.a) && moves(j.b)) continue;
      constraints::jointForces(w, id, w.beyond, f);
      const Vec3 point = j.b < 0 ? j.def->frameB.p : trees::poseOf(w, j.b) * j.def->frameB.p;
      const Vec3 way = point - p.pose * (p.end.inverse() * point);
      const Vec3 force = f.force + f.motors.force + f.springs.force + f.frictions.force + f.limits.force,
                 torque = f.torque + f.motors.torque + f.springs.torque + f.frictions.torque + f.limits.torque;
      sum += (j.a == p.body ? 1 : -1) * (force.dot(way) / h + torque.dot(b.omega));
    }
  }
  w.account.workApplied += h * sum;
  if (inLosses) w.account.lostImpact += h * sum;
}

}  // namespace vertebra::steppers
