"""Scene files."""
import ctypes
import os
from typing import TYPE_CHECKING, Any

from .library import vtb
from .owner import Numbers, Owner, Record

if TYPE_CHECKING:
    from .world import World


class Scene(Owner):
    """A scene file as loaded, by its path or its text; paths in a text are relative to the folder of `name`."""

    _object, _destroy = "vtb_scene", "vtb_scene_release"

    def __init__(self, path: "str | os.PathLike[str] | None" = None, *, text: "str | bytes | None" = None, name: str = "text") -> None:
        if text is not None:
            data = text.encode() if isinstance(text, str) else text
            self._loaded(vtb.vtb_scene_parse, data, len(data), name)
        elif path is not None:
            self._loaded(vtb.vtb_scene_load, os.fspath(path))
        else:
            raise TypeError("a scene needs a path or a text")

    settings = Record("vtb_scene_get_settings", "vtb_world_def")

    def world(self) -> "World":
        """A world of its own, with all its things."""
        from .world import World
        return World._made(vtb.vtb_scene_create_world, self, None)

    def add_to(self, world: Any, prefix: str = "", pose: Numbers | None = None) -> None:
        """All its things into a world that is there, whole or not at all; prefix: text before every name."""
        vtb.vtb_scene_add(self, world, prefix or None, pose)
