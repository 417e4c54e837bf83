// Bodies: prescribed motion, changes of kind between steps, forces and impulses, caps, islands and sleep, contact events, filters, poses
// written through joints, destruction.
#include <algorithm>
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

WorldSettings settings(bool sleeping, double gravity = -9.81) {
  WorldSettings s;
  s.sleeping = sleeping;
  s.gravity = Vec3(0, 0, gravity);
  return s;
}
Vec3 velocity(const world::World& w, int body) {
  Vec3 v, omega;
  w.bodyTwist(body, v, omega);
  return v;
}
int platform(world::World& w, const Vec3& half, const Vec3& p) {
  BodyDefinition d;
  d.kind = BodyKind::Kinematic;
  d.pose.p = p;
  const int body = w.createBody(d);
  test::addShape(w, body, geometry::ShapeType::Box, half, 0.8, 0);
  return body;
}

}  // namespace

TEST_CASE("a moving plate carries a box without slip", "[step]") {
  world::World w(settings(true));
  const int plate = platform(w, Vec3(1, 1, 0.1), Vec3(0, 0, -0.1));
  const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0.2, 0, 0.1), 0.8, 0);
  test::advance(w, 120);
  for (int i = 0; i < 480; i++) {  // at most half a g of shaking
    const double t = i / 240.0;
    REQUIRE_FALSE(w.setBodyTwist(plate, Vec3(0.5 * std::sin(4 * t), 0.3 * std::sin(3 * t), 0), Vec3::Zero(), nullptr));
    test::advance(w, 1);
    const Vec3 apart = w.bodyPose(box).p - w.bodyPose(plate).p;
    INFO("step " << i << " apart " << apart.transpose());
    REQUIRE((apart - Vec3(0.2, 0, 0.2)).norm() < 2.6e-3);  // positions follow velocities one step later: 1/240 s of its speed
  }
}

TEST_CASE("a chain on a base that moves evenly swings as on one at rest", "[step]") {
  for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense})
    for (bool wild : {false, true}) {
      const int n = 3, steps = 240;
      const double h = wild ? 1.0 / 60 : 1.0 / 240;
      std::vector<double> q[3];
      int halvings[3] = {};
      for (int carried : {0, 1, 2}) {  // at rest, by a given velocity, by a target pose
        WorldSettings s = settings(false);
        s.treeSolver = treeSolver;
        s.timeStep = h;
        world::World w(s);
        BodyDefinition d;
        d.kind = BodyKind::Kinematic;
        const Vec3 velocity(0.7, 0.2, 0.3);
        if (carried) d.velocity = velocity;
        const int base = w.createBody(d);
        const test::Chain c = test::addChain(w, n, 0.4, 1, base);
        const double rate = wild ? 6 : 2;
        dynamics::AxisParameters p;
        p.damping = wild ? 0 : 0.02;
        p.stiffness = wild ? 0 : 0.5;
        REQUIRE_FALSE(w.setAxis(c.joints[1], 0, p));
        for (int k = 0; k < n; k++) {
          const double start = 0.8 - 0.5 * k, v = rate * (k - 1);
          REQUIRE_FALSE(w.setJointState(c.joints[k], &start, &v));
        }
        if (carried == 2) REQUIRE_FALSE(w.moveBodyTo(base, {2 * steps * h * velocity, Quat::Identity()}, 2 * steps * h));
        for (int i = 0; i < steps; i++) {
          if (i == steps / 2) w.createBody(BodyDefinition());  // an edit elsewhere changes nothing
          test::advance(w, 1);
          for (int j : c.joints) {
            q[carried].emplace_back();
            w.jointState(j, &q[carried].back(), nullptr);
          }
        }
        halvings[carried] = w.statistics().halvings;
        CHECK((w.bodyPose(base).p - (carried ? steps * h : 0) * velocity).norm() < 1e-9);
      }
      double worst = 0;
      for (std::size_t i = 0; i < q[0].size(); i++) worst = std::max({worst, std::fabs(q[1][i] - q[0][i]), std::fabs(q[2][i] - q[0][i])});
      INFO("tree solver " << int(treeSolver) << (wild ? ", wild" : "") << ": " << worst << " rad apart, halvings " << halvings[0] << " "
                          << halvings[1] << " " << halvings[2]);
      CHECK(worst < (wild ? 1e-5 : 1e-9));  // four seconds of chaos from round-off
      CHECK((halvings[0] > 0) == wild);
    }
}

