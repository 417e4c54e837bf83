// Static meshes: agreement with the solid they tessellate, smooth passage over inner edges, one-sidedness.
#include "engine/geometry/collision.hpp"
#include "engine/geometry/mesh_bvh.hpp"
#include "tests/engine/geometry/samples.hpp"

using namespace test;

namespace {

const geometry::ShapeType kSolids[] = {geometry::ShapeType::Sphere, geometry::ShapeType::Capsule, geometry::ShapeType::Box,
                                       geometry::ShapeType::Cylinder, geometry::ShapeType::Convex};

struct MeshShape {
  geometry::Geometry geometry;
  std::shared_ptr<const geometry::MeshBvh> bvh;
  explicit MeshShape(const std::shared_ptr<const geometry::TriangleMesh>& mesh) : bvh(geometry::makeMeshBvh(*mesh)) {
    geometry.type = geometry::ShapeType::Mesh;
    geometry.mesh = mesh;
  }
  geometry::Collider at(const Pose& pose) const { return geometry::Collider(geometry, pose, bvh.get()); }
};

MeshShape floorMesh(int n, double cell) {  // flat, (2n)^2 cells about the origin, facing up
  auto mesh = std::make_shared<geometry::TriangleMesh>();
  int side = 2 * n + 1;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) mesh->vertices.push_back({(i - n) * cell, (j - n) * cell, 0});
  for (int i = 0; i + 1 < side; ++i)
    for (int j = 0; j + 1 < side; ++j) {
      int a = i * side + j, b = a + side;
      mesh->triangles.push_back({a, b, b + 1});
      mesh->triangles.push_back({a, b + 1, a + 1});
    }
  return MeshShape(mesh);
}

double least(const geometry::Manifold& m) {
  double g = kInf;
  for (int i = 0; i < m.count; ++i) g = std::min(g, m.points[i].gap);
  return g;
}

}  // namespace

TEST_CASE("a flat floor of many triangles acts as a plane: no sideways normals, same depth") {
  Random r(61);
  MeshShape floor = floorMesh(12, 0.31);
  geometry::Geometry plane;
  plane.type = geometry::ShapeType::Plane;
  for (geometry::ShapeType type : kSolids)
    for (int i = 0; i < 150; ++i) {
      geometry::Geometry g = randomGeometry(r, type);
      Pose ground{randomVector(r, 2), i % 3 ? Quat(Quat::Identity()) : randomRotation(r)};
      Pose local{{r.range(-1.5, 1.5), r.range(-1.5, 1.5), 0}, i % 2 ? randomRotation(r) : Quat(Quat::Identity())};
      local.p.z() = width(g, local, -Vec3::UnitZ()) + r.range(-0.03, 0.02);
      geometry::Manifold onMesh, onPlane;
      geometry::collide(geometry::Collider(g, ground * local), floor.at(ground), 0.02, onMesh);
      geometry::collide(geometry::Collider(g, ground * local), geometry::Collider(plane, ground), 0.02, onPlane);
      INFO("type " << static_cast<int>(type) << " trial " << i);
      REQUIRE(onMesh.count > 0);
      CHECK(onMesh.count <= geometry::Manifold::kCapacity);
      CHECK(least(onMesh) == Approx(least(onPlane)).margin(1e-4));
      for (int k = 0; k < onMesh.count; ++k) CHECK((onMesh.points[k].normal + ground.q * Vec3::UnitZ()).norm() < 0.03);
    }
}

TEST_CASE("a box mesh gives the gaps of the box") {
  Random r(62);
  geometry::Geometry box;
  box.type = geometry::ShapeType::Box;
  box.size = {0.8, 0.6, 0.7};
  MeshShape mesh(boxMesh(box.size));
  for (geometry::ShapeType type : kSolids) {
    int contacts = 0;
    for (int i = 0; i < 300; ++i) {
      geometry::Geometry g = randomGeometry(r, type);
      g.size *= 0.5;
      if (type == geometry::ShapeType::Convex) continue;
      Pose pb{randomVector(r, 1), randomRotation(r)}, pa{pb.p + r.range(0.6, 1.5) * randomUnit(r), randomRotation(r)};
      double distance = signedDistance(g, pa, box, pb, r);
      if (distance < -0.05 || distance > 0.09) continue;  // meshes are for shallow contact
      geometry::Manifold m, n;
      geometry::collide(geometry::Collider(g, pa), mesh.at(pb), 0.1, m);
      geometry::collide(mesh.at(pb), geometry::Collider(g, pa), 0.1, n);
      INFO("type " << static_cast<int>(type) << " trial " << i);
      REQUIRE(m.count > 0);
      CHECK(n.count == m.count);
      CHECK((n.points[0].normal + m.points[0].normal).norm() < 1e-12);
      if (distance > 0)
        CHECK(least(m) == Approx(distance).margin(2e-4));
      else
        CHECK(least(m) <= distance + 2e-4);  // at a ridge two faces act, one of them deeper than the least translation
      ++contacts;
    }
    if (type != geometry::ShapeType::Convex) CHECK(contacts > 10);
  }
}

TEST_CASE("a ball rolling over inner edges and off a ridge") {
  MeshShape floor = floorMesh(10, 0.25);
  geometry::Geometry ball;
  ball.size = {0.3, 0, 0};
  for (int i = 0; i < 400; ++i) {
    geometry::Manifold m;
    geometry::collide(geometry::Collider(ball, {{-1 + i * 0.005, 0.1 + i * 0.003, 0.295}, Quat::Identity()}), floor.at({}), 0.01, m);
    REQUIRE(m.count > 0);
    for (int k = 0; k < m.count; ++k) {
      CHECK((m.points[k].normal + Vec3::UnitZ()).norm() < 0.03);
      CHECK(m.points[k].gap >= -0.005 - 1e-9);
    }
  }
  MeshShape box(boxMesh({1, 1, 1}));
  geometry::Manifold m;
  geometry::collide(geometry::Collider(ball, {{1 + 0.2, 0.3, 1 + 0.2}, Quat::Identity()}), box.at({}), 0.01, m);
  REQUIRE(m.count > 0);
  CHECK(least(m) == Approx(std::sqrt(0.08) - 0.3));
  CHECK((m.points[0].normal + Vec3(1, 0, 1).normalized()).norm() < 1e-6);
}

TEST_CASE("triangles act on their outer side only; broken meshes do no harm") {
  MeshShape floor = floorMesh(3, 0.5);
  geometry::Geometry ball;
  ball.size = {0.3, 0, 0};
  geometry::Manifold m;
  geometry::collide(geometry::Collider(ball, {{0.1, 0.1, -0.1}, Quat::Identity()}), floor.at({}), 0.01, m);
  CHECK(m.count == 0);
  auto broken = std::make_shared<geometry::TriangleMesh>();
  MeshShape empty(broken);
  geometry::collide(geometry::Collider(ball, {}), empty.at({}), 0.01, m);
  CHECK(m.count == 0);
  broken->vertices = {{0, 0, 0}, {std::nan(""), 0, 0}, {1, 1, 0}, {2, 2, 0}};
  broken->triangles = {{0, 1, 2}, {0, 2, 3}, {0, 9, -4}};
  CHECK(MeshShape(broken).bvh->triangles().empty());
}
