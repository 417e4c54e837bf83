// The stepper `ode` within a step: restitution found by rollback, tree systems that merge, limits passed, stops, penetration, the bound of
// its work, and energy that an integrator makes of nothing.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/steppers/ode_worlds.hpp"

using namespace vertebra;
using test::ode;
using test::push;

TEST_CASE("ode: a ball bounces where it meets the ground, not where a step ends", "[step][ode]") {
  // Dropped from 1 m with restitution 0.8: heights follow e^2, times are those of free fall.
  WorldSettings s = ode(60);
  world::World w(s);
  test::addGround(w, 0.5, 0.8);
  const double radius = 0.1;
  const int ball = test::addBall(w, radius, 1, Vec3(0, 0, 1 + radius), 0.5, 0.8);
  const double fall = std::sqrt(2 / 9.81), speed = 9.81 * fall;
  const double time = 1.2;  // after the first bounce at 0.45 s, before the second at 1.17 s ends
  test::advance(w, static_cast<int>(std::lround(time * 60)));
  const double first = fall, second = first + 2 * 0.8 * speed / 9.81, since = time - second, up = 0.64 * speed;
  REQUIRE(since > 0);
  CHECK(w.bodyPose(ball).p.z() - radius == Approx(up * since - 0.5 * 9.81 * since * since).margin(5e-3));
  CHECK(w.statistics().stops == 0);
  world::World coarse([&] {
    WorldSettings t = s;
    t.rollbackDepth = 0;
    return t;
  }());
  test::addGround(coarse, 0.5, 0.8);
  const int other = test::addBall(coarse, radius, 1, Vec3(0, 0, 1 + radius), 0.5, 0.8);
  test::advance(coarse, static_cast<int>(std::lround(time * 60)));
  CHECK(std::fabs(coarse.bodyPose(other).p.z() - w.bodyPose(ball).p.z()) > 5e-3);
}

TEST_CASE("ode: important contacts are gone back to, stabilised ones pushed out afterwards", "[step][ode]") {
  const double height = 0.52, h = 1.0 / 60, touch = std::sqrt(2 * height / 9.81);
  const int landing = static_cast<int>(std::ceil(touch / h));  // in the middle of this step
  const double deep = 0.5 * 9.81 * landing * h * landing * h - height;
  REQUIRE(deep == Approx(0.025));
  for (int marked : {0, 1, 2}) {  // neither, the ground, the ball
    world::World w(ode(60));
    const int ground = test::addGround(w, 0.5, 0), ball = test::addBall(w, 0.2, 1, Vec3(0, 0, 0.2 + height), 0.5, 0);
    if (marked > 0) {
      const int shape = marked == 1 ? ground : ground + 1;
      geometry::Surface surface = w.shape(shape).surface;
      surface.stabilised = true;
      w.setShapeSurface(shape, surface);
    }
    test::advance(w, landing - 1);
    CHECK(w.statistics().rows == 0);
    w.resetStatistics();
    test::advance(w, 1);
    const auto depth = [&] { return 0.2 - w.bodyPose(ball).p.z(); };
    INFO("marked " << marked << ": " << depth() << " m deep where it landed, rollbacks " << w.statistics().rollbacks);
    Vec3 v, omega;
    w.bodyTwist(ball, v, omega);
    if (marked == 0) {
      CHECK(w.statistics().rollbacks == 1);
      CHECK(w.statistics().evaluations > 4);
      CHECK(depth() < 2e-4);
    } else {  // it flew on to the end of the step: depth by hand, then pushed out by a share per step
      CHECK(w.statistics().rollbacks == 0);
      CHECK(w.statistics().evaluations == 4);
      CHECK(w.statistics().rows == 3);  // the contact's at the end of the step
      CHECK(depth() == Approx(deep).epsilon(1e-9));
      CHECK(v.z() > 0);
      CHECK(v.z() < 1);
    }
    w.resetStatistics();
    test::advance(w, 120);
    CHECK(w.statistics().rollbacks == 0);
    CHECK(w.statistics().stops == 0);
    CHECK(w.statistics().evaluations == 4);
    CHECK(w.statistics().rows == 5 * 3);  // at each evaluation and at the end
    CHECK(std::fabs(depth()) < 1e-4);
  }
}

