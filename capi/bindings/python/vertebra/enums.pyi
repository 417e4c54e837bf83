# Made by stubs.py from vertebra.json: not to be edited.
import enum

__all__ = [
    "Status",
    "Severity",
    "JointType",
    "Combine",
    "ShapeType",
    "Inertia",
    "LoadFlag",
    "UpAxis",
    "Filter",
    "Mend",
    "Base",
    "ModelFlag",
    "RetargetRole",
    "TrackFlag",
    "Integrator",
    "StepControl",
    "TreeSolver",
    "Solver",
    "Sweep",
    "FrictionLaw",
    "Stepper",
    "Stabilisation",
    "WorldFlag",
    "RestitutionLaw",
    "Stage",
    "BodyKind",
    "Duration",
    "CurveFlag",
    "MotorMode",
    "RowLevel",
    "FieldType",
    "PointsMeasure",
    "DrivelineType",
    "ParticlesFlag",
    "SinkType",
    "FigureFlag",
    "ControllerType",
    "DrivePose",
    "Repeat",
    "Feedback",
    "GoalType",
    "ContactPhase",
    "SensorType",
    "SensorAxes",
    "SensorRegion",
    "Named",
]

class Status(enum.IntEnum):
    """What a call answers; values never change."""
    OK = 0
    """the call did what it says"""
    E_ARG = -1
    """an argument is NULL, not a number, out of range or of the wrong size"""
    E_STALE = -2
    """a handle of something destroyed, or of another world"""
    E_BUSY = -3
    """called from inside a callback"""
    E_NOMEM = -4
    """out of memory"""
    E_DIVERGED = -5
    """the step was undone; the world holds the last good one"""
    E_INFEASIBLE = -6
    """constraints contradict each other; the result is inside all bounds, the residual is in the statistics"""
    E_IO = -7
    """a file could not be read or written"""
    E_PARSE = -8
    """a file was read but makes no sense; see the diagnostics"""
    E_UNSUPPORTED = -9
    """known, but not with these settings"""
    E_INTERNAL = -10
    """a defect of the library; the world may only be destroyed"""
    E_UNSOLVED = -11
    """with VTB_WORLD_FLAG_TELL_UNSOLVED: rows that no solver met; the step was made, see the statistics"""

class Severity(enum.IntEnum):
    """How much a finding of a loader matters."""
    INFO = 0
    """something was assumed"""
    WARNING = 1
    """something was repaired or left out"""
    ERROR = 2
    """the file cannot be used"""

class JointType(enum.IntEnum):
    """How a joint lets its child move against its parent. Skeletons have the types below motor."""
    FIXED = 0
    """not at all"""
    REVOLUTE = 1
    """turns about an axis, within limits"""
    CONTINUOUS = 2
    """turns about an axis without end"""
    PRISMATIC = 3
    """slides along an axis"""
    UNIVERSAL = 4
    """turns about an axis of the parent and one of the child"""
    SPHERICAL = 5
    """turns about a point"""
    PLANAR = 6
    """slides in a plane and turns about its normal"""
    FLOATING = 7
    """moves freely"""
    CYLINDRICAL = 8
    """turns about an axis and slides along it"""
    SCREW = 9
    """turns about an axis and advances along it in proportion"""
    WHEEL = 10
    """suspension, steering and turn about an axle"""
    MOTOR = 16
    """six axes between two bodies, each soft and bounded; removes no freedom"""
    AXIS_ANGULAR = 17
    """limit and motor about an axis of body_a, between any two bodies"""
    AXIS_LINEAR = 18
    """limit and motor along an axis of body_a"""
    DISTANCE = 19
    """Distance of the two frames' origins: one axis, at first limited to the present distance, a rod; other limits make it a rope
    (lower 0) or a limited spring, a motor makes it a cylinder."""
    POINT_ON_LINE = 20
    """frame b's origin stays on the axis of frame a; its axis: the way along it"""
    POINT_ON_PLANE = 21
    """Frame b's origin stays in the plane through frame a's origin with the axis as normal; its axes: x and y in the plane."""
    POINT_ON_CURVE = 22
    """frame b's origin stays on a curve in frame a; its axis: the way along it"""
    ROTOR = 23
    """no bodies: a shaft of one angle, its inertia is its axis' armature; couplings tie it to others"""

