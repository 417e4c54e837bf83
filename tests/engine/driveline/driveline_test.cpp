// Whole drivelines: the account of power, a vehicle on its wheels, bogies, snapshots, and what is rejected.
#include <cmath>
#include <memory>

#include "tests/engine/driveline/drivelines.hpp"

using namespace test;

namespace {
// Engine - converter - gearbox - differential - two wheels with drag, and a pump on the crankshaft.
struct Vehicle {
  std::unique_ptr<world::World> world;
  int crank, turbine, shaft, wheel[2], lift, engine, fluid, box, gear, pump;
  explicit Vehicle(const WorldSettings& s) : world(std::make_unique<world::World>(s)) {
    world::World& w = *world;
    crank = rotor(w, 0.8);
    turbine = rotor(w, 0.1);
    shaft = rotor(w, 0.2);
    wheel[0] = rotor(w, 60, 20);
    wheel[1] = rotor(w, 80, 15);
    BodyDefinition b;
    b.mass = 200;
    lift = test::addJoint(w, dynamics::JointType::Prismatic, -1, w.createBody(b), Vec3::Zero(), Vec3::Zero(), Vec3::UnitZ());
    start(w, crank, 80);
    driveline::DrivelineDefinition d = diesel(crank);
    d.governorGain = 0.02;
    d.governorRate = 0.05;
    engine = make(w, d);
    d = converter(crank, turbine);
    d.maxTorque = 500;
    fluid = make(w, d);
    d = gearbox(turbine, shaft);
    d.efficiency = 0.95;
    d.drag = 2;
    d.maxTorque = 800;
    d.shiftTime = 0.4;
    box = make(w, d);
    d = differential(shaft, wheel[0], wheel[1], 4);
    d.preload = 20;
    d.bias = 0.1;
    d.efficiency = 0.97;
    gear = make(w, d);
    d = driveline::DrivelineDefinition();
    d.type = driveline::DrivelineType::Pump;
    d.axes = {{crank, 0, 1e-5}, {lift, 0, 2e-3}};
    d.pressure = 2e7;
    d.leak = 1e-12;
    d.efficiency = 0.9;
    pump = make(w, d);
    control(w, engine, [](driveline::DrivelineInput& in) { in.speed = 80, in.throttle = 0.9; });
    control(w, pump, [](driveline::DrivelineInput& in) { in.stroke = 0.2; });
  }
  void drive(double t) {
    world::World& w = *world;
    auto change = [&](int part, double at, auto&& how) {
      if (std::fabs(t - at) < 0.4 * w.settings().timeStep) control(w, part, how);
    };
    change(box, 0.5, [](driveline::DrivelineInput& in) { in.gear = 2; });
    change(box, 3, [](driveline::DrivelineInput& in) { in.gear = 3; });
    change(box, 6, [](driveline::DrivelineInput& in) { in.gear = 4; });
    change(pump, 4, [](driveline::DrivelineInput& in) { in.stroke = -0.3; });
    change(fluid, 8, [](driveline::DrivelineInput& in) { in.lock = 1; });
    change(engine, 10, [](driveline::DrivelineInput& in) { in.throttle = 0; });
    test::advance(w, 1);
  }
  double stored() const {
    const EnergyAccount e = world->energy();
    return e.kinetic + e.potential;
  }
};
}  // namespace

