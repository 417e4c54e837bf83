#!/usr/bin/env python3
"""Makes walk.bvh, wave.bvh and squat.bvh: our own clips on our own person of 1.75 m. Needs numpy.

File axes and units: Y up, Z forward, X to the left, centimetres; rest pose is a T. All joints: rotation order ZXY.
Sources:
  segment lengths as fractions of the height: D. A. Winter, Biomechanics and Motor Control of Human Movement, 4th ed. 2009, fig. 4.1;
  walking: sagittal hip, knee and ankle angles, pelvis and arm excursions as read by us from J. Perry, J. Burnfield, Gait Analysis,
    2nd ed. 2010 (normal gait at free speed), a keyframe each few percent of the cycle;
  squat: ranges of knee, hip and ankle from B. Schoenfeld, Squatting kinematics and kinetics, J. Strength Cond. Res. 24 (2010).
The tables give the pitch of the feet and their path through the air; a stance foot rolls over heel, sole and ball without sliding
and the legs are solved for it, so hip and knee follow the tables within 7 and 8 degrees rms.

Usage: make_motions.py [FOLDER]   writes the three files (default: the folder of this script) and prints checks.
"""
import os
import sys

import numpy as np

HEIGHT = 175.0
THIGH, SHANK, ANKLE = 0.245 * HEIGHT, 0.246 * HEIGHT, 0.039 * HEIGHT
HEEL, BALL, BALL_HEIGHT, TOES = 0.04 * HEIGHT, 0.07 * HEIGHT, 0.012 * HEIGHT, 0.042 * HEIGHT
HIP = 0.05 * HEIGHT  # half the distance of the hip joints
FPS = 60

# name, parent, offset in fractions of the height
JOINTS = [
    ("Hips", None, (0, 0, 0)),
    ("Spine", "Hips", (0, 0.06, -0.005)),
    ("Chest", "Spine", (0, 0.09, 0)),
    ("Neck", "Chest", (0, 0.155, 0)),
    ("Head", "Neck", (0, 0.045, 0.008)),
    ("LeftShoulder", "Chest", (0.02, 0.138, 0)),
    ("LeftArm", "LeftShoulder", (0.09, 0, 0)),
    ("LeftForeArm", "LeftArm", (0.186, 0, 0)),
    ("LeftHand", "LeftForeArm", (0.146, 0, 0)),
    ("RightShoulder", "Chest", (-0.02, 0.138, 0)),
    ("RightArm", "RightShoulder", (-0.09, 0, 0)),
    ("RightForeArm", "RightArm", (-0.186, 0, 0)),
    ("RightHand", "RightForeArm", (-0.146, 0, 0)),
    ("LeftUpLeg", "Hips", (0.05, 0, 0)),
    ("LeftLeg", "LeftUpLeg", (0, -0.245, 0)),
    ("LeftFoot", "LeftLeg", (0, -0.246, 0)),
    ("LeftToeBase", "LeftFoot", (0, -0.027, 0.07)),
    ("RightUpLeg", "Hips", (-0.05, 0, 0)),
    ("RightLeg", "RightUpLeg", (0, -0.245, 0)),
    ("RightFoot", "RightLeg", (0, -0.246, 0)),
    ("RightToeBase", "RightFoot", (0, -0.027, 0.07)),
]
ENDS = {"Head": (0, 0.12, 0.01), "LeftHand": (0.108, 0, 0), "RightHand": (-0.108, 0, 0),
        "LeftToeBase": (0, 0, 0.042), "RightToeBase": (0, 0, 0.042)}
INDEX = {name: i for i, (name, _, _) in enumerate(JOINTS)}

# Percent of the gait cycle from heel strike: angle in degrees (flexion and dorsiflexion positive); of the hip, thigh to vertical.
HIP_TABLE = [(0, 23), (8, 22), (20, 12), (31, 0), (42, -13), (50, -20), (56, -18), (62, -10), (69, 5), (76, 16), (86, 25), (94, 25)]
KNEE_TABLE = [(0, 5), (6, 12), (13, 18), (25, 12), (38, 6), (46, 9), (54, 22), (62, 42), (71, 60), (80, 45), (88, 20), (95, 3)]
ANKLE_TABLE = [(0, 0), (6, -6), (12, -1), (25, 4), (40, 9), (48, 9), (55, -4), (62, -18), (68, -11), (76, -2), (84, 1), (92, 1)]
STRIDE_TIME, SPEED = 1.0, 130.0  # s, cm/s
FLAT, HEEL_OFF, TOE_OFF = 0.10, 0.40, 0.62  # foot flat, heel off, toe off, parts of the cycle
CONTACT = 0.21  # the heel lands this part of a stride ahead of the hip


