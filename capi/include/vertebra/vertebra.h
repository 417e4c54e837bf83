/* vertebra.h - physics for articulated figures, the whole library behind one C header.
 *
 * Conventions. SI units, radians, right-handed, Z up. Quaternions are x, y, z, w and turn local into parent axes. Poses are 7
 * doubles: position [m], quaternion. Twists are 6 doubles: linear velocity of the link frame's origin [m/s], then angular velocity
 * [rad/s], world axes. Inertia is xx, xy, xz, yy, yz, zz about the centre of mass in link axes. Matrices are row-major.
 * A link frame is the frame of the file (URDF link, BVH joint); bodies are given and reported in it.
 *
 * Objects. A vtb_world is owned by the caller and used by one thread at a time; distinct worlds share nothing that changes.
 * vtb_skeleton, vtb_motion, vtb_scene and vtb_diagnostics are free of worlds, reference-counted and never change after creation; any thread
 * may read them. Things inside a world are value handles, given beside the world: one that no longer exists, or belongs to another world,
 * answers VTB_E_STALE. The zero handle means "none"; where a body is asked for it means the world itself.
 *
 * Calls. Every call that can fail returns a vtb_status; on failure outputs are untouched and vtb_last_error() says what, where and
 * how to mend. Structs that are passed in start with struct_size and are prepared by their _init call; structs that are filled for the
 * caller have struct_size set by the caller. Later versions only append fields, and an unknown non-zero tail is refused. Output arrays
 * take a capacity and report the total: min(capacity, total) entries are written. An array may be NULL where its capacity or its
 * count (of points, coordinates, bytes, ...) is 0. Stride 0 means packed; strides are in bytes. Strings are UTF-8; a text output takes
 * a buffer and its size, always ends in NUL when the size is not 0, and reports the bytes needed, NUL included.
 * Inside a callback only functions that take a const world may be called; others answer VTB_E_BUSY.
 *
 * Coordinates of a figure: its floating base first (if it has one), then its joints in file order; mimic joints have none.
 *   revolute, continuous, prismatic   q 1, v 1   angle (unwrapped) or length
 *   universal                         q 2, v 2   about the parent's axis, then the child's
 *   planar                            q 3, v 3   x and y in the plane, angle about its normal; the plane's x and y axes are those of the
 *                                                joint frame turned along the shortest arc that takes z to the normal
 *   spherical                         q 4, v 3   quaternion of child in parent's joint frame; angular velocity in the child's joint frame
 *   cylindrical                       q 2, v 2   angle about and length along the axis
 *   screw                             q 1, v 1   angle; the length is pitch times angle / 2 pi
 *   wheel                             q 3, v 3   travel of the suspension along the axis, steering angle about it (both fixed in the
 *                                                parent), turn about axis2 (the axle, fixed in the child)
 *   floating joint                    q 7, v 6   position and quaternion of child in parent's joint frame; linear then angular velocity,
 *                                                parent's joint frame
 *   floating base                     q 7, v 6   pose of the root link frame in the world; linear velocity of its origin, angular
 *                                                velocity, world axes
 */
#ifndef VTB_VERTEBRA_H
#define VTB_VERTEBRA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* ------------------------------------------------------------------------------------------------- version and errors */

enum { VTB_ABI = 1 }; /* equals the library's SOVERSION */

typedef int32_t vtb_status; /* values never change */
enum {
  VTB_OK = 0,
  VTB_E_ARG = -1,   /* an argument is NULL, not a number, out of range or of the wrong size */
  VTB_E_STALE = -2, /* a handle of something destroyed, or of another world */
  VTB_E_BUSY = -3,  /* called from inside a callback */
  VTB_E_NOMEM = -4,
  VTB_E_DIVERGED = -5,    /* the step was undone; the world holds the last good one */
  VTB_E_INFEASIBLE = -6,  /* constraints contradict each other; the result is inside all bounds, the residual is in the statistics */
  VTB_E_IO = -7,          /* a file could not be read or written */
  VTB_E_PARSE = -8,       /* a file was read but makes no sense; see the diagnostics */
  VTB_E_UNSUPPORTED = -9, /* known, but not with these settings */
  VTB_E_INTERNAL = -10    /* a defect of the library; the world may only be destroyed */
};

uint32_t vtb_abi(void);                       /* VTB_ABI of the library in use */
const char* vtb_version(void);                /* "0.1.0" */
const char* vtb_status_name(vtb_status code); /* "VTB_E_ARG"; "unknown status" for others */
const char* vtb_last_error(void);             /* this thread's text, valid until its next failing call; "" before the first */

/* ------------------------------------------------------------------------------------------------------------- objects */

typedef struct vtb_world vtb_world;                       /* bodies and what joins and moves them; one thread at a time */
typedef struct vtb_skeleton vtb_skeleton;                 /* a figure's model */
typedef struct vtb_motion vtb_motion;                     /* a clip on named joints */
typedef struct vtb_scene vtb_scene;                       /* a scene file as loaded */
typedef struct vtb_diagnostics vtb_diagnostics;           /* what a loader had to say */
typedef struct vtb_skeleton_builder vtb_skeleton_builder; /* a skeleton being made by a program */
typedef struct vtb_ode vtb_ode;                           /* a system of the caller with its integrator; one thread at a time */
typedef struct vtb_workspace vtb_workspace;               /* scratch memory for dynamics of one skeleton; one thread at a time */

typedef struct {
  uint64_t bits;
} vtb_body;
typedef struct {
  uint64_t bits;
} vtb_shape;
typedef struct {
  uint64_t bits;
} vtb_joint;
typedef struct {
  uint64_t bits;
} vtb_coupling;
typedef struct {
  uint64_t bits;
} vtb_constraint;
typedef struct {
  uint64_t bits;
} vtb_field;
typedef struct {
  uint64_t bits;
} vtb_particles;
typedef struct {
  uint64_t bits;
} vtb_figure;

/* --------------------------------------------------------------------------------------------------------- diagnostics */

enum { VTB_INFO = 0, VTB_WARNING = 1, VTB_ERROR = 2 };
typedef struct {
  int32_t severity; /* VTB_INFO, VTB_WARNING, VTB_ERROR */
  int32_t line;     /* 1-based, 0 = unknown */
  const char* code; /* stable, e.g. "urdf.inertia.not-psd" */
  const char* file;
  const char* element; /* e.g. "joint 'elbow'" */
  const char* message; /* what was found, what was done, how to mend */
} vtb_diagnostic;      /* strings live as long as the vtb_diagnostics */
/* How many findings there are. */
vtb_status vtb_diagnostics_count(const vtb_diagnostics* diagnostics, size_t* count);
/* One finding; VTB_E_ARG beyond the last. */
vtb_status vtb_diagnostics_get(const vtb_diagnostics* diagnostics, size_t index, vtb_diagnostic* out);
vtb_status vtb_diagnostics_release(vtb_diagnostics* diagnostics); /* NULL allowed */

/* ----------------------------------------------------------------------------------------------------------- skeletons */

enum {
  VTB_JOINT_FIXED = 0,
  VTB_JOINT_REVOLUTE,
  VTB_JOINT_CONTINUOUS,
  VTB_JOINT_PRISMATIC,
  VTB_JOINT_UNIVERSAL,
  VTB_JOINT_SPHERICAL,
  VTB_JOINT_PLANAR,
  VTB_JOINT_FLOATING,
  VTB_JOINT_CYLINDRICAL,
  VTB_JOINT_SCREW,
  VTB_JOINT_WHEEL,
  VTB_JOINT_MOTOR = 16,          /* six axes between two bodies, each soft and bounded; removes no freedom */
  VTB_JOINT_AXIS_ANGULAR = 17,   /* powered axis: limit and motor about an axis of body_a, between any two bodies */
  VTB_JOINT_AXIS_LINEAR = 18,    /* powered axis: limit and motor along an axis of body_a */
  VTB_JOINT_DISTANCE = 19,       /* of the two frames' origins: one axis, at first limited to the present distance, a rod; other limits make
                                    it a rope (lower 0) or a limited spring, a motor makes it a cylinder */
  VTB_JOINT_POINT_ON_LINE = 20,  /* frame b's origin stays on the axis of frame a; axis: the way along it */
  VTB_JOINT_POINT_ON_PLANE = 21, /* ... in the plane through frame a's origin with the axis as normal; axes: x and y in it */
  VTB_JOINT_POINT_ON_CURVE = 22, /* ... on a curve in frame a; axis: the way along it */
  VTB_JOINT_ROTOR = 23 /* no bodies: a shaft of one angle, its inertia is its axis' armature [1 kg m^2]; couplings tie it to others */
};

enum {
  VTB_INERTIA_LENIENT = 0, /* keep what is physical or nearly so, mend what is not, and say it */
  VTB_INERTIA_GEOMETRY,    /* missing inertia is computed from the shapes at 1000 kg/m^3; missing moments beside a mass too, scaled to it */
  VTB_INERTIA_ERROR        /* missing or invalid inertia is an error */
};
enum {
  VTB_LOAD_STRICT = 1,          /* refuse what lenient mode would repair */
  VTB_LOAD_NO_MESHES = 2,       /* leave mesh files unread; shapes that need them are missing, and said to be */
  VTB_LOAD_DERIVE_COLLISION = 4 /* a link without collision shape gets one from its visual or its bones */
};
typedef struct {
  uint32_t struct_size;
  uint32_t flags;           /* VTB_LOAD_* [0] */
  int32_t inertia;          /* VTB_INERTIA_* [lenient] */
  uint32_t mesh_root_count; /* folders searched for meshes before all others */
  const char* const* mesh_roots;
  /* May write a path for a mesh URI and return 1, or return 0. Called first. [NULL] */
  int32_t (*resolve)(void* user, const char* uri, char* path, size_t path_size);
  void* user;
} vtb_urdf_def;
vtb_status vtb_urdf_def_init(vtb_urdf_def* def, uint32_t struct_size);

/* def may be NULL for defaults. diagnostics (may be NULL) receives a list on success and on VTB_E_PARSE; release it. */
vtb_status vtb_skeleton_load_urdf(const char* path, const vtb_urdf_def* def, vtb_diagnostics** diagnostics, vtb_skeleton** out);
/* The same from text; name stands for the file in the findings. */
vtb_status vtb_skeleton_parse_urdf(const char* text, size_t size, const char* name, const vtb_urdf_def* def, vtb_diagnostics** diagnostics,
                                   vtb_skeleton** out);

typedef struct {
  uint32_t struct_size;
  int32_t root;   /* which root joint of the motion, counted from 0 [0] */
  double mass;    /* kg; 0 = from the height [0] */
  double density; /* kg/m^3 for links whose names say nothing [1000] */
} vtb_motion_figure_def;
vtb_status vtb_motion_figure_def_init(vtb_motion_figure_def* def, uint32_t struct_size);
/* A figure from a motion's hierarchy: capsules along bones, human-like masses, joint types from the rotation channels. */
vtb_status vtb_skeleton_from_motion(const vtb_motion* motion, const vtb_motion_figure_def* def, vtb_diagnostics** diagnostics,
                                    vtb_skeleton** out);
/* One more owner; each releases once. */
vtb_status vtb_skeleton_retain(vtb_skeleton* skeleton);
vtb_status vtb_skeleton_release(vtb_skeleton* skeleton); /* NULL allowed */

