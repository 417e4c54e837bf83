// Same calls, same bits: two worlds, snapshots into the same and into another world; damaged snapshots are rejected without a change.
#include <cmath>
#include <memory>

#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

// A mixed scene: pile, arms with saturated motors, limits and dry friction, a cycle, springs, moving base, powered axis. `groups`: some
// bodies with their own steps, with and without contact between them.
std::unique_ptr<world::World> makeScene(TreeSolver treeSolver, solve::Solver solver, Stepper stepper = Stepper::Impulse,
                                        bool groups = false) {
  WorldSettings s;
  s.stepper = stepper;
  s.treeSolver = treeSolver;
  s.solver = solver;
  s.sleepTime = 0.3;
  auto world = std::make_unique<world::World>(s);
  world::World& w = *world;
  test::addGround(w, 0.6, 0.1);
  for (int i = 0; i < 5; i++) test::addBox(w, Vec3(0.1, 0.12, 0.08), 1, Vec3(0.03 * i, 0.02 * i, 0.1 + 0.2 * i), 0.5, 0);
  const int ball = test::addBall(w, 0.1, 0.5, Vec3(2, 0, 0.5), 0.5, 0.6);
  test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(-3, 0, 0.1), 0.5, 0);  // sleeps soon
  // Arm: motors at their bounds, limits, friction, springs.
  BodyDefinition b;
  b.pose.p = Vec3(5, 0, 3);
  b.kind = BodyKind::Kinematic;
  b.velocity = Vec3(0, 0.2, 0);
  b.omega = Vec3(0, 0, 0.3);
  const int base = w.createBody(b);
  const test::Chain arm = test::addChain(w, 6, 0.3, 1, base);
  for (int i = 0; i < 6; i++) {
    dynamics::AxisParameters p;
    p.lower = -1;
    p.upper = 1.2;
    p.friction = i == 2 ? 0.3 : 0;
    p.stiffness = i == 3 ? 5 : 0;
    p.armature = 0.01;
    REQUIRE_FALSE(w.setAxis(arm.joints[i], 0, p));
  }
  MotorSettings m;
  m.mode = MotorMode::Position;
  m.position = 0.9;
  m.stiffness = 1000;
  m.damping = 10;
  m.maxForce = 2;
  REQUIRE_FALSE(w.setMotor(arm.joints[0], 0, m));
  m.mode = MotorMode::Velocity;
  m.velocity = 5;
  REQUIRE_FALSE(w.setMotor(arm.joints[4], 0, m));
  // A chain with an extreme start: halves its steps.
  const test::Chain wild = test::addChain(w, 5, 0.3, 1);
  for (int j : wild.joints) {
    const double q = 2.5, v = 9;
    if (stepper == Stepper::Displacement)
      REQUIRE_FALSE(w.setBodyTwist(w.joint(j).b, Vec3(v, 0, 0), Vec3::Zero(), nullptr));
    else
      REQUIRE_FALSE(w.setJointState(j, &q, &v));
  }
  // Cycle.
  const test::Chain ring = test::addChain(w, 3, 0.4, 1, -1, dynamics::JointType::Spherical);
  JointDefinition close;
  close.type = dynamics::JointType::Spherical;
  close.a = ring.bodies[2];
  close.frameA.p = Vec3(0, 0, -0.2);
  close.asTheyStand = true;
  int id;
  REQUIRE_FALSE(w.createJoint(close, id));
  JointDefinition axis;
  axis.constraint = ConstraintType::AxisAngular;
  axis.a = base;
  axis.b = arm.bodies[2];
  axis.axis = Vec3::UnitY();
  REQUIRE_FALSE(w.createJoint(axis, id));
  m.maxForce = 1;
  REQUIRE_FALSE(w.setMotor(id, 0, m));
  // Bounded rows over several axes, and user rows: their impulses are state, too.
  CouplingDefinition gear = ratioCoupling(arm.joints[1], arm.joints[3], 0.5, 0.1);
  gear.maxForce = 0.5;
  REQUIRE_FALSE(w.createCoupling(gear, id));
  UserConstraintDefinition drive;
  drive.bodies = {ball};
  drive.rows = 2;
  drive.evaluate = [](void*, int, UserRow* rows) {
    for (int k = 0; k < 2; k++) {
      rows[k].velocityLevel = true;
      rows[k].rate = 0.3;
      rows[k].lower = -0.4;
      rows[k].upper = 0.4 + k;
      rows[k].bodies[k] = 1;
    }
    return 2;
  };
  REQUIRE_FALSE(w.createConstraint(drive, id));
  if (groups) {
    const double h = s.timeStep;
    const std::pair<int, double> own[] = {{3, h / 2}, {arm.bodies[1], h / 4}, {wild.bodies[0], h / 3}, {ring.bodies[1], h / 2}};
    for (const auto& [body, step] : own) REQUIRE_FALSE(w.setBodyIntegration(body, {step, -1}));
    const int striker = test::addBall(w, 0.1, 0.5, Vec3(0, -3, 0.6), 0.5, 0.6);
    REQUIRE_FALSE(w.setBodyTwist(striker, Vec3(0, 6, 1), Vec3::Zero(), nullptr));
    REQUIRE_FALSE(w.setBodyIntegration(striker, {h / 8, -1}));
  }
  return world;
}

