"""Armatures of Blender as figures: built from models and clips, bound to a model, sampled over time, keyed from poses of links.

Blender has Z up as the library has; a Blender unit is `metres` metres (the scene's unit scale). A bone's frame has its head as origin and
lies along y. Each bone that stands for a link keeps two custom properties: vertebra_link, the link's name, and vertebra_frame, the bone's
rest frame in the link frame (a pose, metres); so bones may be renamed and the armature's rest pose may be moved."""
import bpy
import numpy as np
from mathutils import Matrix

from . import clip, rigid
from .binding import vtb
from .model import Model

LINK, FRAME = "vertebra_link", "vertebra_frame"
SHORTEST = 1e-3  # m: of a bone; Blender deletes bones without length


def metres_per_unit(scene):
    return scene.unit_settings.scale_length if scene.unit_settings.system != "NONE" else 1.0


def frame_rate(scene):
    return scene.render.fps / scene.render.fps_base


def object_frame(matrix, metres, name="the armature"):
    """World matrix of an object as a rigid frame [m] and its scale, which must be the same along all axes."""
    m = np.array(matrix, dtype=float)
    scales = np.linalg.norm(m[:3, :3], axis=0)
    scale = float(np.mean(scales))
    if scale <= 0 or np.max(np.abs(scales - scale)) > 1e-4 * scale or np.linalg.det(m[:3, :3]) < 0:
        raise ValueError(f"{name} is scaled by {tuple(round(float(s), 4) for s in scales)}: bodies need one positive scale; apply the scale (Ctrl+A)")
    return rigid.rotated(m[:3, :3] / scale, m[:3, 3] * metres), scale


# ---- building

def bone_frame(direction, hinge=None, slide=None):
    """Rotation of a bone that lies along a direction as far as its joint allows: a hinge's axis becomes its x axis (or its y axis where the
    bone lies along it), a slide's axis its y axis. So one channel of the bone moves the joint."""
    direction = direction / np.linalg.norm(direction)
    if slide is not None:
        direction = slide / np.linalg.norm(slide)
    x = np.eye(3)[np.argmin(np.abs(direction))]
    if hinge is not None:
        hinge = hinge / np.linalg.norm(hinge)
        across = direction - hinge * (hinge @ direction)
        if np.linalg.norm(across) > 0.2:
            direction, x = across / np.linalg.norm(across), hinge
        else:
            direction = hinge
            x = np.eye(3)[np.argmin(np.abs(direction))]
    x = x - direction * (direction @ x)
    x /= np.linalg.norm(x)
    return np.stack([x, direction, np.cross(x, direction)], -1)


def build(context, name, bones, metres):
    """A new armature object at the origin. bones: (name, parent index or -1, rest frame 4 x 4 [m], length [m], link name, link rest frame).
    Returns the object and the names that the bones got."""
    if context.object and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    data = bpy.data.armatures.new(name)
    armature = bpy.data.objects.new(name, data)
    context.collection.objects.link(armature)
    for other in context.selected_objects:
        other.select_set(False)
    armature.select_set(True)
    context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    names = []
    for bone_name, parent, rest, length, _, _ in bones:
        bone = data.edit_bones.new(bone_name)
        bone.head, bone.tail = (0, 0, 0), (0, max(length, SHORTEST) / metres, 0)
        frame = rest.copy()
        frame[:3, 3] /= metres
        bone.matrix = Matrix(frame)
        if parent >= 0:
            bone.parent = data.edit_bones[names[parent]]
        names.append(bone.name)
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone_name, (_, _, _, _, link, link_rest) in zip(names, bones):
        bone = data.bones[bone_name]
        rest = np.array(bone.matrix_local, dtype=float)
        rest[:3, 3] *= metres
        bone[LINK] = link
        bone[FRAME] = [float(x) for x in rigid.poses(rigid.inverse(link_rest) @ rest)]
    return armature, names


