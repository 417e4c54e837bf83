// Joints that close a cycle: their limits, springs, dampers, friction and motors against those of the same joint in a tree.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

// Four bars on the ground, hinges about y; the joint `cut` closes the cycle.
void makeFourBars(world::World& w, int cut, int (&hinge)[4]) {
  const Vec3 corner[4] = {Vec3(0, 0, 0), Vec3(0.1, 0, 0.5), Vec3(0.8, 0, 0.6), Vec3(0.9, 0, 0)};
  int body[3];
  for (int i = 0; i < 3; i++) {
    BodyDefinition d;
    d.pose.p = 0.5 * (corner[i] + corner[i + 1]);
    d.inertia = 0.02 * Mat3::Identity();
    body[i] = w.createBody(d);
  }
  for (int i = 0; i < 4; i++) {
    JointDefinition d;
    d.axis = Vec3::UnitY();
    d.a = i ? body[i - 1] : -1;
    d.b = i < 3 ? body[i] : -1;
    if (i == 3) std::swap(d.a, d.b);
    d.frameA.p = corner[i] - (d.a < 0 ? Vec3(Vec3::Zero()) : w.bodyPose(d.a).p);
    d.asTheyStand = true;
    d.auxiliary = i == cut;
    REQUIRE_FALSE(w.createJoint(d, hinge[i]));
  }
}

}  // namespace

// The axis of a hinge behaves as in a tree where the hinge closes the cycle instead: four bars on the ground, cut at the hinge in question
// or at another one. Motors of the hinge that closes it make steps of first order, those in the tree mild ones of second: their difference
// falls with the step, too.
TEST_CASE("a hinge that closes a cycle has limits, spring, damper, friction and motor", "[step]") {
  const char* names[] = {"limit", "spring and damper", "friction", "velocity motor", "position motor", "torque", "velocity limit"};
  for (int fitting = 0; fitting < 7; fitting++) {
    double apart[2] = {0, 0}, turned = 0;
    for (int fine = 0; fine < 2; fine++) {
      WorldSettings s;
      s.timeStep = fine ? 1.0 / 4000 : 1.0 / 1000;
      s.sleeping = false;
      std::vector<double> way[2];
      double transmitted[2];
      for (int cut : {1, 3}) {
        world::World w(s);
        int hinge[4];
        makeFourBars(w, cut, hinge);
        dynamics::AxisParameters axis;
        MotorSettings motor;
        switch (fitting) {
          case 0:
            axis.lower = -0.3, axis.upper = 0.3;
            break;
          case 1:
            axis.stiffness = 20, axis.damping = 0.5, axis.rest = -0.2;
            break;
          case 2:
            axis.friction = 0.05;
            break;
          case 3:
            motor.mode = MotorMode::Velocity, motor.velocity = 1, motor.damping = kInf, motor.maxForce = 3;
            break;
          case 4:
            motor.mode = MotorMode::Position, motor.position = 0.4, motor.stiffness = 50, motor.damping = 2, motor.maxForce = 8;
            break;
          case 5:
            motor.mode = MotorMode::Torque, motor.force = -1.5;
            break;
          default:
            axis.velocity = 0.8;
        }
        REQUIRE_FALSE(w.setAxis(hinge[3], 0, axis));
        REQUIRE_FALSE(w.setMotor(hinge[3], 0, motor));
        for (int i = 0; i < (fine ? 4000 : 1000); i++) {
          REQUIRE_FALSE(w.step());
          double q, v;
          w.jointState(hinge[3], &q, &v);
          if ((i + 1) % (fine ? 40 : 10) == 0) way[cut == 3].push_back(q);
          turned = std::max(turned, std::fabs(q));
          if (fitting == 0) REQUIRE(std::fabs(q) < 0.3 + 2e-3);
          if (fitting == 6) REQUIRE(std::fabs(v) < 0.8 + 2e-2);
        }
        JointForces f;
        w.jointForces(hinge[3], f);
        transmitted[cut == 3] = f.motor[0] + f.spring[0] + f.friction[0] + f.limit[0];
      }
      for (std::size_t i = 0; i < way[0].size(); i++) apart[fine] = std::max(apart[fine], std::fabs(way[0][i] - way[1][i]));
      INFO(names[fitting] << ": apart " << apart[fine] << " rad, forces " << transmitted[0] << " and " << transmitted[1]);
      const bool mild = fitting == 4 || fitting == 5;
      CHECK(apart[fine] < (mild ? 5 : 1) * (fine ? 5e-3 : 2e-2));
    }
    INFO(names[fitting] << ": apart " << apart[0] << ", at a quarter of the step " << apart[1]);
    CHECK(turned > 0.05);
    CHECK(apart[1] < 0.5 * apart[0] + 1e-9);
  }
}

