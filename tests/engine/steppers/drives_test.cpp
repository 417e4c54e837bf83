// Drives with gains on the joints of trees where no row acts: under `impulse` and `variational` they are of second order while they are
// mild for the step, at their bounds and with targets that are set anew too; where they are stiff they stay stable.
#include <cmath>

#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

struct Case {
  double stiffness, damping, bound;
};

// Two rods on hinges, level at the start, with drives whose targets move each 1/240 s; where the outer one is after a second.
Vec3 endOf(Stepper stepper, int substeps, const Case& c) {
  WorldSettings s = test::awake(stepper, 240);
  s.substeps = substeps;
  world::World w(s);
  const test::Chain chain = test::addChain(w, 2, 0.5, 1);
  const double level = 0.5 * M_PI, straight = 0;
  REQUIRE_FALSE(w.setJointState(chain.joints[0], &level, &straight));
  for (int step = 0; step < 240; step++) {
    for (int k = 0; k < 2; k++) {
      MotorSettings m;
      m.mode = MotorMode::Position;
      m.stiffness = c.stiffness;
      m.damping = c.damping;
      m.maxForce = c.bound;
      m.position = 0.4 * std::sin(9 * step / 240.0 + k);
      REQUIRE_FALSE(w.setMotor(chain.joints[k], 0, m));
    }
    test::advance(w, 1);
  }
  return w.bodyPose(chain.bodies[1]).p;
}

// A chain, free or hanging, of rods of 10 kg, 1 kg and 50 g in any order, its drives with gains over four decades, some bounded; no
// gravity. The largest energy with that of the drives, over that after the first step.
double largestEnergy(std::uint64_t seed, Stepper stepper, double rate) {
  test::Random r(seed);
  WorldSettings s = test::awake(stepper, rate);
  s.gravity.setZero();
  world::World w(s);
  const bool hangs = r.below(2);
  const int n = 2 + r.below(9);
  struct Driven {
    int joint;
    double stiffness, bound;
  };
  std::vector<Driven> drives;
  int last = -1;
  const double size = std::pow(10, r.range(-2, 3));
  for (int i = 0; i < n; i++) {
    const double masses[3] = {10, 0.05, 1};
    const int rod = test::addRod(w, 0.2, masses[r.below(3)], Pose{Vec3(0, 0, -0.2 * (i + 0.5)), Quat::Identity()});
    if (i > 0 || hangs) {
      MotorSettings m;
      m.mode = MotorMode::Position;
      m.stiffness = size * std::pow(10, r.range(-1, 1));
      m.damping = r.below(4) == 0 ? 0 : std::pow(10, -r.below(3)) * std::sqrt(m.stiffness) * r.range(0.1, 1);
      if (r.below(2)) m.maxForce = std::pow(10, r.range(-1, 2));
      const int joint = test::addJoint(w, dynamics::JointType::Revolute, last, rod, Vec3(0, 0, last < 0 ? 0 : -0.1), Vec3(0, 0, 0.1));
      REQUIRE_FALSE(w.setMotor(joint, 0, m));
      drives.push_back({joint, m.stiffness, m.maxForce});
    }
    last = rod;
  }
  for (const Driven& d : drives) {
    const double q = r.range(-0.3, 0.3), v = r.range(-3, 3);
    REQUIRE_FALSE(w.setJointState(d.joint, &q, &v));
  }
  const auto energy = [&] {
    double sum = test::totalEnergy(w), q;
    for (const Driven& d : drives) {
      w.jointState(d.joint, &q, nullptr);
      const double way = std::fabs(q), whole = std::min(way, d.bound / d.stiffness);
      sum += 0.5 * d.stiffness * whole * whole + (way > whole ? d.bound * (way - whole) : 0);
    }
    return sum;
  };
  test::advance(w, 1);
  const double start = energy();
  double largest = 0;
  for (int step = 0; step < 2 * rate; step++) {
    test::advance(w, 1);
    largest = std::max(largest, energy() / start);
  }
  return largest;
}

}  // namespace

TEST_CASE("drives: mild ones are of second order, at their bounds and with moving targets too", "[step]") {
  // In the step of 1/240 s the first-order form was 3 to 22 mm off.
  for (const Case& c : {Case{20, 2, kInf}, Case{20, 0.5, kInf}, Case{20, 2, 4}}) {
    const Vec3 exact = endOf(Stepper::Ode, 64, c);  // RK4
    for (const Stepper stepper : {Stepper::Impulse, Stepper::Variational}) {
      INFO("k " << c.stiffness << ", c " << c.damping << ", bound " << c.bound << ", stepper " << static_cast<int>(stepper));
      double error[4];
      for (int n = 0; n < 4; n++) error[n] = (endOf(stepper, 1 << n, c) - exact).norm();
      INFO(error[0] << " " << error[1] << " " << error[2] << " " << error[3]);
      CHECK(error[0] < (c.bound < kInf ? 1e-3 : 1e-4));
      CHECK(error[3] < (c.bound < kInf ? 2e-5 : 4e-6));
      if (c.bound == kInf) CHECK(error[3] < 0.36 * error[2]);
    }
  }
}

TEST_CASE("drives: stiff ones hold alike under all tree solvers", "[step]") {
  const auto place = [](TreeSolver solver) {
    WorldSettings s = test::awake(Stepper::Impulse, 240);
    s.treeSolver = solver;
    world::World w(s);
    const test::Chain chain = test::addChain(w, 3, 0.3, 1);
    for (const int joint : chain.joints) {
      MotorSettings m;
      m.mode = MotorMode::Position;
      m.stiffness = 2000;
      m.damping = 100;
      m.position = 0.7;
      REQUIRE_FALSE(w.setMotor(joint, 0, m));
    }
    test::advance(w, 480);
    double q;
    w.jointState(chain.joints[0], &q, nullptr);
    CHECK(q == Approx(0.7).margin(0.01));
    return w.bodyPose(chain.bodies[2]).p;
  };
  const Vec3 expected = place(TreeSolver::Articulated);
  for (const TreeSolver solver : {TreeSolver::Sparse, TreeSolver::Dense}) CHECK((place(solver) - expected).norm() < 1e-9);
}

TEST_CASE("drives: chains of light and heavy rods gain no energy at any gains", "[step]") {
  // By joints' blocks alone, which take the parents for at rest, five of these 400 fail.
  for (const Stepper stepper : {Stepper::Impulse, Stepper::Variational})
    for (const double rate : {240.0, 60.0})
      for (std::uint64_t seed = 0; seed < 100; seed++) {
        INFO("stepper " << static_cast<int>(stepper) << ", rate " << rate << ", seed " << seed);
        CHECK(largestEnergy(seed, stepper, rate) < 1.25);
      }
}
