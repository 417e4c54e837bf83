// The stepper `variational`: order against independent references, energy over long times, momenta, every joint type, springs and dampers,
// contacts, cycles and limits, fast rotations.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

WorldSettings variational(double rate = 240) {
  WorldSettings s;
  s.stepper = Stepper::Variational;
  s.timeStep = 1 / rate;
  s.sleeping = false;
  return s;
}

// Slope of the error against the step between the first and the last of several halvings.
template <class F>
double order(double rate, int halvings, F&& errorAt, double* first = nullptr) {
  const double coarse = errorAt(rate), fine = errorAt(rate * std::pow(2.0, halvings));
  INFO("error " << coarse << " at 1/" << rate << " s, " << fine << " after " << halvings << " halvings");
  CHECK(fine > 0);
  if (first) *first = coarse;
  return std::log2(coarse / fine) / halvings;
}

// Classical Runge-Kutta of a state of N numbers, for references.
template <int N, class F>
Eigen::Matrix<double, N, 1> rungeKutta(Eigen::Matrix<double, N, 1> y, double time, int steps, F&& rate) {
  const double h = time / steps;
  for (int i = 0; i < steps; i++) {
    const Eigen::Matrix<double, N, 1> a = rate(y), b = rate(y + 0.5 * h * a), c = rate(y + 0.5 * h * b), d = rate(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y;
}

double largestDifference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); i++) worst = std::max(worst, (a[i] - b[i]).norm());
  return worst;
}
std::vector<Vec3> positions(const world::World& w) {
  std::vector<Vec3> p;
  for (int b = 0; b < w.bodyCapacity(); b++) p.push_back(w.bodyPose(b).p);
  return p;
}

// Kinetic energy over mass.
double speedEnergy(const world::World& w, double mass) { return w.energy().kinetic / mass; }

}  // namespace

TEST_CASE("variational: a double pendulum follows Runge-Kutta with the second order of the step", "[step][variational]") {
  // Two rods of length l and mass m: angles from hanging and their rates, by Lagrange's equations.
  const double l = 0.5, g = 9.81, time = 1.5;
  const auto rate = [&](const Eigen::Vector4d& y) {
    const double c = std::cos(y[0] - y[1]), s = std::sin(y[0] - y[1]);
    // (4/3) a'' + (1/2) c b'' = -(1/2) s b'^2 - (3/2) (g/l) sin a;  (1/2) c a'' + (1/3) b'' = (1/2) s a'^2 - (1/2) (g/l) sin b
    const double r0 = -0.5 * s * y[3] * y[3] - 1.5 * g / l * std::sin(y[0]), r1 = 0.5 * s * y[2] * y[2] - 0.5 * g / l * std::sin(y[1]);
    const double det = 4.0 / 9 - 0.25 * c * c;
    return Eigen::Vector4d(y[2], y[3], (r0 / 3 - 0.5 * c * r1) / det, (4.0 / 3 * r1 - 0.5 * c * r0) / det);
  };
  const Eigen::Vector4d end = rungeKutta<4>(Eigen::Vector4d(2.0, 2.5, 0, 0), time, 60000, rate);
  double first = 0;
  const double slope = order(
      240, 3,
      [&](double perSecond) {
        world::World w(variational(perSecond));
        const test::Chain c = test::addChain(w, 2, l, 1);
        double q = 2.0, bend = 0.5, q1;
        REQUIRE_FALSE(w.setJointState(c.joints[0], &q, nullptr));
        REQUIRE_FALSE(w.setJointState(c.joints[1], &bend, nullptr));
        test::advance(w, static_cast<int>(std::lround(time * perSecond)));
        w.jointState(c.joints[0], &q, nullptr);
        w.jointState(c.joints[1], &q1, nullptr);
        return std::hypot(q - end[0], q + q1 - end[1]);
      },
      &first);
  CHECK(slope == Approx(2).margin(0.1));
  CHECK(first < 0.02);
}

