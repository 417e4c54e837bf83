/* settings.h - how a world is stepped. */
#ifndef VTB_SETTINGS_H
#define VTB_SETTINGS_H

/* How joints of trees are solved. */
typedef enum vtb_tree_solver {
  VTB_TREE_SOLVER_ARTICULATED = 0, /* recursions over articulated bodies */
  VTB_TREE_SOLVER_SPARSE = 1,      /* a sparse factorisation of the mass matrix */
  VTB_TREE_SOLVER_DENSE = 2        /* a dense factorisation of the mass matrix */
} vtb_tree_solver;
/* How contacts, limits and other bounded rows are solved. */
typedef enum vtb_solver {
  VTB_SOLVER_PGS = 0,     /* sweeps of projected Gauss-Seidel */
  VTB_SOLVER_DANTZIG = 1, /* directly, by Dantzig's pivots */
  VTB_SOLVER_JACOBI = 2,  /* sweeps of Jacobi */
  VTB_SOLVER_CG = 3,      /* conjugate gradients on sweeps */
  VTB_SOLVER_LEMKE = 4    /* directly, by Lemke's pivots; friction is a polygon in the cone */
} vtb_solver;
/* Order of the rows in a sweep of pgs. */
typedef enum vtb_sweep {
  VTB_SWEEP_FORWARD = 0,   /* first to last */
  VTB_SWEEP_BACKWARD = 1,  /* last to first */
  VTB_SWEEP_SYMMETRIC = 2, /* there and back in turn */
  VTB_SWEEP_SHUFFLED = 3   /* shuffled, alike in every run */
} vtb_sweep;
/* How a contact's friction is bounded by its normal force n. */
typedef enum vtb_friction_law {
  VTB_FRICTION_LAW_CONE = 0,                  /* a disc of radius mu n */
  VTB_FRICTION_LAW_PYRAMID = 1,               /* mu n along each of two tangents that the normal fixes */
  VTB_FRICTION_LAW_PYRAMID_ALONG_SLIDING = 2, /* the same with the first tangent along the sliding */
  VTB_FRICTION_LAW_POLYHEDRAL = 3,            /* a polygon in the disc, under VTB_SOLVER_LEMKE; the disc under other solvers */
  VTB_FRICTION_LAW_ESTIMATED = 4,             /* a box from the normal forces of a solution without friction */
  VTB_FRICTION_LAW_LOETSTEDT = 5              /* a box from the last step's normal forces */
} vtb_friction_law;
/* How time goes on. Order of accuracy in the step's length, by construct: trees 2 under impulse and variational, that of the integrator
 * under ode, else 1; cycles and drives with gains that of the integrator under ode, else 1; springs on axes of trees as trees, where they
 * are stiff for the step 1 under impulse; springs between bodies 1; contacts 1, rolling 2 under variational. With free poses all are 1.
 * Errors measured: docs/notes/orders.md. */
