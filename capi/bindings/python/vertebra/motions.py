"""Motion over time: clips, trajectories of figures, retargeting, tracking, records of markers."""
import ctypes
import os
from typing import Any, Iterator

import numpy as np

from .library import vtb
from .owner import Owner, Record, array_of, decoded, record_of, text_of


class Motion(Owner):
    """A clip from a BVH file, by its path or its text; options are the fields of vtb_bvh_def."""

    _object, _destroy = "vtb_motion", "vtb_motion_release"

    def __init__(self, path: "str | os.PathLike[str] | None" = None, *, text: "str | bytes | None" = None, name: str = "text", **options: Any) -> None:
        definition = vtb.make("vtb_bvh_def", **options)
        if text is not None:
            data = text.encode() if isinstance(text, str) else text
            self._loaded(vtb.vtb_motion_parse_bvh, data, len(data), name, ctypes.byref(definition))
        elif path is not None:
            self._loaded(vtb.vtb_motion_load_bvh, os.fspath(path), ctypes.byref(definition))
        else:
            raise TypeError("a motion needs a path or a text")

    info = Record("vtb_motion_get_info", "vtb_motion_info")

    @property
    def joint_names(self) -> list[str]:
        """Names of the joints, in their order."""
        return [decoded(record_of(vtb.vtb_motion_get_joint, "vtb_motion_joint", self, index).name) for index in range(self.info.joints)]

    @property
    def duration(self) -> float:
        """From the first to the last frame, s."""
        return (self.info.frames - 1) * self.info.frame_time

    def __len__(self) -> int:
        return self.info.frames

    def poses(self, time: float, raw: bool = False) -> np.ndarray:
        """Poses of all joints at a time, a row each."""
        return array_of(vtb.vtb_motion_sample_poses, self, time, int(raw), width=7)

    def frames(self, raw: bool = False) -> np.ndarray:
        """Poses of all joints in all frames: frames x joints x 7."""
        info, total = self.info, ctypes.c_size_t()
        out = np.empty((info.frames, info.joints, 7))
        for index in range(info.frames):
            vtb.vtb_motion_get_poses(self, index, int(raw), out[index], info.joints, 0, ctypes.byref(total))
        return out

    def channels(self) -> np.ndarray:
        """Channel values of all frames as in the file: frames x channels."""
        info, total = self.info, ctypes.c_size_t()
        out = np.empty((info.frames, info.channels))
        for index in range(info.frames):
            vtb.vtb_motion_get_frame(self, index, out[index], info.channels, ctypes.byref(total))
        return out

    def scaled(self, scale: float) -> "Motion":
        """The clip at another size."""
        return Motion._made(vtb.vtb_motion_scaled, self, scale)

    def resampled(self, frames_per_second: float) -> "Motion":
        """The clip at another rate."""
        return Motion._made(vtb.vtb_motion_resampled, self, frames_per_second)

    def trimmed(self, first: int, last: int) -> "Motion":
        """The frames from first to last, both kept."""
        return Motion._made(vtb.vtb_motion_trimmed, self, first, last)

    def mended(self, how: "int | str" = "interpolate") -> "Motion":
        """Frames that do not fit taken out ("cut") or put between their neighbours; what was done is in the findings."""
        made = Motion.__new__(Motion)
        made._loaded(vtb.vtb_motion_mended, self, how)
        return made

    def trajectory(self, skeleton: Any) -> "Trajectory":
        """The coordinates of a figure whose joints have the names of the clip's."""
        made, found = Trajectory(), ctypes.c_int32()
        Owner.__init__(made, vtb.vtb_trajectory_from_motion, self, skeleton, ctypes.byref(found))
        return made

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes a BVH file."""
        vtb.vtb_motion_save_bvh(self, os.fspath(path))

    def __repr__(self) -> str:
        return f"<Motion: {self.info.joints} joints, {len(self)} frames, {self.duration:.6g} s>" if self.handle else "<Motion>"


class Trajectory(Owner):
    """Coordinates of a figure with a moving root over time: from a CSV file, by its path or its text, or made by retarget() or track()."""

    _object, _destroy = "vtb_trajectory", "vtb_trajectory_release"

    def __init__(self, path: "str | os.PathLike[str] | None" = None, *, text: "str | bytes | None" = None, name: str = "text") -> None:
        if text is not None:
            data = text.encode() if isinstance(text, str) else text
            self._loaded(vtb.vtb_trajectory_parse_csv, data, len(data), name)
        elif path is not None:
            self._loaded(vtb.vtb_trajectory_load_csv, os.fspath(path))

    info = Record("vtb_trajectory_get_info", "vtb_trajectory_info")

    @property
    def q(self) -> np.ndarray:
        """The coordinates of all frames: frames x nq."""
        info, total = self.info, ctypes.c_size_t()
        out = np.empty((info.frames, info.nq))
        vtb.vtb_trajectory_get_frames(self, out, out.size, ctypes.byref(total))
        return out

    @property
    def names(self) -> list[str]:
        """Names of the coordinates."""
        return [text_of(vtb.vtb_trajectory_get_name, self, index) for index in range(self.info.nq)]

    def motion(self, skeleton: Any) -> Motion:
        """A clip of it, in metres, as a BVH file holds it; its trajectory() gives the coordinates again."""
        return Motion._made(vtb.vtb_motion_from_trajectory, self, skeleton)

    def velocities(self, skeleton: Any, frame: int) -> np.ndarray:
        """Velocities of one frame."""
        return array_of(vtb.vtb_trajectory_get_velocities, self, skeleton, frame)

    def __len__(self) -> int:
        return self.info.frames

    def save(self, path: "str | os.PathLike[str]", skeleton: Any = None) -> None:
        """Writes a file by its ending: .csv, .json, or .npz, which needs the skeleton."""
        name = os.fspath(path)
        if name.endswith(".npz"):
            vtb.vtb_trajectory_save_npz(self, skeleton, name)
        elif name.endswith(".json"):
            vtb.vtb_trajectory_save_json(self, name)
        elif name.endswith(".csv"):
            vtb.vtb_trajectory_save_csv(self, name)
        else:
            raise ValueError(f"{name}: a trajectory is saved as .csv, .json or .npz")


class RetargetMap(Owner):
    """Names for the roles of a retargeting: empty, or from a file, by its path or its text; str() gives the text."""

    _object, _destroy = "vtb_retarget_map", "vtb_retarget_map_destroy"

    def __init__(self, path: "str | os.PathLike[str] | None" = None, *, text: "str | bytes | None" = None, name: str = "text") -> None:
        if text is not None:
            data = text.encode() if isinstance(text, str) else text
            self._loaded(vtb.vtb_retarget_map_parse, data, len(data), name)
        elif path is not None:
            self._loaded(vtb.vtb_retarget_map_load, os.fspath(path))
        else:
            super().__init__(vtb.vtb_retarget_map_create)

    @classmethod
    def guess(cls, motion: Any, skeleton: Any, map: Any = None) -> "RetargetMap":
        """The roles that names and shapes tell of a motion and a figure; what `map` names stands."""
        made = cls()
        made.close()
        made._loaded(vtb.vtb_retarget_map_guess, motion, skeleton, map)
        return made

    def set(self, role: "int | str", joint: str | None, link: str | None) -> None:
        """The motion's joint and the figure's link of a role; None leaves it to be found."""
        vtb.vtb_retarget_map_set(self, role, joint, link)

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes a map file."""
        vtb.vtb_retarget_map_save(self, os.fspath(path))

    def __str__(self) -> str:
        return text_of(vtb.vtb_retarget_map_write, self)


