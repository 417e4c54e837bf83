"""The library as its description vertebra.json tells it: functions, structs and constants as attributes of `vtb`. Their types for editors and
type checkers stand in library.pyi, which is made from the same file (../stubs.py)."""
import ctypes
import difflib
import json
import pathlib
from typing import Any

import numpy as np

from . import arguments, enums, errors
from .callbacks import guarded, raise_kept, raised
from .find import find_description, find_library

Error = errors.Error
_RESULTS = {"void": (None, None), "int32_t": (int, 0), "double": (float, 0.0), "void*": (lambda value: value, None)}


def refuse_unknown(thing: Any, name: str) -> None:
    """Raises where a class has no such attribute: Python would make a new one, and nothing would come of it."""
    kind = type(thing)
    if not hasattr(kind, name):
        near = difflib.get_close_matches(name, [each for each in dir(kind) if each[0] != "_"], 1)
        raise AttributeError(f"{kind.__name__} has no {name} to set" + (f"; {near[0]}?" if near else ""))


class Struct(ctypes.Structure):
    """A struct of the header; repr() shows its fields. It takes no attributes besides them: a misspelt field is an error."""

    kept: Any = None  # what its pointers point to

    def __setattr__(self, name: str, value: Any) -> None:
        refuse_unknown(self, name)
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        shown = {name: getattr(self, name) for name, _ in self._fields_ if name not in ("struct_size", "reserved")}
        listed = (f"{name}={list(value) if isinstance(value, ctypes.Array) else value!r}" for name, value in shown.items())
        return f"{type(self).__name__}({', '.join(listed)})"


class Handle(Struct):
    """A handle of a thing in a world; equal handles are equal, the zero handle is false."""

    bits: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Handle) and self.bits == other.bits

    def __hash__(self) -> int:
        return hash(self.bits)

    def __bool__(self) -> bool:
        return self.bits != 0


def described(entry: dict[str, Any]) -> str:
    """The header's sentences on a function and its parameters, or on a struct and its fields."""
    lines = [entry["about"], ""]
    for part in entry.get("parameters") or entry.get("fields") or []:
        unit = f" [{part['unit']}]" if part.get("unit") else ""
        lines.append(f"    {part['name']}{unit}: {part['about']}")
    return "\n".join(lines).rstrip()


