#!/usr/bin/env python3
"""Pictures of vertebra render against those kept in golden/, by tolerance; and that the tolerance tells a moved camera and a missing body from other rounding.

golden_test.py COMMAND MODELS GOLDEN. VERTEBRA_ACCEPT=1 takes the present pictures as the expected ones.
Two pictures are equal where the means of all tiles of 5 x 5 pixels differ by at most TOLERANCE of 255 in each colour: an edge that another driver draws a fifth of
a pixel aside changes such a mean by a few levels.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from browser import read_png

COMMAND, MODELS, GOLDEN = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
ACCEPT = os.environ.get("VERTEBRA_ACCEPT") == "1"
TILE, TOLERANCE = 5, 12
EYE = "--camera", "2.6,-3.2,1.5:0,0,0.8"
PICTURES = {
    "figures": ["scenes/figures.xml", "--time", "1"],
    "overlays": ["scenes/figures.xml", "--time", "1", "--show", "contacts,axes,com,skeleton"],
    "pool": ["scenes/pool.xml", "--time", "0.5"],
    "humanoid": ["urdf/humanoid.urdf", *EYE],
    "collision": ["urdf/car.urdf", "--show", "collision", "--camera", "side"],
    "skin": ["motions/walk.bvh", "--time", "1.2", "--show", "skin"],
    "walk": ["motions/walk.bvh", "--time", "1.2"],
    "drop": ["urdf/quadruped.urdf", "--drop", "0.4", "--time", "0.6"],
}


def picture(path):
    """Rows, columns, red green blue as numbers."""
    width, height, channels, rows = read_png(pathlib.Path(path).read_bytes())
    return np.array([list(row) for row in rows], dtype=float).reshape(height, width, channels)[:, :, :3]


def difference(a, b):
    """The largest difference of tiles' means, and the tile where it is, in pixels."""
    assert a.shape == b.shape, (a.shape, b.shape)
    height, width = (n // TILE for n in a.shape[:2])
    tiles = np.abs((a - b)[:height * TILE, :width * TILE].reshape(height, TILE, width, TILE, 3).mean(axis=(1, 3))).max(axis=2)
    y, x = np.unravel_index(tiles.argmax(), tiles.shape)
    return tiles.max(), (x * TILE, y * TILE)


class Golden(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for name, words in PICTURES.items() if ACCEPT else ():
            shutil.copyfile(cls.draw(words, name), GOLDEN / f"{name}.png")

    @classmethod
    def draw(cls, words, name="drawn"):
        out = cls.folder / f"{name}.png"
        run = subprocess.run([COMMAND, "render", *words, "--size", "320x180", "-o", str(out)], cwd=MODELS, capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, run.stderr
        return out

    def test_pictures_are_as_they_were(self):
        for name, words in PICTURES.items():
            with self.subTest(name):
                worst, where = difference(picture(self.draw(words, name)), picture(GOLDEN / f"{name}.png"))
                self.assertLessEqual(worst, TOLERANCE, f"{name}: at pixel {where}; VERTEBRA_ACCEPT=1 takes the new picture")

    def test_a_camera_aside_is_told(self):
        kept = picture(GOLDEN / "humanoid.png")
        worst, _ = difference(picture(self.draw(["urdf/humanoid.urdf", "--camera", "2.65,-3.2,1.5:0,0,0.8"])), kept)
        self.assertGreater(worst, TOLERANCE)

    def test_a_missing_body_is_told(self):
        text = (MODELS / "urdf/humanoid.urdf").read_text()
        without, count = re.subn(r'(<link name="left_hand">.*?)<visual>.*?</visual>', r"\1", text, count=1, flags=re.S)
        self.assertEqual(count, 1)
        (self.folder / "without.urdf").write_text(without)
        worst, _ = difference(picture(self.draw([str(self.folder / "without.urdf"), *EYE])), picture(GOLDEN / "humanoid.png"))
        self.assertGreater(worst, TOLERANCE)

    def test_other_rounding_passes(self):
        noise = np.random.default_rng(1)
        for name in PICTURES:
            with self.subTest(name):
                kept = picture(GOLDEN / f"{name}.png")
                aside = 0.8 * kept + 0.2 * np.roll(kept, 1, axis=1)  # a fifth of a pixel
                aside[:, 0] = kept[:, 0]
                worst, where = difference(aside + noise.integers(-3, 4, kept.shape), kept)
                self.assertLessEqual(worst, TOLERANCE, where)


unittest.main(argv=sys.argv[:1], verbosity=2)
