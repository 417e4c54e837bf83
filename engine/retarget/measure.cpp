// See measure.hpp. Errors of key points: the motion's directions laid on the figure's own lengths, from the middle of the hips, as goals.
#include "engine/retarget/measure.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "engine/retarget/goals.hpp"
#include "engine/retarget/measure_parts.hpp"

namespace vertebra::retarget {

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

namespace {

constexpr double kFarPath = 0.1;  // m; deviation of the hips' path from its middle from which its scale is fitted

constexpr double kStill = 0.1;  // m/s^3; mean jerk of a motion's point below which it is still

class PoseMeasure {
 public:
  PoseMeasure(const Source& source, const Target& target, Measures& out)
      : s_(source), t_(target), m_(out), wanted_(wantedRoles(source, target)) {
    for (int r = 0; r < kRoles; r++)
      if (has(static_cast<Role>(r))) points_.push_back(static_cast<Role>(r));
  }

  void run() {
    fitYaw();
    findLengths();
    std::vector<std::vector<double>> relative(kRoles), global(kRoles);
    std::vector<double> limbs, limbsGlobal;
    const Mat3 W = Eigen::AngleAxisd(m_.yaw, Vec3::UnitZ()).toRotationMatrix();
    fitPath(W);
    for (int i = 0; i < s_.count(); i++) {
      FrameMeasure& f = m_.frames[static_cast<std::size_t>(i)];
      const Vec3 root = rootOf(f.figure), wanted = place_ + m_.pathScale * (W * (rootOf(f.source) - Vec3(0, 0, s_.floor)) - middle_);
      ByRole<Vec3> goal;
      double sum = 0;
      int count = 0;
      layOut(f.source, wanted_, bones_, W, goal);
      for (const Role r : points_) {
        const Vec3 is = f.figure[r] - root;
        const double near = (goal[r] - is).norm(), far = (wanted + goal[r] - f.figure[r]).norm();
        relative[static_cast<std::size_t>(r)].push_back(near);
        global[static_cast<std::size_t>(r)].push_back(far);
        if (!limb(r)) continue;
        limbs.push_back(near);
        limbsGlobal.push_back(far);
        sum += near;
        count++;
      }
      f.error = count > 0 ? sum / count : 0;
    }
    const auto told = [](const std::vector<double>& near, const std::vector<double>& far) {
      return PointMeasure{meanOf(near), figure::quantile(near, 0.95), meanOf(far), figure::quantile(far, 0.95), true};
    };
    for (const Role r : points_) m_.points[r] = told(relative[static_cast<std::size_t>(r)], global[static_cast<std::size_t>(r)]);
    m_.limbs = told(limbs, limbsGlobal);
    m_.footJerk = jerkRatio(Role::LeftFoot);
    m_.handJerk = jerkRatio(Role::LeftHand);
  }

  // Orientations of the bodies that end limbs, by frame, against the motion's.
  void turns(const ByRole<std::vector<Mat3>>& bodies) {
    m_.turn.fill(-1);
    m_.turn95.fill(-1);
    const Mat3 W = Eigen::AngleAxisd(m_.yaw, Vec3::UnitZ()).toRotationMatrix();
    for (const Role r : {Role::LeftFoot, Role::RightFoot, Role::LeftHand, Role::RightHand, Role::Head}) {
      if (bodies[r].empty() || !s_.has(r)) continue;
      std::vector<Mat3> between;
      Mat3 sum = Mat3::Zero();
      for (std::size_t i = 0; i < bodies[r].size(); i++) {
        between.push_back((W * s_.frames[i].R[r]).transpose() * bodies[r][i]);
        sum += between.back();
      }
      const Mat3 mean = meanRotation(sum);
      std::vector<double> angles;
      for (const Mat3& D : between) angles.push_back(std::acos(std::clamp(0.5 * ((D * mean.transpose()).trace() - 1), -1.0, 1.0)));
      m_.turn[r] = meanOf(angles);
      m_.turn95[r] = figure::quantile(angles, 0.95);
    }
  }