class Combine(enum.IntEnum):
    """How a pair makes one coefficient of two; where its shapes name different rules the larger number counts."""
    DEFAULT = 0
    """friction: geometric mean; restitution: maximum"""
    GEOMETRIC_MEAN = 1
    """square root of the product"""
    AVERAGE = 2
    """half the sum"""
    MINIMUM = 3
    """the smaller"""
    MULTIPLY = 4
    """the product"""
    MAXIMUM = 5
    """the larger"""

class ShapeType(enum.IntEnum):
    """Geometry of a shape."""
    SPHERE = 0
    """size[0] = radius"""
    CAPSULE = 1
    """size[0] = radius, size[2] = half length of the cylinder part; along local z"""
    BOX = 2
    """size = half extents"""
    CYLINDER = 3
    """size[0] = radius, size[2] = half length; along local z"""
    PLANE = 4
    """solid below local z = 0; static bodies only"""
    CONVEX = 5
    """points, or planes (half-spaces n.x <= d)"""
    MESH = 6
    """points and triangles: a surface, contact on static bodies only, unless convex_parts make it a solid"""
    COMPOUND = 7
    """a frame for other shapes, no geometry"""
    HEIGHTFIELD = 8
    """Heights over a grid, solid below; static and kinematic bodies. size[0], size[1] = spacing along x (columns) and y (rows),
    size[2] = depth of the solid below the lowest height; it ends in vertical sides, which rays do not see."""

class Inertia(enum.IntEnum):
    """What becomes of missing or wrong inertia."""
    LENIENT = 0
    """Keep what is physical or nearly so, mend what is not, and say it. Links of a part that moves without any mass get it from
    their shapes at 1000 kg/m^3, or, where these are not there, from capsules to the next joints. Strict: an error."""
    GEOMETRY = 1
    """Missing inertia is computed from the shapes at 1000 kg/m^3; missing moments beside a mass too, scaled to it."""
    ERROR = 2
    """missing or invalid inertia is an error"""

class LoadFlag(enum.IntFlag):
    """Options of loaders."""
    STRICT = 1
    """refuse what would be repaired otherwise"""
    NO_MESHES = 2
    """leave mesh files unread; shapes that need them are missing, and said to be"""
    DERIVE_COLLISION = 4
    """a link without collision shape gets one from its visual or its bones"""

class UpAxis(enum.IntEnum):
    """Axis of a file that points up."""
    GUESS = -1
    """from the figure's pose"""
    X = 0
    """x"""
    Y = 1
    """y"""
    Z = 2
    """z"""

class Filter(enum.IntEnum):
    """How a clip is smoothed; neither shifts it in time."""
    LOW_PASS = 0
    """Butterworth of second order, forwards and backwards"""
    SPLINE = 1
    """cubic smoothing spline"""

class Mend(enum.IntEnum):
    """What is done with frames that do not fit."""
    CUT = 0
    """taken out; what follows moves up"""
    INTERPOLATE = 1
    """replaced by what lies between the frames around: positions linear, rotations on the group; ends stay"""

class Base(enum.IntEnum):
    """Whether a root moves."""
    DEFAULT = 0
    """as the file says"""
    FIXED = 1
    """fixed in the world"""
    FLOATING = 2
    """moves freely"""

class ModelFlag(enum.IntFlag):
    """Options of a workspace."""
    NO_MIMIC = 1
    """mimic joints get coordinates of their own"""

