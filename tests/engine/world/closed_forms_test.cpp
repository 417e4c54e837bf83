// The stepper against closed forms: pendulum, free body, bounce, friction on a slope, rolling, stacking.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

TEST_CASE("a pendulum swings with the period of the elliptic integral", "[step]") {
  for (double amplitude : {0.05, 0.6, 2.0}) {
    WorldSettings s;
    s.timeStep = 1e-3;
    s.sleeping = false;
    world::World w(s);
    const double L = 0.7;
    BodyDefinition d;
    d.mass = 2;
    d.inertia = 1e-9 * Mat3::Identity();
    d.pose.q = quatFromAxisAngle(Vec3::UnitY(), -amplitude);
    d.pose.p = d.pose.q * Vec3(0, 0, -L);
    const int body = w.createBody(d);
    JointDefinition j;
    j.b = body;
    j.axis = Vec3::UnitY();
    j.frameB.p = Vec3(0, 0, L);
    int joint;
    REQUIRE_FALSE(w.createJoint(j, joint));
    // Period by the arithmetic-geometric mean: T = 2 pi sqrt(L / g) / agm(1, cos(amplitude / 2)); inertia 1e-9 is negligible.
    double a = 1, b = std::cos(amplitude / 2);
    for (int k = 0; k < 8; k++) {
      const double m = 0.5 * (a + b);
      b = std::sqrt(a * b);
      a = m;
    }
    const double period = 2 * kPi * std::sqrt((L + 1e-9 / (2 * L)) / 9.81) / a;
    double before, q, t0 = -1;
    w.jointState(joint, &before, nullptr);
    int crossings = 0;
    double last = 0;
    for (int i = 1; crossings < 21; i++) {
      REQUIRE_FALSE(w.step());
      w.jointState(joint, &q, nullptr);
      if ((before < 0) != (q < 0)) {
        last = (i - q / (q - before)) * s.timeStep;
        if (t0 < 0) t0 = last;
        crossings++;
      }
      before = q;
    }
    REQUIRE((last - t0) / 10 == Approx(period).epsilon(1e-4));
  }
}

TEST_CASE("a free asymmetric body keeps its angular momentum and energy", "[step]") {
  WorldSettings s;
  s.gravity.setZero();
  s.sleeping = false;
  world::World w(s);
  BodyDefinition d;
  d.mass = 3;
  d.inertia = Vec3(0.2, 0.5, 0.9).asDiagonal();
  d.omega = Vec3(0.01, 1, 0.02);
  d.velocity = Vec3(0.1, 0.2, 0.3);
  w.createBody(d);
  Vec3 p0, l0, p, l;
  w.momentum(p0, l0);
  const double e0 = w.energy().kinetic;
  // Angular momentum about the centre of mass: the centre moves, so its part is subtracted.
  double worstL = 0, worstE = 0;
  const double spinMomentum = Vec3(d.inertia * d.omega).norm();
  for (int i = 1; i <= 24000; i++) {
    REQUIRE_FALSE(w.step());
    if (i % 100) continue;
    w.momentum(p, l);
    const Vec3 about = l - w.bodyPose(0).p.cross(p);
    worstL = std::max(worstL, std::fabs(about.norm() / spinMomentum - 1));
    worstE = std::max(worstE, std::fabs(w.energy().kinetic / e0 - 1));
    REQUIRE((p - p0).norm() < 1e-10);
  }
  CHECK(worstL < 1e-10);
  CHECK(worstE < 1e-8);
}