constexpr solve::Solver kSolvers[] = {solve::Solver::Pgs, solve::Solver::Dantzig, solve::Solver::Jacobi, solve::Solver::Cg,
                                      solve::Solver::Lemke};

constexpr int kDear = 60;  // steps of `displacement`, whose step of such a scene takes some 0.1 s

void advance(world::World& w, int steps) {
  for (int i = 0; i < steps; i++) {
    const Failure f = w.step();
    INFO(f.text());
    REQUIRE_FALSE(f);
  }
}

}  // namespace

TEST_CASE("two runs of the same calls are equal to the last bit", "[step]") {
  for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense})
    for (solve::Solver solver : kSolvers)
      for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook, Stepper::Displacement}) {
        if (stepper == Stepper::Displacement && (solver != solve::Solver::Pgs || treeSolver != TreeSolver::Articulated))
          continue;  // its own sweeps, no trees
        if (treeSolver != TreeSolver::Articulated && solver != solve::Solver::Pgs && solver != solve::Solver::Dantzig)
          continue;  // solvers see rows, whatever made them
        auto a = makeScene(treeSolver, solver, stepper), b = makeScene(treeSolver, solver, stepper);
        const int steps = test::stepsOf(stepper == Stepper::Displacement ? kDear : 240);
        for (int i = 0; i < steps; i++) {
          advance(*a, 1);
          advance(*b, 1);
          INFO("tree solver " << int(treeSolver) << ", solver " << int(solver) << ", stepper " << int(stepper) << ", step " << i);
          REQUIRE(a->hash() == b->hash());
        }
      }
}

TEST_CASE("multirate: equal runs, and resumed ones, to the last bit", "[step][multirate]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Ode, Stepper::Spook})
    for (solve::Solver solver : kSolvers) {
      if (solver != solve::Solver::Pgs && stepper != Stepper::Impulse) continue;  // time
      const int saved = solver == solve::Solver::Pgs ? 90 : 60, end = solver == solve::Solver::Pgs ? 250 : 110;
      auto a = makeScene(TreeSolver::Articulated, solver, stepper, true), b = makeScene(TreeSolver::Articulated, solver, stepper, true);
      std::vector<std::uint8_t> bytes;
      std::vector<std::uint64_t> hashes;
      for (int i = 0; i < end; i++) {
        if (i == saved) a->save(bytes);
        advance(*a, 1);
        advance(*b, 1);
        hashes.push_back(a->hash());
        INFO("stepper " << int(stepper) << ", solver " << int(solver) << ", step " << i);
        REQUIRE(b->hash() == hashes.back());
      }
      CHECK(a->statistics().merges > 0);
      auto other = makeScene(TreeSolver::Articulated, solver, stepper, true);
      REQUIRE_FALSE(other->restore(bytes.data(), bytes.size()));
      for (int i = saved; i < end; i++) {
        advance(*other, 1);
        INFO("stepper " << int(stepper) << ", solver " << int(solver) << ", resumed, step " << i);
        REQUIRE(other->hash() == hashes[i]);
      }
    }
}

TEST_CASE("a restored world resumes to the last bit, this one and another of the same calls", "[step]") {
  int halvings = 0, sleepers = 0, contacts = 0;
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook, Stepper::Displacement})
    for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense})
      for (int before : {0, 1, 37, 200}) {
        if (stepper == Stepper::Displacement && (treeSolver != TreeSolver::Articulated || before == 1 || before == 37))
          continue;  // no trees; dear
        const int steps = test::stepsOf(stepper == Stepper::Displacement ? kDear : 150);
        auto a = makeScene(treeSolver, solve::Solver::Pgs, stepper);
        advance(*a, before);
        std::vector<std::uint8_t> bytes, more;
        a->save(bytes);
        const std::uint64_t start = a->hash();
        std::vector<std::uint64_t> hashes;
        for (int i = 0; i < steps; i++) {
          advance(*a, 1);
          hashes.push_back(a->hash());
        }
        halvings += a->statistics().halvings;
        sleepers += a->statistics().sleepingBodies;
        contacts += a->statistics().contacts;
        auto other = makeScene(treeSolver, solve::Solver::Pgs, stepper);
        advance(*other, 5);
        for (world::World* w : {a.get(), other.get()}) {
          REQUIRE_FALSE(w->restore(bytes.data(), bytes.size()));
          REQUIRE(w->hash() == start);
          for (int i = 0; i < steps; i++) {
            advance(*w, 1);
            INFO("tree solver " << int(treeSolver) << ", stepper " << int(stepper) << ", saved at " << before
                                << (w == a.get() ? ", same world" : ", another world") << ", step " << i);
            REQUIRE(w->hash() == hashes[i]);
          }
        }
      }
  CHECK(halvings > 0);  // otherwise the scene shows nothing
  CHECK(sleepers > 0);
  CHECK(contacts > 0);
}

