"""Operators that retarget: the motion of one armature onto another of other proportions, by vtb_retarget; and its map of roles as a text."""
import bpy

from . import armature as arm
from . import clip
from .binding import told, vertebra
from .export_operators import bones_of
from .import_operators import NeedsArmature, apply_trajectory
from .report import Failing, tell


class NeedsClip(NeedsArmature):
    @classmethod
    def poll(cls, context):
        if not super().poll(context):
            return False
        source = context.scene.vertebra.clip
        if not source or source == context.object:
            cls.poll_message_set("Choose another armature, whose motion the active one takes over")
            return False
        return True


def clip_of(context):
    """The motion of the chosen armature over the scene's range, as a clip."""
    scene = context.scene
    bones = bones_of(context, scene.vertebra.clip, scene.frame_start, scene.frame_end)
    return clip.motion_of(bones, arm.frame_rate(scene), scene.vertebra.clip.name)


class Retarget(NeedsClip, Failing):
    """The active armature takes over the motion of the chosen one over the scene's frame range; the ground is at height 0"""

    bl_idname, bl_label = "vertebra.retarget", "Retarget"

    def work(self, context):
        scene, target = context.scene, context.object
        figure = arm.bound(target, scene)
        map_text = scene.vertebra.map.as_string() if scene.vertebra.map else ""
        trajectory = clip.retarget(clip_of(context), figure.model, map_text)
        count = apply_trajectory(context, figure, trajectory, scene.frame_start, f"{target.name} from {scene.vertebra.clip.name}")
        return tell(self, context, f"{count} frames of {scene.vertebra.clip.name} onto {target.name}", told(trajectory.findings))


class GuessMap(NeedsClip, Failing):
    """Write which bones and links would play which roles as a text, to be mended and used as the map"""

    bl_idname, bl_label = "vertebra.guess_map", "Guess map"

    def work(self, context):
        figure = arm.bound(context.object, context.scene)
        guessed = vertebra.RetargetMap.guess(clip_of(context), figure.model.skeleton)
        block = bpy.data.texts.new(f"{context.object.name} map.xml")
        block.write(str(guessed))
        context.scene.vertebra.map = block
        return tell(self, context, f"the map is the text '{block.name}'", told(guessed.findings))


CLASSES = (Retarget, GuessMap)
