#!/usr/bin/env python3
"""The verbs motion and markers.

Usage: motion_test.py PROGRAM MODELS [unittest arguments]
"""
import json
import math
import os
import sys
import unittest

import numpy

from cli import CliTest, MODELS, call


class MotionTools(CliTest):
    walk, wave = os.path.join(MODELS, "motions/walk.bvh"), os.path.join(MODELS, "motions/wave.bvh")

    def test_a_clip_is_worked_on(self):
        out = self.path("worked.bvh")
        found = self.json_of("motion", self.walk, "--trim", "1:3", "--filter", "6", "--mirror", "--speed", "2", "--append", self.wave, "--blend", "0.5", "-o", out)
        self.assertEqual(found["frames"], 61 + 301 - 30)
        self.assertEqual(self.json_of("motion", out, "--inspect")["frames"], found["frames"])
        for _ in range(2):
            self.json_of("motion", self.walk if _ == 0 else out, "--mirror", "-o", out)
        for frame in (0, 150, 300):
            a, b = self.json_of("fk", self.walk, "--frame", frame), self.json_of("fk", out, "--frame", frame)
            for link, pose in a["links"].items():
                self.assert_near(b["links"][link]["p"], pose["p"], 1e-9)

    def poses_of(self, clip, frame):
        return self.json_of("fk", clip, "--frame", frame)["links"]

    def test_other_parents_and_fewer_joints(self):
        hung, fewer = self.path("hung.bvh"), self.path("fewer.bvh")
        self.json_of("motion", self.walk, "--reparent", "LeftHand=Head", "-o", hung)
        self.json_of("motion", self.walk, "--drop", "Spine", "--drop", "LeftLeg", "-o", fewer)
        for frame in (0, 77, 300):
            was = self.poses_of(self.walk, frame)
            for clip, missing in ((hung, set()), (fewer, {"Spine", "LeftLeg"})):
                now = self.poses_of(clip, frame)
                self.assertEqual(set(was) - set(now), missing)
                for link, pose in now.items():
                    self.assert_near(pose["p"], was[link]["p"], 1e-6)
                    turn = abs(sum(a * b for a, b in zip(pose["q"], was[link]["q"])))
                    self.assertAlmostEqual(turn, 1, delta=1e-9)
        with open(hung) as file:
            text = file.read()
        self.assertLess(text.index("JOINT Head"), text.index("JOINT LeftHand"))
        self.assertLess(text.index("JOINT LeftHand"), text.index("JOINT LeftShoulder"))

    def test_in_place_with_the_path(self):
        still, path = self.path("still.bvh"), self.path("path.csv")
        self.json_of("motion", self.walk, "--in-place", "--path", path, "-o", still)
        with open(path) as file:
            rows = [line.split(",") for line in file.read().split()]
        self.assertEqual((rows[0], len(rows)), (["time", "x", "y", "heading"], 302))
        for frame in (0, 150, 300):
            time, x, y, heading = (float(word) for word in rows[1 + frame])
            self.assertAlmostEqual(time, frame / 60, delta=1e-5)
            now = self.poses_of(still, frame)
            self.assert_near(now["Hips"]["p"][:2], [0, 0], 1e-7)
            for link, pose in self.poses_of(self.walk, frame).items():  # the path put back gives the clip
                a, b, z = now[link]["p"]
                back = [x + math.cos(heading) * a - math.sin(heading) * b, y + math.sin(heading) * a + math.cos(heading) * b, z]
                self.assert_near(back, pose["p"], 1e-6)

    def test_a_period_is_cut_out_and_closed(self):
        for given in ("auto", "0.5:1.5"):
            period, still = self.path("period.bvh"), self.path("still_period.bvh")
            found = self.json_of("motion", self.walk, "--cycle", given, "--blend", "0.2", "-o", period)
            self.assertEqual((found["frames"], found["cycle"][1] - found["cycle"][0]), (61, 60))
            self.json_of("motion", period, "--in-place", "-o", still)
            first, last = self.poses_of(still, 0), self.poses_of(still, 60)
            for link, pose in first.items():
                self.assert_near(last[link]["p"], pose["p"], 1e-6)

    def test_inspection(self):
        found = self.json_of("motion", self.walk, "--inspect", "--contacts", "LeftToeBase")
        self.assertEqual((found["outliers"], found["loop"]["last"] - found["loop"]["first"]), ([], 60))
        self.assertGreater(len(found["contacts"]["LeftToeBase"]), 3)
        with open(self.walk) as file:
            head, rows = file.read().split("Frame Time:")
        rows = rows.split("\n")
        rows[1] = " ".join(rows[1].split()[:6] + ["0"] * (len(rows[1].split()) - 6))
        rows[100] = " ".join(rows[100].split()[:8] + ["70"] + rows[100].split()[9:])
        found = self.json_of("motion", self.write("odd.bvh", head + "Frame Time:" + "\n".join(rows)), "--inspect")
        self.assertEqual({d["code"] for d in found["outliers"]}, {"motion.first-frame", "motion.spike"})

    def test_what_cannot_be_done(self):
        for words in ((), ("--filter", "0", "-o", "x.bvh"), ("--trim", "9:1", "--inspect"), ("--trim", "1", "--inspect"), ("--inspect", "--blend", "1"),
                      ("-o", "x.bvh", "--contacts", "LeftToeBase"), ("-o", "x.bvh", "--loop", "1"), ("-o", "x.bvh", "--path", "x.csv"),
                      ("-o", "x.bvh", "--cycle", "1:1"), ("-o", "x.bvh", "--cycle", "0:1", "--loop", "1"), ("-o", "x.bvh", "--reparent", "LeftFoot")):
            self.assertEqual(call("motion", self.walk, *words).returncode, 2, words)
        for words in (("--drop", "Tail", "--inspect"), ("--reparent", "Hips=LeftFoot", "--inspect"), ("--filter", "30", "--inspect"), ("--append", self.bvh, "--inspect"), ("--inspect", "--contacts", "Tail"), ("-o", self.path("no/such/x.bvh"))):
            run = call("motion", self.walk, *words)
            self.assertEqual((run.returncode, run.stdout), (1, ""), words)
        self.assertEqual(call("motion", self.bvh, "--mirror", "--inspect").returncode, 1)


