// See surface.hpp.
#include "engine/geometry/surface.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::geometry {
namespace {

double combined(double a, double b, Combine rule, Combine standard) {
  switch (rule == Combine::Default ? standard : rule) {
    case Combine::Average:
      return 0.5 * (a + b);
    case Combine::Minimum:
      return std::min(a, b);
    case Combine::Multiply:
      return a * b;
    case Combine::Maximum:
      return std::max(a, b);
    default:
      return std::sqrt(a * b);
  }
}

double inSeries(double a, double b) { return a > 0 && b > 0 ? a * b / (a + b) : std::max(a, b); }

}  // namespace

ContactSurface combine(const Surface& a, const Surface& b) {
  ContactSurface c;
  const Combine rule = std::max(a.frictionRule, b.frictionRule);
  c.friction = combined(a.friction, b.friction, rule, Combine::GeometricMean);
  c.staticFriction = c.friction;
  if (a.staticFriction > a.friction || b.staticFriction > b.friction)
    c.staticFriction = std::max(
        c.friction, combined(std::max(a.staticFriction, a.friction), std::max(b.staticFriction, b.friction), rule, Combine::GeometricMean));
  c.rollingFriction = std::max(a.rollingFriction, b.rollingFriction);
  c.torsionalFriction = std::max(a.torsionalFriction, b.torsionalFriction);
  c.restitution = combined(a.restitution, b.restitution, std::max(a.restitutionRule, b.restitutionRule), Combine::Maximum);
  c.hertz = a.hertz || b.hertz;
  c.stiffness = inSeries(a.stiffness, b.stiffness);
  c.damping = inSeries(a.stiffness > 0 ? a.damping : 0, b.stiffness > 0 ? b.damping : 0);
  return c;
}

}  // namespace vertebra::geometry
