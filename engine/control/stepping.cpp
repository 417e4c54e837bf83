// See stepping.hpp.
#include "engine/control/stepping.hpp"

#include <algorithm>
#include <cmath>

#include "engine/control/support.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::control {

namespace {

constexpr double kTouching = 1.5e-3;  // m: height to which a foot touches
constexpr double kEarly = 0.15;       // s: by which a foot may come down before the course has it stand
constexpr double kBearing = 5e-3;     // m: height to which soles of a foot that stands bear
constexpr double kKneels = 0.02;      // m: height to which another body of a leg stands
constexpr double kInStance = 0.75;    // of the way from the middle of a foot to its soles where forces may act
constexpr double kSpared = 0.7;       // share of that which is counted on until touch-down
constexpr double kFollow = 0.05;      // s: in which offsets follow feet that stand, and the course these
constexpr double kFixed = 0.06;       // s before touch-down in which the landing stays
constexpr double kLeast = 0.03;       // s in which a landing may be reached
constexpr double kHere = 0.8;         // of the way from the course's root to the figure's: where a swinging leg starts
constexpr double kReached = 0.02;     // m, rad: what a leg may miss
constexpr int kBrief = 2;             // frames: briefer stands and gaps are none

}  // namespace

Stepping::Stepping(std::shared_ptr<const Course> course, const SteppingSettings& settings)
    : course_(std::move(course)), settings_(settings), solver_(course_->sharedModel()), workspace_(course_->sharedModel()) {
  const std::size_t nq = static_cast<std::size_t>(course_->model().nq()), nv = static_cast<std::size_t>(course_->model().nv());
  for (std::vector<double>* x : {&qLegs_, &qEnd_, &qRoot_}) x->resize(nq);
  for (std::vector<double>* x : {&vLegs_, &vRoot_, &difference_, &tau_}) x->resize(nv);
  if (course_->model().coordinates.floatingBase) findLegs();
}

// Bodies that stand belong to one leg if they hang at one child of the root; the one that stands longest is its foot.
void Stepping::findLegs() {
  const figure::FigureModel& m = course_->model();
  std::vector<int> longest;
  for (std::size_t f = 0; f < course_->feet().size(); f++) {
    int top = course_->feet()[f];
    while (top > 0 && m.bodies[static_cast<std::size_t>(top)].parent > 0) top = m.bodies[static_cast<std::size_t>(top)].parent;
    auto leg = std::find_if(legs_.begin(), legs_.end(), [&](const Leg& l) { return l.top == top; });
    if (leg == legs_.end()) {
      leg = legs_.insert(legs_.end(), Leg());
      leg->top = top;
      longest.push_back(-1);
    }
    int frames = 0;
    for (int i = 0; i < course_->frames(); i++) frames += course_->stands(f, i * course_->frameTime()) ? 1 : 0;
    int& most = longest[static_cast<std::size_t>(leg - legs_.begin())];
    if (frames < most) continue;
    most = frames;
    leg->foot = course_->feet()[f];
    leg->atFoot = f;
  }
  if (legs_.size() != 2 || legs_[0].top <= 0 || legs_[1].top <= 0) {
    legs_.clear();
    return;
  }
  for (Leg& leg : legs_) {
    for (std::size_t s = 0; s < course_->soles().size(); s++) {
      int top = course_->soles()[s].at.body;
      if (top == leg.foot) leg.soles.push_back(s);
      const bool foot = top == leg.foot;
      while (top > leg.top) top = m.bodies[static_cast<std::size_t>(top)].parent;
      if (top == leg.top && !foot) leg.upper.push_back(s);
    }
    for (int c : solver_.kinematics().columns(leg.foot))
      if (c >= 6) leg.vs.push_back(c);
    for (const figure::CoordinatePart& part : m.coordinates.parts) {
      if (part.joint < 0 || part.v < 0 || std::find(leg.vs.begin(), leg.vs.end(), part.v) == leg.vs.end()) continue;
      for (int k = 0; k < dynamics::jointNq(part.type); k++) leg.qs.push_back(part.q + k);
    }
    findStances(leg);
  }
}

