#!/usr/bin/env python3
"""Measures the rooms of the engine for house.md: files and lines, includes across rooms, largest structs, long files and functions.

house.py TREE - TREE is a checkout, or `git archive COMMIT engine capi` unpacked.
"""
import os
import re
import sys


def sources(root):
    for folder, _, files in os.walk(os.path.join(root, "engine")):
        for name in sorted(files):
            if name.endswith((".cpp", ".hpp")):
                path = os.path.relpath(os.path.join(folder, name), root)
                with open(os.path.join(root, path), encoding="utf-8") as file:
                    yield path, file.read()


def room(path):
    return path.split("/")[1]


def structs(text):
    """(data members, functions, name) of every struct; members of nested structs count for those."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    for match in re.finditer(r"\b(?:struct|class)\s+(?:alignas\([^)]*\)\s*)?(\w+)(?:\s*:[^{;]*)?\s*\{", text):
        end, depth = match.end(), 1
        while depth and end < len(text):
            depth += (text[end] == "{") - (text[end] == "}")
            end += 1
        body, before = text[match.end():end - 1], None
        while before != body:
            before, body = body, re.sub(r"\{[^{}]*\}", "@", body)
        members = functions = 0
        for statement in re.split(r";|(?<=@)\s*\n", body):
            statement = re.sub(r"^\s*(public|private|protected):\s*", "", statement).strip()
            if not statement or statement.startswith(("using", "typedef", "friend", "static constexpr")):
                continue
            if re.match(r"(struct|class|enum)\b", statement) and not re.search(r"@\s*\w+", statement):
                continue
            plain = re.sub(r"=.*", "", re.sub(r"<[^<>]*>", "", statement))
            if statement.startswith("template") or ("(" in plain and not re.search(r"\(\*\w+\)", statement)):
                functions += 1
                continue
            for _ in range(4):
                statement = re.sub(r"<[^<>]*>|\([^()]*\)", "", statement)
            members += statement.count(",") + 1
        yield members, functions, match.group(1)


def long_functions(text):
    lines, start, found = text.split("\n"), None, 0
    for number, line in enumerate(lines):
        if start is None and re.match(r"^( {0,2})\S.*\)( const)? \{$", line) and not line.strip().startswith(("if", "for", "while", "switch")):
            start = number, len(line) - len(line.lstrip())
        elif start is not None and line == " " * start[1] + "}":
            found += number - start[0] + 1 > 80
            start = None
    return found


STATES = ["tree_world", "contact_world", "island_world", "world_data"]  # each contains the one before
WORKING = ("trees", "collision", "islands", "forces", "constraints", "driveline", "particles", "steppers", "world")


def reach(root):
    """{largest state that a source of the working rooms sees, directly or through a header: how many sources}"""
    texts, counts = dict(sources(root)), {}
    for path in texts:
        if room(path) not in WORKING or not path.endswith(".cpp"):
            continue
        seen, open_ = set(), [path]
        while open_:
            for included in re.findall(r'#include "(engine/[^"]+)"', texts.get(open_.pop(), "")):
                if included not in seen:
                    seen.add(included)
                    open_.append(included)
        largest = [state for state in STATES if f"engine/state/{state}.hpp" in seen][-1:] or ["parts only"]
        counts[largest[0]] = counts.get(largest[0], 0) + 1
    return counts


def main():
    root = sys.argv[1]
    rooms, crossing, found, lengths, whole, functions = {}, {}, [], [], 0, 0
    for path, text in sources(root):
        lines = text.count("\n")
        files, total = rooms.get(room(path), (0, 0))
        rooms[room(path)] = files + 1, total + lines
        lengths.append((lines, path))
        found += structs(text)
        functions += long_functions(text)
        whole += "world_data.hpp\"" in text
        for included in re.findall(r'#include "(engine/[^"]+)"', text):
            if room(included) != room(path):
                crossing[room(path), room(included)] = crossing.get((room(path), room(included)), 0) + 1
    for name, (files, lines) in rooms.items():
        uses = ", ".join(f"{b} {n}" for (a, b), n in sorted(crossing.items()) if a == name)
        print(f"{name:12} {files:3} files {lines:6} lines   uses {uses}")
    print(sum(f for f, _ in rooms.values()), "files,", sum(n for _, n in rooms.values()), "lines;", sum(crossing.values()),
          "includes across rooms, between", len(crossing), "pairs;", whole, "files include the whole state")
    print("largest state that a source sees:", reach(root))
    print("most members:", sorted(found, reverse=True)[:6])
    print("most functions:", sorted(((f, m, n) for m, f, n in found), reverse=True)[:3])
    print("longest files:", sorted(lengths, reverse=True)[:3], "above 400 lines:", sum(n > 400 for n, _ in lengths),
          "functions above 80 lines:", functions)


main()
