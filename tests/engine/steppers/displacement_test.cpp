// The stepper `displacement` (Waterson, "Displacement Based Dynamics"): bodies by themselves, joints, forces. Contacts and whole scenes:
// displacement_scenes_test.cpp.
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/math/rotation.hpp"
#include "tests/engine/steppers/displacement.hpp"

using namespace vertebra;

namespace {

int addBody(world::World& w, double mass, const Vec3& moments, const Vec3& p) {
  BodyDefinition d;
  d.mass = mass;
  d.inertia = moments.asDiagonal();
  d.pose.p = p;
  return w.createBody(d);
}

int addRodBetween(world::World& w, int a, int b, const Vec3& onA, double length, const Softness& soft = {}, double relaxation = 1) {
  JointDefinition d;
  d.constraint = ConstraintType::Distance;
  d.a = a;
  d.b = b;
  d.frameA.p = onA;
  d.linear = soft;
  d.relaxation = relaxation;
  int id = -1;
  REQUIRE_FALSE(w.createJoint(d, id));
  dynamics::AxisParameters p = w.axis(id, 0);
  p.lower = p.upper = length;
  REQUIRE_FALSE(w.setAxis(id, 0, p));
  return id;
}

}  // namespace

TEST_CASE("displacement: a free body rotates with its angular momentum kept to round-off and its energy to second order", "[step]") {
  double drift[2];
  for (int fine = 0; fine < 2; fine++) {
    WorldSettings s = test::displacementSettings(fine ? 1e-3 : 2e-3);
    s.gravity.setZero();
    world::World w(s);
    BodyDefinition d;
    d.inertia = Vec3(1, 2, 4).asDiagonal();
    d.omega = Vec3(0.1, 3, 0.2);
    w.createBody(d);
    Vec3 p, before, after;
    w.momentum(p, before);
    const double energy = w.energy().kinetic;
    drift[fine] = 0;
    for (int i = 0; i < (fine ? 10000 : 5000); i++) {
      test::advance(w, 1);
      drift[fine] = std::max(drift[fine], std::fabs(w.energy().kinetic / energy - 1));
    }
    w.momentum(p, after);
    CHECK((after - before).norm() < 1e-11 * before.norm());
  }
  INFO(drift[0] << " " << drift[1]);
  CHECK(drift[0] < 1e-4);
  CHECK(drift[1] < 0.3 * drift[0]);
}

TEST_CASE("displacement: a pendulum converges to first order, and to the result of impulse", "[step]") {
  auto angle = [](Stepper stepper, double step, bool blocks) {
    WorldSettings s = test::displacementSettings(step);
    s.stepper = stepper;
    s.displacementAlongErrors = !blocks;
    s.solverIterations = 400;
    s.solverTolerance = 1e-12;
    world::World w(s);
    const int rod = test::addRod(w, 1, 2, Pose{Vec3(0.5, 0, 0), quatFromAxisAngle(Vec3::UnitY(), -0.5 * kPi)});
    const int joint = test::addJoint(w, dynamics::JointType::Revolute, -1, rod, Vec3::Zero(), Vec3(0, 0, 0.5));
    test::advance(w, static_cast<int>(std::lround(0.5 / step)));
    CHECK(test::jointGap(w, joint) < 1e-9);
    return w.bodyPose(rod).p;
  };
  const Vec3 fine = angle(Stepper::Impulse, 1e-4, false);
  for (bool blocks : {false, true}) {
    double error[3];
    for (int k = 0; k < 3; k++) error[k] = (angle(Stepper::Displacement, 4e-3 / (1 << k), blocks) - fine).norm();
    INFO(error[0] << " " << error[1] << " " << error[2]);
    CHECK(error[2] < 0.01);
    CHECK(std::log2(error[0] / error[1]) == Approx(1).margin(0.2));
    CHECK(std::log2(error[1] / error[2]) == Approx(1).margin(0.2));
  }
}

