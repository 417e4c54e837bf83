// Jacobians of the stepper `displacement`: of the newest poses, or of the predicted ones in all sweeps (Waterson 4.1, an option).
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/steppers/displacement.hpp"

using namespace vertebra;

namespace {

// A fast pendulum in the x-z plane, after one long step; or without external forces.
struct Pendulum {
  world::World world;
  int rod;
  Pendulum(bool frozen, bool held) : world(settings(frozen)) {
    rod = test::addRod(world, 1, 2, Pose{Vec3(0, 0, -0.5), Quat::Identity()});
    if (held) test::addJoint(world, dynamics::JointType::Spherical, -1, rod, Vec3::Zero(), Vec3(0, 0, 0.5));
    REQUIRE_FALSE(world.setBodyTwist(rod, Vec3(-3, 0, 0), Vec3(0, 6, 0), nullptr));
    test::advance(world, 1);
  }
  static WorldSettings settings(bool frozen) {
    WorldSettings s = test::displacementSettings(1.0 / 30);
    s.displacementFrozen = frozen;
    s.displacementAlongErrors = true;
    s.solverIterations = 2000;
    s.solverTolerance = 1e-13;
    return s;
  }
};

}  // namespace

TEST_CASE("displacement: a frozen Jacobian turns a body by the arm of its predicted pose, the newest by another", "[step]") {
  const Pendulum free(true, false);
  Vec3 v0, w0;
  free.world.bodyTwist(free.rod, v0, w0);
  const Vec3 arm = free.world.bodyPose(free.rod).q * Vec3(0, 0, 0.5);
  double off[2];
  for (const bool frozen : {false, true}) {
    const Pendulum held(frozen, true);
    const Pose pose = held.world.bodyPose(held.rod);
    CHECK((pose * Vec3(0, 0, 0.5)).norm() < 1e-10);  // the joint closes with both
    Vec3 v, w;
    held.world.bodyTwist(held.rod, v, w);
    const Vec3 impulse = 2 * (v - v0);
    REQUIRE(impulse.norm() > 0.1);
    off[frozen] = std::fabs(2.0 / 12 * (w - w0).y() - arm.cross(impulse).y());
  }
  INFO("off by " << off[0] << " N m s with the newest, " << off[1] << " frozen");
  CHECK(off[1] < 1e-9);
  CHECK(off[0] > 1e-4);
}
