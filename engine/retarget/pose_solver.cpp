// See pose_solver.hpp.
#include "engine/retarget/pose_solver.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace vertebra::retarget {

namespace {

constexpr double kSettled = 1e-7;  // rad or m; largest change of a step after which nothing is gained
constexpr double kLargest = 0.5;   // rad or m; of a step
constexpr double kGain = 1e-6;     // share of the cost
constexpr double kDamping = 1e-9, kStiff = 1e3;
constexpr Role kLimbRoles[] = {Role::LeftKnee, Role::LeftFoot, Role::LeftElbow, Role::LeftHand};
constexpr Role kTrunkRoles[] = {Role::LeftHip, Role::LeftShoulder};

// Rotation vector that takes R to goal, world axes.
Vec3 turnTo(const Mat3& R, const Mat3& goal) {
  const Eigen::AngleAxisd turn(Mat3(goal * R.transpose()));
  return turn.angle() * turn.axis();
}

}  // namespace

PoseSolver::PoseSolver(const Target& target) : target_(target), kinematics_(target.model), obstacles_(target), nv_(target.model->nv()) {
  const std::size_t n = static_cast<std::size_t>(nv_);
  std::vector<bool> used(n);
  for (int r = 0; r < kRoles; r++) {
    const Role role = static_cast<Role>(r);
    if (target.has(role))
      for (int column : kinematics_.columns(target.at[role].body)) used[static_cast<std::size_t>(column)] = true;
    if (target.endBody[role] >= 0)
      for (int column : kinematics_.columns(target.endBody[role])) used[static_cast<std::size_t>(column)] = true;
  }
  for (int i = 0; i < nv_; i++)
    if (used[static_cast<std::size_t>(i)]) used_.push_back(i);
  arm_.assign(n, false);
  for (int side = 0; side < 2; side++) {
    const Role hand = sided(side, Role::LeftHand), shoulder = sided(side, Role::LeftShoulder);
    if (!target.has(hand) || !target.has(shoulder)) continue;
    const std::span<const int> trunk = kinematics_.columns(target.at[shoulder].body);
    for (int column : kinematics_.columns(target.endBody[hand]))
      if (std::find(trunk.begin(), trunk.end(), column) == trunk.end()) arm_[static_cast<std::size_t>(column)] = true;
  }
  J_.resize(3 * n);
  H_.resize(n * n);
  g_.resize(n);
  v_.resize(n);
  difference_.resize(n);
}

void PoseSolver::addRows(const Vec3& error, double weight, std::span<const int> columns) {
  const std::size_t n = static_cast<std::size_t>(nv_);
  const double w2 = weight * weight;
  for (std::size_t a = 0; a < columns.size(); a++) {
    const std::size_t i = static_cast<std::size_t>(columns[a]);
    const double x = w2 * J_[i], y = w2 * J_[n + i], z = w2 * J_[2 * n + i];
    g_[i] += x * error.x() + y * error.y() + z * error.z();
    for (std::size_t b = 0; b <= a; b++) {
      const std::size_t k = static_cast<std::size_t>(columns[b]);
      H_[i * n + k] += x * J_[k] + y * J_[n + k] + z * J_[2 * n + k];
    }
  }
  for (int column : columns)
    for (std::size_t r = 0; r < 3; r++) J_[r * n + static_cast<std::size_t>(column)] = 0;
}