void Stepping::findStances(Leg& leg) {
  const int n = course_->frames();
  const auto stands = [&](int i) { return course_->stands(leg.atFoot, i * course_->frameTime()); };
  std::vector<bool> on(static_cast<std::size_t>(n));
  for (int i = 0; i < n; i++) on[static_cast<std::size_t>(i)] = stands(i);
  for (const bool what : {false, true})
    for (int i = 0, end = 0; i < n; i = end) {
      while (end < n && on[static_cast<std::size_t>(end)] == on[static_cast<std::size_t>(i)]) end++;
      if (on[static_cast<std::size_t>(i)] == what && end - i <= kBrief && i > 0 && end < n)
        std::fill(on.begin() + i, on.begin() + end, !what);
    }
  const figure::FigureModel& m = course_->model();
  retarget::Kinematics& k = solver_.kinematics();
  const int other = legs_[&leg == &legs_[0] ? 1 : 0].top;
  for (int i = 0, end = 0; i < n; i = end) {
    while (end < n && on[static_cast<std::size_t>(end)] == on[static_cast<std::size_t>(i)]) end++;
    if (!on[static_cast<std::size_t>(i)]) continue;
    Stance stance;
    stance.from = (i - 0.5) * course_->frameTime();
    stance.to = (end - 0.5) * course_->frameTime();
    course_->at(i * course_->frameTime(), qRoot_.data(), nullptr, nullptr);
    k.update(qRoot_.data());
    stance.place = k.bodyPosition(leg.foot).head<2>();
    const auto hip = [&](int top) { return k.linkPose(m.bodyLink[static_cast<std::size_t>(top)]).p; };
    stance.side = (hip(leg.top) - hip(other)).head<2>();
    hips_ = std::max(hips_, stance.side.norm());
    if (stance.side.norm() > 0) stance.side.normalize();
    leg.stances.push_back(stance);
  }
}

void Stepping::start(double t) {
  shift_ = shiftRate_ = Vec2::Zero();
  for (Leg& leg : legs_) {
    leg.offset = leg.rate = leg.goal = Vec2::Zero();
    leg.early = false;
    leg.down = std::any_of(leg.stances.begin(), leg.stances.end(), [&](const Stance& s) { return s.from <= t && t < s.to; });
  }
  stance_ = able() && !legs_[0].down ? 1 : 0;
}

void Stepping::read(double t, const retarget::Kinematics& k) {
  const auto height = [&](std::size_t s) { return k.position(course_->soles()[s].at).z() - course_->soles()[s].radius; };
  support_.clear();
  for (Leg& leg : legs_) {
    leg.next = leg.last = nullptr;
    leg.due = false;
    for (const Stance& s : leg.stances) {
      if (s.from <= t) leg.last = &s;
      if (s.from > t && !leg.next) leg.next = &s;
      leg.due = leg.due || (s.from <= t && t < s.to);
    }
    leg.here = k.bodyPosition(leg.foot).head<2>();
    double low = kInf;
    for (std::size_t s : leg.soles) low = std::min(low, height(s));
    const bool before = leg.down, nears = !leg.due && leg.next && leg.last && leg.next->from - t < std::min(kEarly, t - leg.last->to);
    leg.early = nears && (leg.early || low < kTouching);
    leg.down = leg.early || (leg.due && (before || low < kTouching));
    if (leg.down && !before) stance_ = static_cast<std::size_t>(&leg - legs_.data());
    leg.kneels = std::any_of(leg.upper.begin(), leg.upper.end(), [&](std::size_t s) {
      const auto foot = std::find(course_->feet().begin(), course_->feet().end(), course_->soles()[s].at.body);
      return height(s) < kKneels && course_->stands(static_cast<std::size_t>(foot - course_->feet().begin()), t);
    });
    if (!leg.down) continue;
    Vec2 middle = Vec2::Zero();
    const std::size_t first = support_.size();
    for (std::size_t s : leg.soles)
      if (height(s) < kBearing) {
        support_.push_back(k.position(course_->soles()[s].at).head<2>());
        middle += support_.back();
      }
    for (std::size_t p = first; p < support_.size(); p++)
      support_[p] = kInStance * support_[p] + (1 - kInStance) / static_cast<double>(support_.size() - first) * middle;
  }
  if (!legs_[stance_].down && legs_[1 - stance_].down) stance_ = 1 - stance_;
}

bool Stepping::leads(int body) const {
  return std::any_of(legs_.begin(), legs_.end(), [&](const Leg& leg) { return leg.foot == body; });
}

bool Stepping::stands(int body) const {
  return std::any_of(legs_.begin(), legs_.end(), [&](const Leg& leg) { return leg.foot == body && (leg.due || leg.early); });
}

