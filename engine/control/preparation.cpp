// See preparation.hpp.
#include "engine/control/preparation.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "engine/control/footing.hpp"
#include "engine/control/support.hpp"

namespace vertebra::control {

namespace {

using Vec2 = Eigen::Vector2d;

constexpr double kSmooth = 0.27;  // s each way over which the height of the root is averaged
constexpr double kAround = 0.5;   // s before and after a swing in which a figure counts as stepping
constexpr int kProjections = 60;  // of forces onto the soles
constexpr double kInSoles = 0.2;  // of the way from the middle of a foot to its soles where forces are planned: ankles are weak
constexpr double kInKnees = 0.7;  // the same while the figure kneels: shins bear without ankles
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
        feet_(model, trajectory, course_, how.clearance),
        workspace_(model) {
    shift_.assign(static_cast<std::size_t>(course_.frames()), Vec2::Zero());
    steps_ = stepping();
    lower_ = lowering();
    feet_.turnFlat(lower_);
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
  // Frames at and near swings, not on knees.
  std::vector<bool> stepping() const {
    const int n = course_.frames(), around = course_.framesOf(kAround);
    std::vector<bool> out(static_cast<std::size_t>(n));
    const auto mark = [&](int i, int far, bool as) {
      std::fill(out.begin() + std::max(0, i - far), out.begin() + std::min(n, i + far + 1), as);
    };
    for (int i = 0; i < n; i++)
      for (std::size_t f = 0; f < course_.feet().size(); f++)
        if (feet_.ends(f) && !feet_.stands(f, i)) mark(i, around, true);
    for (int i = 0; i < n; i++)
      if (feet_.kneels(i)) mark(i, course_.framesOf(kSmooth), false);
    return out;
  }

  // The root goes down where the figure steps so far that legs that stand are not straight.
  std::vector<double> lowering() const {
    const int n = course_.frames(), smooth = course_.framesOf(kSmooth);
    std::vector<double> out(static_cast<std::size_t>(n), 0);
    const double bend = how_.bend * std::max(0.0, given_->frame(0)[2]);
    for (int i = 0; i < n; i++)
      for (int d = -smooth; d <= smooth; d++)
        if (steps_[static_cast<std::size_t>(std::clamp(i + d, 0, n - 1))]) out[static_cast<std::size_t>(i)] -= bend / (2 * smooth + 1);
    return out;
  }

  // All frames again: the root shifted, feet where they were but for what they are lifted and turned.
  void pose() {
    const int nq = given_->nq();
    retarget::Kinematics given(model_);
    for (int i = 0; i < course_.frames(); i++) {
      const std::size_t at = static_cast<std::size_t>(i);
      double* q = made_->q.data() + at * static_cast<std::size_t>(nq);
      std::copy(given_->frame(i), given_->frame(i) + nq, q);
      if (shift_[at].isZero(0) && lower_[at] == 0 && !feet_.moves(i)) continue;
      given.update(given_->frame(i));
      for (int k = 0; k < 2; k++) q[k] += shift_[at][k];
      q[2] += lower_[at];
      feet_.pose(i, given, q);
    }
  }

  // A shift d of the centre of mass moves the point of zero moment by d - (height / g) d''.
  void addShifts() {
    const int n = course_.frames();
    const std::size_t count = static_cast<std::size_t>(n);
    const Course now(model_, made_, false);
    std::vector<double> q(static_cast<std::size_t>(model_->nq())), v(static_cast<std::size_t>(model_->nv())), a(v.size()), tau(v.size());
    std::vector<Vec2> zero(count, Vec2::Zero());
    std::vector<double> bend(count, 0);  // height / g over the frame time squared
    std::vector<std::vector<Vec2>> soles(count);
    for (int i = 0; i < n; i++) {
      const std::size_t at = static_cast<std::size_t>(i);
      now.at(i * now.frameTime(), q.data(), v.data(), a.data());
      workspace_.inverse(q.data(), v.data(), a.data(), Vec3(0, 0, -how_.gravity), tau.data());
      Vec3 centre;
      if (!workspace_.centerOfMass(centre, nullptr)) return;
      if (!(tau[2] > kBears * model_->mass * how_.gravity)) continue;  // flight
      const Vec3 force(tau[0], tau[1], tau[2]), root(q[0], q[1], q[2]);
      const Vec3 moment = Vec3(tau[3], tau[4], tau[5]) + (root - centre).cross(force);
      zero[at] = centre.head<2>() - Vec2(centre.z() * force.x() + moment.y(), centre.z() * force.y() - moment.x()) / force.z();
      bend[at] = centre.z() * model_->mass / force.z() / (now.frameTime() * now.frameTime());
      k_.update(q.data());
      const double in = feet_.kneels(i) ? kInKnees : kInSoles;
      for (std::size_t f = 0; f < course_.feet().size(); f++) {
        if (!feet_.stands(f, i)) continue;
        std::vector<Vec2> foot;
        Vec2 middle = Vec2::Zero();
        for (const SolePoint& s : course_.soles())
          if (s.at.body == course_.feet()[f]) {
            const Vec3 p = k_.position(s.at);
            if (p.z() - s.radius > 0.01) continue;
            foot.push_back(p.head<2>());
            middle += foot.back();
          }
        for (const Vec2& p : foot) soles[at].push_back(in * p + (1 - in) / static_cast<double>(foot.size()) * middle);
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
  Footing feet_;
  figure::FigureWorkspace workspace_;
  std::vector<Vec2> shift_;
  std::vector<double> lower_;  // of the root, by frame
  std::vector<bool> steps_;    // by frame
};

}  // namespace

std::shared_ptr<const figure::Trajectory> prepare(std::shared_ptr<const figure::FigureModel> model,
                                                  std::shared_ptr<const figure::Trajectory> trajectory, const Preparation& how,
                                                  double& shift) {
  return Preparer(std::move(model), std::move(trajectory), how).run(shift);
}

}  // namespace vertebra::control
