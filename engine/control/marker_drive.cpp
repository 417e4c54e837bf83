// See marker_drive.hpp.
#include "engine/control/marker_drive.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::control {

MarkerDrive::MarkerDrive(std::shared_ptr<const figure::FigureModel> model, const MarkerDriveSettings& settings,
                         std::vector<MarkerSite> sites)
    : model_(model), settings_(settings), sites_(std::move(sites)), workspace_(model) {
  const Eigen::Index nv = model->nv();
  places_.assign(3 * sites_.size(), std::nan(""));
  velocities_.assign(3 * sites_.size(), 0);
  J_.resize(static_cast<std::size_t>(6 * nv));
  M_.resize(nv, nv);
  rows_.resize(static_cast<Eigen::Index>(3 * sites_.size()), nv);
  right_.resize(nv);
  reach_.resize(static_cast<Eigen::Index>(3 * sites_.size()));
  present_.reserve(sites_.size());
}

void MarkerDrive::play(PlayedMarkers played) {
  played_ = std::move(played);
  follows_ = true;
}

void MarkerDrive::follow(double time) {
  const figure::MarkerRecord& record = *played_.record;
  const double at = (time - played_.begin) / record.frameTime;
  const int last = record.frames() - 1, i = static_cast<int>(std::clamp(std::floor(at + 1e-9), 0.0, static_cast<double>(last)));
  const double u = at - i;
  const bool between = i < last && u > 1e-9, moves = i < last;
  for (std::size_t s = 0; s < sites_.size(); s++) {
    Vec3 place = Vec3::Constant(std::nan("")), rate = Vec3::Zero();
    if (const int column = played_.columns[s]; column >= 0 && at > -1e-9) {
      const Vec3 from = record.frame(i)[column], to = record.frame(std::min(i + 1, last))[column];
      place = between ? Vec3(from + u * (to - from)) : from;
      if (moves && to.allFinite()) rate = (to - from) / record.frameTime;
    }
    place = played_.place * place;
    rate = played_.place.q * rate;
    for (std::size_t k = 0; k < 3; k++) {
      places_[3 * s + k] = place[static_cast<Eigen::Index>(k)];
      velocities_[3 * s + k] = place.allFinite() ? rate[static_cast<Eigen::Index>(k)] : 0;
    }
  }
}

// (M + h J^T (h k + c) J) dv = h J^T f, f = k (x* - x - h v) + c (v* - v); the forces are f - (h k + c) J dv.
Failure MarkerDrive::apply(const Moment& now, Command& command) {
  if (follows_) follow(now.time + now.step);
  const double h = now.step, k = settings_.omega * settings_.omega * model_->mass / static_cast<double>(sites_.size());
  const double c = 2 * settings_.ratio * k / settings_.omega;
  const Eigen::Index nv = model_->nv();
  const Eigen::Map<const Eigen::VectorXd> v(now.v.data(), nv);
  workspace_.massMatrix(now.q.data(), M_.data());
  present_.clear();
  const Pose base = baseOf(now), toBase = base.inverse();
  error_ = 0;
  right_.setZero();
  for (std::size_t s = 0; s < sites_.size(); s++) {
    const Vec3 inWorld(places_[3 * s], places_[3 * s + 1], places_[3 * s + 2]);
    if (!inWorld.allFinite()) continue;
    const Vec3 place = toBase * inWorld;
    const Vec3 rate = toBase.q * Vec3(velocities_[3 * s], velocities_[3 * s + 1], velocities_[3 * s + 2]);
    workspace_.jacobian(now.q.data(), sites_[s].link, sites_[s].point, J_.data());
    const Eigen::Index row = 3 * static_cast<Eigen::Index>(present_.size());
    rows_.middleRows<3>(row) =
        Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(J_.data(), 6, nv).topRows<3>();
    const Vec3 away = place - workspace_.poses(now.q.data())[sites_[s].link] * sites_[s].point, moves = rows_.middleRows<3>(row) * v;
    error_ = std::max(error_, away.norm());
    reach_.segment<3>(row) = k * (away - h * moves) + c * (rate - moves);
    present_.push_back(static_cast<int>(s));
  }
  if (present_.empty()) return {};
  const Eigen::Index n = 3 * static_cast<Eigen::Index>(present_.size());
  const auto J = rows_.topRows(n);
  const double soft = h * k + c;
  M_.selfadjointView<Eigen::Lower>().rankUpdate(J.transpose(), h * soft);
  right_.noalias() = h * (J.transpose() * reach_.head(n));
  factor_.compute(M_);
  if (factor_.info() != Eigen::Success)
    return {Failure::Argument, "marker drive: an axis of the figure moves no mass; give its links masses"};
  factor_.solveInPlace(right_);
  reach_.head(n).noalias() -= soft * (J * right_);
  for (std::size_t i = 0; i < present_.size(); i++) {
    const MarkerSite& site = sites_[static_cast<std::size_t>(present_[i])];
    Vec3 force = command.strength * reach_.segment<3>(3 * static_cast<Eigen::Index>(i));
    if (const double size = force.norm(); size > settings_.limit) force *= settings_.limit / size;
    command.forces.push_back({site.link, base * (workspace_.poses(now.q.data())[site.link] * site.point), base.q * force});
  }
  return {};
}

void MarkerDrive::exchange(ControllerState& state) {
  state.numbers(places_);
  state.numbers(velocities_);
  state.number(error_);
  state.whole(follows_);
}

}  // namespace vertebra::control
