"""Things in a world: handles that know their world. Each is the handle's struct of the header, so that vtb's functions take it as it is:
vtb.vtb_body_wake(world, body). One that was destroyed answers StaleError."""
import ctypes
from typing import Any, Iterable

import numpy as np

from .enums import BodyKind, Duration, Named
from .library import vtb
from .owner import Numbers, Record, Value, Values, array_of, handles_of, record_of, text_of


class Thing:
    """What handles share: their world, a name and a number of the caller's."""

    world: Any = None
    bits: int
    _kind = -1  # vtb_named

    @classmethod
    def _of(cls, world: Any, handle: Any = None) -> Any:
        made = cls()
        made.world = world
        if handle is not None:
            made.bits = handle if isinstance(handle, int) else handle.bits
        return made

    @property
    def handle(self) -> Any:
        """The handle's struct, which the thing itself is."""
        return self

    @property
    def _path(self) -> tuple[Any, ...]:
        return (self.world, self)

    @property
    def name(self) -> str:
        """Its name, unique among its kind; "" where it has none."""
        return text_of(vtb.vtb_world_get_name_of, self.world, self._kind, self.bits)

    @name.setter
    def name(self, name: str) -> None:
        vtb.vtb_world_set_name(self.world, self._kind, self.bits, name)

    @property
    def user_value(self) -> int:
        """A number of the caller's beside it; 0 until it is set."""
        value = ctypes.c_uint64()
        vtb.vtb_world_get_user_value(self.world, self._kind, self.bits, ctypes.byref(value))
        return value.value

    @user_value.setter
    def user_value(self, value: int) -> None:
        vtb.vtb_world_set_user_value(self.world, self._kind, self.bits, value)


class Body(Thing, vtb.vtb_body):  # type: ignore[name-defined, misc]
    """A rigid body. Poses are its link frame's in the world: position, then quaternion x, y, z, w."""

    _kind = Named.BODY

    pose = Values("vtb_body_get_pose", 7, "vtb_body_set_pose", None)
    twist = Values("vtb_body_get_twist", 6, "vtb_body_set_twist", None)
    acceleration = Values("vtb_body_get_acceleration", 6)
    kind = Value(BodyKind, "vtb_body_get_kind", "vtb_body_set_kind")
    enabled = Value(bool, "vtb_body_get_enabled", "vtb_body_set_enabled")
    awake = Value(bool, "vtb_body_get_awake")
    definition = Record("vtb_body_get_def", "vtb_body_def")

    @property
    def position(self) -> np.ndarray:
        """The origin of its link frame in the world, m."""
        return self.pose[:3]

    @property
    def mass(self) -> float:
        """Its mass, kg; `definition` says more."""
        mass = ctypes.c_double()
        vtb.vtb_body_get_mass(self.world, self, ctypes.byref(mass), np.empty(3), np.empty(6))
        return mass.value

    @property
    def shapes(self) -> list["Shape"]:
        """Its shapes."""
        return [Shape._of(self.world, each) for each in handles_of(vtb.vtb_body_get_shapes, "vtb_shape", self.world, self)]

    @property
    def joints(self) -> list["Joint"]:
        """Joints of which it is one end."""
        return [Joint._of(self.world, each) for each in handles_of(vtb.vtb_body_get_joints, "vtb_joint", self.world, self)]

    def add_force(self, force: Numbers, point: Numbers | None = None, duration: "int | str" = Duration.ONE_STEP) -> None:
        """Adds a force [N] at a point of the world [m], or at the centre of mass."""
        vtb.vtb_body_add_force(self.world, self, force, point, duration)

    def add_torque(self, torque: Numbers, duration: "int | str" = Duration.ONE_STEP) -> None:
        """Adds a torque [N m]."""
        vtb.vtb_body_add_torque(self.world, self, torque, duration)

    def add_impulse(self, impulse: Numbers, point: Numbers | None = None) -> None:
        """Adds an impulse [N s] at a point of the world, or at the centre of mass; it acts with the next step."""
        vtb.vtb_body_add_impulse(self.world, self, impulse, point)

    def clear_forces(self) -> None:
        """Takes back all forces, torques and impulses."""
        vtb.vtb_body_clear_forces(self.world, self)

    def move_to(self, pose: Numbers, seconds: float) -> None:
        """A kinematic body reaches the pose after the given time, then stands still."""
        vtb.vtb_body_move_to(self.world, self, pose, seconds)

    def wake(self) -> None:
        """Wakes its island."""
        vtb.vtb_body_wake(self.world, self)

    def destroy(self) -> None:
        """Destroys it, its shapes and joints with it; not for bodies of a figure."""
        vtb.vtb_body_destroy(self.world, self)


