"""The Python binding of vertebra: the copy inside the add-on's zip, with its library and vertebra.json, or the one that is installed. What the
library owns is held by Held; what its loaders find is returned as text, so that operators can tell it. No bpy here.

VERTEBRA_LIBRARY and VERTEBRA_JSON, where the user sets them, come first."""
import ctypes
import os
import pathlib

_HERE = pathlib.Path(__file__).resolve().parent


def _import_binding():
    if not (_HERE / "vertebra").is_dir():
        import vertebra
        return vertebra
    files = {"VERTEBRA_LIBRARY": _HERE / "vertebra" / "libvertebra.so", "VERTEBRA_JSON": _HERE / "vertebra" / "vertebra.json"}
    ours = {name: str(path) for name, path in files.items() if path.exists() and not os.environ.get(name)}
    os.environ.update(ours)
    try:
        from . import vertebra
    finally:
        for name in ours:
            del os.environ[name]
    return vertebra


try:
    _binding = _import_binding()
except (ImportError, OSError) as error:
    raise ImportError(f"vertebra's library cannot be loaded: {error}. Install the add-on from vertebra_blender.zip and the Debian packages "
                      "that its libvertebra.so needs, or set VERTEBRA_LIBRARY, VERTEBRA_JSON and PYTHONPATH") from error

vtb, Error, World = _binding.vtb, _binding.Error, _binding.World


class Held:
    """An object of the library, released with the Python object. Goes into calls as it is."""

    def __init__(self, release):
        self.handle, self._release = ctypes.c_void_p(), release

    def __del__(self):
        if self.handle:
            getattr(vtb, self._release)(self.handle)


def findings(diagnostics):
    """A list of the library's findings as (severity, text), released."""
    result, count = [], ctypes.c_size_t()
    if diagnostics:
        vtb.vtb_diagnostics_count(diagnostics, ctypes.byref(count))
        for i in range(count.value):
            one = vtb.vtb_diagnostic()
            vtb.vtb_diagnostics_get(diagnostics, ctypes.c_size_t(i), ctypes.byref(one))
            line = f":{one.line}" if one.line else ""
            where = f"{one.file.decode(errors='replace')}{line}: {one.element.decode(errors='replace')}: "
            result.append((one.severity, where + one.message.decode(errors="replace")))
        vtb.vtb_diagnostics_release(diagnostics)
    return result


def load(release, function, *arguments):
    """Calls function(*arguments, &diagnostics, &object); returns the object and the findings. A failure tells the errors found with it."""
    held, diagnostics = Held(release), ctypes.c_void_p()
    try:
        getattr(vtb, function)(*arguments, ctypes.byref(diagnostics), ctypes.byref(held.handle))
    except Error as error:
        errors = [text for severity, text in findings(diagnostics) if severity == vtb.VTB_SEVERITY_ERROR]
        if not errors:
            raise
        raise Error(error.status, "; ".join(errors[:3])) from None
    return held, findings(diagnostics)


def make(release, function, *arguments):
    """Calls function(*arguments, &object); returns the object."""
    held = Held(release)
    getattr(vtb, function)(*arguments, ctypes.byref(held.handle))
    return held


def text_of(function, *arguments):
    """The text that a getter of the form (..., buffer, size, &needed) gives."""
    needed = ctypes.c_size_t()
    getattr(vtb, function)(*arguments, None, ctypes.c_size_t(0), ctypes.byref(needed))
    buffer = ctypes.create_string_buffer(needed.value)
    getattr(vtb, function)(*arguments, buffer, ctypes.c_size_t(needed.value), ctypes.byref(needed))
    return buffer.value.decode()


def struct_of(struct, function, *arguments):
    """The struct that a getter of the form (..., &struct) fills."""
    result = vtb.make(struct)
    getattr(vtb, function)(*arguments, ctypes.byref(result))
    return result
