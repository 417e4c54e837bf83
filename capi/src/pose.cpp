// Algebra of poses. See pose.h.
#include "capi/src/check.hpp"

using namespace vertebra;
using namespace vertebra::capi;

vtb_status vtb_pose_multiply(const double a[7], const double b[7], double out[7]) {
  return guarded(__func__, [&] {
    const Pose product = capi::pose(a, "a") * capi::pose(b, "b");
    write(Pose{product.p, unit(product.q)}, &required(out, "out"));
  });
}

vtb_status vtb_pose_inverse(const double pose[7], double out[7]) {
  return guarded(__func__, [&] {
    const Pose inverse = capi::pose(pose, "pose").inverse();
    write(inverse, &required(out, "out"));
  });
}

vtb_status vtb_pose_apply(const double pose[7], const double point[3], double out[3]) {
  return guarded(__func__, [&] {
    const Vec3 moved = capi::pose(pose, "pose") * vector(point, "point");
    write(moved, &required(out, "out"));
  });
}

vtb_status vtb_pose_rotate(const double pose[7], const double direction[3], double out[3]) {
  return guarded(__func__, [&] {
    const Vec3 turned = capi::pose(pose, "pose").q * vector(direction, "direction");
    write(turned, &required(out, "out"));
  });
}
