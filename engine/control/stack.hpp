// Stack: the controllers of one figure in the order in which they were attached, and how what they ask for becomes drives of joints and
// forces on links. Stiffness and damping act at the end of the step (implicit drives of the constraint solver), so any gain is stable.
// SI units.
#pragma once
#include <memory>
#include <vector>

#include "engine/control/command.hpp"

namespace vertebra::control {

class Stack {
 public:
  explicit Stack(std::shared_ptr<const figure::FigureModel> model);

  std::vector<std::shared_ptr<Controller>>& controllers() { return controllers_; }
  const std::vector<std::shared_ptr<Controller>>& controllers() const { return controllers_; }

  // Before a step of the world. The command starts from the pose that the figure had at the first call, without any
  // drive. Axes that no controller drives stay as their owner set them; those that one drove a step ago, and none now, are switched off.
  Failure before(world::World& world, const figure::Figure& figure);
  const Command& command() const { return command_; }  // of the last step
  bool acts() const;                                   // whether a step changes anything
  void exchange(ControllerState& state);

 private:
  void reset();
  Failure write(world::World& world, const figure::Figure& figure);
  Failure drive(world::World& world, int joint, const figure::CoordinatePart& part);
  Failure orient(world::World& world, int joint, const figure::CoordinatePart& part);

  std::shared_ptr<const figure::FigureModel> model_;
  std::vector<std::shared_ptr<Controller>> controllers_;
  Command command_;
  std::vector<double> first_, q_, v_;
  std::vector<bool> drove_;  // a step ago
  bool begun_ = false;
};

}  // namespace vertebra::control
