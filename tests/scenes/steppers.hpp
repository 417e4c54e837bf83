// Which scenes a stepper supports, and with what settings.
#pragma once
#include <algorithm>
#include <optional>
#include <utility>

#include "tests/scenes/scene.hpp"

namespace test {

inline std::vector<std::pair<vtb_stepper, std::string>> steppers() {
  return {{VTB_STEPPER_IMPULSE, "impulse"},
          {VTB_STEPPER_VARIATIONAL, "variational"},
          {VTB_STEPPER_ODE, "ode"},
          {VTB_STEPPER_SPOOK, "spook"},
          {VTB_STEPPER_DISPLACEMENT, "displacement"}};
}

// Scenes of figures under controllers.
inline bool walks(const std::string& file) {
  const auto walkers = {"walker.xml",    "loose_arms.xml",   "hit_release.xml", "obstacles.xml",
                        "basket.xml",    "walker_wall.xml",  "umbrella.xml",    "pointing_arm.xml",
                        "two_clips.xml", "stout_walker.xml", "body_hit.xml",    "animation_by_markers.xml"};
  return std::find(walkers.begin(), walkers.end(), file) != walkers.end();
}

// The stepper's message for a scene that it does not support. Any other rejection is a failure.
inline std::optional<std::string> refusal(const std::string& file, int stepper) {
  const bool ode = stepper == VTB_STEPPER_ODE, coarse = stepper == VTB_STEPPER_VARIATIONAL || stepper == VTB_STEPPER_DISPLACEMENT;
  if (file == "own_steps.xml" && coarse) return "bodies have steps of their own under";
  if (file == "joint_types.xml" && ode) return "has a motor without bound on its gains";  // no acceleration can follow one
  // Hands and toes of a captured figure have no mass: the armature of their drives moves too fast for an explicit integrator.
  if (ode && (file == "figures.xml" || file == "wall.xml" || file == "hanged.xml" || file == "staircase.xml" ||
              (walks(file) && file != "body_hit.xml")))
    return "gave coordinates that are not numbers";
  if (stepper == VTB_STEPPER_DISPLACEMENT && walks(file)) return "do not push links under the stepper displacement";
  return std::nullopt;
}

// Settings without which a stepper does not run a scene.
inline void adapt(const std::string& file, vtb_world_def& settings) {
  if (file == "driven_tree.xml" && settings.stepper == VTB_STEPPER_ODE) {  // 50 N m on links of 8 g: stiff, so its steps must adapt
    settings.ode.integrator = VTB_INTEGRATOR_DORMAND_PRINCE;
    settings.ode.control = VTB_STEP_CONTROL_EMBEDDED;
    settings.time_step = 1.0 / 960;
  }
  if (file == "body_hit.xml" && settings.stepper == VTB_STEPPER_ODE) {  // drives of toes and hands
    settings.ode.integrator = VTB_INTEGRATOR_DORMAND_PRINCE;
    settings.ode.control = VTB_STEP_CONTROL_EMBEDDED;
    settings.time_step = 1.0 / 4000;
  }
}

}  // namespace test
