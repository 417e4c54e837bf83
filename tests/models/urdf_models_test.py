#!/usr/bin/env python3
"""Checks our own URDF models, read back from their files: made by their script byte for byte, physically sound, symmetric, standing
level, without overlaps between links that are not neighbours. Usage: urdf_models_test.py FOLDER
"""
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import numpy as np

# name: links, total mass, height from lowest to highest point of collision shapes, links that carry the soles
EXPECTED = {
    "humanoid": (30, 60.0, 1.60, ("foot",)),
    "arm7": (12, 19.0, 1.392, ("base",)),
    "quadruped": (17, 15.0, None, ("foot",)),
    "car": (11, 1200.0, 1.05, ("wheel",)),
}
# Postures, by angles in radians, at which besides the zero pose only neighbours may overlap.
BENT = {"humanoid": [{"left_hip_pitch": -1.8, "right_hip_pitch": -1.8}, {"left_hip_pitch": -0.9, "left_knee": 1.8, "right_hip_pitch": -1.3}]}
complaints = []


def expect(condition, text):
    if not condition:
        complaints.append(text)


def vector(element, name, default="0 0 0"):
    return np.array([float(t) for t in (element.get(name, default) if element is not None else default).split()])


def pose(element):
    """4x4 matrix of an element's <origin>."""
    origin = element.find("origin")
    (sr, sp, sy), (cr, cp, cy) = np.sin(vector(origin, "rpy")), np.cos(vector(origin, "rpy"))
    m = np.eye(4)
    m[:3, :3] = (np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
                 @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]]))
    m[:3, 3] = vector(origin, "xyz")
    return m


class Primitive:
    def __init__(self, element):
        self.pose = pose(element)
        shape = element.find("geometry")[0]
        self.kind = shape.tag
        if self.kind == "box":
            self.half = vector(shape, "size") / 2
        else:
            self.radius = float(shape.get("radius"))
            length = float(shape.get("length")) / 2 if self.kind == "cylinder" else self.radius
            self.half = np.array([self.radius, self.radius, length])

    def inside(self, points):  # points in the primitive's own frame
        if self.kind == "box":
            return np.all(np.abs(points) <= self.half, axis=1)
        if self.kind == "sphere":
            return np.sum(points**2, axis=1) <= self.radius**2
        return (points[:, 0] ** 2 + points[:, 1] ** 2 <= self.radius**2) & (np.abs(points[:, 2]) <= self.half[2])

    def samples(self, n):
        """Midpoints of a grid, those inside: for integrals and for overlaps."""
        t = (np.arange(n) + 0.5) / n * 2 - 1
        grid = np.stack(np.meshgrid(t, t, t, indexing="ij"), -1).reshape(-1, 3) * self.half
        return grid[self.inside(grid)]


def place(m, points):
    return points @ m[:3, :3].T + m[:3, 3]