class Library:
    """What vertebra.json describes, as attributes."""

    def __init__(self, library: str, description: str) -> None:
        self._library = ctypes.CDLL(library)
        self.version: str
        api = json.loads(pathlib.Path(description).read_text(encoding="utf-8"))
        self._types: dict[str, Any] = dict(arguments.SCALARS)
        self._callbacks: dict[tuple[str, str], Any] = {}
        self._keywords: dict[str, Any] = {}
        self._described: dict[str, Any] = {entry["name"]: entry for entry in api["functions"]}
        self._fields: dict[str, Any] = {}
        for entry in api["constants"]:
            setattr(self, entry["name"], entry["value"])
        self._enumerations = enums.make_classes(api["enumerations"])
        self._words: dict[str, dict[str, int]] = {}
        for entry in api["enumerations"]:
            self._types[entry["name"]] = ctypes.c_int32
            self._words[entry["name"]] = {value["word"]: value["value"] for value in entry["values"]}
            for value in entry["values"]:
                setattr(self, value["name"], value["value"])
        errors.make_classes(api["enumerations"][0]["values"])
        self._objects = {entry["name"]: type(entry["name"], (arguments.Pointer,), {"__doc__": entry["about"]}) for entry in api["objects"]}
        self._handles = {entry["name"] for entry in api["handles"]}
        for entry in api["handles"]:
            self._struct(entry, Handle, [("bits", ctypes.c_uint64)])
        for entry in api["structs"]:
            self._fields[entry["name"]] = {field["name"]: field for field in entry["fields"]}
            self._struct(entry, Struct, [(field["name"], self._field(entry["name"], field)) for field in entry["fields"]])
            self._keywords[entry["name"]] = self._keywords_of(getattr(self, entry["name"]))

    def _struct(self, entry: dict[str, Any], base: type, fields: list[Any]) -> None:
        struct = type(entry["name"], (base,), {"_fields_": fields, "__doc__": described(entry)})
        self._types[entry["name"]] = struct
        setattr(self, entry["name"], struct)

    def _keywords_of(self, struct: Any) -> dict[str, Any]:
        """Paths to the fields of a struct by keyword: the path with _ in place of dots, its beginning left out where one field alone has
        that end."""
        paths: list[tuple[str, ...]] = []
        for name, kind in struct._fields_:
            inner = self._keywords.get(kind.__name__, {})
            paths += [(name, *path) for path in dict.fromkeys(inner.values()) if path] if inner else [(name,)]
        result: dict[str, Any] = {}
        for path in paths:
            for first in range(1, len(path)):
                end = "_".join(path[first:])
                result[end] = None if end in result else path
        return {**result, **{"_".join(path): path for path in paths}}

    def _type(self, entry: dict[str, Any]) -> Any:
        """Type of a field, or of a parameter of a callback."""
        if entry["kind"] == "text":
            return ctypes.c_char_p
        if entry["kind"] in ("pointer", "object", "callback"):
            return ctypes.c_void_p
        return self._types[entry["element"]] * entry["count"] if entry["kind"] == "array" else self._types[entry["element"]]

    def _field(self, struct: str, field: dict[str, Any]) -> Any:
        if field["kind"] != "callback":
            return self._type(field)
        returned = ctypes.c_void_p if "*" in field["returns"] else self._types[field["returns"]]
        callback = ctypes.CFUNCTYPE(returned, *map(self._type, field["parameters"]))
        self._callbacks[struct, field["name"]] = callback
        return callback

    def _argument(self, entry: dict[str, Any]) -> Any:
        """Type of a parameter of a function."""
        kind, element, name = entry["kind"], entry["element"], entry["name"]
        if kind == "object":
            return self._objects[element]
        if kind == "text":
            return arguments.Text
        if kind == "array":
            return arguments.array(element, name, entry["count"], entry["direction"] != "in")
        if kind == "pointer":
            numbers = element in arguments.SCALARS and element not in ("char", "void") and entry.get("length")
            return arguments.array(element, name, None, entry["direction"] != "in") if numbers else arguments.Anything
        if element in self._handles:
            return arguments.handle(self._types[element])
        if element in self._words:
            return arguments.integer("int32_t", name, self._words[element])
        return ctypes.c_double if element == "double" else arguments.integer(element, name)

    def __getattr__(self, name: str) -> Any:
        """A function, made when it is first asked for."""
        entry = self.__dict__.get("_described", {}).get(name)
        if entry is None:
            raise AttributeError(f"vertebra.h has no {name}")
        function = getattr(self._library, name)
        function.argtypes = [self._argument(parameter) for parameter in entry["parameters"]]
        function.restype = ctypes.c_char_p if entry["returns"] == "const char*" else self._types[entry["returns"]]
        if entry["returns"] == "vtb_status":

            def call(*arguments: Any) -> None:
                status = function(*arguments)
                if status or raised.error is not None:
                    self._fail(status)
        else:

            def call(*arguments: Any) -> Any:
                return function(*arguments)

        call.__name__ = call.__qualname__ = name
        call.__doc__ = described(entry)
        setattr(self, name, call)
        return call

    def _fail(self, status: int) -> None:
        text = self._library.vtb_last_error
        text.restype = ctypes.c_char_p
        told = text().decode(errors="replace") if status else ""
        raise_kept(told)
        raise errors.error_of(status, told)

    def about(self, name: str) -> str:
        """What the header says of a function, without its parameters."""
        return f"{self._described[name]['about']} ({name})"

    def make(self, struct: str, **values: Any) -> Any:
        """A struct prepared by its _init call (or zeros with struct_size set), with the given fields changed; contact_margin, or margin,
        stands for contact.margin. Enumerators may be given by their words, arrays as any sequence: what they need besides, their counts
        too, is kept with the struct. A field that Python has as a word of its own gets a _ behind: from_."""
        result = getattr(self, struct)()
        if struct + "_init" in self._described:
            getattr(self, struct + "_init")(ctypes.byref(result), ctypes.sizeof(result))
        elif "struct_size" in self._fields[struct]:
            result.struct_size = ctypes.sizeof(result)
        result.kept = []
        for keyword, value in values.items():
            path = self._keywords[struct].get(keyword.removesuffix("_"))
            if not path:
                raise TypeError(f"{keyword} is no field of {struct}, or several end so: give its path with _ in place of dots")
            owner, name = result, path[-1]
            for part in path[:-1]:
                owner = getattr(owner, part)
            setattr(owner, name, self._value(owner, name, value, result.kept, values))
        return result

    def _value(self, owner: Any, name: str, value: Any, kept: list[Any], given: dict[str, Any]) -> Any:
        """value as the field of a struct takes it."""
        struct, kind = type(owner).__name__, dict(owner._fields_)[name]
        field = self._fields[struct][name]
        if (struct, name) in self._callbacks:
            if value is None or isinstance(value, ctypes._CFuncPtr):  # type: ignore[attr-defined]
                return value or self._callbacks[struct, name]()
            result, otherwise = _RESULTS[field["returns"]]
            callback = self._callbacks[struct, name](guarded(value, result, 1 if name == "filter" else otherwise))
            kept.append(callback)
            return callback
        if field["kind"] == "pointer" and not isinstance(value, (int, ctypes.c_void_p, type(None))):
            return self._array(owner, field, value, kept, given)
        if isinstance(value, str):
            words = self._words.get(field["element"])
            if words is None:
                return value.encode()
            if value not in words:
                raise TypeError(f"{name}: {value!r} is none of {', '.join(words)}")
            return words[value]
        if hasattr(kind, "_length_"):
            if len(value) != kind._length_:
                raise TypeError(f"{name}: expected {kind._length_} numbers, got {len(value)}")
            return kind(*value)
        if value is None and isinstance(kind, type) and issubclass(kind, Handle):
            return kind()
        value = getattr(value, "handle", value)
        kept.append(value)
        return value

    def _array(self, owner: Any, field: dict[str, Any], value: Any, kept: list[Any], given: dict[str, Any]) -> int:
        """The address of values as an array in C; fields that count them are set, unless they are given."""
        kind = self._types[field["element"]]
        if isinstance(value, ctypes.Array):
            array, shape = value, (len(value),)
        elif isinstance(kind, type) and issubclass(kind, Struct):
            array, shape = (kind * len(value))(*(getattr(v, "handle", v) or kind() for v in value)), (len(value),)
        else:
            numbers = np.ascontiguousarray(value, np.dtype(kind))
            array, shape = numbers, numbers.shape
        counts = [name for name in field.get("length", []) if name in self._fields[type(owner).__name__]]
        for name, size in zip(counts, shape):
            if name not in given:
                fixed = int(np.prod([int(n) for n in field["length"] if n.isdigit()])) if len(shape) == 1 else 1
                setattr(owner, name, size // fixed)
        kept.append(array)
        return array.ctypes.data if isinstance(array, np.ndarray) else ctypes.addressof(array)


def _load() -> Library:
    result = Library(find_library(), find_description())
    if result.vtb_abi() != result.VTB_ABI:
        raise ImportError("vertebra.json and library are of different ABIs")
    result.version = result.vtb_version().decode()
    return result


vtb = _load()
