// The computations of FigureWorkspace; see figure_model.hpp. Each sets poses (and twists) of the bodies and runs one recursion.
#include <cmath>

#include "engine/dynamics/link_recursions.hpp"
#include "engine/figure/figure_model.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::figure {

// Tree coordinates: of a floating root the inertial frame about O, from the link frame that users give.
void FigureWorkspace::takePositions(const double* q) {
  const FigureModel& m = *model_;
  treeCoordinates(m.coordinates, q, q_.data());
  if (!m.coordinates.floatingBase) return;
  origin_ = Vec3(q_[0], q_[1], q_[2]);
  const Quat r(q_[6], q_[3], q_[4], q_[5]);
  const Pose inertial = Pose{Vec3::Zero(), r} * m.links[m.bodyLink[0]].pose.inverse();
  for (int k = 0; k < 3; k++) q_[k] = inertial.p[k];
  for (int k = 0; k < 4; k++) q_[3 + k] = inertial.q.coeffs()[k];
}

void FigureWorkspace::setPositions(const double* q) {
  takePositions(q);
  dynamics::updatePoses(tree_, q_.data());
}

void FigureWorkspace::setVelocities(const double* v) {
  treeVelocities(model_->coordinates, v, v_.data());
  dynamics::updateSubspaces(tree_);
  dynamics::updateTwists(tree_, v_.data());
}

// Link frames from link frames, without the inertial frames of the dynamics: half the work.
const Pose* FigureWorkspace::poses(const double* q) {
  const FigureModel& m = *model_;
  treeCoordinates(m.coordinates, q, q_.data());
  Pose& root = poses_[m.skeleton->root];
  const bool floating = m.coordinates.floatingBase;
  root = floating ? Pose{Vec3::Zero(), Quat(q_[6], q_[3], q_[4], q_[5])}
                  : Pose();  // its position is added last: no loss of accuracy far from the origin
  turns_[m.skeleton->root] = dynamics::rotationOf(root.q);
  for (const LinkFrame& f : m.frames) {
    const Pose& parent = poses_[f.parent];
    Pose& link = poses_[f.link];
    const dynamics::LinkModel& joint = f.joint;
    const dynamics::JointPlace& place = *joint.joint;
    if (f.hinge) {
      const SinCos h = sincos(0.5 * q_[joint.qOffset]);
      Quat turn;
      turn.coeffs() = h.c * place.rest.coeffs() + h.s * place.restTimesK.coeffs();
      link.q = parent.q * turn;
    } else if (joint.type == dynamics::JointType::Fixed) {
      link.q = f.turned ? Quat(parent.q * place.rest) : parent.q;
    } else {
      dynamics::BodyPose from;
      from.c = parent.p;
      from.q = parent.q;
      from.R = turns_[f.parent];
      dynamics::withJoint(joint.type, [&](auto type) { decltype(type)::pose(joint, from, q_.data() + joint.qOffset, frameScratch_); });
      link = {frameScratch_.c, frameScratch_.q};
      turns_[f.link] = frameScratch_.R;
      continue;
    }
    link.p = parent.p + turns_[f.parent] * place.inParent;
    if (f.needsTurn) turns_[f.link] = dynamics::rotationOf(link.q);
    if (f.offset) link.p -= turns_[f.link] * place.inChild;
  }
  if (floating)
    for (Pose& pose : poses_) pose.p += Vec3(q_[0], q_[1], q_[2]);
  return poses_.data();
}

const Vec6* FigureWorkspace::twists(const double* q, const double* v) {
  setPositions(q);
  setVelocities(v);
  for (std::size_t l = 0; l < twists_.size(); l++) {
    const LinkPlace& place = model_->links[l];
    if (place.body < 0) {
      twists_[l].setZero();
      continue;
    }
    const dynamics::LinkState& s = states_[place.body];
    const Vec3 w = s.t.head<3>();
    twists_[l].head<3>() = s.v + w.cross(s.R * place.pose.p);
    twists_[l].tail<3>() = w;
  }
  return twists_.data();
}

