// A step that fails is undone as a whole: prescribed bodies and those connected to them, contacts, energy account, warm starts. And what an
// edit during a motion must not change.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

// A lift on its way to a target with a pendulum and a welded box on it, a box on the ground, and a hinged arm with a breakable joint.
struct Scene {
  explicit Scene(const WorldSettings& s) : w(s) {
    test::addGround(w, 0.6, 0);
    BodyDefinition d;
    d.kind = BodyKind::Kinematic;
    d.pose.p = Vec3(0, 0, 2);
    lift = w.createBody(d);
    REQUIRE_FALSE(w.moveBodyTo(lift, goal, 0.5));
    bodies.push_back(lift);
    const int rod = test::addRod(w, 0.5, 1, Pose{Vec3(0, 0, 1.75), Quat::Identity()});
    bodies.push_back(rod);
    REQUIRE_FALSE(
        w.setJointState(test::addJoint(w, dynamics::JointType::Revolute, lift, rod, Vec3::Zero(), Vec3(0, 0, 0.25)), &angle, nullptr));
    bodies.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 2.2), 0.5, 0));
    test::addJoint(w, dynamics::JointType::Fixed, lift, bodies.back(), Vec3(0, 0, 0.2), Vec3::Zero());
    bodies.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(3, 0, 0.1), 0.5, 0));
    arm = test::addRod(w, 0.5, 1, Pose{Vec3(6, 0, 2), Quat::Identity()});
    bodies.push_back(arm);
    JointDefinition j;
    j.b = arm;
    j.frameA.p = Vec3(6, 0, 2.25);
    j.axis = Vec3::UnitY();
    j.asTheyStand = true;
    int hinge = -1;
    REQUIRE_FALSE(w.createJoint(j, hinge));
    dynamics::AxisParameters p;
    p.friction = 0.1;
    p.upper = 0.2;
    p.lower = -0.2;
    REQUIRE_FALSE(w.setAxis(hinge, 0, p));
  }
  void advance(int steps) {
    for (int i = 0; i < steps; i++) {
      const Failure f = w.step();
      INFO(f.text());
      REQUIRE_FALSE(f);
    }
  }

  world::World w;
  const Pose goal{Vec3(0.6, 0.2, 2.5), quatExp(Vec3(0, 0, 1.2))};
  const double angle = 0.4;
  int lift = -1, arm = -1;
  std::vector<int> bodies;
};

void checkSame(const world::World& a, const world::World& b, const std::vector<int>& bodies, double within) {
  for (int body : bodies) {
    INFO("body " << body);
    const Pose p = a.bodyPose(body), q = b.bodyPose(body);
    CHECK((p.p - q.p).norm() <= within);
    CHECK((p.q.coeffs() - q.q.coeffs()).norm() <= within);
    Vec3 v, omega, u, turn;
    a.bodyTwist(body, v, omega);
    b.bodyTwist(body, u, turn);
    CHECK((v - u).norm() <= 100 * within);
    CHECK((omega - turn).norm() <= 100 * within);
  }
}

}  // namespace

TEST_CASE("a step that fails leaves no trace", "[step]") {
  for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse}) {
    WorldSettings s;
    s.energyAccount = true;
    s.treeSolver = treeSolver;
    Scene broken(s), whole(s);
    broken.advance(30);
    whole.advance(30);
    for (int attempt = 0; attempt < 3; attempt++) {
      broken.w.addImpulse(broken.arm, Vec3(std::nan(""), 0, 0), nullptr);
      const Failure f = broken.w.step();
      INFO(f.text());
      REQUIRE(f.kind() == Failure::Diverged);
      broken.w.clearForces(broken.arm);
      whole.w.addImpulse(whole.arm, Vec3::Zero(), nullptr);  // likewise
      whole.w.clearForces(whole.arm);
      CHECK(broken.w.hash() == whole.w.hash());
      CHECK(broken.w.time() == whole.w.time());
      CHECK(broken.w.energy().lostFriction == whole.w.energy().lostFriction);
      CHECK(broken.w.energy().workApplied == whole.w.energy().workApplied);
      CHECK(broken.w.energy().kinetic == whole.w.energy().kinetic);
      REQUIRE(broken.w.contacts().size() == whole.w.contacts().size());
      for (std::size_t i = 0; i < whole.w.contacts().size(); i++) CHECK(broken.w.contacts()[i].force == whole.w.contacts()[i].force);
    }
    broken.advance(90);
    whole.advance(90);
    CHECK((broken.w.bodyPose(broken.lift).p - broken.goal.p).norm() < 1e-12);  // at the planned time
    CHECK(broken.w.hash() == whole.w.hash());
  }
}

TEST_CASE("what waits for a step waits on where it fails, under every stepper", "[step]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook, Stepper::Displacement})
    for (bool own : {false, true}) {
      if (own && (stepper == Stepper::Variational || stepper == Stepper::Displacement)) continue;  // no steps of bodies' own
      WorldSettings s;
      s.stepper = stepper;
      s.energyAccount = true;
      Scene broken(s), whole(s);
      bool fails = false;
      for (Scene* scene : {&broken, &whole}) {
        FieldDefinition d;
        d.type = FieldType::User;
        d.user = scene == &broken ? &fails : nullptr;
        d.evaluate = [](void* user, int, int, double* force, double*) {
          force[0] += 0.1;
          return !(user && *static_cast<bool*>(user));
        };
        int field = -1;
        REQUIRE_FALSE(scene->w.createField(d, field));
        if (own) REQUIRE_FALSE(scene->w.setBodyIntegration(scene->arm, {s.timeStep / 4, -1}));
        scene->advance(20);
        scene->w.addImpulse(scene->arm, Vec3(0.2, 0, 0.1), nullptr);
        scene->w.addForce(scene->arm, Vec3(0, 3, 0), nullptr, false);
      }
      INFO("stepper " << static_cast<int>(stepper) << (own ? ", with steps of its own" : ""));
      const std::uint64_t before = whole.w.hash();
      REQUIRE(broken.w.hash() == before);
      fails = true;
      for (int attempt = 0; attempt < 2; attempt++) {
        REQUIRE(broken.w.step().kind() == Failure::Argument);
        CHECK(broken.w.hash() == before);
      }
      fails = false;
      for (int i = 0; i < 40; i++) {
        broken.advance(1);
        whole.advance(1);
        REQUIRE(broken.w.hash() == whole.w.hash());
      }
    }
}

TEST_CASE("an edit elsewhere does not disturb the children of a moving body", "[step]") {
  Scene edited((WorldSettings())), whole((WorldSettings()));
  edited.advance(30);
  whole.advance(30);
  BodyDefinition d;
  d.kind = BodyKind::Static;
  d.pose.p = Vec3(50, 0, 0);
  edited.w.createBody(d);
  edited.advance(1);
  whole.advance(1);
  checkSame(edited.w, whole.w, whole.bodies, 1e-6);
  edited.advance(60);
  whole.advance(60);
  checkSame(edited.w, whole.w, whole.bodies, 1e-4);
}

TEST_CASE("what is welded to a body on its way goes with it, under every stepper", "[step]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook, Stepper::Displacement}) {
    WorldSettings s;
    s.stepper = stepper;
    Scene scene(s);
    scene.advance(60);
    const Pose lift = scene.w.bodyPose(scene.lift), box = scene.w.bodyPose(scene.bodies[2]);
    INFO("stepper " << static_cast<int>(stepper));
    CHECK((box.p - lift * Vec3(0, 0, 0.2)).norm() < 1e-6);
  }
}
