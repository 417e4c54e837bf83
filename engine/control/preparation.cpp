// See preparation.hpp.
#include "engine/control/preparation.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "engine/control/legs.hpp"
#include "engine/control/support.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::control {

namespace {

using Vec2 = Eigen::Vector2d;

constexpr int kSmooth = 8;          // frames each way over which the height of the root is averaged
constexpr double kAround = 0.5;     // s before and after a swing in which a figure counts as stepping
constexpr int kRamp = 4;            // frames over which a foot's clearance grows after it stood
constexpr int kProjections = 60;    // of forces onto the soles
constexpr double kInSoles = 0.2;    // of the way from the middle of a foot to its soles where forces are planned: ankles are weak
constexpr double kInKnees = 0.7;    // the same while the figure kneels: shins bear without ankles
constexpr double kEdge = 5e-3;      // m: height above its lowest sole to which a foot that is turned stays on its soles
constexpr double kWide = 0.01;      // m: deviation of soles across the foot from which they make a plane
constexpr double kMissed = 3e-3;    // m and rad together: what a leg may miss of a foot that is turned flat
constexpr double kFlattest = 0.75;  // largest share of a foot's tilt that it is turned back by: the last of a lifted heel pushes
constexpr int kFlatTries = 6;       // of angles that a leg does not reach
constexpr double kFlatPart = 0.75;  // of the angle tried before
constexpr double kBears = 0.2;      // share of the weight below which a frame counts as flight

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
    for (std::size_t f = 0; f < course_.feet().size(); f++) {
      lift_.push_back(clearance(f));
      up_.push_back(upOf(f));
    }
    steps_ = stepping();
    lower_ = lowering();
    for (std::size_t f = 0; f < course_.feet().size(); f++) flat_.push_back(flatness(f));
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
      low[static_cast<std::size_t>(i)] = lowest(foot, k_);
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

  // Frames at and near swings, not on knees.
  std::vector<bool> stepping() const {
    const int n = course_.frames(), around = static_cast<int>(kAround / course_.frameTime());
    std::vector<bool> out(static_cast<std::size_t>(n));
    const auto mark = [&](int i, int far, bool as) {
      std::fill(out.begin() + std::max(0, i - far), out.begin() + std::min(n, i + far + 1), as);
    };
    for (int i = 0; i < n; i++)
      for (std::size_t f = 0; f < course_.feet().size(); f++)
        if (ends(f) && !course_.stands(f, i * course_.frameTime())) mark(i, around, true);
    for (int i = 0; i < n; i++)
      if (kneels(i)) mark(i, kSmooth, false);
    return out;
  }

  // The root goes down with feet that stand above the ground, and where the figure steps so far that legs that stand are not straight.
  std::vector<double> lowering() const {
    const int n = course_.frames();
    std::vector<double> out(static_cast<std::size_t>(n), 0), mean = out;
    const double bend = how_.bend * std::max(0.0, given_->frame(0)[2]);
    double last = 0;
    for (int i = 0; i < n; i++) {
      double sum = 0;
      int count = 0;
      for (std::size_t f = 0; f < course_.feet().size(); f++)
        if (course_.stands(f, i * course_.frameTime())) sum += std::min(0.0, lift_[f][static_cast<std::size_t>(i)]), count++;
      if (count) last = sum / count;
      mean[static_cast<std::size_t>(i)] = last - (steps_[static_cast<std::size_t>(i)] ? bend : 0);
    }
    for (int i = 0; i < n; i++) {
      for (int d = -kSmooth; d <= kSmooth; d++)
        out[static_cast<std::size_t>(i)] += mean[static_cast<std::size_t>(std::clamp(i + d, 0, n - 1))];
      out[static_cast<std::size_t>(i)] /= 2 * kSmooth + 1;
    }
    return out;
  }

  double lowest(std::size_t foot, const retarget::Kinematics& k) const {
    double low = kInf;
    for (const SolePoint& s : course_.soles())
      if (s.at.body == course_.feet()[foot]) low = std::min(low, k.position(s.at).z() - s.radius);
    return low;
  }

  Vec3 lowSoles(std::size_t foot, const retarget::Kinematics& k) const {  // their mean place
    const double low = lowest(foot, k);
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (const SolePoint& s : course_.soles())
      if (s.at.body == course_.feet()[foot] && k.position(s.at).z() - s.radius <= low + kEdge) sum += k.position(s.at), count++;
    return sum / count;
  }

  // The vertical in a flat foot's axes: across the plane of its soles, as it is where the foot first stands; zero where these are no plane.
  Vec3 upOf(std::size_t foot) {
    std::vector<Vec3> points;
    Vec3 mean = Vec3::Zero();
    for (const SolePoint& s : course_.soles())
      if (s.at.body == course_.feet()[foot]) points.push_back(s.at.point), mean += s.at.point;
    mean /= static_cast<double>(points.size());
    Mat3 spread = Mat3::Zero();
    for (const Vec3& p : points) spread += (p - mean) * (p - mean).transpose() / static_cast<double>(points.size());
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(spread);
    if (!(axes.eigenvalues()[1] > kWide * kWide)) return Vec3::Zero();
    int i = 0;
    while (!course_.stands(foot, i * course_.frameTime())) i++;
    k_.update(given_->frame(i));
    const Vec3 across = axes.eigenvectors().col(0), up = k_.bodyRotation(course_.feet()[foot]).transpose() * Vec3::UnitZ();
    return up.dot(across) < 0 ? Vec3(-across) : across;
  }

