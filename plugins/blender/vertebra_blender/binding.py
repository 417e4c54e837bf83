"""The Python package vertebra: the copy inside the add-on's zip, with its library, or the one that is installed; VERTEBRA_LIBRARY and
VERTEBRA_JSON, where the user sets them, name other files. No bpy here."""
import ctypes
import importlib
import pathlib

_OWN = (pathlib.Path(__file__).parent / "vertebra").is_dir()

try:
    vertebra = importlib.import_module(".vertebra" if _OWN else "vertebra", __package__)
except (ImportError, OSError) as error:
    raise ImportError(f"vertebra's library cannot be loaded: {error}. Install the Debian packages that the add-on's libvertebra.so.1 needs, which "
                      "docs/howto/blender.md lists, or the package python3-vertebra") from error

vtb, Error = vertebra.vtb, vertebra.Error


def told(findings):
    """What a loader found as (severity, text); of files their names without folders, as the panel is narrow."""
    def where(one):
        name = pathlib.PurePath(one.file).name
        return [f"{name}:{one.line}" if one.line else name, one.element]

    return [(one.severity, ": ".join(part for part in (*where(one), one.message) if part)) for one in findings]


def why(error):
    """Why something failed: the errors that a loader found, where it tells them one by one, else the text of the failure."""
    found = [text for severity, text in told(getattr(error, "findings", ())) if severity == vtb.VTB_SEVERITY_ERROR]
    return "; ".join(found[:3]) or str(error)


def record_of(function, struct, *arguments):
    """The struct that a getter of the form (..., &struct) fills."""
    result = vtb.make(struct)
    getattr(vtb, function)(*arguments, ctypes.byref(result))
    return result
