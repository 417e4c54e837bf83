"""vertebra from Python: ctypes and numpy, no compiler needed. vertebra.json, which is made from the C header, is read at run time, so that
every function, struct and constant is here without a second list of them: vtb.vtb_body_get_pose(world, body, pose), vtb.vtb_body_def, vtb.VTB_E_ARG.

Arrays are numpy arrays of float64 (or uint32), passed as they are. A call that fails raises Error with the library's text. The classes
World, Skeleton, Motion, Figure and Workspace below spell the commonest calls; their `handle` goes into all others.

VERTEBRA_LIBRARY and VERTEBRA_JSON name the files when they are neither installed nor in the build tree beside this one.
"""
import ctypes
import json
import os
import pathlib

import numpy as np

_HERE = pathlib.Path(__file__).resolve().parent
_SCALARS = {"double": ctypes.c_double, "float": ctypes.c_float, "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32,
            "uint64_t": ctypes.c_uint64, "uint8_t": ctypes.c_uint8, "size_t": ctypes.c_size_t, "char": ctypes.c_char, "void": None}


class Error(RuntimeError):
    """A call failed: .status is one of VTB_E_*, the text says what, where and how to mend."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def _find(variable, *candidates):
    if os.environ.get(variable):
        return os.environ[variable]
    for path in candidates:
        if path.exists():
            return str(path)
    return None


def _convert(argument):
    if isinstance(argument, np.ndarray):
        if not argument.flags.c_contiguous:
            raise ValueError("arrays must be contiguous; see numpy.ascontiguousarray")
        return ctypes.c_void_p(argument.ctypes.data)
    if isinstance(argument, str):
        return ctypes.c_char_p(argument.encode())
    return getattr(argument, "handle", argument)


class Library:
    """What vertebra.json describes, as attributes."""

    def __init__(self, library, description):
        self._library = ctypes.CDLL(library)
        api = json.loads(pathlib.Path(description).read_text(encoding="utf-8"))
        self._types = dict(_SCALARS)
        self._callbacks = {}
        self._keywords = {}
        for entry in api["constants"]:
            setattr(self, entry["name"], entry["value"])
        for entry in api["enumerations"]:
            self._types[entry["name"]] = ctypes.c_int32
            for value in entry["values"]:
                setattr(self, value["name"], value["value"])
        for entry in api["handles"]:
            self._struct(entry["name"], [("bits", ctypes.c_uint64)])
        for entry in api["structs"]:
            self._struct(entry["name"], [(field["name"], self._field(entry["name"], field)) for field in entry["fields"]])
            self._keywords[entry["name"]] = self._keywords_of(getattr(self, entry["name"]))
        for entry in api["functions"]:
            self._function(entry)

    def _struct(self, name, fields):
        struct = type(name, (ctypes.Structure,), {"_fields_": fields})
        self._types[name] = struct
        setattr(self, name, struct)

    def _keywords_of(self, struct):
        """Paths to the fields of a struct by keyword: the path with _ in place of dots, its beginning left out where one field alone has
        that end."""
        paths = []
        for name, kind in struct._fields_:
            inner = self._keywords.get(kind.__name__, {})
            paths += [(name, *path) for path in dict.fromkeys(inner.values()) if path] if inner else [(name,)]
        result = {}
        for path in paths:
            for first in range(1, len(path)):
                end = "_".join(path[first:])
                result[end] = None if end in result else path
        return {**result, **{"_".join(path): path for path in paths}}

    def _type(self, entry):
        """Type of a field, or of a parameter of a callback."""
        if entry["kind"] == "text":
            return ctypes.c_char_p
        if entry["kind"] in ("pointer", "object", "callback"):
            return ctypes.c_void_p
        return self._types[entry["element"]] * entry["count"] if entry["kind"] == "array" else self._types[entry["element"]]

    def _field(self, struct, field):
        if field["kind"] != "callback":
            return self._type(field)
        returned = ctypes.c_void_p if "*" in field["returns"] else self._types[field["returns"]]
        callback = ctypes.CFUNCTYPE(returned, *map(self._type, field["parameters"]))
        self._callbacks[struct, field["name"]] = callback
        return callback

    def _function(self, entry):
        name, returned = entry["name"], entry["returns"]
        function = getattr(self._library, name)
        function.restype = ctypes.c_char_p if returned == "const char*" else self._types[returned]
        if returned != "vtb_status":
            setattr(self, name, lambda *arguments: function(*map(_convert, arguments)))
            return

        def call(*arguments):
            status = function(*map(_convert, arguments))
            if status != self.VTB_OK:
                raise Error(status, self._library.vtb_last_error().decode(errors="replace"))

        call.__name__ = name
        call.__doc__ = entry["about"]
        setattr(self, name, call)

    def make(self, struct, **values):
        """A struct prepared by its _init call (or zeros with struct_size set), with the given fields changed; contact_margin, or margin,
        stands for contact.margin."""
        result = getattr(self, struct)()
        if hasattr(self, struct + "_init"):
            getattr(self, struct + "_init")(ctypes.byref(result), ctypes.c_uint32(ctypes.sizeof(result)))
        else:
            result.struct_size = ctypes.sizeof(result)
        for keyword, value in values.items():
            path = self._keywords[struct].get(keyword)
            if not path:
                raise TypeError(f"{keyword} is no field of {struct}, or several end so: give its path with _ in place of dots")
            owner, name = result, path[-1]
            for part in path[:-1]:
                owner = getattr(owner, part)
            kind, inner = dict(owner._fields_)[name], type(owner).__name__
            if (inner, name) in self._callbacks:
                value = self._callbacks[inner, name](value)
            elif isinstance(value, str):
                value = value.encode()
            elif hasattr(kind, "_length_"):
                value = kind(*value)
            else:
                value = getattr(value, "handle", value)
            setattr(owner, name, value)
        return result


def _load():
    root = _HERE.parents[2]
    library = _find("VERTEBRA_LIBRARY", root / "build/release/lib/libvertebra.so") or "libvertebra.so.1"
    description = _find("VERTEBRA_JSON", root / "build/release/api/vertebra.json", pathlib.Path("/usr/local/share/vertebra/vertebra.json"),
                        pathlib.Path("/usr/share/vertebra/vertebra.json"))
    if not description:
        raise ImportError("vertebra.json was not found; name it in VERTEBRA_JSON")
    result = Library(library, description)
    if result.vtb_abi() != result.VTB_ABI:
        raise ImportError("vertebra.json and library are of different ABIs")
    return result


vtb = _load()


def _array(function, *arguments, width=1):
    """Calls a getter of the form (..., out, capacity, [stride,] &total) twice: for the size, then for the values."""
    total = ctypes.c_size_t()
    stride = [ctypes.c_size_t(0)] if width > 1 else []
    function(*arguments, None, ctypes.c_size_t(0), *stride, ctypes.byref(total))
    out = np.zeros((total.value, width) if width > 1 else total.value)
    function(*arguments, out, ctypes.c_size_t(total.value), *stride, ctypes.byref(total))
    return out


class _Owner:
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


class Skeleton(_Owner):
    """A figure's model from a URDF file."""

    _destroy = "vtb_skeleton_release"

    def __init__(self, path=None, **options):
        if path is not None:
            super().__init__(vtb.vtb_skeleton_load_urdf, os.fspath(path), ctypes.byref(vtb.make("vtb_urdf_def", **options)), None)

    @classmethod
    def from_motion(cls, motion, **options):
        skeleton = cls()
        _Owner.__init__(skeleton, vtb.vtb_skeleton_from_motion, motion, ctypes.byref(vtb.make("vtb_motion_figure_def", **options)), None)
        return skeleton

    @property
    def info(self):
        info = vtb.make("vtb_skeleton_info")
        vtb.vtb_skeleton_get_info(self, ctypes.byref(info))
        return info


