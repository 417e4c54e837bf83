// SPOOK row by row: compliance, relaxation and gamma of the world's rows and of rows with their own softness, against the discrete
// equations (Servin 13.1) for one body, and against the damped springs and dampers that are their limit.
#include <cmath>

#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

constexpr double kG = -9.81;

WorldSettings spook(double h) {
  WorldSettings s;
  s.stepper = Stepper::Spook;
  s.timeStep = h;
  s.sleeping = false;
  s.solver = solve::Solver::Dantzig;
  return s;
}
int ball(world::World& w, double mass, const Vec3& p, double speed = 0) {
  BodyDefinition d;
  d.mass = mass;
  d.pose.p = p;
  d.inertia = 0.1 * Mat3::Identity();
  d.velocity = Vec3(0, 0, speed);
  return w.createBody(d);
}
double height(const world::World& w, int body) { return w.bodyPose(body).p.z(); }
double speed(const world::World& w, int body) {
  Vec3 v, omega;
  w.bodyTwist(body, v, omega);
  return v.z();
}
// A ball joint of `body` at a's (the world's) point `at`, with a softness of its own.
int hang(world::World& w, int a, int body, const Vec3& at, const Softness& softness = {}) {
  JointDefinition d;
  d.type = dynamics::JointType::Spherical;
  d.a = a;
  d.b = body;
  d.frameA.p = at;
  d.linear = softness;
  d.auxiliary = true;
  int id = -1;
  const Failure f = w.createJoint(d, id);
  INFO(f.text());
  REQUIRE_FALSE(f);
  return id;
}

// One row along z of one body: a velocity row at `wanted`.
struct Drag {
  double wanted = 0;
  Softness softness;
};
void drag(world::World& w, int body, Drag& drag) {
  UserConstraintDefinition d;
  d.bodies = {body};
  d.rows = 1;
  d.user = &drag;
  d.evaluate = [](void* user, int, UserRow* r) {
    const Drag& own = *static_cast<const Drag*>(user);
    r->velocityLevel = true;
    r->rate = own.wanted;
    r->softness = own.softness;
    r->bodies[2] = 1;
    return 1;
  };
  int id = -1;
  REQUIRE_FALSE(w.createConstraint(d, id));
}

// The discrete equations for one body at x with speed v under gravity.
struct Hanging {
  double x, v, mass, epsilon, tau;
  void step(double h) {
    const double upsilon = 1 / (1 + 4 * tau / h), sigma = 4 * epsilon * upsilon / (h * h), start = v;
    x += h * v;  // a step moves first, then solves for the velocity
    v += h * kG;
    const double impulse = -(v + 4 * upsilon / h * x - upsilon * start) / (1 / mass + sigma);
    v += impulse / mass;
  }
};
// m x'' = -k x - c x' + m g from x(0), x'(0), underdamped.
double dampedSpring(double t, double x0, double v0, double m, double k, double c) {
  const double rest = m * kG / k, decay = c / (2 * m), omega = std::sqrt(k / m - decay * decay), a = x0 - rest;
  return rest + std::exp(-decay * t) * (a * std::cos(omega * t) + (v0 + decay * a) / omega * std::sin(omega * t));
}

}  // namespace

TEST_CASE("SPOOK's gamma is the softness of a velocity row: a damper of 1/gamma about the target rate", "[step][spook]") {
  const double h = 1e-3, mass = 2, wanted = 0.4;
  for (const double gamma : {0.05, 0.2}) {
    WorldSettings s = spook(h);
    s.spookGamma = gamma;
    world::World w(s);
    // A row with its own damping: gamma is the inverse of that, whatever the world's.
    const double damping = 30;
    Drag worlds{wanted, {}}, own{-0.3, {0, damping}};
    const int a = ball(w, mass, Vec3::Zero()), b = ball(w, mass, Vec3(5, 0, 0));
    drag(w, a, worlds);
    drag(w, b, own);
    double expected[2] = {0, 0};
    for (int i = 0; i < 500; i++) {
      test::advance(w, 1);
      const double rates[2] = {1 / (gamma * mass), damping / mass}, to[2] = {wanted, -0.3};
      for (int k = 0; k < 2; k++) expected[k] = (expected[k] + h * (kG + rates[k] * to[k])) / (1 + h * rates[k]);
      REQUIRE(speed(w, a) == Approx(expected[0]).margin(1e-12));
      REQUIRE(speed(w, b) == Approx(expected[1]).margin(1e-12));
    }
    // In the limit of continuous time: the speed of fall tends to its limit as an exponential.
    auto falling = [&](double rate, double to) { return (to + kG / rate) * (1 - std::exp(-rate * 0.5)); };
    CHECK(speed(w, a) == Approx(falling(1 / (gamma * mass), wanted)).epsilon(5e-3));
    CHECK(speed(w, b) == Approx(falling(damping / mass, -0.3)).epsilon(5e-3));
  }
}

