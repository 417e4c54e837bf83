// A step on several threads, of the engine or of a host, gives the same bits as on one; so do many worlds on the same threads.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>

#include "engine/tasks/task_pool.hpp"
#include "engine/world/worlds.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

using Scene = std::function<void(world::World&)>;

void heap(world::World& w) {
  test::addGround(w, 0.6, 0.1);
  for (int i = 0; i < 60; i++)
    test::addBox(w, Vec3(0.1, 0.12, 0.08), 1, Vec3(0.13 * (i % 4), 0.11 * (i / 4 % 3), 0.1 + 0.2 * (i / 12)), 0.5, 0);
  for (int i = 0; i < 10; i++) test::addBall(w, 0.1, 0.5, Vec3(0.1 * i, 0.1, 2 + 0.3 * i), 0.5, 0.6);
}

void towers(world::World& w) {
  test::addGround(w, 0.6, 0);
  for (int i = 0; i < 80; i++) test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0.5 * (i % 20), 0.01 * (i % 3), 0.1 + 0.2 * (i / 20)), 0.5, 0);
  const int fast = test::addBall(w, 0.05, 2, Vec3(-6, 0, 0.5), 0.5, 0.6);
  REQUIRE_FALSE(w.setBodyTwist(fast, Vec3(60, 0, 0), Vec3::Zero(), nullptr));
}

// Limp figures apart from each other, with limits and friction, that fall on the ground; every fourth one stays in the air.
void ragdolls(world::World& w) {
  test::addGround(w, 0.6, 0);
  for (int i = 0; i < 24; i++) {
    const int root = test::addBox(w, Vec3(0.1, 0.1, 0.1), 2, Vec3(3.0 * (i % 6), 3.0 * (i / 6), 1.4 + (i % 4 == 0 ? 3 : 0)), 0.5, 0);
    const test::Chain chain = test::addChain(w, 4, 0.3, 1, root, i % 2 ? dynamics::JointType::Spherical : dynamics::JointType::Revolute);
    for (int b : chain.bodies) test::addShape(w, b, geometry::ShapeType::Capsule, Vec3(0.04, 0.1, 0), 0.5, 0);
    for (int j : chain.joints)
      for (int k = 0; k < w.jointAxes(j); k++) {
        dynamics::AxisParameters p;
        if (w.jointAxes(j) == 1) {
          p.lower = -0.5;
          p.upper = 0.7 + 0.01 * i;
        }
        p.friction = 0.1;
        p.damping = 0.1;
        REQUIRE_FALSE(w.setAxis(j, k, p));
      }
  }
}

// Many of each, apart: arms with motors at their bounds, limits and springs, chains with extreme starts, cycles, gears, user rows.
void machines(world::World& w) {
  test::addGround(w, 0.6, 0);
  for (int i = 0; i < 8; i++) {
    BodyDefinition b;
    b.pose.p = Vec3(4.0 * i, 0, 2.5);
    b.kind = BodyKind::Kinematic;
    b.velocity = Vec3(0, 0.1, 0);
    b.omega = Vec3(0, 0, 0.2 * i);
    const test::Chain arm = test::addChain(w, 5, 0.3, 1, w.createBody(b));
    for (int k = 0; k < 5; k++) {
      dynamics::AxisParameters p;
      p.lower = -1;
      p.upper = 1.2;
      p.friction = k == 2 ? 0.3 : 0;
      p.stiffness = k == 3 ? 5 : 0;
      p.armature = 0.01;
      REQUIRE_FALSE(w.setAxis(arm.joints[k], 0, p));
    }
    MotorSettings m;
    m.mode = MotorMode::Position;
    m.position = 0.9;
    m.stiffness = 1000;
    m.damping = 10;
    m.maxForce = 2 + 0.1 * i;
    REQUIRE_FALSE(w.setMotor(arm.joints[0], 0, m));
    m.mode = MotorMode::Velocity;
    m.velocity = 5;
    REQUIRE_FALSE(w.setMotor(arm.joints[4], 0, m));
    const test::Chain wild = test::addChain(w, 4, 0.3, 1);
    for (int j : wild.joints) {
      const double q = 2.5, v = 6 + 0.3 * i;
      if (w.settings().stepper != Stepper::Displacement) REQUIRE_FALSE(w.setJointState(j, &q, &v));
    }
    const test::Chain ring = test::addChain(w, 3, 0.4, 1, -1, dynamics::JointType::Spherical);
    JointDefinition close;
    close.type = dynamics::JointType::Spherical;
    close.a = ring.bodies[2];
    close.frameA.p = Vec3(0.01 * i, 0, -0.2);
    close.asTheyStand = true;
    int id;
    REQUIRE_FALSE(w.createJoint(close, id));
    CouplingDefinition gear = ratioCoupling(arm.joints[1], arm.joints[3], 0.5, 0.1);
    if (i % 2) gear.maxForce = 0.5;
    REQUIRE_FALSE(w.createCoupling(gear, id));
    if (i % 4) continue;
    const int ball = test::addBall(w, 0.1, 0.5, Vec3(4.0 * i, 3, 0.5), 0.5, 0.6);
    UserConstraintDefinition drive;
    drive.bodies = {ball};
    drive.rows = 1;
    drive.evaluate = [](void* user, int, UserRow* rows) {
      REQUIRE(*static_cast<std::thread::id*>(user) == std::this_thread::get_id());
      rows[0].velocityLevel = true;
      rows[0].rate = 0.3;
      rows[0].lower = -0.4;
      rows[0].upper = 0.4;
      rows[0].bodies[0] = 1;
      return 1;
    };
    static std::thread::id caller;
    caller = std::this_thread::get_id();
    drive.user = &caller;
    REQUIRE_FALSE(w.createConstraint(drive, id));
  }
}

