#!/usr/bin/env python3
"""FMUs of `vertebra fmu`, run by an importer of our own (importer.py) and held against the same model stepped through the C ABI, bit for bit.

fmi_test.py PROGRAM MODELS ROBOTS
PROGRAM: the command; MODELS: our models; ROBOTS: a folder of URDFs of others, for one test that is skipped by name without it.
"""
import csv
import ctypes
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy  # noqa: F401 - the Python binding needs it
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

import importer
import rules
from importer import DISCARD, ERROR, OK
from vertebra import Skeleton, World, vtb
from vertebra.owner import Owner

PROGRAM, MODELS, ROBOTS = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
BODY, STEP = "VTB_NAMED_BODY", 1 / 240
FOLDER = tempfile.TemporaryDirectory()
MADE = {}

# A ball falls on a ramp of 20 degrees, rolls down and meets a box.
SCENE = """<scene name="roll"><settings sleep="no"/>
  <plane/>
  <box name="ramp" position="0 0 0.5" orientation="0deg 20deg 0deg" half_extents="1 0.5 0.05"/>
  <body name="ball" position="-0.5 0 1" mass="1"><sphere radius="0.1"/></body>
  <body name="it's-a-&quot;box&quot;" position="1.5 0 0.2" mass="2"><box half_extents="0.2 0.2 0.2"/></body>
</scene>
"""
PENDULUM = """<robot name="pendulum">
  <link name="world"/>
  <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.03"/></inertial></link>
  <joint name="swing" type="continuous"><parent link="world"/><child link="rod"/><origin xyz="0 0 1.5"/><axis xyz="0 1 0"/></joint>
</robot>
"""


def bits(values):
    return [struct.pack("<d", value) for value in values]


def model(name):
    for text, file in ((SCENE, "roll.xml"), (PENDULUM, "pendulum.urdf")):
        (pathlib.Path(FOLDER.name) / file).write_text(text, encoding="utf-8")
    own = pathlib.Path(FOLDER.name) / name
    return own if own.exists() else MODELS / name