def periodic(table, phase):
    """Smooth periodic curve through a table: cubic Hermite with Catmull-Rom slopes."""
    x = np.array([row[0] for row in table]) / 100
    y = np.array([row[1] for row in table], float)
    x = np.concatenate([x[-2:] - 1, x, x[:2] + 1])
    y = np.concatenate([y[-2:], y, y[:2]])
    slope = np.gradient(y, x)
    p = np.mod(phase, 1.0)
    i = np.clip(np.searchsorted(x, p, side="right") - 1, 0, len(x) - 2)
    h = x[i + 1] - x[i]
    t = (p - x[i]) / h
    return ((2 * t**3 - 3 * t**2 + 1) * y[i] + (t**3 - 2 * t**2 + t) * h * slope[i]
            + (-2 * t**3 + 3 * t**2) * y[i + 1] + (t**3 - t**2) * h * slope[i + 1])


def smooth(t):
    """0 to 1 with no velocity and no acceleration at the ends."""
    t = np.clip(t, 0, 1)
    return t**3 * (10 + t * (6 * t - 15))


def rx(a):
    c, s = np.cos(np.radians(a)), np.sin(np.radians(a))
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def ry(a):
    c, s = np.cos(np.radians(a)), np.sin(np.radians(a))
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def rz(a):
    c, s = np.cos(np.radians(a)), np.sin(np.radians(a))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def euler_zxy(m):
    return np.degrees([np.arctan2(-m[0, 1], m[1, 1]), np.arcsin(np.clip(m[2, 1], -1, 1)), np.arctan2(-m[2, 0], m[2, 2])])


class Frame:
    """One pose: root position and local rotations, identity unless set."""

    def __init__(self):
        self.root = np.zeros(3)
        self.local = [np.eye(3) for _ in JOINTS]

    def set(self, name, rotation):
        self.local[INDEX[name]] = rotation

    def world(self):
        positions, rotations = [], []
        for i, (_, parent, offset) in enumerate(JOINTS):
            if parent is None:
                positions.append(self.root)
                rotations.append(self.local[i])
            else:
                p = INDEX[parent]
                positions.append(positions[p] + rotations[p] @ (HEIGHT * np.array(offset)))
                rotations.append(rotations[p] @ self.local[i])
        return positions, rotations

    def arms(self, left_swing, right_swing, left_elbow, right_elbow, lowered=80):
        self.set("LeftArm", rx(-left_swing) @ rz(-lowered))
        self.set("RightArm", rx(-right_swing) @ rz(lowered))
        self.set("LeftForeArm", ry(-left_elbow))
        self.set("RightForeArm", ry(right_elbow))

    def leg(self, side, ankle, foot_pitch, toe_bend=0.0):
        """Two-link inverse kinematics: abduction about Z, then flexion about X; the foot keeps its pitch in the world."""
        positions, rotations = self.world()
        pelvis = rotations[0]
        d = pelvis.T @ (ankle - positions[INDEX[side + "UpLeg"]])
        reach = np.linalg.norm(d)
        cosine = (reach**2 - THIGH**2 - SHANK**2) / (2 * THIGH * SHANK)
        if cosine > 1:
            raise ValueError("leg out of reach by %.2f cm" % (reach - THIGH - SHANK))
        knee = np.degrees(np.arccos(cosine))
        a = np.array([0, -THIGH, 0]) + rx(knee) @ np.array([0, -SHANK, 0])
        abduction = np.degrees(np.arctan2(d[0], -d[1]))
        flexion = np.degrees(np.arctan2(d[2], np.hypot(d[0], d[1])) - np.arctan2(a[2], -a[1]))
        self.set(side + "UpLeg", rz(abduction) @ rx(-flexion))
        self.set(side + "Leg", rx(knee))
        shank = pelvis @ self.local[INDEX[side + "UpLeg"]] @ self.local[INDEX[side + "Leg"]]
        self.set(side + "Foot", shank.T @ rx(-foot_pitch))
        self.set(side + "ToeBase", rx(-toe_bend))
        return flexion, knee


