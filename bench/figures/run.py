#!/usr/bin/env python3
"""The experiments of the sources and the orders of vertebra's methods as plots, each with its claims and measurements: build/figures.

Writes one SVG a plot, index.html and figures.json; prints the claims. Exits with 1 where a claim is not met, with 77 without numpy.
./dev figures builds the library first. Arguments name experiments (files beside this one); none means all.
"""
import argparse
import dataclasses
import importlib
import json
import os
import sys

try:
    import numpy  # noqa: F401
except ImportError:
    print("figures: python3-numpy is missing", file=sys.stderr)
    sys.exit(77)
import experiment
import layout
from runner import progress

FILES = ["stabilisation", "springs", "boxes", "carousel", "displacement", "orders", "invariants"]


def main():
    parser = argparse.ArgumentParser(prog="./dev figures", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="NAME", help=f"of: {', '.join(FILES)}")
    parser.add_argument("--json", action="store_true", help="print the claims as JSON")
    parser.add_argument("--out", default=str(experiment.HERE.parents[1] / "build" / "figures"), help="folder of the plots (default build/figures)")
    options = parser.parse_args()
    unknown = [name for name in options.files if name not in FILES]
    if unknown:
        parser.error(f"no experiments called {', '.join(unknown)}; there are {', '.join(FILES)}")
    files, found = options.files or FILES, []
    for k, name in enumerate(files):
        progress(name, k, len(files))
        found += importlib.import_module(name).run()
    progress("", 1, 0)

    os.makedirs(options.out, exist_ok=True)
    parts = []
    for e in found:
        parts += [f"<h2 id='{e.name}'>{e.title}</h2><p>{e.text}</p>", layout.plots(e.plots), *(layout.table(*t) for t in e.tables)]
        if e.claims:
            parts.append(layout.table(["claim", "measured", ""], [[c.text, c.measured, layout.mark(c.met)] for c in e.claims]))
        for k, plot in enumerate(e.plots):
            write(options.out, f"{e.name}_{k + 1}.svg", plot.svg())
    claims = [{"experiment": e.name, **dataclasses.asdict(c)} for e in found for c in e.claims]
    met = sum(c["met"] for c in claims)
    write(options.out, "index.html", layout.page(f"Figures of vertebra: {met} of {len(claims)} claims met", "\n".join(parts)))
    write(options.out, "figures.json", json.dumps(claims, indent=1))
    if options.json:
        print(json.dumps(claims, indent=1))
    else:
        for c in claims:
            print(f"{'met   ' if c['met'] else 'MISSED'}  {c['experiment']}: {c['text']}: {c['measured']}")
        print(os.path.join(options.out, "index.html"))
    sys.exit(0 if met == len(claims) else 1)


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


main()
