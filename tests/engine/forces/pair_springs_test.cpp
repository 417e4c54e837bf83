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

constexpr Stepper kSteppers[] = {Stepper::Impulse, Stepper::Variational, Stepper::Ode};

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
      CHECK((angularNow - angular).norm() < (stepper == Stepper::Ode ? 1e-4 : 1e-11));  // its methods keep no quadratic invariant
      CHECK(w.statistics().unsolved == 0);
    }
}

TEST_CASE("what a spring spins so fast that one end flies in parts keeps its momentum, and makes no energy", "[springs]") {
  for (const Stepper stepper : kSteppers)
    for (const double rate : {60.0, 240.0}) {
      world::World w(floating(stepper, rate));
      const int a = test::addBall(w, 0.15, 1, Vec3::Zero(), 0.5, 0), b = test::addBall(w, 0.15, 2, Vec3(1, 0, 0), 0.5, 0);
      const int spring = addSpring(w, a, b, Vec3(0, 0, 0.05), Vec3(0, 0, 0.05), 150, 0, 0.8);
      REQUIRE_FALSE(w.setBodyTwist(a, Vec3(0, 0, 0.5), Vec3::Zero(), nullptr));
      const auto energy = [&] { return w.energy().kinetic + 75 * (lengthOf(w, spring) - 0.8) * (lengthOf(w, spring) - 0.8); };
      const double start = energy();
      Vec3 linear, now, angular;
      w.momentum(linear, angular);
      double most = 0, fastest = 0;
      for (int i = 0; i < 8 * rate; i++) {
        test::advance(w, 1);
        most = std::max(most, energy() - start);
        Vec3 v, omega;
        w.bodyTwist(a, v, omega);
        fastest = std::max(fastest, omega.norm());
      }
      w.momentum(now, angular);
      INFO("stepper " << static_cast<int>(stepper) << ", " << rate << " 1/s: gains " << most << " J of " << start << ", up to " << fastest
                      << " rad/s");
      CHECK(fastest > 10);
      CHECK(most < 0.02 * start);
      CHECK((now - linear).norm() < 1e-11);
    }
}

TEST_CASE("a chain on a spring converges to the order of its stepper", "[springs]") {
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
    CHECK(fine < coarse / (stepper == Stepper::Ode ? 12 : 3.5));
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
    const int spring = addSpring(w, -1, hung, Vec3(0, 0, 2), Vec3::Zero(), 200, 15, 1);
    test::advance(w, 240 * 5);
    CHECK(w.bodyPose(hung).p.z() == Approx(1 - 2 * 9.81 / 200).margin(1e-3));
    CHECK_FALSE(w.bodyAwake(hung));
    JointForces f;
    w.jointForces(spring, f);
    CHECK(f.spring[0] == Approx(-2 * 9.81).epsilon(0.01));  // it bears the ball while it sleeps
  }
}

TEST_CASE("a restored world with springs goes on to the last bit, also where a body is thrown at once", "[springs]") {
  for (const Stepper stepper : kSteppers) {
    int thrown = -1, hung = -1;
    const auto build = [&](world::World& w) {
      test::addGround(w, 0.5, 0.3);
      hung = test::addBox(w, Vec3(0.1, 0.2, 0.3), 2, Vec3(0, 0, 2), 0.5, 0);
      thrown = test::addBox(w, Vec3(0.1, 0.05, 0.1), 1, Vec3(1, 0, 2), 0.5, 0);
      addSpring(w, -1, hung, Vec3(0, 0, 3), Vec3(0.05, 0, 0.3), 200, 0, 0.6);
      addSpring(w, hung, thrown, Vec3(0.1, 0, 0), Vec3(0, 0.05, 0), 100, 0.5, 0.7);
      REQUIRE_FALSE(w.setBodyTwist(hung, Vec3(0, 0.5, 0), Vec3(2, 1, 3), nullptr));
    };
    world::World w(test::awake(stepper, 240)), other(test::awake(stepper, 240));
    build(w);
    build(other);
    test::advance(w, 100);
    std::vector<std::uint8_t> state;
    w.save(state);
    REQUIRE_FALSE(other.restore(state.data(), state.size()));
    for (world::World* each : {&w, &other}) {
      REQUIRE_FALSE(each->setBodyTwist(thrown, Vec3(0, 0, -700), Vec3(5, 0, 0), nullptr));
      test::advance(*each, 50);
    }
    INFO("stepper " << static_cast<int>(stepper));
    for (const int body : {hung, thrown}) {
      CHECK(w.bodyPose(body).p == other.bodyPose(body).p);
      CHECK(w.bodyPose(body).q.coeffs() == other.bodyPose(body).q.coeffs());
    }
  }
}

