# Made by stubs.py from vertebra.json: not to be edited.
from typing import Any

__all__ = [
    "ArgError",
    "StaleError",
    "BusyError",
    "NomemError",
    "DivergedError",
    "InfeasibleError",
    "IoError",
    "ParseError",
    "UnsupportedError",
    "InternalError",
    "UnsolvedError",
]

class Error(RuntimeError):
    status: int
    findings: tuple[Any, ...]
    def __init__(self, status: int, text: str) -> None: ...

class ArgError(Error):
    """VTB_E_ARG: an argument is NULL, not a number, out of range or of the wrong size."""
    ...

class StaleError(Error):
    """VTB_E_STALE: a handle of something destroyed, or of another world."""
    ...

class BusyError(Error):
    """VTB_E_BUSY: called from inside a callback."""
    ...

class NomemError(Error):
    """VTB_E_NOMEM: out of memory."""
    ...

class DivergedError(Error):
    """VTB_E_DIVERGED: the step was undone; the world holds the last good one."""
    ...

class InfeasibleError(Error):
    """VTB_E_INFEASIBLE: constraints contradict each other; the result is inside all bounds, the residual is in the statistics."""
    ...

class IoError(Error):
    """VTB_E_IO: a file could not be read or written."""
    ...

class ParseError(Error):
    """VTB_E_PARSE: a file was read but makes no sense; see the diagnostics."""
    ...

class UnsupportedError(Error):
    """VTB_E_UNSUPPORTED: known, but not with these settings."""
    ...

class InternalError(Error):
    """VTB_E_INTERNAL: a defect of the library; the world may only be destroyed."""
    ...

class UnsolvedError(Error):
    """VTB_E_UNSOLVED: with VTB_WORLD_FLAG_TELL_UNSOLVED: rows that no solver met; the step was made, see the statistics."""
    ...
