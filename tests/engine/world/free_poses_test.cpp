// Worlds whose bodies keep their own poses (VTB_WORLD_FLAG_FREE_POSES): stabilisation of joints, after Cline 2002, 5.2.1.
#include <cmath>
#include <vector>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

// Six links of 100 mm, level at the start; 1 ms. The thesis does not state its gravity. Its plots show several swings in 0.6 s and 20 mm of
// error without stabilisation, which takes about six times the Earth's gravity; under 9.81 m/s^2 the joints drift apart by 3.5 mm.
struct Chain {
  world::World world;
  std::vector<int> bodies, joints;
  explicit Chain(const WorldSettings& s) : world(s) {
    for (int i = 0; i < 6; i++) {
      BodyDefinition d;
      d.pose.p = Vec3(0.1 * i + 0.05, 0, 0);
      d.mass = 0.1;
      d.inertia = Vec3(1e-5, 9e-5, 9e-5).asDiagonal();
      bodies.push_back(world.createBody(d));
      joints.push_back(test::addJoint(world, dynamics::JointType::Revolute, i ? bodies[i - 1] : -1, bodies[i],
                                      i ? Vec3(0.05, 0, 0) : Vec3(0, 0, 0), Vec3(-0.05, 0, 0)));
    }
  }
  double gap() const {  // m, the widest joint
    double worst = 0;
    for (int i = 0; i < 6; i++) {
      const Pose b = world.bodyPose(bodies[i]);
      const Vec3 above = i ? Vec3(world.bodyPose(bodies[i - 1]) * Pose{Vec3(0.05, 0, 0), Quat::Identity()}.p) : Vec3(Vec3::Zero());
      worst = std::max(worst, (b * Vec3(-0.05, 0, 0) - above).norm());
    }
    return worst;
  }
};

WorldSettings settings(Stabilisation stabilisation, double baumgarte = 50) {
  WorldSettings s;
  s.timeStep = 1e-3;
  s.sleeping = false;
  s.freePoses = true;
  s.gravity = Vec3(0, 0, -60);
  s.stabilisation = stabilisation;
  s.baumgarte = baumgarte;
  return s;
}

}  // namespace

TEST_CASE("six links: the joints' error under each stabilisation", "[step]") {
  struct Case {
    Stabilisation how;
    double rate, atLeast, atMost;
  };
  for (const Case& c : {Case{Stabilisation::None, 0, 10e-3, 1}, Case{Stabilisation::Baumgarte, 50, 0, 10e-3},
                        Case{Stabilisation::Baumgarte, 200, 0, 10e-3}, Case{Stabilisation::Newton, 0, 0, 1e-5}}) {
    Chain chain(settings(c.how, c.rate));
    double worst = 0;
    for (int i = 0; i < 600; i++) {
      test::advance(chain.world, 1);
      worst = std::max(worst, chain.gap());
    }
    INFO("stabilisation " << static_cast<int>(c.how) << " rate " << c.rate << " worst " << worst);
    CHECK(worst >= c.atLeast);
    CHECK(worst <= c.atMost);
    CHECK(chain.world.statistics().maxJointError == Approx(worst).margin(1e-12));
  }
}

TEST_CASE("SPOOK reports the error of its joints", "[step]") {
  WorldSettings s = settings(Stabilisation::Newton);
  s.stepper = Stepper::Spook;
  Chain chain(s);
  double worst = 0, told = 0;
  for (int i = 0; i < 600; i++) {
    test::advance(chain.world, 1);
    worst = std::max(worst, chain.gap());
    told = std::max(told, chain.world.statistics().maxJointError);
  }
  CHECK(worst > 1e-5);
  CHECK(told == Approx(worst).epsilon(1e-9));
}

