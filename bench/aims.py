"""The aims of the project's table of benchmarks, each with its measurement. Ratios are of mean times in one run."""
import math
from typing import NamedTuple

import scenes
from runner import OURS
from svg import slope


class Aim(NamedTuple):
    scene: str
    what: str
    measured: object  # None where it could not be measured
    bound: float
    at_least: bool = False
    unit: str = ""

    @property
    def met(self):
        if self.measured is None:
            return None
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound  # NaN meets no bound

    def text(self):
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {self.bound:g}{' ' + self.unit if self.unit else ''}"

    def measured_text(self):
        return "–" if self.measured is None else f"{self.measured:.3g}{' ' + self.unit if self.unit else ''}"


def ratio(runner, row, rival):
    own, other = (runner.time(row.case(engine), row.key) if engine in row.engines else None for engine in (OURS, rival))
    return own / other if own and other else None


def worst(runner, cases, key):
    """Largest amount of a quality over cases; NaN where one was not a number, None where none ran."""
    values = [runner.get(case, key) for case in cases]
    values = [abs(v) for v in values if v is not None]
    return None if not values else math.nan if any(math.isnan(v) for v in values) else max(values)


def diverged(runner, cases):
    ran = [case for case in cases if case in runner.results]
    return sum(runner.diverged(case) for case in ran) if ran else None


def chains(runner, starts):
    for count, factor, rival in ((8, 0.7, "MuJoCo"), (32, 0.5, "MuJoCo"), (128, 0.5, "Bullet multibody")):
        name, case = f"chain {count}", scenes.row(f"chain {count}").case(OURS)
        seeds, uncorrected = scenes.random_starts(count, starts), scenes.random_starts(count, starts, "correction=0")
        every = [case, *seeds]
        yield Aim(name, f"time by that of {rival}", ratio(runner, scenes.row(name), rival), factor)
        yield Aim(name, f"of {starts} random starts diverge", diverged(runner, seeds), 0)
        yield Aim(name, "largest energy error", worst(runner, every, "energy_drift_max_rel"), 0.05)
        yield Aim(name, "the same with the correction off", worst(runner, uncorrected, "energy_drift_max_rel"), 0.3)
        error = runner.distance(scenes.one_second(OURS, "chain", count, 240), scenes.reference("chain", count))
        yield Aim(name, "error at 1 s", error, 1e-3, unit="m")
        yield Aim(name, "joints apart", worst(runner, every, "max_joint_error_m"), 1e-12, unit="m")
        yield Aim(name, "joints apart in velocity", worst(runner, every, "max_joint_velocity_error"), 1e-10, unit="m/s")
    for count, energy in ((8, 0.01), (32, 0.06)):
        row = scenes.row(f"chain {count}, variational / RK4")
        yield Aim(row.name, "time by that of MuJoCo's RK4", ratio(runner, row, "MuJoCo"), 0.4)
        yield Aim(row.name, "largest energy error", worst(runner, [row.case(OURS)], "energy_drift_max_rel"), energy)
        yield Aim(row.name, "the same at 1/960 s", worst(runner, [scenes.fine_variational(count)], "energy_drift_max_rel"), 5e-3)


def ragdoll(runner):
    for name, factor in (("ragdoll falling", 0.3), ("ragdoll resting", 0.4)):
        yield Aim(name, "time by that of MuJoCo", ratio(runner, scenes.row(name), "MuJoCo"), factor)
    long = [scenes.RAGDOLL_8_S]
    limits = [worst(runner, long, key) for key in ("max_limit_excess_rad", "max_twist_excess_rad")]
    yield Aim("ragdoll", "joints apart", worst(runner, long, "max_joint_error_m"), 1e-12, unit="m")
    yield Aim("ragdoll", "limits and twists passed, any step", None if None in limits else max(limits), 0.02, unit="rad")
    yield Aim("ragdoll", "penetration at rest", worst(runner, long, "rest_penetration_m"), 1e-3, unit="m")
    yield Aim("ragdoll", "kinetic energy after 8 s", worst(runner, long, "end_kinetic_J_per_kg"), 1e-3, unit="J/kg")


def tree(runner):
    yield Aim("tree of 127", "time by that of MuJoCo", ratio(runner, scenes.row("tree of 127"), "MuJoCo"), 0.3)
    steps = [scenes.row("tree of 127").case(OURS), scenes.coarse_tree(60), scenes.coarse_tree(30)]
    yield Aim("tree of 127", "of the steps 1/240, 1/60, 1/30 s diverge", diverged(runner, steps), 0)
    yield Aim("tree of 127", "joints apart", worst(runner, steps, "max_joint_error_m"), 1e-12, unit="m")


def piles(runner):
    aims_of = (
        ("pile of 100 boxes", "MuJoCo", 0.33, 0.69, 2e-3),
        ("pile of 100, contact positions", "MuJoCo", 0.33, 0.69, 2e-3),
        ("pile of 1,000 boxes", "ODE QuickStep", 0.8, 7.8, 10e-3),
    )
    for name, rival, factor, top, depth in aims_of:
        row = scenes.row(name)
        yield Aim(name, f"time by that of {rival}", ratio(runner, row, rival), factor)
        yield Aim(name, "height of the highest box", runner.get(row.case(OURS), "top_z"), top, at_least=True, unit="m")
        yield Aim(name, "penetration at rest", worst(runner, [row.case(OURS)], "rest_penetration_m"), depth, unit="m")


def algorithms(robot):
    """robot: {(base, library): line} of the programs algo_*; empty where the robot's file is missing."""
    for base in scenes.BASES:
        own, dart = robot.get((base, OURS), {}), robot.get((base, "DART"), {})
        for (name, (key, _)), factor in zip(scenes.ALGORITHMS.items(), (0.10, 0.12, 0.012, 0.18)):
            times = own.get(key + "_us_mean"), dart.get(key + "_us_mean")
            yield Aim(f"Talos {name}, {base}", "time by that of DART", times[0] / times[1] if all(times) else None, factor)
        sums = ("check_sum_qdd", "check_sum_abs_tau", "check_trace_M", "check_sum_abs_positions")
        apart = [abs(own[k] - dart[k]) / abs(dart[k]) for k in sums if own.get(k) and dart.get(k)]
        yield Aim(f"Talos, {base}", "apart from DART in check sums, relative", max(apart) if len(apart) == len(sums) else None, 1e-9)


def cost(runner):
    for name, engine, scene, options, most in scenes.COST_LINES:
        if engine == OURS:
            cases = scenes.cost_cases(engine, scene, options, most)
            exponent = slope([case.count for case in cases], [runner.time(case) for case in cases])
            yield Aim("chain 8 … 4096", f"exponent of cost, {name}", None if math.isnan(exponent) else exponent, 1.03)


def all_aims(runner, robot, starts):
    return [*chains(runner, starts), *ragdoll(runner), *tree(runner), *piles(runner), *algorithms(robot), *cost(runner)]