TEST_CASE("the error of a chain on a turning base falls with the square of the step", "[step]") {
  auto swing = [](int rate) {
    WorldSettings s = settings(false);
    s.timeStep = 1.0 / rate;
    world::World w(s);
    BodyDefinition d;
    d.kind = BodyKind::Kinematic;
    d.velocity = Vec3(0.2, 0, 0.1);
    d.omega = Vec3(0.4, 0.3, 3);
    const int base = w.createBody(d);
    const test::Chain c = test::addChain(w, 2, 0.4, 1, base, dynamics::JointType::Spherical);
    double q[2][4] = {{0.2, 0.3, 0, std::sqrt(0.87)}, {0, -0.5, 0, std::sqrt(0.75)}}, v[3] = {};
    for (int k : {0, 1}) REQUIRE_FALSE(w.setJointState(c.joints[k], q[k], v));
    for (int i = 0; i < rate; i++) REQUIRE_FALSE(w.step());
    return std::pair(w.bodyPose(c.bodies[0]).p, w.bodyPose(c.bodies[1]).p);
  };
  const auto reference = swing(15360);
  double error[3];
  int k = 0;
  for (int rate : {240, 480, 960}) {
    const auto at = swing(rate);
    error[k++] = std::max((at.first - reference.first).norm(), (at.second - reference.second).norm());
  }
  const double order = std::log2(error[0] / error[2]) / 2;
  INFO("errors " << error[0] << " " << error[1] << " " << error[2] << " m, order " << order);
  CHECK(order > 1.9);
  CHECK(error[0] < 2e-3);
}

TEST_CASE("a kinematic body arrives where it was sent, in time, and stands", "[step]") {
  world::World w(settings(true));
  const int lift = platform(w, Vec3(0.2, 0.2, 0.1), Vec3(0, 0, 0));
  const Pose goal{Vec3(0.3, -0.2, 1), quatExp(Vec3(0, 0, 1.2))};
  REQUIRE_FALSE(w.moveBodyTo(lift, goal, 0.5));
  test::advance(w, 60);
  CHECK(w.bodyPose(lift).p.z() == Approx(0.5).epsilon(1e-9));
  test::advance(w, 60);
  CHECK((w.bodyPose(lift).p - goal.p).norm() < 1e-12);
  CHECK(quatLog(w.bodyPose(lift).q * goal.q.conjugate()).norm() < 1e-9);
  test::advance(w, 10);
  CHECK((w.bodyPose(lift).p - goal.p).norm() < 1e-12);
  CHECK(velocity(w, lift).norm() == 0);
  const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 5), 0.5, 0);
  CHECK(w.moveBodyTo(box, goal, 1));
}

TEST_CASE("a body made kinematic, moved, and made dynamic again stays where it was moved", "[step]") {
  world::World w(settings(false));
  const test::Chain c = test::addChain(w, 3, 0.4, 1);
  test::advance(w, 10);
  REQUIRE_FALSE(w.setBodyKind(c.bodies[0], BodyKind::Kinematic));
  const Pose held{Vec3(0.2, 0, 0), quatFromAxisAngle(Vec3::UnitY(), -kPi / 2)};
  REQUIRE_FALSE(w.moveBodyTo(c.bodies[0], held, 0.5));
  test::advance(w, 240);
  REQUIRE((w.bodyPose(c.bodies[0]).p - held.p).norm() < 1e-12);
  REQUIRE_FALSE(w.setBodyKind(c.bodies[0], BodyKind::Dynamic));
  double q;
  w.jointState(c.joints[0], &q, nullptr);
  CHECK(std::fabs(std::fabs(q) - kPi / 2) < 1e-9);
  CHECK((w.bodyPose(c.bodies[0]).p - held.p).norm() < 1e-9);
  test::advance(w, 1);
  CHECK((w.bodyPose(c.bodies[0]).p - held.p).norm() < 0.05);
  REQUIRE_FALSE(w.setBodyEnabled(c.bodies[1], false));
  test::advance(w, 20);
  REQUIRE_FALSE(w.setBodyEnabled(c.bodies[1], true));
  test::advance(w, 20);
  for (int j : c.joints) CHECK(test::jointGap(w, j) < 1e-12);
}

