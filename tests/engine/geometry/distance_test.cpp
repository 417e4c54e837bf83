// Closest points against a search over all directions, meshes and terrain against their solids; times of meeting against closed forms and
// against small steps.
#include "engine/geometry/distance.hpp"
#include "engine/geometry/convex_parts.hpp"
#include "engine/geometry/heightfield.hpp"
#include "tests/engine/geometry/solids.hpp"

using namespace test;

namespace {

const ShapeType kSolids[] = {ShapeType::Sphere, ShapeType::Capsule, ShapeType::Box, ShapeType::Cylinder, ShapeType::Convex};

Geometry solid(ShapeType type, const Vec3& size) {
  Geometry g;
  g.type = type;
  g.size = size;
  return g;
}

}  // namespace

TEST_CASE("closest points of convex shapes: distance, depth, and where they are") {
  Random r(81);
  for (int i = 0; i < 250; ++i) {
    const Geometry a = randomGeometry(r, kSolids[i % 5]), b = randomGeometry(r, kSolids[i / 5 % 5]);
    const Pose pa{randomVector(r, 1), randomRotation(r)}, pb{randomVector(r, 1), randomRotation(r)};
    const double distance = signedDistance(a, pa, b, pb, r);
    ClosestPoints c;
    INFO("trial " << i);
    REQUIRE(closestPoints(Collider(a, pa), Collider(b, pb), kInf, c));
    CHECK(c.distance == Approx(distance).margin(2e-5));
    CHECK((c.b - c.a).dot(c.normal) == Approx(c.distance).margin(1e-6));
    CHECK(c.normal.norm() == Approx(1));
    // Each point is in its shape, and no point of the shape lies beyond it along the normal.
    CHECK(width(a, pa, c.normal) == Approx(c.normal.dot(c.a)).margin(1e-5));
    CHECK(width(b, pb, -c.normal) == Approx(-c.normal.dot(c.b)).margin(1e-5));
    ClosestPoints mirrored;
    REQUIRE(closestPoints(Collider(b, pb), Collider(a, pa), kInf, mirrored));
    CHECK(mirrored.distance == Approx(c.distance).margin(1e-6));
    if (distance > 1e-3) {
      CHECK_FALSE(closestPoints(Collider(a, pa), Collider(b, pb), distance * 0.999, mirrored));
      CHECK(closestPoints(Collider(a, pa), Collider(b, pb), distance * 1.001, mirrored));
    }
  }
}

TEST_CASE("closest points to planes, meshes, terrain and parts") {
  Random r(82);
  Geometry plane, mesh, field;
  plane.type = ShapeType::Plane;
  mesh.type = ShapeType::Mesh;
  mesh.mesh = boxMesh({0.8, 0.6, 0.7});
  const auto bvh = makeMeshBvh(*mesh.mesh);
  auto grid = std::make_shared<HeightGrid>();
  REQUIRE(makeHeightGrid(2, 2, 100, 100, {0, 0, 0, 0}, *grid) == "");
  field.type = ShapeType::Heightfield;
  field.grid = grid;
  field.size.z() = 10;
  const Geometry box = solid(ShapeType::Box, {0.8, 0.6, 0.7});
  Geometry parts = mesh;
  auto cut = std::make_shared<ConvexParts>();
  REQUIRE(makeConvexParts(*mesh.mesh, {}, *cut) == "");
  parts.parts = cut;
  for (int i = 0; i < 100; ++i) {
    Geometry g = randomGeometry(r, kSolids[i % 5]);
    const Pose ground{randomVector(r, 2), randomRotation(r)}, local{randomVector(r, 1.5), randomRotation(r)};
    const double height = -width(g, local, -Vec3::UnitZ());
    ClosestPoints c;
    INFO("trial " << i);
    REQUIRE(closestPoints(Collider(g, ground * local), Collider(plane, ground), kInf, c));
    CHECK(c.distance == Approx(height).margin(1e-9));
    CHECK((c.normal + ground.q * Vec3::UnitZ()).norm() < 1e-9);
    const Pose overField = ground * Pose{Vec3(-50, -50, 0), Quat::Identity()};
    REQUIRE(closestPoints(Collider(g, ground * local), Collider(field, overField), kInf, c));
    CHECK(c.distance == Approx(height).margin(2e-4));
    const double distance = signedDistance(g, ground * local, box, ground, r);
    REQUIRE(closestPoints(Collider(g, ground * local), Collider(parts, ground), kInf, c));
    CHECK(c.distance > distance - 2e-5);  // the search may stop short of the best direction
    CHECK(c.distance < distance + 2e-4);
    if (distance < 0.01) continue;
    REQUIRE(closestPoints(Collider(g, ground * local), Collider(mesh, ground, bvh.get()), kInf, c));
    CHECK(c.distance == Approx(distance).margin(2e-5));
    CHECK((c.b - c.a).norm() == Approx(distance).margin(2e-5));
  }
}

