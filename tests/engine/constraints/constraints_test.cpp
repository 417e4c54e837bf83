// Constraints between bodies against closed forms: rods, ropes, springs, points on lines, planes and curves, screws, wheels, soft and
// breakable joints.
#include <cmath>

#include "engine/geometry/curve.hpp"
#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

WorldSettings fine(double h = 1e-3) {
  WorldSettings s;
  s.timeStep = h;
  s.sleeping = false;
  return s;
}
int ball(world::World& w, const Vec3& p, double mass = 2, const Vec3& velocity = Vec3::Zero()) {
  BodyDefinition d;
  d.pose.p = p;
  d.mass = mass;
  d.inertia = 0.01 * Mat3::Identity();
  d.velocity = velocity;
  return w.createBody(d);
}
int constrain(world::World& w, ConstraintType type, int a, int b, const Vec3& atA, const Vec3& axis = Vec3::UnitX(),
              std::shared_ptr<const geometry::Curve> curve = nullptr) {
  JointDefinition d;
  d.constraint = type;
  d.a = a;
  d.b = b;
  d.frameA.p = atA;
  d.axis = axis;
  d.curve = std::move(curve);
  int id = -1;
  const Failure f = w.createJoint(d, id);
  INFO(f.text());
  REQUIRE_FALSE(f);
  return id;
}
void setAxis(world::World& w, int joint, const std::function<void(dynamics::AxisParameters&)>& change, int axis = 0) {
  dynamics::AxisParameters p = w.axis(joint, axis);
  change(p);
  REQUIRE_FALSE(w.setAxis(joint, axis, p));
}
double coordinate(const world::World& w, int joint) {
  double q[7], v[6];
  w.jointState(joint, q, v);
  return q[0];
}

}  // namespace

TEST_CASE("a rod keeps its length and swings as a pendulum does", "[step][constraints]") {
  world::World w(fine());
  const int body = ball(w, Vec3(0.2, 0, -std::sqrt(1 - 0.04)));
  const int rod = constrain(w, ConstraintType::Distance, -1, body, Vec3::Zero());
  double last = 0.2, crossings = 0, first = 0, end = 0;
  for (int i = 0; i < 10000; i++) {
    test::advance(w, 1);
    const double x = w.bodyPose(body).p.x();
    if (last < 0 && x >= 0) {
      if (crossings++ == 0) first = w.time() - 1e-3 * x / (x - last);
      end = w.time() - 1e-3 * x / (x - last);
    }
    last = x;
    REQUIRE(w.bodyPose(body).p.norm() == Approx(1).margin(1e-9));
  }
  const double amplitude = std::asin(0.2), period = 2 * kPi * std::sqrt(1 / 9.81) * (1 + amplitude * amplitude / 16);
  CHECK((end - first) / (crossings - 1) == Approx(period).epsilon(1e-3));
  CHECK(coordinate(w, rod) == Approx(1).margin(1e-9));
}

TEST_CASE("a rope is slack below its length and holds at it", "[step][constraints]") {
  world::World w(fine());
  const int body = ball(w, Vec3(0.3, 0, 0));
  const int rope = constrain(w, ConstraintType::Distance, -1, body, Vec3::Zero());
  setAxis(w, rope, [](dynamics::AxisParameters& p) { p.lower = 0, p.upper = 1; });
  JointForces f;
  double longest = 0;
  for (int i = 0; i < 3000; i++) {
    test::advance(w, 1);
    const double length = w.bodyPose(body).p.norm(), t = w.time();
    longest = std::max(longest, length);
    if (length < 0.9 && i < 400) {
      CHECK(w.bodyPose(body).p.z() == Approx(-0.5 * 9.81 * t * t).margin(0.006));
      w.jointForces(rope, f);
      CHECK(f.limit[0] == 0);
    }
  }
  CHECK(longest < 1.002);
  CHECK(longest > 0.999);
}

