// A physics step that is made again in parts because it drives a contact too deep: it is deep no more, its forces are told as means over
// the whole, and it stands or fails as a whole.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

// A slender arm of three links, the last one light, that falls on the ground and whips over it; with a spring and dry friction in its
// joints.
struct Whip {
  Whip(const WorldSettings& s, double restitution) : w(s) {
    test::addGround(w, 0.6, restitution);
    const double masses[3] = {2, 0.3, 0.05};
    for (int k = 0; k < 3; k++) {
      const Pose pose{Vec3(0.4 * k, 0, 0.5), quatFromAxisAngle(Vec3::UnitY(), -0.5 * kPi)};
      bodies.push_back(test::addRod(w, 0.4, masses[k], pose));
      test::addShape(w, bodies[k], geometry::ShapeType::Capsule, Vec3(0.02, 0, 0.17), 0.6, restitution);
      if (k == 0) continue;
      joints.push_back(test::addJoint(w, dynamics::JointType::Revolute, bodies[k - 1], bodies[k], Vec3(0, 0, -0.2), Vec3(0, 0, 0.2)));
      dynamics::AxisParameters a;
      a.stiffness = 0.5;
      a.friction = 0.01;
      a.lower = -2;
      a.upper = 2;
      REQUIRE_FALSE(w.setAxis(joints.back(), 0, a));
    }
    const double rate = 60;
    REQUIRE_FALSE(w.setBodyTwist(bodies[0], Vec3(0, 0, -2), Vec3(5, 15, 0), nullptr));
    REQUIRE_FALSE(w.setJointState(joints[1], nullptr, &rate));
  }
  double deepest() const {
    double depth = 0;
    for (const Contact& c : w.contacts()) depth = std::max(depth, -c.gap);
    return depth;
  }
  Vec3 linear() const {
    Vec3 p, l;
    w.momentum(p, l);
    return p;
  }
  world::World w;
  std::vector<int> bodies, joints;
};

}  // namespace

TEST_CASE("a light arm that whips over the ground does not sink in", "[step][parts]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Spook, Stepper::Variational})
    for (double rate : {60.0, 240.0}) {
      double deepest[2];
      int restarts[2] = {0, 0};
      for (int parts : {0, 1}) {
        WorldSettings s = test::awake(stepper, rate);
        if (!parts) s.adaptiveSubsteps = 1;
        Whip arm(s, 0);
        deepest[parts] = 0;
        for (int i = 0; i < 3 * rate; i++) {
          test::advance(arm.w, 1);
          deepest[parts] = std::max(deepest[parts], arm.deepest());
        }
        restarts[parts] = arm.w.statistics().restarts;
      }
      INFO("stepper " << static_cast<int>(stepper) << ", rate " << rate << ": " << deepest[0] << " m deep, in parts " << deepest[1]
                      << " m, made again " << restarts[1]);
      CHECK(restarts[0] == 0);
      CHECK(deepest[1] < (rate > 100 ? 5e-3 : 1e-2));
      if (rate > 100) continue;
      CHECK(restarts[1] > 0);
      CHECK(deepest[0] > 2 * deepest[1]);
    }
}

TEST_CASE("a step made in parts tells means: contacts and joints change momenta as they say", "[step][parts]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Spook})
    for (double restitution : {0.0, 0.6}) {
      Whip arm(test::awake(stepper, 60), restitution);
      const double h = 1.0 / 60, weight = 2.35 * 9.81;
      int inParts = 0;
      for (int i = 0; i < 120; i++) {
        const Vec3 before = arm.linear();
        Vec3 tip[2], omega;
        arm.w.bodyTwist(arm.bodies[2], tip[0], omega);
        const int restarts = arm.w.statistics().restarts;
        test::advance(arm.w, 1);
        arm.w.bodyTwist(arm.bodies[2], tip[1], omega);
        const bool divided = arm.w.statistics().restarts > restarts;
        inParts += divided;
        Vec3 force(0, 0, -weight), onTip(0, 0, -0.05 * 9.81);
        for (const Contact& c : arm.w.contacts()) {
          force += c.force;  // body a is the ground
          REQUIRE(c.bodyA < 0);
          if (c.bodyB == arm.bodies[2]) onTip += c.force;
        }
        JointForces joint;
        arm.w.jointForces(arm.joints[1], joint);
        onTip += joint.force + joint.motors.force + joint.springs.force + joint.frictions.force + joint.limits.force;
        INFO("stepper " << static_cast<int>(stepper) << ", restitution " << restitution << ", step " << i << ", in parts " << divided);
        REQUIRE((arm.linear() - before - h * force).norm() < 1e-9 * h * weight);
        REQUIRE((0.05 * (tip[1] - tip[0]) - h * onTip).norm() < 1e-9 * h * weight);
        CHECK(arm.w.time() == Approx((i + 1) * h).epsilon(1e-12));
      }
      CHECK(inParts > 0);
    }
}

