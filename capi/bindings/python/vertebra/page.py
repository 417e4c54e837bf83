"""Worlds as web pages, by the command vertebra (`vertebra view --export`): one file that any browser opens, to turn, zoom and play. In a notebook
such a page stands where the world is shown."""
import functools
import os
import pathlib
import subprocess
import tempfile
from html import escape
from typing import Any

from .find import find_command


@functools.lru_cache(maxsize=1)
def _command() -> str | None:
    return find_command()


class Page:
    """A page: as text, as a file, and in a notebook."""

    def __init__(self, text: str, height: int = 420) -> None:
        self.text, self.height = text, height

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes it as an HTML file."""
        pathlib.Path(path).write_text(self.text, encoding="utf-8")

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{escape(self.text, quote=True)}" sandbox="allow-scripts" width="100%" height="{self.height}" '
                'style="border:0"></iframe>')


def page(world: Any, seconds: float = 5.0, fps: float = 30.0, height: int = 420) -> Page:
    """The next seconds of a world, recorded from a copy of it: the world itself stays as it is. 0: as it stands now.

    The copy is the world's scene (save_scene), so what scenes do not hold, such as callbacks, is refused with the library's text. Raises OSError
    where the command vertebra is not installed (VERTEBRA_COMMAND names it otherwise), RuntimeError with its text if it fails.
    """
    command = _command()
    if not command:
        raise OSError("the command vertebra was not found; install it (package vertebra-tools), or name it in VERTEBRA_COMMAND")
    with tempfile.TemporaryDirectory() as folder:
        scene, out = os.path.join(folder, "world.xml"), os.path.join(folder, "world.html")
        world.save_scene(scene)
        now = world.time  # where a saved scene goes on
        time = repr(now) if seconds <= 0 else f"{now!r}:{now + seconds!r}"
        run = subprocess.run([command, "view", scene, "--export", out, "--time", time, "--fps", repr(fps)], capture_output=True, text=True)
        if run.returncode:
            raise RuntimeError(run.stderr.strip())
        return Page(pathlib.Path(out).read_text(encoding="utf-8"), height)