// Two bodies at rest whose joint is open: one sweep determines their motion (Waterson 5.1).
TEST_CASE("displacement: the scalar ball joint keeps angular momentum, the block form does not", "[step]") {
  double lost[2];
  for (bool blocks : {false, true}) {
    WorldSettings s = test::displacementSettings();
    s.gravity.setZero();
    s.displacementAlongErrors = !blocks;
    s.solverIterations = 1;
    world::World w(s);
    const int a = addBody(w, 1, Vec3(0.01, 0.2, 0.05), Vec3::Zero()), b = addBody(w, 2, Vec3(0.3, 0.02, 0.1), Vec3(1, 0.1, 0.05));
    const int joint = test::addJoint(w, dynamics::JointType::Spherical, a, b, Vec3(0.4, 0.2, -0.1), Vec3(-0.5, 0.1, 0.2));
    const double open = test::jointGap(w, joint);
    test::advance(w, 1);
    CHECK(test::jointGap(w, joint) < 0.5 * open);
    // By the inertia of the poses at which the impulses acted: those of the start.
    Vec3 p = Vec3::Zero(), l = Vec3::Zero(), v, omega, com;
    for (int body : {a, b}) {
      double mass;
      Mat3 inertia;
      w.bodyMass(body, mass, com, inertia);
      w.bodyTwist(body, v, omega);
      p += mass * v;
      l += w.bodyPose(body).p.cross(mass * v) + inertia * omega;
    }
    CHECK(p.norm() < 1e-11);
    lost[blocks] = l.norm();
  }
  INFO(lost[0] << " " << lost[1]);
  CHECK(lost[0] < 1e-10);
  CHECK(lost[1] > 0.1);  // kg m^2/s
}

// An independent XPBD (Macklin 2016, with its damping; Waterson's eq. 127) of three particles on two soft rods, the first to the world.
TEST_CASE("displacement: the spring and damper update is that of XPBD, sweep by sweep", "[step]") {
  const double h = 0.01, k = 800, nu = 3, mass[2] = {1, 0.5};
  WorldSettings s = test::displacementSettings(h);
  s.solverIterations = 7;
  s.solverTolerance = 0;
  s.displacementWarmStart = 0;
  world::World w(s);
  int body[2] = {addBody(w, mass[0], Vec3::Ones(), Vec3(0.3, 0.1, -1)), addBody(w, mass[1], Vec3::Ones(), Vec3(0.9, -0.2, -1.5))};
  addRodBetween(w, -1, body[0], Vec3::Zero(), 1, {k, nu});
  addRodBetween(w, body[0], body[1], Vec3::Zero(), 0.7, {k, nu});
  Vec3 x[2] = {w.bodyPose(body[0]).p, w.bodyPose(body[1]).p}, v[2] = {Vec3::Zero(), Vec3::Zero()};
  for (int step = 0; step < 100; step++) {
    Vec3 start[2] = {x[0], x[1]};
    for (int i = 0; i < 2; i++) v[i] += h * Vec3(0, 0, -9.81), x[i] += h * v[i];
    const double tilde = 1 / (k * h * h), gamma = nu / (k * h);
    double lambda[2] = {0, 0};
    for (int sweep = 0; sweep < 7; sweep++)
      for (int c = 0; c < 2; c++) {
        const Vec3 d = c ? Vec3(x[1] - x[0]) : x[0];
        const Vec3 n = d.normalized();
        const double weight = c ? 1 / mass[0] + 1 / mass[1] : 1 / mass[0];
        const double moved = c ? n.dot((x[1] - start[1]) - (x[0] - start[0])) : n.dot(x[0] - start[0]);
        const double change = (-(d.norm() - (c ? 0.7 : 1)) - gamma * moved - tilde * lambda[c]) / ((1 + gamma) * weight + tilde);
        lambda[c] += change;
        x[c] += change / mass[c] * n;
        if (c) x[0] -= change / mass[0] * n;
      }
    for (int i = 0; i < 2; i++) v[i] = (x[i] - start[i]) / h;
    test::advance(w, 1);
    for (int i = 0; i < 2; i++) REQUIRE((w.bodyPose(body[i]).p - x[i]).norm() < 1e-11);
  }
}

