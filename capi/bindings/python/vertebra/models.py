"""What worlds are filled from, and its dynamics without a world: skeletons, motion clips, workspaces."""
import ctypes
import os

import numpy as np

from .library import vtb
from .owner import Owner, array_of


class Skeleton(Owner):
    """A figure's model from a URDF file."""

    _destroy = "vtb_skeleton_release"

    def __init__(self, path=None, **options):
        if path is not None:
            super().__init__(vtb.vtb_skeleton_load_urdf, os.fspath(path), ctypes.byref(vtb.make("vtb_urdf_def", **options)), None)

    @classmethod
    def from_motion(cls, motion, **options):
        skeleton = cls()
        Owner.__init__(skeleton, vtb.vtb_skeleton_from_motion, motion, ctypes.byref(vtb.make("vtb_motion_figure_def", **options)), None)
        return skeleton

    @property
    def info(self):
        info = vtb.make("vtb_skeleton_info")
        vtb.vtb_skeleton_get_info(self, ctypes.byref(info))
        return info


class Motion(Owner):
    """A clip from a BVH file."""

    _destroy = "vtb_motion_release"

    def __init__(self, path, **options):
        super().__init__(vtb.vtb_motion_load_bvh, os.fspath(path), ctypes.byref(vtb.make("vtb_bvh_def", **options)), None)

    def poses(self, time, raw=False):
        return array_of(vtb.vtb_motion_sample_poses, self, ctypes.c_double(time), ctypes.c_int32(raw), width=7)


class Workspace(Owner):
    """Dynamics of a skeleton in generalised coordinates."""

    _destroy = "vtb_workspace_destroy"

    def __init__(self, skeleton, base=0, flags=0):
        super().__init__(vtb.vtb_workspace_create, skeleton, ctypes.c_int32(base), ctypes.c_uint32(flags))
        nq, nv = ctypes.c_int32(), ctypes.c_int32()
        vtb.vtb_workspace_get_size(self, ctypes.byref(nq), ctypes.byref(nv))
        self.nq, self.nv = nq.value, nv.value

    def _sized(self, values, size, name):
        values = np.ascontiguousarray(values, dtype=np.float64)
        if values.shape != (size,):
            raise ValueError(f"{name} must have {size} numbers")
        return values

    def poses(self, q):
        return array_of(vtb.vtb_dynamics_poses, self, self._sized(q, self.nq, "q"), width=7)

    def mass_matrix(self, q):
        out = np.empty((self.nv, self.nv))
        vtb.vtb_dynamics_mass_matrix(self, self._sized(q, self.nq, "q"), out)
        return out

    def inverse(self, q, v, a, gravity=(0, 0, -9.81)):
        out = np.empty(self.nv)
        vtb.vtb_dynamics_inverse(self, self._sized(q, self.nq, "q"), self._sized(v, self.nv, "v"), self._sized(a, self.nv, "a"),
                                 self._sized(gravity, 3, "gravity"), out)
        return out

    def forward(self, q, v, tau, gravity=(0, 0, -9.81)):
        out = np.empty(self.nv)
        vtb.vtb_dynamics_forward(self, self._sized(q, self.nq, "q"), self._sized(v, self.nv, "v"), self._sized(tau, self.nv, "tau"),
                                 self._sized(gravity, 3, "gravity"), out)
        return out
