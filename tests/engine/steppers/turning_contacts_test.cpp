// What turns far in a step makes no energy of nothing while it touches: tops, interlocked rings under a load, wheels of a train that falls
// off a ramp, a crane whose motor swings a load on light links. SI units; energies as shares of weight x 1 m.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/engine/world/scenes.hpp"

using namespace test;
using dynamics::JointType;
using geometry::ShapeType;

namespace {

WorldSettings accounted(Stepper stepper, double rate) {
  WorldSettings s = awake(stepper, rate);
  s.energyAccount = true;
  return s;
}

// The most that a world's energy, less the work of its drives, lies above that of its start, or above the lowest so far.
struct Energies {
  double risen = 0, regained = 0;
};
Energies energiesOf(world::World& w, double seconds) {
  double mass = 0;
  for (int b = 0; b < w.bodyCapacity(); b++)
    if (w.bodyKind(b) == BodyKind::Dynamic) mass += massOf(w, b);
  const auto now = [&] {
    const EnergyAccount e = w.energy();
    return (e.kinetic + e.potential - e.workDrives - e.workApplied) / (mass * 9.81);
  };
  const double start = now();
  double lowest = start;
  Energies most;
  for (int steps = static_cast<int>(std::lround(seconds / w.settings().timeStep)); steps > 0; steps--) {
    advance(w, 1);
    const double e = now();
    lowest = std::min(lowest, e);
    most.risen = std::max(most.risen, e - start);
    most.regained = std::max(most.regained, e - lowest);
  }
  return most;
}

int addPiece(world::World& w, const std::vector<std::pair<ShapeType, Vec3>>& shapes, const std::vector<Pose>& at, const Pose& pose,
             double mass, double friction) {
  BodyDefinition d;
  d.pose = pose;
  const int body = w.createBody(d);
  for (std::size_t k = 0; k < shapes.size(); k++) addShape(w, body, shapes[k].first, shapes[k].second, friction, 0, at[k]);
  REQUIRE_FALSE(w.setBodyMassFromShapes(body, 0, mass));
  return body;
}

// Rings of eight capsules, each through the next one, from a fixed one to a load that is pushed aside.
void hangRings(world::World& w, int rings, double load, double friction, const Vec3& push) {
  const double radius = 0.05, thickness = 0.012, step = 1.9 * (radius * std::cos(kPi / 8) - thickness);
  std::vector<std::pair<ShapeType, Vec3>> shapes;
  std::vector<Pose> at;
  for (int k = 0; k < 8; k++) {
    const double angle = k * kPi / 4;
    shapes.push_back({ShapeType::Capsule, Vec3(thickness, 0, radius * std::sin(kPi / 8))});
    at.push_back({radius * Vec3(std::cos(angle), 0, std::sin(angle)), Quat(Eigen::AngleAxisd(-angle, Vec3::UnitY()))});
  }
  for (int i = 0; i <= rings; i++) {
    const Pose pose{Vec3(0, 0, 3 - i * step), Quat(Eigen::AngleAxisd(i % 2 * kPi / 2, Vec3::UnitZ()))};
    if (i == 0) {
      for (int k = 0; k < 8; k++) addShape(w, -1, shapes[k].first, shapes[k].second, friction, 0, pose * at[k]);
      continue;
    }
    if (i == rings) {
      shapes.push_back({ShapeType::Sphere, Vec3(0.06, 0, 0)});
      at.push_back({Vec3(0, 0, -0.12), Quat::Identity()});
    }
    const int body = addPiece(w, shapes, at, pose, i == rings ? load : 0.05, friction);
    if (i == rings) REQUIRE_FALSE(w.setBodyTwist(body, push, Vec3::Zero(), nullptr));
  }
}

// Carts on wheels, ball joints between them, on a ramp that ends a metre above the ground.
void addTrain(world::World& w, int carts, double friction, Random& r) {
  addGround(w, friction, 0);
  const Quat tilt(Eigen::AngleAxisd(0.3, Vec3::UnitY()));
  const auto onRamp = [&](double x, double y, double up) -> Vec3 { return Vec3(0, 0, 1.1) + tilt * Vec3(x, y, up); };
  addShape(w, -1, ShapeType::Box, Vec3(3, 2, 0.1), friction, 0, {onRamp(-3, 0, -0.185), tilt});
  int last = -1;
  for (int i = 0; i < carts; i++) {
    const double x = -0.3 - 0.35 * i;
    const int cart = addPiece(w, {{ShapeType::Box, Vec3(0.12, 0.08, 0.04)}}, {Pose()}, {onRamp(x, 0, 0), tilt}, r.range(0.5, 10), friction);
    for (int k = 0; k < 4; k++) {
      const Vec3 axle(k % 2 ? 0.1 : -0.1, k / 2 ? 0.11 : -0.11, -0.03);
      const std::pair<ShapeType, Vec3> round =
          i % 2 ? std::pair(ShapeType::Sphere, Vec3(0.05, 0, 0)) : std::pair(ShapeType::Cylinder, Vec3(0.05, 0, 0.015));
      const int wheel = addPiece(w, {round}, {{Vec3::Zero(), Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()))}},
                                 {onRamp(x, 0, 0) + tilt * axle, tilt}, 0.1, friction);
      addJoint(w, JointType::Revolute, cart, wheel, axle, Vec3::Zero());
    }
    if (last >= 0) addJoint(w, JointType::Spherical, last, cart, Vec3(-0.175, 0, 0), Vec3(0.175, 0, 0));
    last = cart;
  }
}

