/* world.h - worlds: creation, settings, stepping, statistics, balances, snapshots, and all bodies at once. */
#ifndef VTB_WORLD_H
#define VTB_WORLD_H

/* Creates a world.
 * @def or NULL: its settings; NULL = defaults */
vtb_status vtb_world_create(const vtb_world_def* def, vtb_world** out);
/* Destroys a world.
 * @world or NULL: the world */
vtb_status vtb_world_destroy(vtb_world* world);
/* The present settings. */
vtb_status vtb_world_get_settings(const vtb_world* world, vtb_world_def* out);
/* Other settings, from the next step on. */
vtb_status vtb_world_set_settings(vtb_world* world, const vtb_world_def* def);
/* Makes room, so that steps allocate nothing while no more than this many contact points exist and the settings stay.
 * @contacts: contact points to make room for */
vtb_status vtb_world_reserve(vtb_world* world, int32_t contacts);
/* Advances. VTB_E_INFEASIBLE and VTB_E_UNSOLVED: the step was made, see the statistics. On any other failure the failing physics step is
 * undone whole: forces and impulses that wait for it, too.
 * @steps: how often, each time by time_step */
vtb_status vtb_world_step(vtb_world* world, uint32_t steps);
/* Simulated time since creation, or that of the snapshot restored.
 * @seconds s: receives the time */
vtb_status vtb_world_get_time(const vtb_world* world, double* seconds);
/* Ends all sleep. */
vtb_status vtb_world_wake_all(vtb_world* world);
/* One number of the whole changing state; equal states have equal numbers.
 * @hash: receives the number */
vtb_status vtb_world_get_hash(const vtb_world* world, uint64_t* hash);

