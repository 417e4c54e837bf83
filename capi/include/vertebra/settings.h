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
 * under ode, else 1; cycles that of the integrator under ode, else 1; springs and drives with gains on axes of trees as trees, where they
 * are stiff for the step 1 under impulse, drives under variational too; springs between two points (distances without limits) as trees
 * where they are mild for the step, else 1; dry friction and limits of axes 1; contacts 1, rolling 2 under variational. With free poses all
 * are 1. Errors measured: docs/notes/orders.md. */
typedef enum vtb_stepper {
  VTB_STEPPER_IMPULSE = 0,     /* velocities by impulses; smooth islands of trees to second order */
  VTB_STEPPER_VARIATIONAL = 1, /* symplectic: no drift of energy over long times, momenta kept; costs more a step */
  VTB_STEPPER_ODE = 2,         /* the trees' equations of motion under a vtb_integrator, impacts in between; see vtb_ode_settings */
  VTB_STEPPER_SPOOK = 3,       /* joints outside trees, couplings and contacts with a compliance and a relaxation time; first order */
  /* Free poses, moved by sweeps over positions: iterations, tolerance, order and relaxation of vtb_solver_settings are those of the
   * sweeps; where contacts alone tie bodies, up to five times as many sweeps more, of impulses. Its type must be pgs, friction_law the
   * cone, restitution_law Newton's; first order. */
  VTB_STEPPER_DISPLACEMENT = 4
} vtb_stepper;
/* What keeps joints outside trees together: those that close cycles, and all under VTB_WORLD_FLAG_FREE_POSES. */
typedef enum vtb_stabilisation {
  VTB_STABILISATION_NEWTON = 0,    /* their error is removed in the coordinates after each step */
  VTB_STABILISATION_BAUMGARTE = 1, /* a velocity against it: J v = -baumgarte * C */
  VTB_STABILISATION_NONE = 2       /* they drift */
} vtb_stabilisation;
/* Options of a world; ODE_* and DISPLACEMENT_* are those of the steppers of these names. */
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
  /* Penetration is removed by displacements (contact.correction, contact.speed), which give bodies no speed; else by velocities. Links of
   * figures that are deeper than a quarter of adaptive.depth get up to 0.2 m/s besides. Steppers impulse and variational. */
  VTB_WORLD_FLAG_CONTACT_POSITIONS = 1024,
  /* Stepper ode: joints outside trees and couplings hold in velocities, which meet them after each integration step; else at acceleration
   * level. */
  VTB_WORLD_FLAG_ODE_VELOCITY_BILATERAL = 2048,
  /* Stepper ode: contacts, limits and dry friction hold by impulses at the end of each physics step; else at acceleration level. */
  VTB_WORLD_FLAG_ODE_VELOCITY_UNILATERAL = 4096,
  /* Joints hold along their error, which keeps angular momentum while they are open but diverges where a light moment has a long arm; else
   * all held directions at once. */
  VTB_WORLD_FLAG_DISPLACEMENT_ALONG_ERRORS = 8192,
  /* Directions, arms and inverse masses of the predicted poses, for small turns; else the newest. */
  VTB_WORLD_FLAG_DISPLACEMENT_FROZEN = 16384,
  VTB_WORLD_FLAG_DISPLACEMENT_GYROSCOPIC = 32768, /* with what turning does to the angular momentum in the bodies' inertia */
  /* A step that leaves an island unsolved, so that its contacts or limits may give way, answers VTB_E_UNSOLVED; else VTB_OK, and `unsolved`
   * of vtb_world_stats and the log say so. It is made either way. */
  VTB_WORLD_FLAG_TELL_UNSOLVED = 65536
} vtb_world_flag;
/* How bodies bounce at restitution e. */
typedef enum vtb_restitution_law {
  VTB_RESTITUTION_LAW_NEWTON = 0, /* leaves at e times the speed it met; less where that would create energy */
  VTB_RESTITUTION_LAW_POISSON = 1 /* e times the impulse of compression follows it */
} vtb_restitution_law;

