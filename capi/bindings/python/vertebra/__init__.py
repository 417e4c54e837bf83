"""vertebra from Python: ctypes and numpy, no compiler needed. vertebra.json, which is made from the C header, is read at run time, so that
every function, struct and constant is here without a second list of them: vtb.vtb_body_get_pose(world, body, pose), vtb.vtb_body_def, vtb.VTB_E_ARG.

Arrays are numpy arrays of float64 (or uint32), passed as they are. A call that fails raises Error with the library's text. The classes
World, Skeleton, Motion, Figure and Workspace spell the commonest calls; their `handle` goes into all others.

VERTEBRA_LIBRARY and VERTEBRA_JSON name the files when they are neither installed nor in the build tree beside this one.
"""
from .library import Error, Library, vtb
from .models import Motion, Skeleton, Workspace
from .ode import Ode
from .world import Figure, World

__all__ = ["Error", "Figure", "Library", "Motion", "Ode", "Skeleton", "Workspace", "World", "vtb"]