// PGS is above. Dantzig starts from the index sets of the last step, the others from its impulses.
TEST_CASE("a world resumes to the last bit under every other solver", "[step]") {
  int contacts = 0, iterations = 0;
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook})
    for (solve::Solver solver : {solve::Solver::Dantzig, solve::Solver::Jacobi, solve::Solver::Cg, solve::Solver::Lemke}) {
      auto a = makeScene(TreeSolver::Articulated, solver, stepper), other = makeScene(TreeSolver::Articulated, solver, stepper);
      advance(*a, 45);
      advance(*other, 5);
      std::vector<std::uint8_t> bytes;
      a->save(bytes);
      std::vector<std::uint64_t> hashes;
      for (int i = 0; i < 50; i++) {
        advance(*a, 1);
        hashes.push_back(a->hash());
      }
      contacts += a->statistics().contacts;
      iterations += a->statistics().solverIterations;
      for (world::World* w : {a.get(), other.get()}) {
        REQUIRE_FALSE(w->restore(bytes.data(), bytes.size()));
        for (int i = 0; i < 50; i++) {
          advance(*w, 1);
          INFO("stepper " << int(stepper) << ", solver " << int(solver) << (w == a.get() ? ", same world" : ", another world") << ", step "
                          << i);
          REQUIRE(w->hash() == hashes[i]);
        }
      }
    }
  CHECK(contacts > 0);
  CHECK(iterations > 0);
}

TEST_CASE("an arm whose torque is set anew after a restore resumes to the last bit", "[step]") {
  WorldSettings s;
  s.sleeping = false;
  world::World first(s), second(s);
  test::Chain arm;
  for (world::World* w : {&first, &second}) arm = test::addChain(*w, 5, 0.3, 1);
  auto drive = [&](world::World& w, int step) {
    MotorSettings m;
    m.mode = MotorMode::Torque;
    m.force = 3 * std::sin(0.05 * step);
    for (int j : arm.joints) REQUIRE_FALSE(w.setMotor(j, 0, m));
    REQUIRE_FALSE(w.step());
  };
  for (int i = 0; i < 300; i++) drive(first, i);
  std::vector<std::uint8_t> bytes;
  first.save(bytes);
  REQUIRE_FALSE(second.restore(bytes.data(), bytes.size()));
  for (int i = 300; i < 400; i++) {
    drive(first, i);
    drive(second, i);
    REQUIRE(first.hash() == second.hash());
  }
}

// A heavy ball on light links is thrown against a wall, and a ball that a stiff field holds against a floor: both strike before they move.
TEST_CASE("what is thrown strikes alike, whatever the last step left in its tree", "[step]") {
  const auto holds = [](void* user, int, int body, double* force, double*) {
    const Vec3 p = static_cast<const world::World*>(user)->bodyPose(body).p - Vec3(5, 0, 0.35);
    for (int k = 0; k < 3; k++) force[k] -= 1e6 * p[k];
    return true;
  };
  const auto make = [&] {
    WorldSettings s;
    s.sleeping = false;
    auto world = std::make_unique<world::World>(s);
    test::addShape(*world, -1, geometry::ShapeType::Box, Vec3(0.1, 1, 1), 0.5, 0.8, {Vec3(0.45, 0, -0.8), Quat::Identity()});
    test::addShape(*world, -1, geometry::ShapeType::Box, Vec3(1, 1, 0.1), 0.5, 0.8, {Vec3(5, 0, -0.1), Quat::Identity()});
    const test::Chain chain = test::addChain(*world, 8, 0.1, 0.05);
    const int load = test::addBall(*world, 0.1, 50, Vec3(0, 0, -0.9), 0.5, 0.8);
    test::addJoint(*world, dynamics::JointType::Spherical, chain.bodies.back(), load, Vec3(0, 0, -0.05), Vec3(0, 0, 0.1));
    const int held = test::addBall(*world, 0.1, 1, Vec3(5, 0, 0.35), 0.5, 0.8);
    FieldDefinition d;
    d.type = FieldType::User;
    d.evaluate = holds;
    d.implicit = true;
    d.user = world.get();
    d.bodies = {held};
    int field = -1;
    REQUIRE_FALSE(world->createField(d, field));
    return world;
  };
  const auto first = make(), second = make();
  double angle = 0, rate = 1;
  REQUIRE_FALSE(first->setJointState(0, &angle, &rate));  // it swings
  test::advance(*first, 20);
  rate = -100;
  first->jointState(0, &angle, nullptr);
  REQUIRE_FALSE(first->setJointState(0, &angle, &rate));  // and with its first rod all that hangs on it
  REQUIRE_FALSE(first->setBodyTwist(9, Vec3(0, 0, -60), Vec3(0, 30, 0), nullptr));
  std::vector<std::uint8_t> bytes;
  first->save(bytes);
  test::advance(*first, 1);
  CHECK(first->statistics().contacts > 0);
  const std::uint64_t after = first->hash();
  test::advance(*first, 30);
  REQUIRE_FALSE(first->restore(bytes.data(), bytes.size()));
  REQUIRE_FALSE(second->restore(bytes.data(), bytes.size()));
  for (world::World* w : {first.get(), second.get()}) {
    test::advance(*w, 1);
    CHECK(w->hash() == after);
  }
}