/* By program. Link and joint indices count from 0 in the order added. */
typedef struct {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  const char* name;  /* copied */
  double mass;       /* kg [0] */
  double com[3];     /* m, link frame [0] */
  double inertia[6]; /* kg m^2 about the centre of mass [0] */
} vtb_link_def;
typedef struct {
  uint32_t struct_size;
  int32_t type;           /* VTB_JOINT_FIXED .. VTB_JOINT_WHEEL [revolute] */
  const char* name;       /* copied */
  int32_t parent;         /* link [-1 = not set] */
  int32_t child;          /* link [-1 = not set] */
  double parent_frame[7]; /* joint frame in the parent link [identity] */
  double child_frame[7];  /* joint frame in the child link [identity] */
  double axis[3]; /* unit, joint frame: axis of hinge, slide, cylinder or screw, normal of planar, twist axis of spherical, parent's axis of
                     universal, of wheel that of travel and steering [1 0 0] */
  double axis2[3];         /* universal: the child's axis; wheel: the axle [0 1 0] */
  double swing;            /* spherical: largest angle between the twist axes [inf] */
  double twist_lower;      /* [-inf] */
  double twist_upper;      /* [inf] */
  int32_t mimic;           /* joint added before that this one follows, -1 = none [-1] */
  int32_t loop;            /* 1: closes a cycle [0] */
  double mimic_multiplier; /* [1] */
  double mimic_offset;     /* [0] */
  double pitch;            /* screw: m a turn [0] */
} vtb_skeleton_joint_def;
typedef struct { /* one scalar axis of a joint; rad or m, N m or N */
  uint32_t struct_size;
  uint32_t reserved;  /* 0 */
  double lower;       /* hard limits; orientations have none (spherical: swing and twist; floating: its turning axes) [-inf] */
  double upper;       /* [inf] */
  double velocity;    /* largest |rate| [inf] */
  double effort;      /* largest |motor force| [inf] */
  double damping;     /* viscous [0] */
  double friction;    /* dry [0] */
  double stiffness;   /* spring towards rest [0] */
  double rest;        /* [0] */
  double armature;    /* rotor inertia seen at the joint [0] */
  double restitution; /* of the hard limits, 0..1; swing and twist: each axis' by its share in the limit's direction [0] */
} vtb_axis_def;
enum {                          /* how a pair makes one coefficient of two; where its shapes name different rules the larger number wins */
       VTB_COMBINE_DEFAULT = 0, /* friction: geometric mean; restitution: maximum */
       VTB_COMBINE_GEOMETRIC_MEAN,
       VTB_COMBINE_AVERAGE,
       VTB_COMBINE_MINIMUM,
       VTB_COMBINE_MULTIPLY,
       VTB_COMBINE_MAXIMUM
};
enum {
  VTB_SHAPE_SPHERE = 0, /* size[0] = radius */
  VTB_SHAPE_CAPSULE,    /* size[0] = radius, size[2] = half length of the cylinder part; along local z */
  VTB_SHAPE_BOX,        /* size = half extents */
  VTB_SHAPE_CYLINDER,   /* size[0] = radius, size[2] = half length; along local z */
  VTB_SHAPE_PLANE,      /* solid below local z = 0; static bodies only */
  VTB_SHAPE_CONVEX,     /* points, or planes (half-spaces n.x <= d) */
  VTB_SHAPE_MESH,       /* points and triangles: a surface, contact on static bodies only, unless convex_parts make it a solid */
  VTB_SHAPE_COMPOUND,   /* a frame for other shapes, no geometry */
  VTB_SHAPE_HEIGHTFIELD /* heights over a grid, solid below; static and kinematic bodies. size[0], size[1] = spacing along x (columns) and y
                           (rows), size[2] = depth of the solid below the lowest height */
};
enum {
  VTB_SURFACE_HERTZ = 1,     /* its penalty contact follows Hertz, and a pair's if either does */
  VTB_SURFACE_STABILISED = 2 /* under the stepper ode: no rollback for its contacts, they are pushed out afterwards */
};
typedef struct {
  uint32_t struct_size;
  int32_t type;              /* VTB_SHAPE_* [sphere] */
  double size[3];            /* [0] */
  double pose[7];            /* in the parent shape or the link frame [identity] */
  vtb_shape parent;          /* a group shape of the same body [none]; not for skeletons */
  double friction;           /* Coulomb, while sliding; a pair takes the geometric mean, see friction_combine [0.8] */
  double restitution;        /* Newton; a pair takes the larger, see restitution_combine [0] */
  uint32_t category;         /* bits it belongs to [1] */
  uint32_t mask;             /* bits it collides with [all] */
  const double* points;      /* 3 x point_count [NULL] */
  const double* planes;      /* 4 x plane_count: outward normal, distance [NULL] */
  const uint32_t* triangles; /* 3 x triangle_count, counter-clockwise from outside [NULL] */
  uint32_t point_count;
  uint32_t plane_count;
  uint32_t triangle_count;
  uint32_t reserved;           /* 0 */
  float rgba[4];               /* for display [0.7 0.7 0.7 1] */
  double static_friction;      /* Coulomb, up to which the pair sticks; below friction it counts as that [0] */
  double rolling_friction;     /* m, of torques against rolling per normal force; a pair takes the larger [0] */
  double torsional_friction;   /* m, likewise against turning about the normal [0] */
  int32_t friction_combine;    /* VTB_COMBINE_*, static and sliding friction [default] */
  int32_t restitution_combine; /* VTB_COMBINE_* [default] */
  const double* heights;   /* height_rows x height_columns, row by row: sample (row, column) is at (column size[0], row size[1]) [NULL] */
  uint32_t height_rows;    /* at least 2 */
  uint32_t height_columns; /* at least 2 */
  double convex_tolerance; /* cutting a mesh ends where its parts exceed its volume by no more than this share [0.02] */
  uint32_t convex_parts;   /* of a mesh: largest number of convex parts to cut it into, which touch in its place; 0 = none. The mesh must
                              be closed; makes it fit for moving bodies; takes seconds for thousands of triangles [0] */
  uint32_t surface_flags;  /* VTB_SURFACE_* [0] */
  /* A penalty contact in place of a rigid one: pushes with stiffness * depth + damping * its rate, under VTB_SURFACE_HERTZ with
     stiffness * depth^1.5 * (1 + damping * rate); never pulls. Two springs act in series; a rigid partner leaves the other's. */
  double contact_stiffness; /* N/m, or N/m^1.5; 0 = rigid [0] */
  double contact_damping;   /* N s/m, or s/m [0] */
} vtb_shape_def;
vtb_status vtb_link_def_init(vtb_link_def* def, uint32_t struct_size);
vtb_status vtb_skeleton_joint_def_init(vtb_skeleton_joint_def* def, uint32_t struct_size);
vtb_status vtb_axis_def_init(vtb_axis_def* def, uint32_t struct_size);
vtb_status vtb_shape_def_init(vtb_shape_def* def, uint32_t struct_size);
/* An empty skeleton to add to; name is copied. */
vtb_status vtb_skeleton_builder_create(const char* name, vtb_skeleton_builder** out);
vtb_status vtb_skeleton_builder_destroy(vtb_skeleton_builder* builder); /* NULL allowed */
/* Adds a link and tells its index. */
vtb_status vtb_skeleton_builder_add_link(vtb_skeleton_builder* builder, const vtb_link_def* def, int32_t* index);
/* Adds a collision shape, shown as a visual too, in the link's frame. */
vtb_status vtb_skeleton_builder_add_shape(vtb_skeleton_builder* builder, int32_t link, const vtb_shape_def* def);
/* Adds a joint between two links that are there and tells its index. */
vtb_status vtb_skeleton_builder_add_joint(vtb_skeleton_builder* builder, const vtb_skeleton_joint_def* def, int32_t* index);
/* Limits, drive and losses of one axis of a joint added before. */
vtb_status vtb_skeleton_builder_set_axis(vtb_skeleton_builder* builder, int32_t joint, int32_t axis, const vtb_axis_def* def);
/* The skeleton as it stands; the builder may go on. VTB_E_ARG, among others, if the links are no tree from the root on. */
vtb_status vtb_skeleton_builder_finish(const vtb_skeleton_builder* builder, int32_t root_link, vtb_skeleton** out);

/* What a skeleton holds. Links and joints in file order. */
typedef struct {
  uint32_t struct_size;
  int32_t links, joints;
  int32_t root;                /* link */
  int32_t floating_by_default; /* 0 when the file fixes the root (a link named "world") */
  int32_t visuals;             /* over all links */
  int32_t shapes;              /* collision shapes over all links */
  uint32_t reserved;
  double mass; /* kg, sum */
} vtb_skeleton_info;
typedef struct {
  uint32_t struct_size;
  int32_t parent_joint; /* -1 for the root */
  const char* name;     /* lives as long as the skeleton; so do all names here */
  double mass;
  double com[3];
  double inertia[6];
} vtb_link_info;
typedef struct {
  uint32_t struct_size;
  int32_t type; /* VTB_JOINT_* */
  const char* name;
  const char* type_name; /* "revolute" ... */
  int32_t parent, child; /* links */
  int32_t axes;          /* number of velocities */
  int32_t mimic;         /* joint followed, or -1 */
  int32_t loop;
  int32_t has_safety; /* URDF <safety_controller> */
  double parent_frame[7], child_frame[7];
  double axis[3], axis2[3];
  double mimic_multiplier, mimic_offset;
  double swing, twist_lower, twist_upper;
  double safety_lower, safety_upper, safety_k_position, safety_k_velocity;
  double pitch; /* screw: m a turn */
} vtb_joint_info;
/* Numbers of links, joints and shapes, mass, root. */
vtb_status vtb_skeleton_get_info(const vtb_skeleton* skeleton, vtb_skeleton_info* out);
/* The name the file or the builder gave. */
vtb_status vtb_skeleton_get_name(const vtb_skeleton* skeleton, char* buffer, size_t size, size_t* needed);
/* A link's name, mass, centre of mass and inertia. */
vtb_status vtb_skeleton_get_link(const vtb_skeleton* skeleton, int32_t link, vtb_link_info* out);
/* A joint's name, type, links, frames and what the file says besides. */
vtb_status vtb_skeleton_get_joint(const vtb_skeleton* skeleton, int32_t joint, vtb_joint_info* out);
/* Limits, drive and losses of one axis. */
vtb_status vtb_skeleton_get_axis(const vtb_skeleton* skeleton, int32_t joint, int32_t axis, vtb_axis_def* out);
/* Index by name; VTB_E_ARG if there is none. */
vtb_status vtb_skeleton_find_link(const vtb_skeleton* skeleton, const char* name, int32_t* link);
/* Index by name; VTB_E_ARG if there is none. */
vtb_status vtb_skeleton_find_joint(const vtb_skeleton* skeleton, const char* name, int32_t* joint);

/* Geometry for display: visuals (or, with collision = 1, collision shapes), each as triangles in its link's frame with one colour. */
typedef struct {
  uint32_t struct_size;
  int32_t link;
  uint32_t vertices, triangles;
  float rgba[4];
} vtb_visual_info;
/* Sizes, link and colour of one visual or collision shape, for vtb_skeleton_get_visual_mesh. */
vtb_status vtb_skeleton_get_visual(const vtb_skeleton* skeleton, int32_t collision, int32_t index, vtb_visual_info* out);
/* Its triangles, link frame [m]. */
vtb_status vtb_skeleton_get_visual_mesh(const vtb_skeleton* skeleton, int32_t collision, int32_t index, double* vertices,
                                        size_t vertex_capacity, uint32_t* triangles, size_t triangle_capacity);

/* ------------------------------------------------------------------------------------------------------------- motions */

typedef struct {
  uint32_t struct_size;
  uint32_t flags;  /* VTB_LOAD_STRICT [0] */
  double unit;     /* metres per file unit; 0 = guess from the figure's height, and say so [0] */
  int32_t up_axis; /* 0, 1, 2; -1 = guess [-1] */
  int32_t reserved;
} vtb_bvh_def;
vtb_status vtb_bvh_def_init(vtb_bvh_def* def, uint32_t struct_size);
/* Reads a BVH file. def may be NULL for defaults; diagnostics as for a URDF. VTB_E_IO, VTB_E_PARSE. */
vtb_status vtb_motion_load_bvh(const char* path, const vtb_bvh_def* def, vtb_diagnostics** diagnostics, vtb_motion** out);
/* The same from text; name stands for the file in the findings. VTB_E_PARSE. */
vtb_status vtb_motion_parse_bvh(const char* text, size_t size, const char* name, const vtb_bvh_def* def, vtb_diagnostics** diagnostics,
                                vtb_motion** out);
/* Writes a BVH file, file axes and units, so that loading it again gives every channel to 1e-6. VTB_E_IO. */
vtb_status vtb_motion_save_bvh(const vtb_motion* motion, const char* path);
/* The same into memory. */
vtb_status vtb_motion_write_bvh(const vtb_motion* motion, char* buffer, size_t size, size_t* needed);
/* One more owner; each releases once. */
vtb_status vtb_motion_retain(vtb_motion* motion);
vtb_status vtb_motion_release(vtb_motion* motion); /* NULL allowed */

