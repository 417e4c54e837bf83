// See motion_loop.hpp.
#include "engine/figure/motion_loop.hpp"

#include <algorithm>
#include <cmath>

#include "engine/figure/motion_channels.hpp"
#include "engine/figure/motion_edit.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::figure {

namespace {
std::string lackOfRoots(const Motion& m) {
  for (const MotionJoint& joint : m.joints)
    if (joint.parent < 0 && !(hasAllRotations(joint) && hasAllPositions(joint)))
      return "the root '" + joint.name + "' lacks position or rotation channels, so it cannot be moved over the ground";
  return m.frames() == 0 ? "the clip has no frames" : "";
}

Pose rawToWorld(const Motion& m, const Pose& raw) { return {m.unit * (m.turn * raw.p), m.turn * raw.q}; }
Pose worldToRaw(const Motion& m, const Pose& world) { return {m.turn.conjugate() * world.p / m.unit, m.turn.conjugate() * world.q}; }

// The first root's place on the ground in a frame, as a pose of the world.
std::array<double, 3> placeOnGround(const Motion& m, const double* frame) {
  const Pose local = motionLocalPose(m, 0, frame);  // parents come first, so joint 0 is a root
  const Vec3 p = rawToWorld(m, local).p;
  return {p.x(), p.y(), headingOf(m.turn * local.q * m.turn.conjugate())};
}
Pose groundPose(const std::array<double, 3>& place) {
  return {Vec3(place[0], place[1], 0), quatFromAxisAngle(Vec3::UnitZ(), place[2])};
}

// The roots of a frame, moved; row has on entry angles that the new ones are to be near to.
void moveRoots(const Motion& m, const double* frame, const Pose& move, double* row) {
  for (std::size_t j = 0; j < m.joints.size(); j++)
    if (m.joints[j].parent < 0)
      setLocalPose(m.joints[j], worldToRaw(m, move * rawToWorld(m, motionLocalPose(m, static_cast<int>(j), frame))), row);
}

// What a period lacks to close: from the frame at which it begins to the one that follows its end, and from one frame's step to the other's.
struct Gap {
  Vec3 shift, turn;          // file units; rad, in the joint's axes
  Vec3 velocity, turnSpeed;  // a frame
};

Gap gapOf(const Pose& begin, const Pose& second, const Pose& before, const Pose& end) {
  const auto turnFrom = [](const Pose& a, const Pose& b) { return quatLog(a.q.conjugate() * b.q); };
  return {end.p - begin.p, turnFrom(begin, end), (end.p - before.p) - (second.p - begin.p),
          turnFrom(before, end) - turnFrom(begin, second)};
}

// Cubics of Hermite that lead from (1, 0) and from (0, 1), value and slope, to (0, 0) at u = 1; the second is for a slope a frame.
double valueWeight(double u) { return 1 + u * u * (2 * u - 3); }
double slopeWeight(double u, int frames) { return frames * u * (1 - u) * (1 - u); }

class Closing {
 public:
  // rows: frames first .. last; the two at the end are moved to where the period begins.
  Closing(const Motion& period, int frames) : m_(period), frames_(frames) {
    const int last = period.frames() - 1;
    const Pose back = groundPose(placeOnGround(m_, m_.frame(0))) * groundPose(placeOnGround(m_, m_.frame(last))).inverse();
    before_.assign(m_.frame(last - 1), m_.frame(last - 1) + m_.channelCount);
    end_.assign(m_.frame(last), m_.frame(last) + m_.channelCount);
    moveRoots(m_, m_.frame(last - 1), back, before_.data());
    moveRoots(m_, m_.frame(last), back, end_.data());
  }

  // The frame k of the period with the share of the gap that is left there; row holds it on entry.
  void apply(int k, double* row) const {
    const double u = static_cast<double>(k) / frames_, w = valueWeight(u), s = slopeWeight(u, frames_);
    for (std::size_t j = 0; j < m_.joints.size(); j++) {
      const MotionJoint& joint = m_.joints[j];
      if (hasAllRotations(joint))
        turn(static_cast<int>(j), w, s, row);
      else
        slide(joint, w, s, row);
    }
  }

 private:
  void turn(int j, double w, double s, double* row) const {
    const auto at = [&](const double* frame) { return motionLocalPose(m_, j, frame); };
    const Gap gap = gapOf(at(m_.frame(0)), at(m_.frame(1)), at(before_.data()), at(end_.data()));
    const Pose own = at(row);
    setLocalPose(m_.joints[static_cast<std::size_t>(j)],
                 {own.p + w * gap.shift + s * gap.velocity, own.q * quatExp(w * gap.turn + s * gap.turnSpeed)}, row);
  }

  void slide(const MotionJoint& joint, double w, double s, double* row) const {
    for (std::size_t c = 0; c < joint.channels.size(); c++) {
      const std::size_t at = static_cast<std::size_t>(joint.firstChannel) + c;
      const auto difference = [&](double to, double from) {
        return isPosition(joint.channels[c]) ? to - from : shorterWay((to - from) * (kPi / 180)) * (180 / kPi);
      };
      const double step = difference(end_[at], before_[at]) - difference(m_.frame(1)[at], m_.frame(0)[at]);
      row[at] += w * difference(end_[at], m_.frame(0)[at]) + s * step;
    }
  }

  const Motion& m_;
  int frames_;
  std::vector<double> before_, end_;
};
}  // namespace

std::string motionInPlace(const Motion& m, GroundPath& path, Motion& out) {
  if (std::string wrong = lackOfRoots(m); !wrong.empty()) return wrong;
  path.clear();
  out = m;
  double* row = out.values.data();
  for (int i = 0; i < m.frames(); i++, row += m.channelCount) {
    std::array<double, 3> place = placeOnGround(m, m.frame(i));
    if (i > 0) {
      place[2] = path.back()[2] + shorterWay(place[2] - path.back()[2]);
      for (const MotionJoint& joint : m.joints)
        if (joint.parent < 0) std::copy_n(row - m.channelCount + joint.firstChannel, joint.channels.size(), row + joint.firstChannel);
    }
    path.push_back(place);
    moveRoots(m, m.frame(i), groundPose(place).inverse(), row);
  }
  return {};
}

std::string motionLooped(const Motion& m, int first, int last, double blend, Motion& out) {
  if (std::string wrong = lackOfRoots(m); !wrong.empty()) return wrong;
  const Motion period = motionTrimmed(m, first, last);
  const int count = period.frames() - 1;
  const int frames = static_cast<int>(std::clamp(std::round(blend / m.frameTime), 1.0, static_cast<double>(count)));
  const Closing closing(period, frames);
  out = period;
  for (int k = 0; k < frames; k++) closing.apply(k, out.values.data() + static_cast<std::ptrdiff_t>(k) * out.channelCount);
  return {};
}

}  // namespace vertebra::figure
