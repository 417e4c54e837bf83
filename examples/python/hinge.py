"""Hinge: a rod swings about a hinge. It keeps the period of the exact pendulum, and the hinge opens by nothing but round-off."""
from math import radians

from vertebra import World, WorldFlag
from show import Strip

world = World(flags=WorldFlag.ENERGY_ACCOUNT)  # so that the statistics tell how far joints are open
rod = world.box((0, 0, 1), half_extents=(0.03, 0.03, 0.5), mass=1)  # upright, 1 m long; its lower end is at 0.5 m
hinge = world.hinge(None, rod, point=(0, 0, 1.5), axis=(0, 1, 0))  # None: the other end is the world. Here its angle is 0
hinge.q = [radians(60)]  # a joint's coordinates are the state: set them, and the rod goes along

strip = Strip(eye=(0, -2.7, 1.3), target=(0, 0, 0.95))
passed, opened, before, energy = [], 0.0, hinge.q[0], world.energy.potential
for step in range(1, 2401):
    world.step()
    angle = hinge.q[0]
    if before < 0 <= angle:  # through the lowest point, once a period; between two steps the angle is nearly a straight line
        passed.append(world.time - world.settings.time_step * angle / (angle - before))
    before = angle
    opened = max(opened, world.stats.max_joint_error)
    if step % 60 == 1 and step < 240:
        strip.add(world, f"{world.time:.2f} s: {angle:+.2f} rad")
strip.save("hinge.png")

print(f"period {(passed[-1] - passed[0]) / (len(passed) - 1):.6f} s")
print(f"hinge open by {opened:.1e} m")
print(f"energy changed by {abs(world.energy.kinetic + world.energy.potential - energy):.1e} J of {energy:.3f} J")