typedef struct {
  uint32_t struct_size;
  int32_t joints, roots, channels, frames;
  int32_t reserved;
  double frame_time; /* s */
  double unit;       /* metres per file unit */
  double turn[4];    /* quaternion: file axes -> Z-up world */
} vtb_motion_info;
typedef struct {
  uint32_t struct_size;
  int32_t parent;   /* -1 = a root */
  const char* name; /* lives as long as the motion */
  double offset[3]; /* file units */
  int32_t channel_count;
  int32_t first_channel; /* column in a frame */
  int32_t end_sites;
  uint8_t channels[12]; /* 0..2 X, Y, Z position, 3..5 X, Y, Z rotation, file order; the first 12 */
} vtb_motion_joint;
/* Numbers of joints, channels and frames, frame time, unit, axes. */
vtb_status vtb_motion_get_info(const vtb_motion* motion, vtb_motion_info* out);
/* A joint's name, parent, offset and channels. */
vtb_status vtb_motion_get_joint(const vtb_motion* motion, int32_t joint, vtb_motion_joint* out);
/* Index by name; VTB_E_ARG if there is none. */
vtb_status vtb_motion_find_joint(const vtb_motion* motion, const char* name, int32_t* joint);
/* Raw channel values of one frame, file units and degrees. */
vtb_status vtb_motion_get_frame(const vtb_motion* motion, int32_t frame, double* values, size_t capacity, size_t* total);
/* Poses of all joints: 7 doubles each, world (Z up, metres) or, with raw = 1, the file's axes and units. */
vtb_status vtb_motion_get_poses(const vtb_motion* motion, int32_t frame, int32_t raw, double* poses, size_t capacity, size_t stride_bytes,
                                size_t* total);
/* The same at a time [s], clamped to the clip; rotations interpolated on the group. */
vtb_status vtb_motion_sample_poses(const vtb_motion* motion, double time, int32_t raw, double* poses, size_t capacity, size_t stride_bytes,
                                   size_t* total);
vtb_status vtb_motion_scaled(const vtb_motion* motion, double scale, vtb_motion** out); /* lengths times scale */
/* The clip at another rate, rotations interpolated on the group. */
vtb_status vtb_motion_resampled(const vtb_motion* motion, double frames_per_second, vtb_motion** out);
vtb_status vtb_motion_trimmed(const vtb_motion* motion, int32_t first, int32_t last, vtb_motion** out); /* frames first..last */

/* ------------------------------------------------------------------------------------- dynamics of a skeleton, no world */

enum { VTB_BASE_DEFAULT = 0, VTB_BASE_FIXED = 1, VTB_BASE_FLOATING = 2 };
enum { VTB_MODEL_NO_MIMIC = 1 }; /* mimic joints get coordinates of their own */
/* A workspace fixes the base and the treatment of mimic joints, and with them the coordinates. It keeps its skeleton alive. */
vtb_status vtb_workspace_create(vtb_skeleton* skeleton, int32_t base, uint32_t flags, vtb_workspace** out);
vtb_status vtb_workspace_destroy(vtb_workspace* workspace); /* NULL allowed */
/* Numbers of coordinates and velocities. */
vtb_status vtb_workspace_get_size(const vtb_workspace* workspace, int32_t* nq, int32_t* nv);
/* Name of one coordinate: the joint's, with a suffix where it has several. */
vtb_status vtb_workspace_get_q_name(const vtb_workspace* workspace, int32_t index, char* buffer, size_t size, size_t* needed);
/* Name of one velocity. */
vtb_status vtb_workspace_get_v_name(const vtb_workspace* workspace, int32_t index, char* buffer, size_t size, size_t* needed);
/* First coordinate and velocity of a joint (-1 where it has none: fixed, mimic, loop). */
vtb_status vtb_workspace_get_joint(const vtb_workspace* workspace, int32_t joint, int32_t* q_index, int32_t* v_index);
vtb_status vtb_workspace_neutral(const vtb_workspace* workspace, double* q); /* zero angles, unit quaternions; nq doubles */
/* q(t + dt) with constant v: nq doubles; and the v that takes q0 to q1 in unit time: nv doubles. */
vtb_status vtb_workspace_integrate(const vtb_workspace* workspace, const double* q, const double* v, double dt, double* q_out);
/* The v that takes q0 to q1 in unit time: nv doubles. */
vtb_status vtb_workspace_difference(const vtb_workspace* workspace, const double* q0, const double* q1, double* v_out);
/* Coordinates and velocities (each may be NULL) of a motion at a time, by joint name; found (may be NULL): number of joints matched. */
vtb_status vtb_workspace_from_motion(vtb_workspace* workspace, const vtb_motion* motion, double time, double* q, double* v, int32_t* found);

/* All below: q has nq, v, a, tau have nv doubles; gravity is 3 doubles [m/s^2]. Frames: world axes. Source: docs/computation. */
vtb_status vtb_dynamics_poses(vtb_workspace* workspace, const double* q, double* poses, size_t capacity, size_t stride_bytes,
                              size_t* total); /* link frames, skeleton order */
/* Twists of the link frames, skeleton order, world axes. */
vtb_status vtb_dynamics_twists(vtb_workspace* workspace, const double* q, const double* v, double* twists, size_t capacity,
                               size_t stride_bytes, size_t* total);
/* Jacobian of a point fixed in a link (link frame; NULL = its origin): 6 x nv, rows linear then angular velocity, world axes. */
vtb_status vtb_dynamics_jacobian(vtb_workspace* workspace, const double* q, int32_t link, const double* point, double* jacobian);
vtb_status vtb_dynamics_mass_matrix(vtb_workspace* workspace, const double* q, double* matrix); /* nv x nv */
/* tau at rest acceleration: Coriolis and centrifugal forces and gravity. */
vtb_status vtb_dynamics_bias(vtb_workspace* workspace, const double* q, const double* v, const double* gravity, double* tau);
/* tau that holds the figure still against gravity alone. */
vtb_status vtb_dynamics_gravity(vtb_workspace* workspace, const double* q, const double* gravity, double* tau);
vtb_status vtb_dynamics_inverse(vtb_workspace* workspace, const double* q, const double* v, const double* a, const double* gravity,
                                double* tau); /* tau = M a + bias */
/* Accelerations under tau: M a + bias = tau. VTB_E_UNSUPPORTED names a link whose joints move no inertia. */
vtb_status vtb_dynamics_forward(vtb_workspace* workspace, const double* q, const double* v, const double* tau, const double* gravity,
                                double* a);
/* Centre of mass and its velocity. VTB_E_UNSUPPORTED for a figure without mass. */
vtb_status vtb_dynamics_com(vtb_workspace* workspace, const double* q, const double* v, double* position, double* velocity);
/* Linear momentum, then angular momentum about the centre of mass. */
vtb_status vtb_dynamics_momentum(vtb_workspace* workspace, const double* q, const double* v, double* momentum);
vtb_status vtb_dynamics_energy(vtb_workspace* workspace, const double* q, const double* v, const double* gravity, double* kinetic,
                               double* potential); /* potential is zero at the world origin's height */

/* -------------------------------------------------------------------------------------------------------------- worlds */

enum { VTB_TREE_SOLVER_ARTICULATED = 0, VTB_TREE_SOLVER_SPARSE = 1, VTB_TREE_SOLVER_DENSE = 2 };
/* How contacts, limits and other bounded rows are solved: by sweeps (projected Gauss-Seidel; Jacobi; conjugate gradients on sweeps) or
   directly (Dantzig's and Lemke's pivots; Lemke's friction is a polygon in the cone). */
