"""What the examples share: where models are, where pictures go, strips of pictures of a world, plots.

A program's first argument is the folder for its picture; without one it is the current folder.
"""
import math
import pathlib
import sys

from vertebra import picture

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parents[1] / "models"
FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
sys.path.append(str(HERE.parents[1] / "bench"))
from svg import Plot  # noqa: E402, F401  line charts, which bench/ draws too


class Strip:
    """Pictures of a world side by side, all seen from one place. Where the view library is not installed, it says so and draws none."""

    def __init__(self, eye, target, columns=4, size=(320, 260), shown=None):
        self.view = None
        try:
            self.view, self.strip = picture.View(*size, shown), picture.Strip(*size, columns)
        except OSError as error:
            print(f"no picture: {error}", file=sys.stderr)
        way = [a - b for a, b in zip(eye, target)]
        self.place = {"direction": way, "target": target, "distance": math.hypot(*way)}

    def add(self, world, caption=""):
        if self.view:
            self.view.push(world)
            self.view.look(**self.place)
            self.strip.add(self.view.draw(), caption)

    def save(self, name):
        if self.view:
            self.strip.save(FOLDER / name)


def save(plot, name):
    (FOLDER / name).write_text(plot.svg(), encoding="utf-8")
