"""Motions between Blender's arrays and the library: clips (vtb_motion) from bones, poses of clips, trajectories (vtb_trajectory) from and to
coordinates. Metres, radians, seconds, Z up. No bpy here."""
import ctypes

import numpy as np

from . import rigid
from .binding import load, struct_of, text_of, vtb
from .model import int32


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


def motion_of(bones, rate, orders=None):
    """The clip of moving bones; the order of Euler angles is that of orders, else ZXY."""
    text = bvh_text(bones, rate, orders or ["ZXY"] * len(bones.names)).encode()
    definition = vtb.make("vtb_bvh_def", unit=1.0, up_axis=vtb.VTB_UP_AXIS_Z)
    return load("vtb_motion_release", "vtb_motion_parse_bvh", text, ctypes.c_size_t(len(text)), "armature", ctypes.byref(definition))[0]


def load_bvh(path, unit=0.0, up_axis=-1):
    """A BVH file; also returns the findings. unit 0 and up_axis -1: guessed."""
    definition = vtb.make("vtb_bvh_def", unit=unit, up_axis=up_axis)
    return load("vtb_motion_release", "vtb_motion_load_bvh", str(path), ctypes.byref(definition))


def poses_of(motion):
    """Poses [frames, joints, 7] of a clip's joints in the world."""
    info = struct_of("vtb_motion_info", "vtb_motion_get_info", motion)
    out, total = np.empty((info.frames, info.joints, 7)), ctypes.c_size_t()
    for frame in range(info.frames):
        vtb.vtb_motion_get_poses(motion, int32(frame), int32(0), out[frame], ctypes.c_size_t(info.joints), ctypes.c_size_t(0),
                                 ctypes.byref(total))
    return out


def trajectory_of(model, q, rate):
    """The trajectory of coordinates q [T, nq]."""
    names = ["root_x", "root_y", "root_z", "root_qx", "root_qy", "root_qz", "root_qw"]
    names += [text_of("vtb_workspace_get_q_name", model.workspace, int32(i)) for i in range(7, model.nq)]
    rows = [f"# fps={rate:.17g}", ",".join(names)] + [",".join(f"{value:.17g}" for value in row) for row in q]
    text = ("\n".join(rows) + "\n").encode()
    return load("vtb_trajectory_release", "vtb_trajectory_parse_csv", text, ctypes.c_size_t(len(text)), "armature")[0]


def load_trajectory(path):
    """A trajectory's CSV file; also returns the findings."""
    return load("vtb_trajectory_release", "vtb_trajectory_load_csv", str(path))


def coordinates_of(trajectory):
    """Coordinates [T, nq] of a trajectory and its rate [1/s]."""
    info = struct_of("vtb_trajectory_info", "vtb_trajectory_get_info", trajectory)
    q, total = np.empty((info.frames, info.nq)), ctypes.c_size_t()
    vtb.vtb_trajectory_get_frames(trajectory, q, ctypes.c_size_t(q.size), ctypes.byref(total))
    return q, 1 / info.frame_time


def velocities_of(model, trajectory, frame):
    """Velocities of a trajectory at a frame."""
    v, total = np.empty(model.nv), ctypes.c_size_t()
    vtb.vtb_trajectory_get_velocities(trajectory, model.skeleton, int32(frame), v, ctypes.c_size_t(v.size), ctypes.byref(total))
    return v


def retarget(motion, model, map_text=""):
    """A clip onto a figure: the trajectory and the roles found. map_text: a retarget_map file's text, or nothing."""
    names = None
    if map_text.strip():
        data = map_text.encode()
        names, _ = load("vtb_retarget_map_destroy", "vtb_retarget_map_parse", data, ctypes.c_size_t(len(data)), "map")
    definition = vtb.make("vtb_retarget_def", map=names.handle.value if names else None)
    return load("vtb_trajectory_release", "vtb_retarget", motion, model.skeleton, ctypes.byref(definition))


def guessed_map(motion, model):
    """What retargeting would take for each role, as the text of a map file; also returns the findings."""
    found, told = load("vtb_retarget_map_destroy", "vtb_retarget_map_guess", motion, model.skeleton, None)
    return text_of("vtb_retarget_map_write", found), told
