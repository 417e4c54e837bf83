/* joint_type.h - types of joints, the coordinates they have, and the description of one axis.
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
#ifndef VTB_JOINT_TYPE_H
#define VTB_JOINT_TYPE_H

/* How a joint lets its child move against its parent. Skeletons have the types below motor. */
typedef enum vtb_joint_type {
  VTB_JOINT_TYPE_FIXED = 0,         /* not at all */
  VTB_JOINT_TYPE_REVOLUTE = 1,      /* turns about an axis, within limits */
  VTB_JOINT_TYPE_CONTINUOUS = 2,    /* turns about an axis without end */
  VTB_JOINT_TYPE_PRISMATIC = 3,     /* slides along an axis */
  VTB_JOINT_TYPE_UNIVERSAL = 4,     /* turns about an axis of the parent and one of the child */
  VTB_JOINT_TYPE_SPHERICAL = 5,     /* turns about a point */
  VTB_JOINT_TYPE_PLANAR = 6,        /* slides in a plane and turns about its normal */
  VTB_JOINT_TYPE_FLOATING = 7,      /* moves freely */
  VTB_JOINT_TYPE_CYLINDRICAL = 8,   /* turns about an axis and slides along it */
  VTB_JOINT_TYPE_SCREW = 9,         /* turns about an axis and advances along it in proportion */
  VTB_JOINT_TYPE_WHEEL = 10,        /* suspension, steering and turn about an axle */
  VTB_JOINT_TYPE_MOTOR = 16,        /* six axes between two bodies, each soft and bounded; removes no freedom */
  VTB_JOINT_TYPE_AXIS_ANGULAR = 17, /* limit and motor about an axis of body_a, between any two bodies */
  VTB_JOINT_TYPE_AXIS_LINEAR = 18,  /* limit and motor along an axis of body_a */
  /* Distance of the two frames' origins: one axis, at first limited to the present distance, a rod; other limits make it a rope (lower 0)
   * or a limited spring, a motor makes it a cylinder. */
  VTB_JOINT_TYPE_DISTANCE = 19,
  VTB_JOINT_TYPE_POINT_ON_LINE = 20, /* frame b's origin stays on the axis of frame a; its axis: the way along it */
  /* Frame b's origin stays in the plane through frame a's origin with the axis as normal; its axes: x and y in the plane. */
  VTB_JOINT_TYPE_POINT_ON_PLANE = 21,
  VTB_JOINT_TYPE_POINT_ON_CURVE = 22, /* frame b's origin stays on a curve in frame a; its axis: the way along it */
  VTB_JOINT_TYPE_ROTOR = 23           /* no bodies: a shaft of one angle, its inertia is its axis' armature; couplings tie it to others */
} vtb_joint_type;

/* Limits of a spherical joint. */
typedef struct vtb_swing_twist {
  double swing;       /* rad, >= 0 or inf [inf]: largest angle between the twist axes; inf = none */
  double twist_lower; /* rad, any [-inf]: least twist */
  double twist_upper; /* rad, any [inf]: largest twist */
} vtb_swing_twist;
/* One scalar axis of a joint: its limits, spring and losses. */
typedef struct vtb_axis_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t reserved;    /* must be 0 */
  /* rad or m, any [-inf]: hard limit; orientations have none (spherical: swing and twist; floating: its turning axes) */
  double lower;
  double upper;       /* rad or m, any [inf]: hard limit */
  double velocity;    /* rad/s or m/s, >= 0 or inf [inf]: largest rate */
  double effort;      /* N m or N, >= 0 or inf [inf]: largest motor force */
  double damping;     /* N m s/rad or N s/m, >= 0 [0]: viscous */
  double friction;    /* N m or N, >= 0 [0]: dry friction */
  double stiffness;   /* N m/rad or N/m, >= 0 [0]: of a spring towards rest */
  double rest;        /* rad or m [0]: where that spring is at rest */
  double armature;    /* kg m^2 or kg, >= 0 [0]: inertia of a rotor on the axis */
  double restitution; /* 1, 0 to 1 [0]: of the hard limits; swing and twist: each axis' by its share in the limit's direction */
} vtb_axis_def;
vtb_status vtb_axis_def_init(vtb_axis_def* def, uint32_t struct_size);

#endif
