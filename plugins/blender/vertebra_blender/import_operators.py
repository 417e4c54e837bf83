"""Operators that import: a URDF or skeleton file as an armature with meshes, a BVH file as an armature with an action, a trajectory's CSV
file onto the active armature."""
import ctypes
import os

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from . import armature as arm
from . import meshes, rigid
from .binding import Error, record_of, told, vertebra
from .model import Model
from .report import Failing, tell


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def keep_model(armature, model):
    """The model as a text of the .blend file, so that nothing outside of it is needed later."""
    text = bpy.data.texts.new(f"{armature.name}.xml")
    text.write(str(model.skeleton))
    armature.vertebra.model = text


def active_armature(context):
    return context.object if context.object and context.object.type == "ARMATURE" else None


class NeedsArmature:
    @classmethod
    def poll(cls, context):
        if not active_armature(context):
            cls.poll_message_set("The active object must be an armature")
            return False
        return True


class ImportModel(Failing, ImportHelper):
    """Import a robot (URDF) or a skeleton file as an armature with its meshes"""

    bl_idname, bl_label = "vertebra.import_model", "Import URDF"
    filename_ext = ".urdf"
    filter_glob: StringProperty(default="*.urdf;*.xml", options={"HIDDEN"})
    mesh_root: StringProperty(name="Mesh folder", subtype="DIR_PATH", description="Searched for meshes first; may stay empty")
    visuals: BoolProperty(name="Visuals", default=True, description="Meshes and shapes for display, each carried by its bone")
    collision: BoolProperty(name="Collision shapes", default=False, description="Collision shapes as wires, in a collection of their own")
    derive_collision: BoolProperty(name="Derive collision shapes", default=True,
                                   description="A link without collision shape gets one from its visual or its bones")
    on_ground: BoolProperty(name="Stand on the ground", default=True, description="Raise a figure with a free root until its lowest point is at height 0")

    def work(self, context):
        metres = arm.metres_per_unit(context.scene)
        roots = (ctypes.c_char_p * 1)(os.fsencode(bpy.path.abspath(self.mesh_root)))
        options = dict(mesh_roots=roots) if self.mesh_root else {}
        model = Model.from_file(self.filepath, flags=vertebra.LoadFlag.DERIVE_COLLISION if self.derive_collision else 0, **options)
        name = model.name or stem(self.filepath)
        armature = arm.from_model(context, model, name, metres)
        keep_model(armature, model)
        lowest = np.inf
        for wanted, collision in ((self.visuals, False), (self.collision, True)):
            if wanted:
                made, low = meshes.add_visuals(context, armature, model, metres, collision)
                lowest = min(lowest, low)
        if self.on_ground and model.floating:
            if not np.isfinite(lowest):
                lowest = float(np.min(model.workspace.poses(model.workspace.neutral())[:, 2]))
            armature.location.z = -lowest / metres
        return tell(self, context, f"{name}: {len(model.links)} links, {len(model.joints)} joints, {model.info.mass:.4g} kg", model.findings)


class ImportMotion(Failing, ImportHelper):
    """Import a BVH file of any dialect as an armature with an action"""

    bl_idname, bl_label = "vertebra.import_bvh", "Import BVH"
    filename_ext = ".bvh"
    filter_glob: StringProperty(default="*.bvh", options={"HIDDEN"})
    unit: FloatProperty(name="Unit", default=0, min=0, precision=4, description="Length of the file's unit, m; 0: found from the height of the figure")
    up_axis: EnumProperty(name="Up", default="GUESS", items=[
        ("GUESS", "Found", "From the figure's pose"), ("X", "X", ""), ("Y", "Y", ""), ("Z", "Z", "")])
    first: IntProperty(name="First frame", default=1, description="Frame of the scene for the clip's first one")
    timing: EnumProperty(name="Timing", default="RESAMPLE", items=[
        ("RESAMPLE", "Scene's frame rate", "The clip is resampled to the scene's frame rate"),
        ("SCENE", "Clip's frame rate", "The scene gets the clip's frame rate"),
        ("FRAMES", "Frame for frame", "Each frame of the clip is a frame of the scene, whatever its rate")])
    set_range: BoolProperty(name="Set the scene's range", default=True, description="The scene's frame range becomes that of the clip")

    def work(self, context):
        scene, metres = context.scene, arm.metres_per_unit(context.scene)
        motion = vertebra.Motion(self.filepath, unit=self.unit, up_axis=self.up_axis.lower())
        info, found = motion.info, told(motion.findings)
        rate = 1 / info.frame_time
        if self.timing == "SCENE":
            scene.render.fps = max(1, round(rate))
            scene.render.fps_base = scene.render.fps / rate
        elif self.timing == "RESAMPLE" and abs(rate - arm.frame_rate(scene)) > 1e-3 * rate and info.frames > 1:
            motion = motion.resampled(arm.frame_rate(scene))
        armature, poses = motion_armature(context, motion, stem(self.filepath), metres)
        links = rigid.matrices(poses)
        names = motion.joint_names
        bone_of = {bone[arm.LINK]: bone.name for bone in armature.data.bones}
        frames = [rigid.matrices(list(armature.data.bones[bone_of[name]][arm.FRAME])) for name in names]
        figure = arm.Figure(armature, None, [bone_of[name] for name in names], frames, metres)
        arm.assign(armature, arm.key_links(figure, links, np.array(armature.matrix_world), self.first, armature.name))
        if self.set_range:
            scene.frame_start, scene.frame_end = self.first, self.first + len(links) - 1
        return tell(self, context, f"{armature.name}: {len(names)} joints, {len(links)} frames", found)


