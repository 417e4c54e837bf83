"""Loop: a four-bar linkage. Three hinges make a tree, the fourth closes it; a motor turns the crank, and the rocker stands where geometry says."""
from math import acos, atan2, cos, hypot, pi, remainder, sin

from vertebra import World
from show import Strip

GROUND, CRANK, COUPLER, ROCKER = 1.0, 0.3, 1.0, 0.7  # lengths, m


def rocker_angle(crank):
    """Where the rocker stands, by the triangle of the crank's end, the coupler and the rocker."""
    x, z = CRANK * cos(crank) - GROUND, CRANK * sin(crank)  # the crank's end, seen from the rocker's pivot
    distance = hypot(x, z)
    return atan2(z, x) - acos((distance**2 + ROCKER**2 - COUPLER**2) / (2 * distance * ROCKER))


def bar(start, end, y):
    """A bar between two points of the plane x, z."""
    (x0, z0), (x1, z1) = start, end
    half, angle = hypot(x1 - x0, z1 - z0) / 2, -atan2(z1 - z0, x1 - x0)  # about y, which turns from z to x
    return world.box(((x0 + x1) / 2, y, (z0 + z1) / 2), (half, 0.02, 0.03), mass=2 * half, orientation=(0, sin(angle / 2), 0, cos(angle / 2)))


world, start, up = World(), pi / 2, 1.0
a, d = (0, up), (GROUND, up)  # pivots on the ground
b = (CRANK * cos(start), up + CRANK * sin(start))
c = (GROUND + ROCKER * cos(rocker_angle(start)), up + ROCKER * sin(rocker_angle(start)))
crank, coupler, rocker = bar(a, b, 0), bar(b, c, 0.06), bar(d, c, 0)
turn = world.hinge(None, crank, (a[0], 0, a[1]), (0, -1, 0))  # axis -y: angles grow from x to z
world.hinge(crank, coupler, (b[0], 0, b[1]), (0, -1, 0))
swing = world.hinge(None, rocker, (d[0], 0, d[1]), (0, -1, 0))
world.hinge(coupler, rocker, (c[0], 0, c[1]), (0, -1, 0))  # closes the loop; no call says so, the world finds it
turn.set_motor(mode="velocity", velocity=2 * pi, damping=1e4)  # a turn a second

strip, worst, opened = Strip(eye=(0.5, -3.6, 1.2), target=(0.5, 0, 1)), 0.0, 0.0
for step in range(1, 481):
    world.step()
    off = rocker_angle(start) + swing.q[0] - rocker_angle(start + turn.q[0])
    worst = max(worst, abs(remainder(off, 2 * pi)))
    opened = max(opened, world.stats.max_joint_error)
    if step % 60 == 0 and step <= 240:
        strip.add(world, f"crank {start + turn.q[0]:.2f}, rocker {rocker_angle(start) + swing.q[0]:.2f} rad")
strip.save("loop.png")
print(f"crank turned by {turn.q[0]:.4f} rad")
print(f"rocker off the geometry by {worst:.1e} rad at most")
print(f"loop open by {opened:.1e} m at most")