def from_model(context, model, name, metres):
    """An armature with a bone for each link; hinges and slides have one free channel, with the joint's limits for Blender's IK."""
    rest = rigid.matrices(model.workspace.poses(model.workspace.neutral()))
    heads = rest[:, :3, 3]
    children = [[c for c, p in enumerate(model.parents) if p == link] for link in range(len(model.links))]
    extent = float(np.linalg.norm(np.ptp(heads, axis=0))) or 0.2
    rank, bones = {}, []
    for link in model.order:
        joint = model.joints[model.joint_of[link]] if model.joint_of[link] >= 0 else None
        tips = [heads[c] for c in children[link]] or [heads[link] + rest[link, :3, :3] @ site for site in model.sites[link]]
        tips = [tip for tip in tips if np.linalg.norm(tip - heads[link]) > SHORTEST]
        way = np.mean(tips, axis=0) - heads[link] if tips else np.zeros(3)
        if np.linalg.norm(way) < SHORTEST:
            way = rest[link, :3, 2] * 0.05 * extent
        axis = rest[link, :3, :3] @ joint.child_frame[:3, :3] @ joint.axis if joint else None
        hinges = (vtb.VTB_JOINT_TYPE_REVOLUTE, vtb.VTB_JOINT_TYPE_CONTINUOUS, vtb.VTB_JOINT_TYPE_SCREW, vtb.VTB_JOINT_TYPE_CYLINDRICAL)
        turn = bone_frame(way, hinge=axis if joint and joint.type in hinges else None,
                          slide=axis if joint and joint.type == vtb.VTB_JOINT_TYPE_PRISMATIC else None)
        rank[link] = len(bones)
        bones.append((model.links[link], rank[model.parents[link]] if model.parents[link] >= 0 else -1,
                      rigid.rotated(turn, heads[link]), float(np.linalg.norm(way)), model.links[link], rest[link]))
    armature, names = build(context, name, bones, metres)
    for link, bone_name in zip(model.order, names):
        if model.joint_of[link] >= 0:
            _free_channels(armature.pose.bones[bone_name], model.joints[model.joint_of[link]])
    return armature


def _free_channels(bone, joint):
    """Locks what the joint does not move, and gives Blender's IK its limits."""
    fixed, hinge = joint.type == vtb.VTB_JOINT_TYPE_FIXED, joint.type in (vtb.VTB_JOINT_TYPE_REVOLUTE, vtb.VTB_JOINT_TYPE_CONTINUOUS)
    if joint.type != vtb.VTB_JOINT_TYPE_FLOATING:
        bone.lock_location = (True, joint.type != vtb.VTB_JOINT_TYPE_PRISMATIC, True) if joint.axes < 3 else (False,) * 3
    if joint.type == vtb.VTB_JOINT_TYPE_SPHERICAL:
        bone.lock_location = (True,) * 3
    if fixed or joint.type == vtb.VTB_JOINT_TYPE_PRISMATIC:
        bone.lock_rotation, bone.lock_rotation_w = (True,) * 3, True
    if not hinge:
        return
    frame = rigid.matrices(bone.bone[FRAME])[:3, :3]
    axis = frame.T @ joint.child_frame[:3, :3] @ joint.axis
    free = int(np.argmax(np.abs(axis)))
    bone.rotation_mode = "XYZ" if free == 0 else "YXZ"  # the free axis is no middle one, which is singular at a right angle
    bone.lock_rotation = tuple(i != free for i in range(3))
    for i, letter in enumerate("xyz"):
        setattr(bone, f"lock_ik_{letter}", i != free)
    lower, upper = joint.limits[0] if axis[free] > 0 else (-joint.limits[0][1], -joint.limits[0][0])
    if np.isfinite(lower) and np.isfinite(upper):
        letter = "xyz"[free]
        setattr(bone, f"use_ik_limit_{letter}", True)
        setattr(bone, f"ik_min_{letter}", max(-np.pi, min(lower, 0)))
        setattr(bone, f"ik_max_{letter}", min(np.pi, max(upper, 0)))


# ---- binding

class Figure:
    """An armature bound to a model: `bones` (names) and `frames` (bones' rest frames in link frames, 4 x 4, m) by link."""

    def __init__(self, armature, model, bones, frames, metres):
        self.armature, self.model, self.bones, self.frames, self.metres = armature, model, bones, np.array(frames), metres

    def links(self, worlds, bones):
        """Link transforms [T, L, 4, 4] in the world [m] of what sample() gave."""
        index = [self.armature.data.bones.find(name) for name in self.bones]
        return bone_worlds(worlds, bones[:, index], self.metres) @ rigid.inverse(self.frames)


def bone_worlds(worlds, bones, metres):
    """Rigid frames [m, world] of bones [T, B, 4, 4] (armature space, Blender units) under object matrices [T, 4, 4]."""
    result = worlds[:, None] @ bones
    result[..., :3, 3] *= metres
    rotations = result[..., :3, :3]
    result[..., :3, :3] = rotations / np.linalg.norm(rotations, axis=-2, keepdims=True)
    return result


def bound(armature, scene, mass=0.0):
    """The figure of an armature: its own model (kept in a text since its import) or, without one, a figure made from its bones at rest."""
    metres = metres_per_unit(scene)
    text = armature.vertebra.model
    return _bound_to_text(armature, text, metres) if text else _bound_to_bones(armature, metres, mass)