TEST_CASE("a distance with a spring swings at its frequency and stops at its limits", "[step][constraints]") {
  world::World w(fine(2e-4));
  w.setSettings([&] {
    WorldSettings s = w.settings();
    s.gravity.setZero();
    return s;
  }());
  const int body = ball(w, Vec3(1.1, 0, 0));
  const int spring = constrain(w, ConstraintType::Distance, -1, body, Vec3::Zero());
  setAxis(w, spring, [](dynamics::AxisParameters& p) { p.lower = 0.2, p.upper = kInf, p.stiffness = 200, p.rest = 1; });
  const double omega = std::sqrt(200.0 / 2);
  test::advance(w, 1000);
  CHECK(w.bodyPose(body).p.x() == Approx(1 + 0.1 * std::cos(omega * 0.2)).margin(2e-3));
  setAxis(w, spring, [](dynamics::AxisParameters& p) { p.lower = 0.95, p.upper = 1.05; });
  for (int i = 0; i < 5000; i++) {
    test::advance(w, 1);
    REQUIRE(coordinate(w, spring) < 1.1);
  }
  CHECK(coordinate(w, spring) < 1.05 + 1e-3);
  CHECK(coordinate(w, spring) > 0.95 - 1e-3);
}

TEST_CASE("a cylinder is a distance with a bounded velocity motor", "[step][constraints]") {
  world::World w(fine());
  const int body = ball(w, Vec3(0, 0, 1));
  const int cylinder = constrain(w, ConstraintType::Distance, -1, body, Vec3::Zero());
  setAxis(w, cylinder, [](dynamics::AxisParameters& p) { p.lower = 0.5, p.upper = 2; });
  const int guide = constrain(w, ConstraintType::PointOnLine, -1, body, Vec3::Zero(), Vec3::UnitZ());
  MotorSettings m;
  m.mode = MotorMode::Velocity;
  m.velocity = 0.2;
  m.damping = kInf;
  m.maxForce = 2 * 9.81 + 5;
  REQUIRE_FALSE(w.setMotor(cylinder, 0, m));
  test::advance(w, 2000);
  CHECK(coordinate(w, cylinder) == Approx(1 + 0.2 * 2).margin(0.02));  // it starts with 2.5 m/s^2
  JointForces f;
  w.jointForces(cylinder, f);
  CHECK(f.motor[0] == Approx(2 * 9.81).epsilon(1e-6));
  CHECK(coordinate(w, guide) == Approx(coordinate(w, cylinder)).margin(1e-9));
  m.maxForce = 2 * 9.81 - 4;  // too weak: it sinks with 2 m/s^2
  REQUIRE_FALSE(w.setMotor(cylinder, 0, m));
  const double before = coordinate(w, cylinder);
  test::advance(w, 300);
  CHECK(coordinate(w, cylinder) == Approx(before + 0.2 * 0.3 - 0.5 * 2 * 0.09).margin(2e-3));
}

TEST_CASE("a bead on a line and on a plane slides down as on a slope", "[step][constraints]") {
  for (ConstraintType type : {ConstraintType::PointOnLine, ConstraintType::PointOnPlane}) {
    world::World w(fine());
    const double slope = 0.4;
    const int body = ball(w, Vec3::Zero());
    const bool line = type == ConstraintType::PointOnLine;
    const Vec3 down(std::cos(slope), 0, -std::sin(slope)), normal(std::sin(slope), 0, std::cos(slope));
    constrain(w, type, -1, body, Vec3::Zero(), line ? down : normal);
    test::advance(w, 1000);
    const Vec3 p = w.bodyPose(body).p;
    CHECK((p - 0.5 * 9.81 * std::sin(slope) * down).norm() < 4e-3);
    CHECK(std::fabs(normal.dot(p)) < 1e-9);
  }
}

TEST_CASE("curves: length, nearest points, tangents", "[step][constraints]") {
  std::vector<Vec3> circle;
  for (int i = 0; i < 24; i++) circle.push_back(Vec3(std::cos(2 * kPi * i / 24), std::sin(2 * kPi * i / 24), 0));
  const geometry::Curve ring(circle, true, true);
  CHECK(ring.length() == Approx(2 * kPi).epsilon(1e-3));
  double way = 0;
  for (int i = 0; i <= 200; i++) {
    const double a = 2 * kPi * i / 100;  // twice around: the parameter does not wrap
    const Vec3 p(1.2 * std::cos(a), 1.2 * std::sin(a), 0.1);
    way = ring.nearest(p, way, 1);
    CHECK(way == Approx(a).margin(0.01));
    const Vec3 at = ring.position(way), tangent = ring.tangent(way);
    CHECK(at.norm() == Approx(1).margin(1e-3));
    CHECK(std::fabs(tangent.dot(p - at)) < 1e-6);
    const double e = 1e-6;
    CHECK(((ring.position(way + e) - ring.position(way - e)) / (2 * e)).normalized().dot(tangent) > 1 - 1e-6);
  }
  const geometry::Curve bent({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 2, 0)}, false, false);
  CHECK(bent.length() == Approx(3));
  CHECK(bent.nearest(Vec3(0.5, -1, 0)) == Approx(0.5));
  CHECK(bent.nearest(Vec3(3, 1.5, 0)) == Approx(2.5));
  CHECK(bent.nearest(Vec3(-2, 0, 0)) == Approx(-2));  // straight on beyond its ends
  CHECK(*geometry::Curve::check({Vec3(0, 0, 0)}, false) != 0);
  CHECK(*geometry::Curve::check({Vec3(0, 0, 0), Vec3(0, 0, 0)}, false) != 0);
}

