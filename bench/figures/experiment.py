"""The result of an experiment of ./dev figures: plots, tables, and claims with their measurements. Also helpers for the worlds of experiments,
so that each file contains only its scene and its claims."""
import pathlib
import sys
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "capi" / "bindings" / "python")]
import numpy as np  # noqa: E402
from vertebra import Error, World, vtb  # noqa: E402


def at(x, y, z):
    """A pose without rotation."""
    return (x, y, z, 0, 0, 0, 1)


def carried(poses, points):
    """Points of bodies, world; arrays of rows, or one of each."""
    axes = poses[..., 3:6]
    turned = 2 * cross(axes, points)
    return poses[..., :3] + points + poses[..., 6:7] * turned + cross(axes, turned)


def cross(a, b):
    """numpy's own takes ten times as long for few rows."""
    return a[..., [1, 2, 0]] * b[..., [2, 0, 1]] - a[..., [2, 0, 1]] * b[..., [1, 2, 0]]


class Joints:
    """Makes joints and measures how far their anchors are apart, independently of the stepper's own report. Bodies by index; -1: the world."""

    def __init__(self, world):
        self.world, self.bodies, self.anchors = world, [], []

    def add_body(self, **values):
        self.bodies.append(self.world.add_body(**values))
        return len(self.bodies) - 1

    def add(self, a, b, frame_a, frame_b, **values):
        self.anchors.append((a, np.array(frame_a[:3], float), b, np.array(frame_b[:3], float)))
        return self.world.add_joint(self.bodies[a] if a >= 0 else None, self.bodies[b], frame_a=frame_a, frame_b=frame_b, **values)

    def gaps(self):
        """Distance of each joint's anchors, m."""
        poses = np.vstack([self.world.poses(), at(0, 0, 0)])  # the last is the world's
        a, points_a, b, points_b = (np.array(column) for column in zip(*self.anchors))
        gaps = carried(poses[a], points_a) - carried(poses[b], points_b)
        return np.sqrt((gaps * gaps).sum(axis=1))

    def apart(self):
        return self.gaps().max()


@dataclass
class Claim:
    text: str
    measured: str
    met: bool


@dataclass
class Experiment:
    name: str  # of its files
    title: str
    text: str  # what is shown, and its source
    claims: list = field(default_factory=list)
    plots: list = field(default_factory=list)
    tables: list = field(default_factory=list)  # (head, rows)

    def claim(self, text, value, met, unit=""):
        measured = value if isinstance(value, str) else f"{value:.3g}{' ' + unit if unit else ''}"
        self.claims.append(Claim(text, measured, bool(met)))


def steppers():
    """[(name, settings)] of every stepper the header declares; those of free poses only in that form."""
    found = []
    for constant in sorted((c for c in vars(vtb) if c.startswith("VTB_STEPPER_")), key=lambda c: getattr(vtb, c)):
        name, settings = constant[len("VTB_STEPPER_"):].lower(), {"stepper": getattr(vtb, constant)}
        if name == "displacement":  # its poses are always free; sweeps go on to convergence, so that the result shows the method
            found.append((name + ", free poses", {**settings, "flags": 0, "solver_iterations": 1000, "solver_tolerance": 1e-12}))
            continue
        for free in (False, True):
            flags = vtb.VTB_WORLD_FLAG_FREE_POSES if free else 0
            try:
                World(flags=flags, **settings).close()
            except Error:
                continue
            found.append((name + (", free poses" if free else ""), {**settings, "flags": flags}))
    return found


def quiet(**settings):
    """A world that never sleeps."""
    settings["flags"] = settings.get("flags", 0) | vtb.VTB_WORLD_FLAG_NO_SLEEP
    return World(**settings)
