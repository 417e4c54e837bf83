"""Measured orders: errors after half a second against the step on logarithmic axes, so that the slope (of the finest three steps above
round-off) is the order. Steps are not halved. A double pendulum (two rods of 0.5 m on hinges) and a heavy symmetric top on a ball joint,
against Lagrange's equations of their angles, integrated to 1e-12."""
import math

import numpy as np

from experiment import Experiment, at, quiet, steppers, vtb
from svg import Plot, slope
from vertebra import Error, Ode

G, L, TIME = 9.81, 0.5, 0.5
TOP = {"mass": 1.0, "arm": 0.1, "across": 0.014, "axial": 0.006, "tilt": 0.6, "spin": 60.0}  # moments about the tip; no other velocity
RATES = [60, 120, 240, 480, 960, 1920, 3840, 7680]


def pendulum_rates(_, y):
    """Uniform rods: angles from hanging and their rates."""
    a, b, da, db = y
    i, c, s = L * L / 3, L * L / 2 * math.cos(a - b), L * L / 2 * math.sin(a - b)  # over a rod's mass
    matrix = np.array([[i + L * L, c], [c, i]])
    right = np.array([-s * db * db - 1.5 * G * L * math.sin(a), s * da * da - 0.5 * G * L * math.sin(b)])
    dda, ddb = np.linalg.solve(matrix, right)
    return da, db, dda, ddb


def top_rates(_, y):
    """Tilt and its rate, rotation about the vertical; the momenta about the vertical and the axis of the top are constants."""
    tilt, rate, _ = y
    p = TOP
    about_axis = p["axial"] * p["spin"]
    about_vertical = about_axis * math.cos(p["tilt"])
    turn = (about_vertical - about_axis * math.cos(tilt)) / (p["across"] * math.sin(tilt) ** 2)
    pull = p["mass"] * G * p["arm"] * math.sin(tilt)
    return rate, (p["across"] * turn * turn * math.sin(tilt) * math.cos(tilt) - about_axis * turn * math.sin(tilt) + pull) / p["across"], turn


def reference(y, rates):
    """At TIME, and the difference between two of the finest tolerances."""
    ends = [Ode(y, rates, integrator=vtb.VTB_INTEGRATOR_DORMAND_PRINCE, control=vtb.VTB_STEP_CONTROL_EMBEDDED, tolerance=t, step=1e-4).advance(TIME)
            for t in (1e-15, 1e-14)]
    return ends[0], np.abs(ends[0] - ends[1]).max()


def pendulum_place(y):
    """Of the lower rod's end."""
    return np.array([L * math.sin(y[0]) + L * math.sin(y[1]), 0, -L * math.cos(y[0]) - L * math.cos(y[1])])


def top_place(y):
    """Of the top's centre; it starts leaning towards x."""
    return TOP["arm"] * np.array([math.sin(y[0]) * math.cos(y[2]), math.sin(y[0]) * math.sin(y[2]), math.cos(y[0])])


def pendulum_world(settings, rate):
    """Level at the start, along x."""
    world, above = quiet(time_step=1 / rate, gravity=(0, 0, -G), adaptive_halvings=0, **settings), None
    for i in range(2):
        body = world.add_body(pose=at(L * (i + 0.5), 0, 0), mass=1, inertia=(1e-3, 0, 0, L * L / 12, 0, L * L / 12))
        world.add_joint(above, body, frame_a=at(L / 2, 0, 0) if i else at(0, 0, 0), frame_b=at(-L / 2, 0, 0), axis=(0, 1, 0))
        above = body
    def place():
        pose = world.poses()[1]
        x, y, z, w = pose[3:]
        return pose[:3] + L / 2 * np.array([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)])
    return world, place


