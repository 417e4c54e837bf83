// Inverse kinematics of one frame: damped Gauss-Newton steps (descent.hpp) on weighted rows for positions and orientations, within joint
// limits, with one-sided rows for ground and other links.
#pragma once
#include <vector>

#include "engine/retarget/descent.hpp"
#include "engine/retarget/goal_squares.hpp"
#include "engine/retarget/goals.hpp"
#include "engine/retarget/obstacles.hpp"

namespace vertebra::retarget {

struct Weights {  // of rows in metres; of orientations in metres a radian
  double limb = 1, trunk = 0.7, head = 0.3;
  double foot = 0.6, hand = 0.15, look = 0.1;   // orientations of feet, hands, head
  double root = 2;                              // of the middle of the hips
  double swing = 0.5, hold = 20, holdTurn = 3;  // of ankles; the last two by the square of the foot's hold
  double rest = 0.01, arms = 0.01;              // of joints towards `near`, m a radian; those of the arms
  double path = 0, pathTurn = 0;                // of the root link towards `near`
  double solid = 10;                            // ground and other links
};

class PoseSolver {
 public:
  explicit PoseSolver(const Target& target);

  // q: start and result. near: coordinates to stay close to; room: how far from them each velocity may take the figure, null = anywhere.
  // solid: pairs of links to keep apart; null = neither these nor the ground.
  // most, enough: of Descent::run. Returns the number of steps.
  int solve(const FrameGoal& goal, const Weights& weights, const std::vector<double>& near, const std::vector<double>* room,
            const std::vector<int>* solid, int most, double enough, std::vector<double>& q);
  Kinematics& kinematics() { return kinematics_; }
  Obstacles& obstacles() { return obstacles_; }

 private:
  double build(const FrameGoal& goal, const Weights& weights, const std::vector<double>& near, const std::vector<int>* solid,
               const std::vector<double>& q, StepSystem& system);
  void setLimits(const std::vector<double>& near, const std::vector<double>* room, std::vector<double>& q);

  const Target& target_;
  Kinematics kinematics_;
  Obstacles obstacles_;
  GoalSquares squares_;
  int nv_ = 0;
  Descent descent_;
  std::vector<bool> arm_;              // velocities of joints of the arms
  std::vector<double> lower_, upper_;  // of this frame
  std::vector<double> difference_;
  std::vector<Nearness> near_;
};

}  // namespace vertebra::retarget
