// Ball joints that tie two bodies at several points: against the hinge or the weld that they make, in every stepper; their forces against
// statics; edits that part them. References are joints of the other type at the same place: the same tree, so the same motion to round-off.
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;
using dynamics::JointType;

namespace {

WorldSettings settingsOf(Stepper stepper) {
  WorldSettings s;
  s.stepper = stepper;
  s.sleeping = false;
  return s;
}

// A plate of 2 kg, 0.4 x 0.6 m, whose near edge is on the y axis; it lies level.
int addPlate(world::World& w, double x = 0) {
  BodyDefinition d;
  d.pose.p = Vec3(x + 0.2, 0, 0);
  d.mass = 2;
  d.inertia = Vec3(0.06, 0.027, 0.087).asDiagonal();
  return w.createBody(d);
}
int tie(world::World& w, int a, int b, const Vec3& at) {
  const Vec3 inA = a < 0 ? at : Vec3(w.bodyPose(a).inverse() * at);
  return test::addJoint(w, JointType::Spherical, a, b, inA, w.bodyPose(b).inverse() * at);
}

const std::vector<Vec3> kLine = {{0, -0.3, 0}, {0, 0.3, 0}, {0, 0.1, 0}};
const std::vector<Vec3> kTriangle = {{0, -0.3, 0}, {0, 0.3, 0}, {0.3, 0, 0}};

double mostApart(const world::World& a, const world::World& b, const std::vector<int>& bodies) {
  double most = 0;
  for (int body : bodies) {
    const Pose p = a.bodyPose(body), q = b.bodyPose(body);
    most = std::max({most, (p.p - q.p).norm(), quatLog(p.q.conjugate() * q.q).norm()});
  }
  return most;
}

}  // namespace

TEST_CASE("ball joints on a line move as the hinge along it", "[step]") {
  for (const Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook})
    for (const TreeSolver trees : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense})
      for (const std::size_t tied : {std::size_t{2}, std::size_t{3}}) {
        INFO("stepper " << static_cast<int>(stepper) << ", tree solver " << static_cast<int>(trees) << ", " << tied << " joints");
        WorldSettings s = settingsOf(stepper);
        s.treeSolver = trees;
        world::World balls(s), hinge(s);
        std::vector<int> plates;
        for (world::World* w : {&balls, &hinge}) {
          plates = {addPlate(*w), addPlate(*w, 0.4)};
          for (int k = 0; k < 2; k++)
            for (std::size_t i = 0; i < (w == &hinge ? 1 : tied); i++) {
              const int a = k ? plates[0] : -1;
              const Vec3 at = kLine[i] + Vec3(0.4 * k, 0, 0);
              if (w == &hinge)
                test::addJoint(*w, JointType::Continuous, a, plates[k], k ? Vec3(0.2, -0.3, 0) : at, Vec3(-0.2, -0.3, 0));
              else if (k == 0 || i != 1)
                tie(*w, a, plates[k], at);
              else  // the other way round
                tie(*w, plates[k], a, at);
            }
        }
        for (int step = 0; step < 240; step++) {
          test::advance(balls, 1);
          test::advance(hinge, 1);
        }
        CHECK(mostApart(balls, hinge, plates) < 1e-9);
        CHECK(balls.statistics().rows == 0);
      }
}

TEST_CASE("ball joints at the corners of a triangle weld", "[step]") {
  for (const Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook}) {
    INFO("stepper " << static_cast<int>(stepper));
    world::World balls(settingsOf(stepper)), weld(settingsOf(stepper));
    std::vector<int> plates;
    for (world::World* w : {&balls, &weld}) {
      plates = {addPlate(*w), addPlate(*w, 0.4)};
      test::addJoint(*w, JointType::Continuous, -1, plates[0], Vec3::Zero(), Vec3(-0.2, 0, 0));
      if (w == &weld)
        test::addJoint(*w, JointType::Fixed, plates[0], plates[1], Vec3(0.2, 0, 0), Vec3(-0.2, 0, 0));
      else
        for (const Vec3& at : kTriangle) tie(*w, plates[0], plates[1], at + Vec3(0.4, 0, 0));
    }
    for (int step = 0; step < 240; step++) {
      test::advance(balls, 1);
      test::advance(weld, 1);
    }
    CHECK(mostApart(balls, weld, plates) < 1e-9);
  }
}

