// See pose_solver.hpp.
#include "engine/retarget/pose_solver.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace vertebra::retarget {

namespace {

constexpr double kSettled = 1e-7;  // rad or m; largest change of a step after which nothing is gained
constexpr double kLargest = 0.5;   // rad or m; of a step
constexpr double kGain = 1e-6;     // share of the cost
constexpr double kDamping = 1e-9, kStiff = 1e3;
constexpr int kChanges = 6;      // of the active set, a step
constexpr double kAhead = 0.01;  // m; obstacles nearer than this may push after a step
constexpr Role kLimbRoles[] = {Role::LeftKnee, Role::LeftFoot, Role::LeftElbow, Role::LeftHand};
constexpr Role kTrunkRoles[] = {Role::LeftHip, Role::LeftShoulder};

// Rotation vector that takes R to goal, world axes.
Vec3 turnTo(const Mat3& R, const Mat3& goal) {
  const Eigen::AngleAxisd turn(Mat3(goal * R.transpose()));
  return turn.angle() * turn.axis();
}

double dot(const double* a, const double* b, std::size_t from, std::size_t to) {
  double even = 0, odd = 0;
  for (; from + 1 < to; from += 2) {
    even += a[from] * b[from];
    odd += a[from + 1] * b[from + 1];
  }
  return from < to ? even + odd + a[from] * b[from] : even + odd;
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
  for (std::vector<double>* matrix : {&system_.H, &before_.H, &A_, &factor_}) matrix->resize(n * n);
  for (std::vector<double>* vector : {&system_.g, &before_.g, &b_, &right_, &inverse_, &left_}) vector->resize(n);
  first_.resize(n);
  v_.resize(n);
  difference_.resize(n);
}

void PoseSolver::addRows(const Vec3& error, double weight, std::span<const int> columns) {
  const std::size_t n = static_cast<std::size_t>(nv_);
  const double w2 = weight * weight;
  for (std::size_t a = 0; a < columns.size(); a++) {
    const std::size_t i = static_cast<std::size_t>(columns[a]);
    const double x = w2 * J_[i], y = w2 * J_[n + i], z = w2 * J_[2 * n + i];
    system_.g[i] += x * error.x() + y * error.y() + z * error.z();
    for (std::size_t b = 0; b <= a; b++) {
      const std::size_t k = static_cast<std::size_t>(columns[b]);
      system_.H[i * n + k] += x * J_[k] + y * J_[n + k] + z * J_[2 * n + k];
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
  std::fill(system_.H.begin(), system_.H.end(), 0.0);
  std::fill(system_.g.begin(), system_.g.end(), 0.0);
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
    system_.g[i] += weight * weight * difference_[i];
    system_.H[i * n + i] += weight * weight;
  }
  system_.pushes.clear();
  system_.rows.clear();
  if (solid) {
    obstacles_.find(kinematics_, *solid, goal.hold, kAhead, near_);
    for (const Nearness& o : near_) {
      if (o.lack > 0) cost += 0.5 * w.solid * w.solid * o.lack * o.lack;
      kinematics_.addLinear(o.a, 1, J_.data());
      kinematics_.addLinear(o.b, -1, J_.data());
      for (std::size_t k = 0; k < n; k++) {
        system_.rows.push_back(w.solid * (J_[k] * o.normal.x() + J_[n + k] * o.normal.y() + J_[2 * n + k] * o.normal.z()));
        J_[k] = J_[n + k] = J_[2 * n + k] = 0;
      }
      system_.pushes.push_back({w.solid * o.lack, o.lack > 0});
    }
  }
  return cost;
}

// H and g with the obstacles that push.
void PoseSolver::addPushes() {
  const std::size_t n = static_cast<std::size_t>(nv_);
  A_ = system_.H;
  b_ = system_.g;
  for (std::size_t p = 0; p < system_.pushes.size(); p++) {
    if (!system_.pushes[p].acts) continue;
    const double* const row = &system_.rows[p * n];
    for (std::size_t i = 0; i < n; i++) {
      if (row[i] == 0) continue;
      b_[i] += row[i] * system_.pushes[p].lack;
      for (std::size_t k = 0; k <= i; k++) A_[i * n + k] += row[i] * row[k];
    }
  }
}

// Obstacles push where they would be too near after the step. Returns whether any changed.
bool PoseSolver::foresee() {
  const std::size_t n = static_cast<std::size_t>(nv_);
  bool changed = false;
  for (std::size_t p = 0; p < system_.pushes.size(); p++) {
    const bool acts = system_.pushes[p].lack > std::inner_product(v_.begin(), v_.end(), system_.rows.begin() + static_cast<std::ptrdiff_t>(p * n), 0.0);
    changed = changed || acts != system_.pushes[p].acts;
    system_.pushes[p].acts = acts;
  }
  return changed;
}

// L of the rows and columns `free_` of A, the last first: limbs that meet only in the trunk fill nothing outside their own blocks.
// Row i of L is kept from its first entry that is not zero on (George and Liu 1981, ch. 4).
bool PoseSolver::factor(double damping) {
  const std::size_t m = free_.size(), n = static_cast<std::size_t>(nv_);
  for (std::size_t i = 0; i < m; i++) {
    const std::size_t column = static_cast<std::size_t>(free_[m - 1 - i]);
    double* const row = &factor_[i * n];
    std::size_t first = 0;
    while (first < i && A_[static_cast<std::size_t>(free_[m - 1 - first]) * n + column] == 0) first++;
    first_[i] = first;
    for (std::size_t k = first; k <= i; k++) row[k] = A_[static_cast<std::size_t>(free_[m - 1 - k]) * n + column];
    row[i] += damping * (1 + row[i]);
    for (std::size_t k = first; k < i; k++) {
      const std::size_t from = std::max(first, first_[k]);
      row[k] = (row[k] - dot(row, &factor_[k * n], from, k)) * inverse_[k];
    }
    const double pivot = row[i] - dot(row, row, first, i);
    if (!(pivot > 0)) return false;
    inverse_[i] = 1 / std::sqrt(pivot);
  }
  return true;
}

// right_ by the factor, in the order of free_.
void PoseSolver::solveFactored() {
  const std::size_t m = free_.size(), n = static_cast<std::size_t>(nv_);
  std::reverse(right_.begin(), right_.begin() + static_cast<std::ptrdiff_t>(m));
  for (std::size_t i = 0; i < m; i++) right_[i] = (right_[i] - dot(&factor_[i * n], right_.data(), first_[i], i)) * inverse_[i];
  for (std::size_t i = m; i-- > 0;) {
    right_[i] *= inverse_[i];
    for (std::size_t k = first_[i]; k < i; k++) right_[k] -= factor_[i * n + k] * right_[i];
  }
  std::reverse(right_.begin(), right_.begin() + static_cast<std::ptrdiff_t>(m));
}

// v_ by the free velocities, with those that are stopped as they are. Joints that would pass a limit stop at it, and the others move as if
// they were fixed.
bool PoseSolver::stepWithin(double damping, const std::vector<double>& q) {
  const std::size_t n = static_cast<std::size_t>(nv_);
  while (!free_.empty()) {
    if (!factor(damping)) return false;
    for (std::size_t i = 0; i < free_.size(); i++) {
      const std::size_t at = static_cast<std::size_t>(free_[i]);
      right_[i] = b_[at];
      for (int k : stopped_) {
        const std::size_t other = static_cast<std::size_t>(k);
        right_[i] -= (at >= other ? A_[at * n + other] : A_[other * n + at]) * v_[other];
      }
    }
    solveFactored();
    rest_.clear();
    for (std::size_t i = 0; i < free_.size(); i++) {
      const int at = free_[i];
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

// v_ within the limits, by an active set of limits and of obstacles that changes a few times (Nocedal and Wright 2006, ch. 16.5): joints
// that would rather leave their limit are released. gain_: what the step takes from half the square, by the linear model.
bool PoseSolver::step(double damping, const std::vector<double>& q) {
  const std::size_t n = static_cast<std::size_t>(nv_);
  std::fill(v_.begin(), v_.end(), 0.0);
  free_.clear();
  stopped_.clear();
  for (int k : used_) {
    const std::size_t v = static_cast<std::size_t>(k);
    const double at = target_.coordinate[v] < 0 ? 0 : q[static_cast<std::size_t>(target_.coordinate[v])];
    (system_.g[v] > 0 ? at >= upper_[v] : at <= lower_[v]) ? stopped_.push_back(k) : free_.push_back(k);
  }
  for (Push& p : system_.pushes) p.acts = p.lack > 0;
  for (int change = 0;; change++) {
    addPushes();
    if (!stepWithin(damping, q)) return false;
    left_ = b_;
    for (int column : used_) {
      const std::size_t k = static_cast<std::size_t>(column);
      if (v_[k] == 0) continue;
      for (std::size_t i = 0; i < k; i++) left_[i] -= A_[k * n + i] * v_[k];
      for (std::size_t i = k; i < n; i++) left_[i] -= A_[i * n + k] * v_[k];
    }
    if (change == kChanges) break;
    const std::size_t before = free_.size();
    for (int k : stopped_) {
      const std::size_t v = static_cast<std::size_t>(k);
      const double at = q[static_cast<std::size_t>(target_.coordinate[v])] + v_[v];
      if (left_[v] > 0 ? at <= lower_[v] && at < upper_[v] : at >= upper_[v] && at > lower_[v]) free_.push_back(k);
    }
    if (!foresee() && free_.size() == before) break;
    std::sort(free_.begin(), free_.end());
    std::erase_if(stopped_, [&](int k) { return std::binary_search(free_.begin(), free_.end(), k); });
  }
  gain_ = 0;
  for (int k : used_) gain_ += 0.5 * v_[static_cast<std::size_t>(k)] * (b_[static_cast<std::size_t>(k)] + left_[static_cast<std::size_t>(k)]);
  for (const Push& p : system_.pushes)
    if (p.acts != (p.lack > 0)) gain_ += (p.acts ? -0.5 : 0.5) * p.lack * p.lack;
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
    if (largest < kSettled || (damping <= kDamping && gain_ >= 0 && gain_ < kGain * cost)) {  // nothing that would need another look
      q.swap(trial_);
      break;
    }
    std::swap(system_, before_);
    const double next = build(goal, weights, near, solid, trial_);
    if (next <= cost) {
      q.swap(trial_);
      if (cost - next < kGain * cost) break;
      damping = std::max(kDamping, damping / 10);
      cost = next;
    } else {
      damping = std::max(1e-5, damping * 10);
      std::swap(system_, before_);
    }
  }
  return steps;
}

}  // namespace vertebra::retarget
