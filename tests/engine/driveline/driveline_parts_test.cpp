// Parts of drivelines against closed forms: engine, converter, gearbox, differential, pump with cylinders.
#include <cmath>

#include "tests/engine/driveline/drivelines.hpp"

using namespace test;

TEST_CASE("an engine runs up to where its map meets its friction", "[step][driveline]") {
  for (Stepper stepper : kSteppers)
    for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense})
      for (double h : {1e-3, 1.0 / 60}) {
        INFO("stepper " << static_cast<int>(stepper) << ", tree solver " << static_cast<int>(treeSolver) << ", step " << h);
        world::World w(settings(h, stepper, treeSolver));
        const int crank = rotor(w, 0.8);
        start(w, crank, 80);
        const int engine = make(w, diesel(crank));
        control(w, engine, [](driveline::DrivelineInput& in) { in.throttle = 1; });
        double highest = 0;
        for (int i = 0; i < 5 / h; i++) {
          test::advance(w, 1);
          highest = std::max(highest, speed(w, crank));
        }
        // 260 (255 - w)/5 = 10 + 0.05 w + 2e-4 w^2 between 250 and 255.
        double low = 250, high = 255;
        for (int i = 0; i < 60; i++) {
          const double m = 0.5 * (low + high);
          (52 * (255 - m) > 10 + 0.05 * m + 2e-4 * m * m ? low : high) = m;
        }
        CHECK(speed(w, crank) == Approx(low).epsilon(1e-6));
        CHECK(highest < 255 + 300 * h);  // at most a step's gain beyond the cut-off
        control(w, engine, [](driveline::DrivelineInput& in) { in.throttle = 0; });
        test::advance(w, static_cast<int>(20 / h));  // coasts down until its dry friction holds it
        CHECK(std::fabs(speed(w, crank)) < 1e-4);
      }
}

TEST_CASE("an engine below its lowest speed does not burn", "[step][driveline]") {
  world::World w(settings(1e-3));
  const int crank = rotor(w, 0.8);
  start(w, crank, 40);
  const int engine = make(w, diesel(crank));
  control(w, engine, [](driveline::DrivelineInput& in) { in.throttle = 1; });
  test::advance(w, 100);
  CHECK(speed(w, crank) < 40);
  CHECK(w.drivelineState(engine).fuel < 1e-12);
  twist(w, crank, 100);  // the starter
  test::advance(w, 1000);
  twist(w, crank, 0);
  test::advance(w, 1000);
  CHECK(speed(w, crank) > 100);
  CHECK(w.drivelineState(engine).fuel > 0);
}

TEST_CASE("fuel is burnt for the work of the gases", "[step][driveline]") {
  for (double h : {1e-3, 1.0 / 60}) {
    world::World w(settings(h));
    const int crank = rotor(w, 2);
    const int engine = make(w, constantTorque(crank, 150));
    control(w, engine, [](driveline::DrivelineInput& in) { in.throttle = 0.6; });
    const int steps = static_cast<int>(std::lround(2 / h));
    test::advance(w, steps);
    const double omega = 90 * 2 / 2.0;  // 90 N m on 2 kg m^2 for 2 s
    CHECK(speed(w, crank) == Approx(omega).epsilon(1e-4));
    CHECK(w.drivelineState(engine).fuel == Approx(5e-8 * 0.5 * 2 * omega * omega).epsilon(1e-4));
    CHECK(w.drivelineState(engine).fuelRate == Approx(5e-8 * 90 * omega).epsilon(0.02));
    CHECK(w.drivelineState(engine).workIn == Approx(0.5 * 2 * speed(w, crank) * speed(w, crank)).epsilon(1e-9));
  }
}

