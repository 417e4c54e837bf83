"""Robot drop: a robot from a URDF falls on the ground. When it lies still, the ground bears its weight."""
from vertebra import Skeleton, World
from show import MODELS, Strip

robot = Skeleton(MODELS / "urdf" / "humanoid.urdf")
for finding in robot.findings:  # what the loader repaired or left out; of a clean file nothing
    print(finding)

world = World()
world.ground(friction=0.8)
figure = world.add_figure(robot, pose=(0, 0, 1.3, 0, 0, 0, 1))  # where its root link starts; joints begin at 0

strip = Strip(eye=(2.9, -2.9, 1.5), target=(0.2, 0, 0.95))
for time in (0, 0.5, 1, 4):
    while world.time < time - 1e-9:
        world.step()
    strip.add(world, f"{time:g} s")
strip.save("robot_drop.png")

# All contact points at once: an array of records with the fields of vtb_contact. The world itself is the body without bits.
contacts = world.contacts()
on_ground = contacts[contacts.body_a["bits"] == 0]
print(f"{robot.info.links} links, {robot.info.mass:.3f} kg, lying on {len(on_ground)} points")
print(f"weight {robot.info.mass * 9.81:.3f} N, borne by the ground {on_ground.force[:, 2].sum():.3f} N")
print(f"deepest point {max(0, -contacts.gap.min()) * 1000:.3f} mm below the surface")
