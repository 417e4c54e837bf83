// See course.hpp.
#include "engine/control/course.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/retarget/target.hpp"

namespace vertebra::control {

namespace {

constexpr double kTouch = 0.025;     // m: height of its lowest point below which a body may stand
constexpr double kFlat = 8e-3;       // m: height above that up to which other points stand too
constexpr double kLevel = 5e-4;      // m: height above the lowest up to which a point of a flat sole is level with it
constexpr double kStill = 0.25;      // m/s: their largest speed then
constexpr double kRolls = 0.6;       // m/s: the same of a foot that rolls onto or off the ground, over its heel or its toes,
constexpr double kRollLow = 0.01;    // m: below which it then is,
constexpr double kRolling = 0.14;    // s: before and after it is still
constexpr double kOnLine = 0.01;     // m: root of the sum of the squares of corners' distances from a line, below which they lie on it
constexpr double kAcross = 0.9;      // cosine of how far a sole leans where it first stands
constexpr std::size_t kCorners = 8;  // points of one body that are kept

// Of the plane through the corners of a sole, to the side of `up`; zero where they lie on a line, or not across `up`. Soles of meshes are
// rounded by some mm: what lies above the lowest point bears as soon as the foot leans by a degree, and counts as level with it.
Vec3 normalOf(const std::vector<SolePoint>& corners, const Vec3& up) {
  Vec3 mean = Vec3::Zero();
  for (const SolePoint& c : corners) mean += c.at.point / static_cast<double>(corners.size());
  Mat3 spread = Mat3::Zero();
  for (const SolePoint& c : corners) spread += (c.at.point - mean) * (c.at.point - mean).transpose();
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(spread);
  const Vec3 normal = axes.eigenvectors().col(0);
  const double cosine = normal.dot(up);
  if (!(std::sqrt(axes.eigenvalues()[1]) > kOnLine) || std::fabs(cosine) < kAcross) return Vec3::Zero();
  return cosine > 0 ? normal : Vec3(-normal);
}

}  // namespace

Course::Course(std::shared_ptr<const figure::FigureModel> model, std::shared_ptr<const figure::Trajectory> trajectory, bool stands)
    : model_(std::move(model)), trajectory_(std::move(trajectory)), frames_(trajectory_->frames()), frameTime_(trajectory_->frameTime) {
  for (std::vector<double>* x : {&before_, &here_, &after_}) x->resize(static_cast<std::size_t>(model_->nv()));
  if (stands) findSoles();
}

const double* Course::frame(int i) const { return trajectory_->frame(std::clamp(i, 0, frames_ - 1)); }

int Course::framesOf(double seconds) const {
  return std::max(1, static_cast<int>(std::lround(std::min<double>(seconds / frameTime_, frames_))));
}

void Course::at(double t, double* q, double* v, double* a) const {
  const figure::Coordinates& c = model_->coordinates;
  const double end = duration(), inside = std::clamp(t, 0.0, end);
  const int i = std::clamp(static_cast<int>(inside / frameTime_), 0, std::max(0, frames_ - 2));
  const double u = inside / frameTime_ - i, w = 1 - u;
  figure::difference(c, frame(i), frame(i - 1), before_.data());
  figure::difference(c, frame(i), frame(i + 1), here_.data());
  figure::difference(c, frame(i), frame(i + 2), after_.data());
  // Weights of frames i - 1, i + 1, i + 2; frame i is the origin.
  const double b0 = w * w * w / 6, b2 = (1 + 3 * u + 3 * u * u - 3 * u * u * u) / 6, b3 = u * u * u / 6;
  const double d0 = -0.5 * w * w, d2 = 0.5 * (1 + 2 * u - 3 * u * u), d3 = 0.5 * u * u;
  const double s0 = w, s2 = 1 - 3 * u, s3 = u;
  if (i == 0)  // beyond its ends the course goes on at the same rates
    for (std::size_t k = 0; k < before_.size(); k++) before_[k] = -here_[k];
  if (i + 2 >= frames_)
    for (std::size_t k = 0; k < after_.size(); k++) after_[k] = 2 * here_[k];
  const bool moving = t >= 0 && t <= end;
  for (int k = 0; k < model_->nv(); k++) {
    const std::size_t at = static_cast<std::size_t>(k);
    const double x0 = before_[at], x2 = here_[at], x3 = after_[at];
    before_[at] = b0 * x0 + b2 * x2 + b3 * x3;
    if (v) v[k] = moving ? (d0 * x0 + d2 * x2 + d3 * x3) / frameTime_ : 0;
    if (a) a[k] = moving ? (s0 * x0 + s2 * x2 + s3 * x3) / (frameTime_ * frameTime_) : 0;
  }
  figure::integrate(c, frame(i), before_.data(), 1, q);
}

void Course::findSoles() {
  const figure::Surface& surface = model_->surface();
  retarget::Kinematics k(model_);
  std::vector<double> reach(surface.size(), 0.0);                                   // from the body's origin
  std::vector<Mat3> lastR(surface.size()), turn(surface.size(), Mat3::Identity());  // in the frame before; where the body first stands
  std::vector<Vec3> lastP(surface.size());
  std::vector<std::vector<bool>> down(surface.size()), touches(surface.size()), rolls(surface.size());  // by point, ever; by frame
  for (std::size_t b = 0; b < surface.size(); b++) {
    down[b].resize(surface[b].size());
    touches[b].resize(static_cast<std::size_t>(frames_));
    rolls[b].resize(static_cast<std::size_t>(frames_));
    for (const figure::SurfacePoint& point : surface[b]) reach[b] = std::max(reach[b], point.point.norm() + point.radius);
  }
  std::vector<Vec3> now;
  std::vector<double> hangs(surface.size());  // m: lowest height of what hangs at the body
  for (int i = 0; i < frames_; i++) {
    k.update(frame(i));
    std::fill(hangs.begin(), hangs.end(), kInf);
    for (std::size_t b = surface.size(); b-- > 0;) {  // what hangs at a body comes before it
      const Vec3 P = k.bodyPosition(static_cast<int>(b)), beforeP = std::exchange(lastP[b], P);
      const Mat3 R = k.bodyRotation(static_cast<int>(b)), beforeR = std::exchange(lastR[b], R);
      const int parent = model_->bodies[b].parent;
      double* above = parent < 0 ? nullptr : &hangs[static_cast<std::size_t>(parent)];
      if (above) *above = std::min(*above, hangs[b]);
      if (P.z() - reach[b] > kTouch) continue;
      now.clear();
      double low = kInf;
      for (const figure::SurfacePoint& point : surface[b]) {
        now.push_back(P + R * point.point);
        low = std::min(low, now.back().z() - point.radius);
      }
      if (above) *above = std::min(*above, low);
      if (low > kTouch || low > hangs[b] + kFlat) continue;  // an ankle does not stand on its foot
      for (std::size_t p = 0; p < now.size(); p++) {
        if (now[p].z() - surface[b][p].radius > low + kFlat) continue;
        const double moved = i > 0 ? (now[p] - beforeP - beforeR * surface[b][p].point).norm() : 0;
        if (low < kRollLow && moved < kRolls * frameTime_) rolls[b][static_cast<std::size_t>(i)] = true;
        if (moved > kStill * frameTime_) continue;
        if (std::find(down[b].begin(), down[b].end(), true) == down[b].end()) turn[b] = R;
        down[b][p] = true;
        touches[b][static_cast<std::size_t>(i)] = true;
      }
      if (i == 1) touches[b][0] = touches[b][1];
    }
  }
  for (std::size_t b = 0; b < surface.size(); b++) {
    std::vector<std::size_t> kept;
    for (std::size_t p = 0; p < surface[b].size(); p++)
      if (down[b][p]) kept.push_back(p);
    if (std::find(touches[b].begin(), touches[b].end(), true) == touches[b].end()) continue;  // low in the first frame alone, and moving
    if (kept.size() > kCorners) {  // the outermost in eight directions along the ground
      std::vector<std::size_t> outer;
      for (std::size_t d = 0; d < kCorners; d++) {
        const double angle = 2 * kPi * static_cast<double>(d) / kCorners;
        const Vec3 along = turn[b].transpose() * Vec3(std::cos(angle), std::sin(angle), -0.1);
        const auto reach = [&](std::size_t p) { return along.dot(surface[b][p].point); };
        outer.push_back(*std::max_element(kept.begin(), kept.end(), [&](std::size_t x, std::size_t y) { return reach(x) < reach(y); }));
      }
      std::sort(outer.begin(), outer.end());
      outer.erase(std::unique(outer.begin(), outer.end()), outer.end());
      kept = outer;
    }
    std::vector<SolePoint> corners;
    for (std::size_t p : kept) corners.push_back({{static_cast<int>(b), surface[b][p].point}, surface[b][p].radius});
    const Vec3 up = normalOf(corners, turn[b].transpose() * Vec3::UnitZ());
    if (!up.isZero()) {
      double lowest = kInf;
      for (std::size_t p = 0; p < down[b].size(); p++)
        if (down[b][p]) lowest = std::min(lowest, up.dot(surface[b][p].point) - surface[b][p].radius);
      for (SolePoint& c : corners) {
        const double above = up.dot(c.at.point) - c.radius - lowest;
        if (above > kLevel && above < kFlat) c.at.point -= above * up;
      }
    }
    soles_.insert(soles_.end(), corners.begin(), corners.end());
    feet_.push_back(static_cast<int>(b));
    stands_.push_back(withRolls(touches[b], rolls[b]));
  }
}

// Both feet bear while one comes down and the other leaves, which no still point tells.
std::vector<bool> Course::withRolls(const std::vector<bool>& still, const std::vector<bool>& rolls) const {
  const int far = static_cast<int>(std::min<double>(kRolling / frameTime_, frames_));
  std::vector<bool> out = still;
  for (int i = 0; i < frames_; i++) {
    if (!still[static_cast<std::size_t>(i)]) continue;
    for (const int way : {-1, 1})
      for (int k = i + way; k >= 0 && k < frames_ && std::abs(k - i) <= far && rolls[static_cast<std::size_t>(k)]; k += way)
        out[static_cast<std::size_t>(k)] = true;
  }
  return out;
}

bool Course::stands(std::size_t foot, double t) const {
  const int i = std::clamp(static_cast<int>(std::lround(t / frameTime_)), 0, frames_ - 1);
  return stands_[foot][static_cast<std::size_t>(i)];
}

bool solesOfPose(std::shared_ptr<const figure::FigureModel> model, const std::vector<double>& q, std::vector<SolePoint>& soles,
                 std::vector<int>& feet) {
  auto stance = std::make_shared<figure::Trajectory>();
  stance->names.resize(q.size());
  for (int i = 0; i < 3; i++) stance->q.insert(stance->q.end(), q.begin(), q.end());
  const Course course(model, stance);
  soles = course.soles();
  feet = course.feet();
  retarget::Kinematics k(model);
  k.update(q.data());
  return !soles.empty() &&
         std::all_of(soles.begin(), soles.end(), [&](const SolePoint& sole) { return k.position(sole.at).z() - sole.radius > -kTouch; });
}

}  // namespace vertebra::control
