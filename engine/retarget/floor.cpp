// See floor.hpp.
#include "engine/retarget/floor.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace vertebra::retarget {

namespace {

constexpr double kWide = 0.4;           // m: standard deviation of resting places along a direction from which a slope is found
constexpr double kSteepestFloor = 0.1;  // m/m
constexpr double kLeastRise = 0.01;     // m: over two standard deviations of the places; less is taken as level
constexpr double kBetter = 0.7;         // of the heights' deviation without slope: where less is left, it counts,
constexpr double kPlaneOff = 0.01;      // m: and less than this,
constexpr double kMost = 0.7;           // and so large a share of the resting places is on the plane
constexpr double kOutside = 0.02;       // m: resting places farther from the plane than this and 2.5 times the median are left out
constexpr int kPlaneRounds = 5;

constexpr Role kPoints[] = {Role::LeftToe, Role::RightToe, Role::LeftFoot, Role::RightFoot};
constexpr int kPointCount = 4;

struct Rest {
  int point;
  Vec3 p;  // from the mean place of all
  bool counts = true;
};

// Frames of the motion's own in which a point is slow, whatever its height.
std::vector<Rest> restsOf(const Source& s) {
  std::vector<Rest> out;
  figure::ContactRule slow = s.rule;
  slow.height[0] = slow.height[1] = kInf;
  for (int k = 0; k < kPointCount; k++) {
    std::vector<Vec3> positions;
    for (int i = s.ownFirst; i <= s.ownLast; i++) positions.push_back(s.frames[static_cast<std::size_t>(i)].p[kPoints[k]]);
    const std::vector<bool> on = figure::restingFrames(figure::trackOf(positions, s.frameTime), 0, slow, s.frameTime);
    for (std::size_t i = 0; i < on.size(); i++)
      if (on[i]) out.push_back({k, positions[i]});
  }
  return out;
}

using Directions = Eigen::Matrix<double, 2, Eigen::Dynamic>;  // horizontal, unit

struct Fit {
  Eigen::Vector2d slope = Eigen::Vector2d::Zero();
  double deviation = 0;  // m: median
  double share = 0;      // of the places that are on the plane
};

// Heights on a plane with a height of its own for each point; the slope lies in the directions given.
Fit fitPlane(std::vector<Rest>& rests, const Directions& directions, double size) {
  const Eigen::Index wide = directions.cols(), unknowns = kPointCount + wide;
  for (Rest& r : rests) r.counts = true;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(unknowns), row(unknowns);
  Fit fit;
  std::vector<double> off(rests.size());
  for (int round = 0; round < kPlaneRounds; round++) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(unknowns, unknowns);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(unknowns);
    const auto rowOf = [&](const Rest& r) {
      row.setZero();
      row[r.point] = 1;
      row.tail(wide) = directions.transpose() * r.p.head<2>();
    };
    for (const Rest& r : rests) {
      if (!r.counts) continue;
      rowOf(r);
      A += row * row.transpose();
      b += r.p.z() * row;
    }
    A.diagonal().array() += 1e-9;  // a point that never rests has no height
    x = A.ldlt().solve(b);
    for (std::size_t i = 0; i < rests.size(); i++) {
      rowOf(rests[i]);
      off[i] = std::fabs(rests[i].p.z() - row.dot(x));
    }
    const double bound = std::max(kOutside * size, 2.5 * figure::quantile(off, 0.5));
    for (std::size_t i = 0; i < rests.size(); i++) rests[i].counts = off[i] < bound;
  }
  const auto on = std::count_if(off.begin(), off.end(), [&](double o) { return o < kOutside * size; });
  fit.share = static_cast<double>(on) / static_cast<double>(off.size());
  fit.deviation = figure::quantile(off, 0.5);
  fit.slope = directions * x.tail(wide);
  return fit;
}

}  // namespace

Eigen::Vector2d floorSlope(const Source& s) {
  std::vector<Rest> rests = restsOf(s);
  if (rests.empty()) return Eigen::Vector2d::Zero();
  const double size = s.size();
  Vec3 mean = Vec3::Zero();
  for (const Rest& r : rests) mean += r.p / static_cast<double>(rests.size());
  Eigen::Matrix2d spread = Eigen::Matrix2d::Zero();
  for (Rest& r : rests) {
    r.p -= mean;
    spread += r.p.head<2>() * r.p.head<2>().transpose() / static_cast<double>(rests.size());
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes(spread);
  Eigen::Index wide = 0;
  while (wide < 2 && axes.eigenvalues()[1 - wide] > kWide * size * kWide * size) wide++;
  if (wide == 0) return Eigen::Vector2d::Zero();
  const Fit flat = fitPlane(rests, Directions(2, 0), size);
  const Fit leaning = fitPlane(rests, axes.eigenvectors().rightCols(wide), size);
  const double rise = 2 * std::sqrt(leaning.slope.dot(spread * leaning.slope));
  const bool leans = leaning.slope.norm() < kSteepestFloor && rise > kLeastRise * size;
  const bool fits = leaning.deviation < std::min(kBetter * flat.deviation, kPlaneOff * size) && leaning.share > kMost;
  return leans && fits ? leaning.slope : Eigen::Vector2d::Zero();
}

void level(const Eigen::Vector2d& slope, SourceFrame& f) {
  const Vec3 under = 0.5 * (f.p[Role::LeftHip] + f.p[Role::RightHip]);
  for (Vec3& p : f.p) p.z() -= slope.dot(under.head<2>());
}

}  // namespace vertebra::retarget
