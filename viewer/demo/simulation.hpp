// What happens in the demo, and what is measured of it: the walker, the arm beside it, and a ball thrown at the walker's chest. The ground
// is z = 0; m, s, rad, kg.
#pragma once
#include <string>

#include "viewer/demo/arm.hpp"
#include "viewer/demo/walker.hpp"

namespace vertebra::viewer {

inline constexpr double kGravity = 9.81;
inline constexpr double kStep = 1.0 / 240;
inline constexpr double kBallMass = 9;
inline constexpr double kArmY = -1.5;  // position of the arm along the walk

struct Measures {
  double errorBefore = 0, errorAfter = 0;  // largest of a joint's drive, before and after the ball hits
  double separation = 0, penetration = 0;  // largest, of joints and contacts
  double sag = 0;                          // largest of the arm
  double wall = 0;                         // time inside the steps
  double hitTime = -1, limpTime = -1;      // of the first hit and the first limp joint; -1: none
};

class Simulation {
 public:
  Simulation(const std::string& models, double duration);

  // Before the step from `time`: throws the ball when it is due, sets the targets of the drives, and measures.
  void control(double time);
  void step();

  const vtb_world* world() const { return world_.get(); }
  const Walker& walker() const { return walker_; }
  const Arm& arm() const { return arm_; }
  bool thrown() const { return ball_.bits != 0; }
  vtb_body ball() const { return ball_; }
  const Measures& measures() const { return measures_; }

 private:
  void throwBall();
  bool ballTouches() const;

  client::World world_;
  Walker walker_;
  Arm arm_;
  double throwTime_;
  vtb_body ball_{};
  Measures measures_;
};

}  // namespace vertebra::viewer
