#!/usr/bin/env python3
"""Compares the symbols libvertebra.so exports, with their versions, to the committed list; --accept rewrites the list.

A symbol that is gone or renamed breaks every program built before; one that is new is a promise for good. Both must be meant.
"""
import os
import subprocess
import sys

EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "symbols.txt")


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout.splitlines()
    symbols = [line.split()[-1] for line in lines]
    return sorted(s for s in symbols if s != "VERTEBRA_1")  # the version's own name is listed too


def main():
    accept = "--accept" in sys.argv
    library = sys.argv[-1]
    found = exported(library)
    foreign = [s for s in found if not (s.startswith("vtb_") and s.endswith("@@VERTEBRA_1"))]
    if foreign:
        sys.exit("exported, but not of the form vtb_*@@VERTEBRA_1 (see cmake/vertebra.map): " + ", ".join(foreign[:20]))
    if accept:
        with open(EXPECTED, "w", encoding="ascii") as out:
            out.writelines(s + "\n" for s in found)
        return
    with open(EXPECTED, encoding="ascii") as file:
        expected = file.read().split()
    gone = sorted(set(expected) - set(found))
    new = sorted(set(found) - set(expected))
    if gone:
        print("no longer exported:", *gone, sep="\n  ")
    if new:
        print("newly exported:", *new, sep="\n  ")
    if gone or new:
        sys.exit("the exported symbols differ from tests/abi/symbols.txt; if that is meant: ./dev abi-accept")
    print(len(found), "symbols as expected")


main()