// A correction of twice the error in one step overshoots in the next: the velocities change sign at every step.
TEST_CASE("Baumgarte's velocity jitters where the rate times the step reaches two", "[step]") {
  int reversals[2] = {0, 0};  // of the second difference of the tip's velocity, from step to step
  for (int stiff = 0; stiff < 2; stiff++) {
    Chain chain(settings(Stabilisation::Baumgarte, stiff ? 2000 : 200));
    REQUIRE_FALSE(chain.world.setBodyPose(chain.bodies[5], {Vec3(0.55 + 1e-5, 0, 0), Quat::Identity()}, nullptr));  // something to correct
    Vec3 v[3] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}, before = Vec3::Zero(), omega;
    for (int i = 0; i < 600; i++) {
      test::advance(chain.world, 1);
      v[0] = v[1];
      v[1] = v[2];
      chain.world.bodyTwist(chain.bodies[5], v[2], omega);
      const Vec3 bend = v[0] - 2 * v[1] + v[2];
      reversals[stiff] += bend.dot(before) < 0;
      before = bend;
    }
  }
  INFO(reversals[0] << " " << reversals[1]);
  CHECK(reversals[0] < 60);
  CHECK(reversals[1] > 480);
}

TEST_CASE("free poses and joint coordinates give one motion in the limit of small steps", "[step]") {
  double apart[2];
  for (int fine = 0; fine < 2; fine++) {
    Vec3 tip[2];
    for (int free = 0; free < 2; free++) {
      WorldSettings s = settings(Stabilisation::Newton);
      s.timeStep = fine ? 1e-4 : 1e-3;
      s.freePoses = free;
      Chain chain(s);
      test::advance(chain.world, fine ? 2000 : 200);
      tip[free] = chain.world.bodyPose(chain.bodies[5]).p;
    }
    apart[fine] = (tip[0] - tip[1]).norm();
  }
  INFO(apart[0] << " " << apart[1]);
  CHECK(apart[0] < 0.03);
  CHECK(apart[1] < 0.15 * apart[0]);
}

TEST_CASE("with free poses joints set coordinates as in trees, and others stay where they are", "[step][free]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Displacement}) {
    WorldSettings s;
    s.sleeping = false;
    WorldSettings free = s;
    free.stepper = stepper;
    free.freePoses = stepper == Stepper::Impulse;
    world::World trees(s), poses(free);
    std::vector<int> bodies;
    int far = -1, closing = -1;
    for (world::World* w : {&trees, &poses}) {
      const test::Chain hinges = test::addChain(*w, 3, 0.4, 1), balls = test::addChain(*w, 2, 0.3, 1, -1, dynamics::JointType::Spherical);
      bodies = hinges.bodies;
      bodies.insert(bodies.end(), balls.bodies.begin(), balls.bodies.end());
      far = test::addRod(*w, 0.3, 1, Pose{Vec3(3, 0, 0), Quat::Identity()});
      const int ring[2] = {test::addRod(*w, 0.3, 1, Pose{Vec3(6, 0, 0), Quat::Identity()}),
                           test::addRod(*w, 0.3, 1, Pose{Vec3(7, 0, 0), Quat::Identity()})};
      for (int k = 0; k < 2; k++) {
        JointDefinition d;
        d.a = ring[0];
        d.b = ring[1];
        d.frameA.p = Vec3(0.5, k, 0);
        d.asTheyStand = true;
        d.auxiliary = k == 1;
        REQUIRE_FALSE(w->createJoint(d, closing));
      }
      const double q[3] = {0.7, -0.4, 0.2}, v[3] = {1, 2, -3};
      const Quat turn = quatExp(Vec3(0.3, -0.5, 0.2));
      const double ball[4] = {turn.x(), turn.y(), turn.z(), turn.w()}, omega[3] = {0.5, -1, 2};
      for (int k = 2; k >= 0; k--) REQUIRE_FALSE(w->setJointState(hinges.joints[k], q + k, v + k));  // in any order
      for (int j : balls.joints) REQUIRE_FALSE(w->setJointState(j, ball, omega));
      double back;
      w->jointState(hinges.joints[1], &back, nullptr);
      CHECK(back == Approx(-0.4).epsilon(1e-12));
    }
    for (int b : bodies) {
      INFO("stepper " << int(stepper) << ", body " << b);
      const Pose a = trees.bodyPose(b), c = poses.bodyPose(b);
      CHECK((a.p - c.p).norm() < 1e-12);
      CHECK(quatLog(a.q.conjugate() * c.q).norm() < 1e-12);
      Vec3 va, wa, vc, wc;
      trees.bodyTwist(b, va, wa);
      poses.bodyTwist(b, vc, wc);
      CHECK((va - vc).norm() < 1e-11);
      CHECK((wa - wc).norm() < 1e-11);
    }
    CHECK(poses.bodyPose(far).p == Vec3(3, 0, 0));
    const double q = 0.1;
    CHECK(poses.setJointState(closing, &q, nullptr).kind() == Failure::Unsupported);
    test::advance(poses, 1);
  }
}

