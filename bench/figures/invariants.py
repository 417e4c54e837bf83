"""What each stepper conserves, at 1/240 s over 10 s: energy, momenta and joints of two figures without losses. A chain of eight hinged capsules
falls from level (the benchmark's chain); a figure of five bodies on ball joints tumbles without gravity, each joint in motion."""
import math

import numpy as np

from experiment import Experiment, Joints, at, quiet, steppers, vtb
from svg import Plot
from vertebra import Error

STEPS = 2400
# Relative: by its order, and by its symmetry. Runge-Kutta in joint coordinates conserves momentum only to its order, too.
ANGULAR = {"impulse": 1e-3, "variational": 1e-10, "ode": 1e-5}
MOMENTUM = {"ode": 1e-7}


def quaternion_product(a, b):
    out = np.empty(4)
    out[:3] = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    out[3] = a[3] * b[3] - a[:3] @ b[:3]
    return out


def chain(settings):
    """Hinge axes alternate about the chain's own two, rotated by 45 degrees about itself."""
    world, s = quiet(**settings), math.sqrt(0.5)
    turn = quaternion_product(np.array([0, s, 0, s]), np.array([0, 0, math.sin(math.pi / 8), math.cos(math.pi / 8)]))
    joints = Joints(world)
    for i in range(8):
        body = joints.add_body(pose=(0.2 * i + 0.1, 0, 0, *turn), mass=1, inertia=(3.6e-3, 0, 0, 3.6e-3, 0, 4.3e-4))
        joints.add(i - 1, body, at(0, 0, 0.1) if i else (0, 0, 0, *turn), at(0, 0, -0.1), axis=(0, 1, 0) if i % 2 else (1, 0, 0))
    return world, joints, 8 * 9.81 * 0.8  # energy between level and hanging


def tumbling(settings):
    """The centre moves and rotates; the others move with it and have rotations of their own."""
    world, drift, turn = quiet(gravity=(0, 0, 0), **settings), np.array([1, 0.5, 0]), np.array([1.0, 2.0, 3.0])
    joints = Joints(world)
    centre = joints.add_body(mass=2, inertia=(0.01, 0, 0, 0.02, 0, 0.03), twist=(*drift, *turn))
    for k, side in enumerate(((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))):
        half = 0.15 * np.array(side)
        body = joints.add_body(pose=at(*(2 * half)), mass=0.5, inertia=(0.002, 0, 0, 0.003, 0, 0.004))
        joints.add(centre, body, at(*half), at(*-half), type=vtb.VTB_JOINT_TYPE_SPHERICAL)
        spin = turn + [2 - k, 1, k - 1]
        velocity = drift + np.cross(turn, half) + np.cross(spin, half)
        vtb.vtb_body_set_twist(world, joints.bodies[body], np.concatenate([velocity, spin]), None)
    return world, joints, world.energy.kinetic


def watch(world, joints, scale):
    """Errors after every step: energy by the scene's scale, joints [m], momenta relative to those of the start."""
    def energy():
        e = world.energy
        return e.kinetic + e.potential
    start, (linear, angular) = energy(), world.momentum
    rows = []
    for _ in range(STEPS):
        world.step()
        now = world.momentum
        rows.append(((energy() - start) / scale, joints.apart(), np.linalg.norm(now[0] - linear) / (np.linalg.norm(linear) or 1),
                     np.linalg.norm(now[1] - angular) / (np.linalg.norm(angular) or 1)))
    return np.array(rows)


def run():
    e = Experiment("invariants", "Energy, momentum and joints under each stepper", __doc__)
    times = np.arange(1, STEPS + 1) / 240
    energies = [Plot(name + ": energy error", "time, s", "of the scene's energy", y_log=True, y_limits=(1e-15, 10), width=560)
                for name in ("chain of 8", "tumbling figure")]
    rows = []
    for name, settings in steppers():
        settings = {**settings, "flags": settings["flags"] | vtb.VTB_WORLD_FLAG_ENERGY_ACCOUNT}
        results = []
        for chart, make in zip(energies, (chain, tumbling)):
            try:
                results.append(watch(*make(settings)))
                chart.line(name, times[::8], np.maximum.accumulate(np.abs(results[-1][:, 0]))[::8])
            except Error:
                results.append(np.full((1, 4), math.nan))
        most = [np.abs(r).max(axis=0) for r in results]
        rows.append([name, *(f"{v:.1e}" for v in (most[0][0], most[0][1], most[1][0], most[1][1], most[1][2], most[1][3]))])
        if "free poses" not in name:
            joints = max(most[0][1], most[1][1])
            e.claim(f"{name}: joints hold to 1e-12 m", joints, joints <= 1e-12, "m")
            bound = MOMENTUM.get(name, 1e-10)
            e.claim(f"{name}: the tumbling figure's momentum holds to {bound:.0e}", most[1][2], most[1][2] <= bound)
        if name in ANGULAR:
            e.claim(f"{name}: its angular momentum holds to {ANGULAR[name]:.0e}", most[1][3], most[1][3] <= ANGULAR[name])
            e.claim(f"{name}: energy holds to 5 %", max(m[0] for m in most), max(m[0] for m in most) <= 0.05)
    e.tables.append((["stepper", "chain: energy", "joints, m", "tumbling: energy", "joints, m", "momentum", "angular momentum"], rows))
    e.plots = energies
    return [e]