def foot_pitch(phase):
    """Pitch of the foot in the world, toes up positive: hip - knee + ankle of the tables, level while the sole is down."""
    pitch = periodic(HIP_TABLE, phase) - periodic(KNEE_TABLE, phase) + periodic(ANKLE_TABLE, phase)
    p = np.mod(phase, 1.0)
    if p < FLAT:
        return pitch * (1 - smooth(p / FLAT))
    if p < HEEL_OFF:
        return 0.0
    if p < TOE_OFF:
        return min(pitch, 0.0) * smooth((p - HEEL_OFF) / (TOE_OFF - HEEL_OFF))
    return pitch


def stance_ankle(contact, phase):
    """Ankle (Y, Z) of a stance foot whose level heel is at `contact` along Z: rolls over the heel, stands, rolls over the ball."""
    pitch = np.radians(foot_pitch(phase))
    c, s = np.cos(pitch), np.sin(pitch)
    turn = np.array([[c, s], [-s, c]])  # (y, z) of a vector pitched up
    if phase < FLAT:
        return np.array([0, contact]) + turn @ np.array([ANKLE, HEEL])
    if phase < HEEL_OFF:
        return np.array([ANKLE, contact + HEEL])
    return np.array([BALL_HEIGHT, contact + HEEL + BALL]) + turn @ np.array([ANKLE - BALL_HEIGHT, -BALL])


def table_ankle(phase):
    """Ankle (Y, Z) from the hip by the tables."""
    hip, knee = np.radians(periodic(HIP_TABLE, phase)), np.radians(periodic(KNEE_TABLE, phase))
    return np.array([-THIGH * np.cos(hip) - SHANK * np.cos(hip - knee), THIGH * np.sin(hip) + SHANK * np.sin(hip - knee)])


