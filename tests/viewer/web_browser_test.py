"""`vertebra view --web` and `--export` in a headless Chromium. What the page shows is held against the C interface, called directly: poses of
bodies to a millimetre, and in the picture their colours to two pixels where a projection of our own puts them. Skips without Chromium."""
import ctypes
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser  # noqa: E402
from served import Served  # noqa: E402

COMMAND, LIBRARY, MODELS = sys.argv[1:4]
ARM, WALK = os.path.join(MODELS, "urdf/arm7.urdf"), os.path.join(MODELS, "motions/walk.bvh")
STEP = 1 / 240
CRATE = """<scene>
  <plane/>
  <body name="crate" position="0 0 0.3" mass="20"><box half_extents="0.3 0.3 0.3" rgba="0.9 0.1 0.1"/></body>
  <body name="pillar" kind="static" position="-2 0 0.5"><box half_extents="0.1 0.1 0.5"/></body>
  <body name="ball" position="0 -1.5 3" mass="1"><sphere radius="0.1"/></body>
  <camera position="5 0 1.5" target="0 0 0.5" fov="45deg"/>
</scene>"""
# Thrown, each turning: green sits a metre off the centre of what carries it.
THROWN = """<scene>
  <body name="red" position="0 -1 1" velocity="0 0.5 3" mass="1"><sphere radius="0.1" rgba="0.9 0.02 0.02"/></body>
  <body name="blue" position="0.3 0.5 1.5" velocity="-1 0 3" mass="1"><sphere radius="0.12" rgba="0.02 0.05 0.9"/></body>
  <body name="arm" position="0 1 1" velocity="0 0 3.5" angular_velocity="2 3 1" mass="1">
    <sphere radius="0.1" position="0.3 0 0.4" rgba="0.02 0.8 0.02"/>
  </body>
  <camera position="7 0.3 2" target="0 0 1.3" fov="40deg"/>
</scene>"""
GREEN = (0.3, 0, 0.4)


def check(status):
    if status != 0:
        abi.vtb_last_error.restype = ctypes.c_char_p
        raise AssertionError(abi.vtb_last_error().decode())


abi = ctypes.CDLL(LIBRARY)
abi.vtb_world_step.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
abi.vtb_body_get_pose.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_double)]
abi.vtb_world_find_body.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64)]
abi.vtb_scene_create_world.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]


def poses_after(path, steps, names):
    """Of a scene, by the C interface: 7 numbers a name."""
    scene, world = ctypes.c_void_p(), ctypes.c_void_p()
    check(abi.vtb_scene_load(path.encode(), None, ctypes.byref(scene)))
    check(abi.vtb_scene_create_world(scene, None, ctypes.byref(world)))
    check(abi.vtb_world_step(world, steps))
    poses = {}
    for name in names:
        body, pose = ctypes.c_uint64(), (ctypes.c_double * 7)()
        check(abi.vtb_world_find_body(world, name.encode(), ctypes.byref(body)))
        check(abi.vtb_body_get_pose(world, body, pose))
        poses[name] = list(pose)
    abi.vtb_world_destroy(world)
    abi.vtb_scene_release(scene)
    return poses


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def scaled(a, s):
    return [s * x for x in a]


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def applied(pose, point):
    u, w = pose[3:6], pose[6]
    t = scaled(cross(u, point), 2)
    return plus(plus(pose[:3], point), plus(scaled(t, w), cross(u, t)))


def projected(point, position, target, fov, width, height):
    """Pixel of a point, seen with z up."""
    forward = plus(target, scaled(position, -1))
    forward = scaled(forward, 1 / math.sqrt(dot(forward, forward)))
    right = cross(forward, [0, 0, 1])
    right = scaled(right, 1 / math.sqrt(dot(right, right)))
    up, away = cross(right, forward), plus(point, scaled(position, -1))
    scale = 0.5 * height / math.tan(0.5 * fov) / dot(away, forward)
    return 0.5 * width + scale * dot(away, right), 0.5 * height - scale * dot(away, up)


