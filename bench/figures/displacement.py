"""Waterson, Displacement Based Dynamics: the stepper displacement. Cloth of 400 nodes, hung by an edge or by its corners, at 8 sweeps and
g = 100 m/s² (fig. 7); a rope of three nodes (fig. 6); the momentum of an open ball joint (5.1); springs against XPBD (8.1)."""
import ctypes

import numpy as np

from experiment import Experiment, carried, quiet, vtb
from svg import Plot

STILL = {"adaptive_substeps": 1, "stepper": vtb.VTB_STEPPER_DISPLACEMENT, "displacement_warm_start": 0.0}


def rope(world, bodies, points=None, **values):
    """The total length through bodies (None: the world)."""
    handles = (vtb.vtb_body * len(bodies))(*(b or vtb.vtb_body() for b in bodies))
    place = None if points is None else np.ascontiguousarray(points, float)
    constraint = vtb.vtb_constraint()
    definition = vtb.make("vtb_points_def", bodies=ctypes.cast(handles, ctypes.c_void_p), point_count=len(bodies),
                          points=None if place is None else place.ctypes.data, **values)
    vtb.vtb_constraint_create_points(world, ctypes.byref(definition), ctypes.byref(constraint))


def cloth(corners, whole, n=20, spacing=0.1):
    """Mean error of the links [m] after every step of 1/60 s, for a second."""
    world = quiet(stepper=vtb.VTB_STEPPER_DISPLACEMENT, time_step=1 / 60, gravity=(0, 0, -100), solver_iterations=8, solver_tolerance=0.0,
                  adaptive_substeps=1)
    nodes, fixed = [], set()
    for r in range(n):
        for c in range(n):
            if (r in (0, n - 1) and c in (0, n - 1)) if corners else r == 0:
                fixed.add(len(nodes))
            kind = vtb.VTB_BODY_KIND_STATIC if len(nodes) in fixed else vtb.VTB_BODY_KIND_DYNAMIC
            nodes.append(world.add_body(pose=(c * spacing, r * spacing, 0, 0, 0, 0, 1), mass=0.05, kind=kind))
    links = [(i, i + 1) for i in range(n * n) if i % n + 1 < n] + [(i, i + n) for i in range(n * n - n)]
    links = np.array([(a, b) for a, b in links if not {a, b} <= fixed])
    for a, b in links:
        world.add_joint(nodes[a], nodes[b], type=vtb.VTB_JOINT_TYPE_DISTANCE)
    lines = [range(r * n, r * n + n) for r in range(n)] + [range(c, n * n, n) for c in range(n)]
    for line in lines if whole else ():
        if not set(line) <= fixed:
            rope(world, [nodes[i] for i in line])
    errors = []
    for _ in range(60):
        world.step()
        places = world.poses()[:, :3]
        errors.append(np.abs(np.linalg.norm(places[links[:, 0]] - places[links[:, 1]], axis=1) - spacing).mean())
    return np.array(errors)


def cloths():
    e = Experiment("cloth", "Cloth of 400 nodes with and without total lengths", __doc__)
    times = np.arange(1, 61) / 60
    for corners, name in ((False, "by an edge"), (True, "by its corners")):
        without, whole = cloth(corners, False), cloth(corners, True)
        e.plots.append(Plot(f"Hung {name}: mean error of a link", "time, s", "mm").line("links alone", times, 1e3 * without)
                       .line("and the length of each row and column", times, 1e3 * whole))
        share = whole[30:].mean() / without[30:].mean()
        e.claim(f"hung {name}: the error with total lengths is at most 0.6 of that without", share, share <= 0.6)
    return e


def three_nodes():
    """The middle node hangs 0.6 m below ends 1 m apart, on a rope as long as one with a sag of 0.5 m."""
    e = Experiment("three_nodes", "Three nodes: links one after the other, and their total length", three_nodes.__doc__)
    half, length = 0.5, 2 * np.hypot(0.5, 0.5)
    chart = Plot("The rope's error", "sweeps", "m", y_log=True)
    aside = {}
    for name in ("links", "total length"):
        lefts = []
        for sweeps in range(1, 9):
            world = quiet(gravity=(0, 0, 0), solver_iterations=sweeps, solver_tolerance=0.0, **STILL)
            node = world.add_body(pose=(0, 0, -0.6, 0, 0, 0, 1))
            if name == "links":
                for end in (-half, half):
                    link = world.add_joint(None, node, type=vtb.VTB_JOINT_TYPE_DISTANCE, frame_a=(end, 0, 0, 0, 0, 0, 1))
                    axis = vtb.make("vtb_axis_def", lower=length / 2, upper=length / 2)
                    vtb.vtb_joint_set_axis(world, link, ctypes.c_int32(0), ctypes.byref(axis))
            else:
                rope(world, [None, node, None], [[-half, 0, 0], [0, 0, 0], [half, 0, 0]], value=length)
            world.step()
            place = world.poses()[0]
            lefts.append(max(abs(np.hypot(place[0] + half, place[2]) + np.hypot(place[0] - half, place[2]) - length), 1e-16))
            aside.setdefault(name, abs(place[0]))
        chart.line(name, list(range(1, 9)), lefts, marker=True)
    e.plots.append(chart)
    e.claim("links: one sweep pulls the node aside", aside["links"], aside["links"] > 1e-3, "m")
    e.claim("total length: one sweep takes it straight up", aside["total length"], aside["total length"] < 1e-12, "m")
    return e