TEST_CASE("forces of ball joints that tie two bodies are those of statics", "[step]") {
  // At rest below its hinge the plate's centre is at y = 0: points at -0.3 and 0.1 bear a quarter and three quarters.
  world::World w(settingsOf(Stepper::Impulse));
  const int plate = addPlate(w);
  const int joints[2] = {tie(w, -1, plate, Vec3(0, -0.3, 0)), tie(w, -1, plate, Vec3(0, 0.1, 0))};
  double residual[2];
  REQUIRE_FALSE(w.setBodyPose(plate, {Vec3(0, 0, -0.2), quatFromAxisAngle(Vec3::UnitY(), 0.5 * kPi)}, residual));
  CHECK(residual[0] < 1e-12);
  test::advance(w, 10);
  const double weight = 2 * w.settings().gravity.norm();
  for (int k = 0; k < 2; k++) {
    JointForces f;
    w.jointForces(joints[k], f);
    CHECK((f.force - Vec3(0, 0, weight * (k ? 0.75 : 0.25))).norm() < 1e-9 * weight);
    CHECK(f.torque.norm() < 1e-9);
  }
}

TEST_CASE("three corners of a level plate share its weight and its moment", "[step]") {
  world::World w(settingsOf(Stepper::Impulse));
  const int plate = addPlate(w);
  std::vector<int> joints;
  for (const Vec3& at : kTriangle) joints.push_back(tie(w, -1, plate, at));
  test::advance(w, 3);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (std::size_t k = 0; k < joints.size(); k++) {
    JointForces f;
    w.jointForces(joints[k], f);
    force += f.force;
    torque += (kTriangle[k] - Vec3(0.2, 0, 0)).cross(f.force);
    CHECK(f.torque.norm() < 1e-9);
  }
  CHECK((force - Vec3(0, 0, 2 * 9.81)).norm() < 1e-6 + std::fabs(2 * (w.settings().gravity.norm() - 9.81)));
  CHECK(torque.norm() < 1e-9);
  CHECK((w.bodyPose(plate).p - Vec3(0.2, 0, 0)).norm() < 1e-12);
}

TEST_CASE("a spring on one of several ball joints, and its end", "[step]") {
  world::World w(settingsOf(Stepper::Impulse));
  const int plate = addPlate(w);
  const int joints[2] = {tie(w, -1, plate, Vec3(0, -0.3, 0)), tie(w, -1, plate, Vec3(0, 0.3, 0))};
  test::advance(w, 20);
  CHECK(w.statistics().rows == 0);
  const Pose before = w.bodyPose(plate);
  dynamics::AxisParameters spring;
  spring.stiffness = 100;
  spring.damping = 10;
  for (int k = 0; k < 3; k++) REQUIRE_FALSE(w.setAxis(joints[0], k, spring));
  CHECK((w.bodyPose(plate).p - before.p).norm() < 1e-12);
  test::advance(w, 960);
  CHECK(w.statistics().rows > 0);
  // Its torque about y bears the weight: 100 a = 2 g 0.2 cos a, from level.
  const Pose at = w.bodyPose(plate);
  const double angle = std::asin(-at.p.z() / 0.2);
  CHECK(std::fabs(100 * angle - 2 * w.settings().gravity.norm() * 0.2 * std::cos(angle)) < 1e-3);
  for (int joint : joints) CHECK(test::jointGap(w, joint) < 1e-9);
  for (int k = 0; k < 3; k++) REQUIRE_FALSE(w.setAxis(joints[0], k, {}));
  test::advance(w, 20);
  CHECK(w.statistics().rows == 0);
  for (int joint : joints) CHECK(test::jointGap(w, joint) < 1e-9);
  CHECK(w.bodyPose(plate).p.z() < at.p.z());
}

TEST_CASE("one of two ball joints goes, and the other holds alone", "[step]") {
  world::World w(settingsOf(Stepper::Impulse));
  const int plate = addPlate(w);
  const int joints[2] = {tie(w, -1, plate, Vec3(0, -0.3, 0)), tie(w, -1, plate, Vec3(0, 0.3, 0))};
  test::advance(w, 20);
  const double energy = test::totalEnergy(w);
  w.destroyJoint(joints[0]);
  CHECK(std::fabs(test::totalEnergy(w) - energy) < 1e-9);
  test::advance(w, 100);
  CHECK(test::jointGap(w, joints[1]) < 1e-9);
  CHECK(std::fabs(test::totalEnergy(w) - energy) < 0.01);
  const Pose p = w.bodyPose(plate);
  CHECK((p * Vec3(-0.2, -0.3, 0)).norm() > 0.31);  // the free corner left its place
}

