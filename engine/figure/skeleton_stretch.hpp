// Affine maps of a link: its shapes, visuals and mass. Stretched along a bone and across it, or mirrored. Link frames, SI units.
#pragma once
#include "engine/figure/skeleton.hpp"

namespace vertebra::figure {

struct Stretch {
  Mat3 A = Mat3::Identity();  // symmetric
  Vec3 start = Vec3::Zero();  // stays where it is
  static Stretch uniform(double factor, const Vec3& start = Vec3::Zero());
  static Stretch along(const Vec3& direction, double length, double thickness, const Vec3& start);  // direction: unit
  static Stretch mirror(int axis);

  Vec3 operator()(const Vec3& p) const { return start + A * (p - start); }
  Vec3 direction(const Vec3& d) const { return A * d; }
  Pose image(const Pose& p) const;  // of a mirror: the frame reflected, and its axes
};

// Shapes as near to their image as their type can be; hulls and meshes exactly. Mass and inertia are the image's at the same density.
std::string stretchLink(LinkDescription& link, const Stretch& map);

// Where a link's bone begins, and its unit direction. False: it has none.
bool findBone(const Skeleton& s, int link, Vec3& start, Vec3& direction);

}  // namespace vertebra::figure
