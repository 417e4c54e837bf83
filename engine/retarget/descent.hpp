// Least squares over a figure's coordinates within bounds: damped Gauss-Newton steps (bounded_step.hpp). Levenberg 1944; Nocedal and Wright
// 2006, ch. 10.
#pragma once
#include <algorithm>
#include <cmath>

#include "engine/figure/figure_model.hpp"
#include "engine/retarget/bounded_step.hpp"

namespace vertebra::retarget {

// Of a figure's axes, by velocity.
struct AxisBounds {
  std::vector<double> lower, upper;  // with a margin inside the limits; infinite where none are
  std::vector<double> fastest;       // largest speed; infinite where none is given
  std::vector<int> coordinate;       // what the velocity changes; -1 = a rotation or the base
};
AxisBounds boundsOf(const figure::FigureModel& model);

inline constexpr double kEnough = 1e-6;  // share of the half square; a gain that no result shows

class Descent {
 public:
  // used: the velocities that move, ascending.
  Descent(const figure::FigureModel& model, std::vector<int> used);

  // build(q, system) fills the step's system at q and returns half the square there. lower, upper: by velocity, of coordinate[velocity];
  // q: start, within them, and result. A step that gains less than the share `enough` of half the square is the last; at most `most` are
  // made. Returns their number.
  template <class Build>
  int run(Build&& build, const std::vector<int>& coordinate, const std::vector<double>& lower, const std::vector<double>& upper, int most,
          double enough, std::vector<double>& q) {
    double damping = kDamping, cost = build(q, system_);
    int steps = 0;
    while (steps < most && damping < kStiff) {
      steps++;
      if (!step(damping, coordinate, lower, upper, q)) {
        damping = std::max(1e-6, damping * 100);
        continue;
      }
      if (largest_ < kSettled || (damping <= kDamping && step_.gain() >= 0 && step_.gain() < enough * cost)) {
        q.swap(trial_);  // nothing that would need another look
        break;
      }
      std::swap(system_, before_);
      const double next = build(trial_, system_);
      if (next <= cost) {
        q.swap(trial_);
        if (cost - next < enough * cost) break;
        damping = std::max(kDamping, damping / 10);
        cost = next;
      } else {
        damping = std::max(1e-5, damping * 10);
        std::swap(system_, before_);
      }
    }
    return steps;
  }
  const StepSystem& system() const { return system_; }  // of the last pose looked at

 private:
  static constexpr double kSettled = 1e-7;  // rad or m; largest change of a step after which nothing is gained
  static constexpr double kDamping = 1e-9, kStiff = 1e3;

  bool step(double damping, const std::vector<int>& coordinate, const std::vector<double>& lower, const std::vector<double>& upper,
            const std::vector<double>& q);

  const figure::Coordinates& coordinates_;
  BoundedStep step_;
  StepSystem system_, before_;  // at the pose; at that before a trial
  std::vector<double> lowest_, highest_, v_, trial_;
  double largest_ = 0;  // of the step
};

}  // namespace vertebra::retarget
