// Primary joints (Baraff 1996) as rows of constraints: the tree solvers `dense` and `sparse`, which realise the same operator as the
// articulated elimination of tree.hpp. Input: momenta (or forces) on links, generalised additions g and extra diagonals E per joint axis.
// Output: twists and joint velocities that meet the joints and S^T (momentum balance of the subtree) + g - E v = 0 on every axis.
//
//   [ M  -J^T ] [ u ]   [ b ]     u: twist of each part about its centre of mass, angular part in axes that make M diagonal
//   [ J   C   ] [ l ] = [ c ]     b: P and g there;  c: the base's motion
//
// A part is what moves as one rigid body: a link with a movable joint or a free root (the head), and all links fixed to it. Fixed joints
// are therefore no rows, and a link needs no mass if its part has some. Links fixed to the base are part of the base. A part may lack mass
// or inertia about an axis, which makes M singular, as long as its subtree has inertia there: the system is solved in the form above, which
// is regular wherever every axis has inertia or E.
// Each part has six wrenches to its parent: 6 - nv constraints with C = 0, then one per joint axis, which is a row with compliance C = 1/E
// where E > 0 and no row otherwise. Rows are taken about the joint's origin, so that distances from O cost no digits. One step of iterative
// refinement follows every solve. Sources: Vondrak 2006 ch. 6 (dense), Baraff 1996 (sparse).
#pragma once
#include <memory>
#include <vector>

#include "engine/dynamics/tree.hpp"

namespace vertebra::dynamics {

class SaddleOperator {
 public:
  virtual ~SaddleOperator() = default;

  // Memory for a tree of this many links; later trees with no more links allocate nothing.
  void reserve(const Tree& tree);

  // Inertia that a link has in addition to its own in the next factor (implicit forces): symmetric, positive semidefinite, about its centre
  // of mass, world axes, angular part first. On a link fixed to the base it has no effect.
  void addInertia(int link, const Mat6& inertia) { pending_.push_back({link, inertia}); }

  // Needs poses and anchors only. extra (may be null): E >= 0, one number a velocity. Returns -1, or a link that cannot be solved: the
  // first from the leaves whose joint has no inertia with its whole subtree, as with articulated elimination, or one with a negative E,
  // mass or moment, or a number that is not finite.
  int factor(const Tree& tree, const double* extra);

  // Reads P (unchanged), generalized (may be null) and the base's twist (or rest); writes t, v, w of every link, and v. Velocities are
  // those of the parts: they meet the joints to round-off, which the caller may measure.
  void solve(Tree& tree, const double* generalized, double* v, bool withBase = true);

  // The wrench of the joint to its parent on a link in the last solve, about O: constraint impulse, generalised addition and -E v. The
  // wrench of a fixed joint is the momentum that the links behind it lack: it needs v, w and P as the solve left them, and takes a walk
  // over the tree.
  Vec6 jointWrench(const Tree& tree, int link) const;

 protected:
  struct Joint {
    Mat6 onChild, onParent;  // columns: wrenches on the parts, each about its centre of mass, torque in its axes
    Vec6 compliance;
    bool row[6];        // which columns are rows
    bool lacksInertia;  // the child lacks inertia about an axis or altogether, or has some added: no division by its own mass alone
    int added;          // into added_, or -1
    int parent;         // part, -1 = base
    Vec6 mass;          // of the child: moments, mass three times
  };
  std::vector<Joint> joints_;  // one a part, parents first
  std::vector<Mat6> added_;    // to the mass of a part, in its axes

  virtual void reserveFactor(int parts, int lacking) = 0;  // lacking: parts that lack inertia
  virtual int factorRows() = 0;                            // -1 or the part whose joint has no inertia
  // Solves the system above. Where there is no row, c = 0 and the result is l = 0.
  virtual void solveRows(const Vec6* b, const Vec6* c, Vec6* u, Vec6* l) = 0;

 private:
  struct Part {
    int head;   // link
    int heavy;  // the link with mass or inertia if there is exactly one, -1 if none, -2 if several
    double mass;
    Vec3 c;        // centre of mass, world
    Mat3 axes;     // omega = axes * angular part of u
    Mat3 inertia;  // about c, world axes; only of several heavy links
  };
  std::vector<Part> parts_;
  std::vector<int> partOf_;  // of each link, -1 = base

  int gatherParts(const Tree& tree);  // -1 or the first link that cannot be solved
  void takeAdded(const Tree& tree);
  void refine();

  struct Added {
    int link;
    Mat6 inertia;
  };
  std::vector<Added> pending_;
  std::vector<Vec6> force_, right_, twist_, impulse_;                      // b, c, u, l
  std::vector<Vec6> forceLeft_, rightLeft_, twistChange_, impulseChange_;  // of the refinement
  std::vector<Vec6> wrench_;                                               // l + g, of each part
};

std::unique_ptr<SaddleOperator> makeDenseOperator();   // J M^-1 J^T + C, Cholesky (LU beside twists of parts without inertia); O(links^3)
std::unique_ptr<SaddleOperator> makeSparseOperator();  // block elimination, leaves first; O(links)

}  // namespace vertebra::dynamics