// Worlds drawn alike at both steps, by `build(w, r)`: their energy neither rises nor comes back.
template <class Build>
void keepEnergy(unsigned seed, Build&& build) {
  Random r(seed);
  for (int repeat = 0; repeat < 12; repeat++)
    for (double rate : {240.0, 60.0}) {
      Random same = r;
      world::World w(accounted(Stepper::Impulse, rate));
      build(w, same);
      if (rate < 100) r = same;
      const Energies e = energiesOf(w, 3);
      CAPTURE(repeat, rate, e.risen, e.regained);
      CHECK(e.risen < 0.01);
      CHECK(e.regained < 0.1);
    }
}

}  // namespace

TEST_CASE("turning: a top that spins by radians a step keeps its energy on the floor", "[step]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook, Stepper::Displacement})
    for (double rate : {240.0, 60.0})
      for (double spin : {60.0, 150.0, 280.0}) {
        world::World w(accounted(stepper, rate));
        addGround(w, 0.3, 0);
        const int top = addPiece(w, {{ShapeType::Sphere, Vec3(0.01, 0, 0)}, {ShapeType::Cylinder, Vec3(0.1, 0, 0.02)}},
                                 {{Vec3(0, 0, -0.14), Quat::Identity()}, {}},
                                 {Vec3(0, 0, 0.151), Quat(Eigen::AngleAxisd(0.16, Vec3::UnitX()))}, 0.1, 0.3);
        REQUIRE_FALSE(w.setBodyTwist(top, Vec3::Zero(), Vec3(0, 0, spin), nullptr));
        const Energies e = energiesOf(w, 3);
        CAPTURE(static_cast<int>(stepper), rate, spin, e.risen, e.regained);
        CHECK(e.risen < 0.01);
      }
}

