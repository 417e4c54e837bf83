// Prescribed motion that contacts make impossible: drives of infinite gain, prescribed bodies, rigid loops. It is reported as infeasible,
// and such drives yield. Heavy loads, deep penetration at the start and drives that find another way are feasible.
#include <algorithm>
#include <cmath>

#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

WorldSettings settings(solve::Solver solver = solve::Solver::Pgs, TreeSolver treeSolver = TreeSolver::Articulated) {
  WorldSettings s;
  s.sleeping = false;
  s.solver = solver;
  s.treeSolver = treeSolver;
  return s;
}
struct Seen {
  int infeasible = 0;  // steps
  double deepest = 0;
};
Seen watch(world::World& w, int steps) {
  Seen seen;
  for (int i = 0; i < steps; i++) {
    w.resetStatistics();
    const Failure f = w.step();
    INFO(f.text());
    REQUIRE((!f || f.kind() == Failure::Infeasible));
    seen.infeasible += f.kind() == Failure::Infeasible;
    seen.deepest = std::max(seen.deepest, w.statistics().maxPenetration);
  }
  return seen;
}
int wall(world::World& w, double x) {
  return test::addShape(w, -1, geometry::ShapeType::Box, Vec3(0.1, 2, 2), 0.5, 0, {Vec3(x, 0, 2), Quat::Identity()});
}
int prescribed(world::World& w, const Vec3& half, const Vec3& p, const Vec3& velocity) {
  BodyDefinition d;
  d.kind = BodyKind::Kinematic;
  d.pose.p = p;
  d.velocity = velocity;
  const int body = w.createBody(d);
  test::addShape(w, body, geometry::ShapeType::Box, half, 0.5, 0);
  return body;
}
// Pulls a body along x and holds its height and sides.
int lead(world::World& w, int body, double velocity, double damping, double bound) {
  JointDefinition d;
  d.constraint = ConstraintType::Motor;
  d.b = body;
  d.frameA.p = w.bodyPose(body).p;
  int joint;
  REQUIRE_FALSE(w.createJoint(d, joint));
  MotorSettings m;
  m.mode = MotorMode::Position;
  m.stiffness = 1e4;
  m.damping = 1e3;
  for (int k = 1; k < 6; k++) REQUIRE_FALSE(w.setMotor(joint, k, m));
  m.mode = MotorMode::Velocity;
  m.stiffness = 0;
  m.damping = damping;
  m.maxForce = bound;
  REQUIRE_FALSE(w.setMotor(joint, 0, m));
  REQUIRE_FALSE(w.setMotorTarget(joint, Pose(), Vec3(velocity, 0, 0), Vec3::Zero()));
  return joint;
}

}  // namespace

TEST_CASE("a drive without a bound that pushes into a wall is reported as infeasible and yields", "[step][infeasible]") {
  for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse})
    for (solve::Solver solver :
         {solve::Solver::Pgs, solve::Solver::Dantzig, solve::Solver::Jacobi, solve::Solver::Cg, solve::Solver::Lemke})
      for (double speed : {0.1, 1.2, 5.0}) {
        world::World w(settings(solver, treeSolver));
        wall(w, 1);
        const int box = test::addBox(w, Vec3(0.2, 0.2, 0.2), 10, Vec3(0.3, 0, 1), 0.5, 0);
        lead(w, box, speed, kInf, kInf);
        const Seen free = watch(w, static_cast<int>(0.35 / speed * 240));
        const Seen blocked = watch(w, 480);
        INFO("solver " << static_cast<int>(solver) << ", speed " << speed << ", tree solver " << static_cast<int>(treeSolver));
        CHECK(free.infeasible == 0);
        CHECK(blocked.infeasible > 470 - 0.05 / speed * 240);
        CHECK(blocked.deepest < 5e-3);
        CHECK(w.bodyPose(box).p.x() == Approx(0.7).margin(5e-3));
      }
}

TEST_CASE("a bounded drive, or one of finite gain, yields to a wall and is feasible", "[step][infeasible]") {
  for (auto [damping, bound] : {std::pair(kInf, 500.0), std::pair(2000.0, kInf)}) {
    world::World w(settings());
    wall(w, 1);
    const int box = test::addBox(w, Vec3(0.2, 0.2, 0.2), 10, Vec3(0.3, 0, 1), 0.5, 0);
    lead(w, box, 1.2, damping, bound);
    const Seen seen = watch(w, 480);
    CHECK(seen.infeasible == 0);
    CHECK(seen.deepest < 5e-3);
    CHECK(w.bodyPose(box).p.x() == Approx(0.7).margin(5e-3));
  }
}