// Servin 4.1: 20 kg on a spring of 3000 N/m at 10 ms. The update in the sweeps is implicit Euler, which removes h^2 k/m of the energy a
// step.
TEST_CASE("displacement: a mass on a spring moves as under implicit Euler", "[step]") {
  const double h = 0.01, k = 3000, m = 20;
  WorldSettings s = test::displacementSettings(h);
  s.gravity.setZero();
  world::World w(s);
  const int body = addBody(w, m, Vec3::Ones(), Vec3::Zero());
  const int joint = test::addJoint(w, dynamics::JointType::Prismatic, -1, body, Vec3::Zero(), Vec3::Zero(), Vec3::UnitX());
  dynamics::AxisParameters p;
  p.stiffness = k;
  REQUIRE_FALSE(w.setAxis(joint, 0, p));
  REQUIRE_FALSE(w.setBodyTwist(body, Vec3(1, 0, 0), Vec3::Zero(), nullptr));
  double x = 0, v = 1, explicitX = 0, explicitV = 1, symplecticX = 0, symplecticV = 1;
  for (int i = 0; i < 100; i++) {
    v = (v - h * k / m * x) / (1 + h * h * k / m);
    x += h * v;
    const double force = -k * explicitX;
    explicitX += h * explicitV;
    explicitV += h * force / m;
    symplecticV -= h * k / m * symplecticX;
    symplecticX += h * symplecticV;
    test::advance(w, 1);
    REQUIRE(w.bodyPose(body).p.x() == Approx(x).margin(1e-9));
  }
  auto energy = [&](double position, double velocity) { return 0.5 * k * position * position + 0.5 * m * velocity * velocity; };
  CHECK(energy(w.bodyPose(body).p.x(), v) == Approx(0.5 * m * std::pow(1 + h * h * k / m, -100)).epsilon(1e-6));
  CHECK(energy(explicitX, explicitV) == Approx(0.5 * m * std::pow(1 + h * h * k / m, 100)).epsilon(1e-6));
  CHECK(energy(symplecticX, symplecticV) == Approx(0.5 * m).epsilon(0.1));
}

TEST_CASE("displacement: relaxation scales a sweep, regularisation settles infeasible joints", "[step]") {
  for (double factor : {0.5, 1.0, 1.5}) {  // of the world or of the joint: the product counts
    for (bool ofJoint : {false, true}) {
      WorldSettings s = test::displacementSettings();
      s.gravity.setZero();
      s.solverIterations = 1;
      if (!ofJoint) s.solverRelaxation = factor;
      world::World w(s);
      const int body = addBody(w, 3, Vec3::Ones(), Vec3(1.2, 0, 0));
      addRodBetween(w, -1, body, Vec3::Zero(), 1, {}, ofJoint ? factor : 1);
      test::advance(w, 1);
      CHECK(w.bodyPose(body).p.x() == Approx(1.2 - factor * 0.2).epsilon(1e-12));
    }
  }
  // Rods of two lengths: lambda = -(A + a 1)^-1 C / h with A = w [1 1; 1 1], a = rho w; its sum moves the body by -sum C / (2 + rho).
  const double rho = 0.1;
  WorldSettings s = test::displacementSettings();
  s.gravity.setZero();
  s.displacementRegularisation = rho;
  s.solverTolerance = 1e-13;
  s.solverIterations = 2000;
  world::World w(s);
  const int body = addBody(w, 3, Vec3::Ones(), Vec3(1.3, 0, 0));
  const int rods[2] = {addRodBetween(w, -1, body, Vec3::Zero(), 1), addRodBetween(w, -1, body, Vec3::Zero(), 1.2)};
  test::advance(w, 1);
  CHECK(w.bodyPose(body).p.x() == Approx(1.3 - (0.3 + 0.1) / (2 + rho)).epsilon(1e-9));
  CHECK(w.statistics().solverIterations < 2000);
  JointForces f[2];
  for (int k = 0; k < 2; k++) w.jointForces(rods[k], f[k]);
  const double h = s.timeStep, scale = 3 / (h * h);  // of force: mass / h^2
  const double determinant = (1 + rho) * (1 + rho) - 1, first = -((1 + rho) * 0.3 - 0.1) / determinant;
  CHECK(f[0].force.x() == Approx(scale * first).epsilon(1e-6));
  CHECK(f[1].force.x() == Approx(-scale * ((1 + rho) * 0.1 - 0.3) / determinant).epsilon(1e-6));
}

