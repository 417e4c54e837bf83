// See animation.hpp.
#include "engine/control/animation.hpp"

#include <algorithm>
#include <cmath>

#include "engine/retarget/sole.hpp"

namespace vertebra::control {

using retarget::smoothStep;

namespace {

double lengthOf(const PlayedClip& p) { return std::min(p.to, p.clip->duration()) - p.from; }

double weightAt(double time, const PlayedClip& p) { return p.blend > 0 ? smoothStep((time - p.begin) / p.blend) : time >= p.begin; }
// Derivative of smoothStep.
double stepRate(double u) { return u > 0 && u < 1 ? 30 * u * u * (1 - u) * (1 - u) : 0; }
double rateAt(double time, const PlayedClip& p) {
  const double u = p.blend > 0 ? (time - p.begin) / p.blend : 1;
  return p.blend > 0 ? stepRate(u) / p.blend : 0;
}

}  // namespace

Animation::Animation(std::shared_ptr<const figure::FigureModel> model, const AnimationSettings& settings)
    : model_(model),
      settings_(settings),
      gains_(driveGains(model, settings.omega, settings.ratio)),
      limit_(shareOfEfforts(*model, settings.strength)),
      workspace_(model) {
  const std::size_t nq = static_cast<std::size_t>(model->nq()), nv = static_cast<std::size_t>(model->nv());
  if (settings_.share.empty()) settings_.share.assign(nv, 1);
  for (Sample* p : {&base_, &pose_, &other_, &seam_, &held_}) {
    p->q.resize(nq);
    p->v.resize(nv);
    p->a.resize(nv);
    figure::neutral(model->coordinates, p->q.data());
  }
  difference_.resize(nv);
  wanted_.resize(model->links.size());
}

void Animation::play(const PlayedClip& clip, double now) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < clips_.size(); i++)
    if (now >= clips_[i].played.begin + clips_[i].played.blend) first = i;
  clips_.erase(clips_.begin(), clips_.begin() + static_cast<std::ptrdiff_t>(first));
  Entry entry;
  entry.played = clip;
  clips_.push_back(entry);
}

void Animation::mix(double w, double rate, const Sample& other, Sample& into) {
  const figure::Coordinates& c = model_->coordinates;
  figure::difference(c, into.q.data(), other.q.data(), difference_.data());
  for (std::size_t i = 0; i < difference_.size(); i++) {
    into.v[i] += w * (other.v[i] - into.v[i]) + rate * difference_[i];
    into.a[i] += w * (other.a[i] - into.a[i]);
  }
  figure::integrate(c, into.q.data(), difference_.data(), w, into.q.data());
}

void Animation::sampleAt(const PlayedClip& played, const Place& place, double t, Sample& out) {
  const double length = lengthOf(played), speed = played.speed;
  played.clip->at(played.from + std::clamp(t, 0.0, length), out.q.data(), out.v.data(), out.a.data());
  const double moves = t >= 0 && t <= length ? 1 : 0;
  for (double& x : out.v) x *= moves * speed;
  for (double& x : out.a) x *= moves * speed * speed;
  if (model_->coordinates.floatingBase) movePlace(place, out.q.data(), out.v.data(), out.a.data());
}

// A repetition is as long as the part less the seam, in which the one before it still runs.
void Animation::sample(Entry& entry, double time, Sample& out) {
  const PlayedClip& p = entry.played;
  const double t = (time - p.begin) * p.speed, period = lengthOf(p) - p.seam;
  if (p.repeat == Repeat::No || !(period > 0) || t < period) {
    sampleAt(p, p.place, t, out);
    return;
  }
  const double index = std::floor(t / period), u = std::clamp(t - index * period, 0.0, period);
  if (index != entry.index) {
    entry.index = index;
    entry.last = entry.step.repeated(index - 1).then(p.place);
    entry.round = entry.step.then(entry.last);
  }
  sampleAt(p, entry.round, u, out);
  if (u >= p.seam) return;
  sampleAt(p, entry.last, u + period, seam_);
  const double x = u / p.seam;
  std::swap(out, seam_);
  mix(smoothStep(x), stepRate(x) / p.seam * p.speed, seam_, out);
}

// Its place, where that depends on what runs before it, and the way of a repetition.
void Animation::begin(Entry& entry, std::size_t index) {
  PlayedClip& p = entry.played;
  entry.begun = true;
  if (!model_->coordinates.floatingBase) return;
  if (p.repeat == Repeat::Travel) {
    const double middle = p.seam / 2, period = lengthOf(p) - p.seam;
    sampleAt(p, {}, middle, other_);
    sampleAt(p, {}, middle + period, seam_);
    entry.step = placeBetween(other_.q.data(), seam_.q.data());
  }
  if (!p.joins) return;
  const double middle = p.begin + p.blend / 2;
  poseAt(middle, index);
  sampleAt(p, {}, (middle - p.begin) * p.speed, other_);
  p.place = placeBetween(other_.q.data(), pose_.q.data());
}

