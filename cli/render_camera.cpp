// See render_camera.hpp.
#include "cli/render_camera.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/output.hpp"

namespace vertebra::cli {

namespace {

constexpr double kFov = 0.5;      // rad
constexpr double kMargin = 1.06;  // of the distance
constexpr double kSmooth =
    0.5;  // s, half the width of the window over which the target is averaged: steps and arms do not shake the picture

struct Target {
  double x[3];
};

// A level line of sight leaves up +z; from above, x points right.
vtb_camera cameraFrom(const double* eye, const double* target) {
  auto camera = sized<vtb_camera>();
  std::copy_n(eye, 3, camera.position);
  std::copy_n(target, 3, camera.target);
  const bool above = std::hypot(eye[0] - target[0], eye[1] - target[1]) < 1e-3 * std::fabs(eye[2] - target[2]);
  camera.up[above ? 1 : 2] = 1;
  camera.fov = kFov;
  return camera;
}

vtb_camera cameraFrom(const Target& target, const double* direction, double distance) {
  double eye[3];
  for (int k = 0; k < 3; k++) eye[k] = target.x[k] + distance * direction[k];
  return cameraFrom(eye, target.x);
}

// Weighted mean over the times around each.
std::vector<Target> smooth(const std::vector<Target>& centres, const std::vector<double>& times) {
  std::vector<Target> result(centres.size());
  std::size_t first = 0;
  for (std::size_t i = 0; i < times.size(); i++) {
    while (times[i] - times[first] >= kSmooth) first++;
    double sum = 0;
    for (std::size_t j = first; j < times.size() && (j <= i || times[j] - times[i] < kSmooth); j++) {
      const double weight = 1 + std::cos(M_PI * (times[j] - times[i]) / kSmooth);
      for (int k = 0; k < 3; k++) result[i].x[k] += weight * centres[j].x[k];
      sum += weight;
    }
    for (double& x : result[i].x) x /= sum;
  }
  return result;
}

double apart(const Target& a, const Target& b) { return std::hypot(a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]); }

}  // namespace

CameraChoice::CameraChoice(const Arguments& arguments) : given_(arguments.has("camera")) {
  static constexpr struct {
    const char* name;
    double direction[3];  // the front of robots is +x
    int key;
  } kViews[] = {{"corner", {1, -0.7, 0.42}, '1'}, {"front", {1, 0, 0.12}, '2'}, {"side", {0, -1, 0.12}, '5'}, {"top", {0, 0, 1}, '6'}};
  const std::string name = arguments.text("camera", "corner");
  for (const auto& view : kViews)
    if (name == view.name) {
      const double* d = view.direction;
      key_ = view.key;
      for (int k = 0; k < 3; k++) direction_[k] = d[k] / std::hypot(d[0], d[1], d[2]);
      return;
    }
  const auto halves = split(name, ':');
  placed_ = halves.size() == 2;
  for (std::size_t h = 0; h < halves.size() && placed_; h++) {
    const auto parts = split(halves[h], ',');
    placed_ = parts.size() == 3;
    for (std::size_t k = 0; k < 3 && placed_; k++) placed_ = parseNumber(parts[k], (h == 0 ? eye_ : target_)[k]);
  }
  if (!placed_) throw UsageError("--camera: '" + name + "' is not one of corner, front, side, top, nor x,y,z:tx,ty,tz");
  if (std::equal(eye_, eye_ + 3, target_)) throw UsageError("--camera: '" + name + "' looks from a point to the same point");
}

bool CameraChoice::placed(vtb_camera& camera) const {
  if (placed_) camera = cameraFrom(eye_, target_);
  return placed_;
}

std::vector<vtb_camera> CameraChoice::cameras(vtb_view* view, double aspect, Source& source, const std::vector<double>& times) const {
  auto own = sized<vtb_camera>();
  if (placed_)
    own = cameraFrom(eye_, target_);
  else if (given_ || !source.scene() || vtb_scene_get_camera(source.scene(), 0, &own) != VTB_OK)
    return following(view, aspect, source, times);
  return std::vector<vtb_camera>(times.size(), own);
}

std::vector<vtb_camera> CameraChoice::following(vtb_view* view, double aspect, Source& source, const std::vector<double>& times) const {
  const ViewLibrary& library = viewLibrary();
  double direction[3] = {direction_[0], direction_[1], direction_[2]};
  if (source.motion()) direction[0] = direction_[1], direction[1] = -direction_[0];  // their front is -y
  std::vector<Target> centres(times.size());
  std::vector<double> distances(times.size());
  std::size_t seen = 0;  // the last picture with something in it, counted from 1
  Progress progress("framing");
  for (std::size_t i = 0; i < times.size(); i++) {
    source.goTo(times[i]);
    library.check(library.push(view, source.world()));
    double lower[3], upper[3];
    const vtb_status status = library.getBox(view, lower, upper);
    if (status != VTB_OK) {  // nothing yet, as before a source of particles opens, or no more
      if (seen > 0)
        centres[i] = centres[i - 1];
      else if (i + 1 == times.size())
        library.check(status);
      continue;
    }
    for (int k = 0; k < 3; k++) centres[i].x[k] = 0.5 * (lower[k] + upper[k]);
    const vtb_camera towards = cameraFrom(centres[i], direction, 1);  // the distance goes by its up
    library.check(library.setCamera(view, &towards));
    library.check(library.getDistance(view, centres[i].x, direction, kFov, &distances[i]));
    if (seen == 0) std::fill_n(centres.begin(), i, centres[i]);
    seen = i + 1;
    progress.update(static_cast<double>(i + 1) / static_cast<double>(times.size()));
  }
  const std::vector<Target> targets = smooth(centres, times);
  const double narrow = std::tan(0.5 * kFov) * std::min(1.0, aspect);
  double distance = 0;
  for (std::size_t i = 0; i < times.size(); i++)
    distance = std::max(distance, distances[i] + apart(targets[i], centres[i]) * (1 + 1 / narrow));
  if (times.size() > 1) source.restart();
  std::vector<vtb_camera> cameras;
  for (const Target& target : targets) cameras.push_back(cameraFrom(target, direction, kMargin * distance));
  return cameras;
}

}  // namespace vertebra::cli
