// Friction of contacts in the world: static and sliding coefficients, torsion, rolling, and the laws that bound it.
#include <cmath>

#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

WorldSettings awake() {
  WorldSettings s;
  s.sleeping = false;
  return s;
}
void ground(world::World& w, const geometry::Surface& surface) {
  geometry::Shape plane;
  plane.geometry.type = geometry::ShapeType::Plane;
  plane.surface = surface;
  int id;
  REQUIRE_FALSE(w.createShape(-1, plane, -1, id));
}
geometry::Surface with(double sliding, double sticking = 0, double torsion = 0, double rolling = 0) {
  geometry::Surface s;
  s.friction = sliding;
  s.staticFriction = sticking;
  s.torsionalFriction = torsion;
  s.rollingFriction = rolling;
  s.frictionRule = geometry::Combine::Minimum;
  return s;
}
Vec3 velocityOf(const world::World& w, int body, Vec3* omega = nullptr) {
  Vec3 v, s;
  w.bodyTwist(body, v, s);
  if (omega) *omega = s;
  return v;
}
// Slides on the ground on one point and cannot rotate.
int runner(world::World& w, double mass, const Vec3& p, const Vec3& v) {
  BodyDefinition d;
  d.mass = mass;
  d.inertia = 1e9 * Mat3::Identity();
  d.pose.p = p;
  d.velocity = v;
  const int body = w.createBody(d);
  test::addShape(w, body, geometry::ShapeType::Sphere, Vec3(0.1, 0, 0), 0.5, 0);
  return body;
}

}  // namespace

TEST_CASE("static friction exceeds sliding friction", "[step]") {
  world::World w(awake());
  ground(w, with(0.3, 0.6));
  BodyDefinition d;
  d.pose.p = Vec3(0, 0, 0.1);
  d.mass = 2;
  d.inertia = 0.02 * Mat3::Identity();
  const int box = w.createBody(d);
  geometry::Shape cube;
  cube.geometry.type = geometry::ShapeType::Box;
  cube.geometry.size = Vec3(0.3, 0.3, 0.1);
  cube.surface = with(0.3, 0.6);
  int id;
  REQUIRE_FALSE(w.createShape(box, cube, -1, id));
  test::advance(w, 60);
  const double weight = 2 * 9.81;
  w.addForce(box, Vec3(0.55 * weight, 0, 0), nullptr, true);
  test::advance(w, 240);
  CHECK(std::fabs(velocityOf(w, box).x()) < 1e-3);
  w.addForce(box, Vec3(0.1 * weight, 0, 0), nullptr, true);  // 0.65: it starts to slide, then friction is 0.3
  test::advance(w, 240);
  CHECK(velocityOf(w, box).x() == Approx((0.65 - 0.3) * 9.81).epsilon(0.05));
}

TEST_CASE("rolling friction stops a ball, torsional friction a top", "[step]") {
  for (solve::Solver solver :
       {solve::Solver::Pgs, solve::Solver::Dantzig, solve::Solver::Jacobi, solve::Solver::Cg, solve::Solver::Lemke}) {
    INFO("solver " << static_cast<int>(solver));
    const double radius = 0.1, rolling = 0.005, torsion = 0.01;
    WorldSettings s = awake();
    s.solver = solver;
    world::World w(s);
    ground(w, with(0.8, 0, torsion, rolling));
    const int ball = test::addBall(w, radius, 1, Vec3(0, 0, radius), 0.8, 0), top = test::addBall(w, radius, 1, Vec3(0, 2, radius), 0.8, 0);
    test::advance(w, 30);
    REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(1, 0, 0), Vec3(0, 10, 0), nullptr));
    REQUIRE_FALSE(w.setBodyTwist(top, Vec3::Zero(), Vec3(0, 0, 10), nullptr));
    const double from = w.bodyPose(ball).p.x();
    test::advance(w, 120);
    // Rolling torque r_r m g against 7/5 m R^2: the speed falls by 5/7 g r_r / R; the top's angular velocity by 5/2 g r_t / R^2.
    Vec3 omega;
    CHECK(velocityOf(w, ball).x() == Approx(1 - 5.0 / 7 * 9.81 * rolling / radius * 0.5).epsilon(0.01));
    (void)velocityOf(w, top, &omega);
    CHECK(omega.z() == Approx(std::max(0.0, 10 - 2.5 * 9.81 * torsion / (radius * radius) * 0.5)).margin(0.05));
    test::advance(w, 1200);
    CHECK(velocityOf(w, ball).norm() < 1e-3);
    CHECK(w.bodyPose(ball).p.x() - from == Approx(0.5 / (5.0 / 7 * 9.81 * rolling / radius)).epsilon(0.02));
    (void)velocityOf(w, top, &omega);
    CHECK(omega.norm() < 1e-3);
  }
}