enum { VTB_SOLVER_PGS = 0, VTB_SOLVER_DANTZIG = 1, VTB_SOLVER_JACOBI = 2, VTB_SOLVER_CG = 3, VTB_SOLVER_LEMKE = 4 };
enum { VTB_SWEEP_FORWARD = 0, VTB_SWEEP_BACKWARD = 1, VTB_SWEEP_SYMMETRIC = 2, VTB_SWEEP_SHUFFLED = 3 };
enum {                                     /* how a contact's friction is bounded by its normal force n */
       VTB_FRICTION_CONE = 0,              /* a disc of radius mu n */
       VTB_FRICTION_PYRAMID,               /* mu n along each of two tangents that the normal fixes */
       VTB_FRICTION_PYRAMID_ALONG_SLIDING, /* the same with the first tangent along the sliding */
       VTB_FRICTION_POLYHEDRAL,            /* a polygon in the disc, under VTB_SOLVER_LEMKE; the disc under other solvers */
       VTB_FRICTION_ESTIMATED,             /* a box from the normal forces of a solution without friction */
       VTB_FRICTION_LOETSTEDT              /* a box from the last step's normal forces */
};
enum {
  VTB_STEPPER_IMPULSE = 0,
  VTB_STEPPER_VARIATIONAL = 1, /* symplectic: no drift of energy over long times, momenta kept; costs more a step */
  VTB_STEPPER_ODE = 2,         /* the trees' equations of motion under an integrator of choice (VTB_ODE_*), blows in between; see ode_* */
  VTB_STEPPER_SPOOK = 3,       /* joints outside trees, couplings and contacts with a compliance and a relaxation time; first order */
  VTB_STEPPER_DISPLACEMENT = 4 /* free poses, moved by sweeps over positions (solver_iterations, solver_tolerance, solver_order and
                                  solver_relaxation are those of the sweeps; lcp must be PGS, friction_law the cone, restitution_law
                                  Newton's); first order */
};
enum {                                 /* of VTB_STEPPER_DISPLACEMENT */
       VTB_DISPLACEMENT_BLOCKS = 1,    /* joints' held directions all at once; else along their error, which keeps angular momentum */
       VTB_DISPLACEMENT_FROZEN = 2,    /* directions, arms and inverse masses of the predicted poses, for small turns; else the newest */
       VTB_DISPLACEMENT_GYROSCOPIC = 4 /* with what turning does to the angular momentum in the bodies' inertia */
};
enum {                           /* what keeps joints outside trees together: those that close cycles, and all under VTB_WORLD_FREE_POSES */
       VTB_STABILISE_NEWTON = 0, /* their error is removed in the coordinates after each step */
       VTB_STABILISE_BAUMGARTE = 1, /* a velocity against it: J v = -baumgarte * C */
       VTB_STABILISE_NONE = 2       /* they drift */
};
enum {
  VTB_WORLD_NO_SLEEP = 1,
  VTB_WORLD_NO_ENERGY_CORRECTION = 2,
  VTB_WORLD_ENERGY_ACCOUNT = 4,  /* keep the work and loss accounts of vtb_world_get_energy */
  VTB_WORLD_PERSIST_EVENTS = 64, /* contact events also for pairs that go on touching, one a physics step */
  VTB_WORLD_NO_CONTINUOUS = 128, /* leave out the search for impacts of fast bodies within a step: they may pass through thin things */
  VTB_WORLD_PLANAR = 256,        /* free bodies keep their height y and turn about y alone, from the pose they were created in: they have
                                    three coordinates. Figures and joints must have axes that fit */
  VTB_WORLD_STAGE_TIMES = 512,   /* read the clock between the stages of a step, for vtb_world_stats */
  VTB_WORLD_CONTACT_POSITIONS = 1024, /* penetration is removed by displacements (contact_correction, contact_speed), which give bodies no
                                         speed; else by velocities. Steppers impulse and variational */
  VTB_WORLD_FREE_POSES = 8            /* each body keeps a pose of its own and every joint is a constraint between two: the form that the
                                         literature on maximal coordinates studies; slower, and joints drift by what the stabilisation leaves.
                                         A body without mass goes with the one that it is fixed to */
};
enum {                             /* restitution e */
       VTB_RESTITUTION_NEWTON = 0, /* leaves at e times the speed it met; less where that would create energy */
       VTB_RESTITUTION_POISSON = 1 /* e times the impulse of compression follows it */
};
enum {
  VTB_ODE_VELOCITY_BILATERAL = 1, /* joints outside trees and couplings: velocities that meet them after each integration step */
  VTB_ODE_VELOCITY_UNILATERAL = 2 /* contacts, limits and dry friction: impulses at the end of each physics step */
};
typedef struct {
  uint32_t struct_size;
  uint32_t flags;             /* VTB_WORLD_* [0] */
  double gravity[3];          /* m/s^2 [0 0 -9.81] */
  double time_step;           /* s [1/240] */
  int32_t substeps;           /* physics steps in one vtb_world_step, each of time_step / substeps [1] */
  int32_t tree_solver;        /* VTB_TREE_SOLVER_* [articulated] */
  int32_t solver;             /* VTB_SOLVER_* [pgs] */
  int32_t solver_iterations;  /* largest number of sweeps; of dantzig: passes over friction limits [50] */
  double solver_tolerance;    /* m/s at which sweeps end [1e-5] */
  double contact_margin;      /* m; contacts are seen from this gap on, unless nothing can close it in a step [0.01] */
  double contact_slop;        /* m of penetration left alone [0] */
  double contact_correction;  /* share of penetration removed in a step [0.2] */
  double contact_speed;       /* m/s, largest speed of that removal [1] */
  double restitution_speed;   /* m/s, approach below this does not bounce [0.05] */
  double max_speed;           /* m/s, cap on any body [1000] */
  double max_angular_speed;   /* rad/s [1000] */
  double sleep_speed;         /* m/s below which a body is idle [0.01] */
  double sleep_angular_speed; /* rad/s [0.02] */
  double sleep_time;          /* s idle before an island sleeps [0.5] */
  int32_t max_halvings;       /* of a smooth island's step [4] */
  int32_t reserved;
  /* Callbacks. In them only calls with a const world are allowed. */
  void (*log)(void* user, vtb_status code, const char* text);
  void (*before_step)(void* user, const vtb_world* world);                       /* before each physics step */
  int32_t (*filter)(void* user, const vtb_world* world, vtb_body a, vtb_body b); /* return 0 to let the pair pass through */
  void* user;
  int32_t stepper;         /* VTB_STEPPER_* [impulse] */
  int32_t stabilisation;   /* VTB_STABILISE_* [Newton] */
  double baumgarte;        /* 1/s [50] */
  double spook_compliance; /* m/N, rad/(N m): of rows that are rigid by their own definition [1e-9] */
  double spook_relaxation; /* s, in which their error fades [0.01] */
  double spook_gamma;      /* m/(N s), rad/(N m s), of velocity rows [1e-9] */
  /* Options of the solvers. */
  double solver_relaxation;      /* factor on each step of a sweep, above 0, below 2; above 1 friction may go round in circles [1] */
  int32_t solver_order;          /* VTB_SWEEP_* of pgs; symmetric: there and back in turn; shuffled: alike in every run [forward] */
  int32_t solver_whole_contacts; /* 1: sweeps solve a contact's three rows at once, exactly; 0: one after the other [0] */
  int32_t solver_accelerate;     /* 1: pgs adds conjugate directions, and for free bodies Newton's steps; 0: plain sweeps [1] */
  int32_t friction_directions;   /* of lemke's polygon, 3 to 256 [8] */
  int32_t friction_law;          /* VTB_FRICTION_* [cone] */
  /* Of the stepper ode. Between blows rows hold at acceleration level unless ode_velocity_rows takes them out. */
  uint32_t ode_velocity_rows; /* VTB_ODE_VELOCITY_* [0] */
  int32_t ode_integrator;     /* VTB_ODE_* [RK4] */
  int32_t ode_control;        /* VTB_ODE_FIXED, _DOUBLING or _EMBEDDED [fixed, of the physics step] */
  double ode_tolerance;       /* of adaptive steps: largest error of one in any coordinate or velocity [1e-6] */
  double ode_smallest_step;   /* s [1e-6] */
  double ode_rollback_depth; /* m or rad: a contact or limit that a step passes farther takes its bodies back to where they met, and through
                                the blow there; 0: none does, they are pushed out afterwards [1e-4] */
  int32_t restitution_law;   /* VTB_RESTITUTION_* [Newton] */
  int32_t adaptive_substeps; /* a physics step that diverges or goes too deep is made again in two parts, these likewise, down to this share
                                of it; before_step is called for each [1 = never] */
  double adaptive_depth;     /* m by which a contact may get deeper in a step before that [1e-3] */
  double time_budget;        /* s of the clock for each step of vtb_world_step: beyond it nothing is made again, and rows are solved with at
                                most eight sweeps, which costs accuracy and equal runs; 0 = none [0] */
  /* Of the stepper displacement. */
  double displacement_regularisation; /* added to each row's inverse mass, as a share of it [0] */
  double displacement_warm_start; /* share of the last step's impulses that sweeps start from, 0 to 1; at most 0.4 for what does more than
                                     push; -1: 0.8 where only contacts act, else 0. Blows throw figures about with any share [-1] */
  uint32_t displacement_flags;    /* VTB_DISPLACEMENT_* [0] */
  uint32_t reserved2;             /* 0 */
} vtb_world_def;
vtb_status vtb_world_def_init(vtb_world_def* def, uint32_t struct_size);
vtb_status vtb_world_create(const vtb_world_def* def, vtb_world** out); /* def NULL = defaults */
vtb_status vtb_world_destroy(vtb_world* world);                         /* NULL allowed */
/* The present settings. */
vtb_status vtb_world_get_settings(const vtb_world* world, vtb_world_def* out);
vtb_status vtb_world_set_settings(vtb_world* world, const vtb_world_def* def); /* takes effect with the next step */
/* Makes room, so that steps allocate nothing while no more than this many contact points exist and the settings stay. */
vtb_status vtb_world_reserve(vtb_world* world, int32_t contacts);
/* Advances steps times. VTB_E_DIVERGED: the failing step is undone. VTB_E_INFEASIBLE: the step was made, see the statistics. */
vtb_status vtb_world_step(vtb_world* world, uint32_t steps);
/* Simulated time since creation, or that of the snapshot restored. */
vtb_status vtb_world_get_time(const vtb_world* world, double* seconds);
/* Ends all sleep. */
vtb_status vtb_world_wake_all(vtb_world* world);
/* One 64-bit number of the whole changing state; equal states have equal numbers. */
vtb_status vtb_world_get_hash(const vtb_world* world, uint64_t* hash);

enum {                       /* stages of a step, for their times */
       VTB_STAGE_FORCES = 0, /* force fields, drivelines, callbacks */
       VTB_STAGE_MOVE,       /* coordinates; what steppers but impulse do besides the other stages */
       VTB_STAGE_COLLIDE,    /* contacts, islands */
       VTB_STAGE_FACTOR,     /* momenta, inertias, free velocities */
       VTB_STAGE_ROWS,       /* of contacts, limits and other constraints */
       VTB_STAGE_SOLVE,
       VTB_STAGE_FINISH, /* velocities and accelerations, accounts, events, sleep */
       VTB_STAGE_PARTICLES
};
typedef struct { /* of the last physics step, sums and maxima over the last vtb_world_step call where said */
  uint32_t struct_size;
  int32_t bodies, joints, islands, sleeping_bodies;
  int32_t pairs, contacts, rows; /* contacts: those that sleepers keep among them; pairs and rows: of what is awake */
  int32_t solver_iterations;     /* largest over islands */
  int32_t halvings;              /* halved island steps, summed over the call */
  int32_t infeasible;            /* islands whose constraints could not all be met */
  int32_t first_order;           /* islands stepped in the first-order form */
  double solver_residual;        /* m/s, largest over islands */
  double complementarity;        /* J, largest over islands */
  double max_penetration;        /* m, largest over the call */
  double max_joint_error;        /* m, largest distance of a joint's two anchor points over the call: loops; trees' joints too under
                                    VTB_WORLD_ENERGY_ACCOUNT (they hold to round-off) */
  double max_energy_correction;  /* largest |scale - 1| applied in the call */
  int32_t speculative_contacts;  /* among the contacts: of fast bodies, foreseen by continuous collision */
  /* All but evaluations and parts summed over the call; the first four of the stepper ode. */
  int32_t rollbacks;   /* returns to a moment of touch */
  int32_t merges;      /* groups of bodies that met within a step and made it again together; also of other steppers' groups with steps of
                          their own */
  int32_t stops;       /* groups stopped where they touched something they could not leave */
  int32_t evaluations; /* of accelerations */
  int32_t restarts;    /* physics steps made again in parts (adaptive_substeps) */
  int32_t hurried;     /* islands solved with few sweeps because the time was up (time_budget) */
  int32_t parts;       /* of the last physics step: the most that a group made it in (vtb_body_set_integration); 1: none */
  double stage_seconds[8]; /* of the clock in each VTB_STAGE_*, under VTB_WORLD_STAGE_TIMES, else 0; no part of the state, different in
                              each run */
} vtb_world_stats;
/* Counts and largest errors. */
vtb_status vtb_world_get_stats(const vtb_world* world, vtb_world_stats* out);
typedef struct { /* J; the accounts are kept only under VTB_WORLD_ENERGY_ACCOUNT, since creation or restore */
  uint32_t struct_size;
  uint32_t reserved;
  double kinetic, potential; /* now; springs of joints in trees are part of potential; gravity's part is zero at the origin */
  double work_drives;        /* done by motors, and by springs and dampers between bodies (powered axes, joints that close a cycle) */
  double work_applied;       /* done by applied forces and impulses and by prescribed bodies */
  double lost_damping;       /* taken by joint dampers */
  double lost_friction;      /* taken by dry friction in joints and contacts */
  double lost_impact;        /* taken by contacts, limits and bounded rows along their normal */
  double lost_clamp;         /* taken (or given: negative) by clamps, projections and caps */
  double corrected;          /* given (or taken: negative) by the energy correction */
  double discretisation;     /* likewise by the error of steps of first order (contacts, limits, drives), of trees without closed cycles */
} vtb_energy;
/* Energies now and the accounts. */
vtb_status vtb_world_get_energy(const vtb_world* world, vtb_energy* out);
/* Linear momentum and angular momentum about the world origin, all dynamic bodies. */
vtb_status vtb_world_get_momentum(const vtb_world* world, double* linear, double* angular);

/* Handles of all bodies; their order is that of the next two. */
vtb_status vtb_world_get_bodies(const vtb_world* world, vtb_body* handles, size_t capacity, size_t* total);
/* Poses of all bodies: 7 doubles each. One call serves a thousand figures. */
vtb_status vtb_world_get_poses(const vtb_world* world, double* poses, size_t capacity, size_t stride_bytes, size_t* total);
/* Twists of all bodies: 6 doubles each. */
vtb_status vtb_world_get_twists(const vtb_world* world, double* twists, size_t capacity, size_t stride_bytes, size_t* total);

/* -------------------------------------------------------------------------------------------------------------- bodies */

enum { VTB_BODY_STATIC = 0, VTB_BODY_KINEMATIC = 1, VTB_BODY_DYNAMIC = 2 };
typedef struct {
  uint32_t struct_size;
  int32_t kind;         /* VTB_BODY_* [dynamic] */
  double pose[7];       /* link frame in the world [identity] */
  double twist[6];      /* [0] */
  double mass;          /* kg [1] */
  double com[3];        /* m, link frame [0] */
  double inertia[6];    /* [diagonal 0.01] */
  double gravity_scale; /* [1] */
  int32_t disabled;     /* 1: kept, but takes no part [0] */
  int32_t reserved;
  double step;        /* s, see vtb_body_set_integration; 0: the world's [0] */
  int32_t integrator; /* VTB_ODE_*; -1: the world's [-1] */
  int32_t reserved2;
} vtb_body_def;
vtb_status vtb_body_def_init(vtb_body_def* def, uint32_t struct_size);
/* A body of its own; shapes and joints come after it. */
vtb_status vtb_body_create(vtb_world* world, const vtb_body_def* def, vtb_body* out);
vtb_status vtb_body_destroy(vtb_world* world, vtb_body body); /* its shapes and joints go with it; not for bodies of a figure */
/* Link frame in the world. */
vtb_status vtb_body_get_pose(const vtb_world* world, vtb_body body, double* pose);
/* A jointed body is projected on its joints: the nearest pose its own joint's coordinates can give, and what hangs on it follows.
 * residual (2 doubles, may be NULL): distance [m] and angle [rad] that remain. */
