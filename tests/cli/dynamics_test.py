#!/usr/bin/env python3
"""The verbs fk, dynamics and convert against closed forms.

Usage: dynamics_test.py PROGRAM MODELS [unittest arguments]
"""
import math
import sys
import unittest

from cli import CliTest, G, call


class Kinematics(CliTest):
    def test_planar_arm(self):
        a, b = 0.7, -1.1
        links = self.json_of("fk", self.arm, "--q", f"{a},{b}")["links"]
        self.assertEqual(list(links), ["world", "upper", "fore", "tip", "finger"])
        c, s = math.cos, math.sin
        self.assert_near(links["fore"]["p"], [c(a), s(a), 0])
        self.assert_near(links["tip"]["p"], [c(a) + 0.5 * c(a + b), s(a) + 0.5 * s(a + b), 0])
        self.assert_near(links["tip"]["q"], [0, 0, s((a + b) / 2), c((a + b) / 2)])
        turn = a + b + 0.5 * b + 0.1
        self.assert_near(links["finger"]["q"], [0, 0, s(turn / 2), c(turn / 2)])
        self.assertEqual(self.json_of("fk", self.arm, "--q", f"elbow={b},shoulder={a}")["links"], links)
        alone = self.json_of("fk", self.arm, "--q", f"elbow={b}")["links"]
        self.assert_near(alone["tip"]["p"], [1 + 0.5 * c(b), 0.5 * s(b), 0])
        own = self.json_of("fk", self.arm, "--no-mimic", "--q", "grip=0.3")["links"]
        self.assert_near(own["finger"]["q"], [0, 0, s(0.15), c(0.15)])

    def test_floating_base(self):
        links = self.json_of("fk", self.box, "--q", "1,2,3,0,0,0.6,0.8")["links"]
        self.assert_near(links["box"]["p"], [1, 2, 3])
        self.assert_near(links["box"]["q"], [0, 0, 0.6, 0.8])

    def test_frames_of_a_bvh(self):
        raw = self.json_of("fk", self.bvh, "--frame", "1", "--raw")["links"]
        self.assert_near(raw["Hips"]["p"], [5, 91, 2])
        self.assert_near(raw["Hips"]["q"], [0, math.sqrt(0.5), 0, math.sqrt(0.5)])
        self.assert_near(raw["Knee"]["p"], [5, 51, 2 - 10])  # turned by 90 degrees about y: x becomes -z
        raw = self.json_of("fk", self.bvh, "--frame", "2", "--raw")["links"]
        self.assert_near(raw["Ankle"]["p"], [10, 50, -40])  # the knee turned by 90 degrees about x: -y becomes -z
        metres = self.json_of("fk", self.bvh, "--frame", "1", "--unit", "0.01")["links"]
        self.assert_near(metres["Hips"]["p"][2], 0.91)  # Y up became Z up
        self.assert_near(metres["Knee"]["p"][2], 0.51)
        distance = math.dist(metres["Hips"]["p"], metres["Knee"]["p"])
        self.assert_near(distance, math.hypot(0.1, 0.4))
        self.assertEqual(self.json_of("fk", self.bvh, "--frame", "1")["links"], metres)  # the guess: centimetres

    def test_table(self):
        lines = call("fk", self.pendulum, "--q", "0").stdout.splitlines()
        self.assertEqual(lines[0].split(), ["link", "x", "y", "z", "qx", "qy", "qz", "qw"])
        self.assertEqual(lines[2].split(), ["rod", "0", "0", "1.5", "0", "0", "0", "1"])


