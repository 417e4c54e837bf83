#!/usr/bin/env python3
"""Compiles and runs the C example of README.md against the built library: readme_test.py README COMPILER INCLUDE LIBRARY MODEL WORK."""
import os
import re
import subprocess
import sys

readme, compiler, include, library, model, work = sys.argv[1:]
os.makedirs(work, exist_ok=True)
blocks = re.findall(r"```c\n(.*?)```", open(readme, encoding="utf-8").read(), re.S)
assert len(blocks) == 1, "README.md must hold exactly one C example"
source, program = os.path.join(work, "hello.c"), os.path.join(work, "hello")
open(source, "w", encoding="utf-8").write(blocks[0])
folder = os.path.dirname(library)
flags = os.environ.get("VERTEBRA_LINK_FLAGS", "").split()
subprocess.run([compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", include, source, library, "-Wl,-rpath," + folder, "-o", program] + flags, check=True)
out = subprocess.run([program, model], check=True, capture_output=True, text=True).stdout
match = re.match(r"(\d+) links; after a second the root is at (\S+) (\S+) (\S+)\n$", out)
assert match, out
assert int(match[1]) >= 24, out
assert 0.05 < float(match[4]) < 1.3, out
missing = subprocess.run([program, "no-such-file.urdf"], capture_output=True, text=True)
assert missing.returncode == 1 and "no-such-file.urdf" in missing.stderr, missing