vtb_status vtb_body_set_pose(vtb_world* world, vtb_body body, const double* pose, double* residual);
/* Of the link frame's origin, world axes. */
vtb_status vtb_body_get_twist(const vtb_world* world, vtb_body body, double* twist);
/* A jointed body takes the nearest twist its own joint allows; residual (2 doubles, may be NULL): what remains [m/s], [rad/s]. */
vtb_status vtb_body_set_twist(vtb_world* world, vtb_body body, const double* twist, double* residual);
/* Of the last step: linear of the link frame's origin, angular; world axes. */
vtb_status vtb_body_get_acceleration(const vtb_world* world, vtb_body body, double* acceleration);
/* Kinematic bodies: reach the pose after the given time, at constant twist, then stand still. */
vtb_status vtb_body_move_to(vtb_world* world, vtb_body body, const double* pose, double seconds);
/* VTB_BODY_*. */
vtb_status vtb_body_get_kind(const vtb_world* world, vtb_body body, int32_t* kind);
/* Between steps; a body made static stands still from then on. */
vtb_status vtb_body_set_kind(vtb_world* world, vtb_body body, int32_t kind);
/* 1 unless disabled. */
vtb_status vtb_body_get_enabled(const vtb_world* world, vtb_body body, int32_t* enabled);
/* A disabled body is kept with its shapes and joints, but takes no part. */
vtb_status vtb_body_set_enabled(vtb_world* world, vtb_body body, int32_t enabled);
/* 0 while its island sleeps. */
vtb_status vtb_body_get_awake(const vtb_world* world, vtb_body body, int32_t* awake);
/* Wakes its island. */
vtb_status vtb_body_wake(vtb_world* world, vtb_body body);
/* Mass, centre of mass and inertia, link frame. */
vtb_status vtb_body_get_mass(const vtb_world* world, vtb_body body, double* mass, double* com, double* inertia);
/* VTB_E_ARG for an inertia that no body has. */
vtb_status vtb_body_set_mass(vtb_world* world, vtb_body body, double mass, const double* com, const double* inertia);
/* From its shapes at a density [kg/m^3], or, with density 0, scaled to a mass [kg]. Planes, groups and open meshes are refused. */
vtb_status vtb_body_set_mass_from_shapes(vtb_world* world, vtb_body body, double density, double mass);
/* A longest step [s] and an integrator (VTB_ODE_*, stepper ode) of its own; 0 and -1: the world's. All that contacts, joints and
 * constraints tie to the body goes with it: the finest step counts, and of integrators implicit Euler, then the highest order. Groups that
 * meet go on together, groups that part return each to its own. Under impulse and SPOOK a step is made in the fewest parts that are short
 * enough, a power of two up to 1024, each with its collisions; forces told are then those of the last part, callbacks and events those of
 * whole steps. Under ode it is the step, or the longest adaptive one, of the integrator; groups whose integrator has no embedded pair
 * double steps in its place. VTB_E_UNSUPPORTED under other steppers, and for an integrator under other steppers than ode. */
vtb_status vtb_body_set_integration(vtb_world* world, vtb_body body, double step, int32_t integrator);
/* What the body asks for itself; either may be NULL. */
vtb_status vtb_body_get_integration(const vtb_world* world, vtb_body body, double* step, int32_t* integrator);
enum { VTB_ONE_STEP = 0, VTB_UNTIL_CLEARED = 1 };
/* Force [N] at a world point (NULL = centre of mass); torque [N m]; impulse [N s] acts with the next step. World axes.
 * VTB_ONE_STEP lasts for one whole vtb_world_step, substeps included. */
vtb_status vtb_body_add_force(vtb_world* world, vtb_body body, const double* force, const double* point, int32_t duration);
/* Torque [N m], world axes; as above. */
vtb_status vtb_body_add_torque(vtb_world* world, vtb_body body, const double* torque, int32_t duration);
/* Impulse [N s] at a world point (NULL = centre of mass), world axes; acts with the next step. */
vtb_status vtb_body_add_impulse(vtb_world* world, vtb_body body, const double* impulse, const double* point);
/* Takes back all forces, torques and impulses. */
vtb_status vtb_body_clear_forces(vtb_world* world, vtb_body body);
/* What the next step will apply, gravity aside: force, and torque about the centre of mass. */
vtb_status vtb_body_get_forces(const vtb_world* world, vtb_body body, double* force, double* torque);

/* -------------------------------------------------------------------------------------------------------------- shapes */

vtb_status vtb_shape_create(vtb_world* world, vtb_body body, const vtb_shape_def* def, vtb_shape* out); /* body none = the world */
vtb_status vtb_shape_destroy(vtb_world* world, vtb_shape shape);                                        /* with the shapes in its group */
/* The body that carries the shape; none = the world. */
vtb_status vtb_shape_get_body(const vtb_world* world, vtb_shape shape, vtb_body* body);
vtb_status vtb_shape_get_pose(const vtb_world* world, vtb_shape shape, double* pose); /* in its parent */
/* In its parent; wakes what may touch it. */
vtb_status vtb_shape_set_pose(vtb_world* world, vtb_shape shape, const double* pose);
/* Friction (sliding) and restitution, from the next step on; the rest of the surface stays. */
vtb_status vtb_shape_set_surface(vtb_world* world, vtb_shape shape, double friction, double restitution);
typedef struct { /* all of a surface; fields as in vtb_shape_def */
  uint32_t struct_size;
  uint32_t flags; /* VTB_SURFACE_* */
  double friction, restitution, static_friction, rolling_friction, torsional_friction;
  int32_t friction_combine, restitution_combine;
  double contact_stiffness, contact_damping; /* as in vtb_shape_def */
} vtb_surface_def;
vtb_status vtb_surface_def_init(vtb_surface_def* def, uint32_t struct_size);
/* The present surface. */
vtb_status vtb_shape_get_surface_def(const vtb_world* world, vtb_shape shape, vtb_surface_def* out);
/* All of it at once, from the next step on. */
vtb_status vtb_shape_set_surface_def(vtb_world* world, vtb_shape shape, const vtb_surface_def* def);
/* Two shapes may touch if each one's group shares a bit with the other's mask. */
vtb_status vtb_shape_set_filter(vtb_world* world, vtb_shape shape, uint32_t category, uint32_t mask);
/* Red, green, blue and alpha for display, as it was created with. */
vtb_status vtb_shape_get_colour(const vtb_world* world, vtb_shape shape, float* rgba);
/* Triangles for display, link frame. */
vtb_status vtb_shape_get_mesh(const vtb_world* world, vtb_shape shape, double* vertices, size_t vertex_capacity, size_t* vertex_total,
                              uint32_t* triangles, size_t triangle_capacity, size_t* triangle_total);
/* Whether two bodies may touch at all; joints and filters are asked besides. */
vtb_status vtb_world_set_pair_collides(vtb_world* world, vtb_body a, vtb_body b, int32_t collides);

/* -------------------------------------------------------------------------------------------------------------- joints */

enum {
  VTB_JOINT_AS_THEY_STAND = 1, /* frame_b is computed from the bodies' present poses, so that all coordinates are zero now */
  VTB_JOINT_BODIES_COLLIDE = 2 /* the two bodies may touch each other */
};
typedef struct {
  uint32_t struct_size;
  int32_t type;    /* VTB_JOINT_* [revolute] */
  vtb_body body_a; /* parent [the world] */
  vtb_body body_b; /* child */
  uint32_t flags;  /* VTB_JOINT_* bits [0] */
  uint32_t reserved;
  double frame_a[7];  /* joint frame in body_a's link frame [identity] */
  double frame_b[7];  /* joint frame in body_b's link frame [identity] */
  double axis[3];     /* as in vtb_skeleton_joint_def [1 0 0] */
  double axis2[3];    /* universal, wheel [0 1 0] */
  double swing;       /* spherical [inf] */
  double twist_lower; /* [-inf] */
  double twist_upper; /* [inf] */
  double pitch;       /* screw: m a turn [0] */
  /* Of what the joint holds: force = -stiffness * error - damping * rate, implicit; N/m and N s/m, N m/rad and N m s/rad. inf: rigid. */
  double stiffness;         /* [inf] */
  double damping;           /* [0] */
  double angular_stiffness; /* [inf] */
  double angular_damping;   /* [0] */
  /* N, N m through the joint beyond which it breaks: it acts no more from the next step on, and is told by vtb_world_get_joint_events. */
  double break_force;   /* [inf] */
  double break_torque;  /* [inf] */
  const double* points; /* of a curve: 3 x point_count, frame a; the coordinate is 0 at the first [NULL] */
  uint32_t point_count;
  uint32_t curve_flags; /* VTB_CURVE_* [0: an open polyline] */
  /* Under the stepper displacement. */
  double relaxation;     /* factor on the world's solver_relaxation, above 0, below 2 [1] */
  double regularisation; /* added to the world's [0] */
} vtb_joint_def;
enum { VTB_CURVE_SPLINE = 1, VTB_CURVE_CLOSED = 2 };
vtb_status vtb_joint_def_init(vtb_joint_def* def, uint32_t struct_size);
/* A joint that closes a cycle, or joins two figures, becomes an auxiliary constraint by itself. */
vtb_status vtb_joint_create(vtb_world* world, const vtb_joint_def* def, vtb_joint* out);
vtb_status vtb_joint_destroy(vtb_world* world, vtb_joint joint); /* not for joints of a figure */
/* 1 after it broke; it stays, without effect, until it is destroyed. */
vtb_status vtb_joint_get_broken(const vtb_world* world, vtb_joint joint, int32_t* broken);
typedef struct { /* a joint that broke, and what it bore: N, N m */
  vtb_joint joint;
  double force, torque;
} vtb_joint_event;
/* Joints that broke in the last vtb_world_step call, by step and joint. */
vtb_status vtb_world_get_joint_events(const vtb_world* world, vtb_joint_event* out, size_t capacity, size_t stride_bytes, size_t* total);
/* Limits, drive and losses of one axis. */
vtb_status vtb_joint_get_axis(const vtb_world* world, vtb_joint joint, int32_t axis, vtb_axis_def* out);
/* The same, from the next step on. */
vtb_status vtb_joint_set_axis(vtb_world* world, vtb_joint joint, int32_t axis, const vtb_axis_def* def);
/* Limits of a spherical joint [rad]. */
vtb_status vtb_joint_set_swing_twist(vtb_world* world, vtb_joint joint, double swing, double twist_lower, double twist_upper);
/* Coordinates and velocities of the joint (see the table above); either may be NULL. */
vtb_status vtb_joint_get_state(const vtb_world* world, vtb_joint joint, double* q, double* v);
/* VTB_E_UNSUPPORTED for joints that close a cycle or join figures. Where bodies keep free poses, what the joint carries goes along, and all
 * joints of its tree are put together. */
vtb_status vtb_joint_set_state(vtb_world* world, vtb_joint joint, const double* q, const double* v);

enum {
  VTB_MOTOR_OFF = 0,
  VTB_MOTOR_POSITION = 1, /* stiffness * (position - q) + damping * (velocity - v), implicit, then bounded */
  VTB_MOTOR_VELOCITY = 2, /* damping * (velocity - v); damping inf: as strong as the bound allows. Without a bound (and effort) a wall,
                             limit or second such motor in its way is a contradiction: VTB_E_INFEASIBLE, and it yields */
  VTB_MOTOR_TORQUE = 3    /* force */
};
typedef struct {
  uint32_t struct_size;
  int32_t mode;     /* [off] */
  double position;  /* rad or m [0] */
  double velocity;  /* [0] */
  double force;     /* N m or N, added in every mode [0] */
  double stiffness; /* [0] */
  double damping;   /* [0] */
  double max_force; /* the axis' effort bounds as well [inf] */
} vtb_motor_def;
vtb_status vtb_motor_def_init(vtb_motor_def* def, uint32_t struct_size);
/* The drive of one axis, kept until set again. */
vtb_status vtb_joint_set_motor(vtb_world* world, vtb_joint joint, int32_t axis, const vtb_motor_def* def);
/* The drive of one axis. */
vtb_status vtb_joint_get_motor(const vtb_world* world, vtb_joint joint, int32_t axis, vtb_motor_def* out);
/* Spherical joints: torque stiffness * rotation vector to the target + damping * (v - rate), each axis bounded by max_force. */
vtb_status vtb_joint_set_orientation_motor(vtb_world* world, vtb_joint joint, const double* quaternion, const double* velocity,
                                           double stiffness, double damping, double max_force);
/* Joints of type VTB_JOINT_MOTOR: target pose and twist (may be NULL) of body_b's joint frame in body_a's; gains per axis by
 * vtb_joint_set_motor in position mode, axes 0..2 linear, 3..5 angular, along body_a's joint frame. A motor's own position and velocity
 * are added to the target's (positions of 3..5: to the rotation vector from the target). */
vtb_status vtb_joint_set_target(vtb_world* world, vtb_joint joint, const double* pose, const double* twist);

typedef struct { /* forces of the last physics step, N and N m; per axis in the order of the velocities */
  uint32_t struct_size;
  int32_t axes;
  double force[3]; /* of body_a on body_b through the joint, world axes, at body_b's joint origin; constraint part */
  double torque[3];
  double motor[6];
  double spring[6]; /* spring and damper */
  double friction[6];
  double limit[6]; /* position and velocity limits; spherical: about the child's axes */
} vtb_joint_forces;
/* Forces of the last physics step. Where closed loops hold a body twice over, only the sum of their forces is determined: rows that
 * others imply are left out and report nothing, so that one of the joints seems to carry all. */
