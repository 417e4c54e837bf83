/* constraint.h - constraints by a callback of the caller, and on points of several bodies. */
#ifndef VTB_CONSTRAINT_H
#define VTB_CONSTRAINT_H

/* Parameters of this topic.
 * @constraint: a constraint of this world
 */

/* One row, prepared by the library; the callback fills it in. It may be soft: force = -stiffness * error - damping * rate, implicit,
 * within the bounds. The row's rate is the sum of block times velocity. */
typedef struct vtb_row {
  uint32_t struct_size; /* sizeof the struct in the library */
  vtb_row_level level;  /* [position]: what it holds */
  double error;         /* m or rad [0]: position rows: kept at 0 */
  double rate;          /* m/s or rad/s [0]: velocity rows: the rate wanted; position rows: rate of the error beyond what the blocks tell */
  double lower;         /* N or N m, any [-inf]: along the row; with 0 it only pushes: error >= 0 */
  double upper;         /* N or N m, any [inf]: along the row; with 0 it only pulls: error <= 0 */
  double stiffness;     /* N/m or N m/rad, >= 0 or inf [inf]: inf = rigid */
  double damping;       /* N s/m or N m s/rad, >= 0 [0]: of its softness */
  /* array of 6 x body_count, 1 or m [NULL]: blocks, all zero at first, on the velocity of each body's link frame origin, then on its
   * angular velocity, world axes; a pair pulled at one point keeps its angular momentum */
  double* bodies;
  double* joints; /* array of axes of the joints, 1 or m [NULL]: blocks, all zero at first, on the velocity of each axis */
} vtb_row;
/* A constraint on the motion of its bodies and joints by a callback. */
typedef struct vtb_constraint_def {
  uint32_t struct_size;    /* sizeof the struct in the caller's program */
  int32_t rows;            /* 1 to 1000 [1]: at most */
  uint32_t body_count;     /* [0]: of bodies */
  uint32_t joint_count;    /* [0]: of joints */
  const vtb_body* bodies;  /* array of body_count [NULL]: whom it acts on; none twice */
  const vtb_joint* joints; /* array of joint_count [NULL]: whose axes it acts on; none twice */
  /* [NULL]: called for the rows one after the other, index from 0 on, several times a step: fills in the row for the world's present state
   * and returns 1, or returns 0 when there is no more. A row that is not a number fails the step with VTB_E_ARG */
  int32_t (*evaluate)(void* user, const vtb_world* world, vtb_constraint self, int32_t index, vtb_row* row);
  void* user; /* [NULL]: handed to the callback */
} vtb_constraint_def;
vtb_status vtb_constraint_def_init(vtb_constraint_def* def, uint32_t struct_size);
/* A constraint by a callback. It is destroyed with any of its bodies and joints. */
vtb_status vtb_constraint_create(vtb_world* world, const vtb_constraint_def* def, vtb_constraint* out);
/* Destroys a constraint. */
vtb_status vtb_constraint_destroy(vtb_world* world, vtb_constraint constraint);
/* Forces along its rows in the last physics step.
 * @forces array of capacity, N or N m, or NULL: receives them, by row */
vtb_status vtb_constraint_get_forces(const vtb_world* world, vtb_constraint constraint, double* forces, size_t capacity, size_t* total);

/* What of the points is kept. */
typedef enum vtb_points_measure {
  VTB_POINTS_MEASURE_LENGTH = 0, /* of the line through the points: a rope as one; error = length - value [m] */
  /* Of the tetrahedron between four: (p1 - p0) . ((p2 - p0) x (p3 - p0)) / 6; error = (volume - value) / |value|^(2/3) [m]. */
  VTB_POINTS_MEASURE_VOLUME = 1
} vtb_points_measure;
/* A constraint on points of several bodies, with one row. */
typedef struct vtb_points_def {
  uint32_t struct_size;       /* sizeof the struct in the caller's program */
  vtb_points_measure measure; /* [length]: what is kept */
  const vtb_body* bodies;     /* array of point_count [NULL]: that carry the points; none = fixed in the world */
  const double* points;       /* array of 3 x point_count, m, or NULL [NULL]: body's link frame, or world; NULL = the frames' origins */
  uint32_t point_count;       /* [0]: of points */
  uint32_t reserved;          /* must be 0 */
  double value;               /* m or m^3 [0]: to be kept; 0 = the present one */
  double lower;               /* N, any [-inf]: least force along the row */
  double upper;               /* N, any [inf]: largest force along the row; 0: a rope that may be shorter */
  double stiffness;           /* N/m, >= 0 or inf [inf]: inf = rigid */
  double damping;             /* N s/m, >= 0 [0]: of its softness */
} vtb_points_def;
vtb_status vtb_points_def_init(vtb_points_def* def, uint32_t struct_size);
/* A constraint on points; it is destroyed and asked for its force like those by a callback. */
vtb_status vtb_constraint_create_points(vtb_world* world, const vtb_points_def* def, vtb_constraint* out);

#endif