void FigureWorkspace::jacobian(const double* q, int link, const Vec3& point, double* J) {
  const FigureModel& m = *model_;
  const std::size_t n = m.nv();
  setPositions(q);
  dynamics::updateSubspaces(tree_);
  for (std::size_t k = 0; k < 6 * n; k++) J[k] = 0;
  const LinkPlace& place = m.links[link];
  if (place.body < 0) return;
  const dynamics::BodyPose& at = states_[place.body];
  const Vec3 x = at.c + at.R * (place.pose * point);
  for (int b = place.body; b >= 0; b = m.bodies[b].parent) {
    const dynamics::LinkModel& body = m.bodies[b];
    for (int k = 0; k < body.nv; k++) {
      const int column = m.coordinates.column[body.vOffset + k];
      if (column < 0) continue;
      const double factor = m.coordinates.factor[body.vOffset + k];
      const Vec3 axis = states_[b].S[k].head<3>();
      const Vec3 linear = Vec3(states_[b].S[k].tail<3>()) + axis.cross(x);
      for (int r = 0; r < 3; r++) {
        J[r * n + column] += factor * linear[r];
        J[(3 + r) * n + column] += factor * axis[r];
      }
    }
  }
}

// Composite rigid bodies: column by column S_ancestor . (A S), with A the inertia of a body's whole subtree. About one point O such an
// inertia is ten numbers that add.
void FigureWorkspace::compositeMassMatrix(double* M) {
  const FigureModel& m = *model_;
  const std::size_t n = m.nv();
  const int* column = m.coordinates.column.data();
  const double* factor = m.coordinates.factor.data();
  for (std::size_t k = 0; k < n * n; k++) M[k] = 0;
  for (int b = 0; b < tree_.count; b++) {
    const dynamics::LinkModel& body = m.bodies[b];
    const dynamics::LinkState& s = states_[b];
    RigidInertia& A = composites_[b];
    A.mass = body.mass;
    A.moment = body.mass * s.c;
    const Mat3 turned = s.R * body.inertia.asDiagonal();
    A.inertia = turned * s.R.transpose() - A.moment * s.c.transpose();
    A.inertia.diagonal().array() += A.moment.dot(s.c);
  }
  const auto eachEntry = [&](auto&& add) {  // tree velocities i, j
    for (int b = tree_.count - 1; b >= 0; b--) {
      const dynamics::LinkModel& body = m.bodies[b];
      const dynamics::LinkState& s = states_[b];
      const RigidInertia& A = composites_[b];
      if (body.parent >= 0) {
        RigidInertia& parent = composites_[body.parent];
        parent.mass += A.mass;
        parent.moment += A.moment;
        parent.inertia += A.inertia;
      }
      for (int k = 0; k < body.nv; k++) {
        const int i = body.vOffset + k;
        const Vec3 w = s.S[k].head<3>(), v = s.S[k].tail<3>();
        const Vec6 F = dynamics::stack(A.inertia * w + A.moment.cross(v), A.mass * v - A.moment.cross(w));
        for (int e = 0; e < k; e++) add(i, body.vOffset + e, s.S[e].dot(F));
        add(i, i, s.S[k].dot(F) + m.armature[i]);
        for (int p = body.parent; p >= 0; p = m.bodies[p].parent) {
          const dynamics::LinkModel& ancestor = m.bodies[p];
          if (ancestor.velocityIsTwist) {
            for (int e = 0; e < 6; e++) add(i, ancestor.vOffset + e, F[e]);
            break;
          }
          for (int e = 0; e < ancestor.nv; e++) add(i, ancestor.vOffset + e, states_[p].S[e].dot(F));
        }
      }
    }
  };
  if (!m.coordinates.follows) {  // G is a permutation: each entry has its own place
    eachEntry([&](int i, int j, double value) { M[column[i] * n + column[j]] = M[column[j] * n + column[i]] = value; });
    return;
  }
  eachEntry([&](int i, int j, double value) {
    const int r = column[i], c = column[j];
    if (r < 0 || c < 0) return;
    value *= factor[i] * factor[j];
    M[r * n + c] += value;
    if (i != j) M[c * n + r] += value;
  });
}

