// Controllers of figures in a world: who has which, what they do to a step and how that is taken back, their part of a snapshot.
#pragma once
#include "capi/src/objects.hpp"
#include "capi/src/world_object.hpp"
#include "engine/control/stack.hpp"

namespace vertebra::capi {

struct ControllerSlot {
  vtb_figure figure{0};
  vtb_controller_type type = VTB_CONTROLLER_TYPE_DRIVE;
  std::shared_ptr<control::Controller> controller;
  bool ofScene = false;  // a scene file made it
  bool changed = false;  // by a call since
};

struct ControlledFigure {
  ControlledFigure(vtb_figure f, const std::shared_ptr<const figure::FigureModel>& model) : figure(f), stack(model) {}
  void keep(vtb_world& world);      // what a step changes
  void act(vtb_world& world);       // before a step
  void takeBack(vtb_world& world);  // after one that failed

  vtb_figure figure;
  control::Stack stack;

 private:
  std::vector<std::pair<int, world::JointDrive>> drives_;
  std::vector<double> state_;
  bool acted_ = false;
};

bool hasControllers(const vtb_world& world, vtb_figure figure);
void dropControllers(vtb_world& world);  // those of figures that are no more, and stacks that have nothing more to do
void saveControllers(const vtb_world& world, std::vector<std::uint8_t>& state);  // behind the engine's state
// The engine's state and that of the controllers; nothing is changed where one is refused.
void restoreWithControllers(vtb_world& world, const std::uint8_t* state, std::size_t size);

}  // namespace vertebra::capi
