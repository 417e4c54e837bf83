// A step allocates nothing: after an identical run, or after reserve. Operator new is counted, so this is a program of its own.
#include <atomic>
#include <cstdlib>
#include <new>

#include "engine/driveline/driveline.hpp"
#include "engine/particles/particles.hpp"
#include "tests/engine/world/scenes.hpp"

namespace {
bool counting = false;
std::atomic<long> allocations{0};
}  // namespace

void* operator new(std::size_t n) {
  if (counting) allocations++;
  if (void* p = std::malloc(n ? n : 1)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t n, std::align_val_t a) {
  if (counting) allocations++;
  const std::size_t align = static_cast<std::size_t>(a);
  if (void* p = std::aligned_alloc(align, (n + align - 1) / align * align)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

using namespace vertebra;

namespace {

void build(world::World& w, int boxes) {
  test::addGround(w, 0.6, 0);
  for (int i = 0; i < boxes; i++)
    test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0.21 * (i % 5) + 0.01 * (i / 25), 0.21 * (i / 5 % 5), 0.3 + 0.25 * (i / 25)), 0.5, 0);
  // A figure with limits falling on the plane, a motor, and a cycle beside it.
  const test::Chain figure = test::addChain(w, 6, 0.3, 1, test::addBox(w, Vec3(0.1, 0.1, 0.1), 2, Vec3(4, 0, 2.2), 0.5, 0));
  for (int b : figure.bodies) test::addShape(w, b, geometry::ShapeType::Capsule, Vec3(0.04, 0.1, 0), 0.5, 0);
  for (int j : figure.joints) {
    dynamics::AxisParameters p;
    p.lower = -0.5;
    p.upper = 0.7;
    p.friction = 0.1;
    p.damping = 0.1;
    REQUIRE_FALSE(w.setAxis(j, 0, p));
  }
  MotorSettings m;
  m.mode = MotorMode::Velocity;
  m.velocity = 4;
  m.damping = 5;
  m.maxForce = 3;
  REQUIRE_FALSE(w.setMotor(figure.joints[2], 0, m));
  BodyDefinition frame;  // a bob on a gimbal, massless where the tree solver allows it
  if (w.settings().stepper != Stepper::Displacement) {
    frame.mass = 0;
    frame.inertia = Mat3::Zero();
  }
  frame.pose.p = Vec3(-4, 0, 2);
  const int gimbal = w.createBody(frame);
  test::addJoint(w, dynamics::JointType::Revolute, -1, gimbal, frame.pose.p, Vec3::Zero(), Vec3::UnitX());
  test::addJoint(w, dynamics::JointType::Revolute, gimbal, test::addRod(w, 0.5, 1), Vec3::Zero(), Vec3(0, 0, 0.25), Vec3::UnitY());
  const test::Chain ring = test::addChain(w, 4, 0.3, 1, -1, dynamics::JointType::Spherical);
  JointDefinition close;
  close.type = dynamics::JointType::Spherical;
  close.a = ring.bodies[3];
  close.frameA.p = Vec3(0, 0, -0.15);
  close.asTheyStand = true;
  int id;
  REQUIRE_FALSE(w.createJoint(close, id));
  for (const double stiffness : {50.0, 1e6}) {  // bobs on a spring that is a force, and on one that is a row
    JointDefinition spring;
    spring.constraint = ConstraintType::Distance;
    spring.frameA.p = Vec3(-6, stiffness > 1e3 ? 1 : 0, 2);
    spring.b = test::addBall(w, 0.1, 1, spring.frameA.p - Vec3(0.2, 0, 0.8), 0.5, 0);
    REQUIRE_FALSE(w.createJoint(spring, id));
    dynamics::AxisParameters p;
    p.stiffness = stiffness;
    p.rest = 0.8;
    REQUIRE_FALSE(w.setAxis(id, 0, p));
  }
  // An engine that accelerates through a clutch.
  int shaft[2];
  JointDefinition rotor;
  rotor.rotor = true;
  for (int& s : shaft) REQUIRE_FALSE(w.createJoint(rotor, s));
  driveline::DrivelineDefinition part;
  part.axes = {{shaft[0], 0, 1}};
  part.speeds = {0, 100};
  part.throttles = {0};
  part.torques = {20, 0};
  part.friction[0] = 1;
  REQUIRE_FALSE(w.createDriveline(part, id));
  part.type = driveline::DrivelineType::Gearbox;
  part.axes.push_back({shaft[1], 0, 1});
  part.ratios = {2};
  part.maxTorque = 5;
  part.drag = 1;
  REQUIRE_FALSE(w.createDriveline(part, id));
  // A sensor of each type, two of them with the longest way through a tree and its contacts.
  for (const SensorType type :
       {SensorType::Pose, SensorType::Velocity, SensorType::Acceleration, SensorType::Imu, SensorType::ForceTorque, SensorType::Touch}) {
    SensorDefinition d;
    d.type = type;
    (type == SensorType::ForceTorque ? d.joint : d.body) = type == SensorType::ForceTorque ? figure.joints[0] : figure.bodies[0];
    REQUIRE_FALSE(w.createSensor(d, id));
  }
  // A fountain over it all.
  particles::ParticleDefinition drops;
  drops.maxCount = 200;
  REQUIRE_FALSE(w.createParticles(drops, id));
  particles::EmitterDefinition fountain;
  fountain.position = Vec3(0, 0, 1.5);
  fountain.coneAngle = 1;
  fountain.rate = 300;
  fountain.life = 0.8;
  REQUIRE_FALSE(w.setEmitters(id, {fountain}));
}

// Every third body: boxes that fall one by one into a heap, parts of the figure.
void giveOwnSteps(world::World& w) {
  for (int b = 0; b < w.bodyCapacity(); b += 3) {
    Integration own{w.settings().timeStep / (2 << b % 2), -1};
    if (w.settings().stepper == Stepper::Ode && b % 2) own.integrator = static_cast<int>(Integrator::DormandPrince);
    if (w.bodyAlive(b)) REQUIRE_FALSE(w.setBodyIntegration(b, own));
  }
}

long countSteps(world::World& w, int steps) {
  bool good = true;
  allocations = 0;
  counting = true;
  for (int i = 0; i < steps; i++) good &= !w.step();
  counting = false;
  REQUIRE(good);
  return allocations;
}

}  // namespace

TEST_CASE("a step allocates nothing after an identical run, nor after reserve", "[step]") {
  for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense})
    for (solve::Solver solver :
         {solve::Solver::Pgs, solve::Solver::Dantzig, solve::Solver::Jacobi, solve::Solver::Cg, solve::Solver::Lemke})
      for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook, Stepper::Displacement}) {
        if (stepper == Stepper::Displacement && (solver != solve::Solver::Pgs || treeSolver != TreeSolver::Articulated))
          continue;  // its own sweeps, no trees
        if (treeSolver != TreeSolver::Articulated && solver != solve::Solver::Pgs && solver != solve::Solver::Dantzig)
          continue;  // solvers see rows, whatever made them
        WorldSettings s;
        s.treeSolver = treeSolver;
        s.solver = solver;
        s.stepper = stepper;
        // Some on several threads: the work of each thread differs from run to run.
        s.threads = stepper == Stepper::Impulse || (stepper == Stepper::Variational && solver == solve::Solver::Dantzig) ? 3 : 1;
        const bool big = treeSolver == TreeSolver::Articulated && solver == solve::Solver::Pgs;
        const int steps = test::stepsOf(stepper == Stepper::Displacement ? 60 : big ? 240 : 120), boxes = big ? 50 : 6;
        world::World w(s);
        build(w, boxes);
        const bool groups = (solver == solve::Solver::Dantzig || solver == solve::Solver::Cg) && stepper != Stepper::Variational;
        if (groups) giveOwnSteps(w);
        std::vector<std::uint8_t> start;
        w.save(start);
        const long first = countSteps(w, steps);
        REQUIRE_FALSE(w.restore(start.data(), start.size()));
        w.resetStatistics();
        const long again = countSteps(w, steps);
        world::World reserved(s);
        build(reserved, boxes);
        if (groups) giveOwnSteps(reserved);
        REQUIRE_FALSE(reserved.reserve(2000));
        const long afterReserve = countSteps(reserved, steps);
        INFO("tree solver " << int(treeSolver) << ", solver " << int(solver) << ", stepper " << int(stepper) << ": fresh " << first
                            << ", again " << again << ", after reserve " << afterReserve);
        CHECK(again == 0);
        CHECK(afterReserve == 0);
      }
}
