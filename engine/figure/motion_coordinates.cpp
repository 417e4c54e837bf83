// See motion_coordinates.hpp.
#include "engine/figure/motion_coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/math/elementary.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::figure {

namespace {
bool isIdentity(const Quat& q) { return std::fabs(std::fabs(q.w()) - 1) < 1e-12; }
}  // namespace

MotionBinding::MotionBinding(const Motion& motion, const Skeleton& skeleton, const Coordinates& coordinates)
    : m_(motion), s_(skeleton), c_(coordinates), parts_(coordinates.parts.size()) {
  std::map<std::string, int> names;
  for (std::size_t j = m_.joints.size(); j-- > 0;) names[m_.joints[j].name] = static_cast<int>(j);
  const auto find = [&](const std::string& name) {
    auto it = names.find(name);
    return it == names.end() ? -1 : it->second;
  };
  root_ = find(s_.links[s_.root].name);
  const bool namedRoot = root_ >= 0;
  if (root_ < 0 && !m_.joints.empty()) root_ = 0;

  bool allFound = true, unturned = true, offsetsAgree = true, ball = false;
  for (std::size_t i = 0; i < parts_.size(); i++) {
    const CoordinatePart& part = c_.parts[i];
    if (part.joint < 0) continue;
    const JointDescription& d = s_.joints[part.joint];
    const int j = parts_[i].joint = find(d.name);
    if (j < 0) {
      allFound = false;
      continue;
    }
    matched_++;
    unturned = unturned && isIdentity(d.inParent.q) && isIdentity(d.inChild.q);
    ball = ball || dynamics::jointNv(d.type) > 1;
    const Vec3 offset = motionLocalPose(m_, j, m_.frames() > 0 ? m_.frame(0) : nullptr).p;
    offsetsAgree = offsetsAgree && (m_.unit * offset - d.inParent.p).norm() < 0.01;
    for (int k = 0; k < 2; k++) unwrap(parts_[i], k);
  }
  sameFrames_ = namedRoot && allFound && unturned && (ball || offsetsAgree);
}

void MotionBinding::unwrap(Part& part, int k) {
  if (k >= rotationAxes(m_.joints[part.joint]).count) return;
  int turns = 0;
  for (int f = 1; f < m_.frames(); f++) {
    const double step = rotationAngle(m_, part.joint, k, f) - rotationAngle(m_, part.joint, k, f - 1);
    const int jump = static_cast<int>(std::clamp(std::round((shorterWay(step) - step) / (2 * kPi)), -1e6, 1e6));
    if (jump != 0 && part.turns[k].empty()) part.turns[k].assign(m_.frames(), 0);
    turns += jump;
    if (turns != 0) part.turns[k][f] = turns;
  }
}

double MotionBinding::angle(const Part& part, int k, double t) const {
  const int n = m_.frames();
  if (n == 0) return 0;
  const double x = std::clamp(t / m_.frameTime, 0.0, static_cast<double>(n - 1));
  const int i = std::min(static_cast<int>(x), std::max(0, n - 2));
  const auto at = [&](int f) { return rotationAngle(m_, part.joint, k, f) + (part.turns[k].empty() ? 0 : 2 * kPi * part.turns[k][f]); };
  const double from = at(i);
  return x == i ? from : from + (x - i) * (at(i + 1) - from);
}

Pose MotionBinding::rootPose(double t) const {
  Pose pose;
  for (int j = root_; j >= 0; j = m_.joints[j].parent) pose = motionLocalPoseAt(m_, j, t) * pose;
  pose = {m_.unit * (m_.turn * pose.p), m_.turn * pose.q};
  if (!sameFrames_) pose.q = pose.q * m_.turn.conjugate();
  return pose;
}

void MotionBinding::coordinates(double t, double* q) const {
  neutral(c_, q);
  const auto putQuat = [](double* at, const Quat& r) {
    for (int k = 0; k < 4; k++) at[k] = r.coeffs()[k];
  };
  for (std::size_t i = 0; i < parts_.size(); i++) {
    const CoordinatePart& part = c_.parts[i];
    if (part.q < 0) continue;
    double* out = q + part.q;
    if (part.joint < 0) {
      if (root_ < 0) continue;
      const Pose pose = rootPose(t);
      for (int k = 0; k < 3; k++) out[k] = pose.p[k];
      putQuat(out + 3, pose.q);
      continue;
    }
    const Part& own = parts_[i];
    if (own.joint < 0) continue;
    const JointDescription& d = s_.joints[part.joint];
    const MotionJoint& joint = m_.joints[own.joint];
    const int axes = rotationAxes(joint).count;
    const auto poseAt = [&] { return motionLocalPoseAt(m_, own.joint, t); };  // hinges need none
    switch (dynamics::traitsOf(d.type).motion) {
      case dynamics::MotionChannels::Angles:
        if (dynamics::jointNv(d.type) > 1 || axes == 1)
          for (int k = 0; k < std::min(axes, dynamics::jointNv(d.type)); k++) out[k] = angle(own, k, t);
        else if (axes > 1) {
          const Quat turn = poseAt().q;
          out[0] = shorterWay(2 * arctan2(d.axis.dot(turn.vec()), turn.w()));
        }
        break;
      case dynamics::MotionChannels::Length: {
        const Vec3 moved = m_.unit * (poseAt().p - joint.offset);
        int positions = 0, axis = 0;
        for (Channel c : joint.channels)
          if (static_cast<int>(c) < 3) positions++, axis = static_cast<int>(c);
        out[0] = positions == 1 ? moved[axis] : d.axis.dot(moved);
        break;
      }
      case dynamics::MotionChannels::Orientation:
        putQuat(out, poseAt().q);
        break;
      case dynamics::MotionChannels::Pose: {
        const Pose pose = poseAt();
        const Vec3 moved = m_.unit * pose.p - d.inParent.p;
        for (int k = 0; k < 3; k++) out[k] = moved[k];
        putQuat(out + 3, pose.q);
        break;
      }
      case dynamics::MotionChannels::None:
        break;
    }
  }
}

void MotionBinding::velocities(double t, double* v) const {
  std::fill(v, v + c_.nv, 0.0);
  const double end = m_.duration();
  const double a = std::clamp(t - m_.frameTime, 0.0, end), b = std::clamp(t + m_.frameTime, 0.0, end);
  if (!(b > a)) return;
  std::vector<double> qa(c_.nq), qb(c_.nq);
  coordinates(a, qa.data());
  coordinates(b, qb.data());
  difference(c_, qa.data(), qb.data(), v);
  for (int k = 0; k < c_.nv; k++) v[k] /= b - a;
}

}  // namespace vertebra::figure