vtb_status vtb_joint_get_forces(const vtb_world* world, vtb_joint joint, vtb_joint_forces* out);

enum {                       /* what a row of a coupling or of a user's constraint holds */
       VTB_ROW_POSITION = 0, /* its coordinates, or error */
       VTB_ROW_VELOCITY = 1  /* its rate only */
};
typedef struct { /* an axis with one coordinate of its own: not those of spherical joints nor the turning axes of floating ones */
  vtb_joint joint;
  int32_t axis;
  int32_t reserved;
  double coefficient;
} vtb_coupling_term;
typedef struct { /* q_b = ratio * q_a + offset: gears, racks, mimics; or, with terms, sum of coefficient * coordinate = offset:
                    differentials */
  uint32_t struct_size;
  uint32_t reserved;
  vtb_joint joint_a, joint_b; /* joints with one axis; none where terms are given */
  double ratio;               /* [1] */
  double offset;              /* [0] */
  const vtb_coupling_term* terms;
  uint32_t term_count;
  int32_t level;    /* VTB_ROW_*: velocity couples the rates alone, sum of coefficient * rate = offset [position] */
  double stiffness; /* of the coupling: force = -stiffness * error - damping * rate, implicit; inf: exact [inf] */
  double damping;   /* [0] */
  double max_force; /* on a coefficient of one: beyond it the coupling slips, as a clutch does [inf] */
} vtb_coupling_def;
vtb_status vtb_coupling_def_init(vtb_coupling_def* def, uint32_t struct_size);
/* VTB_E_UNSUPPORTED for axes that have no single coordinate. */
vtb_status vtb_coupling_create(vtb_world* world, const vtb_coupling_def* def, vtb_coupling* out);
/* Other ratios, bounds or softness for the same joints: a gear changed. */
vtb_status vtb_coupling_set(vtb_world* world, vtb_coupling coupling, const vtb_coupling_def* def);
/* Of the last physics step, on a coefficient of one [N, N m]. */
vtb_status vtb_coupling_get_force(const vtb_world* world, vtb_coupling coupling, double* force);
/* Sets the joints free of each other. */
vtb_status vtb_coupling_destroy(vtb_world* world, vtb_coupling coupling);

/* -------------------------------------------------------------------------------------------------------- force fields */

enum { /* forces on centres of mass, by where bodies are and how they move; r: from the body, u: velocity against the wind */
       VTB_FIELD_RADIAL = 0, /* strength * m * r / |r|^3 to the point, or to `source`, which feels the opposite; strength = G M [m^3/s^2] */
       VTB_FIELD_PAIRWISE,   /* gravitation between all bodies; strength = G [m^3/(kg s^2)] */
       VTB_FIELD_DRAG,       /* -(linear + quadratic |u|) u, and -angular times the angular velocity; quadratic = rho C A / 2 */
       VTB_FIELD_MAGNUS,     /* strength * angular velocity x u [kg] */
       VTB_FIELD_LENNARD_JONES, /* 24 strength (2 (length/r)^12 - (length/r)^6) / r between all pairs nearer than range; strength [J] */
       VTB_FIELD_ATTRACTOR,     /* strength * |r|^exponent to the point, nearer than range; repels where strength is negative */
       VTB_FIELD_USER           /* what the callback gives */
};
typedef struct {
  uint32_t struct_size;
  int32_t type;           /* VTB_FIELD_* [radial] */
  const vtb_body* bodies; /* whom it acts on; NULL = all that move by physics, and particles [NULL] */
  uint32_t body_count;
  uint32_t reserved;
  vtb_body source;  /* radial: from this body [none: from the point] */
  double point[3];  /* m, world [0] */
  double wind[3];   /* m/s: drag, Magnus [0] */
  double strength;  /* [0] */
  double exponent;  /* attractor [0] */
  double range;     /* m: pairs, attractor [inf] */
  double softening; /* m, added to distances of gravitation in the square [0] */
  double length;    /* m: Lennard-Jones [0] */
  double linear;    /* N s/m: drag [0] */
  double quadratic; /* N s^2/m^2 [0] */
  double angular;   /* N m s [0] */
  /* Adds force [N] and torque [N m, about the centre of mass], world axes; returns 1. Once a body and step; numbers that are none, or 0,
   * fail the step with VTB_E_ARG. */
  int32_t (*evaluate)(void* user, const vtb_world* world, vtb_field self, vtb_body body, double* force, double* torque);
  void* user;
  /* A system on which it acts; on bodies then only if they are named. Particles feel radial fields, drag, attractors, and Lennard-Jones
   * from those of their system [none] */
  vtb_particles particles;
  /* 1: VTB_FIELD_USER under all steppers but ode (there VTB_E_UNSUPPORTED): where the field is stiff beside a body's inertia, what of its
   * gradient resists motion acts implicitly, so that no step is too long for it; first order there. */
  int32_t implicit; /* [0] */
  uint32_t reserved2;
  /* Of an implicit field, may be NULL: adds how force and torque change with the body's pose (displacement of the centre of mass, rotation
   * vector, world axes) and with its twist (of the centre of mass): 6 x 6 each, a row for each number of the force, then the torque;
   * returns 1. Without it evaluate is called 24 times more a body and step, with the body's own pose and twist moved by a millionth. */
  int32_t (*gradient)(void* user, const vtb_world* world, vtb_field self, vtb_body body, double* by_pose, double* by_twist);
} vtb_field_def;
vtb_status vtb_field_def_init(vtb_field_def* def, uint32_t struct_size);
/* A force that acts from now on, evaluated at the start of each step and applied to second order. */
vtb_status vtb_field_create(vtb_world* world, const vtb_field_def* def, vtb_field* out);
/* Other numbers, from the next step on. */
vtb_status vtb_field_set(vtb_world* world, vtb_field field, const vtb_field_def* def);
vtb_status vtb_field_destroy(vtb_world* world, vtb_field field);

/* ---------------------------------------------------------------------------------------------------- users' constraints */

typedef struct { /* one row, prepared by the library; the callback fills it in */
  uint32_t struct_size;
  int32_t level;    /* VTB_ROW_* [position] */
  double error;     /* position rows: m or rad, kept at 0 [0] */
  double rate;      /* velocity rows: the rate wanted; position rows: rate of the error beyond what the blocks tell [0] */
  double lower;     /* N or N m along the row; with 0 it only pushes: error >= 0 [-inf] */
  double upper;     /* with 0 it only pulls: error <= 0 [inf] */
  double stiffness; /* force = -stiffness * error - damping * rate, implicit, within the bounds; inf: rigid [inf] */
  double damping;   /* [0] */
  /* Blocks, all zero at first: the row's rate is the sum of block times velocity. 6 numbers a body of the definition: on the velocity of
   * its link frame's origin, then on its angular velocity, world axes (a pair pulled at one point keeps its angular momentum); and one
   * number an axis of each joint of the definition. */
  double* bodies;
  double* joints;
} vtb_row;
typedef struct {
  uint32_t struct_size;
  int32_t rows; /* at most, 1 to 1000 [1] */
  const vtb_body* bodies;
  const vtb_joint* joints;
  uint32_t body_count, joint_count;
  /* Called for the rows one after the other, index from 0 on, several times a step: fills in the row for the world's present state and
   * returns 1, or returns 0 when there is no more. A row that is not a number fails the step with VTB_E_ARG. */
  int32_t (*evaluate)(void* user, const vtb_world* world, vtb_constraint self, int32_t index, vtb_row* row);
  void* user;
} vtb_constraint_def;
vtb_status vtb_constraint_def_init(vtb_constraint_def* def, uint32_t struct_size);
/* A constraint on the motion of its bodies and joints, written by the caller. It goes with any of them. */
vtb_status vtb_constraint_create(vtb_world* world, const vtb_constraint_def* def, vtb_constraint* out);
vtb_status vtb_constraint_destroy(vtb_world* world, vtb_constraint constraint);
/* Forces along its rows in the last physics step, N or N m. */
vtb_status vtb_constraint_get_forces(const vtb_world* world, vtb_constraint constraint, double* forces, size_t capacity, size_t* total);

/* ---------------------------------------------------------------------------------------------------------- drivelines */

enum {                             /* by what they join; speeds in rad/s, torques in N m, each times the axis' coefficient */
       VTB_DRIVELINE_ENGINE = 0,   /* the crankshaft */
       VTB_DRIVELINE_CONVERTER,    /* impeller, turbine */
       VTB_DRIVELINE_GEARBOX,      /* input, output */
       VTB_DRIVELINE_DIFFERENTIAL, /* input, left, right: input = ratio * (split * left + (1 - split) * right) */
       VTB_DRIVELINE_PUMP,         /* the shaft, coefficient = displacement at full stroke [m^3/rad]; cylinders, coefficient = area [m^2] */
       VTB_DRIVELINE_CYLINDER      /* cylinders fed from elsewhere, coefficient = area [m^2]; those of one circuit share its pressure */
};
typedef struct { /* each type uses the fields named for it */
  uint32_t struct_size;
  int32_t type; /* VTB_DRIVELINE_* [engine] */
  const vtb_coupling_term* axes;
  uint32_t axis_count;
  uint32_t reserved;
  /* Engine: what the gases give, throttle_count rows of speed_count torques. Nothing burns below the first speed; beyond the last the
   * torque is that of the last. */
  const double* speeds;    /* ascending */
  const double* throttles; /* ascending */
  const double* torques;
  uint32_t speed_count, throttle_count;
  double friction[3];   /* against the motion: dry, per speed, per speed squared [0] */
  double governor_gain; /* throttle per rad/s that the speed is below its target [0] */
  double governor_rate; /* throttle per s and rad/s of that [0] */
  double fuel;          /* kg per J that the gases do [0] */
  /* Converter: over ascending speed ratios from 0 to 1, output torque by input torque and input torque by input speed squared [N m s^2].
   * Gearbox: input speed by output speed of each gear; 0 = neutral, negative = reverse. */
  const double* ratios;
  const double* torque_ratios;
  const double* capacities;
  uint32_t ratio_count;
  uint32_t reserved2;
  double ratio;      /* differential [1] */
  double split;      /* differential: share of the torque that goes left [0.5] */
  double max_torque; /* of converter's lock-up, gearbox' clutch at the input, differential's lock: beyond it they slip [inf] */
  double shift_time; /* gearbox, s: half of it open, in the other half the clutch closes [0] */
  double preload;    /* differential of limited slip: torque that it may move from one side to the other at least [0] */
  double bias;       /* and the share of the driven torque that adds to it [0] */
  double efficiency; /* gearbox, differential, pump: of the torque at the first axis [1] */
  double drag;       /* the same: lost there always [0] */
  double pressure;   /* pump, cylinder: at which the relief valve opens, either way [inf] */
  double leak;       /* m^3/s per Pa [0] */
  double flow;       /* cylinder: m^3/s at full stroke [0] */
  double area_ratio; /* of the cylinders' ring side, at work at negative stroke, to their area [1] */
} vtb_driveline_def;
typedef struct { /* what a driver sets; each type uses what is named for it */
  uint32_t struct_size;
  int32_t gear;    /* gearbox: index into ratios [the first of 0, else 0] */
  double throttle; /* engine: at least, 0 to 1; the governor may add [0] */
  double speed;    /* engine: the governor's target, rad/s [0] */
  double clutch;   /* gearbox: share of max_torque, 0 to 1; where that is inf, open at 0 and else closed [1] */
  double lock;     /* converter, differential: share of max_torque, 0 to 1 [0] */
  double stroke;   /* pump, cylinder: -1 to 1; at 0 the cylinders are shut [0] */
} vtb_driveline_input;
typedef struct { /* of the last physics step; work and fuel since the part was made */
  uint32_t struct_size;
  uint32_t reserved;
  double torque[4];           /* on the first four axes' joints, N m or N */
  double power_in, power_out; /* W: of the gases, or taken from the first axis, or the pressure's outside flow; given to the others */
  double work_in, work_out;   /* J; what is less is lost */
  double throttle;            /* engine: the governor's share included */
  double fuel_rate, fuel;     /* engine: kg/s, kg */
  double ratio;               /* converter: output speed by input speed; gearbox: of the gear in mesh, 0 while open */
  double pressure;            /* pump, cylinder: Pa */
} vtb_driveline_state;
vtb_status vtb_driveline_def_init(vtb_driveline_def* def, uint32_t struct_size);
/* A part of a driveline over rotors or axes of joints. It is a constraint: vtb_constraint_destroy, vtb_constraint_get_forces. Its torques
 * are implicit in the step. VTB_E_UNSUPPORTED for axes that have no single coordinate. */
