/* joint.h - joints between bodies, their state, motors and forces. */
#ifndef VTB_JOINT_H
#define VTB_JOINT_H

/* Options of a curve. */
typedef enum vtb_curve_flag {
  VTB_CURVE_FLAG_SPLINE = 1, /* it is smooth; else a polyline */
  VTB_CURVE_FLAG_CLOSED = 2  /* it ends where it begins */
} vtb_curve_flag;
/* A curve for a point to stay on. */
typedef struct vtb_curve {
  const double* points; /* array of 3 x point_count, m [NULL]: in frame a; the coordinate is 0 at the first */
  uint32_t point_count; /* [0]: of points */
  uint32_t flags;       /* vtb_curve_flag bits [0]: options; 0 = an open polyline */
} vtb_curve;
/* Softness of what a joint holds: force = -stiffness * error - damping * rate, implicit. */
typedef struct vtb_joint_softness {
  double stiffness;         /* N/m, >= 0 or inf [inf]: of the positions held; inf = rigid */
  double damping;           /* N s/m, >= 0 [0]: of the positions held */
  double angular_stiffness; /* N m/rad, >= 0 or inf [inf]: of the turns held; inf = rigid */
  double angular_damping;   /* N m s/rad, >= 0 [0]: of the turns held */
} vtb_joint_softness;
/* Loads at which a joint breaks: from the next step on it has no effect; vtb_world_get_joint_events tells it. */
typedef struct vtb_joint_strength {
  double force;  /* N, >= 0 or inf [inf]: through the joint; inf = it does not break */
  double torque; /* N m, >= 0 or inf [inf]: likewise */
} vtb_joint_strength;
/* A joint under the stepper displacement. */
typedef struct vtb_joint_displacement {
  double relaxation;     /* 1, > 0 < 2 [1]: factor on the world's solver.relaxation */
  double regularisation; /* 1, >= 0 [0]: added to the world's displacement.regularisation */
} vtb_joint_displacement;
/* A joint between two bodies. */
typedef struct vtb_joint_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  vtb_joint_type type;  /* [revolute]: how it lets body_b move against body_a */
  vtb_body body_a;      /* [none]: parent; none = the world */
  vtb_body body_b;      /* [none]: child; none = the world */
  double frame_a[7];    /* pose [identity]: joint frame in body_a's link frame */
  double frame_b[7];    /* pose [identity]: joint frame in body_b's link frame */
  /* 1, unit [1 0 0]: joint frame: axis of turning, sliding or screw, normal of planar, twist axis of spherical, parent's axis of universal,
   * of wheel that of travel and steering */
  double axis[3];
  double axis2[3];             /* 1, unit [0 1 0]: universal: the child's axis; wheel: the axle */
  int32_t as_they_stand;       /* 0 or 1 [0]: frame_b is computed from the bodies' present poses, so that all coordinates are zero now */
  int32_t bodies_collide;      /* 0 or 1 [0]: the two bodies may touch each other */
  double pitch;                /* m [0]: screw, advance in a turn */
  vtb_swing_twist limits;      /* of a spherical joint; of others: vtb_joint_set_axis */
  vtb_joint_softness soft;     /* of what it holds */
  vtb_joint_strength breaking; /* at which loads it breaks */
  vtb_joint_displacement displacement; /* under the stepper displacement */
  vtb_curve curve;                     /* of type point_on_curve */
} vtb_joint_def;
vtb_status vtb_joint_def_init(vtb_joint_def* def, uint32_t struct_size);
/* A joint. One that closes a cycle, or joins two figures, becomes an auxiliary constraint by itself. */
vtb_status vtb_joint_create(vtb_world* world, const vtb_joint_def* def, vtb_joint* out);
/* Destroys a joint; not for joints of a figure. */
vtb_status vtb_joint_destroy(vtb_world* world, vtb_joint joint);
/* Whether it broke; then it stays, without effect, until it is destroyed.
 * @broken 0 or 1: receives 1 after it broke */
vtb_status vtb_joint_get_broken(const vtb_world* world, vtb_joint joint, int32_t* broken);
/* A joint that broke, and what it bore. */
typedef struct vtb_joint_event {
  vtb_joint joint; /* that broke */
  double force;    /* N: through it */
  double torque;   /* N m: through it */
} vtb_joint_event;
/* Joints that broke in the last vtb_world_step call, by step and joint.
 * @out array of capacity, or NULL: receives them */
vtb_status vtb_world_get_joint_events(const vtb_world* world, vtb_joint_event* out, size_t capacity, size_t stride_bytes, size_t* total);
/* Limits, spring and losses of one axis. */
vtb_status vtb_joint_get_axis(const vtb_world* world, vtb_joint joint, int32_t axis, vtb_axis_def* out);
/* Limits, spring and losses of one axis, from the next step on. */
vtb_status vtb_joint_set_axis(vtb_world* world, vtb_joint joint, int32_t axis, const vtb_axis_def* def);
/* Limits of a spherical joint; read by vtb_joint_get_def.
 * @swing rad, >= 0 or inf: largest angle between the twist axes; inf = none
 * @twist_lower rad, any: least twist
 * @twist_upper rad, any: largest twist */
vtb_status vtb_joint_set_swing_twist(vtb_world* world, vtb_joint joint, double swing, double twist_lower, double twist_upper);
/* Coordinates and velocities of the joint, in the order of joint_type.h.
 * @q array of nq, rad or m, or NULL: receives the coordinates
 * @v array of nv, rad/s or m/s, or NULL: receives the velocities */
