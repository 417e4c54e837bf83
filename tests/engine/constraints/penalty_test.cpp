// Penalty contacts: rest, free oscillation on the spring, restitution by damping, Hertz's law, friction, stiffness beyond the step.
#include <cmath>

#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

// A ball of 1 kg above ground of the given stiffness.
struct Drop {
  world::World world;
  int ball;
  Drop(double rate, double stiffness, double damping, bool hertz, double height, double friction = 0, Stepper stepper = Stepper::Impulse)
      : world([&] {
          WorldSettings s;
          s.timeStep = 1 / rate;
          s.sleeping = false;
          s.stepper = stepper;
          return s;
        }()) {
    geometry::Shape plane;
    plane.geometry.type = geometry::ShapeType::Plane;
    plane.surface.friction = friction;
    plane.surface.stiffness = stiffness;
    plane.surface.damping = damping;
    plane.surface.hertz = hertz;
    int id;
    REQUIRE_FALSE(world.createShape(-1, plane, -1, id));
    ball = test::addBall(world, 0.1, 1, Vec3(0, 0, 0.1 + height), friction, 0);
  }
  double depth() const { return 0.1 - world.bodyPose(ball).p.z(); }
  double speed() const {
    Vec3 v, omega;
    world.bodyTwist(ball, v, omega);
    return v.z();
  }
};

// Static depth of 1 kg. Under `ode` the spring acts at the ends of steps, where the ball has fallen back to -g h / 2 from the same speed
// upwards: the damper adds a force from that, and so does the spring at its value one step later, where it is stiff for the step. Both
// vanish with h.
double restingDepth(Stepper stepper, double stiffness, double damping, bool hertz, double h) {
  const double g = 9.81, u = stepper == Stepper::Ode ? 0.5 * g * h : 0;
  double low = 0, high = 0.1;
  for (int k = 0; k < 100; k++) {
    const double d = 0.5 * (low + high), slope = hertz ? 1.5 * stiffness * std::sqrt(d) * (1 + damping * u) : stiffness;
    const double force = hertz ? stiffness * d * std::sqrt(d) * (1 - damping * u) : stiffness * d - damping * u;
    (force - (h * h * slope > 0.05 ? slope * u * h : 0) < g ? low : high) = d;
  }
  return low;
}

}  // namespace

TEST_CASE("penalty contact: a ball rests as deep as the spring says, linear and by Hertz", "[step][penalty]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook})
    for (double stiffness : {2e3, 1e6})
      for (double rate : {240.0, 2400.0}) {
        Drop linear(rate, stiffness, 40, false, 0, 0.5, stepper), hertz(rate, 30 * stiffness, 4, true, 0, 0.5, stepper);
        test::advance(linear.world, 2400);
        test::advance(hertz.world, 2400);
        const double spring = 9.81 / stiffness, round = std::pow(9.81 / (30 * stiffness), 2.0 / 3);
        INFO("stepper " << static_cast<int>(stepper) << " stiffness " << stiffness << " rate " << rate << ": depths " << linear.depth()
                        << " of " << spring << " and " << hertz.depth() << " of " << round);
        CHECK(linear.depth() == Approx(restingDepth(stepper, stiffness, 40, false, 1 / rate)).epsilon(1e-3));
        CHECK(hertz.depth() == Approx(restingDepth(stepper, 30 * stiffness, 4, true, 1 / rate)).epsilon(1e-3));
        if (stepper == Stepper::Ode && rate < 1000) continue;
        CHECK(linear.depth() == Approx(spring).epsilon(0.1));
        CHECK(hertz.depth() == Approx(round).epsilon(0.1));
      }
}

TEST_CASE("penalty contact: balls on a chain that closes lie on their springs, and its joints hold", "[step][penalty]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook, Stepper::Displacement}) {
    const double stiffness = 5e3;
    Drop drop(2400, stiffness, 40, false, 0, 0.5, stepper);
    world::World& w = drop.world;
    // Four balls at the corners of a square of 0.5 m, a ball joint at the middle of each side: three in the tree, one closes the loop.
    std::vector<int> balls{drop.ball}, joints;
    const Vec3 corner[4] = {Vec3(0, 0, 0), Vec3(0.5, 0, 0), Vec3(0.5, 0.5, 0), Vec3(0, 0.5, 0)};
    for (int k = 1; k < 4; k++) balls.push_back(test::addBall(w, 0.1, 1, Vec3(0, 0, 0.1) + corner[k], 0.5, 0));
    for (int k = 0; k < 4; k++) {
      const Vec3 half = 0.5 * (corner[(k + 1) % 4] - corner[k]);
      joints.push_back(test::addJoint(w, dynamics::JointType::Spherical, balls[k], balls[(k + 1) % 4], half, -half));
    }
    test::advance(w, 2400);
    double force = 0;
    for (const Contact& c : w.contacts()) force += c.force.z();
    INFO("stepper " << static_cast<int>(stepper) << " force " << force);
    CHECK(force == Approx(4 * 9.81).epsilon(2e-3));
    for (int ball : balls) CHECK(0.1 - w.bodyPose(ball).p.z() == Approx(9.81 / stiffness).epsilon(0.02));
    for (int j : joints) CHECK(test::jointGap(w, j) < (stepper == Stepper::Displacement || stepper == Stepper::Spook ? 1e-5 : 1e-9));
  }
}

