#!/usr/bin/env python3
"""Reads an archive of a trajectory with Python's zipfile, which checks each CRC, and with NumPy where it is there.

Usage: npz_test.py PROGRAM; the program writes npz_test.npz into the working directory (test case [write]).
"""
import ast
import os
import struct
import subprocess
import sys
import zipfile

FILE = "npz_test.npz"
SHAPES = {"fps": (1,), "joint_pos": (5, 2), "joint_vel": (5, 2), "body_pos_w": (5, 3, 3), "body_quat_w": (5, 3, 4), "body_lin_vel_w": (5, 3, 3),
          "body_ang_vel_w": (5, 3, 3), "joint_names": (2,), "body_names": (3,)}
NAMES = {"joint_names": ["hinge", "slide"], "body_names": ["base", "arm \u00e9", "hand"]}


def array_of(content):
    if content[:8] != b"\x93NUMPY\x01\x00":
        sys.exit("no NPY file of version 1.0")
    size = struct.unpack("<H", content[8:10])[0]
    head, data = ast.literal_eval(content[10:10 + size].decode()), content[10 + size:]
    if (10 + size) % 64 or head["fortran_order"]:
        sys.exit("the head is not as it should be")
    count = 1
    for n in head["shape"]:
        count *= n
    if head["descr"] == "<f8":
        return head["shape"], list(struct.unpack(f"<{count}d", data))
    width = 4 * int(head["descr"][2:])
    return head["shape"], [data[i * width:(i + 1) * width].decode("utf-32-le").rstrip("\0") for i in range(count)]


subprocess.run([os.path.abspath(sys.argv[1]), "[write]"], check=True, stdout=subprocess.DEVNULL)
with zipfile.ZipFile(FILE) as archive:
    if archive.testzip() is not None:
        sys.exit("a CRC is wrong")
    arrays = {name[:-4]: array_of(archive.read(name)) for name in archive.namelist()}
if {name: shape for name, (shape, _) in arrays.items()} != SHAPES:
    sys.exit(f"shapes: {arrays}")
for name, words in NAMES.items():
    if arrays[name][1] != words:
        sys.exit(f"{name}: {arrays[name][1]}")
if arrays["fps"][1] != [50.0]:
    sys.exit("fps")
for i in range(5):
    hinge, slide = arrays["joint_pos"][1][2 * i:2 * i + 2]
    if abs(hinge - 0.1 * i) > 1e-15 or abs(slide + 0.01 * i) > 1e-15:
        sys.exit("joint_pos")
    if any(abs(v - w) > 1e-12 for v, w in zip(arrays["joint_vel"][1][2 * i:2 * i + 2], (5, -0.5))):
        sys.exit("joint_vel")
try:
    import numpy
except ImportError:
    print("npz_test: skipped with NumPy, which is not there; read with zipfile")
else:
    with numpy.load(FILE) as loaded:
        for name, shape in SHAPES.items():
            if loaded[name].shape != shape or loaded[name].ravel().tolist() != arrays[name][1]:
                sys.exit(f"NumPy reads another {name}")
os.remove(FILE)
