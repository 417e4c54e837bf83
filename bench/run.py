#!/usr/bin/env python3
"""Runs our engine and its peers on the same scenes, in turn, on one processor core, and writes one page: build/bench/index.html with
plots, and bench.json with every line that was printed. Prints the table of times and the aims in markdown. ./dev bench builds first.

A time is the median over the rounds of the mean processor time per step, microseconds. Needs only Debian's python3.
"""
import argparse
import json
import os
import subprocess
import sys

import aims
import report
import scenes
from runner import OURS, Runner, progress

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run_everything(runner, rounds, starts, quick):
    rows = [row for row in scenes.ROWS if not (quick and row.count == 1000)]
    runner.measure([row.case(e) for row in rows for e in row.engines], rounds, "scenes")
    own = [case for count in (8, 32, 128) for options in ((), ("correction=0",)) for case in scenes.random_starts(count, starts, *options)]
    own += [scenes.fine_variational(8), scenes.fine_variational(32), scenes.coarse_tree(60), scenes.coarse_tree(30), scenes.RAGDOLL_8_S]
    runner.measure(own, 1, "qualities")
    peers = [case for engine in scenes.STARTED_PEERS for count in (8, 32) for case in scenes.random_starts_of(engine, count, starts)]
    runner.measure(peers, 1, "random starts of peers")
    precise = [scenes.one_second(OURS, "chain", count, 240) for count in (8, 32, 128)]
    for scene, count in [*scenes.PRECISION_SCENES, ("chain", 128)]:
        precise += [scenes.reference(scene, count), scenes.own_reference(scene, count)]
    runner.measure(precise, 1, "references")
    rates = scenes.PRECISION_RATES[1:-1:2] if quick else scenes.PRECISION_RATES
    points = [scenes.one_second(e, scene, count, rate, options)
              for scene, count in scenes.PRECISION_SCENES for _, e, options in scenes.PRECISION_ENGINES for rate in rates]
    runner.measure(points, min(rounds, 3), "work and precision")
    runner.measure([c for _, *line in scenes.COST_LINES for c in scenes.cost_cases(*line)], min(rounds, 3), "cost against links")


def run_algorithms(runner, rounds):
    """{(base, library): line of the median round} for Talos; empty where the robot's file is missing."""
    robot = os.path.join(ROOT, scenes.TALOS)
    if not os.path.exists(robot):
        print(f"bench: {scenes.TALOS} is not there: the rows of Talos are left out", file=sys.stderr)
        return {}
    lines = {}
    runs = [(base, library) for base in scenes.BASES for library in scenes.ALGORITHM_PROGRAMS]
    for number in range(rounds):
        for k, (base, library) in enumerate(runs):
            progress("Talos", number * len(runs) + k, rounds * len(runs))
            program = scenes.ALGORITHM_PROGRAMS[library]
            line = runner.run(program, [robot, base]) if os.path.exists(os.path.join(runner.folder, program)) else {}
            if line.get("id_us_mean"):  # KDL's trees have that alone, on fixed bases
                lines.setdefault((base, library), []).append(line)
    progress("Talos", 1, 0)
    return {key: sorted(of, key=lambda line: line["id_us_mean"])[len(of) // 2] for key, of in lines.items()}


def run_solvers(runner):
    return subprocess.run([os.path.join(runner.folder, "solver_table")], capture_output=True, text=True, check=True).stdout


def main():
    parser = argparse.ArgumentParser(prog="./dev bench", description="Our engine beside its peers on the same scenes.")
    parser.add_argument("--rounds", type=int, default=3, help="how often everything that is timed is run (default 3)")
    parser.add_argument("--quick", action="store_true", help="one round, four random starts, fewer points, no pile of 1,000, no solvers")
    parser.add_argument("--solvers", action="store_true", help="only the table of solvers of bounded rows on problems of the scenes")
    parser.add_argument("--json", action="store_true", help="print what goes to bench.json in place of the tables")
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "bench"), help="folder of the page (default build/bench)")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "release", "bin"), help="folder of the programs")
    parser.add_argument("--limit", type=float, default=300, help="longest time of one run in seconds (default 300)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    runner = Runner(options.bin, options.limit)
    if not runner.has(OURS):
        sys.exit(f"bench: our programs are not in {options.bin}; run ./dev bench")
    if options.solvers:
        print(run_solvers(runner))
        return
    for engine in runner.missing():
        print(f"bench: {engine} was not built and is left out", file=sys.stderr)

    rounds, starts = (1, 4) if options.quick else (options.rounds, 40)
    run_everything(runner, rounds, starts, options.quick)
    robot = run_algorithms(runner, rounds)
    solvers = "" if options.quick else run_solvers(runner)
    found = aims.all_aims(runner, robot, starts)

    os.makedirs(options.out, exist_ok=True)
    data = report.data(runner, robot, found, rounds, starts, solvers)
    page = report.html(runner, robot, found, rounds, starts, solvers)
    for name, text in (("bench.json", json.dumps(data, indent=1)), ("index.html", page)):
        with open(os.path.join(options.out, name), "w", encoding="utf-8") as file:
            file.write(text)
    print(json.dumps(data, indent=1) if options.json else report.markdown(runner, found, rounds))
    print(f"the page: {os.path.join(options.out, 'index.html')}", file=sys.stderr)


if __name__ == "__main__":
    main()
