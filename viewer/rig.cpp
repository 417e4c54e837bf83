// See rig.hpp.
#include "viewer/rig.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::viewer {

namespace {
constexpr double kTurn = 0.006;  // rad a pixel
constexpr double kZoom = 0.88;   // of the distance, a notch
constexpr double kSteepest = 0.5 * M_PI;
constexpr double kMargin = 1.08;  // of the distance that just shows everything
}  // namespace

osg::Vec3d Rig::back() const {
  return {std::cos(elevation_) * std::cos(azimuth_), std::cos(elevation_) * std::sin(azimuth_), std::sin(elevation_)};
}
osg::Vec3d Rig::right() const { return {-std::sin(azimuth_), std::cos(azimuth_), 0}; }
osg::Vec3d Rig::up() const { return back() ^ right(); }

void Rig::orbit(double dx, double dy) {
  azimuth_ = std::remainder(azimuth_ - kTurn * dx, 2 * M_PI);
  elevation_ = std::clamp(elevation_ + kTurn * dy, -kSteepest, kSteepest);
}

void Rig::pan(double dx, double dy) {
  const double scale = metresPerPixel(distance_);
  target_ += right() * (-dx * scale) + up() * (dy * scale);
}

void Rig::zoom(double notches) { distance_ = std::clamp(distance_ * std::pow(kZoom, notches), 1e-3, 1e6); }

void Rig::show(int view) {
  static constexpr struct {
    double azimuth, elevation;
  } kViews[] = {{-0.61, 0.33}, {0, 0.12}, {M_PI, 0.12}, {0.5 * M_PI, 0.12}, {-0.5 * M_PI, 0.12}, {-0.5 * M_PI, kSteepest}};
  azimuth_ = std::remainder(kViews[view].azimuth + front_, 2 * M_PI);
  elevation_ = kViews[view].elevation;
}

void Rig::fit(const std::vector<osg::Vec3d>& points) {
  if (points.empty()) return;
  osg::Vec3d lower = points[0], upper = points[0];
  for (const osg::Vec3d& p : points)
    for (int k = 0; k < 3; k++) lower[k] = std::min(lower[k], p[k]), upper[k] = std::max(upper[k], p[k]);
  target_ = (lower + upper) * 0.5;
  const double tall = std::tan(0.5 * fov_), wide = tall * width_ / height_;
  double least = 0;
  for (const osg::Vec3d& point : points) {
    const osg::Vec3d p = point - target_;
    least = std::max(least, p * back() + std::max(std::fabs(p * right()) / wide, std::fabs(p * up()) / tall));
  }
  distance_ = std::max(kMargin * least, 1e-3);
}

void Rig::set(const vtb_camera& camera) {
  const osg::Vec3d eye(camera.position[0], camera.position[1], camera.position[2]);
  target_.set(camera.target[0], camera.target[1], camera.target[2]);
  osg::Vec3d away = eye - target_;
  distance_ = std::max(away.length(), 1e-3);
  away /= distance_;
  elevation_ = std::asin(std::clamp(away.z(), -1.0, 1.0));
  azimuth_ = std::hypot(away.x(), away.y()) < 1e-3 ? std::atan2(-camera.up[1], -camera.up[0]) : std::atan2(away.y(), away.x());
  fov_ = camera.fov;
}

vtb_camera Rig::camera() const {
  vtb_camera camera{};
  camera.struct_size = sizeof camera;
  const osg::Vec3d eye = target_ + back() * distance_, top = up();
  for (int k = 0; k < 3; k++) camera.position[k] = eye[k], camera.target[k] = target_[k], camera.up[k] = top[k];
  camera.fov = fov_;
  return camera;
}

Ray Rig::ray(double x, double y) const {
  const double scale = metresPerPixel(1);
  osg::Vec3d direction = forward() + right() * ((x - 0.5 * width_) * scale) + up() * ((0.5 * height_ - y) * scale);
  direction.normalize();
  return {target_ + back() * distance_, direction};
}

double Rig::metresPerPixel(double depth) const { return 2 * depth * std::tan(0.5 * fov_) / height_; }

}  // namespace vertebra::viewer
