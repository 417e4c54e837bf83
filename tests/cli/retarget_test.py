#!/usr/bin/env python3
"""The verb retarget.

Usage: retarget_test.py PROGRAM MODELS [unittest arguments]
"""
import json
import math
import os
import shutil
import sys
import unittest

from cli import CliTest, MODELS, call, one_object


class Retarget(CliTest):
    walk, humanoid = os.path.join(MODELS, "motions/walk.bvh"), os.path.join(MODELS, "urdf/humanoid.urdf")

    def test_the_extension_says_the_form(self):
        for name, begin in (("walk.json", b'{"fps":30,'), ("walk.npz", b"PK\x03\x04"), ("walk.csv", b"# fps=30")):
            self.json_of("retarget", self.walk, self.humanoid, "-o", self.path(name), "--rate", "30")
            with open(self.path(name), "rb") as file:
                self.assertEqual(file.read(len(begin)), begin)
        with open(self.path("walk.json"), encoding="utf-8") as file:
            frames = json.load(file)["frames"]
        self.assertEqual(len(frames), 151)

    def test_a_walk(self):
        out = self.path("walk.csv")
        found = self.json_of("retarget", self.walk, self.humanoid, "-o", out, "--rate", "30")
        self.assertIn("LeftUpLeg", found["roles"]["left_hip"])
        self.assertIn("left_shank", found["roles"]["left_knee"])
        lines = open(out, encoding="utf-8").read().splitlines()
        rows = [line for line in lines if not line.startswith("#")]
        self.assertEqual(lines[0], "# fps=30")
        header = rows[0].split(",")
        self.assertEqual(header[:7], ["root_x", "root_y", "root_z", "root_qx", "root_qy", "root_qz", "root_qw"])
        self.assertEqual(len(header), found["coordinates"])
        self.assertEqual(len(rows) - 1, found["frames"])
        for row in rows[1:]:
            numbers = [float(x) for x in row.split(",")]
            self.assertEqual(len(numbers), len(header))
            self.assertAlmostEqual(sum(x * x for x in numbers[3:7]), 1, delta=1e-9)
            self.assertTrue(0.5 < numbers[2] < 1.2)
        again = self.path("again.csv")
        self.assertIn("left_knee", call("retarget", self.walk, self.humanoid, "--out=" + again, "--rate=30").stdout)
        self.assertEqual(open(out).read(), open(again).read())

    def test_a_map(self):
        saved, out, again = self.path("map.xml"), self.path("one.csv"), self.path("two.csv")
        call("retarget", self.walk, self.humanoid, "-o", out, "--rate", "10", "--save-map", saved)
        text = open(saved, encoding="utf-8").read()
        self.assertIn('<role name="left_knee" joint="LeftLeg" link="left_shank"/>', text)
        self.assertEqual(call("retarget", self.walk, self.humanoid, "-o", again, "--rate", "10", "--map", saved).returncode, 0)
        self.assertEqual(open(out).read(), open(again).read())
        wrong = self.path("wrong.xml")
        with open(wrong, "w", encoding="utf-8") as file:
            file.write('<retarget_map>\n  <role name="left_knee" joint="LeftLegg"/>\n</retarget_map>\n')
        error = self.assert_fails_with("retarget", self.walk, self.humanoid, "--map", wrong)
        self.assertIn("wrong.xml:2", error)
        self.assertIn("did you mean 'LeftLeg'?", error)
        # What does not suffice is saved all the same, to be filled in.
        part = self.path("part.xml")
        self.assert_fails_with("retarget", self.walk, self.pendulum, "--save-map", part)
        self.assertIn('joint="LeftUpLeg"', open(part, encoding="utf-8").read())
        self.assert_fails_with("retarget", self.walk, self.humanoid, "--map", self.path("none.xml"))

    def test_a_report(self):
        report, page = self.path("report.json"), self.path("report.html")
        call("retarget", self.walk, self.humanoid, "--rate", "30", "--report", report, "--report", page)
        with open(report, encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual(found["clip"]["frames"], 151)
        self.assertLess(found["clip"]["slide_max_mm"], 2)
        self.assertEqual(found["clip"]["limit_frames_pct"], 0)
        self.assertEqual(found["clip"]["contacts_count"], len(found["contacts"]))
        self.assertIn("left_knee", found["key_points"])
        self.assertTrue(all(j["lowest_rad_or_m"] <= j["highest_rad_or_m"] for j in found["joints"]))
        text = open(page, encoding="utf-8").read()
        self.assertEqual(text.count("<svg"), 5)
        self.assertEqual(text.count("<svg"), text.count("</svg>"))
        for part in ("nan", "http://", "<script"):  # but for the name space of SVG
            self.assertNotIn(part, text.replace("http://www.w3.org/2000/svg", ""))
        run = call("retarget", self.path("none.bvh"), self.humanoid, "--report", self.path("report.txt"))  # before all work
        self.assertEqual(run.returncode, 2)
        self.assertIn("report.txt", run.stderr)

    def test_a_folder(self):
        source, out = self.path("clips"), self.path("robot")
        os.makedirs(os.path.join(source, "deep"))
        for name in ("one.bvh", "deep/two.BVH"):
            shutil.copy(self.walk, os.path.join(source, name))
        with open(os.path.join(source, "bad.bvh"), "w", encoding="utf-8") as file:
            file.write("HIERARCHY nothing\n")
        words = ("retarget", source, self.humanoid, "-o", out, "--rate", "10", "--jobs", "2")
        run = call(*words, "--json")
        self.assertEqual(run.returncode, 1)
        self.assertIn("bad.bvh", run.stderr)
        found = one_object(run.stdout)
        self.assertEqual([found[key] for key in ("made", "kept", "failed")], [2, 0, 1])
        self.assertEqual([clip["state"] for clip in found["clips"]], ["failed", "made", "made"])
        self.assertLess(found["clips"][1]["slide_max_mm"], 5)
        self.assertIn("LeftUpLeg", found["clips"][1]["roles"]["left_hip"])
        self.assertIn("bvh.unit", {d["code"] for d in found["clips"][1]["diagnostics"]})
        self.assertEqual(found["clips"][0]["roles"], {})
        alone = self.path("alone.csv")
        call("retarget", self.walk, self.humanoid, "-o", alone, "--rate", "10")
        for name in ("one.csv", "deep/two.csv"):
            settings, rest = open(os.path.join(out, name)).read().split("\n", 1)
            self.assertRegex(settings, "^# made with figure=.*humanoid.urdf rate=10 ")
            self.assertEqual(rest, open(alone).read())
        self.assertFalse([name for name in os.listdir(out) if name.endswith(".part")])
        # Goes on where it was stopped: what is there is kept, unless the clip is newer.
        os.remove(os.path.join(source, "bad.bvh"))
        os.remove(os.path.join(out, "deep/two.csv"))
        run = call(*words)
        self.assertEqual(run.returncode, 0)
        self.assertIn("1 made, 1 kept, 0 failed", run.stdout)
        self.assertRegex(run.stdout, r"left_hip +joint 'LeftUpLeg'.* 1 +two.BVH")
        late = os.path.getmtime(os.path.join(out, "one.csv")) + 10
        os.utime(os.path.join(source, "one.bvh"), (late, late))
        self.assertIn("1 made, 1 kept, 0 failed", call(*words).stdout)
        # Kept is only what was made with the same rate and figure.
        other = self.path("other.urdf")
        shutil.copy(self.humanoid, other)
        os.utime(other, (1e9, 1e9))
        os.utime(os.path.join(source, "one.bvh"), (1e9, 1e9))
        self.assertIn("0 made, 2 kept", call("retarget", source, self.humanoid, "-o", out, "--rate", "10").stdout)
        self.assertIn("2 made, 0 kept", call("retarget", source, self.humanoid, "-o", out, "--rate", "12").stdout)
        self.assertIn("2 made, 0 kept", call("retarget", source, other, "-o", out, "--rate", "12").stdout)
        # Two clips with one result, others between them.
        for name in ("same.bvh", "same.BVH", "same.Bvh"):
            shutil.copy(self.walk, os.path.join(source, name))
        run = call("retarget", source, other, "-o", out, "--rate", "12", "--jobs", "2")
        self.assertIn("1 made, 2 kept, 2 failed", run.stdout)
        self.assertEqual(run.stderr.count("has the same result"), 2)
        self.assertEqual(call("retarget", source, self.humanoid).returncode, 2)
        self.assertEqual(call(*words, "--report", "x.json").returncode, 2)
        self.assertEqual(call("retarget", self.walk, self.humanoid, "--jobs", "2").returncode, 2)
        os.makedirs(self.path("empty"))
        self.assertIn("no BVH", self.assert_fails_with("retarget", self.path("empty"), self.humanoid, "-o", out))

    def test_a_report_after_a_fall(self):
        report, page, out = self.path("fall.json"), self.path("fall.html"), self.path("fall.csv")
        fast = self.path("fast.bvh")  # 1.25 s: four times as fast as it was walked
        with open(self.walk, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("Frame Time: 0.01666667", text)
        with open(fast, "w", encoding="utf-8") as file:
            file.write(text.replace("Frame Time: 0.01666667", "Frame Time: 0.00416667"))
        words = ("retarget", fast, self.humanoid, "--rate", "30", "--physics", "--no-assist", "--step", "1/120", "--report", report, "--report", page, "-o", out)
        found = self.json_of(*words)
        self.assertTrue(found["physics"]["fell"])
        with open(report, encoding="utf-8") as file:
            told = json.load(file)
        self.assertEqual(told["physics"]["fell"], True)
        self.assertEqual(told["clip"]["frames"], found["frames"])
        self.assertAlmostEqual(told["physics"]["time"], found["physics"]["time"])
        self.assertLess(found["frames"], 37)
        with open(page, encoding="utf-8") as file:
            self.assertIn("fell after", file.read())

    def test_what_is_changed_of_the_motion_is_told(self):
        """The walk climbs by 3 cm a metre and begins with a T-pose."""
        with open(self.walk, encoding="utf-8") as file:
            lines = file.read().splitlines()
        first = next(i for i, line in enumerate(lines) if line.startswith("Frame Time")) + 1
        frames = [[float(word) for word in line.split()] for line in lines[first:]]
        way = [b - a for a, b in zip(frames[0][:3], frames[-1][:3])]
        size = math.hypot(way[0], way[2])
        for frame in frames:
            frame[1] += 0.03 * (frame[0] * way[0] + frame[2] * way[2]) / size
        frames[0][3:] = [0.0] * len(frames[0][3:])
        odd = self.write("odd.bvh", "\n".join(lines[:first] + [" ".join(map(repr, frame)) for frame in frames]) + "\n")
        told = {d["code"]: d["message"] for d in self.json_of("retarget", odd, self.humanoid, "--rate", "30")["diagnostics"]}
        self.assertIn("T-pose", told["retarget.first-frame"])
        self.assertIn("1.7 degrees", told["retarget.floor"])
        self.assertIn("retarget.floor", call("retarget", odd, self.humanoid, "--rate", "30").stderr)
        self.assertNotIn("retarget.", call("retarget", self.walk, self.humanoid, "--rate", "30").stderr)
        os.makedirs(self.path("odd"), exist_ok=True)
        shutil.copy(odd, self.path("odd"))
        clips = self.json_of("retarget", self.path("odd"), self.humanoid, "-o", self.path("odd_out"), "--rate", "30")["clips"]
        self.assertIn("retarget.floor", [d["code"] for d in clips[0]["diagnostics"]])

    def test_onto_another_figure(self):
        self.assertEqual(self.json_of("retarget", self.walk, os.path.join(MODELS, "motions/squat.bvh"), "--rate", "10")["frames"], 51)

    def test_what_cannot_be_done(self):
        self.assertIn("left_foot", self.assert_fails_with("retarget", self.bvh, self.humanoid))
        self.assertIn("left_hip", self.assert_fails_with("retarget", self.walk, self.pendulum))
        self.assertIn("not a BVH", self.assert_fails_with("retarget", self.humanoid, self.humanoid))
        self.assertIn("no/such", self.assert_fails_with("retarget", self.walk, self.humanoid, "-o", self.path("no/such/x.csv")))
        self.assertEqual(call("retarget", self.walk, self.humanoid, "--rate", "0").returncode, 2)
        self.assertEqual(call("retarget", self.walk, self.humanoid, "-x", "0").returncode, 2)

    def assert_fails_with(self, *words):
        run = call(*words)
        self.assertEqual(run.returncode, 1, run.stderr)
        return run.stderr


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
