#!/usr/bin/env python3
"""mypy finds the package's annotations consistent, and refuses what is no use of it. Argument: the folder of the client. Leaves with 77 where
mypy is not installed.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

if shutil.which("mypy") is None:
    print("skipped: mypy is not installed")
    sys.exit(77)
MYPY = ["mypy", "--no-incremental", "--cache-dir", os.devnull, "--python-executable", sys.executable]
WRONG = {"World().stpe()": "stpe", "World().step('x')": "step", "vtb.vtb_wrold_step(1)": "vtb_wrold_step", "JointType.REVOLVING": "REVOLVING",
         "vtb.vtb_world_step(1)": "vtb_world_step"}

done = subprocess.run([*MYPY, "-p", "vertebra"], cwd=sys.argv[1], capture_output=True, text=True)
assert done.returncode == 0, done.stdout
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "client.py"
    file.write_text("\n".join(["from vertebra import JointType, World, vtb", *WRONG, ""]), encoding="utf-8")
    told = subprocess.run([*MYPY, str(file)], env={**os.environ, "MYPYPATH": sys.argv[1]}, capture_output=True, text=True).stdout
    lines = {number: line for number, line in ((line.split(":")[1], line) for line in told.splitlines() if ": error:" in line)}
    assert sorted(lines) == [str(number) for number in range(2, 2 + len(WRONG))], told
    for number, name in zip(range(2, 99), WRONG.values()):
        assert name in lines[str(number)], (name, told)
print("annotations are consistent;", len(WRONG), "mistakes are found")
