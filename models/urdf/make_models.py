#!/usr/bin/env python3
"""Makes our own URDF models: humanoid, seven-axis arm, quadruped, car. Usage: make_models.py [--out FOLDER]

A link is a set of solid primitives of uniform density; mass, centre of mass and inertia follow from them, so that they are always
physically possible and fit what is seen. SI units, radians, x forward, y left, z up; every zero pose is a natural stand.
Moments of solids: any text on rigid bodies, e.g. Beer and Johnston, Vector Mechanics for Engineers, appendix on mass moments.
"""
import math
import os
import sys

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def rotation(rpy):
    """URDF's roll-pitch-yaw: Rz(yaw) Ry(pitch) Rx(roll)."""
    (sr, cr), (sp, cp), (sy, cy) = [(math.sin(a), math.cos(a)) for a in rpy]
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def number(x):
    text = f"{x:.9g}"
    return "0" if text == "-0" else text


def numbers(values):
    return " ".join(number(v) for v in values)


class Solid:
    """A primitive in its link's frame. Moments are those about its own centre, in its own axes."""

    def __init__(self, tag, attributes, moments, mass, xyz, rpy, collides):
        self.tag, self.attributes, self.moments = tag, attributes, moments
        self.mass, self.xyz, self.rpy, self.collides = mass, xyz, rpy, collides

    def inertia(self):
        r = rotation(self.rpy)
        return [[sum(r[i][k] * self.moments[k] * r[j][k] for k in range(3)) for j in range(3)] for i in range(3)]

    def xml(self):
        size = " ".join(f'{name}="{numbers(v)}"' for name, v in self.attributes)
        rpy = f' rpy="{numbers(self.rpy)}"' if any(self.rpy) else ""
        return f'      <origin xyz="{numbers(self.xyz)}"{rpy}/>\n      <geometry><{self.tag} {size}/></geometry>\n'


def box(mass, size, xyz=(0, 0, 0), rpy=(0, 0, 0), collides=True):
    x, y, z = (s * s for s in size)
    moments = [mass / 12 * (y + z), mass / 12 * (x + z), mass / 12 * (x + y)]
    return Solid("box", [("size", size)], moments, mass, xyz, rpy, collides)


def cylinder(mass, radius, length, xyz=(0, 0, 0), rpy=(0, 0, 0), collides=True):
    """Axis along its own z."""
    across = mass * (3 * radius**2 + length**2) / 12
    moments = [across, across, mass * radius**2 / 2]
    return Solid("cylinder", [("radius", [radius]), ("length", [length])], moments, mass, xyz, rpy, collides)


def sphere(mass, radius, xyz=(0, 0, 0), collides=True):
    return Solid("sphere", [("radius", [radius])], [0.4 * mass * radius**2] * 3, mass, xyz, (0, 0, 0), collides)


ALONG_X = (0, math.pi / 2, 0)  # turns a cylinder's axis
ALONG_Y = (math.pi / 2, 0, 0)

COLOURS = {"light": (0.85, 0.85, 0.88, 1), "dark": (0.25, 0.27, 0.3, 1), "accent": (0.9, 0.45, 0.15, 1)}


class Robot:
    def __init__(self, name, about):
        self.name, self.about, self.body = name, about, []

    def link(self, name, *solids, colour="light"):
        out = [f'  <link name="{name}">\n']
        if solids:
            mass = sum(s.mass for s in solids)
            centre = [sum(s.mass * s.xyz[i] for s in solids) / mass for i in range(3)]
            total = [[0.0] * 3 for _ in range(3)]
            for s in solids:  # parallel axes
                d = [s.xyz[i] - centre[i] for i in range(3)]
                own = s.inertia()
                for i in range(3):
                    for j in range(3):
                        total[i][j] += own[i][j] + s.mass * (sum(c * c for c in d) * IDENTITY[i][j] - d[i] * d[j])
            (xx, xy, xz), (_, yy, yz), (_, _, zz) = total
            moments = zip(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), (xx, xy, xz, yy, yz, zz))
            # what rounding leaves of a product of inertia that is zero is not a number worth writing
            text = " ".join(f'{n}="{number(v if abs(v) > 1e-12 * mass else 0)}"' for n, v in moments)
            out.append(f'    <inertial>\n      <origin xyz="{numbers(centre)}"/>\n      <mass value="{number(mass)}"/>\n')
            out.append(f"      <inertia {text}/>\n    </inertial>\n")
        for s in solids:
            out.append(f'    <visual>\n{s.xml()}      <material name="{colour}"/>\n    </visual>\n')
        for s in solids:
            if s.collides:
                out.append(f"    <collision>\n{s.xml()}    </collision>\n")
        self.body.append("".join(out) + "  </link>\n")

    def joint(self, name, kind, parent, child, xyz=(0, 0, 0), rpy=(0, 0, 0), axis=None, limits=None, effort=None, velocity=None,
              damping=None, friction=None, mimic=None):
        turned = f' rpy="{numbers(rpy)}"' if any(rpy) else ""
        out = [f'  <joint name="{name}" type="{kind}">\n    <origin xyz="{numbers(xyz)}"{turned}/>\n']
        out.append(f'    <parent link="{parent}"/>\n    <child link="{child}"/>\n')
        if axis:
            out.append(f'    <axis xyz="{numbers(axis)}"/>\n')
        if effort:
            bounds = f'lower="{number(limits[0])}" upper="{number(limits[1])}" ' if limits else ""
            out.append(f'    <limit {bounds}effort="{number(effort)}" velocity="{number(velocity)}"/>\n')
        if damping or friction:
            out.append(f'    <dynamics damping="{number(damping or 0)}" friction="{number(friction or 0)}"/>\n')
        if mimic:
            out.append(f'    <mimic joint="{mimic[0]}" multiplier="{number(mimic[1])}" offset="0"/>\n')
        self.body.append("".join(out) + "  </joint>\n")

    def xml(self):
        lines = ['<?xml version="1.0"?>\n', f"<!-- {self.about}\n     Made by make_models.py; change that and run it again. -->\n"]
        lines.append(f'<robot name="{self.name}">\n')
        lines += [f'  <material name="{n}"><color rgba="{numbers(c)}"/></material>\n' for n, c in COLOURS.items()]
        return "".join(lines + self.body + ["</robot>\n"])