TEST_CASE("variational: a spinning top follows Euler's equations with the second order of the step", "[step][variational]") {
  // Fixed at the origin, its centre of mass at d along its axis of symmetry. State: quaternion (w, x, y, z) and angular velocity in its own
  // axes.
  const double d = 0.2, mass = 1.5, time = 1;
  const Vec3 moments(0.02, 0.02, 0.008), about = moments + mass * d * d * Vec3(1, 1, 0);
  const auto rate = [&](const Eigen::Matrix<double, 7, 1>& y) {
    const Eigen::Quaterniond q(y[0], y[1], y[2], y[3]);
    const Vec3 omega = y.tail<3>();
    const Vec3 torque = Vec3(0, 0, d).cross(q.conjugate() * Vec3(0, 0, -9.81 * mass));
    const Eigen::Quaterniond turn = q * Eigen::Quaterniond(0, omega.x(), omega.y(), omega.z());
    Eigen::Matrix<double, 7, 1> r;
    r << 0.5 * turn.w(), 0.5 * turn.vec(), (torque - omega.cross(about.cwiseProduct(omega))).cwiseQuotient(about);
    return r;
  };
  const Quat tilt = quatFromAxisAngle(Vec3::UnitX(), 0.6);
  Eigen::Matrix<double, 7, 1> start;
  start << tilt.w(), tilt.x(), tilt.y(), tilt.z(), 0.3, 0, 25;
  Eigen::Matrix<double, 7, 1> end = rungeKutta<7>(start, time, 40000, rate);
  const Quat turned = normalized(Quat(end[0], end[1], end[2], end[3]));
  double first = 0;
  const double slope = order(
      480, 3,
      [&](double perSecond) {
        world::World w(variational(perSecond));
        BodyDefinition b;
        b.mass = mass;
        b.inertia = moments.asDiagonal();
        const int body = w.createBody(b);
        const int joint = test::addJoint(w, dynamics::JointType::Spherical, -1, body, Vec3::Zero(), Vec3(0, 0, -d));
        const double q[4] = {tilt.x(), tilt.y(), tilt.z(), tilt.w()}, v[3] = {0.3, 0, 25};
        REQUIRE_FALSE(w.setJointState(joint, q, v));
        test::advance(w, static_cast<int>(std::lround(time * perSecond)));
        const Pose p = w.bodyPose(body);
        return (p.q * Vec3::UnitZ() - turned * Vec3::UnitZ()).norm() + (p.q * Vec3::UnitX() - turned * Vec3::UnitX()).norm();
      },
      &first);
  CHECK(slope == Approx(2).margin(0.1));
  CHECK(first < 0.05);
}

TEST_CASE("variational: a chain comes nearer to the other stepper with the second order of the step", "[step][variational]") {
  const auto swing = [](Stepper stepper, double rate) {
    WorldSettings s = variational(rate);
    s.stepper = stepper;
    world::World w(s);
    const test::Chain c = test::addChain(w, 8, 0.3, 1);
    const double start = 0.3;
    REQUIRE_FALSE(w.setJointState(c.joints[0], &start, nullptr));
    test::advance(w, static_cast<int>(std::lround(2 * rate)));
    return positions(w);
  };
  const std::vector<Vec3> reference = swing(Stepper::Impulse, 240 * 64);
  double first = 0;
  const double slope = order(
      240, 3, [&](double rate) { return largestDifference(swing(Stepper::Variational, rate), reference); }, &first);
  CHECK(slope == Approx(2).margin(0.1));
  CHECK(first < 5e-3);
}

TEST_CASE("variational: energy swings but does not drift", "[step][variational]") {
  world::World w(variational());
  const test::Chain c = test::addChain(w, 3, 0.3, 1);
  const double start = 1;
  REQUIRE_FALSE(w.setJointState(c.joints[0], &start, nullptr));
  const double e0 = test::totalEnergy(w), scale = 9.81 * 3 * 0.45;  // of its weight through half its length
  const int block = 24000;                                          // 100 s
  double mean[6] = {}, widest = 0;
  for (double& m : mean)
    for (int i = 0; i < block; i++) {
      REQUIRE_FALSE(w.step());
      const double e = (test::totalEnergy(w) - e0) / scale;
      m += e / block;
      widest = std::max(widest, std::fabs(e));
    }
  INFO("largest " << widest << ", means of 100 s: " << mean[0] << " " << mean[1] << " ... " << mean[5]);
  CHECK(widest < 0.05);
  CHECK(widest > 1e-6);  // no force holds it
  for (double m : mean) CHECK(std::fabs(m - mean[0]) < 0.1 * widest);
}

