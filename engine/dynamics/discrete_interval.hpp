// One interval of discrete mechanics over a tree; the poses at its start are given, those at its end are sought. This file has the momenta
// and Newton's elimination.
// The discrete Lagrangian of a body over h is m |dc|^2 / 2h plus the rotational term of Moser and Veselov: for the rotation (s, u), a unit
// quaternion in the axes at the start, the angular momentum there is p = (2/h)(s I u + u x I u), which about a principal axis is I sin / h
// of the rotation angle. The momentum about O is the same from either end of the interval, so mu = (R p + (c - O) x m dc/h; m dc/h) serves
// for both discrete Legendre transforms. The discrete Euler-Lagrange equations of a tree require S0^T (sum over the joint's subtree of mu -
// P) = g at each joint, with S0 the motion subspace at the start and P the momenta from the interval before.
// Newton's method: d mu = B t for a twist t of the end pose, also about O, and t = t_parent + S1 d, with S1 the subspace at the end. B is
// not symmetric and S0 differs from S1; therefore the articulated elimination takes the LU form of the one in tree.hpp: D = S0^T A S1 + E,
// and A - A S1 D^-1 S0^T A passes to the parent. O(links).
// Sources: Marsden and West 2001, "Discrete mechanics and variational integrators"; Moser and Veselov 1991, "Discrete versions of some
// classical integrable systems and factorization of matrix polynomials"; Lee, Leok and McClamroch 2007, "Lie group variational integrators
// for the full body problem" (rotation); the elimination is new here.
// Units SI, world axes about the tree's O, which stays where it was at the start.
#pragma once
#include "engine/dynamics/tree.hpp"

namespace vertebra::dynamics {

struct alignas(64) IntervalLink {
  Vec3 c = Vec3::Zero();  // pose at the start
  Quat q = Quat::Identity();
  Mat3 R = Mat3::Identity();
  Vec6 start = Vec6::Zero();     // P: momentum at the start, plus the impulses that act there
  Vec6 momentum = Vec6::Zero();  // mu
  double turn = 1;               // cosine of half the link's rotation angle
  alignas(16) double D[6][6];    // L and U of the joint block; reciprocals on the diagonal
  Vec6 S[6];                     // S0
  Vec6 U[6], V[6];               // A S1; A^T S0
};

// Pose and S0 of the start from the tree's present poses.
void beginInterval(Tree& tree, IntervalLink* links);
// Sets poses and momenta at coordinates q; writes the missing momentum, P - mu, into Tree::P.
void placeInterval(Tree& tree, IntervalLink* links, const double* q, double h);
// S1 and B at the present poses, factored with E (may be null; increments, one number a velocity); the missing P and g (may be null) are
// swept up into u. Returns -1 or the first link whose joint block has no positive pivot.
int factorInterval(Tree& tree, IntervalLink* links, const double* extra, const double* generalized, double h, double* u);
// The same right side with the present factor.
void sweepIntervalUp(Tree& tree, IntervalLink* links, const double* generalized, double* u);
// The remaining error of the equations along each joint, from the missing momenta of the last placeInterval, which are consumed.
void leftOverInterval(Tree& tree, const IntervalLink* links, const double* generalized, double* left);
// Turns u into increments of the joints, by which q and the poses move, and sets momenta as placeInterval does. Returns the largest
// increment.
double advanceInterval(Tree& tree, IntervalLink* links, const double* u, double h, double* q);

}  // namespace vertebra::dynamics