TEST_CASE("forces act for one step or until cleared; impulses act once, on chains too", "[step]") {
  world::World w(settings(false, 0));
  const int free = test::addBall(w, 0.1, 2, Vec3(0, 0, 0), 0, 0);
  w.addForce(free, Vec3(4, 0, 0), nullptr, false);
  test::advance(w, 2);
  CHECK(velocity(w, free).x() == Approx(4 / 2.0 / 240).epsilon(1e-12));
  w.addForce(free, Vec3(0, 4, 0), nullptr, true);
  test::advance(w, 24);
  CHECK(velocity(w, free).y() == Approx(4 / 2.0 * 0.1).epsilon(1e-9));
  w.clearForces(free);
  test::advance(w, 24);
  CHECK(velocity(w, free).y() == Approx(4 / 2.0 * 0.1).epsilon(1e-9));
  w.addImpulse(free, Vec3(0, 0, 3), nullptr);
  test::advance(w, 3);
  CHECK(velocity(w, free).z() == Approx(1.5).epsilon(1e-12));
  // An impact on a rod: angular momentum about the hinge. Closed form: w = r p / I.
  const test::Chain c = test::addChain(w, 1, 0.6, 2);
  test::advance(w, 5);
  const Vec3 tip(0, 0, -0.6);
  w.addImpulse(c.bodies[0], Vec3(3, 0, 0), &tip);
  test::advance(w, 1);
  double v;
  w.jointState(c.joints[0], nullptr, &v);
  CHECK(std::fabs(v) == Approx(0.6 * 3 / (2 * 0.36 / 3)).epsilon(1e-6));
}

TEST_CASE("an impulse of a step that fails waits on until it is cleared", "[step]") {
  world::World w(WorldSettings{});
  const test::Chain arm = test::addChain(w, 2, 0.5, 1);
  const int other = test::addBall(w, 0.1, 1, Vec3(3, 0, 5), 0.5, 0);
  w.addImpulse(arm.bodies[1], Vec3(std::nan(""), 0, 0), nullptr);
  for (int attempt = 0; attempt < 2; attempt++) REQUIRE(w.step().kind() == Failure::Diverged);
  w.clearForces(arm.bodies[1]);
  REQUIRE_FALSE(w.step());
  w.addForce(other, Vec3(1, 0, 0), nullptr, false);
  REQUIRE_FALSE(w.step());
}

TEST_CASE("a figure that stands does not creep while its torques are set every step", "[step]") {
  Vec3 foot[2];
  for (bool everyStep : {false, true}) {
    WorldSettings s;
    s.timeStep = 1.0 / 240;
    s.sleeping = false;
    world::World w(s);
    test::addGround(w, 0.8, 0);
    const int base = test::addBox(w, Vec3(0.2, 0.2, 0.02), 2, Vec3(0, 0, 0.02), 0.8, 0);
    const int arm = test::addBox(w, Vec3(0.02, 0.02, 0.15), 0.5, Vec3(0, 0, 0.2), 0.8, 0);
    const int hinge = test::addJoint(w, dynamics::JointType::Revolute, base, arm, Vec3(0, 0, 0.03), Vec3(0, 0, -0.15));
    const double lean = 0.6;
    REQUIRE_FALSE(w.setJointState(hinge, &lean, nullptr));
    MotorSettings m;
    m.mode = MotorMode::Torque;
    for (int i = 0; i < 480; i++) {
      double q, v;
      w.jointState(hinge, &q, &v);
      m.force = -0.5 * 9.81 * 0.15 * std::sin(q) - 5 * (q - lean) - 0.5 * v;
      if (everyStep || i == 0) REQUIRE_FALSE(w.setMotor(hinge, 0, m));
      REQUIRE_FALSE(w.step());
      if (!everyStep && i == 0) {  // the same push by a motor whose target does not change
        m.mode = MotorMode::Position;
        m.position = lean;
        m.stiffness = 5;
        m.damping = 0.5;
        m.force = -0.5 * 9.81 * 0.15 * std::sin(lean);
        REQUIRE_FALSE(w.setMotor(hinge, 0, m));
      }
    }
    foot[everyStep] = w.bodyPose(base).p;
  }
  INFO(foot[0].transpose() << " and " << foot[1].transpose());
  CHECK(std::fabs(foot[1].x()) < 1e-4);
  CHECK(std::fabs(foot[1].y()) < 1e-4);
  CHECK(std::fabs(foot[1].z() - 0.02) < 1e-4);
  CHECK((foot[0] - foot[1]).norm() < 1e-4);
}