  bool standsAlone(std::size_t foot, int frame) const {
    const double t = frame * course_.frameTime();
    for (std::size_t f = 0; f < course_.feet().size(); f++)
      if (course_.stands(f, t) != (f == foot)) return false;
    return true;
  }

  // By which share of its tilt the foot is turned flat, by frame: most while it alone stands (an ankle carries the figure on the edge of
  // a foot hardly or not at all), as far as the leg reaches, without jumps.
  std::vector<double> flatness(std::size_t foot) {
    const int n = course_.frames();
    std::vector<double> wanted(static_cast<std::size_t>(n), 0.0), out = wanted, q(static_cast<std::size_t>(model_->nq()));
    if (!ends(foot) || up_[foot].isZero(0)) return out;
    for (int i = 0; i < n; i++) {
      if (!standsAlone(foot, i)) continue;
      for (int k = std::max(0, i - kRamp + 1); k < std::min(n, i + kRamp); k++) {
        const double c = std::cos(0.5 * kPi * (k - i) / kRamp);
        wanted[static_cast<std::size_t>(k)] = std::max(wanted[static_cast<std::size_t>(k)], kFlattest * c * c);
      }
    }
    retarget::Kinematics given(model_);
    for (int i = 0; i < n; i++) {
      double& share = wanted[static_cast<std::size_t>(i)];
      if (share <= 0) continue;
      given.update(given_->frame(i));
      for (int tries = 0; share > 0; tries++) {
        std::copy(given_->frame(i), given_->frame(i) + q.size(), q.begin());
        q[2] += lower_[static_cast<std::size_t>(i)];
        if (put(foot, i, share, given, q.data()) < kMissed) break;
        share = tries < kFlatTries ? kFlatPart * share : 0;
      }
    }
    const auto near = [&](int i) { return static_cast<std::size_t>(std::clamp(i, 0, n - 1)); };
    std::vector<double> least(wanted.size());
    for (int i = 0; i < n; i++) least[near(i)] = std::min({wanted[near(i - 1)], wanted[near(i)], wanted[near(i + 1)]});
    for (int i = 0; i < n; i++) out[near(i)] = (least[near(i - 1)] + least[near(i)] + least[near(i + 1)]) / 3;
    return out;
  }

  // The leg at q puts its foot where frame i has it, lifted and, about its lowest soles, turned flat by a share: what it misses.
  double put(std::size_t foot, int i, double flat, const retarget::Kinematics& given, double* q) {
    const int body = course_.feet()[foot];
    Vec3 place = given.bodyPosition(body);
    Mat3 turn = given.bodyRotation(body);
    if (flat > 0) {
      const Vec3 edge = lowSoles(foot, given);
      const Quat whole = quatBetween((turn * up_[foot]).normalized(), Vec3::UnitZ());
      const Mat3 level = slerp(Quat::Identity(), whole, flat).toRotationMatrix();
      place = edge + level * (place - edge);
      turn = level * turn;
    }
    return legs_.reach(body, place + lift_[foot][static_cast<std::size_t>(i)] * Vec3::UnitZ(), turn, q);
  }

  // All frames again: the root shifted, feet where they were but for what they are lifted and turned.
  void pose() {
    const int nq = given_->nq();
    retarget::Kinematics given(model_);
    for (int i = 0; i < course_.frames(); i++) {
      const std::size_t at = static_cast<std::size_t>(i);
      double* q = made_->q.data() + at * static_cast<std::size_t>(nq);
      std::copy(given_->frame(i), given_->frame(i) + nq, q);
      bool moves = shift_[at].squaredNorm() > 0 || lower_[at] != 0;
      for (std::size_t f = 0; f < lift_.size(); f++) moves = moves || lift_[f][at] != 0 || flat_[f][at] > 0;
      if (!moves) continue;
      given.update(given_->frame(i));
      for (int k = 0; k < 2; k++) q[k] += shift_[at][k];
      q[2] += lower_[at];
      for (std::size_t f = 0; f < course_.feet().size(); f++) put(f, i, flat_[f][at], given, q);
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
      const double in = kneels(i) ? kInKnees : kInSoles;
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
  LegSolver legs_;
  figure::FigureWorkspace workspace_;
  std::vector<Vec2> shift_;
  std::vector<std::vector<double>> lift_, flat_;  // by foot and frame
  std::vector<Vec3> up_;                          // by foot
  std::vector<double> lower_;                     // of the root, by frame
  std::vector<bool> steps_;                       // by frame
};

}  // namespace

std::shared_ptr<const figure::Trajectory> prepare(std::shared_ptr<const figure::FigureModel> model,
                                                  std::shared_ptr<const figure::Trajectory> trajectory, const Preparation& how,
                                                  double& shift) {
  return Preparer(std::move(model), std::move(trajectory), how).run(shift);
}

}  // namespace vertebra::control