def humanoid():
    r = Robot("humanoid", "Humanoid, 1.60 m and 60 kg, 30 links, 29 driven joints; stands upright with hanging arms at zero.\n"
              "     Motor housings between two axes of one anatomical joint have mass but no collision shape.")

    def hinge(name, parent, child, xyz, axis, limits, effort, velocity):
        r.joint(name, "revolute", parent, child, xyz, axis=axis, limits=limits, effort=effort, velocity=velocity,
                damping=effort / 200, friction=effort / 400)

    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    r.link("pelvis", box(8.0, (0.12, 0.24, 0.08), (0, 0, 0.08)))
    r.link("waist_yaw_link", cylinder(1.5, 0.06, 0.03, (0, 0, 0.015), collides=False), colour="dark")
    hinge("waist_yaw", "pelvis", "waist_yaw_link", (0, 0, 0.14), z, (-1.0, 1.0), 100, 6)
    r.link("waist_roll_link", cylinder(1.5, 0.045, 0.1, rpy=ALONG_X, collides=False), colour="dark")
    hinge("waist_roll", "waist_yaw_link", "waist_roll_link", (0, 0, 0.05), x, (-0.5, 0.5), 140, 6)
    r.link("torso", box(10.5, (0.18, 0.28, 0.3), (0, 0, 0.2)), box(3.5, (0.08, 0.24, 0.24), (-0.13, 0, 0.2)))
    hinge("waist_pitch", "waist_roll_link", "torso", (0, 0, 0.02), y, (-0.5, 1.2), 160, 6)
    r.link("neck", cylinder(0.8, 0.035, 0.05, (0, 0, 0.025)), colour="dark")
    hinge("neck_yaw", "torso", "neck", (0, 0, 0.355), z, (-1.3, 1.3), 12, 8)
    r.link("head", sphere(3.2, 0.09, (0, 0, 0.12)))
    hinge("neck_pitch", "neck", "head", (0, 0, 0.005), y, (-0.7, 0.9), 12, 8)

    for side, s in (("left", 1), ("right", -1)):

        def mirrored(low, high):  # limits about x or z of the right side are those of the left, turned round
            return (low, high) if s > 0 else (-high, -low)

        n = side + "_"
        r.link(n + "shoulder_pitch_link", cylinder(0.9, 0.04, 0.06, (0, s * 0.02, 0), ALONG_Y, collides=False), colour="dark")
        hinge(n + "shoulder_pitch", "torso", n + "shoulder_pitch_link", (0, s * 0.17, 0.29), y, (-3.0, 1.5), 60, 10)
        r.link(n + "shoulder_roll_link", cylinder(0.6, 0.035, 0.07, rpy=ALONG_X, collides=False), colour="dark")
        hinge(n + "shoulder_roll", n + "shoulder_pitch_link", n + "shoulder_roll_link", (0, s * 0.04, 0), x, mirrored(-0.2, 2.6), 60, 10)
        r.link(n + "upper_arm", cylinder(1.7, 0.04, 0.2, (0, 0, -0.14)))
        hinge(n + "shoulder_yaw", n + "shoulder_roll_link", n + "upper_arm", (0, 0, -0.01), z, mirrored(-1.6, 1.6), 40, 10)
        r.link(n + "forearm", cylinder(1.1, 0.035, 0.19, (0, 0, -0.12)))
        hinge(n + "elbow", n + "upper_arm", n + "forearm", (0, 0, -0.27), y, (-2.4, 0.05), 40, 12)
        r.link(n + "wrist_link", cylinder(0.3, 0.025, 0.03, (0, 0, -0.015), collides=False), colour="dark")
        hinge(n + "wrist_yaw", n + "forearm", n + "wrist_link", (0, 0, -0.22), z, mirrored(-1.6, 1.6), 12, 12)
        r.link(n + "hand", box(0.5, (0.08, 0.04, 0.14), (0, 0, -0.08)), colour="accent")
        hinge(n + "wrist_pitch", n + "wrist_link", n + "hand", (0, 0, -0.03), y, (-1.0, 1.0), 12, 12)

    for side, s in (("left", 1), ("right", -1)):

        def mirrored(low, high):
            return (low, high) if s > 0 else (-high, -low)

        n = side + "_"
        r.link(n + "hip_yaw_link", cylinder(1.2, 0.045, 0.04, (0, 0, 0.0), collides=False), colour="dark")
        hinge(n + "hip_yaw", "pelvis", n + "hip_yaw_link", (0, s * 0.09, 0), z, mirrored(-0.6, 0.9), 80, 8)
        r.link(n + "hip_roll_link", cylinder(1.0, 0.04, 0.08, rpy=ALONG_X, collides=False), colour="dark")
        hinge(n + "hip_roll", n + "hip_yaw_link", n + "hip_roll_link", (0, 0, 0), x, mirrored(-0.4, 0.8), 140, 8)
        r.link(n + "thigh", cylinder(3.65, 0.065, 0.27, (0, 0, -0.215)), cylinder(0.35, 0.045, 0.06, (0, 0, -0.05), collides=False))
        hinge(n + "hip_pitch", n + "hip_roll_link", n + "thigh", (0, 0, 0), y, (-2.1, 0.7), 160, 10)
        r.link(n + "shank", cylinder(2.8, 0.05, 0.28, (0, 0, -0.19)))
        hinge(n + "knee", n + "thigh", n + "shank", (0, 0, -0.38), y, (-0.05, 2.4), 180, 12)
        r.link(n + "ankle_link", cylinder(0.4, 0.025, 0.05, rpy=ALONG_Y, collides=False), colour="dark")
        hinge(n + "ankle_pitch", n + "shank", n + "ankle_link", (0, 0, -0.36), y, (-0.9, 0.7), 120, 10)
        r.link(n + "foot", box(1.0, (0.24, 0.1, 0.04), (0.035, 0, -0.06)), colour="accent")
        hinge(n + "ankle_roll", n + "ankle_link", n + "foot", (0, 0, 0), x, mirrored(-0.45, 0.45), 70, 10)
    return r


