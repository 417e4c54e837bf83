// See pose_solver.hpp.
#include "engine/retarget/pose_solver.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace vertebra::retarget {

namespace {

constexpr double kAhead = 0.01;  // m; obstacles nearer than this may push after a step
constexpr Role kLimbRoles[] = {Role::LeftKnee, Role::LeftFoot, Role::LeftElbow, Role::LeftHand};
constexpr Role kTrunkRoles[] = {Role::LeftHip, Role::LeftShoulder};

// Rotation vector that takes R to goal, world axes.
Vec3 turnTo(const Mat3& R, const Mat3& goal) {
  const Eigen::AngleAxisd turn(Mat3(goal * R.transpose()));
  return turn.angle() * turn.axis();
}

// Velocities that goals depend on.
std::vector<int> usedBy(const Target& target, const Kinematics& kinematics) {
  std::vector<bool> used(static_cast<std::size_t>(target.model->nv()));
  const auto use = [&](int body) {
    for (int column : kinematics.columns(body)) used[static_cast<std::size_t>(column)] = true;
  };
  for (int r = 0; r < kRoles; r++) {
    const Role role = static_cast<Role>(r);
    if (target.has(role)) use(target.at[role].body);
    if (target.endBody[role] >= 0) use(target.endBody[role]);
  }
  std::vector<int> out;
  for (std::size_t i = 0; i < used.size(); i++)
    if (used[i]) out.push_back(static_cast<int>(i));
  return out;
}

}  // namespace

PoseSolver::PoseSolver(const Target& target)
    : target_(target),
      kinematics_(target.model),
      obstacles_(target),
      squares_(kinematics_),
      nv_(target.model->nv()),
      descent_(*target.model, usedBy(target, kinematics_)) {
  const std::size_t n = static_cast<std::size_t>(nv_);
  arm_.assign(n, false);
  for (int side = 0; side < 2; side++) {
    const Role hand = sided(side, Role::LeftHand), shoulder = sided(side, Role::LeftShoulder);
    if (!target.has(hand) || !target.has(shoulder)) continue;
    const std::span<const int> trunk = kinematics_.columns(target.at[shoulder].body);
    for (int column : kinematics_.columns(target.endBody[hand]))
      if (std::find(trunk.begin(), trunk.end(), column) == trunk.end()) arm_[static_cast<std::size_t>(column)] = true;
  }
  difference_.resize(n);
}

// Half the weighted sum of squares at q, with H and g of the step from there.
double PoseSolver::build(const FrameGoal& goal, const Weights& w, const std::vector<double>& near, const std::vector<int>* solid,
                         const std::vector<double>& q, StepSystem& system) {
  const std::size_t n = static_cast<std::size_t>(nv_);
  kinematics_.update(q.data());
  system.clear();
  const Anchor& pelvis = target_.at[Role::Pelvis];
  squares_.clear(pelvis);
  const Vec3 root = kinematics_.position(pelvis);
  const auto relative = [&](const Anchor& a, const Vec3& at, double weight) {
    squares_.relative(a, at - (kinematics_.position(a) - root), weight);
  };
  const auto absolute = [&](const Anchor& a, const Vec3& at, double weight) { squares_.place(a, at - kinematics_.position(a), weight); };
  const auto turned = [&](int body, const Mat3& R, double weight) {
    squares_.turn(body, turnTo(kinematics_.bodyRotation(body), R), weight);
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
  double cost = squares_.addTo(system);
  figure::difference(target_.model->coordinates, q.data(), near.data(), difference_.data());
  for (std::size_t i = 0; i < n; i++) {
    const double weight = i < 3 ? w.path : i < 6 ? w.pathTurn : arm_[i] ? w.arms : w.rest;
    cost += 0.5 * weight * weight * difference_[i] * difference_[i];
    system.g[i] += weight * weight * difference_[i];
    system.H[i * n + i] += weight * weight;
  }
  if (solid) {
    obstacles_.find(kinematics_, *solid, goal.hold, kAhead, near_);
    for (const Nearness& o : near_) {
      if (o.lack > 0) cost += 0.5 * w.solid * w.solid * o.lack * o.lack;
      system.rows.resize(system.rows.size() + n);
      double* const row = system.rows.data() + system.rows.size() - n;
      kinematics_.addAlong(o.a, o.normal, w.solid, row);
      kinematics_.addAlong(o.b, o.normal, -w.solid, row);
      system.pushes.push_back({w.solid * o.lack, o.lack > 0});
    }
  }
  return cost;
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
                      const std::vector<int>* solid, int most, double enough, std::vector<double>& q) {
  setLimits(near, room, q);
  return descent_.run([&](const std::vector<double>& at, StepSystem& system) { return build(goal, weights, near, solid, at, system); },
                      target_.coordinate, lower_, upper_, most, enough, q);
}

}  // namespace vertebra::retarget