typedef enum vtb_stepper {
  VTB_STEPPER_IMPULSE = 0,     /* velocities by impulses; smooth islands of trees to second order */
  VTB_STEPPER_VARIATIONAL = 1, /* symplectic: no drift of energy over long times, momenta kept; costs more a step */
  VTB_STEPPER_ODE = 2,         /* the trees' equations of motion under a vtb_integrator, impacts in between; see ode_* */
  VTB_STEPPER_SPOOK = 3,       /* joints outside trees, couplings and contacts with a compliance and a relaxation time; first order */
  /* Free poses, moved by sweeps over positions: solver_iterations, solver_tolerance, solver_order and solver_relaxation are those of the
   * sweeps; solver must be pgs, friction_law the cone, restitution_law Newton's; first order. */
  VTB_STEPPER_DISPLACEMENT = 4
} vtb_stepper;
/* Options of VTB_STEPPER_DISPLACEMENT. */
typedef enum vtb_displacement_flag {
  VTB_DISPLACEMENT_FLAG_BLOCKS = 1,    /* joints' held directions all at once; else along their error, which keeps angular momentum */
  VTB_DISPLACEMENT_FLAG_FROZEN = 2,    /* directions, arms and inverse masses of the predicted poses, for small turns; else the newest */
  VTB_DISPLACEMENT_FLAG_GYROSCOPIC = 4 /* with what turning does to the angular momentum in the bodies' inertia */
} vtb_displacement_flag;
/* What keeps joints outside trees together: those that close cycles, and all under VTB_WORLD_FLAG_FREE_POSES. */
typedef enum vtb_stabilisation {
  VTB_STABILISATION_NEWTON = 0,    /* their error is removed in the coordinates after each step */
  VTB_STABILISATION_BAUMGARTE = 1, /* a velocity against it: J v = -baumgarte * C */
  VTB_STABILISATION_NONE = 2       /* they drift */
} vtb_stabilisation;
/* Options of a world. */
typedef enum vtb_world_flag {
  VTB_WORLD_FLAG_NO_SLEEP = 1,             /* islands at rest are stepped like others; else they are skipped */
  VTB_WORLD_FLAG_NO_ENERGY_CORRECTION = 2, /* smooth islands keep the error of their energy; else they are corrected */
  VTB_WORLD_FLAG_ENERGY_ACCOUNT = 4,       /* keep the work and loss accounts of vtb_world_get_energy */
  /* Each body keeps a pose of its own and every joint is a constraint between two: the form that the literature on maximal coordinates
   * studies; slower, and joints drift by what the stabilisation leaves. A body without mass goes with the one that it is fixed to. */
  VTB_WORLD_FLAG_FREE_POSES = 8,
  VTB_WORLD_FLAG_PERSIST_EVENTS = 64, /* contact events also for pairs that go on touching, one a physics step */
  VTB_WORLD_FLAG_NO_CONTINUOUS = 128, /* no search for impacts of fast bodies within a step: they may pass through thin things */
  /* Free bodies keep their height y and turn about y alone, from the pose they were created in: they have three coordinates. Figures and
   * joints must have axes that fit. */
  VTB_WORLD_FLAG_PLANAR = 256,
  VTB_WORLD_FLAG_STAGE_TIMES = 512, /* read the clock between the stages of a step, for vtb_world_stats */
  /* Penetration is removed by displacements (contact_correction, contact_speed), which give bodies no speed; else by velocities. Steppers
   * impulse and variational. */
  VTB_WORLD_FLAG_CONTACT_POSITIONS = 1024
} vtb_world_flag;
/* How bodies bounce at restitution e. */
typedef enum vtb_restitution_law {
  VTB_RESTITUTION_LAW_NEWTON = 0, /* leaves at e times the speed it met; less where that would create energy */
  VTB_RESTITUTION_LAW_POISSON = 1 /* e times the impulse of compression follows it */
} vtb_restitution_law;
/* Which rows the stepper ode holds in velocities; between impacts all others hold at acceleration level. */
typedef enum vtb_ode_velocity_flag {
  VTB_ODE_VELOCITY_FLAG_BILATERAL = 1, /* joints outside trees and couplings: velocities that meet them after each integration step */
  VTB_ODE_VELOCITY_FLAG_UNILATERAL = 2 /* contacts, limits and dry friction: impulses at the end of each physics step */
} vtb_ode_velocity_flag;