vtb_status vtb_driveline_create(vtb_world* world, const vtb_driveline_def* def, vtb_constraint* out);
/* The driver's present settings; VTB_E_ARG for a constraint that is no part of a driveline, in the next two too. */
vtb_status vtb_driveline_get_input(const vtb_world* world, vtb_constraint constraint, vtb_driveline_input* out);
/* Other settings, from the next step on: get them first, then change what is to change. */
vtb_status vtb_driveline_set_input(vtb_world* world, vtb_constraint constraint, const vtb_driveline_input* input);
/* Readings. */
vtb_status vtb_driveline_get_state(const vtb_world* world, vtb_constraint constraint, vtb_driveline_state* out);

/* ----------------------------------------------------------------------------------------------------------- particles */

enum { VTB_PARTICLES_NO_PAIRS = 1, VTB_PARTICLES_NO_SHAPES = 2 }; /* they do not touch each other; shapes */
typedef struct {
  uint32_t struct_size;
  uint32_t max_count; /* room that is made at once [1000] */
  int32_t iterations; /* sweeps over contacts in a step, at most [8] */
  uint32_t flags;     /* VTB_PARTICLES_* [0] */
  uint32_t category;  /* as of shapes [1] */
  uint32_t mask;      /* [all bits] */
  double friction;    /* [0.8] */
  double restitution; /* [0] */
  int32_t friction_combine;
  int32_t restitution_combine;
  double gravity_scale; /* [1] */
} vtb_particles_def;
typedef struct {
  double position[3], velocity[3];
  double mass, radius; /* kg, m */
  double life;         /* s left; inf = for ever */
  uint64_t id;         /* from 1 on, by age; 0 in vtb_particles_set: a new one */
} vtb_particle;
typedef struct { /* a disc that throws particles into a cone about its normal */
  uint32_t struct_size;
  uint32_t reserved;
  double position[3];         /* m, world [0] */
  double direction[3];        /* of any length but 0 [0 0 1] */
  double disc_radius;         /* m [0] */
  double cone_angle;          /* rad, between the cone's axis and its side [0] */
  double speed, speed_spread; /* m/s; evenly from speed - spread to speed + spread [1], [0] */
  double rate;                /* particles a second, each at its own instant [0] */
  double mass, radius;        /* [1e-3], [0.01] */
  double life;                /* [inf] */
  uint64_t seed;              /* of its random numbers [1] */
} vtb_emitter_def;
enum { VTB_SINK_HALF_SPACE = 0, VTB_SINK_BOX = 1, VTB_SINK_SPHERE = 2 };
typedef struct { /* takes particles whose centre is inside */
  uint32_t struct_size;
  int32_t type;   /* VTB_SINK_*; a half-space is below local z = 0 [half-space] */
  double pose[7]; /* world [identity] */
  double size[3]; /* half extents; size[0] = radius [0] */
} vtb_sink_def;
typedef struct {
  uint32_t struct_size;
  int32_t contacts;                             /* of the last physics step */
  double max_penetration;                       /* m, of these at its end */
  uint64_t count;                               /* particles now */
  uint64_t emitted, expired, absorbed, refused; /* so far: made, past their life, taken by sinks, not made for want of room */
} vtb_particles_state;
vtb_status vtb_particles_def_init(vtb_particles_def* def, uint32_t struct_size);
/* A system of particles: balls that do not turn, under gravity and force fields, that touch each other and shapes and push bodies. They
 * move after the bodies in each step, under every stepper. Energy and momentum of the world do not count them. */
vtb_status vtb_particles_create(vtb_world* world, const vtb_particles_def* def, vtb_particles* out);
/* With the force fields that act on it. */
vtb_status vtb_particles_destroy(vtb_world* world, vtb_particles particles);
/* All particles, the oldest first. */
vtb_status vtb_particles_get(const vtb_world* world, vtb_particles particles, vtb_particle* out, size_t capacity, size_t stride_bytes,
                             size_t* total);
/* Puts these in the place of all from index first on: with first 0 they are all there are, with first = count they are added. */
vtb_status vtb_particles_set(vtb_world* world, vtb_particles particles, size_t first, const vtb_particle* values, size_t count,
                             size_t stride_bytes);
vtb_status vtb_particles_get_state(const vtb_world* world, vtb_particles particles, vtb_particles_state* out);
vtb_status vtb_emitter_def_init(vtb_emitter_def* def, uint32_t struct_size);
/* The system's emitters from now on; one of the same index and seed goes on with its random numbers. */
vtb_status vtb_particles_set_emitters(vtb_world* world, vtb_particles particles, const vtb_emitter_def* emitters, size_t count,
                                      size_t stride_bytes);
vtb_status vtb_sink_def_init(vtb_sink_def* def, uint32_t struct_size);
/* The system's sinks from now on. */
vtb_status vtb_particles_set_sinks(vtb_world* world, vtb_particles particles, const vtb_sink_def* sinks, size_t count, size_t stride_bytes);

enum {
  VTB_POINTS_LENGTH = 0, /* of the line through the points: a rope as one */
  VTB_POINTS_VOLUME = 1  /* of the tetrahedron between four: (p1 - p0) . ((p2 - p0) x (p3 - p0)) / 6 */
};
typedef struct {
  uint32_t struct_size;
  int32_t measure;        /* VTB_POINTS_* [length] */
  const vtb_body* bodies; /* that carry the points; none: fixed in the world */
  const double* points;   /* 3 a point, m, its body's link frame; of the world: world [NULL = the frames' origins] */
  uint32_t point_count;
  uint32_t reserved; /* 0 */
  double value;      /* m or m^3, to be kept [0 = the present one] */
  /* The row's error: length - value [m], (volume - value) / |value|^(2/3) [m]. As in vtb_row; upper 0: a rope that may be shorter. */
  double lower;     /* N [-inf] */
  double upper;     /* [inf] */
  double stiffness; /* N/m; inf: rigid [inf] */
  double damping;   /* N s/m [0] */
} vtb_points_def;
vtb_status vtb_points_def_init(vtb_points_def* def, uint32_t struct_size);
/* A constraint on points of several bodies, with one row; it is destroyed and asked for its force like those above. */
vtb_status vtb_constraint_create_points(vtb_world* world, const vtb_points_def* def, vtb_constraint* out);

/* ------------------------------------------------------------------------------------------------------------- figures */

enum { VTB_FIGURE_NO_MIMIC = 1, VTB_FIGURE_NO_SELF_COLLISION = 2 };
typedef struct {
  uint32_t struct_size;
  int32_t base;           /* VTB_BASE_* [default] */
  vtb_skeleton* skeleton; /* the figure keeps it alive */
  uint32_t flags;         /* VTB_FIGURE_* [0] */
  uint32_t reserved;
  double pose[7];     /* root link frame in the world [identity] */
  double step;        /* s, of all its bodies, see vtb_body_set_integration [0] */
  int32_t integrator; /* likewise [-1] */
  int32_t reserved2;
} vtb_figure_def;
vtb_status vtb_figure_def_init(vtb_figure_def* def, uint32_t struct_size);
/* Bodies, shapes, joints and couplings of a skeleton, at neutral coordinates. */
vtb_status vtb_figure_create(vtb_world* world, const vtb_figure_def* def, vtb_figure* out);
/* With all its bodies, and with what was tied to them. */
vtb_status vtb_figure_destroy(vtb_world* world, vtb_figure figure);
/* Numbers of links, joints, coordinates and velocities. */
vtb_status vtb_figure_get_size(const vtb_world* world, vtb_figure figure, int32_t* links, int32_t* joints, int32_t* nq, int32_t* nv);
/* The body of a link. */
vtb_status vtb_figure_get_body(const vtb_world* world, vtb_figure figure, int32_t link, vtb_body* body);
/* The joint of this index in the skeleton. */
vtb_status vtb_figure_get_joint(const vtb_world* world, vtb_figure figure, int32_t joint, vtb_joint* out);
/* Present coordinates: nq doubles. */
vtb_status vtb_figure_get_q(const vtb_world* world, vtb_figure figure, double* q, size_t capacity, size_t* total);
/* Present velocities: nv doubles. */
vtb_status vtb_figure_get_v(const vtb_world* world, vtb_figure figure, double* v, size_t capacity, size_t* total);
vtb_status vtb_figure_set_state(vtb_world* world, vtb_figure figure, const double* q, const double* v); /* either may be NULL */
/* Link frames in the world, skeleton order. */
vtb_status vtb_figure_get_poses(const vtb_world* world, vtb_figure figure, double* poses, size_t capacity, size_t stride_bytes,
                                size_t* total);
/* Of the link frames, skeleton order, world axes. */
vtb_status vtb_figure_get_twists(const vtb_world* world, vtb_figure figure, double* twists, size_t capacity, size_t stride_bytes,
                                 size_t* total);
/* Position motors on all joint axes at once. q_target: nq (base entries ignored), v_target: nv or NULL; stiffness, damping and
 * max_force: nv each or NULL to leave them. Spherical joints get their orientation motor with the first axis' gains. */
vtb_status vtb_figure_set_motors(vtb_world* world, vtb_figure figure, const double* q_target, const double* v_target,
                                 const double* stiffness, const double* damping, const double* max_force);
/* The motors follow a clip from now on, joint by joint of the same name: before each step of the world their targets are set to where the
 * clip is at the step's end, its time being start + speed * the world's, round and round with loop = 1. Gains: vtb_figure_set_motors.
 * motion NULL: no more. VTB_E_ARG if no joint has the name of one of the clip's. */
vtb_status vtb_figure_play(vtb_world* world, vtb_figure figure, vtb_motion* motion, double start, double speed, int32_t loop);
/* The clip that the figure follows moves its root too: a joint of type VTB_JOINT_MOTOR from any body (or the world) to the root link gets
 * the clip's root as its target, in the joint's frame in body_a, with the motors; its gains and bounds are the drive. joint none: no more.
 * VTB_E_ARG if the figure follows none, is fixed, or the joint is another. */
vtb_status vtb_figure_play_root(vtb_world* world, vtb_figure figure, vtb_joint joint);
/* Motors in torque mode, kept until set again: nv, base entries ignored. */
vtb_status vtb_figure_set_torques(vtb_world* world, vtb_figure figure, const double* tau);
/* What the drives gave in the last physics step: nv doubles, 0 for the base. */
vtb_status vtb_figure_get_motor_forces(const vtb_world* world, vtb_figure figure, double* tau, size_t capacity, size_t* total);
/* The functions of the previous chapter for the figure's present state, on a workspace of its skeleton and base. */
vtb_status vtb_figure_create_workspace(const vtb_world* world, vtb_figure figure, vtb_workspace** out);
/* As vtb_dynamics_mass_matrix, at the present state. */
vtb_status vtb_figure_mass_matrix(const vtb_world* world, vtb_figure figure, vtb_workspace* workspace, double* matrix);
/* As vtb_dynamics_bias, at the present state and under the world's gravity. */
vtb_status vtb_figure_bias(const vtb_world* world, vtb_figure figure, vtb_workspace* workspace, double* tau);
/* As vtb_dynamics_jacobian, at the present state, world axes. */
vtb_status vtb_figure_jacobian(const vtb_world* world, vtb_figure figure, vtb_workspace* workspace, int32_t link, const double* point,
                               double* jacobian);
/* Centre of mass and its velocity, world. VTB_E_UNSUPPORTED for a figure without mass. */
vtb_status vtb_figure_com(const vtb_world* world, vtb_figure figure, double* position, double* velocity);

/* ------------------------------------------------------------------------------------------------- contacts and queries */