def _bound_to_text(armature, text, metres):
    model = Model.from_text(text.as_string(), text.name)
    world, scale = object_frame(armature.matrix_world, metres, armature.name)
    by_link = {bone.get(LINK): bone for bone in armature.data.bones}
    missing = [link for link in model.links if link not in by_link]
    advice = "import it again, or clear its model to simulate the bones as they are"
    if missing:
        raise ValueError(f"{armature.name} has no bone for link '{missing[0]}' of its model '{text.name}': {advice}")
    bones = [by_link[link] for link in model.links]
    frames = rigid.matrices([list(bone[FRAME]) for bone in bones])
    rests = np.array([np.array(bone.matrix_local, dtype=float) for bone in bones])
    rests[:, :3, 3] *= metres * scale
    root = model.info.root
    expected = (rests[root] @ rigid.inverse(frames[root])) @ rigid.matrices(model.workspace.poses(model.workspace.neutral())) @ frames
    off = np.linalg.norm(expected[:, :3, 3] - rests[:, :3, 3], axis=-1)
    if np.max(off) > 1e-4 * max(1.0, float(np.max(np.ptp(rests[:, :3, 3], axis=0)))):
        worst = int(np.argmax(off))
        raise ValueError(f"bone '{bones[worst].name}' of {armature.name} is {off[worst]:.4g} m from its place in the model '{text.name}' (was the armature "
                         f"scaled or edited, or the scene's unit scale changed?): {advice}")
    return Figure(armature, model, [bone.name for bone in bones], frames, metres)


def _bound_to_bones(armature, metres, mass):
    bones = rest_bones(armature, metres)
    motion = clip.motion_of(bones, 30.0, armature.name, clip.twist_orders(bones))
    model = Model.from_motion(motion, mass=mass)
    names = clip.file_names(bones.names)
    ranks = [names.index(link) for link in model.links]
    world, _ = object_frame(armature.matrix_world, metres, armature.name)
    frames = []
    for rank in ranks:
        rest = np.array(armature.data.bones[bones.names[rank]].matrix_local, dtype=float)
        frames.append(rigid.rotated(world[:3, :3] @ rest[:3, :3]))
    return Figure(armature, model, [bones.names[rank] for rank in ranks], frames, metres)


def _parents_first(armature):
    order = [bone for bone in armature.data.bones if bone.parent is None]
    for bone in order:
        order += list(bone.children)
    return order


def rest_bones(armature, metres):
    """The bones of an armature at rest, in the place of its object, as a clip of one frame."""
    world, scale = object_frame(armature.matrix_world, metres, armature.name)
    order = _parents_first(armature)
    rank = {bone.name: i for i, bone in enumerate(order)}
    heads = np.array([world[:3, :3] @ np.array(bone.head_local) * scale * metres + world[:3, 3] for bone in order])
    tails = np.array([world[:3, :3] @ np.array(bone.tail_local) * scale * metres + world[:3, 3] for bone in order])
    frames = np.tile(np.eye(4), (1, len(order), 1, 1))
    frames[0, :, :3, 3] = heads
    return clip.Bones([bone.name for bone in order], [rank[bone.parent.name] if bone.parent else -1 for bone in order], heads, tails, frames)


def moving_bones(armature, worlds, bones, metres):
    """The bones of an armature over time, of what sample() gave."""
    result = rest_bones(armature, metres)
    index = [armature.data.bones.find(name) for name in result.names]
    base, _ = object_frame(armature.matrix_world, metres, armature.name)
    rests = np.array([rigid.rotated(base[:3, :3] @ np.array(armature.data.bones[i].matrix_local, dtype=float)[:3, :3]) for i in index])
    result.frames = bone_worlds(worlds, bones[:, index], metres) @ rigid.inverse(rests)
    return result


# ---- sampling and keying

def sample(context, armature, first, last):
    """Steps through frames and yields the share done; its value (`yield from`) is (object matrices [T, 4, 4], bone matrices [T, B, 4, 4]) as
    evaluated: with constraints, drivers and parents. The scene's frame is put back."""
    scene, now = context.scene, context.scene.frame_current
    worlds, bones = [], []
    try:
        for frame in range(first, last + 1):
            scene.frame_set(frame)
            evaluated = armature.evaluated_get(context.evaluated_depsgraph_get())
            worlds.append(np.array(evaluated.matrix_world, dtype=float))
            bones.append(np.array([np.array(bone.matrix) for bone in evaluated.pose.bones], dtype=float))
            yield (frame - first + 1) / (last - first + 1)
    finally:
        scene.frame_set(now)
    return np.array(worlds), np.array(bones)


