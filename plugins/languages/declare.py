#!/usr/bin/env python3
"""Declarations of all of vertebra.h for a language, made from vertebra.json: constants, structs, functions, with the header's sentences.

    declare.py vertebra.json rust|csharp|java|fortran FOLDER

writes vertebra.rs, Vertebra.cs, Vertebra.java or vertebra.f90 into the folder. LuaJIT reads vertebra_amalgamated.h and Node vertebra.json
themselves. Names are the header's; where a language has one for itself it gets a _ behind.
"""
import json
import pathlib
import sys

from writers import csharp, fortran, java, rust

WRITERS = {"rust": ("vertebra.rs", rust.declarations), "csharp": ("Vertebra.cs", csharp.declarations),
           "java": ("Vertebra.java", java.declarations), "fortran": ("vertebra.f90", fortran.declarations)}


def main():
    if len(sys.argv) != 4 or sys.argv[2] not in WRITERS:
        print(__doc__, file=sys.stderr)
        return 2
    file, write = WRITERS[sys.argv[2]]
    api = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    (pathlib.Path(sys.argv[3]) / file).write_text(write(api), encoding="utf-8")
    return 0


sys.exit(main())
