// Floors of triangles under moving bodies: inner edges do not stop a sliding body, terrain carries, and meshes in convex parts fall and
// rest.
#include "engine/geometry/convex_parts.hpp"
#include "engine/geometry/heightfield.hpp"
#include "engine/math/rotation.hpp"
#include "tests/engine/geometry/solids.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

enum class Floor { Plane, Mesh, Heightfield };

void addFloor(world::World& w, Floor kind, double friction) {
  if (kind == Floor::Plane) {
    test::addGround(w, friction, 0);
    return;
  }
  const int rows = 41, columns = 121;
  auto grid = std::make_shared<geometry::HeightGrid>();
  REQUIRE(geometry::makeHeightGrid(rows, columns, 0.25, 0.25, std::vector<double>(rows * columns, 0.0), *grid) == "");
  geometry::Shape s;
  s.surface.friction = friction;
  s.local.p = Vec3(-5, -5, 0);
  if (kind == Floor::Heightfield) {
    s.geometry.type = geometry::ShapeType::Heightfield;
    s.geometry.grid = grid;
    s.geometry.size.z() = 1;
  } else {
    auto mesh = std::make_shared<geometry::TriangleMesh>();
    for (int r = 0; r < rows; r++)
      for (int c = 0; c < columns; c++) mesh->vertices.push_back(grid->at(r, c));
    for (int r = 0; r + 1 < rows; r++)
      for (int c = 0; c + 1 < columns; c++) {
        const int a = r * columns + c, b = a + columns;
        if ((r + c) % 2) {
          mesh->triangles.push_back({a, a + 1, b + 1});
          mesh->triangles.push_back({a, b + 1, b});
        } else {
          mesh->triangles.push_back({a, a + 1, b});
          mesh->triangles.push_back({a + 1, b + 1, b});
        }
      }
    s.geometry.type = geometry::ShapeType::Mesh;
    s.geometry.mesh = mesh;
  }
  int id = -1;
  REQUIRE_FALSE(w.createShape(-1, s, -1, id));
}

struct Ride {
  Vec3 velocity, omega, p;
  double highest;
};

Ride ride(Floor floor, geometry::ShapeType type, const Vec3& size, double height, double friction, const Vec3& velocity, const Vec3& omega,
          int steps, double h) {
  WorldSettings settings;
  settings.timeStep = h;
  settings.sleeping = false;
  world::World w(settings);
  addFloor(w, floor, friction);
  const int body = test::addSolid(w, type, size, 1, Vec3(0.03, 0.02, height), friction, 0);
  REQUIRE_FALSE(w.setBodyTwist(body, velocity, omega, nullptr));
  Ride out{};
  out.highest = -kInf;
  for (int i = 0; i < steps; i++) {
    test::advance(w, 1);
    out.highest = std::max(out.highest, w.bodyPose(body).p.z());
  }
  w.bodyTwist(body, out.velocity, out.omega);
  out.p = w.bodyPose(body).p;
  return out;
}

}  // namespace

TEST_CASE("inner edges of a floor trip neither balls that roll nor boxes that slide", "[step]") {
  for (Floor floor : {Floor::Mesh, Floor::Heightfield})
    for (double h : {1.0 / 240, 1.0 / 60})
      for (double speed : {1.0, 5.0, 20.0}) {
        const int steps = static_cast<int>(std::min(2.0, 18 / speed) / h);
        INFO("floor " << static_cast<int>(floor) << " h " << h << " speed " << speed);
        // A rolling ball keeps its speed.
        const Vec3 velocity = speed * Vec3(1, 0.13, 0).normalized();
        const Vec3 rolling = Vec3::UnitZ().cross(velocity) / 0.1;
        const Ride ball = ride(floor, geometry::ShapeType::Sphere, Vec3(0.1, 0, 0), 0.1, 0.7, velocity, rolling, steps, h);
        CHECK((ball.velocity - velocity).norm() < 0.002 * speed + 1e-4);
        CHECK(ball.highest < 0.1 + 1e-3);
        // A box without friction keeps its speed; with friction it slides as far as on a plane.
        const Ride box = ride(floor, geometry::ShapeType::Box, Vec3(0.2, 0.15, 0.1), 0.1, 0, velocity, Vec3::Zero(), steps, h);
        CHECK((box.velocity - velocity).norm() < 0.002 * speed + 1e-4);
        CHECK(box.omega.norm() < 0.01);
        CHECK(box.highest < 0.1 + 1e-3);
        const Ride rough = ride(floor, geometry::ShapeType::Box, Vec3(0.2, 0.15, 0.1), 0.1, 0.4, velocity, Vec3::Zero(), steps, h);
        const Ride onPlane = ride(Floor::Plane, geometry::ShapeType::Box, Vec3(0.2, 0.15, 0.1), 0.1, 0.4, velocity, Vec3::Zero(), steps, h);
        CHECK((rough.p - onPlane.p).norm() < 0.02 * (onPlane.p.norm() + 0.05));
        CHECK(rough.highest < 0.1 + 2e-3);
      }
}

