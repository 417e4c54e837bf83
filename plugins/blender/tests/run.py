#!/usr/bin/env python3
"""Runs one test in Blender: run.py SCRIPT ZIP SOURCE OUT COMMAND. Blender starts without display and with factory settings, installs the
add-on from its zip into an empty folder of user scripts, and runs the script. The test of the window starts it under Xvfb instead and drives
it by simulated events. Exit code 77: Blender (or Xvfb) is not installed. SOURCE: the project's root; OUT: a folder for what the test writes.
COMMAND: the program vertebra."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def skip(package, what):
    print(f"SKIPPED: {what} is not installed (Debian package {package})")
    sys.exit(77)


def main():
    script, archive, source, out, command = map(os.path.abspath, sys.argv[1:])
    window = os.path.basename(script) == "window_test.py"
    blender = shutil.which("blender") or skip("blender", "Blender")
    if window and not (shutil.which("xvfb-run") and shutil.which("xauth")):
        skip("xvfb, xauth", "Xvfb")
    pathlib.Path(out).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("VERTEBRA_") and k != "PYTHONPATH"}
        environment["PATH"] = "/usr/bin:" + environment.get("PATH", "")  # Blender's Python takes its modules from where the first python3 is
        environment.update(BLENDER_USER_SCRIPTS=home + "/scripts", BLENDER_USER_CONFIG=home + "/config", HOME=home)
        os.makedirs(home + "/scripts")
        before = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24"] if window else []
        mode = ["--enable-event-simulate", "--no-window-focus", "-p", "0", "0", "1280", "800"] if window else ["-b"]
        call = [*before, blender, *mode, "--factory-startup", "--python-exit-code", "1", "--python", script, "--", archive, source, out, command]
        return subprocess.run(call, env=environment, timeout=500).returncode


if __name__ == "__main__":
    sys.exit(main())
