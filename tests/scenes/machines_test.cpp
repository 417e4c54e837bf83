// terrain_vehicle.xml, loader.xml: machines of many joints that drive, steer and lift.
#include "tests/scenes/scene.hpp"

using test::Vector;

namespace {

void setTarget(test::Scene& s, const std::string& joint, int axis, double test_value, double vtb_motor_def::*field) {
  vtb_motor_def motor;
  motor.struct_size = sizeof motor;
  test::require(vtb_joint_get_motor(s.world(), s.joint(joint), axis, &motor));
  motor.*field = test_value;
  test::require(vtb_joint_set_motor(s.world(), s.joint(joint), axis, &motor));
}

vtb_constraint part(const test::Scene& s, const char* name) {
  vtb_constraint found{0};
  test::require(vtb_world_find(s.world(), VTB_NAMED_CONSTRAINT, name, &found.bits));
  return found;
}
template <class T>
void control(test::Scene& s, const char* name, T vtb_driveline_input::*field, T value) {
  vtb_driveline_input input;
  input.struct_size = sizeof input;
  test::require(vtb_driveline_get_input(s.world(), part(s, name), &input));
  input.*field = value;
  test::require(vtb_driveline_set_input(s.world(), part(s, name), &input));
}
vtb_driveline_state reading(const test::Scene& s, const char* name) {
  vtb_driveline_state state;
  state.struct_size = sizeof state;
  test::require(vtb_driveline_get_state(s.world(), part(s, name), &state));
  return state;
}
// The energy to account for: the present energy, plus the losses in the world's accounts [J].
double spent(const test::Scene& s) {
  const vtb_energy e = s.energy();
  return e.kinetic + e.potential + e.lost_damping + e.lost_friction + e.lost_impact + e.lost_clamp;
}
// Work of the gas minus the losses of all parts [J].
double delivered(const test::Scene& s, std::initializer_list<const char*> parts) {
  double sum = reading(s, "engine").work_in;
  for (const char* name : parts) {
    const vtb_driveline_state state = reading(s, name);
    sum -= state.work_in - state.work_out;
    CHECK(state.work_in > state.work_out - 1e-3);
  }
  return sum;
}

double tilt(const test::Scene& s, const std::string& body) {  // cosine of the body's z axis to the vertical
  double p[7];
  test::require(vtb_body_get_pose(s.world(), s.body(body), p));
  return 1 - 2 * (p[3] * p[3] + p[4] * p[4]);
}

}  // namespace

TEST_CASE("terrain vehicle: stands on its springs") {
  test::Scene s("terrain_vehicle.xml");
  control(s, "gearbox", &vtb_driveline_input::gear, 1);  // neutral
  s.run(4);
  // Struts carry the load above them; part of the carriage hangs on the hitch.
  double borne = 0;
  for (const char* strut : {"strut00", "strut01", "strut10", "strut11"}) borne += -30000 * s.q(strut, 0);
  for (const char* strut : {"carriage_strut0", "carriage_strut1"}) borne += -25000 * s.q(strut, 0);
  CHECK(std::fabs(borne) == Approx((800 + 300) * 9.81).epsilon(1e-2));
  CHECK(std::fabs(s.velocity("car").x) < 1e-2);
}

TEST_CASE("terrain vehicle: drives over rough ground with its carriage and steers") {
  test::Scene s("terrain_vehicle.xml");
  const double length = s.position("car").x - s.position("carriage").x;
  for (int i = 0; i < 6 * 240; i++) {
    s.step(1);
    CHECK(s.stats().max_joint_error < 1e-9);
    CHECK(tilt(s, "car") > 0.9);
    CHECK(tilt(s, "carriage") > 0.9);
  }
  const Vector car = s.position("car"), carriage = s.position("carriage");
  CHECK(car.x > 10);
  CHECK(std::fabs(car.y) < 0.5);
  CHECK(std::hypot(car.x - carriage.x, car.y - carriage.y) == Approx(length).margin(0.2));
  // Every part rotates in its ratio to the others: wheels, shaft, turbine behind the crank.
  CHECK(s.v("shaft") == Approx(4 * 0.5 * (s.v("strut10", 2) + s.v("strut11", 2))).epsilon(1e-6));
  CHECK(s.v("turbine") == Approx(3 * s.v("shaft")).epsilon(1e-6));
  CHECK(s.v("turbine") < s.v("crank"));
  for (const char* strut : {"strut00", "strut01"}) setTarget(s, strut, 1, 0.3, &vtb_motor_def::position);
  s.run(2);
  CHECK(s.position("car").y > car.y + 0.5);
  CHECK(s.q("strut00", 1) == Approx(0.3).margin(0.1));
}

