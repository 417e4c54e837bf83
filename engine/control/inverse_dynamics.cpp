// See inverse_dynamics.hpp.
#include "engine/control/inverse_dynamics.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::control {

namespace {

constexpr double kSoleReach = 0.015;  // m: height to which a sole counts as standing

Vec3 bounded(const Vec3& x, double most) {
  const double size = x.norm();
  return size > most ? Vec3(x * (most / size)) : x;
}

}  // namespace

InverseDynamics::InverseDynamics(std::shared_ptr<const figure::FigureModel> model, const InverseDynamicsSettings& settings)
    : model_(model), settings_(settings), gains_(driveGains(model, settings.omega, settings.ratio)), workspace_(model) {
  first_.resize(static_cast<std::size_t>(model->nq()));
  for (std::vector<double>* x : {&a_, &tau_, &error_}) x->resize(static_cast<std::size_t>(model->nv()));
}

InverseDynamics::~InverseDynamics() = default;

// A figure that stands nowhere yet is borne by the assistance alone.
void InverseDynamics::begin(const Moment& now, const std::vector<double>& q) {
  std::vector<int> feet;
  first_ = q;
  if (model_->coordinates.floatingBase) {
    if (!solesOfPose(model_, first_, soles_, feet)) {
      soles_.clear();
      feet.clear();
    }
    forward_ = std::make_unique<FeedForward>(model_, soles_);
    stands_.resize(soles_.size());
  }
  efforts_ = effortLimits(model_, feet, now.world.settings().gravity.norm());
  for (double& limit : efforts_.limit) limit *= settings_.strength;
  begun_ = true;
}

// The acceleration that brings the error to that of backward Euler's step of e'' = -omega^2 e - 2 ratio omega e': bounded at any omega.
void InverseDynamics::addFeedback(const Moment& now, const Command& command) {
  const std::size_t root = model_->coordinates.floatingBase ? 6 : 0;
  const double h = now.step;
  figure::difference(model_->coordinates, now.q.data(), command.q.data(), error_.data());
  for (std::size_t i = 0; i < a_.size(); i++) {
    a_[i] = command.a[i];
    if (settings_.feedback == Feedback::None || (i >= root && settings_.feedback == Feedback::Drives)) continue;
    const double omega = i < root ? settings_.rootOmega : settings_.omega, ratio = i < root ? settings_.rootRatio : settings_.ratio;
    const double k = omega * omega, c = 2 * ratio * omega;
    const double wanted = k * (error_[i] - h * now.v[i]) + c * (command.v[i] - now.v[i]);
    a_[i] += wanted / (1 + h * c + h * h * k);
  }
}

// What the joints' own damping, friction and springs take.
void InverseDynamics::addLosses(const Moment& now, const Command& command) {
  constexpr double kSticks = 0.05;  // rad/s or m/s: rate at which friction has three quarters of its size
  for (const figure::CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.v < 0) continue;
    const figure::JointDescription& joint = model_->skeleton->joints[static_cast<std::size_t>(part.joint)];
    for (int k = 0; k < dynamics::jointNv(part.type); k++) {
      const dynamics::AxisParameters& axis = joint.axes[static_cast<std::size_t>(k)];
      const std::size_t i = static_cast<std::size_t>(part.v + k);
      tau_[i] += axis.damping * command.v[i] + axis.friction * std::tanh(command.v[i] / kSticks);
      if (dynamics::jointNq(part.type) == dynamics::jointNv(part.type))
        tau_[i] += axis.stiffness * (now.q[static_cast<std::size_t>(part.q + k)] - axis.rest);
    }
  }
}

void InverseDynamics::driveAxes(Command& command) {
  for (const figure::CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.v < 0) continue;
    for (int k = 0; k < dynamics::jointNv(part.type); k++) {
      const std::size_t i = static_cast<std::size_t>(part.v + k);
      double stiffness = 0;
      if (settings_.feedback == Feedback::Drives) stiffness = gains_.stiffness[i] + std::fabs(tau_[i]) / settings_.flexion;
      command.drive(i, stiffness, 2 * settings_.ratio * stiffness / settings_.omega, std::min(command.limit[i], efforts_.limit[i]));
      command.torque[i] += tau_[i];
    }
  }
}

void InverseDynamics::assist(const Moment& now, Command& command) {
  const double weight = model_->mass * now.world.settings().gravity.norm(), height = std::max(forward_->centre().z(), 1e-3);
  const Vec3 force = bounded(lacking_.head<3>(), command.strength * settings_.assistForce * weight);
  const Vec3 moment = bounded(lacking_.tail<3>(), command.strength * settings_.assistMoment * weight * height);
  if (!force.isZero(0)) command.forces.push_back({model_->skeleton->root, forward_->centre(), force});
  command.moment += moment;
}

Failure InverseDynamics::apply(const Moment& now, Command& command) {
  if (!begun_ || efforts_.limit.empty() || (model_->coordinates.floatingBase && !forward_)) begin(now, begun_ ? first_ : now.q);
  addFeedback(now, command);
  const Vec3 gravity = baseOf(now).q.conjugate() * now.world.settings().gravity;
  if (!forward_) {
    workspace_.inverse(now.q.data(), now.v.data(), a_.data(), gravity, tau_.data());
    addLosses(now, command);
    driveAxes(command);
    return {};
  }
  forward_->kinematics().update(now.q.data());
  for (std::size_t s = 0; s < soles_.size(); s++)
    stands_[s] = forward_->kinematics().position(soles_[s].at).z() - soles_[s].radius < kSoleReach;
  const double arm = settings_.assistForce > 0 || settings_.assistMoment > 0 ? 1 : 0.25;  // see Tracker
  lacking_ = forward_->compute(now.q.data(), now.v.data(), a_.data(), gravity, stands_, settings_.friction, arm, tau_.data());
  addLosses(now, command);
  driveAxes(command);
  assist(now, command);
  return {};
}

void InverseDynamics::exchange(ControllerState& state) {
  state.whole(begun_);
  state.numbers(first_);
  for (int i = 0; i < 6; i++) state.number(lacking_[i]);
  if (state.reads()) forward_.reset();  // the soles are found again, in that pose
}

}  // namespace vertebra::control
