#!/usr/bin/env python3
"""FMUs of `vertebra fmu`, run by an importer of our own (importer.py) and held against the same model stepped through the C ABI, bit for bit,
and against closed forms. Arguments: fmus.py. Leaves with 77 (skipped) where numpy is not installed.
"""
import csv
import sys
import unittest

try:
    import numpy  # noqa: F401 - the Python binding needs it
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

import rules
from fmus import MODELS, ROBOTS, STEP, bits, fmu, model
from importer import OK
from vertebra import Scene, Skeleton, World


def motion_of(body):
    return [*body.pose, *body.twist]


def outputs_of(body):
    """Names of the outputs that motion_of gives."""
    return [f"{body}.{leaf}[{i}]" for leaf, count in (("position", 3), ("orientation", 4), ("velocity", 3), ("angular_velocity", 3))
            for i in range(count)]


class Runs(unittest.TestCase):
    def test_scene_with_contacts_bit_for_bit(self):
        names = {"ball": "ball", "'it\\'s-a-\\\"box\\\"'": "it's-a-\"box\""}
        for version in (2, 3):
            one, world = fmu("roll.xml", version).instance(), Scene(model("roll.xml")).world()
            self.assertEqual(one.begin(), OK)
            touched = False
            for k in range(120):
                self.assertEqual(one.step(3 * k * STEP, 3 * STEP), OK, one.messages)
                world.step(3)
                for shown, name in names.items():
                    self.assertEqual(bits(one.get(*outputs_of(shown))), bits(motion_of(world.find("body", name))), (version, k, name))
                touched = touched or one.get("ball.contact_force[2]")[0] > 1
            self.assertTrue(touched)
            # At rest the ground carries the box's weight.
            self.assertAlmostEqual(one.get("'it\\'s-a-\\\"box\\\"'.contact_force[2]")[0], 2 * 9.81, delta=0.2)
            one.free()

    def test_torque_and_outer_force_bit_for_bit(self):
        for version in (2, 3):
            one = fmu("urdf/arm7.urdf", version).instance()
            world = World(time_step=STEP)
            figure = world.add_figure(Skeleton(MODELS / "urdf/arm7.urdf"))
            joints = [name[:-4] for name in one.fmu.of("input") if name.endswith(".tau")]
            links = [name[:-9] for name in one.fmu.of("input") if name.endswith(".force[0]")]
            self.assertGreater(len(joints), 6)
            tip, force = links[-1], (3, -2, 1)
            self.assertEqual(one.begin(), OK)
            for k in range(100):
                tau = [0.5 * (i + 1) * (-1) ** (k // 10) for i in range(len(joints))]
                for joint, value in zip(joints, tau):
                    self.assertEqual(one.set(joint + ".tau", value), OK, one.messages)
                    figure.joint(joint).set_motor(mode="torque", force=value)
                for i in range(3):
                    self.assertEqual(one.set(f"{tip}.force[{i}]", force[i]), OK, one.messages)
                figure.body(tip).add_force(force)
                self.assertEqual(one.step(k * STEP, STEP), OK, one.messages)
                world.step()
                self.assertEqual(bits(one.get(*[joint + ".q" for joint in joints])), bits(figure.q), (version, k))
                self.assertEqual(bits(one.get(*[joint + ".v" for joint in joints])), bits(figure.v), (version, k))
            one.free()

    def test_pendulum_starts_and_gravity_follow_the_closed_form(self):
        """Without gravity it turns evenly; with it, small swings have the period of theory."""
        one = fmu("pendulum.urdf", 2).instance()
        self.assertEqual([one.set(f"gravity[{i}]", 0) for i in range(3)] + [one.set("swing.q_start", 0.5), one.set("swing.v_start", 2)], [OK] * 5)
        self.assertEqual(one.begin(), OK)
        self.assertEqual(one.step(0, 60 * STEP), OK)
        self.assertAlmostEqual(one.get("swing.q")[0], 0.5 + 2 * 60 * STEP, delta=1e-9)
        one.free()
        two = fmu("pendulum.urdf", 3).instance()
        self.assertEqual([two.set("swing.q_start", 0.02), two.begin()], [OK, OK])
        crossed, before = [], 0.02
        for k in range(1200):
            self.assertEqual(two.step(k * STEP, STEP), OK)
            now = two.get("swing.q")[0]
            if before > 0 >= now or before < 0 <= now:
                crossed.append(k * STEP + STEP * before / (before - now))
            before = now
        period = 2 * (crossed[-1] - crossed[0]) / (len(crossed) - 1)
        self.assertAlmostEqual(period, 2 * 3.141592653589793 * ((0.02 + 2 * 0.25) / (2 * 9.81 * 0.5)) ** 0.5, delta=2e-3)
        two.free()

    def test_position_and_velocity_inputs_reach_their_targets(self):
        one = fmu("pendulum.urdf", 3, "--inputs", "position").instance()
        self.assertEqual([one.set("swing.q_target", 0.4), one.set("gravity[2]", 0), one.begin(), one.step(0, 480 * STEP)], [OK] * 4)
        self.assertAlmostEqual(one.get("swing.q")[0], 0.4, delta=1e-3)
        one.free()
        two = fmu("pendulum.urdf", 2, "--inputs", "velocity").instance()
        self.assertEqual([two.set("swing.v_target", 1.5), two.set("gravity[2]", 0), two.begin(), two.step(0, 480 * STEP)], [OK] * 4)
        self.assertAlmostEqual(two.get("swing.v")[0], 1.5, delta=1e-3)
        two.free()

    def test_the_remainder_of_a_step_is_kept(self):
        one, other = (fmu("roll.xml", 2).instance(name) for name in ("odd", "even"))
        names = outputs_of("ball")
        self.assertEqual([one.begin(), other.begin()], [OK, OK])
        length, made = 1.7 * STEP, 0
        for k in range(100):
            self.assertEqual(one.step(k * length, length), OK, one.messages)
            while made < 17 * (k + 1) // 10:
                self.assertEqual(other.step(made * STEP, STEP), OK, other.messages)
                made += 1
            self.assertEqual(bits(one.get(*names)), bits(other.get(*names)), k)
            self.assertAlmostEqual(one.get("time")[0], (k + 1) * length, delta=1e-12)
        one.free(), other.free()

    def test_reference_run(self):
        for version in (2, 3):
            made = fmu("roll.xml", version)
            one = made.instance()
            with open(made.told["reference"], encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))
            self.assertEqual(rows[0], ["time", *made.of("output")])
            self.assertEqual(one.begin(), OK)
            for k, row in enumerate(rows[1:]):
                self.assertEqual(bits(one.get(*made.of("output"))), bits(map(float, row[1:])), k)
                h = made.told["step_size"]
                self.assertEqual(one.step(k * h, (k + 1) * h - k * h), OK)
            self.assertEqual(k, int(0.5 / h + 1e-6))
            one.free()

    def test_robot_of_others(self):
        robots = sorted(ROBOTS.rglob("*.urdf"), key=lambda path: path.stat().st_size)[:3] if ROBOTS.is_dir() else []
        if not robots:
            self.skipTest(f"{ROBOTS} is not there")
        for robot in robots:
            made = fmu(str(robot), 2)
            self.assertEqual(rules.complaints(made.root), [], robot)
            one = made.instance()
            self.assertEqual([one.begin(), one.step(0, 24 * STEP)], [OK, OK], (robot, one.messages))
            one.free()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