TEST_CASE("variational: a chain that floats keeps its momenta to round-off", "[step][variational]") {
  WorldSettings s = variational();
  s.gravity.setZero();
  world::World w(s);
  std::vector<int> bodies;
  const dynamics::JointType types[] = {dynamics::JointType::Revolute,  dynamics::JointType::Spherical, dynamics::JointType::Universal,
                                       dynamics::JointType::Prismatic, dynamics::JointType::Planar,    dynamics::JointType::Floating,
                                       dynamics::JointType::Revolute};
  bodies.push_back(test::addRod(w, 0.3, 1));
  test::Random random(3);
  for (dynamics::JointType type : types) {
    bodies.push_back(test::addRod(w, 0.3, 1, Pose{Vec3(0, 0, -0.3 * static_cast<double>(bodies.size())), Quat::Identity()}));
    const int parent = bodies[bodies.size() - 2];
    const int joint = bodies.size() % 2 ? test::addJoint(w, type, parent, bodies.back(), Vec3(0, 0, -0.15), Vec3(0, 0, 0.15))
                                        : test::addJoint(w, type, bodies.back(), parent, Vec3(0, 0, 0.15), Vec3(0, 0, -0.15));
    double v[6];
    for (double& x : v) x = random.range(-1, 1);
    REQUIRE_FALSE(w.setJointState(joint, nullptr, v));
  }
  REQUIRE_FALSE(w.setBodyTwist(bodies[0], Vec3(0.4, -0.2, 0.3), Vec3(1, 2, -1), nullptr));
  Vec3 linear, angular, p, l;
  w.momentum(linear, angular);
  const double e0 = test::totalEnergy(w);
  for (int i = 0; i < 2400; i++) {
    REQUIRE_FALSE(w.step());
    w.momentum(p, l);
    REQUIRE((p - linear).norm() < 1e-10);
    REQUIRE((l - angular).norm() < 1e-10);
  }
  CHECK(test::totalEnergy(w) == Approx(e0).epsilon(0.02));
}

TEST_CASE("variational: joints of every type move as under the other stepper in the limit, either way round", "[step][variational]") {
  for (dynamics::JointType type :
       {dynamics::JointType::Revolute, dynamics::JointType::Continuous, dynamics::JointType::Prismatic, dynamics::JointType::Spherical,
        dynamics::JointType::Universal, dynamics::JointType::Planar, dynamics::JointType::Floating, dynamics::JointType::Fixed})
    for (bool reversed : {false, true})
      for (int base = 0; base < 3; base++) {  // the world, free, a body that is moved
        const auto run = [&](Stepper stepper, double rate) {
          WorldSettings s = variational(rate);
          s.stepper = stepper;
          s.energyCorrection = false;
          world::World w(s);
          BodyDefinition d;
          d.pose = Pose{Vec3(0.1, 0.2, 0), quatFromAxisAngle(Vec3(1, 2, 3), 0.4)};
          d.mass = 2;
          d.com = Vec3(0.02, -0.01, 0.03);
          d.inertia = Vec3(0.02, 0.03, 0.04).asDiagonal();
          int carrier = -1;
          if (base > 0) {
            BodyDefinition c = d;
            c.com.setZero();
            if (base == 2) {
              c.kind = BodyKind::Kinematic;
              c.velocity = Vec3(0.3, 0.1, 0);
              c.omega = Vec3(0, 0.5, 1);
            }
            carrier = w.createBody(c);
          }
          test::Random random(7 + static_cast<int>(type));
          int last = carrier;
          for (int i = 0; i < 2; i++) {
            const int body = w.createBody(d);
            const Vec3 here(0.05, 0, -0.2), there(0, 0.04, 0.15), axis = Vec3(1, 0.4, -0.3).normalized();
            JointDefinition j;
            j.type = type;
            j.a = last;
            j.b = body;
            j.frameA.p = here;
            j.frameB.p = there;
            if (reversed && last >= 0) {
              std::swap(j.a, j.b);
              std::swap(j.frameA, j.frameB);
            }
            j.axis = axis;
            j.axis2 = Vec3(0.3, 0, 1).normalized();
            int id;
            REQUIRE_FALSE(w.createJoint(j, id));
            double v[6];
            for (double& x : v) x = random.range(-1, 1);
            REQUIRE_FALSE(w.setJointState(id, nullptr, v));
            dynamics::AxisParameters p;
            p.armature = 0.01;
            p.stiffness = 3;
            p.damping = 0.05;
            for (int k = 0; k < w.jointAxes(id); k++) REQUIRE_FALSE(w.setAxis(id, k, p));
            last = body;
          }
          w.addForce(last, Vec3(1, 2, 0), nullptr, true);
          w.addTorque(last, Vec3(0, 0.1, 0.2), true);
          test::advance(w, static_cast<int>(std::lround(0.25 * rate)));
          return positions(w);
        };
        const std::vector<Vec3> reference = run(Stepper::Variational, 480 * 32);
        const double coarse = largestDifference(run(Stepper::Variational, 480), reference),
                     fine = largestDifference(run(Stepper::Variational, 960), reference),
                     apart = largestDifference(run(Stepper::Impulse, 480 * 32), reference);
        INFO("type " << int(type) << ", reversed " << reversed << ", base " << base << ": error " << coarse << " m, then " << fine
                     << " m, from the other stepper " << apart << " m");
        CHECK(coarse < 1e-4);
        CHECK((fine < 0.27 * coarse || coarse < 1e-10));
        CHECK(apart < 1e-6);
      }
}

