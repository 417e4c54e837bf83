// Mass properties against closed forms, Monte Carlo sampling, the tessellated shape, and the laws of combination.
#include "engine/geometry/mass_properties.hpp"

#include "engine/geometry/bounds.hpp"
#include "engine/geometry/tessellate.hpp"
#include "tests/engine/geometry/samples.hpp"

using namespace test;

namespace {

geometry::MassProperties of(const geometry::Geometry& g, double density = 1000) {
  geometry::MassProperties m;
  REQUIRE(geometry::massProperties(g, density, m) == "");
  return m;
}

bool inside(const geometry::Geometry& g, const Vec3& x) {
  const Vec3& s = g.size;
  double side = std::hypot(x.x(), x.y()), z = std::abs(x.z());
  switch (g.type) {
    case geometry::ShapeType::Sphere:
      return x.norm() <= s.x();
    case geometry::ShapeType::Box:
      return std::abs(x.x()) <= s.x() && std::abs(x.y()) <= s.y() && z <= s.z();
    case geometry::ShapeType::Cylinder:
      return side <= s.x() && z <= s.z();
    case geometry::ShapeType::Capsule:
      return std::hypot(side, std::max(0.0, z - s.z())) <= s.x();
    default:
      for (size_t f = 0; f < g.hull->normals.size(); ++f)
        if (g.hull->normals[f].dot(x) > g.hull->offsets[f]) return false;
      return true;
  }
}

}  // namespace

TEST_CASE("mass properties of solids agree with sampling") {
  Random r(1);
  for (geometry::ShapeType type : {geometry::ShapeType::Sphere, geometry::ShapeType::Box, geometry::ShapeType::Cylinder,
                                   geometry::ShapeType::Capsule, geometry::ShapeType::Convex}) {
    geometry::Geometry g = randomGeometry(r, type);
    geometry::MassProperties m = of(g, 700);
    const int n = 400000;
    const Vec3 half = geometry::bounds(g, {}, 0.001).hi.cwiseMax(-geometry::bounds(g, {}, 0.001).lo);
    double cell = 700 * 8 * half.prod() / n, mass = 0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    for (int i = 0; i < n; ++i) {
      Vec3 x = randomVector(r, 1).cwiseProduct(half);
      if (!inside(g, x)) continue;
      mass += cell;
      first += cell * x;
      second += cell * (x.squaredNorm() * Mat3::Identity() - x * x.transpose());
    }
    INFO("type " << static_cast<int>(type));
    CHECK(m.mass == Approx(mass).epsilon(0.01));
    CHECK((m.com - first / mass).norm() < 0.005);
    Mat3 aboutOrigin = m.inertia + m.mass * (m.com.squaredNorm() * Mat3::Identity() - m.com * m.com.transpose());
    CHECK((aboutOrigin - second).norm() < 0.015 * second.norm());
  }
}

