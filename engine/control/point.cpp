// See point.hpp.
#include "engine/control/point.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/rotation.hpp"
#include "engine/retarget/sole.hpp"

namespace vertebra::control {

namespace {

constexpr double kStepDamping = 1e-4;  // m^2: of a step
constexpr double kPointOmega = 15;     // rad/s: of drives that are made stiffer
constexpr double kLongest = 0.3;       // rad or m: of an axis in one step

// The rotation vector that turns one direction into another; the shortest.
Vec3 turnBetween(const Vec3& from, const Vec3& to) {
  const Vec3 across = from.cross(to);
  const double sine = across.norm(), cosine = from.dot(to);
  if (sine < 1e-12) return cosine > 0 ? Vec3::Zero() : Vec3(kPi * from.unitOrthogonal());
  return across * (std::atan2(sine, cosine) / sine);
}

Vec3 directionOf(const PointGoal& g, const Vec3& at) {
  if (g.kind == PointKind::Direction) return g.target;
  const Vec3 d = g.target - at;
  return d.norm() > 1e-9 ? Vec3(d.normalized()) : Vec3(Vec3::UnitX());
}

}  // namespace

Point::Point(std::shared_ptr<const figure::FigureModel> model, const PointSettings& settings)
    : model_(model), settings_(settings), kinematics_(model), efforts_(effortLimits(model, {}, 9.81)) {
  const std::size_t nv = static_cast<std::size_t>(model->nv());
  for (std::vector<double>* x : {&base_, &q_}) x->resize(static_cast<std::size_t>(model->nq()));
  last_.assign(static_cast<std::size_t>(model_->nq()), 0);
  for (std::vector<double>* x : {&step_, &shift_, &held_, &error_}) x->assign(nv, 0);
  J_.resize(6 * nv);
}

Failure Point::refresh() {
  figure::neutral(model_->coordinates, q_.data());
  kinematics_.update(q_.data());
  chains_.resize(goals_.size());  // what has begun goes on
  used_.clear();
  place_.assign(step_.size(), -1);
  const int links = static_cast<int>(model_->links.size()), first = model_->coordinates.floatingBase ? 6 : 0;
  for (std::size_t g = 0; g < goals_.size(); g++) {
    PointGoal& goal = goals_[g];
    if (goal.link < 0 || goal.link >= links || goal.from < -1 || goal.from >= links)
      return {Failure::Argument,
              "point: goal " + std::to_string(g) + " names a link that the figure does not have; give 0 to " + std::to_string(links - 1)};
    const auto moving = [&](int link) {
      const int body = model_->links[static_cast<std::size_t>(link)].body;
      return body < 0 ? std::span<const int>() : kinematics_.columns(body);
    };
    chains_[g].columns.clear();
    std::span<const int> before;
    if (goal.from >= 0) before = moving(goal.from);
    for (int c : moving(goal.link))
      if (c >= first && std::find(before.begin(), before.end(), c) == before.end()) chains_[g].columns.push_back(c);
    if (chains_[g].columns.empty())
      return {Failure::Argument,
              "point: goal " + std::to_string(g) + " has no axis between its links; give `from` nearer to the root, or -1"};
    for (int c : chains_[g].columns)
      if (int& at = place_[static_cast<std::size_t>(c)]; at < 0) {
        at = static_cast<int>(used_.size());
        used_.push_back(c);
      }
  }
  const Eigen::Index n = static_cast<Eigen::Index>(used_.size());
  H_.resize(n, n);
  g_.resize(n);
  x_.resize(n);
  weight_.assign(used_.size(), 0);
  fresh_ = false;
  return {};
}

// Adds a goal's rows at q_ to the normal equations.
void Point::build(std::size_t at) {
  const PointGoal& goal = goals_[at];
  const Chain& chain = chains_[at];
  const std::size_t n = step_.size();
  const int body = model_->links[static_cast<std::size_t>(goal.link)].body;
  const retarget::Anchor anchor = kinematics_.anchor(goal.link, goal.kind == PointKind::Still ? Vec3(Vec3::Zero()) : goal.point);
  const Vec3 here = kinematics_.position(anchor);
  const Pose pose = kinematics_.linkPose(goal.link);
  const bool turns = goal.kind != PointKind::Place, places = goal.kind == PointKind::Place || goal.kind == PointKind::Still;
  std::fill(J_.begin(), J_.end(), 0.0);
  if (places) kinematics_.addLinear(anchor, 1, J_.data());
  if (turns) kinematics_.addAngular(body, settings_.length, J_.data() + 3 * n);
  Vec6 e = Vec6::Zero();
  Mat3 across = Mat3::Identity();  // turns about the direction itself do not matter
  if (goal.kind == PointKind::Place) e.head<3>() = goal.target - here;
  if (goal.kind == PointKind::Still) e << chain.still.p - here, settings_.length * quatLog(Quat(chain.still.q * pose.q.conjugate()));
  if (turns && !places) {
    const Vec3 u = pose.q * goal.direction;
    e.tail<3>() = settings_.length * turnBetween(u, directionOf(goal, here));
    across -= u * u.transpose();
  }
  const auto column = [&](int c) {
    Vec6 j;
    for (int r = 0; r < 6; r++) j[r] = J_[static_cast<std::size_t>(r) * n + static_cast<std::size_t>(c)];
    j.tail<3>() = across * Vec3(j.tail<3>());
    return j;
  };
  for (int c : chain.columns) {
    const Vec6 j = column(c);
    const Eigen::Index row = place_[static_cast<std::size_t>(c)];
    g_[row] += j.dot(e);
    for (int d : chain.columns) H_(row, place_[static_cast<std::size_t>(d)]) += j.dot(column(d));
  }
}

void Point::keepLimits() {
  for (const figure::CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.q < 0 || dynamics::jointNq(part.type) != dynamics::jointNv(part.type)) continue;
    const figure::JointDescription& joint = model_->skeleton->joints[static_cast<std::size_t>(part.joint)];
    for (int k = 0; k < dynamics::jointNv(part.type); k++) {
      const std::size_t axis = static_cast<std::size_t>(k), c = static_cast<std::size_t>(part.q + k);
      if (place_[static_cast<std::size_t>(part.v + k)] >= 0) q_[c] = std::clamp(q_[c], joint.axes[axis].lower, joint.axes[axis].upper);
    }
  }
}

