"""What the classes share: objects of the library that Python owns, what it reads of them, findings of loaders."""
import ctypes
from typing import Any, Callable, Generic, NamedTuple, Sequence, TypeVar, overload

import numpy as np

from .enums import Severity
from .library import Error, refuse_unknown, vtb

Numbers = Sequence[float] | np.ndarray
Kind = TypeVar("Kind")
Self = TypeVar("Self", bound="Owner")


class Finding(NamedTuple):
    """What a loader found: how much it matters, where, and what was done about it."""

    severity: Severity
    line: int
    code: str
    file: str
    element: str
    message: str

    def __str__(self) -> str:
        return f"{self.severity.name.lower()}: {self.file}:{self.line}: {self.element}: {self.message} [{self.code}]"


def findings_of(diagnostics: ctypes.c_void_p) -> tuple[Finding, ...]:
    """Reads a list of findings and releases it."""
    if not diagnostics:
        return ()
    count, one, found = ctypes.c_size_t(), vtb.vtb_diagnostic(), []
    vtb.vtb_diagnostics_count(diagnostics, ctypes.byref(count))
    for index in range(count.value):
        vtb.vtb_diagnostics_get(diagnostics, index, ctypes.byref(one))
        found.append(Finding(Severity(one.severity), one.line, *((getattr(one, part) or b"").decode(errors="replace")
                                                                 for part in ("code", "file", "element", "message"))))
    vtb.vtb_diagnostics_release(diagnostics)
    return tuple(found)


