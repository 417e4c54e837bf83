#!/usr/bin/env python3
"""Runs the program of a language and compares what it prints with the C program, to the last bit. Leaves with 77 where the language is not
installed, after saying which package is missing.

    language_test.py LANGUAGE BUILD COMPILER WORK

BUILD is the build folder (lib/libvertebra.so, api/vertebra.json), WORK a folder of the test's own.
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MODELS = [ROOT / "models" / "urdf" / name for name in ("quadruped.urdf", "humanoid.urdf")]
JNA = "/usr/share/java/jna.jar"


def skip(what):
    print(f"skipped: {what} is not installed")
    sys.exit(77)


def tool(name, package):
    """A program of Debian's, whatever else is on the path."""
    found = shutil.which(name, path="/usr/bin:/usr/local/bin") or skip(package)
    return found


def koffi():
    """The folder of node_modules that has koffi; npm brings it into the work folder of the first run."""
    folder = work.parent / "npm" / "node_modules"
    if not (folder / "koffi").is_dir():
        npm = tool("npm", "npm")
        folder.parent.mkdir(parents=True, exist_ok=True)
        cache = folder.parent / "npm_cache"  # not in the home folder
        subprocess.run([npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder.parent), "--cache", str(cache), "koffi@3"], capture_output=True,
                       timeout=120)
    return str(folder) if (folder / "koffi").is_dir() else skip("the npm package koffi")


def run(*command, **environment):
    done = subprocess.run([str(part) for part in command], cwd=work, env={**os.environ, **environment}, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def declared(language):
    run(sys.executable, "-B", HERE / "declare.py", description, language, work)


def c():
    run(compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", ROOT / "capi/include", HERE / "c/program.c", library, f"-Wl,-rpath,{folder}", "-o",
        work / "program_c")
    return [work / "program_c"], {}


def luajit():
    return [tool("luajit", "luajit"), HERE / "luajit/program.lua", library, build / "api/vertebra_amalgamated.h"], {}


def node():
    return [tool("node", "nodejs"), HERE / "node/program.js", library, description], {"NODE_PATH": koffi()}


def java():
    java, javac = tool("java", "default-jdk-headless"), tool("javac", "default-jdk-headless")
    if not os.path.isfile(JNA):
        skip("libjna-java")
    declared("java")
    run(javac, "-cp", JNA, "-d", work, HERE / "java/Program.java", work / "Vertebra.java")
    return [java, "-cp", f"{JNA}:{work}", f"-Djna.library.path={folder}", "Program"], {}


def csharp():
    mono, compile = tool("mono", "mono-runtime"), tool("mcs", "mono-mcs")
    declared("csharp")
    run(compile, "/unsafe", f"/out:{work}/program.exe", HERE / "csharp/Program.cs", work / "Vertebra.cs")
    return [mono, work / "program.exe"], {"LD_LIBRARY_PATH": str(folder)}


def rust():
    compile = tool("rustc", "rustc")
    declared("rust")
    shutil.copy(HERE / "rust/program.rs", work)
    run(compile, "-O", "-D", "warnings", work / "program.rs", "-L", folder, "-C", f"link-arg=-Wl,-rpath,{folder}", "-o", work / "program_rust")
    return [work / "program_rust"], {}


def fortran():
    compile = tool("gfortran", "gfortran")
    declared("fortran")
    run(compile, "-std=f2018", "-Wall", "-Wno-unused-dummy-argument", "-Werror", "-ffree-line-length-none", "-O2", work / "vertebra.f90",
        HERE / "fortran/program.f90", library, f"-Wl,-rpath,{folder}", "-o", work / "program_fortran")
    return [work / "program_fortran"], {}


def octave():
    octave, compile = tool("octave-cli", "octave"), tool("mkoctfile", "octave-dev")
    run(compile, "--mex", f"-I{ROOT}/capi/include", "-o", work / "vtb.mex", HERE / "octave/vtb.c", f"-L{folder}", "-lvertebra", f"-Wl,-rpath,{folder}")
    return [octave, "--norc", "--quiet", "--path", work, HERE / "octave/program.m"], {}


LANGUAGES = {each.__name__: each for each in (c, luajit, node, java, csharp, rust, fortran, octave)}
if len(sys.argv) != 5 or sys.argv[1] not in LANGUAGES:
    print(__doc__, file=sys.stderr)
    sys.exit(2)
language, build, compiler, work = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4])
library, folder, description = build / "lib/libvertebra.so", build / "lib", build / "api/vertebra.json"
work.mkdir(parents=True, exist_ok=True)
command, environment = LANGUAGES[language]()
reference, _ = c()
for model in MODELS:
    expected = run(*reference, model)
    lines = expected.splitlines()
    assert lines[0] == "missing VTB_E_IO" and lines[1] == f"steps 240 links {len(lines) - 2}" and len(set(lines[2:])) > 10, expected
    told = run(*command, model, **environment)
    differing = [number for number, pair in enumerate(zip(told.splitlines(), lines), 1) if pair[0] != pair[1]]
    assert told == expected, f"{language} on {model.name}: {len(told.splitlines())} lines for {len(lines)}; lines that differ: {differing}\n{told[:400]}"
    print(f"{language}: {model.name}: {7 * (len(lines) - 2)} numbers equal to C's to the last bit")
