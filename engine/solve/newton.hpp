// Newton's step over the rows at work, on top of sweeps: rows that neither rest on a bound nor are idle are solved together and exactly,
// contacts that slip along the way they slip. Sweeps find which rows those are, in a few visits; what they cannot do is to carry a load
// through a tall stack. Rows that equal their responses (`articulated`) are solved in the coordinates x, where with rows Y and D = 1 /
// (softness + a little), H = 1 + Y^T D Y is as small as the bodies are few, however many contacts hold them. Units as in rows.hpp.
// Sources: Silcowitz, Niebe, Erleben 2010 (Gauss-Seidel with subspace minimisation); Alart, Curnier 1991 (the sliding rows' derivative).
#pragma once
#include "engine/solve/rows.hpp"

namespace vertebra {

class NewtonStep {
 public:
  // After prepareSweeps(), whose runs it takes.
  explicit NewtonStep(RowProblem& p);

  // What a step costs, in sweeps; infinity where there is none to be made.
  double costInSweeps() const { return cost_; }
  // Impulses and x by one step from where they are (two where bounds bend it), back inside all bounds. False: nothing was changed, since no
  // step could be told.
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
  bool bent_ = false;    // some row that took part was kept inside its bounds
};

}  // namespace vertebra
