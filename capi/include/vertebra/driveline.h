/* driveline.h - parts of drivelines over rotors and axes of joints: engines, converters, gearboxes, differentials, pumps, cylinders. */
#ifndef VTB_DRIVELINE_H
#define VTB_DRIVELINE_H

/* Parameters of this topic.
 * @constraint: a part of a driveline of this world
 */

/* What a part is, and the order of the axes that it joins. */
typedef enum vtb_driveline_type {
  VTB_DRIVELINE_TYPE_ENGINE = 0,       /* the crankshaft */
  VTB_DRIVELINE_TYPE_CONVERTER = 1,    /* impeller, turbine */
  VTB_DRIVELINE_TYPE_GEARBOX = 2,      /* input, output */
  VTB_DRIVELINE_TYPE_DIFFERENTIAL = 3, /* input, left, right: input = ratio * (split * left + (1 - split) * right) */
  VTB_DRIVELINE_TYPE_PUMP = 4,         /* the shaft, coefficient = displacement at full stroke [m^3/rad]; cylinders, coefficient = area */
  VTB_DRIVELINE_TYPE_CYLINDER = 5      /* cylinders fed from elsewhere, coefficient = area; those of one circuit share its pressure */
} vtb_driveline_type;
/* A part of a driveline; each type uses the fields named for it. Speeds and torques are each times the axis' coefficient. */
typedef struct vtb_driveline_def {
  uint32_t struct_size;          /* sizeof the struct in the caller's program */
  vtb_driveline_type type;       /* [engine]: what it is */
  const vtb_coupling_term* axes; /* array of axis_count [NULL]: that it joins; none twice */
  uint32_t axis_count;           /* [0]: of axes */
  uint32_t speed_count;          /* [0]: of speeds */
  uint32_t throttle_count;       /* [0]: of throttles */
  uint32_t ratio_count;          /* [0]: of ratios, and for a converter of torque_ratios and capacities */
  const double* speeds;          /* array of speed_count, rad/s [NULL]: engine: ascending; nothing burns below the first */
  const double* throttles;       /* array of throttle_count, 1 [NULL]: engine: ascending, 0 to 1 */
  const double* torques; /* array of throttle_count x speed_count, N m [NULL]: engine: of the gases; beyond the last speed the last */
  double friction[3];    /* N m or N m s or N m s^2, >= 0 [0]: engine: against the motion, dry, per speed, per speed squared */
  double governor_gain;  /* s/rad, >= 0 [0]: engine: throttle per speed below the target */
  double governor_rate;  /* 1/rad, >= 0 [0]: engine: rate of the throttle per speed below the target */
  double fuel;           /* kg/J, >= 0 [0]: engine: per work of the gases */
  /* array of ratio_count, 1 [NULL]: converter: output by input speed, ascending from 0 to 1; gearbox: input by output speed of each gear,
   * 0 = neutral, negative = reverse */
  const double* ratios;
  const double* torque_ratios; /* array of ratio_count, 1, or NULL [NULL]: converter: output by input torque; times the ratio at most 1 */
  const double* capacities;    /* array of ratio_count, N m s^2, or NULL [NULL]: converter: input torque by input speed squared */
  double ratio;                /* 1 [1]: differential: input by mean output speed */
  double split;                /* 1, 0 to 1 [0.5]: differential: share of the torque that goes left */
  double max_torque;           /* N m, >= 0 or inf [inf]: converter's lock-up, gearbox' clutch, differential's lock: beyond it they slip */
  double shift_time;           /* s, >= 0 [0]: gearbox: half of it open, in the other half the clutch closes */
  double preload;              /* N m, >= 0 [0]: differential of limited slip: torque that it may move from side to side at least */
  double bias;                 /* 1, >= 0 [0]: and the share of the driven torque that adds to it */
  double efficiency;           /* 1, 0 to 1 [1]: gearbox, differential, pump: of the torque at the first axis */
  double drag;                 /* N m, >= 0 [0]: gearbox, differential, pump: lost there always */
  double pressure;             /* Pa, >= 0 or inf [inf]: pump, cylinder: at which the relief valve opens, either way */
  double leak;                 /* m^3/(s Pa), >= 0 [0]: pump, cylinder */
  double flow;                 /* m^3/s, >= 0 [0]: cylinder: at full stroke */
  double area_ratio;           /* 1, > 0 [1]: of the cylinders' ring side, at work at negative stroke, to their area */
} vtb_driveline_def;
vtb_status vtb_driveline_def_init(vtb_driveline_def* def, uint32_t struct_size);
/* What a driver sets; each type uses what is named for it. */
typedef struct vtb_driveline_input {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t gear;         /* >= 0 [0]: gearbox: index into ratios; at first that of ratio 0, else 0 */
  double throttle;      /* 1, 0 to 1 [0]: engine: at least; the governor may add */
  double speed;         /* rad/s [0]: engine: the governor's target */
  double clutch;        /* 1, 0 to 1 [1]: gearbox: share of max_torque; where that is inf, open at 0 and else closed */
  double lock;          /* 1, 0 to 1 [0]: converter, differential: share of max_torque */
  double stroke;        /* 1, -1 to 1 [0]: pump, cylinder; at 0 the cylinders are shut */
} vtb_driveline_input;
/* Readings of the last physics step; work and fuel since the part was made. */
typedef struct vtb_driveline_state {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t reserved;    /* must be 0 */
  double torque[4];     /* N m or N: on the first four axes' joints */
  double power_in;      /* W: of the gases, or taken from the first axis, or of the flow from outside */
  double power_out;     /* W: given to the other axes */
  double work_in;       /* J: of power_in */
  double work_out;      /* J: of power_out; what is less is lost */
  double throttle;      /* 1: engine: the governor's share included */
  double fuel_rate;     /* kg/s: engine */
  double fuel;          /* kg: engine */
  double ratio;         /* 1: converter: output by input speed; gearbox: of the gear in mesh, 0 while open */
  double pressure;      /* Pa: pump, cylinder */
} vtb_driveline_state;
/* A part of a driveline. It is a constraint: vtb_constraint_destroy, vtb_constraint_get_forces. Its torques are implicit in the step.
 * VTB_E_UNSUPPORTED for axes that have no single coordinate. */
vtb_status vtb_driveline_create(vtb_world* world, const vtb_driveline_def* def, vtb_constraint* out);
/* The driver's present settings; VTB_E_ARG for a constraint that is no part of a driveline, in the next two too. */
vtb_status vtb_driveline_get_input(const vtb_world* world, vtb_constraint constraint, vtb_driveline_input* out);
/* Other settings, from the next step on: get them first, then change what is to change.
 * @input: the driver's settings */
vtb_status vtb_driveline_set_input(vtb_world* world, vtb_constraint constraint, const vtb_driveline_input* input);
/* Readings. */
vtb_status vtb_driveline_get_state(const vtb_world* world, vtb_constraint constraint, vtb_driveline_state* out);

#endif
