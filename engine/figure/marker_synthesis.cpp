// See marker_synthesis.hpp.
#include "engine/figure/marker_synthesis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vertebra::figure {

namespace {
constexpr double kGap = 0.1;  // s

// Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double normal() {  // mean 0, standard deviation 1, without the logarithm of the C library
    double sum = -6;
    for (int k = 0; k < 12; k++) sum += unit();
    return sum;
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits() % n); }

 private:
  std::uint64_t state_;
};

void swapNames(MarkerRecord& r, Random& random) {
  const std::size_t count = r.names.size();
  const std::size_t frame = random.below(static_cast<std::size_t>(r.frames())), one = random.below(count);
  Vec3* now = r.positions.data() + frame * count;
  std::size_t other = one == 0 ? 1 : 0;
  for (std::size_t k = 0; k < count; k++)
    if (k != one && (now[k] - now[one]).norm() < (now[other] - now[one]).norm()) other = k;
  for (Vec3* row = now; row < r.positions.data() + r.positions.size(); row += count) std::swap(row[one], row[other]);
}
}  // namespace

MarkerRecord synthesiseMarkers(const Motion& m, const std::vector<MarkerPlace>& places, const MarkerFaults& faults) {
  MarkerRecord out;
  out.frameTime = m.frameTime;
  std::vector<std::size_t> joints;
  for (const MarkerPlace& place : places) {
    out.names.push_back(place.name);
    joints.push_back(static_cast<std::size_t>(m.findJoint(place.joint)));
  }
  std::vector<Pose> poses(m.joints.size());
  for (int i = 0; i < m.frames(); i++) {
    motionWorldPoses(m, m.frame(i), false, poses.data());
    for (std::size_t k = 0; k < places.size(); k++) out.positions.push_back(poses[joints[k]] * places[k].offset);
  }
  if (out.positions.empty()) return out;
  Random random(faults.seed);
  if (places.size() > 1)
    for (int k = 0; k < faults.swaps; k++) swapNames(out, random);
  if (faults.noise > 0)
    for (Vec3& p : out.positions)
      for (int k = 0; k < 3; k++) p[k] += faults.noise * random.normal();
  if (!(faults.dropout > 0)) return out;
  const double odds = faults.dropout / (1 - faults.dropout), length = std::max({1.0, kGap / m.frameTime, odds});
  for (std::size_t k = 0; k < places.size(); k++) {
    bool gone = random.unit() < faults.dropout;
    for (std::size_t at = k; at < out.positions.size(); at += places.size()) {
      if (gone) out.positions[at] = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
      gone = gone ? random.unit() >= 1 / length : random.unit() < odds / length;
    }
  }
  return out;
}

}  // namespace vertebra::figure
