#!/usr/bin/env python3
"""Runs our engine and its peers on the same scenes, in turn, on one processor core, and prints a table in markdown.

Every round runs every engine once on every row, so that what disturbs the machine disturbs all alike; a cell is the median over the
rounds of the mean time per step (processor time, microseconds). The ratio is ours by the faster of MuJoCo (Euler) and Bullet multibody.
Needs only Debian's python3; ./dev bench builds the programs first.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STEP = "1/240"
# name, scene, count, steps, the entry of a line that is compared, variant
ROWS = [
    ("chain 8", "chain", 8, 2400, "us_per_step_mean", ""),
    ("chain 32", "chain", 32, 2400, "us_per_step_mean", ""),
    ("chain 128", "chain", 128, 2400, "us_per_step_mean", ""),
    ("chain 8, variational / RK4", "chain", 8, 2400, "us_per_step_mean", "accurate"),
    ("chain 32, variational / RK4", "chain", 32, 2400, "us_per_step_mean", "accurate"),
    ("ragdoll, 5 s", "ragdoll", 1, 1200, "us_per_step_mean", ""),
    ("ragdoll falling", "ragdoll", 1, 1200, "us_fall_mean", ""),
    ("ragdoll resting", "ragdoll", 1, 1200, "us_rest_mean", ""),
    ("tree of 127, sprung", "tree127", 1, 1200, "us_per_step_mean", ""),
    ("pile of 100 boxes", "pile", 100, 960, "us_per_step_mean", ""),
]
# Options of the engines that take part in a variant.
VARIANTS = {"accurate": {"sim_vertebra": ["stepper=variational"], "sim_mujoco": ["integrator=RK4"]}}
OURS = "sim_vertebra"
RIVALS = ["sim_mujoco", "sim_bullet_multibody"]
OTHERS = ["sim_bullet_rigid", "sim_ode", "sim_dart", "sim_simbody"]


def available_core():
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


def run_once(program, scene, count, steps, options, core, limit):
    """One line of an engine, or one that says why there is none."""
    pin = (lambda: os.sched_setaffinity(0, {core})) if core is not None else None
    command = [program, scene, str(count), STEP, str(steps)] + options
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=limit, preexec_fn=pin)
    except subprocess.TimeoutExpired:
        return {"notes": f"took longer than {limit} s"}
    lines = [line for line in run.stdout.splitlines() if line.startswith("{")]
    if not lines:
        return {"notes": (run.stderr.strip().splitlines() or ["printed nothing"])[-1]}
    return json.loads(lines[-1])


def measure(engines, rows, rounds, bin_folder, core, limit):
    """{(engine, scene, count, variant): [line of every round]}; rows of one scene share their runs."""
    runs = list(dict.fromkeys((scene, count, steps, variant) for _, scene, count, steps, _, variant in rows))
    lines, done, total = {}, 0, rounds * len(runs) * len(engines)
    for _ in range(rounds):
        for scene, count, steps, variant in runs:
            for engine in engines:
                done += 1
                if variant and engine not in VARIANTS[variant]:
                    continue
                options = VARIANTS[variant][engine] if variant else []
                if sys.stderr.isatty():
                    print(f"\r\033[K{100 * done // total} %  {engine} {scene} {count}", end="", file=sys.stderr, flush=True)
                line = run_once(os.path.join(bin_folder, engine), scene, count, steps, options, core, limit)
                lines.setdefault((engine, scene, count, variant), []).append(line)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    return lines


def median(lines, key):
    values = [line[key] for line in lines if isinstance(line.get(key), (int, float)) and math.isfinite(line[key])]
    return statistics.median(values) if values else None


def any_diverged(lines):
    return any(line.get("diverged", True) for line in lines)


def table(rows, lines, engines):
    """Rows of cells, and the same as data."""
    names = {e: e.removeprefix("sim_").replace("_", " ") for e in engines}
    head = ["us per step, 1/240 s"] + [names[e] for e in engines] + ["ratio", "our joint error, m", "our energy drift, max"]
    cells, data, marks = [head], [], False
    for name, scene, count, _, key, variant in rows:
        times = {e: median(lines.get((e, scene, count, variant), []), key) for e in engines}
        diverged = {e: any_diverged(lines.get((e, scene, count, variant), [])) for e in engines}
        rivals = [times[e] for e in RIVALS if times.get(e) is not None]
        ours = times.get(OURS)
        ratio = ours / min(rivals) if ours is not None and rivals else None
        own = lines.get((OURS, scene, count, variant), [])
        error, drift = median(own, "max_joint_error_m"), median(own, "energy_drift_max_rel")
        marks |= any(diverged.values())
        cells.append(
            [name]
            + ["–" if times[e] is None else f"{times[e]:.3g}" + (" \\*" if diverged[e] else "") for e in engines]
            + ["–" if v is None else f"{v:.2g}" for v in (ratio, error, drift)]
        )
        data.append({"row": name, "times_us": times, "diverged": diverged, "ratio": ratio, "joint_error_m": error, "energy_drift_max": drift})
    return cells, data, marks


def markdown(cells):
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    lines = ["| " + " | ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))) + " |" for row in cells]
    lines.insert(1, "|" + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|")
    return "\n".join(lines)


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown processor"


def main():
    parser = argparse.ArgumentParser(description="Our engine beside its peers on the same scenes.")
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is run (default 5)")
    parser.add_argument("--all", action="store_true", help="every peer that was built; takes minutes")
    parser.add_argument("--json", metavar="FILE", help="write table and all lines there")
    parser.add_argument("--solvers", action="store_true", help="instead: every solver of bounded rows on problems of the scenes; takes minutes")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "release", "bin"), help="folder of the programs")
    parser.add_argument("--limit", type=float, default=300, help="longest time of one run in seconds (default 300)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")

    if options.solvers:
        sys.exit(subprocess.run([os.path.join(options.bin, "solver_table")]).returncode)
    rows = ROWS
    wanted = [OURS] + RIVALS + (OTHERS if options.all else [])
    engines = [e for e in wanted if os.path.exists(os.path.join(options.bin, e))]
    for engine in wanted:
        if engine not in engines:
            print(f"bench: {engine} was not built and is left out", file=sys.stderr)
    if OURS not in engines:
        sys.exit(f"bench: there is no {OURS} in {options.bin}; run ./dev bench")

    core = available_core()
    lines = measure(engines, rows, options.rounds, options.bin, core, options.limit)
    cells, data, marks = table(rows, lines, engines)
    print(markdown(cells))
    print(f"\n{processor()}, one core, median of {options.rounds} rounds of the mean time per step; ratio: ours / the faster of MuJoCo and Bullet multibody.")
    if marks:
        print("\\* diverged: not a number, a reset by the engine itself, a crash, or joints more than 1 m apart. Whatever a peer did before or after counts.")
    if options.json:
        every = [{"engine_program": e, **line} for (e, _, _, _), of in lines.items() for line in of]
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"processor": processor(), "rounds": options.rounds, "table": data, "lines": every}, file, indent=1)


main()
