#!/usr/bin/env python3
"""Runs the commands of docs/howto/languages.md as they stand there, language by language, and compares what each prints with the C program. The
variables that name the places of vertebra point to a folder laid out as the packages lay it out. Languages that are not installed are named and
left out; leaves with 77 where none is.

    howto_test.py BUILD WORK [NODE_MODULES]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD, WORK = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
TOOLS = {"C": ["cc"], "LuaJIT": ["luajit"], "Node": ["node"], "Java": ["javac", "java"], "C#": ["mcs", "mono"], "Rust": ["rustc"],
         "Fortran": ["gfortran"], "Octave": ["mkoctfile", "octave-cli"]}

shutil.rmtree(WORK, ignore_errors=True)
share, include = WORK / "share", WORK / "include"
for folder in (share, include / "vertebra"):
    folder.mkdir(parents=True)
for link, target in ((share / "languages", ROOT / "plugins/languages"), (share / "models", ROOT / "models"),
                     (share / "vertebra.json", BUILD / "api/vertebra.json"),
                     *((include / "vertebra" / header.name, header) for header in [*(ROOT / "capi/include/vertebra").glob("*.h"),
                                                                                 BUILD / "api/vertebra_amalgamated.h"])):
    link.symlink_to(target)
# Debian's own programs, whatever else is on the path; an installed library is on the loader's path.
environment = {**os.environ, "PATH": "/usr/bin:/bin:/usr/local/bin", "share": str(share), "include": str(include), "lib": str(BUILD / "lib"),
               "robot": str(share / "models/urdf/humanoid.urdf"), "LD_LIBRARY_PATH": str(BUILD / "lib"), "NODE_PATH": "".join(sys.argv[3:4])}
sections = dict(re.findall(r"^## (\S+)\n\n```sh\n(.*?)```", (ROOT / "docs/howto/languages.md").read_text(encoding="utf-8"), re.S | re.M))
assert list(sections) == list(TOOLS), f"sections: {list(sections)}"
expected, ran = None, 0
for language, commands in sections.items():
    missing = [tool for tool in TOOLS[language] if not shutil.which(tool, path=environment["PATH"])]
    missing += ["jna.jar"] if language == "Java" and not os.path.isfile("/usr/share/java/jna.jar") else []
    missing += ["koffi"] if language == "Node" and not os.path.isdir(f"{environment['NODE_PATH']}/koffi") else []
    if missing:
        print(f"{language}: left out, {' and '.join(missing)} not installed")
        continue
    here = WORK / language.replace("#", "sharp")
    here.mkdir()
    done = subprocess.run(["bash", "-e", "-c", commands], cwd=here, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{language}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    expected = expected or done.stdout
    assert len(expected.splitlines()) > 20 and done.stdout == expected, f"{language} prints\n{done.stdout[:400]}\nC\n{expected[:400]}"
    ran += language != "C"
    print(f"{language}: as in C, to the last bit")
if not ran:
    print("skipped: none of the languages is installed")
    sys.exit(77)