TEST_CASE("ode: tree systems that meet within a step merge, and momentum is kept", "[step][ode]") {
  WorldSettings s = ode(30);
  s.gravity.setZero();
  world::World w(s);
  const double r = 0.05;
  const int a = test::addBall(w, r, 1, Vec3(-0.317, 0, 0), 0, 1), b = test::addBall(w, r, 3, Vec3(0.3, 0, 0), 0, 1);
  push(w, a, Vec3(6, 0, 0), Vec3::Zero());
  int merges = 0;
  for (int k = 0; k < 12; k++) {
    w.resetStatistics();
    test::advance(w, 1);
    merges += w.statistics().merges;
  }
  CHECK(merges == 1);
  Vec3 va, vb, omega;
  w.bodyTwist(a, va, omega);
  w.bodyTwist(b, vb, omega);
  CHECK(va.x() == Approx(-3).epsilon(2e-3));
  CHECK(vb.x() == Approx(3).epsilon(2e-3));
  CHECK((1 * va + 3 * vb - Vec3(6, 0, 0)).norm() < 1e-9);
  // It met the other after the 0.517 m between their surfaces, and no window of 25 mm ends within the margin of that.
  const double left = 12.0 / 30 - 0.517 / 6;
  CHECK(w.bodyPose(b).p.x() - 0.3 == Approx(3 * left).margin(3e-3));
}

TEST_CASE("ode: a tower stands, and a body thrown at it merges with it", "[step][ode]") {
  WorldSettings s = ode(240);
  world::World w(s);
  test::addGround(w, 0.8, 0);
  std::vector<int> boxes;
  for (int k = 0; k < 5; k++) boxes.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1 + 0.2 * k), 0.8, 0));
  test::advance(w, 240);
  for (int k = 0; k < 5; k++) CHECK((w.bodyPose(boxes[k]).p - Vec3(0, 0, 0.1 + 0.2 * k)).norm() < 1e-3);
  const int ball = test::addBall(w, 0.05, 5, Vec3(-1, 0, 0.7), 0.5, 0);
  push(w, ball, Vec3(8, 0, 0), Vec3::Zero());
  test::advance(w, 60);
  CHECK(w.bodyPose(boxes[3]).p.x() > 0.05);
  test::advance(w, 480);
  for (int b : boxes) CHECK(w.bodyPose(b).p.z() > 0.09);
}

TEST_CASE("ode: a body that bounces more often than a step can follow is stopped, not passed through", "[step][ode]") {
  // A ball that bounces without loss between two walls with a clearance of half a millimetre on each side, 3,500 times a step.
  WorldSettings s = ode(60);
  s.gravity.setZero();
  world::World w(s);
  const double r = 0.05;
  BodyDefinition d;
  d.kind = BodyKind::Static;
  for (double side : {-1.0, 1.0}) {
    d.pose.p = Vec3(side * (r + 0.5 + 5e-4), 0, 0);
    test::addShape(w, w.createBody(d), geometry::ShapeType::Box, Vec3(0.5, 1, 1), 0, 1);
  }
  const int ball = test::addBall(w, r, 1, Vec3::Zero(), 0, 1);
  push(w, ball, Vec3(200, 0, 0), Vec3::Zero());
  int stops = 0, unsolved = 0;
  for (int k = 0; k < 10; k++) {
    w.resetStatistics();
    test::advance(w, 1);
    stops += w.statistics().stops;
    unsolved += w.statistics().unsolved;
    CHECK(std::fabs(w.bodyPose(ball).p.x()) < 5e-4 + 2e-4);
    Vec3 v, omega;
    w.bodyTwist(ball, v, omega);
    CHECK(v.norm() == (stops > 0 ? 0 : 200));
  }
  CHECK(stops == 1);
  CHECK(unsolved == 1);
}