def arm7():
    r = Robot("arm7", "Arm with seven axes and a two-finger gripper, 19 kg, bolted to the world; points straight up at zero.\n"
              "     The right finger mimics the left one.")
    r.link("world")
    r.link("base", cylinder(3.5, 0.08, 0.12, (0, 0, 0.06)), colour="dark")
    r.joint("mount", "fixed", "world", "base")
    # length to the next joint, radius, mass, axis, limit, effort, velocity
    rows = [
        (0.20, 0.060, 3.2, (0, 0, 1), 2.9, 180, 2.5),
        (0.20, 0.058, 2.9, (0, 1, 0), 1.9, 180, 2.5),
        (0.20, 0.055, 2.5, (0, 0, 1), 2.9, 110, 3.0),
        (0.20, 0.052, 2.1, (0, 1, 0), 2.2, 110, 3.0),
        (0.20, 0.048, 1.8, (0, 0, 1), 2.9, 60, 4.0),
        (0.10, 0.045, 1.2, (0, 1, 0), 2.0, 40, 4.0),
        (0.05, 0.040, 0.6, (0, 0, 1), 3.0, 20, 5.0),
    ]
    parent, at = "base", 0.13
    for i, (length, radius, mass, axis, limit, effort, velocity) in enumerate(rows, 1):
        child = f"link{i}"
        r.link(child, cylinder(mass, radius, length - 0.02, (0, 0, length / 2)), colour="light" if i % 2 else "accent")
        r.joint(f"joint{i}", "revolute", parent, child, (0, 0, at), axis=axis, limits=(-limit, limit), effort=effort,
                velocity=velocity, damping=effort / 100, friction=effort / 200)
        parent, at = child, length
    r.link("hand", box(0.9, (0.06, 0.2, 0.05), (0, 0, 0.025)), colour="dark")
    r.joint("flange", "fixed", parent, "hand", (0, 0, at))
    for side, s in (("left", 1), ("right", -1)):
        r.link(f"{side}_finger", box(0.15, (0.02, 0.012, 0.06), (0, s * 0.007, 0.032)))
        r.joint(f"{side}_finger_slide", "prismatic", "hand", f"{side}_finger", (0, 0, 0.05), axis=(0, s, 0), limits=(0, 0.06),
                effort=60, velocity=0.2, damping=20, mimic=("left_finger_slide", 1) if s < 0 else None)
    return r


