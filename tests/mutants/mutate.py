#!/usr/bin/env python3
"""Mutants of our own methods: each of mutants.toml replaces a piece of one source, and the tests named beside it must fail.

mutate.py ROOT --check                                    whether every text stands in its file exactly once; builds nothing
mutate.py ROOT WORK [--only NAME]... [--jobs N] [--json]  builds each in a copy of the tree in WORK and runs its tests

Prints one line a mutant as it goes and a table at the end (--json: an object instead). Exit code 1: a mutant lives, or its text is not
found; 2: something could not be built, or a test fails without any mutant.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time
import tomllib

FIELDS = ("name", "what", "file", "text", "becomes", "tests")
MOST_SECONDS = 300  # of one test; a mutant that hangs is noticed


def read(root):
    with open(root / "tests/mutants/mutants.toml", "rb") as f:
        return tomllib.load(f)["mutant"]


def faults(root, mutants):
    """What is wrong with the list: lines of text."""
    found = []
    names = [m.get("name") for m in mutants]
    for m in mutants:
        name = m.get("name", "a mutant without a name")
        if set(m) != set(FIELDS):
            found.append(f"{name}: its fields are not {', '.join(FIELDS)}")
            continue
        if names.count(name) > 1:
            found.append(f"{name}: the name stands more than once")
        if m["text"] == m["becomes"] or not m["tests"]:
            found.append(f"{name}: it changes nothing, or no test must notice")
        path = root / m["file"]
        count = path.read_text(encoding="utf-8").count(m["text"]) if path.is_file() else 0
        if count != 1:
            found.append(f"{name}: its text stands {count} times in {m['file']}, not once")
    return found


def copy_tree(root, tree):
    """Brings the copy to the state of the tree; files that are equal keep their time, so that little is built again."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"], check=True, capture_output=True, text=True)
    wanted = {name for name in listed.stdout.split("\0") if name and (root / name).is_file()}
    for name in sorted(wanted):
        source, to = root / name, tree / name
        if to.is_file() and to.read_bytes() == source.read_bytes():
            continue
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, to)
    for path in sorted(tree.rglob("*")) if tree.exists() else []:
        name = path.relative_to(tree).as_posix()
        if path.is_file() and name not in wanted and not name.startswith("build/"):
            path.unlink()


class Build:
    def __init__(self, tree, jobs):
        self.tree, self.jobs, self.folder = tree, jobs, tree / "build/release"

    def configure(self):
        command = ["cmake", "--preset", "release", "-DVERTEBRA_BUILD_VIEWER=OFF", "-DVERTEBRA_BUILD_BENCH=OFF", "-DVERTEBRA_BUILD_TESTS=ON"]
        subprocess.run(command, cwd=self.tree, check=True, stdout=subprocess.DEVNULL)

    def make(self, tests):
        """Whether the programs of these tests are built; the compiler's words where they are not."""
        targets = sorted({program(t) for t in tests})
        command = ["cmake", "--build", self.folder, "--parallel", str(self.jobs), "--target", *targets]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return "" if done.returncode == 0 else done.stdout

    def fails(self, test):
        command = [self.folder / "bin" / program(test), *pattern(test)]
        try:
            done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                  timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            return True
        if "No test cases matched" in done.stdout or "No tests ran" in done.stdout:
            sys.exit(f"{test}: no test case has such a name")
        return done.returncode != 0


def program(test):
    return "test_" + test.partition(": ")[0]


def pattern(test):
    return [test.partition(": ")[2]] if ": " in test else []


def say(text):
    print(text, file=sys.stderr, flush=True)


def try_mutant(build, mutant):
    """(result, the tests that did not notice): killed, alive, or does not build."""
    path = build.tree / mutant["file"]
    original = path.read_text(encoding="utf-8")
    path.write_text(original.replace(mutant["text"], mutant["becomes"]), encoding="utf-8")
    try:
        words = build.make(mutant["tests"])
        if words:
            say(words)
            return "does not build", []
        blind = [t for t in mutant["tests"] if not build.fails(t)]
        return ("alive", blind) if blind else ("killed", [])
    finally:
        path.write_text(original, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path, nargs="?")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    a = parser.parse_args()
    root = a.root.resolve()
    mutants = read(root)
    wrong = faults(root, mutants)
    for line in wrong:
        say(line)
    if a.check or wrong:
        if not wrong:
            print(f"{len(mutants)} mutants, each text found once")
        return 1 if wrong else 0
    unknown = set(a.only) - {m["name"] for m in mutants}
    if unknown:
        parser.error("no such mutant: " + ", ".join(sorted(unknown)))
    if a.only:
        mutants = [m for m in mutants if m["name"] in a.only]

    tree = a.work.resolve() / "tree"
    copy_tree(root, tree)
    build = Build(tree, a.jobs)
    build.configure()
    tests = sorted({t for m in mutants for t in m["tests"]})
    say(f"building {len({program(t) for t in tests})} programs without a mutant, in {tree}")
    words = build.make(tests)
    if words:
        say(words)
        return 2
    failing = [t for t in tests if build.fails(t)]
    for t in failing:
        say(f"{t}: fails without any mutant")
    if failing:
        return 2

    rows = []
    for i, m in enumerate(mutants):
        start = time.monotonic()
        result, blind = try_mutant(build, m)
        seconds = round(time.monotonic() - start)
        rows.append({"name": m["name"], "file": m["file"], "result": result, "blind": blind, "seconds": seconds})
        say(f"[{i + 1}/{len(mutants)}] {m['name']}: {result}, {seconds} s" + "".join(f"; not noticed by {t}" for t in blind))
    count = {r: sum(row["result"] == r for row in rows) for r in ("killed", "alive", "does not build")}
    if a.json:
        print(json.dumps({"mutants": rows, **count}, indent=1))
    else:
        wide = max(len(m["name"]) for m in mutants)
        for row in rows:
            print(f"{row['name']:{wide}}  {row['result']:14}  {row['seconds']:4} s  {row['file']}")
        print(", ".join(f"{n} {result}" for result, n in count.items() if n))
    return 2 if count["does not build"] else 1 if count["alive"] else 0


if __name__ == "__main__":
    sys.exit(main())
