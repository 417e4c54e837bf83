// Options of the stepper `displacement` by their effects: warm starts, and regularisation of joints.
#include <Eigen/LU>
#include <cmath>

#include "tests/engine/steppers/displacement.hpp"

using namespace vertebra;

namespace {

struct Tower {
  world::World world;
  std::vector<int> boxes;
  Tower(int count, double warm, double tolerance, int sweeps) : world(settings(warm, tolerance, sweeps)) {
    test::addGround(world, 0.6, 0);
    for (int i = 0; i < count; i++) boxes.push_back(test::addBox(world, Vec3(0.1, 0.1, 0.1), 1, Vec3(0.003 * i, 0, 0.1 + 0.2 * i), 0.5, 0));
  }
  static WorldSettings settings(double warm, double tolerance, int sweeps) {
    WorldSettings s = test::displacementSettings();
    s.displacementWarmStart = warm;
    s.solverTolerance = tolerance;
    s.solverIterations = sweeps;
    return s;
  }
  // Largest speed of the top after the first second.
  double trembling(int steps) {
    double worst = 0;
    for (int i = 0; i < steps; i++) {
      test::advance(world, 1);
      Vec3 v, omega;
      world.bodyTwist(boxes.back(), v, omega);
      if (i > 240) worst = std::max(worst, v.norm());
    }
    return worst;
  }
};

// Hashes of a swinging chain, with boxes on the ground below if wanted.
std::uint64_t swung(double warm, bool contacts, bool joints) {
  WorldSettings s = test::displacementSettings();
  s.solverIterations = 10;
  s.solverTolerance = 0;
  s.displacementWarmStart = warm;
  world::World w(s);
  if (contacts) {
    test::addGround(w, 0.6, 0);
    test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1), 0.5, 0);
    const int above = test::addBox(w, Vec3(0.1, 0.1, 0.1), 2, Vec3(0.02, 0, 0.3), 0.5, 0);
    if (joints) {  // one island with the boxes
      const int rod = test::addRod(w, 0.3, 1, Pose{Vec3(0.12, 0, 0.55), Quat::Identity()});
      test::addJoint(w, dynamics::JointType::Spherical, above, rod, Vec3(0.1, 0, 0.1), Vec3(0, 0, -0.15));
    }
  } else {
    const test::Chain chain = test::addChain(w, 4, 0.3, 1, -1, dynamics::JointType::Spherical);
    REQUIRE_FALSE(w.setBodyTwist(chain.bodies[3], Vec3(1, 0.5, 0), Vec3::Zero(), nullptr));
  }
  test::advance(w, 60);
  return w.hash();
}

}  // namespace

TEST_CASE("displacement: stacks start warm, tremble less for it and need fewer sweeps", "[step]") {
  double trembling[2];
  for (int warm = 0; warm < 2; warm++) {
    Tower t(10, warm ? -1 : 0, 1e-5, 50);
    trembling[warm] = t.trembling(480);
  }
  INFO("a tower of ten trembles at " << trembling[0] << " m/s cold, " << trembling[1] << " warm");
  CHECK(trembling[1] < 2e-3);
  CHECK(trembling[0] > 1.5 * trembling[1]);
  // At rest the last step's impulses are the solution: fewer sweeps the larger the share.
  double sweeps[3];
  const double share[3] = {0, 0.4, 0.8};
  for (int k = 0; k < 3; k++) {
    Tower t(3, share[k], 1e-6, 1000);
    test::advance(t.world, 240);
    sweeps[k] = 0;
    for (int i = 0; i < 20; i++) {
      t.world.resetStatistics();
      test::advance(t.world, 1);
      sweeps[k] += t.world.statistics().solverIterations / 20.0;
    }
  }
  INFO("sweeps a step: " << sweeps[0] << ", " << sweeps[1] << ", " << sweeps[2]);
  CHECK(sweeps[1] < sweeps[0]);
  CHECK(sweeps[2] < sweeps[1]);
}

TEST_CASE("displacement: the default warm starts, and the largest share for rows that hold", "[step]") {
  // Contacts alone: 0.5. With a joint among them: none.
  CHECK(swung(-1, true, false) == swung(0.5, true, false));
  CHECK(swung(-1, true, false) != swung(0, true, false));
  CHECK(swung(-1, true, true) == swung(0, true, true));
  CHECK(swung(-1, true, true) != swung(0.8, true, true));
  // Joints alone: none by default, at most 0.4 when set.
  CHECK(swung(-1, false, true) == swung(0, false, true));
  CHECK(swung(0.2, false, true) != swung(0, false, true));
  CHECK(swung(0.4, false, true) != swung(0.2, false, true));
  CHECK(swung(0.9, false, true) == swung(0.4, false, true));
}

