// See motion_coordinates.hpp. A joint of the motion and a joint of the figure belong together when their names are equal, and the
// floating base belongs to the joint with the name of the root link. Where both have one axis the channel's value is the coordinate,
// so that clips can be written for any robot; otherwise the motion's joint frames are taken to be the figure's link frames, as they
// are for a figure made from a motion.
#include "capi/src/motion_coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/elementary.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::capi {
namespace {

double wrapped(double angle) { return angle - 2 * kPi * std::round(angle / (2 * kPi)); }

double twistAbout(const Vec3& axis, const Quat& q) { return wrapped(2 * arctan2(axis.dot(q.vec()), q.w())); }

// A single channel between frames; rotations [rad] the shorter way, but turns are kept.
double channelAt(const Motion& m, const MotionJoint& joint, double time) {
  const bool rotation = joint.channels[0] >= Channel::Xrotation;
  const double scale = rotation ? kPi / 180 : m.unit;
  const double zero = rotation ? 0 : joint.offset[static_cast<int>(joint.channels[0])];
  const int n = m.frames();
  if (n == 0) return 0;
  const double x = std::clamp(time / m.frameTime, 0.0, static_cast<double>(n - 1));
  const int i = std::min(static_cast<int>(x), std::max(0, n - 2));
  const double a = scale * (m.frame(i)[joint.firstChannel] - zero);
  if (i + 1 >= n) return a;
  const double b = scale * (m.frame(i + 1)[joint.firstChannel] - zero);
  return a + (x - i) * (rotation ? wrapped(b - a) : b - a);
}

// Coordinates of a joint from the pose of its child's joint frame in its parent's.
void coordinatesOf(const JointDescription& joint, const Pose& x, double* q) {
  switch (joint.type) {
    case JointType::Fixed: break;
    case JointType::Revolute:
    case JointType::Continuous: q[0] = twistAbout(joint.axis, x.q); break;
    case JointType::Prismatic: q[0] = joint.axis.dot(x.p); break;
    case JointType::Universal: {
      const Vec3 e1 = (joint.axis2 - joint.axis.dot(joint.axis2) * joint.axis).normalized(), e2 = joint.axis.cross(e1);
      const Vec3 turned = x.q * joint.axis2;
      q[0] = arctan2(turned.dot(e2), turned.dot(e1));
      q[1] = twistAbout(joint.axis2, quatFromAxisAngle(joint.axis, -q[0]) * x.q);
      break;
    }
    case JointType::Planar: {
      const Vec3 inPlane = quatBetween(Vec3::UnitZ(), joint.axis).conjugate() * x.p;
      q[0] = inPlane.x();
      q[1] = inPlane.y();
      q[2] = twistAbout(joint.axis, x.q);
      break;
    }
    case JointType::Spherical: std::copy_n(x.q.coeffs().data(), 4, q); break;
    case JointType::Floating:
      std::copy_n(x.p.data(), 3, q);
      std::copy_n(x.q.coeffs().data(), 4, q + 3);
      break;
  }
}

int sample(const FigureModel& model, const Motion& motion, double time, double* q) {
  const Skeleton& skeleton = *model.skeleton;
  int matched = 0;
  neutral(model.coordinates, q);
  for (const CoordinatePart& part : model.coordinates.parts) {
    if (part.q < 0) continue;
    const int m = motion.findJoint(part.joint < 0 ? skeleton.links[skeleton.root].name : skeleton.joints[part.joint].name);
    if (m < 0) continue;
    matched++;
    if (part.joint < 0) {
      std::vector<Pose> poses(motion.joints.size());
      motionWorldPosesAt(motion, time, false, poses.data());
      std::copy_n(poses[m].p.data(), 3, q + part.q);
      std::copy_n(poses[m].q.coeffs().data(), 4, q + part.q + 3);
      continue;
    }
    const JointDescription& joint = skeleton.joints[part.joint];
    const MotionJoint& source = motion.joints[m];
    if (jointNv(joint.type) == 1 && source.channels.size() == 1) {
      q[part.q] = channelAt(motion, source, time);
      continue;
    }
    Pose local = motionLocalPoseAt(motion, m, time);
    local.p *= motion.unit;
    coordinatesOf(joint, joint.inParent.inverse() * local * joint.inChild, q + part.q);
  }
  return matched;
}

// Angles of q1 within half a turn of those of q0.
void unwrap(const Coordinates& c, const double* q0, double* q1) {
  for (const CoordinatePart& part : c.parts) {
    if (part.q < 0) continue;
    int first = 0, count = 0;  // the angles among the part's coordinates
    if (part.type == JointType::Revolute || part.type == JointType::Continuous) count = 1;
    if (part.type == JointType::Universal) count = 2;
    if (part.type == JointType::Planar) first = 2, count = 1;
    for (int i = part.q + first; i < part.q + first + count; i++) q1[i] = q0[i] + wrapped(q1[i] - q0[i]);
  }
}

}  // namespace

int coordinatesFromMotion(const FigureModel& model, const Motion& motion, double time, double* q, double* v) {
  std::vector<double> here(static_cast<std::size_t>(model.nq()));
  const int matched = sample(model, motion, time, here.data());
  if (v) {
    const double now = std::clamp(time, 0.0, motion.duration());
    const double from = std::max(0.0, now - 0.5 * motion.frameTime), to = std::min(motion.duration(), now + 0.5 * motion.frameTime);
    std::vector<double> before(here), after(here);
    sample(model, motion, from, before.data());
    sample(model, motion, to, after.data());
    unwrap(model.coordinates, before.data(), after.data());
    difference(model.coordinates, before.data(), after.data(), v);
    const double seconds = to - from;
    for (int i = 0; i < model.nv(); i++) v[i] = seconds > 0 ? v[i] / seconds : 0;
  }
  if (q) std::copy(here.begin(), here.end(), q);
  return matched;
}

}  // namespace vertebra::capi
