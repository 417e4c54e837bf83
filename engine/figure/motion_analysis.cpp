// See motion_analysis.hpp.
#include "engine/figure/motion_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/figure/motion_derivatives.hpp"
#include "engine/figure/motion_ground.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::figure {

namespace {
constexpr int kAround = 5;             // steps before and behind, of which the median is taken
constexpr double kVelocityTime = 0.1;  // s
constexpr int kMostFrames = 1500;      // of which all pairs are compared

using Steps = std::vector<double>;

std::vector<bool> largeSteps(const Steps& d, double least) {
  std::vector<bool> large(d.size(), false);
  for (std::size_t i = 0; i < d.size(); i++) {
    if (!(d[i] > least)) continue;
    Steps around;
    for (std::size_t k = i > kAround ? i - kAround : 0; k < std::min(d.size(), i + kAround + 1); k++)
      if (k != i) around.push_back(d[k]);
    if (around.size() < 2) continue;
    std::nth_element(around.begin(), around.begin() + static_cast<std::ptrdiff_t>(around.size() / 2), around.end());
    large[i] = d[i] > kOutlierRatio * around[around.size() / 2];
  }
  return large;
}

class Finder {
 public:
  explicit Finder(int frames) : n_(frames) {}
  // Steps of one joint; across(i): the step from frame i - 1 to i + 1.
  template <class Across>
  void take(int joint, const Steps& d, double least, bool angle, const Across& across) {
    const std::vector<bool> large = largeSteps(d, least);
    for (std::size_t i = 0; i < d.size(); i++) {
      if (!large[i]) continue;
      const int to = static_cast<int>(i) + 1;
      if (i + 1 < d.size() && large[i + 1] && across(to) < 0.5 * std::min(d[i], d[i + 1])) {
        add(to, OutlierKind::Spike, joint, std::max(d[i], d[i + 1]), angle);
        i++;
      } else if (i == 0) {
        add(0, OutlierKind::First, joint, d[i], angle);
      } else {
        add(to, to == n_ - 1 ? OutlierKind::Last : OutlierKind::Jump, joint, d[i], angle);
      }
    }
  }
  std::vector<Outlier> all() const {
    std::vector<Outlier> out;
    for (const auto& [key, found] : found_) out.push_back(found.first);
    return out;
  }

 private:
  void add(int frame, OutlierKind kind, int joint, double size, bool angle) {
    auto& [o, last] = found_[{frame, static_cast<int>(kind)}];
    const double relative = size / (angle ? kOutlierAngle : kOutlierPath);
    const double largest = std::max(o.angle / kOutlierAngle, o.path / kOutlierPath);
    o.frame = frame, o.kind = kind;
    if (o.joints == 0 || joint != last) o.joints++;
    last = joint;
    if (relative <= largest) return;
    o.joint = joint;
    o.angle = angle ? size : 0;
    o.path = angle ? 0 : size;
  }
  int n_;
  std::map<std::pair<int, int>, std::pair<Outlier, int>> found_;  // by frame and kind; with the joint last counted
};
}  // namespace

std::vector<Outlier> motionOutliers(const Motion& m) {
  const int n = m.frames();
  Finder finder(n);
  const double turn = std::max(kOutlierAngle, kOutlierRate * m.frameTime), path = std::max(kOutlierPath, kOutlierSpeed * m.frameTime);
  for (std::size_t j = 0; j < m.joints.size(); j++) {
    std::vector<Pose> local;
    for (int i = 0; i < n; i++) local.push_back(motionLocalPose(m, static_cast<int>(j), m.frame(i)));
    const auto angle = [&](int a, int b) {
      return quatLog(local[static_cast<std::size_t>(a)].q.conjugate() * local[static_cast<std::size_t>(b)].q).norm();
    };
    const auto way = [&](int a, int b) {
      return m.unit * (local[static_cast<std::size_t>(b)].p - local[static_cast<std::size_t>(a)].p).norm();
    };
    Steps angles, ways;
    for (int i = 0; i + 1 < n; i++) angles.push_back(angle(i, i + 1)), ways.push_back(way(i, i + 1));
    finder.take(static_cast<int>(j), angles, turn, true, [&](int i) { return angle(i - 1, i + 1); });
    if (m.joints[j].parent < 0) finder.take(static_cast<int>(j), ways, path, false, [&](int i) { return way(i - 1, i + 1); });
  }
  return finder.all();
}