// Waterson's eq. 36: the torque that rotates a body by dtheta also carries its angular momentum round. Two bodies drive each other by a
// torque of size h^-1, so that a step rotates them by the same angle at any step length: the momentum lost per step is of first order in
// the rotation, of second with the gyroscopic part.
TEST_CASE("displacement: the gyroscopic part of the inertia accounts for the momentum that turns with a body", "[step]") {
  double lost[2][2];
  for (int fine = 0; fine < 2; fine++)
    for (bool gyroscopic : {false, true}) {
      WorldSettings s = test::displacementSettings(1e-3);
      s.gravity.setZero();
      s.displacementGyroscopic = gyroscopic;
      s.solverTolerance = 1e-13;
      world::World w(s);
      const int a = addBody(w, 1, Vec3(0.02, 0.05, 0.06), Vec3::Zero()), b = addBody(w, 1, Vec3(0.06, 0.03, 0.05), Vec3(0.2, 0, 0));
      for (int body : {a, b}) REQUIRE_FALSE(w.setBodyTwist(body, Vec3::Zero(), Vec3(8, body == a ? 15 : 4, 10), nullptr));
      JointDefinition d;
      d.constraint = ConstraintType::Motor;
      d.a = a;
      d.b = b;
      int id = -1;
      REQUIRE_FALSE(w.createJoint(d, id));
      MotorSettings m;
      m.mode = MotorMode::Torque;
      for (int k = 0; k < 3; k++) {
        m.force = (fine ? 10 : 20) * (1 + k);
        REQUIRE_FALSE(w.setMotor(id, 3 + k, m));
      }
      Vec3 p, before, after;
      w.momentum(p, before);
      test::advance(w, 1);
      w.momentum(p, after);
      lost[fine][gyroscopic] = (after - before).norm();
    }
  INFO(lost[0][0] << " " << lost[0][1] << "; half: " << lost[1][0] << " " << lost[1][1]);
  CHECK(lost[0][1] < 0.3 * lost[0][0]);
  CHECK(lost[1][0] == Approx(0.5 * lost[0][0]).epsilon(0.2));
  CHECK(lost[1][1] == Approx(0.25 * lost[0][1]).epsilon(0.2));
}

TEST_CASE("displacement: every joint type converges to the result of impulse as steps shrink", "[step]") {
  for (dynamics::JointType type : {dynamics::JointType::Fixed, dynamics::JointType::Revolute, dynamics::JointType::Prismatic,
                                   dynamics::JointType::Universal, dynamics::JointType::Spherical, dynamics::JointType::Planar,
                                   dynamics::JointType::Cylindrical, dynamics::JointType::Screw, dynamics::JointType::Wheel})
    for (bool blocks : {false, true}) {
      auto run = [&](Stepper stepper, double step) {
        WorldSettings s = test::displacementSettings(step);
        s.stepper = stepper;
        s.displacementAlongErrors = !blocks;
        s.solverIterations = 500;
        s.solverTolerance = 1e-11;
        world::World w(s);
        const int a = addBody(w, 1, Vec3(0.03, 0.05, 0.04), Vec3(0.3, 0, 0)), b = addBody(w, 0.7, Vec3(0.04, 0.02, 0.03), Vec3(0.8, 0, 0));
        test::addJoint(w, dynamics::JointType::Spherical, -1, a, Vec3::Zero(), Vec3(-0.3, 0, 0));
        JointDefinition d;
        d.type = type;
        d.a = a;
        d.b = b;
        d.frameA.p = Vec3(0.25, 0, 0);
        d.asTheyStand = true;
        d.axis = Vec3(0, 1, 0);
        d.axis2 = Vec3(0, 0, 1);
        d.pitch = 0.05;
        int id = -1;
        REQUIRE_FALSE(w.createJoint(d, id));
        w.addTorque(b, Vec3(0.3, 0.2, -0.4), true);
        test::advance(w, static_cast<int>(std::lround(0.3 / step)));
        if (stepper == Stepper::Displacement) CHECK(w.statistics().maxJointError < 1e-5);
        return w.bodyPose(b).p;
      };
      const Vec3 reference = run(Stepper::Impulse, 2e-4);
      const double coarse = (run(Stepper::Displacement, 2e-3) - reference).norm();
      const double fine = (run(Stepper::Displacement, 1e-3) - reference).norm();
      INFO("type " << static_cast<int>(type) << " blocks " << blocks << ": " << coarse << " " << fine);
      CHECK(coarse < 6e-3);
      CHECK(fine < 0.6 * coarse + 1e-5);
    }
}