class Shape(Thing, vtb.vtb_shape):  # type: ignore[name-defined, misc]
    """A shape of a body, or of the world itself."""

    _kind = Named.SHAPE

    pose = Values("vtb_shape_get_pose", 7, "vtb_shape_set_pose")
    surface = Record("vtb_shape_get_surface", "vtb_surface")
    definition = Record("vtb_shape_get_def", "vtb_shape_def")

    def set_surface(self, **values: Any) -> None:
        """Changes how it touches others: fields of vtb_surface, those not named as they are."""
        vtb.vtb_shape_set_surface(self.world, self, ctypes.byref(changed("vtb_surface", self.surface, values)))

    @property
    def body(self) -> Body:
        """The body that carries it; the zero handle, which is false: the world."""
        body = Body._of(self.world)
        vtb.vtb_shape_get_body(self.world, self, ctypes.byref(body))
        return body

    def distance(self, other: "Shape", max_distance: float = float("inf")) -> Any:
        """Distance to another shape: a vtb_closest."""
        return record_of(vtb.vtb_shape_get_distance, "vtb_closest", self.world, self, other, max_distance)

    def destroy(self) -> None:
        """Destroys it."""
        vtb.vtb_shape_destroy(self.world, self)


class Joint(Thing, vtb.vtb_joint):  # type: ignore[name-defined, misc]
    """A joint between two bodies; coordinates and velocities in the order of joint_type.h."""

    _kind = Named.JOINT

    broken = Value(bool, "vtb_joint_get_broken")
    forces = Record("vtb_joint_get_forces", "vtb_joint_forces")
    definition = Record("vtb_joint_get_def", "vtb_joint_def")

    def _sizes(self) -> tuple[int, int]:
        nq, nv = ctypes.c_int32(), ctypes.c_int32()
        vtb.vtb_joint_get_size(self.world, self, ctypes.byref(nq), ctypes.byref(nv))
        return nq.value, nv.value

    @property
    def q(self) -> np.ndarray:
        """Its coordinates, rad or m."""
        q = np.empty(self._sizes()[0])
        vtb.vtb_joint_get_state(self.world, self, q, None)
        return q

    @q.setter
    def q(self, q: Numbers) -> None:
        self.set_state(q=q)

    @property
    def v(self) -> np.ndarray:
        """Its velocities, rad/s or m/s."""
        v = np.empty(self._sizes()[1])
        vtb.vtb_joint_get_state(self.world, self, None, v)
        return v

    @v.setter
    def v(self, v: Numbers) -> None:
        self.set_state(v=v)

    def set_state(self, q: Numbers | None = None, v: Numbers | None = None) -> None:
        """Sets coordinates, velocities, or both."""
        from .models import sized
        nq, nv = self._sizes()
        vtb.vtb_joint_set_state(self.world, self, None if q is None else sized(q, nq, "q"), None if v is None else sized(v, nv, "v"))

    def axis(self, axis: int = 0) -> Any:
        """Limits, spring and losses of one axis: a vtb_axis_def."""
        return record_of(vtb.vtb_joint_get_axis, "vtb_axis_def", self.world, self, axis)

    def set_axis(self, axis: int = 0, **values: Any) -> None:
        """Changes some of them: fields of vtb_axis_def."""
        vtb.vtb_joint_set_axis(self.world, self, axis, ctypes.byref(changed("vtb_axis_def", self.axis(axis), values)))

    def motor(self, axis: int = 0) -> Any:
        """The present drive of one axis: a vtb_motor_def."""
        return record_of(vtb.vtb_joint_get_motor, "vtb_motor_def", self.world, self, axis)

    def set_motor(self, axis: int = 0, **values: Any) -> None:
        """Another drive of one axis, kept until set again: fields of vtb_motor_def, those not named as they are."""
        vtb.vtb_joint_set_motor(self.world, self, axis, ctypes.byref(changed("vtb_motor_def", self.motor(axis), values)))

    @property
    def target(self) -> tuple[np.ndarray, np.ndarray]:
        """Of a motor joint, or of a spherical joint's drive: pose of body_b's joint frame in body_a's, and its twist."""
        pose, twist = np.empty(7), np.empty(6)
        vtb.vtb_joint_get_target(self.world, self, pose, twist)
        return pose, twist

    def destroy(self) -> None:
        """Destroys it; not for joints of a figure."""
        vtb.vtb_joint_destroy(self.world, self)