void FigureWorkspace::massMatrix(const double* q, double* M) {
  setPositions(q);
  dynamics::updateSubspaces(tree_);
  compositeMassMatrix(M);
}

// tau = armature a - S^T (forces of the subtree in P); a: tree accelerations or null.
void FigureWorkspace::forcesFromBodies(const double* a, double* tau) {
  const FigureModel& m = *model_;
  for (int b = tree_.count - 1; b >= 0; b--) {
    const dynamics::LinkModel& body = m.bodies[b];
    const dynamics::LinkState& s = states_[b];
    for (int k = 0; k < body.nv; k++) {
      const int i = body.vOffset + k;
      tau_[i] = (a ? m.armature[i] * a[i] : 0) - (body.velocityIsTwist ? tree_.P[b][k] : s.S[k].dot(tree_.P[b]));
    }
    if (body.parent >= 0) tree_.P[body.parent] += tree_.P[b];
  }
  generalizedForces(m.coordinates, tau_.data(), tau);
}

void FigureWorkspace::inverse(const double* q, const double* v, const double* a, const Vec3& gravity, double* tau) {
  takePositions(q);
  treeVelocities(model_->coordinates, v, v_.data());
  treeVelocities(model_->coordinates, a, a_.data());
  dynamics::biasForces(tree_, q_.data(), v_.data(), a_.data(), gravity);
  forcesFromBodies(a_.data(), tau);
}

void FigureWorkspace::bias(const double* q, const double* v, const Vec3& gravity, double* tau) {
  takePositions(q);
  treeVelocities(model_->coordinates, v, v_.data());
  dynamics::biasForces(tree_, q_.data(), v_.data(), nullptr, gravity);
  forcesFromBodies(nullptr, tau);
}

void FigureWorkspace::gravity(const double* q, const Vec3& gravity, double* tau) {
  setPositions(q);
  dynamics::updateSubspaces(tree_);
  for (int b = 0; b < tree_.count; b++) {
    const Vec3 weight = model_->bodies[b].mass * gravity;
    tree_.P[b].head<3>() = states_[b].c.cross(weight);
    tree_.P[b].tail<3>() = weight;
  }
  forcesFromBodies(nullptr, tau);
}

int FigureWorkspace::forward(const double* q, const double* v, const double* tau, const Vec3& gravity, double* a, const double* added) {
  const FigureModel& m = *model_;
  takePositions(q);
  treeVelocities(model_->coordinates, v, v_.data());
  dynamics::biasForces(tree_, q_.data(), v_.data(), nullptr, gravity);
  if (m.coordinates.follows) return forwardDense(tau, a, added);
  dynamics::updateInertias(tree_);
  if (added) {
    treeVelocities(m.coordinates, added, diagonal_.data());
    for (std::size_t i = 0; i < diagonal_.size(); i++) diagonal_[i] += m.armature[i];
  }
  const int failed = dynamics::factor(tree_, added ? diagonal_.data() : m.hasArmature ? m.armature.data() : nullptr);
  if (failed >= 0) return m.bodyLink[failed];
  treeVelocities(m.coordinates, tau, tau_.data());  // without mimic joints G is a permutation: G tau inverts tau = G^T tau_tree
  dynamics::sweepUp(tree_, tau_.data(), z_.data());
  dynamics::sweepDownAccelerations(tree_, z_.data(), a_.data());
  generalizedForces(m.coordinates, a_.data(), a);
  return -1;
}