TEST_CASE("a world restored in the middle goes on as the one that made steps in parts", "[step][parts]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Spook}) {
    Whip a(test::awake(stepper, 60), 0), b(test::awake(stepper, 60), 0);
    for (int i = 0; i < 120; i++) {
      test::advance(a.w, 1);
      std::vector<std::uint8_t> state;
      a.w.save(state);
      REQUIRE_FALSE(b.w.restore(state.data(), state.size()));
      REQUIRE(a.w.hash() == b.w.hash());
      test::advance(b.w, 1);
      Whip c(test::awake(stepper, 60), 0);
      REQUIRE_FALSE(c.w.restore(state.data(), state.size()));
      test::advance(c.w, 1);
      REQUIRE(b.w.hash() == c.w.hash());
    }
    CHECK(a.w.statistics().restarts > 0);
  }
}

TEST_CASE("a step that fails in one of its parts is undone whole", "[step][parts]") {
  struct Field {
    int calls = 0, fails = 0;  // the call that fails, counted from 1; 0: none
  } field;
  Whip arm(test::awake(Stepper::Impulse, 60), 0), twin(test::awake(Stepper::Impulse, 60), 0);
  FieldDefinition d;
  d.type = FieldType::User;
  d.evaluate = [](void* data, int, int body, double*, double*) {
    Field& f = *static_cast<Field*>(data);
    if (body == 0) f.calls++;
    return f.fails == 0 || f.calls < f.fails;
  };
  d.user = &field;
  int id = -1;
  REQUIRE_FALSE(arm.w.createField(d, id));
  REQUIRE_FALSE(twin.w.createField(d, id));
  int failed = 0;
  for (int i = 0; i < 120; i++) {
    const int restarts = arm.w.statistics().restarts;
    std::vector<std::uint8_t> start;
    arm.w.save(start);
    field = Field();
    test::advance(arm.w, 1);
    const int made = field.calls;  // attempts at the step and its parts
    const std::uint64_t good = arm.w.hash();
    if (arm.w.statistics().restarts == restarts) continue;
    for (int call = 2; call <= made; call++) {
      REQUIRE_FALSE(twin.w.restore(start.data(), start.size()));
      const std::uint64_t before = twin.w.hash();
      const std::size_t events = twin.w.events().size();
      field = {0, call};
      REQUIRE(twin.w.step());
      REQUIRE(twin.w.hash() == before);
      REQUIRE(twin.w.events().size() == events);
      field = Field();
      test::advance(twin.w, 1);
      REQUIRE(twin.w.hash() == good);
      failed++;
    }
  }
  CHECK(failed > 3);
}

TEST_CASE("a body set into the ground is pushed out without a step in many parts", "[step][parts]") {
  for (double depth : {0.01, 0.05}) {
    world::World w(test::awake(Stepper::Impulse, 60));
    test::addGround(w, 0.5, 0);
    const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1), 0.5, 0);
    test::advance(w, 10);
    for (int i = 0; i < 20; i++) {
      REQUIRE_FALSE(w.setBodyPose(box, Pose{Vec3(0, 0, 0.1 - depth), Quat::Identity()}, nullptr));
      test::advance(w, 1);
    }
    CHECK(w.statistics().restarts <= 40);
    test::advance(w, 60);
    CHECK(w.bodyPose(box).p.z() == Approx(0.1).margin(2e-4));
  }
}

TEST_CASE("a displacement that lifts a contact leaves joints within their limits", "[step][parts]") {
  // A heavy body stands on a light foot, whose slide is at its upper limit; the foot starts 5 mm deep.
  for (double foot : {0.5, 0.01}) {
    WorldSettings s = test::awake(Stepper::Impulse, 240);
    s.contactPositions = true;
    world::World w(s);
    test::addGround(w, 0.5, 0);
    const int body = test::addBox(w, Vec3(0.1, 0.1, 0.1), 5, Vec3(0, 0, 0.195), 0, 0);
    const int light = test::addBox(w, Vec3(0.05, 0.05, 0.02), foot, Vec3(0, 0, 0.015), 0.5, 0);
    const int slide = test::addJoint(w, dynamics::JointType::Prismatic, body, light, Vec3(0, 0, -0.18), Vec3::Zero(), Vec3::UnitZ());
    dynamics::AxisParameters a;
    a.lower = -0.05;
    a.upper = 0;
    REQUIRE_FALSE(w.setAxis(slide, 0, a));
    test::advance(w, 240);
    INFO("foot of " << foot << " kg at " << w.bodyPose(light).p.z());
    CHECK(w.bodyPose(light).p.z() > 0.02 - 3e-4);
    CHECK(w.bodyPose(body).p.z() > 0.2 - 3e-4);
  }
}