namespace {
using Features = std::vector<float>;  // of a frame: positions and velocities in the axes of the carrier's heading

Features featuresOf(const Motion& m, const Carrier& carrier, int frame, std::vector<Pose>& poses, std::vector<Vec6>& velocities) {
  motionWorldPoses(m, m.frame(frame), false, poses.data());
  motionDerivatives(m, frame, velocities.data(), nullptr);
  const GroundPlace place = placeOnGround(m, carrier, m.frame(frame));
  const Quat back = quatFromAxisAngle(Vec3::UnitZ(), -place[2]);
  const Vec3 ground(place[0], place[1], 0);
  Features out;
  for (auto j = static_cast<std::size_t>(carrier.joint); j < poses.size(); j++) {  // those before stay where the clip goes
    const Vec3 p = back * (poses[j].p - ground), v = kVelocityTime * (back * velocities[j].head<3>());
    for (int k = 0; k < 3; k++) out.push_back(static_cast<float>(p[k])), out.push_back(static_cast<float>(v[k]));
  }
  return out;
}

double between(const Features& a, const Features& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); k++) {
    const double d = static_cast<double>(a[k]) - static_cast<double>(b[k]);
    sum += d * d;
  }
  return std::sqrt(6 * sum / static_cast<double>(a.size()));
}
}  // namespace

Loop motionLoop(const Motion& m, double shortest) {
  Loop best;
  const int n = m.frames();
  if (m.joints.empty() || n < 3) return best;
  const int stride = (n + kMostFrames - 1) / kMostFrames;
  const int least = std::max(2, static_cast<int>(std::min(1e9, std::ceil(shortest / m.frameTime - 1e-9))));
  const Carrier carrier = carriersOf(m)[0];
  std::vector<Pose> poses(m.joints.size());
  std::vector<Vec6> velocities(m.joints.size());
  std::vector<Features> features;
  for (int i = 0; i < n; i++) features.push_back(featuresOf(m, carrier, i, poses, velocities));
  const auto error = [&](int a, int b) { return between(features[static_cast<std::size_t>(a)], features[static_cast<std::size_t>(b)]); };
  std::vector<Loop> byLength(static_cast<std::size_t>(n));  // the best pair of each length
  double lowest = kInf;
  const auto consider = [&](int a, int b) {
    if (a < 0 || b >= n || b - a < least) return;
    Loop& kept = byLength[static_cast<std::size_t>(b - a)];
    const double e = error(a, b);
    if (kept.first < 0 || e < kept.error) kept = {a, b, e};
    lowest = std::min(lowest, e);
  };
  for (int a = 0; a < n; a += stride)
    for (int b = (a + least + stride - 1) / stride * stride; b < n; b += stride) consider(a, b);
  if (stride > 1) {  // around the least errors of the coarse lengths, all frames near both ends
    std::vector<Loop> coarse;
    for (const Loop& each : byLength)
      if (each.first >= 0) coarse.push_back(each);
    for (std::size_t k = 0; k < coarse.size(); k++) {
      const double e = coarse[k].error;
      if ((k > 0 && coarse[k - 1].error < e) || (k + 1 < coarse.size() && coarse[k + 1].error < e)) continue;
      for (int a = coarse[k].first - stride; a <= coarse[k].first + stride; a++)
        for (int b = coarse[k].last - stride; b <= coarse[k].last + stride; b++) consider(a, b);
    }
  }
  for (const Loop& each : byLength)
    if (each.first >= 0 && each.error <= 1.1 * lowest + 1e-3) return each;  // shortest first
  return best;
}

}  // namespace vertebra::figure
