// Heightfields: agreement with the equivalent plane and mesh, solid below, rays.
#include "engine/geometry/heightfield.hpp"
#include "engine/geometry/raycast.hpp"
#include "engine/geometry/tessellate.hpp"
#include "tests/engine/geometry/samples.hpp"

using namespace test;

namespace {

const geometry::ShapeType kSolids[] = {geometry::ShapeType::Sphere, geometry::ShapeType::Capsule, geometry::ShapeType::Box,
                                       geometry::ShapeType::Cylinder, geometry::ShapeType::Convex};

template <class Height>
geometry::Geometry terrain(int rows, int columns, double dx, double dy, Height&& height, double depth = 5) {
  auto grid = std::make_shared<geometry::HeightGrid>();
  std::vector<double> z;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) z.push_back(height(c * dx, r * dy));
  REQUIRE(geometry::makeHeightGrid(rows, columns, dx, dy, z, *grid) == "");
  geometry::Geometry g;
  g.type = geometry::ShapeType::Heightfield;
  g.grid = grid;
  g.size.z() = depth;
  return g;
}

double least(const geometry::Manifold& m) {
  double g = kInf;
  for (int i = 0; i < m.count; ++i) g = std::min(g, m.points[i].gap);
  return g;
}

}  // namespace

TEST_CASE("an even heightfield acts as a plane, above, through and deep below its surface") {
  Random r(71);
  const double slope = 0.3;
  geometry::Geometry field = terrain(40, 30, 0.31, 0.23, [&](double x, double) { return slope * x; }), plane;
  plane.type = geometry::ShapeType::Plane;
  const Quat tilt = quatFromAxisAngle(Vec3::UnitY(), -std::atan(slope));
  for (geometry::ShapeType type : kSolids)
    for (int i = 0; i < 150; ++i) {
      geometry::Geometry g = randomGeometry(r, type);
      const Pose ground{randomVector(r, 2), i % 3 ? Quat(Quat::Identity()) : randomRotation(r)};
      Pose local{{r.range(3, 6), r.range(3, 6), 0}, i % 2 ? randomRotation(r) : tilt};
      const Vec3 up = tilt * Vec3::UnitZ();
      local.p += up * (width(g, local, -up) + (i % 5 ? r.range(-0.03, 0.02) : r.range(-1.5, 0)));
      geometry::Manifold onField, onPlane;
      geometry::collide(geometry::Collider(g, ground * local), geometry::Collider(field, ground), 0.02, onField);
      geometry::collide(geometry::Collider(g, ground * local), geometry::Collider(plane, ground * Pose{Vec3::Zero(), tilt}), 0.02, onPlane);
      INFO("type " << static_cast<int>(type) << " trial " << i);
      REQUIRE(onField.count > 0);
      CHECK(onField.count <= geometry::Manifold::kCapacity);
      // In deep penetration the nearest triangle may lie outside the shape's box.
      CHECK(least(onField) == Approx(least(onPlane)).margin(1e-4 + 0.1 * std::max(0.0, -0.05 - least(onPlane))));
      for (int k = 0; k < onField.count; ++k) CHECK((onField.points[k].normal + ground.q * up).norm() < 0.03);
    }
}

TEST_CASE("a heightfield and the mesh of its triangles give the same contacts and rays") {
  Random r(72);
  geometry::Geometry field = terrain(24, 17, 0.4, 0.5, [&](double, double) { return r.range(-0.15, 0.15); });
  auto mesh = std::make_shared<geometry::TriangleMesh>(geometry::tessellate(field));
  CHECK(mesh->triangles.size() == 2 * 23 * 16);
  const auto bvh = geometry::makeMeshBvh(*mesh);
  geometry::Geometry soup;
  soup.type = geometry::ShapeType::Mesh;
  soup.mesh = mesh;
  for (const geometry::MeshTriangle& t : bvh->triangles()) {  // the same neighbours, computed on demand
    const int cell = t.index / 2;
    const geometry::MeshTriangle own = geometry::heightTriangle(*field.grid, cell / 16, cell % 16, t.index % 2);
    for (int k = 0; k < 3; ++k) {
      CHECK((own.corner[k] - t.corner[k]).norm() == 0);
      CHECK((own.neighbourNormal[k] - t.neighbourNormal[k]).norm() < 1e-12);
      CHECK(own.convex[k] == t.convex[k]);
    }
  }
  int touching = 0, hits = 0;
  for (int i = 0; i < 600; ++i) {
    geometry::Geometry g = randomGeometry(r, kSolids[i % 5]);
    if (g.type != geometry::ShapeType::Convex) g.size *= 0.5;
    const Pose ground{randomVector(r, 2), randomRotation(r)}, local{{r.range(1, 5), r.range(1, 9), r.range(0.3, 0.9)}, randomRotation(r)};
    geometry::Manifold a, b;
    geometry::collide(geometry::Collider(g, ground * local), geometry::Collider(field, ground), 0.05, a);
    geometry::collide(geometry::Collider(g, ground * local), geometry::Collider(soup, ground, bvh.get()), 0.05, b);
    if (b.count == 0 || least(b) < -0.1) continue;
    INFO("trial " << i);
    REQUIRE(a.count > 0);
    CHECK(least(a) <= least(b) + 1e-9);  // triangles whose back faces the centre push here too
    touching++;
  }
  CHECK(touching > 100);
  for (int i = 0; i < 2000; ++i) {
    const Pose ground{randomVector(r, 2), randomRotation(r)};
    Vec3 from(r.range(-1, 7), r.range(-1, 12), r.range(0.2, 3)), to(r.range(-1, 7), r.range(-1, 12), r.range(-1, 1));
    if (i % 10 == 0) to = Vec3(from.x(), from.y(), -1);
    geometry::Ray ray{ground * from, ground.q * (to - from).normalized()};
    geometry::RayHit x, y;
    const bool one = geometry::raycast(geometry::Collider(field, ground), ray, 20, x),
               two = geometry::raycast(geometry::Collider(soup, ground, bvh.get()), ray, 20, y);
    INFO("ray " << i);
    REQUIRE(one == two);
    if (!one) continue;
    CHECK(x.t == Approx(y.t).margin(1e-9));
    CHECK((x.normal - y.normal).norm() < 1e-9);
    hits++;
  }
  CHECK(hits > 800);
  geometry::RayHit inside;
  CHECK(geometry::raycast(geometry::Collider(field, {}), {{3, 4, -1}, Vec3::UnitX()}, 1, inside));
  CHECK(inside.t == 0);
}

TEST_CASE("heights that are no terrain are refused") {
  geometry::HeightGrid g;
  CHECK(geometry::makeHeightGrid(1, 3, 1, 1, {0, 0, 0}, g) != "");
  CHECK(geometry::makeHeightGrid(2, 2, 1, 0, {0, 0, 0, 0}, g) != "");
  CHECK(geometry::makeHeightGrid(2, 2, 1, 1, {0, 0, 0}, g) != "");
  CHECK(geometry::makeHeightGrid(2, 2, 1, 1, {0, 0, 0, std::nan("")}, g) != "");
  CHECK(geometry::makeHeightGrid(2, 2, 1, 1, {0, 2, -1, 0}, g) == "");
  CHECK(g.lowest == -1);
  CHECK(g.highest == 2);
}
