// See stack.hpp.
#include "engine/control/stack.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::control {

Stack::Stack(std::shared_ptr<const figure::FigureModel> model) : model_(std::move(model)) {
  const std::size_t nq = static_cast<std::size_t>(model_->nq()), nv = static_cast<std::size_t>(model_->nv());
  for (std::vector<double>* x : {&first_, &q_, &command_.q}) x->resize(nq);
  for (std::vector<double>* x : {&v_, &command_.v, &command_.a, &command_.stiffness, &command_.damping, &command_.limit, &command_.torque})
    x->resize(nv);
  for (std::vector<bool>* x : {&drove_, &command_.driven}) x->resize(nv);
}

void Stack::reset() {
  command_.q = first_;
  for (std::vector<double>* x : {&command_.v, &command_.a, &command_.stiffness, &command_.damping, &command_.torque})
    std::fill(x->begin(), x->end(), 0.0);
  std::fill(command_.limit.begin(), command_.limit.end(), kInf);
  std::fill(command_.driven.begin(), command_.driven.end(), false);
  command_.forces.clear();
  command_.moment = Vec3::Zero();
  command_.strength = 1;
}

bool Stack::acts() const { return !controllers_.empty() || std::find(drove_.begin(), drove_.end(), true) != drove_.end(); }

Failure Stack::before(world::World& world, const figure::Figure& figure) {
  figure.q(world, q_.data());
  figure.v(world, v_.data());
  if (!begun_) first_ = q_;
  begun_ = true;
  reset();
  const Moment now{world, figure, q_, v_, world.time(), world.settings().timeStep};
  for (const auto& controller : controllers_)
    if (Failure f = controller->apply(now, command_)) return f;
  return write(world, figure);
}

// A drive gives k (target - q) + c (rate - v): a torque is added as torque / c to the rate, which holds for any type of joint and error,
// and is bounded with the drive. Without k and c the torque acts alone, within the limit.
Failure Stack::drive(world::World& world, int joint, const figure::CoordinatePart& part) {
  const Command& c = command_;
  for (int k = 0; k < dynamics::jointNv(part.type); k++) {
    const std::size_t i = static_cast<std::size_t>(part.v + k);
    MotorSettings m;
    if (!c.driven[i]) {
      if (!drove_[i]) continue;
    } else if (c.stiffness[i] > 0 || c.damping[i] > 0) {
      m.mode = MotorMode::Position;
      m.stiffness = c.stiffness[i];
      m.damping = c.damping[i];
      m.maxForce = c.limit[i];
      m.position = part.type == dynamics::JointType::Spherical ? 0 : c.q[static_cast<std::size_t>(part.q + k)];
      m.velocity = c.v[i];
      if (c.damping[i] > 0)
        m.velocity += c.torque[i] / c.damping[i];
      else
        m.position += c.torque[i] / c.stiffness[i];
    } else {
      m.mode = MotorMode::Torque;
      m.force = std::clamp(c.torque[i], -c.limit[i], c.limit[i]);
    }
    if (Failure f = world.setMotor(joint, k, m)) return f;
  }
  return {};
}

// Its drive has one stiffness, damping and limit for all three axes: the largest of each.
Failure Stack::orient(world::World& world, int joint, const figure::CoordinatePart& part) {
  const Command& c = command_;
  const std::size_t first = static_cast<std::size_t>(part.v);
  double k = 0, d = 0, most = 0;
  for (std::size_t i = first; i < first + 3; i++) {
    if (!c.driven[i]) continue;
    k = std::max(k, c.stiffness[i]);
    d = std::max(d, c.damping[i]);
    most = std::max(most, c.limit[i]);
  }
  if (k <= 0 && d <= 0) return drive(world, joint, part);  // a torque alone, switched off, or left as it is
  if (d <= 0)
    return {Failure::Argument, "the drive of the ball joint '" + model_->skeleton->joints[static_cast<std::size_t>(part.joint)].name +
                                   "' has a stiffness and no damping; give it a damping > 0"};
  const double* x = &c.q[static_cast<std::size_t>(part.q)];
  const Vec3 rate(c.v[first] + c.torque[first] / d, c.v[first + 1] + c.torque[first + 1] / d, c.v[first + 2] + c.torque[first + 2] / d);
  return world.setOrientationMotor(joint, Quat(x[3], x[0], x[1], x[2]), rate, k, d, most);
}

Failure Stack::write(world::World& world, const figure::Figure& figure) {
  for (const figure::CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.v < 0 || part.type == dynamics::JointType::Floating) continue;
    const int joint = figure.joints()[static_cast<std::size_t>(part.joint)];
    if (Failure f = part.type == dynamics::JointType::Spherical ? orient(world, joint, part) : drive(world, joint, part)) return f;
  }
  drove_ = command_.driven;
  for (const PointForce& f : command_.forces) world.addForce(figure.bodies()[static_cast<std::size_t>(f.link)], f.force, &f.place, false);
  if (!command_.moment.isZero(0))
    world.addTorque(figure.bodies()[static_cast<std::size_t>(model_->skeleton->root)], command_.moment, false);
  return {};
}

void Stack::exchange(ControllerState& state) {
  state.whole(begun_);
  state.numbers(first_);
  for (std::size_t i = 0; i < drove_.size(); i++) {
    bool drove = drove_[i];
    state.whole(drove);
    drove_[i] = drove;
  }
  for (const auto& controller : controllers_) controller->exchange(state);
}

}  // namespace vertebra::control
