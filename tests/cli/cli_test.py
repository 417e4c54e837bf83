#!/usr/bin/env python3
"""The vertebra command: helps, exit statuses, what it tells of files, independence of the locale.

Usage: cli_test.py PROGRAM MODELS [unittest arguments]
"""
import glob
import locale
import math
import os
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ET

from cli import BVH, CliTest, MODELS, PENDULUM, PROGRAM, VERBS, call, one_object


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
            "info": ("--json", "--strict", "--verbose", "--mesh-root", "--no-meshes", "--derive-collision", "--inertia", "--unit", "--up"),
            "fk": ("--q", "--frame", "--raw"),
            "dynamics": ("--q", "--qd", "--tau", "--qdd", "--gravity", "--base", "--no-mimic"),
            "simulate": ("--time", "--dt", "--substeps", "--stepper", "--tree-solver", "--solver", "--base", "--drop", "--q0", "--motion", "--no-sleep", "--trace", "--every"),
            "convert": ("--scale", "--resample", "--trim"),
            "figure": ("-o, --out", "--motion", "--drop", "--merge", "--type", "--bone", "--length", "--thickness", "--scale", "--mirror", "--no-meshes"),
            "retarget": ("-o, --out", "--rate", "--map", "--save-map", "--report", "--jobs", "--from", "--to", "--physics", "--no-assist", "--step"),
            "motion": ("--trim", "--resample", "--filter", "--spline", "--mirror", "--speed", "--append", "--reparent", "--drop", "--cycle", "--in-place", "--path", "--blend", "--inspect", "--figure", "--fill", "--mend", "--table", "--columns", "--at", "--contacts", "-o, --out"),
            "markers": ("--set", "-o, --out", "--noise", "--dropout", "--swap", "--seed", "--figure", "--calibrate", "--bones", "--latency", "--agility"),
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
                      ("--dt", "0.1", "--tree-solver", "exact"), ("--dt", "0.1", "--solver", "magic"), ("--dt", "0.1", "--stepper", "none"), ("--dt", "0.1", "--every", "2")):
            self.assert_usage("simulate", p, "--time", "1", *words)
        self.assert_usage("convert", b)
        for words in (("--scale", "0"), ("--scale", "-1"), ("--resample", "0"), ("--trim", "1"), ("--trim", "2:1"), ("--trim", "0:3"), ("--trim", "a:b")):
            self.assert_usage("convert", b, self.path("never.bvh"), *words)
        self.assertFalse(os.path.exists(self.path("never.bvh")))

    def test_figure(self):
        out = self.path("figure.xml")
        found = self.json_of("figure", self.pendulum, "-o", out, "--scale", "2")
        before = self.json_of("info", self.pendulum)
        self.assertEqual(set(found), {"name", "links", "joints", "shapes", "sites", "mass", "roles", "findings", "output", "diagnostics"})
        self.assertAlmostEqual(found["mass"], 8 * before["mass"])
        after = self.json_of("info", out)  # the file takes the place of the URDF
        self.assertAlmostEqual(after["mass"], found["mass"])
        self.assertEqual([j["name"] for j in after["joints"]], [j["name"] for j in before["joints"]])
        self.json_of("simulate", out, "--time", "0.1", "--dt", "0.01")
        clip = self.json_of("figure", self.bvh, "-o", out)
        self.assertEqual(clip["joints"], clip["links"] - 1)
        text = call("figure", out).stdout
        self.assertIn("(free)", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 140)
        joint = before["joints"][0]["name"]
        self.assertEqual(self.json_of("figure", self.pendulum, "--drop", joint)["joints"], len(before["joints"]) - 1)
        retyped = self.json_of("figure", self.pendulum, "--type", joint + "=prismatic:0,0,2", "-o", out)
        self.assertEqual(retyped["output"], out)
        self.assertEqual(self.json_of("info", out)["joints"][0]["axis"], [0, 0, 1])
        for words in (("--drop", "no_such"), ("--bone", "no_such=2"), ("--merge", "no_such")):
            self.assert_fails("figure", self.pendulum, *words)
        for words in (("--scale", "0"), ("--bone", "rod"), ("--bone", "rod=a"), ("--type", joint + "=hinge"), ("--type", joint + "=revolute:0,0,0"), ("--mirror", "w")):
            self.assert_usage("figure", self.pendulum, *words)
        broken = self.write("broken.xml", "<skeleton><lnk name='a'/></skeleton>")
        found = self.assert_fails("figure", broken)["diagnostics"]
        self.assertTrue(any("did you mean 'link'?" in d["message"] and d["line"] == 1 for d in found), found)

    def test_a_motion_against_a_figure(self):
        walk = os.path.join(MODELS, "motions/walk.bvh")
        found = self.json_of("figure", walk, "--motion", walk)["motions"][0]
        self.assertEqual((found["joints_of_figure_alone"], found["joints_of_motion_alone"], found["frames"]), ([], [], 301))
        self.assertIn("LeftArm", found["joints_met"])
        self.assertEqual(found["outliers"], [])
        # A swing of 0.1 rad a frame of 0.1 s to 0.9 rad, of a hinge that may go to 0.45 rad at 0.5 rad/s; a joint that only the motion has.
        hinge = PENDULUM.replace('upper="3.5"', 'upper="0.45"').replace('velocity="30"', 'velocity="0.5"')
        degrees = 180 / math.pi
        clip = ("HIERARCHY\nROOT rod\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT swing\n{\nOFFSET 0 0 1\nCHANNELS 1 Yrotation\n"
                "JOINT tail\n{\nOFFSET 0 0 1\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 0 1\n}\n}\n}\n}\nMOTION\nFrames: 10\nFrame Time: 0.1\n"
                + "".join(f"0 0 0 {0.1 * i * degrees} 0\n" for i in range(10)))
        found = self.json_of("figure", self.write("hinge.urdf", hinge), "--motion", self.write("swing.bvh", clip), "--unit", "1", "--up", "z")["motions"][0]
        self.assertEqual((found["joints_met"], found["joints_of_motion_alone"]), (["swing"], ["tail"]))
        axis = found["axes"][0]
        self.assertEqual((axis["name"], axis["frames_beyond"], axis["first_beyond"], axis["frames_too_fast"], axis["first_too_fast"]), ("swing", 5, 5, 10, 0))
        self.assertAlmostEqual(axis["highest"], 0.9, delta=1e-9)
        self.assertAlmostEqual(axis["velocity_max"], 1, delta=1e-9)
        text = call("figure", self.path("hinge.urdf"), "--motion", self.path("swing.bvh"), "--unit", "1", "--up", "z").stdout
        self.assertIn("5 from 5 on", text)
        text = call("figure", os.path.join(MODELS, "urdf/humanoid.urdf"), "--motion", walk).stdout
        self.assertIn("vertebra retarget", text)
        self.assert_fails("figure", walk, "--motion", self.write("x.trc", "x"))

    def test_controllers_of_a_scene(self):
        found = self.json_of("figure", os.path.join(MODELS, "scenes/walker.xml"))["figures"]
        self.assertEqual([f["name"] for f in found], ["walker"])
        self.assertEqual([c["type"] for c in found[0]["controllers"]], ["animation", "root_drive"])
        self.assertTrue(all(axis["driven"] and axis["stiffness"] > 0 for axis in found[0]["axes"]))
        hanged = self.json_of("figure", os.path.join(MODELS, "scenes/hanged.xml"))["figures"][0]
        gains = {axis["name"]: (axis["stiffness"], axis["damping"]) for axis in hanged["axes"]}
        self.assertEqual(gains["Spine.1"], (60, 6))
        scene = ("<scene><figure name='arm' file='hinge.urdf'><drive pose='neutral'><pose joint='swing' q='2'/><gains joint='swing' stiffness='5' damping='1'/></drive></figure>"
                 "<figure name='free' file='hinge.urdf'/></scene>")
        self.write("hinge.urdf", PENDULUM.replace('upper="3.5"', 'upper="0.45"'))
        arm, free = self.json_of("figure", self.write("arm.xml", scene))["figures"]
        self.assertEqual((arm["axes"][0]["target"], arm["axes"][0]["stiffness"], arm["axes"][0]["max_force"]), (2, 5, 20))
        self.assertTrue(any("beyond its range" in finding for finding in arm["findings"]), arm["findings"])
        self.assertTrue(any("no controller" in finding for finding in free["findings"]))
        self.assertIn("driven by nothing", call("figure", self.path("arm.xml")).stdout)
        self.assert_usage("figure", self.path("arm.xml"), "--scale", "2")

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

    def test_alike_findings_are_told_once(self):
        link = '<link name="{0}"><visual><geometry><mesh filename="package://none/m.stl"/></geometry></visual></link>'
        robot = self.write("alike.urdf", '<robot name="r">' + link.format("a") + link.format("b") +
                           '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>')
        short, whole = call("info", robot).stdout, call("info", robot, "--verbose").stdout
        self.assertEqual(short.count("urdf.mesh.not-found"), 1)
        self.assertIn("[urdf.mesh.not-found] (2 times)", short)
        self.assertEqual(short.count("urdf.mesh.folders"), 1)
        self.assertNotIn("urdf.mesh.looked-at", short)
        self.assertEqual(whole.count("urdf.mesh.not-found"), 2)
        self.assertIn("/none/m.stl", whole)
        self.assertIn("urdf.mesh.looked-at", whole)

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
