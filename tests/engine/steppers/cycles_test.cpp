// Closed cycles under `impulse`: of second order where nothing but their joints holds them. References: `ode` at a fine step, conservation
// laws. Units: m, rad, s, J.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

// A bar of 1 kg in the plane y = 0 from a to b, its own x axis along it.
int addBar(world::World& w, const Vec3& a, const Vec3& b, double mass = 1) {
  const double length = (b - a).norm();
  BodyDefinition d;
  d.mass = mass;
  d.pose = {0.5 * (a + b), quatFromAxisAngle(Vec3::UnitY(), -std::atan2((b - a).z(), (b - a).x()))};
  const double side = mass * length * length / 12;
  d.inertia = Vec3(0.02 * side, side, side).asDiagonal();
  return w.createBody(d);
}

int hinge(world::World& w, int a, int b, const Vec3& point) {
  JointDefinition d;
  d.a = a;
  d.b = b;
  d.axis = Vec3::UnitY();
  d.frameA.p = a < 0 ? point : Vec3(w.bodyPose(a).inverse() * point);
  d.asTheyStand = true;
  int id = -1;
  REQUIRE_FALSE(w.createJoint(d, id));
  return id;
}

// Crank, coupler and rocker; base 0.6 m.
struct FourBar {
  world::World w;
  int bars[3], joints[4];
  explicit FourBar(const WorldSettings& s) : w(s) {
    const Vec3 a(0, 0, 0), b(0.12, 0, 0.28), c(0.55, 0, 0.45), d(0.6, 0, 0);
    bars[0] = addBar(w, a, b), bars[1] = addBar(w, b, c), bars[2] = addBar(w, c, d);
    joints[0] = hinge(w, -1, bars[0], a), joints[1] = hinge(w, bars[0], bars[1], b);
    joints[2] = hinge(w, bars[1], bars[2], c), joints[3] = hinge(w, -1, bars[2], d);
  }
};

Vec3 endOf(const WorldSettings& s, double seconds) {
  FourBar f(s);
  test::advance(f.w, static_cast<int>(std::lround(seconds / s.timeStep)));
  CHECK(f.w.statistics().maxJointError < 1e-9);
  return f.w.bodyPose(f.bars[1]).p;
}

// Bars in a ring, floating; some of them heavier.
std::vector<int> addRing(world::World& w, int n, double omega) {
  std::vector<int> bars;
  const auto corner = [&](int i) { return Vec3(0.34 * std::cos(2 * kPi * i / n), 0, 0.34 * std::sin(2 * kPi * i / n)); };
  for (int i = 0; i < n; i++) bars.push_back(addBar(w, corner(i), corner(i + 1), i == 1 ? 2 : 1));
  for (int i = 0; i < n; i++) hinge(w, bars[i], bars[(i + 1) % n], corner(i + 1));
  for (int b : bars)
    REQUIRE_FALSE(w.setBodyTwist(b, Vec3(0, omega, 0).cross(w.bodyPose(b).p) + Vec3(0.3, 0, 0.1), Vec3(0, omega, 0), nullptr));
  return bars;
}

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};
Momentum momentumOf(const world::World& w, const std::vector<int>& bodies) {
  Momentum m;
  for (int b : bodies) {
    double mass;
    Vec3 com, v, omega;
    Mat3 inertia;
    w.bodyMass(b, mass, com, inertia);
    w.bodyTwist(b, v, omega);
    const Mat3 R = w.bodyPose(b).q.toRotationMatrix();
    m.linear += mass * v;
    m.angular += R * inertia * R.transpose() * omega + mass * w.bodyPose(b).p.cross(v);
  }
  return m;
}

}  // namespace

TEST_CASE("cycles: a four-bar linkage is of second order under impulse, whatever keeps its poses", "[step][cycles]") {
  WorldSettings fine = test::awake(Stepper::Ode, 4000);
  const Vec3 exact = endOf(fine, 0.5);
  for (const bool freePoses : {false, true})
    for (const TreeSolver solver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense}) {
      double off[2];
      for (int k = 0; k < 2; k++) {
        WorldSettings s = test::awake(Stepper::Impulse, k ? 480 : 120);
        s.freePoses = freePoses;
        s.treeSolver = solver;
        off[k] = (endOf(s, 0.5) - exact).norm();
      }
      INFO("free poses " << freePoses << ", solver " << static_cast<int>(solver) << ": off by " << off[0] << " and " << off[1]);
      CHECK(off[0] < 2e-3);
      CHECK(off[1] < 0.09 * off[0]);  // a sixteenth
    }
}

