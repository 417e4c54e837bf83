"""The script of docs/howto/blender.md runs as it stands; what it bakes and exports is what it says. Draws the page's picture: OUT/blender.png."""
import os
import re
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
import bpy  # noqa: E402
import numpy as np  # noqa: E402
from harness import OUT, SOURCE, heads, picture, vertebra  # noqa: E402

FRAMES = (30, 61, 66, 90)


def strip(robot):
    """The frames side by side, each seen from beside the robot."""
    scene = bpy.context.scene
    bpy.data.objects["Cube"].hide_render = True
    for mesh in bpy.data.objects["walk"].children:
        mesh.hide_render = True
    bpy.ops.mesh.primitive_plane_add(size=1000)
    floor = bpy.data.materials.new("floor")
    floor.diffuse_color = (0.55, 0.6, 0.62, 1)
    bpy.context.object.data.materials.append(floor)
    scene.world.color = (0.75, 0.8, 0.85)
    scene.display.shading.show_object_outline = False
    drawn = []
    for frame in FRAMES:
        at = heads(robot, ["pelvis"], frame)[0]
        drawn.append(picture(f"howto_{frame}.png", (at[0], at[1], 0.7), (at[0] - 0.9, at[1] - 3.1, 1.3), size=(300, 360), frame=frame))
    pixels = np.ones((360, 1200, 4), dtype=np.float32)
    pixels[..., :3] = np.concatenate(drawn, axis=1)
    image = bpy.data.images.new("strip", 1200, 360)
    image.pixels.foreach_set(pixels.ravel())
    image.filepath_raw, image.file_format = str(OUT / "blender.png"), "PNG"
    image.save()
    assert all(np.abs(a - b).mean() > 0.005 for a, b in zip(drawn, drawn[1:])), "two frames look alike"


def main():
    text = (SOURCE / "docs/howto/blender.md").read_text()
    script = re.search(r"```py\n(.*?)```", text, re.DOTALL)[1].replace('"models/', f'"{SOURCE}/models/')
    os.chdir(OUT)
    bpy.ops.wm.read_factory_settings()
    exec(compile(script, "walk_and_hit.py", "exec"), {})
    robot = bpy.context.object
    standing, lying = heads(robot, ["head"], 50)[0], heads(robot, ["head"], 110)[0]
    assert standing[2] > 1.2 > 0.8 > lying[2], f"the head is at {standing[2]:.2f} m before the hit, at {lying[2]:.2f} m after it"
    assert len(vertebra.Trajectory("robot.csv")) == 110 and os.path.getsize("robot.blend") > 1e5
    strip(robot)
    print("passed")


main()
