"""Driveline: an engine, a gearbox and a flywheel. In each gear the flywheel gains speed as the ratio says; a shift opens the clutch between."""
from vertebra import World
from show import Plot, save

TORQUE, ENGINE, WHEEL, RATIOS = 200.0, 0.5, 60.0, (0.0, 8.0, 4.0, 2.0)  # N m, kg m^2, kg m^2, input by output speed (0: neutral)

world = World()
shafts = []
for inertia in (ENGINE, WHEEL):  # a rotor is a shaft with one angle: a joint without a body that one sees
    rotor = world.add_joint(type="rotor")
    rotor.set_axis(armature=inertia)
    shafts.append(rotor)
crank, wheel = shafts
# An engine is a table of torque over speed and throttle; ours gives the same torque everywhere when the throttle is open.
engine = world.add_driveline([(crank, 0, 1)], type="engine", speeds=[0, 1000], throttles=[0, 1], torques=[[0, 0], [TORQUE, TORQUE]])
gearbox = world.add_driveline([(crank, 0, 1), (wheel, 0, 1)], type="gearbox", ratios=RATIOS, shift_time=0.4, max_torque=2000)

plot, times, speeds = Plot("Three gears", "time, s", "speed, rad/s"), [], ([], [])
for gear in (1, 2, 3):
    engine.set_input(throttle=0)  # no torque while the clutch is open
    gearbox.set_input(gear=gear)
    for phase in ("shift", "drive"):
        before = wheel.v[0]
        for _ in range(240):
            world.step()
            times.append(world.time)
            for shaft, values in zip(shafts, speeds):
                values.append(shaft.v[0])
        engine.set_input(throttle=1)
    rate = TORQUE * RATIOS[gear] / (WHEEL + ENGINE * RATIOS[gear] ** 2)  # both inertias, as the wheel feels them
    print(f"gear {gear}: ratio {crank.v[0] / wheel.v[0]:.6f}, the wheel gains {wheel.v[0] - before:.4f} rad/s in a second; by hand {rate:.4f}")

state = engine.state
print(f"work of the engine {state.work_in:.1f} J, in the shafts {world.energy.kinetic:.1f} J, lost in clutch and shifts {state.work_in - world.energy.kinetic:.1f} J")
plot.line("engine", times, speeds[0]).line("flywheel", times, speeds[1])
save(plot, "driveline.svg")