TEST_CASE("bodies rest on terrain, and come out where they started inside it", "[step]") {
  WorldSettings settings;
  world::World w(settings);
  auto grid = std::make_shared<geometry::HeightGrid>();
  std::vector<double> z;
  test::Random r(93);
  for (int i = 0; i < 41 * 41; i++) {
    const double x = (i % 41 - 20) * 0.25, y = (i / 41 - 20) * 0.25;
    z.push_back(0.05 * (x * x + y * y) + r.range(-0.01, 0.01));  // a bowl
  }
  REQUIRE(geometry::makeHeightGrid(41, 41, 0.25, 0.25, z, *grid) == "");
  geometry::Shape s;
  s.geometry.type = geometry::ShapeType::Heightfield;
  s.geometry.grid = grid;
  s.geometry.size.z() = 2;
  s.local.p = Vec3(-5, -5, 0);
  int id = -1;
  REQUIRE_FALSE(w.createShape(-1, s, -1, id));
  std::vector<int> bodies;
  for (int k = 0; k < 12; k++) {
    const Vec3 p(-2.4 + 0.8 * (k % 4) + 0.6, -1.6 + 0.8 * (k / 4), 1);
    if (k % 3 == 0) bodies.push_back(test::addBall(w, 0.12, 1, p, 0.6, 0));
    if (k % 3 == 1) bodies.push_back(test::addBox(w, Vec3(0.15, 0.1, 0.08), 1, p, 0.6, 0));
    if (k % 3 == 2) bodies.push_back(test::addSolid(w, geometry::ShapeType::Capsule, Vec3(0.08, 0, 0.12), 1, p, 0.6, 0));
  }
  bodies.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(2.5, 2.5, 0.2), 0.6, 0));  // 0.4 m below the ground
  test::advance(w, 240 * 8);
  for (int body : bodies) {
    const Vec3 p = w.bodyPose(body).p;
    const double ground = 0.05 * (p.x() * p.x() + p.y() * p.y());
    INFO("body " << body << " at " << p.transpose());
    CHECK(std::fabs(p.x()) < 4);
    CHECK(std::fabs(p.y()) < 4);
    CHECK(p.z() > ground + 0.04);
  }
  // Meshes of this kind are for static bodies.
  const int mover = w.createBody(BodyDefinition());
  CHECK(w.createShape(mover, s, -1, id).kind() == Failure::Unsupported);
}