void groups(world::World& w) {
  machines(w);
  heap(w);
  for (int b = 0; b < w.bodyCapacity(); b += 3)
    if (w.bodyAlive(b) && w.bodyKind(b) == BodyKind::Dynamic)
      REQUIRE_FALSE(w.setBodyIntegration(b, {w.settings().timeStep / (2 << b % 2), -1}));
}

// A host that runs each task on a thread of its own, the first of a loop immediately in enqueue and the second only in finish.
struct Host {
  struct Task {
    void (*task)(void*);
    void* context;
    std::thread thread;
  };
  Task tasks[16];
  int begun = 0;
  static void* enqueue(void* user, void (*task)(void*), void* context) {
    Host& h = *static_cast<Host*>(user);
    Task& t = h.tasks[h.begun % 16];
    t.task = nullptr;
    const int n = h.begun++;
    if (n % 3 == 0) {
      task(context);
    } else if (n % 3 == 1) {
      t.task = task;
      t.context = context;
    } else {
      t.thread = std::thread(task, context);
    }
    return &t;
  }
  static void finish(void*, void* enqueued) {
    Task& t = *static_cast<Task*>(enqueued);
    if (t.task) t.task(t.context);
    if (t.thread.joinable()) t.thread.join();
  }
};

std::vector<std::uint64_t> run(const WorldSettings& s, const Scene& scene, int steps, Host* host = nullptr) {
  world::World w(s);
  scene(w);
  if (host) w.setTaskHost({4, host, Host::enqueue, Host::finish});
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < steps; i++) {
    const Failure f = w.step();
    hashes.push_back(w.hash() + static_cast<std::uint64_t>(f.kind()));
    // The order of summation is fixed, too.
    const EnergyAccount e = w.energy();
    for (double x : {e.workDrives, e.lostDamping, e.lostFriction, e.lostImpact, e.lostClamp, e.corrected, e.discretisation,
                     w.statistics().solverResidual}) {
      std::uint64_t bits;
      std::memcpy(&bits, &x, sizeof bits);
      hashes.back() = (hashes.back() ^ bits) * 1099511628211ull;
    }
    hashes.back() += static_cast<std::uint64_t>(w.statistics().rows + 1000 * w.statistics().halvings);
  }
  return hashes;
}

