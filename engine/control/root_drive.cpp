// See root_drive.hpp.
#include "engine/control/root_drive.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace vertebra::control {

RootDrive::RootDrive(std::shared_ptr<const figure::FigureModel> model, const RootDriveSettings& settings)
    : model_(model), settings_(settings), workspace_(model) {
  const std::size_t nv = static_cast<std::size_t>(model->nv());
  for (std::vector<double>* x : {&error_, &tau_, &still_, &a_, &drives_}) x->assign(nv, 0);
  if (!model->coordinates.floatingBase) return;
  std::vector<double> q(static_cast<std::size_t>(model->nq())), M(nv * nv);
  figure::neutral(model->coordinates, q.data());
  workspace_.massMatrix(q.data(), M.data());
  for (std::size_t i = 0; i < 6; i++) inertia_[static_cast<int>(i)] = M[i * nv + i];
}

// With A = ((M + h C + h^2 K)^-1) at the root, C and K of the axes' drives: dv = h A F, F = K (e - h v - h dv) + C (v* - v - dv), so (1 + h
// A (h K + C)) dv = h A (K (e - h v) + C (v* - v)).
Failure RootDrive::apply(const Moment& now, Command& command) {
  if (!model_->coordinates.floatingBase) return {Failure::Argument, "root drive: the figure's root is fixed; there is nothing to move"};
  figure::difference(model_->coordinates, now.q.data(), command.q.data(), error_.data());
  const double h = now.step;
  for (std::size_t i = 6; i < drives_.size(); i++) {
    const double k = command.stiffness[i], c = command.damping[i];
    const double force = k * (error_[i] - h * now.v[i]) + c * (command.v[i] - now.v[i]) + command.torque[i];
    drives_[i] = command.driven[i] && std::fabs(force) <= command.limit[i] ? h * (c + h * k) : 0;
  }
  Mat6 A;
  for (std::size_t k = 0; k < 6; k++) {
    std::fill(tau_.begin(), tau_.end(), 0.0);
    tau_[k] = 1;
    if (const int link = workspace_.forward(now.q.data(), still_.data(), tau_.data(), Vec3::Zero(), a_.data(), drives_.data()); link >= 0)
      return {Failure::Argument, figure::noInertiaText(*model_, link)};
    for (int r = 0; r < 6; r++) A(r, static_cast<int>(k)) = a_[static_cast<std::size_t>(r)];
  }
  Vec6 K, C, reach;
  for (int i = 0; i < 6; i++) {
    const std::size_t at = static_cast<std::size_t>(i);
    const double omega = settings_.omega[at];
    K[i] = command.strength * inertia_[i] * omega * omega;
    C[i] = command.strength * inertia_[i] * (2 * settings_.ratio * omega + settings_.rate[at]);
    reach[i] = K[i] * (error_[at] - h * now.v[at]) + C[i] * (command.v[at] - now.v[at]);
  }
  const Vec6 weight =
      (Vec6() << settings_.weight * command.strength * model_->mass * now.world.settings().gravity, Vec3::Zero()).finished();
  // An axis at its limit has that force whatever moves, and the others know it.
  Vec6 soft = h * K + C, F;
  for (int pass = 0; pass <= 6; pass++) {
    const Mat6 left = Mat6::Identity() + h * A * soft.asDiagonal();
    const Vec6 dv = left.partialPivLu().solve(h * (A * reach));
    F = reach - soft.cwiseProduct(dv) - weight;
    bool more = false;
    for (int i = 0; i < 6; i++) {
      const double limit = settings_.limit[static_cast<std::size_t>(i)];
      if (!(std::fabs(F[i]) > limit)) continue;
      F[i] = std::copysign(limit, F[i]);
      if (soft[i] == 0) continue;
      soft[i] = 0;
      reach[i] = F[i] + weight[i];
      more = true;
    }
    if (!more) break;
  }
  force_ = F.head<3>();
  moment_ = F.tail<3>();
  command.forces.push_back({model_->skeleton->root, Vec3(now.q[0], now.q[1], now.q[2]), force_});
  command.moment += moment_;
  return {};
}

}  // namespace vertebra::control