// Over each side, by any pose and shape: the sides of the solid hold a body out, and nothing pulls it in again.
TEST_CASE("bodies that leave a terrain by its sides fall off it", "[step]") {
  test::Random r(61);
  for (const Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Spook, Stepper::Ode})
    for (const double rate : {240.0, 60.0})
      for (int trial = 0; trial < (stepper == Stepper::Ode ? 8 : 32); trial++) {
        world::World w(test::awake(stepper, rate));
        auto grid = std::make_shared<geometry::HeightGrid>();
        std::vector<double> z;
        for (int i = 0; i < 81; i++) z.push_back(trial % 3 ? r.range(0, 0.15) : 0);
        REQUIRE(geometry::makeHeightGrid(9, 9, 0.5, 0.5, z, *grid) == "");
        geometry::Shape s;
        s.geometry.type = geometry::ShapeType::Heightfield;
        s.geometry.grid = grid;
        s.geometry.size.z() = 1;
        s.local.p = Vec3(-2, -2, 0);
        s.surface.friction = 0.3;
        int id = -1;
        REQUIRE_FALSE(w.createShape(-1, s, -1, id));
        const geometry::ShapeType types[] = {geometry::ShapeType::Box, geometry::ShapeType::Sphere, geometry::ShapeType::Capsule,
                                             geometry::ShapeType::Cylinder};
        const geometry::ShapeType type = types[trial % 4];
        Vec3 size(r.range(0.1, 0.3), r.range(0.1, 0.3), r.range(0.1, 0.3));
        if (type == geometry::ShapeType::Capsule) size.x() *= 0.5;
        const double angle = 0.5 * kPi * (trial / 4 % 4), along = r.range(-1, 1), speed = r.range(0.5, 4);
        const Vec3 out(std::cos(angle), std::sin(angle), 0), side(-out.y(), out.x(), 0);
        const int body = test::addSolid(w, type, size, 3, 1.5 * out + along * side + Vec3(0, 0, 0.15 + 1.7 * size.maxCoeff()), 0.3, 0);
        Pose pose = w.bodyPose(body);
        pose.q = test::randomRotation(r);
        REQUIRE_FALSE(w.setBodyPose(body, pose, nullptr));
        REQUIRE_FALSE(w.setBodyTwist(body, speed * out, Vec3::Zero(), nullptr));
        const double start = test::totalEnergy(w);
        double gain = 0;
        for (int step = 0; step < 2.5 * rate; step++) {
          test::advance(w, 1);
          gain = std::max(gain, (test::totalEnergy(w) - start) / (3 * 9.81));
        }
        INFO("stepper " << static_cast<int>(stepper) << ", 1/" << rate << " s, trial " << trial);
        CHECK(w.statistics().maxPenetration < (rate > 100 ? 0.005 : stepper == Stepper::Ode ? 0.04 : 0.02));
        CHECK(gain < 0.01);
      }
}

TEST_CASE("meshes in convex parts fall, rest, and let bodies through that fit", "[step]") {
  WorldSettings settings;
  world::World w(settings);
  test::addGround(w, 0.6, 0);
  const auto ring = test::torus(0.5, 0.15, 32, 12);
  auto parts = std::make_shared<geometry::ConvexParts>();
  REQUIRE(geometry::makeConvexParts(*ring, {16, 0.02}, *parts) == "");
  geometry::Shape s;
  s.geometry.type = geometry::ShapeType::Mesh;
  s.geometry.mesh = ring;
  s.geometry.parts = parts;
  BodyDefinition d;
  d.pose.p = Vec3(0, 0, 0.6);
  const int torus = w.createBody(d);
  int id = -1;
  REQUIRE_FALSE(w.createShape(torus, s, -1, id));
  REQUIRE_FALSE(w.setBodyMassFromShapes(torus, 0, 2));
  const int through = test::addBall(w, 0.2, 1, Vec3(0, 0, 1.6), 0.6, 0),
            onTop = test::addBox(w, Vec3(0.7, 0.1, 0.1), 1, Vec3(0, 0, 2.2), 0.6, 0);
  test::advance(w, 240 * 5);
  CHECK(w.bodyPose(torus).p.z() == Approx(0.15).margin(0.005));
  CHECK(w.bodyPose(through).p.z() == Approx(0.2).margin(0.005));
  CHECK(w.bodyPose(through).p.head<2>().norm() < 0.2);
  CHECK(w.bodyPose(onTop).p.z() > 0.35);
  Vec3 v, omega;
  for (int body : {torus, through, onTop}) {
    w.bodyTwist(body, v, omega);
    CHECK(v.norm() < 0.02);
  }
}
