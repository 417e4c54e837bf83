// Primary joints as rows of constraints: the treatments `dense` and `sparse`, which realise the same operator as the articulated
// elimination of tree.hpp. Momenta (or forces) on links, generalised additions g and extra diagonals E per joint axis in; twists and
// joint velocities out, such that joints are obeyed and S^T (momentum balance of the subtree) + g - E v = 0 on every axis.
//
//   [ M  -J^T ] [ u ]   [ b ]     u: twist of each body about its centre of mass, angular part in its principal axes, so M is diagonal
//   [ J   C   ] [ l ] = [ c ]     b: P and g there;  c: the base's motion
//
// Each link has six wrenches to its parent: 6 - nv constraints with C = 0, then one a joint axis, which is a row with compliance
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

  // Needs poses and anchors only. extra (may be null): E >= 0, one number a velocity. Returns -1, or the first link that cannot be
  // treated: mass or a principal moment not positive (articulated elimination may still treat it), E negative, a number not finite.
  int factor(const Tree& tree, const double* extra);

  // Reads P (left as it is), generalized (may be null) and the base's twist (or rest); writes t, v, w of every link, and v. Velocities
  // are the links' own: they obey the joints to round-off, which the caller may measure.
  void solve(Tree& tree, const double* generalized, double* v, bool withBase = true);

  // What the joint to its parent gave a link in the last solve, about O: constraint impulse, generalised addition and -E v.
  Vec6 jointWrench(const Tree& tree, int link) const;

 protected:
  struct Joint {
    Mat6 onChild, onParent;  // columns: wrenches on the bodies, each about its centre of mass, torque in its principal axes
    Vec6 compliance;
    bool row[6];             // which columns are rows
    int parent;
    Vec6 mass;               // of the child: principal moments, mass three times
  };
  std::vector<Joint> joints_;  // one a link

  virtual void reserveFactor(int links) = 0;
  virtual int factorRows() = 0;  // -1 or the first link with a pivot that is not positive
  // Solves the system above. Where there is no row, c = 0 and the answer is l = 0.
  virtual void solveRows(const Vec6* b, const Vec6* c, Vec6* u, Vec6* l) = 0;

 private:
  void refine();

  std::vector<Vec6> force_, right_, twist_, impulse_;                      // b, c, u, l
  std::vector<Vec6> forceLeft_, rightLeft_, twistChange_, impulseChange_;  // of the refinement
  std::vector<Vec6> wrench_;                                               // l + g
};

std::unique_ptr<SaddleOperator> makeDenseOperator();   // J M^-1 J^T + C, Cholesky; O(links^3)
std::unique_ptr<SaddleOperator> makeSparseOperator();  // block elimination, leaves first; O(links)

}  // namespace vertebra
