#!/usr/bin/env python3
"""What FMUs hold: functions, libraries, the model, modelDescription.xml by the standard's rules (rules.py); and wrong use of the command.
Arguments: fmus.py.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import importer
import rules
from fmus import FOLDER, PENDULUM, PROGRAM, STEP, fmu, model
from importer import OK


class Packing(unittest.TestCase):
    def test_every_function_is_exported_and_nothing_else(self):
        for version in (2, 3):
            told = subprocess.run(["nm", "-D", "--defined-only", str(fmu("roll.xml", version).library_path)], capture_output=True, text=True,
                                  check=True)
            seen = {line.split()[2] for line in told.stdout.splitlines()}
            self.assertEqual({name for name in seen if not name.startswith("vertebra_fmu_")}, set(importer.FUNCTIONS[version]))
        self.assertEqual((len(importer.FUNCTIONS[2]), len(importer.FUNCTIONS[3])), (44, 75))

    def test_libraries_come_from_the_fmu(self):
        made = fmu("roll.xml", 2)
        own = made.library_path.parent.resolve()
        told = subprocess.run(["ldd", str(made.library_path)], capture_output=True, text=True, check=True).stdout
        for line in told.splitlines():
            name = line.split()[0]
            if not name.startswith(("linux-vdso", "libstdc++", "libm.", "libgcc_s", "libc.", "/lib", "libpthread", "libdl", "librt")):
                self.assertIn(str(own), line)

    def test_licences_of_all_libraries_go_with_it(self):
        made = fmu("roll.xml", 2)
        folder = made.folder / "documentation/licenses"
        text = (folder / "license.txt").read_text(encoding="utf-8")
        self.assertIn("MIT License", text)
        for library in made.library_path.parent.iterdir():
            if library == made.library_path:
                continue
            lines = [line for line in text.splitlines() if line.startswith(library.name + ": ")]
            self.assertEqual(len(lines), 1, library.name)
            file = folder / lines[0].split(": ", 1)[1]
            self.assertGreater(file.stat().st_size, 100, lines[0])  # Debian has a copyright file for each package

    def test_nothing_is_read_outside_of_the_fmu(self):
        """The model's own files may go away."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "model.urdf").write_text(PENDULUM, encoding="utf-8")
            out = pathlib.Path(folder) / "m.fmu"
            subprocess.run([str(PROGRAM), "fmu", f"{folder}/model.urdf", "-o", str(out)], capture_output=True, check=True)
            (pathlib.Path(folder) / "model.urdf").unlink()
            one = importer.Fmu(out, pathlib.Path(folder) / "unpacked").instance()
            self.assertEqual([one.begin(), one.step(0, STEP)], [OK, OK])
            one.free()

    def test_descriptions_keep_the_rules(self):
        for name, options in (("roll.xml", ()), ("pendulum.urdf", ()), ("pendulum.urdf", ("--inputs", "position")), ("urdf/humanoid.urdf", ()),
                              ("urdf/humanoid.urdf", ("--inputs", "velocity")), ("scenes/joint_types.xml", ()), ("scenes/loader.xml", ()),
                              ("scenes/figures.xml", ("--inputs", "position"))):
            for version in (2, 3):
                self.assertEqual(rules.complaints(fmu(name, version, *options).root), [], (name, version))

    def test_the_rules_can_fail(self):
        root = fmu("pendulum.urdf", 2).root
        for spoil in (lambda v: v[1].set("name", "time"), lambda v: v[1].set("valueReference", "0"), lambda v: v[-1].set("initial", "exact"),
                      lambda v: v[0][0].set("unit", "furlong"), lambda v: v.append(v[-1])):
            copy = importer.xml.etree.ElementTree.fromstring(importer.xml.etree.ElementTree.tostring(root))
            spoil(copy.find("ModelVariables"))
            self.assertNotEqual(rules.complaints(copy), [])

    def test_wrong_use_of_the_command(self):
        for options, status, text in ((["-o", "x.zip"], 2, "ends with .fmu"), ([], 2, "-o OUT.fmu"), (["-o", "x.fmu", "--fmi", "1"], 2, "fmi"),
                                      (["-o", "x.fmu", "--inputs", "magic"], 2, "inputs")):
            ran = subprocess.run([str(PROGRAM), "fmu", str(model("pendulum.urdf")), *options], capture_output=True, text=True, check=False,
                                 cwd=FOLDER.name)
            self.assertEqual(ran.returncode, status, ran.stderr)
            self.assertIn(text, ran.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
