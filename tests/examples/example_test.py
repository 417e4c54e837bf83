#!/usr/bin/env python3
"""Runs an example and holds what it prints against closed forms or the file that it reads; looks whether its picture shows something. The
program in Python must print what the one in C prints, times of the clock apart.

    example_test.py NAME c|python PROGRAM BUILD yes|no

PROGRAM is the one in C; pictures go to BUILD/examples/pictures/LANGUAGE; yes: the view library is built. Leaves with 77 where numpy is not
installed.
"""
import importlib.util
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as xml
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAME = "the same to the last bit"
G = 9.81


def numbers(line):
    return [float(each) for each in re.findall(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]\d+)?", line)]


def near(value, expected, tolerance):
    assert abs(value - expected) <= tolerance, f"{value} is not {expected} within {tolerance}"


def hinge(lines):
    """The period of a box about one end, at 60 degrees: by the arithmetic-geometric mean."""
    inertia, a, b = (1 + 0.06**2) / 12 + 0.25, 1.0, math.cos(math.radians(30))
    for _ in range(6):
        a, b = (a + b) / 2, math.sqrt(a * b)
    near(numbers(lines[0])[0], 2 * math.pi * math.sqrt(inertia / (G * 0.5)) / a, 1e-4)  # of second order in the step: a quarter of that with half of it
    assert numbers(lines[1])[0] < 1e-14
    changed, energy = numbers(lines[2])
    near(energy, G * (1.5 - 0.5 * 0.5), 1e-3)  # its middle is 0.25 m below the hinge
    assert changed < 1e-7


def robot_drop(lines):
    robot = xml.parse(ROOT / "models/urdf/humanoid.urdf").getroot()
    mass = sum(float(each.get("value")) for each in robot.iter("mass"))
    links, told, points = numbers(lines[0])
    assert links == len(robot.findall("link")) and points >= 3
    near(told, mass, 1e-3)
    weight, borne = numbers(lines[1])
    near(weight, mass * G, 1e-2)
    near(borne, mass * G, 1e-3 * mass * G)
    assert numbers(lines[2])[0] < 1


def computed_torque(lines):
    computed, alone = (numbers(line)[0] for line in lines)
    assert computed < 5e-3 and alone > 50 * computed


def loop(lines):
    near(numbers(lines[0])[0], 2 * math.pi * (2 - 1 / 240), 1e-3)  # two seconds but for the first step
    assert numbers(lines[1])[0] < 1e-11 and numbers(lines[2])[0] < 1e-11


def contact_events(lines):
    assert len(lines) == 5
    speed = math.sqrt(2 * G)
    time = speed / G
    for line in lines:
        touch, impulse, *_ = numbers(line)
        near(touch, time, 1.1e-3)  # the end of the step in which it happened
        near(impulse, 2 * speed * 1.8, 2e-3)
        speed *= 0.8
        time += 2 * speed / G


def user_constraint(lines):
    for line in lines[:3]:
        _, turned, time = numbers(line)
        near(turned, time * math.sqrt(G / 0.5), 4e-3)
    assert numbers(lines[3])[0] < 1e-12


def driveline(lines):
    engine = wheel = lost = work = 0.0
    for line, ratio in zip(lines, (8.0, 4.0, 2.0)):
        # The clutch closes: what the engine's shaft loses in turning, times the ratio, the wheel gains.
        before = 0.25 * engine**2 + 30 * wheel**2
        wheel = (60 * wheel + ratio * 0.5 * engine) / (60 + 0.5 * ratio**2)
        lost += before - 0.25 * (ratio * wheel) ** 2 - 30 * wheel**2
        rate = 200 * ratio / (60 + 0.5 * ratio**2)
        work += 200 * ratio * (wheel + rate / 2)  # of a second
        wheel += rate
        engine = ratio * wheel
        told_ratio, gained = numbers(line)[1:3]
        near(told_ratio, ratio, 1e-5)
        near(gained, rate, 1e-3)
    told_work, kinetic, told_lost = numbers(lines[3])
    near(told_work, work, 0.005 * work)
    near(kinetic, 0.25 * engine**2 + 30 * wheel**2, 0.005 * work)
    near(told_lost, lost, 0.005 * work)


