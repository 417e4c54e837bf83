// See balance.hpp.
#include "engine/control/balance.hpp"

#include <algorithm>
#include <cmath>

#include "engine/control/support.hpp"

namespace vertebra::control {

namespace {

constexpr double kReach = 0.015;  // m: height to which a sole counts as standing
constexpr double kOmega = 15;     // rad/s: of drives that no controller before has given a stiffness
constexpr double kSwing = 25;     // rad/s: of the feedback of a leg that swings
constexpr double kInner = 0.75;   // of the way from the middle of the soles to their hull: where the reference may have its centre of mass

Eigen::Vector2d flat(const Vec3& x) { return x.head<2>(); }

}  // namespace

Balance::Balance(std::shared_ptr<const figure::FigureModel> model, const BalanceSettings& settings)
    : model_(model), settings_(settings), workspace_(model), step_(model, settings.step), gains_(defaultGains(model, kOmega, 1)) {
  const std::size_t nv = static_cast<std::size_t>(model->nv());
  for (std::vector<double>* x : {&a_, &tau_, &error_}) x->resize(nv);
  for (std::vector<double>* x : {&first_, &end_}) x->resize(static_cast<std::size_t>(model->nq()));
}

Balance::~Balance() = default;

Failure Balance::begin(const Moment& now) {
  if (!begun_) first_ = now.q;
  if (!model_->coordinates.floatingBase || !solesOfPose(model_, first_, soles_, feet_))
    return {Failure::Argument,
            "balance: the figure has no free root or no point within 25 mm of the ground at height 0; set it on the ground first"};
  begun_ = true;
  stands_.resize(soles_.size());
  support_.reserve(soles_.size());
  forward_ = std::make_unique<FeedForward>(model_, soles_);
  step_.findLegs(first_, soles_, feet_);
  efforts_ = effortLimits(model_, feet_, now.world.settings().gravity.norm());
  leg_.assign(static_cast<std::size_t>(model_->nv()), false);
  for (int foot : feet_)
    for (int column : forward_->kinematics().columns(foot)) leg_[static_cast<std::size_t>(column)] = column >= 6;
  return {};
}

// The soles that stand, and where the reference's centre of mass is over them.
void Balance::readFeet(const Moment& now, const Command& command) {
  retarget::Kinematics& k = forward_->kinematics();
  Vec3 shift = Vec3::Zero();
  support_.clear();
  k.update(now.q.data());
  for (std::size_t s = 0; s < soles_.size(); s++) {
    const Vec3 at = k.position(soles_[s].at);
    stands_[s] = at.z() - soles_[s].radius < kReach && !step_.swings(soles_[s].at.body);
    if (!stands_[s]) continue;
    support_.push_back(flat(at));
    shift += at;
  }
  state_.standing = static_cast<int>(support_.size());
  workspace_.centerOfMass(now.q.data(), now.v.data(), state_.centre, &state_.velocity);
  workspace_.centerOfMass(command.q.data(), nullptr, reference_, nullptr);
  rootOfReference_ = Vec3(command.q[0], command.q[1], command.q[2]) - reference_;
  if (support_.empty()) return;
  k.update(command.q.data());
  for (std::size_t s = 0; s < soles_.size(); s++)
    if (stands_[s]) shift -= k.position(soles_[s].at);
  reference_ += shift / state_.standing;
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  for (const Eigen::Vector2d& p : support_) middle += p / state_.standing;
  const Eigen::Vector2d from = (1 - settings_.centred) * (flat(reference_) - middle);
  reference_.head<2>() = middle + kInner * (nearestInHull(middle + from / kInner, support_) - middle);
  reference_.z() -= step_.lowered(now.q.data());
}

// Of the centre of mass, by the linear inverted pendulum about the wanted centre of pressure.
Vec3 Balance::wantedAcceleration(double gravity) {
  const Vec3& c = state_.centre;
  const double square = gravity / std::max(c.z(), 1e-3), omega = std::sqrt(square);
  state_.capture = c + state_.velocity / omega;
  state_.capture.z() = 0;
  state_.wanted = Vec3(reference_.x(), reference_.y(), 0);
  Vec3 out = Vec3::Zero();
  if (support_.empty()) return out;
  state_.outside = (nearestInHull(flat(state_.capture), support_) - flat(state_.capture)).norm();
  Eigen::Vector2d p = flat(state_.wanted) + (1 + settings_.capture) * flat(state_.capture - state_.wanted);
  const Eigen::Vector2d inside = nearestInHull(p, support_), beyond = p - inside;
  if (const double far = beyond.norm(); far > settings_.hip) p = inside + beyond * (settings_.hip / far);
  out.head<2>() = square * (flat(c) - p);
  out.z() =
      settings_.height * settings_.height * (reference_.z() - c.z()) - 2 * settings_.heightRatio * settings_.height * state_.velocity.z();
  return out;
}

Vec3 Balance::wantedTurn(const Moment& now, const Command& command) const {
  Vec3 out;
  for (int k = 0; k < 3; k++) {
    const std::size_t i = static_cast<std::size_t>(3 + k);
    out[k] = settings_.upright * settings_.upright * error_[i] + 2 * settings_.uprightRatio * settings_.upright * (command.v[i] - now.v[i]);
  }
  return out;
}

void Balance::driveAxes(const Moment& now, Command& command) {
  for (const figure::CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.v < 0) continue;
    const int nv = dynamics::jointNv(part.type);
    for (int a = 0; a < nv; a++) {
      const std::size_t i = static_cast<std::size_t>(part.v + a);
      if (command.stiffness[i] <= 0 && command.damping[i] <= 0) command.drive(i, gains_.stiffness[i], gains_.damping[i], command.limit[i]);
      command.limit[i] = std::min(command.limit[i], efforts_.limit[i]);
      command.torque[i] += tau_[i];
      if (!leg_[i]) continue;
      command.stiffness[i] *= settings_.legs;
      command.damping[i] *= std::sqrt(settings_.legs);
    }
  }
}

