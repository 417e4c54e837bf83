"""What the tests in Blender share: the add-on installed from its zip, checks, and the real files beside the project. Runs inside Blender."""
import json
import os
import pathlib
import subprocess
import sys

import bpy
import numpy as np

ARCHIVE, SOURCE, OUT, COMMAND = sys.argv[sys.argv.index("--") + 1:]
SOURCE, OUT = pathlib.Path(SOURCE), pathlib.Path(OUT)
SHARED = SOURCE.parent / "shared" / "data"

bpy.ops.preferences.addon_install(filepath=ARCHIVE)
bpy.ops.preferences.addon_enable(module="vertebra_blender")
import vertebra_blender  # noqa: E402 (it is there from here on)
from vertebra_blender import armature as arm  # noqa: E402
from vertebra_blender import clip, model, rigid  # noqa: E402,F401
from vertebra_blender.binding import vertebra  # noqa: E402,F401

assert str(pathlib.Path(vertebra_blender.__file__).parent).startswith(os.environ["BLENDER_USER_SCRIPTS"]), "not the add-on of the zip"
assert str(pathlib.Path(vertebra.__file__)).startswith(str(pathlib.Path(vertebra_blender.__file__).parent)), "not the package of the zip"


def fresh(metres=1.0, rate=30):
    """An empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="vertebra_blender")
    scene = bpy.context.scene
    scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", metres
    scene.render.fps, scene.render.fps_base = rate, 1
    return scene


def near(got, expected, tolerance, what):
    error = float(np.max(np.abs(np.asarray(got) - np.asarray(expected))))
    assert error <= tolerance, f"{what}: differs by {error:.3g}, more than {tolerance:g}"
    return error


def command(verb, path, *options):
    """What the command vertebra tells of a file, as JSON."""
    run = subprocess.run([COMMAND, verb, str(path), *options, "--json"], capture_output=True, text=True)
    assert run.returncode == 0, f"vertebra {verb} {path}: {run.stderr}"
    return json.loads(run.stdout)


def refused(call, *words):
    """The call fails with a text that has the words."""
    try:
        call()
    except RuntimeError as error:
        missing = [word for word in words if word not in str(error)]
        assert not missing, f"'{error}' does not say {missing}"
        return
    raise AssertionError(f"it was not refused; expected {words}")


def heads(armature, names, frame):
    """Heads of bones in the world [m], as Blender evaluates them at a frame."""
    scene = bpy.context.scene
    scene.frame_set(frame)
    evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    metres = arm.metres_per_unit(scene)
    return np.array([np.array(evaluated.matrix_world @ evaluated.pose.bones[name].head) * metres for name in names])


def shared_files(pattern, what):
    """Real files; none, by name, where the folder is absent."""
    found = sorted(SHARED.glob(pattern))
    if not found:
        print(f"skipped by name: {what} ({SHARED}/{pattern} is not there)")
    return found


def picture(name, target, eye, size=(640, 400), frame=None, percentage=100):
    """A picture by Workbench; target and eye in Blender units."""
    from mathutils import Vector
    scene = bpy.context.scene
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    camera.location = eye
    camera.rotation_euler = (Vector(target) - Vector(eye)).to_track_quat("-Z", "Y").to_euler()
    scene.camera, scene.render.engine = camera, "BLENDER_WORKBENCH"
    scene.display.shading.light, scene.display.shading.color_type, scene.display.shading.show_shadows = "STUDIO", "MATERIAL", True
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = *size, percentage
    scene.render.image_settings.file_format, scene.render.filepath = "PNG", str(OUT / name)
    if frame is not None:
        scene.frame_set(frame)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(OUT / name))
    pixels = np.array(image.pixels[:]).reshape(size[1], size[0], 4)[..., :3]
    bpy.data.objects.remove(camera)
    return pixels
