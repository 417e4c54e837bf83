// Kinematics of a tree; see tree.hpp.
#include "engine/dynamics/link_recursions.hpp"

namespace vertebra::dynamics {

void updatePoses(Tree& tree, const double* q) {
  for (int i = 0; i < tree.count; i++) poseAt(tree, i, q);
}

void updateTranslated(Tree& tree, const double* q) {
  for (int i = 0; i < tree.count; i++) {
    const LinkModel& m = tree.model[i];
    if (m.parent >= 0 && fixesPoint(m.type))
      placePosition(m, tree.state[m.parent], tree.state[i]);
    else
      poseAt(tree, i, q);
  }
}

void updateSubspaces(Tree& tree) {
  for (int i = 0; i < tree.count; i++) subspaceAt(tree, i);
}

void updatePath(Tree& tree, const double* q, std::span<const int> links) {
  for (int i : links) {
    poseAt(tree, i, q);
    subspaceAt(tree, i);
  }
}

void updateSubspacesAndInertias(Tree& tree) {
  const LinkModel* const models = tree.model;  // kept in registers: what is written might be the tree, for all the compiler knows
  const LinkState* const states = tree.state;
  Mat6* const inertias = tree.inertia;
  const Vec3 O = tree.O;
  for (int i = 0, count = tree.count; i < count; i++) {
    subspaceAt(tree, i);
    bodyInertia(models[i], states[i], O, inertias[i]);
  }
}

void bodyInertia(const LinkModel& m, const BodyPose& pose, const Vec3& O, Mat6& A) {
  const Mat3& q = pose.R;
  const Vec3 cc = pose.c - O;
  const double a0 = m.inertia.x() * q(0, 0), a1 = m.inertia.y() * q(0, 1), a2 = m.inertia.z() * q(0, 2);
  const double b0 = m.inertia.x() * q(1, 0), b1 = m.inertia.y() * q(1, 1), b2 = m.inertia.z() * q(1, 2);
  const double c0 = m.inertia.x() * q(2, 0), c1 = m.inertia.y() * q(2, 1), c2 = m.inertia.z() * q(2, 2);
  const double mx = m.mass * cc.x(), my = m.mass * cc.y(), mz = m.mass * cc.z();
  const double mxx = mx * cc.x(), myy = my * cc.y(), mzz = mz * cc.z(), M = m.mass;
  const double xx = a0 * q(0, 0) + a1 * q(0, 1) + a2 * q(0, 2) + myy + mzz;
  const double xy = a0 * q(1, 0) + a1 * q(1, 1) + a2 * q(1, 2) - mx * cc.y();
  const double xz = a0 * q(2, 0) + a1 * q(2, 1) + a2 * q(2, 2) - mx * cc.z();
  const double yy = b0 * q(1, 0) + b1 * q(1, 1) + b2 * q(1, 2) + mxx + mzz;
  const double yz = b0 * q(2, 0) + b1 * q(2, 1) + b2 * q(2, 2) - my * cc.z();
  const double zz = c0 * q(2, 0) + c1 * q(2, 1) + c2 * q(2, 2) + mxx + myy;
  double* p = A.data();  // column-major, symmetric
  p[0] = xx, p[1] = xy, p[2] = xz, p[3] = 0, p[4] = -mz, p[5] = my;
  p[6] = xy, p[7] = yy, p[8] = yz, p[9] = mz, p[10] = 0, p[11] = -mx;
  p[12] = xz, p[13] = yz, p[14] = zz, p[15] = -my, p[16] = mx, p[17] = 0;
  p[18] = 0, p[19] = mz, p[20] = -my, p[21] = M, p[22] = 0, p[23] = 0;
  p[24] = -mz, p[25] = 0, p[26] = mx, p[27] = 0, p[28] = M, p[29] = 0;
  p[30] = my, p[31] = -mx, p[32] = 0, p[33] = 0, p[34] = 0, p[35] = M;
}

void updateInertias(Tree& tree) {
  for (int i = 0; i < tree.count; i++) bodyInertia(tree.model[i], tree.state[i], tree.O, tree.inertia[i]);
}

void updateTwists(Tree& tree, const double* v) {
  for (int i = 0; i < tree.count; i++) twistAt(tree, i, v);
}

void updateBias(Tree& tree, const double* v, const double* a) {
  const Vec6 ofBase = biasOfBase(tree);
  for (int i = 0; i < tree.count; i++) biasAt(tree, i, ofBase, v, a);
}

void biasForces(Tree& tree, const double* q, const double* v, const double* a, const Vec3& gravity) {
  // Separate passes: in one pass, each part of a link would wait for the stores of the part before.
  updatePoses(tree, q);
  updateSubspaces(tree);
  updateTwists(tree, v);
  updateBias(tree, v, a);
  for (int i = 0; i < tree.count; i++) {
    const LinkModel& m = tree.model[i];
    LinkState& s = tree.state[i];
    const Vec3 angular = s.R.transpose() * s.biasAngular;
    const Vec3 torque = cross(m.inertia.cwiseProduct(s.w), s.w) - m.inertia.cwiseProduct(angular);
    const Vec3 force = m.mass * (gravity - s.biasLinear);
    tree.P[i].head<3>() = s.R * torque + cross(s.c - tree.O, force);
    tree.P[i].tail<3>() = force;
  }
}

}  // namespace vertebra::dynamics