typedef struct {
  vtb_body body_a, body_b; /* none = the world */
  vtb_shape shape_a, shape_b;
  double position[3]; /* midway between the surfaces, world */
  double normal[3];   /* from a to b */
  double gap;         /* m, negative = penetration */
  double force[3];    /* on b, world axes, mean over the physics step, N */
  uint32_t feature;   /* which features touch; stable while they do */
  uint32_t reserved;
} vtb_contact;
/* Points of the last physics step with their forces, by shapes; what sleeps keeps those it fell asleep on. */
vtb_status vtb_world_get_contacts(const vtb_world* world, vtb_contact* out, size_t capacity, size_t stride_bytes, size_t* total);
enum { VTB_CONTACT_BEGIN = 1, VTB_CONTACT_END = 2, VTB_CONTACT_PERSIST = 3 };
typedef struct {
  int32_t kind; /* VTB_CONTACT_* */
  uint32_t reserved;
  vtb_shape shape_a, shape_b;
} vtb_contact_event; /* of the last vtb_world_step call, step by step, then by shapes: the first, the second */
/* Pairs of shapes that began or ceased to touch; under VTB_WORLD_PERSIST_EVENTS also those that went on touching. */
vtb_status vtb_world_get_contact_events(const vtb_world* world, vtb_contact_event* out, size_t capacity, size_t stride_bytes,
                                        size_t* total);
typedef struct {
  vtb_body body;
  vtb_shape shape; /* none: nothing was hit */
  double distance; /* m along the direction */
  double position[3];
  double normal[3]; /* outward */
} vtb_ray_hit;      /* also of a shape that is cast */
/* What these calls ask is answered at the bodies' present poses, for shapes whose group shares a bit with mask; others are passed over.
 * At equal distance the shape created first counts. A mesh without convex parts is a surface, with its front towards the asking.
 * A shape to ask with is described as for vtb_shape_create, with its pose in the world; its parent, surface, group, mask and colour do
 * not matter. It is a sphere, capsule, box, cylinder, convex shape or mesh with convex parts; else VTB_E_UNSUPPORTED. The hull of points
 * or planes, and the parts, are made in the call. */

/* The first shape along the ray; direction need not be unit. */
vtb_status vtb_world_ray_cast(const vtb_world* world, const double* origin, const double* direction, double max_distance, uint32_t mask,
                              vtb_ray_hit* out);
/* Every shape along the ray, where it is entered, by distance. */
vtb_status vtb_world_ray_cast_all(const vtb_world* world, const double* origin, const double* direction, double max_distance, uint32_t mask,
                                  vtb_ray_hit* out, size_t capacity, size_t stride_bytes, size_t* total);
/* Moves a shape along path without turning it, up to the first shape it meets; distance 0 and a normal out of that where it overlaps one
 * from the start. */
vtb_status vtb_world_shape_cast(const vtb_world* world, const vtb_shape_def* def, const double* path, uint32_t mask, vtb_ray_hit* out);
/* The shapes that a shape overlaps, by id. */
vtb_status vtb_world_overlap(const vtb_world* world, const vtb_shape_def* def, uint32_t mask, vtb_shape* out, size_t capacity,
                             size_t* total);
/* The shapes that may meet the box from lower to upper: their own bounding boxes, each along its shape's axes, set in a box along the
 * world's, do. By id. */
vtb_status vtb_world_overlap_box(const vtb_world* world, const double* lower, const double* upper, uint32_t mask, vtb_shape* out,
                                 size_t capacity, size_t* total);
typedef struct {
  vtb_body body;     /* of the other shape; none = the world */
  vtb_shape shape;   /* the other one; none: nothing within the distance */
  double distance;   /* m; negative: depth of penetration, the least way that separates convex shapes */
  double point_a[3]; /* closest (deepest) point of the shape that was asked with, world */
  double point_b[3]; /* of the other */
  double normal[3];  /* unit, from the first to the other */
} vtb_closest;
/* The shape nearest to a shape, within max_distance (may be infinite). */
vtb_status vtb_world_closest(const vtb_world* world, const vtb_shape_def* def, double max_distance, uint32_t mask, vtb_closest* out);
/* Distance of two shapes of the world, whatever their masks; out tells of b. VTB_E_UNSUPPORTED if neither is one to ask with. */
vtb_status vtb_shape_get_distance(const vtb_world* world, vtb_shape a, vtb_shape b, double max_distance, vtb_closest* out);

/* ------------------------------------------------------------------------------------------------------------ snapshots */

/* The whole changing state, warm starts included. Restores into the same world, or one built by the same calls, here or in another
 * process of the same build; goes on bit for bit. VTB_E_ARG if the topology differs. */
vtb_status vtb_world_save(const vtb_world* world, void* buffer, size_t size, size_t* needed);
/* Takes a saved state; VTB_E_ARG if the bytes are damaged or the topology differs, and nothing is changed then. */
vtb_status vtb_world_restore(vtb_world* world, const void* buffer, size_t size);

/* -------------------------------------------------------------------------------------------------------------- scenes */

/* Reads a scene file (docs/reference/scene.md) with all it names and finds it good; diagnostics as for a URDF. VTB_E_IO, VTB_E_PARSE. */
vtb_status vtb_scene_load(const char* path, vtb_diagnostics** diagnostics, vtb_scene** out);
/* The same from text; name stands for the file in the findings, and paths in the text are relative to its folder. VTB_E_PARSE. */
vtb_status vtb_scene_parse(const char* text, size_t size, const char* name, vtb_diagnostics** diagnostics, vtb_scene** out);
/* One more owner; each releases once. */
vtb_status vtb_scene_retain(vtb_scene* scene);
vtb_status vtb_scene_release(vtb_scene* scene); /* NULL allowed */
/* Its settings; those that it does not name have their defaults. */
vtb_status vtb_scene_get_settings(const vtb_scene* scene, vtb_world_def* out);
/* A world of its own, with all its things; settings NULL = the scene's. */
vtb_status vtb_scene_create_world(vtb_scene* scene, const vtb_world_def* settings, vtb_world** out);
/* All its things into a world that is there: names with a prefix (NULL = none), the scene's origin at a pose (NULL = the world's). It is
 * added whole or not at all. VTB_E_ARG where a name is taken. */
vtb_status vtb_scene_add(vtb_scene* scene, vtb_world* world, const char* prefix, const double* pose);
typedef struct {
  uint32_t struct_size;
  uint32_t reserved;
  const char* name;   /* lives as long as the scene */
  double position[3]; /* m, world */
  double target[3];   /* m, in the middle of the picture */
  double up[3];       /* the direction that is up */
  double fov;         /* rad, height of the picture */
} vtb_camera;
/* A camera, for those who show the scene; VTB_E_ARG beyond the last. */
vtb_status vtb_scene_get_camera(const vtb_scene* scene, int32_t index, vtb_camera* out);
enum {
  VTB_NAMED_BODY = 0,
  VTB_NAMED_SHAPE,
  VTB_NAMED_JOINT,
  VTB_NAMED_COUPLING,
  VTB_NAMED_FIELD,
  VTB_NAMED_FIGURE,     /* its links and joints are named figure/link, figure/joint */
  VTB_NAMED_CONSTRAINT, /* parts of drivelines, lengths and volumes over points */
  VTB_NAMED_PARTICLES
};
/* The bits of the handle of a thing that a scene gave a name. VTB_E_ARG if there is none, VTB_E_STALE if it was destroyed. */
vtb_status vtb_world_find(const vtb_world* world, int32_t kind, const char* name, uint64_t* bits);
/* The names of one kind, in file order; VTB_E_ARG beyond the last. bits: 0 for what was destroyed. */
vtb_status vtb_world_get_name(const vtb_world* world, int32_t kind, size_t index, uint64_t* bits, char* buffer, size_t size,
                              size_t* needed);
/* The scene the world was made from, in its own words, with what calls have changed, destroyed and made since, the present settings and
 * state: loaded again it goes on bit for bit. A world made by calls becomes a scene, too. Where things were destroyed, or a body's shapes
 * not made together, others get other numbers in the order of solving: then it goes on from the present coordinates, to round-off.
 * VTB_E_UNSUPPORTED names what a file cannot say (filters, callbacks of forces and constraints, figures made by a call); VTB_E_IO. */
vtb_status vtb_world_save_scene(const vtb_world* world, const char* path);
/* The same into memory. */
vtb_status vtb_world_write_scene(const vtb_world* world, char* buffer, size_t size, size_t* needed);
/* What scene files may hold, as Markdown: every element with its attributes. */
vtb_status vtb_scene_get_reference(char* buffer, size_t size, size_t* needed);

/* --------------------------------------------------------------------------------------- the caller's differential equations */

enum {
  VTB_ODE_EXPLICIT_EULER = 0,
  VTB_ODE_SYMPLECTIC_EULER, /* velocities first, positions with the new ones */
  VTB_ODE_IMPLICIT_EULER,   /* Newton's method, Jacobian by differences */
  VTB_ODE_MIDPOINT,         /* explicit, order 2 */
  VTB_ODE_RK4,              /* order 4 */
  VTB_ODE_DORMAND_PRINCE    /* order 5 with an embedded 4 */
};
enum {
  VTB_ODE_FIXED = 0, /* steps of equal length, at most `step` */
  VTB_ODE_DOUBLING,  /* a step's error: against two of half its length */
  VTB_ODE_EMBEDDED,  /* against the embedded method; Dormand-Prince only */
  VTB_ODE_TAYLOR     /* the first term the method leaves out, from the history of derivatives: one evaluation, but seen late */
};
typedef struct {
  uint32_t struct_size;
  int32_t size;       /* numbers of the state y */
  int32_t positions;  /* the leading ones that are positions; symplectic Euler only [0] */
  int32_t integrator; /* VTB_ODE_* [RK4] */
  int32_t control;    /* VTB_ODE_* [fixed] */
  int32_t reserved;
  double step;          /* fixed steps, and the first of adaptive ones; in units of t [1e-3] */
  double tolerance;     /* largest error of one step in any number of y, absolute [1e-6] */
  double smallest_step; /* [1e-9] */
  double largest_step;  /* [0.1] */
  /* Writes dy/dt at (t, y) and returns 1, or returns 0 where there is none: adaptive steps then shrink. */
  int32_t (*derivative)(void* user, double t, const double* y, double* dy);
  void (*project)(void* user, double t, double* y); /* after each step, e.g. to unit quaternions [NULL] */
  void* user;
} vtb_ode_def;
typedef struct { /* of one vtb_ode_advance */
  uint32_t struct_size;
  int32_t steps, rejected, evaluations;
  int32_t at_smallest; /* steps of the smallest size whose error was above the tolerance */
  int32_t reserved;
  double worst_error; /* of the steps taken, as estimated */
  double next_step;   /* what an adaptive step would try next */
} vtb_ode_report;
vtb_status vtb_ode_def_init(vtb_ode_def* def, uint32_t struct_size);
/* An initial-value problem y' = f(t, y) of the caller, at t = 0 and y = 0. Free of worlds. */
vtb_status vtb_ode_create(const vtb_ode_def* def, vtb_ode** out);
vtb_status vtb_ode_destroy(vtb_ode* ode); /* NULL allowed */
/* Time and state: size numbers. */
vtb_status vtb_ode_get_state(const vtb_ode* ode, double* t, double* y);
/* Sets time and state and forgets the history of steps. */
vtb_status vtb_ode_set_state(vtb_ode* ode, double t, const double* y);
/* Moves the state to a later time, exactly. VTB_E_DIVERGED: a step had no derivative or gave no number; the last good state stands.
 * report may be NULL. */
vtb_status vtb_ode_advance(vtb_ode* ode, double until, vtb_ode_report* report);

/* -------------------------------------------------------------------------------------------- conversions of orientation */

vtb_status vtb_quat_from_matrix(const double* matrix, double* quaternion); /* 3 x 3, must be a rotation to 1e-6 */
/* 3 x 3, row-major: columns are the local axes in the parent. */
vtb_status vtb_quat_to_matrix(const double* quaternion, double* matrix);
/* Turn by an angle [rad] about an axis of any length but 0. */
vtb_status vtb_quat_from_axis_angle(const double* axis, double angle, double* quaternion);
/* Unit axis and angle from 0 to pi; any axis where the angle is 0. */
vtb_status vtb_quat_to_axis_angle(const double* quaternion, double* axis, double* angle);
/* order: three letters of X, Y, Z such as "ZXY" or "XYX"; q = R(order[0], a[0]) R(order[1], a[1]) R(order[2], a[2]). */
vtb_status vtb_quat_from_euler(const char* order, const double* angles, double* quaternion);
/* The angles [rad] of an order; at a singular middle angle the last one is 0. */
vtb_status vtb_quat_to_euler(const double* quaternion, const char* order, double* angles);

#include "vertebra/make.h"
#include "vertebra/objects.h"
#include "vertebra/pose.h"
#include "vertebra/threads.h"

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
