"""Runs programs of the benchmark in turn on one processor core and keeps their output.

A Case is one engine on one scene; its result is the list of lines (JSON objects) of its rounds. Every round runs every case once, so that
a disturbance of the machine affects all alike. Quality does not change from round to round: only the first measures it.
"""
import json
import math
import os
import statistics
import subprocess
import sys
from typing import NamedTuple

# Engine: its program and options. Ours first.
ENGINES = {
    "vertebra": ("sim_vertebra", ()),
    "MuJoCo": ("sim_mujoco", ()),
    "Bullet multibody": ("sim_bullet_multibody", ()),
    "Bullet rigid": ("sim_bullet_rigid", ()),
    "ODE": ("sim_ode", ()),
    "ODE QuickStep": ("sim_ode", ("stepper=quick",)),
    "DART": ("sim_dart", ()),
    "Simbody": ("sim_simbody", ()),
}
OURS = "vertebra"


class Case(NamedTuple):
    engine: str
    scene: str
    count: int
    per_second: int  # steps in a second
    steps: int
    options: tuple = ()


class Runner:
    def __init__(self, folder, limit):
        self.folder, self.limit = folder, limit
        self.core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
        self.results = {}

    def has(self, engine):
        return os.path.exists(os.path.join(self.folder, ENGINES[engine][0]))

    def missing(self):
        return [engine for engine in ENGINES if not self.has(engine)]

    def measure(self, cases, rounds, title, then=("measure=0",)):
        """Runs the cases of engines that are installed, `rounds` times in turn; rounds after the first get the options `then`."""
        cases = [case for case in dict.fromkeys(cases) if self.has(case.engine) and case not in self.results]
        for number in range(rounds):
            for k, case in enumerate(cases):
                program, own = ENGINES[case.engine]
                words = [case.scene, str(case.count), f"1/{case.per_second}", str(case.steps), *own, *case.options]
                words += then if number else ()
                progress(title, number * len(cases) + k, rounds * len(cases))
                self.results.setdefault(case, []).append(self.run(program, words))
        progress(title, 1, 0)

    def run(self, program, words):
        """The line a program prints, or one that says why there is none."""
        pin = (lambda: os.sched_setaffinity(0, {self.core})) if self.core is not None else None
        try:
            command = [os.path.join(self.folder, program), *words]
            run = subprocess.run(command, capture_output=True, text=True, timeout=self.limit, preexec_fn=pin)
        except subprocess.TimeoutExpired:
            return {"notes": f"took longer than {self.limit:g} s"}
        lines = [line for line in run.stdout.splitlines() if line.startswith("{")]
        return json.loads(lines[-1]) if lines else {"notes": (run.stderr.strip().splitlines() or ["printed nothing"])[-1]}

    def time(self, case, key="us_per_step_mean"):
        """Median over the rounds, microseconds; None where it did not run."""
        values = [line[key] for line in self.results.get(case, []) if isinstance(line.get(key), (int, float))]
        return statistics.median(values) if values else None

    def get(self, case, key):
        """A quality, from the round that measured it: None where it did not run, NaN where it was not a number."""
        for line in self.results.get(case, []):
            if key in line:
                return math.nan if line[key] is None else line[key]
        return None

    def diverged(self, case):
        return any(line.get("diverged", True) for line in self.results.get(case, []))

    def notes(self, case):
        return next((line["notes"] for line in self.results.get(case, []) if line.get("notes")), "")

    def distance(self, case, reference):
        """Largest distance of a body's centre between the ends of two runs, m; infinite where this run has no end."""
        own, right = self.get(case, "positions"), self.get(reference, "positions")
        if not right or case not in self.results:
            return None
        return max(math.dist(own[i : i + 3], right[i : i + 3]) for i in range(0, len(right), 3)) if own else math.inf


def progress(title, done, total):
    """A bar on stderr, where that is a terminal; total 0 removes it."""
    if not sys.stderr.isatty():
        return
    bar = f"[{'#' * (24 * done // total):24}] {100 * done // total:3} %  {title}" if total else ""
    print(f"\r\033[K{bar}", end="", file=sys.stderr, flush=True)