TEST_CASE("with free poses, bodies with open joints are placed by their joints on request", "[step][free]") {
  WorldSettings s;
  s.stepper = Stepper::Displacement;
  world::World w(s);
  std::vector<int> joints;
  int last = -1;
  for (int k = 0; k < 4; k++) {  // all in one place
    const int body = test::addRod(w, 0.2, 1, Pose{Vec3(1, 0, 2), Quat::Identity()});
    joints.push_back(test::addJoint(w, dynamics::JointType::Universal, last, body, last < 0 ? Vec3(0, 0, 3) : Vec3(0, 0, -0.1),
                                    Vec3(0, 0, 0.1), Vec3::UnitX()));
    last = body;
  }
  CHECK(test::jointGap(w, joints[3]) == Approx(0.2));
  REQUIRE_FALSE(w.placeByJoints(joints));
  for (int j : joints) CHECK(test::jointGap(w, j) < 1e-12);
  CHECK((w.bodyPose(last).p - Vec3(0, 0, 3 - 0.7)).norm() < 1e-12);
}

namespace {

// A body fixed to a massless frame that is fixed to another such frame, which is fixed to the body; from a third, fixed to the world, hangs
// a rod. Or the same without frames.
struct Framed {
  world::World world;
  int body = -1, rod = -1, pulled = -1;
  Vec3 at = Vec3::Zero();  // of the pulled body, where the force acts
  Framed(const WorldSettings& s, bool frames) : world(s) {
    const Vec3 first(0.1, 0.05, 0.2), second(0.3, -0.1, 0.4);
    BodyDefinition none;
    none.mass = 0;
    none.inertia.setZero();
    int outer = -1, inner = -1, held = -1;
    if (frames) {  // created before the body: their order must not decide which of them leads
      none.pose.p = second;
      outer = world.createBody(none);
      none.pose.p = first;
      inner = world.createBody(none);
      none.pose.p = Vec3(2, 0, 0);
      held = world.createBody(none);
    }
    BodyDefinition d;
    d.mass = 2;
    d.inertia = Vec3(0.02, 0.03, 0.04).asDiagonal();
    body = world.createBody(d);
    const Quat swung = quatFromAxisAngle(Vec3::UnitY(), 0.5);
    rod = test::addRod(world, 0.5, 1, Pose{Vec3(2, 0, 0) - swung * Vec3(0, 0, 0.25), swung});
    if (frames) {
      test::addJoint(world, dynamics::JointType::Fixed, inner, outer, second - first, Vec3::Zero());
      test::addJoint(world, dynamics::JointType::Fixed, body, inner, first, Vec3::Zero());
      test::addJoint(world, dynamics::JointType::Fixed, -1, held, Vec3(2, 0, 0), Vec3::Zero());
    }
    test::addJoint(world, dynamics::JointType::Spherical, -1, frames ? outer : body, second, frames ? Vec3::Zero() : second);
    test::addJoint(world, dynamics::JointType::Revolute, held, rod, frames ? Vec3::Zero() : Vec3(2, 0, 0), Vec3(0, 0, 0.25));
    pulled = frames ? outer : body;
    at = frames ? Vec3::Zero() : second;
  }
  void run(int steps, const Vec3& force) {
    for (int i = 0; i < steps; i++) {
      const Vec3 point = world.bodyPose(pulled) * at;
      world.addForce(pulled, force, &point, false);
      test::advance(world, 1);
    }
  }
};

}  // namespace