// With mimic joints: (G^T M G) a = tau - bias by Cholesky, in place. Bias forces are set.
int FigureWorkspace::forwardDense(const double* tau, double* a, const double* added) {
  const int n = model_->nv();
  double* M = dense_.data();
  double* x = M + static_cast<std::size_t>(n) * n;
  compositeMassMatrix(M);
  forcesFromBodies(nullptr, x);
  for (int r = 0; r < n; r++) x[r] = tau[r] - x[r];
  for (int r = 0; added && r < n; r++) M[static_cast<std::size_t>(r) * n + r] += added[r];
  for (int r = 0; r < n; r++) {
    double* row = M + static_cast<std::size_t>(r) * n;
    const double floor = 1e-14 * row[r];
    for (int c = 0; c <= r; c++) {
      const double* other = M + static_cast<std::size_t>(c) * n;
      double value = row[c];
      for (int e = 0; e < c; e++) value -= row[e] * other[e];
      if (c < r) {
        row[c] = value * other[c];
      } else {
        if (!(value > floor)) return model_->velocityLink[r];
        row[r] = 1 / std::sqrt(value);
      }
    }
    for (int e = 0; e < r; e++) x[r] -= row[e] * x[e];
    x[r] *= row[r];
  }
  for (int r = n - 1; r >= 0; r--) {
    for (int e = r + 1; e < n; e++) x[r] -= M[static_cast<std::size_t>(e) * n + r] * x[e];
    x[r] *= M[static_cast<std::size_t>(r) * n + r];
  }
  for (int r = 0; r < n; r++) a[r] = x[r];
  return -1;
}

bool FigureWorkspace::centerOfMass(const double* q, const double* v, Vec3& position, Vec3* velocity) {
  if (!(model_->mass > 0)) return false;
  setPositions(q);
  if (velocity) setVelocities(v);
  return centerOfMass(position, velocity);
}

bool FigureWorkspace::centerOfMass(Vec3& position, Vec3* velocity) const {
  const FigureModel& m = *model_;
  if (!(m.mass > 0)) return false;
  Vec3 moment = m.fixedMoment, momentum = Vec3::Zero();
  for (int b = 0; b < tree_.count; b++) {
    moment += m.bodies[b].mass * states_[b].c;
    if (velocity) momentum += m.bodies[b].mass * states_[b].v;
  }
  position = moment / m.mass + origin_;
  if (velocity) *velocity = momentum / m.mass;
  return true;
}

void FigureWorkspace::momentum(const double* q, const double* v, Vec3& linear, Vec3& angular) {
  const FigureModel& m = *model_;
  setPositions(q);
  setVelocities(v);
  Vec3 moment = m.fixedMoment;
  linear = angular = Vec3::Zero();
  for (int b = 0; b < tree_.count; b++) {
    const dynamics::LinkState& s = states_[b];
    const Vec3 p = m.bodies[b].mass * s.v;
    moment += m.bodies[b].mass * s.c;
    linear += p;
    angular += s.R * m.bodies[b].inertia.cwiseProduct(s.w) + s.c.cross(p);
  }
  if (m.mass > 0) angular -= (moment / m.mass).cross(linear);
}

void FigureWorkspace::energy(const double* q, const double* v, const Vec3& gravity, double& kinetic, double& potential) {
  const FigureModel& m = *model_;
  setPositions(q);
  setVelocities(v);
  Vec3 moment = m.fixedMoment + m.mass * origin_;
  double twice = 0;
  for (int b = 0; b < tree_.count; b++) {
    const dynamics::LinkState& s = states_[b];
    twice += m.bodies[b].mass * s.v.squaredNorm() + s.w.dot(m.bodies[b].inertia.cwiseProduct(s.w));
    moment += m.bodies[b].mass * s.c;
  }
  for (int i = 0; i < m.coordinates.treeNv; i++) twice += m.armature[i] * v_[i] * v_[i];
  kinetic = 0.5 * twice;
  potential = -gravity.dot(moment);
}

}  // namespace vertebra::figure