def array_of(function: Callable[..., Any], *arguments: Any, width: int = 1, out: np.ndarray | None = None, guess: int = 0) -> np.ndarray:
    """Calls a getter of the form (..., out, capacity, [stride,] &total), which the library fills in place. `guess` rows are tried at once;
    `out` is an array to use again, whose size must be right."""
    total = ctypes.c_size_t()
    stride = (0,) if width > 1 else ()
    if out is not None:
        function(*arguments, out, out.size // width, *stride, ctypes.byref(total))
        if total.value * width != out.size:
            raise ValueError(f"out has room for {out.size // width} rows, there are {total.value}")
        return out
    array = np.empty((guess, width) if width > 1 else guess)
    function(*arguments, array if guess else None, guess, *stride, ctypes.byref(total))
    if total.value == guess:
        return array
    if total.value < guess:
        return array[:total.value].copy()
    return array_of(function, *arguments, width=width, guess=total.value)


def records_of(function: Callable[..., Any], struct: str, *arguments: Any) -> np.recarray:
    """The same for getters of structs: a record array whose fields have the names of the header."""
    total, kind = ctypes.c_size_t(), np.dtype(getattr(vtb, struct))
    function(*arguments, None, 0, 0, ctypes.byref(total))
    array = np.empty(total.value, kind)
    if total.value:
        function(*arguments, array, total.value, 0, ctypes.byref(total))
    return array.view(np.recarray)  # type: ignore[return-value]


def handles_of(function: Callable[..., Any], struct: str, *arguments: Any) -> Any:
    """The same for getters of handles."""
    total = ctypes.c_size_t()
    function(*arguments, None, 0, ctypes.byref(total))
    array = (getattr(vtb, struct) * total.value)()
    if total.value:
        function(*arguments, ctypes.cast(array, ctypes.c_void_p), total.value, ctypes.byref(total))
    return array


def text_of(function: Callable[..., Any], *arguments: Any) -> str:
    """Calls a getter of text of the form (..., buffer, size, &needed)."""
    needed = ctypes.c_size_t()
    function(*arguments, None, 0, ctypes.byref(needed))
    buffer = ctypes.create_string_buffer(needed.value)
    function(*arguments, buffer, needed.value, ctypes.byref(needed))
    return buffer.value.decode()


def record_of(function: Callable[..., Any], struct: str, *arguments: Any) -> Any:
    """Calls a getter that fills a struct."""
    result = vtb.make(struct)
    function(*arguments, ctypes.byref(result))
    return result


def decoded(text: bytes | None) -> str:
    return (text or b"").decode(errors="replace")


class Values:
    """A property: so many numbers that one call gets, and another sets."""

    def __init__(self, get: str, count: int, set: str = "", *extra: Any) -> None:
        self._get, self._count, self._set, self._extra = get, count, set, extra
        self.__doc__ = vtb.about(get)

    @overload
    def __get__(self, thing: None, kind: Any) -> "Values": ...
    @overload
    def __get__(self, thing: Any, kind: Any) -> np.ndarray: ...
    def __get__(self, thing: Any, kind: Any = None) -> Any:
        if thing is None:
            return self
        out = np.empty(self._count)
        getattr(vtb, self._get)(*thing._path, out)
        return out

    def __set__(self, thing: Any, values: Numbers) -> None:
        if not self._set:
            raise AttributeError("it is read only")
        getattr(vtb, self._set)(*thing._path, values, *self._extra)


class Value(Generic[Kind]):
    """A property: one number or enumerator that one call gets, and another sets."""

    def __init__(self, kind: type[Kind], get: str, set: str = "") -> None:
        self._kind, self._get, self._set = kind, get, set
        self._c: Any = ctypes.c_double if kind is float else ctypes.c_uint64 if get.endswith("hash") else ctypes.c_int32
        self.__doc__ = vtb.about(get)

    @overload
    def __get__(self, thing: None, kind: Any) -> "Value[Kind]": ...
    @overload
    def __get__(self, thing: Any, kind: Any) -> Kind: ...
    def __get__(self, thing: Any, kind: Any = None) -> Any:
        if thing is None:
            return self
        out = self._c()
        getattr(vtb, self._get)(*thing._path, ctypes.byref(out))
        return self._kind(out.value)  # type: ignore[call-arg]

    def __set__(self, thing: Any, value: Kind) -> None:
        if not self._set:
            raise AttributeError("it is read only")
        getattr(vtb, self._set)(*thing._path, value)


class Record:
    """A property: a struct that one call fills. It is a copy: what is written into it changes nothing but it."""

    def __init__(self, get: str, struct: str) -> None:
        self._get, self._struct = get, struct
        self.__doc__ = vtb.about(get) + " A copy."

    def __get__(self, thing: Any, kind: Any = None) -> Any:
        return self if thing is None else record_of(getattr(vtb, self._get), self._struct, *thing._path)

    def __set__(self, thing: Any, value: Any) -> None:
        raise AttributeError("it is read only")


class Owner:
    """Something the caller owns; released with the Python object, by close(), or at the end of a with. These classes take no attributes of
    the caller's; classes derived from them do."""

    _destroy = ""
    _object = ""
    handle: Any = None
    findings: tuple[Finding, ...] = ()  # of its loader

    def __init__(self, create: Callable[..., Any], *arguments: Any) -> None:
        self.handle = vtb._objects[self._object]()
        create(*arguments, ctypes.byref(self.handle))

    @classmethod
    def _made(cls: type[Self], create: Callable[..., Any], *arguments: Any) -> Self:
        """One that another call than that of __init__ makes."""
        made = cls.__new__(cls)
        Owner.__init__(made, create, *arguments)
        return made

    def _loaded(self, load: Callable[..., Any], *arguments: Any) -> None:
        """Of a loader, which takes diagnostics before the result: they become findings, of the error too."""
        self.handle = vtb._objects[self._object]()
        diagnostics = vtb._objects["vtb_diagnostics"]()
        try:
            load(*arguments, ctypes.byref(diagnostics), ctypes.byref(self.handle))
        except Error as error:
            error.findings = findings_of(diagnostics)
            raise
        self.findings = findings_of(diagnostics)

    @property
    def _path(self) -> tuple[Any, ...]:
        return (self,)

    def __setattr__(self, name: str, value: Any) -> None:
        if name[0] != "_" and type(self).__module__.startswith(__package__ + "."):
            refuse_unknown(self, name)
        object.__setattr__(self, name, value)

    def close(self) -> None:
        """Releases it now; it is not to be used any more."""
        if self.handle:
            handle, self.handle = self.handle, vtb._objects[self._object]()
            getattr(vtb, self._destroy)(handle)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.close()
