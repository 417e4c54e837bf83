#!/usr/bin/env python3
"""Times two builds of our engine on the rows of the benchmark, in turn, in one run, and prints the ratio of this build to the other.

against.py OTHER [--rounds N] [--row WORD]: OTHER is a folder with the other build's sim_vertebra. A round runs each row once with each build,
the one that begins changing from round to round; the ratio of a row is the median over the rounds of the rounds' ratios, which does not
drift with the machine's speed. Times are those that the programs print, in microseconds a step; of the ragdoll the mean over falls from
several tilts, because a fall is chaotic: builds that differ in the last bits lie in other poses, with other contacts, at its end.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

from scenes import OURS, ROWS

HERE = pathlib.Path(__file__).resolve().parent.parent / "build/release/bin"


FALLS = 16


def time_of(folder, row):
    command = [str(folder / "sim_vertebra"), row.scene, str(row.count), "1/240", str(row.steps), *row.engines[OURS]]

    def run(*options):
        return json.loads(subprocess.run([*command, *options], check=True, capture_output=True, text=True).stdout)[row.key]

    return statistics.mean(run(f"seed={k}") for k in range(FALLS)) if row.scene == "ragdoll" else run()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("other", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--row", default="", help="only rows whose name holds this")
    arguments = parser.parse_args()
    rows = [row for row in ROWS if arguments.row in row.name]
    times = {row.name: ([], []) for row in rows}
    for n in range(arguments.rounds):
        for row in rows:
            print(f"\rround {n + 1} of {arguments.rounds}: {row.name:34}", end="", file=sys.stderr, flush=True)
            sides = ((0, HERE), (1, arguments.other))
            for side, folder in sides if n % 2 == 0 else reversed(sides):
                times[row.name][side].append(time_of(folder, row))
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    print(f"{'us per step, 1/240 s':34}{'this':>10}{'other':>10}{'ratio':>8}   least to most")
    for row in rows:
        here, other = times[row.name]
        ratios = [a / b for a, b in zip(here, other)]
        print(f"{row.name:34}{statistics.median(here):10.4g}{statistics.median(other):10.4g}{statistics.median(ratios):8.3f}"
              f"   {min(ratios):.3f} to {max(ratios):.3f}")


main()