/* How joints are held. */
typedef struct vtb_joint_settings {
  vtb_tree_solver tree_solver;     /* [articulated]: how joints of trees are solved */
  vtb_stabilisation stabilisation; /* [newton]: what keeps joints outside trees together */
  double baumgarte;                /* 1/s, >= 0 [50]: rate of the stabilisation baumgarte */
} vtb_joint_settings;
/* How contacts, limits and other bounded rows are solved. */
typedef struct vtb_solver_settings {
  vtb_solver type;             /* [pgs]: by which solver */
  int32_t iterations;          /* 1 to 1000000 [50]: largest number of sweeps; of dantzig: passes over friction limits */
  vtb_sweep order;             /* [forward]: of the rows in a sweep of pgs */
  int32_t whole_contacts;      /* 0 or 1 [0]: sweeps solve a contact's three rows at once, exactly; else one after the other */
  int32_t accelerate;          /* 0 or 1 [1]: pgs adds conjugate directions, and for free bodies Newton's steps; else plain sweeps */
  int32_t friction_directions; /* 3 to 256 [8]: corners of lemke's polygon */
  /* m/s, >= 0 [1e-5]: at which sweeps end. Of limits and dry friction of joints beside contacts the mean over the masses that they move;
   * contacts then may approach by 1e-6 m more in a step, where that is more */
  double tolerance;
  double relaxation; /* 1, > 0 < 2 [1]: factor on each step of a sweep; above 1 friction may go round in circles */
} vtb_solver_settings;
/* How bodies touch. */
typedef struct vtb_contact_settings {
  double margin;                       /* m, >= 0 [0.01]: contacts are seen from this gap on, unless nothing can close it in a step */
  double slop;                         /* m, >= 0 [0]: penetration left alone */
  double correction;                   /* 1, 0 to 1 [0.2]: share of penetration removed in a step */
  double speed;                        /* m/s, >= 0 [1]: largest speed of that removal */
  double restitution_speed;            /* m/s, >= 0 [0.05]: an approach below this does not bounce */
  vtb_restitution_law restitution_law; /* [newton]: how bodies bounce */
  vtb_friction_law friction_law;       /* [cone]: how a contact's friction is bounded */
} vtb_contact_settings;
/* Caps on the velocity of any body. */
typedef struct vtb_speed_settings {
  double speed;         /* m/s, > 0 [1000]: of its centre of mass */
  double angular_speed; /* rad/s, > 0 [1000]: of its turning; a figure slows at the joint of the link that is too fast */
} vtb_speed_settings;
/* When an island sleeps. */
typedef struct vtb_sleep_settings {
  double speed;         /* m/s, >= 0 [0.01]: below which a body is idle */
  double angular_speed; /* rad/s, >= 0 [0.02]: below which a body is idle */
  double time;          /* s, >= 0 [0.5]: idle before an island sleeps */
} vtb_sleep_settings;
/* When a step is made again in shorter parts. */
typedef struct vtb_adaptive_settings {
  int32_t halvings; /* 0 to 20 [4]: largest number of halvings of a smooth island's step, by the defect of its energy; variational: five
                       more without a solution */
  /* 1 to 65536 [8]: a physics step that diverges or goes too deep is made again in two parts, these likewise, down to this share of it;
   * before_step is called for each, forces are told as means over all; 1 = never. Stepper spook: also
   * where its joints open by `depth`; displacement: where it diverges, or its sweeps leave joints, contacts or limits open by `depth` more
   * than before the step; ode: never */
  int32_t substeps;
  double depth; /* m, >= 0 [2e-3]: to which a contact may get deep in a step before that; one that is deeper, by an eighth of it */
  /* s, >= 0 [0]: of the clock for each step of vtb_world_step, beyond which nothing is made again, and rows are solved with at most eight
   * sweeps, which costs accuracy and equal runs; 0 = none */
  double time_budget;
} vtb_adaptive_settings;
/* Of the stepper spook. */
typedef struct vtb_spook_settings {
  double compliance; /* m/N or rad/(N m), >= 0 [1e-9]: of rows that are rigid by their own definition */
  double relaxation; /* s, >= 0 [0.01]: in which their error fades */
  double gamma;      /* m/(N s) or rad/(N m s), >= 0 [1e-9]: of velocity rows */
} vtb_spook_settings;
/* Of the stepper ode. */
typedef struct vtb_ode_settings {
  vtb_integrator integrator; /* except world [rk4]: its method */
  vtb_step_control control;  /* except taylor [fixed]: its steps; fixed ones are those of the physics step */
  double tolerance;          /* rad or m or rad/s or m/s, > 0 [1e-6]: largest error of an adaptive step in any of them */
  double smallest_step;      /* s, > 0 [1e-6]: of adaptive steps */
  /* m or rad, >= 0 [1e-4]: a contact or limit that a step passes farther takes its bodies back to where they met, and through the impact
   * there; 0 = none does, they are pushed out afterwards */
  double rollback_depth;
} vtb_ode_settings;
/* Of the stepper displacement; its sweeps are those of vtb_solver_settings. */
typedef struct vtb_displacement_settings {
  double regularisation; /* 1, >= 0 [0]: added to each row's inverse mass, as a share of it */
  /* 1, -1 or 0 to 1 [-1]: share of the last step's impulses that sweeps start from; at most 0.4 for what does more than push; -1 = 0.5
   * where only contacts act, else 0. Impacts throw figures about with any share */
  double warm_start;
} vtb_displacement_settings;
/* What the caller is told and asked. */
typedef struct vtb_callbacks {
  /* [NULL]: told of failures; with VTB_OK, of a call that left islands unsolved or cut speeds */
  void (*log)(void* user, vtb_status code, const char* text);
  /* [NULL]: called before each physics step */
  void (*before_step)(void* user, const vtb_world* world);
  /* [NULL]: called after each physics step that stands, its results in place; once for all parts that adaptive.substeps made of it */
  void (*after_step)(void* user, const vtb_world* world);
  int32_t (*filter)(void* user, const vtb_world* world, vtb_body a, vtb_body b); /* [NULL]: returns 0 to let a pair pass through */
  void* user;                                                                    /* [NULL]: handed to the callbacks */
} vtb_callbacks;