// The same for a ball joint between two rods that hang from ball joints at their other ends.
TEST_CASE("a ball joint that closes a cycle has swing and twist limits, springs, friction and an orientation motor", "[step]") {
  const char* names[] = {"swing", "twist", "springs and dampers", "friction", "orientation motor"};
  for (int fitting = 0; fitting < 5; fitting++) {
    double apart[2] = {0, 0}, swung = 0;
    for (int fine = 0; fine < 2; fine++) {
      WorldSettings s;
      s.timeStep = fine ? 1.0 / 4000 : 1.0 / 1000;
      s.sleeping = false;
      s.gravity = Vec3(4, 6, -6);  // from rest: given velocities of a cycle depend on where it is cut
      std::vector<Quat> way[2];
      for (int cut : {1, 2}) {
        world::World w(s);
        const Vec3 corner[4] = {Vec3(0, 0, 0), Vec3(0.3, 0.1, -0.3), Vec3(0.7, 0, -0.2), Vec3(0.7, 0, -0.2)};
        int body[2], ball[3];
        for (int i = 0; i < 2; i++) {
          BodyDefinition d;
          d.pose.p = 0.5 * (corner[i] + corner[i + 1]);
          d.inertia = Vec3(0.02, 0.03, 0.025).asDiagonal();
          body[i] = w.createBody(d);
        }
        for (int i = 0; i < 3; i++) {
          JointDefinition d;
          d.type = dynamics::JointType::Spherical;
          d.axis = Vec3::UnitX();
          d.a = i ? body[i - 1] : -1;
          d.b = i < 2 ? body[i] : -1;
          d.frameA.p = corner[i] - (d.a < 0 ? Vec3(Vec3::Zero()) : w.bodyPose(d.a).p);
          d.asTheyStand = true;
          d.auxiliary = i == cut;
          if (i == 1 && fitting == 0) d.swing = 0.3;
          if (i == 1 && fitting == 1) d.twistLower = -0.1, d.twistUpper = 0.1;
          REQUIRE_FALSE(w.createJoint(d, ball[i]));
        }
        dynamics::AxisParameters axis;
        if (fitting == 2) axis.stiffness = 10, axis.damping = 0.3, axis.rest = 0.2;
        if (fitting == 3) axis.friction = 0.1;
        for (int k = 0; k < 3; k++) REQUIRE_FALSE(w.setAxis(ball[1], k, axis));
        if (fitting == 4) REQUIRE_FALSE(w.setOrientationMotor(ball[1], quatExp(Vec3(0.3, 0.1, -0.2)), Vec3::Zero(), 30, 1, 20));
        for (int i = 0; i < (fine ? 2000 : 500); i++) {
          REQUIRE_FALSE(w.step());
          double q[4], v[3];
          w.jointState(ball[1], q, v);
          const Quat r(q[3], q[0], q[1], q[2]);
          if ((i + 1) % (fine ? 40 : 10) == 0) way[cut == 1].push_back(r);
          const Vec3 pointing = r * Vec3(Vec3::UnitX());
          const double swing = std::acos(std::min(1.0, pointing.x())), twist = 2 * std::atan2(r.x(), r.w());
          swung = std::max(swung, quatLog(r).norm());
          if (fitting == 0) REQUIRE(swing < 0.3 + 2e-2);
          if (fitting == 1) REQUIRE(std::fabs(std::remainder(twist, 2 * kPi)) < 0.1 + 2e-2);
        }
      }
      for (std::size_t i = 0; i < way[0].size(); i++)
        apart[fine] = std::max(apart[fine], quatLog(way[0][i].conjugate() * way[1][i]).norm());
    }
    INFO(names[fitting] << ": apart " << apart[0] << ", at a quarter of the step " << apart[1] << ", turned " << swung);
    CHECK(apart[0] < 2e-2);
    CHECK(apart[1] < 0.5 * apart[0] + 1e-9);
    CHECK(swung > 0.1);
  }
}

