// See pose_solver.hpp.
#include "engine/retarget/pose_solver.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "engine/math/rotation.hpp"

namespace vertebra::retarget {

namespace {

constexpr double kMargin = 0.004;      // rad or m; joints stay this far from their limits
constexpr double kSettled = 1e-7;      // rad or m; largest change of a step after which nothing is gained
constexpr double kLargest = 0.5;       // rad or m; of a step
constexpr double kDamping = 1e-9;
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
  const figure::Coordinates& c = target.model->coordinates;
  coordinate_.assign(n, -1);
  lower_.assign(n, -kInf);
  upper_.assign(n, kInf);
  for (const figure::CoordinatePart& part : c.parts) {
    if (part.joint < 0 || part.v < 0 || dynamics::jointNq(part.type) != dynamics::jointNv(part.type)) continue;
    const figure::JointDescription& j = target.model->skeleton->joints[static_cast<std::size_t>(part.joint)];
    for (int k = 0; k < dynamics::jointNv(part.type); k++) {
      const std::size_t v = static_cast<std::size_t>(part.v + k);
      coordinate_[v] = part.q + k;
      const dynamics::AxisParameters& axis = j.axes[static_cast<std::size_t>(k)];
      if (!(axis.lower < axis.upper)) {
        if (axis.lower == axis.upper && std::isfinite(axis.lower)) lower_[v] = upper_[v] = axis.lower;
        continue;
      }
      const double margin = std::min(kMargin, 0.1 * (axis.upper - axis.lower));
      lower_[v] = axis.lower + margin;
      upper_[v] = axis.upper - margin;
    }
  }
  used_.assign(n, false);
  for (int r = 0; r < kRoles; r++) {
    const Role role = static_cast<Role>(r);
    if (target.has(role))
      for (int column : kinematics_.columns(target.at[role].body)) used_[static_cast<std::size_t>(column)] = true;
    if (target.endBody[role] >= 0)
      for (int column : kinematics_.columns(target.endBody[role])) used_[static_cast<std::size_t>(column)] = true;
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

// Half the weighted sum of squares; with `rows`, H and g of the step too.
double PoseSolver::build(const FrameGoal& goal, const Weights& w, const std::vector<double>& near, bool solid, const std::vector<double>& q, bool rows) {
  const std::size_t n = static_cast<std::size_t>(nv_);
  kinematics_.update(q.data());
  if (rows) {
    std::fill(H_.begin(), H_.end(), 0.0);
    std::fill(g_.begin(), g_.end(), 0.0);
  }
  double cost = 0;
  const Anchor& pelvis = target_.at[Role::Pelvis];
  const Vec3 root = kinematics_.position(pelvis);
  const auto relative = [&](const Anchor& a, const Vec3& at, double weight) {
    const Vec3 error = at - (kinematics_.position(a) - root);
    cost += 0.5 * weight * weight * error.squaredNorm();
    if (!rows) return;
    kinematics_.addLinear(a, 1, J_.data());
    kinematics_.addLinear(pelvis, -1, J_.data());
    addRows(error, weight, kinematics_.columns(a.body));
  };
  const auto absolute = [&](const Anchor& a, const Vec3& at, double weight) {
    const Vec3 error = at - kinematics_.position(a);
    cost += 0.5 * weight * weight * error.squaredNorm();
    if (!rows) return;
    kinematics_.addLinear(a, 1, J_.data());
    addRows(error, weight, kinematics_.columns(a.body));
  };
  const auto turned = [&](int body, const Mat3& R, double weight) {
    const Vec3 error = turnTo(kinematics_.bodyRotation(body), R);
    cost += 0.5 * weight * weight * error.squaredNorm();
    if (!rows) return;
    kinematics_.addAngular(body, 1, J_.data());
    addRows(error, weight, kinematics_.columns(body));
  };
  absolute(pelvis, goal.root, w.root);
  if (target_.has(Role::Head)) relative(target_.at[Role::Head], goal.p[Role::Head], w.head);
  for (int side = 0; side < 2; side++) {
    for (Role r : kTrunkRoles)
      if (target_.has(sided(side, r))) relative(target_.at[sided(side, r)], goal.p[sided(side, r)], w.trunk);
    for (Role r : kLimbRoles)
      if (target_.has(sided(side, r))) relative(target_.at[sided(side, r)], goal.p[sided(side, r)], w.limb);
    absolute(target_.ankle[side], goal.foot[side], w.swing + goal.hold[side] * goal.hold[side] * w.hold);
    const Role foot = sided(side, Role::LeftFoot), hand = sided(side, Role::LeftHand);
    if (goal.turned[foot]) turned(target_.endBody[foot], goal.R[foot], w.foot + goal.hold[side] * goal.hold[side] * w.holdTurn);
    if (goal.turned[hand] && target_.endBody[hand] >= 0) turned(target_.endBody[hand], goal.R[hand], w.hand);
  }
  if (goal.turned[Role::Head] && target_.endBody[Role::Head] >= 0) turned(target_.endBody[Role::Head], goal.R[Role::Head], w.look);
  figure::difference(target_.model->coordinates, q.data(), near.data(), difference_.data());
  for (std::size_t i = 6; i < n; i++) {
    cost += 0.5 * w.rest * w.rest * difference_[i] * difference_[i];
    if (!rows) continue;
    g_[i] += w.rest * w.rest * difference_[i];
    H_[i * n + i] += w.rest * w.rest;
  }
  if (solid) {
    static thread_local std::vector<Nearness> near2;
    obstacles_.find(kinematics_, goal.hold, near2);
    for (const Nearness& o : near2) {
      cost += 0.5 * w.solid * w.solid * o.lack * o.lack;
      if (!rows) continue;
      kinematics_.addLinear(o.a, 1, J_.data());
      kinematics_.addLinear(o.b, -1, J_.data());
      for (std::size_t k = 0; k < n; k++) {
        const double along = J_[k] * o.normal.x() + J_[n + k] * o.normal.y() + J_[2 * n + k] * o.normal.z();
        J_[k] = along;
        J_[n + k] = J_[2 * n + k] = 0;
      }
      std::vector<int> columns;
      for (std::size_t k = 0; k < n; k++)
        if (J_[k] != 0) columns.push_back(static_cast<int>(k));
      addRows(Vec3(o.lack, 0, 0), w.solid, columns);
    }
  }
  return cost;
}

// v_ from H and g; joints that would pass a limit stop at it, and the others move as if it were fixed.
bool PoseSolver::step(double damping, const std::vector<double>& q) {
  const std::size_t n = static_cast<std::size_t>(nv_);
  std::vector<int> free;
  std::fill(v_.begin(), v_.end(), 0.0);
  for (int i = 0; i < nv_; i++)
    if (used_[static_cast<std::size_t>(i)]) free.push_back(i);
  for (int round = 0; round < 8; round++) {
    const Eigen::Index m = static_cast<Eigen::Index>(free.size());
    Eigen::MatrixXd A(m, m);
    Eigen::VectorXd b(m);
    for (Eigen::Index i = 0; i < m; i++) {
      const std::size_t row = static_cast<std::size_t>(free[static_cast<std::size_t>(i)]);
      for (Eigen::Index k = 0; k <= i; k++) A(i, k) = H_[row * n + static_cast<std::size_t>(free[static_cast<std::size_t>(k)])];
      A(i, i) += damping * (1 + A(i, i));
      b[i] = g_[row];
    }
    // Joints that stopped at a limit in this step pull on the others.
    for (Eigen::Index i = 0; i < m; i++) {
      const std::size_t row = static_cast<std::size_t>(free[static_cast<std::size_t>(i)]);
      for (std::size_t k = 0; k < n; k++)
        if (v_[k] != 0 && !std::binary_search(free.begin(), free.end(), static_cast<int>(k)))
          b[i] -= (k < row ? H_[row * n + k] : H_[k * n + row]) * v_[k];
    }
    const Eigen::LLT<Eigen::MatrixXd> llt(A.selfadjointView<Eigen::Lower>());
    if (llt.info() != Eigen::Success) return false;
    const Eigen::VectorXd x = llt.solve(b);
    std::vector<int> rest;
    for (Eigen::Index i = 0; i < m; i++) {
      const int at = free[static_cast<std::size_t>(i)];
      const std::size_t v = static_cast<std::size_t>(at);
      v_[v] = x[i];
      if (coordinate_[v] >= 0) {
        const double now = q[static_cast<std::size_t>(coordinate_[v])];
        const double to = std::clamp(now + x[i], lower_[v], upper_[v]);
        if (to != now + x[i]) {
          v_[v] = to - now;
          continue;
        }
      }
      rest.push_back(at);
    }
    if (rest.size() == free.size()) return true;
    free = rest;
  }
  return true;
}

int PoseSolver::solve(const FrameGoal& goal, const Weights& weights, const std::vector<double>& near, bool solid, int most, std::vector<double>& q) {
  double damping = kDamping;
  double cost = build(goal, weights, near, solid, q, true);
  int steps = 0;
  while (steps < most) {
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
    const double next = build(goal, weights, near, solid, trial_, false);
    if (next <= cost) {
      q = trial_;
      if (largest < kSettled || cost - next < 1e-10 * cost) break;
      damping = std::max(kDamping, damping / 10);
      cost = build(goal, weights, near, solid, q, true);
    } else {
      damping = std::max(1e-5, damping * 10);
      if (damping > 1e3) break;
      build(goal, weights, near, solid, q, true);
    }
  }
  return steps;
}

}  // namespace vertebra::retarget
