// See feed_forward.hpp.
#include "engine/control/feed_forward.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace vertebra::control {

namespace {

constexpr double kSmall = 1e-4;     // weight of the forces' squares
constexpr double kLift = 0.7e-3;    // m: height over which a point's forces weigh e times more
constexpr double kInFoot = 0.75;    // of the way from the middle of a foot to its soles: forces nearer to the edge would tip it over
constexpr int kNewtonSteps = 30;    // of which few are taken
constexpr double kSettled = 1e-10;  // relative defect of the equation

}  // namespace

void ContactSharing::add(const Vec3& fromCentre, double friction, double reluctance) {
  for (int k = 0; k < 4; k++) {
    const Vec3 d = Vec3(k == 0 ? friction : k == 1 ? -friction : 0, k == 2 ? friction : k == 3 ? -friction : 0, 1);
    directions_.push_back(d);
    small_.push_back(kSmall * reluctance);
    columns_.push_back((Vec6() << d, fromCentre.cross(d)).finished());
  }
  arms_.push_back(fromCentre);
}

Vec6 ContactSharing::share(const Vec6& wrench, double length, std::vector<Vec3>& forces) {
  forces.assign(arms_.size(), Vec3::Zero());
  if (columns_.empty()) return wrench;
  Vec6 scale = Vec6::Ones();
  scale.tail<3>() /= length;
  for (Vec6& c : columns_) c = scale.cwiseProduct(c);
  const Vec6 wanted = scale.cwiseProduct(wrench);
  // F(y) = y + G max(0, G^T y) / small - wanted, the gradient of a convex function.
  Vec6 y = wanted;
  const auto defect = [&](const Vec6& at, Mat6* slope) {
    Vec6 f = at - wanted;
    if (slope) slope->setIdentity();
    for (std::size_t k = 0; k < columns_.size(); k++) {
      const Vec6& c = columns_[k];
      const double x = c.dot(at) / small_[k];
      if (x <= 0) continue;
      f += x * c;
      if (slope) *slope += c * c.transpose() / small_[k];
    }
    return f;
  };
  Mat6 slope;
  Vec6 f = defect(y, &slope);
  const double enough = kSettled * (1 + wanted.norm());
  for (int i = 0; i < kNewtonSteps && f.norm() > enough; i++) {
    const Vec6 step = slope.llt().solve(-f);
    double part = 1;
    for (int halvings = 0; halvings < 12; halvings++, part *= 0.5) {
      const Vec6 tried = y + part * step;
      if (defect(tried, nullptr).dot(step) <= 0.5 * std::fabs(f.dot(step))) break;  // not beyond the minimum along the step
    }
    y += part * step;
    f = defect(y, &slope);
  }
  for (std::size_t k = 0; k < columns_.size(); k++)
    if (const double x = columns_[k].dot(y) / small_[k]; x > 0) forces[k / 4] += x * directions_[k];
  Vec6 left = wrench;
  for (std::size_t p = 0; p < arms_.size(); p++) {
    left.head<3>() -= forces[p];
    left.tail<3>() -= arms_[p].cross(forces[p]);
  }
  return left;
}

FeedForward::FeedForward(std::shared_ptr<const figure::FigureModel> model, std::vector<SolePoint> soles)
    : model_(model), workspace_(model), kinematics_(model), soles_(std::move(soles)) {
  forces_.resize(soles_.size());
  for (const SolePoint& s : soles_) {
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (const SolePoint& other : soles_)
      if (other.at.body == s.at.body) sum += other.at.point, count++;
    inner_.push_back({s.at.body, kInFoot * s.at.point + (1 - kInFoot) / count * sum});
  }
  J_.resize(3 * static_cast<std::size_t>(model_->nv()));
}

Vec3 FeedForward::place(std::size_t sole) const { return kinematics_.position(inner_[sole]) - soles_[sole].radius * Vec3::UnitZ(); }

Vec6 FeedForward::compute(const double* q, const double* v, const double* a, const Vec3& gravity, const std::vector<bool>& stands,
                          double friction, double arm, double* tau) {
  const std::size_t n = static_cast<std::size_t>(model_->nv());
  workspace_.inverse(q, v, a, gravity, tau);
  workspace_.centerOfMass(centre_, &centreVelocity_);
  kinematics_.update(q);
  std::fill(forces_.begin(), forces_.end(), Vec3::Zero());
  if (!model_->coordinates.floatingBase) return Vec6::Zero();
  Vec6 needed;
  needed << tau[0], tau[1], tau[2], tau[3], tau[4], tau[5];
  const Vec3 root(q[0], q[1], q[2]), force = needed.head<3>();
  needed.tail<3>() += (root - centre_).cross(force);
  sharing_.clear();
  for (std::size_t s = 0; s < soles_.size(); s++)
    if (stands[s]) {
      const double height = kinematics_.position(soles_[s].at).z() - soles_[s].radius;
      sharing_.add(place(s) - centre_, friction, std::exp(std::max(0.0, height) / kLift));
    }
  const double length = std::max(arm * std::fabs(centre_.z()), 1e-3);
  const Vec6 left = sharing_.share(needed, length, shared_);
  std::size_t next = 0;
  for (std::size_t s = 0; s < soles_.size(); s++) {
    if (!stands[s]) continue;
    const Vec3 f = forces_[s] = shared_[next++];
    // Without a scratch matrix of zeros each time: only the columns that move the body are touched.
    retarget::Anchor at = inner_[s];
    at.point -= soles_[s].radius * (kinematics_.bodyRotation(at.body).transpose() * Vec3::UnitZ());
    for (int column : kinematics_.columns(at.body))
      for (std::size_t r = 0; r < 3; r++) J_[r * n + static_cast<std::size_t>(column)] = 0;
    kinematics_.addLinear(at, 1, J_.data());
    for (int column : kinematics_.columns(at.body)) {
      const std::size_t c = static_cast<std::size_t>(column);
      tau[c] -= J_[c] * f.x() + J_[n + c] * f.y() + J_[2 * n + c] * f.z();
    }
  }
  for (int k = 0; k < 6; k++) tau[k] = 0;
  return left;
}

}  // namespace vertebra::control