// A body on a slide meets a limit half a metre on and bounces: its place is that of the closed form to 1 mm; without rollback it
// would be 45 mm off at the touch alone.
// The slide points one way or the other: the limit is its lower or its upper one.
TEST_CASE("ode: a step rolls back to the touch of a limit, a lower or an upper one", "[step][ode]") {
  for (double way : {1.0, -1.0}) {
    WorldSettings s = ode(60);
    s.gravity.setZero();
    s.rollbackDepth = 1e-6;
    world::World w(s);
    BodyDefinition b;
    b.mass = 2;
    b.inertia = Mat3::Identity();
    const int body = w.createBody(b);
    const int joint = test::addJoint(w, dynamics::JointType::Prismatic, -1, body, Vec3::Zero(), Vec3::Zero(), Vec3(0, 0, way));
    dynamics::AxisParameters axis;
    (way > 0 ? axis.lower : axis.upper) = -0.5 * way;
    axis.restitution = 0.6;
    REQUIRE_FALSE(w.setAxis(joint, 0, axis));
    const double v = -2.7;
    REQUIRE_FALSE(w.setBodyTwist(body, Vec3(0, 0, v), Vec3::Zero(), nullptr));
    for (int k = 1; k <= 36; k++) {
      test::advance(w, 1);
      const double t = k / 60.0, touch = -0.5 / v, z = t < touch ? v * t : -0.5 - 0.6 * v * (t - touch);
      INFO("slide " << way << ", step " << k << ": " << w.bodyPose(body).p.z() << " of " << z);
      REQUIRE(w.bodyPose(body).p.z() == Approx(z).margin(2e-3));
    }
  }
}

TEST_CASE("ode: a step that would take too long fails after bounded work, rows included, and is undone", "[step][ode]") {
  // A bound on the error that takes millions of steps.
  WorldSettings s = ode(60, Integrator::ExplicitEuler, StepControl::Doubling);
  s.odeTolerance = 1e-15;
  s.odeSmallest = 1e-10;
  const auto evaluations = [&](bool onGround) {
    world::World w(s);
    test::addGround(w, 0.5, 0);
    // A ball that slides on its contact as it spins; a box that turns as Euler's equations say.
    const int body =
        onGround ? test::addBall(w, 0.1, 1, Vec3(0, 0, 0.1), 0.5, 0) : test::addBox(w, Vec3(0.1, 0.2, 0.4), 1, Vec3(0, 0, 5), 0.5, 0);
    push(w, body, Vec3::Zero(), Vec3(3, 5, 40));
    const std::uint64_t before = w.hash();
    const Failure failure = w.step();
    CHECK(failure.kind() == Failure::Diverged);
    CHECK(failure.text().find("takes too long") != std::string::npos);
    CHECK(w.hash() == before);
    const int needed = w.statistics().evaluations;
    WorldSettings easy = s;
    easy.odeTolerance = 1e-6;
    REQUIRE_FALSE(w.setSettings(easy));
    CHECK_FALSE(w.step());
    return needed;
  };
  const int flying = evaluations(false), pressing = evaluations(true);
  INFO(flying << " evaluations in flight, " << pressing << " with a contact");
  CHECK(flying < 3'000'000);
  CHECK(pressing < flying / 2);
}

// A blade that turns just above the ground: its step has a thousand windows, and each of them searches for all contacts. The searches are
// cheap between balls and dear between cylinders of one centre, whose penetration is as deep in all directions.
TEST_CASE("ode: what the searches for contacts cost is part of the work that has a bound", "[step][ode]") {
  const auto step = [](geometry::ShapeType type, Failure& failure) {
    WorldSettings s = ode(60);
    s.gravity.setZero();
    s.contactCorrection = 0;  // what overlaps stays so
    world::World w(s);
    test::addGround(w, 0.5, 0);
    const int blade = test::addBox(w, Vec3(0.2, 0.01, 1e-3), 1, Vec3(0, 0, 1.5e-3), 0, 0);
    push(w, blade, Vec3::Zero(), Vec3(0, 0, 300));
    for (int k = 0; k < 10; k++) {
      const Vec3 place(10.0 * (k + 1), 0, 5), size(0.1, 0.1, 0.1);
      test::addShape(w, -1, type, size, 0, 0, Pose{place, Quat::Identity()});
      test::addSolid(w, type, size, 1, place, 0, 0);
    }
    const std::uint64_t before = w.hash();
    failure = w.step();
    if (failure) CHECK(w.hash() == before);
    return w.statistics().evaluations;
  };
  Failure balls, cylinders;
  const int ofBalls = step(geometry::ShapeType::Sphere, balls), ofCylinders = step(geometry::ShapeType::Cylinder, cylinders);
  INFO(ofBalls << " evaluations with balls, " << ofCylinders << " with cylinders: " << cylinders.text());
  CHECK_FALSE(balls);
  REQUIRE(cylinders.kind() == Failure::Diverged);
  CHECK(cylinders.text().find("takes too long") != std::string::npos);
  CHECK(ofCylinders < ofBalls / 2);
}

