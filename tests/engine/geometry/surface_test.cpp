// Two surfaces combined: rules, their rank, and parameters of one side only.
#include "engine/geometry/surface.hpp"
#include "tests/support.hpp"

using namespace vertebra;

namespace {
geometry::Surface surface(double friction, double restitution, geometry::Combine rule = geometry::Combine::Default) {
  geometry::Surface s;
  s.friction = friction;
  s.restitution = restitution;
  s.frictionRule = s.restitutionRule = rule;
  return s;
}
}  // namespace

TEST_CASE("surfaces combine by the rule of higher rank") {
  const double a = 0.2, b = 0.8;
  struct Expected {
    geometry::Combine rule;
    double value;
  };
  const Expected ranked[] = {{geometry::Combine::GeometricMean, 0.4},
                             {geometry::Combine::Average, 0.5},
                             {geometry::Combine::Minimum, 0.2},
                             {geometry::Combine::Multiply, 0.16},
                             {geometry::Combine::Maximum, 0.8}};
  for (const Expected& e : ranked) {
    const geometry::ContactSurface c = geometry::combine(surface(a, a, e.rule), surface(b, b, e.rule));
    CHECK(c.friction == Approx(e.value));
    CHECK(c.restitution == Approx(e.value));
    for (const Expected& lower : ranked) {
      if (lower.rule > e.rule) break;
      CHECK(geometry::combine(surface(a, a, lower.rule), surface(b, b, e.rule)).friction == Approx(e.value));
      CHECK(geometry::combine(surface(a, a, e.rule), surface(b, b, lower.rule)).restitution == Approx(e.value));
    }
    CHECK(geometry::combine(surface(a, a), surface(b, b, e.rule)).restitution == Approx(e.value));  // the default has the lowest rank
  }
  const geometry::ContactSurface standard = geometry::combine(surface(a, 0.1), surface(b, 0.3));
  CHECK(standard.friction == Approx(0.4));
  CHECK(standard.restitution == 0.3);
  CHECK(standard.staticFriction == standard.friction);
}

TEST_CASE("two compliant surfaces act in series, one alone by itself") {
  geometry::Surface a = surface(0.5, 0), b = a;
  a.stiffness = 3000;
  a.damping = 20;
  b.damping = 70;  // without stiffness it is rigid, and its damping has no effect
  CHECK(geometry::combine(a, b).stiffness == Approx(3000));
  CHECK(geometry::combine(a, b).damping == Approx(20));
  b.stiffness = 6000;
  b.damping = 60;
  CHECK(geometry::combine(a, b).stiffness == Approx(2000));
  CHECK(geometry::combine(a, b).damping == Approx(15));
}

TEST_CASE("static friction is never below sliding friction; lengths of rolling friction need one soft partner") {
  geometry::Surface rubber = surface(0.5, 0), ice = surface(0.1, 0);
  rubber.staticFriction = 0.9;
  rubber.rollingFriction = 0.003;
  ice.torsionalFriction = 0.001;
  const geometry::ContactSurface c = geometry::combine(rubber, ice), mirrored = geometry::combine(ice, rubber);
  CHECK(c.staticFriction == Approx(std::sqrt(0.9 * 0.1)));
  CHECK(c.staticFriction > c.friction);
  CHECK(c.rollingFriction == 0.003);
  CHECK(c.torsionalFriction == 0.001);
  CHECK(mirrored.staticFriction == c.staticFriction);
  CHECK(mirrored.friction == c.friction);
  rubber.staticFriction = 0.2;  // below 0.5
  CHECK(geometry::combine(rubber, rubber).staticFriction == 0.5);
}
