// One instance of an FMU's model: its world, the values of its inputs and parameters, its time. What both versions of FMI share; states of
// the standards' state machines are not its concern.
//
// Time: the world goes on in inner steps of its own length h. A communication step of length H makes as many of them as fit between the
// start and the new communication point; what is left over, less than h, is kept for the next. Where H is a multiple of h the outputs are
// those of the communication point, else those of the last inner step at or before it. A part in a million of h counts as round-off.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "plugins/fmi/model.hpp"

namespace vertebra::fmi {

struct StepResult {
  bool diverged = false;  // the world stands where the last good inner step left it
  std::string warning;    // of steps that were made although not all constraints could be met
};

class Instance {
 public:
  explicit Instance(const std::string& resources);

  const Model& model() const { return model_; }
  void reset();  // as it was made

  // Values by value reference. Refused: nothing was changed.
  double get(std::size_t index);
  void set(const std::vector<std::size_t>& indices, const std::vector<double>& values);

  void begin(double startTime, bool stopDefined, double stopTime);
  // Failure where the step cannot be carried out at all.
  StepResult step(double point, double length);
  double time() const { return time_; }                    // of the communication point
  double lastSuccessfulTime() const { return lastGood_; }  // of the last inner step made

  std::vector<char> save() const;
  void restore(const std::vector<char>& bytes);  // Failure where they are no state of this model

 private:
  void makeWorld();
  void apply(std::size_t index);
  void applyStart(const JointLinks& links);
  void applyMotor(const JointLinks& links, int axis);
  void applyBall(const JointLinks& links);
  void applyPart(const PartLinks& links);
  void applyGravity();
  void applyDrives();
  void addForces();
  void sumContacts();
  vtb_motor_def wantedMotor(const JointLinks& links, int axis) const;

  Model model_;
  World world_;
  std::vector<vtb_joint> joints_;
  std::vector<vtb_body> bodies_;
  std::vector<vtb_constraint> parts_;
  std::vector<vtb_sensor> sensors_;
  std::vector<std::vector<vtb_motor_def>> motors_;  // of model().joints, as the scene has them
  std::vector<double> values_;                      // of all variables; outputs' are not used
  std::vector<double> contactForces_;               // of model().bodies, three each
  std::int32_t contacts_ = 0;
  bool contactsSummed_ = false;
  double startTime_ = 0, stopTime_ = 0, time_ = 0, lastGood_ = 0;
  bool stopDefined_ = false;
  std::uint64_t steps_ = 0;  // inner steps made
};

}  // namespace vertebra::fmi
