"""Cline 2002, 5.2.1: six links of 100 mm under four kinds of stabilisation, 1 ms, bodies with free poses. The thesis does not
state its gravity; its plots show several swings in 0.6 s and 20 mm of error, which takes about six times the Earth's."""
import numpy as np

from experiment import Experiment, Joints, at, quiet, vtb
from svg import Plot

LINK, STEPS = 0.1, 600
APART = 1e-5  # m: the last joint at the start. A correction of twice the error turns it round in each step, but it makes none


class Chain:
    def __init__(self, **settings):
        self.world = quiet(time_step=1e-3, gravity=(0, 0, -60), flags=vtb.VTB_WORLD_FLAG_FREE_POSES, tree_solver=vtb.VTB_TREE_SOLVER_SPARSE, **settings)
        self.joints = Joints(self.world)
        for i in range(6):
            start = LINK * (i + 0.5) + (APART if i == 5 else 0)
            body = self.joints.add_body(pose=at(start, 0, 0), mass=0.1, inertia=(1e-5, 0, 0, 9e-5, 0, 9e-5))
            self.joints.add(i - 1, body, at(LINK / 2, 0, 0) if i else at(0, 0, 0), at(-LINK / 2, 0, 0), axis=(0, 1, 0))

    def run(self):
        """Widest joint [m] and velocity of the last link [m/s] after every step."""
        gaps, velocities = [], []
        for _ in range(STEPS):
            self.world.step()
            gaps.append(self.joints.apart())
            velocities.append(self.world.twists()[5, :3])
        return np.array(gaps), np.array(velocities)


def reversals(velocities):
    """How often the second difference of the velocity changes sign from one step to the next: always where a correction overshoots."""
    bend = np.diff(velocities, 2, axis=0)
    return int((np.sum(bend[1:] * bend[:-1], axis=1) < 0).sum())


def run():
    e = Experiment("six_links", "Six links of 100 mm: what each stabilisation leaves", __doc__)
    cases = [("none", {"stabilisation": vtb.VTB_STABILISATION_NONE})]
    cases += [(f"Baumgarte {rate}", {"stabilisation": vtb.VTB_STABILISATION_BAUMGARTE, "baumgarte": rate}) for rate in (50, 200, 2000)]
    cases += [("post-stabilisation", {"stabilisation": vtb.VTB_STABILISATION_NEWTON})]
    results = {name: Chain(**settings).run() for name, settings in cases}
    times = np.arange(1, STEPS + 1) * 1e-3
    errors = Plot("Widest joint", "time, s", "error, mm", y_log=True)
    for name, (gaps, _) in results.items():
        errors.line(name, times, 1e3 * gaps)
    e.plots.append(errors.level(10, "10 mm"))
    jitter = Plot("Acceleration of the last link along z", "time, s", "m/s²")
    for name in ("Baumgarte 2000", "Baumgarte 200"):
        jitter.line(name, times[151:250], 1e3 * np.diff(results[name][1][150:250, 2]))
    e.plots.append(jitter)

    worst = {name: gaps.max() for name, (gaps, _) in results.items()}
    e.claim("without stabilisation more than 10 mm at 0.6 s", 1e3 * results["none"][0][-1], results["none"][0][-1] > 10e-3, "mm")
    for rate in (50, 200):
        e.claim(f"Baumgarte {rate}: less than 10 mm", 1e3 * worst[f"Baumgarte {rate}"], worst[f"Baumgarte {rate}"] < 10e-3, "mm")
    turns = {rate: reversals(results[f"Baumgarte {rate}"][1]) for rate in (200, 2000)}
    e.claim("Baumgarte 2000 jitters: the velocity's bend turns round in four of five steps, with 200 in one of ten at most",
            f"{turns[2000]} and {turns[200]} of {STEPS}", turns[2000] > 0.8 * STEPS and turns[200] < 0.1 * STEPS)
    e.claim("post-stabilisation: at most 0.01 mm", 1e3 * worst["post-stabilisation"], worst["post-stabilisation"] <= 1e-5, "mm")
    return [e]
