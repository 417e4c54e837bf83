"""Retargeting between armatures against vtb_retarget on the same files (1e-4 m at each link), onto a robot and onto another clip's armature, in
scenes of two unit scales; maps guessed, mended and used; undo; what is refused."""
import re
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
import bpy  # noqa: E402
import numpy as np  # noqa: E402
from harness import OUT, SOURCE, arm, fresh, heads, near, picture, refused, vertebra  # noqa: E402

WALK, ROBOT, OTHER = SOURCE / "models/motions/walk.bvh", SOURCE / "models/urdf/humanoid.urdf", OUT / "other.bvh"
TRIED = range(0, 301, 30)


def scene_with(metres, target):
    """The walk's armature as the clip, the target's as the active object."""
    scene = fresh(metres, rate=60)
    bpy.ops.vertebra.import_bvh(filepath=str(WALK))
    scene.vertebra.clip = bpy.context.object
    if target == ROBOT:
        bpy.ops.vertebra.import_model(filepath=str(target))
    else:
        bpy.ops.vertebra.import_bvh(filepath=str(target), set_range=False)
        bpy.context.object.animation_data_clear()
        for bone in bpy.context.object.pose.bones:
            bone.matrix_basis.identity()
    return scene, bpy.context.object


def wanted(skeleton, motion=None, **options):
    """Where the library puts the links in each frame, without Blender."""
    trajectory = vertebra.retarget(motion or vertebra.Motion(WALK), skeleton, **options)
    workspace = vertebra.Workspace(skeleton)
    return np.array([workspace.poses(q)[:, :3] for q in trajectory.q])


def got(armature, links, frames):
    bone_of = {bone.get(arm.LINK, bone.name): bone.name for bone in armature.data.bones}
    return np.array([heads(armature, [bone_of[link] for link in links], 1 + frame) for frame in frames])


def onto(target, skeleton):
    reference = wanted(skeleton)
    for metres in (1.0, 0.01):
        scene, armature = scene_with(metres, target)
        assert bpy.ops.vertebra.retarget() == {"FINISHED"}
        assert (scene.frame_start, scene.frame_end) == (1, 301), "range"
        worst = near(got(armature, skeleton.link_names, TRIED), reference[list(TRIED)], 1e-4, f"walk onto {target.name}, {metres} m/unit")
        print(f"walk onto {target.name} at {metres} m/unit: {len(skeleton.link_names)} links, worst {worst:.1e} m")
    assert any("left_knee: joint 'LeftLeg'" in one.text for one in scene.vertebra.findings), [one.text for one in scene.vertebra.findings]
    return armature


def maps():
    """The guessed map gives the same motion; a mended one another; a wrong one is refused by name."""
    scene, armature = scene_with(1.0, ROBOT)
    bpy.ops.vertebra.retarget()
    links = vertebra.Skeleton(ROBOT).link_names
    first = got(armature, links, TRIED)
    assert bpy.ops.vertebra.guess_map() == {"FINISHED"}
    text = scene.vertebra.map
    assert str(vertebra.RetargetMap.guess(vertebra.Motion(WALK), vertebra.Skeleton(ROBOT))) == text.as_string(), "the map is not what the library guesses"
    bpy.ops.vertebra.retarget()
    near(got(armature, links, TRIED), first, 1e-4, "with the guessed map")
    mended = text.as_string().replace("Left", "#").replace("Right", "Left").replace("#", "Right")
    assert mended != text.as_string()
    text.from_string(mended)
    bpy.ops.vertebra.retarget()
    assert np.abs(got(armature, links, TRIED) - first).max() > 0.02, "the mended map does nothing"
    text.from_string(text.as_string().replace("RightArm", "NoSuchJoint"))
    refused(bpy.ops.vertebra.retarget, "NoSuchJoint")
    text.from_string("<retarget_map><role/></retarget_map>")
    refused(bpy.ops.vertebra.retarget, "map:1")


def undoing():
    """Undo takes a retargeting back, and an import."""
    scene_with(1.0, ROBOT)
    bpy.ops.object.select_all(action="DESELECT")
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.vertebra.import_model("EXEC_DEFAULT", True, filepath=str(ROBOT))
    name, count = bpy.context.object.name, len(bpy.data.objects)
    bpy.ops.vertebra.retarget("EXEC_DEFAULT", True)
    action = bpy.data.objects[name].animation_data.action.name
    assert action == f"{name} from walk", action
    bpy.ops.ed.undo()
    assert bpy.data.objects[name].animation_data is None, "undo left the retargeted motion"
    bpy.ops.ed.undo()
    assert name not in bpy.data.objects and len(bpy.data.objects) < count, "undo left the imported armature"
    bpy.ops.ed.redo()
    bpy.ops.ed.redo()
    assert bpy.data.objects[name].animation_data.action.name == action, "redo"


def refusals():
    scene = fresh()
    bpy.ops.vertebra.import_model(filepath=str(ROBOT), visuals=False)
    assert not bpy.ops.vertebra.retarget.poll(), "retargets without a clip"
    scene.vertebra.clip = bpy.context.object
    assert not bpy.ops.vertebra.retarget.poll(), "retargets an armature onto itself"
    bpy.ops.vertebra.import_model(filepath=str(SOURCE / "models/urdf/arm7.urdf"), visuals=False)
    refused(bpy.ops.vertebra.retarget, "arm7", "left_hip")
    assert bpy.context.object.animation_data is None, "a refused retargeting left keys"


def other_proportions():
    """Our figure of another clip, broader and with longer limbs."""
    def stretched(match):
        return "OFFSET " + " ".join(f"{factor * float(number):.6g}" for factor, number in zip((1.3, 0.8, 1.1), match[1].split()))

    text = (SOURCE / "models/motions/wave.bvh").read_text()
    OTHER.write_text(re.sub(r"OFFSET ([^\n]+)", stretched, text))


def main():
    other_proportions()
    armature = onto(ROBOT, vertebra.Skeleton(ROBOT))
    at = got(armature, ["pelvis" if "pelvis" in armature.data.bones else armature.data.bones[0].name], [40])[0, 0] / 0.01
    pixels = picture("robot.png", (at[0], at[1], 85), (at[0] + 260, at[1] - 260, 130), size=(480, 400), frame=41)
    assert np.std(pixels) > 0.02, "an empty picture"
    onto(OTHER, vertebra.Skeleton.from_motion(vertebra.Motion(OTHER)))
    maps()
    undoing()
    refusals()
    print("passed")


main()