TEST_CASE("variational: a rate decays under a damper and a spring oscillates, with an error of second order", "[step][variational]") {
  const auto slide = [](double rate, double stiffness, double damping, double q, double v, double time, double* out) {
    WorldSettings s = variational(rate);
    s.gravity.setZero();
    world::World w(s);
    BodyDefinition b;
    b.mass = 2;
    const int joint = test::addJoint(w, dynamics::JointType::Prismatic, -1, w.createBody(b), Vec3::Zero(), Vec3::Zero());
    dynamics::AxisParameters a;
    a.stiffness = stiffness;
    a.damping = damping;
    REQUIRE_FALSE(w.setAxis(joint, 0, a));
    REQUIRE_FALSE(w.setJointState(joint, &q, &v));
    test::advance(w, static_cast<int>(std::lround(time * rate)));
    w.jointState(joint, out, out + 1);
  };
  double out[2];
  const double decay = order(60, 3, [&](double rate) {
    slide(rate, 0, 6, 0, 1, 0.5, out);
    return std::fabs(out[1] - std::exp(-1.5));
  });
  CHECK(decay == Approx(2).margin(0.05));
  const double omega = 10, time = 3;
  const double swing = order(60, 3, [&](double rate) {
    slide(rate, 2 * omega * omega, 0, 0.1, 0, time, out);
    return std::fabs(std::atan2(-out[1] / omega, out[0]) - std::remainder(omega * time, 2 * kPi));
  });
  CHECK(swing == Approx(2).margin(0.05));
  slide(60, 200, 0, 0.1, 0, 1000, out);
  CHECK(100 * out[0] * out[0] + out[1] * out[1] == Approx(1).epsilon(1e-9));  // the midpoint keeps a linear spring's energy
  for (double stiffness : {0.0, 1e6, 1e9}) {  // motion that the step does not resolve comes to rest or stays bounded
    slide(60, stiffness, 1e6, 0.1, 3, 1, out);
    CHECK(std::fabs(out[1]) < 0.1);
    slide(60, stiffness, 0, 0.01, 0, 1, out);
    CHECK(std::fabs(out[0]) < 0.0101);
  }
}

