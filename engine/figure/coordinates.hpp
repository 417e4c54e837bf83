// Generalised coordinates of a figure: which joints have any, their places and names, and the relations of mimic joints. Conventions of q
// and v: capi/include/vertebra/. Two layouts:
//   coordinates q, v       what a user sees: floating base first, then joints in file order; a mimic joint has none;
//   tree coordinates       what engine/dynamics uses: every moving joint has its own; a free root's velocity is angular, then linear.
// Mimic: q_tree = multiplier * q_master + offset, v_tree = G v with a constant matrix G of at most one entry a row; tau = G^T tau_tree.
#pragma once
#include <string>
#include <vector>

#include "engine/figure/skeleton.hpp"

namespace vertebra::figure {

struct CoordinatePart {  // the floating base or one moving joint
  int joint = -1;        // of the skeleton; -1 = the floating base
  dynamics::JointType type = dynamics::JointType::Fixed;
  int q = -1, v = -1;                 // first coordinate and velocity; -1 = follows another joint
  int treeQ = 0, treeV = 0;           // the same in tree coordinates
  int masterQ = -1;                   // coordinate that it follows; -1 = none: it has its own, or is constant
  double multiplier = 0, offset = 0;  // of a follower: q_tree = multiplier * q[masterQ] + offset
};

struct Coordinates {
  bool floatingBase = false;
  bool follows = false;  // any mimic joint without coordinates
  int nq = 0, nv = 0, treeNq = 0, treeNv = 0;
  std::vector<CoordinatePart> parts;  // in the order of their coordinates
  std::vector<int> partOfJoint;       // -1 = fixed or loop
  std::vector<std::string> qNames, vNames;
  std::vector<int> column;     // tree velocity -> velocity, -1 = constant
  std::vector<double> factor;  // the entry of G in that row
  std::vector<int> quats;      // where quaternions begin in tree coordinates

  int jointQ(int joint) const { return partOfJoint[joint] < 0 ? -1 : parts[partOfJoint[joint]].q; }  // -1 where it has none
  int jointV(int joint) const { return partOfJoint[joint] < 0 ? -1 : parts[partOfJoint[joint]].v; }
};

// The skeleton must pass checkSkeleton. reduceMimic = false: mimic joints get coordinates of their own.
// A chain of mimics is composed; one that ends at a fixed joint is constant; one that ends at a loop joint, which has no coordinates to
// follow, is free.
Coordinates makeCoordinates(const Skeleton& s, bool floatingBase, bool reduceMimic);

void neutral(const Coordinates& c, double* q);  // zero angles, unit quaternions
// Moves q at velocity v for time dt. out may be q.
void integrate(const Coordinates& c, const double* q, const double* v, double dt, double* out);
// The velocity that takes q0 to q1 in unit time.
void difference(const Coordinates& c, const double* q0, const double* q1, double* v);

// User -> tree. Quaternions are normalised; the floating base keeps its meaning (pose of the root link frame).
void treeCoordinates(const Coordinates& c, const double* q, double* treeQ);
void treeVelocities(const Coordinates& c, const double* v, double* treeV);         // treeV = G v; also for accelerations
void generalizedForces(const Coordinates& c, const double* treeTau, double* tau);  // tau = G^T treeTau

}  // namespace vertebra::figure