// The blade makes the windows short; a rate that would open a depth within one of them outlasts it, and throws what is deep.
TEST_CASE("ode: penetration and passed limits open no faster in a step of many windows", "[step][ode]") {
  const bool many = GENERATE(false, true), unilateral = GENERATE(false, true);
  INFO((many ? "many windows" : "one window") << (unilateral ? ", accelerations" : ", velocities"));
  WorldSettings s = ode(60);
  s.gravity.setZero();
  s.unilateralAccelerations = unilateral;
  world::World w(s);
  test::addGround(w, 0, 0);
  const double deep = 0.02, past = 0.05;
  const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(5, 0, 0.1 - deep), 0, 0);
  const test::Chain flap = test::addChain(w, 1, 0.4, 1);
  dynamics::AxisParameters limit = w.axis(flap.joints[0], 0);
  limit.lower = past;  // it stands at 0
  REQUIRE_FALSE(w.setAxis(flap.joints[0], 0, limit));
  if (many) {
    const int blade = test::addBox(w, Vec3(0.2, 0.01, 1e-3), 1, Vec3(0, 10, 1.5e-3), 0, 0);
    push(w, blade, Vec3::Zero(), Vec3(0, 0, 300));
  }
  REQUIRE_FALSE(w.step());
  Vec3 velocity, omega;
  w.bodyTwist(box, velocity, omega);
  double q, rate;
  w.jointState(flap.joints[0], &q, &rate);
  const double most = s.contactCorrection * deep * 60, mostRate = 0.3 * past * 60;  // kLimitReturn
  CHECK(velocity.z() > 0.3 * most);
  CHECK(velocity.z() < 1.01 * most);
  CHECK(rate >= 0);
  CHECK(rate < 1.01 * mostRate);
}

TEST_CASE("ode: a step that makes energy of nothing is made in shorter ones, or refused", "[step][ode]") {
  // Eight links of 20 g bear a ball of up to 1,000 times their mass: they swing faster than a step of 1/60 s resolves, and a Runge-Kutta
  // step would multiply the energy.
  for (const Integrator integrator : {Integrator::RungeKutta4, Integrator::DormandPrince, Integrator::Midpoint})
    for (const double ratio : {1.0, 100.0, 1000.0}) {
      world::World w(ode(60, integrator));
      test::Chain c = test::addChain(w, 8, 0.1, 0.02, -1, dynamics::JointType::Spherical);
      BodyDefinition ball;
      ball.pose.p = Vec3(0, 0, -0.9);
      ball.mass = ratio * 0.02;
      ball.inertia = 0.004 * ball.mass * Mat3::Identity();
      const int load = w.createBody(ball);
      test::addJoint(w, dynamics::JointType::Spherical, c.bodies.back(), load, Vec3(0, 0, -0.05), Vec3(0, 0, 0.1));
      push(w, c.bodies[3], Vec3(3, 0, 0), Vec3(0, 20, 5));
      const double start = test::totalEnergy(w), weight = (0.16 + ball.mass) * 9.81;
      Failure f;
      for (int i = 0; i < 60 && !f; i++) {
        f = w.step();
        INFO("integrator " << static_cast<int>(integrator) << ", load " << ratio << " x, step " << i << ": " << f.text());
        REQUIRE(test::totalEnergy(w) < start + 0.02 * weight);
        if (f) CHECK(f.kind() == Failure::Diverged);
      }
      INFO("integrator " << static_cast<int>(integrator) << ", load " << ratio << " x: " << f.text());
      CHECK((f || w.statistics().halvings > 0));
    }
  world::World plain(ode(240));
  const test::Chain c = test::addChain(plain, 3, 0.4, 1);
  const double start[3] = {1.2, 0.5, -0.3}, rate = 0.4;
  for (int k = 0; k < 3; k++) REQUIRE_FALSE(plain.setJointState(c.joints[k], start + k, &rate));
  test::advance(plain, 240);
  CHECK(plain.statistics().halvings == 0);
}