TEST_CASE("variational: chains from any start neither diverge nor open", "[step][variational]") {
  for (int n : {8, 32})
    for (int seed = 1; seed <= 40; seed++) {
      world::World w(variational());
      const test::Chain c = test::addChain(w, n, 0.3, 1, -1, seed % 4 ? dynamics::JointType::Revolute : dynamics::JointType::Spherical);
      test::Random random(seed);
      for (int j : c.joints) {
        const double q = random.range(-kPi, kPi);
        const double ball[4] = {0, std::sin(q / 2) * 0.8, std::sin(q / 2) * 0.6, std::cos(q / 2)};
        REQUIRE_FALSE(w.setJointState(j, seed % 4 ? &q : ball, nullptr));
      }
      const double e0 = test::totalEnergy(w), reach = 9.81 * n * 0.3 * n;
      for (int i = 0; i < (n == 8 ? 2400 : 600); i++) {
        const Failure f = w.step();
        INFO(n << " links, seed " << seed << ", step " << i << ": " << f.text());
        REQUIRE_FALSE(f);
        if (i % 40) continue;
        const double e = test::totalEnergy(w);
        INFO("energy " << e << " from " << e0 << " J");
        REQUIRE(std::fabs(e - e0) < 0.3 * reach);
        for (int j : c.joints) REQUIRE(test::jointGap(w, j) < 1e-12);
      }
    }
}

TEST_CASE("variational: a world goes over from one stepper to the other without a jump", "[step][variational]") {
  world::World w(variational());
  const test::Chain c = test::addChain(w, 4, 0.3, 1);
  test::addGround(w, 0.5, 0);
  const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(3, 0, 0.1), 0.5, 0);
  const double start = 1;
  REQUIRE_FALSE(w.setJointState(c.joints[0], &start, nullptr));
  world::World whole(variational());
  const test::Chain same = test::addChain(whole, 4, 0.3, 1);
  REQUIRE_FALSE(whole.setJointState(same.joints[0], &start, nullptr));
  for (int i = 0; i < 240; i++) {
    if (i % 40 == 0) {
      WorldSettings s = w.settings();
      s.stepper = i % 80 ? Stepper::Impulse : Stepper::Variational;
      REQUIRE_FALSE(w.setSettings(s));
    }
    REQUIRE_FALSE(w.step());
    REQUIRE_FALSE(whole.step());
    Vec3 v, omega;
    w.bodyTwist(box, v, omega);
    if (i > 20) REQUIRE(v.norm() < 1e-3);  // its first step has no contact yet
  }
  REQUIRE((w.bodyPose(c.bodies[3]).p - whole.bodyPose(same.bodies[3]).p).norm() < 5e-3);
}

TEST_CASE("variational: turns faster than the step can tell are halved, or refused and undone", "[step][variational]") {
  for (int halvings : {0, 4}) {
    WorldSettings s = variational();
    s.gravity.setZero();
    s.maxHalvings = halvings;
    world::World w(s);
    BodyDefinition b;
    b.inertia = Vec3(0.01, 0.02, 0.03).asDiagonal();
    const int body = w.createBody(b);
    REQUIRE_FALSE(w.setBodyTwist(body, Vec3(1, 0, 0), Vec3(1, 500, 1), nullptr));
    Vec3 p, l, linear, angular;
    w.momentum(linear, angular);
    const Failure f = w.step();
    w.momentum(p, l);
    CHECK((l - angular).norm() < 1e-10);
    CHECK_FALSE(f);  // a single body turns freely whatever its speed
    if (halvings > 0) {
      CHECK(w.statistics().halvings > 0);
      CHECK(w.bodyPose(body).p.x() == Approx(s.timeStep));
    }
  }
}

TEST_CASE("variational: steps of links that swing too fast for them are halved", "[step][variational]") {
  // Chains released level, closed to rings. Their links' own swing, w^2 = 12 T / (m l), reaches (h w)^2 > 20: from 4 on it grows without
  // excitation (drift 9e-4).
  for (const dynamics::JointType type : {dynamics::JointType::Revolute, dynamics::JointType::Spherical}) {
    const int count = 240;
    const double length = 0.02, mass = 0.01;
    WorldSettings s = variational();
    s.gravity = Vec3(9.81, 0, 0);
    world::World w(s);
    const test::Chain chain = test::addChain(w, count, length, mass, -1, type);
    const double start = test::totalEnergy(w), scale = count * mass * 9.81 * 0.5 * count * length;
    double drift = 0, gap = 0;
    for (int i = 0; i < 480; i++) {
      test::advance(w, 1);
      drift = std::max(drift, std::fabs(test::totalEnergy(w) - start) / scale);
      for (int j : chain.joints) gap = std::max(gap, test::jointGap(w, j));
    }
    INFO("type " << static_cast<int>(type) << " drift " << drift << " gap " << gap << " halvings " << w.statistics().halvings);
    CHECK(w.statistics().halvings > 0);
    CHECK(drift < 2e-4);
    CHECK(gap < 1e-12);
  }
}