def joints_of(motion):
    return [record_of("vtb_motion_get_joint", "vtb_motion_joint", motion, i) for i in range(motion.info.joints)]


def motion_armature(context, motion, name, metres):
    """An armature at the rest pose of a clip, and the clip's poses [T, J, 7]."""
    info, joints = motion.info, joints_of(motion)
    turn = rigid.matrices([0, 0, 0, *info.turn])[:3, :3]
    heads = np.zeros((len(joints), 3))
    for i, joint in enumerate(joints):
        heads[i] = (heads[joint.parent] if joint.parent >= 0 else 0) + turn @ np.array(joint.offset) * info.unit
    tips = _end_sites(motion, joints, info.roots)
    bones = []
    for i, joint in enumerate(joints):
        ends = [heads[c] for c, other in enumerate(joints) if other.parent == i] or [heads[i] + turn @ tip for tip in tips.get(i, [])]
        way = np.mean(ends, axis=0) - heads[i] if ends else np.zeros(3)
        if np.linalg.norm(way) < arm.SHORTEST:
            # A joint without length: along its parent, a little.
            way = 0.3 * (heads[i] - heads[joint.parent]) if joint.parent >= 0 else np.zeros(3)
            if np.linalg.norm(way) < arm.SHORTEST:
                way = np.array((0, 0, 0.02 * max(float(np.ptp(heads, axis=0).max()), 0.1)))
        bones.append((joint.name.decode(), joint.parent, rigid.rotated(arm.bone_frame(way), heads[i]), float(np.linalg.norm(way)),
                      joint.name.decode(), rigid.rotated(turn, heads[i])))
    armature, _ = arm.build(context, name, bones, metres)
    return armature, motion.frames()


def _end_sites(motion, joints, roots):
    """Ends of bones in their joints' frames [m], as the figures made from the clip know them."""
    names, result = {joint.name.decode(): i for i, joint in enumerate(joints)}, {}
    for root in range(roots):
        try:
            model = Model.from_motion(motion, root=root)
        except Error:  # a root without bones makes no figure, and has no ends to tell
            continue
        for link, sites in enumerate(model.sites):
            if sites:
                result[names[model.links[link]]] = sites
    return result


class ImportTrajectory(NeedsArmature, Failing, ImportHelper):
    """Import a trajectory's CSV file (of vertebra retarget, or exported here) as an action of the active armature"""

    bl_idname, bl_label = "vertebra.import_trajectory", "Import trajectory"
    filename_ext = ".csv"
    filter_glob: StringProperty(default="*.csv", options={"HIDDEN"})
    first: IntProperty(name="First frame", default=1, description="Frame of the scene for the first one")

    def work(self, context):
        figure = arm.bound(context.object, context.scene)
        trajectory = vertebra.Trajectory(self.filepath)
        count = apply_trajectory(context, figure, trajectory, self.first, stem(self.filepath))
        return tell(self, context, f"{count} frames onto {context.object.name}", told(trajectory.findings))


def resampled(model, q, rate, wanted):
    """Coordinates at another rate: along the shortest way between frames, on the group for quaternions."""
    if abs(rate - wanted) < 1e-6 * wanted or len(q) < 2:
        return q
    times = np.arange(int(np.floor((len(q) - 1) / rate * wanted + 1e-6)) + 1) / wanted * rate
    result = np.empty((len(times), q.shape[1]))
    for i, time in enumerate(times):
        before = min(int(time), len(q) - 2)
        result[i] = model.workspace.integrate(q[before], model.workspace.difference(q[before], q[before + 1]), time - before)
    return result


def apply_trajectory(context, figure, trajectory, first, name):
    """A trajectory as an action at the scene's frame rate, from frame `first` on; returns the number of frames."""
    q, rate = trajectory.q, 1 / trajectory.info.frame_time
    if q.shape[1] != figure.model.nq:
        raise ValueError(f"the trajectory has {q.shape[1]} coordinates, {figure.armature.name} has {figure.model.nq}: it is another figure's")
    q = resampled(figure.model, q, rate, arm.frame_rate(context.scene))
    links = rigid.matrices([figure.model.workspace.poses(row) for row in q])
    action = arm.key_links(figure, links, np.array(figure.armature.matrix_world), first, name)
    arm.assign(figure.armature, action)
    context.scene.frame_end = max(context.scene.frame_end, first + len(q) - 1)
    return len(q)


CLASSES = (ImportModel, ImportMotion, ImportTrajectory)
