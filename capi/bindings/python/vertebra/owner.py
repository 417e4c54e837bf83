"""What the classes share: objects of the library that Python owns, and its getters of arrays."""
import ctypes

import numpy as np

from .library import vtb


def array_of(function, *arguments, width=1):
    """Calls a getter of the form (..., out, capacity, [stride,] &total) twice: for the size, then for the values."""
    total = ctypes.c_size_t()
    stride = [ctypes.c_size_t(0)] if width > 1 else []
    function(*arguments, None, ctypes.c_size_t(0), *stride, ctypes.byref(total))
    out = np.zeros((total.value, width) if width > 1 else total.value)
    function(*arguments, out, ctypes.c_size_t(total.value), *stride, ctypes.byref(total))
    return out


class Owner:
    """Something the caller owns; released with the Python object, or by close()."""

    _destroy = ""

    def __init__(self, create, *arguments):
        self.handle = ctypes.c_void_p()
        create(*arguments, ctypes.byref(self.handle))

    def close(self):
        if self.handle:
            getattr(vtb, self._destroy)(self.handle)
            self.handle = ctypes.c_void_p()

    def __del__(self):
        if getattr(self, "handle", None):
            self.close()