// A chain whose last joint has to close at another place than its end: Newton's method goes there in bounded passes, eight of at most 0.2 m
// or rad a step, in the coordinates alone, so that bodies at rest stay at rest.
TEST_CASE("a cycle that starts far open closes within few steps without large velocities", "[step]") {
  struct Case {
    dynamics::JointType type;
    Vec3 apart;
    double turned;
    int rods;
  };
  const Case cases[] = {{dynamics::JointType::Revolute, Vec3(0.3, 0, 0.4), 0, 4},
                        {dynamics::JointType::Fixed, Vec3::Zero(), 1, 4},
                        {dynamics::JointType::Revolute, Vec3(-1.5, 0, 2), 0, 8}};
  for (const Case& c : cases)
    for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode})
      for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense})
        for (bool freePoses : {false, true})
          for (bool falls : {false, true}) {
            WorldSettings s;
            s.stepper = stepper;
            s.treeSolver = treeSolver;
            s.freePoses = freePoses;
            s.sleeping = false;
            s.gravity.setZero();
            world::World w(s);
            const test::Chain chain = test::addChain(w, c.rods, 0.5, 1);
            for (int k = 0; k < c.rods; k++) {
              const double bent = k == 0 ? 1.2 : -3.6 / c.rods;
              REQUIRE_FALSE(w.setJointState(chain.joints[k], &bent, nullptr));
            }
            test::advance(w, 1);
            const Pose last = w.bodyPose(chain.bodies.back());
            JointDefinition d;
            d.type = c.type;
            d.axis = Vec3::UnitY();
            d.auxiliary = true;
            d.b = chain.bodies.back();
            d.frameB.p = Vec3(0, 0, -0.25);
            d.frameA.p = last * d.frameB.p + c.apart;
            if (c.turned > 0) d.frameA.q = quatFromAxisAngle(Vec3::UnitY(), c.turned) * last.q;
            int id;
            REQUIRE_FALSE(w.createJoint(d, id));
            if (falls) {
              s.gravity = Vec3(0, 0, -9.81);
              REQUIRE_FALSE(w.setSettings(s));
            }
            const auto open = [&] {
              const Quat off = d.frameA.q.conjugate() * w.bodyPose(d.b).q;
              return std::max(test::jointGap(w, id), c.turned > 0 ? quatLog(off).norm() : 0);
            };
            const double start = open();
            REQUIRE(start == Approx(std::max(c.apart.norm(), c.turned)).epsilon(1e-9));
            double fastest = 0, before = start, most = 0;
            std::vector<double> way;
            for (int i = 0; i < 40; i++) {
              test::advance(w, 1);
              for (int body : chain.bodies) {
                Vec3 v, omega;
                w.bodyTwist(body, v, omega);
                fastest = std::max(fastest, v.norm());
              }
              way.push_back(open());
              if (before > 1e-9) REQUIRE(way.back() < before);
              most = std::max(most, before - way.back());
              before = way.back();
              if (i >= (c.rods > 4 ? 8 : 2)) REQUIRE(before < 1e-9);
            }
            INFO("apart " << start << ", stepper " << static_cast<int>(stepper) << ", tree solver " << static_cast<int>(treeSolver)
                          << ", free poses " << freePoses << ", falls " << falls << ": " << way[0] << ", " << way[1] << ", " << way[2]
                          << ", fastest " << fastest << " m/s, most in a step " << most);
            // Eight passes; `ode` also closes new errors at the start of its step.
            const double bound = stepper == Stepper::Ode ? 2 * 8 * 0.2 : 8 * 0.2;
            CHECK(most < 1.05 * bound);
            if (c.rods > 4) CHECK(way[0] > (stepper == Stepper::Ode ? 0.5 : 0.9));
            CHECK(w.statistics().infeasible == 0);
            CHECK(fastest <
                  (falls ? std::sqrt(2 * 9.81 * 0.5 * c.rods) : 1e-9));  // no more than the fall from the chain's whole height gives
          }
}