TEST_CASE("input power equals power at the wheels, losses and stored power", "[step][driveline]") {
  for (Stepper stepper : kSteppers)
    for (double h : {1.0 / 240, 1.0 / 60}) {
      INFO("stepper " << static_cast<int>(stepper) << ", step " << h);
      Vehicle v(settings(h, stepper));
      world::World& w = *v.world;
      const double before = v.stored();
      double dragged = 0, in = 0;
      int steps = 0;
      for (; steps < 12 / h; steps++) {
        const double speeds[2] = {speed(w, v.wheel[0]), speed(w, v.wheel[1])};
        v.drive(steps * h);
        for (int k = 0; k < 2; k++) {
          JointForces f;
          w.jointForces(v.wheel[k], f);
          dragged -= 0.5 * h * f.spring[0] * (speeds[k] + speed(w, v.wheel[k]));
        }
        in += h * w.drivelineState(v.engine).powerIn;
        CHECK(std::fabs(speed(w, v.crank)) < 260);
      }
      double lost = 0;
      for (int part : {v.engine, v.fluid, v.box, v.gear, v.pump}) {
        const driveline::DrivelineState& s = w.drivelineState(part);
        lost += s.workIn - s.workOut;
        CHECK(s.workIn - s.workOut >= 0);
      }
      CHECK(in == Approx(w.drivelineState(v.engine).workIn).epsilon(1e-9));
      CHECK(in > 1e5);
      CHECK(dragged > 0.2 * in);
      CHECK(lost > 0.1 * in);
      CAPTURE(in, lost, dragged, v.stored() - before);
      // `ode` moves under its forces first and solves the rows at the end.
      CHECK(std::fabs(in - lost - dragged - (v.stored() - before)) < (stepper == Stepper::Ode ? 0.01 : 1e-4) * in);
      CHECK(speed(w, v.turbine) == Approx(speed(w, v.shaft)).epsilon(1e-5));
      CHECK(speed(w, v.turbine) == Approx(speed(w, v.crank)).epsilon(1e-3));
    }
}

TEST_CASE("a vehicle on its wheels: the engine's work becomes motion and losses", "[step][driveline]") {
  for (double h : {1.0 / 240, 1.0 / 60}) {
    INFO("step " << h);
    WorldSettings s = settings(h);
    s.energyAccount = true;
    world::World w(s);
    test::addGround(w, 0.9, 0);
    const int chassis = test::addBox(w, Vec3(1.5, 0.6, 0.2), 1200, Vec3(0, 0, 0.6), 0.5, 0);
    int axle[4];
    for (int k = 0; k < 4; k++) {
      const Vec3 at(k < 2 ? 1.2 : -1.2, k % 2 ? 0.9 : -0.9, -0.2);
      const int wheel = test::addBall(w, 0.4, 30, Vec3(0, 0, 0.6) + at, 0.9, 0);
      axle[k] = test::addJoint(w, dynamics::JointType::Continuous, chassis, wheel, at, Vec3::Zero(), Vec3::UnitY());
    }
    test::advance(w, static_cast<int>(1 / h));  // it settles
    const int crank = rotor(w, 0.5), turbine = rotor(w, 0.1), shaft = rotor(w, 0.1);
    start(w, crank, 80);
    const int engine = make(w, diesel(crank)), fluid = make(w, converter(crank, turbine));
    driveline::DrivelineDefinition d = gearbox(turbine, shaft);
    d.efficiency = 0.96;
    d.maxTorque = 1000;
    d.shiftTime = 0.3;
    const int box = make(w, d), gear = make(w, differential(shaft, axle[0], axle[1], 4));
    control(w, engine, [](driveline::DrivelineInput& in) { in.throttle = 1; });
    control(w, box, [](driveline::DrivelineInput& in) { in.gear = 2; });
    const EnergyAccount before = w.energy();
    const double x = w.bodyPose(chassis).p.x();
    for (int i = 0; i < 6 / h; i++) {
      if (i == static_cast<int>(3 / h)) control(w, box, [](driveline::DrivelineInput& in) { in.gear = 3; });
      if (i == static_cast<int>(5 / h)) control(w, gear, [](driveline::DrivelineInput& in) { in.lock = 1; });
      test::advance(w, 1);
    }
    CHECK(w.bodyPose(chassis).p.x() - x > 30);
    CHECK(std::fabs(w.bodyPose(chassis).p.y()) < 0.05);
    CHECK(speed(w, axle[0]) == Approx(speed(w, axle[1])).epsilon(1e-6));
    Vec3 velocity, omega;
    w.bodyTwist(chassis, velocity, omega);
    CHECK(velocity.x() == Approx(0.4 * speed(w, axle[0])).epsilon(0.01));
    const EnergyAccount e = w.energy();
    double lost = e.lostFriction - before.lostFriction + e.lostImpact - before.lostImpact + e.lostClamp - before.lostClamp;
    for (int part : {engine, fluid, box, gear}) lost += w.drivelineState(part).workIn - w.drivelineState(part).workOut;
    const double in = w.drivelineState(engine).workIn, stored = e.kinetic + e.potential - before.kinetic - before.potential;
    CAPTURE(in, lost, stored);
    CHECK(stored > 0.3 * in);
    CHECK(std::fabs(in - lost - stored) < 0.01 * in);
  }
}

