"""Sensors: a box falls, lands and stands. Its accelerometer reads 0 in free fall and g at rest, a touch sensor its weight."""
import numpy as np

from vertebra import World
from show import Plot, save

world = World(time_step=1e-3)
world.ground()
box = world.box((0, 0, 1.1), (0.1, 0.1, 0.1), mass=3)
lid = world.box((0, 0, 1.25), (0.1, 0.1, 0.05), mass=2)
glue = world.weld(box, lid)
imu = world.add_sensor(box, type="imu")  # at a site of a body: here its own frame
touch = world.add_sensor(box, type="touch")  # the sum of the normal forces on the body
strain = world.add_sensor(type="force_torque", joint=glue)  # of box on lid, through the joint

readings = []  # sensors keep what they read after each physics step, until the next
while world.time < 1:
    world.step()
    readings.append((world.time, imu.values[2], touch.values[0], strain.values[2]))
time, acceleration, force, joint = np.array(readings).T

falling, resting = time < 0.4, time > 0.9
print(f"in free fall: accelerometer {np.abs(acceleration[falling]).max():.1e} m/s^2, touch {force[falling].max():.1e} N")
print(f"at rest: accelerometer {acceleration[resting].mean():.4f} m/s^2, touch {force[resting].mean():.3f} N, lid on box {joint[resting].mean():.3f} N")
print(f"landed at {time[force > 0][0]:.3f} s with {force.max():.0f} N")

plot = Plot("A box falls, lands and stands", "time, s", "m/s^2 and N", y_limits=(-5, 70))
plot.line("accelerometer, m/s^2", time, acceleration).line("touch, N", time, force).line("lid on box, N", time, joint)
save(plot, "sensors.svg")