TEST_CASE("cycles: a linkage that falls over keeps its energy", "[step][cycles]") {
  for (const double rate : {120.0, 240.0}) {
    WorldSettings s = test::awake(Stepper::Impulse, rate);
    s.energyAccount = true;
    FourBar f(s);
    const double start = test::totalEnergy(f.w);
    double worst = 0;
    for (int i = 0; i < 6 * rate; i++) {
      test::advance(f.w, 1);
      worst = std::max(worst, std::fabs(test::totalEnergy(f.w) - start));
    }
    INFO("1/" << rate << " s: " << worst << " J");
    CHECK(worst < 0.01);
    CHECK(f.w.statistics().maxJointError < 1e-9);
    CHECK(f.w.statistics().unsolved == 0);
  }
}

TEST_CASE("cycles: a ring that spins in flight keeps its momenta and energy", "[step][cycles]") {
  for (const double omega : {3.0, 10.0, 30.0})
    for (const bool freePoses : {false, true}) {
      WorldSettings s = test::awake(Stepper::Impulse, 240);
      s.gravity.setZero();
      s.freePoses = freePoses;
      world::World w(s);
      const std::vector<int> bars = addRing(w, 5, omega);
      test::advance(w, 1);  // what the given velocities open goes
      const Momentum before = momentumOf(w, bars);
      const double energy = test::totalEnergy(w);
      test::advance(w, 4 * 240);
      const Momentum after = momentumOf(w, bars);
      INFO(omega << " rad/s, free poses " << freePoses << ": " << (after.linear - before.linear).norm() << " of " << before.linear.norm()
                 << " N s, " << (after.angular - before.angular).norm() << " of " << before.angular.norm() << " N m s, "
                 << test::totalEnergy(w) - energy << " of " << energy << " J");
      CHECK((after.linear - before.linear).norm() < 1e-9 * before.linear.norm());
      const bool whips = omega > 20;  // some steps are of first order
      CHECK((after.angular - before.angular).norm() < (whips ? 0.03 : 2e-3) * before.angular.norm());
      CHECK(std::fabs(test::totalEnergy(w) - energy) < (whips ? 2e-3 : 1e-6) * energy);
    }
}

TEST_CASE("cycles: told forces of joints are means over the step, and a step goes on from a snapshot", "[step][cycles]") {
  WorldSettings s = test::awake(Stepper::Impulse, 240);
  FourBar f(s), twin(s);
  test::advance(f.w, 50);
  std::vector<std::uint8_t> kept;
  f.w.save(kept);
  REQUIRE_FALSE(twin.w.restore(kept.data(), kept.size()));
  for (int i = 0; i < 200; i++) {
    const auto p = [&] { return momentumOf(f.w, {f.bars[0], f.bars[1], f.bars[2]}).linear; };
    const Vec3 before = p();
    test::advance(f.w, 1);
    test::advance(twin.w, 1);
    JointForces at[2], twins;
    f.w.jointForces(f.joints[0], at[0]);
    f.w.jointForces(f.joints[3], at[1]);
    twin.w.jointForces(f.joints[3], twins);
    const Vec3 told = at[0].force + at[1].force + 3 * s.gravity;
    REQUIRE(((p() - before) / s.timeStep - told).norm() < 1e-9 * at[0].force.norm());
    REQUIRE(twins.force == at[1].force);
    REQUIRE(twin.w.bodyPose(f.bars[1]).p == f.w.bodyPose(f.bars[1]).p);
  }
}

namespace {

Vec3 momentumOfAll(const world::World& w, std::initializer_list<int> bodies) { return momentumOf(w, std::vector<int>(bodies)).linear; }

}  // namespace

TEST_CASE("cycles: where a limit ends the second order of a driven figure, what is tied to it loses it, too", "[step][cycles]") {
  // Two links with a drive, tied by a rod of constant length to a third body, in flight; the hinge reaches its limits again and again.
  WorldSettings s = test::awake(Stepper::Impulse, 100);
  s.gravity.setZero();
  world::World w(s);
  int body[3];
  const Vec3 at[3] = {Vec3(0, 0, 0), Vec3(0, 0.5, 0), Vec3(1, 0, 0)};
  for (int i = 0; i < 3; i++) {
    BodyDefinition d;
    d.pose.p = at[i];
    d.inertia = 0.05 * Mat3::Identity();
    body[i] = w.createBody(d);
  }
  const int elbow = test::addJoint(w, dynamics::JointType::Revolute, body[0], body[1], Vec3(0, 0.25, 0), Vec3(0, -0.25, 0), Vec3::UnitZ());
  dynamics::AxisParameters axis;
  axis.lower = -0.05, axis.upper = 0.05;
  REQUIRE_FALSE(w.setAxis(elbow, 0, axis));
  MotorSettings m;
  m.mode = MotorMode::Position;
  m.stiffness = 2;
  m.damping = 0.1;
  m.maxForce = 1e3;
  REQUIRE_FALSE(w.setMotor(elbow, 0, m));
  JointDefinition rod;
  rod.constraint = ConstraintType::Distance;
  rod.a = body[0], rod.b = body[2];
  int tie = -1;
  REQUIRE_FALSE(w.createJoint(rod, tie));
  dynamics::AxisParameters length;
  length.lower = length.upper = 1;
  REQUIRE_FALSE(w.setAxis(tie, 0, length));
  for (int i = 0; i < 3; i++) {
    const Vec3 omega(0, 0, 15);
    REQUIRE_FALSE(w.setBodyTwist(body[i], omega.cross(at[i] - Vec3(1, 0.5, 0) / 3), omega, nullptr));
  }
  const double rate = 3;
  REQUIRE_FALSE(w.setJointState(elbow, nullptr, &rate));
  test::advance(w, 1);
  const Vec3 before = momentumOfAll(w, {body[0], body[1], body[2]});
  double worst = 0;
  for (int i = 0; i < 60; i++) {
    test::advance(w, 1);
    worst = std::max(worst, (momentumOfAll(w, {body[0], body[1], body[2]}) - before).norm());
  }
  CHECK(worst < 1e-9);
}

