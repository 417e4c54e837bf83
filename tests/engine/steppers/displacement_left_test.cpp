// The stepper `displacement` where sweeps do not converge: steps that leave much are made in parts, and what is left then is told.
#include <cmath>
#include <vector>

#include "tests/engine/steppers/displacement.hpp"

using namespace vertebra;

namespace {

WorldSettings defaultsAt(double rate) {
  WorldSettings s;
  s.stepper = Stepper::Displacement;
  s.timeStep = 1 / rate;
  s.sleeping = false;
  return s;
}

// A chassis of 300 kg on four wheels of 5 kg, each on a carrier of 0.2 kg that hinges on the chassis.
struct Car {
  explicit Car(const WorldSettings& s) : w(s) {
    test::addGround(w, 0.8, 0);
    const int chassis = test::addBox(w, Vec3(0.8, 0.4, 0.1), 300, Vec3(0, 0, 1), 0.8, 0);
    bodies.push_back(chassis);
    for (double x : {-0.6, 0.6})
      for (double y : {-0.6, 0.6}) {
        const Vec3 at(x, y, 0.9);
        const int carrier = test::addRod(w, 0.1, 0.2, Pose{at, Quat::Identity()});
        const int wheel = test::addBall(w, 0.25, 5, at, 0.8, 0);
        joints.push_back(
            test::addJoint(w, dynamics::JointType::Revolute, chassis, carrier, at - Vec3(0, 0, 1), Vec3::Zero(), Vec3::UnitZ()));
        joints.push_back(test::addJoint(w, dynamics::JointType::Revolute, carrier, wheel, Vec3::Zero(), Vec3::Zero(), Vec3::UnitY()));
        dynamics::AxisParameters steering;
        steering.lower = -0.3;
        steering.upper = 0.3;
        REQUIRE_FALSE(w.setAxis(joints[joints.size() - 2], 0, steering));
        bodies.push_back(carrier);
        bodies.push_back(wheel);
      }
    const double fall[6] = {0, 0, 0, 3, 0, -4};
    for (int body : bodies) REQUIRE_FALSE(w.setBodyTwist(body, Vec3(fall[3], 0, fall[5]), Vec3::Zero(), nullptr));
  }
  world::World w;
  std::vector<int> bodies, joints;
};

}  // namespace

TEST_CASE("displacement: a car on light carriers lands in one piece", "[step][displacement]") {
  for (double rate : {60.0, 240.0}) {
    Car car(defaultsAt(rate));
    const double start = test::totalEnergy(car.w);
    double open = 0, highest = 0;
    for (int i = 0; i < 2 * rate; i++) {
      test::advance(car.w, 1);
      for (int joint : car.joints) open = std::max(open, test::jointGap(car.w, joint));
      highest = std::max(highest, test::totalEnergy(car.w) - start);
    }
    INFO("rate " << rate << " opened by " << open << " m, unsolved " << car.w.statistics().unsolved);
    CHECK(open < 0.08);                  // in the impact; without parts its axes turned over
    CHECK(highest < 0.01 * 321 * 9.81);  // J: a hundredth of the weight x 1 m
    CHECK(car.w.statistics().unsolved > 0);
    CHECK(car.w.bodyPose(car.bodies[0]).p.z() > 0.2);
  }
}

TEST_CASE("displacement: what sweeps leave is told", "[step][displacement]") {
  for (int sweeps : {1, 200}) {
    WorldSettings s = test::displacementSettings(1.0 / 60);
    s.displacementAlongErrors = true;  // sweeps alone
    s.solverIterations = sweeps;
    s.tellUnsolved = true;
    world::World w(s);
    test::addChain(w, 6, 0.2, 1);
    Failure last;
    for (int i = 0; i < 30 && !last; i++) last = w.step();
    INFO(sweeps << " sweeps: " << last.text());
    CHECK((last.kind() == Failure::Unsolved) == (sweeps == 1));
    CHECK((w.statistics().unsolved > 0) == (sweeps == 1));
  }
}

TEST_CASE("displacement: a screw holds a body off its axis", "[step][displacement]") {
  struct Case {
    Vec3 at, axis, gravity;
  };
  const Case cases[] = {{Vec3(0.4, 0.3, 0), Vec3::UnitX(), Vec3(0, 0, -9.81)},
                        {Vec3(0.4, 0.3, 0), Vec3::UnitX(), Vec3(-9.81, 0, 0)},
                        {Vec3(0.4, 0, 0.3), Vec3::UnitX(), Vec3(0, 0, -9.81)},
                        {Vec3(0.4, 0.3, 0), Vec3::UnitY(), Vec3(0, 0, -9.81)},
                        {Vec3(0.4, 0.3, 0.2), Vec3::UnitZ(), Vec3(0, 0, -9.81)}};
  for (const Case& x : cases) {
    const auto make = [&](Stepper stepper, double rate) {
      WorldSettings s = defaultsAt(rate);
      s.stepper = stepper;
      s.gravity = x.gravity;
      s.energyAccount = true;
      return s;
    };
    constexpr double kPitch = 0.1 / (2 * kPi);  // m a radian
    Vec3 place[2];
    for (int k = 0; k < 2; k++) {
      world::World w(make(k ? Stepper::Impulse : Stepper::Displacement, 1000));
      BodyDefinition d;
      d.mass = 2;
      d.inertia = 0.01 * Mat3::Identity();
      d.pose.p = x.at;
      const int nut = w.createBody(d);
      JointDefinition j;
      j.type = dynamics::JointType::Screw;
      j.b = nut;
      j.frameB.p = -x.at;
      j.axis = x.axis;
      j.pitch = kPitch;
      int screw = -1;
      REQUIRE_FALSE(w.createJoint(j, screw));
      const EnergyAccount before = w.energy();
      test::advance(w, 500);
      const EnergyAccount after = w.energy();
      INFO("at " << x.at.transpose() << ", axis " << x.axis.transpose() << ", stepper " << k);
      CHECK(w.statistics().maxJointError < 1e-4);
      CHECK(std::fabs(after.kinetic + after.potential - before.kinetic - before.potential) <
            (k ? 0.01 : 0.3));  // of first order: 5.9 J swing
      place[k] = w.bodyPose(nut).p;
    }
    CHECK((place[0] - place[1]).norm() < 0.01);
  }
}