TEST_CASE("a ball bounces to the square of the restitution", "[step]") {
  for (double e : {0.5, 0.9}) {
    WorldSettings s;
    s.timeStep = 1e-3;
    s.sleeping = false;
    world::World w(s);
    test::addGround(w, 0.5, e);
    const int ball = test::addBall(w, 0.1, 1, Vec3(0, 0, 1.1), 0.5, e);
    double height = 1, top = 0, lastZ = 1.1, lastLastZ = 1.1;
    int bounces = 0;
    for (int i = 0; i < 20000 && bounces < (e > 0.7 ? 6 : 3); i++) {
      REQUIRE_FALSE(w.step());
      const double z = w.bodyPose(ball).p.z();
      if (lastZ > lastLastZ && z <= lastZ) {  // top of a flight: parabola through three points
        top = lastZ - 0.1;
        height *= e * e;
        bounces++;
        INFO("e " << e << " bounce " << bounces);
        REQUIRE(top == Approx(height).epsilon(0.01));
      }
      lastLastZ = lastZ;
      lastZ = z;
    }
    REQUIRE(bounces >= 3);
  }
}

TEST_CASE("a box on a slope holds below the friction angle and slides above it, in every direction", "[step]") {
  const double mu = 0.5;
  for (int k = 0; k < 16; k++)
    for (double factor : {0.99, 1.01}) {
      WorldSettings s;
      s.sleeping = false;
      const double angle = std::atan(mu) * factor, heading = 2 * kPi * k / 16 + 0.1;
      s.gravity = 9.81 * Vec3(std::sin(angle) * std::cos(heading), std::sin(angle) * std::sin(heading), -std::cos(angle));
      world::World w(s);
      test::addGround(w, mu, 0);
      const int box = test::addBox(w, Vec3(0.2, 0.3, 0.05), 2, Vec3(0, 0, 0.05), mu, 0);
      for (int i = 0; i < 480; i++) REQUIRE_FALSE(w.step());
      const Vec3 p = w.bodyPose(box).p;
      const double moved = std::hypot(p.x(), p.y());
      INFO("direction " << k << " factor " << factor << " moved " << moved);
      if (factor < 1) {
        REQUIRE(moved < 1e-3);
      } else {
        // Acceleration g (sin a - mu cos a) over 2 s.
        const double expected = 0.5 * 9.81 * (std::sin(angle) - mu * std::cos(angle)) * 4;
        REQUIRE(moved == Approx(expected).epsilon(0.1));
      }
    }
}

TEST_CASE("a sliding sphere ends rolling at five sevenths of its speed", "[step]") {
  WorldSettings s;
  s.timeStep = 1e-3;
  s.sleeping = false;
  world::World w(s);
  test::addGround(w, 0.3, 0);
  const int ball = test::addBall(w, 0.1, 1, Vec3(0, 0, 0.1), 0.3, 0);
  REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(2, 0, 0), Vec3::Zero(), nullptr));
  for (int i = 0; i < 2000; i++) REQUIRE_FALSE(w.step());
  Vec3 v, omega;
  w.bodyTwist(ball, v, omega);
  CHECK(v.x() == Approx(2 * 5.0 / 7).epsilon(1e-3));
  CHECK(omega.y() == Approx(v.x() / 0.1).epsilon(1e-3));
}

TEST_CASE("twenty stacked boxes stand still for a minute", "[step]") {
  WorldSettings s;
  s.sleeping = false;
  world::World w(s);
  test::addGround(w, 0.6, 0);
  std::vector<int> boxes;
  for (int i = 0; i < 20; i++) boxes.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1 + 0.2 * i), 0.6, 0));
  for (int i = 0; i < 240; i++) REQUIRE_FALSE(w.step());
  std::vector<Pose> start;
  for (int b : boxes) start.push_back(w.bodyPose(b));
  double far = 0, turned = 0;
  for (int i = 0; i < 59 * 240; i++) {
    REQUIRE_FALSE(w.step());
    for (std::size_t k = 0; k < boxes.size(); k++) {
      const Pose p = w.bodyPose(boxes[k]);
      far = std::max(far, (p.p - start[k].p).norm());
      turned = std::max(turned, quatLog(p.q * start[k].q.conjugate()).norm());
    }
  }
  INFO("moved " << far << " m, turned " << turned * 180 / kPi << " degrees");
  CHECK(far < 1e-3);
  CHECK(turned < 0.1 * kPi / 180);
}