class Motion(_Owner):
    """A clip from a BVH file."""

    _destroy = "vtb_motion_release"

    def __init__(self, path, **options):
        super().__init__(vtb.vtb_motion_load_bvh, os.fspath(path), ctypes.byref(vtb.make("vtb_bvh_def", **options)), None)

    def poses(self, time, raw=False):
        return _array(vtb.vtb_motion_sample_poses, self, ctypes.c_double(time), ctypes.c_int32(raw), width=7)


class Workspace(_Owner):
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
        return _array(vtb.vtb_dynamics_poses, self, self._sized(q, self.nq, "q"), width=7)

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


class Ode(_Owner):
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


def _numbers(*values):
    return (ctypes.c_double * len(values))(*values)


def _ends(body_a, body_b):
    return body_a or vtb.vtb_body(), body_b or vtb.vtb_body()


class World(_Owner):
    """A world; settings are the fields of vtb_world_def, callbacks included: contact_margin for contact.margin."""

    _destroy = "vtb_world_destroy"

    def __init__(self, **settings):
        self._def = vtb.make("vtb_world_def", **settings)  # keeps the callbacks alive
        super().__init__(vtb.vtb_world_create, ctypes.byref(self._def))

    def step(self, steps=1):
        vtb.vtb_world_step(self, ctypes.c_uint32(steps))

    @property
    def time(self):
        seconds = ctypes.c_double()
        vtb.vtb_world_get_time(self, ctypes.byref(seconds))
        return seconds.value

    def poses(self):
        return _array(vtb.vtb_world_get_poses, self, width=7)

    def twists(self):
        return _array(vtb.vtb_world_get_twists, self, width=6)

    @property
    def energy(self):
        energy = vtb.make("vtb_energy")
        vtb.vtb_world_get_energy(self, ctypes.byref(energy))
        return energy

    @property
    def stats(self):
        stats = vtb.make("vtb_world_stats")
        vtb.vtb_world_get_stats(self, ctypes.byref(stats))
        return stats

    @property
    def momentum(self):
        """Linear, and angular about the origin."""
        linear, angular = np.empty(3), np.empty(3)
        vtb.vtb_world_get_momentum(self, linear, angular)
        return linear, angular

    def add_body(self, **values):
        body = vtb.vtb_body()
        vtb.vtb_body_create(self, ctypes.byref(vtb.make("vtb_body_def", **values)), ctypes.byref(body))
        return body

    def add_shape(self, body=None, **values):
        shape = vtb.vtb_shape()
        vtb.vtb_shape_create(self, body or vtb.vtb_body(), ctypes.byref(vtb.make("vtb_shape_def", **values)), ctypes.byref(shape))
        return shape

    def add_joint(self, body_a=None, body_b=None, **values):
        """body_a None: the world."""
        joint = vtb.vtb_joint()
        definition = vtb.make("vtb_joint_def", body_a=body_a or vtb.vtb_body(), body_b=body_b, **values)
        vtb.vtb_joint_create(self, ctypes.byref(definition), ctypes.byref(joint))
        return joint

    def ground(self, friction=0.8):
        """The plane z = 0."""
        return self._made("vtb_make_ground", "vtb_shape", ctypes.c_double(friction))

    def box(self, position, half_extents, mass=1.0, orientation=(0, 0, 0, 1)):
        """A dynamic box; position and half extents in m, mass in kg."""
        return self._made("vtb_make_box", "vtb_body", _numbers(*position, *orientation), _numbers(*half_extents), ctypes.c_double(mass))

    def sphere(self, position, radius, mass=1.0):
        """A dynamic ball."""
        return self._made("vtb_make_sphere", "vtb_body", _numbers(*position, 0, 0, 0, 1), ctypes.c_double(radius), ctypes.c_double(mass))

    def hinge(self, body_a, body_b, point, axis):
        """A hinge at a point and about an axis of the world; a body None: the world."""
        return self._made("vtb_make_hinge", "vtb_joint", *_ends(body_a, body_b), _numbers(*point), _numbers(*axis))

    def ball(self, body_a, body_b, point):
        """A ball joint at a point of the world."""
        return self._made("vtb_make_ball", "vtb_joint", *_ends(body_a, body_b), _numbers(*point))

    def spring(self, body_a, body_b, point_a, point_b, stiffness, damping=0.0):
        """A spring between two points, given in the world, at rest at their present distance."""
        return self._made("vtb_make_spring", "vtb_joint", *_ends(body_a, body_b), _numbers(*point_a), _numbers(*point_b),
                          ctypes.c_double(stiffness), ctypes.c_double(damping))

    def _made(self, function, handle, *arguments):
        made = getattr(vtb, handle)()
        getattr(vtb, function)(self, *arguments, ctypes.byref(made))
        return made

    def add_figure(self, skeleton, **values):
        figure = vtb.vtb_figure()
        vtb.vtb_figure_create(self, ctypes.byref(vtb.make("vtb_figure_def", skeleton=skeleton, **values)), ctypes.byref(figure))
        return Figure(self, figure)


class Figure:
    """A skeleton in a world."""

    def __init__(self, world, handle):
        self.world, self.handle = world, handle

    @property
    def q(self):
        return _array(vtb.vtb_figure_get_q, self.world, self.handle)

    @property
    def v(self):
        return _array(vtb.vtb_figure_get_v, self.world, self.handle)

    def poses(self):
        return _array(vtb.vtb_figure_get_poses, self.world, self.handle, width=7)

    def set_torques(self, tau):
        tau = np.ascontiguousarray(tau, dtype=np.float64)
        if tau.shape != self.v.shape:
            raise ValueError(f"tau must have {self.v.size} numbers")
        vtb.vtb_figure_set_torques(self.world, self.handle, tau)
