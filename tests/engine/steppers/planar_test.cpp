// Planar worlds: three coordinates a body, exactly in its plane; against closed forms and the same scene in three dimensions.
#include <cmath>
#include <random>

#include "engine/geometry/convex_hull.hpp"
#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

WorldSettings planar(bool flat = true, double rate = 240) {
  WorldSettings s;
  s.planar = flat;
  s.timeStep = 1 / rate;
  s.sleeping = false;
  return s;
}

// A prism along y over a convex polygon in x and z.
int addPrism(world::World& w, const std::vector<Vec3>& corners, double mass, const Vec3& p) {
  BodyDefinition d;
  d.pose.p = p;
  d.mass = mass;
  const int body = w.createBody(d);
  geometry::Shape s;
  s.geometry.type = geometry::ShapeType::Convex;
  std::vector<Vec3> points;
  for (const Vec3& c : corners)
    for (double side : {-0.1, 0.1}) points.push_back(Vec3(c.x(), side, c.z()));
  geometry::ConvexHull hull;
  REQUIRE(geometry::makeConvexHull(points, hull).empty());
  s.geometry.hull = std::make_shared<const geometry::ConvexHull>(hull);
  s.surface.friction = 0.5;
  int id;
  REQUIRE_FALSE(w.createShape(body, s, -1, id));
  REQUIRE_FALSE(w.setBodyMassFromShapes(body, 0, mass));
  return body;
}

void pushBody(world::World& w, int body, const Vec3& v, const Vec3& omega) {
  double residual[2];
  REQUIRE_FALSE(w.setBodyTwist(body, v, omega, residual));
}

// Distance of a body from its plane: height, and tilt of its y axis.
double outOfPlane(const world::World& w, int body, double y) {
  const Pose p = w.bodyPose(body);
  return std::fabs(p.p.y() - y) + (p.q * Vec3::UnitY() - Vec3::UnitY()).norm();
}

}  // namespace

TEST_CASE("planar: boxes, discs and polygons thrown about stay in their plane exactly", "[step][planar]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook}) {
    WorldSettings s = planar();
    s.stepper = stepper;
    world::World w(s);
    test::addGround(w, 0.5, 0.2);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> at(-0.4, 0.4);
    std::vector<int> bodies;
    for (int k = 0; k < 8; k++) {
      const Vec3 p(at(random), 0.05, 0.3 + 0.25 * k);
      if (k % 3 == 0)
        bodies.push_back(test::addBall(w, 0.1, 1, p, 0.5, 0.2));
      else if (k % 3 == 1)
        bodies.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.06), 1, p, 0.5, 0.2));
      else
        bodies.push_back(addPrism(w, {Vec3(-0.1, 0, -0.08), Vec3(0.12, 0, -0.05), Vec3(0, 0, 0.12)}, 1, p));
      pushBody(w, bodies.back(), Vec3(at(random), 0.7, at(random)), Vec3(2, 5 * at(random), 3));
    }
    double worst = 0;
    for (int k = 0; k < 480; k++) {
      test::advance(w, 1);
      for (int b : bodies) worst = std::max(worst, outOfPlane(w, b, 0.05));
    }
    INFO("stepper " << static_cast<int>(stepper) << " out of plane by " << worst);
    CHECK(worst < 1e-14);
    for (int b : bodies) CHECK(w.bodyPose(b).p.z() > 0.04);
  }
}

TEST_CASE("planar: a disc rolls down a slope with two thirds of the pull, as in three dimensions", "[step][planar]") {
  const double slope = 0.3;
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook})
    for (bool flat : {true, false}) {
      WorldSettings s = planar(flat, 960);
      s.stepper = stepper;
      s.gravity = 9.81 * Vec3(std::sin(slope), 0, -std::cos(slope));
      world::World w(s);
      test::addGround(w, 0.8, 0);
      BodyDefinition d;
      d.pose.p = Vec3(0, 0, 0.1);
      d.mass = 1;
      d.inertia = Vec3(0.5 * 0.01, 0.5 * 0.01, 0.5 * 0.01).asDiagonal();
      const int disc = w.createBody(d);
      test::addShape(w, disc, geometry::ShapeType::Sphere, Vec3(0.1, 0, 0), 0.8, 0);
      test::advance(w, 960);
      INFO("stepper " << static_cast<int>(stepper) << ", planar " << flat);
      CHECK(w.bodyPose(disc).p.x() == Approx(0.5 * 2.0 / 3 * 9.81 * std::sin(slope)).epsilon(5e-3));
    }
}