class Model:
    def __init__(self, path):
        robot = ET.parse(path).getroot()
        self.links = {e.get("name"): e for e in robot.findall("link")}
        self.joints = {e.get("name"): e for e in robot.findall("joint")}
        self.parent = {j.find("child").get("link"): j for j in self.joints.values()}
        self.angles = {}
        self.collision = {n: [Primitive(c) for c in e.findall("collision")] for n, e in self.links.items()}

    def world(self, link):
        joint = self.parent.get(link)
        return np.eye(4) if joint is None else self.world(joint.find("parent").get("link")) @ pose(joint) @ self.turn(joint)

    def turn(self, joint):
        """Of a hinge, by its angle."""
        m, angle = np.eye(4), self.angles.get(joint.get("name"), 0)
        x, y, z = vector(joint.find("axis"), "xyz", "1 0 0")
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        m[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
        return m

    def inertial(self, link):
        """Mass, centre and inertia about it in link axes, or None."""
        element = self.links[link].find("inertial")
        if element is None:
            return None
        i = {k: float(v) for k, v in element.find("inertia").attrib.items()}
        matrix = np.array([[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]])
        return float(element.find("mass").get("value")), pose(element)[:3, 3], matrix


def check_inertias(name, model):
    for link, element in model.links.items():
        inertial = model.inertial(link)
        if inertial is None:
            expect(link not in model.parent and name == "arm7", f"{name}/{link}: moves but has no inertia")
            continue
        mass, centre, inertia = inertial
        a, b, c = np.linalg.eigvalsh(inertia)
        expect(mass > 0 and a > 0, f"{name}/{link}: mass or inertia is not positive")
        expect(a + b > c * (1 + 1e-9), f"{name}/{link}: principal moments {a}, {b}, {c} break the triangle inequality")
        visuals = [Primitive(v) for v in element.findall("visual")]
        if len(visuals) == 1:  # one uniform solid: integrate it
            points = place(visuals[0].pose, visuals[0].samples(40))
            d = points - points.mean(0)
            whole = mass * (np.mean(np.sum(d**2, 1)) * np.eye(3) - d.T @ d / len(d))
            expect(np.allclose(points.mean(0), centre, atol=1e-6), f"{name}/{link}: centre of mass is not that of its shape")
            expect(np.abs(whole - inertia).max() < 0.01 * c, f"{name}/{link}: inertia is not that of its shape")


def check_joints(name, model):
    for joint, element in model.joints.items():
        kind, limit = element.get("type"), element.find("limit")
        if kind == "fixed":
            continue
        expect(abs(np.linalg.norm(vector(element.find("axis"), "xyz")) - 1) < 1e-9, f"{name}/{joint}: axis is not a unit vector")
        expect(float(limit.get("effort")) > 0 and float(limit.get("velocity")) > 0, f"{name}/{joint}: effort or velocity is not positive")
        if kind != "continuous":
            low, high = float(limit.get("lower")), float(limit.get("upper"))
            expect(low <= 0 <= high and high - low > 0.05, f"{name}/{joint}: limits {low}, {high} do not hold zero")
        mimic = element.find("mimic")
        expect(mimic is None or mimic.get("joint") in model.joints, f"{name}/{joint}: mimics an unknown joint")


def check_symmetry(name, model):
    """The right side is the left one in the mirror y -> -y."""
    mirror = np.diag([1.0, -1.0, 1.0])
    lefts = [n for n in list(model.links) + list(model.joints) if "left_" in n]
    expect(bool(lefts) and all(n.replace("left_", "right_") in {**model.links, **model.joints} for n in lefts), f"{name}: a side lacks parts")
    for left in (n for n in lefts if n in model.links):
        right = left.replace("left_", "right_")
        (ml, cl, il), (mr, cr, ir) = model.inertial(left), model.inertial(right)
        same = ml == mr and np.allclose(mirror @ cl, cr, atol=1e-9) and np.allclose(mirror @ il @ mirror, ir, rtol=1e-8, atol=1e-12)
        expect(same, f"{name}: {left} and {right} are not mirror images in mass")
        expect(np.allclose(mirror @ model.world(left)[:3, 3], model.world(right)[:3, 3], atol=1e-9), f"{name}: {left} and {right} stand unevenly")
    for left in (n for n in lefts if n in model.joints):
        a, b = model.joints[left], model.joints[left.replace("left_", "right_")]
        if a.get("type") in ("fixed", "continuous"):
            continue
        # In the mirror an axis of turning keeps its y and flips x and z; an axis of sliding is an ordinary vector.
        image = mirror @ vector(a.find("axis"), "xyz") * (1 if a.get("type") == "prismatic" else -1)
        sense = image @ vector(b.find("axis"), "xyz")
        expect(abs(abs(sense) - 1) < 1e-9, f"{name}: axis of {left} is not mirrored")
        low, high = (float(a.find("limit").get(k)) for k in ("lower", "upper"))
        wanted = (low, high) if sense > 0 else (-high, -low)
        found = tuple(float(b.find("limit").get(k)) for k in ("lower", "upper"))
        expect(np.allclose(wanted, found), f"{name}: limits of {left} are not mirrored")


def check_stand(name, model):
    links, mass, height, soles = EXPECTED[name]
    expect(len(model.links) == links, f"{name}: {len(model.links)} links, expected {links}")
    total = sum(model.inertial(n)[0] for n in model.links if model.inertial(n) is not None)
    expect(abs(total - mass) < 1e-9, f"{name}: mass {total} kg, expected {mass}")

    def extent(link):
        points = [place(model.world(link) @ p.pose, p.half * corner) for p in model.collision[link] if p.kind == "box"
                  for corner in [np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).T.reshape(-1, 3)]]
        for p in model.collision[link]:
            if p.kind != "box":
                m = model.world(link) @ p.pose
                up = m[2, :3]  # the world's z in the primitive's axes
                reach = p.radius if p.kind == "sphere" else p.radius * np.hypot(up[0], up[1]) + p.half[2] * abs(up[2])
                points.append(m[:3, 3] + np.array([[0, 0, -reach], [0, 0, reach]]))
        z = np.concatenate(points)[:, 2]
        return z.min(), z.max()

    extents = {n: extent(n) for n in model.links if model.collision[n]}
    floor = min(low for low, _ in extents.values())
    levels = [low for n, (low, _) in extents.items() if n.endswith(soles)]
    expect(len(levels) > 0 and max(levels) - floor < 1e-9, f"{name}: soles are not all on the ground: {levels}, {floor}")
    others = [low for n, (low, _) in extents.items() if not n.endswith(soles)]
    expect(min(others) > floor + 0.005, f"{name}: something besides the soles touches the ground")
    if height is not None:
        tall = max(high for _, high in extents.values()) - floor
        expect(abs(tall - height) < 1e-6, f"{name}: {tall} m tall, expected {height}")


