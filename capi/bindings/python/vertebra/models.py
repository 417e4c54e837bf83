"""Models of figures, and their dynamics without a world: skeletons, workspaces."""
import ctypes
import os
from typing import Any

import numpy as np

from .library import vtb
from .owner import Numbers, Owner, Record, array_of, decoded, record_of, text_of


class Skeleton(Owner):
    """A figure's model from a URDF or a skeleton file, by its path or its text. `findings`: what the loader repaired or left out.
    Options are the fields of vtb_urdf_def."""

    _object, _destroy = "vtb_skeleton", "vtb_skeleton_release"

    def __init__(self, path: "str | os.PathLike[str] | None" = None, *, text: "str | bytes | None" = None, name: str = "text", **options: Any) -> None:
        definition = vtb.make("vtb_urdf_def", **options)
        if path is not None:
            self._loaded(vtb.vtb_skeleton_load, os.fspath(path), ctypes.byref(definition))
        elif text is not None:
            data = text.encode() if isinstance(text, str) else text
            self._loaded(vtb.vtb_skeleton_parse, data, len(data), name, ctypes.byref(definition))

    @classmethod
    def from_motion(cls, motion: Any, **options: Any) -> "Skeleton":
        """A figure with the bones of a motion's joints; options are the fields of vtb_motion_figure_def."""
        made = cls()
        made._loaded(vtb.vtb_skeleton_from_motion, motion, ctypes.byref(vtb.make("vtb_motion_figure_def", **options)))
        return made

    info = Record("vtb_skeleton_get_info", "vtb_skeleton_info")

    @property
    def name(self) -> str:
        """The name that the file or the builder gave."""
        return text_of(vtb.vtb_skeleton_get_name, self)

    @property
    def links(self) -> list[Any]:
        """What its links are, a vtb_link_info each."""
        return [record_of(vtb.vtb_skeleton_get_link, "vtb_link_info", self, index) for index in range(self.info.links)]

    @property
    def joints(self) -> list[Any]:
        """What its joints are, a vtb_joint_info each."""
        return [record_of(vtb.vtb_skeleton_get_joint, "vtb_joint_info", self, index) for index in range(self.info.joints)]

    @property
    def link_names(self) -> list[str]:
        """Names of the links, in their order."""
        return [decoded(link.name) for link in self.links]

    @property
    def joint_names(self) -> list[str]:
        """Names of the joints, in their order."""
        return [decoded(joint.name) for joint in self.joints]

    def link(self, name: str) -> int:
        """Index of the link of a name."""
        index = ctypes.c_int32()
        vtb.vtb_skeleton_find_link(self, name, ctypes.byref(index))
        return index.value

    def joint(self, name: str) -> int:
        """Index of the joint of a name."""
        index = ctypes.c_int32()
        vtb.vtb_skeleton_find_joint(self, name, ctypes.byref(index))
        return index.value

    def axis(self, joint: "int | str", axis: int = 0) -> Any:
        """Limits, spring and losses of one axis: a vtb_axis_def."""
        return record_of(vtb.vtb_skeleton_get_axis, "vtb_axis_def", self, self.joint(joint) if isinstance(joint, str) else joint, axis)

    def scaled(self, factor: float) -> "Skeleton":
        """All lengths times a factor."""
        return Skeleton._made(vtb.vtb_skeleton_scaled, self, factor)

    def mirrored(self, plane_normal: int = 1) -> "Skeleton":
        """The mirror image; left and right change places in names. plane_normal: 0 to 2, the axis whose sign changes."""
        return Skeleton._made(vtb.vtb_skeleton_mirrored, self, plane_normal)

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes a skeleton file."""
        vtb.vtb_skeleton_save(self, os.fspath(path))

    def __str__(self) -> str:
        return text_of(vtb.vtb_skeleton_write, self)

    def __repr__(self) -> str:
        return f"<Skeleton {self.name!r}: {self.info.links} links, {self.info.joints} joints, {self.info.mass:.6g} kg>" if self.handle else "<Skeleton>"


class Workspace(Owner):
    """Dynamics of a skeleton in generalised coordinates. Gravity is that of free fall, world axes."""

    _object, _destroy = "vtb_workspace", "vtb_workspace_destroy"
    nq: int = 0  # number of coordinates
    nv: int = 0  # number of velocities

    def __init__(self, skeleton: Any, base: "int | str" = 0, flags: int = 0) -> None:
        super().__init__(vtb.vtb_workspace_create, skeleton, base, flags)
        self._measure()

    def _measure(self) -> None:
        nq, nv = ctypes.c_int32(), ctypes.c_int32()
        vtb.vtb_workspace_get_size(self, ctypes.byref(nq), ctypes.byref(nv))
        self.nq, self.nv = nq.value, nv.value

    def _q(self, q: Numbers) -> np.ndarray:
        return sized(q, self.nq, "q")

    def _v(self, v: Numbers, name: str = "v") -> np.ndarray:
        return sized(v, self.nv, name)

    @property
    def q_names(self) -> list[str]:
        """Names of the coordinates."""
        return [text_of(vtb.vtb_workspace_get_q_name, self, index) for index in range(self.nq)]

    @property
    def v_names(self) -> list[str]:
        """Names of the velocities."""
        return [text_of(vtb.vtb_workspace_get_v_name, self, index) for index in range(self.nv)]

    def neutral(self) -> np.ndarray:
        """Neutral coordinates: zero angles, unit quaternions."""
        out = np.empty(self.nq)
        vtb.vtb_workspace_neutral(self, out)
        return out

    def from_motion(self, motion: Any, time: float) -> np.ndarray:
        """Coordinates of a motion at a time from its first frame, s, joint by joint of the same name."""
        out = self.neutral()
        vtb.vtb_workspace_from_motion(self, motion, time, out, None, None)
        return out

    def integrate(self, q: Numbers, v: Numbers, dt: float) -> np.ndarray:
        """Coordinates after a time at constant velocities."""
        out = np.empty(self.nq)
        vtb.vtb_workspace_integrate(self, self._q(q), self._v(v), dt, out)
        return out

    def difference(self, q0: Numbers, q1: Numbers) -> np.ndarray:
        """The velocities that take q0 to q1 in unit time."""
        out = np.empty(self.nv)
        vtb.vtb_workspace_difference(self, self._q(q0), self._q(q1), out)
        return out

    def poses(self, q: Numbers) -> np.ndarray:
        """Poses of the link frames, a row each, skeleton order."""
        return array_of(vtb.vtb_dynamics_poses, self, self._q(q), width=7)

    def twists(self, q: Numbers, v: Numbers) -> np.ndarray:
        """Twists of the link frames, a row each, skeleton order."""
        return array_of(vtb.vtb_dynamics_twists, self, self._q(q), self._v(v), width=6)

    def jacobian(self, q: Numbers, link: int, point: Numbers | None = None) -> np.ndarray:
        """Jacobian of a point fixed in a link (its origin without one): rows linear, then angular velocity."""
        out = np.empty((6, self.nv))
        vtb.vtb_dynamics_jacobian(self, self._q(q), link, point, out)
        return out

    def mass_matrix(self, q: Numbers) -> np.ndarray:
        """Mass matrix."""
        out = np.empty((self.nv, self.nv))
        vtb.vtb_dynamics_mass_matrix(self, self._q(q), out)
        return out

    def bias(self, q: Numbers, v: Numbers, gravity: Numbers = (0, 0, -9.81)) -> np.ndarray:
        """Generalised forces at rest acceleration: Coriolis and centrifugal forces and gravity."""
        out = np.empty(self.nv)
        vtb.vtb_dynamics_bias(self, self._q(q), self._v(v), gravity, out)
        return out

    def inverse(self, q: Numbers, v: Numbers, a: Numbers, gravity: Numbers = (0, 0, -9.81)) -> np.ndarray:
        """Inverse dynamics: tau = M a + bias."""
        out = np.empty(self.nv)
        vtb.vtb_dynamics_inverse(self, self._q(q), self._v(v), self._v(a, "a"), gravity, out)
        return out

    def forward(self, q: Numbers, v: Numbers, tau: Numbers, gravity: Numbers = (0, 0, -9.81)) -> np.ndarray:
        """Forward dynamics: M a + bias = tau."""
        out = np.empty(self.nv)
        vtb.vtb_dynamics_forward(self, self._q(q), self._v(v), self._v(tau, "tau"), gravity, out)
        return out

    def com(self, q: Numbers, v: Numbers) -> tuple[np.ndarray, np.ndarray]:
        """Centre of mass and its velocity."""
        position, velocity = np.empty(3), np.empty(3)
        vtb.vtb_dynamics_com(self, self._q(q), self._v(v), position, velocity)
        return position, velocity


def sized(values: Numbers, size: int, name: str) -> np.ndarray:
    """values as an array of that size."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != (size,):
        raise ValueError(f"{name} must have {size} numbers, not {array.size}")
    return array
