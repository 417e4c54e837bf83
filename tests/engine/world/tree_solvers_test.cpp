// The three tree solvers (articulated, sparse, dense) move the same figures alike: random trees of all joint types, reversed joints,
// cycles, two connected figures, couplings.
#include <cmath>
#include <functional>
#include <iterator>

#include "engine/dynamics/joints/common.hpp"
#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

Vec3 randomVector(test::Random& r, double size) { return size * Vec3(r.range(-1, 1), r.range(-1, 1), r.range(-1, 1)); }
Quat randomTurn(test::Random& r) { return quatExp(randomVector(r, 2)); }

int randomBody(world::World& w, test::Random& r, int figure) {
  BodyDefinition d;
  d.pose = {randomVector(r, 1), randomTurn(r)};
  d.mass = r.range(0.5, 3);
  d.com = randomVector(r, 0.1);
  const double x = r.range(0.02, 0.05), y = r.range(0.02, 0.05);
  const Mat3 turn = dynamics::rotationOf(randomTurn(r));
  d.inertia = turn * Vec3(x, y, r.range(std::fabs(x - y), x + y)).asDiagonal() * turn.transpose();
  d.inertia = 0.5 * (d.inertia + d.inertia.transpose().eval());
  d.figure = figure;
  return w.createBody(d);
}
int randomJoint(world::World& w, test::Random& r, dynamics::JointType type, int a, int b) {
  JointDefinition d;
  d.type = type;
  if (r.below(2)) std::swap(a, b);
  d.a = a;
  d.b = b;
  const Pose world{randomVector(r, 1), randomTurn(r)};
  d.frameA = a < 0 ? world : w.bodyPose(a).inverse() * world;
  d.asTheyStand = true;
  d.axis = randomVector(r, 1).normalized();
  d.axis2 = d.axis.cross(randomVector(r, 1)).normalized();
  d.pitch = 0.05;
  int id;
  REQUIRE_FALSE(w.createJoint(d, id));
  return id;
}
const dynamics::JointType kTypes[] = {dynamics::JointType::Revolute,   dynamics::JointType::Fixed,     dynamics::JointType::Spherical,
                                      dynamics::JointType::Prismatic,  dynamics::JointType::Universal, dynamics::JointType::Planar,
                                      dynamics::JointType::Continuous, dynamics::JointType::Floating,  dynamics::JointType::Cylindrical,
                                      dynamics::JointType::Screw,      dynamics::JointType::Wheel};

// A body without mass at the position of `body`.
int frameAt(world::World& w, int body, int figure) {
  BodyDefinition d;
  d.pose = w.bodyPose(body);
  d.mass = 0;
  d.inertia = Mat3::Zero();
  d.figure = figure;
  return w.createBody(d);
}

using Scene = std::function<void(world::World&, test::Random&)>;

// A free figure as URDF describes robots: a root frame without mass, the trunk fixed to it, frames and tools fixed along the legs.
void robot(world::World& w, test::Random& r) {
  test::addGround(w, 0.8, 0);
  const int figure = w.newFigureMark();
  BodyDefinition root;
  root.mass = 0;
  root.inertia = Mat3::Zero();
  root.pose.p.z() = 0.75;
  root.figure = figure;
  const int base = w.createBody(root);
  const int trunk = randomBody(w, r, figure);
  randomJoint(w, r, dynamics::JointType::Fixed, base, trunk);
  for (int leg = 0; leg < 3; leg++) {
    const int hip = frameAt(w, base, figure), thigh = randomBody(w, r, figure), tool = randomBody(w, r, figure);
    randomJoint(w, r, dynamics::JointType::Fixed, leg ? trunk : base, hip);
    const int joint = randomJoint(w, r, kTypes[2 * leg], hip, thigh);
    randomJoint(w, r, dynamics::JointType::Fixed, thigh, tool);
    const int foot = frameAt(w, tool, figure);
    randomJoint(w, r, dynamics::JointType::Fixed, tool, foot);
    test::addShape(w, foot, geometry::ShapeType::Sphere, Vec3(0.1, 0, 0), 0.8, 0);
    if (w.jointAxes(joint) == 0) continue;
    dynamics::AxisParameters p;
    p.damping = 0.1;
    p.stiffness = 5;
    p.armature = 0.01;
    REQUIRE_FALSE(w.setAxis(joint, 0, p));
  }
}

