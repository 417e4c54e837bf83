"""Scene file: a world read from XML, changed by its names, run, saved - and what was saved goes on from there to the last bit."""
import pathlib
import tempfile

from vertebra import Scene
from show import HERE, Strip

scene = Scene(HERE.parent / "swing.xml")  # a ball on a rope beside a tower of bricks
world = scene.world()  # as many worlds of one scene as one likes
world.find("body", "ball").twist = (0, 0, -1, 0, 0, 0)  # what the file names, calls find
strip = Strip(eye=(0.5, -4.5, 1.6), target=(0, 0, 1), columns=3)
strip.add(world, "from the file")
world.step(150)

with tempfile.TemporaryDirectory() as folder:
    saved = pathlib.Path(folder) / "later.xml"
    world.save_scene(saved)  # the scene in its own words, with the present state
    text = saved.read_text(encoding="utf-8")
    again = Scene(saved).world()
strip.add(again, f"saved and loaded at {again.time:.3f} s")
world.step(240)
again.step(240)
strip.add(again, "a second later")
strip.save("scene_file.png")

print(f"{world.stats.bodies} bodies, {world.stats.joints} joints; the saved file has {len(text.splitlines())} lines")
print(f"brick5 moved to x = {again.find('body', 'brick5').position[0]:.3f} m")
print("the loaded world goes on " + ("the same to the last bit" if world.hash == again.hash else "another way"))