Stepping::Vec2 Stepping::offset(int foot) const {
  for (const Leg& leg : legs_)
    if (leg.foot == foot) return leg.offset;
  return Vec2::Zero();
}

double Stepping::stiffness(std::size_t velocity) const {
  for (const Leg& leg : legs_)
    if (leg.down && !leg.kneels && std::find(leg.vs.begin(), leg.vs.end(), static_cast<int>(velocity)) != leg.vs.end())
      return settings_.stiffness;
  return 1;
}

// A foot that stands is where it is, and the course goes on from the one that came down last.
void Stepping::followFeet(double h, const double* course) {
  const double part = std::min(1.0, h / kFollow);
  retarget::Kinematics& k = solver_.kinematics();
  k.update(course);
  for (Leg& leg : legs_) {
    if (!leg.down) continue;
    leg.rate = Vec2::Zero();
    leg.offset += part * (leg.here - k.bodyPosition(leg.foot).head<2>() - leg.offset);
    leg.goal = leg.offset;
  }
  const Vec2 step = part * (legs_[stance_].offset - shift_);
  shift_ += step;
  shiftRate_ = step / h;
}

// Of the centre of mass, with the joints' own accelerations and the root's.
Vec3 Stepping::centreAcceleration(const double* q, const double* v, const double* a) {
  workspace_.inverse(q, v, a, Vec3::Zero(), tau_.data());
  return Vec3(tau_[0], tau_[1], tau_[2]) / course_->model().mass;
}

void Stepping::balance(double t, double h, double gravity, const double* q, const double* v, const double* course, const double* courseV,
                       double* a) {
  followFeet(h, course);
  Vec3 courseCentre, courseVelocity;
  if (!workspace_.centerOfMass(course, courseV, courseCentre, &courseVelocity)) return;
  workspace_.centerOfMass(q, v, centre_, &velocity_);
  const Vec3 wanted = wantedAcceleration(gravity, courseCentre, courseVelocity, centreAcceleration(course, courseV, a));
  for (std::size_t l = 0; l < legs_.size(); l++)
    if (!legs_[l].down) moveLanding(legs_[l], legs_[1 - l], t, h);
  figure::difference(course_->model().coordinates, q, course, difference_.data());
  for (std::size_t i = 3; i < 6; i++) a[i] += settings_.turn * settings_.turn * difference_[i] + 2 * settings_.turn * (courseV[i] - v[i]);
  for (int i = 0; i < 3; i++) a[i] = 0;
  const Vec3 own = centreAcceleration(q, v, a);
  for (int i = 0; i < 3; i++) a[i] = wanted[i] - own[i];
}

// By the linear inverted pendulum over the course's centre of pressure and the deviation from it.
Vec3 Stepping::wantedAcceleration(double gravity, const Vec3& courseCentre, const Vec3& courseVelocity, const Vec3& courseAcceleration) {
  height_ = std::max(courseCentre.z(), 1e-3);
  omega_ = std::sqrt(gravity / height_);
  const Vec2 e = (centre_ - courseCentre).head<2>() - shift_, rate = (velocity_ - courseVelocity).head<2>();
  deviation_ = e + rate / omega_;
  const double square = std::max((gravity + courseAcceleration.z()) / height_, 1.0);
  pressure_ = shift_ + (courseCentre - courseAcceleration / square).head<2>();
  Vec2 p = pressure_ + (1 + settings_.gain) * deviation_;
  if (!support_.empty()) {
    const Vec2 inside = nearestInHull(p, support_), beyond = p - inside;
    const double most = std::max(settings_.beyond, (nearestInHull(pressure_, support_) - pressure_).norm());
    if (const double far = beyond.norm(); far > most) p = inside + beyond * (most / far);
  }
  Vec3 out = courseAcceleration;
  out.head<2>() += omega_ * omega_ * (e - (p - pressure_));
  out.z() +=
      settings_.height * settings_.height * (courseCentre.z() - centre_.z()) + 2 * settings_.height * (courseVelocity.z() - velocity_.z());
  return out;
}

