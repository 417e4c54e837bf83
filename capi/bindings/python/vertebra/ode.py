"""Initial-value problems of the caller under the library's integrators."""
import ctypes
from typing import Any, Callable

import numpy as np

from .library import vtb
from .owner import Numbers, Owner


class Ode(Owner):
    """y' = f(t, y) of the caller: derivative(t, y) gives an array, or None where there is none. Settings are those of vtb_ode_def."""

    _object, _destroy = "vtb_ode", "vtb_ode_destroy"

    def __init__(self, y: Numbers, derivative: Callable[[float, np.ndarray], Any], t: float = 0.0, **settings: Any) -> None:
        start = np.ascontiguousarray(y, dtype=np.float64)
        size = start.size

        def write(user: Any, time: float, at: int, out: int) -> int:
            rate = derivative(time, numbers_at(at, size))
            if rate is None:
                return 0
            numbers_at(out, size)[:] = rate
            return 1

        self._def = vtb.make("vtb_ode_def", size=size, derivative=write, **settings)
        super().__init__(vtb.vtb_ode_create, ctypes.byref(self._def))
        vtb.vtb_ode_set_state(self, t, start)
        self._shape = start.shape

    @property
    def y(self) -> np.ndarray:
        """The state."""
        y = np.empty(self._shape)
        vtb.vtb_ode_get_state(self, ctypes.byref(ctypes.c_double()), y)
        return y

    def advance(self, until: float) -> np.ndarray:
        """The state at that time."""
        vtb.vtb_ode_advance(self, until, None)
        return self.y


def numbers_at(address: int, *shape: int) -> np.ndarray:
    """The library's own memory as an array, valid during the callback that got the address."""
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_double)), shape)
