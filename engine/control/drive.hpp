// Drive: a spring and a damper on each axis, with a bounded force, towards a pose: a robot's PD control, a rag-doll that is drawn to its
// rest pose, or the drives of a pose that controllers before it gave. SI units, radians; arrays by velocity of the figure.
#pragma once
#include <memory>
#include <vector>

#include "engine/control/command.hpp"
#include "engine/control/gains.hpp"

namespace vertebra::control {

enum class DrivePose {
  Command,  // what controllers before it want; without any the pose that the figure had when it got its first controller
  Neutral,  // zero angles
  Given,    // target()
};

struct DriveSettings {
  DrivePose pose = DrivePose::Command;
  double omega = 15, ratio = 1;  // rad/s and share of critical damping, of each axis with the masses that it moves (gains.hpp)
  double strength = 1;           // bound of each axis: this share of its effort in the skeleton; of axes without one: none
};

class Drive : public Controller {
 public:
  Drive(std::shared_ptr<const figure::FigureModel> model, const DriveSettings& settings);

  const DriveSettings& settings() const { return settings_; }
  // Each may be changed between steps; an axis of which `driven` is false is left alone.
  std::vector<double>& targetQ() { return q_; }
  std::vector<double>& targetV() { return v_; }
  std::vector<double>& stiffness() { return gains_.stiffness; }
  std::vector<double>& damping() { return gains_.damping; }
  std::vector<double>& limit() { return limit_; }
  std::vector<bool>& driven() { return driven_; }
  void givePose() { settings_.pose = DrivePose::Given; }  // follow the target from now on

  Failure apply(const Moment& now, Command& command) override;
  void exchange(ControllerState& state) override;

 private:
  std::shared_ptr<const figure::FigureModel> model_;
  DriveSettings settings_;
  Gains gains_;
  std::vector<double> q_, v_, limit_;
  std::vector<bool> driven_;
};

// Of each axis a share of its effort in the skeleton; infinite where that says none, and for the base.
std::vector<double> shareOfEfforts(const figure::FigureModel& model, double share);

}  // namespace vertebra::control
