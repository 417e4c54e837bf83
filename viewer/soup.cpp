// Rods, arrows and balls as triangles; see scene.hpp.
#include <algorithm>
#include <cmath>

#include "viewer/scene.hpp"

namespace vertebra::viewer {

namespace {
constexpr int kSides = 12;
}

void Soup::triangle(const osg::Vec3d (&corners)[3], const osg::Vec3d (&directions)[3], Colour colour) {
  for (int i = 0; i < 3; i++) {
    points.emplace_back(corners[i]);
    normals.emplace_back(directions[i]);
    colours.emplace_back(colour.r, colour.g, colour.b, colour.a);
  }
}

void Soup::rod(const osg::Vec3d& from, const osg::Vec3d& to, double radiusFrom, double radiusTo, Colour colour) {
  osg::Vec3d along = to - from;
  if (along.normalize() == 0) return;
  osg::Vec3d side = along ^ (std::fabs(along.z()) < 0.9 ? osg::Vec3d(0, 0, 1) : osg::Vec3d(1, 0, 0));
  side.normalize();
  const osg::Vec3d other = along ^ side;
  const auto around = [&](int i) {
    const double angle = 2 * M_PI * i / kSides;
    return side * std::cos(angle) + other * std::sin(angle);
  };
  for (int i = 0; i < kSides; i++) {
    const osg::Vec3d a = around(i), b = around(i + 1);
    const osg::Vec3d a0 = from + a * radiusFrom, b0 = from + b * radiusFrom, a1 = to + a * radiusTo, b1 = to + b * radiusTo;
    triangle({a0, b0, b1}, {a, b, b}, colour);
    triangle({a0, b1, a1}, {a, b, a}, colour);
    triangle({from, b0, a0}, {-along, -along, -along}, colour);
    triangle({to, a1, b1}, {along, along, along}, colour);
  }
}

void Soup::arrow(const osg::Vec3d& from, const osg::Vec3d& to, double radius, Colour colour) {
  const osg::Vec3d way = to - from;
  const double head = std::min(5 * radius, 0.6 * way.length());
  if (way.length() == 0) return;
  const osg::Vec3d neck = to - way / way.length() * head;
  rod(from, neck, radius, radius, colour);
  rod(neck, to, 2.4 * radius, 0, colour);
}

void Soup::ball(const osg::Vec3d& centre, double radius, Colour colour) {
  constexpr int kRings = 6;
  const auto on = [](int ring, int side) {
    const double polar = M_PI * ring / kRings, angle = 2 * M_PI * side / kSides;
    return osg::Vec3d(std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle), std::cos(polar));
  };
  for (int i = 0; i < kRings; i++)
    for (int j = 0; j < kSides; j++) {
      const osg::Vec3d a = on(i, j), b = on(i + 1, j), c = on(i + 1, j + 1), d = on(i, j + 1);
      if (i < kRings - 1) triangle({centre + a * radius, centre + b * radius, centre + c * radius}, {a, b, c}, colour);
      if (i > 0) triangle({centre + a * radius, centre + c * radius, centre + d * radius}, {a, c, d}, colour);
    }
}

}  // namespace vertebra::viewer