TEST_CASE("a tree's joint with a drive without a bound reports a wall, a limit and a second such drive as infeasible",
          "[step][infeasible]") {
  for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense}) {
    MotorSettings m;
    m.mode = MotorMode::Velocity;
    m.velocity = 0.5;
    m.damping = kInf;
    for (bool limited : {false, true}) {
      world::World w(settings(solve::Solver::Pgs, treeSolver));
      if (!limited) wall(w, 1);
      const int box = test::addBox(w, Vec3(0.2, 0.2, 0.2), 10, Vec3(0.6, 0, 1), 0.5, 0);
      const int slide = test::addJoint(w, dynamics::JointType::Prismatic, -1, box, Vec3(0.6, 0, 1), Vec3::Zero(), Vec3::UnitX());
      REQUIRE_FALSE(w.setMotor(slide, 0, m));
      if (limited) {
        dynamics::AxisParameters a = w.axis(slide, 0);
        a.upper = 0.1;
        REQUIRE_FALSE(w.setAxis(slide, 0, a));
      }
      CHECK(watch(w, 40).infeasible == 0);  // not yet in contact
      const Seen blocked = watch(w, 240);
      CHECK(blocked.infeasible > 220);
      CHECK(blocked.deepest < 1e-3);
      CHECK(w.bodyPose(box).p.x() == Approx(0.7).margin(1e-3));
    }
  }
}

TEST_CASE("a body crushed by a prescribed body against a wall is reported as infeasible", "[step][infeasible]") {
  world::World w(settings());
  test::addGround(w, 0.5, 0);
  wall(w, 1);
  test::addBox(w, Vec3(0.2, 0.2, 0.2), 10, Vec3(0.5, 0, 0.2), 0.5, 0);
  prescribed(w, Vec3(0.1, 0.5, 0.5), Vec3(0, 0, 0.6), Vec3(0.5, 0, 0));
  CHECK(watch(w, 185).infeasible == 0);  // 0.2 m to the box, 0.2 m with it to the wall
  CHECK(watch(w, 100).infeasible > 90);
}

TEST_CASE("heavy loads, deep starts, impacts and drives that find a way are feasible", "[step][infeasible]") {
  SECTION("a lift carries 1,000 kg on 100 g") {
    world::World w(settings());
    prescribed(w, Vec3(0.5, 0.5, 0.1), Vec3(0, 0, 0), Vec3(0, 0, 0.3));
    test::addBox(w, Vec3(0.2, 0.2, 0.1), 0.1, Vec3(0, 0, 0.2), 0.5, 0);
    test::addBox(w, Vec3(0.2, 0.2, 0.1), 1000, Vec3(0, 0, 0.4), 0.5, 0);
    CHECK(watch(w, 480).infeasible == 0);
  }
  SECTION("a lift carries a tower of twenty") {
    world::World w(settings());
    prescribed(w, Vec3(0.5, 0.5, 0.1), Vec3(0, 0, 0), Vec3(0, 0, 0.3));
    for (int i = 0; i < 20; i++) test::addBox(w, Vec3(0.2, 0.2, 0.1), 1, Vec3(0, 0, 0.2 + 0.2 * i), 0.5, 0);
    CHECK(watch(w, 480).infeasible == 0);
  }
  SECTION("boxes that start deep in the floor and in each other, one of them drawn along") {
    world::World w(settings());
    test::addGround(w, 0.5, 0);
    for (int i = 0; i < 4; i++) test::addBox(w, Vec3(0.2, 0.2, 0.2), 1 + 99 * (i % 2), Vec3(0.25 * i, 0, 0.1), 0.5, 0);
    const int led = test::addBox(w, Vec3(0.2, 0.2, 0.2), 10, Vec3(0, 1, 0.05), 0.5, 0);
    JointDefinition d;
    d.constraint = ConstraintType::AxisLinear;
    d.b = led;
    d.axis = Vec3::UnitX();
    int joint;
    REQUIRE_FALSE(w.createJoint(d, joint));
    MotorSettings m;
    m.mode = MotorMode::Velocity;
    m.velocity = 0.5;
    m.damping = kInf;
    REQUIRE_FALSE(w.setMotor(joint, 0, m));
    CHECK(watch(w, 480).infeasible == 0);
  }
  SECTION("a bar drawn without a bound clears a pile away") {
    world::World w(settings());
    test::addGround(w, 0.5, 0);
    for (int i = 0; i < 27; i++)
      test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0.5 + 0.21 * (i % 3), -0.21 + 0.21 * (i / 3 % 3), 0.1 + 0.2 * (i / 9)), 0.5, 0);
    const int bar = test::addBox(w, Vec3(0.1, 1, 0.2), 2, Vec3(0, 0, 0.25), 0.5, 0);
    lead(w, bar, 1, kInf, kInf);
    CHECK(watch(w, 480).infeasible == 0);
    CHECK(w.bodyPose(bar).p.x() > 1.9);
  }
  SECTION("a prescribed bat strikes a ball") {
    world::World w(settings());
    test::addGround(w, 0.5, 0.3);
    test::addBall(w, 0.1, 0.1, Vec3(0.5, 0, 0.1), 0.5, 0.8);
    prescribed(w, Vec3(0.05, 0.5, 0.5), Vec3(0, 0, 0.5), Vec3(8, 0, 0));
    CHECK(watch(w, 240).infeasible == 0);
  }
}