TEST_CASE("displacement: drives stay within their torque and reach their targets within it", "[step]") {
  for (double most : {2.0, 50.0}) {
    world::World w(test::displacementSettings());
    const int rod = test::addRod(w, 1, 2, Pose{Vec3(0, 0, -0.5), Quat::Identity()});
    const int joint = test::addJoint(w, dynamics::JointType::Revolute, -1, rod, Vec3::Zero(), Vec3(0, 0, 0.5));
    MotorSettings m;
    m.mode = MotorMode::Position;
    m.position = -0.5 * kPi;  // level: 9.81 N m hold it there
    m.stiffness = 4000;
    m.damping = 200;
    m.maxForce = most;
    REQUIRE_FALSE(w.setMotor(joint, 0, m));
    double worst = 0;
    JointForces f;
    for (int i = 0; i < 1500; i++) {
      test::advance(w, 1);
      w.jointForces(joint, f);
      worst = std::max(worst, std::fabs(f.motor[0]));
    }
    double q[7];
    w.jointState(joint, q, nullptr);
    INFO("most " << most << " worst " << worst << " q " << q[0] << " now " << f.motor[0]);
    CHECK(worst <= most * (1 + 1e-12));
    CHECK(worst == Approx(most));
    if (most > 10) {
      CHECK(q[0] == Approx(-0.5 * kPi - 9.81 / 4000 * -1).margin(1e-4));
      CHECK(std::fabs(f.motor[0]) == Approx(9.81).epsilon(1e-3));
    }
  }
}

TEST_CASE("displacement: cone, twist and axis limits hold, dry friction and speed limits too", "[step]") {
  world::World w(test::displacementSettings());
  const int arm = test::addRod(w, 1, 2, Pose{Vec3(0, 0, -0.5), Quat::Identity()});
  JointDefinition d;
  d.type = dynamics::JointType::Spherical;
  d.b = arm;
  d.frameB.p = Vec3(0, 0, 0.5);
  d.axis = Vec3::UnitZ();
  d.swing = 0.4;
  d.twistLower = -0.2;
  d.twistUpper = 0.3;
  int ball = -1;
  REQUIRE_FALSE(w.createJoint(d, ball));
  REQUIRE_FALSE(w.setBodyTwist(arm, Vec3(3, 1, 0), Vec3(-1, 6, 9), nullptr));
  const int slider = addBody(w, 1, Vec3::Ones(), Vec3(5, 0, 0));
  const int slide = test::addJoint(w, dynamics::JointType::Prismatic, -1, slider, Vec3(5, 0, 0), Vec3::Zero(), Vec3::UnitZ());
  dynamics::AxisParameters p;
  p.lower = -0.7;
  p.velocity = 2;
  REQUIRE_FALSE(w.setAxis(slide, 0, p));
  const int brake = addBody(w, 1, Vec3::Ones(), Vec3(8, 0, 0));
  const int braked = test::addJoint(w, dynamics::JointType::Prismatic, -1, brake, Vec3(8, 0, 0), Vec3::Zero(), Vec3::UnitZ());
  p = dynamics::AxisParameters();
  p.friction = 5;
  REQUIRE_FALSE(w.setAxis(braked, 0, p));
  double swing = 0, twist[2] = {0, 0}, speed = 0, low = 0;
  for (int i = 0; i < 480; i++) {
    test::advance(w, 1);
    double q[7], v[6];
    w.jointState(ball, q, nullptr);
    const Quat r(q[3], q[0], q[1], q[2]);
    swing = std::max(swing, std::acos(std::min(1.0, (r * Vec3::UnitZ()).z())));
    twist[0] = std::min(twist[0], 2 * std::atan2(r.z(), r.w()));
    twist[1] = std::max(twist[1], 2 * std::atan2(r.z(), r.w()));
    w.jointState(slide, q, v);
    speed = std::max(speed, std::fabs(v[0]));
    low = std::min(low, q[0]);
    if (i == 239) {  // 9.81 N against 5
      w.jointState(braked, q, v);
      CHECK(v[0] == Approx(-4.81).epsilon(1e-6));
      JointForces f;
      w.jointForces(braked, f);
      CHECK(f.friction[0] == Approx(5));
    }
  }
  INFO("swing " << swing << " twist " << twist[0] << " " << twist[1] << " speed " << speed << " low " << low);
  CHECK(swing < 0.4 + 1e-3);
  CHECK(swing > 0.39);
  CHECK(twist[0] > -0.2 - 1e-3);
  CHECK(twist[1] < 0.3 + 1e-3);
  CHECK(twist[1] > 0.29);
  CHECK(speed < 2 + 1e-6);
  CHECK(low > -0.7 - 1e-6);
  CHECK(low < -0.69);
}