vtb_status vtb_joint_get_state(const vtb_world* world, vtb_joint joint, double* q, double* v);
/* Sets them. VTB_E_UNSUPPORTED for joints that close a cycle or join figures. Where bodies keep free poses, what the joint carries goes
 * along, and all joints of its tree are put together.
 * @q array of nq, rad or m, or NULL: the coordinates
 * @v array of nv, rad/s or m/s, or NULL: the velocities */
vtb_status vtb_joint_set_state(vtb_world* world, vtb_joint joint, const double* q, const double* v);

/* What a motor does. */
typedef enum vtb_motor_mode {
  VTB_MOTOR_MODE_OFF = 0,      /* nothing */
  VTB_MOTOR_MODE_POSITION = 1, /* stiffness * (position - q) + damping * (velocity - v), implicit, then bounded */
  /* damping * (velocity - v); damping inf: as strong as the bound allows. Without a bound (and effort) a wall, limit or second such motor
   * in its way is a contradiction: VTB_E_INFEASIBLE, and it yields. */
  VTB_MOTOR_MODE_VELOCITY = 2,
  VTB_MOTOR_MODE_TORQUE = 3 /* force */
} vtb_motor_mode;
/* The drive of one axis. */
typedef struct vtb_motor_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  vtb_motor_mode mode;  /* [off]: what it does */
  double position;      /* rad or m [0]: target */
  double velocity;      /* rad/s or m/s [0]: target */
  double force;         /* N m or N [0]: added in every mode */
  double stiffness;     /* N m/rad or N/m, >= 0 [0]: towards the position */
  double damping;       /* N m s/rad or N s/m, >= 0 or inf [0]: towards the velocity; inf in mode velocity only */
  double max_force;     /* N m or N, >= 0 or inf [inf]: bound; the axis' effort bounds as well */
} vtb_motor_def;
vtb_status vtb_motor_def_init(vtb_motor_def* def, uint32_t struct_size);
/* The drive of one axis, kept until set again. */
vtb_status vtb_joint_set_motor(vtb_world* world, vtb_joint joint, int32_t axis, const vtb_motor_def* def);
/* The present drive of one axis. */
vtb_status vtb_joint_get_motor(const vtb_world* world, vtb_joint joint, int32_t axis, vtb_motor_def* out);
/* The drive of a spherical joint: torque stiffness * rotation vector to the target + damping * (velocity - v).
 * @quaternion 1: target, x, y, z, w, child in parent's joint frame
 * @velocity rad/s: the target's, child's joint frame
 * @stiffness N m/rad, >= 0: towards the target
 * @damping N m s/rad, >= 0: towards the velocity
 * @max_force N m, >= 0 or inf: bound on each axis */
vtb_status vtb_joint_set_orientation_motor(vtb_world* world, vtb_joint joint, const double quaternion[4], const double velocity[3],
                                           double stiffness, double damping, double max_force);
/* Target of a joint of type motor: where body_b's joint frame is to be in body_a's. Its gains are set per axis by vtb_joint_set_motor in
 * position mode, axes 0..2 linear, 3..5 angular, along body_a's joint frame. A motor's own position and velocity are added to the target's
 * (positions of 3..5: to the rotation vector from the target).
 * @pose pose: body_b's joint frame in body_a's
 * @twist twist, or NULL: its velocity; NULL = zero */
vtb_status vtb_joint_set_target(vtb_world* world, vtb_joint joint, const double pose[7], const double twist[6]);
/* Target of a joint of type motor, or of a spherical joint's drive (then at position 0, its velocity in the child's joint frame).
 * VTB_E_UNSUPPORTED for a joint that has none.
 * @pose pose, or NULL: receives body_b's joint frame in body_a's
 * @twist twist, or NULL: receives its velocity */
vtb_status vtb_joint_get_target(const vtb_world* world, vtb_joint joint, double pose[7], double twist[6]);

/* Forces of the last physics step; per axis in the order of the velocities. */
typedef struct vtb_joint_forces {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t axes;         /* number of axes */
  double force[3];      /* N: of body_a on body_b through the joint, world axes, at body_b's joint origin; constraint part */
  double torque[3];     /* N m: likewise */
  double motor[6];      /* N m or N: of the drives */
  double spring[6];     /* N m or N: of spring and damper */
  double friction[6];   /* N m or N: dry friction */
  double limit[6];      /* N m or N: position and velocity limits; spherical: about the child's axes */
  /* N: of the drives of all axes on body_b, world axes, at body_b's joint origin; likewise below. With force, torque and those below it is
   * all that the joint transmits */
  double motor_force[3];
  double motor_torque[3];    /* N m: of the drives, likewise */
  double spring_force[3];    /* N: of springs and dampers */
  double spring_torque[3];   /* N m: of springs and dampers */
  double friction_force[3];  /* N: of dry friction */
  double friction_torque[3]; /* N m: of dry friction */
  double limit_force[3];     /* N: of limits */
  double limit_torque[3];    /* N m: of limits */
} vtb_joint_forces;
/* Forces of the last physics step. Where closed loops hold a body twice over, only the sum of their forces is determined: rows that
 * others imply are left out and report nothing, so that one of the joints seems to carry all. */
vtb_status vtb_joint_get_forces(const vtb_world* world, vtb_joint joint, vtb_joint_forces* out);

#endif
