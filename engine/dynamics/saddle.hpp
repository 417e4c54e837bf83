// Primary joints as rows of constraints: the treatments `dense` and `sparse`, which realise the same operator as the articulated
// elimination of tree.hpp. Momenta (or forces) on links, generalised additions g and extra diagonals E per joint axis in; twists and
// joint velocities out, such that joints are obeyed and S^T (momentum balance of the subtree) + g - E v = 0 on every axis.
//
//   [ M  -J^T ] [ u ]   [ b ]     u: twist of each part about its centre of mass, angular part in axes that make M diagonal
//   [ J   C   ] [ l ] = [ c ]     b: P and g there;  c: the base's motion
//
// A part is what moves as one rigid body: a link with a joint that moves, or free (the head), and all links fixed to it. Fixed joints
// are therefore no rows, and a link needs no mass if its part has. What is fixed to the base is part of the base. A part may lack mass or
// inertia about an axis, so that M is singular, where what hangs on it lends it some: what is solved is the system as it stands, which
// is regular wherever every axis finds inertia or has E.
// Each part has six wrenches to its parent: 6 - nv constraints with C = 0, then one a joint axis, which is a row with compliance
// C = 1/E where E > 0 and no row otherwise. Rows are taken about the joint's origin, so distances from O cost no digits. One step of
// iterative refinement follows every solve. Sources: Vondrak 2006 ch. 6 (dense), Baraff 1996 (sparse).
#pragma once
#include <memory>
#include <vector>

#include "engine/dynamics/tree.hpp"

namespace vertebra {

class SaddleOperator {
 public:
  virtual ~SaddleOperator() = default;

  // Memory for a tree of this many links; nothing is allocated afterwards while trees have no more.
  void reserve(const Tree& tree);

  // What a link takes for inertia beside its own in the next factor (implicit forces): symmetric, not negative, about its centre of mass,
  // world axes, angular part first. On a link fixed to the base it has no effect.
  void addInertia(int link, const Mat6& inertia) { pending_.push_back({link, inertia}); }

  // Needs poses and anchors only. extra (may be null): E >= 0, one number a velocity. Returns -1, or a link that cannot be treated:
  // the first from the leaves that has no inertia along its joint with all that hangs on it, as with articulated elimination, or one
  // with E, a mass or a moment negative, or a number not finite.
  int factor(const Tree& tree, const double* extra);

  // Reads P (left as it is), generalized (may be null) and the base's twist (or rest); writes t, v, w of every link, and v. Velocities
  // are the parts' own: they obey the joints to round-off, which the caller may measure.
  void solve(Tree& tree, const double* generalized, double* v, bool withBase = true);

  // What the joint to its parent gave a link in the last solve, about O: constraint impulse, generalised addition and -E v. A fixed
  // joint's is what the links behind it lack for their momentum: it wants v, w and P as the solve left them, and takes a walk of the tree.
  Vec6 jointWrench(const Tree& tree, int link) const;

 protected:
  struct Joint {
    Mat6 onChild, onParent;  // columns: wrenches on the parts, each about its centre of mass, torque in its axes
    Vec6 compliance;
    bool row[6];        // which columns are rows
    bool lacksInertia;  // the child, about an axis or altogether, or it has some added: its mass alone is not to be divided by
    int added;          // into added_, or -1
    int parent;         // part, -1 = base
    Vec6 mass;          // of the child: moments, mass three times
  };
  std::vector<Joint> joints_;  // one a part, parents first
  std::vector<Mat6> added_;    // to the mass of a part, in its axes

  virtual void reserveFactor(int parts, int lacking) = 0;  // lacking: parts that lack inertia
  virtual int factorRows() = 0;                            // -1 or the part whose joint finds no inertia
  // Solves the system above. Where there is no row, c = 0 and the answer is l = 0.
  virtual void solveRows(const Vec6* b, const Vec6* c, Vec6* u, Vec6* l) = 0;

 private:
  struct Part {
    int head;   // link
    int heavy;  // the link with mass or inertia if there is just one, -1 if there is none, -2 if there are several
    double mass;
    Vec3 c;        // centre of mass, world
    Mat3 axes;     // omega = axes * angular part of u
    Mat3 inertia;  // about c, world axes; only of several heavy links
  };
  std::vector<Part> parts_;
  std::vector<int> partOf_;  // of each link, -1 = base

  int gatherParts(const Tree& tree);  // -1 or the first link that cannot be treated
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

}  // namespace vertebra
