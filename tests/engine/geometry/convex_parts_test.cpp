// Convex parts of meshes with hollows: volume, holes that stay open, contact of the parts as one shape.
#include "engine/geometry/convex_parts.hpp"
#include "engine/geometry/collision.hpp"
#include "engine/geometry/mass_properties.hpp"
#include "tests/engine/geometry/solids.hpp"

using namespace test;

namespace {

geometry::Geometry inParts(const std::shared_ptr<const geometry::TriangleMesh>& mesh, int maxParts, double tolerance) {
  auto parts = std::make_shared<geometry::ConvexParts>();
  REQUIRE(geometry::makeConvexParts(*mesh, {maxParts, tolerance}, *parts) == "");
  geometry::Geometry g;
  g.type = geometry::ShapeType::Mesh;
  g.mesh = mesh;
  g.parts = parts;
  return g;
}

geometry::Geometry ball(double radius) {
  geometry::Geometry g;
  g.size.x() = radius;
  return g;
}

double leastGap(const geometry::Geometry& a, const Pose& pa, const geometry::Geometry& b, const Pose& pb, double margin = 0.5) {
  geometry::Manifold m;
  geometry::collide(geometry::Collider(a, pa), geometry::Collider(b, pb), margin, m);
  double least = margin;
  for (int k = 0; k < m.count; ++k) least = std::min(least, m.points[k].gap);
  return least;
}

}  // namespace

TEST_CASE("shapes of boxes fall into few parts without loss") {
  struct Case {
    std::vector<Vec3> outline;
    int parts;
    double area;
  };
  const Case cases[] = {
      {{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}}, 2, 4},                        // L
      {{{0, 0, 0}, {3, 0, 0}, {3, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 3, 5},  // U
      {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, 1, 1},                                              // box
      {{{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}, {1, 1, 0}, {0, 1, 0}}, 2, 4},  // T
  };
  for (const Case& c : cases) {
    const auto mesh = prism(c.outline, 0.7);
    geometry::ConvexParts parts;
    REQUIRE(geometry::makeConvexParts(*mesh, {16, 0.001}, parts) == "");
    CHECK(parts.solidVolume == Approx(c.area * 0.7));
    CHECK(parts.hullVolume == Approx(c.area * 0.7));
    CHECK(static_cast<int>(parts.part.size()) <= c.parts + 1);
    double sum = 0;
    for (const geometry::Geometry& g : parts.part) {
      geometry::MassProperties m;
      REQUIRE(geometry::massProperties(g, 1, m) == "");
      sum += m.mass;
    }
    CHECK(sum == Approx(parts.hullVolume));
  }
}

TEST_CASE("a ball fits into a U, and through a torus, whose volume the parts keep") {
  const geometry::Geometry u =
      inParts(prism({{0, 0, 0}, {3, 0, 0}, {3, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 1), 8, 0.001);
  CHECK(leastGap(ball(0.4), {{1.5, 1.5, 0.5}, Quat::Identity()}, u, {}) == Approx(0.1));
  CHECK(leastGap(ball(0.6), {{1.5, 1.5, 0.5}, Quat::Identity()}, u, {}) == Approx(-0.1));
  CHECK(leastGap(ball(0.4), {{0.5, 2.3, 0.5}, Quat::Identity()}, u, {}) == Approx(-0.1));  // on an arm

  const double major = 1, minor = 0.3;
  const auto mesh = torus(major, minor, 40, 16);
  const geometry::Geometry ring = inParts(mesh, 24, 0.02);
  CHECK(ring.parts->solidVolume == Approx(2 * kPi * kPi * major * minor * minor).epsilon(0.05));
  INFO("parts " << ring.parts->part.size() << " hulls " << ring.parts->hullVolume << " solid " << ring.parts->solidVolume);
  CHECK(ring.parts->hullVolume < 1.1 * ring.parts->solidVolume);
  CHECK(ring.parts->hullVolume > 0.999 * ring.parts->solidVolume);
  for (double z = -1; z <= 1; z += 0.1) CHECK(leastGap(ball(0.5), {{0, 0, z}, Quat::Identity()}, ring, {}) > 0.02);
  CHECK(leastGap(ball(0.5), {{1, 0, 0.7}, Quat::Identity()}, ring, {}) == Approx(-0.1).margin(0.01));
  // Every vertex of the mesh lies in some part: nothing is missing.
  for (const Vec3& v : mesh->vertices) CHECK(leastGap(ball(0.01), {v, Quat::Identity()}, ring, {}) < 0);
}

TEST_CASE("parts against parts, in either order") {
  const geometry::Geometry u =
      inParts(prism({{0, 0, 0}, {3, 0, 0}, {3, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 1), 8, 0.001);
  // A second one upside down, one of its arms in the hollow of the first, shifted by 0.1.
  const Pose other{{3.9, 3.05, 0}, quatFromAxisAngle(Vec3::UnitZ(), kPi)};
  geometry::Manifold m, n;
  geometry::collide(geometry::Collider(u, {}), geometry::Collider(u, other), 0.2, m);
  geometry::collide(geometry::Collider(u, other), geometry::Collider(u, {}), 0.2, n);
  REQUIRE(m.count > 0);
  CHECK(m.count == n.count);
  CHECK(leastGap(u, {}, u, other, 0.2) == Approx(leastGap(u, other, u, {}, 0.2)));
}

TEST_CASE("open and flat meshes have no parts") {
  auto mesh = std::make_shared<geometry::TriangleMesh>(*boxMesh({1, 1, 1}));
  geometry::ConvexParts parts;
  CHECK(geometry::makeConvexParts(*mesh, {}, parts) == "");
  CHECK(parts.part.size() == 1);
  mesh->triangles.pop_back();
  CHECK(geometry::makeConvexParts(*mesh, {}, parts) != "");
}