TEST_CASE("terrain vehicle: the work of the gas becomes motion, height and losses") {
  test::Scene s("terrain_vehicle.xml");
  control(s, "gearbox", &vtb_driveline_input::gear, 1);
  s.run(2);  // it settles, the engine runs up
  const auto net = [&] { return delivered(s, {"engine", "converter", "gearbox", "differential"}); };
  const double before = net(), start = spent(s), burnt = reading(s, "engine").work_in;
  control(s, "gearbox", &vtb_driveline_input::gear, 2);
  control(s, "engine", &vtb_driveline_input::throttle, 0.8);
  s.run(4);
  const double given = net() - before, in = reading(s, "engine").work_in - burnt;
  INFO("in " << in << " J, given " << given << " J, spent " << spent(s) - start << " J");
  CHECK(in > 10000);
  CHECK(s.velocity("car").x > 2);
  CHECK(std::fabs(spent(s) - start - given) < 0.01 * in);
  CHECK(reading(s, "engine").fuel == Approx(6e-8 * reading(s, "engine").work_in).epsilon(1e-9));
}

TEST_CASE("loader: pumps lift the boom and steer the waist as triangles say") {
  test::Scene s("loader.xml");
  s.run(2);
  const auto lift = [&](double length) {  // angle of the boom's pin
    // From the pin the cylinder's ends are at (0.3, -0.8) on the frame and, on the boom, 1 m along it.
    const double arm = 1, base = std::hypot(0.3, 0.8);
    return std::acos((arm * arm + base * base - length * length) / (2 * arm * base)) - std::atan2(0.8, 0.3);
  };
  const auto waist = [&](double length) {  // of the right cylinder, whose ends are 0.7 before and behind, 0.4 to the right
    double low = -0.6, high = 0.6;
    for (int i = 0; i < 60; i++) {
      const double m = 0.5 * (low + high);
      const double x = 0.7 * std::cos(m) + 0.4 * std::sin(m) + 0.7, y = 0.7 * std::sin(m) - 0.4 * std::cos(m) + 0.4;
      (std::hypot(x, y) < length ? low : high) = m;
    }
    return low;
  };
  CHECK(std::fabs(s.v("lift")) < 1e-4);  // shut
  control(s, "lift_pump", &vtb_driveline_input::stroke, 0.5);
  control(s, "steer_pump", &vtb_driveline_input::stroke, 0.3);
  s.run(1);
  // Flow is stroke x displacement x speed; the right cylinder grows as the left one shrinks.
  CHECK(s.v("lift") == Approx(0.5 * 1e-5 * s.v("crank") / 0.01).epsilon(1e-3));
  CHECK(0.004 * (s.v("steer0") - s.v("steer1")) == Approx(0.3 * 5e-6 * s.v("crank")).epsilon(1e-3));
  // The boom with its bucket weighs on the cylinder by the lever of the triangle: pressure x area x lever = moment about the pin.
  const double angle = s.q("boom_pin"), length = s.q("lift"), base = std::hypot(0.3, 0.8);
  const double lever = base * std::sin(angle + std::atan2(0.8, 0.3)) / length;
  const Vector boom = s.position("boom"), bucket = s.position("bucket");
  double pin[7];
  test::require(vtb_body_get_pose(s.world(), s.body("front"), pin));
  const double from = pin[0];  // the pin is above the frame's origin
  const double moment = 9.81 * (400 * (boom.x - from) + 200 * (bucket.x - from));
  CHECK(reading(s, "lift_pump").pressure * 0.01 * lever == Approx(moment).epsilon(0.05));
  for (int i = 0; i < 4 * 240 && s.q("lift") < 1.35; i++) s.step(1);
  control(s, "lift_pump", &vtb_driveline_input::stroke, 0.0);
  control(s, "steer_pump", &vtb_driveline_input::stroke, 0.0);
  s.run(2);
  CHECK(s.q("lift") == Approx(1.35).margin(0.01));
  CHECK(s.q("boom_pin") == Approx(lift(s.q("lift"))).margin(1e-3));
  CHECK(s.q("waist") > 0.1);
  CHECK(s.q("waist") == Approx(waist(s.q("steer0"))).margin(1e-3));
  const double held = s.q("lift");
  s.run(2);
  CHECK(s.q("lift") == Approx(held).margin(1e-5));
  CHECK(s.stats().max_joint_error < 1e-9);
}

