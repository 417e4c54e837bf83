"""Computed torque: an arm follows a moving target. Torques from inverse dynamics cancel gravity and inertia, so that the error stays far below
that of the same gains alone."""
import numpy as np

from vertebra import Skeleton, World
from show import MODELS, Plot, save

STEP, SECONDS, OMEGA = 1e-3, 4.0, 2.0
arm = Skeleton(MODELS / "urdf" / "arm7.urdf")
amplitude = np.array([0.5, 0.4, 0.5, 0.6, 0.5, 0.4, 0.5, 0.01])  # rad; of the last, the fingers of the hand, m


def wanted(time):
    """Angles, rates and accelerations of the target: each joint goes to and fro, beginning at rest."""
    return (amplitude * (1 - np.cos(OMEGA * time)), amplitude * OMEGA * np.sin(OMEGA * time), amplitude * OMEGA**2 * np.cos(OMEGA * time))


def run(computed):
    """The largest difference between arm and target at each step."""
    world = World(time_step=STEP)
    figure = world.add_figure(arm)
    for joint in figure.joints:
        if len(joint.v):  # some are fixed
            joint.set_axis(damping=0, friction=0)  # losses of which inverse dynamics does not know
    model = figure.workspace()  # the equations of motion, apart from the world
    errors = []
    for step in range(round(SECONDS / STEP)):
        q, v = figure.q, figure.v
        q_wanted, v_wanted, a_wanted = wanted(step * STEP)
        correction = 100 * (q_wanted - q) + 20 * (v_wanted - v)  # critically damped: the error fades like exp(-10 t)
        if computed:
            tau = model.inverse(q, v, a_wanted + correction)  # tau = M (a + correction) + bias
        else:
            tau = model.mass_matrix(model.neutral()).diagonal() * correction
        figure.set_torques(tau)
        world.step()
        errors.append(np.abs(figure.q - wanted((step + 1) * STEP)[0]).max())
    return errors


errors = {name: run(name == "computed torque") for name in ("computed torque", "gains alone")}
plot = Plot("An arm of eight axes follows a target", "time, s", "largest error of an axis, rad or m", y_log=True)
for name, values in errors.items():
    plot.line(name, np.arange(1, len(values) + 1) * STEP, values)
    print(f"{name}: largest error {max(values):.2e}")
save(plot, "computed_torque.svg")