def momentum():
    """Two bodies at rest whose ball joint is open; angular momentum after a step of so many sweeps, by the inertia at the start."""
    e = Experiment("ball_joint_momentum", "Angular momentum of an open ball joint, scalar and block form", momentum.__doc__)
    moments = np.array([[0.01, 0.2, 0.05], [0.3, 0.02, 0.1]])
    lost = {}
    for name, flags in (("scalar", vtb.VTB_WORLD_FLAG_DISPLACEMENT_ALONG_ERRORS), ("block", 0)):
        world = quiet(gravity=(0, 0, 0), solver_iterations=1, flags=flags, **STILL)
        bodies = [world.add_body(mass=k + 1, inertia=(m[0], 0, 0, m[1], 0, m[2]), pose=(k, 0.1 * k, 0.05 * k, 0, 0, 0, 1))
                  for k, m in enumerate(moments)]
        frames = np.array([[0.4, 0.2, -0.1], [-0.5, 0.1, 0.2]])
        world.add_joint(*bodies, type=vtb.VTB_JOINT_TYPE_SPHERICAL, frame_a=(*frames[0], 0, 0, 0, 1), frame_b=(*frames[1], 0, 0, 0, 1))
        world.step()
        poses, twists = world.poses(), world.twists()
        lost[name] = np.linalg.norm(sum((k + 1) * np.cross(poses[k, :3], twists[k, :3]) + moments[k] * twists[k, 3:] for k in range(2)))
        apart = np.linalg.norm(carried(poses[0], frames[0]) - carried(poses[1], frames[1]))
        e.claim(f"{name} form: one sweep closes half of the joint at least", apart, apart < 0.5 * np.linalg.norm([0.1, 0.0, 0.35]), "m")
    e.claim("scalar form: none is made", lost["scalar"], lost["scalar"] < 1e-10, "kg m²/s")
    e.claim("block form: some is", lost["block"], lost["block"] > 0.1, "kg m²/s")
    return e


def springs(h=0.01, k=800.0, damping=3.0, sweeps=7):
    """Two particles of 1 and 0.5 kg on soft rods, 100 steps of seven sweeps, against XPBD implemented here (Macklin 2016)."""
    e = Experiment("xpbd", "Springs and dampers in the sweeps against XPBD", springs.__doc__)
    world, mass, rest = quiet(time_step=h, solver_iterations=sweeps, solver_tolerance=0.0, **STILL), np.array([1.0, 0.5]), (1.0, 0.7)
    x, v = np.array([[0.3, 0.1, -1], [0.9, -0.2, -1.5]]), np.zeros((2, 3))
    bodies = [world.add_body(mass=m, pose=(*p, 0, 0, 0, 1)) for m, p in zip(mass, x)]
    for a, b, length in ((None, bodies[0], rest[0]), (bodies[0], bodies[1], rest[1])):
        rod = world.add_joint(a, b, type=vtb.VTB_JOINT_TYPE_DISTANCE, stiffness=k, damping=damping)
        vtb.vtb_joint_set_axis(world, rod, ctypes.c_int32(0), ctypes.byref(vtb.make("vtb_axis_def", lower=length, upper=length)))
    alpha, gamma, apart, heights = 1 / (k * h * h), damping / (k * h), [], []
    for _ in range(100):
        start = x.copy()
        v = v + h * np.array([0, 0, -9.81])
        x = x + h * v
        multiplier = [0.0, 0.0]
        for _ in range(sweeps):
            for c in range(2):
                d, moved = (x[1] - x[0], x[1] - start[1] - x[0] + start[0]) if c else (x[0].copy(), x[0] - start[0])
                n, weight = d / np.linalg.norm(d), 1 / mass[0] + (1 / mass[1] if c else 0)
                change = -(np.linalg.norm(d) - rest[c] + gamma * (n @ moved) + alpha * multiplier[c]) / ((1 + gamma) * weight + alpha)
                multiplier[c] += change
                x[c] += change / mass[c] * n
                if c:
                    x[0] -= change / mass[0] * n
        v = (x - start) / h
        world.step()
        apart.append(np.abs(world.poses()[:, :3] - x).max())
        heights.append(x[:, 2])
    times, heights = h * np.arange(1, 101), np.array(heights)
    e.plots.append(Plot("Heights of the particles", "time, s", "m").line("first", times, heights[:, 0]).line("second", times, heights[:, 1]))
    e.claim("positions agree to 1e-11 m over 100 steps", max(apart), max(apart) < 1e-11, "m")
    return e


def run():
    return [cloths(), three_nodes(), momentum(), springs()]