/* Stages of a step, for their times. */
typedef enum vtb_stage {
  VTB_STAGE_FORCES = 0,   /* force fields, drivelines, callbacks */
  VTB_STAGE_MOVE = 1,     /* coordinates; what steppers but impulse do besides the other stages */
  VTB_STAGE_COLLIDE = 2,  /* contacts, islands */
  VTB_STAGE_FACTOR = 3,   /* momenta, inertias, free velocities */
  VTB_STAGE_ROWS = 4,     /* of contacts, limits and other constraints */
  VTB_STAGE_SOLVE = 5,    /* impulses of the rows */
  VTB_STAGE_FINISH = 6,   /* velocities and accelerations, accounts, events, sleep */
  VTB_STAGE_PARTICLES = 7 /* particle systems */
} vtb_stage;
/* Counts and largest errors of the last physics step; sums and maxima over the last vtb_world_step call where said. */
typedef struct vtb_world_stats {
  uint32_t struct_size;         /* sizeof the struct in the caller's program */
  int32_t bodies;               /* in the world */
  int32_t joints;               /* in the world */
  int32_t islands;              /* that were stepped */
  int32_t sleeping_bodies;      /* in the world */
  int32_t pairs;                /* of shapes near each other, awake */
  int32_t contacts;             /* points, those that sleepers keep among them */
  int32_t rows;                 /* of constraints, awake */
  int32_t solver_iterations;    /* largest over islands */
  int32_t halvings;             /* halved island steps, summed over the call */
  int32_t infeasible;           /* islands whose constraints could not all be met */
  int32_t first_order;          /* islands stepped in the first-order form */
  int32_t speculative_contacts; /* among the contacts: of fast bodies, foreseen by continuous collision */
  int32_t rollbacks;            /* stepper ode: returns to a moment of touch, summed over the call */
  /* Groups of bodies that met within a step and made it again together, summed over the call; also of other steppers' groups with steps of
   * their own. */
  int32_t merges;
  int32_t stops;       /* stepper ode: groups held back where a pair of them would get past each other, summed over the call */
  int32_t evaluations; /* stepper ode: of accelerations */
  int32_t restarts;    /* physics steps made again in parts (adaptive.substeps), summed over the call */
  int32_t hurried;     /* islands solved with few sweeps because the time was up (adaptive.time_budget), summed over the call */
  /* Islands of which every method left more open than is let pass: something closes by more than contact.slop (at least 0.1 mm) a step, or
   * slips, or joints of a cycle stay open by more than 1e-9 m or rad, though nothing contradicts them; or in which links that turn far in a
   * step gained energy of nothing; contacts, and joints under spook, deeper or wider open than twice adaptive.depth after a step that was
   * not divided further; under ode also groups that were held back (stops), and floating figures whose momentum was not kept to 1 % of
   * what gravity gives in a step. Summed over the call. */
  int32_t unsolved;
  /* Free bodies and figures that were slowed down to the limits of vtb_speed_settings, summed over the call and its steps. */
  int32_t capped;
  int32_t parts;          /* the most that a group made the last physics step in (vtb_body_set_integration, adaptive.substeps); 1: none */
  double solver_residual; /* m/s: largest over islands */
  double complementarity; /* J: largest over islands */
  double max_penetration; /* m: largest over the call */
  /* m: largest distance of a joint's two anchor points over the call: loops; trees' joints too under VTB_WORLD_FLAG_ENERGY_ACCOUNT (they
   * hold to round-off) */
  double max_joint_error;
  double max_energy_correction; /* 1: largest |scale - 1| applied in the call */
  /* s: of the clock in each vtb_stage, under VTB_WORLD_FLAG_STAGE_TIMES, else 0; no part of the state, different in each run */
  double stage_seconds[8];
} vtb_world_stats;
/* Counts and largest errors. */
vtb_status vtb_world_get_stats(const vtb_world* world, vtb_world_stats* out);
/* Energies, and accounts since creation or restore, which are kept only under VTB_WORLD_FLAG_ENERGY_ACCOUNT. */
typedef struct vtb_energy {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t reserved;    /* must be 0 */
  double kinetic;       /* J: now */
  double potential;     /* J: now; springs of joints in trees are part of it; gravity's part is zero at the origin */
  double work_drives;   /* J: done by motors, and by springs and dampers between bodies (powered axes, joints that close a cycle) */
  double work_applied;  /* J: done by applied forces and impulses and by prescribed bodies */
  double lost_damping;  /* J: taken by joint dampers */
  double lost_friction; /* J: taken by dry friction in joints and contacts */
  double lost_impact;   /* J: taken by contacts, limits and bounded rows along their normal */
  double lost_clamp;    /* J: taken (or given: negative) by clamps, projections and caps */
  double corrected;     /* J: given (or taken: negative) by the energy correction */
  /* J: likewise by the error of steps of first order (contacts, limits, stiff drives) of trees without closed cycles, of second with */
  double discretisation;
} vtb_energy;
/* Energies now and the accounts. */
vtb_status vtb_world_get_energy(const vtb_world* world, vtb_energy* out);
/* Momentum of all dynamic bodies.
 * @linear N s: receives the linear momentum, world axes
 * @angular N m s: receives the angular momentum about the world's origin, world axes */
vtb_status vtb_world_get_momentum(const vtb_world* world, double linear[3], double angular[3]);

/* Handles of all bodies; their order is that of the next two.
 * @handles array of capacity, or NULL: receives them */
vtb_status vtb_world_get_bodies(const vtb_world* world, vtb_body* handles, size_t capacity, size_t* total);
/* Poses of all bodies. One call serves a thousand figures. */
vtb_status vtb_world_get_poses(const vtb_world* world, double* poses, size_t capacity, size_t stride_bytes, size_t* total);
/* Twists of all bodies. */
vtb_status vtb_world_get_twists(const vtb_world* world, double* twists, size_t capacity, size_t stride_bytes, size_t* total);

/* The whole changing state, warm starts included. Restores into the same world, or one built by the same calls, here or in another
 * process of the same build; goes on bit for bit. */
vtb_status vtb_world_save(const vtb_world* world, void* buffer, size_t size, size_t* needed);
/* Takes a saved state; VTB_E_ARG if the bytes are damaged or the topology differs, and nothing is changed then.
 * @buffer array of size: the bytes */
vtb_status vtb_world_restore(vtb_world* world, const void* buffer, size_t size);

#endif
