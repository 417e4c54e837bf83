#!/usr/bin/env python3
"""pip makes a wheel of the Python package with the library in it, and an installed one works by itself: no variable, no build tree.
Argument: the folder of the client; VERTEBRA_BUILD names the build. Leaves with 77 where pip or setuptools is not installed.
"""
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

for module, package in (("pip", "python3-pip"), ("setuptools", "python3-setuptools"), ("wheel", "python3-wheel"), ("numpy", "python3-numpy")):
    if importlib.util.find_spec(module) is None:
        print(f"skipped: {package} is not installed")
        sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(os.path.dirname(os.path.abspath(sys.argv[1])), f"{folder}/tree/capi/bindings", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    shutil.copy(f"{sys.argv[1]}/../../../CMakeLists.txt", f"{folder}/tree")  # pip leaves its traces in a copy
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check",
               "--root-user-action=ignore", "--target", f"{folder}/site", f"{folder}/tree/capi/bindings/python"]
    subprocess.run(command, check=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("VERTEBRA_", "LD_LIBRARY"))}
    program = ("import vertebra; w = vertebra.World(); w.sphere((0, 0, 1), 0.1); w.step(24); "
               "print(vertebra.vtb._library._name, vertebra.__version__, w.poses()[0, 2])")
    told = subprocess.run([sys.executable, "-c", program], env={**environment, "PYTHONPATH": f"{folder}/site"}, cwd=folder, check=True,
                          capture_output=True, text=True).stdout.split()
    assert told[0] == f"{folder}/site/vertebra/native/libvertebra.so.1", told
    assert abs(float(told[2]) - (1 - 9.81 * 0.1**2 / 2)) < 1e-3, told
    assert os.path.isfile(f"{folder}/site/vertebra/py.typed") and os.path.isfile(f"{folder}/site/vertebra/library.pyi")
    bare = subprocess.run(command, env={**environment, "VERTEBRA_BUILD": folder}, capture_output=True, text=True)
    assert bare.returncode and "build the library first" in bare.stdout + bare.stderr, bare
print("a wheel of version", told[1], "works by itself")