TEST_CASE("SPOOK: a joint's own stiffness and damping are those of a damped spring, beside joints of the world's", "[step][spook]") {
  const double x0 = 0.02, mass = 2;
  const Softness own[2] = {{2000, 10}, {500, 4}};
  double error[3][2] = {};
  for (int refined = 0; refined < 2; refined++) {
    const double h = refined ? 2.5e-4 : 5e-4;
    WorldSettings s = spook(h);
    s.spookCompliance = 1e-3;
    s.spookRelaxation = 3e-3;
    world::World w(s);
    int body[3];
    Hanging discrete[3];
    double k[3], c[3];
    for (int i = 0; i < 3; i++) {  // two with their own softness, one with the world's
      body[i] = ball(w, mass, Vec3(i, 0, x0));
      hang(w, -1, body[i], Vec3(i, 0, 0), i < 2 ? own[i] : Softness());
      const double epsilon = i < 2 ? 1 / own[i].stiffness : s.spookCompliance;
      discrete[i] = {x0, 0, mass, epsilon, i < 2 ? own[i].damping / own[i].stiffness : s.spookRelaxation};
      k[i] = 1 / epsilon;
      c[i] = discrete[i].tau / epsilon;
    }
    const int steps = static_cast<int>(0.4 / h);
    for (int n = 1; n <= steps; n++) {
      test::advance(w, 1);
      for (int i = 0; i < 3; i++) {
        discrete[i].step(h);
        REQUIRE(height(w, body[i]) == Approx(discrete[i].x).margin(1e-12));
        error[i][refined] = std::max(error[i][refined], std::fabs(height(w, body[i]) - dampedSpring(n * h, x0, 0, mass, k[i], c[i])));
      }
    }
  }
  for (int i = 0; i < 3; i++) {
    INFO(i << ": " << error[i][0] << ' ' << error[i][1]);
    CHECK(error[i][0] < 0.02 * x0);
    CHECK(error[i][1] == Approx(0.5 * error[i][0]).epsilon(0.1));  // of first order
  }
}

TEST_CASE("SPOOK: rows of different softness carry one load, each by its own compliance", "[step][spook]") {
  WorldSettings s = spook(1e-3);
  s.spookCompliance = 2e-4;
  world::World w(s);
  // Three on one another: their own softness above, the world's below.
  const Softness softness[3] = {{4000, 80}, {1500, 60}, {}};
  const double mass[3] = {1, 2, 0.5};
  int body[3];
  for (int i = 0; i < 3; i++) {
    body[i] = ball(w, mass[i], Vec3(0, 0, -i));
    hang(w, i ? body[i - 1] : -1, body[i], i ? Vec3(0, 0, -1) : Vec3::Zero(), softness[i]);
  }
  test::advance(w, 4000);
  double load = 3.5, at = 0;
  for (int i = 0; i < 3; i++) {
    at += load * kG * (i < 2 ? 1 / softness[i].stiffness : s.spookCompliance);
    CHECK(height(w, body[i]) + i == Approx(at).epsilon(1e-6));
    CHECK(std::fabs(speed(w, body[i])) < 1e-9);
    load -= mass[i];
  }
}

TEST_CASE("SPOOK: a contact's compliance is that of the world's rows: a ball rests that much deeper", "[step][spook]") {
  for (double compliance : {1e-6, 1e-4}) {
    WorldSettings s = spook(1e-3);
    s.spookCompliance = compliance;
    world::World w(s);
    test::addGround(w, 0.5, 0);
    const int body = test::addBall(w, 0.1, 3, Vec3(0, 0, 0.1), 0.5, 0);
    test::advance(w, 1000);
    INFO("compliance " << compliance);
    CHECK(0.1 - height(w, body) == Approx(compliance * 3 * 9.81).epsilon(1e-3));
    CHECK(std::fabs(speed(w, body)) < 1e-6);
  }
}
