"""vertebra render: strips, films and numbered pictures of the right size and number, figures inside them, faults told.

Without a display. Frames of films are counted where ffprobe is installed."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

COMMAND, MODELS = sys.argv[1:3]
WALK = os.path.join(MODELS, "motions/walk.bvh")
HUMANOID = os.path.join(MODELS, "urdf/humanoid.urdf")


def call(*words):
    return subprocess.run([COMMAND, "render", *words], capture_output=True, text=True)


def read_png(path):
    """Width, height and rows of RGB bytes of an 8-bit PNG without interlace."""
    with open(path, "rb") as file:
        data = file.read()
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert depth == 8 and kind in (2, 6), "8-bit RGB or RGBA"
    size, at, packed = 3 if kind == 2 else 4, 8, b""
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    raw, rows, before = zlib.decompress(packed), [], bytes(width * size)
    for y in range(height):
        line = bytearray(raw[y * (width * size + 1) + 1:(y + 1) * (width * size + 1)])
        method = raw[y * (width * size + 1)]
        for x in range(len(line)):
            left, up = line[x - size] if x >= size else 0, before[x]
            corner = before[x - size] if x >= size else 0
            guess = left + up - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            line[x] = (line[x] + (0, left, up, (left + up) // 2, nearest)[method]) & 255
        rows.append(bytes(line))
        before = rows[-1]
    return width, height, size, rows


class Render(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def draw(self, *words):
        run = call(*words)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_a_strip_shows_the_figure_whole_in_each_picture(self):
        # The figure of a BVH is wood: red far above blue, which neither ground nor sky is.
        for name, time in (("one.png", "0"), ("two.png", "0.4"), ("three.png", "2.7")):
            self.draw(WALK, "--time", time, "--size", "160x120", "-o", self.path(name))
            width, height, size, rows = read_png(self.path(name))
            self.assertEqual((width, height), (160, 120))
            wood = [(x, y) for y in range(height) for x in range(width) if rows[y][x * size] > rows[y][x * size + 2] + 30]
            self.assertGreater(len(wood), 300)
            self.assertGreater(min(x for x, _ in wood), 2)
            self.assertLess(max(x for x, _ in wood), width - 3)
            self.assertGreater(min(y for _, y in wood), 2)
            self.assertLess(max(y for _, y in wood), height - 3)
            self.assertGreater(max(y for _, y in wood) - min(y for _, y in wood), 0.5 * height)
        self.draw(WALK, "--strip", "5", "--size", "80x60", "-o", self.path("strip.png"))
        width, height, _, _ = read_png(self.path("strip.png"))
        self.assertGreater(width * height, 5 * 80 * 60)

    def test_numbered_pictures(self):
        os.mkdir(self.path("frames"))
        self.draw(WALK, "--time", "1:2", "--fps", "4", "--size", "64x48", "-o", self.path("frames/f_%03d.png"))
        self.assertEqual(sorted(os.listdir(self.path("frames"))), [f"f_{i:03d}.png" for i in range(5)])

    def test_times_of_many_digits(self):
        os.mkdir(self.path("frames"))
        self.draw(WALK, "--time", "1.0000000000000000000000:2.0000000000000000000000", "--fps", "4", "--size", "64x48",
                  "-o", self.path("frames/f_%03d.png"))
        self.assertEqual(len(os.listdir(self.path("frames"))), 5)

    @unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "ffmpeg is not installed")
    def test_films(self):
        for name in ("film.mp4", "film.gif"):
            self.draw(WALK, "--time", "0:1", "--fps", "10", "--size", "160x120", "-o", self.path(name))
            count = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                                    "stream=nb_read_frames,width,height", "-of", "csv=p=0", self.path(name)], capture_output=True, text=True)
            self.assertEqual(count.stdout.strip(), "160,120,11", name)
        self.assertEqual(sorted(os.listdir(self.folder)), ["film.gif", "film.mp4"])  # nothing half made is left

    def test_views_and_marks(self):
        pictures = set()
        for words in ((), ("--camera", "front"), ("--camera", "side"), ("--camera", "top"), ("--camera", "2,2,2:0,0,0.5"), ("--show", "axes"),
                      ("--show", "com,skeleton")):
            self.draw(HUMANOID, "--size", "64x48", "-o", self.path("view.png"), *words)
            pictures.add(b"".join(read_png(self.path("view.png"))[3]))
        self.assertEqual(len(pictures), 7)

    def test_faults(self):
        out = self.path("x.png")
        for words, status in (((HUMANOID, "--camera", "nonsense", "-o", out), 2), ((HUMANOID, "--strip", "3", "-o", out), 2),
                              ((WALK, "--time", "100", "-o", out), 2), ((WALK, "--time", "2:1", "-o", self.path("x.mp4")), 2),
                              ((HUMANOID, "--show", "bones", "-o", out), 2), ((HUMANOID, "--size", "0x5", "-o", out), 2),
                              ((HUMANOID, "-o", self.path("no/such/x.png")), 1), ((self.path("none.urdf"), "-o", out), 1),
                              ((WALK, "--drop", "1", "-o", out), 2),
                              ((HUMANOID, "--drop", "high", "-o", out), 2)):
            run = call(*words)
            self.assertEqual(run.returncode, status, (words, run.stderr))
            self.assertNotEqual(run.stderr, "")
            self.assertFalse(os.path.exists(out))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
