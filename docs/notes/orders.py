#!/usr/bin/env python3
"""Orders of accuracy of the steppers for trees, cycles, springs, drives and contacts: errors at 0.5 s, halving the step; tables for orders.md.

orders.py, with VERTEBRA_LIBRARY and VERTEBRA_JSON where the library is not in build/release. About a minute.
"""
import ctypes
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench" / "figures"), str(ROOT / "bench"), str(ROOT / "capi" / "bindings" / "python")]
import numpy as np  # noqa: E402
from experiment import Error, at, quiet, vtb  # noqa: E402

G, TIME, RATES = 9.81, 0.5, (120, 240, 480, 960, 1920, 3840)
STEPPERS = {"impulse": {}, "variational": {"stepper": vtb.VTB_STEPPER_VARIATIONAL}, "ode, RK4": {"stepper": vtb.VTB_STEPPER_ODE},
            "spook": {"stepper": vtb.VTB_STEPPER_SPOOK}, "impulse, free poses": {"flags": vtb.VTB_WORLD_FLAG_FREE_POSES},
            "displacement": {"stepper": vtb.VTB_STEPPER_DISPLACEMENT, "solver_iterations": 2000, "solver_tolerance": 1e-12}}


def world_of(rate, settings, gravity=(0, 0, -G)):
    return quiet(time_step=1 / rate, gravity=gravity, adaptive_halvings=0, **settings)


def rod(world, x, z, angle, length):
    """From (x, z) at this angle in the xz plane, 1 kg."""
    centre = (x + length / 2 * math.cos(angle), 0, z + length / 2 * math.sin(angle))
    return world.add_body(pose=(*centre, 0, math.sin(-angle / 2), 0, math.cos(-angle / 2)), mass=1,
                          inertia=(1e-3, 0, 0, length * length / 12, 0, length * length / 12))


def hinge(world, a, b, frame_a, frame_b):
    return world.add_joint(a, b, frame_a=at(*frame_a), frame_b=at(*frame_b), axis=(0, 1, 0))


def pendulum(rate, settings):
    world = world_of(rate, settings)
    a, b = rod(world, 0, 0, 0, 0.5), rod(world, 0.5, 0, 0, 0.5)
    return world, [hinge(world, None, a, (0, 0, 0), (-0.25, 0, 0)), hinge(world, a, b, (0.25, 0, 0), (-0.25, 0, 0))], b


def tree(rate, settings):
    return pendulum(rate, settings)[0]


def cycle(rate, settings):
    """Crank 0.3 m, coupler 0.5 m, rocker 0.45 m, base 0.6 m."""
    world = world_of(rate, settings)
    a, d, crank, coupler, rocker = np.zeros(2), np.array([0.6, 0]), 0.3, 0.5, 0.45
    b = a + crank * np.array([math.cos(1.2), math.sin(1.2)])
    along = d - b
    r = np.linalg.norm(along)
    x = (coupler**2 - rocker**2 + r * r) / (2 * r)
    c = b + (x * along + math.sqrt(coupler**2 - x * x) * np.array([-along[1], along[0]])) / r
    angle = lambda p, q: math.atan2(q[1] - p[1], q[0] - p[0])  # noqa: E731
    bodies = [rod(world, *a, angle(a, b), crank), rod(world, *b, angle(b, c), coupler), rod(world, *c, angle(c, d), rocker)]
    hinge(world, None, bodies[0], (0, 0, 0), (-crank / 2, 0, 0))
    hinge(world, bodies[0], bodies[1], (crank / 2, 0, 0), (-coupler / 2, 0, 0))
    hinge(world, bodies[1], bodies[2], (coupler / 2, 0, 0), (-rocker / 2, 0, 0))
    hinge(world, None, bodies[2], (0.6, 0, 0), (rocker / 2, 0, 0))
    return world