// Bodies on joints of three axes, each made of two massless frames, with limits, armature, springs and a ground in reach; a free root is a
// point or a rod.
void gimbals(world::World& w, test::Random& r, bool floating) {
  test::addGround(w, 0.8, 0);
  const int figure = w.newFigureMark();
  int last = -1;
  if (floating) {
    BodyDefinition root;
    root.pose.p.z() = 0.6;
    root.mass = 1;
    root.inertia = Mat3::Constant(r.below(2) ? 0 : 1e-6);  // a point, or a thin rod of a description that states every number
    root.figure = figure;
    last = w.createBody(root);
  }
  for (int group = 0; group < 3; group++) {
    const int bob = randomBody(w, r, figure);
    test::addShape(w, bob, geometry::ShapeType::Sphere, Vec3(0.15, 0, 0), 0.8, 0);
    JointDefinition d;
    d.a = last;
    d.frameA.p = last < 0 ? Vec3(0, 0, 0.6) : randomVector(r, 0.2);
    for (int axis = 0; axis < 3; axis++) {
      d.b = axis < 2 ? frameAt(w, bob, figure) : bob;
      d.frameB.p = axis < 2 ? Vec3(Vec3::Zero()) : randomVector(r, 0.2);
      d.axis = Vec3::Unit(axis);
      d.axis2 = Vec3::Unit((axis + 1) % 3);
      int id;
      REQUIRE_FALSE(w.createJoint(d, id));
      dynamics::AxisParameters p;
      if (r.below(2)) p.armature = 0.02;
      if (r.below(2)) p.damping = 0.05;
      if (r.below(2)) p.stiffness = 0.3;
      if (r.below(2)) p.lower = -0.01, p.upper = 0.01;
      REQUIRE_FALSE(w.setAxis(id, 0, p));
      const double v = r.range(-2, 2);
      REQUIRE_FALSE(w.setJointState(id, nullptr, &v));
      d.a = d.b;
      d.frameA.p.setZero();
    }
    last = bob;
  }
}

void randomTree(world::World& w, test::Random& r, bool floating) {
  std::vector<int> bodies;
  const int figure = w.newFigureMark();
  for (int i = 0; i < 9; i++) {
    bodies.push_back(randomBody(w, r, figure));
    if (i == 0 && floating) continue;
    const int joint = randomJoint(w, r, kTypes[r.below(static_cast<int>(std::size(kTypes)))], i ? bodies[r.below(i)] : -1, bodies[i]);
    double v[6];
    for (double& x : v) x = r.range(-2, 2);
    REQUIRE_FALSE(w.setJointState(joint, nullptr, v));
    if (r.below(3) == 0 && w.jointAxes(joint) > 0) {
      dynamics::AxisParameters p;
      p.armature = 0.02;
      p.damping = 0.05;
      p.stiffness = 0.3;
      REQUIRE_FALSE(w.setAxis(joint, r.below(w.jointAxes(joint)), p));
    }
  }
}

// Plates on one axle along z, each pressed on the next: those contacts push along the axle, where no motion is possible.
void axle(world::World& w, test::Random&) {
  const int figure = w.newFigureMark();
  int last = -1;
  for (int i = 0; i < 4; i++) {
    BodyDefinition d;
    d.figure = figure;
    d.pose.p = Vec3(0.01 * i, 0, 0.1 * i);
    d.inertia = Vec3(0.02, 0.03, 0.04).asDiagonal();
    const int body = w.createBody(d);
    test::addShape(w, body, geometry::ShapeType::Box, Vec3(0.2, 0.2, 0.101), 0, 0);
    if (last >= 0) {
      const int joint =
          test::addJoint(w, dynamics::JointType::Revolute, last, body, Vec3(0.3, 0.05, 0.05), Vec3(0.29, 0.05, -0.05), Vec3::UnitZ());
      const double v = 1 + i;
      REQUIRE_FALSE(w.setJointState(joint, nullptr, &v));
    }
    last = body;
  }
}

// Bars in the plane y = 0, closed by a joint that is redundant in space: a hinge removes five degrees of freedom where two remain.
void fourBar(world::World& w, dynamics::JointType closing) {
  const Vec3 corner[4] = {Vec3(0, 0, 0), Vec3(0.1, 0, 0.5), Vec3(0.8, 0, 0.7), Vec3(0.9, 0, 0)};
  int body[3];
  for (int i = 0; i < 3; i++) {
    BodyDefinition d;
    d.pose.p = 0.5 * (corner[i] + corner[i + 1]);
    d.inertia = 0.02 * Mat3::Identity();
    body[i] = w.createBody(d);
  }
  for (int i = 0; i < 4; i++) {
    JointDefinition d;
    d.type = i == 3 ? closing : dynamics::JointType::Revolute;
    d.axis = Vec3::UnitY();
    d.a = i ? body[i - 1] : -1;
    d.b = i < 3 ? body[i] : -1;
    d.frameA.p = d.a < 0 ? corner[0] : Vec3(corner[i] - w.bodyPose(d.a).p);
    d.asTheyStand = true;
    int id;
    REQUIRE_FALSE(w.createJoint(d, id));
  }
}

