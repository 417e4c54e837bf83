"""Cline 2002, 5.2.2: boxes pushed about by a repelling cursor, with and without stabilisation of contacts (contact_correction 0.2 and 0):
they slide, tip, roll, collide with each other and the walls of a pen. Bodies have free poses, 1 ms. The cursor circles at the height of the
boxes' edges and repels bodies within half a metre."""
import ctypes
import math

import numpy as np

from experiment import Experiment, at, quiet, vtb
from svg import Plot

STEPS, HALF, REACH, FORCE = 3000, 0.1, 0.5, 40.0


def pushed(count, **settings):
    """Deepest penetration [m] after every step."""
    world = quiet(time_step=1e-3, flags=vtb.VTB_WORLD_FLAG_FREE_POSES, tree_solver=vtb.VTB_TREE_SOLVER_SPARSE, **settings)
    world.add_shape(type=vtb.VTB_SHAPE_TYPE_PLANE, friction=0.4)
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):  # the pen
        size = (0.05 if x else 1, 0.05 if y else 1, 0.5)
        world.add_shape(type=vtb.VTB_SHAPE_TYPE_BOX, size=size, pose=at(0.9 * x, 0.9 * y, 0.5), friction=0.4)
    bodies = []
    for i in range(count):
        inertia = 2 / 3 * HALF * HALF
        body = world.add_body(pose=at(0.3 * (i % 3) - 0.3, 0.3 * (i // 3), HALF), mass=1, inertia=(inertia, 0, 0, inertia, 0, inertia))
        world.add_shape(body, type=vtb.VTB_SHAPE_TYPE_BOX, size=(HALF, HALF, HALF), friction=0.4)
        bodies.append(body)
    depths = []
    for k in range(STEPS):
        angle = 2 * math.pi * k / 1500
        cursor = np.array([0.5 * math.cos(angle), 0.5 * math.sin(1.7 * angle), 0.15])
        for body, pose in zip(bodies, world.poses()):
            away = pose[:3] - cursor
            distance = np.linalg.norm(away)
            if distance < REACH:
                point = pose[:3] - HALF * away / distance
                vtb.vtb_body_add_force(world, body, FORCE * (1 - distance / REACH) / distance * away, point, ctypes.c_int32(vtb.VTB_DURATION_ONE_STEP))
        world.step()
        depths.append(world.stats.max_penetration)
    return np.array(depths)


def run():
    e = Experiment("pushed_boxes", "One and five pushed boxes, with and without stabilisation of contacts", __doc__)
    times = np.arange(1, STEPS + 1) * 1e-3
    for count in (1, 5):
        with_it, without = pushed(count), pushed(count, contact_correction=0.0)
        chart = Plot(f"{count} box{'es' if count > 1 else ''}: deepest contact", "time, s", "penetration, mm", width=560)
        chart.line("without stabilisation", times, 1e3 * without).line("with it", times, 1e3 * with_it)
        e.plots.append(chart)
        name = "one box" if count == 1 else "five boxes"
        e.claim(f"{name}, without: errors stay and add up, at least 0.1 mm at the end", 1e3 * without[-1], without[-1] > 1e-4, "mm")
        e.claim(f"{name}, with it: never more than 0.02 mm", 1e3 * with_it.max(), with_it.max() < 2e-5, "mm")
        e.claim(f"{name}, with it: on the mean a fiftieth at most", with_it.mean() / without.mean(), with_it.mean() < without.mean() / 50)
    return [e]