TEST_CASE("a governor keeps the speed that is set", "[step][driveline]") {
  for (double h : {1e-3, 1.0 / 60}) {
    world::World w(settings(h));
    const int crank = rotor(w, 0.8);
    start(w, crank, 80);
    driveline::DrivelineDefinition d = diesel(crank);
    d.governorGain = 0.05;
    d.governorRate = 0.1;
    const int engine = make(w, d);
    control(w, engine, [](driveline::DrivelineInput& in) { in.speed = 70; });
    test::advance(w, static_cast<int>(20 / h));
    CHECK(speed(w, crank) == Approx(70).epsilon(1e-6));
    twist(w, crank, -100);  // a load
    test::advance(w, static_cast<int>(20 / h));
    CHECK(speed(w, crank) == Approx(70).epsilon(1e-6));
    // The share of the torque between 240 N m at 50 and 300 at 150 rad/s that load and friction use.
    CHECK(w.drivelineState(engine).throttle == Approx((110 + 0.05 * 70 + 2e-4 * 4900) / (240 + 0.6 * 20)).epsilon(1e-6));
    control(w, engine, [](driveline::DrivelineInput& in) { in.throttle = 1; });  // the pedal overrides the governor upwards
    test::advance(w, static_cast<int>(5 / h));
    CHECK(speed(w, crank) > 200);
  }
}

TEST_CASE("a converter multiplies torque at stall and couples at speed", "[step][driveline]") {
  for (Stepper stepper : kImplicit)
    for (double h : {1e-3, 1.0 / 60}) {
      INFO("stepper " << static_cast<int>(stepper) << ", step " << h);
      world::World w(settings(h, stepper));
      const int impeller = rotor(w, 0.5), turbine = rotor(w, 0.3);
      start(w, impeller, 10);
      const int engine = make(w, constantTorque(impeller, 200)), fluid = make(w, converter(impeller, turbine));
      control(w, engine, [](driveline::DrivelineInput& in) { in.throttle = 1; });
      turnAt(w, turbine, 0);
      test::advance(w, static_cast<int>(5 / h));
      CHECK(speed(w, impeller) == Approx(std::sqrt(200 / 8e-3)).epsilon(1e-6));
      CHECK(w.drivelineState(fluid).torque[0] == Approx(-200).epsilon(1e-6));
      CHECK(w.drivelineState(fluid).torque[1] == Approx(500).epsilon(1e-6));
      CHECK(w.drivelineState(fluid).powerIn == Approx(200 * std::sqrt(200 / 8e-3)).epsilon(1e-6));
      CHECK(w.drivelineState(fluid).powerOut == Approx(0).margin(0.5));
      // Where the turbine turns at half the impeller's speed the efficiency is 0.5 x 1.6.
      turnAt(w, turbine, 0.5 * std::sqrt(200 / 7.5e-3));
      test::advance(w, static_cast<int>(5 / h));
      CHECK(w.drivelineState(fluid).ratio == Approx(0.5).epsilon(1e-5));
      CHECK(w.drivelineState(fluid).powerOut == Approx(0.8 * w.drivelineState(fluid).powerIn).epsilon(1e-4));
      // Driven by the turbine it brakes: at r = w_e/w_t the torque is c(r) w_t^2 both ways.
      control(w, engine, [](driveline::DrivelineInput& in) { in.throttle = 0; });
      turnAt(w, impeller, 100);
      turnAt(w, turbine, 200);
      test::advance(w, static_cast<int>(1 / h));
      CHECK(w.drivelineState(fluid).torque[0] == Approx(7.5e-3 * 4e4).epsilon(1e-5));
      CHECK(w.drivelineState(fluid).torque[1] == Approx(-7.5e-3 * 4e4).epsilon(1e-5));
    }
}

TEST_CASE("a converter's lock-up holds both sides together", "[step][driveline]") {
  world::World w(settings(1e-3));
  const int impeller = rotor(w, 0.5), turbine = rotor(w, 2, 0.5);
  start(w, impeller, 100);
  const int engine = make(w, constantTorque(impeller, 100));
  driveline::DrivelineDefinition d = converter(impeller, turbine);
  d.maxTorque = 150;
  const int fluid = make(w, d);
  control(w, engine, [](driveline::DrivelineInput& in) { in.throttle = 1; });
  test::advance(w, 20000);
  CHECK(speed(w, turbine) < 0.98 * speed(w, impeller));
  control(w, fluid, [](driveline::DrivelineInput& in) { in.lock = 1; });
  test::advance(w, 20000);
  CHECK(speed(w, turbine) == Approx(speed(w, impeller)).epsilon(1e-6));
  CHECK(speed(w, turbine) == Approx(200).epsilon(1e-3));
}

