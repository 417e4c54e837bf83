// Inverse kinematics of one frame: damped Gauss-Newton steps on weighted rows for positions and orientations, with joint limits held by an
// active set and ground and other links by one-sided rows. Sources: Nocedal and Wright 2006, ch. 10 and 16; Levenberg 1944.
#pragma once
#include <vector>

#include "engine/retarget/goals.hpp"
#include "engine/retarget/obstacles.hpp"

namespace vertebra::retarget {

struct Weights {     // of rows in metres; of orientations in metres a radian
  double limb = 1, trunk = 0.7, head = 0.3;
  double foot = 0.3, hand = 0.15, look = 0.1;  // orientations
  double root = 0.1;
  double swing = 0.5, hold = 20, holdTurn = 10;  // of ankles, by the hold of the foot
  double rest = 0.01;                            // of coordinates towards `near`, m a radian
  double solid = 10;                             // ground and other links
};

class PoseSolver {
 public:
  explicit PoseSolver(const Target& target);

  // q: start and result. near: coordinates to stay close to. Returns the number of steps.
  int solve(const FrameGoal& goal, const Weights& weights, const std::vector<double>& near, bool solid, int most, std::vector<double>& q);
  const Kinematics& kinematics() const { return kinematics_; }
  Kinematics& kinematics() { return kinematics_; }
  Obstacles& obstacles() { return obstacles_; }
  double lower(int velocity) const { return lower_[static_cast<std::size_t>(velocity)]; }
  double upper(int velocity) const { return upper_[static_cast<std::size_t>(velocity)]; }

 private:
  double build(const FrameGoal& goal, const Weights& weights, const std::vector<double>& near, bool solid, const std::vector<double>& q, bool rows);
  void addRows(const Vec3& error, double weight, std::span<const int> columns);
  bool step(double damping, const std::vector<double>& q);

  const Target& target_;
  Kinematics kinematics_;
  Obstacles obstacles_;
  int nv_ = 0;
  std::vector<int> coordinate_;         // by velocity: of a joint whose coordinate it changes; -1 = of a rotation or the base
  std::vector<double> lower_, upper_;   // by velocity, with a margin
  std::vector<double> J_, H_, g_, factor_, v_, difference_, trial_;
  std::vector<bool> used_;              // velocities that any goal depends on
};

}  // namespace vertebra::retarget
