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

double tilt(const test::Scene& s, const std::string& body) {  // cosine of the body's z axis to the vertical
  double p[7];
  test::require(vtb_body_get_pose(s.world(), s.body(body), p));
  return 1 - 2 * (p[3] * p[3] + p[4] * p[4]);
}

}  // namespace

TEST_CASE("terrain vehicle: stands on its springs") {
  test::Scene s("terrain_vehicle.xml");
  for (const char* strut : {"strut10", "strut11"}) setTarget(s, strut, 2, 0, &vtb_motor_def::velocity);
  s.run(4);
  // Struts bear what is above them; of the carriage a part hangs on the hitch.
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
  CHECK(car.x > 12);  // 8 rad/s times 0.35 m, less the start
  CHECK(car.x < 8 * 0.35 * 6);
  CHECK(std::fabs(car.y) < 0.5);
  CHECK(std::hypot(car.x - carriage.x, car.y - carriage.y) == Approx(length).margin(0.2));
  for (const char* strut : {"strut00", "strut01"}) setTarget(s, strut, 1, 0.3, &vtb_motor_def::position);
  s.run(2);
  CHECK(s.position("car").y > car.y + 0.5);
  CHECK(s.q("strut00", 1) == Approx(0.3).margin(0.1));
}

TEST_CASE("loader: cylinders lift the boom and steer the waist as triangles say") {
  test::Scene s("loader.xml");
  // In the pins' planes: from the boom's pin the cylinder's ends are at (0.3, -0.8) on the frame and, on the boom, 1 m along it.
  const double length = 1.35, arm = 1, base = std::hypot(0.3, 0.8);
  const double angle = std::acos((arm * arm + base * base - length * length) / (2 * arm * base)) - std::atan2(0.8, 0.3);
  setTarget(s, "lift", 0, length, &vtb_motor_def::position);
  const double wanted = 0.25;  // of the waist; the cylinders' ends are at 0.7 before and behind it, 0.4 to each side
  for (int side = 0; side < 2; side++) {
    const double y = 0.8 * side - 0.4;
    const double x1 = 0.7 * std::cos(wanted) - y * std::sin(wanted), y1 = 0.7 * std::sin(wanted) + y * std::cos(wanted);
    setTarget(s, "steer" + std::to_string(side), 0, std::hypot(x1 + 0.7, y1 - y), &vtb_motor_def::position);
  }
  s.run(8);
  CHECK(s.q("boom_pin") == Approx(angle).margin(0.03));
  CHECK(s.q("waist") == Approx(wanted).margin(0.03));
  CHECK(s.stats().max_joint_error < 1e-9);
  CHECK(s.energy().kinetic < 1);
}

TEST_CASE("loader: a bogie tilts over a beam and keeps its wheels on the ground") {
  test::Scene s("loader.xml");
  for (const char* axle : {"front_axle0", "front_axle1"}) setTarget(s, axle, 0, 1, &vtb_motor_def::velocity);
  double largest = 0, other = 0, highest = 0;
  for (int i = 0; i < 6 * 240; i++) {
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
}
