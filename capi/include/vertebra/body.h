/* body.h - rigid bodies: poses, twists, mass, forces. */
#ifndef VTB_BODY_H
#define VTB_BODY_H

/* Parameters of this topic.
 * @pose pose: link frame in the world
 * @twist twist: of the link frame's origin, world axes
 * @mass kg, >= 0: of the body
 * @com m: centre of mass, link frame
 * @inertia kg m^2: xx, xy, xz, yy, yz, zz about the centre of mass, link axes
 * @force N: world axes
 * @torque N m: world axes
 * @point m, or NULL: world; NULL = the centre of mass
 * @duration: how long it acts
 * @integrator: its method under the stepper ode
 * @kinetic J, or NULL: receives the kinetic energy
 * @potential J, or NULL: receives the potential energy; gravity's part is zero at the origin
 * @linear N s, or NULL: receives the linear momentum, world axes
 * @angular N m s, or NULL: receives the angular momentum about the point, world axes
 */

/* What moves a body. */
typedef enum vtb_body_kind {
  VTB_BODY_KIND_STATIC = 0,    /* nothing */
  VTB_BODY_KIND_KINEMATIC = 1, /* its velocity */
  VTB_BODY_KIND_DYNAMIC = 2    /* physics */
} vtb_body_kind;
/* A body. */
typedef struct vtb_body_def {
  uint32_t struct_size;      /* sizeof the struct in the caller's program */
  vtb_body_kind kind;        /* [dynamic]: what moves it */
  double pose[7];            /* pose [identity]: link frame in the world */
  double twist[6];           /* twist [0]: of the link frame's origin, world axes; of a static body 0 */
  double mass;               /* kg, >= 0 [1]: of a dynamic body positive */
  double com[3];             /* m [0]: centre of mass, link frame */
  double inertia[6];         /* kg m^2 [0.01 0 0 0.01 0 0.01]: xx, xy, xz, yy, yz, zz about the centre of mass, link axes */
  double gravity_scale;      /* 1 [1]: share of gravity it feels */
  double step;               /* s, >= 0 [0]: its longest step, see vtb_body_set_integration; 0 = the world's */
  vtb_integrator integrator; /* [world]: its method under the stepper ode */
  int32_t disabled;          /* 0 or 1 [0]: kept, but takes no part */
} vtb_body_def;
vtb_status vtb_body_def_init(vtb_body_def* def, uint32_t struct_size);
/* A body of its own; shapes and joints come after it. */
vtb_status vtb_body_create(vtb_world* world, const vtb_body_def* def, vtb_body* out);
/* Destroys a body, its shapes and joints with it; not for bodies of a figure. */
vtb_status vtb_body_destroy(vtb_world* world, vtb_body body);
/* Link frame in the world. */
vtb_status vtb_body_get_pose(const vtb_world* world, vtb_body body, double pose[7]);
/* Moves a body. A jointed one is projected on its joints: the nearest pose its own joint's coordinates can give, and what hangs on it
 * follows.
 * @residual m or rad, or NULL: receives the distance, then the angle that remain */
vtb_status vtb_body_set_pose(vtb_world* world, vtb_body body, const double pose[7], double residual[2]);
/* Velocity of the link frame's origin, and angular velocity. */
vtb_status vtb_body_get_twist(const vtb_world* world, vtb_body body, double twist[6]);
/* Sets the velocity. A jointed body takes the nearest twist its own joint allows.
 * @residual m/s or rad/s, or NULL: receives the linear, then the angular velocity that remain */
vtb_status vtb_body_set_twist(vtb_world* world, vtb_body body, const double twist[6], double residual[2]);
/* Acceleration in the last step.
 * @acceleration m/s^2 or rad/s^2: receives that of the link frame's origin, then the angular one; world axes */
vtb_status vtb_body_get_acceleration(const vtb_world* world, vtb_body body, double acceleration[6]);
/* Kinematic bodies: reach the pose after the given time, at constant twist, then stand still.
 * @seconds s, > 0: the time */
vtb_status vtb_body_move_to(vtb_world* world, vtb_body body, const double pose[7], double seconds);
/* What moves it.
 * @kind: receives the kind */
vtb_status vtb_body_get_kind(const vtb_world* world, vtb_body body, vtb_body_kind* kind);
/* Changes what moves it, between steps; a body made static stands still from then on.
 * @kind: the kind */