TEST_CASE("closed forms of textbook solids") {
  geometry::Geometry g;
  g.type = geometry::ShapeType::Box;
  g.size = {0.5, 1, 1.5};
  geometry::MassProperties m = of(g, 2);
  CHECK(m.mass == Approx(12));
  CHECK(m.inertia(0, 0) == Approx(12.0 / 12 * (4 + 9)));
  g.type = geometry::ShapeType::Sphere;
  m = of(g, 3);
  CHECK(m.inertia(1, 1) == Approx(0.4 * m.mass * 0.25));
  g.type = geometry::ShapeType::Cylinder;
  m = of(g, 3);
  CHECK(m.inertia(0, 0) == Approx(m.mass * (3 * 0.25 + 9) / 12));
  // A capsule of length zero is a sphere.
  geometry::Geometry capsule = g, sphere = g;
  capsule.type = geometry::ShapeType::Capsule;
  capsule.size.z() = 0;
  sphere.type = geometry::ShapeType::Sphere;
  CHECK((of(capsule).inertia - of(sphere).inertia).norm() < 1e-9 * of(sphere).inertia.norm());
  // A long capsule is a cylinder and two hemispheres, combined by the parallel-axis theorem.
  capsule.size.z() = 0.7;
  geometry::MassProperties hemisphere;
  hemisphere.mass = of(sphere).mass / 2;
  double r = capsule.size.x(), across = hemisphere.mass * r * r * (0.4 - 9.0 / 64);
  hemisphere.inertia.diagonal() << across, across, 0.4 * hemisphere.mass * r * r;
  geometry::MassProperties tube = of([&] {
    geometry::Geometry c = capsule;
    c.type = geometry::ShapeType::Cylinder;
    return c;
  }());
  geometry::MassProperties up = hemisphere, down = hemisphere;
  up.com.z() = 0.7 + 3 * r / 8;
  down.com.z() = -up.com.z();
  CHECK((geometry::add(tube, geometry::add(up, down)).inertia - of(capsule).inertia).norm() < 1e-9 * of(capsule).inertia.norm());
}

TEST_CASE("closed meshes: the tessellated shape converges to the shape, a box mesh equals the box") {
  geometry::Geometry box, mesh;
  box.type = geometry::ShapeType::Box;
  box.size = {0.3, 0.5, 0.9};
  mesh.type = geometry::ShapeType::Mesh;
  mesh.mesh = boxMesh(box.size);
  CHECK(of(mesh).mass == Approx(of(box).mass).epsilon(1e-12));
  CHECK((of(mesh).inertia - of(box).inertia).norm() < 1e-10 * of(box).inertia.norm());

  Random r(2);
  geometry::TessellationOptions fine;
  fine.segments = 256;
  for (geometry::ShapeType type : {geometry::ShapeType::Sphere, geometry::ShapeType::Box, geometry::ShapeType::Cylinder,
                                   geometry::ShapeType::Capsule, geometry::ShapeType::Convex}) {
    geometry::Geometry g = randomGeometry(r, type);
    mesh.mesh = std::make_shared<geometry::TriangleMesh>(geometry::tessellate(g, fine));
    geometry::MassProperties a = of(g), b = of(mesh);
    INFO("type " << static_cast<int>(type));
    CHECK(b.mass == Approx(a.mass).epsilon(1e-3));
    CHECK((a.com - b.com).norm() < 1e-9);
    CHECK((a.inertia - b.inertia).norm() < 2e-3 * a.inertia.norm());
  }
  // A far-away mesh: same inertia about its own centre.
  geometry::TriangleMesh far = *boxMesh(box.size);
  for (Vec3& v : far.vertices) v += Vec3(1e4, -2e4, 3e4);
  mesh.mesh = std::make_shared<geometry::TriangleMesh>(far);
  CHECK((of(mesh).inertia - of(box).inertia).norm() < 1e-7 * of(box).inertia.norm());
  // A triangle soup, as STL stores it, is connected by position.
  geometry::TriangleMesh soup;
  const auto whole = boxMesh(box.size);
  for (const auto& t : whole->triangles)
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(whole->vertices[t[k]]);
  for (int i = 0; i < 12; ++i) soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  mesh.mesh = std::make_shared<geometry::TriangleMesh>(soup);
  CHECK(of(mesh).mass == Approx(of(box).mass));
}