TEST_CASE("a box that two sliders hold in a plane is braked by its floor", "[step]") {
  for (solve::Solver solver : {solve::Solver::Pgs, solve::Solver::Dantzig}) {
    WorldSettings s;
    s.solver = solver;
    s.sleeping = false;
    world::World w(s);
    test::addGround(w, 0.5, 0);
    BodyDefinition d;
    d.pose.p = Vec3(0, 0, 1);
    const int carriage = w.createBody(d);
    const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1), 0.5, 0);
    const int rail = test::addJoint(w, dynamics::JointType::Prismatic, -1, carriage, Vec3(0, 0, 1), Vec3::Zero(), Vec3::UnitX());
    test::addJoint(w, dynamics::JointType::Prismatic, carriage, box, Vec3(0, 0, -0.9), Vec3::Zero(), Vec3::UnitZ());
    const double q = 0, v = 2;
    REQUIRE_FALSE(w.setJointState(rail, &q, &v));
    for (int i = 0; i < 120; i++) REQUIRE_FALSE(w.step());
    double x, rate;
    w.jointState(rail, &x, &rate);
    // Box and carriage slide on the friction of the box alone: a = 0.5 g / 2.
    CHECK(rate == Approx(2 - 0.25 * 9.81 * 0.5).epsilon(0.02));
  }
}

TEST_CASE("forces on a welded massless frame reach the body that carries it", "[step]") {
  Vec3 omega[2], speed[2];
  for (int onFrame = 0; onFrame < 2; onFrame++) {
    world::World w(settings(false, 0));
    const int box = test::addBox(w, Vec3(0.1, 0.2, 0.3), 3, Vec3::Zero(), 0, 0);
    BodyDefinition d;
    d.pose.p = Vec3(0.5, 0, 0);
    d.mass = 0;
    d.inertia.setZero();
    const int frame = w.createBody(d);
    test::addJoint(w, dynamics::JointType::Fixed, box, frame, Vec3(0.5, 0, 0), Vec3::Zero());
    const Vec3 point(0.5, 0, 0);
    const int target = onFrame ? frame : box;
    for (int i = 0; i < 10; i++) {
      const Vec3 at = w.bodyPose(box) * point;
      w.addForce(target, Vec3(1, 2, 3), &at, false);
      w.addTorque(target, Vec3(0.1, -0.2, 0.3), false);
      test::advance(w, 1);
    }
    const Vec3 at = w.bodyPose(box) * point;
    w.addImpulse(target, Vec3(0, 0.2, 0), &at);
    test::advance(w, 1);
    w.bodyTwist(box, speed[onFrame], omega[onFrame]);
  }
  CHECK(speed[0].norm() > 0.05);
  CHECK((speed[0] - speed[1]).norm() <
        1e-4 * speed[0].norm());  // the gyroscopic part meets a torque inside the midpoint rule or separately
  CHECK((omega[0] - omega[1]).norm() < 1e-3 * omega[0].norm());
}

TEST_CASE("speeds are capped, gravity is scaled", "[step]") {
  WorldSettings s = settings(false);
  s.maxSpeed = 3;
  world::World w(s);
  const int ball = test::addBall(w, 0.1, 1, Vec3(0, 0, 100), 0, 0);
  BodyDefinition d;
  d.pose.p = Vec3(5, 0, 0);
  d.gravityScale = -0.5;
  const int balloon = w.createBody(d);
  test::advance(w, 60);
  CHECK(velocity(w, balloon).z() == Approx(0.5 * 9.81 * 0.25).epsilon(1e-9));
  test::advance(w, 60);
  CHECK(velocity(w, ball).norm() == Approx(3).epsilon(1e-9));
}

