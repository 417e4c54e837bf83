#!/usr/bin/env python3
"""The readers in OpenSceneGraph's own programs: osgconv writes what it read and says what is wrong with a file; osgviewer shows a robot and plays a clip,
through ours by either of the ways of docs/howto/openscenegraph.md, on a display in memory.

programs_test.py FOLDER_OF_LIBRARIES MODELS
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

LIBRARIES, MODELS = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
NEEDED = {"osgconv": "openscenegraph", "xvfb-run": "xvfb", "xauth": "xauth", "ffmpeg": "ffmpeg"}
WIDTH, HEIGHT = 320, 240
BACKGROUND = (51, 51, 102)  # of osgviewer


def environment(libraries):
    return {**{name: value for name, value in os.environ.items() if name != "OSG_LIBRARY_PATH"}, **({"OSG_LIBRARY_PATH": str(libraries)} if libraries else {})}


def viewed(arguments, libraries, folder):
    """Two pictures of osgviewer, half a second apart, as lists of pixels. The first after it has drawn something, or after 10 s."""
    script = f"""
osgviewer --window 0 0 {WIDTH} {HEIGHT} "$@" >viewer.log 2>&1 & viewer=$!
for n in $(seq 20); do
  sleep 0.5
  ffmpeg -loglevel error -y -f x11grab -draw_mouse 0 -video_size {WIDTH}x{HEIGHT} -i $DISPLAY -frames:v 1 -f rawvideo -pix_fmt rgb24 first.rgb
  if [ "$(od -An -v -tu1 -w3 first.rgb | sort -u | wc -l)" -gt 8 ]; then break; fi
done
sleep 0.5
ffmpeg -loglevel error -y -f x11grab -draw_mouse 0 -video_size {WIDTH}x{HEIGHT} -i $DISPLAY -frames:v 1 -f rawvideo -pix_fmt rgb24 second.rgb
kill $viewer
"""
    screen = f"-screen 0 {WIDTH}x{HEIGHT}x24"
    subprocess.run(["xvfb-run", "-a", "-s", screen, "sh", "-c", script, "sh", *map(str, arguments)], env=environment(libraries), cwd=folder,
                   check=True, timeout=60)
    data = [(folder / name).read_bytes() for name in ("first.rgb", "second.rgb")]
    return [[tuple(picture[i:i + 3]) for i in range(0, len(picture), 3)] for picture in data]


def shown(picture):
    """The share of a picture that is not background."""
    return sum(max(abs(a - b) for a, b in zip(pixel, BACKGROUND)) > 8 for pixel in picture) / len(picture)


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def osgconv(self, *arguments, libraries=LIBRARIES):
        done = subprocess.run(["osgconv", *map(str, arguments)], env=environment(libraries), cwd=self.folder, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr

    def test_osgconv_writes_robots_that_need_no_plugin_of_ours(self):
        for extension in ("osgt", "ive"):
            code, text = self.osgconv(MODELS / "urdf/humanoid.urdf", f"robot.{extension}")
            self.assertEqual(code, 0, text)
            code, text = self.osgconv(f"robot.{extension}", "again.osgt", libraries=None)
            self.assertEqual(code, 0, text)
            links = re.findall(r'<link name="([^"]+)"', (MODELS / "urdf/humanoid.urdf").read_text())
            again = (self.folder / "again.osgt").read_text()
            self.assertGreater(len(links), 10)
            for link in links:
                self.assertIn(f'Name "{link}"', again)

    def test_osgconv_says_what_is_wrong(self):
        (self.folder / "broken.urdf").write_text("<robot name='x'>\n<link name='a'>\n</robot>")
        for arguments, said in ((["broken.urdf"], r"broken\.urdf:\d"), (["nothing.urdf"], "file not found"),
                                (["-O", "scale=much", MODELS / "motions/walk.bvh"], "scale=much")):
            _, text = self.osgconv(*arguments, "out.osgt")
            self.assertRegex(text, said)
            self.assertFalse((self.folder / "out.osgt").exists())

    def test_osgviewer_shows_a_robot_that_stands(self):
        first, second = viewed([MODELS / "urdf/humanoid.urdf"], LIBRARIES, self.folder)
        self.assertGreater(shown(first), 0.02)
        self.assertEqual(first, second)

    def plays(self, arguments, libraries):
        first, second = viewed(arguments, libraries, self.folder)
        self.assertGreater(shown(first), 0.005, (self.folder / "viewer.log").read_text())
        self.assertNotEqual(first, second)

    def test_osgviewer_plays_a_clip_by_the_library_path(self):
        self.plays([MODELS / "motions/squat.bvh"], LIBRARIES)

    def test_osgviewer_plays_a_clip_by_the_name_of_the_reader(self):
        plugins = next(LIBRARIES.glob("osgPlugins-*"))
        (self.folder / plugins.name).mkdir()
        (self.folder / plugins.name / "osgdb_vertebra_bvh.so").symlink_to(plugins / "osgdb_bvh.so")
        self.plays(["-e", "vertebra_bvh", MODELS / "motions/squat.bvh"], self.folder)


missing = sorted({package for program, package in NEEDED.items() if not shutil.which(program)})
if missing:
    print("skipped: install " + " ".join(missing))
    sys.exit(77)
unittest.main(argv=sys.argv[:1], verbosity=2)