class RetargetRole(enum.IntEnum):
    """What a part of a body is. Of a motion the joint at the place: a hip is the joint that moves the thigh. Of a figure, hip and
    shoulder are the first link of the limb, knee and elbow the link below that joint, foot and hand the last link."""
    LEFT_HIP = 0
    """thigh of the left leg"""
    LEFT_KNEE = 1
    """shin of the left leg"""
    LEFT_FOOT = 2
    """of the left leg"""
    LEFT_TOE = 3
    """of the left foot; of motions only"""
    LEFT_SHOULDER = 4
    """upper arm of the left arm"""
    LEFT_ELBOW = 5
    """forearm of the left arm"""
    LEFT_HAND = 6
    """of the left arm"""
    RIGHT_HIP = 7
    """thigh of the right leg"""
    RIGHT_KNEE = 8
    """shin of the right leg"""
    RIGHT_FOOT = 9
    """of the right leg"""
    RIGHT_TOE = 10
    """of the right foot; of motions only"""
    RIGHT_SHOULDER = 11
    """upper arm of the right arm"""
    RIGHT_ELBOW = 12
    """forearm of the right arm"""
    RIGHT_HAND = 13
    """of the right arm"""
    PELVIS = 14
    """what carries both legs"""
    HEAD = 15
    """the head"""

class TrackFlag(enum.IntFlag):
    """Options of tracking."""
    NO_ASSIST = 1
    """nothing helps the root: the figure stands on its feet alone, until it falls"""
    NO_FEED_FORWARD = 2
    """drives of the axes alone, without torques by inverse dynamics"""
    NO_FEEDBACK = 4
    """torques by inverse dynamics alone, within limits of torque"""
    NO_PREPARATION = 8
    """the trajectory as it is: feet that swing may touch the ground"""
    SELF_COLLISION = 16
    """links of the figure touch each other"""

class Integrator(enum.IntEnum):
    """Methods of integration."""
    WORLD = -1
    """of bodies and figures: the world's"""
    EXPLICIT_EULER = 0
    """order 1"""
    SYMPLECTIC_EULER = 1
    """order 1: velocities first, positions with the new ones"""
    IMPLICIT_EULER = 2
    """order 1: Newton's method, Jacobian by differences"""
    MIDPOINT = 3
    """order 2, explicit"""
    RK4 = 4
    """order 4, Runge and Kutta"""
    DORMAND_PRINCE = 5
    """order 5 with an embedded method of order 4"""

class StepControl(enum.IntEnum):
    """How the length of a step is chosen."""
    FIXED = 0
    """steps of equal length, at most the given one"""
    DOUBLING = 1
    """by the error of a step against two of half its length"""
    EMBEDDED = 2
    """by the error against the embedded method; Dormand-Prince only"""
    TAYLOR = 3
    """by the first term the method leaves out, from the history of derivatives: one evaluation, but seen late"""

class TreeSolver(enum.IntEnum):
    """How joints of trees are solved."""
    ARTICULATED = 0
    """recursions over articulated bodies"""
    SPARSE = 1
    """a sparse factorisation of the mass matrix"""
    DENSE = 2
    """a dense factorisation of the mass matrix"""

class Solver(enum.IntEnum):
    """How contacts, limits and other bounded rows are solved."""
    PGS = 0
    """sweeps of projected Gauss-Seidel"""
    DANTZIG = 1
    """directly, by Dantzig's pivots"""
    JACOBI = 2
    """sweeps of Jacobi"""
    CG = 3
    """conjugate gradients on sweeps"""
    LEMKE = 4
    """directly, by Lemke's pivots; friction is a polygon in the cone"""

class Sweep(enum.IntEnum):
    """Order of the rows in a sweep of pgs."""
    FORWARD = 0
    """first to last"""
    BACKWARD = 1
    """last to first"""
    SYMMETRIC = 2
    """there and back in turn"""
    SHUFFLED = 3
    """shuffled, alike in every run"""

class FrictionLaw(enum.IntEnum):
    """How a contact's friction is bounded by its normal force n."""
    CONE = 0
    """a disc of radius mu n"""
    PYRAMID = 1
    """mu n along each of two tangents that the normal fixes"""
    PYRAMID_ALONG_SLIDING = 2
    """the same with the first tangent along the sliding"""
    POLYHEDRAL = 3
    """a polygon in the disc, under VTB_SOLVER_LEMKE; the disc under other solvers"""
    ESTIMATED = 4
    """a box from the normal forces of a solution without friction"""
    LOETSTEDT = 5
    """a box from the last step's normal forces"""

