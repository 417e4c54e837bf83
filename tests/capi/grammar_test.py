#!/usr/bin/env python3
"""The reader of vertebra.h refuses what breaks the grammar of its comments, with file, line and what is missing.

Arguments: the folder of the reader, that of the headers. Each case changes one line of a copy of the headers.
"""
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
import read  # noqa: E402

CASES = [  # file, text, what stands in its place, what the fault says
    ("settings.h", "/* s, > 0 [1/240]: length of one vtb_world_step */", "", "time_step has no comment"),
    ("settings.h", "/* s, > 0 [1/240]: length", "/* > 0 [1/240]: length", "time_step: a number without a unit"),
    ("settings.h", "/* s, > 0 [1/240]: length", "/* s, > 0: length", "time_step has no default"),
    ("settings.h", "/* s, > 0 [1/240]: length", "/* s, > 0 [a while]: length", "[a while] is no default"),
    ("settings.h", "/* s, > 0 [1/240]: length", "/* s, large [1/240]: length", "'large' is neither a unit"),
    ("settings.h", "[pgs]:", "[gauss]:", "[gauss] is no word of vtb_solver"),
    ("settings.h", "VTB_SOLVER_PGS = 0,     /* sweeps of projected Gauss-Seidel */", "VTB_SOLVER_PGS = 0,", "VTB_SOLVER_PGS has no sentence"),
    ("settings.h", "VTB_SOLVER_PGS = 0,", "VTB_PGS = 0,", "VTB_PGS does not begin with VTB_SOLVER_"),
    ("settings.h", "vtb_world_flag bits", "vtb_world_bits bits", "vtb_world_bits is no enumeration of flags"),
    ("world.h", " * @seconds s: receives the time */", " */", "the parameter seconds is not described"),
    ("world.h", " * @seconds s: receives", " * @moment s: receives", "has no parameter moment"),
    ("world.h", "/* Ends all sleep. */\n", "", "vtb_world_wake_all has no comment above it"),
    ("settings.h", "       /* when an island sleeps */", "", "sleep has no comment"),
    ("settings.h", "typedef struct vtb_speed_settings {\n", "typedef struct vtb_speed_settings {\n  double struct_size; /* m: wrong here */\n",
     "max: a struct with a struct_size of its own inside another"),
    ("settings.h", "  vtb_friction_law friction_law;       /* [cone]: how a contact's friction is bounded */\n", "", "hidden padding at its end"),
    ("body.h", "  int32_t disabled;          /* 0 or 1 [0]: kept, but takes no part */\n", "", "hidden padding at its end"),
]


def fault_of(folder):
    try:
        read.read(folder / "vertebra.h")
    except SystemExit as fault:
        return str(fault)
    return ""


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "vertebra"
        shutil.copytree(sys.argv[2], folder)
        assert fault_of(folder) == ""
        for name, before, after, expected in CASES:
            path = folder / name
            good = path.read_text(encoding="utf-8")
            assert before in good, f"{name} no longer holds {before!r}: this test must follow"
            path.write_text(good.replace(before, after, 1), encoding="utf-8")
            fault = fault_of(folder)
            assert expected in fault and f"{name}:" in fault, f"{expected!r} was to be said, not {fault!r}"
            path.write_text(good, encoding="utf-8")
    print(len(CASES), "faults told")


main()
