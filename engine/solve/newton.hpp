// Newton's step over the active rows, on top of sweeps: rows that neither rest on a bound nor are idle are solved together and exactly,
// slipping contacts along their direction of slip. Sweeps find which rows are active in a few visits, but they do not carry a load through
// a tall stack. Rows that equal their responses (`articulated`) are solved in the coordinates x: with rows Y and D = 1 / (softness + a
// little), H = 1 + Y^T D Y is only as large as the number of bodies asks for, whatever the number of contacts. Units as in rows.hpp.
// Sources: Silcowitz, Niebe, Erleben 2010, "Projected Gauss-Seidel subspace minimization method for interactive rigid body dynamics"; Alart
// and Curnier 1991, "A mixed formulation for frictional contact problems prone to Newton like solution methods" (derivative of sliding
// rows).
#pragma once
#include "engine/solve/rows.hpp"

namespace vertebra::solve {

class NewtonStep {
 public:
  // Call after prepareSweeps(), whose runs it uses.
  explicit NewtonStep(RowProblem& p);

  // Cost of a step in sweeps; infinity where no step is possible.
  double costInSweeps() const { return cost_; }
  // Moves impulses and x by one step (two where a bound changes the first), then back inside all bounds. False: no step was found and
  // nothing was changed.
  bool take();

 private:
  bool once(bool slides);
  bool number(double most);
  void choose(bool slides);
  void assemble(const Run& run, const double* u);
  void advance(const Run& run);

  RowProblem& p_;
  NewtonWork& w_;
  double cost_ = std::numeric_limits<double>::infinity();
  bool slides_ = false;  // H is not symmetric
  bool bent_ = false;    // some active row was kept inside its bounds
};

}  // namespace vertebra::solve