double worstLoop(const world::World& w, int joints) {
  double worst = 0;
  for (int j = 0; j < joints; j++) {
    const dynamics::JointType t = w.joint(j).type;
    if (t == dynamics::JointType::Prismatic || t == dynamics::JointType::Planar || t == dynamics::JointType::Floating) continue;
    worst = std::max(worst, test::jointGap(w, j));
  }
  return worst;
}

struct Outcome {
  std::vector<Vec3> velocity, omega, later;
};
Outcome run(const Scene& scene, int seed, TreeSolver treeSolver, int steps) {
  WorldSettings s;
  s.treeSolver = treeSolver;
  s.sleeping = false;
  s.solverTolerance = 1e-11;  // to the end: else round-off decides how many sweeps are made
  s.solverIterations = 3000;
  s.adaptiveSubsteps = 1;      // what overlaps from the start would make the first step in parts
  s.solverAccelerate = false;  // Newton's steps, for rows of articulated trees only, would end elsewhere within the tolerance
  world::World w(s);
  test::Random random(seed);
  scene(w, random);
  Outcome o;
  Failure f = w.step();
  INFO(f.text());
  REQUIRE_FALSE(f);
  for (int b = 0; b < w.bodyCapacity(); b++) {
    Vec3 v, omega;
    w.bodyTwist(b, v, omega);
    o.velocity.push_back(v);
    o.omega.push_back(omega);
  }
  for (int i = 0; i < steps; i++) REQUIRE_FALSE(w.step());
  for (int b = 0; b < w.bodyCapacity(); b++) o.later.push_back(w.bodyPose(b).p);
  return o;
}

void compare(const char* name, const Scene& scene, int seeds) {
  for (int seed = 1; seed <= seeds; seed++) {
    const Outcome base = run(scene, seed, TreeSolver::Articulated, 20);
    for (TreeSolver e : {TreeSolver::Sparse, TreeSolver::Dense}) {
      const Outcome other = run(scene, seed, e, 20);
      double v = 0, omega = 0, later = 0;
      for (std::size_t i = 0; i < base.velocity.size(); i++) {
        v = std::max(v, (base.velocity[i] - other.velocity[i]).norm());
        omega = std::max(omega, (base.omega[i] - other.omega[i]).norm());
        later = std::max(later, (base.later[i] - other.later[i]).norm());
      }
      INFO(name << ", seed " << seed << ", tree solver " << int(e) << ": velocity " << v << ", angular velocity " << omega
                << ", 20 steps later " << later);
      CHECK(v < 1e-9);
      CHECK(omega < 1e-9);
      CHECK(later < 1e-6);
    }
  }
}

void twoFigures(world::World& w, test::Random& r) {
  for (int f = 0; f < 2; f++) randomTree(w, r, true);
  randomJoint(w, r, r.below(2) ? dynamics::JointType::Spherical : dynamics::JointType::Revolute, 3, 12);
}
void ballCycle(world::World& w, test::Random& r) {
  std::vector<int> bodies;
  for (int i = 0; i < 6; i++) {
    bodies.push_back(randomBody(w, r, -1));
    if (i) randomJoint(w, r, i % 2 ? dynamics::JointType::Spherical : dynamics::JointType::Universal, bodies[i - 1], bodies[i]);
  }
  randomJoint(w, r, dynamics::JointType::Spherical, bodies[5], bodies[0]);
  randomJoint(w, r, dynamics::JointType::Spherical, -1, bodies[2]);
}
void gears(world::World& w, test::Random& r) {
  const int figure = w.newFigureMark();
  std::vector<int> joints;
  int last = -1;
  for (int i = 0; i < 5; i++) {
    const int body = randomBody(w, r, figure);
    joints.push_back(randomJoint(w, r, i == 3 ? dynamics::JointType::Prismatic : dynamics::JointType::Revolute, last, body));
    last = body;
  }
  const int wheel = randomBody(w, r, w.newFigureMark());
  joints.push_back(randomJoint(w, r, dynamics::JointType::Continuous, -1, wheel));
  int id;
  REQUIRE_FALSE(w.createCoupling(ratioCoupling(joints[0], joints[1], -2, 0), id));
  REQUIRE_FALSE(w.createCoupling(ratioCoupling(joints[1], joints[5], 0.5, 0), id));
  REQUIRE_FALSE(w.createCoupling(ratioCoupling(joints[2], joints[3], 0.3, 0), id));
}

}  // namespace

