/* Driveline: an engine, a gearbox and a flywheel. In each gear the flywheel gains speed as the ratio says; a shift opens the clutch
 * between. */
#include <stdio.h>

#include "show.h"

enum { STEPS = 3 * 2 * 240 };

static double speed_of(const vtb_world* world, vtb_joint rotor) {
  double speed;
  ok(vtb_joint_get_state(world, rotor, NULL, &speed));
  return speed;
}

int main(int argc, char** argv) {
  const double TORQUE = 200, ENGINE = 0.5, WHEEL = 60, inertias[2] = {ENGINE, WHEEL}; /* N m, kg m^2 */
  const double ratios[4] = {0, 8, 4, 2};                                              /* input by output speed; 0: neutral */
  /* An engine is a table of torque over speed and throttle; ours gives the same torque everywhere when the throttle is open. */
  const double speeds[2] = {0, 1000}, throttles[2] = {0, 1}, torques[4] = {0, 0, TORQUE, TORQUE};
  static double times[STEPS], crank[STEPS], wheel[STEPS];
  vtb_world* world;
  vtb_joint rotors[2];
  vtb_coupling_term axes[2];
  vtb_constraint engine, gearbox;
  vtb_driveline_def def;
  vtb_driveline_input throttle = {.struct_size = sizeof throttle}, lever = {.struct_size = sizeof lever};
  vtb_driveline_state state = {.struct_size = sizeof state};
  vtb_energy energy = {.struct_size = sizeof energy};
  int step = 0;
  show_in(argc, argv);

  ok(vtb_world_create(NULL, &world));
  for (int k = 0; k < 2; ++k) { /* a rotor is a shaft with one angle: a joint without a body that one sees */
    vtb_joint_def rotor;
    vtb_axis_def axis = {.struct_size = sizeof axis};
    ok(vtb_joint_def_init(&rotor, sizeof rotor));
    rotor.type = VTB_JOINT_TYPE_ROTOR;
    ok(vtb_joint_create(world, &rotor, &rotors[k]));
    ok(vtb_joint_get_axis(world, rotors[k], 0, &axis));
    axis.armature = inertias[k];
    ok(vtb_joint_set_axis(world, rotors[k], 0, &axis));
    axes[k] = (vtb_coupling_term){.joint = rotors[k], .axis = 0, .coefficient = 1};
  }
  ok(vtb_driveline_def_init(&def, sizeof def));
  def.type = VTB_DRIVELINE_TYPE_ENGINE, def.axes = axes, def.axis_count = 1;
  def.speeds = speeds, def.speed_count = 2, def.throttles = throttles, def.throttle_count = 2, def.torques = torques;
  ok(vtb_driveline_create(world, &def, &engine));
  ok(vtb_driveline_def_init(&def, sizeof def));
  def.type = VTB_DRIVELINE_TYPE_GEARBOX, def.axes = axes, def.axis_count = 2;
  def.ratios = ratios, def.ratio_count = 4, def.shift_time = 0.4, def.max_torque = 2000;
  ok(vtb_driveline_create(world, &def, &gearbox));
  ok(vtb_driveline_get_input(world, engine, &throttle));
  ok(vtb_driveline_get_input(world, gearbox, &lever));

  for (int gear = 1; gear <= 3; ++gear) {
    double before = 0;
    throttle.throttle = 0, lever.gear = gear; /* no torque while the clutch is open */
    ok(vtb_driveline_set_input(world, engine, &throttle));
    ok(vtb_driveline_set_input(world, gearbox, &lever));
    for (int driving = 0; driving < 2; ++driving) {
      before = speed_of(world, rotors[1]);
      for (int k = 0; k < 240; ++k, ++step) {
        ok(vtb_world_step(world, 1));
        ok(vtb_world_get_time(world, &times[step]));
        crank[step] = speed_of(world, rotors[0]), wheel[step] = speed_of(world, rotors[1]);
      }
      throttle.throttle = 1;
      ok(vtb_driveline_set_input(world, engine, &throttle));
    }
    const double rate = TORQUE * ratios[gear] / (WHEEL + ENGINE * ratios[gear] * ratios[gear]); /* both inertias, as the wheel feels them */
    printf("gear %d: ratio %.6f, the wheel gains %.4f rad/s in a second; by hand %.4f\n", gear, crank[step - 1] / wheel[step - 1],
           wheel[step - 1] - before, rate);
  }
  ok(vtb_driveline_get_state(world, engine, &state));
  ok(vtb_world_get_energy(world, &energy));
  printf("work of the engine %.1f J, in the shafts %.1f J, lost in clutch and shifts %.1f J\n", state.work_in, energy.kinetic,
         state.work_in - energy.kinetic);
  plot("driveline.svg", "Three gears", "time, s", "speed, rad/s", times, STEPS, (const plot_line[]){{"engine", crank}, {"flywheel", wheel}},
       2);
  ok(vtb_world_destroy(world));
  return 0;
}