/* How a world is stepped. */
typedef struct vtb_world_def {
  uint32_t struct_size;                   /* sizeof the struct in the caller's program */
  uint32_t flags;                         /* vtb_world_flag bits [0]: options */
  double gravity[3];                      /* m/s^2 [0 0 -9.81]: acceleration of free fall, world axes */
  double time_step;                       /* s, > 0 [1/240]: length of one vtb_world_step */
  int32_t substeps;                       /* 1 to 1000000 [1]: physics steps in one vtb_world_step, each of time_step / substeps */
  vtb_stepper stepper;                    /* [impulse]: how time goes on */
  vtb_joint_settings joint;               /* how joints are held */
  vtb_solver_settings solver;             /* how contacts, limits and other bounded rows are solved */
  vtb_contact_settings contact;           /* how bodies touch */
  vtb_speed_settings max;                 /* caps on the velocity of any body */
  vtb_sleep_settings sleep;               /* when an island sleeps */
  vtb_adaptive_settings adaptive;         /* when a step is made again in shorter parts */
  vtb_spook_settings spook;               /* of the stepper spook */
  vtb_ode_settings ode;                   /* of the stepper ode */
  vtb_displacement_settings displacement; /* of the stepper displacement */
  vtb_callbacks callbacks;                /* what the caller is told and asked */
} vtb_world_def;
vtb_status vtb_world_def_init(vtb_world_def* def, uint32_t struct_size);

#endif
