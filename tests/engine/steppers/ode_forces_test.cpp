// The stepper `ode`: the forces of contacts that are told are the means over the step. What they change of the momentum of each body, with
// gravity, is what it changes; contacts that ended within the step are told, too.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

WorldSettings ode(double rate, Integrator integrator = Integrator::RungeKutta4) {
  WorldSettings s;
  s.stepper = Stepper::Ode;
  s.odeIntegrator = integrator;
  s.timeStep = 1 / rate;
  s.sleeping = false;
  return s;
}

// Steps the world; the largest error of h sum F + h m g - change of momentum over all steps, as a share of h m g, by free body.
double worstError(world::World& w, const std::vector<int>& bodies, int steps) {
  const double h = w.settings().timeStep;
  double worst = 0;
  for (int i = 0; i < steps; i++) {
    std::vector<Vec3> before;
    for (int b : bodies) {
      Vec3 v, omega;
      w.bodyTwist(b, v, omega);
      before.push_back(v);
    }
    test::advance(w, 1);
    for (std::size_t k = 0; k < bodies.size(); k++) {
      Vec3 v, omega, force = w.settings().gravity * test::massOf(w, bodies[k]);
      w.bodyTwist(bodies[k], v, omega);
      for (const Contact& c : w.contacts()) force += (c.bodyB == bodies[k]) * c.force - (c.bodyA == bodies[k]) * c.force;
      const double weight = test::massOf(w, bodies[k]) * 9.81;
      worst = std::max(worst, (test::massOf(w, bodies[k]) * (v - before[k]) - h * force).norm() / (h * weight));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("ode: contact forces change momentum as they are told, through impacts, slides and rests", "[step][ode]") {
  for (Integrator integrator : {Integrator::ExplicitEuler, Integrator::Midpoint, Integrator::RungeKutta4, Integrator::DormandPrince})
    for (double rate : {60.0, 240.0})
      for (double restitution : {0.0, 0.7}) {
        world::World w(ode(rate, integrator));
        test::addGround(w, 0.5, restitution);
        std::vector<int> bodies;
        for (int k = 0; k < 3; k++) {
          bodies.push_back(test::addBox(w, Vec3(0.1, 0.07, 0.05), 1 + k, Vec3(0.02 * k, 0, 0.3 + 0.3 * k), 0.5, restitution));
          REQUIRE_FALSE(w.setBodyTwist(bodies.back(), Vec3(1, 0.2 * k, 0), Vec3(1, 2, 3 - k), nullptr));
        }
        bodies.push_back(test::addBall(w, 0.05, 0.5, Vec3(1, 0, 0.5), 0.5, restitution));
        const double worst = worstError(w, bodies, static_cast<int>(2 * rate));
        INFO("integrator " << static_cast<int>(integrator) << ", rate " << rate << ", restitution " << restitution);
        CHECK(worst < 1e-6);
      }
}

TEST_CASE("ode: a ball that bounces within one step tells its blow and the events of it", "[step][ode]") {
  world::World w(ode(60));
  test::addGround(w, 0, 1);
  const int ball = test::addBall(w, 0.05, 1, Vec3(0, 0, 0.05 + 0.025), 0, 1);
  REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(0, 0, -6), Vec3::Zero(), nullptr));
  w.resetStatistics();
  test::advance(w, 1);
  Vec3 v, omega;
  w.bodyTwist(ball, v, omega);
  REQUIRE(v.z() > 5);
  double told = 0;
  for (const Contact& c : w.contacts()) told += c.force.z();
  CHECK(told == Approx((v.z() + 6) * 60 + 9.81).epsilon(1e-9));
  REQUIRE(w.events().size() == 1);
  CHECK(w.events()[0].kind == ContactEvent::Begin);
  test::advance(w, 1);
  REQUIRE(w.events().size() == 2);
  CHECK(w.events()[1].kind == ContactEvent::End);
  for (const Contact& c : w.contacts()) CHECK(c.force.norm() == 0);
}

TEST_CASE("ode: a body at rest, restored from a snapshot after a bounce, goes on as the world did", "[step][ode]") {
  world::World w(ode(60));
  test::addGround(w, 0.3, 0.8);
  const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.14), 0.3, 0.8);
  REQUIRE_FALSE(w.setBodyTwist(box, Vec3(0, 0, -5), Vec3(0.3, 0.2, 0), nullptr));
  for (int i = 0; i < 30; i++) {
    test::advance(w, 1);
    std::vector<std::uint8_t> bytes;
    w.save(bytes);
    test::advance(w, 3);
    const std::uint64_t hash = w.hash();
    REQUIRE_FALSE(w.restore(bytes.data(), bytes.size()));
    test::advance(w, 3);
    REQUIRE(w.hash() == hash);
  }
}