TEST_CASE("variational: a dropped body comes to rest where it lies, and one in flight passes without a jolt", "[step][variational]") {
  WorldSettings s = variational();
  s.energyAccount = true;
  world::World w(s);
  test::addGround(w, 0.6, 0);
  const int box = test::addBox(w, Vec3(0.1, 0.12, 0.08), 1, Vec3(0, 0, 0.4), 0.5, 0);
  REQUIRE_FALSE(w.setBodyPose(box, Pose{Vec3(0, 0, 0.4), quatFromAxisAngle(Vec3(1, 1, 0), 0.5)}, nullptr));
  const int ball = test::addBall(w, 0.1, 1, Vec3(2, 0, 0.6), 0.5, 0.5);
  for (int i = 0; i < 3; i++) test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(-2, 0.01 * i, 0.1 + 0.2 * i), 0.5, 0);
  double top = 0;
  bool bounced = false;
  for (int i = 0; i < 1200; i++) {
    REQUIRE_FALSE(w.step());
    Vec3 v, omega;
    w.bodyTwist(ball, v, omega);
    bounced |= v.z() > 0.1;
    if (bounced && i < 240) top = std::max(top, w.bodyPose(ball).p.z() - 0.1);
    REQUIRE(w.statistics().maxPenetration < 0.02);
  }
  CHECK(top == Approx(0.5 * 0.25).epsilon(0.05));
  CHECK(speedEnergy(w, 5) < 1e-9);
  w.resetStatistics();
  test::advance(w, 10);
  CHECK(w.statistics().maxPenetration < 1e-3);

  // A ball thrown along the ground within the margin, but never onto it: its velocity is that of free flight at every step.
  world::World flight(variational());
  test::addGround(flight, 0.6, 0);
  const int thrown = test::addBall(flight, 0.1, 1, Vec3(0, 0, 0.1008), 0.5, 0);
  REQUIRE_FALSE(flight.setBodyTwist(thrown, Vec3(3, 0, 0.5), Vec3::Zero(), nullptr));
  for (int i = 1; i <= 20; i++) {
    REQUIRE_FALSE(flight.step());
    Vec3 v, omega;
    flight.bodyTwist(thrown, v, omega);
    REQUIRE(v.x() == Approx(3).epsilon(1e-12));
    REQUIRE(v.z() == Approx(0.5 - 9.81 * i / 240).margin(1e-12));
  }
}

TEST_CASE("variational: fast rotation in contact continues", "[step][variational]") {
  world::World w(variational());
  test::addGround(w, 0.3, 0);
  const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1), 0.5, 0);
  test::advance(w, 5);
  REQUIRE_FALSE(w.contacts().empty());
  for (double side : {1.0, -1.0}) {  // a couple of impulses: 600 rad/s about the vertical
    const Vec3 at = w.bodyPose(box).p + Vec3(0.1 * side, 0, 0);
    w.addImpulse(box, Vec3(0, 20 * side, 0), &at);
  }
  test::advance(w, 1);
  Vec3 v, omega;
  w.bodyTwist(box, v, omega);
  CHECK(omega.norm() > 500);
  test::advance(w, 240);
  CHECK(std::fabs(w.bodyPose(box).p.z() - 0.1) < 1e-3);
  w.bodyTwist(box, v, omega);
  CHECK(omega.norm() < 600);
}