class Stepper(enum.IntEnum):
    """How time goes on. Order of accuracy in the step's length, by construct: trees 2 under impulse and variational, that of the
    integrator under ode, else 1; cycles that of the integrator under ode, else 1; springs and drives with gains on axes of trees
    as trees, where they are stiff for the step 1 under impulse, drives under variational too; springs between two points
    (distances without limits) as trees where they are mild for the step, else 1; dry friction and limits of axes 1; contacts 1,
    rolling 2 under variational. With free poses all are 1. Errors measured: docs/notes/orders.md."""
    IMPULSE = 0
    """velocities by impulses; smooth islands of trees to second order"""
    VARIATIONAL = 1
    """symplectic: no drift of energy over long times, momenta kept; costs more a step"""
    ODE = 2
    """the trees' equations of motion under a vtb_integrator, impacts in between; see vtb_ode_settings"""
    SPOOK = 3
    """joints outside trees, couplings and contacts with a compliance and a relaxation time; first order"""
    DISPLACEMENT = 4
    """Free poses, moved by sweeps over positions: iterations, tolerance, order and relaxation of vtb_solver_settings are those of
    the sweeps; where contacts alone tie bodies, up to five times as many sweeps more, of impulses. Its type must be pgs,
    friction_law the cone, restitution_law Newton's; first order."""

class Stabilisation(enum.IntEnum):
    """What keeps joints outside trees together: those that close cycles, and all under VTB_WORLD_FLAG_FREE_POSES."""
    NEWTON = 0
    """their error is removed in the coordinates after each step"""
    BAUMGARTE = 1
    """a velocity against it: J v = -baumgarte * C"""
    NONE = 2
    """they drift"""

class WorldFlag(enum.IntFlag):
    """Options of a world; ODE_* and DISPLACEMENT_* are those of the steppers of these names."""
    NO_SLEEP = 1
    """islands at rest are stepped like others; else they are skipped"""
    NO_ENERGY_CORRECTION = 2
    """smooth islands keep the error of their energy; else they are corrected"""
    ENERGY_ACCOUNT = 4
    """keep the work and loss accounts of vtb_world_get_energy"""
    FREE_POSES = 8
    """Each body keeps a pose of its own and every joint is a constraint between two: the form that the literature on maximal
    coordinates studies; slower, and joints drift by what the stabilisation leaves. A body without mass goes with the one that it
    is fixed to."""
    PERSIST_EVENTS = 64
    """contact events also for pairs that go on touching, one a physics step"""
    NO_CONTINUOUS = 128
    """no search for impacts of fast bodies within a step: they may pass through thin things"""
    PLANAR = 256
    """Free bodies keep their height y and turn about y alone, from the pose they were created in: they have three coordinates.
    Figures and joints must have axes that fit."""
    STAGE_TIMES = 512
    """read the clock between the stages of a step, for vtb_world_stats"""
    CONTACT_POSITIONS = 1024
    """Penetration is removed by displacements (contact.correction, contact.speed), which give bodies no speed; else by velocities.
    Links of figures that are deeper than a quarter of adaptive.depth get up to 0.2 m/s besides. Steppers impulse and variational."""
    ODE_VELOCITY_BILATERAL = 2048
    """Stepper ode: joints outside trees and couplings hold in velocities, which meet them after each integration step; else at
    acceleration level."""
    ODE_VELOCITY_UNILATERAL = 4096
    """Stepper ode: contacts, limits and dry friction hold by impulses at the end of each physics step; else at acceleration level."""
    DISPLACEMENT_ALONG_ERRORS = 8192
    """Joints hold along their error, which keeps angular momentum while they are open but diverges where a light moment has a long
    arm; else all held directions at once."""
    DISPLACEMENT_FROZEN = 16384
    """Directions, arms and inverse masses of the predicted poses, for small turns; else the newest."""
    DISPLACEMENT_GYROSCOPIC = 32768
    """with what turning does to the angular momentum in the bodies' inertia"""
    TELL_UNSOLVED = 65536
    """A step that leaves an island unsolved, so that its contacts or limits may give way, answers VTB_E_UNSOLVED; else VTB_OK, and
    `unsolved` of vtb_world_stats and the log say so. It is made either way."""

class RestitutionLaw(enum.IntEnum):
    """How bodies bounce at restitution e."""
    NEWTON = 0
    """leaves at e times the speed it met; less where that would create energy"""
    POISSON = 1
    """e times the impulse of compression follows it"""