TEST_CASE("a shaft between is as good as none: bogies by way of one, and direct", "[step][driveline]") {
  double speeds[2][4];
  for (int direct = 0; direct < 2; direct++) {
    world::World w(settings(1.0 / 240));
    const int in = rotor(w, 0.1);
    int wheel[4], side[2];
    for (int k = 0; k < 4; k++) wheel[k] = rotor(w, 1 + k, 0.1 * k);
    // Two wheels a side turn alike, each side a wheel of the differential through 5 to 1.
    for (int k = 0; k < 2; k++) {
      int id = -1;
      REQUIRE_FALSE(w.createCoupling(ratioCoupling(wheel[2 * k], wheel[2 * k + 1], 1, 0), id));
      if (direct) continue;
      side[k] = rotor(w, 1e-9);
      REQUIRE_FALSE(w.createCoupling(ratioCoupling(wheel[2 * k], side[k], 5, 0), id));
    }
    driveline::DrivelineDefinition d = differential(in, direct ? wheel[0] : side[0], direct ? wheel[2] : side[1], 3);
    if (direct) d.axes[1].coefficient = d.axes[2].coefficient = 5;
    make(w, d);
    twist(w, in, 4);
    test::advance(w, 480);
    for (int k = 0; k < 4; k++) speeds[direct][k] = speed(w, wheel[k]);
    CHECK(speeds[direct][0] == Approx(speeds[direct][1]).epsilon(1e-9));
    CHECK(speeds[direct][0] > speeds[direct][2]);
  }
  for (int k = 0; k < 4; k++) CHECK(speeds[0][k] == Approx(speeds[1][k]).epsilon(1e-6));
}

TEST_CASE("a driveline continues bit for bit from a snapshot, and fails without a change", "[step][driveline]") {
  for (Stepper stepper : kSteppers) {
    Vehicle v(settings(1.0 / 120, stepper)), other(settings(1.0 / 120, stepper));
    int k = 0;
    for (; k < 380; k++) v.drive(k / 120.0);  // in the middle of a shift
    std::vector<std::uint8_t> bytes;
    v.world->save(bytes);
    REQUIRE_FALSE(other.world->restore(bytes.data(), bytes.size()));
    for (; k < 700; k++) {
      v.drive(k / 120.0);
      other.drive(k / 120.0);
      REQUIRE(v.world->hash() == other.world->hash());
    }
    CHECK(v.world->drivelineState(v.engine).fuel == other.world->drivelineState(v.engine).fuel);
  }
}

TEST_CASE("parts of drivelines that make no sense are refused", "[step][driveline]") {
  world::World w(settings(1e-3));
  const int a = rotor(w, 1), b = rotor(w, 1);
  int id = -1;
  driveline::DrivelineDefinition d = diesel(a);
  d.torques.pop_back();
  CHECK(w.createDriveline(d, id).kind() == Failure::Argument);
  d = diesel(a);
  d.axes.push_back({b, 0, 1});
  CHECK(w.createDriveline(d, id).kind() == Failure::Argument);
  d = converter(a, b);
  d.torqueRatios[2] = 1.3;  // more power out than in
  CHECK(w.createDriveline(d, id).kind() == Failure::Argument);
  d = converter(a, a);
  CHECK(w.createDriveline(d, id).kind() == Failure::Argument);
  d = gearbox(a, b);
  d.ratios.clear();
  CHECK(w.createDriveline(d, id).kind() == Failure::Argument);
  REQUIRE_FALSE(w.createDriveline(gearbox(a, b), id));
  CHECK(w.isDriveline(id));
  driveline::DrivelineInput in;
  in.gear = 5;
  CHECK(w.setDrivelineInput(id, in).kind() == Failure::Argument);
  in.gear = 0;
  in.clutch = 2;
  CHECK(w.setDrivelineInput(id, in).kind() == Failure::Argument);
  w.destroyJoint(a);
  CHECK_FALSE(w.constraintAlive(id));
  test::advance(w, 2);
}