 private:
  bool has(Role r) const { return wanted_[r]; }
  static bool limb(Role r) {
    const int k = static_cast<int>(r) % kSide;
    return static_cast<int>(r) < 2 * kSide && k != 0 && k != static_cast<int>(Role::LeftShoulder);
  }
  static Vec3 rootOf(const ByRole<Vec3>& p) { return 0.5 * (p[Role::LeftHip] + p[Role::RightHip]); }
  static Vec3 chestOf(const ByRole<Vec3>& p) { return 0.5 * (p[Role::LeftShoulder] + p[Role::RightShoulder]); }

  void fitYaw() {
    double sine = 0, cosine = 0;
    for (const FrameMeasure& f : m_.frames)
      for (const Role r : points_) {
        const Vec3 a = f.source[r] - rootOf(f.source), b = f.figure[r] - rootOf(f.figure);
        sine += a.x() * b.y() - a.y() * b.x();
        cosine += a.x() * b.x() + a.y() * b.y();
        square_ += a.squaredNorm();
      }
    m_.yaw = std::atan2(sine, cosine);
    const Mat3 W = Eigen::AngleAxisd(m_.yaw, Vec3::UnitZ()).toRotationMatrix();
    double product = 0;
    for (const FrameMeasure& f : m_.frames)
      for (const Role r : points_) product += (W * (f.source[r] - rootOf(f.source))).dot(f.figure[r] - rootOf(f.figure));
    size_ = square_ > 0 ? product / square_ : 1;
  }

  // Of each bone of the figure: the median, as a pivot is no fixed point.
  void findLengths() {
    const auto median = [&](auto&& of) {
      std::vector<double> all;
      for (const FrameMeasure& f : m_.frames) all.push_back(of(f.figure));
      return figure::quantile(std::move(all), 0.5);
    };
    const auto length = [&](Role from, Role to) { return median([&](const ByRole<Vec3>& p) { return (p[to] - p[from]).norm(); }); };
    const bool arms = has(Role::LeftShoulder) && has(Role::RightShoulder);
    for (int side = 0; side < 2; side++) {
      const Role hip = sided(side, Role::LeftHip), shoulder = sided(side, Role::LeftShoulder);
      bones_.length[hip] = median([&](const ByRole<Vec3>& p) { return (p[hip] - rootOf(p)).norm(); });
      if (arms) bones_.length[shoulder] = median([&](const ByRole<Vec3>& p) { return (p[shoulder] - chestOf(p)).norm(); });
      if (has(shoulder)) bones_.flank[side] = length(hip, shoulder);
      for (const Bone& b : kBones)
        if (has(sided(side, b.to))) bones_.length[sided(side, b.to)] = length(sided(side, b.from), sided(side, b.to));
    }
    if (arms) bones_.trunk = median([&](const ByRole<Vec3>& p) { return (chestOf(p) - rootOf(p)).norm(); });
    if (!has(Role::Head)) return;
    bones_.crown = median([&](const ByRole<Vec3>& p) { return (p[Role::Head] - rootOf(p)).norm(); });
    if (arms) bones_.length[Role::Head] = median([&](const ByRole<Vec3>& p) { return (p[Role::Head] - chestOf(p)).norm(); });
  }

  // The hips' path: its middle on that of the figure's, horizontally and in height, its size that of the figure's where it is a path.
  void fitPath(const Mat3& W) {
    const double n = static_cast<double>(m_.frames.size());
    for (const FrameMeasure& f : m_.frames) {
      middle_ += W * (rootOf(f.source) - Vec3(0, 0, s_.floor)) / n;
      place_ += rootOf(f.figure) / n;
    }
    double product = 0, square = 0;
    for (const FrameMeasure& f : m_.frames) {
      const Vec3 a = W * (rootOf(f.source) - Vec3(0, 0, s_.floor)) - middle_, b = rootOf(f.figure) - place_;
      product += a.head<2>().dot(b.head<2>());
      square += a.head<2>().squaredNorm();
    }
    m_.pathScale = square > n * kFarPath * kFarPath ? product / square : t_.leg / s_.leg;
  }

