// One step of least squares within bounds: minimises v'Hv/2 - g'v and half the squares of obstacles' lacks that remain, with each velocity
// between two bounds. An active set of bounds and obstacles that changes a few times; a factor that keeps the blocks of limbs which meet
// only in the trunk apart. Sources: Nocedal and Wright 2006, ch. 16.5; George and Liu 1981, ch. 4.
#pragma once
#include <cstddef>
#include <vector>

namespace vertebra::retarget {

class StepSystem {
 public:
  struct Push {  // an obstacle: row * v >= lack is wanted
    double lack = 0;
    bool acts = false;
  };
  std::vector<double> H, g;  // n x n, lower part, and n
  std::vector<double> rows;  // n numbers an obstacle, with its weight
  std::vector<Push> pushes;

  void resize(std::size_t n);
  void clear();
};

class BoundedStep {
 public:
  // used: the velocities that move, ascending; the others stay 0.
  BoundedStep(std::size_t n, std::vector<int> used);

  // damping: a share of the diagonal, and as much besides. lower <= 0 <= upper, may be infinite. False: H is not positive definite.
  bool solve(StepSystem& system, double damping, const std::vector<double>& lower, const std::vector<double>& upper);
  const std::vector<double>& v() const { return v_; }
  double gain() const { return gain_; }  // what v takes from the function, by the linear model

 private:
  bool solveFree(double damping, const std::vector<double>& lower, const std::vector<double>& upper);
  void addPushes(const StepSystem& system);
  bool foresee(StepSystem& system);
  bool factor(double damping);
  void solveFactored();

  std::size_t n_;
  std::vector<int> used_, free_, rest_, stopped_;
  std::vector<double> v_, A_, b_;  // A_, b_: the system with the obstacles that push
  std::vector<double> factor_, inverse_, right_, left_;
  std::vector<std::size_t> first_;
  double gain_ = 0;
};

}  // namespace vertebra::retarget