def finished(steps):
    """The value of a generator such as sample(), without pauses."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def key_links(figure, links, worlds, first, action_name, interpolation="LINEAR"):
    """A new action that puts the bones where the links [T, L, 4, 4] are, from frame `first` on. worlds: object matrices, [T, 4, 4] or one.
    Bones that are no links keep their channels. Location is keyed where it changes or differs from 0."""
    armature, metres = figure.armature, figure.metres
    worlds = np.broadcast_to(np.asarray(worlds, dtype=float), (len(links), 4, 4))
    targets = links @ figure.frames
    targets[..., :3, 3] /= metres
    scales = np.linalg.norm(worlds[:, :3, 0], axis=-1)
    targets = np.linalg.inv(worlds)[:, None] @ targets
    targets[..., :3, :3] *= scales[:, None, None, None]
    by_bone = {bone: targets[:, link] for link, bone in enumerate(figure.bones)}
    action = bpy.data.actions.new(action_name)
    frames = np.arange(first, first + len(links), dtype=float)
    placed = {}
    for bone in _parents_first(armature):
        pose = armature.pose.bones[bone.name]
        parent = placed.get(bone.parent.name) if bone.parent else None
        rest = np.array(bone.matrix_local, dtype=float)
        local = np.linalg.inv(np.array(bone.parent.matrix_local, dtype=float)) @ rest if bone.parent else rest
        base = parent @ local if parent is not None else np.tile(local, (len(links), 1, 1))
        if bone.name not in by_bone:
            placed[bone.name] = base @ np.array(pose.matrix_basis, dtype=float)
            continue
        placed[bone.name] = by_bone[bone.name]
        plain = bone.use_inherit_rotation and bone.use_local_location and bone.inherit_scale == "FULL"
        basis = np.linalg.inv(base) @ by_bone[bone.name] if plain else _basis_of(bone, by_bone[bone.name], parent)
        _key_bone(action, pose, basis, frames, interpolation)
    return action


def _basis_of(bone, wanted, parent):
    """Basis matrices of a bone that does not take all over from its parent, by Blender itself."""
    result = []
    for t, matrix in enumerate(wanted):
        parents = dict(parent_matrix=Matrix(parent[t]), parent_matrix_local=bone.parent.matrix_local) if parent is not None else {}
        result.append(np.array(bone.convert_local_to_pose(Matrix(matrix), bone.matrix_local, invert=True, **parents), dtype=float))
    return np.array(result)


def _key_bone(action, pose, basis, frames, interpolation):
    pose.scale = (1, 1, 1)
    path = f'pose.bones["{bpy.utils.escape_identifier(pose.name)}"]'
    location = basis[:, :3, 3]
    if np.max(np.abs(location)) > 1e-6 and not (pose.bone.use_connect and pose.parent):
        key_channel(action, path + ".location", location, frames, interpolation, pose.name)
    else:
        pose.location = (0, 0, 0)
    quaternions = rigid.quaternions(basis)
    if pose.rotation_mode == "AXIS_ANGLE":
        pose.rotation_mode = "QUATERNION"
    if pose.rotation_mode == "QUATERNION":
        signs = np.where(np.sum(quaternions[1:] * quaternions[:-1], -1) < 0, -1, 1)
        values = quaternions[:, [3, 0, 1, 2]] * np.concatenate([[1], np.cumprod(signs)])[:, None]
        key_channel(action, path + ".rotation_quaternion", values, frames, interpolation, pose.name)
        return
    # Blender's XYZ turns about x first, fixed axes: R = R(z) R(y) R(x).
    values, order = np.unwrap(rigid.euler(basis, pose.rotation_mode[::-1]), axis=0), pose.rotation_mode[::-1]
    by_axis = np.stack([values[:, order.index(letter)] for letter in "XYZ"], -1)
    key_channel(action, path + ".rotation_euler", by_axis, frames, interpolation, pose.name)


def key_channel(action, path, values, frames, interpolation, group):
    """One F-curve for each column of values."""
    code = bpy.types.Keyframe.bl_rna.properties["interpolation"].enum_items[interpolation].value
    for index in range(values.shape[1]):
        curve = action.fcurves.new(path, index=index, action_group=group)
        curve.keyframe_points.add(len(frames))
        curve.keyframe_points.foreach_set("co", np.stack([frames, values[:, index]], -1).astype(np.float32).ravel())
        curve.keyframe_points.foreach_set("interpolation", [code] * len(frames))
        curve.update()


def assign(armature, action):
    if armature.animation_data is None:
        armature.animation_data_create()
    armature.animation_data.action = action