vtb_status vtb_body_set_kind(vtb_world* world, vtb_body body, vtb_body_kind kind);
/* Whether it takes part.
 * @enabled 0 or 1: receives 1 unless it is disabled */
vtb_status vtb_body_get_enabled(const vtb_world* world, vtb_body body, int32_t* enabled);
/* A disabled body is kept with its shapes and joints, but takes no part.
 * @enabled 0 or 1: whether it takes part */
vtb_status vtb_body_set_enabled(vtb_world* world, vtb_body body, int32_t enabled);
/* Whether its island is awake.
 * @awake 0 or 1: receives 0 while its island sleeps */
vtb_status vtb_body_get_awake(const vtb_world* world, vtb_body body, int32_t* awake);
/* Wakes its island. */
vtb_status vtb_body_wake(vtb_world* world, vtb_body body);
/* Mass, centre of mass and inertia. */
vtb_status vtb_body_get_mass(const vtb_world* world, vtb_body body, double* mass, double com[3], double inertia[6]);
/* Sets mass, centre of mass and inertia; VTB_E_ARG for an inertia that no body has. */
vtb_status vtb_body_set_mass(vtb_world* world, vtb_body body, double mass, const double com[3], const double inertia[6]);
/* Mass, centre of mass and inertia from its shapes, at a density or scaled to a mass. Planes, compounds and open meshes are refused.
 * @density kg/m^3, >= 0: of all shapes; 0 = so that they have the mass */
vtb_status vtb_body_set_mass_from_shapes(vtb_world* world, vtb_body body, double density, double mass);
/* A longest step and an integrator of its own. All that contacts, joints and constraints tie to the body goes with it: the finest step
 * counts, and of integrators implicit Euler, then the highest order. Groups that meet go on together, groups that part return each to its
 * own. Under impulse and SPOOK a step is made in the fewest parts that are short enough, a power of two up to 1024, each with its
 * collisions; forces told are then those of the last part, callbacks and events those of whole steps. Under ode it is the step, or the
 * longest adaptive one, of the integrator; groups whose integrator has no embedded pair double steps in its place. VTB_E_UNSUPPORTED under
 * other steppers, and for an integrator under other steppers than ode.
 * @step s, >= 0: its longest; 0 = the world's */
vtb_status vtb_body_set_integration(vtb_world* world, vtb_body body, double step, vtb_integrator integrator);
/* What the body asks for itself.
 * @step s, or NULL: receives the longest step; 0 = the world's
 * @integrator or NULL: receives the integrator */
vtb_status vtb_body_get_integration(const vtb_world* world, vtb_body body, double* step, vtb_integrator* integrator);
/* How long a force acts. */
typedef enum vtb_duration {
  VTB_DURATION_ONE_STEP = 0,     /* one whole vtb_world_step, substeps included */
  VTB_DURATION_UNTIL_CLEARED = 1 /* until vtb_body_clear_forces */
} vtb_duration;
/* Adds a force at a point. */
vtb_status vtb_body_add_force(vtb_world* world, vtb_body body, const double force[3], const double point[3], vtb_duration duration);
/* Adds a torque. */
vtb_status vtb_body_add_torque(vtb_world* world, vtb_body body, const double torque[3], vtb_duration duration);
/* Adds an impulse at a point; it acts with the next step.
 * @impulse N s: world axes */
vtb_status vtb_body_add_impulse(vtb_world* world, vtb_body body, const double impulse[3], const double point[3]);
/* Takes back all forces, torques and impulses. */
vtb_status vtb_body_clear_forces(vtb_world* world, vtb_body body);
/* What the next step will apply, gravity aside: force, and torque about the centre of mass. */
vtb_status vtb_body_get_forces(const vtb_world* world, vtb_body body, double force[3], double torque[3]);
/* Its energies now: of its motion; of gravity and of callers' fields that tell a potential. 0 unless it moves by physics. What joints
 * hold (springs, armature) is no body's: vtb_figure_get_energy. */
vtb_status vtb_body_get_energy(const vtb_world* world, vtb_body body, double* kinetic, double* potential);
/* Its momentum now; 0 unless it moves by physics. */
vtb_status vtb_body_get_momentum(const vtb_world* world, vtb_body body, const double point[3], double linear[3], double angular[3]);

#endif
