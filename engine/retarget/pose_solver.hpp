// Inverse kinematics of one frame: damped Gauss-Newton steps on weighted rows for positions and orientations, with joint limits held by an
// active set and ground and other links by one-sided rows. Sources: Nocedal and Wright 2006, ch. 10 and 16; Levenberg 1944.
#pragma once
#include <Eigen/Core>
#include <vector>

#include "engine/retarget/goals.hpp"
#include "engine/retarget/obstacles.hpp"

namespace vertebra::retarget {

struct Weights {  // of rows in metres; of orientations in metres a radian
  double limb = 1, trunk = 0.7, head = 0.3;
  double foot = 0.6, hand = 0.15, look = 0.1;    // orientations of feet, hands, head
  double root = 2;                               // of the middle of the hips
  double swing = 0.5, hold = 20, holdTurn = 10;  // of ankles; the last two by the square of the foot's hold
  double rest = 0.01, arms = 0.01;               // of joints towards `near`, m a radian; those of the arms
  double path = 0, pathTurn = 0;                 // of the root link towards `near`
  double solid = 10;                             // ground and other links
};

class PoseSolver {
 public:
  explicit PoseSolver(const Target& target);

  // q: start and result. near: coordinates to stay close to; room: how far from them each velocity may take the figure, null = anywhere.
  // solid: pairs of links to keep apart; null = neither these nor the ground.
  // Returns the number of steps.
  int solve(const FrameGoal& goal, const Weights& weights, const std::vector<double>& near, const std::vector<double>* room,
            const std::vector<int>* solid, int most, std::vector<double>& q);
  Kinematics& kinematics() { return kinematics_; }
  const Obstacles& obstacles() const { return obstacles_; }

 private:
  struct Push {  // an obstacle: row * v >= lack is wanted
    double lack = 0;
    bool acts = false;
  };
  struct System {  // of a step: H v = g, and obstacles
    std::vector<double> H, g, rows;  // rows: one of all velocities an obstacle, with its weight
    std::vector<Push> pushes;
  };
  double build(const FrameGoal& goal, const Weights& weights, const std::vector<double>& near, const std::vector<int>* solid,
               const std::vector<double>& q);
  void addRows(const Vec3& error, double weight, std::span<const int> columns);
  bool step(double damping, const std::vector<double>& q);
  bool stepWithin(double damping, const std::vector<double>& q);
  void addPushes();
  bool foresee();
  bool factor(double damping);
  void solveFactored();
  void setLimits(const std::vector<double>& near, const std::vector<double>* room, std::vector<double>& q);

  const Target& target_;
  Kinematics kinematics_;
  Obstacles obstacles_;
  int nv_ = 0;
  std::vector<bool> arm_;                                    // velocities of joints of the arms
  std::vector<int> used_, free_, rest_, stopped_;  // velocities that goals depend on; those that a step may still change
  std::vector<double> lower_, upper_;                        // of this frame
  System system_, before_;  // at the pose; at that before a trial
  std::vector<double> J_, v_, difference_, trial_;
  std::vector<double> A_, b_;      // the system with the obstacles that push
  std::vector<double> factor_, inverse_, right_, left_;  // left_: what remains of g after the step
  std::vector<std::size_t> first_;
  double gain_ = 0;
  std::vector<Nearness> near_;
};

}  // namespace vertebra::retarget
