"""vertebra from Python: ctypes and numpy, no compiler needed.

World, Skeleton, Motion, Trajectory, Scene and the things of a world (Body, Joint, Figure, Sensor, ...) spell what is done every day; a
world, a skeleton and so on release what they hold when they are collected, by close(), or at the end of a with.

All of vertebra.h is at hand besides, as vertebra.json tells it: vtb.vtb_body_get_pose(world, body, pose), vtb.vtb_body_def,
vtb.VTB_E_ARG. Arrays are numpy arrays, which the library reads and fills in place. The fields of structs are keywords: add_body(mass=2);
contact_margin, or margin, stands for contact.margin; enumerators are classes, or words: type="revolute" for JointType.REVOLUTE.

A call that fails raises a subclass of Error with the library's text: ArgError for VTB_E_ARG, StaleError for VTB_E_STALE and so on. What a
callback raises is raised by the call in which it happened.

VERTEBRA_BUILD names a build folder; VERTEBRA_LIBRARY and VERTEBRA_JSON name the files themselves.
"""
from . import enums, errors
from .library import Error, Library, vtb
from .enums import *  # noqa: F401, F403
from .errors import *  # noqa: F401, F403
from .figure import Controller, Figure
from .models import Skeleton, Workspace
from .motions import Markers, Motion, Retargeter, RetargetMap, RetargetReport, Trajectory, retarget, track
from .ode import Ode
from .owner import Finding
from .scene import Scene
from .things import Body, Constraint, Coupling, Field, Joint, Particles, Sensor, Shape
from .world import World

__version__ = vtb.version
__all__ = ["Body", "Constraint", "Controller", "Coupling", "Error", "Field", "Figure", "Finding", "Joint", "Library", "Markers", "Motion", "Ode",
           "Particles", "RetargetMap", "RetargetReport", "Retargeter", "Scene", "Sensor", "Shape", "Skeleton", "Trajectory", "Workspace", "World",
           "enums", "errors", "retarget", "track", "vtb"]
__all__ += enums.__all__ + errors.__all__