TEST_CASE("loader: with open differentials the free wheels spin and the beam stops it") {
  test::Scene s("loader.xml");
  control(s, "gearbox", &vtb_driveline_input::gear, 2);
  s.run(6);
  CHECK(s.position("rear").x < -0.9);
  CHECK(std::fabs(s.v("bogie_shaft1")) < 1e-3);
  CHECK(s.v("front_shaft") == Approx(2 * s.v("shaft")).epsilon(1e-3));
}

TEST_CASE("loader: with locks closed a bogie tilts over the beam and keeps its wheels on the ground") {
  test::Scene s("loader.xml");
  control(s, "gearbox", &vtb_driveline_input::gear, 2);
  for (const char* gear : {"centre", "front_gear", "rear_gear"}) control(s, gear, &vtb_driveline_input::lock, 1.0);
  double largest = 0, other = 0, highest = 0;
  for (int i = 0; i < 9 * 240; i++) {
    s.step(1);
    CHECK(s.stats().max_joint_error < 1e-9);
    largest = std::max(largest, std::fabs(s.q("tilt1")));
    other = std::max(other, std::fabs(s.q("tilt0")));
    highest = std::max(highest, s.position("bogie_wheel10").z);
    // The wheel on the ground or the beam, never above both by more than a hop.
    CHECK(s.position("bogie_wheel10").z < 0.5 + 0.11 + 0.03);
  }
  CHECK(s.position("rear").x > 1);
  CHECK(highest == Approx(0.5 + 0.11).margin(0.02));
  CHECK(largest == Approx(std::asin(0.11 / 1.2)).margin(0.03));
  CHECK(other < 0.02);
  // Both wheels of a bogie rotate with its shaft, the axles with the shaft between them.
  CHECK(s.v("bogie_axle00") == Approx(s.v("bogie_shaft0") / 4).epsilon(1e-6));
  CHECK(s.v("bogie_axle01") == Approx(s.v("bogie_shaft0") / 4).epsilon(1e-6));
  CHECK(s.v("shaft") == Approx(0.5 * (s.v("front_shaft") + s.v("rear_shaft"))).epsilon(1e-6));
}

TEST_CASE("loader: driving and lifting, the work of the gas becomes motion, height and losses") {
  test::Scene s("loader.xml");
  s.run(2);
  const auto net = [&] {
    return delivered(s, {"engine", "converter", "gearbox", "centre", "front_gear", "rear_gear", "lift_pump", "crowd_pump", "steer_pump"});
  };
  const double before = net(), start = spent(s), burnt = reading(s, "engine").work_in;
  control(s, "gearbox", &vtb_driveline_input::gear, 3);
  control(s, "lift_pump", &vtb_driveline_input::stroke, 0.5);
  control(s, "crowd_pump", &vtb_driveline_input::stroke, 0.2);
  s.run(3);
  const double given = net() - before, in = reading(s, "engine").work_in - burnt;
  INFO("in " << in << " J, given " << given << " J, spent " << spent(s) - start << " J");
  CHECK(in > 20000);
  CHECK(reading(s, "lift_pump").work_out > 1000);
  CHECK(std::fabs(spent(s) - start - given) < 0.01 * in);
}
