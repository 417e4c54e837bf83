"""What the tests of FMUs share: models, and FMUs that `vertebra fmu` makes of them, each once.

Arguments of the tests: PROGRAM MODELS ROBOTS
PROGRAM: the command; MODELS: our models; ROBOTS: a folder of URDFs of others, for one test that is skipped by name without it.
"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import importer

PROGRAM, MODELS, ROBOTS = (pathlib.Path(each).resolve() for each in sys.argv[1:4])
STEP = 1 / 240  # s
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
        ran = subprocess.run([str(PROGRAM), "fmu", str(model(name)), "-o", str(out), "--fmi", str(version), "--time", "0.5", "--json", *options],
                             capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        MADE[key] = importer.Fmu(out, out.parent / "unpacked %41")
        MADE[key].told = json.loads(ran.stdout)
    return MADE[key]