TEST_CASE("planar: a scene that stays in its plane anyway goes as in three dimensions", "[step][planar]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Spook}) {
    const auto run = [&](bool flat) {
      WorldSettings s = planar(flat, 960);
      s.stepper = stepper;
      world::World w(s);
      test::addGround(w, 0.5, 0);
      std::vector<int> boxes;
      for (int k = 0; k < 4; k++) boxes.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0.02 * k, 0, 0.1 + 0.2 * k), 0.5, 0));
      pushBody(w, boxes[3], Vec3(1.2, 0, 0), Vec3::Zero());
      test::advance(w, 240);
      std::vector<Vec3> p;
      for (int b : boxes) p.push_back(w.bodyPose(b).p);
      return p;
    };
    const std::vector<Vec3> flat = run(true), solid = run(false);
    for (std::size_t k = 0; k < flat.size(); k++) {
      INFO("stepper " << static_cast<int>(stepper) << ", box " << k << " " << flat[k].transpose() << " and " << solid[k].transpose());
      CHECK((flat[k] - solid[k]).norm() < 2e-3);
    }
    CHECK(flat[3].x() > 0.1);
  }
}

// Joints that close a cycle are SPOOK's springs: a bar on two of them, off its middle, hangs by the law of the lever and rotates by their
// difference.
TEST_CASE("planar: under SPOOK joints are soft by their compliance, as in three dimensions", "[step][planar]") {
  Pose hung[2];
  const double compliance = 1e-4, mass = 4, reach = 0.5, off = 0.2;
  for (bool flat : {false, true}) {
    WorldSettings s = planar(flat, 960);
    s.stepper = Stepper::Spook;
    s.spookCompliance = compliance;
    s.solver = solve::Solver::Dantzig;
    world::World w(s);
    BodyDefinition d;
    d.pose.p = Vec3(off, 0, 0);
    d.mass = mass;
    d.inertia = 0.4 * Mat3::Identity();
    const int bar = w.createBody(d);
    for (double side : {-reach, reach}) {
      JointDefinition j;
      j.type = dynamics::JointType::Revolute;
      j.b = bar;
      j.frameA.p = Vec3(side, 0, 0);
      j.axis = Vec3::UnitY();
      j.asTheyStand = true;
      j.auxiliary = true;
      int id = -1;
      REQUIRE_FALSE(w.createJoint(j, id));
    }
    test::advance(w, 3000);
    hung[flat] = w.bodyPose(bar);
    // Loads on the left and right, m g (reach -+ off) / (2 reach); heights give sag and turn.
    const double left = mass * 9.81 * (reach - off) / (2 * reach) * compliance,
                 right = mass * 9.81 * (reach + off) / (2 * reach) * compliance;
    const double sag = left + (right - left) * (off + reach) / (2 * reach), turn = (right - left) / (2 * reach);
    INFO("planar " << flat << ": " << hung[flat].p.transpose());
    CHECK(-hung[flat].p.z() == Approx(sag).epsilon(2e-3));
    CHECK(2 * hung[flat].q.y() / hung[flat].q.w() == Approx(turn).epsilon(2e-3));
  }
  CHECK((hung[0].p - hung[1].p).norm() < 1e-9);
  CHECK(hung[0].q.angularDistance(hung[1].q) < 1e-9);
}

TEST_CASE("planar: free flight keeps momenta, hinged figures swing, and a body is put down within its plane", "[step][planar]") {
  WorldSettings s = planar();
  s.gravity.setZero();
  world::World w(s);
  const test::Chain c = test::addChain(w, 1, 0.5, 1);
  const int other = test::addRod(w, 0.5, 2, Pose{Vec3(1, 0.2, 0), Quat::Identity()});
  const int third = test::addRod(w, 0.5, 1, Pose{Vec3(1, 0.2, -0.5), Quat::Identity()});
  test::addJoint(w, dynamics::JointType::Revolute, other, third, Vec3(0, 0, -0.25), Vec3(0, 0, 0.25));
  pushBody(w, other, Vec3(0.3, 1, 0.1), Vec3(1, 4, 1));
  Vec3 v, omega, v3, omega3;
  w.bodyTwist(other, v, omega);
  CHECK(v.y() == Approx(0).margin(1e-14));
  CHECK(omega.x() == Approx(0).margin(1e-14));
  w.bodyTwist(third, v3, omega3);
  const Vec3 before = 2 * v + v3;
  test::advance(w, 480);
  w.bodyTwist(other, v, omega);
  w.bodyTwist(third, v3, omega3);
  CHECK((2 * v + v3 - before).norm() < 1e-10);
  CHECK(outOfPlane(w, other, 0.2) + outOfPlane(w, third, 0.2) < 1e-13);
  double residual[2];
  REQUIRE_FALSE(w.setBodyPose(other, Pose{Vec3(3, 0.9, 1), quatFromAxisAngle(Vec3::UnitY(), 0.4)}, residual));
  CHECK(residual[0] == Approx(0.7).epsilon(1e-9));
  CHECK(residual[1] < 1e-9);
  CHECK((w.bodyPose(other).p - Vec3(3, 0.2, 1)).norm() < 1e-12);
  // Neither a rebuild of the trees changes anything, nor a snapshot in a world whose trees were never rebuilt.
  const Pose kept = w.bodyPose(third);
  test::addBall(w, 0.1, 1, Vec3(9, 0, 9), 0, 0);
  test::advance(w, 0);
  CHECK((w.bodyPose(third).p - kept.p).norm() < 1e-12);
  CHECK(w.bodyPose(c.bodies[0]).p.y() == 0);
}