TEST_CASE("random trees of all joint types move alike under the three tree solvers", "[step]") {
  compare(
      "fixed base", [](world::World& w, test::Random& r) { randomTree(w, r, false); }, 12);
  compare(
      "free base", [](world::World& w, test::Random& r) { randomTree(w, r, true); }, 12);
}

TEST_CASE("links fixed together, most of them without mass, move alike under the three tree solvers", "[step]") {
  compare("robot", robot, 12);
}

TEST_CASE("links that lack inertia move alike under the three tree solvers", "[step]") {
  compare(
      "gimbals on a free root without inertia", [](world::World& w, test::Random& r) { gimbals(w, r, true); }, 12);
  compare(
      "gimbals on the world", [](world::World& w, test::Random& r) { gimbals(w, r, false); }, 12);
}

TEST_CASE("contact between links of one figure that cannot move along it does nothing under any tree solver", "[step]") {
  compare("pressed along their axle", axle, 1);
}

TEST_CASE("a joint without inertia is refused with its body under every tree solver", "[step]") {
  for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense})
    for (const bool carries : {false, true}) {
      WorldSettings s;
      s.treeSolver = treeSolver;
      world::World w(s);
      test::Random r(4);
      const int figure = w.newFigureMark();
      const int base = randomBody(w, r, figure), gimbal = frameAt(w, base, figure);
      randomJoint(w, r, dynamics::JointType::Fixed, -1, base);
      randomJoint(w, r, dynamics::JointType::Revolute, base, gimbal);
      if (carries) randomJoint(w, r, dynamics::JointType::Revolute, gimbal, randomBody(w, r, figure));
      const Failure f = w.step();
      INFO(f.text());
      CHECK(bool(f) != carries);
      if (f) CHECK(f.body() == gimbal);
    }
}

TEST_CASE("cycles, joined figures and couplings move alike under the three tree solvers", "[step]") {
  compare(
      "four bar, hinge", [](world::World& w, test::Random&) { fourBar(w, dynamics::JointType::Revolute); }, 1);
  compare(
      "four bar, ball", [](world::World& w, test::Random&) { fourBar(w, dynamics::JointType::Spherical); }, 1);
  compare("two figures", twoFigures, 6);
  compare("ball cycle", ballCycle, 6);
  compare("gears", gears, 6);
}

TEST_CASE("cycles stay closed to 1e-10 m and their energy stays sane", "[step]") {
  const std::pair<const char*, Scene> scenes[] = {
      {"four bar, hinge", [](world::World& w, test::Random&) { fourBar(w, dynamics::JointType::Revolute); }},
      {"four bar, ball", [](world::World& w, test::Random&) { fourBar(w, dynamics::JointType::Spherical); }},
      {"ball cycle", ballCycle},
  };
  for (const auto& [name, scene] : scenes)
    for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense}) {
      WorldSettings s;
      s.treeSolver = treeSolver;
      s.sleeping = false;
      world::World w(s);
      test::Random random(7);
      scene(w, random);
      double worst = 0, high = 0;
      const double e0 = test::totalEnergy(w);
      int joints = 0;
      while (w.jointAlive(joints)) joints++;
      for (int i = 0; i < 1200; i++) {
        const Failure f = w.step();
        INFO(name << " " << f.text());
        REQUIRE_FALSE(f);
        worst = std::max(worst, worstLoop(w, joints));
        high = std::max(high, test::totalEnergy(w) - e0);
      }
      INFO(name << ", tree solver " << int(treeSolver) << ": gap " << worst << " m, energy gained " << high << " J, at the end "
                << test::totalEnergy(w) - e0);
      CHECK(worst <= 1e-10);
      CHECK(high < 1);  // of some hundred joules in exchange: rows make a step first order
    }
}

