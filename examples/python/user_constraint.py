"""User constraint: beads slide in a bowl z = r^2 / 2a that is no shape, but a row of our own. In this bowl all circles take the same time."""
from math import atan2, cos, pi, sin, sqrt

from vertebra import World
from show import Strip

A = 0.5  # of the bowl, m
PERIOD = 2 * pi * sqrt(A / 9.81)


def bowl(bead):
    """A row that keeps the bead's centre on the bowl: what is to be 0, and how it changes with the bead's velocity."""

    def row(row, index):
        x, y, z = bead.position
        row.error = z - (x * x + y * y) / (2 * A)
        row.bodies[0, :3] = -x / A, -y / A, 1  # row by body, on its linear velocity; the angular part stays 0
        return True

    return row


world, beads = World(time_step=1e-3), []
for radius in (0.3, 0.6, 0.9):
    bead = world.sphere((radius, 0, radius**2 / (2 * A)), radius=0.05)
    bead.twist = (0, radius * sqrt(9.81 / A), 0, 0, 0, 0)  # at this speed gravity and the bowl keep it on its height
    world.add_constraint(bowl(bead), [bead])
    beads.append(bead)

# For the picture a bowl of triangles, lower by the beads' radius; with mask 0 nothing touches it.
places = [(r, pi * k / 12) for r in (0, 0.25, 0.5, 0.75, 1) for k in range(24)]
bowl_points = [(r * cos(angle), r * sin(angle), r * r / (2 * A) - 0.06) for r, angle in places]
squares = [(24 * ring + k, 24 * ring + (k + 1) % 24) for ring in range(4) for k in range(24)]
triangles = [corner for a, b in squares for corner in ((a, a + 24, b + 24), (a, b + 24, b))]
world.add_shape(type="mesh", geometry_points=bowl_points, geometry_triangles=triangles, mask=0, rgba=(0.55, 0.7, 0.9, 1))

strip = Strip(eye=(0.6, -2.1, 2.8), target=(0, 0, 0.3), shown=2)  # shadows, but no ground
turned, last, off = [0.0] * 3, [0.0] * 3, 0.0
for step in range(round(PERIOD / 1e-3)):
    if step % 240 == 0 and step < 960:
        strip.add(world, f"{world.time:.2f} s")
    world.step()
    for k, bead in enumerate(beads):
        x, y, z = bead.position
        angle = atan2(y, x)
        turned[k] += (angle - last[k]) % (2 * pi)
        last[k] = angle
        off = max(off, abs(z - (x * x + y * y) / (2 * A)))
strip.save("user_constraint.png")
for radius, angle in zip((0.3, 0.6, 0.9), turned):
    print(f"radius {radius} m: turned by {angle:.4f} rad in {world.time:.3f} s")
print(f"off the bowl by {off:.1e} m at most")