// The deviation d of the divergent component grows as (d - p) e^(omega t) + p with p, by which the centre of pressure is moved. What no p
// within the soles brings to zero until touch-down moves the landing.
void Stepping::moveLanding(Leg& leg, const Leg& other, double t, double h) {
  const double left = leg.next ? leg.next->from - t : kInf;
  if (left < kInf && left > kFixed && other.down) {
    const double grow = std::exp(omega_ * left);
    Vec2 p = deviation_ * grow / (grow - 1);
    if (!support_.empty()) {
      Vec2 middle = Vec2::Zero();
      for (const Vec2& s : support_) middle += s / static_cast<double>(support_.size());
      inner_.assign(1, pressure_);
      for (const Vec2& s : support_) inner_.push_back(kSpared * s + (1 - kSpared) * middle);
      p = nearestInHull(pressure_ + p, inner_) - pressure_;
    }
    Vec2 rest = (deviation_ - p) * grow + p;
    if (const double far = rest.norm(); far > settings_.reach * height_) rest *= settings_.reach * height_ / far;
    leg.goal = shift_ + rest;
    const Vec2& side = leg.next->side;
    const double beside = side.dot(leg.next->place + leg.goal - other.here);
    double least = settings_.apart * hips_;
    if (other.last) least = std::min(least, side.dot(leg.next->place - other.last->place));
    if (beside < least) leg.goal += (least - beside) * side;
  }
  // A cubic that ends there at rest.
  const double rest = std::max(left, kLeast);
  const Vec2 a = left < kInf ? Vec2(6 * (leg.goal - leg.offset) / (rest * rest) - 4 * leg.rate / rest) : Vec2(-leg.rate / h);
  leg.offset += h * leg.rate + 0.5 * h * h * a;
  leg.rate += h * a;
}

void Stepping::move(double h, const double* q, const double* v, double* course, double* courseV) {
  const figure::Coordinates& c = course_->model().coordinates;
  figure::integrate(c, q, v, h, qEnd_.data());
  std::copy(course, course + qLegs_.size(), qLegs_.begin());
  std::copy(courseV, courseV + vLegs_.size(), vLegs_.begin());
  for (const Leg& leg : legs_) {
    if (leg.kneels) continue;
    Vec6 twist = solver_.twist(leg.foot, course, courseV);
    Vec3 place = solver_.kinematics().bodyPosition(leg.foot);
    const Mat3 turn = solver_.kinematics().bodyRotation(leg.foot);
    place.head<2>() += leg.offset;
    twist.head<2>() += leg.rate;
    if (!solveLeg(leg, place, turn, twist, v, course, courseV)) continue;
    for (int i : leg.qs) qLegs_[static_cast<std::size_t>(i)] = qRoot_[static_cast<std::size_t>(i)];
    for (int i : leg.vs) vLegs_[static_cast<std::size_t>(i)] = vRoot_[static_cast<std::size_t>(i)];
  }
  std::copy(qLegs_.begin(), qLegs_.end(), course);
  std::copy(vLegs_.begin(), vLegs_.end(), courseV);
  for (int i = 0; i < 2; i++) {
    course[i] += shift_[i];
    courseV[i] += shiftRate_[i];
  }
}

// From where the root is, so that a foot lands where it should though the figure leans. A leg that stands carries the root as the course
// has it; along the ground its place is the centre of pressure's concern.
bool Stepping::solveLeg(const Leg& leg, const Vec3& place, const Mat3& turn, const Vec6& twist, const double* v, const double* course,
                        const double* courseV) {
  const figure::Coordinates& c = course_->model().coordinates;
  std::copy(course, course + qRoot_.size(), qRoot_.begin());
  std::copy(courseV, courseV + vRoot_.size(), vRoot_.begin());
  for (int i = 0; i < 2; i++) {
    qRoot_[static_cast<std::size_t>(i)] += shift_[i];
    vRoot_[static_cast<std::size_t>(i)] += shiftRate_[i];
  }
  figure::difference(c, qRoot_.data(), qEnd_.data(), difference_.data());
  std::fill(difference_.begin() + 6, difference_.end(), 0.0);
  for (std::size_t i = 0; i < 6; i++) {
    const double part = !leg.down ? kHere : i < 2 ? 1 : 0;
    difference_[i] *= part;
    vRoot_[i] += part * (v[i] - vRoot_[i]);
  }
  figure::integrate(c, qRoot_.data(), difference_.data(), 1, qRoot_.data());
  if (solver_.reach(leg.foot, place, turn, qRoot_.data()) > kReached) return false;
  solver_.move(leg.foot, twist, qRoot_.data(), vRoot_.data());
  return true;
}

}  // namespace vertebra::control