TEST_CASE("variational: cycles stay closed and limits hold", "[step][variational]") {
  world::World w(variational());
  const test::Chain ring = test::addChain(w, 4, 0.3, 1, -1, dynamics::JointType::Spherical);
  JointDefinition close;
  close.type = dynamics::JointType::Spherical;
  close.a = ring.bodies[3];
  close.frameA.p = Vec3(0, 0, -0.15);
  close.asTheyStand = true;
  int loop;
  REQUIRE_FALSE(w.createJoint(close, loop));
  REQUIRE_FALSE(w.setBodyTwist(ring.bodies[1], Vec3(0, 1, 0), Vec3::Zero(), nullptr));
  const test::Chain arm = test::addChain(w, 4, 0.3, 1);
  for (int j : arm.joints) {
    dynamics::AxisParameters p;
    p.lower = -0.4;
    p.upper = 0.3;
    REQUIRE_FALSE(w.setAxis(j, 0, p));
    const double v = 4;
    REQUIRE_FALSE(w.setJointState(j, nullptr, &v));
  }
  int reached = 0;
  for (int i = 0; i < 2400; i++) {
    REQUIRE_FALSE(w.step());
    const Pose a = w.bodyPose(ring.bodies[3]) * w.joint(loop).frameA;
    REQUIRE((a.p - w.joint(loop).frameB.p).norm() <= 1e-9);
    for (int j : arm.joints) {
      double q;
      w.jointState(j, &q, nullptr);
      REQUIRE(q >= -0.4 - 1e-12);
      REQUIRE(q <= 0.3 + 1e-12);
      reached += q > 0.3 - 1e-3 || q < -0.4 + 1e-3;
    }
  }
  CHECK(reached > 10);
  CHECK(std::isfinite(test::totalEnergy(w)));
}

TEST_CASE("variational: drives with gains hold their load, and act at their bounds", "[step][variational]") {
  world::World w(variational());
  const test::Chain c = test::addChain(w, 1, 0.5, 2);
  MotorSettings m;
  m.mode = MotorMode::Position;
  m.position = 1.2;
  m.stiffness = 400;
  m.damping = 40;
  REQUIRE_FALSE(w.setMotor(c.joints[0], 0, m));
  test::advance(w, 960);
  double q, v;
  w.jointState(c.joints[0], &q, &v);
  CHECK(v == Approx(0).margin(1e-9));
  CHECK(400 * (1.2 - q) == Approx(2 * 9.81 * 0.25 * std::sin(q)).epsilon(1e-6));
  m.maxForce = 3;
  m.position = 2.5;
  REQUIRE_FALSE(w.setMotor(c.joints[0], 0, m));
  const double start = 1.2, still = 0;
  REQUIRE_FALSE(w.setJointState(c.joints[0], &start, &still));
  test::advance(w, 1);
  w.jointState(c.joints[0], nullptr, &v);
  const double inertia = 2 * 0.25 / 3;  // about the hinge
  CHECK(v == Approx((3 - 2 * 9.81 * 0.25 * std::sin(1.2)) / inertia / 240).epsilon(1e-3));
}

TEST_CASE("variational: a figure whose motors are told anew in each step stands, and falls as gravity says", "[step][variational]") {
  for (double height : {0.0, 50.0})
    for (bool told : {false, true}) {
      world::World w(variational());
      test::addGround(w, 0.8, 0);
      const int base = test::addBox(w, Vec3(0.3, 0.3, 0.1), 4, Vec3(0, 0, 0.1 + height), 0.8, 0);
      const int arm = test::addBox(w, Vec3(0.05, 0.05, 0.2), 1, Vec3(0, 0, 0.4 + height), 0.8, 0);
      const int hinge = test::addJoint(w, dynamics::JointType::Revolute, base, arm, Vec3(0, 0, 0.1), Vec3(0, 0, -0.2));
      MotorSettings m;
      m.mode = MotorMode::Position;
      m.stiffness = 50;
      m.damping = 2;
      for (int i = 0; i < 240; i++) {
        if (told || i == 0) {
          m.position = told ? 0.2 * std::sin(0.02 * i) : 0;
          REQUIRE_FALSE(w.setMotor(hinge, 0, m));
        }
        test::advance(w, 1);
      }
      CAPTURE(height, told);
      const double centre = 0.8 * w.bodyPose(base).p.z() + 0.2 * w.bodyPose(arm).p.z();
      if (height > 0) {
        CHECK(centre == Approx(0.16 + height - 4.905).margin(1e-3));
        Vec3 linear, angular;
        w.momentum(linear, angular);
        CHECK(linear.z() == Approx(-5 * 9.81).epsilon(1e-3));
      } else {
        double force = 0;
        for (const Contact& c : w.contacts()) force += (c.bodyB == base ? 1 : -1) * c.force.z();
        CHECK(force == Approx(5 * 9.81).epsilon(0.05));
        CHECK(w.bodyPose(base).p.z() == Approx(0.1).margin(1e-3));
      }
    }
}