def walk():
    stride = SPEED * STRIDE_TIME
    strides = 5
    frames = []

    def pelvis_y(t, mean):  # highest over a stance leg
        return mean - 1.9 * np.cos(4 * np.pi * (t / STRIDE_TIME - 0.05))

    def pelvis_z(t):
        return SPEED * t

    def toe_bend(phase):
        if HEEL_OFF <= phase < TOE_OFF:
            return -foot_pitch(phase)
        if phase >= TOE_OFF:
            return -foot_pitch(TOE_OFF) * (1 - smooth((phase - TOE_OFF) / 0.3))
        return 0.0

    def lowest(ankle, pitch, bend):
        out = []
        for y, z in ((-ANKLE, -HEEL), (-ANKLE, BALL), (-(ANKLE - BALL_HEIGHT), BALL)):
            out.append(ankle[0] + y * np.cos(pitch) + z * np.sin(pitch))
        tip = pitch + np.radians(bend)
        out.append(out[-1] + TOES * np.sin(tip) - BALL_HEIGHT * np.cos(tip))
        out.pop(2)
        return min(out)

    def ankle(side_phase, t, mean):
        """(Y, Z) of the ankle of a foot at a time; side_phase = cycles since a heel strike of that foot at t = 0."""
        cycles = np.floor(side_phase)
        p = side_phase - cycles
        strike = t - p * STRIDE_TIME  # time of the last heel strike

        def contact_of(time):
            return pelvis_z(time) + CONTACT * stride

        if p < TOE_OFF:
            return stance_ankle(contact_of(strike), p)

        def table(phase, time):
            return table_ankle(phase) + np.array([pelvis_y(time, mean), pelvis_z(time)])

        off, on = strike + TOE_OFF * STRIDE_TIME, strike + STRIDE_TIME
        ease = 1e-4
        begin = stance_ankle(contact_of(strike), TOE_OFF - ease) - table(TOE_OFF, off)
        end = stance_ankle(contact_of(on), 0.0) - table(1.0, on)
        v0 = ((stance_ankle(contact_of(strike), TOE_OFF - ease) - stance_ankle(contact_of(strike), TOE_OFF - 0.01)) / (0.01 - ease)
              - (table(TOE_OFF + 0.005, off + 0.005 * STRIDE_TIME) - table(TOE_OFF - 0.005, off - 0.005 * STRIDE_TIME)) / 0.01)
        v1 = ((stance_ankle(contact_of(on), 0.01) - stance_ankle(contact_of(on), 0.0)) / 0.01
              - (table(1.005, on + 0.005 * STRIDE_TIME) - table(0.995, on - 0.005 * STRIDE_TIME)) / 0.01)
        span = 1 - TOE_OFF
        u = (p - TOE_OFF) / span
        correction = ((2 * u**3 - 3 * u**2 + 1) * begin + (u**3 - 2 * u**2 + u) * span * v0
                      + (-2 * u**3 + 3 * u**2) * end + (u**3 - u**2) * span * v1)
        return table(p, t) + correction

    # Lift of the swing foot, and the height of the pelvis, as far as clearance and reach ask.
    mean = 0.53 * HEIGHT - 1.0
    while True:
        lift = 0.0
        for p in np.linspace(TOE_OFF + 0.03, 0.97, 60):
            t = p * STRIDE_TIME
            low = lowest(ankle(p, t, mean), np.radians(foot_pitch(p)), toe_bend(p))
            u = (p - TOE_OFF) / (1 - TOE_OFF)
            lift = max(lift, (min(0.8, 8 * u * (1 - u)) - low) / (np.sin(np.pi * u)**2))
        try:
            frames, angles = [], []
            for i in range(int(round(strides * STRIDE_TIME * FPS)) + 1):
                t = i / FPS
                cycle = t / STRIDE_TIME
                f = Frame()
                sway = 2.0 * np.sin(2 * np.pi * (cycle - 0.05))  # over the left foot while it stands
                f.root = np.array([sway, pelvis_y(t, mean), pelvis_z(t)])
                yaw = -4 * np.cos(2 * np.pi * cycle)  # left hip forward at left heel strike
                f.set("Hips", ry(yaw) @ rz(2.5 * np.sin(2 * np.pi * cycle)) @ rx(2))
                f.set("Spine", ry(-0.7 * yaw) @ rz(-1.5 * np.sin(2 * np.pi * cycle)))
                f.set("Chest", ry(-1.1 * yaw) @ rx(1))
                f.set("Neck", ry(0.8 * yaw) @ rx(-2))
                for side, shift, sign in (("Left", 0.0, 1), ("Right", 0.5, -1)):
                    phase = cycle + shift
                    p = np.mod(phase, 1.0)
                    y, z = ankle(phase, t, mean)
                    u = (p - TOE_OFF) / (1 - TOE_OFF)
                    if u > 0:
                        y += lift * np.sin(np.pi * u)**2
                    angles.append((p,) + f.leg(side, np.array([sign * HIP * 0.9, y, z]), foot_pitch(phase), toe_bend(p)))
                swing = np.cos(2 * np.pi * cycle)
                f.arms(-7 - 17 * swing, -7 + 17 * swing, 26 - 9 * swing, 26 + 9 * swing)
                frames.append(f)
            break
        except ValueError:
            mean -= 0.25
    angles = np.array(angles)
    hip_error = angles[:, 1] - 2 - np.array([periodic(HIP_TABLE, p) for p in angles[:, 0]])
    knee_error = angles[:, 2] - np.array([periodic(KNEE_TABLE, p) for p in angles[:, 0]])
    print("walk: pelvis %.1f cm, lift %.1f cm; from the tables hip %.1f and knee %.1f degrees rms" % (
        mean, lift, np.sqrt(np.mean(hip_error**2)), np.sqrt(np.mean(knee_error**2))))
    return frames


def standing(f, bend=4.0):
    """Both soles on the ground, knees bent a little."""
    f.root = np.array([0, ANKLE + THIGH * np.cos(np.radians(bend)) + SHANK * np.cos(np.radians(bend)), 0])
    for side, sign in (("Left", 1), ("Right", -1)):
        f.leg(side, np.array([sign * (HIP + 2), ANKLE, 0]), 0)


def wave():
    frames = []
    for i in range(int(5 * FPS) + 1):
        t = i / FPS
        f = Frame()
        up = smooth(t / 1.0) * (1 - smooth((t - 4.0) / 1.0))
        standing(f)
        f.arms(0, 0, 15, 15)
        beat = 24 * np.sin(2 * np.pi * 1.5 * (t - 1.0)) * smooth((t - 0.8) / 0.4) * (1 - smooth((t - 3.8) / 0.4))
        # From hanging to level and out to the side, forearm up; the forearm then beats from side to side.
        f.set("RightArm", rz(80 - 85 * up) @ rx(12 * up))
        f.set("RightForeArm", rz(-(80 + beat) * up) @ ry(15 * (1 - up)))
        f.set("RightHand", rz(-0.3 * beat * up))
        f.set("RightShoulder", rz(-8 * up))
        f.set("Chest", rz(2 * up))
        f.set("Head", ry(-8 * up) @ rz(3 * up))
        frames.append(f)
    print("wave")
    return frames


