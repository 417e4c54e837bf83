#!/usr/bin/env python3
"""Adds a toy joint type, solver, stepper, shape and world setting to a copy of the tree, counts the files that each has to change beside
its own new one, and lets the compiler and the reader of the header check what was written.

additions_test.py ROOT COMPILER_COMMAND...: the command checks one source for syntax (its path is appended, in the copy's root).
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MOST = 3  # files beside the new one

JOINT = "engine/dynamics/joints/toy.hpp"
SHAPE = "engine/geometry/shapes/toy.cpp"
SOLVER = "engine/solve/toy.cpp"
STEPPER = "engine/steppers/toy.cpp"


def renamed(path, *pairs):
    """A new file as one that exists, under other names."""
    def text(root):
        result = (root / path).read_text(encoding="utf-8")
        for old, new in pairs:
            assert old in result, (path, old)
            result = result.replace(old, new)
        return result
    return text


def insert(pattern, replacement):
    """One replacement by a pattern that must stand in the file once."""
    def change(text):
        changed, count = re.subn(pattern, replacement, text, flags=re.S)
        assert count == 1, (pattern, count)
        return changed
    return change


def both(*changes):
    def change(text):
        for one in changes:
            text = one(text)
        return text
    return change


# What is added: its new file, the files that change, the sources that must compile, the word that vertebra.json must know.
ADDITIONS = {
    "a joint type": (
        {JOINT: renamed("engine/dynamics/joints/revolute.hpp", ("RevoluteJoint", "ToyJoint"), ('"revolute"', '"toy"'))},
        {"engine/dynamics/joint_type.hpp": insert(r"(  Wheel,\n)", r"\1  Toy,\n"),
         "engine/dynamics/joints/joints.hpp": both(
             insert(r'(#include "engine/dynamics/joints/spherical.hpp"\n)', r'\1#include "engine/dynamics/joints/toy.hpp"\n'),
             insert(r"(    case JointType::Wheel:)", r"    case JointType::Toy:\n      return f(ToyJoint{});\n\1")),
         "capi/include/vertebra/joint_type.h": insert(r"(VTB_JOINT_TYPE_WHEEL = 10,[^\n]*\n)", r"\1  VTB_JOINT_TYPE_TOY = 11, /* a toy */\n")},
        ["engine/dynamics/joint_type.cpp", "engine/trees/joint_coordinates.cpp"], "VTB_JOINT_TYPE_TOY"),
    "a solver": (
        {SOLVER: renamed("engine/solve/jacobi.cpp", ("solveJacobi", "solveToy"))},
        {"engine/solve/solver.hpp": insert(r"(enum class Solver : std::uint8_t \{[^}]*Lemke)", r"\1, Toy"),
         "engine/solve/solvers.cpp": both(
             insert(r"(SolveReport solveLemke\([^;]*;\n)", r"\1SolveReport solveToy(RowProblem& problem, const SolverSettings& settings);\n"),
             insert(r'(\{"lemke", solveLemke, reserveLemke\})', r'\1, {"toy", solveToy}')),
         "capi/include/vertebra/settings.h": insert(r"(VTB_SOLVER_LEMKE = 4)( [^\n]*\n)", r"\1,\2  VTB_SOLVER_TOY = 5 /* a toy */\n")},
        [SOLVER, "engine/solve/solvers.cpp"], "VTB_SOLVER_TOY"),
    "a stepper": (
        {STEPPER: lambda root: "// A toy: nothing moves.\n#include \"engine/steppers/steppers.hpp\"\n\nnamespace vertebra::steppers {\n\n"
                               "Failure stepToy(WorldData&, double) { return {}; }\n\n}  // namespace vertebra::steppers\n"},
        {"engine/state/settings.hpp": insert(r"(enum class Stepper : std::uint8_t \{[^}]*Displacement = 4)", r"\1, Toy = 5"),
         "engine/steppers/steppers.cpp": both(
             insert(r"(namespace vertebra::\w+ \{\n)(namespace \{)", r"\1\nFailure stepToy(WorldData& w, double h);\n\n\2"),
             insert(r'(    \{\.name = "displacement".*?\},\n)(\};)', r'\1    {.name = "toy", .step = stepToy},\n\2')),
         "capi/include/vertebra/settings.h": insert(r"(VTB_STEPPER_DISPLACEMENT = 4)( [^\n]*)?\n", r"\1,\2\n  VTB_STEPPER_TOY = 5 /* a toy */\n")},
        [STEPPER, "engine/steppers/steppers.cpp"], "VTB_STEPPER_TOY"),
    "a shape": (
        {SHAPE: renamed("engine/geometry/shapes/box.cpp", ("const ShapeTraits kBoxTraits", "extern const ShapeTraits kToyTraits;\nconst ShapeTraits kToyTraits"),
                 ('"box"', '"toy"'))},
        {"engine/geometry/shape.hpp": insert(r"(  Heightfield)( +//[^\n]*)\n\}", r"\1,\2\n  Toy\n}"),
         "engine/geometry/shapes/shapes.cpp": both(
             insert(r"(namespace vertebra::\w+ \{\n)(namespace \{)", r"\1\nextern const ShapeTraits kToyTraits;\n\n\2"),
             insert(r"(&kHeightfieldTraits)\}", r"\1, &kToyTraits}")),
         "capi/include/vertebra/shape.h": insert(r"(VTB_SHAPE_TYPE_HEIGHTFIELD = \d+)([^\n]*\n)(\} vtb_shape_type)",
                                                 r"\1,\2  VTB_SHAPE_TYPE_TOY = 9 /* a toy */\n\3")},
        [SHAPE, "engine/geometry/shapes/shapes.cpp", "capi/src/convert.cpp"], "VTB_SHAPE_TYPE_TOY"),
    "a world setting": (
        {},
        {"engine/state/settings.hpp": insert(r"(  int maxHalvings = 4;\n)", r"\1  double toy = 0.5;\n"),
         "capi/src/conversions.hpp": insert(r"(      part<&D::displacement, DisplacementSettingsPairs>\(\),\n)", r"\1      same<&D::toy, &O::toy>(),\n"),
         "capi/include/vertebra/settings.h": insert(r"(\} vtb_world_def;)", r"  double toy; /* 1, 0 to 1 [0.5]: a toy */\n\1")},
        ["capi/src/description.cpp", "capi/src/world.cpp"], '"toy"'),
}


def add(root, name, compiler):
    new, changed, sources, word = ADDITIONS[name]
    for path, text in new.items():
        assert not (root / path).exists(), path
        (root / path).write_text(text(root), encoding="utf-8")
    for path, change in changed.items():
        before = (root / path).read_text(encoding="utf-8")
        (root / path).write_text(change(before), encoding="utf-8")
    made = root / "made/api"
    subprocess.run([sys.executable, "-B", root / "capi/api/generate.py", root / "capi/include/vertebra/vertebra.h", "0.0.0", made], check=True)
    assert word in (made / "vertebra.json").read_text(encoding="utf-8"), f"{name}: vertebra.json does not know {word}"
    for source in sources:
        subprocess.run([*compiler, "-I" + str(root), "-I" + str(root / "capi/include"), "-I" + str(made), str(root / source)],
                       check=True, cwd=root)
    print(f"{name}: {len(changed)} files beside {len(new)} new")
    return len(changed)


def main():
    source, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
    too_many = []
    for name in ADDITIONS:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for part in ("engine", "loaders", "capi"):
                shutil.copytree(source / part, root / part)
            if add(root, name, compiler) > MOST:
                too_many.append(name)
    if too_many:
        sys.exit(f"more than {MOST} files besides the new one: {', '.join(too_many)}")


main()