TEST_CASE("shapes without mass properties say why") {
  geometry::Geometry g;
  geometry::MassProperties m;
  m.mass = 42;
  auto error = [&] { return geometry::massProperties(g, 1000, m); };
  g.type = geometry::ShapeType::Plane;
  CHECK_THAT(error(), Catch::Contains("plane"));
  g.type = geometry::ShapeType::Box;
  g.size = {1, 1, 0};
  CHECK_THAT(error(), Catch::Contains("positive"));
  g.size = {1, 1, std::nan("")};
  CHECK_THAT(error(), Catch::Contains("positive"));
  g.size = {1, 1, 1};
  CHECK_THAT(geometry::massProperties(g, 0, m), Catch::Contains("density"));
  CHECK_THAT(geometry::massProperties(g, std::nan(""), m), Catch::Contains("density"));
  g.type = geometry::ShapeType::Mesh;
  CHECK_FALSE(error().empty());
  geometry::TriangleMesh mesh = *boxMesh({1, 1, 1});
  auto with = [&](const geometry::TriangleMesh& t) {
    g.mesh = std::make_shared<geometry::TriangleMesh>(t);
    return error();
  };
  geometry::TriangleMesh open = mesh;
  open.triangles.pop_back();
  CHECK_THAT(with(open), Catch::Contains("not closed"));
  geometry::TriangleMesh turned = mesh;
  std::swap(turned.triangles[3][0], turned.triangles[3][1]);
  CHECK_THAT(with(turned), Catch::Contains("not closed"));
  geometry::TriangleMesh inverted = mesh;
  for (auto& t : inverted.triangles) std::swap(t[0], t[1]);
  CHECK_THAT(with(inverted), Catch::Contains("no positive volume"));
  geometry::TriangleMesh wild = mesh;
  wild.triangles[0][0] = 99;
  CHECK_THAT(with(wild), Catch::Contains("does not exist"));
  geometry::TriangleMesh nan = mesh;
  nan.vertices[0].x() = std::nan("");
  CHECK_THAT(with(nan), Catch::Contains("not finite"));
  CHECK_THAT(with(geometry::TriangleMesh{}), Catch::Contains("no triangles"));
  CHECK(m.mass == 42);
}

TEST_CASE("combination: transform, add and scale keep the laws of rigid bodies") {
  Random r(3);
  for (int i = 0; i < 50; ++i) {
    geometry::MassProperties a = of(randomGeometry(r, geometry::ShapeType::Convex)),
                             b = of(randomGeometry(r, geometry::ShapeType::Cylinder));
    Pose p{randomVector(r, 2), randomRotation(r)}, q{randomVector(r, 2), randomRotation(r)};
    geometry::MassProperties ta = geometry::transform(p, a), tb = geometry::transform(q, b);
    // The inverse transform restores it.
    geometry::MassProperties back = geometry::transform(p.inverse(), ta);
    CHECK((back.com - a.com).norm() < 1e-12);
    CHECK((back.inertia - a.inertia).norm() < 1e-11 * a.inertia.norm());
    // Kinetic energy of the sum at any twist equals the sum of energies.
    geometry::MassProperties sum = geometry::add(ta, tb);
    Vec3 w = randomVector(r, 1), v = randomVector(r, 1);
    auto energy = [&](const geometry::MassProperties& m) { return m.mass * (v + w.cross(m.com)).squaredNorm() + w.dot(m.inertia * w); };
    CHECK(energy(sum) == Approx(energy(ta) + energy(tb)).epsilon(1e-12));
    geometry::MassProperties scaled = geometry::scaleToMass(sum, 7);
    CHECK(scaled.mass == 7);
    CHECK((scaled.inertia / 7 - sum.inertia / sum.mass).norm() < 1e-12);
  }
  // Eight small boxes make a large one.
  geometry::Geometry g;
  g.type = geometry::ShapeType::Box;
  g.size = {1, 2, 3};
  geometry::MassProperties whole = of(g), parts;
  g.size /= 2;
  for (int k = 0; k < 8; ++k)
    parts =
        geometry::add(parts, geometry::transform({Vec3(k & 1 ? .5 : -.5, k & 2 ? 1 : -1, k & 4 ? 1.5 : -1.5), Quat::Identity()}, of(g)));
  CHECK(parts.com.norm() < 1e-12);
  CHECK((parts.inertia - whole.inertia).norm() < 1e-12 * whole.inertia.norm());
}
