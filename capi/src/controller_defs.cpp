// See controller_defs.hpp.
#include "capi/src/controller_defs.hpp"

#include "capi/src/check.hpp"
#include "engine/figure/trajectory_arrays.hpp"

namespace vertebra::capi {

control::DriveSettings settingsOf(const vtb_drive_def& def) {
  control::DriveSettings s;
  s.pose = def.pose == VTB_DRIVE_POSE_NEUTRAL ? control::DrivePose::Neutral : control::DrivePose::Command;
  s.omega = def.omega;
  s.ratio = def.ratio;
  s.strength = def.strength;
  return s;
}

control::AnimationSettings settingsOf(const vtb_animation_def& def) {
  control::AnimationSettings s;
  s.omega = def.omega;
  s.ratio = def.ratio;
  s.strength = def.strength;
  s.largestError = def.largest_error;
  s.largestImpact = def.largest_impact;
  s.limp = def.limp;
  s.rest = def.rest;
  s.resume = def.resume;
  return s;
}

control::RootDriveSettings settingsOf(const vtb_root_drive_def& def) {
  control::RootDriveSettings s;
  std::copy_n(def.omega, 6, s.omega.begin());
  std::copy_n(def.rate, 6, s.rate.begin());
  std::copy_n(def.limit, 6, s.limit.begin());
  s.ratio = def.ratio;
  s.weight = def.weight;
  return s;
}

control::MarkerDriveSettings settingsOf(const vtb_marker_drive_def& def) {
  return {.omega = def.omega, .ratio = def.ratio, .limit = def.limit};
}

control::InverseDynamicsSettings settingsOf(const vtb_inverse_dynamics_def& def) {
  control::InverseDynamicsSettings s;
  s.feedback = static_cast<control::Feedback>(def.feedback);
  s.omega = def.omega;
  s.ratio = def.ratio;
  s.rootOmega = def.root_omega;
  s.rootRatio = def.root_ratio;
  s.flexion = def.flexion;
  s.strength = def.strength;
  s.friction = def.friction;
  s.assistForce = def.assist_force;
  s.assistMoment = def.assist_moment;
  return s;
}

control::BalanceSettings settingsOf(const vtb_balance_def& def) {
  control::BalanceSettings s;
  s.capture = def.capture;
  s.centred = def.centred;
  s.height = def.height;
  s.upright = def.upright;
  s.hip = def.hip;
  s.legs = def.legs;
  s.friction = def.friction;
  s.step.time = def.step_time;
  return s;
}

control::PointGoal goalOf(const vtb_goal_def& def) {
  control::PointGoal goal;
  goal.kind = static_cast<control::PointKind>(def.type);
  goal.link = def.link;
  goal.from = def.from;
  goal.point = vector(def.point, "point");
  goal.direction = vector(def.direction, "direction");
  goal.begin = def.begin;
  goal.end = def.end;
  goal.blend = def.blend;
  return goal;
}

vtb_goal_def describe(const control::PointGoal& goal) {
  vtb_goal_def def = defaults<vtb_goal_def>();
  def.type = static_cast<vtb_goal_type>(goal.kind);
  def.link = goal.link;
  def.from = goal.from;
  write(goal.point, def.point);
  write(goal.direction, def.direction);
  def.begin = goal.begin;
  def.end = goal.end;
  def.blend = goal.blend;
  return def;
}

control::PlayedClip clipOf(const vtb_play_def& def, const std::shared_ptr<const figure::FigureModel>& model) {
  if (!def.motion == !def.trajectory) refuse(VTB_E_ARG, "give a motion or a trajectory, and not both");
  control::PlayedClip clip;
  if (def.motion) {
    const auto motion = def.motion->clip;
    if (figure::MotionBinding(*motion, *model->skeleton, model->coordinates).matched() == 0)
      refuse(VTB_E_ARG, "no joint of the motion has the same name as a joint of the figure");
    clip.clip = control::clipOfMotion(motion, model);
  } else {
    const auto frames = def.trajectory->frames;
    if (!model->coordinates.floatingBase)
      refuse(VTB_E_ARG,
             "a trajectory moves its figure's root, and this one's is fixed to the world; play a motion, or give it a free root");
    if (const std::string fault = figure::faultOfTrajectory(*frames, *model); !fault.empty())
      refuse(VTB_E_ARG, "the trajectory is another figure's: " + fault);
    clip.clip = control::clipOfTrajectory(frames, model);
  }
  clip.begin = def.begin;
  clip.blend = def.blend;
  clip.from = def.from;
  clip.to = def.to;
  clip.speed = def.speed;
  clip.repeat = static_cast<control::Repeat>(def.repeat);
  clip.seam = def.seam;
  clip.place.heading = def.heading;
  clip.place.shift = vector(def.shift, "shift");
  clip.joins = def.joins;
  const double length = std::min(clip.to, clip.clip->duration()) - clip.from;
  if (!(length >= 0)) refuse(VTB_E_ARG, "from lies behind to, or behind the clip's end at " + std::to_string(clip.clip->duration()) + " s");
  if (clip.repeat != control::Repeat::No && !(length >= 1e-3))
    refuse(VTB_E_ARG, "the part that is repeated lasts " + std::to_string(length) + " s; it must last a millisecond at least");
  if (clip.repeat != control::Repeat::No && !(clip.seam <= length / 2))
    refuse(VTB_E_ARG, "seam is longer than half of the part that is repeated, which lasts " + std::to_string(length) + " s");
  return clip;
}

void describe(const control::Controller& controller, vtb_controller_info& out) {
  if (const auto* a = dynamic_cast<const control::Animation*>(&controller)) {
    out.let_go = a->letGo();
    out.error = a->error();
  } else if (const auto* m = dynamic_cast<const control::MarkerDrive*>(&controller)) {
    out.error = m->error();
  } else if (const auto* r = dynamic_cast<const control::RootDrive*>(&controller)) {
    write(r->force(), out.force);
    write(r->moment(), out.moment);
  } else if (const auto* d = dynamic_cast<const control::InverseDynamics*>(&controller)) {
    write(Vec3(d->lacking().head<3>()), out.force);
    write(Vec3(d->lacking().tail<3>()), out.moment);
  } else if (const auto* b = dynamic_cast<const control::Balance*>(&controller)) {
    out.standing = b->state().standing;
    out.steps = b->state().steps;
    out.outside = b->state().outside;
  }
}

}  // namespace vertebra::capi