def fmu(name, version, *options):
    """The FMU of a model, made once."""
    key = (name, version, *options)
    if key not in MADE:
        out = pathlib.Path(FOLDER.name) / f"fmu{len(MADE)}" / "a model.fmu"
        out.parent.mkdir(exist_ok=True)
        ran = subprocess.run([PROGRAM, "fmu", str(model(name)), "-o", str(out), "--fmi", str(version), "--time", "0.5", "--json", *options],
                             capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        MADE[key] = importer.Fmu(out, out.parent / "unpacked %41")
        MADE[key].told = json.loads(ran.stdout)
    return MADE[key]


def scene_world(path):
    scene = ctypes.c_void_p()
    vtb.vtb_scene_load(str(path), None, ctypes.byref(scene))
    world = World.__new__(World)
    Owner.__init__(world, vtb.vtb_scene_create_world, scene, None)
    vtb.vtb_scene_release(scene)
    return world


def body_named(world, name):
    """The handle of a body, by its name in the world."""
    total = ctypes.c_size_t()
    vtb.vtb_world_get_bodies(world, None, ctypes.c_size_t(0), ctypes.byref(total))
    bodies = (vtb.vtb_body * total.value)()
    vtb.vtb_world_get_bodies(world, bodies, total, ctypes.byref(total))
    text, needed = ctypes.create_string_buffer(200), ctypes.c_size_t()
    for body in bodies:
        vtb.vtb_world_get_name_of(world, ctypes.c_int(getattr(vtb, BODY)), ctypes.c_uint64(body.bits), text, ctypes.c_size_t(200),
                                  ctypes.byref(needed))
        if text.value.decode() == name:
            return body
    raise KeyError(name)


def motion_of(world, body):
    pose, twist = (ctypes.c_double * 7)(), (ctypes.c_double * 6)()
    vtb.vtb_body_get_pose(world, body, pose)
    vtb.vtb_body_get_twist(world, body, twist)
    return [*pose, *twist]


def outputs_of(body):
    """Names of the outputs that motion_of gives."""
    return [f"{body}.{leaf}[{i}]" for leaf, count in (("position", 3), ("orientation", 4), ("velocity", 3), ("angular_velocity", 3))
            for i in range(count)]


class Runs(unittest.TestCase):
    def test_scene_with_contacts_bit_for_bit(self):
        names = {"ball": "ball", "'it\\'s-a-\\\"box\\\"'": "it's-a-\"box\""}
        for version in (2, 3):
            one, world = fmu("roll.xml", version).instance(), scene_world(model("roll.xml"))
            self.assertEqual(one.begin(), OK)
            touched = False
            for k in range(120):
                self.assertEqual(one.step(3 * k * STEP, 3 * STEP), OK, one.messages)
                world.step(3)
                for shown, name in names.items():
                    self.assertEqual(bits(one.get(*outputs_of(shown))), bits(motion_of(world, body_named(world, name))), (version, k, name))
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
            tip, last = links[-1], vtb.vtb_body()  # the figure's last link
            vtb.vtb_figure_get_body(world, figure.handle, ctypes.c_int32(len(figure.poses()) - 1), ctypes.byref(last))
            force = (ctypes.c_double * 3)(3, -2, 1)
            self.assertEqual(one.begin(), OK)
            for k in range(100):
                tau = [0.5 * (i + 1) * (-1) ** (k // 10) for i in range(len(joints))]
                for joint, value in zip(joints, tau):
                    self.assertEqual(one.set(joint + ".tau", value), OK, one.messages)
                for i in range(3):
                    self.assertEqual(one.set(f"{tip}.force[{i}]", force[i]), OK, one.messages)
                self.assertEqual(one.step(k * STEP, STEP), OK, one.messages)
                self.drive(world, figure, joints, tau)
                vtb.vtb_body_add_force(world, last, force, None, ctypes.c_int(vtb.VTB_DURATION_ONE_STEP))
                world.step()
                self.assertEqual(bits(one.get(*[joint + ".q" for joint in joints])), bits(figure.q), (version, k))
                self.assertEqual(bits(one.get(*[joint + ".v" for joint in joints])), bits(figure.v), (version, k))
            one.free()

    @staticmethod
    def drive(world, figure, joints, tau):
        """Motors in torque mode, by the skeleton's joints in their order; joints without axes are passed over."""
        at, index = 0, 0
        while at < len(joints):
            joint, nq, nv = vtb.vtb_joint(), ctypes.c_int32(), ctypes.c_int32()
            vtb.vtb_figure_get_joint(world, figure.handle, ctypes.c_int32(index), ctypes.byref(joint))
            index += 1
            if not joint.bits:
                continue
            vtb.vtb_joint_get_size(world, joint, ctypes.byref(nq), ctypes.byref(nv))
            if nv.value:
                motor = vtb.make("vtb_motor_def", mode=vtb.VTB_MOTOR_MODE_TORQUE, force=tau[at])
                vtb.vtb_joint_set_motor(world, joint, ctypes.c_int32(0), ctypes.byref(motor))
                at += 1

    def test_pendulum_starts_and_gravity_follow_the_closed_form(self):
        """Without gravity it turns evenly; with it, its energy is kept and small swings have the period of theory."""
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


class States(unittest.TestCase):
    def test_two_instances_do_not_touch_each_other(self):
        for version in (2, 3):
            one, two, alone = (fmu("pendulum.urdf", version).instance(name) for name in ("one", "two", "alone"))
            for instance in (one, two, alone):
                instance.set("swing.q_start", 1.0)
                self.assertEqual(instance.begin(), OK)
            for k in range(50):
                two.set("swing.tau", 5)
                for instance in (two, one, alone):
                    self.assertEqual(instance.step(k * STEP, STEP), OK)
            self.assertEqual(bits(one.get("swing.q")), bits(alone.get("swing.q")))
            self.assertNotEqual(one.get("swing.q"), two.get("swing.q"))
            two.free()
            self.assertEqual(one.step(50 * STEP, STEP), OK)
            one.free(), alone.free()

    def test_states_are_got_set_and_serialised(self):
        for version in (2, 3):
            made = fmu("roll.xml", version)
            one, two, names = made.instance("one"), made.instance("two"), made.of("output")
            self.assertEqual([one.begin(), one.set("ball.force[0]", 1.5), one.set("gravity[0]", 0.3), one.step(0, 60.5 * STEP)],
                             [OK, OK, OK, OK], one.messages)
            status, state = one.save()
            self.assertEqual(status, OK)
            status, data = one.serialise(state)
            self.assertEqual(status, OK)
            go = lambda instance: [instance.step((60.5 + 1.25 * k) * STEP, 1.25 * STEP) for k in range(40)]
            self.assertEqual(go(one), [OK] * 40)
            expected = bits(one.get(*names))
            one.set("ball.force[0]", 0)
            one.set("gravity[0]", 0)
            self.assertEqual([one.restore(state), *go(one)], [OK] * 41, one.messages)
            self.assertEqual(bits(one.get(*names)), expected)
            # In another instance, from bytes; a damaged byte is noticed.
            status, read = two.deserialise(data)
            self.assertEqual([status, two.restore(read), *go(two)], [OK] * 42, two.messages)
            self.assertEqual(bits(two.get(*names)), expected)
            self.assertEqual(two.deserialise(data[:-1] + bytes([data[-1] ^ 1]))[0], ERROR)
            self.assertEqual(one.drop(state), OK)
            self.assertEqual(one.restore(state), ERROR)  # freed
            one.free(), two.free()

    def test_reset_starts_again(self):
        one = fmu("roll.xml", 3).instance()
        runs = []
        for _ in range(2):
            self.assertEqual([one.begin(), one.step(0, 100 * STEP)], [OK, OK])
            runs.append(bits(one.get(*one.fmu.of("output"))))
            self.assertEqual(one.call("Reset"), OK)
        self.assertEqual(*runs)
        one.free()

    # States of the standard by how one gets there, and of each call whether it may be made: I instantiated, M initialization, S step mode,
    # T terminated, E error.
    ALLOWED = {
        2: {"enter": "I", "exit": "M", "step": "S", "terminate": "S", "reset": "IMSTE", "read": "MSTE", "parameter": "IM", "input": "IMS", "save": "IMSTE"},
        3: {"enter": "I", "exit": "M", "step": "S", "terminate": "S", "reset": "IMST", "read": "IMST", "parameter": "IM", "input": "IMS", "save": "IMST"},
    }
    CALLS = {
        "enter": lambda i: i.enter(), "exit": lambda i: i.call("ExitInitializationMode"), "step": lambda i: i.step(0, STEP),
        "terminate": lambda i: i.call("Terminate"), "reset": lambda i: i.call("Reset"), "read": lambda i: i.read("swing.q")[0],
        "parameter": lambda i: i.set("swing.q_start", 0.1), "input": lambda i: i.set("swing.tau", 0.1), "save": lambda i: i.save()[0],
    }

    def in_state(self, version, state):
        one = fmu("pendulum.urdf", version).instance()
        ways = {"I": [], "M": ["enter"], "S": ["enter", "exit"], "T": ["enter", "exit", "terminate"], "E": ["enter", "exit", "enter"]}
        answers = [self.CALLS[call](one) for call in ways[state]]
        self.assertEqual(answers, [OK] * len(answers) if state != "E" else [OK, OK, ERROR])
        return one

    def test_every_call_in_every_state(self):
        for version, table in self.ALLOWED.items():
            for call, allowed in table.items():
                for state in "IMSTE" if version == 2 else "IMST":
                    one = self.in_state(version, state)
                    self.assertEqual(self.CALLS[call](one), OK if state in allowed else ERROR, (version, call, state, one.messages))
                    self.assertEqual(bool(one.messages), state not in allowed or state == "E", (version, call, state))
                    one.free()

    def test_wrong_values_and_steps(self):
        for version in (2, 3):
            made = fmu("pendulum.urdf", version)
            wrong = [
                (lambda i: i.set("swing.tau", float("nan")), DISCARD), (lambda i: i.set("swing.q", 1), ERROR),
                (lambda i: i.set("time", 1), ERROR), (lambda i: i.step(0.5, STEP), ERROR), (lambda i: i.step(0, -STEP), ERROR),
                (lambda i: i.step(0, float("nan")), ERROR), (lambda i: i.step(0, 2), ERROR),  # after the stop time
                (lambda i: i.call("GetBoolean", ctypes.byref(ctypes.c_uint32(0)), ctypes.c_size_t(1), None, ctypes.c_size_t(1)), ERROR),
            ]
            for k, (call, status) in enumerate(wrong):
                one = made.instance()
                self.assertEqual(one.begin(0, 1.0), OK)
                self.assertEqual(call(one), status, (version, k, one.messages))
                self.assertTrue(one.messages)
                one.free()
            self.assertIsNone(made.instance(token="{another}").handle)
            self.assertIsNone(made.instance(name=" ").handle)
            one = made.instance()
            one.free()
            self.assertEqual(one.step(0, STEP), ERROR)  # the handle lives no more

    def test_a_step_that_diverges(self):
        """FMI 2: the step is discarded, and told is the time up to which it went; FMI 3: an error. The state before can be set back."""
        for version in (2, 3):
            one = fmu("pendulum.urdf", version).instance()
            self.assertEqual([one.begin(), one.step(0, 4 * STEP)], [OK, OK])
            _, state = one.save()
            expected = bits(one.get("swing.q"))
            self.assertEqual(one.set("swing.tau", 1e200), OK)
            self.assertEqual(one.step(4 * STEP, 4 * STEP), DISCARD if version == 2 else ERROR)
            self.assertIn("not numbers", one.messages[-1][1])
            if version == 2:
                last, ended = ctypes.c_double(), ctypes.c_int()
                self.assertEqual(one.call("GetRealStatus", ctypes.c_int(2), ctypes.byref(last)), OK)
                self.assertEqual(one.call("GetBooleanStatus", ctypes.c_int(3), ctypes.byref(ended)), OK)
                self.assertEqual((last.value, ended.value), (4 * STEP, 1))
            self.assertEqual([one.restore(state), one.set("swing.tau", 0), one.step(4 * STEP, STEP)], [OK] * 3, one.messages)
            self.assertEqual([one.restore(state), bits(one.get("swing.q"))], [OK, expected])
            one.free()

    def test_what_is_not_offered_answers_error(self):
        skip = ("GetVersion", "GetTypesPlatform", "Instantiate", "FreeInstance", "DoStep", "Terminate", "Reset", "SetDebugLogging", "FMU", "FMUstate",
                "Initialization", "SetupExperiment", "Status")
        for version in (2, 3):
            names = [name[4:] for name in importer.FUNCTIONS[version] if not any(word in name for word in skip)]
            names = [name for name in names if not name.startswith(("Get", "Set")) or "Deriv" in name or "Contin" in name or "Time" in name or
                     "Clock" in name or "Interval" in name or "Shift" in name or "Number" in name or "Dependenc" in name]
            self.assertGreater(len(names), 10)
            for name in names:
                one = self.in_state(version, "S")
                self.assertEqual(one.call(name, *[None] * 8), ERROR, (version, name))
                one.free()


class Packing(unittest.TestCase):
    def test_every_function_is_exported_and_nothing_else(self):
        for version in (2, 3):
            told = subprocess.run(["nm", "-D", "--defined-only", str(fmu("roll.xml", version).library_path)], capture_output=True, text=True, check=True)
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

    def test_nothing_is_read_outside_of_the_fmu(self):
        """The model's own files may go away."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "model.urdf").write_text(PENDULUM, encoding="utf-8")
            out = pathlib.Path(folder) / "m.fmu"
            subprocess.run([PROGRAM, "fmu", f"{folder}/model.urdf", "-o", str(out)], capture_output=True, check=True)
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
            ran = subprocess.run([PROGRAM, "fmu", str(model("pendulum.urdf")), *options], capture_output=True, text=True, check=False, cwd=FOLDER.name)
            self.assertEqual(ran.returncode, status, ran.stderr)
            self.assertIn(text, ran.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
