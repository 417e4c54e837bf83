"""A class for each status, made from vertebra.json: ArgError for VTB_E_ARG, StaleError for VTB_E_STALE, ... All are subclasses of Error."""
from typing import Any

__all__: list[str] = []


class Error(RuntimeError):
    """A call failed: .status is one of VTB_E_*, the text says what, where and how to mend; .findings are those of a loader."""

    __module__ = "vertebra"  # its name in tracebacks
    status: int = 0

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.findings = status, ()

    def __reduce__(self) -> Any:
        return type(self), (self.status, str(self))


def class_name(word: str) -> str:
    """e_unsupported: UnsupportedError."""
    return "".join(part.capitalize() for part in word.removeprefix("e_").split("_")) + "Error"


_classes: dict[int, type[Error]] = {}


def make_classes(statuses: list[dict[str, Any]]) -> None:
    for entry in statuses:
        if entry["value"]:
            name = class_name(entry["word"])
            _classes[entry["value"]] = type(name, (Error,), {"__doc__": f"{entry['name']}: {entry['about']}.", "__module__": "vertebra"})
            __all__.append(name)
            globals()[name] = _classes[entry["value"]]


def error_of(status: int, text: str) -> Error:
    return _classes.get(status, Error)(status, text)