TEST_CASE("cycles: another ratio of a gear is an impact, whose loss does not come back", "[step][cycles]") {
  WorldSettings s = test::awake(Stepper::Impulse, 240);
  s.gravity.setZero();
  world::World w(s);
  int wheel[2];
  for (int i = 0; i < 2; i++) {
    const int body = test::addRod(w, 0.5, 1, Pose{Vec3(i, 0, 0), Quat::Identity()});
    wheel[i] = test::addJoint(w, dynamics::JointType::Revolute, -1, body, Vec3(i, 0, 0), Vec3::Zero());
  }
  CouplingDefinition gear;
  gear.terms = {{wheel[0], 0, 1}, {wheel[1], 0, -1}};
  int id = -1;
  REQUIRE_FALSE(w.createCoupling(gear, id));
  const double speed = 5;
  for (int joint : wheel) REQUIRE_FALSE(w.setJointState(joint, nullptr, &speed));
  test::advance(w, 20);
  const auto energy = [&] { return w.energy().kinetic; };
  const double whole = energy();
  gear.terms[0].coefficient = 2;
  REQUIRE_FALSE(w.setCoupling(id, gear));
  test::advance(w, 20);
  CHECK(energy() == Approx(0.9 * whole).epsilon(1e-6));
  double q, v[2];
  for (int i = 0; i < 2; i++) w.jointState(wheel[i], &q, &v[i]);
  CHECK(v[0] == Approx(3).epsilon(1e-6));  // equal moments: (5 + 2 5) / (1 + 2^2), but for the positions that the new ratio asks for
  CHECK(v[1] == Approx(6).epsilon(1e-6));
}

TEST_CASE("cycles: what is welded to a prescribed body moves what is tied to it as that body does", "[step][cycles]") {
  for (const Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode}) {
    double turned[2];
    for (const bool welded : {false, true}) {
      WorldSettings s = test::awake(stepper, 240);
      s.gravity.setZero();
      world::World w(s);
      BodyDefinition d;
      d.kind = BodyKind::Kinematic;
      int base = w.createBody(d);
      REQUIRE_FALSE(w.setBodyTwist(base, Vec3::Zero(), Vec3(0, 2, 0), nullptr));
      const int rod = test::addRod(w, 1, 1, Pose{Vec3(2, 0, -0.5), Quat::Identity()});
      const int hinge = test::addJoint(w, dynamics::JointType::Revolute, -1, rod, Vec3(2, 0, 0), Vec3(0, 0, 0.5));
      if (welded) {
        d.kind = BodyKind::Dynamic;
        const int plate = w.createBody(d);
        test::addJoint(w, dynamics::JointType::Fixed, base, plate, Vec3::Zero(), Vec3::Zero());
        base = plate;
      }
      JointDefinition j;
      j.constraint = ConstraintType::Distance;
      j.a = base, j.b = rod;
      j.frameA.p = Vec3(0, 0, -0.4);
      j.frameB.p = Vec3(0, 0, -0.3);
      int tie = -1;
      REQUIRE_FALSE(w.createJoint(j, tie));
      dynamics::AxisParameters length;
      length.lower = length.upper = std::hypot(2, 0.4);
      REQUIRE_FALSE(w.setAxis(tie, 0, length));
      test::advance(w, 60);
      w.jointState(hinge, &turned[welded], nullptr);
    }
    INFO("stepper " << static_cast<int>(stepper) << ": " << turned[0] << " and " << turned[1] << " rad");
    CHECK(std::fabs(turned[0]) > 0.1);
    CHECK(turned[1] == Approx(turned[0]).margin(1e-9));
  }
}
