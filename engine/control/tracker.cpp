// See tracker.hpp.
#include "engine/control/tracker.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/rotation.hpp"

namespace vertebra::control {

namespace {

constexpr double kStands = 0.015;   // m: height to which a sole counts as standing where the course stands
constexpr double kDown = 1e-3;      // m: height to which it touches
constexpr double kFallen = 0.7;     // share of the height of the centre of mass below which a figure has fallen
constexpr double kAtLimit = 0.999;  // share of a torque limit that counts as the limit

Vec3 atMost(const Vec3& x, double most) {
  const double size = x.norm();
  return size > most ? Vec3(x * (most / size)) : x;
}

// Of the centre of mass, with links at `poses`.
double centreHeight(const figure::FigureModel& m, const Pose* poses) {
  double moment = m.fixedMoment.z();
  for (std::size_t b = 0; b < m.bodies.size(); b++) {
    const std::size_t link = static_cast<std::size_t>(m.bodyLink[b]);
    moment += m.bodies[b].mass * (poses[link] * m.links[link].pose.inverse().p).z();
  }
  return moment / m.mass;
}

}  // namespace

Tracker::Tracker(std::shared_ptr<const Course> course, const figure::Figure& figure, const TrackSettings& settings)
    : course_(std::move(course)),
      figure_(figure),
      settings_(settings),
      gains_(defaultGains(course_->sharedModel(), settings.omega, settings.ratio)),
      efforts_(effortLimits(course_->sharedModel(), course_->feet(), 9.81)),
      feedForward_(course_->sharedModel(), course_->soles()),
      stepping_(course_, settings.steps),
      reference_(course_->sharedModel()) {
  const std::size_t nq = static_cast<std::size_t>(course_->model().nq()), nv = static_cast<std::size_t>(course_->model().nv());
  for (std::vector<double>* x : {&q_, &qRef_, &qTarget_}) x->resize(nq);
  for (std::vector<double>* x : {&v_, &vRef_, &aRef_, &vTarget_, &tau_, &stiffness_, &damping_, &motors_}) x->resize(nv);
  for (std::size_t i = 0; i < nv; i++)
    if (efforts_.limit[i] < kInf) gains_.stiffness[i] = std::max(gains_.stiffness[i], efforts_.limit[i] / settings_.bend);
  stands_.resize(course_->soles().size());
  feet_.resize(course_->feet().size());
  soles_.resize(course_->soles().size());
  atLimit_.assign(nv, 0);
}

Failure Tracker::start(world::World& world, double time) {
  offset_ = time - world.time();
  stepping_.start(time);
  weight_ = course_->model().mass * world.settings().gravity.norm();
  course_->at(time, qRef_.data(), vRef_.data(), nullptr);
  Vec3 centre;
  if (reference_.centerOfMass(qRef_.data(), nullptr, centre, nullptr)) height_ = std::max(centre.z(), 1e-3);
  return figure_.setState(world, qRef_.data(), vRef_.data());
}

// A sole stands if its body does in the course about now and it is near the ground.
void Tracker::readStanding(const world::World& world) {
  const double t = world.time() + offset_;
  for (std::size_t s = 0; s < stands_.size(); s++) {
    const SolePoint& sole = course_->soles()[s];
    const std::size_t foot =
        static_cast<std::size_t>(std::find(course_->feet().begin(), course_->feet().end(), sole.at.body) - course_->feet().begin());
    const bool due = softens() && stepping_.leads(sole.at.body) ? stepping_.stands(sole.at.body)
                                                                : course_->stands(foot, t - settings_.window) || course_->stands(foot, t) ||
                                                                      course_->stands(foot, t + settings_.window);
    stands_[s] = due && feedForward_.kinematics().position(sole.at).z() - sole.radius < kStands;
  }
}

void Tracker::addRootFeedback() {
  if (!settings_.feedback || !course_->model().coordinates.floatingBase) return;
  const double k = settings_.rootOmega * settings_.rootOmega, c = 2 * settings_.rootRatio * settings_.rootOmega;
  std::vector<double>& e = tau_;
  figure::difference(course_->model().coordinates, q_.data(), qRef_.data(), e.data());
  for (std::size_t i = 0; i < 6; i++) aRef_[i] += k * e[i] + c * (vRef_[i] - v_[i]);
}

// With assistance force and moment share what it gives; a figure that steps asks for what the soles can give. Else a figure that leans is
// lost, one that is beside its place is not.
double Tracker::arm() const { return assisted() || steps() ? 1 : 0.25; }

Failure Tracker::before(world::World& world) {
  const double t = world.time() + offset_, h = world.settings().timeStep;
  figure_.q(world, q_.data());
  figure_.v(world, v_.data());
  course_->at(t, qRef_.data(), vRef_.data(), aRef_.data());
  feedForward_.kinematics().update(q_.data());
  if (softens()) stepping_.read(t, feedForward_.kinematics());
  readStanding(world);
  if (steps())
    stepping_.balance(t, h, world.settings().gravity.norm(), q_.data(), v_.data(), qRef_.data(), vRef_.data(), aRef_.data());
  else
    addRootFeedback();
  Vec6 lacking = Vec6::Zero();
  if (settings_.feedForward)
    lacking =
        feedForward_.compute(q_.data(), v_.data(), aRef_.data(), world.settings().gravity, stands_, settings_.friction, arm(), tau_.data());
  else
    std::fill(tau_.begin(), tau_.end(), 0.0);
  course_->at(t + h, qTarget_.data(), vTarget_.data(), nullptr);
  qRef_ = qTarget_;
  if (steps()) {
    stepping_.move(h, q_.data(), v_.data(), qTarget_.data(), vTarget_.data());
    moved_ = std::max(moved_, stepping_.shift().norm());
  }
  if (!settings_.feedback) {
    for (std::size_t i = 0; i < tau_.size(); i++) tau_[i] = std::clamp(tau_[i], -efforts_.limit[i], efforts_.limit[i]);
    if (Failure f = figure_.setTorques(world, tau_.data())) return f;
    return assist(world, lacking);
  }
  // A drive pulls with k (target - q) + c (rate - v), both at the end of the step: the torque is added as a shift of the target.
  for (const figure::CoordinatePart& part : course_->model().coordinates.parts) {
    if (part.joint < 0 || part.v < 0) continue;
    const int nv = dynamics::jointNv(part.type);
    const bool ball = nv != dynamics::jointNq(part.type);  // one gain for all its axes
    const std::size_t first = static_cast<std::size_t>(part.v);
    double most = 0, inertia = 0;
    for (int a = 0; a < nv; a++) {
      most = std::max(most, std::fabs(tau_[first + static_cast<std::size_t>(a)]));
      inertia = std::max(inertia, gains_.stiffness[first + static_cast<std::size_t>(a)]);
    }
    for (int a = 0; a < nv; a++) {
      const std::size_t i = first + static_cast<std::size_t>(a);
      stiffness_[i] = ball ? inertia + most / settings_.flexion : gains_.stiffness[i] + std::fabs(tau_[i]) / settings_.flexion;
      if (softens()) stiffness_[i] *= stepping_.stiffness(i);
      damping_[i] = 2 * settings_.ratio * stiffness_[i] / settings_.omega;
      if (!(stiffness_[i] > 0)) continue;
      if (ball)
        vTarget_[i] += tau_[i] / damping_[i];  // coordinates of a quaternion take no such shift
      else
        qTarget_[static_cast<std::size_t>(part.q + a)] += tau_[i] / stiffness_[i];
    }
  }
  if (Failure f = figure_.setMotors(world, qTarget_.data(), vTarget_.data(), stiffness_.data(), damping_.data(), efforts_.limit.data()))
    return f;
  return assist(world, lacking);
}

// At the centre of mass, by the root's body: a force there and the moment that moves it there.
Failure Tracker::assist(world::World& world, const Vec6& lacking) {
  if (!course_->model().coordinates.floatingBase || weight_ <= 0) return {};
  const Vec3 force = atMost(lacking.head<3>(), settings_.assistForce * weight_);
  const Vec3 moment = atMost(lacking.tail<3>(), settings_.assistMoment * weight_ * height_);
  if (settings_.assistForce > 0 || settings_.assistMoment > 0) {
    const int body = figure_.bodies()[static_cast<std::size_t>(course_->model().skeleton->root)];
    world.addForce(body, force, &feedForward_.centre(), false);
    world.addTorque(body, moment, false);
  }
  const double share = force.norm() / weight_, turn = moment.norm() / (weight_ * height_);
  assistSum_ += share;
  assistPeak_ = std::max(assistPeak_, share);
  momentSum_ += turn;
  momentPeak_ = std::max(momentPeak_, turn);
  return {};
}

void Tracker::after(const world::World& world) {
  if (fall_ >= 0) return;
  steps_++;
  time_ = world.time() + offset_;
  figure_.q(world, q_.data());
  figure_.motorForces(world, motors_.data());
  feedForward_.kinematics().update(q_.data());
  for (std::size_t i = 0; i < motors_.size(); i++)
    if (efforts_.limit[i] > 0 && efforts_.limit[i] < kInf && std::fabs(motors_[i]) >= kAtLimit * efforts_.limit[i]) atLimit_[i]++;
  measureFeet(world);
  measureLinks();
}

void Tracker::measureFeet(const world::World& world) {
  std::vector<bool> touched(feet_.size());
  for (const Contact& c : world.contacts()) {
    if (c.past() || (c.bodyA >= 0 && c.bodyB >= 0)) continue;  // the ground is a shape of the world
    depth_ = std::max(depth_, -c.gap);
    if (c.gap > 1e-3 || c.force.norm() <= 0) continue;
    const int body = std::max(c.bodyA, c.bodyB);
    for (std::size_t l = 0; l < course_->model().links.size(); l++) {  // a foot may be several links, fixed to each other
      if (figure_.bodies()[l] != body) continue;
      const auto foot = std::find(course_->feet().begin(), course_->feet().end(), course_->model().links[l].body);
      if (foot != course_->feet().end()) touched[static_cast<std::size_t>(foot - course_->feet().begin())] = true;
    }
  }
  for (std::size_t f = 0; f < feet_.size(); f++) {
    Foot& foot = feet_[f];
    if (!touched[f] || !course_->stands(f, time_)) {
      if (foot.down) slides_.push_back(foot.slide);
      foot.down = false;
      for (std::size_t s = 0; s < soles_.size(); s++)
        if (course_->soles()[s].at.body == course_->feet()[f]) soles_[s].down = false;
      continue;
    }
    if (!foot.down) foot = {true, 0};
    for (std::size_t s = 0; s < soles_.size(); s++) {
      if (course_->soles()[s].at.body != course_->feet()[f]) continue;
      Vec3 p = feedForward_.kinematics().position(course_->soles()[s].at);
      const bool down = p.z() - course_->soles()[s].radius < kDown;
      p.z() = 0;
      if (!down || !soles_[s].down) soles_[s] = {down, p};
      foot.slide = std::max(foot.slide, (p - soles_[s].from).norm());
    }
  }
}

void Tracker::measureLinks() {
  const figure::FigureModel& m = course_->model();
  double sum = 0;
  int count = 0;
  const Pose* wanted = reference_.poses(qRef_.data());
  for (std::size_t l = 0; l < m.links.size(); l++) {
    if (m.links[l].body < 0) continue;
    const double e = (feedForward_.kinematics().linkPose(static_cast<int>(l)).p - wanted[l].p).norm();
    sum += e;
    errorPeak_ = std::max(errorPeak_, e);
    count++;
  }
  if (count) errorSum_ += sum / count;
  if (m.mass > 0 && feedForward_.kinematics().centerOfMass().z() < kFallen * centreHeight(m, wanted)) fall_ = time_;
}

TrackMeasures Tracker::measures() const {
  TrackMeasures out;
  if (steps_ == 0) return out;
  out.time = time_;
  out.fall = fall_;
  out.assistMean = assistSum_ / steps_;
  out.assistPeak = assistPeak_;
  out.assistMomentMean = momentSum_ / steps_;
  out.assistMomentPeak = momentPeak_;
  out.errorMean = errorSum_ / steps_;
  out.errorPeak = errorPeak_;
  out.depth = depth_;
  out.moved = moved_;
  for (std::size_t i = 0; i < atLimit_.size(); i++)
    if (atLimit_[i] > out.clamped * steps_) {
      out.clamped = static_cast<double>(atLimit_[i]) / steps_;
      out.clampedVelocity = static_cast<int>(i);
    }
  std::vector<double> slides = slides_;
  for (const Foot& foot : feet_)
    if (foot.down) slides.push_back(foot.slide);  // lasts
  for (double s : slides) {
    out.slideMean += s / static_cast<double>(slides.size());
    out.slidePeak = std::max(out.slidePeak, s);
  }
  out.contacts = static_cast<int>(slides.size());
  out.derivedEfforts = static_cast<int>(std::count(efforts_.derived.begin(), efforts_.derived.end(), true));
  return out;
}

}  // namespace vertebra::control