class MotionForms(CliTest):
    """What `vertebra motion` reads and writes: BVH, TRC, CSV, JSON, NPZ, tables."""

    walk, wave = os.path.join(MODELS, "motions/walk.bvh"), os.path.join(MODELS, "motions/wave.bvh")
    humanoid = os.path.join(MODELS, "urdf/humanoid.urdf")

    @staticmethod
    def rows_of(path):
        with open(path, encoding="utf-8") as file:
            lines = [line.rstrip("\n").split(",") for line in file if not line.startswith("#")]
        return lines[0], [[float(word) for word in line] for line in lines[1:]]

    def poses_of(self, clip, frame, *words):
        return self.json_of("fk", clip, "--frame", frame, *words)["links"]

    def test_a_clip_in_every_form(self):
        base = self.path("walk")
        for end in (".bvh", ".trc", ".csv", ".json", ".npz"):
            found = self.json_of("motion", self.walk, "--trim", "0:1", "-o", base + end)
            self.assertEqual(found["frames"], 61)
        names, rows = self.rows_of(base + ".csv")
        self.assertEqual((names[:3], len(rows)), (["root_x", "root_y", "root_z"], 61))
        with open(base + ".json", encoding="utf-8") as file:
            self.assertEqual(json.load(file)["frames"], rows)
        arrays = numpy.load(base + ".npz")
        self.assertEqual(list(arrays["joint_names"]), names[7:])
        hips = self.poses_of(self.walk, 30)["Hips"]["p"]
        self.assert_near(rows[30][:3], hips, 1e-12)
        self.assert_near(arrays["body_pos_w"][30][list(arrays["body_names"]).index("Hips")], hips, 1e-12)
        trc = [line.split("\t") for line in open(base + ".trc", encoding="utf-8").read().split("\n")]
        column = 3 * [name for name in trc[3][2:] if name].index("LeftFoot") + 2
        x, y, z = (float(word) / 1000 for word in trc[6 + 30][column:column + 3])
        self.assert_near([x, -z, y], self.poses_of(self.walk, 30)["LeftFoot"]["p"], 1e-8)
        again = self.json_of("motion", base + ".csv", "--figure", self.walk, "-o", base + ".again.bvh")
        self.assertEqual([d for d in again["diagnostics"] if d["code"] == "motion.guess"], [])
        now = self.poses_of(base + ".again.bvh", 30)
        for link, pose in self.poses_of(self.walk, 30).items():
            self.assert_near(now[link]["p"], pose["p"], 1e-9)

    def test_a_robot_s_trajectory_as_a_clip_and_back(self):
        csv, clip, back = self.path("robot.csv"), self.path("robot.bvh"), self.path("back.csv")
        self.json_of("retarget", self.walk, self.humanoid, "--rate", "30", "--to", "2", "-o", csv)
        found = self.json_of("motion", csv, "--figure", self.humanoid, "-o", clip)
        guess = [d for d in found["diagnostics"] if d["code"] == "motion.guess"]
        words = ("--unit", "1", "--up", "z") if guess else ()
        self.json_of("motion", clip, "--figure", self.humanoid, "-o", back, *words)
        names, was = self.rows_of(csv)
        again, now = self.rows_of(back)
        self.assertEqual(again, names)
        for a, b in zip(was, now):
            sign = 1 if sum(x * y for x, y in zip(a[3:7], b[3:7])) > 0 else -1
            self.assert_near(a[:3] + a[7:], b[:3] + b[7:], 1e-9)
            self.assert_near(a[3:7], [sign * x for x in b[3:7]], 1e-9)
        self.json_of("motion", csv, "--figure", self.humanoid, "--resample", "10", "-o", back)
        for a, b in zip(was[::3], self.rows_of(back)[1]):
            self.assert_near(a[:3] + a[7:], b[:3] + b[7:], 1e-9)
        self.json_of("motion", csv, "--figure", self.humanoid, "-o", self.path("robot.npz"))
        self.json_of("motion", csv, "--figure", self.humanoid, "-o", self.path("robot.trc"))

    def test_markers(self):
        record, out, table = self.path("walk.trc"), self.path("out.trc"), self.path("table.csv")
        chosen = self.write("set.xml", '<markers>\n<marker name="A" joint="Hips"/>\n<marker name="B" joint="LeftFoot" offset="0 0 0.1"/>\n</markers>')
        self.json_of("markers", self.walk, "--set", chosen, "-o", record)
        self.json_of("motion", record, "--trim", "1:2", "-o", out)
        rows, cut = ([line.split("\t")[2:] for line in open(path, encoding="utf-8").read().split("\n")[6:-1]] for path in (record, out))
        self.assertEqual(len(cut), 61)
        for a, b in zip(rows[60:121], cut):
            self.assert_near([float(x) for x in a], [float(x) for x in b], 1e-5)
        self.json_of("motion", record, "--table", table, "--columns", "velocities")
        names, rates = self.rows_of(table)
        self.assertEqual(names[:4], ["time", "A.vx", "A.vy", "A.vz"])
        self.assertAlmostEqual(rates[100][1], 30 * (float(rows[101][0]) - float(rows[99][0])) / 1000, delta=1e-6)
        self.assertEqual(self.json_of("motion", record, "--inspect")["outliers"], [])
        self.json_of("markers", self.walk, "--set", chosen, "-o", record, "--dropout", "0.1")
        run = call("motion", record, "-o", out)
        self.assertEqual(run.returncode, 1)
        self.assertIn("marker '", run.stderr)
        self.assertIn("--fill", run.stderr)
        self.assertIn("markers.filled", {d["code"] for d in self.json_of("motion", record, "--fill", "-o", out)["diagnostics"]})
        for end in (".bvh", ".csv", ".json", ".npz"):
            run = call("motion", record, "--fill", "-o", self.path("x" + end))
            self.assertEqual(run.returncode, 1)
            self.assertIn("points", run.stderr)

    def test_tables(self):
        table = self.path("table.csv")
        self.json_of("motion", self.walk, "--table", table, "--columns", "positions,velocities,accelerations", "--at", "0.5,0.5083333333333333,1")
        names, rows = self.rows_of(table)
        self.assertEqual([row[0] for row in rows], [0.5, 0.5083333333333333, 1.0])
        at = names.index("LeftFoot.x")
        self.assertEqual(names[at:at + 19], ["LeftFoot." + s for s in "x y z qx qy qz qw vx vy vz wx wy wz ax ay az bx by bz".split()])
        p = [self.poses_of(self.walk, frame)["LeftFoot"]["p"] for frame in range(28, 33)]
        self.assert_near(rows[0][at:at + 3], p[2], 1e-6)
        self.assert_near(rows[0][at + 7:at + 10], [30 * (b - a) for a, b in zip(p[1], p[3])], 1e-4)
        self.assert_near(rows[0][at + 13:at + 16], [3600 * (a - 2 * b + c) for a, b, c in zip(p[1], p[2], p[3])], 0.01)
        half = [15 * (b - a) + 15 * (d - c) for a, b, c, d in zip(p[1], p[3], p[2], p[4])]
        self.assert_near(rows[1][at + 7:at + 10], half, 1e-4)
        self.json_of("motion", self.walk, "--table", table, "--at", "0:1:0.25")
        self.assertEqual([row[0] for row in self.rows_of(table)[1]], [0, 0.25, 0.5, 0.75, 1])
        for words in (("--at", "9"), ("--at", "0:1"), ("--at", "x"), ("--at", "0:1:0"), ("--columns", "forces")):
            self.assertEqual(call("motion", self.walk, "--table", table, *words).returncode, 2, words)

    def test_frames_are_mended(self):
        with open(self.walk) as file:
            head, rows = file.read().split("Frame Time:")
        rows = rows.split("\n")
        rows[1] = " ".join(rows[1].split()[:6] + ["0"] * (len(rows[1].split()) - 6))
        rows[100] = " ".join(rows[100].split()[:8] + ["70"] + rows[100].split()[9:])
        odd, out = self.write("odd.bvh", head + "Frame Time:" + "\n".join(rows)), self.path("mended.bvh")
        for how, frames in (("cut", 299), ("interpolate", 301)):
            found = self.json_of("motion", odd, "--mend", how, "--inspect", "-o", out)
            self.assertEqual((found["frames"], found["outliers"]), (frames, []))
            self.assertEqual([d["element"] for d in found["diagnostics"] if d["code"] == "motion.mended"], ["frame 0", "frame 99"])
        was, now = self.poses_of(self.walk, 99), self.poses_of(out, 99)
        for link, pose in was.items():
            self.assert_near(now[link]["p"], pose["p"], 5e-3)

    def test_what_cannot_be_done(self):
        csv = self.write("x.csv", "# fps=10\nroot_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw\n0,0,1,0,0,0,1\n")
        for words in ((csv, "-o", "x.bvh"), (self.walk, "-o", "x.txt"), (self.walk, "--columns", "positions", "--inspect"), (self.walk, "--at", "1", "--inspect"),
                      (self.walk, "--mend", "paint", "--inspect")):
            self.assertEqual(call("motion", *words).returncode, 2, words)
        run = call("motion", self.wave, "--figure", self.humanoid, "-o", self.path("x.csv"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("retarget", run.stderr)
        run = call("motion", csv, "--figure", self.humanoid, "-o", self.path("x.bvh"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("does not fit", run.stderr)


class Markers(CliTest):
    walk = os.path.join(MODELS, "motions/walk.bvh")

    def test_a_record(self):
        chosen = self.write("set.xml", '<markers>\n<marker name="A" joint="Hips"/>\n<marker name="B" joint="LeftFoot" offset="0 0 0.1"/>\n</markers>')
        out = self.path("walk.trc")
        found = self.json_of("markers", self.walk, "--set", chosen, "-o", out)
        self.assertEqual((found["markers"], found["frames"]), (2, 301))
        rows = open(out, encoding="utf-8").read().split("\n")[6:-1]
        hips = self.json_of("fk", self.walk, "--frame", 7)["links"]["Hips"]["p"]
        x, y, z = map(float, rows[7].split("\t")[2:5])
        self.assert_near([x / 1000, -z / 1000, y / 1000], hips, 1e-8)
        for seed in ("1", "2"):
            self.json_of("markers", self.walk, "--set", chosen, "-o", self.path(seed), "--noise", "2", "--dropout", "0.3", "--swap", "1", "--seed", seed)
        self.assertNotEqual(open(self.path("1")).read(), open(self.path("2")).read())
        for words in (("--set", chosen), ("-o", out), ("--set", chosen, "-o", out, "--dropout", "1"), ("--set", chosen, "-o", out, "--noise", "-1")):
            self.assertEqual(call("markers", self.walk, *words).returncode, 2, words)
        run = call("markers", self.walk, "--set", self.write("odd.xml", '<markers>\n<marker name="A" joint="Hip"/></markers>'), "-o", out)
        self.assertEqual(run.returncode, 1)
        self.assertIn("odd.xml:2", run.stderr)
        self.assertIn("'Hips'", run.stderr)

    def test_a_fit(self):
        text = "<markers>\n"
        for joint in ("Hips", "Chest", "Head", "LeftArm", "LeftForeArm", "LeftHand", "RightArm", "RightForeArm", "RightHand", "LeftUpLeg", "LeftLeg", "LeftFoot",
                      "RightUpLeg", "RightLeg", "RightFoot"):
            for k, offset in enumerate(("0.05 0 0.05", "-0.05 0.05 0", "0 -0.05 -0.05")):
                text += f'<marker name="{joint}{k}" joint="{joint}" offset="{offset}"/>\n'
        chosen, record, out = self.write("set.xml", text + "</markers>"), self.path("walk.trc"), self.path("walk.csv")
        self.json_of("markers", self.walk, "--set", chosen, "-o", record, "--swap", "1", "--dropout", "0.05")
        found = self.json_of("markers", record, "--figure", self.walk, "--set", chosen, "-o", out, "--noise", "1")
        self.assertEqual((found["frames"], found["swaps"]), (301, 1))
        self.assertLess(found["residual_mm"], 10)
        first = [line for line in open(out, encoding="utf-8") if line[0] in "-0123456789"][0].split(",")
        for value, wanted in zip(first[:3], self.json_of("fk", self.walk, "--frame", 0)["links"]["Hips"]["p"]):
            self.assertAlmostEqual(float(value), wanted, delta=0.02)
        longer, bones = self.path("longer.xml"), self.path("bones.xml")
        call("figure", self.walk, "--bone", "LeftUpLeg=1.1", "--bone", "RightLeg=0.92", "-o", longer)
        found = self.json_of("markers", record, "--figure", longer, "--set", chosen, "-o", out, "--noise", "1", "--bones", bones)
        told = {d["element"]: d["message"] for d in found["diagnostics"] if d["code"] == "markers.bone"}
        self.assertRegex(told["link 'LeftUpLeg'"], r"is (8|9|10)\.\d % shorter")
        self.assertRegex(told["link 'RightLeg'"], r"is (7|8|9)\.\d % longer")
        self.assertLess(found["residual_mm"], 10)
        self.json_of("motion", out, "--figure", bones, "-o", self.path("bones.bvh"))
        self.assertEqual(call("markers", self.walk, "--set", chosen, "-o", record, "--bones", bones).returncode, 2)
        for words in (("--swap", "1"), ("--dropout", "0.1")):
            self.assertEqual(call("markers", record, "--figure", self.walk, "--set", chosen, "-o", out, *words).returncode, 2, words)
        self.assertEqual(call("markers", self.walk, "--set", chosen, "-o", out, "--calibrate").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