TEST_CASE("a body that spins too fast is slowed down in its turning alone, and that is told", "[step]") {
  WorldSettings s = settings(false);
  s.gravity.setZero();
  s.maxAngularSpeed = 100;
  world::World w(s);
  const int ball = test::addBall(w, 0.1, 1, Vec3::Zero(), 0, 0);
  REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(50, 0, 0), Vec3(0, 0, 400), nullptr));
  w.resetStatistics();
  test::advance(w, 2);
  Vec3 v, omega;
  w.bodyTwist(ball, v, omega);
  CHECK(v.norm() == Approx(50).epsilon(1e-12));
  CHECK(omega.norm() == Approx(100).epsilon(1e-12));
  CHECK(w.statistics().capped == 1);
}

TEST_CASE("a link that spins too fast is slowed at its own joint, the figure beyond it is not", "[step]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode}) {
    CAPTURE(int(stepper));
    WorldSettings s = settings(false, 0);
    s.stepper = stepper;
    s.maxAngularSpeed = 100;
    s.energyAccount = true;
    world::World w(s);
    const int arm = test::addRod(w, 1, 10), wheel = test::addRod(w, 0.1, 0.1);
    const int shoulder = test::addJoint(w, dynamics::JointType::Revolute, -1, arm, Vec3::Zero(), Vec3(0, 0, 0.5));
    const int axle = test::addJoint(w, dynamics::JointType::Revolute, arm, wheel, Vec3(0, 0, -0.5), Vec3::Zero());  // balanced
    const double slow = 3, fast = 400;
    REQUIRE_FALSE(w.setJointState(shoulder, nullptr, &slow));
    REQUIRE_FALSE(w.setJointState(axle, nullptr, &fast));
    const double start = test::totalEnergy(w);
    test::advance(w, 10);
    double q, rate[2];
    w.jointState(shoulder, &q, &rate[0]);
    w.jointState(axle, &q, &rate[1]);
    CHECK(rate[0] == Approx(slow).epsilon(1e-6));
    CHECK(rate[0] + rate[1] == Approx(100).epsilon(1e-6));
    CHECK(w.energy().lostClamp == Approx(start - test::totalEnergy(w)).epsilon(1e-6));
  }
}

TEST_CASE("a free body that turns by radians a step keeps its angular momentum and its energy", "[step]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Spook, Stepper::Displacement}) {
    WorldSettings s = settings(false);
    s.stepper = stepper;
    s.gravity.setZero();
    s.timeStep = 1.0 / 60;
    world::World w(s);
    BodyDefinition d;
    d.inertia = Vec3(0.01, 0.02, 0.025).asDiagonal();
    const int body = w.createBody(d);
    REQUIRE_FALSE(w.setBodyTwist(body, Vec3(1, 0, 0), Vec3(30, 300, 20), nullptr));  // about its middle axis: it tumbles
    Vec3 p, start, now;
    w.momentum(p, start);
    const double energy = w.energy().kinetic;
    for (int i = 0; i < 240; i++) {
      test::advance(w, 1);
      w.momentum(p, now);
      INFO("stepper " << static_cast<int>(stepper) << " step " << i);
      REQUIRE((now - start).norm() < 1e-9 * start.norm());
      REQUIRE(w.energy().kinetic == Approx(energy).epsilon(0.02));
    }
  }
}

TEST_CASE("a pile falls asleep and wakes by contact, force, edit and a platform", "[step]") {
  world::World w(settings(true));
  test::addGround(w, 0.6, 0);
  std::vector<int> pile;
  for (int i = 0; i < 3; i++) pile.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1 + 0.2 * i), 0.5, 0));
  auto settle = [&] {
    test::advance(w, 480);
    for (int b : pile) REQUIRE_FALSE(w.bodyAwake(b));
  };
  settle();
  const int far = test::addBall(w, 0.1, 1, Vec3(9, 0, 0.1), 0.5, 0);  // an edit elsewhere
  test::advance(w, 1);
  (void)far;
  settle();
  w.addForce(pile[0], Vec3(0, 0, 1), nullptr, false);
  CHECK(w.bodyAwake(pile[0]));
  settle();
  test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 1.2), 0.5, 0);
  test::advance(w, 150);
  CHECK(w.bodyAwake(pile[2]));
  settle();
  const int pusher = platform(w, Vec3(0.1, 0.1, 0.05), Vec3(-2, 0, 0.1));
  REQUIRE_FALSE(w.setBodyTwist(pusher, Vec3(0.5, 0, 0), Vec3::Zero(), nullptr));
  test::advance(w, 480);  // long after the pile slept again: it comes within 0.1 of its far side
  test::advance(w, 450);
  CHECK(w.bodyPose(pile[0]).p.x() > 0.05);
}