TEST_CASE("a gearbox turns its output by its ratio, in every gear", "[step][driveline]") {
  for (Stepper stepper : kSteppers) {
    INFO("stepper " << static_cast<int>(stepper));
    world::World w(settings(1.0 / 240, stepper));
    const int in = rotor(w, 0.5), out = rotor(w, 3, 0.2);
    const int box = make(w, gearbox(in, out));
    CHECK(w.drivelineInput(box).gear == 1);
    twist(w, in, 5);
    test::advance(w, 240);
    CHECK(speed(w, in) == Approx(10).epsilon(0.01));
    CHECK(speed(w, out) == 0);
    for (int gear : {0, 2, 3, 4}) {
      control(w, box, [&](driveline::DrivelineInput& i) { i.gear = gear; });
      test::advance(w, 240);
      const double ratio[] = {-4, 0, 4, 2.2, 1};
      CHECK(speed(w, in) == Approx(ratio[gear] * speed(w, out)).epsilon(1e-6));
      CHECK(w.drivelineState(box).ratio == ratio[gear]);
      CHECK(w.drivelineState(box).torque[1] == Approx(-ratio[gear] * w.drivelineState(box).torque[0]).epsilon(1e-9));
    }
    control(w, box, [&](driveline::DrivelineInput& i) { i.clutch = 0; });
    const double before = speed(w, in);
    test::advance(w, 240);
    CHECK(speed(w, in) - before == Approx(10).epsilon(0.01));
  }
}

TEST_CASE("a shift opens, then closes with a clutch that slips", "[step][driveline]") {
  world::World w(settings(1e-3));
  const int in = rotor(w, 0.5), out = rotor(w, 300);
  driveline::DrivelineDefinition d = gearbox(in, out);
  d.shiftTime = 0.4;
  d.maxTorque = 400;
  const int box = make(w, d);
  start(w, in, 100);
  start(w, out, 25);
  control(w, box, [&](driveline::DrivelineInput& i) { i.gear = 2; });
  test::advance(w, 199);  // for half of it no gear is engaged
  CHECK(speed(w, in) == Approx(100).epsilon(1e-9));
  CHECK(w.drivelineState(box).ratio == 0);
  test::advance(w, 301);
  CHECK(speed(w, in) == Approx(4 * speed(w, out)).epsilon(1e-6));
  control(w, box, [&](driveline::DrivelineInput& i) { i.gear = 3; });
  test::advance(w, 200);
  const double before = speed(w, in);
  test::advance(w, 40);  // the clutch's torque grows from 0 to 400 N m in 0.2 s, on the input's 0.5 kg m^2
  CHECK(before - speed(w, in) == Approx(0.5 * 0.04 * 80 / 0.5).epsilon(0.02));
  const double energy = w.energy().kinetic, lost = w.drivelineState(box).workIn - w.drivelineState(box).workOut;
  test::advance(w, 400);
  CHECK(speed(w, in) == Approx(2.2 * speed(w, out)).epsilon(1e-6));
  CHECK(energy - w.energy().kinetic == Approx(w.drivelineState(box).workIn - w.drivelineState(box).workOut - lost).epsilon(1e-6));
}

TEST_CASE("efficiency and drag take their share at the input", "[step][driveline]") {
  world::World w(settings(1.0 / 240));
  const int in = rotor(w, 0.1), out = rotor(w, 1, 2);
  driveline::DrivelineDefinition d = gearbox(in, out);
  d.efficiency = 0.9;
  d.drag = 3;
  const int box = make(w, d);
  control(w, box, [&](driveline::DrivelineInput& i) { i.gear = 2; });
  twist(w, in, 50);
  test::advance(w, 30 * 240);
  const driveline::DrivelineState& s = w.drivelineState(box);
  CHECK(speed(w, out) == Approx(4 * (0.9 * 50 - 3) / 2).epsilon(1e-5));
  CHECK(s.powerIn == Approx(50 * speed(w, in)).epsilon(1e-5));
  CHECK(s.powerOut == Approx((0.9 * 50 - 3) / 50 * s.powerIn).epsilon(1e-5));
}

