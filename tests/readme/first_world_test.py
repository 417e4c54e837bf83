#!/usr/bin/env python3
"""Compiles and runs the C text of docs/howto/first_world.md and runs its Python text; the C text has at most 25 lines, the Python text 10.

first_world_test.py DOCUMENT COMPILER INCLUDE LIBRARY BINDING JSON WORK
"""
import os
import re
import subprocess
import sys

document, compiler, include, library, binding, json, work = sys.argv[1:]
os.makedirs(work, exist_ok=True)
text = open(document, encoding="utf-8").read()
(c,), (python,) = (re.findall(rf"```{language}\n(.*?)```", text, re.S) for language in ("c", "python"))
assert len(c.splitlines()) <= 25 and len(python.splitlines()) <= 10
source, program = os.path.join(work, "first.c"), os.path.join(work, "first")
with open(source, "w", encoding="utf-8") as file:
    file.write(c)
subprocess.run([compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", include, source, library, "-Wl,-rpath," + os.path.dirname(library),
                "-o", program], check=True)
out = subprocess.run([program], check=True, capture_output=True, text=True).stdout
angle = float(re.fullmatch(r"after 0.2 s the hinge stands at (\S+) rad\n", out)[1])
assert abs(angle) > 0.05, out
environment = {**os.environ, "VERTEBRA_LIBRARY": library, "VERTEBRA_JSON": json, "PYTHONPATH": binding}
poses = subprocess.run([sys.executable, "-B", "-c", python], check=True, capture_output=True, text=True, env=environment).stdout
assert len(re.findall(r"-?\d\.?\d*(?:e[-+]\d+)?", poses)) == 14, poses
