#!/usr/bin/env python3
"""vertebra view, as a user has it: a script drags, shoots, pauses, steps, rewinds; the world's state, told as JSON, shows what came of it.

view_test.py COMMAND MODELS. Off-screen; the tests of the window run in Xvfb, keys and mouse by xdotool, where these programs are installed, and say
so otherwise.
"""
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

COMMAND, MODELS = sys.argv[1:3]
HUMANOID = os.path.join(MODELS, "urdf/humanoid.urdf")
STEP = 1 / 240


def scene(name):
    return os.path.join(MODELS, "scenes", name + ".xml")


class View(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def script(self, *lines):
        path = self.path("script.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return path

    def view(self, model, *lines, options=(), window=False):
        """The state after these actions."""
        words = [COMMAND, "view", model, "--script", self.script(*lines), "--json", *options]
        words = ["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24", *words] if window else words + ["--offscreen"]
        run = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        state = json.loads(run.stdout)
        state["at"] = {body["name"]: body["position"] for body in state["bodies"]}
        state["turned"] = {body["name"]: body["orientation"] for body in state["bodies"]}
        state["pixel"] = {body["name"]: body["pixel"] for body in state["bodies"]}
        return state

    def test_a_robot_falls_from_the_height_of_drop(self):
        robot, trunk = os.path.join(MODELS, "urdf/quadruped.urdf"), "quadruped/trunk"
        states = [self.view(robot, f"frames {frames}", options=("--drop", str(height))) for height, frames in ((1, 6), (1, 12), (2, 12))]
        early, late, high = ([state["time"], state["at"][trunk][2]] for state in states)
        self.assertAlmostEqual(early[1] - late[1], 9.81 / 2 * (late[0] ** 2 - early[0] ** 2), delta=1e-6)  # nothing touches: a free fall
        self.assertAlmostEqual(high[1] - late[1], 1, delta=1e-9)
        low = self.view(robot, "frames 1", options=("--drop", "0"))  # its lowest point is on the ground: it is held from the first step on
        self.assertAlmostEqual(high[1] + 9.81 / 2 * high[0] ** 2 - low["at"][trunk][2], 2, delta=2e-3)

    def test_the_mouse_finds_links_under_a_skin(self):
        robot, trunk = os.path.join(MODELS, "urdf/quadruped.urdf"), "quadruped/trunk"
        bare, skin = (self.path(name + ".png") for name in ("bare", "skin"))
        state = self.view(robot, "frames 1", f"picture {bare}", "key b", "frames 1", f"picture {skin}", f"over {trunk}", "frames 1")
        self.assertEqual(state["under"], trunk)
        with open(bare, "rb") as one, open(skin, "rb") as other:
            self.assertNotEqual(one.read(), other.read())

    def test_time_goes_with_the_clock(self):
        state = self.view(scene("pool"), "frames 60")
        self.assertAlmostEqual(state["time"], 1, delta=1.5 * STEP)  # 60 pictures of a sixtieth of a second, and the first
        self.assertAlmostEqual(state["steps"] * STEP, state["time"], delta=1e-9)
        # Pictures that come seldom: the same number of steps of the same length, and the same world to the last bit.
        seldom = self.view(scene("pool"), "frames 6 0.1666666666666666666")
        self.assertEqual(seldom["steps"], state["steps"])
        self.assertEqual(seldom["at"], state["at"])
        slow = self.view(scene("pool"), "key -", "frames 60")
        self.assertEqual((slow["speed"], slow["steps"]), (0.5, state["steps"] // 2))
        fast = self.view(scene("pool"), "key +", "frames 30")
        self.assertEqual((fast["speed"], fast["steps"]), (2, state["steps"]))

    def test_pause_step_rewind_reset(self):
        before = self.view(scene("pool"), "frames 30")
        paused = self.view(scene("pool"), "frames 30", "key space", "frames 30")
        self.assertEqual((paused["paused"], paused["time"], paused["at"]), (True, before["time"], before["at"]))
        stepped = self.view(scene("pool"), "frames 30", "key space", "key .", "key .", "frames 5")
        self.assertEqual(stepped["steps"], before["steps"] + 2)
        self.assertAlmostEqual(stepped["time"], before["time"] + 2 * STEP, delta=1e-9)
        self.assertNotEqual(stepped["at"], before["at"])
        back = self.view(scene("pool"), "frames 40", "key space", "key <", "key space", "frames 1")
        self.assertEqual(back["rewinds"], 1)
        self.assertLess(back["time"], 0.1)
        # Back to a picture and on again: what was, to the last bit.
        again = self.view(scene("pool"), "frames 40", "key space", "key ,", "key ,", "key ,", "key ,", "key ,")
        there = self.view(scene("pool"), *["frames 1"] * round(again["time"] * 60))
        self.assertAlmostEqual(there["time"], again["time"], delta=1e-9)
        self.assertEqual(there["at"], again["at"])
        reset = self.view(scene("pool"), "frames 40", "key space", "key r")
        start = self.view(scene("pool"), "key space")
        self.assertEqual((reset["time"], reset["at"]), (0, start["at"]))

    def test_a_hand_is_dragged(self):
        hand = "humanoid/right_hand"
        lines = ["frames 5", f"over {hand}", "press", "by 0 -150", "frames 90"]
        free = self.view(HUMANOID, "frames 95", options=["--run"])
        held = self.view(HUMANOID, *lines, options=["--run"])
        self.assertEqual(held["held"], hand)
        self.assertGreater(held["hold_force"], 1)
        self.assertLess(held["hold_force"], 50 * 9.81 * 100)  # bounded
        self.assertGreater(held["at"][hand][2], free["at"][hand][2] + 0.1)
        self.assertGreater(math.dist(held["at"]["humanoid/right_forearm"], free["at"]["humanoid/right_forearm"]), 0.1)  # the figure follows
        gone = self.view(HUMANOID, *lines, "release", "frames 1", options=["--run"])
        self.assertEqual((gone["held"], gone["hold_force"]), ("", 0))

    def test_a_body_is_turned(self):
        def attitude(*lines):
            return self.view(scene("pool"), "frames 60", "over gem", *lines)
        def angle(a, b):  # between two attitudes of the gem, rad
            return 2 * math.acos(min(1, abs(sum(x * y for x, y in zip(a["turned"]["gem"], b["turned"]["gem"])))))
        kept = attitude("press ctrl", "frames 1", "frames 60")
        turned = attitude("press ctrl", "frames 1", "by 200 0", "frames 60")
        further = attitude("press ctrl", "frames 1", "by 400 0", "frames 60")
        self.assertEqual(turned["held"], "gem")
        self.assertGreater(angle(kept, turned), 0.3)
        self.assertGreater(angle(kept, further), angle(kept, turned) + 0.2)
        self.assertEqual(attitude("press ctrl", "by 200 0", "frames 60", "release")["held"], "")

    def test_cannon(self):
        before = self.view(scene("pool"), "frames 60")
        shot = self.view(scene("pool"), "frames 30", "move 640 360", "key f", "frames 30")
        self.assertEqual(shot["shots"], 1)
        self.assertEqual(len(shot["bodies"]), len(before["bodies"]) + 1)
        box = self.view(scene("pool"), "frames 30", "key v", "key f", "frames 10")
        self.assertEqual(len(box["bodies"]), len(before["bodies"]) + 1)
        figure = self.view(scene("pool"), "frames 30", "key v", "key v", "key f", "frames 10")
        self.assertGreater(len(figure["bodies"]), len(before["bodies"]) + 5)
        taken = self.view(scene("pool"), "frames 30", "key f", "frames 10", "key space", "key <")
        self.assertEqual((taken["shots"], len(taken["bodies"])), (0, len(before["bodies"])))  # rewinding takes the shot back

    def test_attract_and_repel(self):
        def spread(*lines):
            at = self.view(scene("pool"), "frames 120", "move 640 400", *lines)["at"]
            names = [name for name in at if name.startswith("ball")]
            middle = [sum(at[n][k] for n in names) / len(names) for k in range(2)]
            return sum(math.dist(at[n][:2], middle) for n in names) / len(names)
        plain = spread("frames 40")
        attracted, repelled = spread("hold a", "frames 40"), spread("hold z", "frames 40")
        self.assertNotEqual(attracted, plain)
        self.assertLess(attracted, repelled)
        self.assertNotEqual(spread("hold a", "frames 40", "let a", "frames 20"), spread("frames 60"))

    def test_vehicle(self):
        still = self.view(scene("terrain_vehicle"), "frames 240")
        driven = self.view(scene("terrain_vehicle"), "hold down", "frames 240")
        moved = [name for name in still["at"] if math.dist(still["at"][name], driven["at"][name]) > 0.2]
        self.assertTrue(moved, "the vehicle does not mind its keys")

    def test_follow_and_views(self):
        plain = self.view(scene("walker"), "frames 10")
        name = next(iter(n for n in plain["at"] if n.endswith("Hips")))
        followed = self.view(scene("walker"), "frames 10", f"over {name}", "key l", "frames 120")
        self.assertTrue(followed["followed"])
        loose = self.view(scene("walker"), "frames 130")
        self.assertLess(math.dist(followed["pixel"][name], (640, 360)), 60)  # in the middle, where it was going away
        self.assertGreater(math.dist(loose["pixel"][name], plain["pixel"][name]), 100)
        pixels = [self.view(scene("figures"), f"key {k}", "frames 1")["pixel"]["arm/hand"] for k in "123456"]
        self.assertEqual(len({tuple(p) for p in pixels}), 6)

    def test_overlays_show(self):
        lines = ["frames 60", "key space", "frames 1", f"picture {self.path('plain.png')}"]
        for key in "cnxmstiogh?e":
            lines += [f"key {key}", "frames 1", f"picture {self.path(str(ord(key)) + '.png')}", f"key {key}", "frames 1"]
        lines += ["key tab", "frames 1", f"picture {self.path('bare.png')}"]
        self.view(scene("figures"), *lines, options=["--size", "480x270"])
        pictures = {}
        for name in [name for name in os.listdir(self.folder) if name.endswith(".png")]:
            with open(self.path(name), "rb") as file:
                pictures[name] = file.read()
        same = [name for name, data in pictures.items() if name != "plain.png" and data == pictures["plain.png"]]
        self.assertEqual(same, [])
        self.assertEqual(len(pictures), 14)

    def test_paths_show(self):
        def picture(name, *lines):
            self.view(scene("pool"), *lines, "frames 60", f"picture {self.path(name)}", options=["--size", "480x270", "--bare"])
            with open(self.path(name), "rb") as file:
                return file.read()
        plain = picture("plain.png")
        self.assertEqual(picture("again.png"), plain)
        self.assertNotEqual(picture("paths.png", "key p"), plain)

    def test_sliders(self):
        plain = self.view(os.path.join(MODELS, "urdf/arm7.urdf"), "frames 5")
        moved = None
        for x in (1180, 1220, 100, 140, 180):  # the panel's own place is the viewer's
            for y in (110, 130, 150):
                state = self.view(os.path.join(MODELS, "urdf/arm7.urdf"), "key j", "frames 1", f"move {x} {y}", "press", "by 30 0", "frames 2", "release", "frames 1")
                if state["at"] != plain["at"]:
                    moved = state
                    break
            if moved:
                break
        self.assertIsNotNone(moved, "no slider moved a joint")

    def test_motion_beside_the_robot(self):
        walk = os.path.join(MODELS, "motions/walk.bvh")
        played = self.view(walk, "frames 60")
        self.assertAlmostEqual(played["time"], 1, delta=0.02)
        self.assertEqual(played["steps"], 0)
        beside = self.view(walk, "frames 60", options=["--figure", HUMANOID])
        self.assertGreater(beside["steps"], 200)
        self.assertTrue(any(name.startswith("humanoid/") for name in beside["at"]))
        self.assertGreater(len(beside["bodies"]), len(played["bodies"]) + 20)

    def test_faults_are_told(self):
        for lines, options, status, text in (
                (["jump"], ["--offscreen"], 1, "script.txt:1: 'jump' is no action"),
                (["frames 1", "frames x"], ["--offscreen"], 1, "script.txt:2:"),
                (["over nobody"], ["--offscreen"], 1, "nobody"),
                (["key wrong"], ["--offscreen"], 1, "no key")):
            run = subprocess.run([COMMAND, "view", HUMANOID, "--script", self.script(*lines), *options], capture_output=True, text=True)
            self.assertEqual(run.returncode, status, run.stderr)
            self.assertIn(text, run.stderr)
        run = subprocess.run([COMMAND, "view", HUMANOID, "--offscreen"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        run = subprocess.run([COMMAND, "view", HUMANOID, "--for", "1"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)  # no display
        self.assertIn("display", run.stderr.lower())


@unittest.skipUnless(shutil.which("xvfb-run"), "the package xvfb is not installed")
class Window(View):
    """The same viewer in a real window."""

    def test_a_window_is_the_same_viewer(self):
        lines = ["frames 20", "move 640 360", "key f", "frames 20"]
        inside, outside = self.view(scene("pool"), *lines, window=True), self.view(scene("pool"), *lines)
        self.assertEqual(inside["at"], outside["at"])

    @unittest.skipUnless(shutil.which("xdotool"), "the package xdotool is not installed")
    def test_keys_and_mouse_of_the_display(self):
        # Xvfb, the viewer for a while, and a user on the same display.
        program = f"""
{COMMAND} view {scene("pool")} --for 8 --json > {self.path("state.json")} 2> {self.path("errors")} &
for i in $(seq 50); do window=$(xdotool search --name vertebra 2>/dev/null | head -1); [ -n "$window" ] && break; sleep 0.1; done
sleep 1
xdotool mousemove 600 300; sleep 0.3; xdotool key f; sleep 0.5; xdotool key space
wait
"""
        run = subprocess.run(["xvfb-run", "-a", "-s", "-screen 0 1280x720x24", "bash", "-c", program], capture_output=True, text=True, timeout=60)
        with open(self.path("state.json"), encoding="utf-8") as file:
            text = file.read()
        with open(self.path("errors"), encoding="utf-8") as file:
            self.assertTrue(text, file.read() + run.stderr)
        state = json.loads(text)
        self.assertEqual((state["paused"], state["shots"]), (True, 1))
        self.assertGreater(state["steps"], 0)


# The tests of View are not run twice.
for name in [name for name in dir(View) if name.startswith("test_")]:
    setattr(Window, name, None)

if __name__ == "__main__":
    os.environ.pop("DISPLAY", None)
    unittest.main(argv=sys.argv[:1], verbosity=2)