def quadruped():
    r = Robot("quadruped", "Quadruped, 15 kg, twelve driven joints; stands at zero with bent knees, each foot below its hip.")
    r.link("trunk", box(8.0, (0.44, 0.18, 0.1)))
    bend = 0.7  # of the thigh; the shank comes back by twice as much, equal lengths bring the foot below the hip
    for end, fore in (("front", 1), ("rear", -1)):
        for side, s in (("left", 1), ("right", -1)):
            n = f"{end}_{side}_"

            def hinge(name, parent, child, xyz, rpy, axis, limits, effort):
                r.joint(n + name, "revolute", parent, n + child, xyz, rpy, axis, limits, effort, 20, damping=effort / 200,
                        friction=effort / 200)

            r.link(n + "hip", cylinder(0.6, 0.045, 0.05, (0, s * 0.03, 0), ALONG_Y, collides=False), colour="dark")
            hinge("hip_roll", "trunk", "hip", (fore * 0.19, s * 0.06, 0), (0, 0, 0), (1, 0, 0), (-0.8, 0.8), 34)
            r.link(n + "thigh", cylinder(0.9, 0.022, 0.17, (0, 0, -0.095)))
            hinge("hip_pitch", n + "hip", "thigh", (0, s * 0.075, 0), (0, bend, 0), (0, 1, 0), (-1.6, 2.4), 34)
            r.link(n + "shank", cylinder(0.19, 0.014, 0.16, (0, 0, -0.1)))
            hinge("knee", n + "thigh", "shank", (0, 0, -0.2), (0, -2 * bend, 0), (0, 1, 0), (-1.2, 1.2), 34)
            r.link(n + "foot", sphere(0.06, 0.02), colour="accent")
            r.joint(n + "sole", "fixed", n + "shank", n + "foot", (0, 0, -0.2))
    return r


def car():
    r = Robot("car", "Car, 1200 kg, four wheels on vertical slides; the front right wheel is steered with the left one (mimic).\n"
              "     URDF knows no springs: drive the slides, or give them stiffness, to carry the body; their stops carry it otherwise.")
    r.link("chassis", box(860, (3.6, 0.96, 0.3), (0, 0, 0.05)), box(144, (1.7, 0.9, 0.45), (-0.2, 0, 0.425)))

    def slide(name, child, x, s):
        r.link(child, box(28, (0.12, 0.08, 0.2), collides=False), colour="dark")
        r.joint(name, "prismatic", "chassis", child, (x, s * 0.62, -0.1), axis=(0, 0, 1), limits=(-0.08, 0.08), effort=12000,
                velocity=5, damping=2500)

    def wheel(n, parent, s):
        r.link(n + "wheel", cylinder(20, 0.3, 0.18, rpy=ALONG_Y), colour="accent")
        r.joint(n + "spin", "continuous", parent, n + "wheel", (0, s * 0.12, 0), axis=(0, 1, 0), effort=900, velocity=150, damping=0.2,
                friction=1)

    for side, s in (("left", 1), ("right", -1)):
        n = f"front_{side}_"
        slide(n + "suspension", n + "carrier", 1.2, s)
        r.link(n + "knuckle", box(2, (0.06, 0.04, 0.12), (0, s * 0.02, 0), collides=False), colour="dark")
        r.joint(n + "steering", "revolute", n + "carrier", n + "knuckle", axis=(0, 0, 1), limits=(-0.55, 0.55), effort=400, velocity=2,
                damping=20, friction=5, mimic=("front_left_steering", 1) if s < 0 else None)
        wheel(n, n + "knuckle", s)
    for side, s in (("left", 1), ("right", -1)):
        n = f"rear_{side}_"
        slide(n + "suspension", n + "carrier", -1.2, s)
        wheel(n, n + "carrier", s)
    return r


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    if len(sys.argv) == 3 and sys.argv[1] == "--out":
        folder = sys.argv[2]
    elif len(sys.argv) != 1:
        sys.exit(__doc__)
    for robot in (humanoid(), arm7(), quadruped(), car()):
        with open(os.path.join(folder, robot.name + ".urdf"), "w", encoding="ascii", newline="\n") as out:
            out.write(robot.xml())


main()
