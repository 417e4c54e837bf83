#!/usr/bin/env python3
"""Manual pages and completion: every verb and option that the command prints stands in them, and bash completes them.

manual_test.py COMMAND MANUAL: MANUAL is the folder that cli/manual/manual.py wrote.
"""
import pathlib
import re
import subprocess
import sys
import unittest

COMMAND, MANUAL = sys.argv[1], pathlib.Path(sys.argv[2])


def printed(*words):
    return subprocess.run([COMMAND, *words], check=True, capture_output=True, text=True).stdout


VERBS = re.findall(r"^  (\w+) ", printed("--help").partition("verbs:")[2].partition("\n\n")[0], re.MULTILINE)


def completed(*words):
    """What bash offers for the last of these words after `vertebra`."""
    script = f'source "{MANUAL}/completions/vertebra"; COMP_WORDS=(vertebra "$@"); COMP_CWORD=$#; _vertebra; printf "%s\\n" "${{COMPREPLY[@]}}"'
    return subprocess.run(["bash", "-c", script, "bash", *words], check=True, capture_output=True, text=True).stdout.split()


class Manual(unittest.TestCase):
    def test_every_option_of_every_verb_has_its_place(self):
        self.assertGreater(len(VERBS), 8)
        for verb in VERBS:
            page = (MANUAL / f"man1/vertebra-{verb}.1").read_text(encoding="utf-8").replace("\\-", "-")
            options = set(re.findall(r"^  (?:-\w, )?--([\w-]+)", printed(verb, "--help"), re.MULTILINE))
            self.assertEqual({*re.findall(r"\\fB--([\w-]+)\\fR", page), "help"}, options, verb)
            self.assertTrue(options <= {word[2:] for word in completed(verb, "--")}, verb)

    def test_the_overview_names_the_verbs(self):
        page = (MANUAL / "man1/vertebra.1").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^\\fBvertebra\\-(\w+)\\fR\(1\)$", page, re.MULTILINE), VERBS)

    def test_bash_completes(self):
        self.assertEqual(completed("sim"), ["simulate"])
        self.assertIn("variational", completed("simulate", "x.urdf", "--stepper", ""))
        self.assertEqual(completed("simulate", "x.urdf", "--stepper", "sp"), ["spook"])
        self.assertEqual(completed("simulate", "x.u"), [])  # files, which bash completes by itself


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