TEST_CASE("islands awake after a snapshot do not wake sleeping ones restored from it", "[step]") {
  WorldSettings s;
  s.sleepTime = 0.2;
  world::World w(s);
  test::addGround(w, 0.5, 0);
  const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1), 0.5, 0);
  advance(w, 240);
  REQUIRE_FALSE(w.bodyAwake(box));
  std::vector<std::uint8_t> bytes;
  w.save(bytes);
  w.wakeBody(box);
  advance(w, 10);
  REQUIRE(w.bodyAwake(box));
  REQUIRE_FALSE(w.restore(bytes.data(), bytes.size()));
  for (int i = 0; i < 20; i++) {
    advance(w, 1);
    REQUIRE_FALSE(w.bodyAwake(box));
  }
}

TEST_CASE("damaged snapshots are refused and change nothing", "[step]") {
  auto w = makeScene(TreeSolver::Articulated, solve::Solver::Pgs);
  advance(*w, 60);
  std::vector<std::uint8_t> bytes;
  w->save(bytes);
  advance(*w, 10);
  const std::uint64_t before = w->hash();
  test::Random random(1);
  for (int i = 0; i < 300; i++) {
    std::vector<std::uint8_t> bad = bytes;
    if (i % 3 == 0)
      bad.resize(random.below(static_cast<int>(bad.size())));
    else if (i % 3 == 1)
      bad[random.below(static_cast<int>(bad.size()))] ^= static_cast<std::uint8_t>(1 + random.below(255));
    else
      bad.push_back(0);
    REQUIRE(w->restore(bad.data(), bad.size()));
    REQUIRE(w->hash() == before);
  }
  world::World empty{WorldSettings()};
  CHECK(empty.restore(bytes.data(), bytes.size()));
  CHECK_FALSE(w->restore(bytes.data(), bytes.size()));
}

// Impacts of what was set in motion are foreseen before the step's own forces are known.
TEST_CASE("a driven figure that was set in motion meets a wall alike after each restore", "[step]") {
  world::World w{WorldSettings()};
  const test::Chain arm = test::addChain(w, 3, 0.3, 1);
  for (int b : arm.bodies) test::addShape(w, b, geometry::ShapeType::Sphere, Vec3(0.05, 0, 0), 0.5, 0);
  for (int j : arm.joints) {
    dynamics::AxisParameters p;
    p.stiffness = 3000;
    p.damping = 40;
    REQUIRE_FALSE(w.setAxis(j, 0, p));
  }
  BodyDefinition wall;
  wall.kind = BodyKind::Static;
  wall.pose.p = w.bodyPose(arm.bodies[2]).p + Vec3(0.2, 0, 0);
  test::addShape(w, w.createBody(wall), geometry::ShapeType::Box, Vec3(0.05, 1, 1), 0.5, 0);
  REQUIRE_FALSE(w.setBodyTwist(arm.bodies[2], Vec3(80, 0, 0), Vec3::Zero(), nullptr));
  std::vector<std::uint8_t> bytes;
  w.save(bytes);
  std::uint64_t first = 0;
  for (int run = 0; run < 3; run++) {
    REQUIRE_FALSE(w.restore(bytes.data(), bytes.size()));
    advance(w, 2);
    if (run == 0) first = w.hash();
    CHECK(w.hash() == first);
    advance(w, 20 * (run + 1));
  }
}
