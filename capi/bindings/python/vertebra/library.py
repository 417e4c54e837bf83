"""The library as its description vertebra.json tells it: functions, structs and constants as attributes of `vtb`, made at import."""
import ctypes
import json
import os
import pathlib

import numpy as np

_HERE = pathlib.Path(__file__).resolve().parent
_SCALARS = {"double": ctypes.c_double, "float": ctypes.c_float, "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32,
            "uint64_t": ctypes.c_uint64, "uint8_t": ctypes.c_uint8, "size_t": ctypes.c_size_t, "char": ctypes.c_char, "void": None}


class Error(RuntimeError):
    """A call failed: .status is one of VTB_E_*, the text says what, where and how to mend."""

    __module__ = "vertebra"  # its name in tracebacks

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def _find(variable, *candidates):
    if os.environ.get(variable):
        return os.environ[variable]
    for path in candidates:
        if path.exists():
            return str(path)
    return None


def _convert(argument):
    if isinstance(argument, np.ndarray):
        if not argument.flags.c_contiguous:
            raise ValueError("arrays must be contiguous; see numpy.ascontiguousarray")
        return ctypes.c_void_p(argument.ctypes.data)
    if isinstance(argument, str):
        return ctypes.c_char_p(argument.encode())
    return getattr(argument, "handle", argument)


class Library:
    """What vertebra.json describes, as attributes."""

    def __init__(self, library, description):
        self._library = ctypes.CDLL(library)
        api = json.loads(pathlib.Path(description).read_text(encoding="utf-8"))
        self._types = dict(_SCALARS)
        self._callbacks = {}
        self._keywords = {}
        for entry in api["constants"]:
            setattr(self, entry["name"], entry["value"])
        for entry in api["enumerations"]:
            self._types[entry["name"]] = ctypes.c_int32
            for value in entry["values"]:
                setattr(self, value["name"], value["value"])
        for entry in api["handles"]:
            self._struct(entry["name"], [("bits", ctypes.c_uint64)])
        for entry in api["structs"]:
            self._struct(entry["name"], [(field["name"], self._field(entry["name"], field)) for field in entry["fields"]])
            self._keywords[entry["name"]] = self._keywords_of(getattr(self, entry["name"]))
        for entry in api["functions"]:
            self._function(entry)

    def _struct(self, name, fields):
        struct = type(name, (ctypes.Structure,), {"_fields_": fields})
        self._types[name] = struct
        setattr(self, name, struct)

    def _keywords_of(self, struct):
        """Paths to the fields of a struct by keyword: the path with _ in place of dots, its beginning left out where one field alone has
        that end."""
        paths = []
        for name, kind in struct._fields_:
            inner = self._keywords.get(kind.__name__, {})
            paths += [(name, *path) for path in dict.fromkeys(inner.values()) if path] if inner else [(name,)]
        result = {}
        for path in paths:
            for first in range(1, len(path)):
                end = "_".join(path[first:])
                result[end] = None if end in result else path
        return {**result, **{"_".join(path): path for path in paths}}

    def _type(self, entry):
        """Type of a field, or of a parameter of a callback."""
        if entry["kind"] == "text":
            return ctypes.c_char_p
        if entry["kind"] in ("pointer", "object", "callback"):
            return ctypes.c_void_p
        return self._types[entry["element"]] * entry["count"] if entry["kind"] == "array" else self._types[entry["element"]]

    def _field(self, struct, field):
        if field["kind"] != "callback":
            return self._type(field)
        returned = ctypes.c_void_p if "*" in field["returns"] else self._types[field["returns"]]
        callback = ctypes.CFUNCTYPE(returned, *map(self._type, field["parameters"]))
        self._callbacks[struct, field["name"]] = callback
        return callback

    def _function(self, entry):
        name, returned = entry["name"], entry["returns"]
        function = getattr(self._library, name)
        function.restype = ctypes.c_char_p if returned == "const char*" else self._types[returned]
        if returned != "vtb_status":
            setattr(self, name, lambda *arguments: function(*map(_convert, arguments)))
            return

        def call(*arguments):
            status = function(*map(_convert, arguments))
            if status != self.VTB_OK:
                raise Error(status, self._library.vtb_last_error().decode(errors="replace"))

        call.__name__ = name
        call.__doc__ = entry["about"]
        setattr(self, name, call)

    def make(self, struct, **values):
        """A struct prepared by its _init call (or zeros with struct_size set), with the given fields changed; contact_margin, or margin,
        stands for contact.margin."""
        result = getattr(self, struct)()
        if hasattr(self, struct + "_init"):
            getattr(self, struct + "_init")(ctypes.byref(result), ctypes.c_uint32(ctypes.sizeof(result)))
        else:
            result.struct_size = ctypes.sizeof(result)
        for keyword, value in values.items():
            path = self._keywords[struct].get(keyword)
            if not path:
                raise TypeError(f"{keyword} is no field of {struct}, or several end so: give its path with _ in place of dots")
            owner, name = result, path[-1]
            for part in path[:-1]:
                owner = getattr(owner, part)
            kind, inner = dict(owner._fields_)[name], type(owner).__name__
            if (inner, name) in self._callbacks:
                value = self._callbacks[inner, name](value)
            elif isinstance(value, str):
                value = value.encode()
            elif hasattr(kind, "_length_"):
                value = kind(*value)
            else:
                value = getattr(value, "handle", value)
            setattr(owner, name, value)
        return result


def _load():
    root = _HERE.parents[3]
    library = _find("VERTEBRA_LIBRARY", root / "build/release/lib/libvertebra.so") or "libvertebra.so.1"
    description = _find("VERTEBRA_JSON", root / "build/release/api/vertebra.json", pathlib.Path("/usr/local/share/vertebra/vertebra.json"),
                        pathlib.Path("/usr/share/vertebra/vertebra.json"))
    if not description:
        raise ImportError("vertebra.json was not found; name it in VERTEBRA_JSON")
    result = Library(library, description)
    if result.vtb_abi() != result.VTB_ABI:
        raise ImportError("vertebra.json and library are of different ABIs")
    return result


vtb = _load()
