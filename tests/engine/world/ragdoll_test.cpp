// A figure of ball joints with swing and twist limits and hinges falls on a plane and comes to rest; a pile of boxes at rest.
#include <cmath>
#include <tuple>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

struct Part {
  geometry::ShapeType type;
  Vec3 size, centre;
  double mass;
  int parent;
  bool ball;
  Vec3 anchor, axis;
  double lower, upper;  // ball: swing and twist
};

struct Ragdoll {
  std::vector<int> bodies, joints;
  std::vector<Part> parts;
};

Ragdoll addRagdoll(world::World& w, double damping) {
  const Vec3 X = Vec3::UnitX(), Y = Vec3::UnitY(), Z = Vec3::UnitZ();
  Ragdoll r;
  const geometry::ShapeType box = geometry::ShapeType::Box, capsule = geometry::ShapeType::Capsule;
  r.parts = {{box, {.09, .14, .08}, {0, 0, 1.0}, 10, -1, true, {0, 0, 0}, Z, 0, 0},
             {box, {.085, .12, .09}, {0, 0, 1.18}, 8, 0, true, {0, 0, 1.09}, Z, .5, .4},
             {box, {.09, .15, .12}, {0, 0, 1.40}, 14, 1, true, {0, 0, 1.28}, Z, .5, .4},
             {capsule, {.05, .03, 0}, {0, 0, 1.58}, 1.5, 2, true, {0, 0, 1.52}, Z, .5, .6},
             {geometry::ShapeType::Sphere, {.11, 0, 0}, {0, 0, 1.74}, 4.5, 3, true, {0, 0, 1.64}, Z, .5, .6}};
  for (double s : {1.0, -1.0}) {
    const int n = static_cast<int>(r.parts.size());
    r.parts.push_back({capsule, {.045, .10, 0}, {0, s * .21, 1.36}, 2.2, 2, true, {0, s * .21, 1.49}, Z, 1.5, .8});
    r.parts.push_back({capsule, {.04, .09, 0}, {0, s * .21, 1.09}, 1.4, n, false, {0, s * .21, 1.22}, -Y, 0, 2.4});
    r.parts.push_back({box, {.02, .04, .08}, {0, s * .21, .88}, .5, n + 1, false, {0, s * .21, .96}, X, -.8, .8});
    r.parts.push_back({capsule, {.07, .14, 0}, {0, s * .09, .75}, 8, 0, true, {0, s * .09, .95}, Z, 1.2, .6});
    r.parts.push_back({capsule, {.055, .15, 0}, {0, s * .09, .31}, 3.8, n + 3, false, {0, s * .09, .52}, Y, 0, 2.4});
    r.parts.push_back({box, {.12, .045, .035}, {.05, s * .09, .045}, 1.1, n + 4, false, {0, s * .09, .09}, Y, -.7, .7});
  }
  const Pose tilt{Vec3(0, 0, 1.2), quatFromAxisAngle(X, .17) * quatFromAxisAngle(Y, .35)};
  const int figure = w.newFigureMark();
  for (const Part& p : r.parts) {
    BodyDefinition d;
    d.pose = tilt * Pose{p.centre, Quat::Identity()};
    d.figure = figure;
    r.bodies.push_back(w.createBody(d));
    test::addShape(w, r.bodies.back(), p.type, p.size, 0.8, 0);
    REQUIRE_FALSE(w.setBodyMassFromShapes(r.bodies.back(), 0, p.mass));
    if (p.parent < 0) continue;
    const int joint = test::addJoint(w, p.ball ? dynamics::JointType::Spherical : dynamics::JointType::Revolute, r.bodies[p.parent],
                                     r.bodies.back(), p.anchor - r.parts[p.parent].centre, p.anchor - p.centre, p.axis);
    r.joints.push_back(joint);
    if (p.ball) {
      REQUIRE_FALSE(w.setSwingTwist(joint, p.lower, -p.upper, p.upper));
      dynamics::AxisParameters a;
      a.damping = damping;
      for (int k = 0; k < 3; k++) REQUIRE_FALSE(w.setAxis(joint, k, a));
    } else {
      dynamics::AxisParameters a;
      a.damping = damping;
      a.lower = p.lower;
      a.upper = p.upper;
      REQUIRE_FALSE(w.setAxis(joint, 0, a));
    }
  }
  return r;
}

double limitExcess(const world::World& w, int joint) {
  const JointDefinition& d = w.joint(joint);
  double q[4];
  w.jointState(joint, q, nullptr);
  if (d.type == dynamics::JointType::Revolute) return std::max(w.axis(joint, 0).lower - q[0], q[0] - w.axis(joint, 0).upper);
  Quat r(q[3], q[0], q[1], q[2]);
  const double swing = std::acos(std::min(1.0, d.axis.dot(r * d.axis)));
  double twist = 2 * std::atan2(Vec3(r.x(), r.y(), r.z()).dot(d.axis), r.w());
  twist -= 2 * kPi * std::nearbyint(twist / (2 * kPi));
  return std::max({swing - d.swing, twist - d.twistUpper, d.twistLower - twist});
}

}  // namespace