// Two rods of different lengths on one body: (A + diag(a)) l = -C with A = [1 1; 1 1] in units of its inverse mass and a the joint's share
// and the world's; the body goes by l1 + l2.
TEST_CASE("displacement: a joint's regularisation comes on top of the world's, for its rows alone", "[step]") {
  const double at = 1.3, length[2] = {1, 1.2};
  for (const double world : {0.0, 0.05})
    for (const bool swapped : {false, true}) {
      const double own[2] = {swapped ? 0.4 : 0.1, swapped ? 0.1 : 0.4};
      WorldSettings s = test::displacementSettings();
      s.gravity.setZero();
      s.displacementRegularisation = world;
      s.solverTolerance = 1e-13;
      s.solverIterations = 2000;
      world::World w(s);
      BodyDefinition b;
      b.mass = 3;
      b.inertia = Mat3::Identity();
      b.pose.p = Vec3(at, 0, 0);
      const int body = w.createBody(b);
      int rods[2];
      for (int k = 0; k < 2; k++) {
        JointDefinition d;
        d.constraint = ConstraintType::Distance;
        d.b = body;
        d.regularisation = own[k];
        REQUIRE_FALSE(w.createJoint(d, rods[k]));
        dynamics::AxisParameters p = w.axis(rods[k], 0);
        p.lower = p.upper = length[k];
        REQUIRE_FALSE(w.setAxis(rods[k], 0, p));
      }
      test::advance(w, 1);
      Eigen::Matrix2d A = Eigen::Matrix2d::Ones();
      for (int k = 0; k < 2; k++) A(k, k) += world + own[k];
      const Eigen::Vector2d l = -A.inverse() * Eigen::Vector2d(at - length[0], at - length[1]);
      CHECK(w.bodyPose(body).p.x() == Approx(at + l.sum()).epsilon(1e-9));
      CHECK(w.statistics().solverIterations < 2000);
      for (int k = 0; k < 2; k++) {
        JointForces f;
        w.jointForces(rods[k], f);
        CHECK(f.force.x() == Approx(b.mass / (s.timeStep * s.timeStep) * l[k]).epsilon(1e-6));
      }
    }
}

// One row alone: (1 + a) l = -C in units of its inverse mass, so that the share a / (1 + a) of its error stays.
TEST_CASE("displacement: the world's regularisation leaves its share of a coupling's error", "[step]") {
  for (double share : {0.0, 0.25, 1.0}) {
    WorldSettings s = test::displacementSettings();
    s.gravity.setZero();
    s.displacementRegularisation = share;
    world::World w(s);
    BodyDefinition b;
    b.mass = 3;
    b.inertia = Mat3::Identity();
    const int body = w.createBody(b);
    const int slide = test::addJoint(w, dynamics::JointType::Prismatic, -1, body, Vec3::Zero(), Vec3::Zero(), Vec3::UnitX());
    CouplingDefinition c;
    c.terms = {{slide, 0, 1}};
    c.target = 0.4;
    int id = -1;
    REQUIRE_FALSE(w.createCoupling(c, id));
    test::advance(w, 1);
    INFO("share " << share);
    CHECK(w.bodyPose(body).p.x() == Approx(0.4 / (1 + share)).epsilon(1e-8));
  }
}

// A limit that was passed when the step began comes back by a share of 0.3 a step, in position.
TEST_CASE("displacement: a passed limit comes back by its share a step", "[step]") {
  for (double side : {1.0, -1.0}) {
    WorldSettings s = test::displacementSettings();
    s.gravity.setZero();
    world::World w(s);
    const int rod = test::addRod(w, 1, 2, Pose{Vec3(0, 0, -0.5), Quat::Identity()});
    const int joint = test::addJoint(w, dynamics::JointType::Revolute, -1, rod, Vec3::Zero(), Vec3(0, 0, 0.5));
    dynamics::AxisParameters axis;
    (side > 0 ? axis.lower : axis.upper) = side * 0.2;
    REQUIRE_FALSE(w.setAxis(joint, 0, axis));
    double q, lacks = 0.2;
    test::advance(w, 1);
    w.jointState(joint, &q, nullptr);
    INFO("side " << side << ": " << q);
    CHECK(0.2 - side * q == Approx(0.7 * lacks).epsilon(1e-3));
    test::advance(w, 30);
    w.jointState(joint, &q, nullptr);
    CHECK(0.2 - side * q < 1e-3);
  }
}