// Half the weighted sum of squares at q, with H and g of the step from there.
double PoseSolver::build(const FrameGoal& goal, const Weights& w, const std::vector<double>& near, const std::vector<int>* solid,
                         const std::vector<double>& q) {
  const std::size_t n = static_cast<std::size_t>(nv_);
  kinematics_.update(q.data());
  std::fill(H_.begin(), H_.end(), 0.0);
  std::fill(g_.begin(), g_.end(), 0.0);
  double cost = 0;
  const Anchor& pelvis = target_.at[Role::Pelvis];
  const Vec3 root = kinematics_.position(pelvis);
  const auto relative = [&](const Anchor& a, const Vec3& at, double weight) {
    const Vec3 error = at - (kinematics_.position(a) - root);
    cost += 0.5 * weight * weight * error.squaredNorm();
    kinematics_.addLinear(a, 1, J_.data());
    kinematics_.addLinear(pelvis, -1, J_.data());
    addRows(error, weight, kinematics_.columns(a.body));
  };
  const auto absolute = [&](const Anchor& a, const Vec3& at, double weight) {
    const Vec3 error = at - kinematics_.position(a);
    cost += 0.5 * weight * weight * error.squaredNorm();
    kinematics_.addLinear(a, 1, J_.data());
    addRows(error, weight, kinematics_.columns(a.body));
  };
  const auto turned = [&](int body, const Mat3& R, double weight) {
    const Vec3 error = turnTo(kinematics_.bodyRotation(body), R);
    cost += 0.5 * weight * weight * error.squaredNorm();
    kinematics_.addAngular(body, 1, J_.data());
    addRows(error, weight, kinematics_.columns(body));
  };
  absolute(pelvis, goal.root, w.root);
  if (goal.wanted[Role::Head]) relative(target_.at[Role::Head], goal.p[Role::Head], w.head);
  for (int side = 0; side < 2; side++) {
    for (Role r : kTrunkRoles)
      if (goal.wanted[sided(side, r)]) relative(target_.at[sided(side, r)], goal.p[sided(side, r)], w.trunk);
    for (Role r : kLimbRoles)
      if (goal.wanted[sided(side, r)]) relative(target_.at[sided(side, r)], goal.p[sided(side, r)], w.limb);
    absolute(target_.ankle[side], goal.foot[side], w.swing + goal.hold[side] * goal.hold[side] * w.hold);
    const Role foot = sided(side, Role::LeftFoot), hand = sided(side, Role::LeftHand);
    if (goal.turned[foot]) turned(target_.endBody[foot], goal.R[foot], w.foot + goal.hold[side] * goal.hold[side] * w.holdTurn);
    if (goal.turned[hand] && target_.endBody[hand] >= 0) turned(target_.endBody[hand], goal.R[hand], w.hand);
  }
  if (goal.turned[Role::Head] && target_.endBody[Role::Head] >= 0) turned(target_.endBody[Role::Head], goal.R[Role::Head], w.look);
  figure::difference(target_.model->coordinates, q.data(), near.data(), difference_.data());
  for (std::size_t i = 0; i < n; i++) {
    const double weight = i < 3 ? w.path : i < 6 ? w.pathTurn : arm_[i] ? w.arms : w.rest;
    cost += 0.5 * weight * weight * difference_[i] * difference_[i];
    g_[i] += weight * weight * difference_[i];
    H_[i * n + i] += weight * weight;
  }
  if (solid) {
    obstacles_.find(kinematics_, *solid, goal.hold, near_);
    for (const Nearness& o : near_) {
      cost += 0.5 * w.solid * w.solid * o.lack * o.lack;
      kinematics_.addLinear(o.a, 1, J_.data());
      kinematics_.addLinear(o.b, -1, J_.data());
      columns_.clear();
      for (std::size_t k = 0; k < n; k++) {
        const double along = J_[k] * o.normal.x() + J_[n + k] * o.normal.y() + J_[2 * n + k] * o.normal.z();
        J_[k] = along;
        J_[n + k] = J_[2 * n + k] = 0;
        if (along != 0) columns_.push_back(static_cast<int>(k));
      }
      addRows(Vec3(o.lack, 0, 0), w.solid, columns_);
    }
  }
  return cost;
}

