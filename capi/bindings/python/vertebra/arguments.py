"""What may be handed to the library's functions, and how it becomes an argument in C: one class for each kind of parameter that vertebra.json
knows. Each checks what it is given, since C could not."""
import ctypes
import os
from typing import Any

import numpy as np

SCALARS: dict[str, Any] = {"double": ctypes.c_double, "float": ctypes.c_float, "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32,
           "uint64_t": ctypes.c_uint64, "uint8_t": ctypes.c_uint8, "size_t": ctypes.c_size_t, "char": ctypes.c_char, "void": None}
_RANGES = {"int32_t": (-2**31, 2**31 - 1), "uint32_t": (0, 2**32 - 1), "uint64_t": (0, 2**64 - 1), "size_t": (0, 2**64 - 1)}


def integer(element: str, name: str, words: dict[str, int] | None = None) -> type:
    """An integer of that C type, which must not overflow; of an enumeration also its word."""
    kind = SCALARS[element]
    lower, upper = _RANGES[element]

    class Integer:
        @staticmethod
        def from_param(value: Any) -> Any:
            if isinstance(value, str) and words:
                if value not in words:
                    raise TypeError(f"{name}: {value!r} is none of {', '.join(words)}")
                value = words[value]
            if isinstance(value, kind):
                return value
            value = value.__index__()
            if not lower <= value <= upper:
                raise OverflowError(f"{name}: {value} does not go into {element}")
            return kind(value)

    return Integer


class Text:
    """str, bytes, or a path."""

    @staticmethod
    def from_param(value: Any) -> Any:
        if isinstance(value, str):
            value = value.encode()
        elif isinstance(value, os.PathLike):
            value = os.fsencode(value)
        return ctypes.c_char_p(value) if isinstance(value, bytes) else value


def handle(struct: type) -> type:
    """A handle by value; None: the zero handle, which means none, or the world itself."""

    class Handle:
        @staticmethod
        def from_param(value: Any) -> Any:
            if value is None:
                return struct()
            value = getattr(value, "handle", value)
            if not isinstance(value, struct):
                raise TypeError(f"expected a {struct.__name__}, got a {type(value).__name__}")
            return value

    return Handle


class Pointer(ctypes.c_void_p):
    """A pointer to an object of the library; each type of object is a subclass, so that one is not taken for another."""

    @classmethod
    def from_param(cls, value: Any) -> Any:
        value = getattr(value, "handle", value)
        if value is None or type(value) is cls or type(value) is ctypes.c_void_p:
            return value
        if isinstance(value, int):
            return ctypes.c_void_p(value)
        raise TypeError(f"expected a {cls.__name__}, got a {type(value).__name__}")


def array(element: str, name: str, count: int | None, written: bool) -> type:
    """Numbers: a numpy array of the very type, contiguous (that which is written is passed as it is), or where they are only read any
    sequence; what ctypes takes for a pointer is handed on. count: how many there must be."""
    kind = SCALARS.get(element)
    dtype = np.dtype(kind) if kind and element not in ("char", "void") else None

    class Array:
        @staticmethod
        def from_param(value: Any) -> Any:
            if value is None:
                return None
            if isinstance(value, np.ndarray) or (dtype and isinstance(value, (list, tuple))):
                if dtype and not written:
                    value = np.ascontiguousarray(value, dtype)
                elif not isinstance(value, np.ndarray):
                    raise TypeError(f"{name}: expected an array to write to, got a {type(value).__name__}")
                if not value.flags.c_contiguous or (written and not value.flags.writeable):
                    raise ValueError(f"{name}: arrays must be contiguous{' and writeable' if written else ''}; see numpy.ascontiguousarray")
                if dtype and value.dtype != dtype:
                    raise TypeError(f"{name}: expected an array of {dtype}, got {value.dtype}")
                if count is not None and value.size != count:
                    raise ValueError(f"{name}: expected {count} numbers, got {value.size}")
                address = ctypes.c_void_p(value.ctypes.data)
                address.array = value  # type: ignore[attr-defined]  # lives as long as the argument
                return address
            if isinstance(value, int):
                return ctypes.c_void_p(value)
            return getattr(value, "handle", value)

    return Array


class Anything:
    """What ctypes takes for a pointer: byref(x), an array, None, a number of bytes."""

    @staticmethod
    def from_param(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return array("void", "argument", None, False).from_param(value)  # type: ignore[attr-defined]
        if isinstance(value, int):
            return ctypes.c_void_p(value)
        return getattr(value, "handle", value)