// A chord of a circle is 2 sin(b / 2) long and turned by b / 2 against the tangent: chords weighted by each other's lengths give the
// tangent exactly, however uneven the points lie.
TEST_CASE("a spline through uneven points of a circle has the circle's tangents there", "[constraints]") {
  const double angles[8] = {0, 0.3, 1.4, 1.6, 3, 4.2, 4.4, 5.5};
  std::vector<Vec3> circle;
  for (double a : angles) circle.push_back(Vec3(std::cos(a), std::sin(a), 0));
  const geometry::Curve ring(circle, true, true);
  for (double a : angles) {
    const Vec3 tangent = ring.tangent(ring.nearest(Vec3(std::cos(a), std::sin(a), 0)));
    INFO("at " << a);
    CHECK((tangent - Vec3(-std::sin(a), std::cos(a), 0)).norm() < 1e-9);
  }
}

TEST_CASE("a bead on a ring keeps its energy and stays on it", "[step][constraints]") {
  for (bool spline : {true, false}) {
    std::vector<Vec3> circle;
    const int n = spline ? 24 : 400;
    for (int i = 0; i < n; i++) circle.push_back(Vec3(std::cos(2 * kPi * i / n), 0, std::sin(2 * kPi * i / n)));
    world::World w(fine(5e-4));
    const int body = ball(w, Vec3(1, 0, 0));
    const auto ring = std::make_shared<const geometry::Curve>(circle, spline, true);
    constrain(w, ConstraintType::PointOnCurve, -1, body, Vec3::Zero(), Vec3::UnitX(), ring);
    double lowest = 0;
    for (int i = 0; i < 1500; i++) {
      test::advance(w, 1);
      const Vec3 p = w.bodyPose(body).p;
      REQUIRE(std::hypot(p.x(), p.z()) == Approx(1).margin(1e-3));
      REQUIRE(std::fabs(p.y()) < 1e-9);
      lowest = std::min(lowest, p.z());
    }
    CHECK(lowest < -0.99);
    Vec3 v, omega;
    w.bodyTwist(body, v, omega);
    // At each corner of the polyline the velocity component across the next side is lost: 0.00025 of the energy.
    CHECK(0.5 * v.squaredNorm() == Approx(-9.81 * w.bodyPose(body).p.z()).epsilon(spline ? 5e-3 : 0.04));
  }
}

TEST_CASE("a nut on a screw falls by its pitch", "[step][constraints]") {
  world::World w(fine());
  BodyDefinition b;
  b.mass = 2;
  b.inertia = 0.01 * Mat3::Identity();
  const int body = w.createBody(b);
  JointDefinition d;
  d.type = dynamics::JointType::Screw;
  d.b = body;
  d.axis = Vec3::UnitZ();
  d.pitch = 0.05;  // m per radian
  int id;
  REQUIRE_FALSE(w.createJoint(d, id));
  test::advance(w, 1000);
  const double acceleration = 9.81 * 2 * 0.05 * 0.05 / (2 * 0.05 * 0.05 + 0.01);
  CHECK(w.bodyPose(body).p.z() == Approx(-0.5 * acceleration).epsilon(1e-3));
  CHECK(coordinate(w, id) * 0.05 == Approx(w.bodyPose(body).p.z()).epsilon(1e-9));
}