// shift_: from the pose in base_ to the one that meets the goals, from that of the last call on.
void Point::solve() {
  const figure::Coordinates& c = model_->coordinates;
  figure::integrate(c, base_.data(), shift_.data(), 1, q_.data());
  keepLimits();
  for (int i = 0; i < settings_.steps; i++) {
    kinematics_.update(q_.data());
    figure::difference(c, base_.data(), q_.data(), shift_.data());
    H_.setZero();
    g_.setZero();
    for (std::size_t g = 0; g < goals_.size(); g++)
      if (chains_[g].weight > 0) build(g);
    for (std::size_t k = 0; k < used_.size(); k++) {
      H_(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(k)) += kStepDamping + settings_.rest;
      g_[static_cast<Eigen::Index>(k)] -= settings_.rest * shift_[static_cast<std::size_t>(used_[k])];
    }
    factor_.compute(H_);
    x_ = g_;
    factor_.solveInPlace(x_);
    std::fill(step_.begin(), step_.end(), 0.0);
    for (std::size_t k = 0; k < used_.size(); k++)
      step_[static_cast<std::size_t>(used_[k])] = std::clamp(x_[static_cast<Eigen::Index>(k)], -kLongest, kLongest);
    figure::integrate(c, q_.data(), step_.data(), 1, q_.data());
    keepLimits();
  }
  figure::difference(c, base_.data(), q_.data(), shift_.data());
}

