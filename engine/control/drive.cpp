// See drive.hpp.
#include "engine/control/drive.hpp"

namespace vertebra::control {

std::vector<double> shareOfEfforts(const figure::FigureModel& model, double share) {
  std::vector<double> out(static_cast<std::size_t>(model.nv()), kInf);
  for (const figure::CoordinatePart& part : model.coordinates.parts) {
    if (part.joint < 0 || part.v < 0) continue;
    const figure::JointDescription& joint = model.skeleton->joints[static_cast<std::size_t>(part.joint)];
    for (int k = 0; k < dynamics::jointNv(part.type); k++)
      if (const double effort = joint.axes[static_cast<std::size_t>(k)].effort; effort > 0 && effort < kInf)
        out[static_cast<std::size_t>(part.v + k)] = share * effort;
  }
  return out;
}

Drive::Drive(std::shared_ptr<const figure::FigureModel> model, const DriveSettings& settings)
    : model_(model),
      settings_(settings),
      gains_(driveGains(model, settings.omega, settings.ratio)),
      q_(static_cast<std::size_t>(model->nq())),
      v_(static_cast<std::size_t>(model->nv())),
      limit_(shareOfEfforts(*model, settings.strength)),
      driven_(static_cast<std::size_t>(model->nv()), true) {
  figure::neutral(model->coordinates, q_.data());
}

Failure Drive::apply(const Moment&, Command& command) {
  for (const figure::CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.v < 0) continue;
    const std::size_t first = static_cast<std::size_t>(part.v), nv = static_cast<std::size_t>(dynamics::jointNv(part.type));
    bool any = false;
    for (std::size_t i = first; i < first + nv; i++) {
      if (!driven_[i]) continue;
      any = true;
      command.drive(i, gains_.stiffness[i], gains_.damping[i], limit_[i]);
      if (settings_.pose != DrivePose::Command) command.v[i] = v_[i];
    }
    if (!any || settings_.pose == DrivePose::Command) continue;
    for (std::size_t k = 0; k < static_cast<std::size_t>(dynamics::jointNq(part.type)); k++)
      if (const std::size_t i = static_cast<std::size_t>(part.q) + k; part.type == dynamics::JointType::Spherical || driven_[first + k])
        command.q[i] = q_[i];
  }
  return {};
}

void Drive::exchange(ControllerState& state) {
  state.whole(settings_.pose);
  for (std::vector<double>* x : {&q_, &v_, &gains_.stiffness, &gains_.damping, &limit_}) state.numbers(*x);
  for (std::size_t i = 0; i < driven_.size(); i++) {
    bool driven = driven_[i];
    state.whole(driven);
    driven_[i] = driven;
  }
}

}  // namespace vertebra::control