class RetargetReport(Owner):
    """How well a trajectory of a figure renders a motion."""

    _object, _destroy = "vtb_retarget_report", "vtb_retarget_report_destroy"

    def __init__(self, motion: Any, skeleton: Any, trajectory: Any, map: Any = None) -> None:
        super().__init__(vtb.vtb_retarget_report_create, motion, skeleton, trajectory, map)

    info = Record("vtb_retarget_report_get_info", "vtb_retarget_report_info")


class Retargeter(Owner):
    """Retargeting frame by frame, calibrated on a clip of the same actor. Options are the fields of vtb_retarget_def."""

    _object, _destroy = "vtb_retargeter", "vtb_retargeter_destroy"

    def __init__(self, motion: Any, skeleton: Any, latency: float = 0.1, **options: Any) -> None:
        definition = vtb.make("vtb_retarget_def", **options)
        super().__init__(vtb.vtb_retargeter_create, motion, skeleton, ctypes.byref(definition), latency)

    info = Record("vtb_retargeter_get_info", "vtb_retargeter_info")

    def _frame(self, function: Any, *arguments: Any) -> np.ndarray | None:
        out, total, ready = np.empty(self.info.nq), ctypes.c_size_t(), ctypes.c_int32()
        function(self, *arguments, out, out.size, ctypes.byref(total), ctypes.byref(ready))
        return out if ready.value else None

    def push(self, poses: np.ndarray) -> np.ndarray | None:
        """The next frame of the source, a row a joint; gives the coordinates of an earlier one, or None while it waits for more."""
        if np.shape(poses) != (self.info.joints, 7):
            raise ValueError(f"poses must be {self.info.joints} x 7, not {' x '.join(map(str, np.shape(poses)))}")
        return self._frame(vtb.vtb_retargeter_push, poses)

    def finish(self) -> Iterator[np.ndarray]:
        """The frames that are still held back, when no more come."""
        while (frame := self._frame(vtb.vtb_retargeter_finish)) is not None:
            yield frame

    def restart(self) -> None:
        """Forgets all frames."""
        vtb.vtb_retargeter_restart(self)