TEST_CASE("meetings of shapes in translation: closed forms") {
  const Geometry ball = solid(ShapeType::Sphere, {0.1, 0, 0}), wall = solid(ShapeType::Box, {0.01, 1, 1});
  RigidMotion flight, none;
  flight.velocity = Vec3(100, 0, 0);
  Meeting m[4];
  REQUIRE(meetings(Collider(ball, {{-1, 0.2, 0}, Quat::Identity()}), flight, Collider(wall, {}), none, 1, 1e-4, -kInf, m, 4) == 1);
  CHECK(m[0].t == Approx((1 - 0.11) / 100).margin(1e-6));
  CHECK((m[0].normal - Vec3::UnitX()).norm() < 1e-9);
  CHECK(meetings(Collider(ball, {{-1, 0.2, 0}, Quat::Identity()}), flight, Collider(wall, {}), none, 0.0088, 1e-4, -kInf, m, 4) == 0);
  CHECK(meetings(Collider(ball, {{-1, 1.11, 0}, Quat::Identity()}), flight, Collider(wall, {}), none, 1, 1e-4, -kInf, m, 4) == 0);
  CHECK(meetings(Collider(ball, {{1, 0.2, 0}, Quat::Identity()}), flight, Collider(wall, {}), none, 1, 1e-4, -kInf, m, 4) == 0);
  RigidMotion along = flight;  // both move: only the difference matters
  along.velocity = Vec3(40, 3, 0);
  flight.velocity = Vec3(140, 3, 0);
  REQUIRE(meetings(Collider(ball, {{-1, 0.2, 0}, Quat::Identity()}), flight, Collider(wall, {}), along, 1, 1e-4, -kInf, m, 4) == 1);
  CHECK(m[0].t == Approx((1 - 0.11) / 100).margin(1e-6));
  // Against a plane, and overlapping at the start.
  Geometry plane;
  plane.type = ShapeType::Plane;
  flight.velocity = Vec3(5, 0, -20);
  REQUIRE(meetings(Collider(ball, {{0, 0, 1.1}, Quat::Identity()}), flight, Collider(plane, {}), none, 1, 1e-4, -kInf, m, 4) == 1);
  CHECK(m[0].t == Approx(1.0 / 20).margin(1e-5));
  REQUIRE(meetings(Collider(ball, {}), flight, Collider(wall, {}), none, 1, 1e-4, -kInf, m, 4) == 1);
  CHECK(m[0].t == 0);
  CHECK(meetings(Collider(ball, {}), flight, Collider(wall, {}), none, 1, 1e-4, 0.01, m, 4) == 0);
}

TEST_CASE("meetings of rotating shapes: no touch is missed, none is invented") {
  Random r(83);
  int met = 0, missed = 0;
  for (int i = 0; i < 300; ++i) {
    const Geometry a = randomGeometry(r, kSolids[i % 5]), b = randomGeometry(r, kSolids[i / 5 % 5]);
    const Pose pa{Vec3::Zero(), randomRotation(r)}, pb{r.range(2, 3.5) * randomUnit(r), randomRotation(r)};
    RigidMotion ma, mb;
    ma.velocity = r.range(0, 3) * randomUnit(r);
    ma.omega = r.range(0, 3) * randomUnit(r);
    ma.pivot = randomVector(r, 1);
    mb.velocity = r.range(0, 3) * randomUnit(r);
    mb.omega = r.range(0, 3) * randomUnit(r);
    mb.pivot = pb.p + randomVector(r, 1);
    const Collider ca(a, pa), cb(b, pb);
    const double near = 1e-3;
    Meeting m[4];
    const int count = meetings(ca, ma, cb, mb, 1, near, -kInf, m, 4);
    // By small steps: the distance changes by less than the step times the largest speed.
    double first = kInf, least = kInf;
    for (int k = 0; k <= 2000 && first == kInf; ++k) {
      ClosestPoints c;
      REQUIRE(closestPoints(moved(ca, ma, k / 2000.0), moved(cb, mb, k / 2000.0), kInf, c));
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
  CHECK(met > 20);
  CHECK(missed > 100);
}

TEST_CASE("meetings with the triangles of a mesh come in order, back faces not at all") {
  Geometry mesh;
  mesh.type = ShapeType::Mesh;
  mesh.mesh = boxMesh({1, 1, 1});
  const auto bvh = makeMeshBvh(*mesh.mesh);
  const Geometry ball = solid(ShapeType::Sphere, {0.1, 0, 0});
  RigidMotion flight, none;
  flight.velocity = Vec3(50, 0, 0);
  Meeting m[8];
  const int count =
      meetings(Collider(ball, {{-3, 0.3, 0.2}, Quat::Identity()}), flight, Collider(mesh, {}, bvh.get()), none, 1, 1e-4, -kInf, m, 8);
  REQUIRE(count >= 1);
  CHECK(m[0].t == Approx(1.9 / 50).margin(1e-5));
  CHECK((m[0].normal - Vec3::UnitX()).norm() < 1e-9);
  for (int k = 1; k < count; ++k) CHECK(m[k].t >= m[k - 1].t);
  for (int k = 0; k < count; ++k) CHECK(m[k].normal.x() > -0.5);  // the far side faces away
}