TEST_CASE("penalty contact: an undamped spring returns its energy after half a period", "[step][penalty]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Spook}) {
    INFO("stepper " << static_cast<int>(stepper));
    Drop d(2000, 5e3, 0, false, 0.2, 0, stepper);
    const double hit = std::sqrt(2 * 9.81 * 0.2), rate = std::sqrt(5e3);
    double deepest = 0, touched = 0;
    for (int k = 0; k < 2000; k++) {
      test::advance(d.world, 1);
      deepest = std::max(deepest, d.depth());
      touched += d.depth() > 0 ? 1 / 2000.0 : 0;
      if (touched > 0 && d.depth() < 0) break;
    }
    const double sag = 9.81 / 5e3;
    CHECK(deepest == Approx(sag + std::hypot(sag, hit / rate)).epsilon(2e-3));
    CHECK(touched == Approx((std::acos(-1.0) + 2 * std::atan(sag * rate / hit)) / rate).margin(1e-3));
    CHECK(d.speed() == Approx(hit).epsilon(0.01));
  }
}

TEST_CASE("penalty contact: damping makes restitution, as the oscillator's closed form", "[step][penalty]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Spook}) {
    INFO("stepper " << static_cast<int>(stepper));
    // Without gravity, exp(-damping ratio ...): x'' + 2 d x' + w^2 x = 0 separates where its force vanishes, because the contact never
    // pulls.
    const double stiffness = 2e4, damping = 60, rate = 20000;
    Drop d(rate, stiffness, damping, false, 0.5, 0, stepper);
    d.world.setSettings([&] {
      WorldSettings s = d.world.settings();
      s.gravity.setZero();
      return s;
    }());
    double residual[2];
    REQUIRE_FALSE(d.world.setBodyTwist(d.ball, Vec3(0, 0, -3), Vec3::Zero(), residual));
    test::advance(d.world, static_cast<int>(0.25 * rate));
    const double decay = damping / 2, w = std::sqrt(stiffness - decay * decay);
    // x = 3/w e^(-d t) sin w t; force zero: k x + c x' = 0 -> tan(w t) = -2 d w / (w^2 - d^2), in the second quadrant.
    const double t = (std::acos(-1.0) - std::atan2(2 * decay * w, w * w - decay * decay)) / w;
    const double out = -3 / w * std::exp(-decay * t) * (w * std::cos(w * t) - decay * std::sin(w * t));
    CHECK(d.speed() == Approx(out).epsilon(0.01));
  }
}

TEST_CASE("penalty contact: the depth of an impact on Hertz's spring follows from its energy", "[step][penalty]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Spook}) {
    INFO("stepper " << static_cast<int>(stepper));
    Drop d(4000, 1e6, 0, true, 0.1, 0, stepper);
    double deepest = 0;
    for (int k = 0; k < 1200; k++) {
      test::advance(d.world, 1);
      deepest = std::max(deepest, d.depth());
    }
    // m g (height + d) = 2/5 k d^2.5.
    double x = 0.01;
    for (int k = 0; k < 50; k++) x = std::pow(9.81 * (0.1 + x) / (0.4 * 1e6), 0.4);
    CHECK(deepest == Approx(x).epsilon(5e-3));
  }
}

TEST_CASE("penalty contact: friction is bounded by its force", "[step][penalty]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Spook}) {
    INFO("stepper " << static_cast<int>(stepper));
    // A ball that starts to slide at 2 m/s with a friction of 0.3 rolls after v / (3.5 mu g), at 5/7 of its speed.
    Drop d(1000, 1e5, 200, false, -1e-4, 0.3, stepper);
    double residual[2];
    REQUIRE_FALSE(d.world.setBodyTwist(d.ball, Vec3(2, 0, 0), Vec3::Zero(), residual));
    test::advance(d.world, 400);
    Vec3 v, omega;
    d.world.bodyTwist(d.ball, v, omega);
    CHECK(v.x() == Approx(2 * 5.0 / 7).epsilon(5e-3));
  }
}

TEST_CASE("penalty contact: no stiffness is too much for a step", "[step][penalty]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Spook}) {
    INFO("stepper " << static_cast<int>(stepper));
    for (double stiffness : {1e4, 1e7, 1e12}) {
      Drop d(60, stiffness, 0, false, 0.5, 0, stepper);
      double highest = 0;
      for (int k = 0; k < 600; k++) {
        test::advance(d.world, 1);
        if (k > 30) highest = std::max(highest, -d.depth());
      }
      INFO("stiffness " << stiffness);
      CHECK(highest < 0.55);
      CHECK(d.depth() == Approx(9.81 / stiffness).margin(1e-4));
    }
  }
}

// Hertz's spring with damping, force k d^1.5 (1 + c d'): v dv / (1 + c v) = -k d^1.5 dd, so that v / c - ln(1 + c v) / c^2 is the same at
// the end of the contact as at its beginning (Hunt and Crossley 1975).
TEST_CASE("penalty contact: damping on Hertz's spring makes restitution, in closed form", "[step][penalty]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Spook})
    for (double damping : {0.05, 0.2, 1.0}) {
      const double rate = 20000, in = 3;
      Drop d(rate, 1e6, damping, true, 0.05, 0, stepper);
      d.world.setSettings([&] {
        WorldSettings s = d.world.settings();
        s.gravity.setZero();
        return s;
      }());
      double residual[2];
      REQUIRE_FALSE(d.world.setBodyTwist(d.ball, Vec3(0, 0, -in), Vec3::Zero(), residual));
      test::advance(d.world, static_cast<int>(0.1 * rate));
      const auto potential = [&](double v) { return v / damping - std::log1p(damping * v) / (damping * damping); };
      double low = 0, high = std::min(in, 1 / damping);
      for (int k = 0; k < 100; k++) (potential(-0.5 * (low + high)) < potential(in) ? low : high) = 0.5 * (low + high);
      INFO("stepper " << static_cast<int>(stepper) << ", damping " << damping << ": " << d.speed() << " of " << low);
      CHECK(low < 0.95 * in);
      CHECK(d.speed() == Approx(low).epsilon(0.02));
    }
}
