// A kinematic tree and the recursions over it that both worlds and the dynamics functions of a skeleton use. All O(links). Links are
// ordered parents first. Arrays: q, v, a, z with each link's qOffset, vOffset. See link.hpp for frames.
//
// Articulated elimination, square-root form: with articulated inertia A and motion subspace S of a link, D = S^T A S + E (E: armature and
// implicit springs, dampers, drives) is factored G G^T, W = A S G^-T, and A - W W^T passes to the parent. A momentum P becomes whitened
// coordinates z = G^-1 (S^T P + g), whose metric is the identity: kinetic energy is z.z / 2 when E is armature only. A sweep from root to
// leaves turns z back into velocities. Sources: Featherstone 2008 ch. 7; Rodriguez and Jain 1992 (innovations factorisation).
#pragma once
#include <span>

#include "engine/dynamics/joints/joints.hpp"

namespace vertebra::dynamics {

struct Base {                 // parent of the links without a parent
  BodyPose pose;              // of the world: identity
  Vec6 twist = Vec6::Zero();  // about O, world axes; a prescribed body moves
};
inline const Base kWorldBase{};

struct Tree {
  const LinkModel* model = nullptr;
  LinkState* state = nullptr;
  // A, by link: from updateInertias to factor; trees that are not factored at the same time may share the memory.
  Mat6* inertia = nullptr;
  Vec6* P = nullptr;  // momentum or force on its way to the root, by link: likewise, from where it is written to sweepUp
  int count = 0;
  const Base* base = &kWorldBase;
  Vec3 O = Vec3::Zero();
};

// Poses of all links from coordinates; of a tree that was translated since (only the position of its free root changed); then S about O.
void updatePoses(Tree& tree, const double* q);
void updateTranslated(Tree& tree, const double* q);
void updateSubspaces(Tree& tree);
void updatePath(Tree& tree, const double* q, std::span<const int> links);  // both, of these alone; parents before their children
// A of every link: its own rigid-body inertia about O.
void updateInertias(Tree& tree);
void updateSubspacesAndInertias(Tree& tree);
// Twists about O and the bodies' own v, w from joint velocities.
void updateTwists(Tree& tree, const double* v);

// Factors the tree. extra (may be null): E, one number a velocity. Returns -1, or the first link without inertia along its joint.
int factor(Tree& tree, const double* extra);
// Momenta or forces P -> z. generalized (may be null): added to S^T P. P is consumed.
void sweepUp(Tree& tree, const double* generalized, double* z);
// Both in one pass, so that their latencies overlap.
int factorAndSweepUp(Tree& tree, const double* extra, const double* generalized, double* z);
// z -> joint velocities v, twists t (from the base's twist, or from rest).
void sweepDown(Tree& tree, const double* z, double* v, bool withBase = true);
// The same for accelerations: writes t2 and leaves t unchanged; the base is at rest.
void sweepDownAccelerations(Tree& tree, const double* z, double* a);
// Sum over the velocities of a weight times mobility (the diagonal of the inverse of M + E), by the factor; mobility.cpp. Overwrites A.
double weightedMobility(Tree& tree, const double* weights);

// Accelerations of centres of mass (classical) with joint accelerations a (null = zero) into biasAngular, biasLinear and t2; needs twists
// and the bodies' own velocities. Of a free root, a is angular, then linear of the point at O (classical).
void updateBias(Tree& tree, const double* v, const double* a);
// Poses, subspaces, twists and bias accelerations for q, v and joint accelerations a (null = zero), and for every body P = weight minus
// inertia times acceleration minus gyroscopic torque; gravity in m/s^2. O is unchanged.
void biasForces(Tree& tree, const double* q, const double* v, const double* a, const Vec3& gravity);

// Inertia of one body about O, world axes.
void bodyInertia(const LinkModel& m, const BodyPose& pose, const Vec3& O, Mat6& A);

}  // namespace vertebra::dynamics
