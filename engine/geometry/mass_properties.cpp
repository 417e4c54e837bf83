// Mass properties moved, added and scaled. Those of shapes: shapes/.
#include "engine/geometry/mass_properties.hpp"

namespace vertebra::geometry {

MassProperties transform(const Pose& pose, const MassProperties& m) {
  Mat3 r = pose.q.toRotationMatrix();
  Mat3 turned = r * m.inertia * r.transpose();
  return {m.mass, pose * m.com, 0.5 * (turned + turned.transpose())};
}

MassProperties add(const MassProperties& a, const MassProperties& b) {
  double mass = a.mass + b.mass;
  if (!(mass > 0)) return {0, 0.5 * (a.com + b.com), a.inertia + b.inertia};
  Vec3 d = b.com - a.com;
  double reduced = a.mass * b.mass / mass;
  MassProperties sum;
  sum.mass = mass;
  sum.com = a.com + d * (b.mass / mass);
  sum.inertia = a.inertia + b.inertia + reduced * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  return sum;
}

MassProperties scaleToMass(const MassProperties& m, double mass) { return {mass, m.com, m.inertia * (mass / m.mass)}; }

}  // namespace vertebra::geometry
