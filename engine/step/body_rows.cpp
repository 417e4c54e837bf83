// Rows between any two bodies: six-axis motor joints and powered axes (soft, bounded), and the bilateral rows of joints that close
// cycles and of couplings, with their closing in position by Newton's method. See island_rows.hpp.
#include <algorithm>
#include <cmath>

#include "engine/step/island_rows.hpp"
#include "engine/step/tree_step.hpp"

namespace vertebra {
namespace {

BodyPose poseOfEnd(const WorldData& w, int body) {
  BodyPose p;
  if (body < 0) return p;
  if (w.bodies[body].link >= 0) return w.state[w.bodies[body].link];
  const Pose x = w.bodies[body].pose * w.bodies[body].inertialInLink;
  p.c = x.p;
  p.q = x.q;
  p.R = rotationOf(x.q);
  return p;
}
Pose jointFrame(const WorldData& w, int body, const Pose& inLink) { return body < 0 ? inLink : poseOf(w, body) * inLink; }

// A joint that is not in a tree, seen as one: constants, parent pose, the child where it is, and where its coordinates would put it.
struct LoopView {
  LinkModel model;
  BodyPose parent;
  LinkState child, ideal;
  Vec6 error;  // turn and displacement of the child from the ideal, about the ideal's anchor
};

void viewLoop(const WorldData& w, const JointSlot& j, double* q, LoopView& v) {
  const Pose inA = j.def.a < 0 ? j.def.frameA : w.bodies[j.def.a].inertialInLink.inverse() * j.def.frameA;
  const Pose inB = j.def.b < 0 ? j.def.frameB : w.bodies[j.def.b].inertialInLink.inverse() * j.def.frameB;
  setJoint(v.model, j.def, inA, inB);
  v.parent = poseOfEnd(w, j.def.a);
  static_cast<BodyPose&>(v.child) = poseOfEnd(w, j.def.b);
  v.child.anchor = v.child.c + v.child.R * v.model.inChild;
  fitCoordinates(v.model, {v.parent.c, v.parent.q}, {v.child.c, v.child.q}, q);
  withJoint(j.def.type, [&](auto joint) { decltype(joint)::pose(v.model, v.parent, q, v.ideal); });
  v.error = stack(quatLog(v.child.q * v.ideal.q.conjugate()), v.child.anchor - v.ideal.anchor);
}

constexpr double kPairMargin = 0.05;  // rad or m, besides what the present rate covers in a step

int loopRows(const JointSlot& j) { return 6 - j.nv; }

// Constraint wrenches of the joint about the child's ideal anchor.
void loopDirections(LoopView& v, Vec6* T) {
  withJoint(v.model.type, [&](auto joint) {
    using J = decltype(joint);
    J::subspace(v.model, v.parent, v.ideal.anchor, v.ideal);
    J::constraints(v.model, v.parent, v.ideal.anchor, v.ideal, T);
  });
}

// The wrench (about `point`) that picks the rate of a joint with one axis outside the trees.
Vec6 rateWrench(const WorldData& w, JointSlot& j, Vec3& point) {
  LoopView view;
  Vec6 T[6];
  viewLoop(w, j, j.q, view);
  loopDirections(view, T);
  point = view.ideal.anchor;
  return T[loopRows(j)];
}

double couplingError(WorldData& w, const CouplingSlot& c) {
  auto coordinate = [&](int joint) {
    JointSlot& j = w.joints[joint];
    if (j.link >= 0) return w.q[w.model[j.link].qOffset];
    LoopView view;
    viewLoop(w, j, j.q, view);
    return j.q[0];
  };
  return coordinate(c.b) - c.ratio * coordinate(c.a) - c.offset;
}

}  // namespace

// The motor of one axis between bodies: a soft bounded row, or a given force.
void IslandRows::driveRow(const PairAxis& x, double error, double rateTarget) {
  const JointSlot& j = w_.joints[x.joint];
  const MotorSettings& motor = j.motors[x.k];
  if (motor.mode == MotorMode::Off) return;
  const double bound = h_ * std::min(motor.maxForce, j.axes[x.k].effort);
  const double stiffness = motor.mode == MotorMode::Position ? motor.stiffness : 0;
  const double damping = motor.mode == MotorMode::Torque ? 0 : motor.damping;
  const double soft = h_ * damping + h_ * h_ * stiffness;
  const double sigma = soft > 0 && soft < kInf ? 1 / soft : 0;
  Row& r = pairRow(x, RowMeta::Drive, 0, sigma);
  r.lo = -bound;
  r.hi = bound;
  if (!(soft > 0)) {  // a given force: no softness to find it by
    r.lo = r.hi = r.lambda = std::min(bound, std::max(-bound, h_ * motor.force));
    return;
  }
  if (soft < kInf)
    r.bias -= sigma * h_ * (motor.force + damping * rateTarget - stiffness * error);
  else
    r.bias += stiffness < kInf ? -rateTarget : error / h_ - rateTarget;
  r.lambda = std::min(r.hi, std::max(r.lo, j.driveImpulse[x.k]));
}

Row& IslandRows::pairRow(const PairAxis& x, RowMeta::Kind kind, int slot, double sigma) {
  const int row = addWrenchRow(x.path, x.a, x.b, x.force, x.torque, x.point);
  RowMeta meta;
  meta.kind = kind;
  meta.index = x.joint;
  meta.axis = static_cast<std::int8_t>(x.k);
  meta.slot = static_cast<std::int8_t>(slot);
  finish(row, x.path, sigma, true, false, 0, meta);
  return w_.rows.rows[row];
}

// Keeps gap >= 0, which x makes grow. direction: how the axes (0 to 2, or 3 to 5) share in x.
void IslandRows::boundPair(const PairAxis& x, const Vec3& direction, double gap, int slot, double restitution) {
  Row& r = pairRow(x, RowMeta::Limit, slot, 0);
  w_.rowMeta.back().direction = direction;
  r.lo = 0;
  r.hi = kInf;
  double bias = gap > 0 ? gap / h_ : kLimitReturn * gap / h_;
  const double speed = -(w_.rows.velocity(static_cast<int>(w_.rows.rows.size()) - 1, x.path) + r.bias);
  if (restitution > 0 && speed > w_.settings.restitutionSpeed && gap < speed * h_) bias = -restitution * speed;
  r.bias += bias;
  r.lambda = w_.joints[x.joint].impulse[x.k][slot];
}

void IslandRows::boundAlong(const PairAxis& x, double sign, double gap, int slot, double restitution) {
  PairAxis along = x;
  along.force *= sign;
  along.torque *= sign;
  boundPair(along, sign * Vec3(Vec3::Unit(x.k % 3)), gap, slot, restitution);
}

// Position limits of one axis between bodies.
void IslandRows::limitPair(const PairAxis& x, double q, double v) {
  const AxisParameters& p = w_.joints[x.joint].axes[x.k];
  const double margin = kPairMargin + 1.5 * h_ * std::fabs(v);
  if (q - p.lower < margin) boundAlong(x, 1, q - p.lower, 1, p.restitution);
  if (p.upper - q < margin) boundAlong(x, -1, p.upper - q, 2, p.restitution);
}

// Velocity limit, spring, damper and dry friction of one axis between bodies.
void IslandRows::restrainPair(const PairAxis& x, double fromRest, double v) {
  const JointSlot& j = w_.joints[x.joint];
  const AxisParameters& p = j.axes[x.k];
  if (p.velocity < kInf && std::fabs(v) > 0.5 * p.velocity) boundAlong(x, v > 0 ? -1 : 1, p.velocity * h_, 3, 0);
  if (p.stiffness > 0 || p.damping > 0) {
    const double sigma = 1 / (h_ * p.damping + h_ * h_ * p.stiffness);
    Row& r = pairRow(x, RowMeta::Spring, 0, sigma);
    r.lo = -kInf;
    r.hi = kInf;
    r.bias += sigma * h_ * p.stiffness * fromRest;
    r.lambda = j.springImpulse[x.k];
  }
  if (p.friction > 0) {
    Row& r = pairRow(x, RowMeta::Friction, 0, 0);
    r.lo = -p.friction * h_;
    r.hi = p.friction * h_;
    r.lambda = std::min(r.hi, std::max(r.lo, j.impulse[x.k][0]));
  }
}

void IslandRows::drives() {
  for (int id : island_.joints) {
    JointSlot& j = w_.joints[id];
    PairAxis x;
    x.joint = id;
    x.a = endOf(j.def.a);
    x.b = endOf(j.def.b);
    x.path = pathFor(x.a.link, x.b.link);
    if (j.def.constraint == ConstraintType::Joint) {
      loopAxes(j, x);
      continue;
    }
    const Pose frameA = jointFrame(w_, j.def.a, j.def.frameA), frameB = jointFrame(w_, j.def.b, j.def.frameB);
    const Mat3 axes = rotationOf(frameA.q);
    x.point = frameB.p;
    if (j.def.constraint == ConstraintType::Motor) {
      const Pose relative = frameA.inverse() * frameB;
      const Vec3 turn = quatLog(relative.q * j.targetQuat.conjugate());
      for (x.k = 0; x.k < 6; x.k++) {
        const int k = x.k % 3;
        const bool linear = x.k < 3;
        x.force = linear ? Vec3(axes.col(k)) : Vec3(Vec3::Zero());
        x.torque = linear ? Vec3(Vec3::Zero()) : Vec3(axes.col(k));
        if (linear)
          driveRow(x, relative.p[k] - j.targetPosition[k], j.targetVelocity[k]);
        else
          driveRow(x, turn[k], j.targetSpin[k]);
      }
      continue;
    }
    const bool angular = j.def.constraint == ConstraintType::AxisAngular;
    const Vec3 axis = axes * j.def.axis;
    x.force = angular ? Vec3(Vec3::Zero()) : axis;
    x.torque = angular ? axis : Vec3(Vec3::Zero());
    const double q = axisCoordinate(w_, j, j.q[0]);  // at the present poses
    driveRow(x, q - j.motors[0].position, j.motors[0].velocity);
    limitPair(x, q, j.v[0]);
    restrainPair(x, q - j.axes[0].rest, j.v[0]);
  }
}

// The axes of a joint that closes a cycle: it has no coordinates of its own, its bodies' poses and velocities give them.
void IslandRows::loopAxes(JointSlot& j, PairAxis& x) {
  LoopView view;
  Vec6 T[6];
  viewLoop(w_, j, j.q, view);
  loopDirections(view, T);
  x.point = view.ideal.anchor;
  const Vec6* rate = T + loopRows(j);
  const Vec3 spin = startSpin(x.b) - startSpin(x.a), velocity = startVelocity(x.b, x.point) - startVelocity(x.a, x.point);
  double fromRest[6], fromTarget[6];
  axisError(view.model, j, j.q, false, fromRest);
  axisError(view.model, j, j.q, true, fromTarget);
  const bool spherical = j.def.type == JointType::Spherical;
  for (x.k = 0; x.k < j.nv; x.k++) {
    x.torque = rate[x.k].head<3>();
    x.force = rate[x.k].tail<3>();
    j.v[x.k] = x.torque.dot(spin) + x.force.dot(velocity);
    driveRow(x, fromTarget[x.k], spherical && j.orientationMotor ? j.targetVelocity[x.k] : j.motors[x.k].velocity);
    if (x.k < limitedAxes(view.model)) limitPair(x, j.q[x.k], j.v[x.k]);
    restrainPair(x, fromRest[x.k], j.v[x.k]);
  }
  if (!spherical) return;
  SphericalLimit limit[3];
  const double margin = kPairMargin + 1.5 * h_ * Vec3(j.v[0], j.v[1], j.v[2]).norm();
  const int limits = sphericalLimits(j, SphericalJoint::quat(j.q), margin, limit);
  for (int i = 0; i < limits; i++) {
    const Vec3& d = limit[i].direction;
    const Vec6 wrench = d[0] * rate[0] + d[1] * rate[1] + d[2] * rate[2];
    x.k = limit[i].axis;
    x.torque = wrench.head<3>();
    x.force = wrench.tail<3>();
    boundPair(x, d, limit[i].gap, 1, limit[i].restitution);
  }
}

double IslandRows::addToBilateral(int row, const JointSlot& j, const Vec6& wrench, const Vec3& point) {
  const End a = endOf(j.def.a), b = endOf(j.def.b);
  const Vec3 torque = wrench.head<3>(), force = wrench.tail<3>();
  const Vec6 Pa = wrenchAt(a.link, -force, -torque, point), Pb = wrenchAt(b.link, force, torque, point);
  fill(w_.bilateral.y(row), a.link, Pa, b.link, Pb);
  if (!articulated_) respond(w_.bilateral.r(row), a.link, Pa, b.link, Pb, nullptr, -1);
  return force.dot(pointVelocityOfBase(b, point) - pointVelocityOfBase(a, point)) + torque.dot(spinOfBase(b) - spinOfBase(a));
}

void IslandRows::finishBilateral(int row, double target) {
  if (articulated_) std::copy_n(w_.bilateral.y(row), w_.rows.size, w_.bilateral.r(row));
  w_.bilateral.setTarget(row, target);
}

void IslandRows::bilateral() {
  if (!full_) return;
  Vec6 T[6];
  const double back = w_.settings.stabilisation == Stabilisation::Baumgarte ? w_.settings.baumgarte : 0;
  for (int id : island_.joints) {
    JointSlot& j = w_.joints[id];
    if (j.def.constraint != ConstraintType::Joint) continue;
    LoopView view;
    viewLoop(w_, j, j.q, view);
    loopDirections(view, T);
    for (int k = 0; k < loopRows(j); k++) {
      const int row = w_.bilateral.add(0);
      finishBilateral(row, -addToBilateral(row, j, T[k], view.ideal.anchor) - back * T[k].dot(view.error));
    }
  }
  for (int id : island_.couplings) {
    const CouplingSlot& c = w_.couplings[id];
    const int row = w_.bilateral.add(0);
    double target = back > 0 ? -back * couplingError(w_, c) : 0;
    for (int side = 0; side < 2; side++) {
      JointSlot& j = w_.joints[side ? c.b : c.a];
      double g[6] = {side ? 1.0 : -c.ratio};
      if (j.link < 0) {  // no coordinate of its own: the rate of its bodies along its axis
        Vec3 point;
        const Vec6 wrench = rateWrench(w_, j, point);
        target -= addToBilateral(row, j, g[0] * wrench, point);
        continue;
      }
      fillFromJoint(w_.bilateral.y(row), j.link, g);
      if (!articulated_)
        respond(w_.bilateral.r(row), -1, Vec6::Zero(), -1, Vec6::Zero(), g, j.link);
      else if (w_.trees[w_.bodies[w_.links[j.link].body].tree].movingBase)
        target -= g[0] * w_.baseRate[w_.model[j.link].vOffset];
    }
    finishBilateral(row, target);
  }
  w_.bilateral.build();
  if (w_.bilateral.inconsistency() > 1e-3) w_.statistics.infeasible++;
}

void IslandRows::storeBilateral() {
  if (w_.bilateral.count() == 0) return;
  std::vector<double>& lambda = w_.errorScratch;
  lambda.resize(w_.bilateral.count());
  w_.bilateral.multipliers(lambda.data());
  int row = 0;
  Vec6 T[6];
  for (int id : island_.joints) {
    JointSlot& j = w_.joints[id];
    if (j.def.constraint != ConstraintType::Joint) continue;
    LoopView view;
    double q[7];
    std::copy_n(j.q, 7, q);
    viewLoop(w_, j, q, view);
    loopDirections(view, T);
    Vec6 sum = Vec6::Zero();
    for (int k = 0; k < loopRows(j); k++) sum += lambda[row++] * T[k];
    j.auxForce = sum.tail<3>() / h_;
    j.auxTorque = sum.head<3>() / h_;
  }
  for (int id : island_.couplings) {
    const CouplingSlot& c = w_.couplings[id];
    const double impulse = lambda[row++];
    for (int side = 0; side < 2; side++) {
      JointSlot& j = w_.joints[side ? c.b : c.a];
      if (j.role != Role::Auxiliary) continue;
      Vec3 point;
      const Vec6 wrench = (side ? impulse : -c.ratio * impulse) * rateWrench(w_, j, point);
      j.auxForce += wrench.tail<3>() / h_;
      j.auxTorque += wrench.head<3>() / h_;
    }
  }
}

void loopAxisForce(const WorldData& w, const JointSlot& j, Vec3& force, Vec3& torque) {
  LoopView view;
  double q[7];
  Vec6 T[6];
  std::copy_n(j.q, 7, q);
  viewLoop(w, j, q, view);
  loopDirections(view, T);
  for (int k = 0; k < j.nv; k++) {
    const double along = j.motorForce[k] + j.springForce[k] + j.frictionForce[k] + j.limitForce[k];
    torque += along * T[loopRows(j) + k].head<3>();
    force += along * T[loopRows(j) + k].tail<3>();
  }
}

double loopErrors(WorldData& w, Island& island, std::vector<double>& errors) {
  errors.clear();
  double worst = 0;
  Vec6 T[6];
  for (int id : island.joints) {
    JointSlot& j = w.joints[id];
    if (j.def.constraint != ConstraintType::Joint) continue;
    LoopView view;
    viewLoop(w, j, j.q, view);
    loopDirections(view, T);
    for (int k = 0; k < loopRows(j); k++) errors.push_back(T[k].dot(view.error));
    worst = std::max({worst, view.error.head<3>().norm(), view.error.tail<3>().norm()});
  }
  for (int id : island.couplings) {
    errors.push_back(couplingError(w, w.couplings[id]));
    worst = std::max(worst, std::fabs(errors.back()));
  }
  return worst;
}

double closeLoops(WorldData& w, Island& island) {
  std::vector<double>& errors = w.errorScratch;
  std::vector<double>& dx = w.fullScratch;
  double worst = loopErrors(w, island, errors);
  // The rows' basis is of the pose the velocities were solved at: Newton's method with a kept matrix.
  for (int it = 0; it < 8 && worst > 1e-13; it++) {
    const double most = 0.2;  // rad or m in one pass, for loops that start far open
    const double part = worst > most ? most / worst : 1;
    for (double& e : errors) e *= -part;
    dx.assign(w.rows.size, 0.0);
    w.bilateral.displacement(errors.data(), dx.data());
    double* x = coordinatesOf(w);
    for (int t : island.trees) {
      TreeRuntime& tree = w.trees[t];
      if (tree.nv == 0) continue;
      double* step = w.extraFull.data();
      if (tree.saddle) {
        std::copy_n(dx.begin() + w.treeStart[t], tree.nv, step + tree.vFirst);
      } else {
        std::copy_n(dx.begin() + w.treeStart[t], tree.nv, x + tree.vFirst);
        sweepDown(tree.tree, x, step, false);
      }
      for (int i = tree.first; i < tree.first + tree.tree.count; i++) {
        const LinkModel& m = w.model[i];
        double* q = &w.q[m.qOffset];
        const double* d = step + m.vOffset;
        if (m.freeRoot) {
          const Quat r = normalized(quatExp(Vec3(d[0], d[1], d[2])) * Quat(q[6], q[3], q[4], q[5]));
          for (int k = 0; k < 3; k++) q[k] += d[3 + k];
          for (int k = 0; k < 4; k++) q[3 + k] = r.coeffs()[k];
        } else if (m.nv > 0) {
          withJoint(m.type, [&](auto joint) { decltype(joint)::advance(m, q, d); });
        }
      }
      updatePoses(tree.tree, w.q.data());
    }
    const double next = loopErrors(w, island, errors);
    if (!(next < worst)) {
      worst = next;
      break;
    }
    worst = next;
  }
  for (int t : island.trees) {
    TreeRuntime& tree = w.trees[t];
    tree.tree.O = tree.tree.state[0].c;
    moveBase(w, tree);
    updateSubspaces(tree.tree);
    updateTwists(tree.tree, w.v.data());
  }
  return worst;
}

}  // namespace vertebra