void Animation::poseAt(double time, std::size_t count) {
  pose_ = base_;
  std::size_t first = 0;
  for (std::size_t i = 0; i < count; i++)
    if (clips_[i].begun && weightAt(time, clips_[i].played) >= 1) first = i;
  for (std::size_t i = first; i < count; i++) {
    const PlayedClip& p = clips_[i].played;
    if (!clips_[i].begun) continue;
    sample(clips_[i], time, other_);
    mix(weightAt(time, p), rateAt(time, p), other_, pose_);
  }
}

// How far the links are from the pose of the last step, seen from the root, and how hard others hit them.
void Animation::watch(const Moment& now) {
  error_ = impact_ = 0;
  if (settings_.largestError < kInf && started_) {
    const auto root = static_cast<std::size_t>(model_->skeleton->root);
    const Pose* poses = workspace_.poses(pose_.q.data());
    const Pose wantedRoot = poses[root].inverse();
    for (std::size_t l = 0; l < wanted_.size(); l++) wanted_[l] = wantedRoot * poses[l];
    poses = workspace_.poses(now.q.data());
    const Pose is = poses[root].inverse();
    for (std::size_t l = 0; l < wanted_.size(); l++) error_ += (wanted_[l].p - (is * poses[l]).p).norm();
    error_ /= static_cast<double>(wanted_.size());
  }
  if (!(settings_.largestImpact < kInf)) return;
  if (bodies_.empty()) {
    for (int body : now.figure.bodies())
      if (body >= 0) bodies_.push_back(body);
    std::sort(bodies_.begin(), bodies_.end());
  }
  const auto own = [&](int body) { return std::binary_search(bodies_.begin(), bodies_.end(), body); };
  for (const Contact& c : now.world.contacts())
    if (c.bodyA >= 0 && c.bodyB >= 0 && own(c.bodyA) != own(c.bodyB)) impact_ += c.force.norm();
}

// Of the drives' stiffness.
double Animation::share(const Moment& now) {
  const bool hit = impact_ > settings_.largestImpact, far = error_ > settings_.largestError;
  if (hit || (far && state_ == State::Follows)) {
    state_ = State::LetGo;
    since_ = now.time;
  } else if (state_ == State::LetGo && now.time - since_ >= settings_.rest) {
    state_ = State::Resumes;
    since_ = now.time;
    held_.q = now.q;
  } else if (state_ == State::Resumes && now.time - since_ >= settings_.resume) {
    state_ = State::Follows;
  }
  if (state_ == State::Follows) return 1;
  if (state_ == State::LetGo) return settings_.limp;
  return settings_.limp + (1 - settings_.limp) * smoothStep((now.time + now.step - since_) / settings_.resume);
}

void Animation::drive(Command& command, double share) {
  for (const figure::CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.v < 0) continue;
    for (int k = 0; k < dynamics::jointNv(part.type); k++) {
      const std::size_t i = static_cast<std::size_t>(part.v + k);
      const double s = share * settings_.share[i];
      command.drive(i, s * gains_.stiffness[i], std::sqrt(s) * gains_.damping[i], limit_[i]);
    }
  }
}

Failure Animation::apply(const Moment& now, Command& command) {
  watch(now);
  const double strength = share(now), time = now.time + now.step;
  base_.q = command.q;
  base_.v = command.v;
  base_.a = command.a;
  for (std::size_t i = 0; i < clips_.size(); i++)
    if (!clips_[i].begun && time >= clips_[i].played.begin) begin(clips_[i], i);
  poseAt(time, clips_.size());
  if (state_ == State::Resumes) {
    const double u = std::clamp((time - since_) / settings_.resume, 0.0, 1.0);
    other_ = pose_;
    pose_.q = held_.q;
    std::fill(pose_.v.begin(), pose_.v.end(), 0.0);
    std::fill(pose_.a.begin(), pose_.a.end(), 0.0);
    mix(smoothStep(u), stepRate(u) / settings_.resume, other_, pose_);
  }
  started_ = true;
  command.q = pose_.q;
  command.v = pose_.v;
  command.a = pose_.a;
  drive(command, strength);
  command.strength = std::min(command.strength, strength);
  return {};
}

void Animation::exchange(ControllerState& state) {
  std::size_t count = clips_.size();
  state.whole(count);
  if (state.reads() && count != clips_.size()) return state.fail();
  state.whole(state_);
  state.whole(started_);
  for (double* x : {&since_, &error_, &impact_}) state.number(*x);
  state.numbers(pose_.q);
  state.numbers(held_.q);
  for (Entry& e : clips_) {
    state.whole(e.begun);
    state.number(e.index);
    for (Place* place : {&e.played.place, &e.step, &e.round, &e.last}) {
      state.number(place->heading);
      state.vector(place->shift);
    }
  }
}

}  // namespace vertebra::control
