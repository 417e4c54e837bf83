// See legs.hpp.
#include "engine/control/legs.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "engine/math/rotation.hpp"

namespace vertebra::control {

namespace {

constexpr int kSteps = 12;
constexpr double kDamping = 1e-3;
constexpr double kThere = 1e-7;  // m, rad
constexpr double kNear = 1e-3;   // m, rad: what is left of a pose that is reached
constexpr double kStride = 0.4;  // rad: largest step
constexpr double kBend = 0.2;    // of the way to the middle of an axis's range

}  // namespace

LegSolver::LegSolver(std::shared_ptr<const figure::FigureModel> model) : model_(model), kinematics_(model) {
  const std::size_t n = static_cast<std::size_t>(model_->nv());
  J_.resize(6 * n);
  dv_.resize(n);
  x_.reserve(n);
  columns_.reserve(n);
  first_.reserve(static_cast<std::size_t>(model_->nq()));
  for (const figure::CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.q < 0 || dynamics::jointNq(part.type) != dynamics::jointNv(part.type)) continue;
    const figure::JointDescription& joint = model_->skeleton->joints[static_cast<std::size_t>(part.joint)];
    for (int k = 0; k < dynamics::jointNv(part.type); k++) {
      const dynamics::AxisParameters& axis = joint.axes[static_cast<std::size_t>(k)];
      ranges_.push_back({part.q + k, axis.lower, axis.upper});
    }
  }
}

// Of the axes between root and body, at the pose of the kinematics.
void LegSolver::readColumns(int body) {
  const std::size_t n = static_cast<std::size_t>(model_->nv());
  std::fill(J_.begin(), J_.end(), 0.0);
  kinematics_.addLinear({body, Vec3::Zero()}, 1, J_.data());
  kinematics_.addAngular(body, 1, J_.data() + 3 * n);
  columns_.clear();
  for (int c : kinematics_.columns(body))
    if (c >= 6) columns_.push_back(c);
  A_.resize(6, static_cast<Eigen::Index>(columns_.size()));
  for (std::size_t c = 0; c < columns_.size(); c++)
    for (std::size_t r = 0; r < 6; r++)
      A_(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = J_[r * n + static_cast<std::size_t>(columns_[c])];
}

// x = (A^T A + d)^-1 A^T e = A^T (A A^T + d)^-1 e, which needs no memory.
void LegSolver::solve(const Vec6& e) {
  Mat6 H = Mat6::Zero();
  for (Eigen::Index c = 0; c < A_.cols(); c++) H += A_.col(c) * A_.col(c).transpose();
  H.diagonal().array() += kDamping;
  const Vec6 y = H.ldlt().solve(e);
  x_.resize(columns_.size());
  for (std::size_t c = 0; c < x_.size(); c++) x_[c] = A_.col(static_cast<Eigen::Index>(c)).dot(y);
}

double LegSolver::approach(int body, const Vec3& place, const Mat3& turn, double* q) {
  for (int step = 0;; step++) {
    kinematics_.updatePath(q, body);
    Vec6 e;
    e << place - kinematics_.bodyPosition(body), quatLog(Quat(Mat3(turn * kinematics_.bodyRotation(body).transpose())));
    if (e.norm() < kThere || step == kSteps) return e.norm();
    readColumns(body);
    solve(e);
    const double size = Eigen::Map<const Eigen::VectorXd>(x_.data(), static_cast<Eigen::Index>(x_.size())).norm();
    const double share = size > kStride ? kStride / size : 1;
    std::fill(dv_.begin(), dv_.end(), 0.0);
    for (std::size_t c = 0; c < columns_.size(); c++) dv_[static_cast<std::size_t>(columns_[c])] = share * x_[c];
    figure::integrate(model_->coordinates, q, dv_.data(), 1, q);
    keepLimits(q);
  }
}

double LegSolver::reach(int body, const Vec3& place, const Mat3& turn, double* q) {
  first_.assign(q, q + model_->nq());
  const double near = approach(body, place, turn, q);
  if (near < kNear) return near;
  bend(body);
  const double after = approach(body, place, turn, first_.data());
  if (after < near) std::copy(first_.begin(), first_.end(), q);
  return std::min(near, after);
}

// A straight leg does not find out by itself which way it bends.
void LegSolver::bend(int body) {
  const std::span<const int> moving = kinematics_.columns(body);
  for (const figure::CoordinatePart& part : model_->coordinates.parts) {
    if (part.joint < 0 || part.q < 0 || dynamics::jointNv(part.type) != 1) continue;
    if (std::find(moving.begin(), moving.end(), part.v) == moving.end()) continue;
    const auto& axis = model_->skeleton->joints[static_cast<std::size_t>(part.joint)].axes[0];
    if (axis.upper - axis.lower < kInf)
      first_[static_cast<std::size_t>(part.q)] += kBend * (0.5 * (axis.lower + axis.upper) - first_[static_cast<std::size_t>(part.q)]);
  }
}

Vec6 LegSolver::twist(int body, const double* q, const double* v) {
  kinematics_.updatePath(q, body);
  readColumns(body);
  Vec6 out = Vec6::Zero();
  const std::size_t n = static_cast<std::size_t>(model_->nv());
  for (int c : kinematics_.columns(body))
    for (std::size_t r = 0; r < 6; r++) out[static_cast<Eigen::Index>(r)] += J_[r * n + static_cast<std::size_t>(c)] * v[c];
  return out;
}

void LegSolver::move(int body, const Vec6& wanted, const double* q, double* v) {
  solve(wanted - twist(body, q, v));
  for (std::size_t c = 0; c < columns_.size(); c++) v[columns_[c]] += x_[c];
}

void LegSolver::keepLimits(double* q) const {
  for (const Range& range : ranges_) q[range.q] = std::clamp(q[range.q], range.lower, range.upper);
}

}  // namespace vertebra::control
