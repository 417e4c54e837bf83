// See goal_squares.hpp.
#include "engine/retarget/goal_squares.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::retarget {

namespace {

// To the lower part of a symmetric matrix: what two columns, which may be the same one, have in common.
inline void addBetween(StepSystem& system, int a, int b, double value) {
  const std::size_t i = static_cast<std::size_t>(std::max(a, b)), k = static_cast<std::size_t>(std::min(a, b));
  system.H[i * system.g.size() + k] += i == k ? 2 * value : value;
}

Vec3 turned(const Vec6& inertia, const Vec3& w) {
  return {inertia[0] * w.x() + inertia[3] * w.y() + inertia[5] * w.z(), inertia[3] * w.x() + inertia[1] * w.y() + inertia[4] * w.z(),
          inertia[5] * w.x() + inertia[4] * w.y() + inertia[2] * w.z()};
}

}  // namespace

GoalSquares::GoalSquares(const Kinematics& kinematics) : kinematics_(kinematics) {
  const std::vector<dynamics::LinkModel>& bodies = kinematics.model().bodies;
  sums_.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); b++) {
    int above = bodies[b].parent < 0 ? -1 : last_[static_cast<std::size_t>(bodies[b].parent)];
    own_.push_back(static_cast<int>(axes_.size()));
    for (const Kinematics::Axis& source : kinematics.ownAxes(static_cast<int>(b))) {
      Axis axis;
      axis.above = above;
      axis.column = source.column;
      axis.source = source;
      above = static_cast<int>(axes_.size());
      axes_.push_back(axis);
    }
    last_.push_back(above);
  }
  own_.push_back(static_cast<int>(axes_.size()));
}

void GoalSquares::clear(const Anchor& reference) {
  reference_ = reference;
  for (Sum& s : sums_)
    if (s.any) s = {};
  relativeForce_.setZero();
  relativeMass_ = squares_ = 0;
}

void GoalSquares::Sum::add(const Sum& other) {
  mass += other.mass;
  relative += other.relative;
  first += other.first;
  relativeFirst += other.relativeFirst;
  second += other.second;
  force += other.force;
  torque += other.torque;
  any = true;
}

GoalSquares::Sum& GoalSquares::add(const Anchor& a, const Vec3& error, double weight) {
  Sum& s = sums_[static_cast<std::size_t>(a.body)];
  const double w2 = weight * weight;
  const Vec3 x = kinematics_.fromOrigin(a), moment = w2 * x, force = w2 * error, squares = moment.cwiseProduct(x);
  s.any = true;
  s.mass += w2;
  s.first += moment;
  s.second.head<3>() += Vec3::Constant(squares.sum()) - squares;
  s.second.tail<3>() -= Vec3(moment.x() * x.y(), moment.y() * x.z(), moment.z() * x.x());
  s.force += force;
  s.torque += cross(x, force);
  return s;
}

void GoalSquares::place(const Anchor& a, const Vec3& error, double weight) {
  squares_ += weight * weight * error.squaredNorm();
  if (a.body >= 0) add(a, error, weight);
}

void GoalSquares::relative(const Anchor& a, const Vec3& error, double weight) {
  place(a, error, weight);
  const double w2 = weight * weight;
  relativeMass_ += w2;
  relativeForce_ += w2 * error;
  if (a.body < 0) return;
  Sum& s = sums_[static_cast<std::size_t>(a.body)];
  s.relative += w2;
  s.relativeFirst += w2 * kinematics_.fromOrigin(a);
}

void GoalSquares::turn(int body, const Vec3& error, double weight) {
  const double w2 = weight * weight;
  squares_ += w2 * error.squaredNorm();
  if (body < 0) return;
  Sum& s = sums_[static_cast<std::size_t>(body)];
  s.any = true;
  s.second.head<3>().array() += w2;
  s.torque += w2 * error;
}

// Of (Ja - Jr)'(Ja - Jr) and (Ja - Jr)'error: Jr'Jr and -Jr'error.
void GoalSquares::addReference() {
  if (reference_.body < 0 || !(relativeMass_ > 0)) return;
  Sum& s = add(reference_, Vec3::Zero(), std::sqrt(relativeMass_));
  s.force -= relativeForce_;
  s.torque -= cross(kinematics_.fromOrigin(reference_), relativeForce_);
}

// -(Ja'Jr + Jr'Ja), with the sums of all that each body carries.
void GoalSquares::addCross(StepSystem& system) {
  if (reference_.body < 0 || !(relativeMass_ > 0)) return;
  const Vec3 x = kinematics_.fromOrigin(reference_);
  reached_.clear();
  for (int k = last_[static_cast<std::size_t>(reference_.body)]; k >= 0; k = axes_[static_cast<std::size_t>(k)].above) {
    const Axis& axis = axes_[static_cast<std::size_t>(k)];
    reached_.push_back({axis.column, Vec3(axis.S.tail<3>()) + cross(Vec3(axis.S.head<3>()), x)});
  }
  for (std::size_t b = 0; b < sums_.size(); b++) {
    const Sum& s = sums_[b];
    if (!(s.relative > 0)) continue;
    for (int k = own_[b]; k < own_[b + 1]; k++) {
      const Axis& axis = axes_[static_cast<std::size_t>(k)];
      const Vec3 moved = s.relative * Vec3(axis.S.tail<3>()) + cross(Vec3(axis.S.head<3>()), s.relativeFirst);
      for (const auto& [column, velocity] : reached_) addBetween(system, axis.column, column, -moved.dot(velocity));
    }
  }
}

double GoalSquares::addTo(StepSystem& system) {
  for (Axis& a : axes_) a.S = a.source.factor * *a.source.S;
  addReference();
  const std::size_t n = system.g.size();
  for (std::size_t b = sums_.size(); b-- > 0;) {
    const Sum& s = sums_[b];
    if (!s.any) continue;
    for (int k = own_[b]; k < own_[b + 1]; k++) {
      const Axis& axis = axes_[static_cast<std::size_t>(k)];
      const Vec3 angular = axis.S.head<3>(), linear = axis.S.tail<3>();
      Vec6 wrench;
      wrench << turned(s.second, angular) + cross(s.first, linear), s.mass * linear + cross(angular, s.first);
      const std::size_t c = static_cast<std::size_t>(axis.column);
      system.g[c] += angular.dot(s.torque) + linear.dot(s.force);
      system.H[c * n + c] += axis.S.dot(wrench);
      for (int other = axis.above; other >= 0;) {
        const Axis& o = axes_[static_cast<std::size_t>(other)];
        addBetween(system, axis.column, o.column, o.S.dot(wrench));
        other = o.above;
      }
    }
    if (const int parent = kinematics_.model().bodies[b].parent; parent >= 0) sums_[static_cast<std::size_t>(parent)].add(s);
  }
  addCross(system);
  return 0.5 * squares_;
}

}  // namespace vertebra::retarget
