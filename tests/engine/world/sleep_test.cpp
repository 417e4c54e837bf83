// Sleeping islands: their contacts, forces and statistics stay those of rest; an island wakes as a whole, with all its contacts, and by
// every edit.
#include <cmath>

#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

// Steps until this body sleeps; ten seconds at most.
void settle(world::World& w, int body) {
  for (int i = 0; i < 2400 && w.bodyAwake(body); i++) test::advance(w, 1);
  REQUIRE_FALSE(w.bodyAwake(body));
}
Vec3 forceOn(const world::World& w, int body) {  // by contacts
  Vec3 sum = Vec3::Zero();
  for (const Contact& c : w.contacts()) sum += ((c.bodyB == body) - (c.bodyA == body)) * c.force;
  return sum;
}
int addPlatform(world::World& w, const Vec3& p) {
  BodyDefinition d;
  d.kind = BodyKind::Static;
  d.pose.p = p;
  const int body = w.createBody(d);
  test::addShape(w, body, geometry::ShapeType::Box, Vec3(0.5, 0.5, 0.1), 0.5, 0);
  return body;
}
const double kWeight = 9.81;  // of 1 kg

}  // namespace

TEST_CASE("sleepers keep their contacts and forces", "[step]") {
  world::World w(WorldSettings{});
  test::addGround(w, 0.6, 0);
  const int low = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1), 0.5, 0),
            high = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.3), 0.5, 0);
  // A post welded to a foot, and a weight that a drive holds in the air.
  const int foot = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(3, 0, 0.1), 0.5, 0),
            post = test::addBox(w, Vec3(0.05, 0.05, 0.1), 1, Vec3(3, 0, 0.3), 0.5, 0);
  const int weld = test::addJoint(w, dynamics::JointType::Fixed, foot, post, Vec3(0, 0, 0.1), Vec3(0, 0, -0.1));
  const int held = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(6, 0, 2), 0.5, 0);
  JointDefinition d;
  d.constraint = ConstraintType::Motor;
  d.b = held;
  d.frameA.p = Vec3(6, 0, 2);
  int drive = -1;
  REQUIRE_FALSE(w.createJoint(d, drive));
  MotorSettings m;
  m.mode = MotorMode::Position;
  m.stiffness = 1e4;
  m.damping = 200;
  for (int k = 0; k < 6; k++) REQUIRE_FALSE(w.setMotor(drive, k, m));
  for (int body : {high, foot, held}) settle(w, body);
  for (int steps : {1, 100}) {
    test::advance(w, steps);
    INFO(steps << " more steps asleep");
    CHECK(w.statistics().sleepingBodies == 5);
    CHECK(w.statistics().islands == 0);
    CHECK(w.statistics().contacts == 12);  // four corners of three boxes
    CHECK(w.contacts().size() == 12);
    CHECK((forceOn(w, high) - Vec3(0, 0, kWeight)).norm() < 1e-2);
    CHECK((forceOn(w, low) - Vec3(0, 0, kWeight)).norm() < 1e-2);  // it carries its neighbour too: the net force is its own weight
    CHECK((forceOn(w, foot) - Vec3(0, 0, 2 * kWeight)).norm() < 1e-2);
    CHECK(w.statistics().maxPenetration > 0);
    JointForces f;
    w.jointForces(weld, f);
    CHECK((f.force - Vec3(0, 0, kWeight)).norm() < 1e-2);
    w.jointForces(drive, f);
    CHECK(f.motor[2] == Approx(kWeight).epsilon(1e-3));
    w.resetStatistics();
  }
  CHECK(w.events().empty());
}

TEST_CASE("a sleeping stack that is hit wakes as a whole and stands on its contacts at once", "[step]") {
  world::World w(WorldSettings{});
  test::addGround(w, 0.6, 0);
  std::vector<int> stack;
  for (int i = 0; i < 4; i++) stack.push_back(test::addBox(w, Vec3(0.2, 0.2, 0.1), 1, Vec3(0, 0, 0.1 + 0.2 * i), 0.5, 0));
  BodyDefinition d;  // a feather
  d.pose.p = Vec3(0, 0, 1);
  d.mass = 1e-6;
  d.inertia = 1e-10 * Mat3::Identity();
  d.gravityScale = 0.01;
  test::addShape(w, w.createBody(d), geometry::ShapeType::Sphere, Vec3(0.02, 0, 0), 0.5, 0);
  settle(w, stack[0]);
  double height[4];
  for (int i = 0; i < 4; i++) height[i] = w.bodyPose(stack[i]).p.z();
  int before = 0;
  for (; before < 960 && !w.bodyAwake(stack[3]); before++) test::advance(w, 1);
  REQUIRE(before < 960);
  for (int i = 0; i < 4; i++) CHECK(w.bodyAwake(stack[i]));
  for (int step = 0; step < 5; step++) {
    for (int i = 0; i < 4; i++) CHECK(w.bodyPose(stack[i]).p.z() == Approx(height[i]).margin(1e-5));
    test::advance(w, 1);
  }
}

TEST_CASE("the second of two edits wakes sleepers like the first", "[step]") {
  for (int edit = 0; edit < 4; edit++) {
    world::World w(WorldSettings{});
    const int platform = addPlatform(w, Vec3(0, 0, 1));
    const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 1.2), 0.5, 0);
    settle(w, box);
    w.createBody(BodyDefinition());  // elsewhere, without a shape: affects no island
    CHECK_FALSE(w.bodyAwake(box));
    switch (edit) {
      case 0:
        w.destroyBody(platform);
        break;
      case 1:
        REQUIRE_FALSE(w.setBodyPose(platform, Pose{Vec3(0, 0, -1), Quat::Identity()}, nullptr));
        break;
      case 2:
        w.addForce(box, Vec3(0, 0, 100), nullptr, true);
        break;
      case 3:
        w.wakeAll();
        break;
    }
    INFO(edit);
    CHECK(w.bodyAwake(box));
    test::advance(w, 12);
    if (edit < 2) CHECK(w.bodyPose(box).p.z() == Approx(1.2 - 0.5 * 9.81 * 0.05 * 0.05).margin(1e-3));
    if (edit == 2) CHECK(w.bodyPose(box).p.z() == Approx(1.2 + 0.5 * (100 - 9.81) * 0.05 * 0.05).margin(1e-2));
    if (edit == 3) CHECK(w.bodyPose(box).p.z() == Approx(1.2).margin(1e-4));
  }
}
