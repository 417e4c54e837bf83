// One interval of discrete mechanics over a tree, poses at its start known, at its end sought: momenta, and Newton's elimination.
// The discrete Lagrangian of a body over h is m |dc|^2 / 2h with its turn taken as Moser and Veselov do: for the turn (s, u), a unit
// quaternion in the axes at the start, the angular momentum there is p = (2/h)(s I u + u x I u), of which I s sin is left about a
// principal axis. Its momentum about O is the same seen from either end of the interval, so mu = (R p + (c - O) x m dc/h; m dc/h) stands
// for both discrete Legendre transforms. The discrete Euler-Lagrange equations of a tree ask for S0^T (sum over what hangs on a joint of
// mu - P) = g at each joint, S0 the motion subspace at the start, P the momenta brought along.
// Newton: d mu = B t for a twist t of the end pose, about O too, and t = t_parent + S1 d, S1 the subspace at the end. B is not symmetric
// and S0 differs from S1; so the articulated elimination is the LU form of tree.hpp's: D = S0^T A S1 + E, A - A S1 D^-1 S0^T A to the
// parent. O(links). Sources: Marsden & West 2001; Moser & Veselov 1991; Lee, Leok & McClamroch 2007 (rotation); the elimination is our own.
// Units SI, world axes about the tree's O, which stays where it was at the start.
#pragma once
#include "engine/dynamics/tree.hpp"

namespace vertebra {

struct alignas(64) IntervalLink {
  Vec3 c = Vec3::Zero();  // pose at the start
  Quat q = Quat::Identity();
  Mat3 R = Mat3::Identity();
  Vec6 start = Vec6::Zero();     // P: momentum at the start, with the impulses that act there
  Vec6 momentum = Vec6::Zero();  // mu
  double turn = 1;               // cosine of half the angle that the link turns
  alignas(16) double D[6][6];    // L and U of the joint block; reciprocals on the diagonal
  Vec6 S[6];                     // S0
  Vec6 U[6], V[6];               // A S1; A^T S0
};

// Pose and S0 of the start from the tree's present poses.
void beginInterval(Tree& tree, IntervalLink* links);
// Poses, momenta and what is missing, P - mu in LinkState::P, at coordinates q.
void placeInterval(Tree& tree, IntervalLink* links, const double* q, double h);
// S1 and B at the present poses, factored with E (may be null; increments, one number a velocity) and swept up with the missing P and g
// (may be null) into u. Returns -1 or the first link whose joint block has no positive pivot.
int factorInterval(Tree& tree, IntervalLink* links, const double* extra, const double* generalized, double h, double* u);
// The same right side with the factor that is there.
void sweepIntervalUp(Tree& tree, IntervalLink* links, const double* generalized, double* u);
// What Newton left of the equations, along each joint, from the missing momenta of the last placing; those are consumed.
void leftOverInterval(Tree& tree, const IntervalLink* links, const double* generalized, double* left);
// u -> increments of the joints, by which q and the poses move; momenta as placeInterval. Returns the largest increment.
double advanceInterval(Tree& tree, IntervalLink* links, const double* u, double h, double* q);

}  // namespace vertebra
