// Closest points against a search over all directions, meshes and terrain against their solids; times of meeting against closed forms and
// against small steps.
#include "engine/geometry/distance.hpp"
#include "engine/geometry/collision.hpp"
#include "engine/geometry/convex_parts.hpp"
#include "engine/geometry/heightfield.hpp"
#include "tests/engine/geometry/solids.hpp"

using namespace test;

namespace {

const geometry::ShapeType kSolids[] = {geometry::ShapeType::Sphere, geometry::ShapeType::Capsule, geometry::ShapeType::Box,
                                       geometry::ShapeType::Cylinder, geometry::ShapeType::Convex};

geometry::Geometry solid(geometry::ShapeType type, const Vec3& size) {
  geometry::Geometry g;
  g.type = type;
  g.size = size;
  return g;
}

}  // namespace

TEST_CASE("closest points of convex shapes: distance, depth, and where they are") {
  Random r(81);
  for (int i = 0; i < 250; ++i) {
    const geometry::Geometry a = randomGeometry(r, kSolids[i % 5]), b = randomGeometry(r, kSolids[i / 5 % 5]);
    const Pose pa{randomVector(r, 1), randomRotation(r)}, pb{randomVector(r, 1), randomRotation(r)};
    const double distance = signedDistance(a, pa, b, pb, r);
    geometry::ClosestPoints c;
    INFO("trial " << i);
    REQUIRE(geometry::closestPoints(geometry::Collider(a, pa), geometry::Collider(b, pb), kInf, c));
    // The search tells no more than the distance, and may stop short of it; a distance along a normal that both shapes stay behind, below,
    // is no more either.
    CHECK(c.distance > distance - 2e-5);
    CHECK((c.b - c.a).dot(c.normal) == Approx(c.distance).margin(1e-6));
    CHECK(c.normal.norm() == Approx(1));
    // Each point is in its shape, and no point of the shape lies beyond it along the normal.
    CHECK(width(a, pa, c.normal) == Approx(c.normal.dot(c.a)).margin(1e-5));
    CHECK(width(b, pb, -c.normal) == Approx(-c.normal.dot(c.b)).margin(1e-5));
    geometry::ClosestPoints mirrored;
    REQUIRE(geometry::closestPoints(geometry::Collider(b, pb), geometry::Collider(a, pa), kInf, mirrored));
    CHECK(mirrored.distance == Approx(c.distance).margin(1e-6));
    if (c.distance > 1e-3) {
      CHECK((c.b - c.a).norm() == Approx(c.distance).margin(1e-6));
      CHECK_FALSE(geometry::closestPoints(geometry::Collider(a, pa), geometry::Collider(b, pb), c.distance * 0.999, mirrored));
      CHECK(geometry::closestPoints(geometry::Collider(a, pa), geometry::Collider(b, pb), c.distance * 1.001, mirrored));
    }
  }
}

TEST_CASE("the deepest contact of a hull in flat terrain is its lowest corner") {
  Random r(5);
  geometry::Geometry field;
  field.type = geometry::ShapeType::Heightfield;
  auto grid = std::make_shared<geometry::HeightGrid>();
  REQUIRE(geometry::makeHeightGrid(2, 2, 100, 100, {0, 0, 0, 0}, *grid) == "");
  field.grid = grid;
  field.size.z() = 10;
  const geometry::Collider overField(field, Pose{Vec3(-50, -50, 0), Quat::Identity()});
  int deep = 0;
  for (int i = 0; i < 4000; ++i) {
    const geometry::Geometry g = randomGeometry(r, geometry::ShapeType::Convex);
    const Vec3 place = randomVector(r, 1);
    const Pose pose{place, randomRotation(r)};
    const double height = -width(g, pose, -Vec3::UnitZ());
    if (height > -1e-3) continue;
    deep += height < -0.2;
    geometry::Manifold m;
    geometry::collide(geometry::Collider(g, pose), overField, 0, m);
    INFO("trial " << i << ", lowest corner " << height);
    double deepest = 0;
    for (int k = 0; k < m.count; ++k) deepest = std::min(deepest, m.points[k].gap);
    CHECK(deepest == Approx(height).margin(3e-4));  // a direction may lean by 1e-3 rad, a face reach beyond its edge by 1e-5 of the size
  }
  CHECK(deep > 1000);
}