TEST_CASE("a ragdoll falls within its limits, keeps its joints and comes to rest", "[step]") {
  for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense})
    for (solve::Solver solver : {solve::Solver::Pgs, solve::Solver::Dantzig}) {
      WorldSettings s;
      s.treeSolver = treeSolver;
      s.solver = solver;
      world::World w(s);
      test::addGround(w, 0.8, 0);
      const Ragdoll r = addRagdoll(w, 0.04);  // N m s: without it round parts may roll on
      double excess = 0, gap = 0, resting = 0, speed = 0;
      for (int i = 0; i < 7200; i++) {
        if (i >= 6720) w.resetStatistics();
        const Failure f = w.step();
        INFO("tree solver " << int(treeSolver) << ", solver " << int(solver) << ", step " << i << ": " << f.text());
        REQUIRE_FALSE(f);
        for (int j : r.joints) {
          excess = std::max(excess, limitExcess(w, j));
          gap = std::max(gap, test::jointGap(w, j));
        }
        if (i < 6720) continue;
        resting = std::max(resting, w.statistics().maxPenetration);
        for (int b : r.bodies) {
          Vec3 v, omega;
          w.bodyTwist(b, v, omega);
          speed = std::max(speed, v.norm());
        }
      }
      INFO("tree solver " << int(treeSolver) << ", solver " << int(solver) << ": limit excess " << excess << " rad, joint gap " << gap
                          << " m, resting penetration " << resting << " m, speed of the last two seconds " << speed << " m/s");
      CHECK(excess <= 0.02);
      CHECK(gap <= 1e-12);
      CHECK(resting <= 1e-3);
      CHECK(speed <= 0.02);
      CHECK_FALSE(w.bodyAwake(r.bodies[0]));
    }
}

TEST_CASE("a ragdoll with damped joints comes to rest under both solvers, thrown or not", "[step]") {
  for (const auto& [solver, stepper, throwing] :
       {std::tuple(solve::Solver::Pgs, Stepper::Impulse, 2.0), std::tuple(solve::Solver::Pgs, Stepper::Impulse, 3.0),
        std::tuple(solve::Solver::Dantzig, Stepper::Impulse, 2.0), std::tuple(solve::Solver::Dantzig, Stepper::Impulse, 3.0),
        std::tuple(solve::Solver::Pgs, Stepper::Variational, 2.0), std::tuple(solve::Solver::Pgs, Stepper::Variational, 3.0)}) {
    WorldSettings s;
    s.solver = solver;
    s.stepper = stepper;
    world::World w(s);
    test::addGround(w, 0.8, 0);
    const Ragdoll r = addRagdoll(w, 0.2);
    const Vec3 velocity = throwing * Vec3(0.3, -0.2, 0.1), omega(0.5 * throwing, 0.3, -0.4 * throwing);
    for (int b : r.bodies) REQUIRE_FALSE(w.setBodyTwist(b, velocity, Vec3::Zero(), nullptr));
    REQUIRE_FALSE(w.setBodyTwist(r.bodies[0], velocity, omega, nullptr));
    int steps = 0;
    for (; steps < 1440 && w.bodyAwake(r.bodies[0]); steps++) REQUIRE_FALSE(w.step());
    INFO("solver " << int(solver) << ", stepper " << int(stepper) << ", thrown " << throwing << ", steps " << steps);
    CHECK_FALSE(w.bodyAwake(r.bodies[0]));
  }
}

TEST_CASE("a pile of a hundred boxes comes to rest with 2 mm of penetration at most", "[step]") {
  WorldSettings s;
  world::World w(s);
  test::addGround(w, 0.6, 0);
  test::Random random(5);
  std::vector<int> boxes;
  for (int i = 0; i < 100; i++) {
    const int column = i % 4, row = i / 4 % 4, layer = i / 16;
    const double x = 0.25 * column + random.range(-0.04, 0.04), y = 0.25 * row + random.range(-0.04, 0.04);
    boxes.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(x, y, 0.2 + 0.3 * layer), 0.6, 0));
  }
  for (int i = 0; i < 1680; i++) {
    if (i == 1440) w.resetStatistics();
    REQUIRE_FALSE(w.step());
  }
  double speed = 0, low = 1;
  for (int b : boxes) {
    Vec3 v, omega;
    w.bodyTwist(b, v, omega);
    speed = std::max(speed, v.norm());
    low = std::min(low, w.bodyPose(b).p.z());
  }
  INFO("penetration " << w.statistics().maxPenetration << " m, speed " << speed << " m/s, lowest centre " << low);
  CHECK(w.statistics().maxPenetration <= 2e-3);
  CHECK(speed < 0.02);
  CHECK(low > 0.09);
}
