// See preparation.hpp.
#include "engine/control/preparation.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "engine/control/legs.hpp"
#include "engine/control/support.hpp"

namespace vertebra::control {

namespace {

using Vec2 = Eigen::Vector2d;

constexpr int kSmooth = 8;        // frames each way over which the height of the root is averaged
constexpr int kRamp = 4;          // frames over which a foot's clearance grows after it stood
constexpr int kProjections = 60;  // of forces onto the soles
constexpr double kInSoles = 0.7;  // of the way from the middle of a foot to its soles where forces may act
constexpr double kBears = 0.2;    // share of the weight below which a frame counts as flight

class Preparer {
 public:
  Preparer(std::shared_ptr<const figure::FigureModel> model, std::shared_ptr<const figure::Trajectory> trajectory, const Preparation& how)
      : model_(model),
        how_(how),
        given_(trajectory),
        made_(std::make_shared<figure::Trajectory>(*trajectory)),
        course_(model, trajectory),
        k_(model),
        legs_(model),
        workspace_(model) {
    const std::size_t n = static_cast<std::size_t>(course_.frames());
    shift_.assign(n, Vec2::Zero());
    for (std::size_t f = 0; f < course_.feet().size(); f++) lift_.push_back(clearance(f));
    lower_ = lowering();
  }

  std::shared_ptr<const figure::Trajectory> run(double& shift) {
    pose();
    for (int pass = 0; pass < how_.passes; pass++) {
      addShifts();
      pose();
    }
    shift = 0;
    for (const Vec2& s : shift_) shift = std::max(shift, s.norm());
    return made_;
  }

 private:
  // By how much the foot is lifted, by frame: where it stands, onto the ground; in a swing up to the clearance.
  std::vector<double> clearance(std::size_t foot) {
    const int n = course_.frames();
    std::vector<double> low(static_cast<std::size_t>(n), kInf), out(low.size(), 0);
    for (int i = 0; i < n; i++) {
      k_.update(given_->frame(i));
      for (const SolePoint& s : course_.soles())
        if (s.at.body == course_.feet()[foot])
          low[static_cast<std::size_t>(i)] = std::min(low[static_cast<std::size_t>(i)], k_.position(s.at).z() - s.radius);
    }
    for (int i = 0; i < n; i++) {
      int away = kRamp, nearest = -1;
      for (int d = -kRamp + 1; d < kRamp; d++)
        if (i + d >= 0 && i + d < n && std::abs(d) < away && course_.stands(foot, (i + d) * course_.frameTime())) {
          away = std::abs(d);
          nearest = i + d;
        }
      const std::size_t at = static_cast<std::size_t>(i);
      const double s = std::sin(0.5 * kPi * away / kRamp), up = std::max(0.0, how_.clearance * s * s - low[at]);
      out[at] = nearest < 0 ? up : std::max(up, -(1 - s * s) * low[static_cast<std::size_t>(nearest)]);
    }
    return out;
  }

  // No other foot hangs at it.
  bool ends(std::size_t foot) const {
    const int body = course_.feet()[foot];
    for (int other : course_.feet()) {
      int at = other;
      while (at > body) at = model_->bodies[static_cast<std::size_t>(at)].parent;
      if (at == body && other != body) return false;
    }
    return true;
  }

  bool kneels(int frame) const {
    for (std::size_t f = 0; f < course_.feet().size(); f++)
      if (course_.stands(f, frame * course_.frameTime()) && !ends(f)) return true;
    return false;
  }

  // The root goes down with feet that stand above the ground, and so far that legs that stand are not straight.
  std::vector<double> lowering() const {
    const int n = course_.frames();
    std::vector<double> out(static_cast<std::size_t>(n), 0), mean = out;
    std::vector<bool> kneeling(static_cast<std::size_t>(n));
    for (int i = 0; i < n; i++)
      if (kneels(i))
        for (int k = std::max(0, i - kSmooth); k <= std::min(n - 1, i + kSmooth); k++) kneeling[static_cast<std::size_t>(k)] = true;
    const double bend = how_.bend * std::max(0.0, given_->frame(0)[2]);
    double last = 0;
    for (int i = 0; i < n; i++) {
      double sum = 0;
      int count = 0;
      for (std::size_t f = 0; f < course_.feet().size(); f++)
        if (course_.stands(f, i * course_.frameTime())) sum += std::min(0.0, lift_[f][static_cast<std::size_t>(i)]), count++;
      if (count) last = sum / count;
      mean[static_cast<std::size_t>(i)] = last - (kneeling[static_cast<std::size_t>(i)] ? 0 : bend);
    }
    for (int i = 0; i < n; i++) {
      for (int d = -kSmooth; d <= kSmooth; d++)
        out[static_cast<std::size_t>(i)] += mean[static_cast<std::size_t>(std::clamp(i + d, 0, n - 1))];
      out[static_cast<std::size_t>(i)] /= 2 * kSmooth + 1;
    }
    return out;
  }

