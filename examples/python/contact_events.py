"""Contact events: a ball bounces. Each touch is told with its moment and its impulse; both agree with the textbook."""
import numpy as np

from vertebra import ContactPhase, World
from show import Plot, save

HEIGHT, RESTITUTION, RADIUS, MASS = 1.0, 0.8, 0.1, 2.0

world = World(time_step=1e-3)
ground = world.add_shape(type="plane", surface_restitution=RESTITUTION)  # a pair takes the larger of its two coefficients
ball = world.sphere((0, 0, HEIGHT + RADIUS), RADIUS, MASS)

times, heights, touched, impulses = [], [], [], []
while world.time < 3:
    world.step(5)
    times.append(world.time)
    heights.append(ball.position[2] - RADIUS)
    for event in world.contact_events():  # those of the last call: of five steps
        if event.phase == ContactPhase.BEGIN:
            touched.append(event.time)
            impulses.append(abs(event.impulse[2]))  # on shape_b; which of the two is first does not matter here

# It meets the ground with v, leaves it with e v, and is back after 2 e v / g; the impulse is m v (1 + e).
speed, time = np.sqrt(2 * 9.81 * HEIGHT), np.sqrt(2 * HEIGHT / 9.81)
for touch, impulse in list(zip(touched, impulses))[:5]:
    print(f"touch at {touch:.3f} s, impulse {impulse:.3f} N s; textbook {time:.4f} s, {MASS * speed * (1 + RESTITUTION):.4f} N s")
    speed *= RESTITUTION
    time += 2 * speed / 9.81

plot = Plot("A ball that bounces, and its contact events", "time, s", "height, m")
plot.line("height", times, heights)
plot.line("begin of contact: impulse / 10 N s", touched, np.array(impulses) / 10, marker=True, dash=True)
save(plot, "contact_events.svg")
