// Every scene under every stepper: what must hold for every method (joints, penetration, feasibility, energy), and, by name, which pairs
// are rejected or have larger bounds, and why.
#include <algorithm>

#include "tests/scenes/steppers.hpp"

using test::Scene;

namespace {

struct Seen {
  double joints = 0, penetration = 0, unexplained = 0, turnover = 0;
  int infeasible = 0;
};

Seen run(const std::string& file, const vtb_world_def& settings, double seconds) {
  Scene s(file, &settings);
  Seen seen;
  const vtb_energy start = s.energy();
  const int steps = static_cast<int>(std::lround(seconds / settings.time_step));
  double kinetic = start.kinetic;
  for (int i = 0; i < steps; i++) {
    const vtb_status status = vtb_world_step(s.world(), 1);
    if (status == VTB_E_INFEASIBLE)
      seen.infeasible++;
    else
      test::require(status);
    const vtb_world_stats stats = s.stats();
    seen.joints = std::max(seen.joints, stats.max_joint_error);
    seen.penetration = std::max(seen.penetration, stats.max_penetration);
    kinetic = std::max(kinetic, s.energy().kinetic);
  }
  const vtb_energy e = s.energy();
  seen.unexplained = s.unexplained(start);
  seen.turnover = kinetic + std::fabs(e.work_drives) + std::fabs(e.work_applied) + std::fabs(e.lost_damping) + std::fabs(e.lost_friction) +
                  std::fabs(e.lost_impact) + std::fabs(e.lost_clamp);
  return seen;
}

double jointBound(const std::string& file, int stepper) {  // m or rad
  if (stepper == VTB_STEPPER_SPOOK)
    return file == "joint_types.xml" ? 0.02
           : file == "basket.xml"    ? 1e-3
                                     : 1e-4;  // soft; a carried ball of 1e-6 kg m^2 has the largest error
  if (stepper != VTB_STEPPER_DISPLACEMENT) return file == "soft_block.xml" ? 1e-8 : 1e-12;  // volumes, closed by Newton in 8 passes
  if (file == "cloth.xml") return 0.1;     // eight sweeps under ten times the earth's gravity
  if (file == "figures.xml") return 0.25;  // rad, in the step in which the quadruped strikes the ground
  return 0.01;                             // remaining error of the sweeps
}

double penetrationBound(const std::string& file) {        // m
  if (file == "contact_stabilisation.xml") return 0.101;  // initial state
  if (file == "own_steps.xml") return 0.035;              // 5 m/s into bodies with steps of 1/120 s
  if (file == "pool.xml") return 0.02;                    // heavy spheres fall into a heap at 1/60 s
  return 2e-3;
}

// Share of the energy exchanged; soft rows (spook) store some that no account contains.
double energyBound(const std::string& file, int stepper) {
  if (file == "staircase.xml" && stepper == VTB_STEPPER_VARIATIONAL) return 0.3;  // many links strike edges within one step
  if (file == "contact_stabilisation.xml" && stepper == VTB_STEPPER_ODE)
    return 0.7;  // the energy by which its rows push bodies apart is in no account (work of friction is)
  if (file == "driven_tree.xml" && stepper == VTB_STEPPER_ODE)
    return 0.1;  // work of drives by the ends of steps in which their force jumps
  return stepper == VTB_STEPPER_DISPLACEMENT ? 0.02 : stepper == VTB_STEPPER_SPOOK ? 0.06 : 0.04;
}

}  // namespace

TEST_CASE("every scene under every stepper keeps its invariants") {
  for (const std::string& file : test::sceneFiles())
    for (const auto& [stepper, name] : test::steppers()) {
      if (file == "cloth.xml" && stepper != VTB_STEPPER_DISPLACEMENT)
        continue;  // under 100 m/s2 the others need shorter steps (soft_test.cpp)
      const Scene plain(file);
      vtb_world_def settings = plain.settings();
      settings.stepper = stepper;
      settings.flags |= VTB_WORLD_FLAG_ENERGY_ACCOUNT;
      test::adapt(file, settings);
      INFO(file << " under " << name);
      if (const std::optional<std::string> why = test::refusal(file, stepper)) {
        vtb_world* world = nullptr;
        vtb_status status = vtb_scene_create_world(plain.scene(), &settings, &world);
        for (int i = 0; i < 24 && status == VTB_OK; i++) status = vtb_world_step(world, 1);
        const std::string text = vtb_last_error();
        vtb_world_destroy(world);
        REQUIRE(status != VTB_OK);
        CHECK(text.find(*why) != std::string::npos);
        continue;
      }
      const Seen seen = run(file, settings, settings.ode.control == VTB_STEP_CONTROL_EMBEDDED ? 0.02 : 0.5);  // of which a step takes 40 ms
      CHECK(seen.joints < jointBound(file, stepper));
      CHECK(seen.penetration < penetrationBound(file));
      CHECK(seen.infeasible <=
            (file == "soft_block.xml" && stepper == VTB_STEPPER_ODE ? 1 : 0));  // volumes against the floor, at the impact
      CHECK(std::fabs(seen.unexplained) <= energyBound(file, stepper) * seen.turnover);
    }
}
