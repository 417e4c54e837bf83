// Springs between bodies that are mild act as forces, to second order, and keep the energy of oscillations; stiff ones stay rows.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

int addSpring(world::World& w, int a, int b, const Vec3& atA, const Vec3& atB, double stiffness, double damping, double rest) {
  JointDefinition d;
  d.constraint = ConstraintType::Distance;
  d.a = a;
  d.b = b;
  d.frameA.p = atA;
  d.frameB.p = atB;
  int id = -1;
  REQUIRE_FALSE(w.createJoint(d, id));
  dynamics::AxisParameters p;
  p.stiffness = stiffness;
  p.damping = damping;
  p.rest = rest;
  REQUIRE_FALSE(w.setAxis(id, 0, p));
  return id;
}

double lengthOf(const world::World& w, int spring) {
  double q[7], v[6];
  w.jointState(spring, q, v);
  return q[0];
}

WorldSettings floating(Stepper stepper, double rate) {
  WorldSettings s = test::awake(stepper, rate);
  s.gravity.setZero();
  return s;
}

constexpr Stepper kSteppers[] = {Stepper::Impulse, Stepper::Variational};

// A ball of 2 kg, 1.1 m from where a spring of 1 m at rest is fixed.
int addOscillator(world::World& w, double stiffness, double damping, int& ball) {
  ball = test::addBall(w, 0.1, 2, Vec3(1.1, 0, 0), 0.5, 0);
  return addSpring(w, -1, ball, Vec3::Zero(), Vec3::Zero(), stiffness, damping, 1);
}

}  // namespace

TEST_CASE("a mass on a spring swings at its frequency and keeps its amplitude; a damper takes what the equation says", "[springs]") {
  for (const Stepper stepper : kSteppers)
    for (const double damping : {0.0, 0.4}) {
      world::World w(floating(stepper, 240));
      int ball = -1;
      addOscillator(w, 392, damping, ball);  // 14 rad/s
      const double decay = damping / 4, omega = std::sqrt(392.0 / 2 - decay * decay);
      double worst = 0;
      for (int i = 1; i <= 2400; i++) {
        test::advance(w, 1);
        const double t = i / 240.0, x = 0.1 * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
        worst = std::max(worst, std::fabs(w.bodyPose(ball).p.x() - 1 - x));
      }
      INFO("stepper " << static_cast<int>(stepper) << ", damping " << damping << ": off by " << worst << " m of 0.1 in ten seconds");
      // Verlet's frequency is off by (h w)^2 / 24: 0.02 rad after ten seconds. As a row it lost 9 % of its amplitude in half a cycle.
      CHECK(worst < 2.5e-3);
    }
}

TEST_CASE("bodies on a spring that whirl keep energy and momenta", "[springs]") {
  for (const Stepper stepper : kSteppers)
    for (const double rate : {60.0, 240.0}) {
      world::World w(floating(stepper, rate));
      const int a = test::addBox(w, Vec3(0.1, 0.2, 0.15), 1, Vec3::Zero(), 0.5, 0),
                b = test::addBox(w, Vec3(0.2, 0.1, 0.1), 2, Vec3(1, 0, 0), 0.5, 0);
      const int spring = addSpring(w, a, b, Vec3(0.05, 0.1, 0), Vec3(0, 0.05, 0.1), 200, 0, 0.9);
      REQUIRE_FALSE(w.setBodyTwist(a, Vec3(-0.5, 1, 0), Vec3(0.5, 0, 2), nullptr));
      REQUIRE_FALSE(w.setBodyTwist(b, Vec3(0.25, -0.5, 0.3), Vec3(0, 1, 0), nullptr));
      const auto energy = [&] {
        const EnergyAccount e = w.energy();
        const double stretched = lengthOf(w, spring) - 0.9;
        return e.kinetic + 0.5 * 200 * stretched * stretched;
      };
      const double start = energy();
      Vec3 linear, angular, linearNow, angularNow;
      w.momentum(linear, angular);
      double worst = 0;
      for (int i = 0; i < 20 * rate; i++) {
        test::advance(w, 1);
        worst = std::max(worst, std::fabs(energy() - start));
      }
      w.momentum(linearNow, angularNow);
      INFO("stepper " << static_cast<int>(stepper) << ", " << rate << " 1/s: energy " << start << " J, off by " << worst << " at most");
      CHECK(worst < (rate == 60 ? 0.02 : 1.5e-3) * start);
      CHECK((linearNow - linear).norm() < 1e-11);
      CHECK((angularNow - angular).norm() < 1e-11);
      CHECK(w.statistics().unsolved == 0);
    }
}

