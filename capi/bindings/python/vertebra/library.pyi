# Made by stubs.py from vertebra.json: not to be edited.
import ctypes
import os
from typing import Any, Sequence

import numpy as np

from .errors import Error as Error

Array = Sequence[float] | np.ndarray
Out = np.ndarray | ctypes.Array[Any] | None
Text = str | bytes | os.PathLike[str] | None

class Struct(ctypes.Structure): ...

class Handle(Struct):
    bits: int
    def __bool__(self) -> bool: ...
    def __hash__(self) -> int: ...

class Library:
    def __init__(self, library: str, description: str) -> None: ...
    version: str
    def make(self, struct: str, **values: Any) -> Any: ...
    def about(self, name: str) -> str: ...
    def _value(self, owner: Any, name: str, value: Any, kept: list[Any], given: dict[str, Any]) -> Any: ...
    _objects: dict[str, Any]
    _keywords: dict[str, Any]
    VTB_ABI: int
    VTB_OK: int  # the call did what it says
    VTB_E_ARG: int  # an argument is NULL, not a number, out of range or of the wrong size
    VTB_E_STALE: int  # a handle of something destroyed, or of another world
    VTB_E_BUSY: int  # called from inside a callback
    VTB_E_NOMEM: int  # out of memory
    VTB_E_DIVERGED: int  # the step was undone; the world holds the last good one
    VTB_E_INFEASIBLE: int  # constraints contradict each other; the result is inside all bounds, the residual is in the statistics
    VTB_E_IO: int  # a file could not be read or written
    VTB_E_PARSE: int  # a file was read but makes no sense; see the diagnostics
    VTB_E_UNSUPPORTED: int  # known, but not with these settings
    VTB_E_INTERNAL: int  # a defect of the library; the world may only be destroyed
    VTB_E_UNSOLVED: int  # with VTB_WORLD_FLAG_TELL_UNSOLVED: rows that no solver met; the step was made, see the statistics
    VTB_SEVERITY_INFO: int  # something was assumed
    VTB_SEVERITY_WARNING: int  # something was repaired or left out
    VTB_SEVERITY_ERROR: int  # the file cannot be used
    VTB_JOINT_TYPE_FIXED: int  # not at all
    VTB_JOINT_TYPE_REVOLUTE: int  # turns about an axis, within limits
    VTB_JOINT_TYPE_CONTINUOUS: int  # turns about an axis without end
    VTB_JOINT_TYPE_PRISMATIC: int  # slides along an axis
    VTB_JOINT_TYPE_UNIVERSAL: int  # turns about an axis of the parent and one of the child
    VTB_JOINT_TYPE_SPHERICAL: int  # turns about a point
    VTB_JOINT_TYPE_PLANAR: int  # slides in a plane and turns about its normal
    VTB_JOINT_TYPE_FLOATING: int  # moves freely
    VTB_JOINT_TYPE_CYLINDRICAL: int  # turns about an axis and slides along it
    VTB_JOINT_TYPE_SCREW: int  # turns about an axis and advances along it in proportion
    VTB_JOINT_TYPE_WHEEL: int  # suspension, steering and turn about an axle
    VTB_JOINT_TYPE_MOTOR: int  # six axes between two bodies, each soft and bounded; removes no freedom
    VTB_JOINT_TYPE_AXIS_ANGULAR: int  # limit and motor about an axis of body_a, between any two bodies
    VTB_JOINT_TYPE_AXIS_LINEAR: int  # limit and motor along an axis of body_a
    VTB_JOINT_TYPE_DISTANCE: int  # Distance of the two frames' origins: one axis, at first limited to the present distance, a rod; other limits make it a rope (lower 0) or a limited spring, a motor makes it a cylinder.
    VTB_JOINT_TYPE_POINT_ON_LINE: int  # frame b's origin stays on the axis of frame a; its axis: the way along it
    VTB_JOINT_TYPE_POINT_ON_PLANE: int  # Frame b's origin stays in the plane through frame a's origin with the axis as normal; its axes: x and y in the plane.
    VTB_JOINT_TYPE_POINT_ON_CURVE: int  # frame b's origin stays on a curve in frame a; its axis: the way along it
    VTB_JOINT_TYPE_ROTOR: int  # no bodies: a shaft of one angle, its inertia is its axis' armature; couplings tie it to others
    VTB_COMBINE_DEFAULT: int  # friction: geometric mean; restitution: maximum
    VTB_COMBINE_GEOMETRIC_MEAN: int  # square root of the product
    VTB_COMBINE_AVERAGE: int  # half the sum
    VTB_COMBINE_MINIMUM: int  # the smaller
    VTB_COMBINE_MULTIPLY: int  # the product
    VTB_COMBINE_MAXIMUM: int  # the larger
    VTB_SHAPE_TYPE_SPHERE: int  # size[0] = radius
    VTB_SHAPE_TYPE_CAPSULE: int  # size[0] = radius, size[2] = half length of the cylinder part; along local z
    VTB_SHAPE_TYPE_BOX: int  # size = half extents
    VTB_SHAPE_TYPE_CYLINDER: int  # size[0] = radius, size[2] = half length; along local z
    VTB_SHAPE_TYPE_PLANE: int  # solid below local z = 0; static bodies only
    VTB_SHAPE_TYPE_CONVEX: int  # points, or planes (half-spaces n.x <= d)
    VTB_SHAPE_TYPE_MESH: int  # points and triangles: a surface, contact on static bodies only, unless convex_parts make it a solid
    VTB_SHAPE_TYPE_COMPOUND: int  # a frame for other shapes, no geometry
    VTB_SHAPE_TYPE_HEIGHTFIELD: int  # Heights over a grid, solid below; static and kinematic bodies. size[0], size[1] = spacing along x (columns) and y (rows), size[2] = depth of the solid below the lowest height; it ends in vertical sides, which rays do not see.
    VTB_INERTIA_LENIENT: int  # Keep what is physical or nearly so, mend what is not, and say it. Links of a part that moves without any mass get it from their shapes at 1000 kg/m^3, or, where these are not there, from capsules to the next joints. Strict: an error.
    VTB_INERTIA_GEOMETRY: int  # Missing inertia is computed from the shapes at 1000 kg/m^3; missing moments beside a mass too, scaled to it.
    VTB_INERTIA_ERROR: int  # missing or invalid inertia is an error
    VTB_LOAD_FLAG_STRICT: int  # refuse what would be repaired otherwise
    VTB_LOAD_FLAG_NO_MESHES: int  # leave mesh files unread; shapes that need them are missing, and said to be
    VTB_LOAD_FLAG_DERIVE_COLLISION: int  # a link without collision shape gets one from its visual or its bones
    VTB_UP_AXIS_GUESS: int  # from the figure's pose
    VTB_UP_AXIS_X: int  # x
    VTB_UP_AXIS_Y: int  # y
    VTB_UP_AXIS_Z: int  # z
    VTB_FILTER_LOW_PASS: int  # Butterworth of second order, forwards and backwards
    VTB_FILTER_SPLINE: int  # cubic smoothing spline
    VTB_MEND_CUT: int  # taken out; what follows moves up
    VTB_MEND_INTERPOLATE: int  # replaced by what lies between the frames around: positions linear, rotations on the group; ends stay
    VTB_BASE_DEFAULT: int  # as the file says
    VTB_BASE_FIXED: int  # fixed in the world
    VTB_BASE_FLOATING: int  # moves freely
    VTB_MODEL_FLAG_NO_MIMIC: int  # mimic joints get coordinates of their own
    VTB_RETARGET_ROLE_LEFT_HIP: int  # thigh of the left leg
    VTB_RETARGET_ROLE_LEFT_KNEE: int  # shin of the left leg
    VTB_RETARGET_ROLE_LEFT_FOOT: int  # of the left leg
    VTB_RETARGET_ROLE_LEFT_TOE: int  # of the left foot; of motions only
    VTB_RETARGET_ROLE_LEFT_SHOULDER: int  # upper arm of the left arm
    VTB_RETARGET_ROLE_LEFT_ELBOW: int  # forearm of the left arm
    VTB_RETARGET_ROLE_LEFT_HAND: int  # of the left arm
    VTB_RETARGET_ROLE_RIGHT_HIP: int  # thigh of the right leg
    VTB_RETARGET_ROLE_RIGHT_KNEE: int  # shin of the right leg
    VTB_RETARGET_ROLE_RIGHT_FOOT: int  # of the right leg
    VTB_RETARGET_ROLE_RIGHT_TOE: int  # of the right foot; of motions only
    VTB_RETARGET_ROLE_RIGHT_SHOULDER: int  # upper arm of the right arm
    VTB_RETARGET_ROLE_RIGHT_ELBOW: int  # forearm of the right arm
    VTB_RETARGET_ROLE_RIGHT_HAND: int  # of the right arm
    VTB_RETARGET_ROLE_PELVIS: int  # what carries both legs
    VTB_RETARGET_ROLE_HEAD: int  # the head
    VTB_TRACK_FLAG_NO_ASSIST: int  # nothing helps the root: the figure stands on its feet alone, until it falls
    VTB_TRACK_FLAG_NO_FEED_FORWARD: int  # drives of the axes alone, without torques by inverse dynamics
    VTB_TRACK_FLAG_NO_FEEDBACK: int  # torques by inverse dynamics alone, within limits of torque
    VTB_TRACK_FLAG_NO_PREPARATION: int  # the trajectory as it is: feet that swing may touch the ground
    VTB_TRACK_FLAG_SELF_COLLISION: int  # links of the figure touch each other
    VTB_INTEGRATOR_WORLD: int  # of bodies and figures: the world's
    VTB_INTEGRATOR_EXPLICIT_EULER: int  # order 1
    VTB_INTEGRATOR_SYMPLECTIC_EULER: int  # order 1: velocities first, positions with the new ones
    VTB_INTEGRATOR_IMPLICIT_EULER: int  # order 1: Newton's method, Jacobian by differences
    VTB_INTEGRATOR_MIDPOINT: int  # order 2, explicit
    VTB_INTEGRATOR_RK4: int  # order 4, Runge and Kutta
    VTB_INTEGRATOR_DORMAND_PRINCE: int  # order 5 with an embedded method of order 4
    VTB_STEP_CONTROL_FIXED: int  # steps of equal length, at most the given one
    VTB_STEP_CONTROL_DOUBLING: int  # by the error of a step against two of half its length
    VTB_STEP_CONTROL_EMBEDDED: int  # by the error against the embedded method; Dormand-Prince only
    VTB_STEP_CONTROL_TAYLOR: int  # by the first term the method leaves out, from the history of derivatives: one evaluation, but seen late
    VTB_TREE_SOLVER_ARTICULATED: int  # recursions over articulated bodies
    VTB_TREE_SOLVER_SPARSE: int  # a sparse factorisation of the mass matrix
    VTB_TREE_SOLVER_DENSE: int  # a dense factorisation of the mass matrix
    VTB_SOLVER_PGS: int  # sweeps of projected Gauss-Seidel
    VTB_SOLVER_DANTZIG: int  # directly, by Dantzig's pivots
    VTB_SOLVER_JACOBI: int  # sweeps of Jacobi
    VTB_SOLVER_CG: int  # conjugate gradients on sweeps
    VTB_SOLVER_LEMKE: int  # directly, by Lemke's pivots; friction is a polygon in the cone
    VTB_SWEEP_FORWARD: int  # first to last
    VTB_SWEEP_BACKWARD: int  # last to first
    VTB_SWEEP_SYMMETRIC: int  # there and back in turn
    VTB_SWEEP_SHUFFLED: int  # shuffled, alike in every run
    VTB_FRICTION_LAW_CONE: int  # a disc of radius mu n
    VTB_FRICTION_LAW_PYRAMID: int  # mu n along each of two tangents that the normal fixes
    VTB_FRICTION_LAW_PYRAMID_ALONG_SLIDING: int  # the same with the first tangent along the sliding
    VTB_FRICTION_LAW_POLYHEDRAL: int  # a polygon in the disc, under VTB_SOLVER_LEMKE; the disc under other solvers
    VTB_FRICTION_LAW_ESTIMATED: int  # a box from the normal forces of a solution without friction
    VTB_FRICTION_LAW_LOETSTEDT: int  # a box from the last step's normal forces
    VTB_STEPPER_IMPULSE: int  # velocities by impulses; smooth islands of trees to second order
    VTB_STEPPER_VARIATIONAL: int  # symplectic: no drift of energy over long times, momenta kept; costs more a step
    VTB_STEPPER_ODE: int  # the trees' equations of motion under a vtb_integrator, impacts in between; see vtb_ode_settings
    VTB_STEPPER_SPOOK: int  # joints outside trees, couplings and contacts with a compliance and a relaxation time; first order
    VTB_STEPPER_DISPLACEMENT: int  # Free poses, moved by sweeps over positions: iterations, tolerance, order and relaxation of vtb_solver_settings are those of the sweeps; where contacts alone tie bodies, up to five times as many sweeps more, of impulses. Its type must be pgs, friction_law the cone, restitution_law Newton's; first order.
    VTB_STABILISATION_NEWTON: int  # their error is removed in the coordinates after each step
    VTB_STABILISATION_BAUMGARTE: int  # a velocity against it: J v = -baumgarte * C
    VTB_STABILISATION_NONE: int  # they drift
    VTB_WORLD_FLAG_NO_SLEEP: int  # islands at rest are stepped like others; else they are skipped
    VTB_WORLD_FLAG_NO_ENERGY_CORRECTION: int  # smooth islands keep the error of their energy; else they are corrected
    VTB_WORLD_FLAG_ENERGY_ACCOUNT: int  # keep the work and loss accounts of vtb_world_get_energy
    VTB_WORLD_FLAG_FREE_POSES: int  # Each body keeps a pose of its own and every joint is a constraint between two: the form that the literature on maximal coordinates studies; slower, and joints drift by what the stabilisation leaves. A body without mass goes with the one that it is fixed to.
    VTB_WORLD_FLAG_PERSIST_EVENTS: int  # contact events also for pairs that go on touching, one a physics step
    VTB_WORLD_FLAG_NO_CONTINUOUS: int  # no search for impacts of fast bodies within a step: they may pass through thin things
    VTB_WORLD_FLAG_PLANAR: int  # Free bodies keep their height y and turn about y alone, from the pose they were created in: they have three coordinates. Figures and joints must have axes that fit.
    VTB_WORLD_FLAG_STAGE_TIMES: int  # read the clock between the stages of a step, for vtb_world_stats
    VTB_WORLD_FLAG_CONTACT_POSITIONS: int  # Penetration is removed by displacements (contact.correction, contact.speed), which give bodies no speed; else by velocities. Links of figures that are deeper than a quarter of adaptive.depth get up to 0.2 m/s besides. Steppers impulse and variational.
    VTB_WORLD_FLAG_ODE_VELOCITY_BILATERAL: int  # Stepper ode: joints outside trees and couplings hold in velocities, which meet them after each integration step; else at acceleration level.
    VTB_WORLD_FLAG_ODE_VELOCITY_UNILATERAL: int  # Stepper ode: contacts, limits and dry friction hold by impulses at the end of each physics step; else at acceleration level.
    VTB_WORLD_FLAG_DISPLACEMENT_ALONG_ERRORS: int  # Joints hold along their error, which keeps angular momentum while they are open but diverges where a light moment has a long arm; else all held directions at once.
    VTB_WORLD_FLAG_DISPLACEMENT_FROZEN: int  # Directions, arms and inverse masses of the predicted poses, for small turns; else the newest.
    VTB_WORLD_FLAG_DISPLACEMENT_GYROSCOPIC: int  # with what turning does to the angular momentum in the bodies' inertia
    VTB_WORLD_FLAG_TELL_UNSOLVED: int  # A step that leaves an island unsolved, so that its contacts or limits may give way, answers VTB_E_UNSOLVED; else VTB_OK, and `unsolved` of vtb_world_stats and the log say so. It is made either way.
    VTB_RESTITUTION_LAW_NEWTON: int  # leaves at e times the speed it met; less where that would create energy
    VTB_RESTITUTION_LAW_POISSON: int  # e times the impulse of compression follows it
    VTB_STAGE_FORCES: int  # force fields, drivelines, callbacks
    VTB_STAGE_MOVE: int  # coordinates; what steppers but impulse do besides the other stages
    VTB_STAGE_COLLIDE: int  # contacts, islands
    VTB_STAGE_FACTOR: int  # momenta, inertias, free velocities
    VTB_STAGE_ROWS: int  # of contacts, limits and other constraints
    VTB_STAGE_SOLVE: int  # impulses of the rows
    VTB_STAGE_FINISH: int  # velocities and accelerations, accounts, events, sleep
    VTB_STAGE_PARTICLES: int  # particle systems
    VTB_BODY_KIND_STATIC: int  # nothing
    VTB_BODY_KIND_KINEMATIC: int  # its velocity
    VTB_BODY_KIND_DYNAMIC: int  # physics
    VTB_DURATION_ONE_STEP: int  # one whole vtb_world_step, substeps included
    VTB_DURATION_UNTIL_CLEARED: int  # until vtb_body_clear_forces
    VTB_CURVE_FLAG_SPLINE: int  # it is smooth; else a polyline
    VTB_CURVE_FLAG_CLOSED: int  # it ends where it begins
    VTB_MOTOR_MODE_OFF: int  # nothing
    VTB_MOTOR_MODE_POSITION: int  # stiffness * (position - q) + damping * (velocity - v), implicit, then bounded
    VTB_MOTOR_MODE_VELOCITY: int  # damping * (velocity - v); damping inf: as strong as the bound allows. Without a bound (and effort) a wall, limit or second such motor in its way is a contradiction: VTB_E_INFEASIBLE, and it yields.
    VTB_MOTOR_MODE_TORQUE: int  # force
    VTB_ROW_LEVEL_POSITION: int  # its coordinates, or error
    VTB_ROW_LEVEL_VELOCITY: int  # its rate only
    VTB_FIELD_TYPE_RADIAL: int  # strength * m * r / |r|^3 to the point, or to source, which feels the opposite
    VTB_FIELD_TYPE_PAIRWISE: int  # gravitation between all bodies
    VTB_FIELD_TYPE_DRAG: int  # -(linear + quadratic |u|) u, and -angular times the angular velocity
    VTB_FIELD_TYPE_MAGNUS: int  # strength * angular velocity x u
    VTB_FIELD_TYPE_LENNARD_JONES: int  # 24 strength (2 (length/r)^12 - (length/r)^6) / r between all pairs nearer than range
    VTB_FIELD_TYPE_ATTRACTOR: int  # strength * |r|^exponent to the point, nearer than range; repels where strength is negative
    VTB_FIELD_TYPE_USER: int  # what the callback gives
    VTB_POINTS_MEASURE_LENGTH: int  # of the line through the points: a rope as one; error = length - value [m]
    VTB_POINTS_MEASURE_VOLUME: int  # Of the tetrahedron between four: (p1 - p0) . ((p2 - p0) x (p3 - p0)) / 6; error = (volume - value) / |value|^(2/3) [m].
    VTB_DRIVELINE_TYPE_ENGINE: int  # the crankshaft
    VTB_DRIVELINE_TYPE_CONVERTER: int  # impeller, turbine
    VTB_DRIVELINE_TYPE_GEARBOX: int  # input, output
    VTB_DRIVELINE_TYPE_DIFFERENTIAL: int  # input, left, right: input = ratio * (split * left + (1 - split) * right)
    VTB_DRIVELINE_TYPE_PUMP: int  # the shaft, coefficient = displacement at full stroke [m^3/rad]; cylinders, coefficient = area
    VTB_DRIVELINE_TYPE_CYLINDER: int  # cylinders fed from elsewhere, coefficient = area; those of one circuit share its pressure
    VTB_PARTICLES_FLAG_NO_PAIRS: int  # they do not touch each other
    VTB_PARTICLES_FLAG_NO_SHAPES: int  # they do not touch shapes
    VTB_SINK_TYPE_HALF_SPACE: int  # below local z = 0
    VTB_SINK_TYPE_BOX: int  # size = half extents
    VTB_SINK_TYPE_SPHERE: int  # size[0] = radius
    VTB_FIGURE_FLAG_NO_MIMIC: int  # mimic joints get coordinates of their own
    VTB_FIGURE_FLAG_NO_SELF_COLLISION: int  # its links do not touch each other
    VTB_CONTROLLER_TYPE_DRIVE: int  # a spring and a damper on each axis towards a pose
    VTB_CONTROLLER_TYPE_ANIMATION: int  # clips, one after the other
    VTB_CONTROLLER_TYPE_ROOT_DRIVE: int  # a bounded force that holds the root
    VTB_CONTROLLER_TYPE_MARKER_DRIVE: int  # bounded forces that draw points of links to places
    VTB_CONTROLLER_TYPE_INVERSE_DYNAMICS: int  # the torques that the wanted motion needs
    VTB_CONTROLLER_TYPE_POINT: int  # hands, heads and tools to places and directions
    VTB_CONTROLLER_TYPE_BALANCE: int  # the centre of mass over the feet
    VTB_DRIVE_POSE_WANTED: int  # that of the controllers before it
    VTB_DRIVE_POSE_NEUTRAL: int  # zero angles, until vtb_drive_set_pose
    VTB_REPEAT_NO: int  # its last frame stays
    VTB_REPEAT_STAY: int  # again at the clip's own place
    VTB_REPEAT_TRAVEL: int  # again from where it has come to
    VTB_FEEDBACK_NONE: int  # not at all: torques alone
    VTB_FEEDBACK_DRIVES: int  # by drives of the axes, the stiffer the larger the torque
    VTB_FEEDBACK_ACCELERATIONS: int  # by accelerations that the torques give as well: computed torque
    VTB_GOAL_TYPE_PLACE: int  # the link's point is at the target
    VTB_GOAL_TYPE_AIM: int  # the link's direction, from its point, passes through the target
    VTB_GOAL_TYPE_DIRECTION: int  # the link's direction is along the target
    VTB_GOAL_TYPE_STILL: int  # the link stays where it was when the goal began
    VTB_CONTACT_PHASE_BEGIN: int  # it began to touch
    VTB_CONTACT_PHASE_END: int  # it ceased to touch
    VTB_CONTACT_PHASE_PERSIST: int  # it went on touching
    VTB_SENSOR_TYPE_POSE: int  # 7: the site in the world, position [m] and quaternion
    VTB_SENSOR_TYPE_VELOCITY: int  # 6: velocity of the site [m/s], angular velocity [rad/s]
    VTB_SENSOR_TYPE_ACCELERATION: int  # 6: acceleration of the site [m/s^2], angular acceleration [rad/s^2], means over the physics step
    VTB_SENSOR_TYPE_IMU: int  # 6: acceleration of the site less the gravity that its body feels [m/s^2], angular velocity [rad/s]: 0 in free fall, upwards at rest
    VTB_SENSOR_TYPE_FORCE_TORQUE: int  # 6: force [N], and torque [N m] about the site, of body_a on body_b through the joint: of all that it holds, of drives, springs, limits and friction; means over the physics step
    VTB_SENSOR_TYPE_TOUCH: int  # 1: sum of the normal forces of contact points on the body [N], mean over the physics step
    VTB_SENSOR_AXES_SITE: int  # those of the site
    VTB_SENSOR_AXES_WORLD: int  # those of the world
    VTB_SENSOR_REGION_ALL: int  # all
    VTB_SENSOR_REGION_SPHERE: int  # those in a ball about the site; size[0] = radius
    VTB_SENSOR_REGION_BOX: int  # those in a box about the site, along its axes; size = half extents
    VTB_NAMED_BODY: int  # vtb_body
    VTB_NAMED_SHAPE: int  # vtb_shape
    VTB_NAMED_JOINT: int  # vtb_joint
    VTB_NAMED_COUPLING: int  # vtb_coupling
    VTB_NAMED_FIELD: int  # vtb_field
    VTB_NAMED_FIGURE: int  # vtb_figure; its links and joints are named figure/link, figure/joint
    VTB_NAMED_CONSTRAINT: int  # vtb_constraint: parts of drivelines, lengths and volumes over points
    VTB_NAMED_PARTICLES: int  # vtb_particles
    VTB_NAMED_SENSOR: int  # vtb_sensor
    class vtb_body(Handle):
        """Handle of a rigid body."""
    class vtb_shape(Handle):
        """Handle of a shape."""
    class vtb_joint(Handle):
        """Handle of a joint."""
    class vtb_coupling(Handle):
        """Handle of a coupling of joint axes."""
    class vtb_constraint(Handle):
        """Handle of a constraint of the caller, of a part of a driveline, or of a constraint on points."""
    class vtb_field(Handle):
        """Handle of a force field."""
    class vtb_particles(Handle):
        """Handle of a particle system."""
    class vtb_figure(Handle):
        """Handle of a figure."""
    class vtb_sensor(Handle):
        """Handle of a sensor."""
    class vtb_controller(Handle):
        """Handle of a controller of a figure."""
    class vtb_diagnostic(Struct):
        """One finding; its strings live as long as the vtb_diagnostics.
            severity: how much it matters
            line: counted from 1; 0 = unknown
            code: stable, such as "urdf.inertia.not-psd"
            file: as it was named
            element: such as "joint 'elbow'"
            message: what was found, what was done, how to mend"""
        severity: int
        line: int
        code: bytes | None
        file: bytes | None
        element: bytes | None
        message: bytes | None
    class vtb_swing_twist(Struct):
        """Limits of a spherical joint.
            swing [rad]: largest angle between the twist axes; inf = none
            twist_lower [rad]: least twist
            twist_upper [rad]: largest twist"""
        swing: float
        twist_lower: float
        twist_upper: float
    class vtb_axis_def(Struct):
        """One scalar axis of a joint: its limits, spring and losses.
            struct_size: sizeof the struct in the caller's program
            reserved: must be 0
            lower [rad or m]: hard limit; orientations have none (spherical: swing and twist; floating: its turning axes)
            upper [rad or m]: hard limit
            velocity [rad/s or m/s]: largest rate
            effort [N m or N]: largest motor force
            damping [N m s/rad or N s/m]: viscous
            friction [N m or N]: dry friction
            stiffness [N m/rad or N/m]: of a spring towards rest
            rest [rad or m]: where that spring is at rest
            armature [kg m^2 or kg]: inertia of a rotor on the axis
            restitution [1]: of the hard limits; swing and twist: each axis' by its share in the limit's direction"""
        struct_size: int
        reserved: int
        lower: float
        upper: float
        velocity: float
        effort: float
        damping: float
        friction: float
        stiffness: float
        rest: float
        armature: float
        restitution: float
    class vtb_surface(Struct):
        """A surface. With contact_stiffness it has a penalty contact in place of a rigid one: it pushes with stiffness * depth +
        damping * its rate; with hertz by stiffness * depth^1.5 * (1 + damping * rate); it never pulls. Two springs act in series;
        a rigid partner leaves the other's.
            friction [1]: Coulomb coefficient while sliding; see friction_combine
            restitution [1]: Newton's coefficient; see restitution_combine
            static_friction [1]: Coulomb coefficient up to which the pair sticks; below friction it counts as that
            rolling_friction [m]: of torques against rolling per normal force; a pair takes the larger
            torsional_friction [m]: likewise against turning about the normal
            friction_combine: how a pair makes one static and one sliding friction of two
            restitution_combine: how a pair makes one restitution of two
            contact_stiffness [N/m or N/m^1.5]: of a penalty contact in place of a rigid one; 0 = rigid
            contact_damping [N s/m or s/m]: of the penalty contact
            hertz: its penalty contact follows Hertz, and a pair's if either does
            stabilised: under the stepper ode: no rollback for its contacts, they are pushed out afterwards"""
        friction: float
        restitution: float
        static_friction: float
        rolling_friction: float
        torsional_friction: float
        friction_combine: int
        restitution_combine: int
        contact_stiffness: float
        contact_damping: float
        hertz: int
        stabilised: int
    class vtb_geometry(Struct):
        """What a convex shape, a mesh or a heightfield consists of.
            points [m]: of a convex shape or a mesh
            planes [1 and m]: outward normal and distance of each half-space
            triangles: indices of points, counter-clockwise from outside
            heights [m]: row by row; sample (row, column) is at (column size[0], row size[1])
            point_count: of points
            plane_count: of planes
            triangle_count: of triangles
            height_rows: rows of a heightfield, at least 2
            height_columns: columns of a heightfield, at least 2
            convex_parts: of a mesh: largest number of convex parts to cut it into, which touch in its place; 0 = none. The mesh
            must be closed; makes it fit for moving bodies; takes seconds for thousands of triangles
            convex_tolerance [1]: cutting a mesh ends where its parts exceed its volume by no more than this share"""
        points: Any
        planes: Any
        triangles: Any
        heights: Any
        point_count: int
        plane_count: int
        triangle_count: int
        height_rows: int
        height_columns: int
        convex_parts: int
        convex_tolerance: float
    class vtb_shape_def(Struct):
        """A shape.
            struct_size: sizeof the struct in the caller's program
            type: its geometry
            size [m]: see vtb_shape_type
            pose [pose]: in the parent shape or the link frame
            parent: a compound of the same body; not for skeletons
            surface: friction, restitution, softness
            category: categories it belongs to
            mask: categories it collides with; both shapes must agree
            rgba [1]: colour for display
            geometry: of a convex shape, a mesh or a heightfield"""
        struct_size: int
        type: int
        size: ctypes.Array[Any]
        pose: ctypes.Array[Any]
        parent: Library.vtb_shape
        surface: Library.vtb_surface
        category: int
        mask: int
        rgba: ctypes.Array[Any]
        geometry: Library.vtb_geometry
    class vtb_urdf_def(Struct):
        """How a URDF file is read.
            struct_size: sizeof the struct in the caller's program
            flags: options
            inertia: what becomes of missing or wrong inertia
            mesh_root_count: of mesh_roots
            mesh_roots: folders searched for meshes before all others, UTF-8
            resolve: may write a path for a mesh URI and return 1, or return 0; called first
            user: handed to the callback"""
        struct_size: int
        flags: int
        inertia: int
        mesh_root_count: int
        mesh_roots: Any
        resolve: Any
        user: Any
    class vtb_motion_figure_def(Struct):
        """How a motion becomes a figure.
            struct_size: sizeof the struct in the caller's program
            root: which root joint of the motion, counted from 0
            mass [kg]: of the figure; 0 = from the height
            density [kg/m^3]: of links whose names say nothing"""
        struct_size: int
        root: int
        mass: float
        density: float
    class vtb_skeleton_info(Struct):
        """What a skeleton holds.
            struct_size: sizeof the struct in the caller's program
            links: number of links
            joints: number of joints
            root: index of the root link
            floating_by_default: 0 when the file fixes the root (a link named "world")
            visuals: over all links
            shapes: collision shapes over all links
            sites: number of sites
            mass [kg]: sum over the links
            roles: number of roles
            reserved: must be 0"""
        struct_size: int
        links: int
        joints: int
        root: int
        floating_by_default: int
        visuals: int
        shapes: int
        sites: int
        mass: float
        roles: int
        reserved: int
    class vtb_link_info(Struct):
        """What a link is.
            struct_size: sizeof the struct in the caller's program
            parent_joint: index of the joint that leads to it; -1 for the root
            name: lives as long as the skeleton
            mass [kg]: of the link
            com [m]: centre of mass, link frame
            inertia [kg m^2]: xx, xy, xz, yy, yz, zz about the centre of mass, link axes"""
        struct_size: int
        parent_joint: int
        name: bytes | None
        mass: float
        com: ctypes.Array[Any]
        inertia: ctypes.Array[Any]
    class vtb_joint_info(Struct):
        """What a joint is.
            struct_size: sizeof the struct in the caller's program
            type: what it lets move
            name: lives as long as the skeleton
            type_name: such as "revolute"
            parent: link
            child: link
            axes: number of velocities
            mimic: joint that it follows, or -1
            loop: closes a cycle
            has_safety: the file has a safety controller for it
            parent_frame [pose]: joint frame in the parent link
            child_frame [pose]: joint frame in the child link
            axis [1]: see vtb_skeleton_joint_def
            axis2 [1]: see vtb_skeleton_joint_def
            mimic_multiplier [rad/rad or m/rad or rad/m or m/m]: q = multiplier * q of the joint followed + offset
            mimic_offset [rad or m]: see mimic_multiplier
            limits: of a spherical joint
            safety_lower [rad or m]: of the safety controller
            safety_upper [rad or m]: of the safety controller
            safety_k_position [1/s]: of the safety controller
            safety_k_velocity [N m s/rad or N s/m]: of the safety controller
            pitch [m]: screw, advance in a turn"""
        struct_size: int
        type: int
        name: bytes | None
        type_name: bytes | None
        parent: int
        child: int
        axes: int
        mimic: int
        loop: int
        has_safety: int
        parent_frame: ctypes.Array[Any]
        child_frame: ctypes.Array[Any]
        axis: ctypes.Array[Any]
        axis2: ctypes.Array[Any]
        mimic_multiplier: float
        mimic_offset: float
        limits: Library.vtb_swing_twist
        safety_lower: float
        safety_upper: float
        safety_k_position: float
        safety_k_velocity: float
        pitch: float
    class vtb_site_info(Struct):
        """A named frame on a link: where a bone ends, a marker sits, a hand grips.
            struct_size: sizeof the struct in the caller's program
            link: that carries it
            name: lives as long as the skeleton
            pose [pose]: in the link's frame"""
        struct_size: int
        link: int
        name: bytes | None
        pose: ctypes.Array[Any]
    class vtb_role_info(Struct):
        """What a link is, such as left_foot.
            struct_size: sizeof the struct in the caller's program
            link: that has it
            name: lives as long as the skeleton"""
        struct_size: int
        link: int
        name: bytes | None
    class vtb_visual_info(Struct):
        """Geometry for display: a visual or a collision shape as triangles in its link's frame with one colour.
            struct_size: sizeof the struct in the caller's program
            link: that carries it
            vertices: number of vertices
            triangles: number of triangles
            rgba [1]: red, green, blue and opacity, 0 to 1"""
        struct_size: int
        link: int
        vertices: int
        triangles: int
        rgba: ctypes.Array[Any]
    class vtb_link_def(Struct):
        """A link to add.
            struct_size: sizeof the struct in the caller's program
            reserved: must be 0
            name: copied
            mass [kg]: of the link
            com [m]: centre of mass, link frame
            inertia [kg m^2]: xx, xy, xz, yy, yz, zz about the centre of mass, link axes"""
        struct_size: int
        reserved: int
        name: bytes | None
        mass: float
        com: ctypes.Array[Any]
        inertia: ctypes.Array[Any]
    class vtb_skeleton_joint_def(Struct):
        """A joint to add.
            struct_size: sizeof the struct in the caller's program
            type: how it lets the child move against the parent
            name: copied
            parent: link; -1 = not set
            child: link; -1 = not set
            parent_frame [pose]: joint frame in the parent link
            child_frame [pose]: joint frame in the child link
            axis [1]: joint frame: axis of turning, sliding or screw, normal of planar, twist axis of spherical, parent's axis of
            universal, of wheel that of travel and steering
            axis2 [1]: universal: the child's axis; wheel: the axle
            limits: of a spherical joint; of others: vtb_skeleton_builder_set_axis
            mimic: joint added before that this one follows, -1 = none
            loop: closes a cycle
            mimic_multiplier [rad/rad or m/rad or rad/m or m/m]: q = multiplier * q of the joint followed + offset
            mimic_offset [rad or m]: see mimic_multiplier
            pitch [m]: screw, advance in a turn"""
        struct_size: int
        type: int
        name: bytes | None
        parent: int
        child: int
        parent_frame: ctypes.Array[Any]
        child_frame: ctypes.Array[Any]
        axis: ctypes.Array[Any]
        axis2: ctypes.Array[Any]
        limits: Library.vtb_swing_twist
        mimic: int
        loop: int
        mimic_multiplier: float
        mimic_offset: float
        pitch: float
    class vtb_bvh_def(Struct):
        """How a BVH file is read.
            struct_size: sizeof the struct in the caller's program
            flags: only strict
            unit [m]: length of the file's unit; 0 = guess from the figure's height, and say so
            up_axis: axis of the file that points up
            reserved: must be 0"""
        struct_size: int
        flags: int
        unit: float
        up_axis: int
        reserved: int
    class vtb_motion_info(Struct):
        """What a motion holds.
            struct_size: sizeof the struct in the caller's program
            joints: number of joints
            roots: number of joints without parent
            channels: numbers in a frame
            frames: number of frames
            reserved: must be 0
            frame_time [s]: from one frame to the next
            unit [m]: length of the file's unit
            turn [1]: quaternion, file axes to Z-up world"""
        struct_size: int
        joints: int
        roots: int
        channels: int
        frames: int
        reserved: int
        frame_time: float
        unit: float
        turn: ctypes.Array[Any]
    class vtb_motion_joint(Struct):
        """What a joint of a motion is.
            struct_size: sizeof the struct in the caller's program
            parent: joint; -1 = a root
            name: lives as long as the motion
            offset [file units]: from the parent
            channel_count: number of channels
            first_channel: column in a frame
            end_sites: number of end sites
            channels: 0..2 X, Y, Z position, 3..5 X, Y, Z rotation, file order; the first 12"""
        struct_size: int
        parent: int
        name: bytes | None
        offset: ctypes.Array[Any]
        channel_count: int
        first_channel: int
        end_sites: int
        channels: ctypes.Array[Any]
    class vtb_resting_def(Struct):
        """When a joint rests on the ground: from the frame in which it is low and slow enough, until it is too high or too fast.
            struct_size: sizeof the struct in the caller's program
            find_floor: the floor is where the lowest 3 % of the joint's frames are, and not at `floor`
            floor [m]: height of the joint when it rests
            height_on [m]: above the floor, below which rest begins
            height_off [m]: above the floor, from which rest ends
            speed_on [m/s]: below which rest begins
            speed_off [m/s]: from which rest ends
            shortest [s]: what is shorter is no rest"""
        struct_size: int
        find_floor: int
        floor: float
        height_on: float
        height_off: float
        speed_on: float
        speed_off: float
        shortest: float
    class vtb_markers_info(Struct):
        """What a record of markers holds.
            struct_size: sizeof the struct in the caller's program
            markers: number of markers
            frames: number of frames
            reserved: must be 0
            frame_time [s]: from one frame to the next"""
        struct_size: int
        markers: int
        frames: int
        reserved: int
        frame_time: float
    class vtb_marker_faults_def(Struct):
        """What is wrong with synthesised markers, as with those of cameras.
            struct_size: sizeof the struct in the caller's program
            swaps: how many times a marker and its nearest exchange their names, from a frame on
            noise [m]: standard deviation of each coordinate (a sum of twelve uniform numbers)
            dropout [1]: share of frames without a marker, in gaps of 0.1 s on average
            seed: the same gives the same faults"""
        struct_size: int
        swaps: int
        noise: float
        dropout: float
        seed: int
    class vtb_marker_fit_def(Struct):
        """How markers are fitted.
            struct_size: sizeof the struct in the caller's program
            calibrate: a whole record first tells where the markers sit (vtb_markers_fit)
            noise [m]: standard deviation of a coordinate of a marker
            agility [rad/s^2]: standard deviation of accelerations of joints at the start, then by joint as found, 0.1 to 3 times
            as much; of the root half as many m/s^2
            placing [m]: standard deviation of where the set says that a marker sits, for calibration
            latency [s]: how far a result may look ahead"""
        struct_size: int
        calibrate: int
        noise: float
        agility: float
        placing: float
        latency: float
    class vtb_marker_fit_info(Struct):
        """What a fitter takes and gives, and what it has met since it was made or restarted.
            struct_size: sizeof the struct in the caller's program
            markers: markers of the set
            nq: coordinates in a frame of the result, named as a trajectory's
            latency: frames from positions to their result
            swaps: pairs of markers that were found to have exchanged their names, and were exchanged back
            outliers: positions that fitted nowhere and were left out
            hidden: positions that were not there
            first: frames before three markers were seen together; a whole record's have the coordinates of the first after them
            residual [m]: root mean square distance of the positions that were used from the figure's"""
        struct_size: int
        markers: int
        nq: int
        latency: int
        swaps: int
        outliers: int
        hidden: int
        first: int
        residual: float
    class vtb_trajectory_info(Struct):
        """What a trajectory holds.
            struct_size: sizeof the struct in the caller's program
            frames: number of frames
            nq: coordinates in a frame, as a workspace with a floating base has them
            reserved: must be 0
            frame_time [s]: from one frame to the next"""
        struct_size: int
        frames: int
        nq: int
        reserved: int
        frame_time: float
    class vtb_retarget_names(Struct):
        """Names for one role.
            struct_size: sizeof the struct in the caller's program
            reserved: must be 0
            joint: of the motion; "" = to be found; lives as long as the map stays as it is
            link: of the figure; "" = to be found; lives as long as the map stays as it is"""
        struct_size: int
        reserved: int
        joint: bytes | None
        link: bytes | None
    class vtb_retarget_def(Struct):
        """How a motion is retargeted.
            struct_size: sizeof the struct in the caller's program
            reserved: must be 0
            rate [1/s]: frames a second of the result; 0 = the motion's
            start [s]: first time of the motion that the result has; the whole motion is looked at
            end [s]: last time that it has; 0 = the motion's end
            map: names for roles; those without are found; NULL = all are found"""
        struct_size: int
        reserved: int
        rate: float
        start: float
        end: float
        map: Any
    class vtb_retarget_report_info(Struct):
        """Measures of a whole clip. Key points: knees, feet, elbows and hands against goals that have the motion's directions and
        the figure's own lengths. Shares are of frames.
            struct_size: sizeof the struct in the caller's program
            frames: number of frames
            axes: number of joint axes
            contacts: number of contacts of feet in the motion
            frame_time [s]: from one frame to the next
            yaw [rad]: of the trajectory against the motion about the vertical
            path_scale [1]: size of the trajectory's path over the motion's
            error_relative [m]: mean distance of key points from their goals, both from the middle of the hips
            error_relative_p95 [m]: its 95th percentile
            error_global [m]: mean distance in the world; goals on the motion's path, laid on the trajectory's
            error_global_p95 [m]: its 95th percentile
            slide_mean [m]: mean over the contacts of how far the sole drifts in each
            slide_p95 [m]: 95th percentile
            slide_max [m]: the farthest
            slide_speed [m/s]: mean in contact
            contact_share [1]: of frames and feet: in contact
            contact_kept [1]: of these: sole within 20 mm of the ground
            contact_height [m]: median height of soles in contact
            depth_max [m]: of the deepest point of any link below the ground
            depth_mean [m]: mean of each frame's deepest
            depth_frames [1]: share with more than 5 mm
            floating_frames [1]: share with every link over 20 mm above the ground
            overlap_max [m]: of hulls of links in each other, beyond that of zero coordinates
            overlap_frames [1]: share with more than 10 mm
            limit_excess [rad or m]: how far a limit is passed at most
            limit_frames [1]: share with a limit passed by more than 1e-3
            resting_frames [1]: share with an axis at its limit
            speed_ratio [1]: largest rate over its limit
            speed_frames [1]: share with a rate above its limit
            jump_max [rad or m]: largest change from frame to frame
            jump_frames [1]: share with more than 0.5
            spike_max [rad or m]: largest distance from the mean of the frames before and after
            spike_frames [1]: share with more than 0.1
            jerk_rms [rad/s^3 or m/s^3]: of all axes
            jerk_feet [1]: of feet, over the motion's at the figure's size
            jerk_hands [1]: of hands, likewise
            depth_link: the deepest; "" = none; lives as long as the report
            overlap_links: those that overlap most; "" = none; lives as long as the report"""
        struct_size: int
        frames: int
        axes: int
        contacts: int
        frame_time: float
        yaw: float
        path_scale: float
        error_relative: float
        error_relative_p95: float
        error_global: float
        error_global_p95: float
        slide_mean: float
        slide_p95: float
        slide_max: float
        slide_speed: float
        contact_share: float
        contact_kept: float
        contact_height: float
        depth_max: float
        depth_mean: float
        depth_frames: float
        floating_frames: float
        overlap_max: float
        overlap_frames: float
        limit_excess: float
        limit_frames: float
        resting_frames: float
        speed_ratio: float
        speed_frames: float
        jump_max: float
        jump_frames: float
        spike_max: float
        spike_frames: float
        jerk_rms: float
        jerk_feet: float
        jerk_hands: float
        depth_link: bytes | None
        overlap_links: bytes | None
    class vtb_retarget_report_axis(Struct):
        """One axis of a joint.
            struct_size: sizeof the struct in the caller's program
            reserved: must be 0
            name: of the coordinate; lives as long as the report
            lower [rad or m]: limit
            upper [rad or m]: limit
            velocity_limit [rad/s or m/s]: limit
            lowest [rad or m]: reached
            highest [rad or m]: reached
            excess [rad or m]: how far a limit is passed at most
            beyond_frames [1]: share with more than 1e-3
            resting_frames [1]: share within 1e-3 of a limit or beyond
            speed_max [rad/s or m/s]: largest rate
            speed_frames [1]: share with a rate above its limit
            jump_max [rad or m]: largest change from frame to frame
            spike_max [rad or m]: largest distance from the mean of the frames before and after"""
        struct_size: int
        reserved: int
        name: bytes | None
        lower: float
        upper: float
        velocity_limit: float
        lowest: float
        highest: float
        excess: float
        beyond_frames: float
        resting_frames: float
        speed_max: float
        speed_frames: float
        jump_max: float
        spike_max: float
    class vtb_retarget_report_contact(Struct):
        """One contact of a foot in the motion.
            struct_size: sizeof the struct in the caller's program
            side: 0 left, 1 right
            first: frame
            last: frame, within the contact
            slide [m]: largest distance that the sole drifts
            path [m]: length of the drift"""
        struct_size: int
        side: int
        first: int
        last: int
        slide: float
        path: float
    class vtb_retarget_report_role(Struct):
        """A role's key point and the body that ends its limb.
            struct_size: sizeof the struct in the caller's program
            known: motion and figure have its point
            error_relative [m]: mean, from the middle of the hips
            error_relative_p95 [m]: 95th percentile
            error_global [m]: mean, in the world
            error_global_p95 [m]: 95th percentile
            turn_mean [rad]: of feet, hands, head against the motion's; the best constant offset taken out; -1 = none
            turn_p95 [rad]: 95th percentile"""
        struct_size: int
        known: int
        error_relative: float
        error_relative_p95: float
        error_global: float
        error_global_p95: float
        turn_mean: float
        turn_p95: float
    class vtb_retarget_report_frame(Struct):
        """One frame. Points of the motion and of the figure in the world, in the order of vtb_retarget_role; not numbers where there
        is none.
            struct_size: sizeof the struct in the caller's program
            reserved: must be 0
            error [m]: mean distance of key points from their goals, from the middle of the hips
            depth [m]: of the deepest point below the ground; negative = above it
            overlap [m]: of links in each other, beyond that of zero coordinates
            foot_height [m]: of the lowest point of the left and right sole
            motion_points [m]: of the motion
            figure_points [m]: of the figure"""
        struct_size: int
        reserved: int
        error: float
        depth: float
        overlap: float
        foot_height: ctypes.Array[Any]
        motion_points: ctypes.Array[Any]
        figure_points: ctypes.Array[Any]
    class vtb_retargeter_info(Struct):
        """What a retargeter takes and gives.
            struct_size: sizeof the struct in the caller's program
            joints: poses in a frame of the source
            nq: coordinates in a frame of the result, named as a trajectory's
            latency: frames from a pose to its result
            frame_time [s]: between two frames"""
        struct_size: int
        joints: int
        nq: int
        latency: int
        frame_time: float
    class vtb_track_def(Struct):
        """How a trajectory is tracked.
            struct_size: sizeof the struct in the caller's program
            flags: options
            step [s]: longest step; a frame is a whole number of steps
            start [s]: time of the trajectory at which it starts
            friction [1]: of the ground
            assist_force [1]: largest force that helps the root, as a share of the weight
            assist_moment [1]: largest moment, as a share of the weight times the height of the centre of mass
            omega [rad/s]: least natural frequency of an axis' feedback; the limit of torque over 0.5 rad makes it stiffer
            root_omega [rad/s]: of the feedback of the root
            clearance [m]: of feet in the middle of a swing"""
        struct_size: int
        flags: int
        step: float
        start: float
        friction: float
        assist_force: float
        assist_moment: float
        omega: float
        root_omega: float
        clearance: float
    class vtb_track_info(Struct):
        """What was measured. Key points are the origins of the links; the trajectory that they are compared with is the prepared
        one.
            struct_size: sizeof the struct in the caller's program
            fell: its centre of mass came below 70 % of its height in the trajectory
            time [s]: from the start to the end, or to the fall
            assist_mean [1]: force on the root, as a share of the weight
            assist_peak [1]: likewise, the largest
            assist_moment_mean [1]: moment on the root, as a share of the weight times the height of the centre of mass
            assist_moment_peak [1]: likewise, the largest
            error_mean [m]: of the key points in the world
            error_peak [m]: likewise, the largest
            clamped [1]: share of time that the worst axis spent at its limit of torque
            slide_mean [m]: way along the ground of a foot in a contact, over all contacts
            slide_peak [m]: likewise, the largest
            penetration [m]: deepest contact with the ground
            shift [m]: largest way by which the preparation moved the body sideways
            clamped_axis: index of that axis among the velocities; -1 = none
            contacts: contacts of feet with the ground, with those that last at the end
            derived_efforts: axes without a limit of torque (none or 0 in the skeleton), whose limit was made from masses
            reserved: must be 0"""
        struct_size: int
        fell: int
        time: float
        assist_mean: float
        assist_peak: float
        assist_moment_mean: float
        assist_moment_peak: float
        error_mean: float
        error_peak: float
        clamped: float
        slide_mean: float
        slide_peak: float
        penetration: float
        shift: float
        clamped_axis: int
        contacts: int
        derived_efforts: int
        reserved: int
    class vtb_ode_def(Struct):
        """An initial-value problem y' = f(t, y).
            struct_size: sizeof the struct in the caller's program
            size: numbers of the state y
            positions: the leading ones that are positions; symplectic Euler only
            integrator: method
            control: how the length of a step is chosen
            reserved: must be 0
            step [units of t]: fixed steps, and the first of adaptive ones
            tolerance [units of y]: largest error of one step in any number of y, absolute
            smallest_step [units of t]: of adaptive steps
            largest_step [units of t]: of adaptive steps
            derivative: writes dy/dt at (t, y) and returns 1, or returns 0 where there is none: adaptive steps then shrink
            project: changes y after each step, e.g. to unit quaternions
            user: handed to the callbacks"""
        struct_size: int
        size: int
        positions: int
        integrator: int
        control: int
        reserved: int
        step: float
        tolerance: float
        smallest_step: float
        largest_step: float
        derivative: Any
        project: Any
        user: Any
    class vtb_ode_report(Struct):
        """What one vtb_ode_advance took.
            struct_size: sizeof the struct in the caller's program
            steps: taken
            rejected: tried and made shorter
            evaluations: of the derivative
            at_smallest: steps of the smallest size whose error was above the tolerance
            reserved: must be 0
            worst_error [units of y]: of the steps taken, as estimated
            next_step [units of t]: what an adaptive step would try next"""
        struct_size: int
        steps: int
        rejected: int
        evaluations: int
        at_smallest: int
        reserved: int
        worst_error: float
        next_step: float
    class vtb_joint_settings(Struct):
        """How joints are held.
            tree_solver: how joints of trees are solved
            stabilisation: what keeps joints outside trees together
            baumgarte [1/s]: rate of the stabilisation baumgarte"""
        tree_solver: int
        stabilisation: int
        baumgarte: float
    class vtb_solver_settings(Struct):
        """How contacts, limits and other bounded rows are solved.
            type: by which solver
            iterations: largest number of sweeps; of dantzig: passes over friction limits
            order: of the rows in a sweep of pgs
            whole_contacts: sweeps solve a contact's three rows at once, exactly; else one after the other
            accelerate: pgs adds conjugate directions, and for free bodies Newton's steps; else plain sweeps
            friction_directions: corners of lemke's polygon
            tolerance [m/s]: at which sweeps end. Of limits and dry friction of joints beside contacts the mean over the masses
            that they move; contacts then may approach by 1e-6 m more in a step, where that is more
            relaxation [1]: factor on each step of a sweep; above 1 friction may go round in circles"""
        type: int
        iterations: int
        order: int
        whole_contacts: int
        accelerate: int
        friction_directions: int
        tolerance: float
        relaxation: float
    class vtb_contact_settings(Struct):
        """How bodies touch.
            margin [m]: contacts are seen from this gap on, unless nothing can close it in a step
            slop [m]: penetration left alone
            correction [1]: share of penetration removed in a step
            speed [m/s]: largest speed of that removal
            restitution_speed [m/s]: an approach below this does not bounce
            restitution_law: how bodies bounce
            friction_law: how a contact's friction is bounded"""
        margin: float
        slop: float
        correction: float
        speed: float
        restitution_speed: float
        restitution_law: int
        friction_law: int
    class vtb_speed_settings(Struct):
        """Caps on the velocity of any body.
            speed [m/s]: of its centre of mass
            angular_speed [rad/s]: of its turning; a figure slows at the joint of the link that is too fast"""
        speed: float
        angular_speed: float
    class vtb_sleep_settings(Struct):
        """When an island sleeps.
            speed [m/s]: below which a body is idle
            angular_speed [rad/s]: below which a body is idle
            time [s]: idle before an island sleeps"""
        speed: float
        angular_speed: float
        time: float
    class vtb_adaptive_settings(Struct):
        """When a step is made again in shorter parts.
            halvings: largest number of halvings of a smooth island's step, by the defect of its energy; variational: five more
            without a solution
            substeps: a physics step that diverges or goes too deep is made again in two parts, these likewise, down to this share
            of it; before_step is called for each, forces are told as means over all; 1 = never. Stepper spook: also where its
            joints open by `depth`; displacement: where it diverges, or its sweeps leave joints, contacts or limits open by
            `depth` more than before the step; ode: never
            depth [m]: to which a contact may get deep in a step before that; one that is deeper, by an eighth of it
            time_budget [s]: of the clock for each step of vtb_world_step, beyond which nothing is made again, and rows are solved
            with at most eight sweeps, which costs accuracy and equal runs; 0 = none"""
        halvings: int
        substeps: int
        depth: float
        time_budget: float
    class vtb_spook_settings(Struct):
        """Of the stepper spook.
            compliance [m/N or rad/(N m)]: of rows that are rigid by their own definition
            relaxation [s]: in which their error fades
            gamma [m/(N s) or rad/(N m s)]: of velocity rows"""
        compliance: float
        relaxation: float
        gamma: float
    class vtb_ode_settings(Struct):
        """Of the stepper ode.
            integrator: its method
            control: its steps; fixed ones are those of the physics step
            tolerance [rad or m or rad/s or m/s]: largest error of an adaptive step in any of them
            smallest_step [s]: of adaptive steps
            rollback_depth [m or rad]: a contact or limit that a step passes farther takes its bodies back to where they met, and
            through the impact there; 0 = none does, they are pushed out afterwards"""
        integrator: int
        control: int
        tolerance: float
        smallest_step: float
        rollback_depth: float
    class vtb_displacement_settings(Struct):
        """Of the stepper displacement; its sweeps are those of vtb_solver_settings.
            regularisation [1]: added to each row's inverse mass, as a share of it
            warm_start [1]: share of the last step's impulses that sweeps start from; at most 0.4 for what does more than push; -1
            = 0.5 where only contacts act, else 0. Impacts throw figures about with any share"""
        regularisation: float
        warm_start: float
    class vtb_callbacks(Struct):
        """What the caller is told and asked.
            log: told of failures; with VTB_OK, of a call that left islands unsolved or cut speeds
            before_step: called before each physics step
            after_step: called after each physics step that stands, its results in place; once for all parts that
            adaptive.substeps made of it
            filter: returns 0 to let a pair pass through
            user: handed to the callbacks"""
        log: Any
        before_step: Any
        after_step: Any
        filter: Any
        user: Any
    class vtb_world_def(Struct):
        """How a world is stepped.
            struct_size: sizeof the struct in the caller's program
            flags: options
            gravity [m/s^2]: acceleration of free fall, world axes
            time_step [s]: length of one vtb_world_step
            substeps: physics steps in one vtb_world_step, each of time_step / substeps
            stepper: how time goes on
            joint: how joints are held
            solver: how contacts, limits and other bounded rows are solved
            contact: how bodies touch
            max: caps on the velocity of any body
            sleep: when an island sleeps
            adaptive: when a step is made again in shorter parts
            spook: of the stepper spook
            ode: of the stepper ode
            displacement: of the stepper displacement
            callbacks: what the caller is told and asked"""
        struct_size: int
        flags: int
        gravity: ctypes.Array[Any]
        time_step: float
        substeps: int
        stepper: int
        joint: Library.vtb_joint_settings
        solver: Library.vtb_solver_settings
        contact: Library.vtb_contact_settings
        max: Library.vtb_speed_settings
        sleep: Library.vtb_sleep_settings
        adaptive: Library.vtb_adaptive_settings
        spook: Library.vtb_spook_settings
        ode: Library.vtb_ode_settings
        displacement: Library.vtb_displacement_settings
        callbacks: Library.vtb_callbacks
    class vtb_world_stats(Struct):
        """Counts and largest errors of the last physics step; sums and maxima over the last vtb_world_step call where said.
            struct_size: sizeof the struct in the caller's program
            bodies: in the world
            joints: in the world
            islands: that were stepped
            sleeping_bodies: in the world
            pairs: of shapes near each other, awake
            contacts: points, those that sleepers keep among them
            rows: of constraints, awake
            solver_iterations: largest over islands
            halvings: halved island steps, summed over the call
            infeasible: islands whose constraints could not all be met
            first_order: islands stepped in the first-order form
            speculative_contacts: among the contacts: of fast bodies, foreseen by continuous collision
            rollbacks: stepper ode: returns to a moment of touch, summed over the call
            merges: Groups of bodies that met within a step and made it again together, summed over the call; also of other
            steppers' groups with steps of their own.
            stops: stepper ode: groups held back where a pair of them would get past each other, summed over the call
            evaluations: stepper ode: of accelerations
            restarts: physics steps made again in parts (adaptive.substeps), summed over the call
            hurried: islands solved with few sweeps because the time was up (adaptive.time_budget), summed over the call
            unsolved: Islands of which every method left more open than is let pass: something closes by more than contact.slop
            (at least 0.1 mm) a step, or slips, or joints of a cycle stay open by more than 1e-9 m or rad, though nothing
            contradicts them; or in which links that turn far in a step gained energy of nothing; contacts, and joints under
            spook, deeper or wider open than twice adaptive.depth after a step that was not divided further; under ode also groups
            that were held back (stops), and floating figures whose momentum was not kept to 1 % of what gravity gives in a step.
            Summed over the call.
            capped: Free bodies and figures that were slowed down to the limits of vtb_speed_settings, summed over the call and
            its steps.
            parts: the most that a group made the last physics step in (vtb_body_set_integration, adaptive.substeps); 1: none
            solver_residual [m/s]: largest over islands
            complementarity [J]: largest over islands
            max_penetration [m]: largest over the call
            max_joint_error [m]: largest distance of a joint's two anchor points over the call: loops; trees' joints too under
            VTB_WORLD_FLAG_ENERGY_ACCOUNT (they hold to round-off)
            max_energy_correction [1]: largest |scale - 1| applied in the call
            stage_seconds [s]: of the clock in each vtb_stage, under VTB_WORLD_FLAG_STAGE_TIMES, else 0; no part of the state,
            different in each run"""
        struct_size: int
        bodies: int
        joints: int
        islands: int
        sleeping_bodies: int
        pairs: int
        contacts: int
        rows: int
        solver_iterations: int
        halvings: int
        infeasible: int
        first_order: int
        speculative_contacts: int
        rollbacks: int
        merges: int
        stops: int
        evaluations: int
        restarts: int
        hurried: int
        unsolved: int
        capped: int
        parts: int
        solver_residual: float
        complementarity: float
        max_penetration: float
        max_joint_error: float
        max_energy_correction: float
        stage_seconds: ctypes.Array[Any]
    class vtb_energy(Struct):
        """Energies, and accounts since creation or restore, which are kept only under VTB_WORLD_FLAG_ENERGY_ACCOUNT.
            struct_size: sizeof the struct in the caller's program
            reserved: must be 0
            kinetic [J]: now
            potential [J]: now; springs of joints in trees are part of it; gravity's part is zero at the origin
            work_drives [J]: done by motors, and by springs and dampers between bodies (powered axes, joints that close a cycle)
            work_applied [J]: done by applied forces and impulses and by prescribed bodies
            lost_damping [J]: taken by joint dampers
            lost_friction [J]: taken by dry friction in joints and contacts
            lost_impact [J]: taken by contacts, limits and bounded rows along their normal
            lost_clamp [J]: taken (or given: negative) by clamps, projections and caps
            corrected [J]: given (or taken: negative) by the energy correction
            discretisation [J]: likewise by the error of steps of first order (contacts, limits, stiff drives) of trees without
            closed cycles, of second with"""
        struct_size: int
        reserved: int
        kinetic: float
        potential: float
        work_drives: float
        work_applied: float
        lost_damping: float
        lost_friction: float
        lost_impact: float
        lost_clamp: float
        corrected: float
        discretisation: float
    class vtb_threads_def(Struct):
        """Where a world's steps take their threads from. Results are the same, to the last bit, for any number and any host. A
        function of the caller's that acts in a step (before_step, filter, log, force fields, constraints) is called by the thread
        that called the step alone, while no other thread is at work.
            struct_size: sizeof the struct in the caller's program
            count: threads that work at a time, the one that calls the step included
            enqueue: of a host, both or none. enqueue arranges for one call of task(context), on any thread, from now on until
            finish has returned; its answer is handed to finish, which returns when that task has ended. A host may run the task
            at once in enqueue, or only in finish. Both are called on the thread that called the step, up to count - 1 tasks at a
            time. NULL: threads of the library's own, which vtb_world_set_threads begins and vtb_world_destroy ends.
            finish: see enqueue
            user: handed to both"""
        struct_size: int
        count: int
        enqueue: Any
        finish: Any
        user: Any
    class vtb_body_def(Struct):
        """A body.
            struct_size: sizeof the struct in the caller's program
            kind: what moves it
            pose [pose]: link frame in the world
            twist [twist]: of the link frame's origin, world axes; of a static body 0
            mass [kg]: of a dynamic body positive
            com [m]: centre of mass, link frame
            inertia [kg m^2]: xx, xy, xz, yy, yz, zz about the centre of mass, link axes
            gravity_scale [1]: share of gravity it feels
            step [s]: its longest step, see vtb_body_set_integration; 0 = the world's
            integrator: its method under the stepper ode
            disabled: kept, but takes no part"""
        struct_size: int
        kind: int
        pose: ctypes.Array[Any]
        twist: ctypes.Array[Any]
        mass: float
        com: ctypes.Array[Any]
        inertia: ctypes.Array[Any]
        gravity_scale: float
        step: float
        integrator: int
        disabled: int
    class vtb_curve(Struct):
        """A curve for a point to stay on.
            points [m]: in frame a; the coordinate is 0 at the first
            point_count: of points
            flags: options; 0 = an open polyline"""
        points: Any
        point_count: int
        flags: int
    class vtb_joint_softness(Struct):
        """Softness of what a joint holds: force = -stiffness * error - damping * rate, implicit.
            stiffness [N/m]: of the positions held; inf = rigid
            damping [N s/m]: of the positions held
            angular_stiffness [N m/rad]: of the turns held; inf = rigid
            angular_damping [N m s/rad]: of the turns held"""
        stiffness: float
        damping: float
        angular_stiffness: float
        angular_damping: float
    class vtb_joint_strength(Struct):
        """Loads at which a joint breaks: from the next step on it has no effect; vtb_world_get_joint_events tells it.
            force [N]: through the joint; inf = it does not break
            torque [N m]: likewise"""
        force: float
        torque: float
    class vtb_joint_displacement(Struct):
        """A joint under the stepper displacement.
            relaxation [1]: factor on the world's solver.relaxation
            regularisation [1]: added to the world's displacement.regularisation"""
        relaxation: float
        regularisation: float
    class vtb_joint_def(Struct):
        """A joint between two bodies.
            struct_size: sizeof the struct in the caller's program
            type: how it lets body_b move against body_a
            body_a: parent; none = the world
            body_b: child; none = the world
            frame_a [pose]: joint frame in body_a's link frame
            frame_b [pose]: joint frame in body_b's link frame
            axis [1]: joint frame: axis of turning, sliding or screw, normal of planar, twist axis of spherical, parent's axis of
            universal, of wheel that of travel and steering
            axis2 [1]: universal: the child's axis; wheel: the axle
            as_they_stand: frame_b is computed from the bodies' present poses, so that all coordinates are zero now
            bodies_collide: the two bodies may touch each other
            pitch [m]: screw, advance in a turn
            limits: of a spherical joint; of others: vtb_joint_set_axis
            soft: of what it holds
            breaking: at which loads it breaks
            displacement: under the stepper displacement
            curve: of type point_on_curve"""
        struct_size: int
        type: int
        body_a: Library.vtb_body
        body_b: Library.vtb_body
        frame_a: ctypes.Array[Any]
        frame_b: ctypes.Array[Any]
        axis: ctypes.Array[Any]
        axis2: ctypes.Array[Any]
        as_they_stand: int
        bodies_collide: int
        pitch: float
        limits: Library.vtb_swing_twist
        soft: Library.vtb_joint_softness
        breaking: Library.vtb_joint_strength
        displacement: Library.vtb_joint_displacement
        curve: Library.vtb_curve
    class vtb_joint_event(Struct):
        """A joint that broke, and what it bore.
            joint: that broke
            force [N]: through it
            torque [N m]: through it"""
        joint: Library.vtb_joint
        force: float
        torque: float
    class vtb_motor_def(Struct):
        """The drive of one axis.
            struct_size: sizeof the struct in the caller's program
            mode: what it does
            position [rad or m]: target
            velocity [rad/s or m/s]: target
            force [N m or N]: added in every mode
            stiffness [N m/rad or N/m]: towards the position
            damping [N m s/rad or N s/m]: towards the velocity; inf in mode velocity only
            max_force [N m or N]: bound; the axis' effort bounds as well"""
        struct_size: int
        mode: int
        position: float
        velocity: float
        force: float
        stiffness: float
        damping: float
        max_force: float
    class vtb_joint_forces(Struct):
        """Forces of the last physics step; per axis in the order of the velocities.
            struct_size: sizeof the struct in the caller's program
            axes: number of axes
            force [N]: of body_a on body_b through the joint, world axes, at body_b's joint origin; constraint part
            torque [N m]: likewise
            motor [N m or N]: of the drives
            spring [N m or N]: of spring and damper
            friction [N m or N]: dry friction
            limit [N m or N]: position and velocity limits; spherical: about the child's axes
            motor_force [N]: of the drives of all axes on body_b, world axes, at body_b's joint origin; likewise below. With
            force, torque and those below it is all that the joint transmits
            motor_torque [N m]: of the drives, likewise
            spring_force [N]: of springs and dampers
            spring_torque [N m]: of springs and dampers
            friction_force [N]: of dry friction
            friction_torque [N m]: of dry friction
            limit_force [N]: of limits
            limit_torque [N m]: of limits"""
        struct_size: int
        axes: int
        force: ctypes.Array[Any]
        torque: ctypes.Array[Any]
        motor: ctypes.Array[Any]
        spring: ctypes.Array[Any]
        friction: ctypes.Array[Any]
        limit: ctypes.Array[Any]
        motor_force: ctypes.Array[Any]
        motor_torque: ctypes.Array[Any]
        spring_force: ctypes.Array[Any]
        spring_torque: ctypes.Array[Any]
        friction_force: ctypes.Array[Any]
        friction_torque: ctypes.Array[Any]
        limit_force: ctypes.Array[Any]
        limit_torque: ctypes.Array[Any]
    class vtb_coupling_term(Struct):
        """An axis with one coordinate of its own: not those of spherical joints nor the turning axes of floating ones.
            joint: that has the axis
            axis: in the order of its velocities
            reserved: must be 0
            coefficient [1 or m or 1/m or m^2 or m^3/rad]: of the axis in the sum"""
        joint: Library.vtb_joint
        axis: int
        reserved: int
        coefficient: float
    class vtb_coupling_def(Struct):
        """q_b = ratio * q_a + offset; or, with terms, sum of coefficient * coordinate = offset. It may be soft: force = -stiffness *
        error - damping * rate, implicit.
            struct_size: sizeof the struct in the caller's program
            level: velocity couples the rates alone, sum of coefficient * rate = offset
            joint_a: the joint that leads, of one axis; none where terms are given
            joint_b: the joint that follows, of one axis; none where terms are given
            ratio [rad/rad or m/rad or rad/m or m/m]: of the joint that follows to the one that leads
            offset [rad or m or rad/s or m/s]: of the joint that follows, or the sum of the terms
            terms: the axes of the sum
            term_count: of terms
            reserved: must be 0
            stiffness [N m/rad or N/m]: inf = exact
            damping [N m s/rad or N s/m]: of its softness
            max_force [N m or N]: on a coefficient of one; beyond it the coupling slips, as a clutch does"""
        struct_size: int
        level: int
        joint_a: Library.vtb_joint
        joint_b: Library.vtb_joint
        ratio: float
        offset: float
        terms: Any
        term_count: int
        reserved: int
        stiffness: float
        damping: float
        max_force: float
    class vtb_radial_law(Struct):
        """Law of type radial.
            source: from this body; none = from the point
            point [m]: world
            strength [m^3/s^2]: G M
            softening [m]: added to distances in the square"""
        source: Library.vtb_body
        point: ctypes.Array[Any]
        strength: float
        softening: float
    class vtb_pairwise_law(Struct):
        """Law of type pairwise.
            strength [m^3/(kg s^2)]: G
            softening [m]: added to distances in the square
            range [m]: pairs that are farther apart feel nothing"""
        strength: float
        softening: float
        range: float
    class vtb_drag_law(Struct):
        """Law of type drag.
            wind [m/s]: velocity of the air, world axes
            linear [N s/m]: force per speed
            quadratic [N s^2/m^2]: force per speed squared: rho C A / 2
            angular [N m s]: torque against turning per angular velocity"""
        wind: ctypes.Array[Any]
        linear: float
        quadratic: float
        angular: float
    class vtb_magnus_law(Struct):
        """Law of type magnus.
            wind [m/s]: velocity of the air, world axes
            strength [kg]: force per angular velocity and speed"""
        wind: ctypes.Array[Any]
        strength: float
    class vtb_lennard_jones_law(Struct):
        """Law of type lennard_jones.
            strength [J]: depth of the potential
            length [m]: distance at which the potential is zero
            range [m]: pairs that are farther apart feel nothing"""
        strength: float
        length: float
        range: float
    class vtb_attractor_law(Struct):
        """Law of type attractor.
            point [m]: world
            strength [N/m^exponent]: towards the point
            exponent [1]: of the distance
            range [m]: what is farther away feels nothing"""
        point: ctypes.Array[Any]
        strength: float
        exponent: float
        range: float
    class vtb_user_law(Struct):
        """Law of type user.
            evaluate: adds force [N] and torque [N m, about the centre of mass], world axes, and returns 1. Once a body and step;
            0, or numbers that are not finite, fail the step with VTB_E_ARG
            gradient: of an implicit field: adds how force and torque change with the body's pose (displacement of the centre of
            mass, rotation vector, world axes) and with its twist (of the centre of mass): 6 x 6 each, a row for each number of
            the force, then the torque, and returns 1. Where the field is stiff beside a body's inertia, what of its gradient
            resists motion acts implicitly, so that no step is too long for it; first order there. Without it evaluate is called
            24 times more a body and step, with the body's own pose and twist moved by a millionth
            potential: returns a body's potential energy [J] in the field at its present pose. The field's forces must be its
            gradient, downwards. It is part of potential energies then, and what the field does is no work of applied forces
            (vtb_energy). Called where energies are asked for; what is not finite answers VTB_E_ARG there
            user: handed to the callbacks"""
        evaluate: Any
        gradient: Any
        potential: Any
        user: Any
    class vtb_field_def(Struct):
        """A force field. Of its laws that of its type counts.
            struct_size: sizeof the struct in the caller's program
            type: its law
            bodies: whom it acts on; NULL = all that move by physics, and particles
            body_count: of bodies
            implicit: of type user: acts implicitly, see gradient; not under the stepper ode (VTB_E_UNSUPPORTED)
            particles: a system on which it acts; on bodies then only if they are named. Particles feel radial fields, drag,
            attractors, and Lennard-Jones from those of their system
            radial: of type radial
            pairwise: of type pairwise
            drag: of type drag
            magnus: of type magnus
            lennard_jones: of type lennard_jones
            attractor: of type attractor
            user: of type user"""
        struct_size: int
        type: int
        bodies: Any
        body_count: int
        implicit: int
        particles: Library.vtb_particles
        radial: Library.vtb_radial_law
        pairwise: Library.vtb_pairwise_law
        drag: Library.vtb_drag_law
        magnus: Library.vtb_magnus_law
        lennard_jones: Library.vtb_lennard_jones_law
        attractor: Library.vtb_attractor_law
        user: Library.vtb_user_law
    class vtb_row(Struct):
        """One row, prepared by the library; the callback fills it in. It may be soft: force = -stiffness * error - damping * rate,
        implicit, within the bounds. The row's rate is the sum of block times velocity.
            struct_size: sizeof the struct in the library
            level: what it holds
            error [m or rad]: position rows: kept at 0
            rate [m/s or rad/s]: velocity rows: the rate wanted; position rows: rate of the error beyond what the blocks tell
            lower [N or N m]: along the row; with 0 it only pushes: error >= 0
            upper [N or N m]: along the row; with 0 it only pulls: error <= 0
            stiffness [N/m or N m/rad]: inf = rigid
            damping [N s/m or N m s/rad]: of its softness
            bodies [1 or m]: blocks, all zero at first, on the velocity of each body's link frame origin, then on its angular
            velocity, world axes; a pair pulled at one point keeps its angular momentum
            joints [1 or m]: blocks, all zero at first, on the velocity of each axis"""
        struct_size: int
        level: int
        error: float
        rate: float
        lower: float
        upper: float
        stiffness: float
        damping: float
        bodies: Any
        joints: Any
    class vtb_constraint_def(Struct):
        """A constraint on the motion of its bodies and joints by a callback.
            struct_size: sizeof the struct in the caller's program
            rows: at most
            body_count: of bodies
            joint_count: of joints
            bodies: whom it acts on; none twice
            joints: whose axes it acts on; none twice
            evaluate: called for the rows one after the other, index from 0 on, several times a step: fills in the row for the
            world's present state and returns 1, or returns 0 when there is no more. A row that is not a number fails the step
            with VTB_E_ARG
            user: handed to the callback"""
        struct_size: int
        rows: int
        body_count: int
        joint_count: int
        bodies: Any
        joints: Any
        evaluate: Any
        user: Any
    class vtb_points_def(Struct):
        """A constraint on points of several bodies, with one row.
            struct_size: sizeof the struct in the caller's program
            measure: what is kept
            bodies: that carry the points; none = fixed in the world
            points [m]: body's link frame, or world; NULL = the frames' origins
            point_count: of points
            reserved: must be 0
            value [m or m^3]: to be kept; 0 = the present one
            lower [N]: least force along the row
            upper [N]: largest force along the row; 0: a rope that may be shorter
            stiffness [N/m]: inf = rigid
            damping [N s/m]: of its softness"""
        struct_size: int
        measure: int
        bodies: Any
        points: Any
        point_count: int
        reserved: int
        value: float
        lower: float
        upper: float
        stiffness: float
        damping: float
    class vtb_driveline_def(Struct):
        """A part of a driveline; each type uses the fields named for it. Speeds and torques are each times the axis' coefficient.
            struct_size: sizeof the struct in the caller's program
            type: what it is
            axes: that it joins; none twice
            axis_count: of axes
            speed_count: of speeds
            throttle_count: of throttles
            ratio_count: of ratios, and for a converter of torque_ratios and capacities
            speeds [rad/s]: engine: ascending; nothing burns below the first
            throttles [1]: engine: ascending, 0 to 1
            torques [N m]: engine: of the gases; beyond the last speed the last
            friction [N m or N m s or N m s^2]: engine: against the motion, dry, per speed, per speed squared
            governor_gain [s/rad]: engine: throttle per speed below the target
            governor_rate [1/rad]: engine: rate of the throttle per speed below the target
            fuel [kg/J]: engine: per work of the gases
            ratios [1]: converter: output by input speed, ascending from 0 to 1; gearbox: input by output speed of each gear, 0 =
            neutral, negative = reverse
            torque_ratios [1]: converter: output by input torque; times the ratio at most 1
            capacities [N m s^2]: converter: input torque by input speed squared
            ratio [1]: differential: input by mean output speed
            split [1]: differential: share of the torque that goes left
            max_torque [N m]: converter's lock-up, gearbox' clutch, differential's lock: beyond it they slip
            shift_time [s]: gearbox: half of it open, in the other half the clutch closes
            preload [N m]: differential of limited slip: torque that it may move from side to side at least
            bias [1]: and the share of the driven torque that adds to it
            efficiency [1]: gearbox, differential, pump: of the torque at the first axis
            drag [N m]: gearbox, differential, pump: lost there always
            pressure [Pa]: pump, cylinder: at which the relief valve opens, either way
            leak [m^3/(s Pa)]: pump, cylinder
            flow [m^3/s]: cylinder: at full stroke
            area_ratio [1]: of the cylinders' ring side, at work at negative stroke, to their area"""
        struct_size: int
        type: int
        axes: Any
        axis_count: int
        speed_count: int
        throttle_count: int
        ratio_count: int
        speeds: Any
        throttles: Any
        torques: Any
        friction: ctypes.Array[Any]
        governor_gain: float
        governor_rate: float
        fuel: float
        ratios: Any
        torque_ratios: Any
        capacities: Any
        ratio: float
        split: float
        max_torque: float
        shift_time: float
        preload: float
        bias: float
        efficiency: float
        drag: float
        pressure: float
        leak: float
        flow: float
        area_ratio: float
    class vtb_driveline_input(Struct):
        """What a driver sets; each type uses what is named for it.
            struct_size: sizeof the struct in the caller's program
            gear: gearbox: index into ratios; at first that of ratio 0, else 0
            throttle [1]: engine: at least; the governor may add
            speed [rad/s]: engine: the governor's target
            clutch [1]: gearbox: share of max_torque; where that is inf, open at 0 and else closed
            lock [1]: converter, differential: share of max_torque
            stroke [1]: pump, cylinder; at 0 the cylinders are shut"""
        struct_size: int
        gear: int
        throttle: float
        speed: float
        clutch: float
        lock: float
        stroke: float
    class vtb_driveline_state(Struct):
        """Readings of the last physics step; work and fuel since the part was made.
            struct_size: sizeof the struct in the caller's program
            reserved: must be 0
            torque [N m or N]: on the first four axes' joints
            power_in [W]: of the gases, or taken from the first axis, or of the flow from outside
            power_out [W]: given to the other axes
            work_in [J]: of power_in
            work_out [J]: of power_out; what is less is lost
            throttle [1]: engine: the governor's share included
            fuel_rate [kg/s]: engine
            fuel [kg]: engine
            ratio [1]: converter: output by input speed; gearbox: of the gear in mesh, 0 while open
            pressure [Pa]: pump, cylinder"""
        struct_size: int
        reserved: int
        torque: ctypes.Array[Any]
        power_in: float
        power_out: float
        work_in: float
        work_out: float
        throttle: float
        fuel_rate: float
        fuel: float
        ratio: float
        pressure: float
    class vtb_particles_def(Struct):
        """Balls that do not turn, under gravity and force fields, that touch each other and shapes and push bodies. They move after
        the bodies in each step, under every stepper. Energy and momentum of the world do not count them.
            struct_size: sizeof the struct in the caller's program
            flags: options
            max_count: room that is made at once
            iterations: sweeps over contacts in a step, at most
            category: categories they belong to
            mask: categories of shapes they collide with; both must agree
            friction [1]: Coulomb coefficient
            restitution [1]: Newton's coefficient
            friction_combine: how a pair makes one friction of two
            restitution_combine: how a pair makes one restitution of two
            gravity_scale [1]: share of gravity they feel"""
        struct_size: int
        flags: int
        max_count: int
        iterations: int
        category: int
        mask: int
        friction: float
        restitution: float
        friction_combine: int
        restitution_combine: int
        gravity_scale: float
    class vtb_particle(Struct):
        """One particle.
            position [m]: world
            velocity [m/s]: world axes
            mass [kg]: of the particle
            radius [m]: of the particle
            life [s]: left; inf = for ever
            id: from 1 on, by age; 0 in vtb_particles_set: a new one"""
        position: ctypes.Array[Any]
        velocity: ctypes.Array[Any]
        mass: float
        radius: float
        life: float
        id: int
    class vtb_emitter_def(Struct):
        """A disc that throws particles into a cone about its normal.
            struct_size: sizeof the struct in the caller's program
            seed: of its random numbers
            position [m]: world
            direction [1]: of any length but 0
            disc_radius [m]: of the disc
            cone_angle [rad]: between the cone's axis and its side
            speed [m/s]: evenly from speed - speed_spread to speed + speed_spread
            speed_spread [m/s]: see speed
            rate [1/s]: particles a second, each at its own instant
            mass [kg]: of each
            radius [m]: of each
            life [s]: of each"""
        struct_size: int
        seed: int
        position: ctypes.Array[Any]
        direction: ctypes.Array[Any]
        disc_radius: float
        cone_angle: float
        speed: float
        speed_spread: float
        rate: float
        mass: float
        radius: float
        life: float
    class vtb_sink_def(Struct):
        """What takes particles whose centre is inside.
            struct_size: sizeof the struct in the caller's program
            type: its geometry
            pose [pose]: world
            size [m]: see vtb_sink_type"""
        struct_size: int
        type: int
        pose: ctypes.Array[Any]
        size: ctypes.Array[Any]
    class vtb_particles_state(Struct):
        """Counts of a particle system.
            struct_size: sizeof the struct in the caller's program
            contacts: of the last physics step
            max_penetration [m]: of these at its end
            count: particles now
            emitted: so far: made by emitters
            expired: so far: past their life
            absorbed: so far: taken by sinks
            refused: so far: not made for want of room
            emitters: how many it has
            sinks: likewise"""
        struct_size: int
        contacts: int
        max_penetration: float
        count: int
        emitted: int
        expired: int
        absorbed: int
        refused: int
        emitters: int
        sinks: int
    class vtb_figure_def(Struct):
        """A figure.
            struct_size: sizeof the struct in the caller's program
            flags: options
            skeleton: its model; the figure keeps it alive
            pose [pose]: root link frame in the world
            step [s]: longest step of all its bodies, see vtb_body_set_integration; 0 = the world's
            integrator: of all its bodies
            base: whether its root moves"""
        struct_size: int
        flags: int
        skeleton: Any
        pose: ctypes.Array[Any]
        step: float
        integrator: int
        base: int
    class vtb_controller_info(Struct):
        """What a controller is. The controllers of a figure act before each step in the order in which they were added: each changes
        what those before it want. The first wants the pose that the figure had at the first step with a controller. Axes that
        none drives stay as their motors were set; a step that fails takes all back. Snapshots hold what controllers keep. Scene
        files hold controllers of a figure; vtb_world_save_scene answers VTB_E_UNSUPPORTED for those that calls added, changed or
        ended. Those that push links (root and marker drives, assistance) do not act under VTB_STEPPER_DISPLACEMENT:
        VTB_E_UNSUPPORTED. A figure has controllers or follows a clip by vtb_figure_play, not both.
            struct_size: sizeof the struct in the caller's program
            type: what it does
            figure: whose it is
            let_go: an animation has let its figure go
            standing: of balance: soles near the ground
            error [m]: of an animation: mean distance of the links from their pose; of markers: the farthest from its place
            force [N]: of a root drive: on the root in the last step; of inverse dynamics: what the feet lacked
            moment [N m]: likewise, about the root's origin; of inverse dynamics about the centre of mass
            outside [m]: of balance: how far the capture point is outside of the soles
            steps: of balance: taken until now
            reserved: 0"""
        struct_size: int
        type: int
        figure: Library.vtb_figure
        let_go: int
        standing: int
        error: float
        force: ctypes.Array[Any]
        moment: ctypes.Array[Any]
        outside: float
        steps: int
        reserved: int
    class vtb_drive_def(Struct):
        """Drives of all axes: a robot's PD control, a rag-doll that is drawn to a pose, or drives for the pose of an animation. They
        act at the end of a step, so any gain is stable; not under VTB_STEPPER_ODE, which is explicit and needs a step of about
        inertia / damping of the lightest axis.
            struct_size: sizeof the struct in the caller's program
            pose: which pose
            omega [rad/s]: natural frequency of each axis with the masses that it moves
            ratio [1]: of damping; 1 = critical
            strength [1]: bound of each axis, as a share of its effort in the skeleton; without one: no bound"""
        struct_size: int
        pose: int
        omega: float
        ratio: float
        strength: float
    class vtb_animation_def(Struct):
        """Clips as the wanted pose, with drives that follow it. A figure that is far from its pose, or is hit, is let go: its drives
        become weak, and after a while take the motion up again.
            struct_size: sizeof the struct in the caller's program
            reserved: must be 0
            omega [rad/s]: natural frequency of each axis with the masses that it moves
            ratio [1]: of damping; 1 = critical
            strength [1]: bound of each axis, as a share of its effort in the skeleton; without one: no bound
            largest_error [m]: mean distance of the links from their pose, seen from the root, that lets go
            largest_impact [N]: sum of contact forces of other bodies that lets go
            limp [1]: share of stiffness while it is let go
            rest [s]: how long it is let go at least
            resume [s]: in which drives and pose return"""
        struct_size: int
        reserved: int
        omega: float
        ratio: float
        strength: float
        largest_error: float
        largest_impact: float
        limp: float
        rest: float
        resume: float
    class vtb_play_def(Struct):
        """A clip of an animation: a motion whose joints have the names of the figure's, or a trajectory of the figure.
            struct_size: sizeof the struct in the caller's program
            repeat: how it is repeated
            motion: the clip, or NULL; the animation keeps it alive
            trajectory: the clip, or NULL: one of the two; smoothed by splines, see track.h
            begin [s]: time of the world at which it begins; at least the present, and that of the clip before it
            blend [s]: from then on, in which it takes over from what was wanted before
            from [s]: of the clip: where the part that is played begins
            to [s]: where it ends; at most the clip's end
            speed [1]: time of the clip per time of the world
            seam [s]: of the clip: end and beginning run together for so long where it is repeated
            heading [rad]: its root is turned about z by this, about the world's origin,
            shift [m]: then moved by this
            joins: heading and shift are found, so that the root goes on from where it is when the clip begins
            reserved: must be 0"""
        struct_size: int
        repeat: int
        motion: Any
        trajectory: Any
        begin: float
        blend: float
        to: float
        speed: float
        seam: float
        heading: float
        shift: ctypes.Array[Any]
        joins: int
        reserved: int
    class vtb_root_drive_def(Struct):
        """A bounded force that holds the root link where the controllers before it want it, each axis on its own.
            struct_size: sizeof the struct in the caller's program
            reserved: must be 0
            omega [rad/s]: along x, y, z and about them: natural frequency of the figure as one body; 0 = free
            rate [1/s]: at which a velocity follows, besides
            limit [N or N m]: largest force and moment
            ratio [1]: of damping; 1 = critical
            weight [1]: share of the figure's weight that the root carries"""
        struct_size: int
        reserved: int
        omega: ctypes.Array[Any]
        rate: ctypes.Array[Any]
        limit: ctypes.Array[Any]
        ratio: float
        weight: float
    class vtb_marker_drive_def(Struct):
        """Bounded forces that draw points of links to places in the world, as markers of an optical record draw a figure.
            struct_size: sizeof the struct in the caller's program
            count: number of points
            links: link of each
            points [m]: its place in the link's frame
            omega [rad/s]: of the figure's mass, shared among the points
            ratio [1]: of damping; 1 = critical
            limit [N]: of each force"""
        struct_size: int
        count: int
        links: Any
        points: Any
        omega: float
        ratio: float
        limit: float
    class vtb_marker_play_def(Struct):
        """A record of markers that the points follow.
            struct_size: sizeof the struct in the caller's program
            count: of the points of this controller
            markers: the record; the controller keeps it alive
            columns: marker of the record that each point follows; -1 = none
            begin [s]: time of the world at the record's first frame; before it the points have no places
            pose [pose]: of the record's world in this one"""
        struct_size: int
        count: int
        markers: Any
        columns: Any
        begin: float
        pose: ctypes.Array[Any]
    class vtb_inverse_dynamics_def(Struct):
        """The torques that the wanted motion needs, with the ground's forces on the feet.
            struct_size: sizeof the struct in the caller's program
            feedback: how errors are met
            omega [rad/s]: of the feedback of axes
            ratio [1]: of damping; 1 = critical
            root_omega [rad/s]: of a free root, by the forces of the feet
            root_ratio [1]: likewise
            flexion [rad or m]: stiffness of drives grows by the torque over this
            strength [1]: bound of each axis: share of its effort, or of one from masses where the skeleton has none
            friction [1]: of the ground, level at height 0, that the forces of the feet count on
            assist_force [1]: largest force on the root for what the feet lack, as a share of the weight
            assist_moment [1]: largest moment, as a share of the weight times the height of the centre of mass"""
        struct_size: int
        feedback: int
        omega: float
        ratio: float
        root_omega: float
        root_ratio: float
        flexion: float
        strength: float
        friction: float
        assist_force: float
        assist_moment: float
    class vtb_balance_def(Struct):
        """Balance: the figure stands over its feet, by their forces alone; a biped whose feet do not suffice steps.
            struct_size: sizeof the struct in the caller's program
            reserved: must be 0
            capture [1]: rate at which the capture point returns, as a multiple of the pendulum's own
            centred [1]: the centre of mass wanted: 0 = the pose's, 1 = over the middle of the soles
            height [rad/s]: of the centre of mass up and down
            upright [rad/s]: of the root's orientation
            hip [m]: how far outside of the soles the centre of pressure may be wanted
            legs [1]: share of their stiffness that drives of the legs keep
            friction [1]: of the ground, level at height 0, that the forces of the feet count on
            step_time [s]: time of a step, which a figure with one foot each on two legs takes where the capture point leaves the
            soles by 15 mm; 0 = it takes none"""
        struct_size: int
        reserved: int
        capture: float
        centred: float
        height: float
        upright: float
        hip: float
        legs: float
        friction: float
        step_time: float
    class vtb_goal_def(Struct):
        """A goal: a hand at a place, a head that looks, an object held upright, a foot that stays.
            struct_size: sizeof the struct in the caller's program
            type: what is asked for
            link: of the figure
            from: axes between this link and `link` move; -1 = all from the root on
            point [m]: of the link, in its frame
            direction [1]: of the link, in its frame
            target [m or 1]: a place in the world, or for type direction a direction there, of any length but 0
            begin [s]: time of the world at which it begins to act
            end [s]: and to fade
            blend [s]: in which it comes and goes"""
        struct_size: int
        type: int
        link: int
        point: ctypes.Array[Any]
        direction: ctypes.Array[Any]
        target: ctypes.Array[Any]
        begin: float
        end: float
        blend: float
    class vtb_contact(Struct):
        """A contact point.
            body_a: none = the world
            body_b: none = the world
            shape_a: of body_a
            shape_b: of body_b
            position [m]: midway between the surfaces, world
            normal [1]: from a to b, world axes
            gap [m]: negative = penetration
            force [N]: on b, world axes, mean over the physics step
            torsion [N m]: on b about the normal, by torsional friction, likewise
            rolling [N m]: on b along the surfaces, by rolling friction, likewise; world axes
            slip [m/s]: velocity of b's point against a's along the surfaces, now; world axes
            feature: which features touch; stable while they do
            reserved: must be 0"""
        body_a: Library.vtb_body
        body_b: Library.vtb_body
        shape_a: Library.vtb_shape
        shape_b: Library.vtb_shape
        position: ctypes.Array[Any]
        normal: ctypes.Array[Any]
        gap: float
        force: ctypes.Array[Any]
        torsion: float
        rolling: ctypes.Array[Any]
        slip: ctypes.Array[Any]
        feature: int
        reserved: int
    class vtb_contact_event(Struct):
        """An event of contact.
            shape_a: the first of the pair
            shape_b: the second of the pair
            phase: what happened
            reserved: must be 0
            time [s]: the world's, at the end of the physics step in which it happened
            impulse [N s]: on shape_b in that step, through all points of the pair, world axes; at an end 0"""
        shape_a: Library.vtb_shape
        shape_b: Library.vtb_shape
        phase: int
        reserved: int
        time: float
        impulse: ctypes.Array[Any]
    class vtb_sensor_def(Struct):
        """A sensor.
            struct_size: sizeof the struct in the caller's program
            type: what it reads
            body: that carries the site; none = the world; of type force_torque none
            joint: of type force_torque: whose force is read; of others none
            pose [pose]: the site, in the body's link frame; of type force_torque in the joint's frame on body_b
            axes: of what it reads; a pose is always the world's
            region: of type touch: which contact points count
            size [m]: of the region"""
        struct_size: int
        type: int
        body: Library.vtb_body
        joint: Library.vtb_joint
        pose: ctypes.Array[Any]
        axes: int
        region: int
        size: ctypes.Array[Any]
    class vtb_ray_hit(Struct):
        """Where a ray or a cast shape hits.
            body: that was hit; none = the world
            shape: that was hit; none: nothing
            distance [m]: along the direction
            position [m]: world
            normal [1]: outward, world axes"""
        body: Library.vtb_body
        shape: Library.vtb_shape
        distance: float
        position: ctypes.Array[Any]
        normal: ctypes.Array[Any]
    class vtb_closest(Struct):
        """Distance of two shapes.
            body: of the other shape; none = the world
            shape: the other one; none: nothing within the distance
            distance [m]: negative: depth of penetration, the least way that separates convex shapes
            point_a [m]: closest (deepest) point of the shape that was asked with, world
            point_b [m]: of the other
            normal [1]: unit, from the first to the other"""
        body: Library.vtb_body
        shape: Library.vtb_shape
        distance: float
        point_a: ctypes.Array[Any]
        point_b: ctypes.Array[Any]
        normal: ctypes.Array[Any]
    class vtb_camera(Struct):
        """A camera, for those who show the scene.
            struct_size: sizeof the struct in the caller's program
            reserved: must be 0
            name: lives as long as the scene
            position [m]: world
            target [m]: in the middle of the picture, world
            up [1]: the direction that is up, world axes
            fov [rad]: height of the picture"""
        struct_size: int
        reserved: int
        name: bytes | None
        position: ctypes.Array[Any]
        target: ctypes.Array[Any]
        up: ctypes.Array[Any]
        fov: float
    def vtb_abi(self, /) -> int:
        """VTB_ABI of the library in use."""
        ...
    def vtb_version(self, /) -> bytes:
        """Version of the library in use, such as "0.1.0"."""
        ...
    def vtb_status_name(self, code: int | str, /) -> bytes:
        """Name of a status, such as "VTB_E_ARG"; "unknown status" for other numbers.
            code: the status"""
        ...
    def vtb_last_error(self, /) -> bytes:
        """The text of this thread's last failed call, valid until its next one; "" before the first."""
        ...
    def vtb_diagnostics_count(self, diagnostics: Any, count: Any, /) -> None:
        """How many findings there are.
            diagnostics: the list
            count: receives the number"""
        ...
    def vtb_diagnostics_get(self, diagnostics: Any, index: int, out: Any, /) -> None:
        """One finding; VTB_E_ARG beyond the last.
            diagnostics: the list
            index: counted from 0
            out: receives the result"""
        ...
    def vtb_diagnostics_release(self, diagnostics: Any, /) -> None:
        """Releases a list.
            diagnostics: the list"""
        ...
    def vtb_quat_from_matrix(self, matrix: Array | None, quaternion: Out, /) -> None:
        """Quaternion of a matrix, which must be a rotation to 1e-6.
            matrix [1]: 3 x 3, row-major; its columns are the local axes in the parent
            quaternion [1]: x, y, z, w; turns local into parent axes"""
        ...
    def vtb_quat_to_matrix(self, quaternion: Array | None, matrix: Out, /) -> None:
        """Matrix of a quaternion.
            quaternion [1]: x, y, z, w; turns local into parent axes
            matrix [1]: 3 x 3, row-major; its columns are the local axes in the parent"""
        ...
    def vtb_quat_from_axis_angle(self, axis: Array | None, angle: float, quaternion: Out, /) -> None:
        """Turn by an angle about an axis.
            axis [1]: of any length but 0
            angle [rad]: of the turn
            quaternion [1]: x, y, z, w; turns local into parent axes"""
        ...
    def vtb_quat_to_axis_angle(self, quaternion: Array | None, axis: Out, angle: Any, /) -> None:
        """Axis and angle of a turn.
            quaternion [1]: x, y, z, w; turns local into parent axes
            axis [1]: receives a unit vector; any where the angle is 0
            angle [rad]: receives the angle, from 0 to pi"""
        ...
    def vtb_quat_from_euler(self, order: Text, angles: Array | None, quaternion: Out, /) -> None:
        """Quaternion of Euler angles.
            order: three letters of X, Y, Z such as "ZXY" or "XYX"
            angles [rad]: in the order of the letters; q = R(order[0], angles[0]) R(order[1], angles[1]) R(order[2], angles[2])
            quaternion [1]: x, y, z, w; turns local into parent axes"""
        ...
    def vtb_quat_to_euler(self, quaternion: Array | None, order: Text, angles: Out, /) -> None:
        """Euler angles of a quaternion; at a singular middle angle the last one is 0.
            quaternion [1]: x, y, z, w; turns local into parent axes
            order: three letters of X, Y, Z such as "ZXY" or "XYX"
            angles [rad]: in the order of the letters; q = R(order[0], angles[0]) R(order[1], angles[1]) R(order[2], angles[2])"""
        ...
    def vtb_pose_multiply(self, a: Array | None, b: Array | None, out: Out, /) -> None:
        """The pose that applies b, then a: of a frame that stands at b in a frame that stands at a.
            a [pose]: the outer one
            b [pose]: the inner one
            out [pose]: receives the product; may be a or b"""
        ...
    def vtb_pose_inverse(self, pose: Array | None, out: Out, /) -> None:
        """The pose that undoes a pose: of the parent in the local frame.
            pose [pose]: the pose
            out [pose]: receives the inverse; may be pose"""
        ...
    def vtb_pose_apply(self, pose: Array | None, point: Array | None, out: Out, /) -> None:
        """A point of the local frame in the parent frame.
            pose [pose]: of the local frame
            point [m]: in the local frame
            out [m]: receives the point in the parent frame; may be point"""
        ...
    def vtb_pose_rotate(self, pose: Array | None, direction: Array | None, out: Out, /) -> None:
        """A direction of the local frame in the parent frame: it turns and does not move.
            pose [pose]: of the local frame
            direction [1]: in the local frame, of any length
            out [1]: receives the direction in the parent frame; may be direction"""
        ...
    def vtb_axis_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_shape_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_shape_create(self, world: Any, body: Library.vtb_body | None, def_: Any, out: Any, /) -> None:
        """A shape on a body.
            world: the world; used by one thread at a time
            body: that carries it; none = the world
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_shape_destroy(self, world: Any, shape: Library.vtb_shape | None, /) -> None:
        """Destroys a shape, with the shapes in its compound.
            world: the world; used by one thread at a time
            shape: a shape of this world"""
        ...
    def vtb_shape_get_body(self, world: Any, shape: Library.vtb_shape | None, body: Any, /) -> None:
        """The body that carries the shape.
            world: the world; used by one thread at a time
            shape: a shape of this world
            body: receives it; none = the world"""
        ...
    def vtb_shape_get_pose(self, world: Any, shape: Library.vtb_shape | None, pose: Out, /) -> None:
        """Pose in the parent shape or the link frame.
            world: the world; used by one thread at a time
            shape: a shape of this world
            pose [pose]: receives it"""
        ...
    def vtb_shape_set_pose(self, world: Any, shape: Library.vtb_shape | None, pose: Array | None, /) -> None:
        """Moves a shape and wakes what may touch it.
            world: the world; used by one thread at a time
            shape: a shape of this world
            pose [pose]: in the parent shape or the link frame"""
        ...
    def vtb_shape_get_surface(self, world: Any, shape: Library.vtb_shape | None, out: Any, /) -> None:
        """The present surface.
            world: the world; used by one thread at a time
            shape: a shape of this world
            out: receives the result"""
        ...
    def vtb_shape_set_surface(self, world: Any, shape: Library.vtb_shape | None, surface: Any, /) -> None:
        """Another surface, from the next step on: get it first, then change what is to change.
            world: the world; used by one thread at a time
            shape: a shape of this world
            surface: the surface"""
        ...
    def vtb_shape_set_filter(self, world: Any, shape: Library.vtb_shape | None, category: int, mask: int, /) -> None:
        """What the shape may touch: two shapes may if each one's category shares a bit with the other's mask.
            world: the world; used by one thread at a time
            shape: a shape of this world
            category: categories it belongs to
            mask: categories it collides with"""
        ...
    def vtb_shape_get_colour(self, world: Any, shape: Library.vtb_shape | None, rgba: Out, /) -> None:
        """The colour for display that it was created with.
            world: the world; used by one thread at a time
            shape: a shape of this world
            rgba [1]: receives red, green, blue and opacity, 0 to 1"""
        ...
    def vtb_shape_get_mesh(self, world: Any, shape: Library.vtb_shape | None, vertices: Out, vertex_capacity: int, vertex_total: Any, triangles: Any, triangle_capacity: int, triangle_total: Any, /) -> None:
        """Triangles for display.
            world: the world; used by one thread at a time
            shape: a shape of this world
            vertices [m]: receives positions in the link frame
            vertex_capacity: vertices that the array has room for
            vertex_total: receives the number of vertices
            triangles: receives indices of vertices, counter-clockwise from outside
            triangle_capacity: triangles that the array has room for
            triangle_total: receives the number of triangles"""
        ...
    def vtb_world_set_pair_collides(self, world: Any, a: Library.vtb_body | None, b: Library.vtb_body | None, collides: int, /) -> None:
        """Whether two bodies may touch at all; joints and filters are asked besides.
            world: the world; used by one thread at a time
            a: one body; none = the world
            b: the other body; none = the world
            collides: whether they may"""
        ...
    def vtb_world_get_ignored_pairs(self, world: Any, a: Any, b: Any, capacity: int, total: Any, /) -> None:
        """The pairs of bodies that may not touch: those set by vtb_world_set_pair_collides and those that figures came with.
            world: the world; used by one thread at a time
            a: receives one body of each; none = the world
            b: receives the other
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_urdf_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_skeleton_load_urdf(self, path: Text, def_: Any, diagnostics: Any, out: Any, /) -> None:
        """Reads a URDF file; diagnostics receives a list on success and on VTB_E_PARSE.
            path: of a file, UTF-8
            def: how to read it
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_skeleton_parse_urdf(self, text: Text, size: int, name: Text, def_: Any, diagnostics: Any, out: Any, /) -> None:
        """The same from text.
            text: the file's content, UTF-8; need not end in NUL
            size: of the buffer or text, in bytes
            name: stands for the file in the findings
            def: how to read it
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_motion_figure_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_skeleton_from_motion(self, motion: Any, def_: Any, diagnostics: Any, out: Any, /) -> None:
        """A figure from a motion's hierarchy: capsules along bones, human-like masses, joint types from the rotation channels.
            motion: a clip
            def: how to make it
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_skeleton_retain(self, skeleton: Any, /) -> None:
        """One more owner; each releases once.
            skeleton: a figure's model"""
        ...
    def vtb_skeleton_release(self, skeleton: Any, /) -> None:
        """One owner less; the last one destroys it.
            skeleton: the figure's model"""
        ...
    def vtb_skeleton_get_info(self, skeleton: Any, out: Any, /) -> None:
        """Numbers of links, joints and shapes, mass, root.
            skeleton: a figure's model
            out: receives the result"""
        ...
    def vtb_skeleton_get_name(self, skeleton: Any, buffer: Any, size: int, needed: Any, /) -> None:
        """The name that the file or the builder gave.
            skeleton: a figure's model
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_skeleton_get_link(self, skeleton: Any, link: int, out: Any, /) -> None:
        """A link's name, mass, centre of mass and inertia.
            skeleton: a figure's model
            link: index of a link of the skeleton
            out: receives the result"""
        ...
    def vtb_skeleton_get_joint(self, skeleton: Any, joint: int, out: Any, /) -> None:
        """A joint's name, type, links, frames and what the file says besides.
            skeleton: a figure's model
            joint: index of a joint of the skeleton
            out: receives the result"""
        ...
    def vtb_skeleton_get_axis(self, skeleton: Any, joint: int, axis: int, out: Any, /) -> None:
        """Limits, spring and losses of one axis.
            skeleton: a figure's model
            joint: index of a joint of the skeleton
            axis: index of the joint's axis, in the order of its velocities
            out: receives the result"""
        ...
    def vtb_skeleton_find_link(self, skeleton: Any, name: Text, link: Any, /) -> None:
        """Index by name; VTB_E_ARG if there is none.
            skeleton: a figure's model
            name: UTF-8
            link: receives the link's index"""
        ...
    def vtb_skeleton_find_joint(self, skeleton: Any, name: Text, joint: Any, /) -> None:
        """Index by name; VTB_E_ARG if there is none.
            skeleton: a figure's model
            name: UTF-8
            joint: receives the joint's index"""
        ...
    def vtb_skeleton_get_site(self, skeleton: Any, site: int, out: Any, /) -> None:
        """A site's name, link and pose.
            skeleton: a figure's model
            site: index of a site of the skeleton
            out: receives the result"""
        ...
    def vtb_skeleton_find_site(self, skeleton: Any, name: Text, site: Any, /) -> None:
        """Index by name; VTB_E_ARG if there is none.
            skeleton: a figure's model
            name: UTF-8
            site: receives the site's index"""
        ...
    def vtb_skeleton_get_role(self, skeleton: Any, role: int, out: Any, /) -> None:
        """A role's name and link. Retargeting takes roles before all that it finds by itself; see retarget_map.h for their names.
            skeleton: a figure's model
            role: index of a role of the skeleton
            out: receives the result"""
        ...
    def vtb_skeleton_find_role(self, skeleton: Any, name: Text, link: Any, /) -> None:
        """The link of a role; VTB_E_ARG if there is none.
            skeleton: a figure's model
            name: UTF-8
            link: receives the link's index"""
        ...
    def vtb_skeleton_get_visual(self, skeleton: Any, collision: int, index: int, out: Any, /) -> None:
        """Sizes, link and colour of one visual or collision shape, for vtb_skeleton_get_visual_mesh.
            skeleton: a figure's model
            collision: 0: visuals, 1: collision shapes
            index: counted from 0
            out: receives the result"""
        ...
    def vtb_skeleton_get_visual_mesh(self, skeleton: Any, collision: int, index: int, vertices: Out, vertex_capacity: int, triangles: Any, triangle_capacity: int, /) -> None:
        """Its triangles.
            skeleton: a figure's model
            collision: 0: visuals, 1: collision shapes
            index: counted from 0
            vertices [m]: receives positions in the link frame
            vertex_capacity: vertices that the array has room for
            triangles: receives indices of vertices, counter-clockwise from outside
            triangle_capacity: triangles that the array has room for"""
        ...
    def vtb_link_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_skeleton_joint_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_skeleton_builder_create(self, name: Text, out: Any, /) -> None:
        """An empty skeleton to add to.
            name: of the skeleton; copied
            out: receives the result"""
        ...
    def vtb_skeleton_builder_destroy(self, builder: Any, /) -> None:
        """Destroys a builder.
            builder: the builder"""
        ...
    def vtb_skeleton_builder_add_link(self, builder: Any, def_: Any, index: Any, /) -> None:
        """Adds a link.
            builder: the skeleton being made
            def: the description, prepared by its _init call
            index: receives its index"""
        ...
    def vtb_skeleton_builder_add_shape(self, builder: Any, link: int, def_: Any, /) -> None:
        """Adds a collision shape, shown as a visual too, in the link's frame.
            builder: the skeleton being made
            link: index of a link of the skeleton
            def: the description, prepared by its _init call"""
        ...
    def vtb_skeleton_builder_add_joint(self, builder: Any, def_: Any, index: Any, /) -> None:
        """Adds a joint between two links that are there.
            builder: the skeleton being made
            def: the description, prepared by its _init call
            index: receives its index"""
        ...
    def vtb_skeleton_builder_set_axis(self, builder: Any, joint: int, axis: int, def_: Any, /) -> None:
        """Limits, spring and losses of one axis of a joint added before.
            builder: the skeleton being made
            joint: index of a joint added before
            axis: index of the joint's axis, in the order of its velocities
            def: the description, prepared by its _init call"""
        ...
    def vtb_skeleton_builder_add_site(self, builder: Any, link: int, name: Text, pose: Array | None, /) -> None:
        """Adds a named frame on a link.
            builder: the skeleton being made
            link: index of a link of the skeleton
            name: of the site; copied
            pose [pose]: in the link's frame"""
        ...
    def vtb_skeleton_builder_set_role(self, builder: Any, name: Text, link: int, /) -> None:
        """Says what a link is, such as left_foot.
            builder: the skeleton being made
            name: of the role; copied
            link: index of a link of the skeleton"""
        ...
    def vtb_skeleton_builder_finish(self, builder: Any, root_link: int, out: Any, /) -> None:
        """The skeleton as it stands; the builder may go on. VTB_E_ARG, among others, if the links are no tree from the root on.
            builder: the skeleton being made
            root_link: index of the link that is the root
            out: receives the result"""
        ...
    def vtb_skeleton_load(self, path: Text, def_: Any, diagnostics: Any, out: Any, /) -> None:
        """Reads a skeleton file (docs/reference/skeleton.md) or a URDF, by its outermost element. VTB_E_IO, VTB_E_PARSE.
            path: of a file, UTF-8
            def: how to read a URDF
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_skeleton_parse(self, text: Text, size: int, name: Text, def_: Any, diagnostics: Any, out: Any, /) -> None:
        """The same from text; paths of meshes in it are relative to the folder of name. VTB_E_PARSE.
            text: the file's content, UTF-8; need not end in NUL
            size: of the buffer or text, in bytes
            name: stands for the file in the findings
            def: how to read a URDF
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_skeleton_save(self, skeleton: Any, path: Text, /) -> None:
        """Writes a skeleton file, which reads back the same to round-off of its orientations; meshes and hulls stand in it as
        points. VTB_E_IO.
            skeleton: a figure's model
            path: of a file, UTF-8"""
        ...
    def vtb_skeleton_write(self, skeleton: Any, buffer: Any, size: int, needed: Any, /) -> None:
        """The same into memory.
            skeleton: a figure's model
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_skeleton_get_reference(self, buffer: Any, size: int, needed: Any, /) -> None:
        """What skeleton files may hold, as Markdown: every element with its attributes.
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_skeleton_scaled(self, skeleton: Any, factor: float, out: Any, /) -> None:
        """All lengths times a factor: places of joints and sites, shapes, ways and speeds along axes that slide.
            skeleton: a figure's model
            factor [1]: of lengths
            out: receives the result"""
        ...
    def vtb_skeleton_link_scaled(self, skeleton: Any, link: int, length: float, thickness: float, out: Any, /) -> None:
        """A link's bone longer or thicker. The bone leads from its joint to the middle of the next ones, of its sites at a tip, else
        through its centre of mass; what hangs on it moves along it. VTB_E_ARG for a link without a bone.
            skeleton: a figure's model
            link: whose bone, or -1: of all links; of those without a bone then only shapes become thicker
            length [1]: factor along the bone
            thickness [1]: factor across it
            out: receives the result"""
        ...
    def vtb_skeleton_joint_retyped(self, skeleton: Any, joint: int, type: int | str, axis: Array | None, out: Any, /) -> None:
        """Another type of joint about (or along) an axis. Limits and losses stay where number and unit of the axes do.
            skeleton: a figure's model
            joint: index of a joint of the skeleton
            type: how it lets the child move; one that skeletons have
            axis [1]: of the joint, in its frame
            out: receives the result"""
        ...
    def vtb_skeleton_joint_merged(self, skeleton: Any, joint: int, out: Any, /) -> None:
        """The joint's child becomes part of its parent, where its coordinates are 0. VTB_E_ARG where another joint follows it.
            skeleton: a figure's model
            joint: index of a joint of the skeleton
            out: receives the result"""
        ...
    def vtb_skeleton_joint_dropped(self, skeleton: Any, joint: int, out: Any, /) -> None:
        """The joint goes, with all that hangs on it. VTB_E_ARG where a joint that stays follows one that goes.
            skeleton: a figure's model
            joint: index of a joint of the skeleton
            out: receives the result"""
        ...
    def vtb_skeleton_mirrored(self, skeleton: Any, plane_normal: int, out: Any, /) -> None:
        """The mirror image of every link in its own frame; left and right change places in names. Coordinates of hinges and slides
        stay the same. VTB_E_ARG for joints of type planar, floating, cylindrical and wheel.
            skeleton: a figure's model
            plane_normal: x, y or z, whose sign changes
            out: receives the result"""
        ...
    def vtb_bvh_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: how to read it
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_motion_load_bvh(self, path: Text, def_: Any, diagnostics: Any, out: Any, /) -> None:
        """Reads a BVH file; diagnostics as for a URDF. VTB_E_IO, VTB_E_PARSE.
            path: of a file, UTF-8
            def: how to read it
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_motion_parse_bvh(self, text: Text, size: int, name: Text, def_: Any, diagnostics: Any, out: Any, /) -> None:
        """The same from text. VTB_E_PARSE.
            text: the file's content, UTF-8; need not end in NUL
            size: of the buffer or text, in bytes
            name: stands for the file in the findings
            def: how to read it
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_motion_save_bvh(self, motion: Any, path: Text, /) -> None:
        """Writes a BVH file, file axes and units, so that loading it again gives every channel to 1e-6. VTB_E_IO.
            motion: a clip
            path: of a file, UTF-8"""
        ...
    def vtb_motion_write_bvh(self, motion: Any, buffer: Any, size: int, needed: Any, /) -> None:
        """The same into memory.
            motion: a clip
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_motion_retain(self, motion: Any, /) -> None:
        """One more owner; each releases once.
            motion: a clip"""
        ...
    def vtb_motion_release(self, motion: Any, /) -> None:
        """One owner less; the last one destroys it.
            motion: the clip"""
        ...
    def vtb_motion_get_info(self, motion: Any, out: Any, /) -> None:
        """Numbers of joints, channels and frames, frame time, unit, axes.
            motion: a clip
            out: receives the result"""
        ...
    def vtb_motion_get_joint(self, motion: Any, joint: int, out: Any, /) -> None:
        """A joint's name, parent, offset and channels.
            motion: a clip
            joint: index of a joint of the motion
            out: receives the result"""
        ...
    def vtb_motion_find_joint(self, motion: Any, name: Text, joint: Any, /) -> None:
        """Index by name; VTB_E_ARG if there is none.
            motion: a clip
            name: UTF-8
            joint: receives the joint's index"""
        ...
    def vtb_motion_get_frame(self, motion: Any, frame: int, values: Out, capacity: int, total: Any, /) -> None:
        """Channel values of one frame as in the file.
            motion: a clip
            frame: counted from 0
            values [file units or degrees]: receives one number for each channel
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_motion_get_poses(self, motion: Any, frame: int, raw: int, poses: Out, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Poses of all joints.
            motion: a clip
            frame: counted from 0
            raw: 0: world axes, Z up, metres; 1: the file's axes and units
            poses [pose]: receives 7 numbers each
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_motion_sample_poses(self, motion: Any, time: float, raw: int, poses: Out, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """The same at a time, clamped to the clip; rotations are interpolated on the group.
            motion: a clip
            time [s]: from the first frame
            raw: 0: world axes, Z up, metres; 1: the file's axes and units
            poses [pose]: receives 7 numbers each
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_motion_scaled(self, motion: Any, scale: float, out: Any, /) -> None:
        """The clip at another size.
            motion: a clip
            scale [1]: factor on all lengths
            out: receives the result"""
        ...
    def vtb_motion_resampled(self, motion: Any, frames_per_second: float, out: Any, /) -> None:
        """The clip at another rate; rotations are interpolated on the group.
            motion: a clip
            frames_per_second [1/s]: rate of the result
            out: receives the result"""
        ...
    def vtb_motion_trimmed(self, motion: Any, first: int, last: int, out: Any, /) -> None:
        """A part of the clip.
            motion: a clip
            first: index of the first frame kept
            last: index of the last frame kept
            out: receives the result"""
        ...
    def vtb_motion_filtered(self, motion: Any, filter: int | str, cutoff: float, out: Any, /) -> None:
        """The clip smoothed, without a shift in time: rotations as unit quaternions, without wraps of angles. VTB_E_UNSUPPORTED
        names a joint that turns so fast that nothing of it would be left.
            motion: a clip
            filter: kind of filter
            cutoff [1/s]: frequency at which a vibration keeps 1/sqrt(2) of its size; below half the frame rate, above a hundred-
            thousandth of it, of a spline at least a thousandth
            out: receives the result"""
        ...
    def vtb_motion_faster(self, motion: Any, factor: float, out: Any, /) -> None:
        """The clip faster or slower, at the same frame rate.
            motion: a clip
            factor [1]: 2 = in half of the time
            out: receives the result"""
        ...
    def vtb_motion_appended(self, motion: Any, second: Any, blend: float, out: Any, /) -> None:
        """A second clip behind the first, at the first one's frame rate, with its skeleton. The second is turned about the vertical
        and moved along the ground so that the roots meet in the middle of the time in which both run. VTB_E_UNSUPPORTED says what
        the two lack: a joint, equal channels, a root with all channels.
            motion: a clip
            second: the clip that follows
            blend [s]: how long both run; at least a frame, at most the shorter clip
            out: receives the result"""
        ...
    def vtb_motion_mirrored(self, motion: Any, axis: int, out: Any, /) -> None:
        """Left and right exchanged, through the plane across an axis of the file; partners are found by their names. Twice gives the
        clip again. VTB_E_UNSUPPORTED: partners have different channels, or axis is -1 and none are found.
            motion: a clip
            axis: of the file, 0..2; -1 = along which left joints lie beside right ones
            out: receives the result"""
        ...
    def vtb_motion_reparented(self, motion: Any, joint: int, parent: int, out: Any, /) -> None:
        """The clip with a joint hung on another parent. All joints keep their poses in all frames: the joint gets the channels that
        its motion in the new parent needs. Joints are numbered again, parents first. VTB_E_UNSUPPORTED: the parent is the joint,
        or hangs below it.
            motion: a clip
            joint: index of a joint of the motion
            parent: index of a joint; -1 = the joint becomes a root
            out: receives the result"""
        ...
    def vtb_motion_dropped(self, motion: Any, joint: int, out: Any, /) -> None:
        """The clip without a joint, whose children hang on its parent. The other joints keep their poses in all frames. Joints are
        numbered again. VTB_E_UNSUPPORTED: it is the only joint, or a root with several children.
            motion: a clip
            joint: index of a joint of the motion
            out: receives the result"""
        ...
    def vtb_motion_in_place(self, motion: Any, path: Out, capacity: int, stride_bytes: int, total: Any, out: Any, /) -> None:
        """The clip with its root above the origin, without heading, in all frames; other roots move with it. World axes, Z up: a
        pose of the clip is the path's turn about the vertical and shift along the ground, applied to the pose of the result.
        Here, in loops and in joined clips, where a root stays in one place and has one child with all channels, that child counts
        as the root; what is above it stays. VTB_E_UNSUPPORTED: a root lacks channels.
            motion: a clip
            path [m or rad]: receives x, y and heading of the root for each frame; the heading is the turn about the vertical from
            the rest pose, without jumps of whole turns
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity
            out: receives the result"""
        ...
    def vtb_motion_looped(self, motion: Any, first: int, last: int, blend: float, out: Any, /) -> None:
        """One period of a clip that repeats itself: frames first to last. The last becomes the first, moved on over the ground: over
        the first seconds of the period its difference to the last fades, in positions, rotations and their velocities; later
        frames are as they were. VTB_E_UNSUPPORTED: a root lacks channels.
            motion: a clip
            first: frame at which the period begins, as of vtb_motion_find_loop
            last: frame at which it begins again, at least first + 2
            blend [s]: how long the difference fades; at least a frame, at most the period
            out: receives the result"""
        ...
    def vtb_motion_get_velocities(self, motion: Any, frame: int, velocities: Out, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Velocities of all joints by differences of frames: exact for constant rates, else of second order. World axes, Z up.
            motion: a clip
            frame: counted from 0
            velocities [twist]: receives one for each joint, of its origin
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_motion_get_accelerations(self, motion: Any, frame: int, accelerations: Out, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Accelerations of all joints by differences of frames. World axes, Z up.
            motion: a clip
            frame: counted from 0
            accelerations [m/s^2 or rad/s^2]: receives 6 for each joint: of its origin, then angular
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_resting_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_motion_get_resting(self, motion: Any, joint: int, def_: Any, resting: Any, capacity: int, total: Any, /) -> None:
        """Frames in which a joint rests on the ground.
            motion: a clip
            joint: index of a joint of the motion
            def: when it does
            resting: receives 0 or 1 for each frame
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_motion_find_outliers(self, motion: Any, diagnostics: Any, frames: Any, capacity: int, total: Any, /) -> None:
        """Frames that do not fit their neighbours: a joint turns, or a root moves, six times as far as in the steps around. Each is
        told as a warning: motion.first-frame and motion.last-frame (such as a T-pose before the motion), motion.spike (one
        frame), motion.jump (from the frame before to this one, and it stays).
            motion: a clip
            diagnostics: receives what was found, with joint, size and what to do
            frames: receives frames, ascending
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_motion_mended(self, motion: Any, how: int | str, diagnostics: Any, out: Any, /) -> None:
        """The clip with the first, last and single frames of vtb_motion_find_outliers mended; a jump that lasts has nothing to be
        mended with, and stays. VTB_E_UNSUPPORTED: no frame would be left.
            motion: a clip
            how: what is done with them
            diagnostics: receives motion.mended for each frame that was mended, and a warning motion.jump for each jump that stays
            out: receives the result"""
        ...
    def vtb_motion_find_loop(self, motion: Any, shortest: float, first: Any, last: Any, error: Any, /) -> None:
        """Two frames between which the clip can be repeated: first to last - 1 is one period. Of all pairs the shortest whose error
        is within a tenth (and 1 mm) of the least. VTB_E_UNSUPPORTED: the clip is not that long.
            motion: a clip
            shortest [s]: least length of a period
            first: receives the frame at which a period begins
            last: receives the frame that is like the first
            error [m]: receives the root mean square over the joints of differences of positions, and of velocities times 0.1 s,
            in the axes of the root's heading"""
        ...
    def vtb_marker_faults_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_markers_from_motion(self, motion: Any, set: Text, def_: Any, diagnostics: Any, out: Any, /) -> None:
        """Markers of a clip. The set is an XML file: <markers> with a <marker name="LKNE" joint="LeftLeg" offset="0.05 0 0"/> each;
        the offset is in metres, in the joint's frame. Diagnostics as for a URDF. VTB_E_IO, VTB_E_PARSE.
            motion: a clip
            set: path of the marker set; NULL = a marker with its name at the origin of each joint
            def: what is wrong with the markers
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_markers_load_trc(self, path: Text, up: int | str, diagnostics: Any, out: Any, /) -> None:
        """Reads a TRC file: tabs, units m, cm or mm, a marker without a position where its three fields are empty or NaN.
        Diagnostics as for a URDF. VTB_E_IO, VTB_E_PARSE.
            path: of a file, UTF-8
            up: axis of the file that points up, y or z; guess = y, as is usual
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_markers_parse_trc(self, text: Text, size: int, name: Text, up: int | str, diagnostics: Any, out: Any, /) -> None:
        """The same from text. VTB_E_PARSE.
            text: the file's content, UTF-8; need not end in NUL
            size: of the buffer or text, in bytes
            name: stands for the file in the findings
            up: axis of the file that points up, y or z; guess = y, as is usual
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_markers_save_trc(self, markers: Any, path: Text, /) -> None:
        """Writes a TRC file, Y up, millimetres; fields of a marker without a position are empty. VTB_E_IO.
            markers: positions over time
            path: of a file, UTF-8"""
        ...
    def vtb_markers_write_trc(self, markers: Any, buffer: Any, size: int, needed: Any, /) -> None:
        """The same into memory.
            markers: positions over time
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_markers_get_info(self, markers: Any, out: Any, /) -> None:
        """Numbers of markers and frames, frame time.
            markers: positions over time
            out: receives the result"""
        ...
    def vtb_markers_get_name(self, markers: Any, index: int, buffer: Any, size: int, needed: Any, /) -> None:
        """Name of a marker.
            markers: positions over time
            index: of the marker
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_markers_get_frame(self, markers: Any, frame: int, positions: Out, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Positions of all markers in a frame, world axes, Z up.
            markers: positions over time
            frame: counted from 0
            positions [m]: receives 3 for each marker; not a number where it has none
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_motion_from_markers(self, markers: Any, fill: int, diagnostics: Any, out: Any, /) -> None:
        """A clip of the record, in metres, Z up: a joint without parent and without rotations for each marker, so that it can be
        resampled, filtered and trimmed; vtb_markers_from_motion makes it a record again. A clip has no gaps. VTB_E_UNSUPPORTED: a
        marker has gaps that are not to be filled, or no position at all.
            markers: positions over time
            fill: 1: in a gap the marker moves on a straight line, before its first and behind its last position it stays
            diagnostics: receives a warning markers.filled for each marker that had gaps
            out: receives the result"""
        ...
    def vtb_markers_retain(self, markers: Any, /) -> None:
        """One more owner; each releases once.
            markers: positions over time"""
        ...
    def vtb_markers_release(self, markers: Any, /) -> None:
        """One owner less; the last one destroys it.
            markers: positions over time"""
        ...
    def vtb_marker_fit_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_marker_fitter_create(self, skeleton: Any, set: Text, frame_time: float, def_: Any, diagnostics: Any, out: Any, /) -> None:
        """A fitter for frames at equal steps. The set is an XML file as vtb_markers_from_motion has it; its joints are links or
        joints of the skeleton, whose root is free. Diagnostics as for a URDF. VTB_E_IO, VTB_E_PARSE; VTB_E_UNSUPPORTED for fewer
        than three markers.
            skeleton: a figure's model
            set: path of the marker set
            frame_time [s]: from one frame to the next
            def: how to do it
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_marker_fitter_get_info(self, fitter: Any, out: Any, /) -> None:
        """Numbers of markers and coordinates, latency, what was met.
            fitter: from positions of markers to a figure's coordinates
            out: receives the result"""
        ...
    def vtb_marker_fitter_get_name(self, fitter: Any, index: int, buffer: Any, size: int, needed: Any, /) -> None:
        """Name of a marker of the set.
            fitter: from positions of markers to a figure's coordinates
            index: of the marker
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_marker_fitter_get_offset(self, fitter: Any, index: int, offset: Out, /) -> None:
        """Where a marker sits, as calibrated.
            fitter: from positions of markers to a figure's coordinates
            index: of the marker
            offset [m]: receives its place in the frame of its link or joint"""
        ...
    def vtb_marker_fitter_calibrate(self, fitter: Any, markers: Any, /) -> None:
        """Finds where the markers sit from a record of the same actor, with markers of the same names; then forgets its frames.
        VTB_E_UNSUPPORTED if no frame shows three of them.
            fitter: from positions of markers to a figure's coordinates
            markers: the record"""
        ...
    def vtb_marker_fitter_push(self, fitter: Any, positions: Array | None, q: Out, capacity: int, total: Any, ready: Any, /) -> None:
        """The next frame. The result belongs to the frame that came `latency` frames before; there is none before three markers were
        seen together.
            fitter: from positions of markers to a figure's coordinates
            positions [m]: world, Z up, in the order of the set; not a number where a marker is hidden
            q [rad or m]: receives nq coordinates where ready is 1; VTB_E_ARG if it is smaller
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity
            ready: receives 1 if there is a frame, else 0"""
        ...
    def vtb_marker_fitter_finish(self, fitter: Any, q: Out, capacity: int, total: Any, ready: Any, /) -> None:
        """One of the frames that are still held back, when no more frames come.
            fitter: from positions of markers to a figure's coordinates
            q [rad or m]: receives nq coordinates where ready is 1; VTB_E_ARG if it is smaller
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity
            ready: receives 1 if there is a frame, else 0"""
        ...
    def vtb_marker_fitter_predict(self, fitter: Any, positions: Out, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Where the markers are expected in the frame to come, hidden ones too. VTB_E_UNSUPPORTED before the first fitted frame.
            fitter: from positions of markers to a figure's coordinates
            positions [m]: receives 3 for each marker
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_marker_fitter_restart(self, fitter: Any, /) -> None:
        """Forgets all frames and exchanged names; where the markers sit stays.
            fitter: from positions of markers to a figure's coordinates"""
        ...
    def vtb_marker_fitter_destroy(self, fitter: Any, /) -> None:
        """Destroys a fitter.
            fitter: the fitter"""
        ...
    def vtb_markers_fit(self, markers: Any, skeleton: Any, set: Text, def_: Any, info: Any, diagnostics: Any, out: Any, /) -> None:
        """A whole record: each of its frames gets coordinates. Markers of the record that the set does not have are not used, those
        of the set that the record does not have are hidden; the diagnostics tell both. VTB_E_IO, VTB_E_PARSE; VTB_E_UNSUPPORTED
        as vtb_marker_fitter_create, and if no frame shows three markers.
            markers: the record
            skeleton: a figure's model
            set: path of the marker set
            def: how to do it
            info: receives what was met
            diagnostics: receives the list of findings; to be released
            out: receives the trajectory"""
        ...
    def vtb_markers_calibrate_bones(self, markers: Any, skeleton: Any, set: Text, def_: Any, diagnostics: Any, out: Any, /) -> None:
        """The figure with bones as long as a record shows: all lengths together, by least squares, while the coordinates of each
        frame go along; masses and inertias follow. A length that no marker tells stays. Diagnostics as of vtb_markers_fit, and
        markers.bone for each bone that changed by more than a thousandth. VTB_E_IO, VTB_E_PARSE; VTB_E_UNSUPPORTED as
        vtb_markers_fit.
            markers: the record
            skeleton: a figure's model
            set: path of the marker set
            def: how the record is fitted; calibrate and latency do not count
            diagnostics: receives the list of findings; to be released
            out: receives the skeleton"""
        ...
    def vtb_workspace_create(self, skeleton: Any, base: int | str, flags: int, out: Any, /) -> None:
        """A workspace fixes the base and the treatment of mimic joints, and with them the coordinates. It keeps its skeleton alive.
            skeleton: a figure's model
            base: of the root
            flags: options
            out: receives the result"""
        ...
    def vtb_workspace_destroy(self, workspace: Any, /) -> None:
        """Destroys a workspace.
            workspace: the workspace"""
        ...
    def vtb_workspace_get_size(self, workspace: Any, nq: Any, nv: Any, /) -> None:
        """Numbers of coordinates and velocities.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            nq: receives the number of coordinates
            nv: receives the number of velocities"""
        ...
    def vtb_workspace_get_q_name(self, workspace: Any, index: int, buffer: Any, size: int, needed: Any, /) -> None:
        """Name of one coordinate: the joint's, with a suffix where it has several.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            index: counted from 0
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_workspace_get_v_name(self, workspace: Any, index: int, buffer: Any, size: int, needed: Any, /) -> None:
        """Name of one velocity.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            index: counted from 0
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_workspace_get_joint(self, workspace: Any, joint: int, q_index: Any, v_index: Any, /) -> None:
        """Where a joint's coordinates are; -1 where it has none: fixed, mimic, loop.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            joint: index of a joint of the skeleton
            q_index: receives the index of its first coordinate
            v_index: receives the index of its first velocity"""
        ...
    def vtb_workspace_neutral(self, workspace: Any, q: Out, /) -> None:
        """Neutral coordinates: zero angles, unit quaternions.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h"""
        ...
    def vtb_workspace_integrate(self, workspace: Any, q: Array | None, v: Array | None, dt: float, q_out: Out, /) -> None:
        """Coordinates after a time at constant velocities.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h
            v [rad/s or m/s]: velocities, likewise
            dt [s]: the time
            q_out [rad or m]: receives the coordinates"""
        ...
    def vtb_workspace_difference(self, workspace: Any, q0: Array | None, q1: Array | None, v_out: Out, /) -> None:
        """The velocities that take q0 to q1 in unit time.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q0 [rad or m]: coordinates to start from
            q1 [rad or m]: coordinates to arrive at
            v_out [rad/s or m/s]: receives the velocities"""
        ...
    def vtb_workspace_from_motion(self, workspace: Any, motion: Any, time: float, q: Out, v: Out, found: Any, /) -> None:
        """Coordinates and velocities of a motion at a time, by joint name.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            motion: a clip
            time [s]: from the first frame
            q [rad or m]: receives the coordinates
            v [rad/s or m/s]: receives the velocities
            found: receives the number of joints matched by name"""
        ...
    def vtb_dynamics_poses(self, workspace: Any, q: Array | None, poses: Out, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Poses of the link frames, skeleton order.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h
            poses [pose]: receives 7 numbers each
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_dynamics_twists(self, workspace: Any, q: Array | None, v: Array | None, twists: Out, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Twists of the link frames, skeleton order.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h
            v [rad/s or m/s]: velocities, likewise
            twists [twist]: receives 6 numbers each
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_dynamics_jacobian(self, workspace: Any, q: Array | None, link: int, point: Array | None, jacobian: Out, /) -> None:
        """Jacobian of a point fixed in a link: rows linear, then angular velocity.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h
            link: index of a link of the skeleton
            point [m]: in the link frame; NULL = its origin
            jacobian [m or 1]: receives the matrix, row-major"""
        ...
    def vtb_dynamics_mass_matrix(self, workspace: Any, q: Array | None, matrix: Out, /) -> None:
        """Mass matrix.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h
            matrix [kg or kg m or kg m^2]: receives the matrix, row-major"""
        ...
    def vtb_dynamics_bias(self, workspace: Any, q: Array | None, v: Array | None, gravity: Array | None, tau: Out, /) -> None:
        """Generalised forces at rest acceleration: Coriolis and centrifugal forces and gravity.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h
            v [rad/s or m/s]: velocities, likewise
            gravity [m/s^2]: world axes
            tau [N m or N]: generalised forces"""
        ...
    def vtb_dynamics_gravity(self, workspace: Any, q: Array | None, gravity: Array | None, tau: Out, /) -> None:
        """Generalised forces that hold the figure still against gravity alone.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h
            gravity [m/s^2]: world axes
            tau [N m or N]: generalised forces"""
        ...
    def vtb_dynamics_inverse(self, workspace: Any, q: Array | None, v: Array | None, a: Array | None, gravity: Array | None, tau: Out, /) -> None:
        """Inverse dynamics: tau = M a + bias.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h
            v [rad/s or m/s]: velocities, likewise
            a [rad/s^2 or m/s^2]: accelerations
            gravity [m/s^2]: world axes
            tau [N m or N]: generalised forces"""
        ...
    def vtb_dynamics_forward(self, workspace: Any, q: Array | None, v: Array | None, tau: Array | None, gravity: Array | None, a: Out, /) -> None:
        """Forward dynamics: M a + bias = tau. VTB_E_UNSUPPORTED names a link whose joints move no inertia.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h
            v [rad/s or m/s]: velocities, likewise
            tau [N m or N]: generalised forces
            gravity [m/s^2]: world axes
            a [rad/s^2 or m/s^2]: accelerations"""
        ...
    def vtb_dynamics_com(self, workspace: Any, q: Array | None, v: Array | None, position: Out, velocity: Out, /) -> None:
        """Centre of mass and its velocity. VTB_E_UNSUPPORTED for a figure without mass.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h
            v [rad/s or m/s]: velocities, likewise
            position [m]: receives the centre of mass, world
            velocity [m/s]: receives its velocity, world axes"""
        ...
    def vtb_dynamics_momentum(self, workspace: Any, q: Array | None, v: Array | None, momentum: Out, /) -> None:
        """Momentum.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h
            v [rad/s or m/s]: velocities, likewise
            momentum [N s or N m s]: receives the linear momentum, then the angular momentum about the centre of mass, world axes"""
        ...
    def vtb_dynamics_energy(self, workspace: Any, q: Array | None, v: Array | None, gravity: Array | None, kinetic: Any, potential: Any, /) -> None:
        """Energies.
            workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
            q [rad or m]: coordinates, in the order of joint_type.h
            v [rad/s or m/s]: velocities, likewise
            gravity [m/s^2]: world axes
            kinetic [J]: receives the kinetic energy
            potential [J]: receives the potential energy; zero at the world origin's height"""
        ...
    def vtb_trajectory_get_info(self, trajectory: Any, out: Any, /) -> None:
        """Numbers of frames and coordinates, frame time.
            trajectory: coordinates over time
            out: receives the clip"""
        ...
    def vtb_trajectory_get_name(self, trajectory: Any, index: int, buffer: Any, size: int, needed: Any, /) -> None:
        """Name of one coordinate, as vtb_workspace_get_q_name gives it.
            trajectory: coordinates over time
            index: counted from 0
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_trajectory_get_frame(self, trajectory: Any, frame: int, q: Out, capacity: int, total: Any, /) -> None:
        """The coordinates of one frame.
            trajectory: coordinates over time
            frame: counted from 0
            q [rad or m]: receives nq coordinates
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_trajectory_get_frames(self, trajectory: Any, q: Out, capacity: int, total: Any, /) -> None:
        """The coordinates of all frames.
            trajectory: coordinates over time
            q [rad or m]: receives frames x nq coordinates, frame after frame
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_trajectory_save_csv(self, trajectory: Any, path: Text, /) -> None:
        """Writes a CSV file: a line "# fps=30", a header (root_x to root_z, root_qx to root_qw, names of the joints' coordinates), a
        row a frame; metres, radians, Z up. VTB_E_IO.
            trajectory: coordinates over time
            path: of a file, UTF-8"""
        ...
    def vtb_trajectory_write_csv(self, trajectory: Any, buffer: Any, size: int, needed: Any, /) -> None:
        """The same into memory.
            trajectory: coordinates over time
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_trajectory_load_csv(self, path: Text, diagnostics: Any, out: Any, /) -> None:
        """Reads such a CSV file; diagnostics as for a URDF, with lines. Quaternions that are not of unit length are made so, with a
        warning. VTB_E_IO, VTB_E_PARSE.
            path: of a file, UTF-8
            diagnostics: receives the list of findings; to be released
            out: receives the clip"""
        ...
    def vtb_trajectory_parse_csv(self, text: Text, size: int, name: Text, diagnostics: Any, out: Any, /) -> None:
        """The same from text. VTB_E_PARSE.
            text: the file's content, UTF-8; need not end in NUL
            size: of the buffer or text, in bytes
            name: stands for the file in the findings
            diagnostics: receives the list of findings; to be released
            out: receives the clip"""
        ...
    def vtb_trajectory_get_velocities(self, trajectory: Any, skeleton: Any, frame: int, v: Out, capacity: int, total: Any, /) -> None:
        """Velocities of one frame: means of the differences to the frames before and behind, at the ends 3/2 of the first minus 1/2
        of the second, all divided by the frame time; differences are those of vtb_workspace_difference, on the group for
        quaternions.
            trajectory: coordinates over time
            skeleton: the figure that has these coordinates, with a floating base; VTB_E_ARG names the first that differs
            frame: counted from 0
            v [rad/s or m/s]: receives nv velocities, as a workspace with a floating base has them
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_trajectory_save_json(self, trajectory: Any, path: Text, /) -> None:
        """Writes a JSON object: fps, figure, names (as the CSV's header), frames (an array of coordinates each). VTB_E_IO.
            trajectory: coordinates over time
            path: of a file, UTF-8"""
        ...
    def vtb_trajectory_write_json(self, trajectory: Any, buffer: Any, size: int, needed: Any, /) -> None:
        """The same into memory.
            trajectory: coordinates over time
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_trajectory_save_npz(self, trajectory: Any, skeleton: Any, path: Text, /) -> None:
        """Writes a NumPy archive (NPZ) of doubles, T frames, B links: fps [1], joint_pos [T, nq - 7] and joint_vel [T, nv - 6]
        (equal numbers but for joints with quaternions), body_pos_w, body_lin_vel_w and body_ang_vel_w [T, B, 3], body_quat_w [T,
        B, 4] with w first, joint_names [nq - 7], body_names [B]. World axes, Z up, SI; velocities are those of the link frames'
        origins, by vtb_trajectory_get_velocities. VTB_E_IO; VTB_E_UNSUPPORTED: an array of 4 GB or more.
            trajectory: coordinates over time
            skeleton: the figure that has these coordinates, with a floating base; VTB_E_ARG names the first that differs
            path: of a file, UTF-8"""
        ...
    def vtb_motion_from_trajectory(self, trajectory: Any, skeleton: Any, out: Any, /) -> None:
        """A clip of the trajectory, in metres: a joint for the root link and for each joint of the figure, by their names, and a
        joint NAME.frame before one whose frame is turned or whose axis is none of its frame's. As a BVH file it can be shown and
        worked on anywhere; vtb_trajectory_from_motion gives the coordinates back. VTB_E_UNSUPPORTED names a joint that clips have
        no channels for (planar, cylindrical, screw, wheel).
            trajectory: coordinates over time
            skeleton: the figure that has these coordinates, with a floating base; VTB_E_ARG names the first that differs
            out: receives the clip"""
        ...
    def vtb_trajectory_from_motion(self, motion: Any, skeleton: Any, found: Any, out: Any, /) -> None:
        """The coordinates of a figure in all frames of a clip, by the names of joints, as vtb_workspace_from_motion gives them.
        VTB_E_UNSUPPORTED: no joint has a name of the clip's; other figures need vtb_retarget.
            motion: a clip
            skeleton: the figure
            found: receives the number of moving joints that were found
            out: receives the trajectory"""
        ...
    def vtb_trajectory_retain(self, trajectory: Any, /) -> None:
        """One more owner; each releases once.
            trajectory: coordinates over time"""
        ...
    def vtb_trajectory_release(self, trajectory: Any, /) -> None:
        """One owner less; the last one destroys it.
            trajectory: coordinates over time"""
        ...
    def vtb_retarget_map_create(self, out: Any, /) -> None:
        """An empty map: every role is to be found.
            out: receives the result"""
        ...
    def vtb_retarget_map_guess(self, motion: Any, skeleton: Any, given: Any, diagnostics: Any, out: Any, /) -> None:
        """What retargeting would take, to be saved, mended and given back: all roles that are found, although they may not suffice.
            motion: a clip
            skeleton: a figure's model
            given: names that count before those found
            diagnostics: receives a finding retarget.map for what is missing or wrong
            out: receives the result"""
        ...
    def vtb_retarget_map_load(self, path: Text, diagnostics: Any, out: Any, /) -> None:
        """Reads a file: an element role for each role with its name and either or both of joint and link, inside retarget_map.
        VTB_E_IO, VTB_E_PARSE.
            path: of a file, UTF-8
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_retarget_map_parse(self, text: Text, size: int, name: Text, diagnostics: Any, out: Any, /) -> None:
        """The same from text. VTB_E_PARSE.
            text: the file's content, UTF-8; need not end in NUL
            size: of the buffer or text, in bytes
            name: stands for the file in the findings
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_retarget_map_save(self, map: Any, path: Text, /) -> None:
        """Writes a file. VTB_E_IO.
            map: names for roles
            path: of a file, UTF-8"""
        ...
    def vtb_retarget_map_write(self, map: Any, buffer: Any, size: int, needed: Any, /) -> None:
        """The same into memory.
            map: names for roles
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_retarget_map_set(self, map: Any, role: int | str, joint: Text, link: Text, /) -> None:
        """Names for a role.
            map: names for roles
            role: what a part of the body is
            joint: of the motion; NULL or "" = to be found
            link: of the figure; NULL or "" = to be found"""
        ...
    def vtb_retarget_map_get(self, map: Any, role: int | str, out: Any, /) -> None:
        """The names of a role.
            map: names for roles
            role: what a part of the body is
            out: receives the result"""
        ...
    def vtb_retarget_map_destroy(self, map: Any, /) -> None:
        """Destroys a map; a retargeting that was made with it stays.
            map: the map"""
        ...
    def vtb_retarget_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_retarget(self, motion: Any, skeleton: Any, def_: Any, diagnostics: Any, out: Any, /) -> None:
        """A motion onto a figure, without forces, the whole clip at once. Legs, arms and head of both are found by names, by
        topology and lengths where names say nothing, or taken from a map, and told in the diagnostics (a finding retarget.role
        each). Limbs take the motion's directions; the path is scaled by the lengths of the legs; feet stand on the ground (height
        0) where the motion's do, and neither slide nor sink in; axes keep their limits and largest speeds (swing and twist do
        not); links keep apart, but for those that overlap at zero coordinates and neighbours over up to two joints. Hands and
        head turn as the motion's do, up to the constant offset that suits the clip best. A floor of the motion that leans by up
        to 0.1 m/m is taken as level (retarget.floor), and first or last frames of another pose, such as a T-pose, as what their
        neighbours lead to (retarget.first-frame, retarget.last-frame). VTB_E_UNSUPPORTED says what is missing: a role (both need
        hips, knees and feet), legs with a length, a name of the map that is not there; and it refuses results of more than a
        million frames.
            motion: a clip
            skeleton: a figure's model
            def: how to do it
            diagnostics: receives the roles found, and what was changed of the motion
            out: receives the result"""
        ...
    def vtb_retarget_report_create(self, motion: Any, skeleton: Any, trajectory: Any, map: Any, out: Any, /) -> None:
        """Measures a trajectory of a figure against the motion that it renders, at the same times from the motion's beginning.
        VTB_E_UNSUPPORTED says what is missing: as vtb_retarget, and a trajectory of other coordinates or another number of
        frames.
            motion: a clip
            skeleton: a figure's model
            trajectory: coordinates of the figure
            map: names for roles
            out: receives the result"""
        ...
    def vtb_retarget_report_get_info(self, report: Any, out: Any, /) -> None:
        """Measures of the whole clip.
            report: measures of a trajectory
            out: receives the result"""
        ...
    def vtb_retarget_report_get_axis(self, report: Any, index: int, out: Any, /) -> None:
        """One axis.
            report: measures of a trajectory
            index: counted from 0
            out: receives the result"""
        ...
    def vtb_retarget_report_get_contact(self, report: Any, index: int, out: Any, /) -> None:
        """One contact.
            report: measures of a trajectory
            index: counted from 0
            out: receives the result"""
        ...
    def vtb_retarget_report_get_role(self, report: Any, role: int | str, out: Any, /) -> None:
        """One role.
            report: measures of a trajectory
            role: which
            out: receives the result"""
        ...
    def vtb_retarget_report_get_frame(self, report: Any, frame: int, out: Any, /) -> None:
        """One frame.
            report: measures of a trajectory
            frame: counted from 0
            out: receives the result"""
        ...
    def vtb_retarget_report_destroy(self, report: Any, /) -> None:
        """Destroys a report.
            report: the report"""
        ...
    def vtb_retargeter_create(self, motion: Any, skeleton: Any, def_: Any, latency: float, out: Any, /) -> None:
        """Calibrated on a clip of the same actor: roles, lengths, height of the ground, and the constant turns of feet, hands and
        head are the clip's. A contact of a foot is placed by what is seen of it within the latency. Frames are taken as they
        come: a first or last frame of another pose, such as a T-pose, is followed, where vtb_retarget replaces it. Fails as
        vtb_retarget does; the range of def is not used.
            motion: a clip
            skeleton: a figure's model
            def: how to do it
            latency [s]: how far a result may look ahead; 0.1 is a good choice
            out: receives the result"""
        ...
    def vtb_retargeter_get_info(self, retargeter: Any, out: Any, /) -> None:
        """Numbers of joints and coordinates, latency, frame time.
            retargeter: from a motion's joints to a figure's coordinates
            out: receives the result"""
        ...
    def vtb_retargeter_push(self, retargeter: Any, poses: Array | None, q: Out, capacity: int, total: Any, ready: Any, /) -> None:
        """The next frame of the source. The result belongs to the frame that came `latency` frames before.
            retargeter: from a motion's joints to a figure's coordinates
            poses [pose]: the clip's joints in their order, world, as vtb_motion_get_poses gives them
            q [rad or m]: receives nq coordinates where ready is 1; VTB_E_ARG if it is smaller
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity
            ready: receives 1 if there is a frame, else 0"""
        ...
    def vtb_retargeter_finish(self, retargeter: Any, q: Out, capacity: int, total: Any, ready: Any, /) -> None:
        """One of the frames that are still held back, when no more frames come.
            retargeter: from a motion's joints to a figure's coordinates
            q [rad or m]: receives nq coordinates where ready is 1; VTB_E_ARG if it is smaller
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity
            ready: receives 1 if there is a frame, else 0"""
        ...
    def vtb_retargeter_restart(self, retargeter: Any, /) -> None:
        """Forgets all frames; what it was calibrated to stays.
            retargeter: from a motion's joints to a figure's coordinates"""
        ...
    def vtb_retargeter_destroy(self, retargeter: Any, /) -> None:
        """Destroys a retargeter.
            retargeter: the retargeter"""
        ...
    def vtb_track_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_track(self, trajectory: Any, skeleton: Any, def_: Any, info: Any, out: Any, /) -> None:
        """A trajectory in a world with level ground at height 0: feet clear the ground while they swing and the body moves so far
        sideways that its feet can bear it; torques by inverse dynamics with contact, feedback by drives of the axes and by forces
        of the feet, and a bounded wrench on the root for what these lack. The result ends where the figure falls. VTB_E_ARG if
        the trajectory is another figure's, VTB_E_UNSUPPORTED if no link has a collision shape.
            trajectory: coordinates of the figure
            skeleton: a figure's model
            def: how to do it
            info: receives what was measured
            out: receives what the figure did, at the trajectory's frames"""
        ...
    def vtb_ode_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_ode_create(self, def_: Any, out: Any, /) -> None:
        """A system at t = 0 and y = 0. Free of worlds.
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_ode_destroy(self, ode: Any, /) -> None:
        """Destroys a system.
            ode: the system"""
        ...
    def vtb_ode_get_state(self, ode: Any, t: Any, y: Out, /) -> None:
        """Time and state.
            ode: the system
            t [units of t]: receives the time
            y [units of y]: receives the state"""
        ...
    def vtb_ode_set_state(self, ode: Any, t: float, y: Array | None, /) -> None:
        """Sets time and state and forgets the history of steps.
            ode: the system
            t [units of t]: the time
            y [units of y]: the state"""
        ...
    def vtb_ode_advance(self, ode: Any, until: float, report: Any, /) -> None:
        """Moves the state to a later time, exactly. VTB_E_DIVERGED: a step had no derivative or gave no number; the last good state
        stands.
            ode: the system
            until [units of t]: the time to reach, not before the present one
            report: receives what it took"""
        ...
    def vtb_world_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_world_create(self, def_: Any, out: Any, /) -> None:
        """Creates a world.
            def: its settings; NULL = defaults
            out: receives the result"""
        ...
    def vtb_world_destroy(self, world: Any, /) -> None:
        """Destroys a world.
            world: the world"""
        ...
    def vtb_world_get_settings(self, world: Any, out: Any, /) -> None:
        """The present settings.
            world: the world; used by one thread at a time
            out: receives the result"""
        ...
    def vtb_world_set_settings(self, world: Any, def_: Any, /) -> None:
        """Other settings, from the next step on.
            world: the world; used by one thread at a time
            def: the description, prepared by its _init call"""
        ...
    def vtb_world_reserve(self, world: Any, contacts: int, /) -> None:
        """Makes room, so that steps allocate nothing while no more than this many contact points exist and the settings stay.
            world: the world; used by one thread at a time
            contacts: contact points to make room for"""
        ...
    def vtb_world_step(self, world: Any, steps: int, /) -> None:
        """Advances. VTB_E_INFEASIBLE and VTB_E_UNSOLVED: the step was made, see the statistics. On any other failure the failing
        physics step is undone whole: forces and impulses that wait for it, too.
            world: the world; used by one thread at a time
            steps: how often, each time by time_step"""
        ...
    def vtb_world_get_time(self, world: Any, seconds: Any, /) -> None:
        """Simulated time since creation, or that of the snapshot restored.
            world: the world; used by one thread at a time
            seconds [s]: receives the time"""
        ...
    def vtb_world_wake_all(self, world: Any, /) -> None:
        """Ends all sleep.
            world: the world; used by one thread at a time"""
        ...
    def vtb_world_get_hash(self, world: Any, hash: Any, /) -> None:
        """One number of the whole changing state; equal states have equal numbers.
            world: the world; used by one thread at a time
            hash: receives the number"""
        ...
    def vtb_world_get_stats(self, world: Any, out: Any, /) -> None:
        """Counts and largest errors.
            world: the world; used by one thread at a time
            out: receives the result"""
        ...
    def vtb_world_get_energy(self, world: Any, out: Any, /) -> None:
        """Energies now and the accounts.
            world: the world; used by one thread at a time
            out: receives the result"""
        ...
    def vtb_world_get_momentum(self, world: Any, linear: Out, angular: Out, /) -> None:
        """Momentum of all dynamic bodies.
            world: the world; used by one thread at a time
            linear [N s]: receives the linear momentum, world axes
            angular [N m s]: receives the angular momentum about the world's origin, world axes"""
        ...
    def vtb_world_get_bodies(self, world: Any, handles: Any, capacity: int, total: Any, /) -> None:
        """Handles of all bodies; their order is that of the next two.
            world: the world; used by one thread at a time
            handles: receives them
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_get_poses(self, world: Any, poses: Out, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Poses of all bodies. One call serves a thousand figures.
            world: the world; used by one thread at a time
            poses [pose]: receives 7 numbers each
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_get_twists(self, world: Any, twists: Out, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Twists of all bodies.
            world: the world; used by one thread at a time
            twists [twist]: receives 6 numbers each
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_save(self, world: Any, buffer: Any, size: int, needed: Any, /) -> None:
        """The whole changing state, warm starts included. Restores into the same world, or one built by the same calls, here or in
        another process of the same build; goes on bit for bit.
            world: the world; used by one thread at a time
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_world_restore(self, world: Any, buffer: Any, size: int, /) -> None:
        """Takes a saved state; VTB_E_ARG if the bytes are damaged or the topology differs, and nothing is changed then.
            world: the world; used by one thread at a time
            buffer: the bytes
            size: of the buffer or text, in bytes"""
        ...
    def vtb_threads_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_world_set_threads(self, world: Any, def_: Any, /) -> None:
        """Sets the threads of a world's steps, from the next one on; a world begins with one. What they need is made at once: call
        vtb_world_reserve after it, not before.
            world: the world; used by one thread at a time
            def: the threads; NULL for one"""
        ...
    def vtb_world_get_threads(self, world: Any, count: Any, /) -> None:
        """Threads that the world's steps work on, the one that calls included.
            world: the world; used by one thread at a time
            count: receives the number"""
        ...
    def vtb_worlds_step(self, worlds: Any, count: int, steps: int, statuses: Any, /) -> None:
        """Advances several worlds, each as vtb_world_step does, on the threads of the first of them. Worlds in whose steps a
        function of the caller's acts are advanced first, one after the other, on the thread that calls (with their own threads);
        the others side by side, each on one thread at a time. All are advanced, whatever happens to some; the answer is that of
        the first that has another than VTB_OK, and vtb_last_error() tells of that one. VTB_E_ARG: a world stands in the list
        twice, and none is advanced.
            worlds: distinct worlds, which no other thread uses meanwhile
            count: of worlds
            steps: physics time steps of each
            statuses: receives the status of each"""
        ...
    def vtb_body_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_body_create(self, world: Any, def_: Any, out: Any, /) -> None:
        """A body of its own; shapes and joints come after it.
            world: the world; used by one thread at a time
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_body_destroy(self, world: Any, body: Library.vtb_body | None, /) -> None:
        """Destroys a body, its shapes and joints with it; not for bodies of a figure.
            world: the world; used by one thread at a time
            body: a body of this world"""
        ...
    def vtb_body_get_pose(self, world: Any, body: Library.vtb_body | None, pose: Out, /) -> None:
        """Link frame in the world.
            world: the world; used by one thread at a time
            body: a body of this world
            pose [pose]: link frame in the world"""
        ...
    def vtb_body_set_pose(self, world: Any, body: Library.vtb_body | None, pose: Array | None, residual: Out, /) -> None:
        """Moves a body. A jointed one is projected on its joints: the nearest pose its own joint's coordinates can give, and what
        hangs on it follows.
            world: the world; used by one thread at a time
            body: a body of this world
            pose [pose]: link frame in the world
            residual [m or rad]: receives the distance, then the angle that remain"""
        ...
    def vtb_body_get_twist(self, world: Any, body: Library.vtb_body | None, twist: Out, /) -> None:
        """Velocity of the link frame's origin, and angular velocity.
            world: the world; used by one thread at a time
            body: a body of this world
            twist [twist]: of the link frame's origin, world axes"""
        ...
    def vtb_body_set_twist(self, world: Any, body: Library.vtb_body | None, twist: Array | None, residual: Out, /) -> None:
        """Sets the velocity. A jointed body takes the nearest twist its own joint allows.
            world: the world; used by one thread at a time
            body: a body of this world
            twist [twist]: of the link frame's origin, world axes
            residual [m/s or rad/s]: receives the linear, then the angular velocity that remain"""
        ...
    def vtb_body_get_acceleration(self, world: Any, body: Library.vtb_body | None, acceleration: Out, /) -> None:
        """Acceleration in the last step.
            world: the world; used by one thread at a time
            body: a body of this world
            acceleration [m/s^2 or rad/s^2]: receives that of the link frame's origin, then the angular one; world axes"""
        ...
    def vtb_body_move_to(self, world: Any, body: Library.vtb_body | None, pose: Array | None, seconds: float, /) -> None:
        """Kinematic bodies: reach the pose after the given time, at constant twist, then stand still.
            world: the world; used by one thread at a time
            body: a body of this world
            pose [pose]: link frame in the world
            seconds [s]: the time"""
        ...
    def vtb_body_get_kind(self, world: Any, body: Library.vtb_body | None, kind: Any, /) -> None:
        """What moves it.
            world: the world; used by one thread at a time
            body: a body of this world
            kind: receives the kind"""
        ...
    def vtb_body_set_kind(self, world: Any, body: Library.vtb_body | None, kind: int | str, /) -> None:
        """Changes what moves it, between steps; a body made static stands still from then on.
            world: the world; used by one thread at a time
            body: a body of this world
            kind: the kind"""
        ...
    def vtb_body_get_enabled(self, world: Any, body: Library.vtb_body | None, enabled: Any, /) -> None:
        """Whether it takes part.
            world: the world; used by one thread at a time
            body: a body of this world
            enabled: receives 1 unless it is disabled"""
        ...
    def vtb_body_set_enabled(self, world: Any, body: Library.vtb_body | None, enabled: int, /) -> None:
        """A disabled body is kept with its shapes and joints, but takes no part.
            world: the world; used by one thread at a time
            body: a body of this world
            enabled: whether it takes part"""
        ...
    def vtb_body_get_awake(self, world: Any, body: Library.vtb_body | None, awake: Any, /) -> None:
        """Whether its island is awake.
            world: the world; used by one thread at a time
            body: a body of this world
            awake: receives 0 while its island sleeps"""
        ...
    def vtb_body_wake(self, world: Any, body: Library.vtb_body | None, /) -> None:
        """Wakes its island.
            world: the world; used by one thread at a time
            body: a body of this world"""
        ...
    def vtb_body_get_mass(self, world: Any, body: Library.vtb_body | None, mass: Any, com: Out, inertia: Out, /) -> None:
        """Mass, centre of mass and inertia.
            world: the world; used by one thread at a time
            body: a body of this world
            mass [kg]: of the body
            com [m]: centre of mass, link frame
            inertia [kg m^2]: xx, xy, xz, yy, yz, zz about the centre of mass, link axes"""
        ...
    def vtb_body_set_mass(self, world: Any, body: Library.vtb_body | None, mass: float, com: Array | None, inertia: Array | None, /) -> None:
        """Sets mass, centre of mass and inertia; VTB_E_ARG for an inertia that no body has.
            world: the world; used by one thread at a time
            body: a body of this world
            mass [kg]: of the body
            com [m]: centre of mass, link frame
            inertia [kg m^2]: xx, xy, xz, yy, yz, zz about the centre of mass, link axes"""
        ...
    def vtb_body_set_mass_from_shapes(self, world: Any, body: Library.vtb_body | None, density: float, mass: float, /) -> None:
        """Mass, centre of mass and inertia from its shapes, at a density or scaled to a mass. Planes, compounds and open meshes are
        refused.
            world: the world; used by one thread at a time
            body: a body of this world
            density [kg/m^3]: of all shapes; 0 = so that they have the mass
            mass [kg]: of the body"""
        ...
    def vtb_body_set_integration(self, world: Any, body: Library.vtb_body | None, step: float, integrator: int | str, /) -> None:
        """A longest step and an integrator of its own. All that contacts, joints and constraints tie to the body goes with it: the
        finest step counts, and of integrators implicit Euler, then the highest order. Groups that meet go on together, groups
        that part return each to its own. Under impulse and SPOOK a step is made in the fewest parts that are short enough, a
        power of two up to 1024, each with its collisions; forces told are then those of the last part, callbacks and events those
        of whole steps. Under ode it is the step, or the longest adaptive one, of the integrator; groups whose integrator has no
        embedded pair double steps in its place. VTB_E_UNSUPPORTED under other steppers, and for an integrator under other
        steppers than ode.
            world: the world; used by one thread at a time
            body: a body of this world
            step [s]: its longest; 0 = the world's
            integrator: its method under the stepper ode"""
        ...
    def vtb_body_get_integration(self, world: Any, body: Library.vtb_body | None, step: Any, integrator: Any, /) -> None:
        """What the body asks for itself.
            world: the world; used by one thread at a time
            body: a body of this world
            step [s]: receives the longest step; 0 = the world's
            integrator: receives the integrator"""
        ...
    def vtb_body_add_force(self, world: Any, body: Library.vtb_body | None, force: Array | None, point: Array | None, duration: int | str, /) -> None:
        """Adds a force at a point.
            world: the world; used by one thread at a time
            body: a body of this world
            force [N]: world axes
            point [m]: world; NULL = the centre of mass
            duration: how long it acts"""
        ...
    def vtb_body_add_torque(self, world: Any, body: Library.vtb_body | None, torque: Array | None, duration: int | str, /) -> None:
        """Adds a torque.
            world: the world; used by one thread at a time
            body: a body of this world
            torque [N m]: world axes
            duration: how long it acts"""
        ...
    def vtb_body_add_impulse(self, world: Any, body: Library.vtb_body | None, impulse: Array | None, point: Array | None, /) -> None:
        """Adds an impulse at a point; it acts with the next step.
            world: the world; used by one thread at a time
            body: a body of this world
            impulse [N s]: world axes
            point [m]: world; NULL = the centre of mass"""
        ...
    def vtb_body_clear_forces(self, world: Any, body: Library.vtb_body | None, /) -> None:
        """Takes back all forces, torques and impulses.
            world: the world; used by one thread at a time
            body: a body of this world"""
        ...
    def vtb_body_get_forces(self, world: Any, body: Library.vtb_body | None, force: Out, torque: Out, /) -> None:
        """What the next step will apply, gravity aside: force, and torque about the centre of mass.
            world: the world; used by one thread at a time
            body: a body of this world
            force [N]: world axes
            torque [N m]: world axes"""
        ...
    def vtb_body_get_energy(self, world: Any, body: Library.vtb_body | None, kinetic: Any, potential: Any, /) -> None:
        """Its energies now: of its motion; of gravity and of callers' fields that tell a potential. 0 unless it moves by physics.
        What joints hold (springs, armature) is no body's: vtb_figure_get_energy.
            world: the world; used by one thread at a time
            body: a body of this world
            kinetic [J]: receives the kinetic energy
            potential [J]: receives the potential energy; gravity's part is zero at the origin"""
        ...
    def vtb_body_get_momentum(self, world: Any, body: Library.vtb_body | None, point: Array | None, linear: Out, angular: Out, /) -> None:
        """Its momentum now; 0 unless it moves by physics.
            world: the world; used by one thread at a time
            body: a body of this world
            point [m]: world; NULL = the centre of mass
            linear [N s]: receives the linear momentum, world axes
            angular [N m s]: receives the angular momentum about the point, world axes"""
        ...
    def vtb_joint_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_joint_create(self, world: Any, def_: Any, out: Any, /) -> None:
        """A joint. One that closes a cycle, or joins two figures, becomes an auxiliary constraint by itself.
            world: the world; used by one thread at a time
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_joint_destroy(self, world: Any, joint: Library.vtb_joint | None, /) -> None:
        """Destroys a joint; not for joints of a figure.
            world: the world; used by one thread at a time
            joint: a joint of this world"""
        ...
    def vtb_joint_get_broken(self, world: Any, joint: Library.vtb_joint | None, broken: Any, /) -> None:
        """Whether it broke; then it stays, without effect, until it is destroyed.
            world: the world; used by one thread at a time
            joint: a joint of this world
            broken: receives 1 after it broke"""
        ...
    def vtb_world_get_joint_events(self, world: Any, out: Any, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Joints that broke in the last vtb_world_step call, by step and joint.
            world: the world; used by one thread at a time
            out: receives them
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_joint_get_axis(self, world: Any, joint: Library.vtb_joint | None, axis: int, out: Any, /) -> None:
        """Limits, spring and losses of one axis.
            world: the world; used by one thread at a time
            joint: a joint of this world
            axis: index of the joint's axis, in the order of its velocities
            out: receives the result"""
        ...
    def vtb_joint_set_axis(self, world: Any, joint: Library.vtb_joint | None, axis: int, def_: Any, /) -> None:
        """Limits, spring and losses of one axis, from the next step on.
            world: the world; used by one thread at a time
            joint: a joint of this world
            axis: index of the joint's axis, in the order of its velocities
            def: the description, prepared by its _init call"""
        ...
    def vtb_joint_set_swing_twist(self, world: Any, joint: Library.vtb_joint | None, swing: float, twist_lower: float, twist_upper: float, /) -> None:
        """Limits of a spherical joint; read by vtb_joint_get_def.
            world: the world; used by one thread at a time
            joint: a joint of this world
            swing [rad]: largest angle between the twist axes; inf = none
            twist_lower [rad]: least twist
            twist_upper [rad]: largest twist"""
        ...
    def vtb_joint_get_state(self, world: Any, joint: Library.vtb_joint | None, q: Out, v: Out, /) -> None:
        """Coordinates and velocities of the joint, in the order of joint_type.h.
            world: the world; used by one thread at a time
            joint: a joint of this world
            q [rad or m]: receives the coordinates
            v [rad/s or m/s]: receives the velocities"""
        ...
    def vtb_joint_set_state(self, world: Any, joint: Library.vtb_joint | None, q: Array | None, v: Array | None, /) -> None:
        """Sets them. VTB_E_UNSUPPORTED for joints that close a cycle or join figures. Where bodies keep free poses, what the joint
        carries goes along, and all joints of its tree are put together.
            world: the world; used by one thread at a time
            joint: a joint of this world
            q [rad or m]: the coordinates
            v [rad/s or m/s]: the velocities"""
        ...
    def vtb_motor_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_joint_set_motor(self, world: Any, joint: Library.vtb_joint | None, axis: int, def_: Any, /) -> None:
        """The drive of one axis, kept until set again.
            world: the world; used by one thread at a time
            joint: a joint of this world
            axis: index of the joint's axis, in the order of its velocities
            def: the description, prepared by its _init call"""
        ...
    def vtb_joint_get_motor(self, world: Any, joint: Library.vtb_joint | None, axis: int, out: Any, /) -> None:
        """The present drive of one axis.
            world: the world; used by one thread at a time
            joint: a joint of this world
            axis: index of the joint's axis, in the order of its velocities
            out: receives the result"""
        ...
    def vtb_joint_set_orientation_motor(self, world: Any, joint: Library.vtb_joint | None, quaternion: Array | None, velocity: Array | None, stiffness: float, damping: float, max_force: float, /) -> None:
        """The drive of a spherical joint: torque stiffness * rotation vector to the target + damping * (velocity - v).
            world: the world; used by one thread at a time
            joint: a joint of this world
            quaternion [1]: target, x, y, z, w, child in parent's joint frame
            velocity [rad/s]: the target's, child's joint frame
            stiffness [N m/rad]: towards the target
            damping [N m s/rad]: towards the velocity
            max_force [N m]: bound on each axis"""
        ...
    def vtb_joint_set_target(self, world: Any, joint: Library.vtb_joint | None, pose: Array | None, twist: Array | None, /) -> None:
        """Target of a joint of type motor: where body_b's joint frame is to be in body_a's. Its gains are set per axis by
        vtb_joint_set_motor in position mode, axes 0..2 linear, 3..5 angular, along body_a's joint frame. A motor's own position
        and velocity are added to the target's (positions of 3..5: to the rotation vector from the target).
            world: the world; used by one thread at a time
            joint: a joint of this world
            pose [pose]: body_b's joint frame in body_a's
            twist [twist]: its velocity; NULL = zero"""
        ...
    def vtb_joint_get_target(self, world: Any, joint: Library.vtb_joint | None, pose: Out, twist: Out, /) -> None:
        """Target of a joint of type motor, or of a spherical joint's drive (then at position 0, its velocity in the child's joint
        frame). VTB_E_UNSUPPORTED for a joint that has none.
            world: the world; used by one thread at a time
            joint: a joint of this world
            pose [pose]: receives body_b's joint frame in body_a's
            twist [twist]: receives its velocity"""
        ...
    def vtb_joint_get_forces(self, world: Any, joint: Library.vtb_joint | None, out: Any, /) -> None:
        """Forces of the last physics step. Where closed loops hold a body twice over, only the sum of their forces is determined:
        rows that others imply are left out and report nothing, so that one of the joints seems to carry all.
            world: the world; used by one thread at a time
            joint: a joint of this world
            out: receives the result"""
        ...
    def vtb_coupling_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_coupling_create(self, world: Any, def_: Any, out: Any, /) -> None:
        """A coupling. VTB_E_UNSUPPORTED for axes that have no single coordinate.
            world: the world; used by one thread at a time
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_coupling_set(self, world: Any, coupling: Library.vtb_coupling | None, def_: Any, /) -> None:
        """Other ratios, bounds or softness for the same joints: a gear changed.
            world: the world; used by one thread at a time
            coupling: a coupling of this world
            def: the description, prepared by its _init call"""
        ...
    def vtb_coupling_get_force(self, world: Any, coupling: Library.vtb_coupling | None, force: Any, /) -> None:
        """Force of the last physics step.
            world: the world; used by one thread at a time
            coupling: a coupling of this world
            force [N m or N]: receives it, on a coefficient of one"""
        ...
    def vtb_coupling_destroy(self, world: Any, coupling: Library.vtb_coupling | None, /) -> None:
        """Sets the joints free of each other.
            world: the world; used by one thread at a time
            coupling: a coupling of this world"""
        ...
    def vtb_field_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_field_create(self, world: Any, def_: Any, out: Any, /) -> None:
        """A force that acts from now on, evaluated at the start of each step and applied to second order.
            world: the world; used by one thread at a time
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_field_set(self, world: Any, field: Library.vtb_field | None, def_: Any, /) -> None:
        """Another description, from the next step on.
            world: the world; used by one thread at a time
            field: a force field of this world
            def: the description, prepared by its _init call"""
        ...
    def vtb_field_destroy(self, world: Any, field: Library.vtb_field | None, /) -> None:
        """Destroys a field.
            world: the world; used by one thread at a time
            field: a force field of this world"""
        ...
    def vtb_constraint_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_constraint_create(self, world: Any, def_: Any, out: Any, /) -> None:
        """A constraint by a callback. It is destroyed with any of its bodies and joints.
            world: the world; used by one thread at a time
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_constraint_destroy(self, world: Any, constraint: Library.vtb_constraint | None, /) -> None:
        """Destroys a constraint.
            world: the world; used by one thread at a time
            constraint: a constraint of this world"""
        ...
    def vtb_constraint_get_forces(self, world: Any, constraint: Library.vtb_constraint | None, forces: Out, capacity: int, total: Any, /) -> None:
        """Forces along its rows in the last physics step.
            world: the world; used by one thread at a time
            constraint: a constraint of this world
            forces [N or N m]: receives them, by row
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_points_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_constraint_create_points(self, world: Any, def_: Any, out: Any, /) -> None:
        """A constraint on points; it is destroyed and asked for its force like those by a callback.
            world: the world; used by one thread at a time
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_driveline_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_driveline_create(self, world: Any, def_: Any, out: Any, /) -> None:
        """A part of a driveline. It is a constraint: vtb_constraint_destroy, vtb_constraint_get_forces. Its torques are implicit in
        the step. VTB_E_UNSUPPORTED for axes that have no single coordinate.
            world: the world; used by one thread at a time
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_driveline_get_input(self, world: Any, constraint: Library.vtb_constraint | None, out: Any, /) -> None:
        """The driver's present settings; VTB_E_ARG for a constraint that is no part of a driveline, in the next two too.
            world: the world; used by one thread at a time
            constraint: a part of a driveline of this world
            out: receives the result"""
        ...
    def vtb_driveline_set_input(self, world: Any, constraint: Library.vtb_constraint | None, input: Any, /) -> None:
        """Other settings, from the next step on: get them first, then change what is to change.
            world: the world; used by one thread at a time
            constraint: a part of a driveline of this world
            input: the driver's settings"""
        ...
    def vtb_driveline_get_state(self, world: Any, constraint: Library.vtb_constraint | None, out: Any, /) -> None:
        """Readings.
            world: the world; used by one thread at a time
            constraint: a part of a driveline of this world
            out: receives the result"""
        ...
    def vtb_particles_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_emitter_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_sink_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_particles_create(self, world: Any, def_: Any, out: Any, /) -> None:
        """A particle system.
            world: the world; used by one thread at a time
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_particles_destroy(self, world: Any, particles: Library.vtb_particles | None, /) -> None:
        """Destroys a system, with the force fields that act on it.
            world: the world; used by one thread at a time
            particles: a particle system of this world"""
        ...
    def vtb_particles_get_def(self, world: Any, particles: Library.vtb_particles | None, out: Any, /) -> None:
        """Its settings.
            world: the world; used by one thread at a time
            particles: a particle system of this world
            out: receives the result"""
        ...
    def vtb_particles_get(self, world: Any, particles: Library.vtb_particles | None, out: Any, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """All particles, the oldest first.
            world: the world; used by one thread at a time
            particles: a particle system of this world
            out: receives them
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_particles_set(self, world: Any, particles: Library.vtb_particles | None, first: int, values: Any, count: int, stride_bytes: int, /) -> None:
        """Puts these in the place of all from an index on: with first 0 they are all there are, with first = count they are added.
            world: the world; used by one thread at a time
            particles: a particle system of this world
            first: index of the first particle to be replaced; at most the present count
            values: what takes their place
            count: of values
            stride_bytes: bytes from one row to the next; 0 = packed"""
        ...
    def vtb_particles_get_state(self, world: Any, particles: Library.vtb_particles | None, out: Any, /) -> None:
        """Counts.
            world: the world; used by one thread at a time
            particles: a particle system of this world
            out: receives the result"""
        ...
    def vtb_particles_set_emitters(self, world: Any, particles: Library.vtb_particles | None, emitters: Any, count: int, stride_bytes: int, /) -> None:
        """The system's emitters from now on; one of the same index and seed goes on with its random numbers.
            world: the world; used by one thread at a time
            particles: a particle system of this world
            emitters: each prepared by vtb_emitter_def_init
            count: of emitters; 0 = none from now on
            stride_bytes: bytes from one row to the next; 0 = packed"""
        ...
    def vtb_particles_get_emitter(self, world: Any, particles: Library.vtb_particles | None, emitter: int, out: Any, /) -> None:
        """One of the emitters.
            world: the world; used by one thread at a time
            particles: a particle system of this world
            emitter: index, in the order in which they were set
            out: receives the result"""
        ...
    def vtb_particles_set_sinks(self, world: Any, particles: Library.vtb_particles | None, sinks: Any, count: int, stride_bytes: int, /) -> None:
        """The system's sinks from now on.
            world: the world; used by one thread at a time
            particles: a particle system of this world
            sinks: each prepared by vtb_sink_def_init
            count: of sinks; 0 = none from now on
            stride_bytes: bytes from one row to the next; 0 = packed"""
        ...
    def vtb_particles_get_sink(self, world: Any, particles: Library.vtb_particles | None, sink: int, out: Any, /) -> None:
        """One of the sinks.
            world: the world; used by one thread at a time
            particles: a particle system of this world
            sink: index, in the order in which they were set
            out: receives the result"""
        ...
    def vtb_figure_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_figure_create(self, world: Any, def_: Any, out: Any, /) -> None:
        """Bodies, shapes, joints and couplings of a skeleton, at neutral coordinates.
            world: the world; used by one thread at a time
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_figure_destroy(self, world: Any, figure: Library.vtb_figure | None, /) -> None:
        """Destroys a figure with all its bodies, and with what was tied to them.
            world: the world; used by one thread at a time
            figure: a figure of this world"""
        ...
    def vtb_figure_get_size(self, world: Any, figure: Library.vtb_figure | None, links: Any, joints: Any, nq: Any, nv: Any, /) -> None:
        """Sizes.
            world: the world; used by one thread at a time
            figure: a figure of this world
            links: receives the number of links
            joints: receives the number of joints
            nq: receives the number of coordinates
            nv: receives the number of velocities"""
        ...
    def vtb_figure_get_skeleton(self, world: Any, figure: Library.vtb_figure | None, skeleton: Any, /) -> None:
        """Its model, for one more owner, who releases it.
            world: the world; used by one thread at a time
            figure: a figure of this world
            skeleton: receives it"""
        ...
    def vtb_figure_get_body(self, world: Any, figure: Library.vtb_figure | None, link: int, body: Any, /) -> None:
        """The body of a link.
            world: the world; used by one thread at a time
            figure: a figure of this world
            link: index of a link of the skeleton
            body: receives it"""
        ...
    def vtb_figure_get_joint(self, world: Any, figure: Library.vtb_figure | None, joint: int, out: Any, /) -> None:
        """The joint of an index in the skeleton.
            world: the world; used by one thread at a time
            figure: a figure of this world
            joint: index of a joint of the skeleton
            out: receives the result"""
        ...
    def vtb_figure_get_q(self, world: Any, figure: Library.vtb_figure | None, q: Out, capacity: int, total: Any, /) -> None:
        """Present coordinates.
            world: the world; used by one thread at a time
            figure: a figure of this world
            q [rad or m]: receives nq coordinates
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_figure_get_v(self, world: Any, figure: Library.vtb_figure | None, v: Out, capacity: int, total: Any, /) -> None:
        """Present velocities.
            world: the world; used by one thread at a time
            figure: a figure of this world
            v [rad/s or m/s]: receives nv velocities
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_figure_set_state(self, world: Any, figure: Library.vtb_figure | None, q: Array | None, v: Array | None, /) -> None:
        """Sets coordinates and velocities.
            world: the world; used by one thread at a time
            figure: a figure of this world
            q [rad or m]: the coordinates
            v [rad/s or m/s]: the velocities"""
        ...
    def vtb_figure_get_poses(self, world: Any, figure: Library.vtb_figure | None, poses: Out, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Link frames in the world, skeleton order.
            world: the world; used by one thread at a time
            figure: a figure of this world
            poses [pose]: receives 7 numbers each
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_figure_get_twists(self, world: Any, figure: Library.vtb_figure | None, twists: Out, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Twists of the link frames, skeleton order, world axes.
            world: the world; used by one thread at a time
            figure: a figure of this world
            twists [twist]: receives 6 numbers each
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_figure_set_motors(self, world: Any, figure: Library.vtb_figure | None, q_target: Array | None, v_target: Array | None, stiffness: Array | None, damping: Array | None, max_force: Array | None, /) -> None:
        """Position motors on all joint axes at once. Spherical joints get their orientation motor with the first axis' gains.
            world: the world; used by one thread at a time
            figure: a figure of this world
            q_target [rad or m]: those of the base are ignored
            v_target [rad/s or m/s]: NULL = zero
            stiffness [N m/rad or N/m]: NULL = as they are
            damping [N m s/rad or N s/m]: NULL = as they are
            max_force [N m or N]: NULL = as they are"""
        ...
    def vtb_figure_play(self, world: Any, figure: Library.vtb_figure | None, motion: Any, start: float, speed: float, loop: int, /) -> None:
        """The motors follow a clip from now on, joint by joint of the same name: before each step of the world their targets are set
        to where the clip is at the step's end. Gains: vtb_figure_set_motors. VTB_E_ARG if no joint has the name of one of the
        clip's.
            world: the world; used by one thread at a time
            figure: a figure of this world
            motion: the clip; NULL = no more
            start [s]: time of the clip at the world's time 0
            speed [1]: time of the clip per time of the world
            loop: round and round"""
        ...
    def vtb_figure_play_root(self, world: Any, figure: Library.vtb_figure | None, joint: Library.vtb_joint | None, /) -> None:
        """The clip that the figure follows moves its root too: a joint of type motor from any body (or the world) to the root link
        gets the clip's root as its target, in the joint's frame in body_a, with the motors; its gains and bounds are the drive.
        VTB_E_ARG if the figure follows none, is fixed, or the joint is another.
            world: the world; used by one thread at a time
            figure: a figure of this world
            joint: the joint; none = no more"""
        ...
    def vtb_figure_set_torques(self, world: Any, figure: Library.vtb_figure | None, tau: Array | None, /) -> None:
        """Motors in torque mode, kept until set again; entries of the base are ignored.
            world: the world; used by one thread at a time
            figure: a figure of this world
            tau [N m or N]: generalised forces"""
        ...
    def vtb_figure_get_motor_forces(self, world: Any, figure: Library.vtb_figure | None, tau: Out, capacity: int, total: Any, /) -> None:
        """What the drives gave in the last physics step.
            world: the world; used by one thread at a time
            figure: a figure of this world
            tau [N m or N]: receives nv numbers, 0 for the base
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_figure_create_workspace(self, world: Any, figure: Library.vtb_figure | None, out: Any, /) -> None:
        """A workspace of its skeleton and base, for the functions below and those of dynamics.h.
            world: the world; used by one thread at a time
            figure: a figure of this world
            out: receives it"""
        ...
    def vtb_figure_mass_matrix(self, world: Any, figure: Library.vtb_figure | None, workspace: Any, matrix: Out, /) -> None:
        """As vtb_dynamics_mass_matrix, at the present state.
            world: the world; used by one thread at a time
            figure: a figure of this world
            workspace: of the figure's skeleton and base
            matrix [kg or kg m or kg m^2]: receives the matrix, row-major"""
        ...
    def vtb_figure_bias(self, world: Any, figure: Library.vtb_figure | None, workspace: Any, tau: Out, /) -> None:
        """As vtb_dynamics_bias, at the present state and under the world's gravity.
            world: the world; used by one thread at a time
            figure: a figure of this world
            workspace: of the figure's skeleton and base
            tau [N m or N]: generalised forces"""
        ...
    def vtb_figure_jacobian(self, world: Any, figure: Library.vtb_figure | None, workspace: Any, link: int, point: Array | None, jacobian: Out, /) -> None:
        """As vtb_dynamics_jacobian, at the present state, world axes.
            world: the world; used by one thread at a time
            figure: a figure of this world
            workspace: of the figure's skeleton and base
            link: index of a link of the skeleton
            point [m]: in the link frame; NULL = its origin
            jacobian [m or 1]: receives the matrix, row-major"""
        ...
    def vtb_figure_com(self, world: Any, figure: Library.vtb_figure | None, position: Out, velocity: Out, /) -> None:
        """Centre of mass and its velocity, world. VTB_E_UNSUPPORTED for a figure without mass.
            world: the world; used by one thread at a time
            figure: a figure of this world
            position [m]: receives the centre of mass
            velocity [m/s]: receives its velocity"""
        ...
    def vtb_figure_get_energy(self, world: Any, figure: Library.vtb_figure | None, kinetic: Any, potential: Any, /) -> None:
        """Energies of its bodies and joints now: armature moves too, springs of joints in trees are part of the potential energy, as
        in vtb_world_get_energy.
            world: the world; used by one thread at a time
            figure: a figure of this world
            kinetic [J]: receives the kinetic energy
            potential [J]: receives the potential energy; gravity's part is zero at the origin"""
        ...
    def vtb_figure_get_momentum(self, world: Any, figure: Library.vtb_figure | None, point: Array | None, linear: Out, angular: Out, /) -> None:
        """Momentum of its bodies now.
            world: the world; used by one thread at a time
            figure: a figure of this world
            point [m]: world; NULL = the figure's centre of mass
            linear [N s]: receives the linear momentum, world axes
            angular [N m s]: receives the angular momentum about the point, world axes"""
        ...
    def vtb_controller_destroy(self, world: Any, controller: Library.vtb_controller | None, /) -> None:
        """Ends a controller; axes that only it drove are switched off in the next step.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world"""
        ...
    def vtb_figure_get_controllers(self, world: Any, figure: Library.vtb_figure | None, out: Any, capacity: int, total: Any, /) -> None:
        """The controllers of a figure, in their order.
            world: the world; used by one thread at a time
            figure: a figure of this world
            out: receives them
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_controller_get_info(self, world: Any, controller: Library.vtb_controller | None, out: Any, /) -> None:
        """Its type and figure, and what it did in the last step.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            out: receives the result"""
        ...
    def vtb_drive_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_figure_add_drive(self, world: Any, figure: Library.vtb_figure | None, def_: Any, out: Any, /) -> None:
        """Drives behind the figure's other controllers.
            world: the world; used by one thread at a time
            figure: a figure of this world
            def: how they act
            out: receives the result"""
        ...
    def vtb_drive_set_pose(self, world: Any, controller: Library.vtb_controller | None, q: Array | None, v: Array | None, /) -> None:
        """The pose that the drives follow from now on. VTB_E_ARG for another type of controller.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            q [rad or m]: coordinates; those of the base are ignored
            v [rad/s or m/s]: velocities; NULL = zero"""
        ...
    def vtb_drive_get_pose(self, world: Any, controller: Library.vtb_controller | None, q: Out, v: Out, /) -> None:
        """The pose that the drives follow. VTB_E_ARG for another type of controller.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            q [rad or m]: receives coordinates
            v [rad/s or m/s]: receives velocities"""
        ...
    def vtb_drive_set_gains(self, world: Any, controller: Library.vtb_controller | None, stiffness: Array | None, damping: Array | None, max_force: Array | None, /) -> None:
        """Gains of each axis; entries of the base are ignored. An axis with stiffness and damping -1 is left alone. A ball joint has
        the largest of its three. VTB_E_ARG for another type of controller.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            stiffness [N m/rad or N/m]: NULL = as they are
            damping [N m s/rad or N s/m]: NULL = as they are
            max_force [N m or N]: NULL = as they are"""
        ...
    def vtb_drive_get_gains(self, world: Any, controller: Library.vtb_controller | None, stiffness: Out, damping: Out, max_force: Out, /) -> None:
        """Gains of each axis; stiffness and damping -1: it is left alone. VTB_E_ARG for another type of controller.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            stiffness [N m/rad or N/m]: receives them
            damping [N m s/rad or N s/m]: receives them
            max_force [N m or N]: receives the bounds"""
        ...
    def vtb_animation_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_figure_add_animation(self, world: Any, figure: Library.vtb_figure | None, def_: Any, out: Any, /) -> None:
        """An animation behind the figure's other controllers.
            world: the world; used by one thread at a time
            figure: a figure of this world
            def: how it acts
            out: receives the result"""
        ...
    def vtb_play_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_animation_play(self, world: Any, controller: Library.vtb_controller | None, def_: Any, /) -> None:
        """A clip behind those that the animation has. VTB_E_ARG for another type of controller, and for a clip that does not fit the
        figure.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            def: the description, prepared by its _init call"""
        ...
    def vtb_root_drive_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_figure_add_root_drive(self, world: Any, figure: Library.vtb_figure | None, def_: Any, out: Any, /) -> None:
        """A root drive behind the figure's other controllers. VTB_E_ARG if its base is fixed.
            world: the world; used by one thread at a time
            figure: a figure of this world
            def: how it acts
            out: receives the result"""
        ...
    def vtb_marker_drive_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_figure_add_marker_drive(self, world: Any, figure: Library.vtb_figure | None, def_: Any, out: Any, /) -> None:
        """A marker drive behind the figure's other controllers; its points have no places yet.
            world: the world; used by one thread at a time
            figure: a figure of this world
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_marker_play_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_marker_drive_play(self, world: Any, controller: Library.vtb_controller | None, def_: Any, /) -> None:
        """The points follow markers of a record: on straight lines between its frames; where a marker is missing its point has no
        place; behind the record the last places stay. Ends with vtb_marker_drive_set_places. VTB_E_ARG for another type of
        controller, and for a record without frames.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            def: the description, prepared by its _init call"""
        ...
    def vtb_marker_drive_set_places(self, world: Any, controller: Library.vtb_controller | None, places: Array | None, velocities: Array | None, count: int, /) -> None:
        """Where the points shall be at the end of the next step, and from then on. VTB_E_ARG for another type of controller.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            places [m]: world; not a number where a point has no place
            velocities [m/s]: of the places; NULL = zero
            count: of the points of this controller"""
        ...
    def vtb_marker_drive_get_places(self, world: Any, controller: Library.vtb_controller | None, places: Out, capacity: int, total: Any, /) -> None:
        """Where the points shall be. VTB_E_ARG for another type of controller.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            places [m]: receives them, world; not a number where a point has no place
            capacity: points that the array has room for
            total: receives the number of points of this controller"""
        ...
    def vtb_inverse_dynamics_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_figure_add_inverse_dynamics(self, world: Any, figure: Library.vtb_figure | None, def_: Any, out: Any, /) -> None:
        """Inverse dynamics behind the figure's other controllers. The feet are what stands on the ground in the first step.
            world: the world; used by one thread at a time
            figure: a figure of this world
            def: how it acts
            out: receives the result"""
        ...
    def vtb_balance_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_figure_add_balance(self, world: Any, figure: Library.vtb_figure | None, def_: Any, out: Any, /) -> None:
        """Balance behind the figure's other controllers. The figure must stand on the ground in the first step, which answers
        VTB_E_ARG otherwise.
            world: the world; used by one thread at a time
            figure: a figure of this world
            def: how it acts
            out: receives the result"""
        ...
    def vtb_goal_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_figure_add_point(self, world: Any, figure: Library.vtb_figure | None, out: Any, /) -> None:
        """Goals over the pose of the controllers before it; without drives of theirs the axes of its goals get drives from their
        efforts.
            world: the world; used by one thread at a time
            figure: a figure of this world
            out: receives the result"""
        ...
    def vtb_point_add_goal(self, world: Any, controller: Library.vtb_controller | None, def_: Any, goal: Any, /) -> None:
        """One more goal. VTB_E_ARG for another type of controller, for links that the figure does not have or without axes between
        them.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            def: the description, prepared by its _init call
            goal: receives its index, counted from 0"""
        ...
    def vtb_point_get_goal(self, world: Any, controller: Library.vtb_controller | None, goal: int, out: Any, /) -> None:
        """A goal as it is now: with the target that it was moved to. VTB_E_ARG for another type of controller.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            goal: index of it
            out: receives the result"""
        ...
    def vtb_point_set_target(self, world: Any, controller: Library.vtb_controller | None, goal: int, target: Array | None, /) -> None:
        """Moves a goal.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            goal: index of it
            target [m or 1]: as in vtb_goal_def"""
        ...
    def vtb_point_get_error(self, world: Any, controller: Library.vtb_controller | None, goal: int, error: Any, /) -> None:
        """How far the figure is from a goal now.
            world: the world; used by one thread at a time
            controller: a controller of a figure of this world
            goal: index of it
            error [m or rad]: receives the distance; of type aim and direction the angle"""
        ...
    def vtb_world_get_contacts(self, world: Any, out: Any, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Points of the last physics step with their forces, by shapes; what sleeps keeps those it fell asleep on.
            world: the world; used by one thread at a time
            out: receives them
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_get_contact_events(self, world: Any, out: Any, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Pairs of shapes that began or ceased to touch in the last vtb_world_step call, step by step, then by shapes; under
        VTB_WORLD_FLAG_PERSIST_EVENTS also those that went on touching.
            world: the world; used by one thread at a time
            out: receives them
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_sensor_def_init(self, def_: Any, struct_size: int, /) -> None:
        """Fills the struct with its defaults.
            def: the description, prepared by its _init call
            struct_size: sizeof the struct in the caller's program"""
        ...
    def vtb_sensor_create(self, world: Any, def_: Any, out: Any, /) -> None:
        """A sensor. It is sampled at the end of each physics step, under every stepper, and keeps what it read until the next,
        whatever is edited between; snapshots and saved scenes hold it. Until the first step it reads the present: pose and
        velocity as they are, accelerations, forces and torques 0, an IMU gravity. Of a prescribed body the acceleration is the
        change of its velocity since the last sample. It has no effect on the motion. Its body's or joint's destruction destroys
        it. VTB_E_UNSUPPORTED for a rotor.
            world: the world; used by one thread at a time
            def: the description, prepared by its _init call
            out: receives the result"""
        ...
    def vtb_sensor_destroy(self, world: Any, sensor: Library.vtb_sensor | None, /) -> None:
        """Destroys a sensor.
            world: the world; used by one thread at a time
            sensor: a sensor of this world"""
        ...
    def vtb_sensor_get_values(self, world: Any, sensor: Library.vtb_sensor | None, values: Out, capacity: int, total: Any, /) -> None:
        """What it read: as many values as its type has, see vtb_sensor_type.
            world: the world; used by one thread at a time
            sensor: a sensor of this world
            values [m or m/s or rad/s or m/s^2 or rad/s^2 or N or N m or 1]: receives them
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_get_sensor_values(self, world: Any, values: Out, capacity: int, total: Any, /) -> None:
        """What all sensors read, one after the other in the order of vtb_world_get_sensors.
            world: the world; used by one thread at a time
            values [m or m/s or rad/s or m/s^2 or rad/s^2 or N or N m or 1]: receives them
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_ray_cast(self, world: Any, origin: Array | None, direction: Array | None, max_distance: float, mask: int, out: Any, /) -> None:
        """The first shape along the ray.
            world: the world; used by one thread at a time
            origin [m]: where the ray begins, world
            direction [1]: world axes, of any length but 0
            max_distance [m]: farther shapes do not count
            mask: categories that count
            out: receives the result"""
        ...
    def vtb_world_ray_cast_all(self, world: Any, origin: Array | None, direction: Array | None, max_distance: float, mask: int, out: Any, capacity: int, stride_bytes: int, total: Any, /) -> None:
        """Every shape along the ray, where it is entered, by distance.
            world: the world; used by one thread at a time
            origin [m]: where the ray begins, world
            direction [1]: world axes, of any length but 0
            max_distance [m]: farther shapes do not count
            mask: categories that count
            out: receives the hits
            capacity: rows, or numbers, that the array has room for
            stride_bytes: bytes from one row to the next; 0 = packed
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_shape_cast(self, world: Any, def_: Any, path: Array | None, mask: int, out: Any, /) -> None:
        """Moves a shape without turning it, up to the first shape it meets; distance 0 and a normal out of that where it overlaps
        one from the start.
            world: the world; used by one thread at a time
            def: the shape to ask with
            path [m]: straight way from the pose described, world axes
            mask: categories that count
            out: receives the result"""
        ...
    def vtb_world_overlap(self, world: Any, def_: Any, mask: int, out: Any, capacity: int, total: Any, /) -> None:
        """The shapes that a shape overlaps, by id.
            world: the world; used by one thread at a time
            def: the shape to ask with
            mask: categories that count
            out: receives them
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_overlap_box(self, world: Any, lower: Array | None, upper: Array | None, mask: int, out: Any, capacity: int, total: Any, /) -> None:
        """The shapes that may meet a box, by id: their own bounding boxes, each along its shape's axes, set in a box along the
        world's, do.
            world: the world; used by one thread at a time
            lower [m]: corner of the box with the smallest coordinates, world
            upper [m]: corner with the largest
            mask: categories that count
            out: receives them
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_closest(self, world: Any, def_: Any, max_distance: float, mask: int, out: Any, /) -> None:
        """The shape nearest to a shape.
            world: the world; used by one thread at a time
            def: the shape to ask with
            max_distance [m]: farther shapes do not count
            mask: categories that count
            out: receives the result"""
        ...
    def vtb_shape_get_distance(self, world: Any, a: Library.vtb_shape | None, b: Library.vtb_shape | None, max_distance: float, out: Any, /) -> None:
        """Distance of two shapes of the world, whatever their masks; out tells of b. VTB_E_UNSUPPORTED if neither is one to ask
        with.
            world: the world; used by one thread at a time
            a: a shape of this world
            b: another shape of this world
            max_distance [m]: farther shapes do not count
            out: receives the result"""
        ...
    def vtb_scene_load(self, path: Text, diagnostics: Any, out: Any, /) -> None:
        """Reads a scene file (docs/reference/scene.md) with all it names and checks it; diagnostics as for a URDF. VTB_E_IO,
        VTB_E_PARSE.
            path: of a file, UTF-8
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_scene_parse(self, text: Text, size: int, name: Text, diagnostics: Any, out: Any, /) -> None:
        """The same from text; paths in it are relative to the folder of name. VTB_E_PARSE.
            text: the file's content, UTF-8; need not end in NUL
            size: of the buffer or text, in bytes
            name: stands for the file in the findings
            diagnostics: receives the list of findings; to be released
            out: receives the result"""
        ...
    def vtb_scene_retain(self, scene: Any, /) -> None:
        """One more owner; each releases once.
            scene: a scene file as loaded"""
        ...
    def vtb_scene_release(self, scene: Any, /) -> None:
        """One owner less; the last one destroys it.
            scene: the scene"""
        ...
    def vtb_scene_get_settings(self, scene: Any, out: Any, /) -> None:
        """Its settings; those that it does not name have their defaults.
            scene: a scene file as loaded
            out: receives the result"""
        ...
    def vtb_scene_create_world(self, scene: Any, settings: Any, out: Any, /) -> None:
        """A world of its own, with all its things.
            scene: a scene file as loaded
            settings: in place of the scene's; NULL = those
            out: receives the result"""
        ...
    def vtb_scene_add(self, scene: Any, world: Any, prefix: Text, pose: Array | None, /) -> None:
        """All its things into a world that is there. It is added whole or not at all. VTB_E_ARG where a name is taken.
            scene: a scene file as loaded
            world: the world; used by one thread at a time
            prefix: text before every name; NULL = none
            pose [pose]: the scene's origin in the world; NULL = the world's"""
        ...
    def vtb_scene_get_camera(self, scene: Any, index: int, out: Any, /) -> None:
        """A camera; VTB_E_ARG beyond the last.
            scene: a scene file as loaded
            index: counted from 0
            out: receives the result"""
        ...
    def vtb_world_find(self, world: Any, kind: int | str, name: Text, bits: Any, /) -> None:
        """The handle of a thing that a scene gave a name. VTB_E_ARG if there is none, VTB_E_STALE if it was destroyed.
            world: the world; used by one thread at a time
            kind: what is named
            name: UTF-8
            bits: receives the number of the handle, for the struct of its kind; 0 for what was destroyed"""
        ...
    def vtb_world_get_name(self, world: Any, kind: int | str, index: int, bits: Any, buffer: Any, size: int, needed: Any, /) -> None:
        """The names of one kind, in file order; VTB_E_ARG beyond the last.
            world: the world; used by one thread at a time
            kind: what is named
            index: counted from 0
            bits: receives the number of the handle, for the struct of its kind; 0 for what was destroyed
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_world_save_scene(self, world: Any, path: Text, /) -> None:
        """The scene the world was made from, in its own words, with what calls have changed, destroyed and made since, the present
        settings and state: loaded again it goes on bit for bit. A world made by calls becomes a scene, too. Where things were
        destroyed, or a body's shapes not made together, others get other numbers in the order of solving: then it goes on from
        the present coordinates, to round-off. VTB_E_UNSUPPORTED names what a file cannot say (filters, callbacks of forces and
        constraints, figures made by a call); VTB_E_IO.
            world: the world; used by one thread at a time
            path: of a file, UTF-8"""
        ...
    def vtb_world_write_scene(self, world: Any, buffer: Any, size: int, needed: Any, /) -> None:
        """The same into memory. Files in it stay relative to the folder of that scene: parse it under a name in that folder.
            world: the world; used by one thread at a time
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_scene_get_reference(self, buffer: Any, size: int, needed: Any, /) -> None:
        """What scene files may hold, as Markdown: every element with its attributes.
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_make_ground(self, world: Any, friction: float, shape: Any, /) -> None:
        """The plane z = 0 of the world, solid below.
            world: the world; used by one thread at a time
            friction [1]: Coulomb's coefficient
            shape: receives the shape"""
        ...
    def vtb_make_box(self, world: Any, pose: Array | None, half_extents: Array | None, mass: float, body: Any, /) -> None:
        """A dynamic body that is a box.
            world: the world; used by one thread at a time
            pose [pose]: of the body's frame, which is the shape's, in the world
            half_extents [m]: half the lengths of the edges
            mass [kg]: spread evenly over the shape
            body: receives the body"""
        ...
    def vtb_make_sphere(self, world: Any, pose: Array | None, radius: float, mass: float, body: Any, /) -> None:
        """A dynamic body that is a ball.
            world: the world; used by one thread at a time
            pose [pose]: of the body's frame, which is the shape's, in the world
            radius [m]: of the shape
            mass [kg]: spread evenly over the shape
            body: receives the body"""
        ...
    def vtb_make_capsule(self, world: Any, pose: Array | None, radius: float, half_length: float, mass: float, body: Any, /) -> None:
        """A dynamic body that is a capsule.
            world: the world; used by one thread at a time
            pose [pose]: of the body's frame, which is the shape's, in the world
            radius [m]: of the shape
            half_length [m]: half the length of the cylindrical part, along the frame's z axis
            mass [kg]: spread evenly over the shape
            body: receives the body"""
        ...
    def vtb_make_cylinder(self, world: Any, pose: Array | None, radius: float, half_length: float, mass: float, body: Any, /) -> None:
        """A dynamic body that is a cylinder.
            world: the world; used by one thread at a time
            pose [pose]: of the body's frame, which is the shape's, in the world
            radius [m]: of the shape
            half_length [m]: half the length of the cylindrical part, along the frame's z axis
            mass [kg]: spread evenly over the shape
            body: receives the body"""
        ...
    def vtb_make_hinge(self, world: Any, body_a: Library.vtb_body | None, body_b: Library.vtb_body | None, point: Array | None, axis: Array | None, joint: Any, /) -> None:
        """A hinge without limits.
            world: the world; used by one thread at a time
            body_a: parent; none = the world
            body_b: child; none = the world
            point [m]: of the joint, in the world
            axis [1]: in the world, of any length but 0; body b turns about it or slides along it against body a
            joint: receives the joint; its coordinates are 0 where the bodies stand now"""
        ...
    def vtb_make_slider(self, world: Any, body_a: Library.vtb_body | None, body_b: Library.vtb_body | None, point: Array | None, axis: Array | None, joint: Any, /) -> None:
        """A slide without limits.
            world: the world; used by one thread at a time
            body_a: parent; none = the world
            body_b: child; none = the world
            point [m]: of the joint, in the world
            axis [1]: in the world, of any length but 0; body b turns about it or slides along it against body a
            joint: receives the joint; its coordinates are 0 where the bodies stand now"""
        ...
    def vtb_make_ball(self, world: Any, body_a: Library.vtb_body | None, body_b: Library.vtb_body | None, point: Array | None, joint: Any, /) -> None:
        """A ball joint.
            world: the world; used by one thread at a time
            body_a: parent; none = the world
            body_b: child; none = the world
            point [m]: of the joint, in the world
            joint: receives the joint; its coordinates are 0 where the bodies stand now"""
        ...
    def vtb_make_weld(self, world: Any, body_a: Library.vtb_body | None, body_b: Library.vtb_body | None, joint: Any, /) -> None:
        """A fixed joint.
            world: the world; used by one thread at a time
            body_a: parent; none = the world
            body_b: child; none = the world
            joint: receives the joint; its coordinates are 0 where the bodies stand now"""
        ...
    def vtb_make_spring(self, world: Any, body_a: Library.vtb_body | None, body_b: Library.vtb_body | None, point_a: Array | None, point_b: Array | None, stiffness: float, damping: float, joint: Any, /) -> None:
        """A spring with a damper between two points, at rest at their present distance: a joint of type distance without limits.
            world: the world; used by one thread at a time
            body_a: parent; none = the world
            body_b: child; none = the world
            point_a [m]: of body a, in the world
            point_b [m]: of body b, in the world
            stiffness [N/m]: of the spring
            damping [N s/m]: of the damper
            joint: receives the joint; its coordinates are 0 where the bodies stand now"""
        ...
    def vtb_world_get_shapes(self, world: Any, out: Any, capacity: int, total: Any, /) -> None:
        """All shapes.
            world: the world; used by one thread at a time
            out: receives the things
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_get_joints(self, world: Any, out: Any, capacity: int, total: Any, /) -> None:
        """All joints, those of figures and rotors too.
            world: the world; used by one thread at a time
            out: receives the things
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_get_couplings(self, world: Any, out: Any, capacity: int, total: Any, /) -> None:
        """All couplings.
            world: the world; used by one thread at a time
            out: receives the things
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_get_constraints(self, world: Any, out: Any, capacity: int, total: Any, /) -> None:
        """All constraints: users', parts of drivelines, over points.
            world: the world; used by one thread at a time
            out: receives the things
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_get_fields(self, world: Any, out: Any, capacity: int, total: Any, /) -> None:
        """All force fields.
            world: the world; used by one thread at a time
            out: receives the things
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_get_particles(self, world: Any, out: Any, capacity: int, total: Any, /) -> None:
        """All particle systems.
            world: the world; used by one thread at a time
            out: receives the things
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_get_figures(self, world: Any, out: Any, capacity: int, total: Any, /) -> None:
        """All figures.
            world: the world; used by one thread at a time
            out: receives the things
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_world_get_sensors(self, world: Any, out: Any, capacity: int, total: Any, /) -> None:
        """All sensors.
            world: the world; used by one thread at a time
            out: receives the things
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_body_get_shapes(self, world: Any, body: Library.vtb_body | None, out: Any, capacity: int, total: Any, /) -> None:
        """Shapes of a body.
            world: the world; used by one thread at a time
            body: whose; none = those of the world itself
            out: receives the things
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_body_get_joints(self, world: Any, body: Library.vtb_body | None, out: Any, capacity: int, total: Any, /) -> None:
        """Joints of which a body is one end.
            world: the world; used by one thread at a time
            body: whose; none = those with the world itself
            out: receives the things
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_body_get_def(self, world: Any, body: Library.vtb_body | None, out: Any, /) -> None:
        """Kind, mass, settings, present pose and twist.
            world: the world; used by one thread at a time
            body: a body of this world
            out: receives them"""
        ...
    def vtb_shape_get_def(self, world: Any, shape: Library.vtb_shape | None, out: Any, /) -> None:
        """Type, size, pose, parent, surface, filter, colour; numbers of points, triangles and samples, with pointers that are NULL.
            world: the world; used by one thread at a time
            shape: a shape of this world
            out: receives them"""
        ...
    def vtb_shape_get_filter(self, world: Any, shape: Library.vtb_shape | None, category: Any, mask: Any, /) -> None:
        """What it may collide with.
            world: the world; used by one thread at a time
            shape: a shape of this world
            category: receives the bits it belongs to
            mask: receives the bits it collides with"""
        ...
    def vtb_joint_get_def(self, world: Any, joint: Library.vtb_joint | None, out: Any, /) -> None:
        """Type, bodies, frames, axes, what it holds and how; vtb_joint_get_axis and vtb_joint_get_motor say more of its axes.
            world: the world; used by one thread at a time
            joint: a joint of this world
            out: receives them"""
        ...
    def vtb_joint_get_size(self, world: Any, joint: Library.vtb_joint | None, nq: Any, nv: Any, /) -> None:
        """How many numbers its state has.
            world: the world; used by one thread at a time
            joint: a joint of this world
            nq: receives the number of coordinates
            nv: receives the number of velocities"""
        ...
    def vtb_joint_get_world_frames(self, world: Any, joint: Library.vtb_joint | None, frame_a: Out, frame_b: Out, /) -> None:
        """Its frames on both bodies, in the world. VTB_E_ARG for a rotor, which has none.
            world: the world; used by one thread at a time
            joint: a joint of this world
            frame_a [pose]: receives that on body_a
            frame_b [pose]: receives that on body_b"""
        ...
    def vtb_joint_get_world_axes(self, world: Any, joint: Library.vtb_joint | None, axes: Out, capacity: int, total: Any, /) -> None:
        """What each velocity turns about or slides along, body_b against body_a: unit vectors in the world. VTB_E_ARG for a rotor.
            world: the world; used by one thread at a time
            joint: a joint of this world
            axes [1]: receives three numbers for each velocity
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_coupling_get_def(self, world: Any, coupling: Library.vtb_coupling | None, out: Any, /) -> None:
        """Offset, level, softness, bound and number of terms; its joints are in the terms.
            world: the world; used by one thread at a time
            coupling: a coupling of this world
            out: receives them"""
        ...
    def vtb_coupling_get_terms(self, world: Any, coupling: Library.vtb_coupling | None, out: Any, capacity: int, total: Any, /) -> None:
        """Its joints' axes with their coefficients.
            world: the world; used by one thread at a time
            coupling: a coupling of this world
            out: receives the things
            capacity: rows, or numbers, that the array has room for
            total: receives how many there are, whatever the capacity"""
        ...
    def vtb_field_get_def(self, world: Any, field: Library.vtb_field | None, out: Any, /) -> None:
        """Type and numbers; bodies are counted; callbacks are NULL.
            world: the world; used by one thread at a time
            field: a field of this world
            out: receives them"""
        ...
    def vtb_sensor_get_def(self, world: Any, sensor: Library.vtb_sensor | None, out: Any, /) -> None:
        """Type, body or joint, site, axes and region.
            world: the world; used by one thread at a time
            sensor: a sensor of this world
            out: receives them"""
        ...
    def vtb_world_set_name(self, world: Any, kind: int | str, bits: int, name: Text, /) -> None:
        """Gives a thing a name, unique among its kind and without blanks; saved scenes hold it. VTB_E_ARG where the name is taken,
        for a thing of a scene, which keeps the scene's name, and for a part of a figure, which has the name of its link or joint.
            world: the world; used by one thread at a time
            kind: what it is
            bits: the number of its handle
            name: UTF-8; NULL or "" = none"""
        ...
    def vtb_world_get_name_of(self, world: Any, kind: int | str, bits: int, buffer: Any, size: int, needed: Any, /) -> None:
        """The name of a thing; "" where it has none. A body or joint of a figure is FIGURE/LINK or FIGURE/JOINT, by which it is
        found too; only LINK or JOINT where the figure has no name.
            world: the world; used by one thread at a time
            kind: what it is
            bits: the number of its handle
            buffer: receives the text or the bytes
            size: of the buffer or text, in bytes
            needed: receives the bytes needed, the closing NUL of a text included"""
        ...
    def vtb_world_set_user_value(self, world: Any, kind: int | str, bits: int, value: int, /) -> None:
        """Keeps a number of the caller's beside a thing; it is no part of snapshots and scenes.
            world: the world; used by one thread at a time
            kind: what it is
            bits: the number of its handle
            value: the number"""
        ...
    def vtb_world_get_user_value(self, world: Any, kind: int | str, bits: int, value: Any, /) -> None:
        """The number of the caller's; 0 until it is set.
            world: the world; used by one thread at a time
            kind: what it is
            bits: the number of its handle
            value: receives the number"""
        ...
    def vtb_world_find_body(self, world: Any, name: Text, out: Any, /) -> None:
        """The body of a name. VTB_E_ARG if there is none, VTB_E_STALE if it was destroyed; likewise below.
            world: the world; used by one thread at a time
            name: UTF-8
            out: receives the handle"""
        ...
    def vtb_world_find_shape(self, world: Any, name: Text, out: Any, /) -> None:
        """The shape of a name.
            world: the world; used by one thread at a time
            name: UTF-8
            out: receives the handle"""
        ...
    def vtb_world_find_joint(self, world: Any, name: Text, out: Any, /) -> None:
        """The joint of a name.
            world: the world; used by one thread at a time
            name: UTF-8
            out: receives the handle"""
        ...
    def vtb_world_find_coupling(self, world: Any, name: Text, out: Any, /) -> None:
        """The coupling of a name.
            world: the world; used by one thread at a time
            name: UTF-8
            out: receives the handle"""
        ...
    def vtb_world_find_constraint(self, world: Any, name: Text, out: Any, /) -> None:
        """The constraint of a name.
            world: the world; used by one thread at a time
            name: UTF-8
            out: receives the handle"""
        ...
    def vtb_world_find_field(self, world: Any, name: Text, out: Any, /) -> None:
        """The force field of a name.
            world: the world; used by one thread at a time
            name: UTF-8
            out: receives the handle"""
        ...
    def vtb_world_find_particles(self, world: Any, name: Text, out: Any, /) -> None:
        """The particle system of a name.
            world: the world; used by one thread at a time
            name: UTF-8
            out: receives the handle"""
        ...
    def vtb_world_find_figure(self, world: Any, name: Text, out: Any, /) -> None:
        """The figure of a name.
            world: the world; used by one thread at a time
            name: UTF-8
            out: receives the handle"""
        ...
    def vtb_world_find_sensor(self, world: Any, name: Text, out: Any, /) -> None:
        """The sensor of a name.
            world: the world; used by one thread at a time
            name: UTF-8
            out: receives the handle"""
        ...

vtb: Library
