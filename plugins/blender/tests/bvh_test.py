"""Our BVH files (and real ones of other dialects): bones of the imported armature against the C ABI's poses to 1e-4 m, and against Blender's
own importer, an independent reader, in the file's axes; rates, units; export and re-reading; what is refused."""
import builtins
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
import bpy  # noqa: E402
import numpy as np  # noqa: E402
from harness import OUT, SOURCE, arm, clip, command, fresh, heads, near, refused, rigid, shared_files, vertebra  # noqa: E402

import io_anim_bvh.import_bvh as blenders  # noqa: E402

# Blender's importer opens files in a mode that Python 3.11 no longer has.
blenders.open = lambda path, mode="r", **options: builtins.open(path, mode.replace("U", ""), **options)


def check(path, step=1, metres=1.0):
    scene = fresh(metres)
    motion = vertebra.Motion(path)
    poses, info = motion.frames(), motion.info
    bpy.ops.vertebra.import_bvh(filepath=str(path), timing="SCENE")
    armature = bpy.context.object
    near(arm.frame_rate(scene), 1 / info.frame_time, 1e-3 / info.frame_time, f"{path.name}: rate of the scene")
    assert (scene.frame_start, scene.frame_end) == (1, info.frames), "range of the scene"
    names = bone_names(armature, motion)
    frames = sorted({*range(0, info.frames, max(1, info.frames // 7)), info.frames - 1})
    worst = max(near(heads(armature, names, 1 + f), poses[f, :, :3], 1e-4, f"{path.name}, frame {f}") for f in frames)
    independent = against_blender(path, motion, info, poses, frames)

    out = OUT / path.name
    bpy.context.view_layer.objects.active = armature
    bpy.ops.vertebra.export_bvh(filepath=str(out), order="XYZ" if metres != 1 else "ZXY")
    again = vertebra.Motion(out, unit=1.0, up_axis="z")
    back, order = again.frames(), bone_names(armature, again)
    written = max(near(back[f][[order.index(n) for n in names], :3], poses[f, :, :3], 1e-4, f"{path.name} exported, frame {f}") for f in frames)
    read = command("motion", out, "--inspect", "--unit", "1", "--up", "z")
    assert read["frames"] == info.frames and abs(read["frame_time"] - info.frame_time) < 1e-6, read
    print(f"{path.name} at {metres} m/unit: {info.joints} joints, {info.frames} frames; worst {worst:.1e} m, exported {written:.1e} m, "
          f"Blender's own importer {independent}")


def bone_names(armature, motion):
    """Names of bones in the order of a clip's joints."""
    of = {clip.file_names([bone[arm.LINK]])[0]: bone.name for bone in armature.data.bones}
    return [of[clip.file_names([name])[0]] for name in motion.joint_names]


def against_blender(path, motion, info, poses, frames):
    """The same file by Blender's importer, raw coordinates, turned and scaled as ours says. Returns the largest difference as text."""
    try:
        bpy.ops.import_anim.bvh(filepath=str(path), axis_forward="Y", axis_up="Z", global_scale=1, rotate_mode="NATIVE", frame_start=1)
    except RuntimeError as error:
        return f"refuses it ({[line for line in str(error).splitlines() if line and not line.startswith('Location')][-1].strip()})"
    other = bpy.context.object
    if len(other.pose.bones) != info.joints:
        return f"reads {len(other.pose.bones)} joints"
    names = motion.joint_names
    missing = [name for name in names if name not in other.pose.bones]
    if missing:
        return f"renames {missing[0]}"
    turn, worst = rigid.matrices([0, 0, 0, *info.turn])[:3, :3], 0
    for f in frames:
        bpy.context.scene.frame_set(1 + f)
        evaluated = other.evaluated_get(bpy.context.evaluated_depsgraph_get())
        raw = np.array([np.array(evaluated.pose.bones[name].head) for name in names])
        worst = max(worst, near(raw @ turn.T * info.unit, poses[f, :, :3], 1e-4, f"{path.name}, frame {f}, against Blender's importer"))
    bpy.data.objects.remove(other)
    return f"{worst:.1e} m"


def timings():
    walk = SOURCE / "models/motions/walk.bvh"
    motion = vertebra.Motion(walk)
    scene = fresh(rate=24)
    bpy.ops.vertebra.import_bvh(filepath=str(walk), timing="RESAMPLE", first=11)
    near(scene.frame_end - scene.frame_start, motion.duration * 24, 1.0, "frames of a clip at the scene's rate")
    assert scene.frame_start == 11 and scene.render.fps == 24
    names = bone_names(bpy.context.object, motion)
    for frame in (11, 40, 70):
        near(heads(bpy.context.object, names, frame), motion.poses((frame - 11) / 24)[:, :3], 1e-4, f"the clip at {(frame - 11) / 24:.3f} s")


def refusals():
    fresh()
    refused(lambda: bpy.ops.vertebra.import_bvh(filepath=str(SOURCE / "tests/fuzz/corpus/bvh/many_braces.bvh")), "many_braces.bvh")
    refused(lambda: bpy.ops.vertebra.import_bvh(filepath=str(OUT / "absent.bvh")), "absent.bvh")
    assert not bpy.data.armatures, "a refused import left an armature"
    bpy.ops.vertebra.import_bvh(filepath=str(SOURCE / "models/motions/wave.bvh"))
    bpy.context.object.data.bones[0].name = "two words"
    out = OUT / "renamed.bvh"
    bpy.ops.vertebra.export_bvh(filepath=str(out), use_scene_range=False, first=1, last=2)
    assert "ROOT two_words" in out.read_text() and "two_words" in bpy.context.scene.vertebra.findings[0].text
    refused(lambda: bpy.ops.vertebra.export_bvh(filepath=str(out), use_scene_range=False, first=3, last=2), "ends (frame 2) before it starts")


def main():
    ours = sorted((SOURCE / "models/motions").glob("*.bvh")) + sorted((SOURCE / "tests/bvh").glob("*.bvh"))
    assert len(ours) >= 5, ours
    for path in ours:
        check(path)
    check(SOURCE / "models/motions/walk.bvh", metres=0.01)
    timings()
    refusals()
    for path in shared_files("bvh/*.bvh", "real motion capture"):
        check(path)
    print("passed")


main()