def retarget(motion: Any, skeleton: Any, **options: Any) -> Trajectory:
    """A motion onto a figure of other proportions, without forces. Options are the fields of vtb_retarget_def; what roles were found is in
    the trajectory's findings."""
    made = Trajectory()
    made._loaded(vtb.vtb_retarget, motion, skeleton, ctypes.byref(vtb.make("vtb_retarget_def", **options)))
    return made


def track(trajectory: Any, skeleton: Any, **options: Any) -> tuple[Trajectory, Any]:
    """A trajectory tracked in simulation, with limits of torque, contact and friction: what the figure did, and what was measured (a
    vtb_track_info). Options are the fields of vtb_track_def."""
    info, made = vtb.make("vtb_track_info"), Trajectory()
    definition = vtb.make("vtb_track_def", **options)
    Owner.__init__(made, vtb.vtb_track, trajectory, skeleton, ctypes.byref(definition), ctypes.byref(info))
    return made, info


class Markers(Owner):
    """Positions of optical markers over time, from a TRC file."""

    _object, _destroy = "vtb_markers", "vtb_markers_release"

    def __init__(self, path: "str | os.PathLike[str]", up: "int | str" = "guess") -> None:
        self._loaded(vtb.vtb_markers_load_trc, os.fspath(path), up)

    info = Record("vtb_markers_get_info", "vtb_markers_info")

    @property
    def names(self) -> list[str]:
        """Names of the markers, in their order."""
        return [text_of(vtb.vtb_markers_get_name, self, index) for index in range(self.info.markers)]

    def positions(self, frame: int) -> np.ndarray:
        """Positions in one frame, a row each; not a number where a marker is hidden."""
        return array_of(vtb.vtb_markers_get_frame, self, frame, width=3)

    def motion(self, fill: bool = False) -> Motion:
        """A clip with a joint for each marker; gaps are refused, or filled by straight lines."""
        made = Motion.__new__(Motion)
        made._loaded(vtb.vtb_motion_from_markers, self, int(fill))
        return made

    def fit(self, skeleton: Any, set: "str | os.PathLike[str]", **options: Any) -> tuple[Trajectory, Any]:
        """A figure fitted to the whole record: its trajectory, and a vtb_marker_fit_info. Options are the fields of vtb_marker_fit_def."""
        info, made = vtb.make("vtb_marker_fit_info"), Trajectory()
        made._loaded(vtb.vtb_markers_fit, self, skeleton, os.fspath(set), ctypes.byref(vtb.make("vtb_marker_fit_def", **options)), ctypes.byref(info))
        return made, info
