// Motion: a clip on named joints of a hierarchy, as motion capture records it, at any frame rate.
// Raw channel values keep the file's axes, units (degrees for rotations) and channel order, so that writing reproduces the file. The
// conversion to SI and Z-up is in `unit` (metres per file unit) and `turn` (world = turn * file); link frames keep the file's local axes:
// p' = unit * turn * p, q' = turn * q. Rotation order: the first channel is outermost (intrinsic, left to right). A joint's position
// channels replace its OFFSET, component by component.
#pragma once
#include <string>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::figure {

enum class Channel : std::uint8_t { Xposition, Yposition, Zposition, Xrotation, Yrotation, Zrotation };

struct MotionJoint {
  std::string name;
  int parent = -1;             // -1 = a root; parents come before children
  Vec3 offset = Vec3::Zero();  // file units
  std::vector<Channel> channels;
  int firstChannel = 0;        // column in a frame
  std::vector<Vec3> endSites;  // OFFSETs of its End Sites, file units
};

struct Motion {
  std::string name;
  std::vector<MotionJoint> joints;  // file order, parents first
  int channelCount = 0;
  double frameTime = 1.0 / 30;   // s
  std::vector<double> values;    // frames x channelCount, row after row
  double unit = 1;               // metres per file unit
  Quat turn = Quat::Identity();  // file axes -> Z-up world

  int frames() const { return channelCount > 0 ? static_cast<int>(values.size() / channelCount) : 0; }
  double duration() const { return frames() > 1 ? (frames() - 1) * frameTime : 0; }
  const double* frame(int i) const { return values.data() + static_cast<std::size_t>(i) * channelCount; }
  int findJoint(const std::string& name) const;  // -1 if absent
};

// Local pose of joint j in its parent joint's frame, file units and axes, from one frame of channels (null = rest pose).
Pose motionLocalPose(const Motion& m, int j, const double* frame);
// The same between frames: positions linear, rotations by slerp (for joints with one or two axes their angles, the shorter way); t in
// seconds, clamped to the clip.
Pose motionLocalPoseAt(const Motion& m, int j, double t);
// Rotation axes of a joint, outermost first; neighbouring channels about one axis count once. Angles in radians.
struct RotationAxes {
  int count = 0;  // more than 3 is possible; `axis` has the first 3
  int axis[3] = {0, 0, 0};
};
RotationAxes rotationAxes(const MotionJoint& joint);
double rotationAngle(const Motion& m, int j, int k, int frame);  // about axis k of rotationAxes
double shorterWay(double angle);                                 // the same angle up to whole turns, within [-pi, pi]

// Poses of all joints in the file's frame (raw) or the Z-up world in metres; out has m.joints.size() entries.
void motionWorldPoses(const Motion& m, const double* frame, bool raw, Pose* out);
void motionWorldPosesAt(const Motion& m, double t, bool raw, Pose* out);

}  // namespace vertebra::figure