TEST_CASE("a wheel joint carries its load on the suspension, steers and turns", "[step][constraints]") {
  world::World w(fine());
  const int chassis = ball(w, Vec3(0, 0, 1), 10);
  const int slide = test::addJoint(w, dynamics::JointType::Prismatic, -1, chassis, Vec3(0, 0, 1), Vec3::Zero(), Vec3::UnitZ());
  const int wheel = ball(w, Vec3(0, 0, 0.5), 1);
  JointDefinition d;
  d.type = dynamics::JointType::Wheel;
  d.a = chassis;
  d.b = wheel;
  d.axis = Vec3::UnitZ();
  d.axis2 = Vec3::UnitY();
  d.frameA.p = Vec3(0, 0, -0.5);
  int joint, ground;
  REQUIRE_FALSE(w.createJoint(d, joint));
  setAxis(w, joint, [](dynamics::AxisParameters& p) { p.stiffness = 2000, p.damping = 300; });
  JointDefinition hold;  // the wheel's centre is fixed to a point
  hold.type = dynamics::JointType::Spherical;
  hold.a = -1;
  hold.b = wheel;
  hold.frameA.p = Vec3(0, 0, 0.5);
  REQUIRE_FALSE(w.createJoint(hold, ground));
  MotorSettings steer;
  steer.mode = MotorMode::Position;
  steer.position = 0.3;
  steer.stiffness = 50;
  steer.damping = 5;
  REQUIRE_FALSE(w.setMotor(joint, 1, steer));
  MotorSettings drive;
  drive.mode = MotorMode::Velocity;
  drive.velocity = 3;
  drive.damping = 2;
  REQUIRE_FALSE(w.setMotor(joint, 2, drive));
  test::advance(w, 6000);
  double q[7], v[6];
  w.jointState(joint, q, v);
  CHECK(q[0] == Approx(10 * 9.81 / 2000).epsilon(1e-3));  // the chassis sinks: the wheel travels up
  CHECK(q[1] == Approx(0.3).margin(2e-3));
  CHECK(v[2] == Approx(3).margin(0.02));
  CHECK(coordinate(w, slide) == Approx(-10 * 9.81 / 2000).epsilon(1e-3));
}

TEST_CASE("a soft joint sags by its load over its stiffness", "[step][constraints]") {
  for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense}) {
    WorldSettings s = fine();
    s.treeSolver = treeSolver;
    world::World w(s);
    const int body = ball(w, Vec3(0.5, 0, 0));
    JointDefinition d;
    d.type = dynamics::JointType::Fixed;
    d.b = body;
    d.asTheyStand = true;
    d.frameA.p = Vec3::Zero();
    d.linear = {1e4, 200};
    d.angular = {500, 20};
    int id;
    REQUIRE_FALSE(w.createJoint(d, id));
    test::advance(w, 4000);
    // The load acts 0.5 m beside the joint: it sinks there and rotates by torque over stiffness.
    const double turn = 2 * 9.81 * 0.5 / 500;
    CHECK(w.bodyPose(body).p.z() == Approx(-2 * 9.81 / 1e4 - 0.5 * std::sin(turn)).epsilon(0.01));
    JointForces f;
    w.jointForces(id, f);
    CHECK(f.force.z() == Approx(2 * 9.81).epsilon(1e-6));
    CHECK(std::fabs(f.torque.y()) == Approx(2 * 9.81 * 0.5).epsilon(0.01));
  }
}

TEST_CASE("a joint breaks once when its load exceeds its bounds, and then holds no more", "[step][constraints]") {
  for (bool tree : {true, false}) {
    WorldSettings s = fine();
    s.freePoses = !tree;
    world::World w(s);
    const int body = ball(w, Vec3::Zero());
    JointDefinition d;
    d.type = dynamics::JointType::Fixed;
    d.b = body;
    d.breakForce = 30;
    int id;
    REQUIRE_FALSE(w.createJoint(d, id));
    test::advance(w, 100);
    CHECK_FALSE(w.jointBroken(id));
    std::vector<std::uint8_t> whole, broken;
    w.save(whole);
    w.resetStatistics();
    w.addForce(body, Vec3(0, 0, -9), nullptr, true);  // 28.6 N
    test::advance(w, 50);
    CHECK_FALSE(w.jointBroken(id));
    w.addForce(body, Vec3(0, 0, -3), nullptr, true);  // 31.6 N
    test::advance(w, 1);
    CHECK(w.jointBroken(id));
    REQUIRE(w.jointEvents().size() == 1);
    CHECK(w.jointEvents()[0].joint == id);
    CHECK(w.jointEvents()[0].force == Approx(31.62).epsilon(1e-6));
    w.save(broken);
    const double from = w.bodyPose(body).p.z();
    test::advance(w, 100);
    CHECK(w.bodyPose(body).p.z() - from == Approx(-0.5 * (9.81 + 6) * 0.01).epsilon(0.02));
    CHECK(w.jointEvents().size() == 1);
    REQUIRE_FALSE(w.restore(whole.data(), whole.size()));  // back to before it broke
    CHECK_FALSE(w.jointBroken(id));
    test::advance(w, 100);
    CHECK(std::fabs(w.bodyPose(body).p.z()) < 1e-9);
    REQUIRE_FALSE(w.restore(broken.data(), broken.size()));
    CHECK(w.jointBroken(id));
    test::advance(w, 100);
    CHECK(w.bodyPose(body).p.z() - from == Approx(-0.5 * (9.81 + 6) * 0.01).epsilon(0.02));
  }
}

