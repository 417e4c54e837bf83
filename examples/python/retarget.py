"""Retarget: a walk that was captured on a person, put onto a robot of other proportions. Feet that stand do not slide, joints keep limits."""
from vertebra import BodyKind, Motion, RetargetReport, Skeleton, World, WorldFlag, retarget
from show import MODELS, Strip

walk = Motion(MODELS / "motions" / "walk.bvh")
robot = Skeleton(MODELS / "urdf" / "humanoid.urdf")
trajectory = retarget(walk, robot)  # the coordinates of the robot in every frame; no map: arms, legs and head are found
report = RetargetReport(walk, robot, trajectory).info

print(f"{len(trajectory)} frames of {trajectory.info.nq} coordinates; {len(trajectory.findings)} findings tell which joint has which role")
print(f"feet slide by {1000 * report.slide_mean:.2f} mm on the mean, {1000 * report.slide_max:.2f} mm at most, in {report.contacts} contacts")
print(f"limits passed by {report.limit_excess:.1e} rad at most, rates up to {100 * report.speed_ratio:.0f} % of the largest")

# One picture of seven moments: the robot, and beside it the person, a figure made from the bones of the motion.
world = World()
world.ground()
person, model = Skeleton.from_motion(walk), None
for frame in range(0, len(trajectory), len(trajectory) // 6):
    shown = world.add_figure(robot)
    shown.q = trajectory.q[frame]
    other = world.add_figure(person)
    model = model or other.workspace()
    q = model.from_motion(walk, frame * walk.info.frame_time)
    q[0] += 1.5  # beside the robot
    other.q = q
strip = Strip(eye=(7, -3.6, 3), target=(0, -3.1, 0.6), columns=1, size=(1200, 400))
strip.add(world, "a walk: the person, and the robot that goes like it")
strip.save("retarget.png")
