"""What the tests of the vertebra command share: the program and the models of the command line, files to run it on, how to call it."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM, MODELS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
VERBS = ("info", "fk", "dynamics", "simulate", "convert", "motion", "retarget", "markers", "render", "fmu")
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