TEST_CASE("every law of friction brakes a block as its bound says", "[step]") {
  // Sliding along a diagonal of the standard tangents: the cone gives mu g, the fixed pyramid sqrt(2) times that.
  for (ContactFriction law : {ContactFriction::Cone, ContactFriction::Pyramid, ContactFriction::PyramidAlongSliding,
                              ContactFriction::Polyhedral, ContactFriction::Estimated, ContactFriction::Loetstedt}) {
    INFO("law " << static_cast<int>(law));
    WorldSettings s = awake();
    s.frictionLaw = law;
    world::World w(s);
    test::addGround(w, 0.3, 0);
    const int box = test::addBox(w, Vec3(0.4, 0.4, 0.05), 2, Vec3(0, 0, 0.05), 0.3, 0);
    test::advance(w, 60);
    const Vec3 along = Vec3(1, 1, 0).normalized();
    REQUIRE_FALSE(w.setBodyTwist(box, 2 * along, Vec3::Zero(), nullptr));
    test::advance(w, 60);
    const double slowed = 2 - velocityOf(w, box).dot(along), cone = 0.3 * 9.81 * 0.25;
    const bool box4 = law == ContactFriction::Pyramid || law == ContactFriction::Estimated || law == ContactFriction::Loetstedt;
    CHECK(slowed == Approx(box4 ? std::sqrt(2.0) * cone : cone).epsilon(0.03));
    test::advance(w, 480);
    CHECK(velocityOf(w, box).norm() < 2e-3);
  }
}

// One point, so that friction is that of one contact. The ground's tangents are x and y.
TEST_CASE("laws of friction differ by the direction of sliding", "[step]") {
  const double mu = 0.5, g = 9.81, mass = 2, speed = 3, h = 1.0 / 240;
  const int steps = 8;
  struct Way {
    ContactFriction law;
    int directions;  // 0: not by lemke
  };
  for (const Way& way : {Way{ContactFriction::Cone, 0}, Way{ContactFriction::Pyramid, 0}, Way{ContactFriction::PyramidAlongSliding, 0},
                         Way{ContactFriction::Polyhedral, 0}, Way{ContactFriction::Polyhedral, 4}, Way{ContactFriction::Polyhedral, 8},
                         Way{ContactFriction::Polyhedral, 64}, Way{ContactFriction::Estimated, 0}, Way{ContactFriction::Loetstedt, 0}})
    for (const double degrees : {0.0, 15.0, 30.0, 40.0, 65.0, 80.0, 155.0})
      for (const bool aside : {false, true}) {  // pushed across the direction of sliding with half of the friction bound
        WorldSettings s = awake();
        s.timeStep = h;
        s.frictionLaw = way.law;
        if (way.directions) {
          s.solver = solve::Solver::Lemke;
          s.frictionDirections = way.directions;
        }
        world::World w(s);
        test::addGround(w, 0.5, 0);
        const int body = runner(w, mass, Vec3(0, 0, 0.1), Vec3::Zero());
        test::advance(w, 5);
        const double angle = degrees * kPi / 180, across = aside ? 0.5 * mu * g : 0;
        const Vec3 along(std::cos(angle), std::sin(angle), 0), side(-along.y(), along.x(), 0);
        REQUIRE_FALSE(w.setBodyTwist(body, speed * along, Vec3::Zero(), nullptr));
        w.addForce(body, mass * across * side, nullptr, true);
        test::advance(w, steps);
        const Vec3 change = (velocityOf(w, body) - speed * along) / (steps * h);
        INFO("law " << static_cast<int>(way.law) << ", directions " << way.directions << ", " << degrees << " degrees, pushed " << aside
                    << ": " << change.transpose());
        // Friction at the start, in units of mu g; within these steps the direction of sliding changes little.
        Vec3 friction = -along;
        switch (way.law) {
          case ContactFriction::Pyramid:
          case ContactFriction::Estimated:
          case ContactFriction::Loetstedt:  // full along each tangent that slides; at 0 the other tangent carries the push
            friction = Vec3(along.x() > 0 ? -1 : 1, degrees > 0 ? -1 : aside ? -0.5 : 0, 0);
            break;
          case ContactFriction::PyramidAlongSliding:  // across the sliding, it carries what acts
            if (aside) friction -= 0.5 * side;
            break;
          case ContactFriction::Polyhedral:
            if (way.directions) {  // the corner that opposes the sliding most
              const double part = 2 * kPi / way.directions, corner = part * std::round(angle / part);
              if (way.directions < 64) friction = -Vec3(std::cos(corner), std::sin(corner), 0);
            }
            break;
          case ContactFriction::Cone:
            break;
        }
        CHECK((change / (mu * g) - friction - across / (mu * g) * side).norm() < 0.1);
      }
}