// The step that is taken, and legs that stand apart after one.
void Balance::driveLegs(const Moment& now, Command& command) {
  const double height = std::max(state_.centre.z(), 1e-3), omega = std::sqrt(now.world.settings().gravity.norm() / height);
  step_.follow(now.step, now.q.data(), state_.capture, omega, height, state_.outside);
  state_.steps = step_.taken();
  if (state_.steps == 0) return;
  figure::integrate(model_->coordinates, now.q.data(), now.v.data(), now.step, end_.data());
  step_.drive(now.q.data(), now.v.data(), end_.data(), reference_ + rootOfReference_, command);
}

Failure Balance::apply(const Moment& now, Command& command) {
  if (!forward_)
    if (Failure f = begin(now)) return f;
  const Vec3 gravity = now.world.settings().gravity;
  readFeet(now, command);
  const Vec3 centre = wantedAcceleration(gravity.norm());
  driveLegs(now, command);
  figure::difference(model_->coordinates, now.q.data(), command.q.data(), error_.data());
  const Vec3 turn = wantedTurn(now, command);
  std::copy(command.a.begin(), command.a.end(), a_.begin());
  for (std::size_t i = 6; i < a_.size(); i++)
    if (step_.movesBy(i)) a_[i] = kSwing * kSwing * error_[i] + 2 * kSwing * (command.v[i] - now.v[i]);
  for (std::size_t k = 0; k < 3; k++) {
    a_[k] = 0;
    a_[3 + k] = turn[static_cast<int>(k)];
  }
  // The root accelerates so that the centre of mass does as wanted.
  workspace_.inverse(now.q.data(), now.v.data(), a_.data(), Vec3::Zero(), tau_.data());
  for (std::size_t k = 0; k < 3; k++) a_[k] = centre[static_cast<int>(k)] - tau_[k] / model_->mass;
  forward_->compute(now.q.data(), now.v.data(), a_.data(), gravity, stands_, settings_.friction, settings_.arm, tau_.data());
  Vec3 sum = Vec3::Zero();
  double load = 0;
  for (std::size_t s = 0; s < soles_.size(); s++) {
    const double up = forward_->forces()[s].z();
    sum += up * forward_->place(s);
    load += up;
  }
  state_.pressure = load > 0 ? Vec3(sum.x() / load, sum.y() / load, 0) : Vec3::Zero();
  driveAxes(now, command);
  return {};
}

void Balance::exchange(ControllerState& state) {
  state.whole(begun_);
  state.numbers(first_);
  step_.exchange(state);
  if (state.reads()) forward_.reset();  // the soles are found again, in that pose
}

}  // namespace vertebra::control