// v_ from H and g; joints that would pass a limit stop at it, and the others move as if it were fixed.
bool PoseSolver::step(double damping, const std::vector<double>& q) {
  const std::size_t n = static_cast<std::size_t>(nv_);
  const auto coupling = [&](std::size_t i, std::size_t k) { return i >= k ? H_[i * n + k] : H_[k * n + i]; };
  std::fill(v_.begin(), v_.end(), 0.0);
  free_ = used_;
  stopped_.clear();
  while (!free_.empty()) {
    const Eigen::Index m = static_cast<Eigen::Index>(free_.size());
    matrix_.resize(m, m);
    right_.resize(m);
    for (Eigen::Index i = 0; i < m; i++) {
      const std::size_t row = static_cast<std::size_t>(free_[static_cast<std::size_t>(i)]);
      for (Eigen::Index k = 0; k <= i; k++) matrix_(i, k) = H_[row * n + static_cast<std::size_t>(free_[static_cast<std::size_t>(k)])];
      matrix_(i, i) += damping * (1 + matrix_(i, i));
      right_[i] = g_[row];
      for (int k : stopped_) right_[i] -= coupling(row, static_cast<std::size_t>(k)) * v_[static_cast<std::size_t>(k)];
    }
    Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(matrix_);
    if (factor.info() != Eigen::Success) return false;
    factor.solveInPlace(right_);
    rest_.clear();
    for (Eigen::Index i = 0; i < m; i++) {
      const int at = free_[static_cast<std::size_t>(i)];
      const std::size_t v = static_cast<std::size_t>(at);
      v_[v] = right_[i];
      if (target_.coordinate[v] >= 0) {
        const double now = q[static_cast<std::size_t>(target_.coordinate[v])], to = std::clamp(now + right_[i], lower_[v], upper_[v]);
        if (to != now + right_[i]) {
          v_[v] = to - now;
          stopped_.push_back(at);
          continue;
        }
      }
      rest_.push_back(at);
    }
    if (rest_.size() == free_.size()) break;
    free_.swap(rest_);
  }
  return true;
}

// Limits of this frame; q is brought within them.
void PoseSolver::setLimits(const std::vector<double>& near, const std::vector<double>* room, std::vector<double>& q) {
  lower_ = target_.lower;
  upper_ = target_.upper;
  for (std::size_t v = 0; v < lower_.size(); v++) {
    if (target_.coordinate[v] < 0) continue;
    const std::size_t c = static_cast<std::size_t>(target_.coordinate[v]);
    if (room && std::isfinite((*room)[v])) {
      lower_[v] = std::max(lower_[v], near[c] - (*room)[v]);
      upper_[v] = std::min(upper_[v], near[c] + (*room)[v]);
    }
    q[c] = std::clamp(q[c], lower_[v], upper_[v]);
  }
}

int PoseSolver::solve(const FrameGoal& goal, const Weights& weights, const std::vector<double>& near, const std::vector<double>* room,
                      const std::vector<int>* solid, int most, std::vector<double>& q) {
  setLimits(near, room, q);
  double damping = kDamping;
  double cost = build(goal, weights, near, solid, q);
  int steps = 0;
  while (steps < most && damping < kStiff) {
    steps++;
    if (!step(damping, q)) {
      damping = std::max(1e-6, damping * 100);
      continue;
    }
    double largest = 0;
    for (double x : v_) largest = std::max(largest, std::fabs(x));
    if (largest > kLargest)
      for (double& x : v_) x *= kLargest / largest;
    trial_ = q;
    figure::integrate(target_.model->coordinates, q.data(), v_.data(), 1, trial_.data());
    const double next = build(goal, weights, near, solid, trial_);
    if (next <= cost) {
      q.swap(trial_);
      if (largest < kSettled || cost - next < kGain * cost) break;
      damping = std::max(kDamping, damping / 10);
      cost = next;
    } else {
      damping = std::max(1e-5, damping * 10);
      build(goal, weights, near, solid, q);
    }
  }
  return steps;
}

}  // namespace vertebra::retarget
