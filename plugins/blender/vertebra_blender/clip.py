"""Motions from Blender's arrays to the library: clips (vtb_motion) from bones, trajectories (vtb_trajectory) from coordinates.
Metres, radians, seconds, Z up. No bpy here."""
import numpy as np

from . import rigid
from .binding import vertebra


class Bones:
    """The bones of a clip at rest and over time: names, parents (-1: a root; parents come first), heads [B, 3] and tails [B, 3] at rest, and
    transforms [T, B, 4, 4] of frames that have world axes at rest."""

    def __init__(self, names, parents, heads, tails, frames):
        self.names, self.parents, self.heads, self.tails, self.frames = names, parents, heads, tails, frames


def file_names(names):
    """Unique names without blanks, as BVH files need them, in the order of the bones."""
    result = []
    for name in names:
        name = base = "_".join(name.split()) or "joint"
        copy = 1
        while name in result:
            copy += 1
            name = f"{base}_{copy}"
        result.append(name)
    return result


def bvh_text(bones, rate, orders):
    """A BVH file in metres with Z up. orders: three letters for each bone."""
    names, count = file_names(bones.names), len(bones.names)
    children = [[b for b in range(count) if bones.parents[b] == parent] for parent in range(count)]
    columns, lines = [], ["HIERARCHY"]

    def numbers(values):
        return " ".join(f"{value:.9g}" for value in values)

    def write(b, indent):
        parent, frame = bones.parents[b], bones.frames[:, b]
        offset = bones.heads[b] - (bones.heads[parent] if parent >= 0 else 0)
        relative = rigid.inverse(bones.frames[:, parent]) @ frame if parent >= 0 else frame
        travels = parent < 0 or np.max(np.abs(relative[:, :3, 3] - offset)) > 1e-5
        if travels:
            columns.append(relative[:, :3, 3])
        columns.append(np.degrees(np.unwrap(rigid.euler(relative, orders[b]), axis=0)))
        channels = ["Xposition", "Yposition", "Zposition"] if travels else []
        channels += [letter + "rotation" for letter in orders[b]]
        lines.append(f"{indent}{'JOINT' if parent >= 0 else 'ROOT'} {names[b]}")
        lines.extend([indent + "{", f"{indent}  OFFSET {numbers(offset)}", f"{indent}  CHANNELS {len(channels)} {' '.join(channels)}"])
        for child in children[b]:
            write(child, indent + "  ")
        if not children[b]:
            lines.extend([f"{indent}  End Site", indent + "  {", f"{indent}    OFFSET {numbers(bones.tails[b] - bones.heads[b])}",
                          indent + "  }"])
        lines.append(indent + "}")

    for b in range(count):
        if bones.parents[b] < 0:
            write(b, "")
    table = np.concatenate(columns, -1)
    lines += ["MOTION", f"Frames: {len(table)}", f"Frame Time: {1 / rate:.12g}"]
    return "\n".join(lines + [numbers(row) for row in table]) + "\n"


def twist_orders(bones):
    """Orders that begin with the axis along which each bone lies: that of the twist of the joint in the figure made from the clip."""
    orders = []
    for head, tail in zip(bones.heads, bones.tails):
        first = int(np.argmax(np.abs(tail - head)))
        orders.append("".join("XYZ"[(first + i) % 3] for i in range(3)))
    return orders


def motion_of(bones, rate, name, orders=None):
    """The clip of moving bones, which findings call by a name; the order of Euler angles is that of orders, else ZXY."""
    text = bvh_text(bones, rate, orders or ["ZXY"] * len(bones.names))
    return vertebra.Motion(text=text, name=name, unit=1.0, up_axis="z")


def trajectory_of(model, q, rate, name):
    """The trajectory of coordinates q [T, nq]."""
    names = ["root_x", "root_y", "root_z", "root_qx", "root_qy", "root_qz", "root_qw", *model.workspace.q_names[7:]]
    rows = [f"# fps={rate:.17g}", ",".join(names)] + [",".join(f"{value:.17g}" for value in row) for row in q]
    return vertebra.Trajectory(text="\n".join(rows) + "\n", name=name)


def retarget(motion, model, map_text=""):
    """A clip onto a figure: the trajectory, whose findings tell the roles. map_text: a retarget_map file's text, or nothing."""
    names = vertebra.RetargetMap(text=map_text, name="map") if map_text.strip() else None
    return vertebra.retarget(motion, model.skeleton, map=names)