  double jerkRatio(Role left) const {
    double sum = 0;
    int count = 0;
    for (int side = 0; side < 2; side++) {
      const Role r = sided(side, left);
      if (!has(r) || m_.frames.size() < 4) continue;
      double mine = 0, theirs = 0;
      for (std::size_t i = 3; i < m_.frames.size(); i++) {
        const auto third = [&](auto&& of) { return (of(i) - 3 * of(i - 1) + 3 * of(i - 2) - of(i - 3)).norm(); };
        mine += third([&](std::size_t k) { return m_.frames[k].figure[r]; });
        theirs += third([&](std::size_t k) { return m_.frames[k].source[r]; });
      }
      const double still = kStill * std::pow(m_.frameTime, 3) * static_cast<double>(m_.frames.size() - 3);
      if (!(theirs > still)) continue;
      sum += mine / (size_ * theirs);
      count++;
    }
    return count > 0 ? sum / count : 0;
  }

  const Source& s_;
  const Target& t_;
  Measures& m_;
  std::vector<Role> points_;
  ByRole<bool> wanted_;
  Bones bones_;
  double size_ = 1, square_ = 0;
  Vec3 middle_ = Vec3::Zero(), place_ = Vec3::Zero();
};

}  // namespace

Measures measure(const Source& source, const Target& target, const figure::Trajectory& t) {
  Measures m;
  m.frameTime = t.frameTime;
  Kinematics k(target.model);
  BodyMeasure bodies(source, target, m);
  ByRole<std::vector<Mat3>> turned;
  for (int i = 0; i < t.frames(); i++) {
    k.update(t.frame(i));
    FrameMeasure f;
    f.source = source.frames[static_cast<std::size_t>(i)].p;
    for (int r = 0; r < kRoles; r++) {
      const Role role = static_cast<Role>(r);
      f.figure[role] = target.has(role) ? k.position(target.at[role]) : Vec3(Vec3::Constant(std::nan("")));
      if (!source.has(role)) f.source[role] = Vec3::Constant(std::nan(""));
      if (target.endBody[role] >= 0) turned[role].push_back(k.bodyRotation(target.endBody[role]));
    }
    bodies.add(k, f);
    m.frames.push_back(f);
  }
  bodies.finish();
  measureAxes(target, t, m);
  PoseMeasure pose(source, target, m);
  pose.run();
  pose.turns(turned);
  return m;
}

std::string measure(const figure::Motion& motion, std::shared_ptr<const figure::FigureModel> model, const RoleMap& map,
                    const figure::Trajectory& t, Measures& out) {
  if (t.frames() < 1) return "the trajectory has no frames";
  if (t.nq() != model->coordinates.nq)
    return "the trajectory has " + std::to_string(t.nq()) + " coordinates, the figure " + std::to_string(model->coordinates.nq) +
           " with a floating base";
  if (!std::all_of(t.q.begin(), t.q.end(), [](double x) { return std::isfinite(x); })) return "the trajectory has numbers that are none";
  Source source;
  if (const std::string wrong = readSource(motion, 1 / t.frameTime, map, source); !wrong.empty())
    return "motion '" + motion.name + "': " + wrong;
  Target target;
  const std::string name = model->skeleton->name;
  if (const std::string wrong = readTarget(std::move(model), map, target); !wrong.empty()) return "figure '" + name + "': " + wrong;
  if (source.count() != t.frames())
    return "the trajectory has " + std::to_string(t.frames()) + " frames, the motion at its rate " + std::to_string(source.count());
  out = measure(source, target, t);
  return {};
}

}  // namespace vertebra::retarget