TEST_CASE("contacts begin and end in order; masks, categories, pairs and the filter keep bodies apart", "[step]") {
  world::World w(settings(false));
  const int ground = test::addGround(w, 0.5, 0);
  const int ball = test::addBall(w, 0.1, 1, Vec3(0, 0, 0.6), 0.5, 0);
  bool touching = false;
  int begins = 0, ends = 0;
  for (int i = 0; i < 480; i++) {
    if (i == 240) w.addImpulse(ball, Vec3(0, 0, 3), nullptr);
    w.resetStatistics();
    test::advance(w, 1);
    for (const ContactEvent& e : w.events()) {
      REQUIRE((e.kind == ContactEvent::Begin) != touching);
      REQUIRE(std::min(e.shapeA, e.shapeB) == ground);
      touching = e.kind == ContactEvent::Begin;
      (touching ? begins : ends)++;
    }
  }
  CHECK(begins >= 1);
  CHECK(ends >= 1);
  world::World apart(settings(false));
  const int plane = test::addGround(apart, 0.5, 0);
  const int box[4] = {test::addBox(apart, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1), 0.5, 0),
                      test::addBox(apart, Vec3(0.1, 0.1, 0.1), 1, Vec3(1, 0, 0.1), 0.5, 0),
                      test::addBox(apart, Vec3(0.1, 0.1, 0.1), 1, Vec3(2, 0, 0.1), 0.5, 0),
                      test::addBox(apart, Vec3(0.1, 0.1, 0.1), 1, Vec3(2, 0, 0.35), 0.5, 0)};
  apart.setShapeFilter(plane + 1, 2, ~2u);
  apart.setShapeFilter(plane, 1, ~2u);
  apart.setPairCollides(box[2], box[3], false);
  test::advance(apart, 120);
  CHECK(apart.bodyPose(box[0]).p.z() < -0.5);
  CHECK(apart.bodyPose(box[1]).p.z() == Approx(0.1).margin(1e-3));
  CHECK(apart.bodyPose(box[3]).p.z() == Approx(0.1).margin(2e-3));
}