TEST_CASE("a hull that sinks into a floor of triangles keeps its contact while its middle is above") {
  Random r(6);
  geometry::Geometry floor;
  floor.type = geometry::ShapeType::Mesh;
  auto mesh = std::make_shared<geometry::TriangleMesh>();
  mesh->vertices = {{-50, -50, 0}, {50, -50, 0}, {50, 50, 0}, {-50, 50, 0}};  // their common edge is under the hulls
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
  floor.mesh = mesh;
  const auto bvh = geometry::makeMeshBvh(*mesh);
  const geometry::Collider ground(floor, Pose{}, bvh.get());
  for (const double depth : {5e-4, 2e-3, 1e-2, 5e-2})
    for (int i = 0; i < 2000; ++i) {
      const geometry::Geometry g = randomGeometry(r, geometry::ShapeType::Convex);
      Pose pose{randomVector(r, 1), randomRotation(r)};
      pose.p.z() = 0;
      pose.p.z() = width(g, pose, -Vec3::UnitZ()) - depth;
      Vec3 middle = Vec3::Zero();
      for (const Vec3& v : g.hull->vertices) middle += v / static_cast<double>(g.hull->vertices.size());
      if ((pose.p + pose.q * middle).z() < 1e-6) continue;
      geometry::Manifold m;
      geometry::collide(geometry::Collider(g, pose), ground, 0, m);
      INFO("depth " << depth << ", trial " << i);
      REQUIRE(m.count > 0);
      double deepest = 0;
      for (int k = 0; k < m.count; ++k) deepest = std::min(deepest, m.points[k].gap);
      CHECK(deepest < -depth + 2e-3);
      CHECK(deepest > -depth - 5e-4);
    }
}

TEST_CASE("closest points to planes, meshes, terrain and parts") {
  Random r(82);
  geometry::Geometry plane, mesh, field;
  plane.type = geometry::ShapeType::Plane;
  mesh.type = geometry::ShapeType::Mesh;
  mesh.mesh = boxMesh({0.8, 0.6, 0.7});
  const auto bvh = geometry::makeMeshBvh(*mesh.mesh);
  auto grid = std::make_shared<geometry::HeightGrid>();
  REQUIRE(geometry::makeHeightGrid(2, 2, 100, 100, {0, 0, 0, 0}, *grid) == "");
  field.type = geometry::ShapeType::Heightfield;
  field.grid = grid;
  field.size.z() = 10;
  const geometry::Geometry box = solid(geometry::ShapeType::Box, {0.8, 0.6, 0.7});
  geometry::Geometry parts = mesh;
  auto cut = std::make_shared<geometry::ConvexParts>();
  REQUIRE(geometry::makeConvexParts(*mesh.mesh, {}, *cut) == "");
  parts.parts = cut;
  for (int i = 0; i < 100; ++i) {
    geometry::Geometry g = randomGeometry(r, kSolids[i % 5]);
    const Pose ground{randomVector(r, 2), randomRotation(r)}, local{randomVector(r, 1.5), randomRotation(r)};
    const double height = -width(g, local, -Vec3::UnitZ());
    geometry::ClosestPoints c;
    INFO("trial " << i);
    REQUIRE(geometry::closestPoints(geometry::Collider(g, ground * local), geometry::Collider(plane, ground), kInf, c));
    CHECK(c.distance == Approx(height).margin(1e-9));
    CHECK((c.normal + ground.q * Vec3::UnitZ()).norm() < 1e-9);
    const Pose overField = ground * Pose{Vec3(-50, -50, 0), Quat::Identity()};
    REQUIRE(geometry::closestPoints(geometry::Collider(g, ground * local), geometry::Collider(field, overField), kInf, c));
    CHECK(c.distance == Approx(height).margin(2e-4));
    const double distance = signedDistance(g, ground * local, box, ground, r);
    REQUIRE(geometry::closestPoints(geometry::Collider(g, ground * local), geometry::Collider(parts, ground), kInf, c));
    CHECK(c.distance > distance - 2e-5);  // the search may stop short of the best direction
    CHECK(c.distance < distance + 2e-4);
    if (distance < 0.01) continue;
    REQUIRE(geometry::closestPoints(geometry::Collider(g, ground * local), geometry::Collider(mesh, ground, bvh.get()), kInf, c));
    CHECK(c.distance == Approx(distance).margin(2e-5));
    CHECK((c.b - c.a).norm() == Approx(distance).margin(2e-5));
  }
}