TEST_CASE("the work of springs is in the account of drives, once", "[springs]") {
  for (const Stepper stepper : kSteppers) {
    WorldSettings s = test::awake(stepper, 240);
    s.energyAccount = true;
    world::World w(s);
    const int hung = test::addBall(w, 0.1, 2, Vec3(0.3, 0, 1), 0.5, 0);
    const int spring = addSpring(w, -1, hung, Vec3(0, 0, 2), Vec3(0, 0.05, 0.05), 200, 2, 0.8);
    const auto stored = [&] { return 0.5 * 200 * (lengthOf(w, spring) - 0.8) * (lengthOf(w, spring) - 0.8); };
    const double start = test::totalEnergy(w), stretched = stored();
    test::advance(w, 240);
    const EnergyAccount e = w.energy();
    INFO("stepper " << static_cast<int>(stepper));
    CHECK(e.workApplied == 0);
    CHECK(test::totalEnergy(w) - start == Approx(e.workDrives).margin(2e-3));
    CHECK(stored() - stretched + test::totalEnergy(w) - start < -0.1);  // the damper's
  }
}

TEST_CASE("the amplitude on a spring lasts whatever it hangs from; methods that make oscillations grow leave it a row", "[springs]") {
  enum class Base { Kinematic, Welded, Stuck };
  for (const Stepper stepper : kSteppers)
    for (const Base base : {Base::Kinematic, Base::Welded, Base::Stuck}) {
      world::World w(floating(stepper, 240));
      int anchor = -1;
      if (base == Base::Kinematic) {
        BodyDefinition d;
        d.kind = BodyKind::Kinematic;
        anchor = w.createBody(d);
      } else {
        anchor = test::addBall(w, 0.1, 3, Vec3::Zero(), 0.5, 0);
        const bool welded = base == Base::Welded;
        const int joint = test::addJoint(w, welded ? dynamics::JointType::Fixed : dynamics::JointType::Prismatic, -1, anchor, Vec3::Zero(),
                                         Vec3::Zero(), Vec3::UnitX());
        dynamics::AxisParameters stuck;
        stuck.friction = 1000;
        if (!welded) REQUIRE_FALSE(w.setAxis(joint, 0, stuck));  // its tree makes steps of first order
      }
      const int ball = test::addBall(w, 0.1, 2, Vec3(1.1, 0, 0), 0.5, 0);
      addSpring(w, anchor, ball, Vec3::Zero(), Vec3::Zero(), 392, 0, 1);
      double late = 0;
      for (int i = 0; i < 2400; i++) {
        test::advance(w, 1);
        if (i > 2200) late = std::max(late, std::fabs(w.bodyPose(ball).p.x() - 1));
      }
      INFO("stepper " << static_cast<int>(stepper) << ", base " << static_cast<int>(base) << ": " << late);
      CHECK(late == Approx(0.1).epsilon(0.02));
    }
  for (const Integrator integrator : {Integrator::ExplicitEuler, Integrator::Midpoint})
    for (const bool own : {false, true}) {
      WorldSettings s = floating(Stepper::Ode, 60);
      if (!own) s.odeIntegrator = integrator;
      world::World w(s);
      int ball = -1;
      addOscillator(w, 392, 0, ball);
      if (own) REQUIRE_FALSE(w.setBodyIntegration(ball, {0, static_cast<int>(integrator)}));
      double most = 0;
      for (int i = 0; i < 600; i++) {
        test::advance(w, 1);
        most = std::max(most, std::fabs(w.bodyPose(ball).p.x() - 1));
      }
      INFO("integrator " << static_cast<int>(integrator) << ", own " << own);
      CHECK(most < 0.101);
    }
}