// Rows that act, here dry friction, have a figure under `variational` hold forces ahead of its poses. Its flight is made in parts where it
// turns far, and keeps the angular momentum, which steps of first order do not.
TEST_CASE("turning: a figure in flight whose joints rub falls as gravity says", "[step]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Spook})
    for (double spin : {3.0, 30.0, 100.0}) {
      const double rate = 240, seconds = 1;
      world::World w(accounted(stepper, rate));
      std::vector<int> rods;
      for (int i = 0; i < 3; i++) rods.push_back(addRod(w, 0.3, 1, {Vec3(0, 0, -0.3 * i), Quat::Identity()}));
      for (int i = 0; i < 2; i++) {
        const int joint = addJoint(w, JointType::Revolute, rods[i], rods[i + 1], Vec3(0, 0, -0.15), Vec3(0, 0, 0.15), Vec3(i, 1 - i, 0));
        dynamics::AxisParameters p;
        p.friction = 0.02;
        REQUIRE_FALSE(w.setAxis(joint, 0, p));
      }
      REQUIRE_FALSE(w.setBodyTwist(rods[0], Vec3::Zero(), spin * Vec3(0.2, 1, 0.5), nullptr));
      Vec3 linear, angular, linearNow, angularNow;
      w.momentum(linear, angular);
      const Vec3 about = angular - Vec3(0, 0, -0.3).cross(linear);  // the centre of mass
      advance(w, static_cast<int>(seconds * rate));
      w.momentum(linearNow, angularNow);
      Vec3 centre = Vec3::Zero();
      for (int rod : rods) centre += w.bodyPose(rod).p / 3;
      CAPTURE(static_cast<int>(stepper), spin);
      CHECK((linearNow - linear - Vec3(0, 0, -3 * 9.81 * seconds)).norm() < 1e-8 * (1 + linear.norm()));
      if (stepper == Stepper::Variational) CHECK((angularNow - centre.cross(linearNow) - about).norm() < 1e-6 * about.norm());
      const double off = (centre - Vec3(0, 0, -0.3) - seconds * linear / 3 - Vec3(0, 0, -4.905)).norm();
      CHECK(off < (stepper == Stepper::Variational ? 1e-6 : 0.01));
    }
}

TEST_CASE("turning: interlocked rings that fly about under their load make no energy", "[step]") {
  keepEnergy(7, [](world::World& w, Random& r) {
    const int rings = 2 + r.below(6);
    const double load = r.range(0.05, 10), friction = r.range(0.1, 0.6), x = r.range(-2, 2), y = r.range(-2, 2);
    hangRings(w, rings, load, friction, Vec3(x, y, 0));
  });
}

TEST_CASE("turning: links that others outrun are not thrown", "[step]") {
  keepEnergy(11, [](world::World& w, Random& r) {
    const int carts = 3 + r.below(8);
    const double friction = r.range(0.2, 0.9);
    addTrain(w, carts, friction, r);
  });
}

TEST_CASE("turning: a motor that swings a load on light links puts in no more than its work", "[step]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Spook})
    for (double load : {10.0, 50.0, 100.0}) {
      world::World w(accounted(stepper, 240));
      const int boom = addBox(w, Vec3(1, 0.08, 0.08), 20, Vec3(1, 0, 2), 0.5, 0);
      const int turn = addJoint(w, JointType::Revolute, -1, boom, Vec3(0, 0, 2), Vec3(-1, 0, 0), Vec3::UnitZ());
      MotorSettings motor;
      motor.mode = MotorMode::Velocity;
      motor.velocity = 1;
      motor.damping = 2000;
      motor.maxForce = 3000;
      REQUIRE_FALSE(w.setMotor(turn, 0, motor));
      int last = boom;
      for (int i = 0; i < 6; i++) {
        const int link = addSolid(w, ShapeType::Capsule, Vec3(0.015, 0, 0.035), 0.1, Vec3(2, 0, 1.87 - 0.1 * i), 0.5, 0);
        addJoint(w, JointType::Spherical, last, link, i ? Vec3(0, 0, -0.05) : Vec3(1, 0, -0.08), Vec3(0, 0, 0.05));
        last = link;
      }
      const int weight = addBox(w, Vec3(0.2, 0.2, 0.2), load, Vec3(2, 0, 1.12), 0.5, 0);
      addJoint(w, JointType::Spherical, last, weight, Vec3(0, 0, -0.05), Vec3(0, 0, 0.2));
      const Energies e = energiesOf(w, 4);
      CAPTURE(static_cast<int>(stepper), load, e.risen, e.regained);
      CHECK(e.risen < 0.05);
    }
}