void compare(const char* name, WorldSettings s, const Scene& scene, int most) {
  const int steps = test::stepsOf(most);
  s.threads = 1;
  const std::vector<std::uint64_t> one = run(s, scene, steps);
  std::printf("%-28s stepper %d, %3d steps, threads 1 2 4 8 host: %016llx", name, int(s.stepper), steps,
              static_cast<unsigned long long>(one.back()));
  for (int threads : {2, 4, 8, 0}) {
    s.threads = std::max(1, threads);
    Host host;
    const std::vector<std::uint64_t> many = run(s, scene, steps, threads == 0 ? &host : nullptr);
    std::printf(" %016llx", static_cast<unsigned long long>(many.back()));
    INFO(name << ", stepper " << int(s.stepper) << ", " << threads << " threads (0: a host's)");
    for (int i = 0; i < steps; i++) {
      INFO("step " << i);
      REQUIRE(many[i] == one[i]);
    }
  }
  std::printf("\n");
}

}  // namespace

TEST_CASE("a step on several threads gives the bits of one thread", "[step][threads]") {
  WorldSettings s;
  s.sleepTime = 0.3;
  for (Stepper stepper : {Stepper::Impulse, Stepper::Spook, Stepper::Variational, Stepper::Ode, Stepper::Displacement}) {
    s.stepper = stepper;
    const int steps = stepper == Stepper::Ode || stepper == Stepper::Displacement ? 40 : 150;
    compare("heap", s, heap, steps);
    compare("towers and a fast ball", s, towers, steps);
    if (stepper != Stepper::Displacement) compare("ragdolls", s, ragdolls, steps);
    compare("machines", s, machines, steps);
  }
  s.stepper = Stepper::Impulse;
  compare("groups with own steps", s, groups, 120);
  s.energyAccount = true;
  compare("machines, energy account", s, machines, 120);
  compare("ragdolls, energy account", s, ragdolls, 120);
  s.energyAccount = false;
  for (TreeSolver treeSolver : {TreeSolver::Sparse, TreeSolver::Dense}) {
    s.treeSolver = treeSolver;
    compare(treeSolver == TreeSolver::Sparse ? "machines, sparse" : "machines, dense", s, machines, 80);
  }
  s.treeSolver = TreeSolver::Articulated;
  for (solve::Solver solver : {solve::Solver::Dantzig, solve::Solver::Jacobi, solve::Solver::Cg, solve::Solver::Lemke}) {
    s.solver = solver;
    compare(("machines, solver " + std::to_string(int(solver))).c_str(), s, machines, 60);
  }
}

TEST_CASE("worlds over the same threads give the bits of each alone", "[step][threads]") {
  WorldSettings s;
  const auto make = [&](int threads) {
    std::vector<std::unique_ptr<world::World>> worlds;
    for (int k = 0; k < 12; k++) {
      s.threads = k == 0 ? threads : 1;
      worlds.push_back(std::make_unique<world::World>(s));
      if (k % 4 == 3)
        machines(*worlds.back());  // with functions of the caller
      else
        ragdolls(*worlds.back());
      test::addBall(*worlds.back(), 0.1, 1, Vec3(0.1 * k, 0, 5), 0.5, 0.5);
    }
    return worlds;
  };
  const auto alone = make(1);
  for (int threads : {1, 2, 4, 8}) {
    const auto worlds = make(threads);
    std::vector<world::World*> list;
    for (const auto& w : worlds) list.push_back(w.get());
    std::vector<Failure> failures(list.size());
    for (int i = 0; i < 30; i++) {
      if (threads == 1)
        for (const auto& w : alone) REQUIRE_FALSE(w->step());
      world::stepWorlds(list.data(), static_cast<int>(list.size()), failures.data());
      for (const Failure& f : failures) REQUIRE_FALSE(f);
    }
    for (std::size_t k = 0; k < list.size(); k++) {
      INFO(threads << " threads, world " << k);
      CHECK(list[k]->hash() == alone[k]->hash());
    }
  }
}

TEST_CASE("an exception in a piece of a loop reaches the caller, and the pool stays usable", "[threads]") {
  tasks::TaskPool pool(4);
  for (int round = 0; round < 200; round++) {
    std::atomic<int> sum{0};
    std::atomic<bool> good{true};
    pool.parallelFor(1000, 7, [&](int worker, int first, int last) {
      if (worker < 0 || worker >= 4) good = false;  // Catch supports one thread only
      for (int i = first; i < last; i++) sum += i;
    });
    REQUIRE((good && sum == 499500));
    CHECK_THROWS_AS(pool.parallelFor(100, 1,
                                     [&](int, int first, int) {
                                       if (first == 37) throw std::bad_alloc();
                                     }),
                    std::bad_alloc);
  }
}