TEST_CASE("coupled joints keep their ratio", "[step]") {
  for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense}) {
    WorldSettings s;
    s.treeSolver = treeSolver;
    s.sleeping = false;
    world::World w(s);
    test::Random random(3);
    gears(w, random);
    for (int i = 0; i < 1200; i++) {
      REQUIRE_FALSE(w.step());
      double q[6];
      for (int j = 0; j < 6; j++) w.jointState(j, &q[j], nullptr);
      INFO("tree solver " << int(treeSolver) << " step " << i);
      REQUIRE(std::fabs(q[1] + 2 * q[0]) < 1e-9);
      REQUIRE(std::fabs(q[5] - 0.5 * q[1]) < 1e-9);
      REQUIRE(std::fabs(q[3] - 0.3 * q[2]) < 1e-9);
    }
  }
}

namespace {

// A parallelogram of three bars, cut open at hinge `cut`; its hinge 3 is coupled to a wheel. Hinges 0 and 3 rotate their bars against a
// base by one angle; the base moves at constant velocity.
struct Linkage {
  int hinge[4], wheel;
};
Linkage parallelogram(world::World& w, int cut, double ratio, double offset, const Vec3& velocity) {
  const Vec3 corner[4] = {Vec3(0, 0, 0), Vec3(0, 0, 0.5), Vec3(0.8, 0, 0.5), Vec3(0.8, 0, 0)};
  Linkage l;
  BodyDefinition moving;
  moving.kind = BodyKind::Kinematic;
  moving.velocity = velocity;
  const int base = w.createBody(moving);
  int body[3];
  for (int i = 0; i < 3; i++) {
    BodyDefinition d;
    d.velocity = velocity;
    d.pose.p = 0.5 * (corner[i] + corner[i + 1]);
    d.inertia = 0.02 * Mat3::Identity();
    body[i] = w.createBody(d);
  }
  for (int i = 0; i < 4; i++) {
    JointDefinition d;
    d.axis = Vec3::UnitY();
    d.a = i ? body[i - 1] : base;
    d.b = i < 3 ? body[i] : base;
    if (i == 3) std::swap(d.a, d.b);
    d.frameA.p = corner[i] - w.bodyPose(d.a).p;
    d.asTheyStand = true;
    d.auxiliary = i == cut;
    REQUIRE_FALSE(w.createJoint(d, l.hinge[i]));
  }
  BodyDefinition d;
  d.pose.p = Vec3(3, 0, 0);
  d.inertia = 0.05 * Mat3::Identity();
  d.velocity = velocity;
  const int disc = w.createBody(d);
  l.wheel = test::addJoint(w, dynamics::JointType::Continuous, base, disc, d.pose.p, Vec3::Zero());
  int id;
  REQUIRE_FALSE(w.createCoupling(ratioCoupling(l.hinge[3], l.wheel, ratio, offset), id));
  return l;
}

}  // namespace

TEST_CASE("a coupling to a joint that closes a cycle is exact and felt on both sides", "[step]") {
  for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense})
    for (int cut : {3, 1, 0})
      for (bool moved : {false, true}) {
        WorldSettings s;
        s.treeSolver = treeSolver;
        s.sleeping = false;
        s.gravity.setZero();
        s.timeStep = 1e-3;
        world::World w(s);
        const double ratio = -1.5, torque = 0.6, offset = moved ? 0.3 : 0;
        const Linkage l = parallelogram(w, cut, ratio, offset, moved ? Vec3(0.4, 0.2, -0.5) : Vec3(Vec3::Zero()));
        MotorSettings m;
        m.mode = MotorMode::Torque;
        m.force = torque;
        REQUIRE_FALSE(w.setMotor(l.wheel, 0, m));
        // Two bars rotate about their ends, the third moves along on a circle, the wheel rotates ratio times as fast.
        const double inertia = 2 * (0.02 + 0.25 * 0.25) + 0.25 + ratio * ratio * 0.05, rate = ratio * torque / inertia;
        double crank = 0, rocker = 0, wheel = 0, v = 0;
        for (int i = 1; i <= 1000; i++) {
          const Failure f = w.step();
          INFO(f.text());
          REQUIRE_FALSE(f);
          w.jointState(l.hinge[0], &crank, nullptr);
          w.jointState(l.hinge[3], &rocker, nullptr);
          w.jointState(l.wheel, &wheel, &v);
          INFO("tree solver " << int(treeSolver) << ", cut " << cut << ", step " << i << ": " << crank << " " << rocker << " " << wheel);
          REQUIRE(std::fabs(crank - rocker) < 1e-9);
          REQUIRE(std::fabs(wheel - ratio * rocker - offset) < 1e-9);
        }
        INFO("tree solver " << int(treeSolver) << ", cut " << cut << (moved ? ", base moves" : "") << ": " << v << " of " << ratio * rate);
        CHECK(v == Approx(ratio * rate).epsilon(1e-3));
      }
}
