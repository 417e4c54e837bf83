// See pair_constraint.hpp.
#include "engine/constraints/pair_constraint.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/joints/common.hpp"
#include "engine/dynamics/joints/joints.hpp"
#include "engine/geometry/curve.hpp"
#include "engine/trees/body_poses.hpp"
#include "engine/trees/joint_coordinates.hpp"

namespace vertebra::constraints {
namespace {

using Bodies = std::vector<BodySlot>;

dynamics::BodyPose poseOfEnd(const Bodies& bodies, const TreeState& topology, int body) {
  dynamics::BodyPose p;
  if (body < 0) return p;
  if (bodies[body].link >= 0) return topology.state[bodies[body].link];
  const Pose x = bodies[body].pose * bodies[body].inertialInLink();
  p.c = x.p;
  p.q = x.q;
  p.R = dynamics::rotationOf(x.q);
  return p;
}
Pose jointFrame(const Bodies& bodies, const TreeState& topology, int body, const Pose& inLink) {
  return body < 0 ? inLink : trees::poseOf(bodies, topology, body) * inLink;
}
Vec6 push(const Vec3& force) { return dynamics::stack(Vec3::Zero(), force); }
Vec6 turn(const Vec3& torque) { return dynamics::stack(torque, Vec3::Zero()); }

void hold(PairConstraint& c, const Vec6& wrench, double error) {
  c.row[c.rows] = wrench;
  c.error[c.rows++] = error;
  c.apart = std::sqrt(c.apart * c.apart + error * error);
}
void leave(PairConstraint& c, const JointSlot& j, const Vec6& wrench, double q) {
  const int k = c.axes++;
  c.axis[k] = c.motion[k] = wrench;
  c.fromRest[k] = q - j.axes[k].parameters->rest;
  c.fromTarget[k] = q - j.axes[k].motor->position;
  c.targetRate[k] = j.axes[k].motor->velocity;
  c.limited = c.axes;
}

// A joint type of the registry: the part of the bodies' poses that its coordinates do not explain is the error.
void viewJoint(const Bodies& bodies, const TreeState& topology, const JointSlot& j, double* q, PairConstraint& c) {
  const Pose inA = j.a < 0 ? j.def->frameA : bodies[j.a].inertialInLink().inverse() * j.def->frameA;
  const Pose inB = j.b < 0 ? j.def->frameB : bodies[j.b].inertialInLink().inverse() * j.def->frameB;
  dynamics::LinkModel m;
  const dynamics::JointFrames frames = dynamics::setJoint(m, *j.def, inA, inB);
  m.joint = m.frames = &frames;
  const dynamics::BodyPose parent = poseOfEnd(bodies, topology, j.a), child = poseOfEnd(bodies, topology, j.b);
  trees::fitCoordinates(m, frames, {parent.c, parent.q}, {child.c, child.q}, q);
  dynamics::LinkState ideal;
  dynamics::JointColumns columns(ideal);
  Vec6 T[6];
  dynamics::withJoint(m.type, [&](auto joint) {
    using J = decltype(joint);
    J::pose(m, parent, q, ideal);
    J::subspace(m, parent, ideal.anchor, ideal);
    J::constraints(m, parent, ideal.anchor, ideal, T);
  });
  c.point = ideal.anchor;
  const Vec6 error = dynamics::stack(quatLog(child.q * ideal.q.conjugate()), child.c + child.R * m.joint->inChild - ideal.anchor);
  c.rows = 6 - m.nv;
  c.axes = m.nv;
  for (int k = 0; k < c.rows; k++) {
    c.row[k] = T[k];
    c.error[k] = T[k].dot(error);
  }
  for (int k = 0; k < c.axes; k++) {
    c.axis[k] = T[c.rows + k];
    c.motion[k] = ideal.S[k];
  }
  c.apart = error.tail<3>().norm();
  c.turned = error.head<3>().norm();
  trees::axisError(m, j, q, false, c.fromRest);
  trees::axisError(m, j, q, true, c.fromTarget);
  for (int k = 0; k < c.axes; k++) c.targetRate[k] = j.axes[k].motor->velocity;
  c.limited = trees::limitedAxes(m);
}

void viewMotor(const JointSlot& j, double* q, const Pose& a, const Pose& b, PairConstraint& c) {
  const Pose relative = a.inverse() * b;
  const Vec3 turned = quatLog(relative.q * j.orientation->targetQuat.conjugate()), whole = quatLog(relative.q);
  const Mat3 axes = dynamics::rotationOf(a.q);
  c.point = b.p;
  for (int k = 0; k < 3; k++) {
    leave(c, j, push(axes.col(k)), relative.p[k]);
    q[k] = relative.p[k];
    c.fromTarget[k] = relative.p[k] - j.orientation->targetPosition[k] - j.axes[k].motor->position;
    c.targetRate[k] = j.orientation->targetVelocity[k] + j.axes[k].motor->velocity;
  }
  for (int k = 0; k < 3; k++) {
    leave(c, j, turn(axes.col(k)), whole[k]);
    c.fromTarget[3 + k] = turned[k] - j.axes[3 + k].motor->position;
    c.targetRate[3 + k] = j.orientation->targetOmega[k] + j.axes[3 + k].motor->velocity;
  }
  for (int k = 0; k < 4; k++) q[3 + k] = relative.q.coeffs()[k];
  c.limited = 3;
}

void viewPoweredAxis(const Bodies& bodies, const TreeState& topology, const JointSlot& j, double* q, const Pose& a, const Pose& b,
                     PairConstraint& c) {
  const bool angular = j.def->constraint == ConstraintType::AxisAngular;
  const Vec3 axis = a.q * j.def->axis;
  c.point = b.p;
  q[0] = axisCoordinate(bodies, topology, j, q[0]);
  leave(c, j, angular ? turn(axis) : push(axis), q[0]);
}

// The line between the two points. Where they coincide it has no direction: frame a's axis is used. Equal limits make a rod.
void viewDistance(const JointSlot& j, double* q, const Pose& a, const Pose& b, PairConstraint& c) {
  const Vec3 between = b.p - a.p;
  const double length = between.norm();
  const Vec3 direction = length > 1e-9 ? Vec3(between / length) : Vec3(a.q * j.def->axis);
  c.point = b.p;
  q[0] = length;
  if (j.axes[0].parameters->lower == j.axes[0].parameters->upper)
    hold(c, push(direction), length - j.axes[0].parameters->lower);
  else
    leave(c, j, push(direction), length);
}

void viewOnLine(const JointSlot& j, double* q, const Pose& a, const Pose& b, PairConstraint& c) {
  const Mat3 frame = dynamics::rotationOf(a.q * quatBetween(Vec3::UnitZ(), j.def->axis));
  const Vec3 between = b.p - a.p;
  c.point = b.p;
  for (int k = 0; k < 2; k++) hold(c, push(frame.col(k)), frame.col(k).dot(between));
  q[0] = frame.col(2).dot(between);
  leave(c, j, push(frame.col(2)), q[0]);
}

void viewOnPlane(const JointSlot& j, double* q, const Pose& a, const Pose& b, PairConstraint& c) {
  const Mat3 frame = dynamics::rotationOf(a.q * quatBetween(Vec3::UnitZ(), j.def->axis));
  const Vec3 between = b.p - a.p;
  c.point = b.p;
  hold(c, push(frame.col(2)), frame.col(2).dot(between));
  for (int k = 0; k < 2; k++) {
    q[k] = frame.col(k).dot(between);
    leave(c, j, push(frame.col(k)), q[k]);
  }
}

// The curve belongs to body a; the coordinate is the arc length along it.
void viewOnCurve(const JointSlot& j, double* q, const Pose& a, const Pose& b, PairConstraint& c) {
  const geometry::Curve& curve = *j.def->curve;
  const Vec3 p = a.inverse() * b.p;
  q[0] = curve.nearest(p, q[0], 0.25 * curve.length());
  const Mat3 frame = dynamics::rotationOf(quatBetween(Vec3::UnitZ(), curve.tangent(q[0])));
  const Vec3 away = p - curve.position(q[0]);
  c.point = b.p;
  for (int k = 0; k < 2; k++) hold(c, push(a.q * Vec3(frame.col(k))), frame.col(k).dot(away));
  leave(c, j, push(a.q * Vec3(frame.col(2))), q[0]);
}

}  // namespace

void viewPair(const Bodies& bodies, const TreeState& topology, const JointSlot& j, double* q, PairConstraint& c) {
  c.rows = c.axes = c.limited = 0;
  c.apart = c.turned = 0;
  if (j.def->constraint == ConstraintType::Joint) return viewJoint(bodies, topology, j, q, c);
  const Pose a = jointFrame(bodies, topology, j.a, j.def->frameA), b = jointFrame(bodies, topology, j.b, j.def->frameB);
  switch (j.def->constraint) {
    case ConstraintType::Motor:
      return viewMotor(j, q, a, b, c);
    case ConstraintType::AxisAngular:
    case ConstraintType::AxisLinear:
      return viewPoweredAxis(bodies, topology, j, q, a, b, c);
    case ConstraintType::Distance:
      return viewDistance(j, q, a, b, c);
    case ConstraintType::PointOnLine:
      return viewOnLine(j, q, a, b, c);
    case ConstraintType::PointOnPlane:
      return viewOnPlane(j, q, a, b, c);
    case ConstraintType::PointOnCurve:
      return viewOnCurve(j, q, a, b, c);
    case ConstraintType::Joint:
      return;
  }
}

double axisCoordinate(const Bodies& bodies, const TreeState& topology, const JointSlot& j, double near) {
  const Pose a = jointFrame(bodies, topology, j.a, j.def->frameA);
  const Pose b = jointFrame(bodies, topology, j.b, j.def->frameB);
  if (j.def->constraint == ConstraintType::AxisLinear) return (a.q * j.def->axis).dot(b.p - a.p);
  const Quat r = a.q.conjugate() * b.q;
  const double along = Vec3(r.x(), r.y(), r.z()).dot(j.def->axis);
  const double angle = 2 * arctan2(r.w() < 0 ? -along : along, std::fabs(r.w()));
  return angle + 2 * kPi * std::nearbyint((near - angle) / (2 * kPi));
}

void pairForce(const Bodies& bodies, const TreeState& topology, const JointSlot& j, Vec3& force, Vec3& torque) {
  force = j.between->force;
  torque = j.between->torque;
  PairConstraint c;
  double q[7];
  std::copy_n(j.q, j.nq, q);
  viewPair(bodies, topology, j, q, c);
  for (int k = 0; k < c.axes; k++) {
    const double along = j.axes[k].motorForce + j.axes[k].springForce + j.axes[k].frictionForce + j.axes[k].limitForce;
    torque += along * c.axis[k].head<3>();
    force += along * c.axis[k].tail<3>();
  }
}

const Softness& softnessOf(const JointSlot& j, const Vec6& direction) {
  return direction.tail<3>().squaredNorm() > 0 ? j.def->linear : j.def->angular;
}

}  // namespace vertebra::constraints
