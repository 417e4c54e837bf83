"""A world, and the figures in it."""
import ctypes

import numpy as np

from .library import vtb
from .owner import Owner, array_of


def _numbers(*values):
    return (ctypes.c_double * len(values))(*values)


def _ends(body_a, body_b):
    return body_a or vtb.vtb_body(), body_b or vtb.vtb_body()


class World(Owner):
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
        return array_of(vtb.vtb_world_get_poses, self, width=7)

    def twists(self):
        return array_of(vtb.vtb_world_get_twists, self, width=6)

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

    def add_sensor(self, body=None, **values):
        """body None: a site fixed in the world, or of a joint (type VTB_SENSOR_TYPE_FORCE_TORQUE, joint=...)."""
        sensor = vtb.vtb_sensor()
        vtb.vtb_sensor_create(self, ctypes.byref(vtb.make("vtb_sensor_def", body=body or vtb.vtb_body(), **values)), ctypes.byref(sensor))
        return sensor

    def read(self, sensor):
        """What a sensor read after the last physics step; its type says which values."""
        return array_of(vtb.vtb_sensor_get_values, self, sensor)

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
        return array_of(vtb.vtb_figure_get_q, self.world, self.handle)

    @property
    def v(self):
        return array_of(vtb.vtb_figure_get_v, self.world, self.handle)

    def poses(self):
        return array_of(vtb.vtb_figure_get_poses, self.world, self.handle, width=7)

    def set_torques(self, tau):
        tau = np.ascontiguousarray(tau, dtype=np.float64)
        if tau.shape != self.v.shape:
            raise ValueError(f"tau must have {self.v.size} numbers")
        vtb.vtb_figure_set_torques(self.world, self.handle, tau)