def centre_of_colour(png, channel):
    """Mean pixel of what has clearly more of a channel than of the others, and how many pixels it is."""
    width, height, step, rows = browser.read_png(png)
    n = x_sum = y_sum = 0
    for y, row in enumerate(rows):
        for x in range(width):
            pixel = row[step * x:step * x + 3]
            others = max(pixel[k] for k in range(3) if k != channel)
            if pixel[channel] > 60 and pixel[channel] > 2 * others:
                n, x_sum, y_sum = n + 1, x_sum + x + 0.5, y_sum + y + 0.5
    return (x_sum / n, y_sum / n, n) if n else (0, 0, 0)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.errors.clear()
        self.browser.requests.clear()

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def near(self, found, wanted, tolerance):
        for a, b in zip(found, wanted):
            self.assertAlmostEqual(a, b, delta=tolerance, msg=f"{found}, {wanted}")


class Running(Page):
    def open(self, *words):
        served = Served(COMMAND, *words)
        self.addCleanup(served.end)
        self.browser.open(served.url)
        self.browser.wait("vertebra.state")
        self.served = served
        return self.browser

    def tearDown(self):
        self.assertTrue(all(url.startswith((self.served.url, "data:")) for url in self.browser.requests), self.browser.requests)
        super().tearDown()
        self.browser.open("about:blank")

    def press_key(self, key):
        self.browser.evaluate("document.getElementById('picture').focus()")
        self.browser.key(key)

    def test_time_pause_step_reset(self):
        page = self.open(self.write("crate.xml", CRATE))
        first = page.evaluate("vertebra.state.time")
        page.wait(f"vertebra.state.time > {first + 0.3}")
        page.evaluate("vertebra.pause.click()")
        page.wait("vertebra.state.paused")
        stood = page.evaluate("vertebra.state")
        time.sleep(0.6)
        self.assertEqual(page.evaluate("vertebra.state.time"), stood["time"])
        [button] = page.evaluate("[...document.querySelectorAll('#bar button')].map((b, i) => [b.textContent, i]).filter(([text]) => text === 'step')")
        page.evaluate(f"document.querySelectorAll('#bar button')[{button[1]}].click()")
        page.wait(f"vertebra.state.steps > {stood['steps']}")
        time.sleep(0.5)
        stepped = page.evaluate("vertebra.state")
        self.assertEqual(stepped["steps"], stood["steps"] + 1)
        self.assertAlmostEqual(stepped["time"], stood["time"] + STEP, delta=1e-12)
        wanted = poses_after(os.path.join(self.folder.name, "crate.xml"), stepped["steps"], ["ball", "crate"])
        for name, pose in wanted.items():
            self.near(page.evaluate(f"vertebra.position('{name}')"), pose[:3], 1e-6)
        self.press_key("r")
        page.wait("vertebra.state.time === 0")
        self.near(page.evaluate("vertebra.position('ball')"), [0, -1.5, 3], 1e-6)

    def test_drag(self):
        page = self.open(self.write("crate.xml", CRATE))
        start = page.evaluate("vertebra.position('crate')")
        x, y = page.evaluate("vertebra.picture.pixelOf(...vertebra.position('crate'))")
        page.mouse("mouseMoved", x, y)
        page.wait("vertebra.state.under === 'crate'")
        page.mouse("mousePressed", x, y, button="left", clickCount=1)
        page.wait("vertebra.state.held === 'crate'")
        for i in range(1, 11):
            page.mouse("mouseMoved", x + 12 * i, y - 8 * i, button="left", buttons=1)
            time.sleep(0.03)
        page.wait("vertebra.position('crate')[1] > 0.5 && vertebra.position('crate')[2] > 0.45")  # seen from +x, +y is on the right
        self.assertGreater(page.evaluate("vertebra.state.hold_force"), 0)
        # The hold is drawn, a ball at the point that is held, which comes to the mouse; the weight pulls it down by a few pixels.
        page.wait(f"""(() => {{
          const at = vertebra.picture.marks.geometry.attributes.position.array, mean = [0, 1, 2].map((k) => at.filter((_, i) => i % 3 === k).reduce((a, b) => a + b) / (at.length / 3));
          const [px, py] = vertebra.picture.pixelOf(...mean);
          return vertebra.picture.marks.visible && Math.hypot(px - {x + 120}, py - {y - 80}) < 15;
        }})()""")
        page.mouse("mouseReleased", x + 120, y - 80, button="left", clickCount=1)
        page.wait("vertebra.state.held === ''")
        page.wait("vertebra.position('crate')[2] < 0.32")
        self.assertGreater(page.evaluate("vertebra.position('crate')[1]"), start[1] + 0.2)

    def test_orbit_leaves_the_world_alone(self):
        page = self.open(self.write("crate.xml", CRATE), "--paused")
        before = page.evaluate("[vertebra.picture.orbit.azimuth, vertebra.state.time]")
        page.mouse("mousePressed", 100, 100, button="left", clickCount=1)
        page.mouse("mouseMoved", 200, 120, button="left", buttons=1)
        page.mouse("mouseReleased", 200, 120, button="left", clickCount=1)
        page.mouse("mouseWheel", 400, 300, deltaX=0, deltaY=-200)
        after = page.evaluate("[vertebra.picture.orbit.azimuth, vertebra.state.time, vertebra.state.held]")
        self.assertNotEqual(before[0], after[0])
        self.assertEqual(after[1:], [before[1], ""])

    def test_overlays_and_cannon(self):
        page = self.open(self.write("crate.xml", CRATE))
        bodies, meshes = page.evaluate("[vertebra.order.length, vertebra.picture.meshes.size]")
        page.mouse("mouseMoved", 480, 250)
        self.press_key("c")
        page.wait("vertebra.picture.marks.visible && vertebra.picture.marks.geometry.attributes.position.count > 100")
        self.press_key("f")
        page.wait(f"vertebra.order.length === {bodies + 1} && vertebra.picture.meshes.size === {meshes + 1}")
        self.assertEqual(page.evaluate("vertebra.state.shots"), 1)
        self.press_key("r")
        page.wait(f"vertebra.order.length === {bodies} && vertebra.picture.meshes.size === {meshes}")

    def slide(self, index, value):
        self.browser.evaluate(f"""(() => {{
          document.getElementById("sliders").hidden = false;
          const {{ input }} = vertebra.sliders[{index}];
          input.value = {value};
          input.dispatchEvent(new Event("input"));
        }})()""")

    def test_sliders(self):
        page = self.open(ARM)  # alone, it waits paused
        self.assertTrue(page.evaluate("vertebra.state.paused"))
        joint2 = 1  # sliders are in the order of joints, bodies in that of links
        self.assertEqual(page.evaluate(f"vertebra.sliders[{joint2}].row.firstChild.textContent"), "arm7/joint2")
        self.slide(joint2, 0.5)
        page.wait(f"Math.abs(vertebra.state.values[{2 * joint2}] - 0.5) < 1e-6")
        run = subprocess.run([COMMAND, "fk", ARM, "--q", "joint2=0.5", "--json"], capture_output=True, text=True, check=True)
        for i, (name, pose) in enumerate(json.loads(run.stdout)["links"].items()):
            self.near(page.evaluate(f"[...vertebra.poses.subarray({7 * i}, {7 * i + 7})]"), pose["p"] + pose["q"], 1e-5)
        # A target: its motor brings the joint there once the world goes on.
        page.evaluate("document.querySelector('#sliders button').click()")
        self.slide(joint2, -0.4)
        page.wait(f"Math.abs(vertebra.state.values[{2 * joint2 + 1}] + 0.4) < 1e-6")
        self.press_key(" ")
        page.wait(f"Math.abs(vertebra.state.values[{2 * joint2}] + 0.4) < 0.1")

    def test_played_clip(self):
        page = self.open(WALK)
        before = page.evaluate("vertebra.state.time")
        page.wait(f"vertebra.state.time > {before}")
        x, y = page.evaluate("vertebra.picture.pixelOf(...vertebra.poses.subarray(0, 3))")
        page.mouse("mousePressed", x, y, button="left", clickCount=1)
        page.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.assertEqual(page.evaluate("[vertebra.state.held, vertebra.slidersButton.hidden]"), ["", True])