class Coupling(Thing, vtb.vtb_coupling):  # type: ignore[name-defined, misc]
    """A linear relation of joint axes."""

    _kind = Named.COUPLING

    force = Value(float, "vtb_coupling_get_force")
    definition = Record("vtb_coupling_get_def", "vtb_coupling_def")

    def destroy(self) -> None:
        """Destroys it."""
        vtb.vtb_coupling_destroy(self.world, self)


class Field(Thing, vtb.vtb_field):  # type: ignore[name-defined, misc]
    """A force field."""

    _kind = Named.FIELD

    definition = Record("vtb_field_get_def", "vtb_field_def")

    def destroy(self) -> None:
        """Destroys it."""
        vtb.vtb_field_destroy(self.world, self)


class Constraint(Thing, vtb.vtb_constraint):  # type: ignore[name-defined, misc]
    """A constraint of the caller's, on points, or a part of a driveline."""

    _kind = Named.CONSTRAINT

    state = Record("vtb_driveline_get_state", "vtb_driveline_state")
    input = Record("vtb_driveline_get_input", "vtb_driveline_input")

    @property
    def forces(self) -> np.ndarray:
        """Forces along its rows in the last physics step."""
        return array_of(vtb.vtb_constraint_get_forces, self.world, self)

    def set_input(self, **values: Any) -> None:
        """What a driver sets: fields of vtb_driveline_input, those not named as they are."""
        vtb.vtb_driveline_set_input(self.world, self, ctypes.byref(changed("vtb_driveline_input", self.input, values)))

    def destroy(self) -> None:
        """Destroys it."""
        vtb.vtb_constraint_destroy(self.world, self)


class Particles(Thing, vtb.vtb_particles):  # type: ignore[name-defined, misc]
    """A particle system."""

    _kind = Named.PARTICLES

    state = Record("vtb_particles_get_state", "vtb_particles_state")
    definition = Record("vtb_particles_get_def", "vtb_particles_def")

    @property
    def emitters(self) -> list[Any]:
        """Its emitters, each a vtb_emitter_def."""
        return [record_of(vtb.vtb_particles_get_emitter, "vtb_emitter_def", self.world, self, i) for i in range(self.state.emitters)]

    @property
    def sinks(self) -> list[Any]:
        """Its sinks, each a vtb_sink_def."""
        return [record_of(vtb.vtb_particles_get_sink, "vtb_sink_def", self.world, self, i) for i in range(self.state.sinks)]

    def get(self) -> np.recarray:
        """All particles, fields as in vtb_particle."""
        from .owner import records_of
        return records_of(vtb.vtb_particles_get, "vtb_particle", self.world, self)

    def destroy(self) -> None:
        """Destroys it."""
        vtb.vtb_particles_destroy(self.world, self)


class Sensor(Thing, vtb.vtb_sensor):  # type: ignore[name-defined, misc]
    """What is read at a site after each physics step."""

    _kind = Named.SENSOR

    definition = Record("vtb_sensor_get_def", "vtb_sensor_def")

    @property
    def values(self) -> np.ndarray:
        """What it read after the last physics step; its type says which values."""
        return array_of(vtb.vtb_sensor_get_values, self.world, self, guess=7)

    def destroy(self) -> None:
        """Destroys it."""
        vtb.vtb_sensor_destroy(self.world, self)


def changed(struct: str, present: Any, values: dict[str, Any]) -> Any:
    """The present settings with some of their fields changed."""
    given = vtb.make(struct, **values)
    for keyword in values:
        owner, target = given, present
        *outer, name = vtb._keywords[struct][keyword.removesuffix("_")]
        for part in outer:
            owner, target = getattr(owner, part), getattr(target, part)
        setattr(target, name, getattr(owner, name))
    present.kept = given.kept
    return present


def things(kind: type[Thing], world: Any, handles: Iterable[Any]) -> list[Any]:
    return [kind._of(world, each) for each in handles]
