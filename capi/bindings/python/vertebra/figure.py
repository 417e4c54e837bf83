"""Figures in a world, and what controls them."""
import ctypes
from typing import Any

import numpy as np

from .enums import Named
from .library import vtb
from .models import Skeleton, Workspace, sized
from .owner import Numbers, Owner, Record, array_of, handles_of, record_of
from .things import Body, Joint, Thing, things


class Controller(Thing, vtb.vtb_controller):  # type: ignore[name-defined, misc]
    """What moves a figure's axes and holds its root before each step; Figure.add_* makes them. Each call is for one type of them."""

    info = Record("vtb_controller_get_info", "vtb_controller_info")

    def set_pose(self, q: Numbers, v: Numbers | None = None) -> None:
        """Drives: the pose that they follow from now on."""
        figure = self._figure()
        vtb.vtb_drive_set_pose(self.world, self, sized(q, figure.nq, "q"), None if v is None else sized(v, figure.nv, "v"))

    @property
    def pose(self) -> tuple[np.ndarray, np.ndarray]:
        """Drives: the pose that they follow, coordinates and velocities."""
        q, v = np.empty(self._figure().nq), np.empty(self._figure().nv)
        vtb.vtb_drive_get_pose(self.world, self, q, v)
        return q, v

    @property
    def gains(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Drives: stiffness, damping and largest force of each axis; stiffness and damping -1: it is left alone."""
        stiffness, damping, max_force = (np.empty(self._figure().nv) for _ in range(3))
        vtb.vtb_drive_get_gains(self.world, self, stiffness, damping, max_force)
        return stiffness, damping, max_force

    def set_gains(self, stiffness: Numbers | None = None, damping: Numbers | None = None, max_force: Numbers | None = None) -> None:
        """Drives: gains of each axis, those of the base too, which do not count; None: as they are."""
        nv = self._figure().nv
        vtb.vtb_drive_set_gains(self.world, self, *(None if each is None else sized(each, nv, name) for each, name in (
            (stiffness, "stiffness"), (damping, "damping"), (max_force, "max_force"))))

    def play(self, clip: Any, **values: Any) -> None:
        """Animation: a Motion or a Trajectory behind those that it has; fields of vtb_play_def."""
        which = "motion" if clip._object == "vtb_motion" else "trajectory"
        vtb.vtb_animation_play(self.world, self, ctypes.byref(vtb.make("vtb_play_def", **{which: clip}, **values)))

    def set_places(self, places: Numbers, velocities: Numbers | None = None) -> None:
        """Marker drive: where its points shall be, a row each; not a number where one has no place."""
        places = np.ascontiguousarray(places, dtype=np.float64).reshape(-1, 3)
        if velocities is not None:
            velocities = sized(np.ravel(velocities), places.size, "velocities")
        vtb.vtb_marker_drive_set_places(self.world, self, places, velocities, len(places))

    @property
    def places(self) -> np.ndarray:
        """Marker drive: where its points shall be, a row each."""
        total = ctypes.c_size_t()
        vtb.vtb_marker_drive_get_places(self.world, self, None, 0, ctypes.byref(total))
        places = np.empty((total.value, 3))
        vtb.vtb_marker_drive_get_places(self.world, self, places, total.value, ctypes.byref(total))
        return places

    def play_markers(self, markers: Any, columns: Any, **values: Any) -> None:
        """Marker drive: its points follow a record; columns: marker of each point, -1 = none; fields of vtb_marker_play_def."""
        vtb.vtb_marker_drive_play(self.world, self, ctypes.byref(vtb.make("vtb_marker_play_def", markers=markers, columns=columns, **values)))

    def add_goal(self, **values: Any) -> int:
        """Point: one more goal, fields of vtb_goal_def; its index."""
        goal = ctypes.c_int32()
        vtb.vtb_point_add_goal(self.world, self, ctypes.byref(vtb.make("vtb_goal_def", **values)), ctypes.byref(goal))
        return goal.value

    def goal(self, goal: int) -> Any:
        """Point: a goal as it is now: a vtb_goal_def."""
        return record_of(vtb.vtb_point_get_goal, "vtb_goal_def", self.world, self, goal)

    def set_target(self, goal: int, target: Numbers) -> None:
        """Point: moves a goal."""
        vtb.vtb_point_set_target(self.world, self, goal, target)

    def error(self, goal: int) -> float:
        """Point: how far the figure is from a goal now, m or rad."""
        error = ctypes.c_double()
        vtb.vtb_point_get_error(self.world, self, goal, ctypes.byref(error))
        return error.value

    def _figure(self) -> "Figure":
        return Figure._of(self.world, self.info.figure)

    def destroy(self) -> None:
        """Ends it."""
        vtb.vtb_controller_destroy(self.world, self)


class Figure(Thing, vtb.vtb_figure):  # type: ignore[name-defined, misc]
    """A skeleton in a world."""

    _kind = Named.FIGURE
    _sizes: tuple[int, int, int, int] | None = None

    def _size(self, which: int) -> int:
        if self._sizes is None:
            found = [ctypes.c_int32() for _ in range(4)]
            vtb.vtb_figure_get_size(self.world, self, *map(ctypes.byref, found))
            self._sizes = tuple(each.value for each in found)  # type: ignore[assignment]
        return self._sizes[which]  # type: ignore[index]

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self._size(2)

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return self._size(3)

    @property
    def q(self) -> np.ndarray:
        """Its coordinates: those of a floating base, then its joints' in file order."""
        return array_of(vtb.vtb_figure_get_q, self.world, self, guess=self.nq)

    @q.setter
    def q(self, q: Numbers) -> None:
        vtb.vtb_figure_set_state(self.world, self, sized(q, self.nq, "q"), None)

    @property
    def v(self) -> np.ndarray:
        """Its velocities, likewise."""
        return array_of(vtb.vtb_figure_get_v, self.world, self, guess=self.nv)

    @v.setter
    def v(self, v: Numbers) -> None:
        vtb.vtb_figure_set_state(self.world, self, None, sized(v, self.nv, "v"))

    def poses(self, out: np.ndarray | None = None) -> np.ndarray:
        """Link frames in the world, a row each, skeleton order; `out` is an array to use again."""
        return array_of(vtb.vtb_figure_get_poses, self.world, self, width=7, out=out, guess=self._size(0))

    def twists(self, out: np.ndarray | None = None) -> np.ndarray:
        """Twists of the link frames, a row each, skeleton order, world axes."""
        return array_of(vtb.vtb_figure_get_twists, self.world, self, width=6, out=out, guess=self._size(0))

    @property
    def rows(self) -> np.ndarray:
        """The rows of World.poses() that are its links, skeleton order: world.poses()[figure.rows]; valid until bodies come or go."""
        return self.world.rows(self)

    @property
    def skeleton(self) -> Skeleton:
        """Its model."""
        made = Skeleton()
        Owner.__init__(made, vtb.vtb_figure_get_skeleton, self.world, self)
        return made

    def body(self, link: "int | str") -> Body:
        """The body of a link, by index or name."""
        body = Body._of(self.world)
        vtb.vtb_figure_get_body(self.world, self, self.skeleton.link(link) if isinstance(link, str) else link, ctypes.byref(body))
        return body

    def joint(self, joint: "int | str") -> Joint:
        """The joint of an index or name of the skeleton."""
        made = Joint._of(self.world)
        vtb.vtb_figure_get_joint(self.world, self, self.skeleton.joint(joint) if isinstance(joint, str) else joint, ctypes.byref(made))
        return made

    @property
    def bodies(self) -> list[Body]:
        """The bodies of its links, skeleton order."""
        return [self.body(link) for link in range(self._size(0))]

    @property
    def joints(self) -> list[Joint]:
        """Its joints, skeleton order."""
        return [self.joint(joint) for joint in range(self._size(1))]

    @property
    def com(self) -> np.ndarray:
        """Its centre of mass, world, m."""
        position = np.empty(3)
        vtb.vtb_figure_com(self.world, self, position, np.empty(3))
        return position

    @property
    def energy(self) -> tuple[float, float]:
        """Kinetic and potential energy of its bodies and joints now, J."""
        kinetic, potential = ctypes.c_double(), ctypes.c_double()
        vtb.vtb_figure_get_energy(self.world, self, ctypes.byref(kinetic), ctypes.byref(potential))
        return kinetic.value, potential.value

    def set_torques(self, tau: Numbers) -> None:
        """Motors in torque mode, kept until set again; entries of the base do not count."""
        vtb.vtb_figure_set_torques(self.world, self, sized(tau, self.nv, "tau"))

    def set_motors(self, q: Numbers, v: Numbers | None = None, stiffness: Any = None, damping: Any = None, max_force: Any = None) -> None:
        """Position motors on all axes at once; gains are a number for all or one for each axis, None: as they are."""
        def gains(values: Any, name: str) -> np.ndarray | None:
            return None if values is None else sized(np.broadcast_to(values, self.nv) if np.ndim(values) == 0 else values, self.nv, name)

        vtb.vtb_figure_set_motors(self.world, self, sized(q, self.nq, "q"), None if v is None else sized(v, self.nv, "v"),
                                  gains(stiffness, "stiffness"), gains(damping, "damping"), gains(max_force, "max_force"))

    @property
    def motor_forces(self) -> np.ndarray:
        """What the drives gave in the last physics step; 0 for the base."""
        return array_of(vtb.vtb_figure_get_motor_forces, self.world, self, guess=self.nv)

    def play(self, motion: Any, start: float = 0.0, speed: float = 1.0, loop: bool = False) -> None:
        """Its motors follow a clip from now on, joint by joint of the same name; None: no more."""
        vtb.vtb_figure_play(self.world, self, motion, start, speed, int(loop))

    def workspace(self) -> Workspace:
        """A workspace of its skeleton and base."""
        made = Workspace._made(vtb.vtb_figure_create_workspace, self.world, self)
        made._measure()
        return made

    @property
    def controllers(self) -> list[Controller]:
        """Its controllers, in their order."""
        return things(Controller, self.world, handles_of(vtb.vtb_figure_get_controllers, "vtb_controller", self.world, self))

    def _controller(self, kind: str, values: dict[str, Any]) -> Controller:
        made, definition = Controller._of(self.world), vtb.make(f"vtb_{kind}_def", **values)
        getattr(vtb, f"vtb_figure_add_{kind}")(self.world, self, ctypes.byref(definition), ctypes.byref(made))
        return made

    def add_drive(self, **values: Any) -> Controller:
        """Drives of all axes: fields of vtb_drive_def."""
        return self._controller("drive", values)

    def add_animation(self, **values: Any) -> Controller:
        """Clips as the wanted pose, with drives that follow it: fields of vtb_animation_def."""
        return self._controller("animation", values)

    def add_root_drive(self, **values: Any) -> Controller:
        """A bounded force that holds the root: fields of vtb_root_drive_def."""
        return self._controller("root_drive", values)

    def add_marker_drive(self, links: Any, points: Any, **values: Any) -> Controller:
        """Bounded forces that draw points of links to places: fields of vtb_marker_drive_def."""
        return self._controller("marker_drive", {"links": links, "points": points, **values})

    def add_inverse_dynamics(self, **values: Any) -> Controller:
        """The torques that the wanted motion needs: fields of vtb_inverse_dynamics_def."""
        return self._controller("inverse_dynamics", values)

    def add_balance(self, **values: Any) -> Controller:
        """Balance: the figure stands over its feet. Fields of vtb_balance_def."""
        return self._controller("balance", values)

    def add_point(self) -> Controller:
        """Hands, heads and tools to places and directions: add_goal() of the result."""
        made = Controller._of(self.world)
        vtb.vtb_figure_add_point(self.world, self, ctypes.byref(made))
        return made

    def destroy(self) -> None:
        """Destroys it with all its bodies, and with what was tied to them."""
        vtb.vtb_figure_destroy(self.world, self)