TEST_CASE("an open differential shares the torque, a locked one the speed", "[step][driveline]") {
  for (Stepper stepper : kSteppers) {
    INFO("stepper " << static_cast<int>(stepper));
    world::World w(settings(1.0 / 240, stepper));
    const int in = rotor(w, 0.1), left = rotor(w, 1), right = rotor(w, 3);
    const int gear = make(w, differential(in, left, right, 3.5));
    twist(w, in, 10);
    test::advance(w, 480);
    const driveline::DrivelineState& s = w.drivelineState(gear);
    CHECK(speed(w, left) == Approx(3 * speed(w, right)).epsilon(1e-6));
    CHECK(s.torque[1] == Approx(s.torque[2]).epsilon(1e-9));
    CHECK(speed(w, in) == Approx(3.5 * 0.5 * (speed(w, left) + speed(w, right))).epsilon(1e-6));
    const double angular = speed(w, left) + 3 * speed(w, right);
    control(w, gear, [&](driveline::DrivelineInput& i) { i.lock = 1; });
    twist(w, in, 0);
    test::advance(w, 24);
    CHECK(speed(w, left) == Approx(speed(w, right)).epsilon(1e-6));
    CHECK(speed(w, left) < angular);
    twist(w, in, 10);
    test::advance(w, 240);
    CHECK(speed(w, left) == Approx(speed(w, right)).epsilon(1e-6));
    CHECK(s.torque[2] == Approx(3 * s.torque[1]).epsilon(1e-5));
    control(w, gear, [&](driveline::DrivelineInput& i) { i.lock = 0; });
    test::advance(w, 24);
    CHECK(s.torque[1] == Approx(s.torque[2]).epsilon(1e-9));
    CHECK(speed(w, left) - speed(w, right) == Approx(0.1 * s.torque[1] * (1 - 1.0 / 3)).epsilon(1e-5));
  }
}

TEST_CASE("an open differential of unequal split shares the torque by it", "[step][driveline]") {
  world::World w(settings(1.0 / 240));
  const int in = rotor(w, 0.1), left = rotor(w, 1), right = rotor(w, 3);
  driveline::DrivelineDefinition d = differential(in, left, right, 3.5);
  d.split = 0.7;
  const int gear = make(w, d);
  twist(w, in, 10);
  test::advance(w, 240);
  const driveline::DrivelineState& s = w.drivelineState(gear);
  CHECK(s.torque[1] / s.torque[2] == Approx(0.7 / 0.3).epsilon(1e-9));
  CHECK(speed(w, in) == Approx(3.5 * (0.7 * speed(w, left) + 0.3 * speed(w, right))).epsilon(1e-6));
}

TEST_CASE("a differential of limited slip moves torque to the slower side, up to its bound", "[step][driveline]") {
  world::World w(settings(1e-3));
  const int in = rotor(w, 0.01), left = rotor(w, 0.5), right = rotor(w, 100);
  driveline::DrivelineDefinition d = differential(in, left, right, 3);
  d.preload = 5;
  d.bias = 0.2;
  const int gear = make(w, d);
  twist(w, in, 20);
  test::advance(w, 1000);
  const driveline::DrivelineState& s = w.drivelineState(gear);
  CHECK(speed(w, left) > speed(w, right));
  CHECK(s.torque[2] - s.torque[1] == Approx(2 * (5 + 0.2 * 3 * std::fabs(s.torque[0]))).epsilon(1e-4));
  d.split = 0.4;
  d.preload = d.bias = 0;
  w.destroyConstraint(gear);
  const int other = make(w, d);
  test::advance(w, 10);
  CHECK(w.drivelineState(other).torque[1] / w.drivelineState(other).torque[2] == Approx(0.4 / 0.6).epsilon(1e-6));
}