TEST_CASE("a ball joint among several breaks by its share", "[step]") {
  world::World w(settingsOf(Stepper::Impulse));
  const int plate = addPlate(w);
  JointDefinition d;
  d.type = JointType::Spherical;
  d.b = plate;
  int joints[2];
  for (int k = 0; k < 2; k++) {
    d.frameA.p = Vec3(0, k ? 0.1 : -0.3, 0);
    d.frameB.p = Vec3(-0.2, k ? 0.1 : -0.3, 0);
    d.breakForce = 12;  // of the weight of 19.6 N, 4.9 N and 14.7 N
    REQUIRE_FALSE(w.createJoint(d, joints[k]));
  }
  double residual[2];
  REQUIRE_FALSE(w.setBodyPose(plate, {Vec3(0, 0, -0.2), quatFromAxisAngle(Vec3::UnitY(), 0.5 * kPi)}, residual));
  test::advance(w, 1);
  CHECK_FALSE(w.jointBroken(joints[0]));
  CHECK(w.jointBroken(joints[1]));
}

TEST_CASE("coordinates of ball joints that tie two bodies are read and set", "[step]") {
  world::World w(settingsOf(Stepper::Impulse));
  const int plate = addPlate(w);
  const int joints[2] = {tie(w, -1, plate, Vec3(0, -0.3, 0)), tie(w, -1, plate, Vec3(0, 0.3, 0))};
  test::advance(w, 1);
  const Quat turn = quatFromAxisAngle(Vec3::UnitY(), 0.4);
  const double q[4] = {turn.x(), turn.y(), turn.z(), turn.w()}, v[3] = {0, 1.5, 0};
  REQUIRE_FALSE(w.setJointState(joints[1], q, v));
  for (int joint : joints) {
    double nowQ[4], nowV[3];
    w.jointState(joint, nowQ, nowV);
    for (int k = 0; k < 4; k++) CHECK(std::fabs(nowQ[k] - q[k]) < 1e-12);
    for (int k = 0; k < 3; k++) CHECK(std::fabs(nowV[k] - v[k]) < 1e-12);
    CHECK(test::jointGap(w, joint) < 1e-12);
  }
  // Of an orientation off the hinge, the part about it.
  const Quat off = quatFromAxisAngle(Vec3::UnitX(), 0.3);
  const double across[4] = {off.x(), off.y(), off.z(), off.w()};
  REQUIRE_FALSE(w.setJointState(joints[0], across, nullptr));
  for (int joint : joints) CHECK(test::jointGap(w, joint) < 1e-12);
}

TEST_CASE("ball joints whose points differ between the bodies stay rows", "[step]") {
  world::World w(settingsOf(Stepper::Impulse));
  const int plate = addPlate(w);
  test::addJoint(w, JointType::Spherical, -1, plate, Vec3(0, -0.3, 0), Vec3(-0.2, -0.3, 0));
  test::addJoint(w, JointType::Spherical, -1, plate, Vec3(0, 0.3 + 1e-6, 0), Vec3(-0.2, 0.3, 0));
  test::advance(w, 1);
  CHECK(w.statistics().rows == 3);
  CHECK(w.statistics().unsolved == 1);  // they cannot close, and the step says so
}

TEST_CASE("a bridge continues from a snapshot as it was", "[step]") {
  const auto make = [](world::World& w) {
    std::vector<int> plates;
    for (int k = 0; k < 6; k++) {
      plates.push_back(addPlate(w, 0.4 * k));
      for (int i = 0; i < 2; i++) tie(w, k ? plates[k - 1] : -1, plates[k], kLine[i] + Vec3(0.4 * k, 0, 0));
    }
    return plates;
  };
  world::World a(settingsOf(Stepper::Impulse)), b(settingsOf(Stepper::Impulse));
  make(a), make(b);
  test::advance(a, 30);
  std::vector<std::uint8_t> kept;
  a.save(kept);
  REQUIRE_FALSE(b.restore(kept.data(), kept.size()));
  test::advance(a, 60);
  test::advance(b, 60);
  CHECK(a.hash() == b.hash());
}