def squat():
    frames = []
    for i in range(int(6 * FPS) + 1):
        t = i / FPS
        depth = 0.5 * (1 - np.cos(2 * np.pi * t / 3.0))
        knee = 6 + 94 * depth
        shank = 0.3 * knee  # forward tilt: ankle dorsiflexion up to 30 degrees
        thigh = knee - shank
        lean = 0.42 * knee - 2
        f = Frame()
        y = ANKLE + SHANK * np.cos(np.radians(shank)) + THIGH * np.cos(np.radians(thigh))
        z = SHANK * np.sin(np.radians(shank)) - THIGH * np.sin(np.radians(thigh))
        f.root = np.array([0, y, z])
        f.set("Hips", rx(0.6 * lean))
        f.set("Spine", rx(0.25 * lean))
        f.set("Chest", rx(0.15 * lean))
        f.set("Neck", rx(-0.4 * lean))
        for side, sign in (("Left", 1), ("Right", -1)):
            f.leg(side, np.array([sign * (HIP + 2), ANKLE, 0]), 0)
        f.arms(85 * depth + lean, 85 * depth + lean, 12, 12, 80 + 4 * depth)
        frames.append(f)
    print("squat")
    return frames


def write(path, frames):
    children = {name: [j for j, p, _ in JOINTS if p == name] for name, _, _ in JOINTS}
    offsets = {name: offset for name, _, offset in JOINTS}
    order, lines = [], ["HIERARCHY"]

    def put(offset):
        return "OFFSET " + " ".join("%.4f" % (HEIGHT * x + 0.0) for x in offset)

    def joint(name, depth):
        tab = "\t" * depth
        order.append(INDEX[name])
        lines.append(tab + ("JOINT " if depth else "ROOT ") + name)
        lines.append(tab + "{")
        lines.append(tab + "\t" + put(offsets[name]))
        rotations = "Zrotation Xrotation Yrotation"
        lines.append(tab + "\tCHANNELS " + ("3 " + rotations if depth else "6 Xposition Yposition Zposition " + rotations))
        for child in children[name]:
            joint(child, depth + 1)
        if name in ENDS:
            lines.extend([tab + "\tEnd Site", tab + "\t{", tab + "\t\t" + put(ENDS[name]), tab + "\t}"])
        lines.append(tab + "}")

    joint("Hips", 0)
    lines.extend(["MOTION", "Frames: %d" % len(frames), "Frame Time: %.8f" % (1 / FPS)])
    last = None
    for f in frames:
        row = list(f.root)
        for j in order:
            row.extend(euler_zxy(f.local[j]))
        row = np.array(row)
        if last is not None:
            row[3:] -= 360 * np.round((row[3:] - last[3:]) / 360)
        last = row
        lines.append(" ".join(("%.4f" % (x + 0.0)) for x in row).replace("-0.0000", "0.0000"))
    with open(path, "w", newline="\n") as out:
        out.write("\n".join(lines) + "\n")


def check(name, frames):
    """Lowest point of the soles, and how fast points of them that touch the ground move along it."""
    lowest, slide = 1e9, 0.0
    before = None
    for f in frames:
        positions, rotations = f.world()
        points = []
        for side in ("Left", "Right"):
            foot, toe = INDEX[side + "Foot"], INDEX[side + "ToeBase"]
            points.append(positions[foot] + rotations[foot] @ np.array([0, -ANKLE, -HEEL]))
            points.append(positions[toe] + rotations[toe] @ np.array([0, -BALL_HEIGHT, 0]))
            points.append(positions[toe] + rotations[toe] @ np.array([0, -BALL_HEIGHT, TOES]))
        points = np.array(points)
        lowest = min(lowest, points[:, 1].min())
        if before is not None:
            touching = (points[:, 1] < 0.02) & (before[:, 1] < 0.02)  # 0.2 mm
            speed = np.linalg.norm((points - before)[:, [0, 2]], axis=1) * FPS
            if touching.any():
                slide = max(slide, speed[touching].max())
        before = points
    print("%s: %d frames, lowest point %.2f cm, fastest touching point %.1f cm/s" % (name, len(frames), lowest, slide))
    if lowest < -1 or slide > 12:
        sys.exit(name + " fails its check")


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for name, make in (("walk", walk), ("wave", wave), ("squat", squat)):
        frames = make()
        write(os.path.join(folder, name + ".bvh"), frames)
        check(name, frames)


main()