// A weight on a lever that is welded to the world: the weld carries the torque m g l at a force of m g, both within its bounds.
TEST_CASE("a joint breaks by the torque of a lever, not by its force", "[step][constraints]") {
  const double mass = 2, arm = 0.5, torque = mass * 9.81 * arm;
  struct Case {
    Stepper stepper;
    bool tree;
  };
  for (const Case& c :
       {Case{Stepper::Impulse, true}, Case{Stepper::Impulse, false}, Case{Stepper::Variational, true}, Case{Stepper::Variational, false},
        Case{Stepper::Ode, true}, Case{Stepper::Ode, false}, Case{Stepper::Spook, false}, Case{Stepper::Displacement, false}})
    for (double bears : {1.02 * torque, 0.98 * torque}) {
      WorldSettings s = fine();
      s.stepper = c.stepper;
      s.freePoses = !c.tree;
      s.solver = c.stepper == Stepper::Spook ? solve::Solver::Dantzig : solve::Solver::Pgs;
      if (c.stepper == Stepper::Displacement)
        s.solverIterations = 1000, s.solverTolerance = 1e-12;  // converges slowly on a small weight so far out
      s.gravity = Vec3(0, 0, -9.81);                           // from the first step on, in which no row may carry more than its load
      world::World w(s);
      const int body = ball(w, Vec3(arm, 0, 0), mass);
      JointDefinition d;
      d.type = dynamics::JointType::Fixed;
      d.b = body;
      d.asTheyStand = true;
      d.breakTorque = bears;
      int id;
      REQUIRE_FALSE(w.createJoint(d, id));
      test::advance(w, 100);
      INFO("stepper " << static_cast<int>(c.stepper) << ", tree " << c.tree << ", bears " << bears << " of " << torque << " N m");
      const bool breaks = bears < torque;
      CHECK(w.jointBroken(id) == breaks);
      REQUIRE(w.jointEvents().size() == (breaks ? 1u : 0u));
      if (breaks) {
        CHECK(w.jointEvents()[0].joint == id);
        CHECK(w.jointEvents()[0].torque == Approx(torque).epsilon(0.01));
        CHECK(w.jointEvents()[0].force == Approx(mass * 9.81).epsilon(0.01));
        CHECK(w.bodyPose(body).p.z() == Approx(-0.5 * 9.81 * 0.01).epsilon(0.05));  // released from the first step on
        continue;
      }
      CHECK(std::fabs(w.bodyPose(body).p.z()) < 1e-4);
      JointForces f;
      w.jointForces(id, f);
      CHECK(f.torque.norm() == Approx(torque).epsilon(0.01));
      // Half a newton at twice the arm: the torque passes the bound, the force is far below any.
      const Vec3 further(2 * arm, 0, 0);
      w.addForce(body, Vec3(0, 0, -0.5), &further, true);
      test::advance(w, 100);
      CHECK(w.jointBroken(id));
    }
}

TEST_CASE("SPOOK: compliance is that of a spring, errors fade in the relaxation time", "[step][constraints]") {
  WorldSettings s = fine();
  s.stepper = Stepper::Spook;
  s.freePoses = true;
  s.spookCompliance = 1e-4;
  s.spookRelaxation = 0.02;
  s.solver = solve::Solver::Dantzig;
  world::World w(s);
  const int body = ball(w, Vec3(0, 0, -0.01));  // starts 1 cm off
  JointDefinition d;
  d.type = dynamics::JointType::Spherical;
  d.b = body;
  int id;
  REQUIRE_FALSE(w.createJoint(d, id));
  test::advance(w, 60);
  CHECK(std::fabs(w.bodyPose(body).p.z() + 2 * 9.81 * 1e-4) < 0.3 * 0.01);
  test::advance(w, 2000);
  CHECK(w.bodyPose(body).p.z() == Approx(-2 * 9.81 * 1e-4).epsilon(1e-6));
}
