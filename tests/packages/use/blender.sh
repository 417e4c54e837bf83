# vertebra-blender: Blender finds the add-on; it imports a robot and a clip, retargets, simulates, bakes, exports, and renders the result.
set -euo pipefail
cat >/tmp/blender.py <<'TEXT'
import bpy
bpy.ops.preferences.addon_enable(module="vertebra_blender")
import vertebra
import vertebra_blender
assert vertebra_blender.__file__.startswith("/usr/share/blender/scripts/addons/"), vertebra_blender.__file__
assert vertebra.__file__.startswith("/usr/lib/python3/dist-packages/"), vertebra.__file__
scene = bpy.context.scene
bpy.ops.vertebra.import_bvh(filepath="walk.bvh")
scene.vertebra.clip = bpy.context.object
bpy.ops.vertebra.import_model(filepath="humanoid.urdf")
robot = bpy.context.object
bpy.ops.vertebra.retarget()
scene.frame_end = 24
bpy.ops.vertebra.bake()
assert robot.animation_data.action.name.endswith("baked"), robot.animation_data.action.name
bpy.ops.vertebra.export_trajectory(filepath="/tmp/baked.csv")
scene.render.engine, scene.cycles.samples, scene.render.resolution_percentage = "CYCLES", 4, 10  # which draws without OpenGL
scene.cycles.use_denoising = False  # Debian's Cycles has no denoiser
scene.render.filepath = "/tmp/baked.png"
bpy.ops.render.render(write_still=True)
TEXT
blender -b --python-exit-code 1 --python /tmp/blender.py
test "$(grep -c . /tmp/baked.csv)" -ge 25
test -s /tmp/baked.png
echo "the Blender add-on works"
