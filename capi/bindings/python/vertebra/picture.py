"""Pictures of worlds for notebooks and examples, through libvertebra_view, where it is installed (VERTEBRA_VIEW names it otherwise)."""
import base64
import ctypes
import functools
import os
import struct
import zlib
from html import escape
from typing import Any, Sequence

import numpy as np

from .find import find_library
from .library import Error, vtb
from .page import page


class _ViewDef(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("width", ctypes.c_int32), ("height", ctypes.c_int32), ("shown", ctypes.c_uint32)]


@functools.lru_cache(maxsize=1)
def _view() -> Any:
    """The view library. Raises OSError where it is not installed."""
    library = ctypes.CDLL(find_library("vertebra_view", "VERTEBRA_VIEW"))
    library.vtb_view_last_error.restype = ctypes.c_char_p
    return library


def _call(function: str, *arguments: Any) -> None:
    if getattr(_view(), function)(*arguments):
        raise RuntimeError(_view().vtb_view_last_error().decode(errors="replace"))


class View:
    """A picture of a size, and from where it is seen; worlds are pushed into it. shown: VTB_VIEW_* bits of vertebra_view.h."""

    def __init__(self, width: int = 640, height: int = 360, shown: int | None = None) -> None:
        definition = _ViewDef()
        _call("vtb_view_def_init", ctypes.byref(definition), ctypes.c_uint32(ctypes.sizeof(definition)))
        self.width, self.height = definition.width, definition.height = width, height
        if shown is not None:
            definition.shown = shown
        self._view = ctypes.c_void_p()
        _call("vtb_view_create", ctypes.byref(definition), ctypes.byref(self._view))

    def push(self, world: Any) -> None:
        """The world as it is now, in place of what was shown."""
        _call("vtb_view_push", self._view, world.handle)

    def look(self, direction: Sequence[float] = (1, -1.6, 0.7), target: Sequence[float] | None = None, distance: float | None = None) -> None:
        """From where: direction from the target to the eye; without target and distance all that moves is in the picture."""
        if target is None:
            box = (ctypes.c_double * 3)(), (ctypes.c_double * 3)()
            _call("vtb_view_get_box", self._view, *box)
            target = [(a + b) / 2 for a, b in zip(*box)]
        place, way, fov = (ctypes.c_double * 3)(*target), np.array(direction, float), 0.7
        if distance is None:
            found = ctypes.c_double()
            _call("vtb_view_get_distance", self._view, place, (ctypes.c_double * 3)(*way), ctypes.c_double(fov), ctypes.byref(found))
            distance = found.value
        eye = np.array(target) + way / np.linalg.norm(way) * distance
        camera = vtb.make("vtb_camera")
        camera.position[:], camera.target[:], camera.up[:], camera.fov = tuple(eye), tuple(target), (0, 0, 1), fov
        _call("vtb_view_set_camera", self._view, ctypes.byref(camera))

    def draw(self) -> np.ndarray:
        """height x width x 3 bytes."""
        out = np.empty((self.height, self.width, 3), np.uint8)
        _call("vtb_view_draw", self._view, ctypes.c_void_p(out.ctypes.data), ctypes.c_size_t(out.size))
        return out

    def close(self) -> None:
        """Releases it."""
        if self._view:
            view, self._view = self._view, ctypes.c_void_p()
            _call("vtb_view_destroy", view)

    def __enter__(self) -> "View":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_view", None):
            self.close()


def pixels(world: Any, width: int = 640, height: int = 360, direction: Sequence[float] = (1, -1.6, 0.7), target: Sequence[float] | None = None,
           distance: float | None = None, shown: int | None = None) -> np.ndarray:
    """The world as it is now: height x width x 3 bytes; from where and what as View says."""
    with View(width, height, shown) as view:
        view.push(world)
        view.look(direction, target, distance)
        return view.draw()


class Strip:
    """Pictures of one size in rows of so many columns, each with a caption along its upper edge."""

    def __init__(self, width: int, height: int, columns: int) -> None:
        self._strip = ctypes.c_void_p()
        _call("vtb_strip_create", width, height, columns, ctypes.byref(self._strip))

    def add(self, image: np.ndarray, caption: str = "", note: str = "") -> None:
        """A picture as View.draw() gives it; note: along its lower edge."""
        _call("vtb_strip_add", self._strip, np.ascontiguousarray(image, np.uint8).ctypes.data_as(ctypes.c_void_p), caption.encode(), note.encode())

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes it as a PNG."""
        _call("vtb_strip_write", self._strip, os.fspath(path).encode())

    def __del__(self) -> None:
        if getattr(self, "_strip", None):
            _call("vtb_strip_destroy", self._strip)


def png(image: np.ndarray) -> bytes:
    """height x width x 3 bytes as a PNG file."""
    height, width, _ = image.shape
    rows = np.zeros((height, 1 + width * 3), np.uint8)  # each with its filter: 2, the difference to the row above, which packs well
    flat = image.reshape(height, -1)
    rows[:, 0] = 2
    rows[0, 1:], rows[1:, 1:] = flat[0], flat[1:] - flat[:-1]

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b""))


def html(world: Any) -> str:
    """What a notebook shows of a world: a page in which it can be turned; where none can be made, its picture, where it can be drawn; and what it
    holds."""
    try:
        shown = page(world, 0)._repr_html_() + "<br>"
    except (OSError, RuntimeError, Error):  # no command; what no scene holds
        drawn = world._repr_png_()
        shown = f'<img src="data:image/png;base64,{base64.b64encode(drawn).decode()}" alt="world"><br>' if drawn else ""
    return f"<div>{shown}{escape(repr(world))}</div>"