TEST_CASE("displacement: couplings, rotors, armature and user constraints act as under impulse", "[step]") {
  auto run = [](Stepper stepper, double step) {
    WorldSettings s = test::displacementSettings(step);
    s.stepper = stepper;
    s.solverIterations = 300;
    s.solverTolerance = 1e-11;
    world::World w(s);
    std::vector<double> result;
    // Two sliders geared 1 : -2, one of them with a rotor's inertia.
    int joint[2];
    for (int k = 0; k < 2; k++) {
      const int body = addBody(w, 1 + k, Vec3::Ones(), Vec3(k, 0, 0));
      joint[k] = test::addJoint(w, dynamics::JointType::Prismatic, -1, body, Vec3(k, 0, 0), Vec3::Zero(), Vec3::UnitZ());
    }
    dynamics::AxisParameters p;
    if (stepper == Stepper::Displacement) p.armature = 0.5;
    REQUIRE_FALSE(w.setAxis(joint[0], 0, p));
    int id = -1;
    REQUIRE_FALSE(w.createCoupling(ratioCoupling(joint[0], joint[1], -2, 0), id));
    // A shaft with a motor that drives two others, one through a gear and one through a slipping gear.
    int shaft[3];
    for (int k = 0; k < 3; k++) {
      JointDefinition d;
      d.rotor = true;
      REQUIRE_FALSE(w.createJoint(d, shaft[k]));
      p = dynamics::AxisParameters();
      p.armature = 0.1 * (k + 1);
      p.damping = k == 1 ? 0.05 : 0;
      REQUIRE_FALSE(w.setAxis(shaft[k], 0, p));
    }
    REQUIRE_FALSE(w.createCoupling(ratioCoupling(shaft[0], shaft[1], 0.5, 0), id));
    CouplingDefinition clutch = ratioCoupling(shaft[1], shaft[2], 1, 0);
    clutch.velocityLevel = true;
    clutch.maxForce = 0.3;
    REQUIRE_FALSE(w.createCoupling(clutch, id));
    MotorSettings m;
    m.mode = MotorMode::Torque;
    m.force = 2;
    REQUIRE_FALSE(w.setMotor(shaft[0], 0, m));
    // A user constraint: two weights over a pulley, z0 + z1 kept, and a row on the velocities of a slider's joint and a body.
    int weight[2];
    for (int k = 0; k < 2; k++) weight[k] = addBody(w, 1 + 2 * k, Vec3::Ones(), Vec3(10 + k, 0, 0));
    UserConstraintDefinition pulley;
    pulley.bodies = {weight[0], weight[1]};
    pulley.rows = 1;
    struct Seen {
      const world::World* world;
      int body[2];
    } seen{&w, {weight[0], weight[1]}};
    pulley.user = &seen;
    pulley.evaluate = [](void* user, int, UserRow* r) {
      const Seen& now = *static_cast<const Seen*>(user);
      r->error = now.world->bodyPose(now.body[0]).p.z() + now.world->bodyPose(now.body[1]).p.z();
      r->bodies[2] = r->bodies[8] = 1;
      return 1;
    };
    int rope = -1, brake = -1;
    REQUIRE_FALSE(w.createConstraint(pulley, rope));
    const int slider = addBody(w, 2, Vec3::Ones(), Vec3(15, 0, 0)), load = addBody(w, 4, Vec3::Ones(), Vec3(16, 0, 0));
    const int slide = test::addJoint(w, dynamics::JointType::Prismatic, -1, slider, Vec3(15, 0, 0), Vec3::Zero(), Vec3::UnitX());
    UserConstraintDefinition tie;
    tie.bodies = {load};
    tie.joints = {slide};
    tie.rows = 1;
    tie.evaluate = [](void*, int, UserRow* r) {  // the slider's speed is 0.3 above the load's speed of fall
      r->velocityLevel = true;
      r->rate = 0.3;
      r->bodies[2] = 1;
      r->joints[0] = 1;
      return 1;
    };
    REQUIRE_FALSE(w.createConstraint(tie, brake));
    test::advance(w, static_cast<int>(std::lround(0.5 / step)));
    for (int k : {0, 1}) {
      Vec3 v, omega;
      w.bodyTwist(k ? load : weight[0], v, omega);
      result.push_back(v.z());
      result.push_back(w.constraintForces(k ? brake : rope)[0]);
    }
    result.push_back(std::fabs(w.bodyPose(weight[0]).p.z() + w.bodyPose(weight[1]).p.z()));
    for (int j : {joint[0], joint[1], shaft[0], shaft[1], shaft[2]}) {
      double q[7], v[6];
      w.jointState(j, q, v);
      result.push_back(v[0]);
    }
    double q[7], v[6];
    w.jointState(slide, q, v);
    result.push_back(v[0]);
    std::rotate(result.begin(), result.begin() + 5, result.end());  // joints first
    return result;
  };
  const std::vector<double> moved = run(Stepper::Displacement, 5e-4), expected = run(Stepper::Impulse, 5e-4);
  // z1 = -2 z0: (1 + 0.5 + 4 * 2) a0 = -g + 2 * 2 g, where `impulse` has no rotor on the joint in this test.
  CHECK(moved[0] == Approx(0.5 * 9.81 * 3 / 9.5).epsilon(1e-6));
  CHECK(moved[1] == Approx(-2 * moved[0]).epsilon(1e-9));
  CHECK(expected[0] == Approx(0.5 * 9.81 * 3 / 9).epsilon(1e-6));
  for (int k = 2; k < 5; k++) CHECK(moved[k] == Approx(expected[k]).epsilon(2e-3));
  CHECK(moved[4] == Approx(0.5));  // 0.3 N m on 0.3 kg m^2 for half a second: the clutch slips
  for (const std::vector<double>& r : {moved, expected}) {
    // After the joints and the slider: Atwood's 1 and 3 kg, a = g/2, tension 2 m0 m1 g/(m0 + m1); the load pulls 6 kg along.
    CHECK(r[6] == Approx(0.5 * 9.81 * 0.5).epsilon(1e-6));
    CHECK(std::fabs(r[7]) == Approx(1.5 * 9.81).epsilon(1e-6));
    CHECK(r[5] == Approx(0.3 - r[8]).epsilon(1e-9));
    CHECK(r[8] == Approx((0.3 * 2 - 4 * 9.81 * 0.5) / 6).epsilon(1e-6));
    CHECK(std::fabs(r[9]) == Approx(2 * 9.81 * 4 / 6).epsilon(1e-6));
    CHECK(r[10] < 1e-9);
  }
}

