// A foot's sole, as contacts see it: points about the ankle, of which the lowest stand. Metres; orientations of the foot's body, world
// axes.
#pragma once
#include <algorithm>
#include <vector>

#include "engine/retarget/target.hpp"

namespace vertebra::retarget {

inline constexpr double kApproach = 0.2;     // s; in which a foot's hold rises from nothing before a contact
inline constexpr double kClearance = 0.002;  // m; of soles that are in the air
inline constexpr double kBlend = 0.1;        // s; standard deviation of the smoothing of the root's path

inline double smoothStep(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (10 + x * (6 * x - 15));
}

class Sole {
 public:
  Sole(const Target& t, int side) {
    const Anchor& ankle = t.ankle[side];
    for (const figure::SurfacePoint& b : t.model->surface()[static_cast<std::size_t>(ankle.body)])
      points_.push_back({b.point - ankle.point, b.radius});
    if (points_.empty()) points_.push_back({});
  }
  double lowest(const Mat3& R) const {
    double z = kInf;
    for (const figure::SurfacePoint& b : points_) z = std::min(z, R.row(2).dot(b.point) - b.radius);
    return z;
  }
  // How the ankle moves while the foot turns from A to B over its lowest points.
  Vec3 roll(const Mat3& A, const Mat3& B) const {
    const double low = lowest(A);
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (const figure::SurfacePoint& b : points_)
      if (A.row(2).dot(b.point) - b.radius < low + kNear) {
        sum += (A - B) * b.point;
        count++;
      }
    return sum / count;
  }

 private:
  static constexpr double kNear = 0.005;  // m; soles touch with points this near to their lowest

  std::vector<figure::SurfacePoint> points_;
};

}  // namespace vertebra::retarget
