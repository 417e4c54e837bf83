// Volume and moments of a polyhedron. Source: see mass_properties.hpp.
#pragma once
#include "engine/geometry/mass_properties.hpp"

namespace vertebra::geometry {

// Sums of signed tetrahedra from a reference point: volume, first and second moments.
class Polyhedron {
 public:
  explicit Polyhedron(const Vec3& reference) : reference_(reference) {}
  void triangle(const Vec3& p, const Vec3& q, const Vec3& r) {
    Vec3 a = p - reference_, b = q - reference_, c = r - reference_;
    double six = a.dot(b.cross(c));
    Vec3 s = a + b + c;
    volume_ += six / 6;
    first_ += six / 24 * s;
    second_ += six / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  double volume() const { return volume_; }
  MassProperties result(double density) const {
    MassProperties m;
    Vec3 c = first_ / volume_;
    Mat3 central = density * (second_ - volume_ * c * c.transpose());
    m.mass = density * volume_;
    m.com = reference_ + c;
    m.inertia = central.trace() * Mat3::Identity() - central;
    return m;
  }

 private:
  Vec3 reference_, first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
  double volume_ = 0;
};

}  // namespace vertebra::geometry
