// Clips made for tests: a figure of hips, thighs and shins in centimetres with Y up, at rest or walking.
#pragma once
#include <cmath>

#include "engine/figure/motion.hpp"
#include "engine/math/rotation.hpp"

namespace test {

using namespace vertebra;
using namespace vertebra::figure;

inline constexpr Channel kSix[] = {Channel::Xposition, Channel::Yposition, Channel::Zposition,
                                   Channel::Zrotation, Channel::Xrotation, Channel::Yrotation};

// Hips, two thighs beside them, two shins; centimetres, Y up.
inline Motion figureClip(int frames, double fps) {
  Motion m;
  m.unit = 0.01;
  m.turn = quatFromAxisAngle(Vec3::UnitX(), 0.5 * kPi);
  m.frameTime = 1 / fps;
  const auto add = [&](const char* name, int parent, const Vec3& offset, int first) {
    MotionJoint j;
    j.name = name;
    j.parent = parent;
    j.offset = offset;
    j.channels.assign(kSix + first, kSix + 6);
    j.firstChannel = m.channelCount;
    m.channelCount += 6 - first;
    m.joints.push_back(j);
  };
  add("Hips", -1, Vec3::Zero(), 0);
  add("LeftUpLeg", 0, Vec3(10, 0, 0), 3);
  add("LeftLeg", 1, Vec3(0, -40, 0), 3);
  add("RightUpLeg", 0, Vec3(-10, 0, 0), 3);
  add("RightLeg", 3, Vec3(0, -40, 0), 3);
  m.values.assign(static_cast<std::size_t>(frames * m.channelCount), 0.0);
  return m;
}
inline double& value(Motion& m, int frame, int column) { return m.values[static_cast<std::size_t>(frame * m.channelCount + column)]; }

// Some motion of all channels, that walks along z and turns.
inline Motion walking(int frames, double fps, double phase = 0) {
  Motion m = figureClip(frames, fps);
  for (int i = 0; i < frames; i++) {
    const double t = i / fps, s = 2 * kPi * t + phase;
    value(m, i, 0) = 3 * std::sin(s), value(m, i, 1) = 80 + 2 * std::cos(2 * s), value(m, i, 2) = 120 * t;
    value(m, i, 3) = 4 * std::sin(s), value(m, i, 4) = 5 + 2 * std::cos(s), value(m, i, 5) = 20 * std::sin(0.3 * s);
    for (int side = 0; side < 2; side++) {
      const double sign = side ? -1 : 1;
      value(m, i, 6 + 6 * side) = 6 * sign * std::sin(s + 1);
      value(m, i, 7 + 6 * side) = 25 * sign * std::sin(s);
      value(m, i, 8 + 6 * side) = 7 * std::cos(s);
      value(m, i, 10 + 6 * side) = 30 + 30 * sign * std::cos(s);
    }
  }
  return m;
}

inline double angleBetween(const Quat& a, const Quat& b) { return quatLog(a.conjugate() * b).norm(); }

}  // namespace test