  // All frames again: the root shifted, feet where they were but for what they are lifted.
  void pose() {
    const int nq = given_->nq();
    retarget::Kinematics given(model_);
    for (int i = 0; i < course_.frames(); i++) {
      const std::size_t at = static_cast<std::size_t>(i);
      double* q = made_->q.data() + at * static_cast<std::size_t>(nq);
      std::copy(given_->frame(i), given_->frame(i) + nq, q);
      bool moves = shift_[at].squaredNorm() > 0 || lower_[at] != 0;
      for (const std::vector<double>& lift : lift_) moves = moves || lift[at] != 0;
      if (!moves) continue;
      given.update(given_->frame(i));
      for (int k = 0; k < 2; k++) q[k] += shift_[at][k];
      q[2] += lower_[at];
      for (std::size_t f = 0; f < course_.feet().size(); f++) {
        const int body = course_.feet()[f];
        legs_.reach(body, given.bodyPosition(body) + lift_[f][at] * Vec3::UnitZ(), given.bodyRotation(body), q);
      }
    }
  }

  // A shift d of the centre of mass moves the point of zero moment by d - (height / g) d''.
  void addShifts() {
    const int n = course_.frames();
    const std::size_t count = static_cast<std::size_t>(n);
    const Course now(model_, made_);
    std::vector<double> q(static_cast<std::size_t>(model_->nq())), v(static_cast<std::size_t>(model_->nv())), a(v.size()), tau(v.size());
    std::vector<Vec2> zero(count, Vec2::Zero());
    std::vector<double> bend(count, 0);  // height / g over the frame time squared
    std::vector<std::vector<Vec2>> soles(count);
    for (int i = 0; i < n; i++) {
      const std::size_t at = static_cast<std::size_t>(i);
      now.at(i * now.frameTime(), q.data(), v.data(), a.data());
      workspace_.inverse(q.data(), v.data(), a.data(), Vec3(0, 0, -how_.gravity), tau.data());
      Vec3 centre;
      if (!workspace_.centerOfMass(q.data(), nullptr, centre, nullptr)) return;
      if (!(tau[2] > kBears * model_->mass * how_.gravity)) continue;  // flight
      const Vec3 force(tau[0], tau[1], tau[2]), root(q[0], q[1], q[2]);
      const Vec3 moment = Vec3(tau[3], tau[4], tau[5]) + (root - centre).cross(force);
      zero[at] = centre.head<2>() - Vec2(centre.z() * force.x() + moment.y(), centre.z() * force.y() - moment.x()) / force.z();
      bend[at] = centre.z() * model_->mass / force.z() / (now.frameTime() * now.frameTime());
      k_.update(q.data());
      for (std::size_t f = 0; f < course_.feet().size(); f++) {
        if (!course_.stands(f, i * course_.frameTime())) continue;
        std::vector<Vec2> foot;
        Vec2 middle = Vec2::Zero();
        for (const SolePoint& s : course_.soles())
          if (s.at.body == course_.feet()[f]) {
            const Vec3 p = k_.position(s.at);
            if (p.z() - s.radius > 0.01) continue;
            foot.push_back(p.head<2>());
            middle += foot.back();
          }
        for (const Vec2& p : foot) soles[at].push_back(kInSoles * p + (1 - kInSoles) / static_cast<double>(foot.size()) * middle);
      }
    }
    solveShifts(zero, bend, soles);
  }

  void solveShifts(const std::vector<Vec2>& zero, const std::vector<double>& bend, const std::vector<std::vector<Vec2>>& soles) {
    const int n = static_cast<int>(zero.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; i++) {
      const double b = bend[static_cast<std::size_t>(i)];
      if (soles[static_cast<std::size_t>(i)].empty()) continue;
      for (int d : {-1, 0, 1}) entries.emplace_back(i, std::clamp(i + d, 0, n - 1), d == 0 ? 1 + 2 * b : -b);
    }
    Eigen::SparseMatrix<double> L(n, n), identity(n, n);
    L.setFromTriplets(entries.begin(), entries.end());
    identity.setIdentity();
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> normal(Eigen::SparseMatrix<double>(L.transpose() * L + how_.stray * identity));
    if (normal.info() != Eigen::Success) return;
    Eigen::MatrixXd x = Eigen::MatrixXd::Zero(n, 2), moved = x, before(n, 2);
    for (int i = 0; i < n; i++) before.row(i) = shift_[static_cast<std::size_t>(i)].transpose();
    for (int round = 0; round < kProjections; round++) {
      moved = L * x;
      for (int i = 0; i < n; i++) {
        const std::size_t at = static_cast<std::size_t>(i);
        if (soles[at].empty()) continue;
        const Vec2 p = zero[at] + moved.row(i).transpose();
        moved.row(i) = (nearestInHull(p, soles[at]) - zero[at]).transpose();
      }
      x = normal.solve(L.transpose() * moved - how_.stray * before);
    }
    for (int i = 0; i < n; i++) shift_[static_cast<std::size_t>(i)] += x.row(i).transpose();
  }

  std::shared_ptr<const figure::FigureModel> model_;
  Preparation how_;
  std::shared_ptr<const figure::Trajectory> given_;
  std::shared_ptr<figure::Trajectory> made_;
  Course course_;
  retarget::Kinematics k_;
  LegSolver legs_;
  figure::FigureWorkspace workspace_;
  std::vector<Vec2> shift_;
  std::vector<std::vector<double>> lift_;  // by foot and frame
  std::vector<double> lower_;              // of the root, by frame
};

}  // namespace

std::shared_ptr<const figure::Trajectory> prepare(std::shared_ptr<const figure::FigureModel> model,
                                                  std::shared_ptr<const figure::Trajectory> trajectory, const Preparation& how,
                                                  double& shift) {
  return Preparer(std::move(model), std::move(trajectory), how).run(shift);
}

}  // namespace vertebra::control
