// The defs of controllers as settings of the engine's, and what they tell of themselves.
#pragma once
#include "capi/src/objects.hpp"
#include "engine/control/animation.hpp"
#include "engine/control/balance.hpp"
#include "engine/control/drive.hpp"
#include "engine/control/inverse_dynamics.hpp"
#include "engine/control/marker_drive.hpp"
#include "engine/control/point.hpp"
#include "engine/control/root_drive.hpp"

namespace vertebra::capi {

control::DriveSettings settingsOf(const vtb_drive_def& def);
control::AnimationSettings settingsOf(const vtb_animation_def& def);
control::RootDriveSettings settingsOf(const vtb_root_drive_def& def);
control::MarkerDriveSettings settingsOf(const vtb_marker_drive_def& def);
control::InverseDynamicsSettings settingsOf(const vtb_inverse_dynamics_def& def);
control::BalanceSettings settingsOf(const vtb_balance_def& def);
control::PointGoal goalOf(const vtb_goal_def& def);
vtb_goal_def describe(const control::PointGoal& goal);  // without its target
// Refuses a clip that does not fit the figure.
control::PlayedClip clipOf(const vtb_play_def& def, const std::shared_ptr<const figure::FigureModel>& model);
void describe(const control::Controller& controller, vtb_controller_info& out);

}  // namespace vertebra::capi
