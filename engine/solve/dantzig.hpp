// The direct solver `dantzig`: impulses of bounded rows by pivots on index sets. Units: rows are scaled to a unit diagonal
// (dense_rows.hpp), so that velocities a and impulses lambda are in sqrt(J). Each row is in one state: "clamped" (velocity zero, impulse
// between its bounds), "low" or "high" (impulse on a bound), or "idle" (implied by others, or not met). Single pivots: dantzig.cpp; block
// pivots: dantzig_block.cpp; bounds of friction: dantzig_friction.cpp, which name the sources.
#pragma once
#include "engine/solve/rows.hpp"

namespace vertebra::solve {

class DantzigSolver {
 public:
  explicit DantzigSolver(RowProblem& p) : p_(p), d_(p.work.dense), w_(p.work.dantzig), n_(static_cast<int>(p.rows.size())) {}

  void begin();
  void solveScalars();   // the first row of every block: all but friction
  void solveFriction();  // friction, within the limits just found
  void refine();         // removes the round-off of the pivots
  int pivots() const { return pivots_; }
  double products() const { return static_cast<double>(pivots_) * n_ * n_; }  // at most: a pivot changes all rows by all
  bool spent() const { return pivots_ > 40 * n_ + 100; }                      // far more pivots than any solution has needed

  // Block pivots.
  void guess(const double* warm);  // index sets and friction bounds from the impulses of the last step
  bool flip();                     // false: too many rounds, or a row without bounds that others imply is not met

  // Bounds of friction.
  double renewFriction();         // finds them; returns the largest change of an active one, as a velocity
  void takeLimits(double share);  // the bounds just found, or a mean of these and the present ones

 private:
  enum State : unsigned char { Waiting, Low, High, Clamped, Idle, Dead };  // Dead: its impulse changes no velocity, or it is not finite

  // Ends the move of an impulse after `step`, sqrt(J): a row, the moving one or one in the index sets, gets the state `next`.
  struct Event {
    double step;
    int row;
    State next;
  };

  const double* A(int i) const { return d_.A.data() + static_cast<std::size_t>(i) * n_; }
  double velocity(int i) const {
    double a = d_.b[i];
    for (int j = 0; j < n_; j++) a += A(i)[j] * w_.lambda[j];
    return a;
  }
  bool clamp(int i);
  void drop(int i, State to);
  void release(int i, State to);
  void drive(int i);
  bool settles(int i);
  void directions(int i, double direction);
  Event firstEvent(int i, double direction) const;
  Event ownEvent(int i, double direction) const;
  double roomOf(int j, double felt) const;

  RowProblem& p_;
  DenseWork& d_;
  DantzigWork& w_;
  int n_, pivots_ = 0;
  double rest_ = 0;
};

}  // namespace vertebra::solve