class Stage(enum.IntEnum):
    """Stages of a step, for their times."""
    FORCES = 0
    """force fields, drivelines, callbacks"""
    MOVE = 1
    """coordinates; what steppers but impulse do besides the other stages"""
    COLLIDE = 2
    """contacts, islands"""
    FACTOR = 3
    """momenta, inertias, free velocities"""
    ROWS = 4
    """of contacts, limits and other constraints"""
    SOLVE = 5
    """impulses of the rows"""
    FINISH = 6
    """velocities and accelerations, accounts, events, sleep"""
    PARTICLES = 7
    """particle systems"""

class BodyKind(enum.IntEnum):
    """What moves a body."""
    STATIC = 0
    """nothing"""
    KINEMATIC = 1
    """its velocity"""
    DYNAMIC = 2
    """physics"""

class Duration(enum.IntEnum):
    """How long a force acts."""
    ONE_STEP = 0
    """one whole vtb_world_step, substeps included"""
    UNTIL_CLEARED = 1
    """until vtb_body_clear_forces"""

class CurveFlag(enum.IntFlag):
    """Options of a curve."""
    SPLINE = 1
    """it is smooth; else a polyline"""
    CLOSED = 2
    """it ends where it begins"""

class MotorMode(enum.IntEnum):
    """What a motor does."""
    OFF = 0
    """nothing"""
    POSITION = 1
    """stiffness * (position - q) + damping * (velocity - v), implicit, then bounded"""
    VELOCITY = 2
    """damping * (velocity - v); damping inf: as strong as the bound allows. Without a bound (and effort) a wall, limit or second
    such motor in its way is a contradiction: VTB_E_INFEASIBLE, and it yields."""
    TORQUE = 3
    """force"""

class RowLevel(enum.IntEnum):
    """What a row of a coupling or of a caller's constraint holds."""
    POSITION = 0
    """its coordinates, or error"""
    VELOCITY = 1
    """its rate only"""

class FieldType(enum.IntEnum):
    """Law of a force field; r: from the body, u: velocity against the wind."""
    RADIAL = 0
    """strength * m * r / |r|^3 to the point, or to source, which feels the opposite"""
    PAIRWISE = 1
    """gravitation between all bodies"""
    DRAG = 2
    """-(linear + quadratic |u|) u, and -angular times the angular velocity"""
    MAGNUS = 3
    """strength * angular velocity x u"""
    LENNARD_JONES = 4
    """24 strength (2 (length/r)^12 - (length/r)^6) / r between all pairs nearer than range"""
    ATTRACTOR = 5
    """strength * |r|^exponent to the point, nearer than range; repels where strength is negative"""
    USER = 6
    """what the callback gives"""

class PointsMeasure(enum.IntEnum):
    """What of the points is kept."""
    LENGTH = 0
    """of the line through the points: a rope as one; error = length - value [m]"""
    VOLUME = 1
    """Of the tetrahedron between four: (p1 - p0) . ((p2 - p0) x (p3 - p0)) / 6; error = (volume - value) / |value|^(2/3) [m]."""

class DrivelineType(enum.IntEnum):
    """What a part is, and the order of the axes that it joins."""
    ENGINE = 0
    """the crankshaft"""
    CONVERTER = 1
    """impeller, turbine"""
    GEARBOX = 2
    """input, output"""
    DIFFERENTIAL = 3
    """input, left, right: input = ratio * (split * left + (1 - split) * right)"""
    PUMP = 4
    """the shaft, coefficient = displacement at full stroke [m^3/rad]; cylinders, coefficient = area"""
    CYLINDER = 5
    """cylinders fed from elsewhere, coefficient = area; those of one circuit share its pressure"""

class ParticlesFlag(enum.IntFlag):
    """Options of a particle system."""
    NO_PAIRS = 1
    """they do not touch each other"""
    NO_SHAPES = 2
    """they do not touch shapes"""

class SinkType(enum.IntEnum):
    """Geometry of a sink."""
    HALF_SPACE = 0
    """below local z = 0"""
    BOX = 1
    """size = half extents"""
    SPHERE = 2
    """size[0] = radius"""