// Balls that are put on the ground, on each other and away again, in places whose order is opposite to that of creation; the ground is
// created between them. Their positions determine which of them touch.
TEST_CASE("events of several pairs come by their shapes, step after step, and the same in a second run", "[step]") {
  struct Event {
    int kind, a, b;
    auto operator<=>(const Event&) const = default;
  };
  const double r = 0.1, place[6] = {5, -3, 4, -1, 2, -6};
  const auto run = [&](bool persist, std::vector<Event>& told, std::vector<Event>& expected) {
    WorldSettings s = settings(false, 0);
    s.persistEvents = persist;
    world::World w(s);
    std::vector<int> bodies, shapes;
    int ground = -1;
    for (int k = 0; k < 6; k++) {
      if (k == 3) ground = test::addGround(w, 0, 0);
      BodyDefinition d;
      d.pose.p = Vec3(place[k], 0, 9);
      bodies.push_back(w.createBody(d));
      shapes.push_back(test::addShape(w, bodies[k], geometry::ShapeType::Sphere, Vec3(r, 0, 0), 0, 0));
    }
    std::vector<std::pair<int, int>> before;
    // Which balls lie on the ground, bit by bit; which of the floating ones lie on which.
    const struct {
      int lies, on[6];
    } scene[] = {{0b101011, {-1, -1, -1, -1, -1, -1}},
                 {0b010110, {3, -1, -1, -1, -1, -1}},
                 {0b000000, {-1, -1, -1, 5, 2, -1}},
                 {0b111111, {-1, -1, -1, -1, -1, -1}},
                 {0b000001, {-1, 5, 4, -1, -1, -1}}};
    for (const auto& now : scene) {
      std::vector<std::pair<int, int>> touching;
      for (int k = 0; k < 6; k++) {
        Pose pose{Vec3(place[k], 0, 9), Quat::Identity()};
        const int other = now.on[k];
        if (now.lies >> k & 1) {
          pose.p.z() = r - 1e-4;
          touching.push_back(std::minmax(ground, shapes[k]));
        } else if (other >= 0) {
          pose.p = Vec3(place[other], 0, 9 + 2 * r - 1e-4);
          touching.push_back(std::minmax(shapes[k], shapes[other]));
        }
        REQUIRE_FALSE(w.setBodyPose(bodies[k], pose, nullptr));
        REQUIRE_FALSE(w.setBodyTwist(bodies[k], Vec3::Zero(), Vec3::Zero(), nullptr));
      }
      std::sort(touching.begin(), touching.end());
      std::vector<Event> step;
      for (const auto& [a, b] : touching) {
        const bool went = std::binary_search(before.begin(), before.end(), std::pair(a, b));
        if (!went || persist) step.push_back({went ? ContactEvent::Persist : ContactEvent::Begin, a, b});
      }
      for (const auto& [a, b] : before)
        if (!std::binary_search(touching.begin(), touching.end(), std::pair(a, b))) step.push_back({ContactEvent::End, a, b});
      std::sort(step.begin(), step.end(), [](const Event& x, const Event& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
      expected.insert(expected.end(), step.begin(), step.end());
      before = touching;
      test::advance(w, 1);
    }
    for (const ContactEvent& e : w.events()) told.push_back({e.kind, e.shapeA, e.shapeB});  // of all steps: there was no reset
  };
  for (bool persist : {false, true}) {
    std::vector<Event> told, expected, again, ignored;
    run(persist, told, expected);
    run(persist, again, ignored);
    INFO("told " << told.size() << ", expected " << expected.size());
    CHECK(told.size() > 20);
    CHECK((told == expected));
    CHECK((told == again));
  }
}

TEST_CASE("the pose of a jointed body is projected on its joint, and the remainder is returned", "[step]") {
  world::World w(settings(false));
  const test::Chain c = test::addChain(w, 2, 0.4, 1);
  test::advance(w, 1);
  const Quat turn = quatFromAxisAngle(Vec3::UnitY(), 0.5);
  const Pose exact{turn * Vec3(0, 0, -0.2), turn};
  double residual[2];
  REQUIRE_FALSE(w.setBodyPose(c.bodies[0], exact, residual));
  CHECK(residual[0] < 1e-12);
  CHECK(residual[1] < 1e-9);
  REQUIRE_FALSE(w.setBodyPose(c.bodies[0], Pose{exact.p + Vec3(0, 0.1, 0), exact.q}, residual));
  CHECK(residual[0] == Approx(0.1).epsilon(1e-9));
  CHECK(residual[1] < 1e-9);
  double q;
  w.jointState(c.joints[0], &q, nullptr);
  CHECK(q == Approx(0.5).epsilon(1e-9));
}

TEST_CASE("destroying something elsewhere keeps coordinates, whole turns included", "[step]") {
  world::World w(settings(false));
  const test::Chain c = test::addChain(w, 4, 0.3, 1);
  const int spare = test::addBall(w, 0.1, 1, Vec3(5, 0, 0), 0, 0);
  const double turns = 2 * kPi * 3 + 0.4;
  REQUIRE_FALSE(w.setJointState(c.joints[1], &turns, nullptr));
  double before[4], after;
  test::advance(w, 5);
  for (int k = 0; k < 4; k++) w.jointState(c.joints[k], &before[k], nullptr);
  w.destroyBody(spare);
  for (int k = 0; k < 4; k++) {
    w.jointState(c.joints[k], &after, nullptr);
    CHECK(after == before[k]);
  }
  w.destroyJoint(c.joints[3]);
  w.jointState(c.joints[1], &after, nullptr);
  CHECK(after == before[1]);
  const Vec3 p = w.bodyPose(c.bodies[3]).p;
  test::advance(w, 1);
  CHECK((w.bodyPose(c.bodies[3]).p - p).norm() < 0.1);
  w.destroyBody(c.bodies[1]);  // in the middle: the remainder falls
  CHECK(w.lastDestroyed().joints.size() == 2);
  test::advance(w, 120);
  CHECK(w.bodyPose(c.bodies[2]).p.z() < -1);
}
