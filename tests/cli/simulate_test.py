#!/usr/bin/env python3
"""The verb simulate against closed forms, and scene files.

Usage: simulate_test.py PROGRAM MODELS [unittest arguments]
"""
import math
import sys
import unittest

from cli import ARM, CliTest, G, call


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

    def test_tree_solvers_agree(self):
        ends = []
        for method in ("articulated", "sparse", "dense"):
            trace = self.path(method + ".csv")
            chain = self.write("chain.urdf", ARM.replace('<axis xyz="0 0 1"/>', '<axis xyz="0 1 0"/>'))  # its base and tip have no mass
            self.run_of(chain, "--time", "0.5", "--dt", "0.002", "--q0", "0.3,0.5", "--base", "fixed", "--tree-solver", method, "--trace", trace)
            with open(trace) as file:
                ends.append([float(x) for x in file.read().strip().split("\n")[-1].split(",")[1:3]])
        self.assert_near(ends[1], ends[0], 1e-6)
        self.assert_near(ends[2], ends[0], 1e-6)

    def test_a_link_without_inertia_is_named(self):
        gimbal = self.write("gimbal.urdf", ARM.replace('<joint name="end" type="fixed"', '<joint name="end" type="continuous"'))
        for method in ("articulated", "sparse", "dense"):
            run = call("simulate", gimbal, "--time", "0.5", "--dt", "0.002", "--tree-solver", method)
            self.assertEqual(run.returncode, 1)
            self.assertIn("link 'tip': ", run.stderr)

    def test_box_falls_and_rests(self):
        for solver in ("pgs", "dantzig", "jacobi", "cg", "lemke"):
            trace = self.path("box.csv")
            found = self.run_of(self.box, "--time", "2", "--dt", "1/240", "--drop", "0.3", "--solver", solver, "--no-sleep", "--trace", trace)
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


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
