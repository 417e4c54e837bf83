// See foot_step.hpp.
#include "engine/control/foot_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/control/support.hpp"
#include "engine/figure/motion_channels.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::control {

namespace {

constexpr double kCounted = 0.7;   // of the way from the middle of a foot to its soles where its force is counted on
constexpr double kChosen = 0.06;   // s before touch-down in which the landing stays
constexpr double kSoonest = 0.03;  // s in which a landing may be reached
constexpr double kMeets = 1.5e-3;  // m: height to which a foot touches
constexpr double kNarrow = 1e-3;   // m: hips that are nearer have no sides
constexpr double kFastest = 20;    // m/s: a foot that moved faster was put elsewhere
constexpr double kLifted = 5e-3;   // m: height of a foot that no longer stands
constexpr double kEarliest = 0.5;  // of a step's time: before it a foot has not landed
constexpr double kSinks = 0.3;     // m/s: of a foot that has not met the ground in time
constexpr double kLatest = 1.5;    // of a step's time: it ends
constexpr double kSlack = 0.01;    // share of a leg's height that it is bent once it has stepped
constexpr double kShortest = 0.7;  // share of a leg's height: lowest for legs that stand apart

}  // namespace

FootStep::FootStep(std::shared_ptr<const figure::FigureModel> model, const FootStepSettings& settings)
    : model_(model),
      settings_(settings),
      solver_(model),
      q_(static_cast<std::size_t>(model->nq())),
      v_(static_cast<std::size_t>(model->nv())) {}

void FootStep::findLegs(const std::vector<double>& home, const std::vector<SolePoint>& soles, const std::vector<int>& feet) {
  soles_ = soles;
  legs_.clear();
  retarget::Kinematics& k = solver_.kinematics();
  k.update(home.data());
  const Mat3 ahead = heading(home.data());
  for (int foot : feet) {  // in ascending order: a foot before its toes
    int top = foot;
    while (top > 0 && model_->bodies[static_cast<std::size_t>(top)].parent > 0) top = model_->bodies[static_cast<std::size_t>(top)].parent;
    auto known = std::find_if(legs_.begin(), legs_.end(), [&](const Leg& leg) { return leg.top == top; });
    const bool isNew = known == legs_.end();
    Leg& leg = isNew ? legs_.emplace_back() : *known;
    leg.bodies.push_back(foot);
    for (std::size_t s = 0; s < soles_.size(); s++)
      if (soles_[s].at.body == foot) leg.soles.push_back(s);
    if (!isNew) continue;
    leg.top = top;
    leg.foot = foot;
    for (int c : k.columns(foot))
      if (c >= 6) leg.vs.push_back(c);
    for (const figure::CoordinatePart& part : model_->coordinates.parts) {
      if (part.joint < 0 || part.v < 0 || std::find(leg.vs.begin(), leg.vs.end(), part.v) == leg.vs.end()) continue;
      for (int i = 0; i < dynamics::jointNq(part.type); i++) leg.qs.push_back(part.q + i);
    }
    leg.turn = ahead.transpose() * k.bodyRotation(foot);
    const Vec3 way = k.linkPose(model_->bodyLink[static_cast<std::size_t>(top)]).p - k.bodyPosition(foot);
    leg.up = way.z();
    leg.away = way.head<2>().norm();
  }
  const auto moves = [](const Leg& leg) { return leg.top > 0 && leg.vs.size() >= 6; };
  if (legs_.size() != 2 || !moves(legs_[0]) || !moves(legs_[1])) return legs_.clear();
  hips_ = (hip(legs_[0]) - hip(legs_[1])).norm();
  if (hips_ < kNarrow) legs_.clear();
  points_.reserve(soles_.size());
}

bool FootStep::moves(int body) const {
  if (swing_ < 0 || !able()) return false;
  const std::vector<int>& bodies = legs_[static_cast<std::size_t>(swing_)].bodies;
  return std::find(bodies.begin(), bodies.end(), body) != bodies.end();
}

bool FootStep::movesBy(std::size_t velocity) const {
  if (swing_ < 0 || !able()) return false;
  const std::vector<int>& vs = legs_[static_cast<std::size_t>(swing_)].vs;
  return std::find(vs.begin(), vs.end(), static_cast<int>(velocity)) != vs.end();
}

