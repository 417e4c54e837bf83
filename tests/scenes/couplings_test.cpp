// couplings.xml: shafts, gears and the parts between them, in closed form.
#include "tests/scenes/scene.hpp"

TEST_CASE("couplings: gears, rack, differential, clutch, breaking, softness, a curve, a field") {
  test::Scene s("couplings.xml");
  const double h = 1.0 / 240;
  // The energy before the first step includes the shafts: pinion, gear, rack, and 0.1 kg m^2 at 20 rad/s.
  const vtb_energy start = s.energy();
  CHECK(start.kinetic == Approx(0.01 * 8 + 0.04 * 2 + 3 * 0.005 + 20));
  s.run(1);
  // Gears and racks keep their ratios, and no motion is lost.
  CHECK(s.q("gear_axle") == Approx(-s.q("pinion_axle") / 2).margin(1e-9));
  CHECK(s.q("rail") == Approx(0.05 * s.q("gear_axle")).margin(1e-9));
  CHECK(s.v("pinion_axle") == Approx(4).margin(1e-9));
  // Differential: 1 N m goes half to each side. Left: 1/2 minus part of the drive's own inertia; with both sides' accelerations l and r,
  // drive (l + r) / 2: torque T on each half shaft is the same, 0.05 l = T, 0.05 r = T - 0.2, 0.02 (l + r) / 2 = 1 - 2 T.
  const double T = (1 + 0.02 * 0.2 / (2 * 0.05)) / (2 + 0.02 / 0.05);
  CHECK(s.v("left") == Approx(T / 0.05).epsilon(1e-3));
  CHECK(s.v("right") == Approx((T - 0.2) / 0.05).epsilon(1e-3));
  CHECK(s.v("drive") == Approx((s.v("left") + s.v("right")) / 2).margin(1e-9));
  CHECK(std::fabs(s.unexplained(start)) < 0.05);
  // The clutch transmits 0.5 N m until both rates are equal, at t = 10 * 0.1 / 0.5 = 2 s.
  CHECK(s.v("fast") == Approx(20 - 5).margin(0.05));
  CHECK(s.v("slow") == Approx(5).margin(0.05));
  int32_t broken = 0;
  test::require(vtb_joint_get_broken(s.world(), s.joint("weak"), &broken));
  CHECK(broken == 1);
  CHECK(s.position("falling").z < 2 - 0.5 * 9.81 * (1 - 2 * h) * (1 - 2 * h));
  s.run(2);
  CHECK(s.v("fast") == Approx(10).margin(1e-6));
  CHECK(s.v("slow") == Approx(10).margin(1e-6));
  CHECK(s.position("soft").z == Approx(2 - 2 * 9.81 / 500).margin(1e-4));
  s.run(20);
  // The bead rests where the resultant of wind and weight is along the normal: tan = 0.05 * 10 / (0.1 * 9.81) from the lowest point.
  const test::Vector bead = s.position("bead");
  CHECK(std::atan2(bead.x - 5, 2 - bead.z) == Approx(std::atan(0.5 / 0.981)).margin(0.02));
  CHECK(std::hypot(bead.x - 5, bead.z - 2) == Approx(1).margin(0.01));
}
