// See kinematics.hpp.
#include "engine/retarget/kinematics.hpp"

#include <algorithm>

namespace vertebra::retarget {

using figure::FigureModel;

Kinematics::Kinematics(std::shared_ptr<const FigureModel> model) : model_(std::move(model)) {
  const FigureModel& m = *model_;
  states_.resize(m.bodies.size());
  std::size_t numbers = 0;
  for (const dynamics::LinkModel& body : m.bodies) numbers += dynamics::columnNumbers(body);
  columns_.resize(numbers);
  dynamics::attachColumns(m.bodies.data(), states_.data(), states_.size(), columns_.data());
  tree_.model = m.bodies.data();
  tree_.state = states_.data();
  tree_.count = static_cast<int>(m.bodies.size());
  q_.resize(static_cast<std::size_t>(m.coordinates.treeNq));
  whole_.reserve(static_cast<std::size_t>(m.nq()));
  path_.reserve(m.bodies.size());
  moving_.resize(m.bodies.size());
  axes_.resize(m.bodies.size());
  own_.resize(m.bodies.size());
  for (std::size_t b = 0; b < m.bodies.size(); b++) {
    const dynamics::LinkModel& body = m.bodies[b];
    for (int k = 0; k < body.nv; k++) {
      const std::size_t at = static_cast<std::size_t>(body.vOffset + k);
      if (m.coordinates.column[at] >= 0) axes_[b].push_back({m.coordinates.column[at], m.coordinates.factor[at], &states_[b].S[k]});
    }
    own_[b] = axes_[b].size();
    if (body.parent >= 0) {
      const std::vector<Axis>& above = axes_[static_cast<std::size_t>(body.parent)];
      axes_[b].insert(axes_[b].end(), above.begin(), above.end());
    }
    for (const Axis& c : axes_[b]) moving_[b].push_back(c.column);
    std::sort(moving_[b].begin(), moving_[b].end());
    moving_[b].erase(std::unique(moving_[b].begin(), moving_[b].end()), moving_[b].end());
  }
}

void Kinematics::take(const double* q) {
  const FigureModel& m = *model_;
  figure::treeCoordinates(m.coordinates, q, q_.data());
  if (m.coordinates.floatingBase) {
    origin_ = Vec3(q_[0], q_[1], q_[2]);
    const Quat r(q_[6], q_[3], q_[4], q_[5]);
    const Pose inertial = Pose{Vec3::Zero(), r} * m.links[static_cast<std::size_t>(m.bodyLink[0])].pose.inverse();
    for (int k = 0; k < 3; k++) q_[static_cast<std::size_t>(k)] = inertial.p[k];
    for (int k = 0; k < 4; k++) q_[static_cast<std::size_t>(3 + k)] = inertial.q.coeffs()[k];
  }
}

void Kinematics::update(const double* q) {
  if (std::equal(whole_.begin(), whole_.end(), q) && !whole_.empty()) return;
  whole_.assign(q, q + model_->nq());
  take(q);
  dynamics::updatePoses(tree_, q_.data());
  dynamics::updateSubspaces(tree_);
}

void Kinematics::updatePath(const double* q, int body) {
  whole_.clear();
  take(q);
  path_.clear();
  for (int b = body; b >= 0; b = model_->bodies[static_cast<std::size_t>(b)].parent) path_.push_back(b);
  std::reverse(path_.begin(), path_.end());
  dynamics::updatePath(tree_, q_.data(), path_);
}

Vec3 Kinematics::position(const Anchor& a) const {
  if (a.body < 0) return a.point;
  const dynamics::LinkState& s = states_[static_cast<std::size_t>(a.body)];
  return origin_ + s.c + s.R * a.point;
}

Pose Kinematics::linkPose(int link) const {
  const figure::LinkPlace& place = model_->links[static_cast<std::size_t>(link)];
  if (place.body < 0) return place.pose;
  const dynamics::LinkState& s = states_[static_cast<std::size_t>(place.body)];
  return Pose{origin_ + s.c, s.q} * place.pose;
}

Anchor Kinematics::anchor(int link, const Vec3& inLink) const {
  const figure::LinkPlace& place = model_->links[static_cast<std::size_t>(link)];
  return {place.body, place.pose * inLink};
}

Vec3 Kinematics::centerOfMass() const {
  Vec3 moment = model_->fixedMoment;
  for (std::size_t b = 0; b < states_.size(); b++) moment += model_->bodies[b].mass * states_[b].c;
  return moment / model_->mass + origin_;
}

Vec3 Kinematics::axis(int body) const {
  const Vec6& S = states_[static_cast<std::size_t>(body)].S[0];
  const Vec3 angular = S.head<3>();
  return angular.squaredNorm() > 0 ? angular : Vec3(S.tail<3>());
}

std::span<const int> Kinematics::columns(int body) const {
  if (body < 0) return {};
  return moving_[static_cast<std::size_t>(body)];
}

std::span<const Kinematics::Axis> Kinematics::axes(int body) const {
  if (body < 0) return {};
  return axes_[static_cast<std::size_t>(body)];
}

std::span<const Kinematics::Axis> Kinematics::ownAxes(int body) const {
  return body < 0 ? std::span<const Axis>() : axes(body).first(own_[static_cast<std::size_t>(body)]);
}

void Kinematics::addAlong(const Anchor& a, const Vec3& direction, double weight, double* row) const {
  if (a.body < 0) return;
  const Vec3 moment = cross(fromOrigin(a), direction);
  for (const Axis& c : axes_[static_cast<std::size_t>(a.body)])
    row[c.column] += weight * c.factor * (c.S->head<3>().dot(moment) + c.S->tail<3>().dot(direction));
}

void Kinematics::addLinear(const Anchor& a, double weight, double* J) const {
  if (a.body < 0) return;
  const std::size_t n = static_cast<std::size_t>(model_->nv());
  const Vec3 x = fromOrigin(a);
  for (const Axis& c : axes_[static_cast<std::size_t>(a.body)]) {
    const Vec3 linear = Vec3(c.S->tail<3>()) + cross(Vec3(c.S->head<3>()), x);
    for (int r = 0; r < 3; r++) J[static_cast<std::size_t>(r) * n + static_cast<std::size_t>(c.column)] += weight * c.factor * linear[r];
  }
}

void Kinematics::addAngular(int body, double weight, double* J) const {
  if (body < 0) return;
  const std::size_t n = static_cast<std::size_t>(model_->nv());
  for (const Axis& c : axes_[static_cast<std::size_t>(body)])
    for (int r = 0; r < 3; r++) J[static_cast<std::size_t>(r) * n + static_cast<std::size_t>(c.column)] += weight * c.factor * (*c.S)[r];
}

}  // namespace vertebra::retarget