Mat3 FootStep::heading(const double* q) const {
  return dynamics::rotationOf(quatFromAxisAngle(Vec3::UnitZ(), figure::headingOf(Quat(q[6], q[3], q[4], q[5]))));
}

FootStep::Vec2 FootStep::hip(const Leg& leg) {
  return solver_.kinematics().linkPose(model_->bodyLink[static_cast<std::size_t>(leg.top)]).p.head<2>();
}

FootStep::Vec2 FootStep::middle(const Leg& leg) {
  Vec2 sum = Vec2::Zero();
  for (std::size_t s : leg.soles) sum += solver_.kinematics().position(soles_[s].at).head<2>();
  return sum / static_cast<double>(leg.soles.size());
}

double FootStep::clearance(const Leg& leg) {
  double least = kInf;
  for (std::size_t s : leg.soles) least = std::min(least, solver_.kinematics().position(soles_[s].at).z() - soles_[s].radius);
  return least;
}

int FootStep::touching(const Leg& leg) {
  return static_cast<int>(std::count_if(leg.soles.begin(), leg.soles.end(), [&](std::size_t s) {
    return solver_.kinematics().position(soles_[s].at).z() - soles_[s].radius < kMeets;
  }));
}

// Of a leg that swings for `left` seconds more, while the other bears. Its kinematics are those of the figure.
FootStep::Landing FootStep::landing(const Leg& leg, const Leg& other, const Vec2& capture, double omega, double height, double left) {
  retarget::Kinematics& k = solver_.kinematics();
  const Vec2 stands = middle(other);
  points_.clear();
  for (std::size_t s : other.soles) points_.push_back(kCounted * k.position(soles_[s].at).head<2>() + (1 - kCounted) * stands);
  const Vec2 p = nearestInHull(capture, points_);
  const Vec2 wanted = p + (capture - p) * std::exp(omega * left);
  Vec2 goal = wanted;
  if (const Vec2 way = goal - stands; way.norm() > settings_.reach * height) goal = stands + way * (settings_.reach * height / way.norm());
  const Vec2 side = (hip(leg) - hip(other)).normalized();
  const double beside = side.dot(goal - stands), least = settings_.apart * hips_;
  if (beside < least) goal += (least - beside) * side;
  return {goal + k.bodyPosition(leg.foot).head<2>() - middle(leg), (goal - wanted).norm()};
}

void FootStep::follow(double h, const double* q, const Vec3& capture, double omega, double height, double outside) {
  if (!able()) return;
  retarget::Kinematics& k = solver_.kinematics();
  k.update(q);
  const Vec2 xi = capture.head<2>();
  for (std::size_t l = 0; l < 2; l++) {
    const Vec3 before = std::exchange(last_[l], k.bodyPosition(legs_[l].foot));
    if (stepped_ && (last_[l] - before).norm() > kFastest * h) stepped_ = false, swing_ = -1;
  }
  if (swing_ < 0) {
    const bool up[2] = {stepped_ && clearance(legs_[0]) > kLifted, stepped_ && clearance(legs_[1]) > kLifted};
    if ((outside < settings_.outside && up[0] == up[1]) || (up[0] && up[1])) return;
    Landing best;
    best.missed = kInf;
    for (int l = 0; l < 2; l++) {
      const Leg &leg = legs_[static_cast<std::size_t>(l)], &other = legs_[static_cast<std::size_t>(1 - l)];
      if (up[1 - l]) continue;
      const Landing at = landing(leg, other, xi, omega, height, settings_.time);
      if (at.missed < best.missed) best = at, swing_ = l;
    }
    if (swing_ < 0) return;  // a state that is not a number
    if (!stepped_)
      for (std::size_t l = 0; l < 2; l++) stand_[l] = k.bodyPosition(legs_[l].foot);
    stepped_ = true;
    taken_++;
    landed_ = false;
    time_ = 0;
    lift_ = settings_.lift * height;
    place_ = k.bodyPosition(legs_[static_cast<std::size_t>(swing_)].foot).head<2>();
    rate_ = Vec2::Zero();
    goal_ = best.place;
  }
  const Leg &leg = legs_[static_cast<std::size_t>(swing_)], &other = legs_[static_cast<std::size_t>(1 - swing_)];
  time_ += h;
  const double left = settings_.time - time_;
  const int down = touching(leg);
  if (!landed_ && down > 0 && time_ > kEarliest * settings_.time) {
    landed_ = true;
    time_ = settings_.time;
    place_ = k.bodyPosition(leg.foot).head<2>();
    rate_ = Vec2::Zero();
    height_ = climb_ = 0;
  }
  if (landed_ || time_ > kLatest * settings_.time) {
    if (down < static_cast<int>(leg.soles.size()) && time_ < kLatest * settings_.time) return;
    stand_[swing_].head<2>() = k.bodyPosition(leg.foot).head<2>();
    swing_ = -1;
    return;
  }
  if (left > kChosen) goal_ = landing(leg, other, xi, omega, height, left).place;
  const double rest = std::max(left, kSoonest);  // a cubic that ends there at rest
  const Vec2 a = 6 * (goal_ - place_) / (rest * rest) - 4 * rate_ / rest;
  place_ += h * rate_ + 0.5 * h * h * a;
  rate_ += h * a;
  const double s = time_ / settings_.time;
  height_ = s < 1 ? 16 * lift_ * s * s * (1 - s) * (1 - s) : -kSinks * (time_ - settings_.time);
  climb_ = s < 1 ? 32 * lift_ * s * (1 - s) * (1 - 2 * s) / settings_.time : -kSinks;
}

