"""Operators that export the motion of the active armature, as evaluated: as a BVH file, or as a trajectory of its figure."""
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from . import armature as arm
from . import clip
from .binding import vtb
from .import_operators import NeedsArmature
from .report import Failing, tell


class Ranged:
    use_scene_range: BoolProperty(name="Scene's frame range", default=True)
    first: IntProperty(name="Start", default=1)
    last: IntProperty(name="End", default=250)

    def range(self, scene):
        first, last = (scene.frame_start, scene.frame_end) if self.use_scene_range else (self.first, self.last)
        if last < first:
            raise ValueError(f"the range ends (frame {last}) before it starts (frame {first})")
        return first, last


class ExportMotion(NeedsArmature, Ranged, Failing, ExportHelper):
    """Export the active armature's motion as a BVH file in metres with Z up"""

    bl_idname, bl_label, bl_options = "vertebra.export_bvh", "Export BVH", {"REGISTER"}
    filename_ext = ".bvh"
    filter_glob: StringProperty(default="*.bvh", options={"HIDDEN"})
    order: EnumProperty(name="Rotations", default="ZXY", items=[(o, o, "Order of the rotation channels") for o in ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")])

    def work(self, context):
        first, last = self.range(context.scene)
        bones = bones_of(context, context.object, first, last)
        motion = clip.motion_of(bones, arm.frame_rate(context.scene), context.object.name, [self.order] * len(bones.names))
        motion.save(self.filepath)
        written = clip.file_names(bones.names)
        renamed = [(vtb.VTB_SEVERITY_WARNING, f"bone '{a}' is written as '{b}'") for a, b in zip(bones.names, written) if a != b]
        return tell(self, context, f"{last - first + 1} frames of {len(written)} bones to {self.filepath}", renamed)


def bones_of(context, armature, first, last):
    """The moving bones of an armature."""
    worlds, bones = arm.finished(arm.sample(context, armature, first, last))
    return arm.moving_bones(armature, worlds, bones, arm.metres_per_unit(context.scene))


class ExportTrajectory(NeedsArmature, Ranged, Failing, ExportHelper):
    """Export the active armature's motion as coordinates of its figure: CSV, JSON or a NumPy archive (NPZ), by the file's name"""

    bl_idname, bl_label, bl_options = "vertebra.export_trajectory", "Export trajectory", {"REGISTER"}
    filename_ext = ".csv"
    check_extension = None
    filter_glob: StringProperty(default="*.csv;*.json;*.npz", options={"HIDDEN"})

    def work(self, context):
        first, last = self.range(context.scene)
        figure = arm.bound(context.object, context.scene)
        q = figure.model.coordinates(figure.links(*arm.finished(arm.sample(context, context.object, first, last))))
        trajectory = clip.trajectory_of(figure.model, q, arm.frame_rate(context.scene), context.object.name)
        trajectory.save(self.filepath, figure.model.skeleton)
        return tell(self, context, f"{len(q)} frames of {q.shape[1]} coordinates to {self.filepath}")


CLASSES = (ExportMotion, ExportTrajectory)