def check_overlaps(name, model):
    """At the present pose only neighbours may overlap; links fixed to each other count as one."""

    def lump(link):
        joint = model.parent.get(link)
        return lump(joint.find("parent").get("link")) if joint is not None and joint.get("type") == "fixed" else link

    neighbours = {frozenset((lump(child), lump(j.find("parent").get("link")))) for child, j in model.parent.items()}
    shapes = [(n, model.world(n) @ p.pose, p) for n in model.links for p in model.collision[n]]
    clouds = [place(m, p.samples(16)) for _, m, p in shapes]
    for i, (a, ma, pa) in enumerate(shapes):
        for j in range(i):
            b, mb, pb = shapes[j]
            if lump(a) == lump(b) or frozenset((lump(a), lump(b))) in neighbours:
                continue
            hit = pa.inside(place(np.linalg.inv(ma), clouds[j])).any() or pb.inside(place(np.linalg.inv(mb), clouds[i])).any()
            expect(not hit, f"{name}: {a} and {b} overlap at {model.angles or 'the zero pose'}")


def main():
    folder = sys.argv[1]
    files = sorted(f for f in os.listdir(folder) if f.endswith(".urdf"))
    expect(files == sorted(n + ".urdf" for n in EXPECTED), f"models and expectations differ: {files}")
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([sys.executable, os.path.join(folder, "make_models.py"), "--out", made], check=True)
        _, differing, missing = filecmp.cmpfiles(folder, made, files, shallow=False)
        expect(not differing and not missing, f"make_models.py does not make these committed files: {differing + missing}")
    for file in files:
        name, model = file[:-5], Model(os.path.join(folder, file))
        for check in (check_inertias, check_joints, check_symmetry, check_stand, check_overlaps):
            check(name, model)
        for model.angles in BENT.get(name, []):
            check_overlaps(name, model)
        if shutil.which("check_urdf"):
            run = subprocess.run(["check_urdf", os.path.join(folder, file)], capture_output=True, text=True)
            expect(run.returncode == 0 and "Successfully Parsed XML" in run.stdout, f"{name}: check_urdf says {run.stdout}{run.stderr}")
    print("\n".join(complaints) or f"{len(files)} models in order")
    sys.exit(1 if complaints else 0)


main()