double FootStep::lowered(const double* q) {
  if (!stepped_) return 0;
  retarget::Kinematics& k = solver_.kinematics();
  k.update(q);
  double most = 0;
  for (const Leg& leg : legs_) {
    if (swings(leg.foot)) continue;
    const Vec2 between = k.linkPose(model_->bodyLink[static_cast<std::size_t>(leg.top)]).p.head<2>() - k.bodyPosition(leg.foot).head<2>();
    const double away = between.norm(), length2 = leg.up * leg.up + leg.away * leg.away;
    const double up = std::sqrt(std::max(length2 - away * away, kShortest * kShortest * leg.up * leg.up));
    most = std::max(most, (1 + kSlack) * leg.up - up);
  }
  return most;
}

void FootStep::drive(const double* q, const double* v, const double* end, const Vec3& root, Command& command) {
  if (!able() || !stepped_) return;
  const Mat3 ahead = heading(command.q.data());
  for (std::size_t l = 0; l < 2; l++) {
    const Leg& leg = legs_[l];
    std::copy(q, q + q_.size(), q_.begin());
    if (moves(leg.foot)) {
      // The foot's way as if the root were not turned about the vertical: to follow it in the world would turn the root farther.
      const Quat turned(end[6], end[3], end[4], end[5]);
      const Quat straight = Quat(Mat3(ahead * heading(end).transpose())) * turned;
      std::copy(end, end + 3, q_.begin());
      for (int i = 0; i < 4; i++) q_[static_cast<std::size_t>(3 + i)] = straight.coeffs()[i];
      const Vec3 place(place_.x(), place_.y(), stand_[l].z() + height_);
      (void)solver_.reach(leg.foot, place, ahead * leg.turn, q_.data());
      Vec6 twist = Vec6::Zero();
      twist.head<3>() = Vec3(rate_.x(), rate_.y(), climb_);
      std::copy(v, v + v_.size(), v_.begin());
      solver_.move(leg.foot, twist, q_.data(), v_.data());
    } else {
      for (int i = 0; i < 3; i++) q_[static_cast<std::size_t>(i)] = root[i];
      std::copy_n(command.q.begin() + 3, 4, q_.begin() + 3);
      (void)solver_.reach(leg.foot, stand_[l], ahead * leg.turn, q_.data());
      std::fill(v_.begin(), v_.end(), 0.0);
    }
    for (int i : leg.qs) command.q[static_cast<std::size_t>(i)] = q_[static_cast<std::size_t>(i)];
    for (int i : leg.vs) command.v[static_cast<std::size_t>(i)] = v_[static_cast<std::size_t>(i)];
  }
}

void FootStep::exchange(ControllerState& state) {
  state.whole(swing_);
  if (swing_ < -1 || swing_ > 1) {
    swing_ = -1;
    state.fail();
  }
  state.whole(taken_);
  state.whole(stepped_);
  state.whole(landed_);
  for (std::size_t l = 0; l < 2; l++) {
    state.vector(stand_[l]);
    state.vector(last_[l]);
  }
  for (double* x : {&time_, &lift_, &place_[0], &place_[1], &rate_[0], &rate_[1], &goal_[0], &goal_[1], &height_, &climb_})
    state.number(*x);
}

}  // namespace vertebra::control
