"""Vondrák 2006, 9.1.4 (fig. 9.1): a rotating carousel with four chains on ball joints, bodies with free poses under the stepper `ode`.
Joints hold at acceleration level only, so that the error of the integrator accumulates in them: Euler, midpoint, RK4. In the fourth curve
Euler's steps are followed by a projection of velocities on the joints. Nothing stabilises the positions. The plot shows the mean
distance of the chains' anchors, sampled each 0.1 s as in the thesis."""
import math

import numpy as np

from experiment import Experiment, Joints, at, quiet, vtb
from svg import Plot

STEP, SECONDS, SPIN = 1 / 250, 5.0, 2.0
ARM, LINK, LINKS = 1.0, 0.2, 4


def carousel(flags=0, **settings):
    world = quiet(time_step=STEP, stepper=vtb.VTB_STEPPER_ODE, flags=vtb.VTB_WORLD_FLAG_FREE_POSES | flags, tree_solver=vtb.VTB_TREE_SOLVER_SPARSE,
                  stabilisation=vtb.VTB_STABILISATION_NONE, **settings)
    joints = Joints(world)
    hub = joints.add_body(pose=at(0, 0, 2), mass=20, inertia=(5, 0, 0, 5, 0, 10), twist=(0, 0, 0, 0, 0, SPIN))
    joints.add(-1, hub, at(0, 0, 2), at(0, 0, 0), axis=(0, 0, 1))
    for k in range(4):
        out = np.array([math.cos(k * math.pi / 2), math.sin(k * math.pi / 2), 0]) * ARM
        above = hub
        for i in range(LINKS):
            place = out + [0, 0, 2 - LINK * (i + 0.5)]
            body = joints.add_body(pose=at(*place), mass=0.5, inertia=(2e-3, 0, 0, 2e-3, 0, 2e-4),
                                   twist=(*np.cross([0, 0, SPIN], place), 0, 0, SPIN))
            joints.add(above, body, at(0, 0, -LINK / 2) if i else at(*out), at(0, 0, LINK / 2), type=vtb.VTB_JOINT_TYPE_SPHERICAL)
            above = body
    return world, joints


def run():
    e = Experiment("carousel", "A carousel with four chains: link error by integrator", __doc__)
    cases = {
        "Euler": {"ode_integrator": vtb.VTB_INTEGRATOR_EXPLICIT_EULER},
        "midpoint": {"ode_integrator": vtb.VTB_INTEGRATOR_MIDPOINT},
        "RK4": {"ode_integrator": vtb.VTB_INTEGRATOR_RK4},
        "Euler, velocity level": {"ode_integrator": vtb.VTB_INTEGRATOR_EXPLICIT_EULER, "flags": vtb.VTB_WORLD_FLAG_ODE_VELOCITY_BILATERAL},
    }
    chart = Plot("Mean distance of anchors", "time, s", "m", y_log=True, width=620, height=400)
    ends, every = {}, round(0.1 / STEP)
    for name, settings in cases.items():
        world, joints = carousel(**settings)
        errors = []
        for _ in range(round(SECONDS / STEP / every)):
            world.step(every)
            errors.append(joints.gaps()[1:].mean())
        chart.line(name, 0.1 * np.arange(1, len(errors) + 1), errors, marker=True)
        ends[name] = errors[-1]
    e.plots.append(chart)
    for better, worse in (("Euler, velocity level", "Euler"), ("midpoint", "Euler, velocity level"), ("RK4", "midpoint")):
        e.claim(f"after {SECONDS:g} s {better}: at most a tenth of the error under {worse}", f"{ends[better]:.2e} m of {ends[worse]:.2e} m",
                ends[better] <= 0.1 * ends[worse])
    return [e]