class Export(Page):
    def export(self, *words):
        path = os.path.join(self.folder.name, "page.html")
        run = subprocess.run([COMMAND, "view", *words, "--export", path], capture_output=True, text=True, timeout=300)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.browser.open("file://" + path)
        self.browser.wait("vertebra.data")
        return self.browser

    def tearDown(self):
        self.assertTrue(all(url.startswith(("file:", "data:", "about:")) for url in self.browser.requests), self.browser.requests)
        super().tearDown()

    def test_bodies_are_where_the_interface_says(self):
        path = self.write("thrown.xml", THROWN)
        page = self.export(path, "--time", "0:1", "--fps", "30")
        self.assertEqual(page.evaluate("vertebra.pictures"), 31)
        width, height = page.size
        page.evaluate("document.querySelectorAll('.panel').forEach((panel) => { panel.hidden = true; })")
        for picture in (0, 9, 24):
            page.evaluate(f"vertebra.play(false); vertebra.show({picture}); new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            wanted = poses_after(path, picture * 8, ["red", "blue", "arm"])  # 240 / 30 steps a picture
            self.assertAlmostEqual(page.evaluate("vertebra.time"), picture / 30, delta=1e-9)
            png = page.screenshot()
            for channel, point, radius in ((0, wanted["red"][:3], 0.1), (1, applied(wanted["arm"], GREEN), 0.1), (2, wanted["blue"][:3], 0.12)):
                x, y = projected(point, [7, 0.3, 2], [0, 0, 1.3], math.radians(40), width, height)
                found = centre_of_colour(png, channel)
                across = 2 * radius * 0.5 * height / math.tan(math.radians(20)) / 7
                self.assertGreater(found[2], 0.5 * across * across, (picture, channel))
                self.near(found[:2], (x, y), 2)

    def test_it_plays(self):
        page = self.export(self.write("crate.xml", CRATE), "--time", "0:2")
        first = page.evaluate("vertebra.at")
        page.wait(f"vertebra.at > {first + 5}")
        page.evaluate("vertebra.pause.click()")
        stood = page.evaluate("vertebra.at")
        time.sleep(0.3)
        self.assertEqual(page.evaluate("vertebra.at"), stood)
        page.evaluate("vertebra.scrub.value = 30; vertebra.scrub.dispatchEvent(new Event('input'))")
        self.assertAlmostEqual(page.evaluate("vertebra.time"), 1, delta=1e-9)
        page.key(".")
        page.wait("vertebra.at === 31")
        page.key("+")
        page.wait("vertebra.speed === 2")
        page.key("r")
        page.wait("vertebra.at === 0")

    def test_robot_that_stands_still(self):
        page = self.export(ARM)
        self.assertEqual(page.evaluate("[vertebra.pictures, vertebra.scrub === undefined]"), [1, True])
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        _, _, step, rows = browser.read_png(page.screenshot())
        colours = {bytes(row[i:i + 3]) for row in rows[::4] for i in range(0, len(row), 4 * step)}
        self.assertGreater(len(colours), 500)

    def test_clip(self):
        page = self.export(WALK)
        self.assertGreater(page.evaluate("vertebra.pictures"), 10)
        self.assertGreater(page.evaluate("vertebra.picture.meshes.size"), 10)


if __name__ == "__main__":
    if not browser.available():
        print("skipped: chromium is missing (Debian: chromium)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