class Dynamics(CliTest):
    def test_pendulum(self):
        q, qd, tau = 0.4, 1.3, 0.7
        inertia = 0.02 + 2 * 0.5**2
        gravity = 2 * G * 0.5 * math.sin(q)
        r = self.json_of("dynamics", self.pendulum, "--q", q, "--qd", qd, "--tau", tau)
        self.assertEqual((r["coordinates"], r["velocities"]), (["swing"], ["swing"]))
        self.assert_near(r["M"], [[inertia]])
        self.assert_near(r["bias"], [gravity])
        self.assert_near(r["gravity"], [gravity])
        self.assert_near(r["qdd"], [(tau - gravity) / inertia])
        self.assertNotIn("tau", r)
        height, speed = 1.5 - 0.5 * math.cos(q), 0.5 * qd
        self.assert_near(r["energy"]["kinetic"], 0.5 * inertia * qd**2)
        self.assert_near(r["energy"]["potential"], 2 * G * height)
        self.assert_near(r["com"], [-0.5 * math.sin(q), 0, height])
        self.assert_near(r["momentum"], [-2 * speed * math.cos(q), 0, 2 * speed * math.sin(q), 0, 0.02 * qd, 0])
        back = self.json_of("dynamics", self.pendulum, "--q", q, "--qd", qd, "--qdd", repr(r["qdd"][0]))
        self.assert_near(back["tau"], [tau])
        self.assertNotIn("qdd", back)
        still = self.json_of("dynamics", self.pendulum, "--q", q, "--qd", qd, "--tau", tau, "--gravity", "0,0,0")
        self.assert_near([still["bias"][0], still["gravity"][0], still["energy"]["potential"]], [0, 0, 0])

    def test_planar_arm(self):
        """The two-link arm of the textbooks, the finger dropped by hanging on a mimic joint of its own coordinates."""
        b, w1, w2 = 0.9, 0.3, -0.8
        r = self.json_of("dynamics", self.arm, "--no-mimic", "--q", f"elbow={b}", "--qd", f"shoulder={w1},elbow={w2}", "--qdd", "0,0,0")
        m1, m2, mf, l, c1, c2, cf, i1, i2, i3 = 3, 1, 0.1, 1, 0.5, 0.2, 0.5, 0.2, 0.1, 0.001
        cos, sin = math.cos(b), math.sin(b)
        first = m2 * c2 + mf * cf  # first moment of all that hangs on the elbow
        m22 = i2 + m2 * c2**2 + i3 + mf * cf**2
        m12 = m22 + l * first * cos
        m11 = i1 + m1 * c1**2 + (m2 + mf) * l**2 + m22 + 2 * l * first * cos
        self.assert_near(r["M"], [[m11, m12, i3], [m12, m22, i3], [i3, i3, i3]])
        h = l * first * sin
        self.assert_near(r["bias"], [-h * (2 * w1 * w2 + w2**2), h * w1**2, 0])
        self.assert_near(r["gravity"], [0, 0, 0])
        self.assert_near(r["tau"], r["bias"])
        # With the mimic obeyed, M' = G^T M G for v = G v'.
        reduced = self.json_of("dynamics", self.arm, "--q", f"elbow={b}", "--qd", "0,0", "--qdd", "0,0")["M"]
        g = [[1, 0], [0, 1], [0, 0.5]]
        wanted = [[sum(g[k][i] * r["M"][k][m] * g[m][j] for k in range(3) for m in range(3)) for j in range(2)] for i in range(2)]
        self.assert_near(reduced, wanted)

    def test_free_box(self):
        q, qd = "0,0,1,0,0,0,1", "1,2,3,0.4,0.5,0.6"
        r = self.json_of("dynamics", self.box, "--q", q, "--qd", qd, "--tau", "0,0,0,0,0,0")
        self.assert_near(r["qdd"][:3], [0, 0, -G])
        w, i = (0.4, 0.5, 0.6), (0.1, 0.2, 0.25)
        self.assert_near(r["momentum"], [4, 8, 12] + [a * b for a, b in zip(w, i)])
        euler = [(i[1] - i[2]) * w[1] * w[2] / i[0], (i[2] - i[0]) * w[2] * w[0] / i[1], (i[0] - i[1]) * w[0] * w[1] / i[2]]
        self.assert_near(r["qdd"][3:], euler)
        self.assert_near(r["energy"]["kinetic"], 0.5 * 4 * 14 + 0.5 * sum(a * b * b for a, b in zip(i, w)))
        fixed = self.json_of("dynamics", self.box, "--base", "fixed", "--q", "", "--qd", "", "--tau", "")
        self.assertEqual((fixed["M"], fixed["qdd"], fixed["coordinates"]), ([], [], []))

    def test_table(self):
        text = call("dynamics", self.pendulum, "--q", "0", "--qd", "0", "--tau", "0").stdout
        for word in ("qdd", "bias", "swing", "0.52", "kinetic energy"):
            self.assertIn(word, text)


class Convert(CliTest):
    def lines(self, path):
        with open(path) as file:
            return file.read().split("MOTION")[1].split("\n")

    def test_keeps_what_it_reads(self):
        out = self.path("same.bvh")
        found = self.json_of("convert", self.bvh, out)
        self.assertEqual((found["frames"], found["joints"], found["frame_time"]), (3, 4, 0.05))
        for frame in range(3):
            self.assertEqual(self.json_of("fk", self.bvh, "--raw", "--frame", frame), self.json_of("fk", out, "--raw", "--frame", frame))

    def test_changes(self):
        out = self.path("changed.bvh")
        self.assertEqual(self.json_of("convert", self.bvh, out, "--trim", "1:2")["frames"], 2)
        self.assert_near(self.json_of("fk", out, "--raw", "--frame", 0)["links"]["Hips"]["p"], [5, 91, 2])
        self.assertEqual(self.json_of("convert", self.bvh, out, "--trim", ":0")["frames"], 1)
        self.json_of("convert", self.bvh, out, "--scale", "2")
        self.assert_near(self.json_of("fk", out, "--raw", "--frame", 1)["links"]["Knee"]["p"], [10, 102, -16])
        found = self.json_of("convert", self.bvh, out, "--resample", "40")
        self.assertEqual(found["frames"], 5)
        self.assert_near(found["frame_time"], 0.025)
        between = self.json_of("fk", out, "--raw", "--frame", 1)["links"]["Hips"]
        self.assert_near(between["p"], [2.5, 90.5, 1], 1e-6)
        self.assert_near(between["q"], [0, math.sin(math.pi / 8), 0, math.cos(math.pi / 8)], 1e-6)
        self.assertIn("4 joints", call("convert", self.bvh, out).stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