TEST_CASE("meetings of shapes in translation: closed forms") {
  const geometry::Geometry ball = solid(geometry::ShapeType::Sphere, {0.1, 0, 0}), wall = solid(geometry::ShapeType::Box, {0.01, 1, 1});
  geometry::RigidMotion flight, none;
  flight.velocity = Vec3(100, 0, 0);
  geometry::Meeting m[4];
  REQUIRE(geometry::meetings(geometry::Collider(ball, {{-1, 0.2, 0}, Quat::Identity()}), flight, geometry::Collider(wall, {}), none, 1,
                             1e-4, -kInf, m, 4) == 1);
  CHECK(m[0].t == Approx((1 - 0.11) / 100).margin(1e-6));
  CHECK((m[0].normal - Vec3::UnitX()).norm() < 1e-9);
  CHECK(geometry::meetings(geometry::Collider(ball, {{-1, 0.2, 0}, Quat::Identity()}), flight, geometry::Collider(wall, {}), none, 0.0088,
                           1e-4, -kInf, m, 4) == 0);
  CHECK(geometry::meetings(geometry::Collider(ball, {{-1, 1.11, 0}, Quat::Identity()}), flight, geometry::Collider(wall, {}), none, 1, 1e-4,
                           -kInf, m, 4) == 0);
  CHECK(geometry::meetings(geometry::Collider(ball, {{1, 0.2, 0}, Quat::Identity()}), flight, geometry::Collider(wall, {}), none, 1, 1e-4,
                           -kInf, m, 4) == 0);
  geometry::RigidMotion along = flight;  // both move: only the difference matters
  along.velocity = Vec3(40, 3, 0);
  flight.velocity = Vec3(140, 3, 0);
  REQUIRE(geometry::meetings(geometry::Collider(ball, {{-1, 0.2, 0}, Quat::Identity()}), flight, geometry::Collider(wall, {}), along, 1,
                             1e-4, -kInf, m, 4) == 1);
  CHECK(m[0].t == Approx((1 - 0.11) / 100).margin(1e-6));
  // Against a plane, and overlapping at the start.
  geometry::Geometry plane;
  plane.type = geometry::ShapeType::Plane;
  flight.velocity = Vec3(5, 0, -20);
  REQUIRE(geometry::meetings(geometry::Collider(ball, {{0, 0, 1.1}, Quat::Identity()}), flight, geometry::Collider(plane, {}), none, 1,
                             1e-4, -kInf, m, 4) == 1);
  CHECK(m[0].t == Approx(1.0 / 20).margin(1e-5));
  REQUIRE(geometry::meetings(geometry::Collider(ball, {}), flight, geometry::Collider(wall, {}), none, 1, 1e-4, -kInf, m, 4) == 1);
  CHECK(m[0].t == 0);
  CHECK(geometry::meetings(geometry::Collider(ball, {}), flight, geometry::Collider(wall, {}), none, 1, 1e-4, 0.01, m, 4) == 0);
}

TEST_CASE("meetings of rotating shapes: no touch is missed, none is invented") {
  Random r(83);
  int met = 0, missed = 0;
  for (int i = 0; i < 300; ++i) {
    const geometry::Geometry a = randomGeometry(r, kSolids[i % 5]), b = randomGeometry(r, kSolids[i / 5 % 5]);
    const Pose pa{Vec3::Zero(), randomRotation(r)}, pb{r.range(2, 3.5) * randomUnit(r), randomRotation(r)};
    geometry::RigidMotion ma, mb;
    ma.velocity = r.range(0, 3) * randomUnit(r);
    ma.omega = r.range(0, 3) * randomUnit(r);
    ma.pivot = randomVector(r, 1);
    mb.velocity = r.range(0, 3) * randomUnit(r);
    mb.omega = r.range(0, 3) * randomUnit(r);
    mb.pivot = pb.p + randomVector(r, 1);
    const geometry::Collider ca(a, pa), cb(b, pb);
    const double near = 1e-3;
    geometry::Meeting m[4];
    const int count = geometry::meetings(ca, ma, cb, mb, 1, near, -kInf, m, 4);
    // By small steps: the distance changes by less than the step times the largest speed.
    double first = kInf, least = kInf;
    for (int k = 0; k <= 2000 && first == kInf; ++k) {
      geometry::ClosestPoints c;
      REQUIRE(geometry::closestPoints(geometry::moved(ca, ma, k / 2000.0), geometry::moved(cb, mb, k / 2000.0), kInf, c));
      least = std::min(least, c.distance);
      if (c.distance <= near) first = k / 2000.0;
    }
    INFO("trial " << i << " stepping " << first << " least " << least);
    if (first < kInf) {
      REQUIRE(count == 1);
      CHECK(m[0].t <= first + 2e-3);
      CHECK(m[0].t >= first - 1.0 / 2000 - 0.02);
      met++;
    } else if (least > 0.01) {
      CHECK(count == 0);
      missed++;
    }
  }
  CHECK(met > 10);
  CHECK(missed > 100);
}