/* How a world is stepped. */
typedef struct vtb_world_def {
  uint32_t struct_size;            /* sizeof the struct in the caller's program */
  uint32_t flags;                  /* vtb_world_flag bits [0]: options */
  double gravity[3];               /* m/s^2 [0 0 -9.81]: acceleration of free fall, world axes */
  double time_step;                /* s, > 0 [1/240]: length of one vtb_world_step */
  int32_t substeps;                /* 1 to 1000000 [1]: physics steps in one vtb_world_step, each of time_step / substeps */
  vtb_stepper stepper;             /* [impulse]: how time goes on */
  vtb_tree_solver tree_solver;     /* [articulated]: how joints of trees are solved */
  vtb_stabilisation stabilisation; /* [newton]: what keeps joints outside trees together */
  double baumgarte;                /* 1/s, >= 0 [50]: rate of the stabilisation baumgarte */

  vtb_solver solver;             /* [pgs]: how contacts, limits and other bounded rows are solved */
  int32_t solver_iterations;     /* 1 to 1000000 [50]: largest number of sweeps; of dantzig: passes over friction limits */
  double solver_tolerance;       /* m/s, >= 0 [1e-5]: at which sweeps end */
  double solver_relaxation;      /* 1, > 0 < 2 [1]: factor on each step of a sweep; above 1 friction may go round in circles */
  vtb_sweep solver_order;        /* [forward]: of the rows in a sweep of pgs */
  int32_t solver_whole_contacts; /* 0 or 1 [0]: sweeps solve a contact's three rows at once, exactly; else one after the other */
  int32_t solver_accelerate;     /* 0 or 1 [1]: pgs adds conjugate directions, and for free bodies Newton's steps; else plain sweeps */
  vtb_friction_law friction_law; /* [cone]: how a contact's friction is bounded */
  int32_t friction_directions;   /* 3 to 256 [8]: corners of lemke's polygon */

  vtb_restitution_law restitution_law; /* [newton]: how bodies bounce */
  double restitution_speed;            /* m/s, >= 0 [0.05]: an approach below this does not bounce */
  double contact_margin;               /* m, >= 0 [0.01]: contacts are seen from this gap on, unless nothing can close it in a step */
  double contact_slop;                 /* m, >= 0 [0]: penetration left alone */
  double contact_correction;           /* 1, 0 to 1 [0.2]: share of penetration removed in a step */
  double contact_speed;                /* m/s, >= 0 [1]: largest speed of that removal */
  double max_speed;                    /* m/s, > 0 [1000]: cap on any body */
  double max_angular_speed;            /* rad/s, > 0 [1000]: cap on any body */

  double sleep_speed;         /* m/s, >= 0 [0.01]: below which a body is idle */
  double sleep_angular_speed; /* rad/s, >= 0 [0.02]: below which a body is idle */
  double sleep_time;          /* s, >= 0 [0.5]: idle before an island sleeps */

  int32_t max_halvings; /* 0 to 20 [4]: of a smooth island's step */
  /* 1 to 65536 [1]: a physics step that diverges or goes too deep is made again in two parts, these likewise, down to this share of it;
   * before_step is called for each; 1 = never */
  int32_t adaptive_substeps;
  double adaptive_depth; /* m, >= 0 [1e-3]: by which a contact may get deeper in a step before that */
  /* s, >= 0 [0]: of the clock for each step of vtb_world_step, beyond which nothing is made again, and rows are solved with at most eight
   * sweeps, which costs accuracy and equal runs; 0 = none */
  double time_budget;

  double spook_compliance; /* m/N or rad/(N m), >= 0 [1e-9]: stepper spook: of rows that are rigid by their own definition */
  double spook_relaxation; /* s, >= 0 [0.01]: stepper spook: in which their error fades */
  double spook_gamma;      /* m/(N s) or rad/(N m s), >= 0 [1e-9]: stepper spook: of velocity rows */

  uint32_t ode_velocity_flags;   /* vtb_ode_velocity_flag bits [0]: stepper ode: rows held in velocities */
  vtb_integrator ode_integrator; /* except world [rk4]: stepper ode: its method */
  vtb_step_control ode_control;  /* except taylor [fixed]: stepper ode: its steps; fixed ones are those of the physics step */
  uint32_t displacement_flags;   /* vtb_displacement_flag bits [0]: options of the stepper displacement */
  double ode_tolerance;          /* rad or m or rad/s or m/s, > 0 [1e-6]: stepper ode: largest error of an adaptive step in any of them */
  double ode_smallest_step;      /* s, > 0 [1e-6]: stepper ode: of adaptive steps */
  /* m or rad, >= 0 [1e-4]: stepper ode: a contact or limit that a step passes farther takes its bodies back to where they met, and through
   * the impact there; 0 = none does, they are pushed out afterwards */
  double ode_rollback_depth;
  double displacement_regularisation; /* 1, >= 0 [0]: stepper displacement: added to each row's inverse mass, as a share of it */
  /* 1, -1 or 0 to 1 [-1]: stepper displacement: share of the last step's impulses that sweeps start from; at most 0.4 for what does more
   * than push; -1 = 0.8 where only contacts act, else 0. Impacts throw figures about with any share */
  double displacement_warm_start;

  void (*log)(void* user, vtb_status code, const char* text);                    /* [NULL]: told of failures */
  void (*before_step)(void* user, const vtb_world* world);                       /* [NULL]: called before each physics step */
  int32_t (*filter)(void* user, const vtb_world* world, vtb_body a, vtb_body b); /* [NULL]: returns 0 to let a pair pass through */
  void* user;                                                                    /* [NULL]: handed to the callbacks */
} vtb_world_def;
vtb_status vtb_world_def_init(vtb_world_def* def, uint32_t struct_size);

#endif