Failure Point::apply(const Moment& now, Command& command) {
  if (fresh_ || chains_.size() != goals_.size())
    if (Failure f = refresh()) return f;
  if (used_.empty()) return {};
  const figure::Coordinates& c = model_->coordinates;
  std::fill(weight_.begin(), weight_.end(), 0.0);
  for (std::size_t g = 0; g < goals_.size(); g++) {
    const PointGoal& goal = goals_[g];
    Chain& chain = chains_[g];
    const double blend = std::max(goal.blend, now.step);
    chain.weight = retarget::smoothStep(std::min((now.time - goal.begin) / blend, 1 - (now.time - goal.end) / blend));
    if (chain.weight > 0 && !chain.begun) {
      kinematics_.update(now.q.data());
      chain.still = kinematics_.linkPose(goal.link);
    }
    chain.begun = chain.weight > 0;
    for (int column : chain.columns) {
      double& w = weight_[static_cast<std::size_t>(place_[static_cast<std::size_t>(column)])];
      w = std::max(w, chain.weight);
    }
  }
  // The reference's axes on the root as it will be at the end of the step.
  figure::integrate(c, now.q.data(), now.v.data(), now.step, base_.data());
  if (c.floatingBase) std::copy(command.q.begin() + 7, command.q.end(), base_.begin() + 7);
  solve();
  std::fill(step_.begin(), step_.end(), 0.0);
  figure::difference(c, now.q.data(), q_.data(), error_.data());
  for (std::size_t k = 0; k < used_.size(); k++) {
    const std::size_t i = static_cast<std::size_t>(used_[k]);
    const double wanted = weight_[k] * shift_[i];
    double& held = held_[i];
    if (weight_[k] >= 1)
      held = std::clamp(held + settings_.integral * now.step * error_[i], -settings_.most, settings_.most);
    else
      held *= weight_[k] > 0 ? 1 - std::min(1.0, settings_.integral * now.step) : 0;
    step_[i] = wanted + held;
    if (weight_[k] <= 0) shift_[i] = 0;
    // The inertia behind an axis in the zero pose says little of a bent limb: a straight arm turns lightly about its length.
    const double stiffest = efforts_.limit[i] < kInf ? weight_[k] * efforts_.limit[i] / settings_.bend : 0;
    if (stiffest > command.stiffness[i])
      command.drive(i, stiffest, std::max(command.damping[i], 2 * stiffest / kPointOmega), command.limit[i]);
  }
  figure::integrate(c, command.q.data(), step_.data(), 1, command.q.data());
  // Rates of the pose itself: a ball joint that is shifted far turns about other axes than the reference.
  if (begun_) figure::difference(c, last_.data(), command.q.data(), error_.data());
  for (std::size_t k = 0; begun_ && k < used_.size(); k++)
    if (weight_[k] > 0) command.v[static_cast<std::size_t>(used_[k])] = error_[static_cast<std::size_t>(used_[k])] / now.step;
  last_ = command.q;
  begun_ = true;
  return {};
}

void Point::exchange(ControllerState& state) {
  std::size_t count = goals_.size();
  state.whole(count);
  if (count != goals_.size()) return state.fail();
  if ((fresh_ || chains_.size() != count) && refresh()) return state.fail();
  for (std::size_t g = 0; g < count; g++) {
    state.vector(goals_[g].target);
    state.number(goals_[g].begin);
    state.number(goals_[g].end);
    state.whole(chains_[g].begun);
    state.number(chains_[g].weight);
    state.pose(chains_[g].still);
  }
  for (std::vector<double>* x : {&shift_, &held_, &last_}) state.numbers(*x);
  state.whole(begun_);
}

double Point::error(std::size_t at, const double* q) {
  const PointGoal& goal = goals_[at];
  kinematics_.update(q);
  const Pose pose = kinematics_.linkPose(goal.link);
  const Vec3 here = pose.p + pose.q * goal.point;
  if (goal.kind == PointKind::Place) return (goal.target - here).norm();
  if (goal.kind == PointKind::Still && !chains_[at].begun) return 0;  // it holds nothing yet
  if (goal.kind == PointKind::Still)
    return (chains_[at].still.p - pose.p).norm() + settings_.length * quatLog(Quat(chains_[at].still.q * pose.q.conjugate())).norm();
  return turnBetween(pose.q * goal.direction, directionOf(goal, here)).norm();
}

}  // namespace vertebra::control