// A lever on a moving belt, held by a hinge above it: friction f along x changes the normal force, N = N0 - f h/l. With friction at its
// bound mu N that is N0/(1 + mu h/l), and 1 - mu h/l the other way; `Estimated` has mu N0; Loetstedt's bound is that of the step before.
TEST_CASE("bound of friction: the normal force with friction, without it, or of the last step", "[step]") {
  const double mu = 0.5, height = 0.6, length = 1, mass = 2, inertia = 0.3, ratio = mu * height / length;
  const double unbraked = mass * 9.81 * 0.5;  // the lever's centre is half way
  for (ContactFriction law : {ContactFriction::Cone, ContactFriction::Pyramid, ContactFriction::PyramidAlongSliding,
                              ContactFriction::Polyhedral, ContactFriction::Estimated, ContactFriction::Loetstedt})
    for (const double way : {1.0, -1.0}) {
      WorldSettings s = awake();
      s.frictionLaw = law;
      s.solverTolerance = 1e-10;
      s.solverIterations = 500;
      world::World w(s);
      BodyDefinition d;
      d.kind = BodyKind::Kinematic;
      d.pose.p = Vec3(length, 0, -0.1);
      d.velocity = Vec3(way, 0, 0);
      const int belt = w.createBody(d);
      test::addShape(w, belt, geometry::ShapeType::Box, Vec3(5, 1, 0.1), mu, 0);
      d = BodyDefinition();
      d.mass = mass;
      d.inertia = inertia * Mat3::Identity();
      d.pose.p = Vec3(0.5 * length, 0, 0.3);
      const int lever = w.createBody(d);
      test::addShape(w, lever, geometry::ShapeType::Sphere, Vec3(0.1, 0, 0), mu, 0, Pose{Vec3(0.5 * length, 0, -0.2), Quat::Identity()});
      test::addJoint(w, dynamics::JointType::Revolute, -1, lever, Vec3(0, 0, height), Vec3(-0.5 * length, 0, height - 0.3));
      double before = 0, now = 0;
      for (int i = 0; i < 120; i++) {
        test::advance(w, 1);
        REQUIRE(w.contacts().size() == 1);
        const Contact& c = w.contacts()[0];
        before = now;
        now = std::fabs(c.force.z());
        INFO("law " << static_cast<int>(law) << ", belt " << way << ", step " << i << ": " << now << ", before " << before << ", friction "
                    << c.force.x());
        if (law != ContactFriction::Loetstedt || i < 1) continue;
        // N = N0 - mu h/l of the last N, which converges with alternating sign.
        REQUIRE(now == Approx(unbraked - way * ratio * before).epsilon(0.03));
        REQUIRE(std::fabs(c.force.x()) == Approx(mu * before).epsilon(1e-6));
      }
      INFO("law " << static_cast<int>(law) << ", belt " << way << ": " << now / unbraked);
      CHECK(now / unbraked == Approx(law == ContactFriction::Estimated ? 1 - way * ratio : 1 / (1 + way * ratio)).epsilon(2e-3));
    }
}

TEST_CASE("a normal force that jumps shows in Loetstedt's friction one step later", "[step]") {
  const double mu = 0.5, g = 9.81, mass = 2, h = 1.0 / 240;
  for (ContactFriction law : {ContactFriction::Cone, ContactFriction::Pyramid, ContactFriction::PyramidAlongSliding,
                              ContactFriction::Polyhedral, ContactFriction::Estimated, ContactFriction::Loetstedt}) {
    WorldSettings s = awake();
    s.timeStep = h;
    s.frictionLaw = law;
    world::World w(s);
    test::addGround(w, mu, 0);
    const int body = runner(w, mass, Vec3(0, 0, 0.1), Vec3(4, 0, 0));
    test::advance(w, 20);
    auto braked = [&] {  // in a step, in units of mu g
      const double before = velocityOf(w, body).x();
      test::advance(w, 1);
      return (before - velocityOf(w, body).x()) / (mu * g * h);
    };
    INFO("law " << static_cast<int>(law));
    const bool late = law == ContactFriction::Loetstedt;
    CHECK(braked() == Approx(1).epsilon(0.02));  // contacts are soft by a hundredth
    w.addForce(body, Vec3(0, 0, -3 * mass * g), nullptr, true);
    CHECK(braked() == Approx(late ? 1 : 4).epsilon(0.02));
    CHECK(braked() == Approx(4).epsilon(0.02));
    w.clearForces(body);
    CHECK(braked() == Approx(late ? 4 : 1).epsilon(0.02));
    CHECK(braked() == Approx(1).epsilon(0.02));
  }
}

TEST_CASE("friction bounded by the last step's normal force slides at the sliding coefficient", "[step]") {
  for (ContactFriction law : {ContactFriction::Cone, ContactFriction::Loetstedt}) {
    WorldSettings s = awake();
    s.frictionLaw = law;
    world::World w(s);
    ground(w, with(0.3, 0.9));
    const int body = runner(w, 2, Vec3(0, 0, 0.1), Vec3(4, 0, 0));
    test::advance(w, 20);
    const double before = velocityOf(w, body).x();
    test::advance(w, 60);
    INFO("law " << static_cast<int>(law));
    CHECK((before - velocityOf(w, body).x()) / (9.81 * 0.25) == Approx(0.3).epsilon(0.02));
  }
}