TEST_CASE("meetings with the triangles of a mesh come in order, back faces not at all") {
  geometry::Geometry mesh;
  mesh.type = geometry::ShapeType::Mesh;
  mesh.mesh = boxMesh({1, 1, 1});
  const auto bvh = geometry::makeMeshBvh(*mesh.mesh);
  const geometry::Geometry ball = solid(geometry::ShapeType::Sphere, {0.1, 0, 0});
  geometry::RigidMotion flight, none;
  flight.velocity = Vec3(50, 0, 0);
  geometry::Meeting m[8];
  const int count = geometry::meetings(geometry::Collider(ball, {{-3, 0.3, 0.2}, Quat::Identity()}), flight,
                                       geometry::Collider(mesh, {}, bvh.get()), none, 1, 1e-4, -kInf, m, 8);
  REQUIRE(count >= 1);
  CHECK(m[0].t == Approx(1.9 / 50).margin(1e-5));
  CHECK((m[0].normal - Vec3::UnitX()).norm() < 1e-9);
  for (int k = 1; k < count; ++k) CHECK(m[k].t >= m[k - 1].t);
  for (int k = 0; k < count; ++k) CHECK(m[k].normal.x() > -0.5);  // the far side faces away
}

// A sliver of four points on a round body may seem to hold the origin, though a plane lies between the two bodies.
TEST_CASE("closest points: round bodies that nearly touch are as far apart as they were moved") {
  {  // found in a heap: the gap was minus the radius
    const geometry::Geometry capsule = solid(geometry::ShapeType::Capsule, Vec3(0.040485746717805096, 0, 0.08097149343561019)),
                             cylinder = solid(geometry::ShapeType::Cylinder, Vec3(0.31025737129167813, 0, 0.18542093119346587));
    const Pose a{Vec3(-0.29479660487892195, -0.31964000473433113, 0.1339780179527778),
                 Quat(0.7985380198576066, -0.43961515023928555, -0.3973793648939138, -0.10566546682096556)},
        b{Vec3(0.0433425103950766, -0.5057373858384979, 0.28314203754917544),
          Quat(0.9602822039382246, -0.044185553413991246, 0.17432967278705266, 0.21334219192415846)};
    geometry::ClosestPoints c;
    REQUIRE(geometry::closestPoints(geometry::Collider(capsule, a), geometry::Collider(cylinder, b), kInf, c));
    CHECK(c.distance == Approx(-4.3e-5).margin(1e-6));
  }
  Random r(1059);
  const geometry::ShapeType others[] = {geometry::ShapeType::Cylinder, geometry::ShapeType::Box, geometry::ShapeType::Convex,
                                        geometry::ShapeType::Capsule};
  for (int i = 0; i < 40000; i++) {
    const geometry::Geometry a = randomGeometry(r, i % 2 ? geometry::ShapeType::Capsule : geometry::ShapeType::Sphere),
                             b = randomGeometry(r, others[i / 2 % 4]);
    Pose pa{randomVector(r, 3), randomRotation(r)}, pb{randomVector(r, 1), randomRotation(r)};
    geometry::ClosestPoints far, near;
    REQUIRE(geometry::closestPoints(geometry::Collider(a, pa), geometry::Collider(b, pb), kInf, far));
    if (!(far.distance > 1e-3)) continue;
    const double gap = r.range(-1e-4, 1e-4);  // the cores stay apart, and their nearest points the same
    pa.p += (far.distance - gap) * far.normal;
    REQUIRE(geometry::closestPoints(geometry::Collider(a, pa), geometry::Collider(b, pb), kInf, near));
    INFO("trial " << i);
    CHECK(near.distance == Approx(gap).margin(1e-6));
  }
}
