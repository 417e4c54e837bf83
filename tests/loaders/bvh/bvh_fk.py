"""Forward kinematics of a BVH file, written apart from the library: own parser, rotation matrices by numpy's sine and cosine.

Usage: python3 bvh_fk.py FILE. Writes to stdout, as little-endian doubles: frames, joints, figure size, then for every frame and
joint (file order) the world position (3) and rotation matrix (9, row after row), in the file's own units and axes.
"""
import re
import sys

import numpy as np


def parse(path):
    with open(path, "rb") as file:
        text = file.read().decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    head, rows = re.split(r"^\s*MOTION\s*$", text, maxsplit=1, flags=re.MULTILINE)
    parents, offsets, channels, stack = [], [], [], []
    words = head.split()
    at = 0
    while at < len(words):
        word = words[at].upper()
        if word in ("ROOT", "JOINT"):
            parents.append(stack[-1] if stack else -1)
            offsets.append(None)
            channels.append([])
            stack.append(len(parents) - 1)
            at = words.index("{", at)
        elif word == "END":
            stack.append(None)
            at = words.index("{", at)
        elif word == "}":
            stack.pop()
        elif word == "OFFSET":
            if stack[-1] is not None:
                offsets[stack[-1]] = [float(w) for w in words[at + 1:at + 4]]
            at += 3
        elif word == "CHANNELS":
            count = int(words[at + 1])
            channels[stack[-1]] = [w.lower() for w in words[at + 2:at + 2 + count]]
            at += 1 + count
        at += 1
    lines = [line for line in rows.split("\n") if line.strip()]
    lines = [line for line in lines if not line.strip().lower().startswith("frame")]
    values = np.array([[float(w) for w in line.split()] for line in lines])
    return parents, np.array(offsets), channels, values


def rotation(axis, degrees):
    angle = np.radians(degrees)
    c, s = np.cos(angle), np.sin(angle)
    out = np.zeros((len(angle), 3, 3))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out[:, axis, axis] = 1
    out[:, i, i] = c
    out[:, j, j] = c
    out[:, i, j] = -s
    out[:, j, i] = s
    return out


def main():
    parents, offsets, channels, values = parse(sys.argv[1])
    frames, joints = len(values), len(parents)
    position = np.zeros((frames, joints, 3))
    orientation = np.zeros((frames, joints, 3, 3))
    column = 0
    for joint in range(joints):
        p = np.tile(offsets[joint], (frames, 1))
        r = np.tile(np.eye(3), (frames, 1, 1))
        for name in channels[joint]:
            axis = "xyz".index(name[0])
            if name.endswith("position"):
                p[:, axis] = values[:, column]
            else:
                r = r @ rotation(axis, values[:, column])
            column += 1
        if parents[joint] >= 0:
            above = parents[joint]
            p = position[:, above] + np.einsum("fij,fj->fi", orientation[:, above], p)
            r = orientation[:, above] @ r
        position[:, joint] = p
        orientation[:, joint] = r
    size = np.max(np.ptp(position[0], axis=0))
    sys.stdout.buffer.write(np.array([frames, joints, size], dtype="<f8").tobytes())
    block = np.concatenate([position, orientation.reshape(frames, joints, 9)], axis=2)
    sys.stdout.buffer.write(block.astype("<f8").tobytes())


main()