TEST_CASE("a chain on a spring converges to second order", "[springs]") {
  const auto end = [](Stepper stepper, double rate) {
    WorldSettings s = test::awake(stepper, rate);
    s.maxHalvings = 0;
    world::World w(s);
    test::Chain c = test::addChain(w, 2, 0.5, 1);
    const double rates[2] = {3, -1};
    for (int k = 0; k < 2; k++) REQUIRE_FALSE(w.setJointState(c.joints[k], nullptr, rates + k));
    addSpring(w, -1, c.bodies[1], Vec3(0.8, 0.2, 0), Vec3(0, 0, -0.25), 20, 0.5, 0.4);
    test::advance(w, static_cast<int>(0.5 * rate));
    return w.bodyPose(c.bodies[1]).p;
  };
  for (const Stepper stepper : kSteppers) {
    const Vec3 right = end(stepper, 15360);
    const double coarse = (end(stepper, 240) - right).norm(), fine = (end(stepper, 480) - right).norm();
    INFO("stepper " << static_cast<int>(stepper) << ": off by " << coarse << " and " << fine << " m");
    CHECK(fine < coarse / 3.5);
    CHECK(coarse < 5e-4);
  }
}

TEST_CASE("springs between bodies that touch, slide and stick make no energy", "[springs]") {
  for (const Stepper stepper : kSteppers)
    for (const double rate : {60.0, 240.0})
      for (const double friction : {0.0, 0.3}) {
        world::World w(test::awake(stepper, rate));
        test::addGround(w, friction, 0);
        std::vector<int> boxes, springs;
        for (int i = 0; i < 4; i++)
          boxes.push_back(test::addBox(w, Vec3::Constant(0.1), i % 2 ? 3 : 1, Vec3(0.5 * i, 0, 0.1), friction, 0));
        for (int i = 0; i < 3; i++) springs.push_back(addSpring(w, boxes[i], boxes[i + 1], Vec3::Zero(), Vec3::Zero(), 150, 0, 0.35));
        const auto energy = [&] {
          double sum = test::totalEnergy(w);
          for (int s : springs) sum += 0.5 * 150 * (lengthOf(w, s) - 0.35) * (lengthOf(w, s) - 0.35);
          return sum;
        };
        const double start = energy();
        double most = 0, low = 0;
        for (int i = 0; i < 10 * rate; i++) {
          test::advance(w, 1);
          most = std::max(most, energy() - start);
          for (int b : boxes) low = std::max(low, 0.1 - w.bodyPose(b).p.z());
        }
        INFO("stepper " << static_cast<int>(stepper) << ", " << rate << " 1/s, friction " << friction << ": gains " << most << " J of 5, "
                        << low << " m deep");
        CHECK(most < (rate == 60 ? 0.45 : 0.12));  // first order where contacts act: h w / 2 of it comes and goes
        CHECK(low < 2e-3);
      }
}

TEST_CASE("a spring is told with the mean of its step, which is what its bodies get", "[springs]") {
  for (const Stepper stepper : kSteppers) {
    world::World w(floating(stepper, 240));
    const int a = test::addBall(w, 0.1, 1, Vec3::Zero(), 0.5, 0), b = test::addBall(w, 0.1, 2, Vec3(1, 0, 0), 0.5, 0);
    const int spring = addSpring(w, a, b, Vec3(0, 0.05, 0), Vec3(0, 0.05, 0), 100, 1, 0.8);
    REQUIRE_FALSE(w.setBodyTwist(b, Vec3(0, 1, 0), Vec3::Zero(), nullptr));
    test::advance(w, 30);
    Vec3 before, after, turn;
    w.bodyTwist(b, before, turn);
    test::advance(w, 1);
    w.bodyTwist(b, after, turn);
    JointForces f;
    w.jointForces(spring, f);
    CHECK(std::fabs(f.spring[0]) > 1);
    CHECK((2 * 240 * (after - before) - f.force - f.springs.force).norm() < 1e-9);
  }
}

TEST_CASE("a stiff spring stays implicit, and what hangs on a damped one comes to rest and sleeps", "[springs]") {
  for (const Stepper stepper : kSteppers) {
    world::World stiff(floating(stepper, 60));
    int ball = -1;
    addOscillator(stiff, 1e8, 0, ball);
    test::advance(stiff, 600);
    CHECK(std::fabs(stiff.bodyPose(ball).p.x() - 1) < 1e-6);

    WorldSettings s = test::awake(stepper, 240);
    s.sleeping = true;
    world::World w(s);
    const int hung = test::addBall(w, 0.1, 2, Vec3(0, 0, 1), 0.5, 0);
    addSpring(w, -1, hung, Vec3(0, 0, 2), Vec3::Zero(), 200, 15, 1);
    test::advance(w, 240 * 5);
    CHECK(w.bodyPose(hung).p.z() == Approx(1 - 2 * 9.81 / 200).margin(1e-3));
    CHECK_FALSE(w.bodyAwake(hung));
  }
}
