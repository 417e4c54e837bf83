#!/usr/bin/env python3
"""Runs the vertebra command and checks exit statuses, JSON, values in closed form, help texts and independence of the locale.

Usage: cli_test.py PROGRAM MODELS [unittest arguments]
"""
import glob
import json
import locale
import math
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

PROGRAM, MODELS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
VERBS = ("info", "fk", "dynamics", "simulate", "convert")
G = 9.81

# Point-like bob of 2 kg, 0.5 m below a hinge about y, 1.5 m above the ground.
PENDULUM = """<robot name="pendulum">
  <link name="world"/>
  <link name="rod">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.03"/></inertial>
  </link>
  <joint name="swing" type="revolute">
    <parent link="world"/><child link="rod"/><origin xyz="0 0 1.5"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3.5" effort="20" velocity="30"/>
  </joint>
</robot>
"""
# Two arms of 1 m and 0.5 m in the plane x, y; the tip is a fixed link; a finger follows the elbow.
ARM = """<?xml version="1.0"?>
<robot name="planar &quot;arm&quot;">
  <link name="world"/>
  <link name="upper"><inertial><origin xyz="0.5 0 0"/><mass value="3"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.2"/></inertial></link>
  <link name="fore"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.1" ixy="0.01" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <link name="tip"/>
  <link name="finger"><inertial><mass value="0.1"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="world"/><child link="upper"/><axis xyz="0 0 1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="5" velocity="1"/></joint>
  <joint name="end" type="fixed"><parent link="fore"/><child link="tip"/><origin xyz="0.5 0 0"/></joint>
  <joint name="grip" type="revolute"><parent link="fore"/><child link="finger"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="5" velocity="1"/><mimic joint="elbow" multiplier="0.5" offset="0.1"/></joint>
</robot>
"""
BOX = """<robot name="box"><link name="box">
  <inertial><mass value="4"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial>
  <collision><geometry><box size="0.4 0.3 0.2"/></geometry></collision></link></robot>
"""
# Hips 90 high, a leg of 40 and 40, in centimetres and Y up: an adult. Frame 1 moves and turns the hips, frame 2 bends the knee.
BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Knee
  {
    OFFSET 10 -40 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Ankle
    {
      OFFSET 0 -40 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0 -10 15
      }
    }
  }
  JOINT Head
  {
    OFFSET 0 80 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 10 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.05
0 90 0 0 0 0 0 0 0 0 0 0 0 0 0
5 91 2 0 0 90 0 0 0 0 0 0 0 0 0
0 90 0 0 0 0 0 90 0 0 0 0 0 0 0
"""


def call(*arguments, **environment):
    env = {**os.environ, **environment}
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, env=env, timeout=300)


def one_object(text):
    def no_duplicates(pairs):
        if len({k for k, _ in pairs}) != len(pairs):
            raise ValueError("a key stands twice")
        return dict(pairs)

    def refuse(name):
        raise ValueError(name + " is not JSON")

    value = json.loads(text, object_pairs_hook=no_duplicates, parse_constant=refuse)
    assert isinstance(value, dict)
    return value


class CliTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder_object = tempfile.TemporaryDirectory()
        cls.folder = cls.folder_object.name
        cls.pendulum = cls.write("pendulum.urdf", PENDULUM)
        cls.arm = cls.write("arm.urdf", ARM)
        cls.box = cls.write("box.urdf", BOX)
        cls.bvh = cls.write("leg.bvh", BVH)

    @classmethod
    def tearDownClass(cls):
        cls.folder_object.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def write(cls, name, content):
        with open(cls.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return cls.path(name)

    def json_of(self, *arguments, **environment):
        run = call(*arguments, "--json", **environment)
        self.assertEqual(run.returncode, 0, run.stderr)
        return one_object(run.stdout)

    def assert_near(self, found, wanted, tolerance=1e-12):
        if isinstance(wanted, (list, tuple)):
            self.assertEqual(len(found), len(wanted))
            for f, w in zip(found, wanted):
                self.assert_near(f, w, tolerance)
        else:
            self.assertLessEqual(abs(found - wanted), tolerance * max(1, abs(wanted)), f"{found} is not {wanted}")


class Help(CliTest):
    def test_overall(self):
        for word in ("--help", "-h"):
            run = call(word)
            self.assertEqual(run.returncode, 0)
            for verb in VERBS:
                self.assertIn("\n  " + verb, run.stdout)
        self.assertRegex(call("--version").stdout, r"^vertebra \d+\.\d+\.\d+\n$")

    def test_every_verb(self):
        wanted = {
            "info": ("--json", "--strict", "--mesh-root", "--no-meshes", "--derive-collision", "--inertia", "--unit", "--up"),
            "fk": ("--q", "--frame", "--raw"),
            "dynamics": ("--q", "--qd", "--tau", "--qdd", "--gravity", "--base", "--no-mimic"),
            "simulate": ("--time", "--dt", "--substeps", "--stepper", "--equality", "--lcp", "--base", "--drop", "--q0", "--motion", "--no-sleep", "--trace", "--every"),
            "convert": ("--scale", "--resample", "--trim"),
        }
        for verb, options in wanted.items():
            for words in ((verb, "--help"), (verb, "-h"), (verb, "some.file", "--json", "--help")):
                run = call(*words)
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                for option in options:
                    self.assertIn("  " + option, run.stdout, f"{verb}: {option}")
                self.assertLessEqual(max(map(len, run.stdout.splitlines())), 140)


class Statuses(CliTest):
    def assert_usage(self, *arguments):
        run = call(*arguments)
        self.assertEqual((run.returncode, run.stdout), (2, ""), f"{arguments}: {run.stderr}")
        self.assertNotEqual(run.stderr, "")
        return run.stderr

    def assert_fails(self, *arguments):
        run = call(*arguments)
        self.assertEqual((run.returncode, run.stdout), (1, ""), f"{arguments}: {run.stderr}")
        self.assertNotEqual(run.stderr, "")
        run = call(*arguments, "--json")
        self.assertEqual(run.returncode, 1)
        found = one_object(run.stdout)
        self.assertNotEqual(found["error"], "")
        self.assertIsInstance(found["diagnostics"], list)
        return found

    def test_usage(self):
        p, b = self.pendulum, self.bvh
        self.assert_usage()
        self.assertIn("dance", self.assert_usage("dance"))
        for verb in VERBS:
            self.assert_usage(verb)
            self.assertIn("--nonsense", self.assert_usage(verb, p, "--nonsense"))
        self.assert_usage("info", p, p)
        self.assert_usage("info", p, "--unit")
        self.assert_usage("info", p, "--json=yes")
        self.assert_usage("info", p, "--json", "--json")
        self.assert_usage("info", p, "--inertia", "guess")
        self.assert_usage("info", p, "--base", "flying")
        self.assert_usage("info", b, "--unit", "0")
        self.assert_usage("info", b, "--up", "w")
        self.assert_usage("fk", p)
        self.assert_usage("fk", p, "--frame", "0")
        self.assert_usage("fk", b, "--frame", "3")
        self.assert_usage("fk", b, "--frame", "-1")
        self.assert_usage("fk", b, "--frame", "1.5")
        self.assert_usage("fk", b, "--frame", "0", "--q", "0")
        for bad in ("", "1,2", "x", "1,", "nan", "inf", "1e999", "0x1", "swing=", "swing=1,swing=2", "sway=1", "=1", "1 "):
            self.assert_usage("fk", p, "--q", bad)
        self.assertIn("swing", self.assert_usage("fk", p, "--q", "sway=1"))  # says what would be right
        self.assert_usage("dynamics", p, "--q", "0", "--qd", "0")
        self.assert_usage("dynamics", p, "--q", "0", "--qd", "0", "--tau", "0", "--qdd", "0")
        self.assert_usage("dynamics", p, "--q", "0", "--tau", "0")
        self.assert_usage("dynamics", p, "--q", "0", "--qd", "0", "--tau", "0", "--gravity", "1,2")
        self.assert_usage("simulate", p, "--time", "1")
        self.assert_usage("simulate", p, "--dt", "0.01")
        for words in (("--dt", "0"), ("--dt", "-1"), ("--dt", "1/0"), ("--dt", "2"), ("--dt", "1e-12"), ("--dt", "0.1", "--substeps", "0"),
                      ("--dt", "0.1", "--equality", "exact"), ("--dt", "0.1", "--lcp", "magic"), ("--dt", "0.1", "--stepper", "none"), ("--dt", "0.1", "--every", "2")):
            self.assert_usage("simulate", p, "--time", "1", *words)
        self.assert_usage("convert", b)
        for words in (("--scale", "0"), ("--scale", "-1"), ("--resample", "0"), ("--trim", "1"), ("--trim", "2:1"), ("--trim", "0:3"), ("--trim", "a:b")):
            self.assert_usage("convert", b, self.path("never.bvh"), *words)
        self.assertFalse(os.path.exists(self.path("never.bvh")))

    def test_what_cannot_be_done(self):
        self.assert_fails("info", self.path("missing.urdf"))
        self.assert_fails("info", self.folder)
        self.assert_fails("info", self.write("empty.urdf", ""))
        self.assert_fails("info", self.write("empty.bvh", ""))
        self.assert_fails("info", self.write("text.txt", "hello"))
        self.assert_fails("info", self.write("binary.urdf", bytes(range(256)) * 20))
        self.assert_fails("info", self.write("binary.bvh", bytes(range(256)) * 20))
        self.assert_fails("convert", self.pendulum, self.path("never.bvh"))
        self.assert_fails("convert", self.bvh, self.path("no/such/folder/out.bvh"))
        self.assert_fails("simulate", self.pendulum, "--time", "1", "--dt", "0.1", "--motion", self.path("missing.bvh"))
        self.assert_fails("simulate", self.pendulum, "--time", "1", "--dt", "0.1", "--motion", self.bvh)  # no joint in common

    def test_diagnostics_of_a_bad_file(self):
        bad = self.write("bad.urdf", PENDULUM.replace('<child link="rod"/>', '<child link="rope"/>'))
        mended, refused = self.json_of("info", bad)["diagnostics"], self.assert_fails("info", bad, "--strict")["diagnostics"]
        for found, severity in ((mended, "warning"), (refused, "error")):
            for d in found:
                self.assertEqual(set(d), {"severity", "code", "file", "line", "element", "message"})
                self.assertEqual(d["file"], bad)
            self.assertTrue(any("swing" in d["element"] and d["line"] == 7 and d["severity"] == severity for d in found), found)
        self.assertIn("bad.urdf:7: warning: joint 'swing'", call("fk", bad, "--q", "").stderr)

    def test_result_that_cannot_be_written(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w") as full:
            run = subprocess.run([PROGRAM, "info", self.pendulum, "--json"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("write", run.stderr)

    def test_options_in_any_place_and_form(self):
        plain = call("fk", self.pendulum, "--q", "-0.5", "--json").stdout
        for words in (("--json", "--q=-0.5", self.pendulum), ("--q", "swing=-0.5", "--json", "--", self.pendulum), ("--q=-1/2", self.pendulum, "--json")):
            self.assertEqual(call("fk", *words).stdout, plain, words)


class Info(CliTest):
    def test_fields_of_a_urdf(self):
        found = self.json_of("info", self.arm)
        self.assertEqual(found["name"], 'planar "arm"')
        self.assertEqual(found["kind"], "urdf")
        self.assertEqual([l["name"] for l in found["links"]], ["world", "upper", "fore", "tip", "finger"])
        self.assertEqual([j["name"] for j in found["joints"]], ["shoulder", "elbow", "end", "grip"])
        self.assertEqual([j["type"] for j in found["joints"]], ["continuous", "revolute", "fixed", "revolute"])
        self.assert_near(found["mass"], 4.1)
        fore = found["links"][2]
        self.assertEqual(set(fore), {"name", "mass", "com", "inertia"})
        self.assert_near(fore["com"], [0.2, 0, 0])
        self.assert_near(fore["inertia"], [0.1, 0.01, 0, 0.1, 0, 0.1])
        shoulder, elbow, end, grip = found["joints"]
        self.assertEqual(set(elbow), {"name", "type", "parent", "child", "axis", "lower", "upper", "effort", "velocity", "mimic"})
        self.assertEqual([elbow[k] for k in ("parent", "child", "axis", "lower", "upper", "effort", "velocity", "mimic")],
                         ["upper", "fore", [0, 0, 1], -2, 2, 5, 1, None])
        self.assertEqual([shoulder[k] for k in ("lower", "upper", "effort", "velocity")], [None] * 4)
        self.assertEqual(grip["mimic"], {"joint": "elbow", "multiplier": 0.5, "offset": 0.1})
        self.assertIsNone(end["axis"])
        self.assertEqual(found["coordinates"], ["shoulder", "elbow"])
        self.assertEqual(found["velocities"], ["shoulder", "elbow"])
        self.assertEqual((found["nq"], found["nv"], found["frames"], found["frame_time"]), (2, 2, None, None))
        free = self.json_of("info", self.arm, "--base", "floating", "--no-mimic")
        self.assertEqual((free["nq"], free["nv"]), (10, 9))
        self.assertEqual(free["coordinates"][7:], ["shoulder", "elbow", "grip"])

    def test_our_models(self):
        files = sorted(glob.glob(os.path.join(MODELS, "urdf", "*.urdf")))
        self.assertTrue(files)
        for file in files:
            found, robot = self.json_of("info", file), ET.parse(file).getroot()
            self.assertEqual([l["name"] for l in found["links"]], [l.get("name") for l in robot.findall("link")])
            self.assertEqual([j["name"] for j in found["joints"]], [j.get("name") for j in robot.findall("joint")])
            self.assertEqual([j["type"] for j in found["joints"]], [j.get("type") for j in robot.findall("joint")])
            masses = [float(m.get("value")) for m in robot.iter("mass")]
            self.assert_near(found["mass"], sum(masses))
            self.assertEqual((len(found["coordinates"]), len(found["velocities"])), (found["nq"], found["nv"]))
            self.assertEqual([d for d in found["diagnostics"] if d["severity"] != "info"], [], file)

    def test_fields_of_a_bvh(self):
        found = self.json_of("info", self.bvh)
        self.assertEqual(found["kind"], "bvh")
        self.assertEqual([l["name"] for l in found["links"]], ["Hips", "Knee", "Ankle", "Head"])
        self.assertEqual([(j["type"], j["parent"], j["child"]) for j in found["joints"]],
                         [("spherical", "Hips", "Knee"), ("spherical", "Knee", "Ankle"), ("spherical", "Hips", "Head")])
        self.assertEqual((found["frames"], found["frame_time"], found["nq"], found["nv"]), (3, 0.05, 7 + 12, 6 + 9))
        self.assertGreater(found["mass"], 20)
        self.assert_near(found["mass"], sum(l["mass"] for l in found["links"]))
        clips = sorted(glob.glob(os.path.join(MODELS, "motions", "*.bvh")))
        for clip in clips:
            self.assertGreater(self.json_of("info", clip)["frames"], 1, clip)

    def test_table(self):
        text = call("info", self.arm).stdout
        for word in ('planar "arm"', "4.1 kg", "0.5 * elbow + 0.1", "-2 .. 2"):
            self.assertIn(word, text)

    def test_names_in_any_alphabet(self):
        name = 'Gelenk "ä" \\ 関節 &amp;'
        path = self.write("names.urdf", PENDULUM.replace('name="swing"', f"name='{name}'"))
        self.assertEqual(self.json_of("info", path)["joints"][0]["name"], name.replace("&amp;", "&"))
        latin = self.write("latin.bvh", BVH.encode().replace(b"Knee", b"Kn\xeee"))
        run = call("info", latin, "--json")
        self.assertIn(run.returncode, (0, 1))
        one_object(run.stdout)


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


class Simulate(CliTest):
    FIELDS = {"steps", "wall_s", "us_per_step", "max_joint_error", "energy_drift", "energy_drift_max", "energy_rise", "max_penetration", "rest_penetration",
              "contacts_mean", "diverged"}

    def run_of(self, *arguments):
        found = self.json_of("simulate", *arguments)
        self.assertLessEqual(self.FIELDS, set(found))
        self.assertIs(found["diverged"], False)
        return found

    def test_pendulum_swings(self):
        trace = self.path("trace.csv")
        found = self.run_of(self.pendulum, "--time", "2", "--dt", "1/1000", "--q0", "swing=0.1", "--trace", trace, "--every", "10")
        self.assertEqual(found["steps"], 2000)
        self.assertLess(found["energy_drift_max"], 1e-5)
        self.assertLess(found["max_joint_error"], 1e-12)
        self.assertEqual(found["contacts_mean"], 0)
        with open(trace) as file:
            rows = [line.strip().split(",") for line in file]
        self.assertEqual(rows[0][:2], ["time", "swing"])
        self.assertEqual(len(rows), 1 + 1 + 200)
        self.assertEqual({len(r) for r in rows}, {len(rows[0])})
        self.assertEqual([float(rows[1][0]), float(rows[1][1])], [0, 0.1])
        # Period of the physical pendulum with the first two terms in the amplitude.
        inertia = 0.02 + 2 * 0.25
        period = 2 * math.pi * math.sqrt(inertia / (2 * G * 0.5)) * (1 + 0.1**2 / 16)
        for time, q in ((float(r[0]), float(r[1])) for r in rows[1:]):
            self.assertLess(abs(q - 0.1 * math.cos(2 * math.pi * time / period)), 1e-3)

    def test_stages_sum_up_to_the_step(self):
        found = self.run_of(self.pendulum, "--time", "1", "--dt", "1/240", "--stages")
        stages = found["us_by_stage"]
        self.assertEqual(list(stages), ["forces", "move", "collide", "factor", "rows", "solve", "finish", "particles"])
        self.assertGreater(stages["move"], 0)
        self.assertLessEqual(sum(stages.values()), found["us_per_step"])
        self.assertNotIn("us_by_stage", self.run_of(self.pendulum, "--time", "0.1", "--dt", "1/240"))
        self.assertIn("time per step, collide", call("simulate", self.pendulum, "--time", "0.1", "--dt", "1/240", "--stages").stdout)

    def test_equality_methods_agree(self):
        ends = []
        for method in ("articulated", "sparse", "dense"):
            trace = self.path(method + ".csv")
            chain = self.write("chain.urdf", ARM.replace('<axis xyz="0 0 1"/>', '<axis xyz="0 1 0"/>'))  # its base and tip have no mass
            self.run_of(chain, "--time", "0.5", "--dt", "0.002", "--q0", "0.3,0.5", "--base", "fixed", "--equality", method, "--trace", trace)
            with open(trace) as file:
                ends.append([float(x) for x in file.read().strip().split("\n")[-1].split(",")[1:3]])
        self.assert_near(ends[1], ends[0], 1e-6)
        self.assert_near(ends[2], ends[0], 1e-6)

    def test_a_link_without_inertia_is_named(self):
        gimbal = self.write("gimbal.urdf", ARM.replace('<joint name="end" type="fixed"', '<joint name="end" type="continuous"'))
        for method in ("articulated", "sparse", "dense"):
            run = call("simulate", gimbal, "--time", "0.5", "--dt", "0.002", "--equality", method)
            self.assertEqual(run.returncode, 1)
            self.assertIn("link 'tip': ", run.stderr)

    def test_box_falls_and_rests(self):
        for lcp in ("pgs", "dantzig", "jacobi", "cg", "lemke"):
            trace = self.path("box.csv")
            found = self.run_of(self.box, "--time", "2", "--dt", "1/240", "--drop", "0.3", "--lcp", lcp, "--no-sleep", "--trace", trace)
            self.assertLess(found["rest_penetration"], 1e-3)
            self.assertGreater(found["contacts_mean"], 2)
            self.assertLess(found["energy_drift_max"], 0.01)
            self.assertLess(found["energy_rise"], 0.01)
            with open(trace) as file:
                heights = [float(line.split(",")[3]) for line in file.read().strip().split("\n")[1:]]
            self.assert_near(heights[0], 0.4, 1e-9)  # half the box and the drop
            self.assertLess(abs(heights[-1] - 0.1), 1e-3)

    def test_steppers_agree_on_a_swing(self):
        ends = []
        for stepper in ("impulse", "variational"):
            trace = self.path("swing.csv")
            self.run_of(self.pendulum, "--time", "1", "--dt", "1/960", "--q0", "swing=1", "--stepper", stepper, "--trace", trace)
            with open(trace) as file:
                ends.append(float(file.read().strip().split("\n")[-1].split(",")[1]))
        self.assert_near(ends[1], ends[0], 1e-4)
        self.assertNotEqual(ends[1], ends[0])

    def test_clamps_are_in_the_books(self):
        """A start beyond the limit is put onto it: the height that gives or takes is no drift."""
        for q in ("-3.1", "3.7"):
            found = self.run_of(self.pendulum, "--time", "0.1", "--dt", "1/240", "--q0", "swing=" + q)
            self.assertLess(found["energy_drift_max"], 1e-3)

    def test_figure_of_a_bvh_follows_it(self):
        found = self.run_of(self.bvh, "--time", "0.2", "--dt", "1/240", "--motion", self.bvh, "--substeps", "2")
        self.assertEqual(found["steps"], 48)

    def test_trace_that_cannot_be_written(self):
        run = call("simulate", self.pendulum, "--time", "1", "--dt", "0.01", "--trace", self.path("no/such/trace.csv"))
        self.assertEqual(run.returncode, 1)


# A ball that falls freely beside one at rest on the ground; the comment must survive.
SCENE = """<?xml version="1.0"?>
<!-- two balls -->
<scene name="balls">
  <settings sleep="no" time_step="1/100"/>
  <plane/>
  <body name="falling" position="0 0 10" mass="2"><sphere radius="0.1"/></body>
  <body name="resting" position="1 0 0.1" mass="1"><sphere radius="0.1"/></body>
  <camera name="front" position="0 -9 2"/>
</scene>
"""


class Scenes(CliTest):
    def setUp(self):
        self.scene = self.write("balls.xml", SCENE)

    def test_info(self):
        found = self.json_of("info", self.scene)
        self.assertEqual((found["kind"], found["bodies"], found["cameras"], found["time_step"]), ("scene", ["falling", "resting"], ["front"], 0.01))
        self.assertIn("2 named bodies: falling resting", call("info", self.scene).stdout)

    def test_simulate_with_trace(self):
        trace = self.path("balls.csv")
        found = self.json_of("simulate", self.scene, "--time", "1", "--trace", trace, "--every", "50")
        self.assertEqual(found["steps"], 100)
        self.assertLess(abs(found["energy_unexplained"]), 1e-2)
        with open(trace, encoding="utf-8") as file:
            rows = [line.rstrip("\n").split(",") for line in file]
        self.assertEqual(len(rows), 4)
        last = dict(zip(rows[0], map(float, rows[-1])))
        self.assert_near(last["falling.z"], 10 - G / 2, 1e-9)
        self.assert_near(last["resting.z"], 0.1, 1e-3)

    def test_save_and_go_on(self):
        self.json_of("simulate", self.scene, "--time", "0.5", "--save", self.path("half.xml"))
        with open(self.path("half.xml"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("<!-- two balls -->", text)
        self.json_of("simulate", self.path("half.xml"), "--time", "0.5", "--trace", self.path("a.csv"), "--every", "50")
        self.json_of("simulate", self.scene, "--time", "1", "--trace", self.path("b.csv"), "--every", "100")
        ends = []
        for name in ("a.csv", "b.csv"):
            with open(self.path(name), encoding="utf-8") as file:
                ends.append(file.read().splitlines()[-1].split(",")[1:15])
        self.assertEqual(ends[0], ends[1])

    def test_parts_and_particles(self):
        jet = self.write("jet.xml", '<scene><settings time_step="1/100"/><joint name="crank" type="rotor"/><driveline name="engine" type="engine" '
                         'speeds="0 9" throttles="0 1" torques="0 0 5 0" throttle="1"><term joint="crank"/></driveline><particles name="jet">'
                         '<emitter rate="100"/></particles><body name="b" mass="1" inertia="1 0 0 1 0 1"/></scene>')
        found = self.json_of("info", jet)
        self.assertEqual((found["parts"], found["particles"]), (["engine"], ["jet"]))
        self.json_of("simulate", jet, "--time", "0.5", "--save", self.path("later.xml"))
        self.json_of("simulate", self.path("later.xml"), "--time", "0.5", "--save", self.path("a.xml"))
        self.json_of("simulate", jet, "--time", "1", "--save", self.path("b.xml"))
        states = []
        for name in ("a.xml", "b.xml"):
            with open(self.path(name), encoding="utf-8") as file:
                text = file.read()
            self.assertIn('<driveline name="engine"', text)
            states.append(text[text.index("<state"):])
        self.assertEqual(states[0], states[1])

    def test_convert(self):
        self.json_of("convert", self.scene, self.path("copy.xml"))
        with open(self.path("copy.xml"), encoding="utf-8") as file:
            self.assertIn("two balls", file.read())

    def test_mistakes(self):
        wrong = self.write("wrong.xml", SCENE.replace("mass=", "mas=").replace("<plane/>", "<plne/>"))
        run = call("info", wrong)
        self.assertEqual(run.returncode, 1)
        self.assertIn("wrong.xml:5: error: plne: <plne> is not known in <scene>; did you mean 'plane'?", run.stderr)
        self.assertEqual(run.stderr.count("did you mean 'mass'?"), 2)
        for words in (("simulate", self.scene), ("simulate", self.scene, "--time", "1", "--drop", "1"),
                      ("simulate", self.pendulum, "--time", "1", "--dt", "0.1", "--save", self.path("x.xml"))):
            self.assertEqual(call(*words).returncode, 2, words)


class Locale(CliTest):
    def test_german(self):
        try:
            locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
        except locale.Error:
            self.skipTest("no locale de_DE.UTF-8 (package locales-all)")
        finally:
            locale.setlocale(locale.LC_ALL, "C")
        german = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
        for words in (("info", self.arm), ("info", self.bvh), ("fk", self.arm, "--q", "0.5,0.25"), ("fk", self.bvh, "--frame", "1"),
                      ("dynamics", self.pendulum, "--q", "0.5", "--qd", "0.1", "--tau", "1.5"), ("info", self.arm, "--json")):
            plain, other = call(*words, LC_ALL="C"), call(*words, **german)
            self.assertEqual((plain.returncode, plain.stdout), (other.returncode, other.stdout), words)
            self.assertEqual(plain.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
