// Point: hands reach places, heads and tools turn to points, what is held stays upright, feet stay where they are, over whatever pose the
// controllers before it want. Damped least squares on the axes of each goal's chain (Levenberg 1944; Wampler 1986), within their limits,
// blended in and out; what the drives leave of it (weight, slow drives) is taken away by an integral of each axis's error.
// SI units, radians, world axes; points and directions of links in link frames.
#pragma once
#include <Eigen/Cholesky>
#include <memory>
#include <vector>

#include "engine/control/command.hpp"
#include "engine/control/gains.hpp"
#include "engine/retarget/kinematics.hpp"

namespace vertebra::control {

enum class PointKind {
  Place,      // the link's point is at `target`
  Aim,        // the link's direction, from its point, passes through `target`
  Direction,  // the link's direction is along `target`
  Still,      // the link's frame stays where it was when the goal began
};

struct PointGoal {
  PointKind kind = PointKind::Place;
  int link = -1;
  Vec3 point = Vec3::Zero(), direction = Vec3::UnitX();  // of the link; direction: unit vector
  Vec3 target = Vec3::Zero();                            // m, or for Direction a unit vector
  int from = -1;                                         // axes between this link and `link` move; -1: all between the root and `link`
  double begin = 0, end = kInf;                          // s: time of the world at which it begins to act and to fade
  double blend = 0.5;                                    // s: in which it comes and goes
};

struct PointSettings {
  double length = 0.3;  // m: a radian of direction weighs as much
  double rest = 3e-5;   // m^2: weight of the axes' squares against those of errors
  double integral = 5;  // 1/s: rate at which drives' remaining errors are taken away; 0: not
  double most = 0.4;    // rad or m: largest shift of a drive's target for that
  double bend = 0.5;    // rad or m: drives of the chains are at least so stiff that this error takes their limit of force
  int steps = 6;        // of least squares at each call
};

class Point : public Controller {
 public:
  Point(std::shared_ptr<const figure::FigureModel> model, const PointSettings& settings);

  std::vector<PointGoal>& goals() { return goals_; }  // to set and to move; call refresh after a change of links or kinds
  Failure refresh();
  Failure apply(const Moment& now, Command& command) override;
  void exchange(ControllerState& state) override;
  const PointSettings& settings() const { return settings_; }
  // Of a goal in a pose: distance [m], for Aim and Direction angle [rad], for Still the distance plus `length` times the angle.
  double error(std::size_t goal, const double* q);

 private:
  struct Chain {
    std::vector<int> columns;
    bool begun = false;
    Pose still;
    double weight = 0;
  };
  void build(std::size_t goal);
  void solve();
  void keepLimits();

  std::shared_ptr<const figure::FigureModel> model_;
  PointSettings settings_;
  retarget::Kinematics kinematics_;
  Efforts efforts_;
  std::vector<PointGoal> goals_;
  std::vector<Chain> chains_;
  std::vector<int> used_, place_;  // velocities that goals use; by velocity the place in these, -1: none
  std::vector<double> weight_;     // by used velocity: largest weight of its goals
  std::vector<double> base_, q_, step_, shift_, held_, error_, J_;
  std::vector<double> last_;  // the pose that the last call left
  bool begun_ = false;        // there was one
  Eigen::MatrixXd H_;
  Eigen::LLT<Eigen::MatrixXd> factor_;  // of H_; keeps its memory
  Eigen::VectorXd g_, x_;
  bool fresh_ = true;
};

}  // namespace vertebra::control