TEST_CASE("a massless frame moves with its body where bodies keep their own poses", "[step]") {
  for (const Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook, Stepper::Displacement})
    for (const TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Dense, TreeSolver::Sparse}) {
      if (stepper == Stepper::Displacement && treeSolver != TreeSolver::Articulated) continue;
      WorldSettings s;
      s.timeStep = 1e-3;
      s.sleeping = false;
      s.freePoses = true;
      s.stepper = stepper;
      s.treeSolver = treeSolver;
      s.solverIterations = 400;
      s.solverTolerance = 1e-14;
      Framed with(s, true), without(s, false);
      INFO("stepper " << static_cast<int>(stepper) << " tree solver " << static_cast<int>(treeSolver));
      const auto differ = [&](double bound) {
        for (int Framed::*which : {&Framed::body, &Framed::rod}) {
          const Pose a = with.world.bodyPose(with.*which), b = without.world.bodyPose(without.*which);
          INFO(a.p.transpose() << " and " << b.p.transpose());
          CHECK((a.p - b.p).norm() < bound);
          CHECK(quatLog(a.q.conjugate() * b.q).norm() < bound);
        }
      };
      with.run(200, Vec3::Zero()), without.run(200, Vec3::Zero());
      // `spook` needs the earlier velocity of the held point: the frame's, or the body's there; `impulse` moves the root by its
      // acceleration, the frame or the body, to second order.
      differ(stepper == Stepper::Spook ? 1e-5 : stepper == Stepper::Impulse ? 2e-6 : 1e-9);
      const double before = without.world.bodyPose(without.body).p.x();
      with.run(100, Vec3(30, 0, 10)), without.run(100, Vec3(30, 0, 10));
      differ(stepper == Stepper::Displacement ? 1e-9 : 5e-3);  // elsewhere its arm is of the start of the step, or of its end
      CHECK(std::fabs(without.world.bodyPose(without.body).p.x() - before) > 0.02);
      const Pose frame = with.world.bodyPose(with.pulled), body = with.world.bodyPose(with.body);
      CHECK((frame.p - body * Vec3(0.3, -0.1, 0.4)).norm() < 1e-12);
    }
}

TEST_CASE("a body without inertia is refused with what it lacks: under free poses its own, in a tree that of what hangs on it",
          "[step][free]") {
  for (int how = 0; how < 3; how++) {  // in a tree; free poses; displacement
    WorldSettings s;
    s.freePoses = how == 1;
    if (how == 2) s.stepper = Stepper::Displacement;
    world::World w(s);
    int bodies[2];
    for (int k = 0; k < 2; k++) {
      BodyDefinition d;
      d.pose.p = Vec3(0, 0, -k);
      d.mass = k;
      d.inertia = k * 0.1 * Mat3::Identity();
      bodies[k] = w.createBody(d);
      test::addJoint(w, dynamics::JointType::Revolute, k ? bodies[0] : -1, bodies[k], Vec3(0, 0, k ? -1 : 0), Vec3::Zero());
    }
    const Failure f = w.step();
    INFO("how " << how << ": " << f.text());
    CHECK(f.kind() == (how ? Failure::Argument : Failure::None));
    if (!how) continue;
    CHECK(f.body() == bodies[0]);
    CHECK(f.text().find("each body needs of its own") != std::string::npos);
    CHECK(f.text().find("vtb_body_set_mass") != std::string::npos);
  }
}
