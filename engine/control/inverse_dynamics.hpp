// InverseDynamics: the torques that the wanted motion needs, with the ground's forces on the feet (Cline 2002 ch. 5.1.1; a robot's computed
// torque), and feedback either by drives whose stiffness follows the torque, or as accelerations that the torques give as well. What the
// feet cannot give may be given at the root, bounded. SI units, world axes, Z up, level ground at height 0.
#pragma once
#include <memory>
#include <vector>

#include "engine/control/command.hpp"
#include "engine/control/feed_forward.hpp"
#include "engine/control/gains.hpp"

namespace vertebra::control {

enum class Feedback {
  None,           // torques alone
  Drives,         // Cline: spring and damper on each axis, the stiffer the larger its torque
  Accelerations,  // computed torque: the error's acceleration times the mass matrix
};

struct InverseDynamicsSettings {
  Feedback feedback = Feedback::Drives;
  double omega = 15, ratio = 1;          // rad/s and share of critical damping, of axes
  double rootOmega = 25, rootRatio = 1;  // of a root that is free
  double flexion = 0.1;                  // rad or m: stiffness of drives grows by the torque over this; infinite: not at all
  double strength = 1;                   // bound of each axis: share of its effort, or of one from masses where the skeleton gives none
  double friction = 0.8;                 // of the ground, that the forces of the feet count on
  double assistForce = 0;                // largest force on the root as a share of the weight
  double assistMoment = 0;               // largest moment as a share of the weight times the height of the centre of mass
};

class InverseDynamics : public Controller {
 public:
  InverseDynamics(std::shared_ptr<const figure::FigureModel> model, const InverseDynamicsSettings& settings);
  ~InverseDynamics() override;

  const InverseDynamicsSettings& settings() const { return settings_; }
  const Vec6& lacking() const { return lacking_; }  // of the last step: force, and moment about the centre of mass, that the feet lack
  Failure apply(const Moment& now, Command& command) override;
  void exchange(ControllerState& state) override;

 private:
  void begin(const Moment& now, const std::vector<double>& q);
  void addFeedback(const Moment& now, const Command& command);
  void addLosses(const Moment& now, const Command& command);
  void driveAxes(Command& command);
  void assist(const Moment& now, Command& command);

  std::shared_ptr<const figure::FigureModel> model_;
  InverseDynamicsSettings settings_;
  Gains gains_;
  Efforts efforts_;
  figure::FigureWorkspace workspace_;
  std::unique_ptr<FeedForward> forward_;  // of a free root
  std::vector<SolePoint> soles_;
  std::vector<bool> stands_;
  std::vector<double> first_, a_, tau_, error_;  // first_: pose from which the soles were taken
  bool begun_ = false;
  Vec6 lacking_ = Vec6::Zero();
};

}  // namespace vertebra::control