TEST_CASE("ode: a figure whose light arms whip through their limits in flight keeps its momentum", "[step][ode]") {
  for (const double rate : {60.0, 240.0})
    for (const double restitution : {0.0, 0.8}) {
      world::World w(ode(rate));
      std::vector<int> bodies{test::addBox(w, Vec3(0.1, 0.1, 0.1), 3, Vec3(0, 0, 0), 0.5, 0)};
      for (int arm = 0; arm < 4; arm++) {
        int parent = bodies[0];
        for (int k = 0; k < 3; k++) {
          const double side = arm % 2 ? -1 : 1;
          const int rod = test::addRod(w, 0.2, 0.05, Pose{Vec3(0.1 * (arm / 2), 0, side * (0.2 + 0.2 * k)), Quat::Identity()});
          const Vec3 at(k ? 0 : 0.1 * (arm / 2), 0, side * 0.1);
          const int joint = test::addJoint(w, dynamics::JointType::Revolute, parent, rod, at, Vec3(0, 0, -side * 0.1));
          dynamics::AxisParameters p;
          p.lower = -0.4 - 0.1 * k;
          p.upper = 0.5;
          p.restitution = restitution;
          REQUIRE_FALSE(w.setAxis(joint, 0, p));
          const double q = 0.1, spin = (arm % 2 ? -1 : 1) * (20.0 + 10 * k);
          REQUIRE_FALSE(w.setJointState(joint, &q, &spin));
          bodies.push_back(parent = rod);
        }
      }
      REQUIRE_FALSE(w.setBodyTwist(bodies[0], Vec3(1, 0, 3), Vec3(2, 1, -1), nullptr));
      double mass = 0, worst = 0;
      for (int b : bodies) mass += test::massOf(w, b);
      const auto momentum = [&] {
        Vec3 p = Vec3::Zero(), v, omega;
        for (int b : bodies) {
          w.bodyTwist(b, v, omega);
          p += test::massOf(w, b) * v;
        }
        return p;
      };
      const double start = test::totalEnergy(w), h = w.settings().timeStep;
      for (int i = 0; i < 2 * rate; i++) {
        const Vec3 before = momentum();
        test::advance(w, 1);
        worst = std::max(worst, (momentum() - before - h * mass * w.settings().gravity).norm() / (h * mass * 9.81));
        REQUIRE(test::totalEnergy(w) < start + 0.01 * mass * 9.81);
      }
      INFO("rate " << rate << ", restitution " << restitution << ": " << worst);
      CHECK(worst < 0.02);
    }
}

TEST_CASE("ode: the work of drives and dampers accounts for the energy of a fast arm, and too long steps are halved", "[step][ode]") {
  for (const double rate : {60.0, 240.0})
    for (const double stiffness : {50.0, 2000.0})
      for (const Integrator integrator : {Integrator::RungeKutta4, Integrator::DormandPrince}) {
        WorldSettings s = ode(rate, integrator);
        s.energyAccount = true;
        world::World w(s);
        const test::Chain arm = test::addChain(w, 4, 0.3, 0.5);
        for (const int joint : arm.joints) {
          dynamics::AxisParameters p;
          p.damping = 0.02;
          REQUIRE_FALSE(w.setAxis(joint, 0, p));
          MotorSettings m;
          m.mode = MotorMode::Position;
          m.position = 0.9;
          m.stiffness = stiffness;
          m.damping = 0.01 * stiffness;
          m.maxForce = 40;
          REQUIRE_FALSE(w.setMotor(joint, 0, m));
        }
        const double weight = 2 * 9.81;
        double worst = 0;
        const auto sum = [&] {
          const EnergyAccount e = w.energy();
          return e.kinetic + e.potential - e.workDrives + e.lostDamping;
        };
        const double start = sum();
        Failure f;
        for (int i = 0; i < 4 * rate && !f; i++) {
          f = w.step();
          worst = std::max(worst, std::fabs(sum() - start));
        }
        INFO("rate " << rate << ", stiffness " << stiffness << ", integrator " << static_cast<int>(integrator) << ": " << worst / weight);
        INFO(f.text());
        // Drives that even the shortest parts of 1/60 s do not resolve are refused.
        if (f) CHECK((f.kind() == Failure::Diverged && stiffness == 2000 && rate == 60));
        CHECK(w.energy().workDrives > 0.1 * weight);
        CHECK(worst < 0.005 * weight);
      }
}