// A body on a ball joint that is rows between bodies: it leaves each limit at its restitution times the speed of approach.
TEST_CASE("swing and twist limits of a ball joint outside trees bounce by their restitution", "[step]") {
  for (int about : {0, 1, 2}) {  // swing about x and y, twist about z
    WorldSettings s;
    s.timeStep = 1e-3;
    s.sleeping = false;
    s.gravity.setZero();
    world::World w(s);
    BodyDefinition b;
    b.inertia = Mat3::Identity();
    const int body = w.createBody(b);
    JointDefinition d;
    d.type = dynamics::JointType::Spherical;
    d.b = body;
    d.axis = Vec3::UnitZ();
    d.auxiliary = true;
    d.swing = 1;
    d.twistLower = -1;
    d.twistUpper = 1;
    int joint = -1;
    REQUIRE_FALSE(w.createJoint(d, joint));
    const double restitution[3] = {0.5, 0.5, 0.25};
    for (int k = 0; k < 3; k++) {
      dynamics::AxisParameters p = w.axis(joint, k);
      p.restitution = restitution[k];
      REQUIRE_FALSE(w.setAxis(joint, k, p));
    }
    double rate = 4;
    REQUIRE_FALSE(w.setBodyTwist(body, Vec3::Zero(), rate * Vec3::Unit(about), nullptr));
    for (int bounce = 0; bounce < 2; bounce++) {  // the second from the other side
      test::advance(w, static_cast<int>(1000 * (bounce ? 2 : 1) / std::fabs(rate)) + 100);
      rate *= -restitution[about];
      Vec3 v, omega;
      w.bodyTwist(body, v, omega);
      INFO("axis " << about << ", bounce " << bounce << ": " << omega.transpose());
      CHECK((omega - rate * Vec3::Unit(about)).norm() < 1e-6);
    }
  }
}

// Four bars that start beyond a limit of one hinge: it is in the tree of the cycle, or closes it. No move clamps it; its row brings it back
// by a share a step.
TEST_CASE("a passed limit of a joint on a cycle comes back, in the tree and outside it", "[step]") {
  for (int cut : {1, 3})
    for (double side : {1.0, -1.0}) {
      WorldSettings s;
      s.timeStep = 1e-3;
      s.sleeping = false;
      s.gravity.setZero();
      world::World w(s);
      int hinge[4];
      makeFourBars(w, cut, hinge);
      dynamics::AxisParameters axis;
      (side > 0 ? axis.lower : axis.upper) = side * 0.1;
      REQUIRE_FALSE(w.setAxis(hinge[3], 0, axis));
      for (int i = 0; i < 40; i++) {
        test::advance(w, 1);
        double q;
        w.jointState(hinge[3], &q, nullptr);
        INFO("cut " << cut << ", side " << side << ", step " << i << ": " << q);
        const double lacks = 0.1 - side * q;
        REQUIRE(lacks < (i < 30 ? 0.1 + 1e-6 : 2e-3));
      }
    }
}
