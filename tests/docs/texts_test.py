#!/usr/bin/env python3
"""Runs what a document tells its reader to run: every line of its shell blocks that begins with `vertebra`, its Python texts, its whole C programs.

texts_test.py DOCUMENT ROOT BUILD LIBRARY COMPILER WORK

The work folder holds what documents speak of: our models, walk.bvh and wave.bvh, robot.urdf (our humanoid), motions/ with both clips, and the XML
texts of the document under the names below. A command that opens a window is left to the tests of the viewer.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

NAMES = {"scene": "crate.xml", "markers": "set.xml"}  # root element of an XML text: its file

document, root, build, library, compiler, work = (pathlib.Path(word).resolve() for word in sys.argv[1:7])
text = document.read_text(encoding="utf-8")
blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.S | re.M)


def prepare():
    shutil.rmtree(work, ignore_errors=True)
    here = work / "here"
    (here / "motions").mkdir(parents=True)
    os.symlink(root / "models", here / "models")
    os.symlink(root / "models/urdf", work / "urdf")  # scenes of documents stand beside the models
    shutil.copyfile(root / "models/urdf/humanoid.urdf", here / "robot.urdf")
    for clip in ("walk.bvh", "wave.bvh"):
        for place in (here, here / "motions"):
            shutil.copyfile(root / "models/motions" / clip, place / clip)
    for language, block in blocks:
        element = re.search(r"<(\w+)", block)
        if language == "xml" and element and element[1] in NAMES:
            (here / NAMES[element[1]]).write_text(block, encoding="utf-8")
    return here


def run(words, **options):
    done = subprocess.run(words, cwd=here, capture_output=True, text=True, env=environment, **options)
    assert done.returncode == 0, f"{document.name}: {words}\n{done.stdout}\n{done.stderr}"


here = prepare()
environment = {**os.environ, "PATH": f"{build / 'bin'}:{os.environ['PATH']}", "VERTEBRA_LIBRARY": str(library), "PYTHONDONTWRITEBYTECODE": "1",
               "VERTEBRA_JSON": str(build / "api/vertebra.json"), "PYTHONPATH": str(root / "capi/bindings/python")}
ran = 0
for language, block in blocks:
    if language in ("", "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith(("vertebra ", "printf ")) and (not line.startswith("vertebra view ") or "--offscreen" in line or "--export" in line):
                run(["bash", "-c", line])
                ran += 1
    elif language == "python":
        run([sys.executable, "-c", block])
        ran += 1
    elif language == "c" and "int main(" in block:
        (here / "text.c").write_text(block, encoding="utf-8")
        run([compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", root / "capi/include", "text.c", library, f"-Wl,-rpath,{library.parent}", "-o", "text"])
        run([here / "text"])
        ran += 1
missing = {name for pair in re.findall(r" (?:-o|--output|--report|--trace|--save|--save-map) (\S+)", text) for name in [pair.rstrip("`,;.")]
           if re.search(rf"^vertebra (?!view ).*{re.escape(name)}", text, re.M) and not (here / name).exists()}
assert ran, f"{document.name} has nothing to run"
assert not missing, f"{document.name}: not made: {missing}"
print(f"{document.name}: {ran} texts ran")