def set_axis(world, joint, **values):
    axis = vtb.make("vtb_axis_def")
    vtb.vtb_joint_get_axis(world, joint, ctypes.c_int32(0), ctypes.byref(axis))
    for name, value in values.items():
        setattr(axis, name, value)
    vtb.vtb_joint_set_axis(world, joint, ctypes.c_int32(0), ctypes.byref(axis))


def spring(rate, settings):
    world, joints, _ = pendulum(rate, settings)
    for joint in joints:
        set_axis(world, joint, stiffness=8, damping=0.1)
    return world


def stiff_spring(rate, settings):
    world, joints, _ = pendulum(rate, settings)
    for joint in joints:
        set_axis(world, joint, stiffness=3000, damping=5)
    return world


def spring_between_bodies(rate, settings):
    world, _, end = pendulum(rate, settings)
    joint = world.add_joint(None, end, type=vtb.VTB_JOINT_TYPE_DISTANCE, frame_a=at(1, 0, 1), frame_b=at(0.25, 0, 0))
    set_axis(world, joint, lower=-math.inf, upper=math.inf, stiffness=20, rest=1, damping=0.2)
    return world


def drive(rate, settings):
    world, joints, _ = pendulum(rate, settings)
    for joint in joints:
        motor = vtb.make("vtb_motor_def", mode=vtb.VTB_MOTOR_MODE_POSITION, position=0.5, stiffness=20, damping=2)
        vtb.vtb_joint_set_motor(world, joint, ctypes.c_int32(0), ctypes.byref(motor))
    return world


def ball(rate, settings, gravity, height, restitution):
    world = world_of(rate, settings, gravity)
    world.add_shape(type=vtb.VTB_SHAPE_TYPE_PLANE, friction=0.8, restitution=restitution)
    body = world.add_body(pose=at(0, 0, 0.2 + height), mass=1, inertia=(0.016, 0, 0, 0.016, 0, 0.016))
    world.add_shape(body, type=vtb.VTB_SHAPE_TYPE_SPHERE, size=(0.2, 0, 0), friction=0.8, restitution=restitution)
    return world


def rolling(rate, settings):
    return ball(rate, settings, (2, 0, -9.6), 0, 0)


def bounce(rate, settings):
    return ball(rate, settings, (0, 0, -G), 0.313, 0.8)


def exact_of(scene):
    if scene is rolling:
        return np.array([0.5 * 5 / 7 * 2 * TIME**2, 0, 0.2])
    if scene is bounce:
        touch = math.sqrt(2 * 0.313 / G)
        left = TIME - touch
        return np.array([0, 0, 0.2 + 0.8 * G * touch * left - 0.5 * G * left * left])
    world = scene(16000, {"stepper": vtb.VTB_STEPPER_ODE, "ode_integrator": vtb.VTB_INTEGRATOR_DORMAND_PRINCE})
    world.step(8000)
    return world.poses()[-1, :3]


def main():
    for scene in (tree, cycle, spring, stiff_spring, spring_between_bodies, drive, rolling, bounce):
        exact = exact_of(scene)
        print(f"\n## {scene.__name__.replace('_', ' ').capitalize()}\n")
        print("| stepper |", " | ".join(f"1/{rate}" for rate in RATES), "| order, each halving |")
        print("|---|" + "--:|" * len(RATES) + "---|")
        for name, settings in STEPPERS.items():
            errors = []
            for rate in RATES:
                try:
                    world = scene(rate, dict(settings))
                    world.step(int(TIME * rate))
                    errors.append(float(np.linalg.norm(world.poses()[-1, :3] - exact)))
                except Error:
                    errors.append(math.nan)
            orders = [math.log2(a / b) if a > 0 and b > 0 else math.nan for a, b in zip(errors, errors[1:])]
            print(f"| {name} |", " | ".join("diverged" if math.isnan(e) else f"{e:.1e}" for e in errors), "|",
                  ", ".join("–" if math.isnan(o) else f"{o:.2f}" for o in orders), "|")


if __name__ == "__main__":
    main()