def top_world(settings, rate):
    world, p = quiet(time_step=1 / rate, gravity=(0, 0, -G), adaptive_halvings=0, **settings), TOP
    across = p["across"] - p["mass"] * p["arm"] ** 2
    half, place = p["tilt"] / 2, p["arm"] * np.array([math.sin(p["tilt"]), 0, math.cos(p["tilt"])])
    axis = place / p["arm"]
    body = world.add_body(pose=(*place, 0, math.sin(half), 0, math.cos(half)), mass=p["mass"], inertia=(across, 0, 0, across, 0, p["axial"]),
                          twist=(0, 0, 0, *(p["spin"] * axis)))
    world.add_joint(None, body, type=vtb.VTB_JOINT_TYPE_SPHERICAL, frame_b=at(0, 0, -p["arm"]))
    return world, lambda: world.poses()[0, :3]


SCENES = [
    ("double pendulum", [math.pi / 2, math.pi / 2, 0, 0], pendulum_rates, pendulum_place, pendulum_world),
    ("spinning top", [TOP["tilt"], 0, 0], top_rates, top_place, top_world),
]
ORDERS = {"impulse": 2, "variational": 2, "ode": 4, "spook": 1, "impulse, free poses": 1, "ode, free poses": 4, "spook, free poses": 1,
          "displacement, free poses": 1}
INTEGRATORS = {"explicit Euler": 1, "symplectic Euler": 1, "implicit Euler": 1, "midpoint": 2, "RK4": 4, "Dormand-Prince": 5}  # as vtb_integrator


def order(steps, errors, apart):
    """Slope of the finest three errors that exceed the error of the reference and round-off."""
    used = [(h, error) for h, error in zip(steps, errors) if error > 300 * apart][-3:]
    return slope(*zip(*used)) if len(used) == 3 else math.nan


def of_integrators():
    e = Experiment("integrator_orders", "Orders of the integrators of vtb_ode_*",
                   "A double pendulum written as the caller's own differential equation, fixed steps.")
    start, rates = SCENES[0][1:3]
    exact, apart = reference(start, rates)
    chart = Plot("Error at 0.5 s", "step, s", "largest error of an angle or rate", True, True, 620, 420)
    steps = [TIME / 2**k for k in range(6, 14)]
    for kind, (name, expected) in enumerate(INTEGRATORS.items()):
        errors = [np.abs(Ode(start, rates, integrator=kind, step=h, positions=2).advance(TIME) - exact).max() for h in steps]
        measured = order(steps, errors, apart)
        chart.line(f"{name}: {measured:.2f}", steps, errors, marker=True)
        e.claim(f"{name} is of order {expected}", measured, measured > expected - 0.15)
    e.plots.append(chart)
    return e


def errors_of(scene, settings, exact):
    _, _, _, place_of, make = scene
    errors = []
    for rate in RATES:
        world, place = make(settings, rate)
        try:
            world.step(int(TIME * rate))
            errors.append(float(np.linalg.norm(place() - place_of(exact))))
        except Error:
            errors.append(math.nan)
    return errors


def of_worlds(name, title, cases, expected):
    """cases: (name, settings)."""
    e, steps = Experiment(name, title, __doc__), [1 / rate for rate in RATES]
    for scene in SCENES:
        exact, apart = reference(*scene[1:3])
        e.claim(f"{scene[0]}: the reference holds to 1e-12", apart, apart <= 1e-12)
        chart = Plot(f"{scene[0]}: error at 0.5 s", "step, s", "m", True, True, 560, 420)
        for case, settings in cases:
            errors = errors_of(scene, settings, exact)
            measured = order(steps, errors, apart)
            chart.line(f"{case}: {measured:.2f}", steps, errors, marker=True)
            if case in expected:
                e.claim(f"{scene[0]}: {case} is of order {expected[case]}", measured, measured > expected[case] - 0.15)
        e.plots.append(chart)
    return e


def run():
    ode = [(name, {"stepper": vtb.VTB_STEPPER_ODE, "ode_integrator": kind}) for kind, name in enumerate(INTEGRATORS)]
    return [of_integrators(), of_worlds("stepper_orders", "Orders of the steppers: double pendulum and spinning top", steppers(), ORDERS),
            of_worlds("ode_orders", "Orders of the integrators under the stepper ode", ode, INTEGRATORS)]