TEST_CASE("a pump lifts a load on a cylinder, holds it and yields at its pressure", "[step][driveline]") {
  for (Stepper stepper : kImplicit) {
    INFO("stepper " << static_cast<int>(stepper));
    world::World w(settings(1.0 / 240, stepper));
    const int shaft = rotor(w, 1);
    BodyDefinition b;
    b.mass = 2000;
    const int load = w.createBody(b);
    const int slide = test::addJoint(w, dynamics::JointType::Prismatic, -1, load, Vec3::Zero(), Vec3::Zero(), Vec3::UnitZ());
    driveline::DrivelineDefinition d;
    d.type = driveline::DrivelineType::Pump;
    d.axes = {{shaft, 0, 1e-5}, {slide, 0, 5e-3}};  // 63 cm^3 a revolution, 50 cm^2
    d.pressure = 5e6;
    d.drag = 2;
    d.efficiency = 0.9;
    const int pump = make(w, d);
    turnAt(w, shaft, 150);
    control(w, pump, [&](driveline::DrivelineInput& in) { in.stroke = 0.5; });
    test::advance(w, 480);
    const driveline::DrivelineState& s = w.drivelineState(pump);
    const double give = stepper == Stepper::Spook ? 3e-4 : 1e-6;  // its rows have a compliance, 1e-9 m/(N s)
    CHECK(speed(w, slide) == Approx(0.5 * 1e-5 * 150 / 5e-3).epsilon(give));
    CHECK(s.pressure == Approx(2000 * 9.81 / 5e-3).epsilon(1e-6));
    CHECK(s.torque[0] == Approx(-(2 + 0.5 * 1e-5 * 2000 * 9.81 / 5e-3) / 0.9).epsilon(1e-5));
    CHECK(s.powerOut == Approx(2000 * 9.81 * 0.15).epsilon(give));
    control(w, pump, [&](driveline::DrivelineInput& in) { in.stroke = 0; });
    test::advance(w, 240);
    double q0[7], q[7];
    w.jointState(slide, q0, nullptr);
    test::advance(w, 240);
    w.jointState(slide, q, nullptr);
    CHECK(std::fabs(q[0] - q0[0]) < 0.1 * give);
    w.addForce(load, Vec3(0, 0, -10000), nullptr, true);  // more than 5 MPa on 50 cm^2 carry: it sinks under the difference
    test::advance(w, 24);
    CHECK(s.pressure == Approx(5e6).epsilon(1e-6));
    CHECK(speed(w, slide) == Approx(-(2000 * 9.81 + 10000 - 25000) / 2000 * 0.1).epsilon(0.02));
  }
}

TEST_CASE("cylinders of one circuit share its pressure; leaks and rings count", "[step][driveline]") {
  world::World w(settings(1e-3));
  BodyDefinition b;
  b.mass = 100;
  int slide[2];
  for (int k = 0; k < 2; k++) {
    b.pose.p = Vec3(k, 0, 0);
    slide[k] = test::addJoint(w, dynamics::JointType::Prismatic, -1, w.createBody(b), b.pose.p, Vec3::Zero(), Vec3::UnitX());
    dynamics::AxisParameters p;
    p.damping = k ? 6000 : 2000;
    REQUIRE_FALSE(w.setAxis(slide[k], 0, p));
  }
  driveline::DrivelineDefinition d;
  d.type = driveline::DrivelineType::Cylinder;
  d.axes = {{slide[0], 0, 2e-3}, {slide[1], 0, 2e-3}};
  d.flow = 4e-4;
  d.areaRatio = 0.5;
  const int id = make(w, d);
  control(w, id, [&](driveline::DrivelineInput& in) { in.stroke = 1; });
  test::advance(w, 2000);
  CHECK(speed(w, slide[0]) == Approx(0.15).epsilon(1e-5));
  CHECK(speed(w, slide[1]) == Approx(0.05).epsilon(1e-5));
  CHECK(w.drivelineState(id).pressure == Approx(0.15 * 2000 / 2e-3).epsilon(1e-5));
  CHECK(w.drivelineState(id).powerIn == Approx(4e-4 * 0.15e6).epsilon(1e-5));
  control(w, id, [&](driveline::DrivelineInput& in) { in.stroke = -1; });
  test::advance(w, 2000);
  CHECK(speed(w, slide[0]) == Approx(-0.3).epsilon(1e-5));
  w.destroyConstraint(id);
  d.leak = 1e-9;
  const int leaky = make(w, d);
  control(w, leaky, [&](driveline::DrivelineInput& in) { in.stroke = 1; });
  test::advance(w, 2000);
  // p A = c v of each, and A (v1 + v2) + leak p = flow.
  const double p = 4e-4 / (4e-6 / 2000 + 4e-6 / 6000 + 1e-9);
  CHECK(w.drivelineState(leaky).pressure == Approx(p).epsilon(1e-5));
  CHECK(speed(w, slide[0]) == Approx(p * 2e-3 / 2000).epsilon(1e-5));
}