class FigureFlag(enum.IntFlag):
    """Options of a figure."""
    NO_MIMIC = 1
    """mimic joints get coordinates of their own"""
    NO_SELF_COLLISION = 2
    """its links do not touch each other"""

class ControllerType(enum.IntEnum):
    """What a controller does."""
    DRIVE = 0
    """a spring and a damper on each axis towards a pose"""
    ANIMATION = 1
    """clips, one after the other"""
    ROOT_DRIVE = 2
    """a bounded force that holds the root"""
    MARKER_DRIVE = 3
    """bounded forces that draw points of links to places"""
    INVERSE_DYNAMICS = 4
    """the torques that the wanted motion needs"""
    POINT = 5
    """hands, heads and tools to places and directions"""
    BALANCE = 6
    """the centre of mass over the feet"""

class DrivePose(enum.IntEnum):
    """Which pose drives follow."""
    WANTED = 0
    """that of the controllers before it"""
    NEUTRAL = 1
    """zero angles, until vtb_drive_set_pose"""

class Repeat(enum.IntEnum):
    """How a clip is repeated."""
    NO = 0
    """its last frame stays"""
    STAY = 1
    """again at the clip's own place"""
    TRAVEL = 2
    """again from where it has come to"""

class Feedback(enum.IntEnum):
    """How inverse dynamics meets errors."""
    NONE = 0
    """not at all: torques alone"""
    DRIVES = 1
    """by drives of the axes, the stiffer the larger the torque"""
    ACCELERATIONS = 2
    """by accelerations that the torques give as well: computed torque"""

class GoalType(enum.IntEnum):
    """What a goal of a point controller asks for."""
    PLACE = 0
    """the link's point is at the target"""
    AIM = 1
    """the link's direction, from its point, passes through the target"""
    DIRECTION = 2
    """the link's direction is along the target"""
    STILL = 3
    """the link stays where it was when the goal began"""

class ContactPhase(enum.IntEnum):
    """What happened to a pair of shapes."""
    BEGIN = 1
    """it began to touch"""
    END = 2
    """it ceased to touch"""
    PERSIST = 3
    """it went on touching"""

class SensorType(enum.IntEnum):
    """What a sensor reads: how many values, and which."""
    POSE = 0
    """7: the site in the world, position [m] and quaternion"""
    VELOCITY = 1
    """6: velocity of the site [m/s], angular velocity [rad/s]"""
    ACCELERATION = 2
    """6: acceleration of the site [m/s^2], angular acceleration [rad/s^2], means over the physics step"""
    IMU = 3
    """6: acceleration of the site less the gravity that its body feels [m/s^2], angular velocity [rad/s]: 0 in free fall, upwards at
    rest"""
    FORCE_TORQUE = 4
    """6: force [N], and torque [N m] about the site, of body_a on body_b through the joint: of all that it holds, of drives,
    springs, limits and friction; means over the physics step"""
    TOUCH = 5
    """1: sum of the normal forces of contact points on the body [N], mean over the physics step"""

class SensorAxes(enum.IntEnum):
    """Axes of what a sensor reads."""
    SITE = 0
    """those of the site"""
    WORLD = 1
    """those of the world"""

class SensorRegion(enum.IntEnum):
    """Which contact points of the body a sensor of type touch counts."""
    ALL = 0
    """all"""
    SPHERE = 1
    """those in a ball about the site; size[0] = radius"""
    BOX = 2
    """those in a box about the site, along its axes; size = half extents"""

class Named(enum.IntEnum):
    """Things that have names."""
    BODY = 0
    """vtb_body"""
    SHAPE = 1
    """vtb_shape"""
    JOINT = 2
    """vtb_joint"""
    COUPLING = 3
    """vtb_coupling"""
    FIELD = 4
    """vtb_field"""
    FIGURE = 5
    """vtb_figure; its links and joints are named figure/link, figure/joint"""
    CONSTRAINT = 6
    """vtb_constraint: parts of drivelines, lengths and volumes over points"""
    PARTICLES = 7
    """vtb_particles"""
    SENSOR = 8
    """vtb_sensor"""
