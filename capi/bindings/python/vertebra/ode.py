"""Initial-value problems of the caller under the library's integrators."""
import ctypes

import numpy as np

from .library import vtb
from .owner import Owner


class Ode(Owner):
    """y' = f(t, y) of the caller: derivative(t, y) gives an array, or None where there is none. Settings are those of vtb_ode_def."""

    _destroy = "vtb_ode_destroy"

    def __init__(self, y, derivative, t=0.0, **settings):
        y = np.ascontiguousarray(y, dtype=np.float64)

        def write(user, time, at, out):
            rate = derivative(time, np.ctypeslib.as_array(ctypes.cast(at, ctypes.POINTER(ctypes.c_double)), y.shape))
            if rate is None:
                return 0
            np.ctypeslib.as_array(ctypes.cast(out, ctypes.POINTER(ctypes.c_double)), y.shape)[:] = rate
            return 1

        self._def = vtb.make("vtb_ode_def", size=y.size, derivative=write, **settings)
        super().__init__(vtb.vtb_ode_create, ctypes.byref(self._def))
        vtb.vtb_ode_set_state(self, ctypes.c_double(t), y)
        self._shape = y.shape

    @property
    def y(self):
        y = np.empty(self._shape)
        vtb.vtb_ode_get_state(self, ctypes.byref(ctypes.c_double()), y)
        return y

    def advance(self, until):
        """The state at that time."""
        vtb.vtb_ode_advance(self, ctypes.c_double(until), None)
        return self.y
