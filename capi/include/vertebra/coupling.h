/* coupling.h - couplings of joint axes: gears, racks, mimics, differentials, clutches. */
#ifndef VTB_COUPLING_H
#define VTB_COUPLING_H

/* Parameters of this topic.
 * @coupling: a coupling of this world
 */

/* What a row of a coupling or of a caller's constraint holds. */
typedef enum vtb_row_level {
  VTB_ROW_LEVEL_POSITION = 0, /* its coordinates, or error */
  VTB_ROW_LEVEL_VELOCITY = 1  /* its rate only */
} vtb_row_level;
/* An axis with one coordinate of its own: not those of spherical joints nor the turning axes of floating ones. */
typedef struct vtb_coupling_term {
  vtb_joint joint;    /* that has the axis */
  int32_t axis;       /* in the order of its velocities */
  uint32_t reserved;  /* must be 0 */
  double coefficient; /* 1 or m or 1/m or m^2 or m^3/rad: of the axis in the sum */
} vtb_coupling_term;
/* q_b = ratio * q_a + offset; or, with terms, sum of coefficient * coordinate = offset. It may be soft: force = -stiffness * error -
 * damping * rate, implicit. */
typedef struct vtb_coupling_def {
  uint32_t struct_size;           /* sizeof the struct in the caller's program */
  vtb_row_level level;            /* [position]: velocity couples the rates alone, sum of coefficient * rate = offset */
  vtb_joint joint_a;              /* [none]: the joint that leads, of one axis; none where terms are given */
  vtb_joint joint_b;              /* [none]: the joint that follows, of one axis; none where terms are given */
  double ratio;                   /* rad/rad or m/rad or rad/m or m/m [1]: of the joint that follows to the one that leads */
  double offset;                  /* rad or m or rad/s or m/s [0]: of the joint that follows, or the sum of the terms */
  const vtb_coupling_term* terms; /* array of term_count [NULL]: the axes of the sum */
  uint32_t term_count;            /* [0]: of terms */
  uint32_t reserved;              /* must be 0 */
  double stiffness;               /* N m/rad or N/m, >= 0 or inf [inf]: inf = exact */
  double damping;                 /* N m s/rad or N s/m, >= 0 [0]: of its softness */
  double max_force;               /* N m or N, >= 0 or inf [inf]: on a coefficient of one; beyond it the coupling slips, as a clutch does */
} vtb_coupling_def;
vtb_status vtb_coupling_def_init(vtb_coupling_def* def, uint32_t struct_size);
/* A coupling. VTB_E_UNSUPPORTED for axes that have no single coordinate. */
vtb_status vtb_coupling_create(vtb_world* world, const vtb_coupling_def* def, vtb_coupling* out);
/* Other ratios, bounds or softness for the same joints: a gear changed. */
vtb_status vtb_coupling_set(vtb_world* world, vtb_coupling coupling, const vtb_coupling_def* def);
/* Force of the last physics step.
 * @force N m or N: receives it, on a coefficient of one */
vtb_status vtb_coupling_get_force(const vtb_world* world, vtb_coupling coupling, double* force);
/* Sets the joints free of each other. */
vtb_status vtb_coupling_destroy(vtb_world* world, vtb_coupling coupling);

#endif