TEST_CASE("displacement: inverse masses frozen or anew lead to one solution, over-relaxed sweeps sooner", "[step]") {
  auto run = [](bool frozen, double relaxation, int sweeps, double kick, double* open) {
    WorldSettings s = test::displacementSettings();
    s.displacementFrozen = frozen;
    s.solverRelaxation = relaxation;
    s.solverIterations = sweeps;
    s.solverTolerance = 0;
    s.displacementWarmStart = 0;
    world::World w(s);
    const test::Chain chain = test::addChain(w, 6, 0.3, 1, -1, dynamics::JointType::Spherical);
    REQUIRE_FALSE(w.setBodyTwist(chain.bodies[5], Vec3(kick, 0, 0), Vec3::Zero(), nullptr));
    *open = 0;
    for (int i = 0; i < 60; i++) {
      test::advance(w, 1);
      for (int j : chain.joints) *open = std::max(*open, test::jointGap(w, j));
    }
    return w.bodyPose(chain.bodies[5]).p;
  };
  double plain, over, open;
  const Vec3 anew = run(false, 1, 1500, 2, &open), frozen = run(true, 1, 1500, 2, &open);
  CHECK((anew - frozen).norm() < 2e-3);
  run(false, 1, 30, 0, &plain);
  run(false, 1.6, 30, 0, &over);
  INFO("open after 30 sweeps: " << plain << ", over-relaxed " << over);
  CHECK(over < 0.1 * plain);
}

