"""A world: what is in it, its steps, what it tells."""
import ctypes
import os
from typing import Any, Callable, Sequence

import numpy as np

from . import picture
from .page import Page, page
from .enums import Named
from .library import Error, vtb
from .figure import Figure
from .ode import numbers_at
from .owner import Numbers, Owner, Record, Value, array_of, decoded, handles_of, records_of, text_of
from .things import Body, Constraint, Coupling, Field, Joint, Particles, Sensor, Shape, Thing, changed, things

_AT_ORIGIN = (0.0, 0.0, 0.0, 1.0)  # quaternion
Function = Callable[..., Any]


class World(Owner):
    """A world; settings are the fields of vtb_world_def: contact_margin for contact.margin. Its callbacks are easier by the methods
    before_step, after_step, log and filter."""

    _object, _destroy = "vtb_world", "vtb_world_destroy"

    def __init__(self, **settings: Any) -> None:
        definition = vtb.make("vtb_world_def", **settings)
        super().__init__(vtb.vtb_world_create, ctypes.byref(definition))
        self._alive()["settings"] = definition

    def _alive(self) -> dict[Any, Any]:
        """What the library keeps pointers to: callbacks."""
        return self.__dict__.setdefault("_kept", {})

    # -- steps and state ----------------------------------------------------------------------------------------------------------------

    def step(self, steps: int = 1) -> None:
        """Advances by so many times time_step. What a callback raises is raised when the call returns."""
        vtb.vtb_world_step(self, steps)

    time = Value(float, "vtb_world_get_time")
    hash = Value(int, "vtb_world_get_hash")
    energy = Record("vtb_world_get_energy", "vtb_energy")
    stats = Record("vtb_world_get_stats", "vtb_world_stats")
    settings = Record("vtb_world_get_settings", "vtb_world_def")

    def set(self, **settings: Any) -> None:
        """Other settings, from the next step on: fields of vtb_world_def, those not named as they are."""
        definition = changed("vtb_world_def", self.settings, settings)
        vtb.vtb_world_set_settings(self, ctypes.byref(definition))
        self._alive()[tuple(settings)] = definition

    def save(self) -> bytes:
        """The whole changing state; restore() goes on from it bit for bit."""
        needed = ctypes.c_size_t()
        vtb.vtb_world_save(self, None, 0, ctypes.byref(needed))
        buffer = ctypes.create_string_buffer(needed.value)
        vtb.vtb_world_save(self, buffer, needed.value, ctypes.byref(needed))
        return buffer.raw

    def restore(self, state: bytes) -> None:
        """Takes a saved state of this world, or of one built by the same calls."""
        vtb.vtb_world_restore(self, ctypes.c_char_p(state), len(state))

    def wake_all(self) -> None:
        """Ends all sleep."""
        vtb.vtb_world_wake_all(self)

    @property
    def threads(self) -> int:
        """Threads that its steps work on; results are the same for any number."""
        count = ctypes.c_int32()
        vtb.vtb_world_get_threads(self, ctypes.byref(count))
        return count.value

    @threads.setter
    def threads(self, count: int) -> None:
        vtb.vtb_world_set_threads(self, ctypes.byref(vtb.make("vtb_threads_def", count=count)))

    @property
    def momentum(self) -> tuple[np.ndarray, np.ndarray]:
        """Linear, and angular about the origin."""
        linear, angular = np.empty(3), np.empty(3)
        vtb.vtb_world_get_momentum(self, linear, angular)
        return linear, angular

    # -- callbacks ----------------------------------------------------------------------------------------------------------------------

    def _call_back(self, name: str, function: Function | None, adapted: Callable[[Function], Function]) -> None:
        definition = self.settings
        callback = vtb._value(definition.callbacks, name, None if function is None else adapted(function), [], {})
        setattr(definition.callbacks, name, callback)
        vtb.vtb_world_set_settings(self, ctypes.byref(definition))
        self._alive()[name] = callback

    def before_step(self, function: Callable[["World"], Any] | None) -> Any:
        """Calls function(world) before each physics step; it may only read. None: no more. As a decorator: @world.before_step."""
        self._call_back("before_step", function, lambda call: lambda *_: call(self))
        return function

    def after_step(self, function: Callable[["World"], Any] | None) -> Any:
        """The same after each physics step."""
        self._call_back("after_step", function, lambda call: lambda *_: call(self))
        return function

    def log(self, function: Callable[[int, str], Any] | None) -> Any:
        """Calls function(status, text) on failures, and with status 0 when a call left islands unsolved or cut speeds."""
        self._call_back("log", function, lambda call: lambda _, status, text: call(status, decoded(text)))
        return function

    def filter(self, function: Callable[[Body, Body], bool] | None) -> Any:
        """Calls function(a, b) for bodies that come near each other; False lets them pass through. The zero handle is the world."""
        self._call_back("filter", function, lambda call: lambda _user, _world, a, b: call(Body._of(self, a), Body._of(self, b)))
        return function

    # -- what is in it ------------------------------------------------------------------------------------------------------------------

    @property
    def bodies(self) -> list[Body]:
        """All bodies, in the order of poses() and twists()."""
        return things(Body, self, handles_of(vtb.vtb_world_get_bodies, "vtb_body", self))

    @property
    def shapes(self) -> list[Shape]:
        """All shapes."""
        return things(Shape, self, handles_of(vtb.vtb_world_get_shapes, "vtb_shape", self))

    @property
    def joints(self) -> list[Joint]:
        """All joints, those of figures and rotors too."""
        return things(Joint, self, handles_of(vtb.vtb_world_get_joints, "vtb_joint", self))

    @property
    def figures(self) -> list[Figure]:
        """All figures."""
        return things(Figure, self, handles_of(vtb.vtb_world_get_figures, "vtb_figure", self))

    @property
    def sensors(self) -> list[Sensor]:
        """All sensors."""
        return things(Sensor, self, handles_of(vtb.vtb_world_get_sensors, "vtb_sensor", self))

    @property
    def couplings(self) -> list[Coupling]:
        """All couplings."""
        return things(Coupling, self, handles_of(vtb.vtb_world_get_couplings, "vtb_coupling", self))

    @property
    def constraints(self) -> list[Constraint]:
        """All constraints: users', parts of drivelines, over points."""
        return things(Constraint, self, handles_of(vtb.vtb_world_get_constraints, "vtb_constraint", self))

    @property
    def fields(self) -> list[Field]:
        """All force fields."""
        return things(Field, self, handles_of(vtb.vtb_world_get_fields, "vtb_field", self))

    def find(self, kind: "int | str", name: str) -> Any:
        """The thing of a name: find("body", "door"). A figure's links and joints are named figure/link, figure/joint."""
        named = Named[kind.upper()] if isinstance(kind, str) else Named(kind)
        found = next(each for each in (Body, Shape, Joint, Coupling, Field, Figure, Constraint, Particles, Sensor) if each._kind == named)._of(self)
        getattr(vtb, f"vtb_world_find_{named.name.lower()}")(self, name, ctypes.byref(found))
        return found

    def poses(self, out: np.ndarray | None = None) -> np.ndarray:
        """Poses of all bodies, a row each: one call for a thousand figures. `out` is an array to use again."""
        return self._rows(vtb.vtb_world_get_poses, 7, out)

    def twists(self, out: np.ndarray | None = None) -> np.ndarray:
        """Twists of all bodies, a row each."""
        return self._rows(vtb.vtb_world_get_twists, 6, out)

    def _rows(self, function: Function, width: int, out: np.ndarray | None) -> np.ndarray:
        rows = array_of(function, self, width=width, out=out, guess=self.__dict__.get("_bodies", 0))
        self._bodies = len(rows)
        return rows

    def rows(self, figure: Figure) -> np.ndarray:
        """The rows of poses() that are a figure's links, skeleton order; valid until bodies come or go."""
        bits = np.frombuffer(handles_of(vtb.vtb_world_get_bodies, "vtb_body", self), np.uint64)
        order = np.argsort(bits)
        wanted = np.array([body.bits for body in figure.bodies], np.uint64)
        return order[np.searchsorted(bits, wanted, sorter=order)]

    def contacts(self) -> np.recarray:
        """Contact points of the last physics step with their forces: records with the fields of vtb_contact."""
        return records_of(vtb.vtb_world_get_contacts, "vtb_contact", self)

    def contact_events(self) -> np.recarray:
        """Pairs of shapes that began or ceased to touch in the last step call: records with the fields of vtb_contact_event."""
        return records_of(vtb.vtb_world_get_contact_events, "vtb_contact_event", self)

    def joint_events(self) -> np.recarray:
        """Joints that broke in the last step call: records with the fields of vtb_joint_event."""
        return records_of(vtb.vtb_world_get_joint_events, "vtb_joint_event", self)

    def ray(self, origin: Numbers, direction: Numbers, max_distance: float = float("inf"), mask: int = 0xFFFFFFFF) -> Any:
        """The first shape along a ray: a vtb_ray_hit, or None."""
        hit = vtb.vtb_ray_hit()
        vtb.vtb_world_ray_cast(self, origin, direction, max_distance, mask, ctypes.byref(hit))
        return hit if hit.shape else None

    # -- what is added to it ------------------------------------------------------------------------------------------------------------

    def _create(self, kind: type[Thing], function: str, struct: str, values: dict[str, Any], *before: Any) -> Any:
        made, definition = kind._of(self), vtb.make(struct, **values)
        getattr(vtb, function)(self, *before, ctypes.byref(definition), ctypes.byref(made))
        if definition.kept:
            self._alive()[made] = definition.kept
        return made

    def add_body(self, **values: Any) -> Body:
        """A body: fields of vtb_body_def."""
        return self._create(Body, "vtb_body_create", "vtb_body_def", values)

    def add_shape(self, body: Any = None, **values: Any) -> Shape:
        """A shape of a body, or of the world itself: fields of vtb_shape_def."""
        return self._create(Shape, "vtb_shape_create", "vtb_shape_def", values, body)

    def add_joint(self, body_a: Any = None, body_b: Any = None, **values: Any) -> Joint:
        """A joint: fields of vtb_joint_def. body_a None: the world."""
        return self._create(Joint, "vtb_joint_create", "vtb_joint_def", {"body_a": body_a, "body_b": body_b, **values})

    def add_sensor(self, body: Any = None, **values: Any) -> Sensor:
        """A sensor: fields of vtb_sensor_def. body None: a site fixed in the world, or of a joint (type="force_torque", joint=...)."""
        return self._create(Sensor, "vtb_sensor_create", "vtb_sensor_def", {"body": body, **values})

    def add_coupling(self, terms: Sequence[Any], **values: Any) -> Coupling:
        """A coupling of joint axes: fields of vtb_coupling_def. terms: (joint, axis, coefficient) each."""
        return self._create(Coupling, "vtb_coupling_create", "vtb_coupling_def", {"terms": axes_of(terms), **values})

    def add_driveline(self, axes: Sequence[Any], **values: Any) -> Constraint:
        """A part of a driveline: fields of vtb_driveline_def. axes: (joint, axis, coefficient) each."""
        return self._create(Constraint, "vtb_driveline_create", "vtb_driveline_def", {"axes": axes_of(axes), **values})

    def add_points(self, bodies: Sequence[Any], **values: Any) -> Constraint:
        """A constraint on points of several bodies: fields of vtb_points_def."""
        return self._create(Constraint, "vtb_constraint_create_points", "vtb_points_def", {"bodies": bodies, **values})

    def add_particles(self, **values: Any) -> Particles:
        """A particle system: fields of vtb_particles_def."""
        return self._create(Particles, "vtb_particles_create", "vtb_particles_def", values)

    def add_figure(self, skeleton: Any, **values: Any) -> Figure:
        """A skeleton in this world: fields of vtb_figure_def."""
        return self._create(Figure, "vtb_figure_create", "vtb_figure_def", {"skeleton": skeleton, **values})

    def add_field(self, **values: Any) -> Field:
        """A force field: fields of vtb_field_def."""
        return self._create(Field, "vtb_field_create", "vtb_field_def", values)

    def add_force_field(self, force: Callable[[Body], Any], bodies: Sequence[Any] | None = None, potential: Callable[[Body], float] | None = None,
                        **values: Any) -> Field:
        """A field of the caller's: force(body) gives the force [N] on it, or force and torque [N m] (6 numbers), or None. It may only read
        the world. potential(body) gives its energy in the field [J]; then it is no applied force in the balance."""
        def evaluate(user: Any, world: Any, field: Any, body: Any, force_at: int, torque_at: int) -> int:
            given = force(Body._of(self, body))
            if given is not None:
                numbers = np.asarray(given, float).ravel()
                if numbers.size not in (3, 6):
                    raise ValueError(f"a force has 3 numbers, with a torque 6, not {numbers.size}")
                numbers_at(force_at, 3)[:] += numbers[:3]
                numbers_at(torque_at, 3)[:numbers.size - 3] += numbers[3:]
            return 1

        laws: dict[str, Any] = {"type": "user", "user_evaluate": evaluate, **values}
        if bodies is not None:
            laws["bodies"] = bodies
        if potential is not None:
            energy = potential
            laws["user_potential"] = lambda user, world, field, body: energy(Body._of(self, body))
        return self.add_field(**laws)

    def add_constraint(self, row: Callable[[Any, int], Any], bodies: Sequence[Any] = (), joints: Sequence[Any] = (), rows: int = 1) -> Constraint:
        """A constraint of the caller's: row(row, index) fills in a row and gives True, or False where there is no more. row.error, .rate,
        .lower, .upper, .level, .stiffness, .damping as in vtb_row; row.bodies is an array of a row of 6 for each body (on its linear, then
        its angular velocity), row.joints one of a number for each axis of the joints: both are the solver's own memory."""
        axes = sum(joint._sizes()[1] for joint in joints)

        def evaluate(user: Any, world: Any, constraint: Any, index: int, at: int) -> bool:
            return bool(row(Row(ctypes.cast(at, ctypes.POINTER(vtb.vtb_row)).contents, len(bodies), axes), index))

        return self._create(Constraint, "vtb_constraint_create", "vtb_constraint_def",
                            {"evaluate": evaluate, "bodies": bodies or None, "joints": joints or None, "rows": rows})

    def read(self, sensor: Any) -> np.ndarray:
        """What a sensor read after the last physics step; its type says which values."""
        return array_of(vtb.vtb_sensor_get_values, self, sensor)

    # -- the usual things ---------------------------------------------------------------------------------------------------------------

    def _make(self, kind: type[Thing], function: str, *arguments: Any) -> Any:
        made = kind._of(self)
        getattr(vtb, function)(self, *arguments, ctypes.byref(made))
        return made

    def ground(self, friction: float = 0.8) -> Shape:
        """The plane z = 0."""
        return self._make(Shape, "vtb_make_ground", friction)

    def box(self, position: Numbers, half_extents: Numbers, mass: float = 1.0, orientation: Numbers = _AT_ORIGIN) -> Body:
        """A dynamic box; position and half extents in m, mass in kg."""
        return self._make(Body, "vtb_make_box", (*position, *orientation), half_extents, mass)

    def sphere(self, position: Numbers, radius: float, mass: float = 1.0) -> Body:
        """A dynamic ball."""
        return self._make(Body, "vtb_make_sphere", (*position, *_AT_ORIGIN), radius, mass)

    def capsule(self, position: Numbers, radius: float, half_length: float, mass: float = 1.0, orientation: Numbers = _AT_ORIGIN) -> Body:
        """A dynamic capsule along its z axis; half the length of its cylindrical part."""
        return self._make(Body, "vtb_make_capsule", (*position, *orientation), radius, half_length, mass)

    def cylinder(self, position: Numbers, radius: float, half_length: float, mass: float = 1.0, orientation: Numbers = _AT_ORIGIN) -> Body:
        """A dynamic cylinder along its z axis."""
        return self._make(Body, "vtb_make_cylinder", (*position, *orientation), radius, half_length, mass)

    def hinge(self, body_a: Any, body_b: Any, point: Numbers, axis: Numbers) -> Joint:
        """A hinge at a point and about an axis of the world; a body None: the world."""
        return self._make(Joint, "vtb_make_hinge", body_a, body_b, point, axis)

    def slider(self, body_a: Any, body_b: Any, point: Numbers, axis: Numbers) -> Joint:
        """A slide along an axis of the world."""
        return self._make(Joint, "vtb_make_slider", body_a, body_b, point, axis)

    def ball(self, body_a: Any, body_b: Any, point: Numbers) -> Joint:
        """A ball joint at a point of the world."""
        return self._make(Joint, "vtb_make_ball", body_a, body_b, point)

    def weld(self, body_a: Any, body_b: Any) -> Joint:
        """A fixed joint."""
        return self._make(Joint, "vtb_make_weld", body_a, body_b)

    def spring(self, body_a: Any, body_b: Any, point_a: Numbers, point_b: Numbers, stiffness: float, damping: float = 0.0) -> Joint:
        """A spring between two points, given in the world, at rest at their present distance."""
        return self._make(Joint, "vtb_make_spring", body_a, body_b, point_a, point_b, stiffness, damping)

    # -- files and pictures -------------------------------------------------------------------------------------------------------------

    def save_scene(self, path: "str | os.PathLike[str]") -> None:
        """Writes it as a scene file, which goes on from here."""
        vtb.vtb_world_save_scene(self, os.fspath(path))

    def scene_text(self) -> str:
        """The same as a text."""
        return text_of(vtb.vtb_world_write_scene, self)

    def picture(self, width: int = 640, height: int = 360, **view: Any) -> bytes:
        """A PNG of it as it is now, drawn without a display by libvertebra_view; more by vertebra.picture.pixels."""
        return picture.png(picture.pixels(self, width, height, **view))

    def _repr_png_(self) -> bytes | None:
        """What a notebook shows: a picture; None where it cannot be drawn."""
        try:
            return self.picture()
        except (OSError, RuntimeError, Error):
            return None

    def page(self, seconds: float = 5.0, fps: float = 30.0, height: int = 420) -> Page:
        """The next seconds as a web page to play, turn and save: vertebra.page.page."""
        return page(self, seconds, fps, height)

    def _repr_html_(self) -> str:
        """A page in which it can be turned, or the picture, with what it holds below; only that where neither can be made."""
        return picture.html(self)

    def __repr__(self) -> str:
        if not self.handle:
            return "<World, closed>"
        stats = self.stats
        return f"<World at {self.time:.6g} s: {stats.bodies} bodies, {stats.joints} joints, {len(self.figures)} figures, {stats.contacts} contacts>"


class Row:
    """A row of a constraint of the caller's, in the solver's memory."""

    def __init__(self, row: Any, bodies: int, axes: int) -> None:
        object.__setattr__(self, "_row", row)
        object.__setattr__(self, "bodies", numbers_at(row.bodies, bodies, 6) if bodies else np.empty((0, 6)))
        object.__setattr__(self, "joints", numbers_at(row.joints, axes) if axes else np.empty(0))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._row, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in dict(self._row._fields_) or name in ("bodies", "joints"):
            raise AttributeError(f"a row has no {name} to set")
        setattr(self._row, name, vtb._value(self._row, name, value, [], {}))


def axes_of(terms: Sequence[Any]) -> list[Any]:
    """(joint, axis, coefficient) each as vtb_coupling_term."""
    made = []
    for joint, axis, coefficient in terms:
        term = vtb.vtb_coupling_term()
        term.joint, term.axis, term.coefficient = joint, axis, coefficient
        made.append(term)
    return made