TEST_CASE("Andrews' squeezing mechanism ends where its published solution does", "[springs]") {
  // Hairer and Wanner, Solving Ordinary Differential Equations II, VII.7: seven bodies in a plane, three cycles, a spring, a motor; after
  // 0.03 s the crank has turned by 15.8 rad. Angles beta, Theta, gamma, Phi, delta, Omega, epsilon.
  constexpr double at[7] = {
      -0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550, -0.222668390165885885,
      1.23054744454982120};
  constexpr double end[7] = {15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                             0.5244099658805304, 0.5347301163226948, 1.048080741042263};
  constexpr double mass[7] = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
  constexpr double moment[7] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
  constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss = 0.035, sa = 0.01874, sb = 0.01043,
                   sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04,
                   fa = 0.01421;
  const Vec3 A(-0.06934, -0.00227, 0), B(-0.03635, 0.03273, 0), C(0.014, 0.072, 0);
  const auto way = [](double angle, double along, double left) {
    return Vec3(along * std::cos(angle) - left * std::sin(angle), along * std::sin(angle) + left * std::cos(angle), 0);
  };
  const auto run = [&](Stepper stepper, int steps) {
    WorldSettings s = floating(stepper, steps / 0.03);
    s.maxAngularSpeed = 1e6;
    world::World w(s);
    const double be = at[0], th = at[0] + at[1], ga = at[2], fi = at[3] + at[4], de = at[4], om = at[5] + at[6], ep = at[6];
    // Of each body: its angle and its centre of mass.
    const Vec3 crank = way(be, rr, 0), E = crank - way(th, d, 0), H = A + way(de, zt, 0), G = A + way(ep, 0, -u);
    const std::pair<double, Vec3> places[7] = {
        {be, way(be, ra, 0)},      {th, crank - way(th, da, 0)},  {ga, B + way(ga, sb, -sa)}, {fi, H + way(fi, 0, -(e - ea))},
        {de, A + way(de, ta, tb)}, {om, G + way(om, zf - fa, 0)}, {ep, A + way(ep, -ub, -ua)}};
    int body[7];
    for (int i = 0; i < 7; i++) {
      BodyDefinition b;
      b.mass = mass[i];
      b.inertia = moment[i] * Mat3::Identity();
      b.pose = {places[i].second, Quat(Eigen::AngleAxisd(places[i].first, Vec3::UnitZ()))};
      body[i] = w.createBody(b);
    }
    const auto hinge = [&](int a, int b, const Vec3& p) {
      const auto in = [&](int k) { return k < 0 ? p : Vec3(w.bodyPose(body[k]).inverse() * p); };
      JointDefinition j;
      j.type = dynamics::JointType::Revolute;
      j.a = a < 0 ? -1 : body[a];
      j.b = body[b];
      j.axis = Vec3::UnitZ();
      j.frameA.p = in(a);
      j.frameB.p = in(b);
      if (a >= 0) j.frameA.q = w.bodyPose(body[a]).q.conjugate();
      j.frameB.q = w.bodyPose(body[b]).q.conjugate();
      int id = -1;
      REQUIRE_FALSE(w.createJoint(j, id));
      return id;
    };
    const int motor = hinge(-1, 0, Vec3::Zero());
    hinge(0, 1, crank), hinge(-1, 2, B), hinge(-1, 4, A), hinge(4, 3, H), hinge(-1, 6, A), hinge(6, 5, G);
    for (int k : {2, 3, 5}) hinge(1, k, E);
    addSpring(w, -1, body[2], C, way(0, sd - sb, sa - sc), 4530, 0, 0.07785);
    MotorSettings m;
    m.mode = MotorMode::Torque;
    m.force = 0.033;
    REQUIRE_FALSE(w.setMotor(motor, 0, m));
    double turned[7], last[7];
    const auto angle = [&](int i) {
      const Quat q = w.bodyPose(body[i]).q;
      return 2 * std::atan2(q.z(), q.w());
    };
    for (int i = 0; i < 7; i++) turned[i] = places[i].first, last[i] = angle(i);
    for (int k = 0; k < steps; k++) {
      test::advance(w, 1);
      for (int i = 0; i < 7; i++) {
        turned[i] += std::remainder(angle(i) - last[i], 2 * kPi);
        last[i] = angle(i);
      }
    }
    CHECK(w.statistics().maxJointError < 1e-9);
    const double ends[7] = {end[0], end[0] + end[1], end[2], end[3] + end[4], end[4], end[5] + end[6], end[6]};
    double off = 0;
    for (int i = 0; i < 7; i++) off = std::max(off, std::fabs(turned[i] - ends[i]));
    return off;
  };
  CHECK(run(Stepper::Ode, 1500) < 1e-7);
  // Cycles are of second order under `impulse`, of first under `variational`.
  for (const Stepper stepper : {Stepper::Impulse, Stepper::Variational}) {
    const double coarse = run(stepper, 3000), fine = run(stepper, 6000);
    const bool second = stepper == Stepper::Impulse;
    INFO("stepper " << static_cast<int>(stepper) << ": off by " << coarse << " and " << fine << " rad");
    CHECK(coarse < (second ? 3e-4 : 0.4));
    CHECK(fine < (second ? 0.3 : 0.55) * coarse);
  }
}