TEST_CASE("displacement: unsupported features are refused by name", "[step]") {
  WorldSettings s = test::displacementSettings();
  s.solver = solve::Solver::Lemke;
  world::World lemke(s);
  CHECK(lemke.step().kind() == Failure::Unsupported);
  s = test::displacementSettings();
  s.frictionLaw = ContactFriction::Pyramid;
  world::World pyramid(s);
  CHECK(pyramid.step().kind() == Failure::Unsupported);
  s = test::displacementSettings();
  s.poisson = true;
  world::World poisson(s);
  CHECK(poisson.step().kind() == Failure::Unsupported);
  s = test::displacementSettings();
  s.planar = true;
  world::World planar(s);
  addBody(planar, 1, Vec3::Ones(), Vec3::Zero());
  CHECK(planar.step().kind() == Failure::Unsupported);
  world::World light(test::displacementSettings());
  const int body = addBody(light, 0, Vec3::Zero(), Vec3::Zero());
  const Failure f = light.step();
  CHECK(f.kind() == Failure::Argument);
  CHECK(f.body() == body);
}

TEST_CASE("displacement: the accounts contain the work of constraints", "[step]") {
  WorldSettings s = test::displacementSettings(1e-3);
  s.energyAccount = true;
  world::World w(s);
  test::addGround(w, 0.5, 0.3);
  const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.4), 0.5, 0);
  REQUIRE_FALSE(w.setBodyTwist(box, Vec3(2, 0, 0), Vec3::Zero(), nullptr));
  const double before = test::totalEnergy(w);
  test::advance(w, 1500);
  const EnergyAccount e = w.energy();
  const double balance =
      e.kinetic + e.potential - e.workDrives - e.workApplied + e.lostDamping + e.lostFriction + e.lostImpact + e.lostClamp;
  INFO("start " << before << " end " << e.kinetic + e.potential << " friction " << e.lostFriction << " impact " << e.lostImpact);
  CHECK(balance == Approx(before).epsilon(0.01));
  CHECK(e.lostFriction > 0.3);
  CHECK(e.lostImpact > 0.3);
}

TEST_CASE("displacement: a ball of 5 cm on an arm of 1 m swings under the defaults", "[displacement]") {
  for (const double h : {1.0 / 60, 1.0 / 240}) {
    WorldSettings s;
    s.stepper = Stepper::Displacement;
    s.timeStep = h;
    s.sleeping = false;
    world::World w(s);
    const double start = 0.5;
    BodyDefinition d;
    d.pose = {Vec3(-std::sin(start), 0, -std::cos(start)), quatFromAxisAngle(Vec3::UnitY(), start)};
    d.inertia = 1e-3 * Mat3::Identity();  // of the ball: a thousandth of its mass on the arm
    const int ball = w.createBody(d);
    const int joint = test::addJoint(w, dynamics::JointType::Revolute, -1, ball, Vec3::Zero(), Vec3(0, 0, 1));
    double most = 0, highest = 0;
    for (int i = 0; i < 10 / h; i++) {
      test::advance(w, 1);
      most = std::max(most, test::jointGap(w, joint));
      highest = std::max(highest, std::fabs(std::atan2(w.bodyPose(ball).p.x(), -w.bodyPose(ball).p.z())));
    }
    INFO("step " << h);
    CHECK(most < 1e-4);
    CHECK(highest < 1.02 * start);
  }
}