def snapshot(lines):
    assert lines[0].endswith(f"run again: {SAME}") and numbers(lines[0])[0] > 17 * 13 * 8
    assert lines[1] == f"in another world: {SAME}" and lines[2] == "with a push: another future"


def threads(lines):
    one, several = numbers(lines[0]), numbers(lines[1])
    assert one[0] == 1 and several[0] >= 2 and one[2] == several[2] == 64 and min(one[1], several[1]) > 0
    assert lines[2] == f"results: {SAME}"


def retarget(lines):
    text = (ROOT / "models/motions/walk.bvh").read_text()
    frames, coordinates, findings = numbers(lines[0])
    robot = xml.parse(ROOT / "models/urdf/humanoid.urdf").getroot()
    moving = [each for each in robot.findall("joint") if each.get("type") != "fixed" and each.find("mimic") is None]
    assert frames == int(re.search(r"Frames:\s*(\d+)", text)[1]) and coordinates == 7 + len(moving) and findings >= 10
    mean, largest, contacts = numbers(lines[1])
    assert mean <= largest < 5 and contacts >= 4
    excess, rates = numbers(lines[2])
    assert excess < 1e-3 and 0 < rates <= 100


def scene_file(lines):
    bodies, joints, text = numbers(lines[0])
    assert (bodies, joints) == (13, 7) and text > 20
    assert numbers(lines[1])[-1] < -0.4, "the ball hits the tower, which stood at x = -0.35"
    assert lines[2] == f"the loaded world goes on {SAME}"


def sensors(lines):
    assert max(numbers(lines[0])[:1] + numbers(lines[0])[-1:]) < 1e-9
    acceleration, touch, lid = (each for each in numbers(lines[1].replace("m/s^2", "")))
    near(acceleration, G, 1e-3)
    near(touch, 5 * G, 1e-2)
    near(lid, 2 * G, 1e-2)
    time, force = numbers(lines[2])
    near(time, math.sqrt(2 / G), 2e-3)
    assert force > 100 * G


def run(*command, **environment):
    done = subprocess.run(list(map(str, command)), env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, f"{command[0]} ended with {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout, done.stderr


def look(folder, name):
    """A PNG of a strip's size with more than a background, or an SVG with lines of many points."""
    picture, chart = folder / f"{name}.png", folder / f"{name}.svg"
    if chart.is_file():
        assert "nan" not in chart.read_text() and "inf" not in re.sub(r"<text.*?</text>", "", chart.read_text())
        lines = [each.get("points").split() for each in xml.parse(chart).getroot().iter("{http://www.w3.org/2000/svg}polyline")]
        assert len(lines) >= 2 and max(map(len, lines)) >= 500 and all(len({point.split(",")[1] for point in line}) > 3 for line in lines)
        return
    data = picture.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    packed, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    assert width > 800 and height > 200 and len(zlib.decompress(packed)) >= 3 * width * height and len(packed) > 20_000, (width, height, len(packed))


name, language, program, build, drawn = sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4]), sys.argv[5] == "yes"
if language == "python" and importlib.util.find_spec("numpy") is None:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)
folder = build / "examples" / "pictures" / language
folder.mkdir(parents=True, exist_ok=True)
for old in folder.glob(f"{name}.*"):
    old.unlink()
if language == "c":
    told, errors = run(program, folder)
else:
    told, errors = run(sys.executable, "-B", ROOT / "examples/python" / f"{name}.py", folder, VERTEBRA_BUILD=str(build),
                       PYTHONPATH=str(ROOT / "capi/bindings/python"))
    reference = folder / "c"  # of its own: both tests may run at once
    reference.mkdir(exist_ok=True)
    clock = re.compile(r"\d+ us a step")
    in_c = run(program, reference)[0]
    assert clock.sub("", told) == clock.sub("", in_c), f"the program in C prints\n{in_c}the one in Python\n{told}"
print(told, end="")
globals()[name](told.splitlines())
if drawn or "no picture" not in errors:
    assert not errors, errors
    look(folder, name)
