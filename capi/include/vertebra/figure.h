/* figure.h - figures: skeletons in a world. */
#ifndef VTB_FIGURE_H
#define VTB_FIGURE_H

/* Parameters of this topic.
 * @figure: a figure of this world
 * @workspace: of the figure's skeleton and base
 */

/* Options of a figure. */
typedef enum vtb_figure_flag {
  VTB_FIGURE_FLAG_NO_MIMIC = 1,         /* mimic joints get coordinates of their own */
  VTB_FIGURE_FLAG_NO_SELF_COLLISION = 2 /* its links do not touch each other */
} vtb_figure_flag;
/* A figure. */
typedef struct vtb_figure_def {
  uint32_t struct_size;      /* sizeof the struct in the caller's program */
  uint32_t flags;            /* vtb_figure_flag bits [0]: options */
  vtb_skeleton* skeleton;    /* [NULL]: its model; the figure keeps it alive */
  double pose[7];            /* pose [identity]: root link frame in the world */
  double step;               /* s, >= 0 [0]: longest step of all its bodies, see vtb_body_set_integration; 0 = the world's */
  vtb_integrator integrator; /* [world]: of all its bodies */
  vtb_base base;             /* [default]: whether its root moves */
} vtb_figure_def;
vtb_status vtb_figure_def_init(vtb_figure_def* def, uint32_t struct_size);
/* Bodies, shapes, joints and couplings of a skeleton, at neutral coordinates. */
vtb_status vtb_figure_create(vtb_world* world, const vtb_figure_def* def, vtb_figure* out);
/* Destroys a figure with all its bodies, and with what was tied to them. */
vtb_status vtb_figure_destroy(vtb_world* world, vtb_figure figure);
/* Sizes.
 * @links: receives the number of links
 * @joints: receives the number of joints
 * @nq: receives the number of coordinates
 * @nv: receives the number of velocities */
vtb_status vtb_figure_get_size(const vtb_world* world, vtb_figure figure, int32_t* links, int32_t* joints, int32_t* nq, int32_t* nv);
/* Its model, for one more owner, who releases it.
 * @skeleton: receives it */
vtb_status vtb_figure_get_skeleton(const vtb_world* world, vtb_figure figure, vtb_skeleton** skeleton);
/* The body of a link.
 * @body: receives it */
vtb_status vtb_figure_get_body(const vtb_world* world, vtb_figure figure, int32_t link, vtb_body* body);
/* The joint of an index in the skeleton.
 * @joint: index of a joint of the skeleton */
vtb_status vtb_figure_get_joint(const vtb_world* world, vtb_figure figure, int32_t joint, vtb_joint* out);
/* Present coordinates.
 * @q array of capacity, rad or m, or NULL: receives nq coordinates */
vtb_status vtb_figure_get_q(const vtb_world* world, vtb_figure figure, double* q, size_t capacity, size_t* total);
/* Present velocities.
 * @v array of capacity, rad/s or m/s, or NULL: receives nv velocities */
vtb_status vtb_figure_get_v(const vtb_world* world, vtb_figure figure, double* v, size_t capacity, size_t* total);
/* Sets coordinates and velocities.
 * @q array of nq, rad or m, or NULL: the coordinates
 * @v array of nv, rad/s or m/s, or NULL: the velocities */
vtb_status vtb_figure_set_state(vtb_world* world, vtb_figure figure, const double* q, const double* v);
/* Link frames in the world, skeleton order. */
vtb_status vtb_figure_get_poses(const vtb_world* world, vtb_figure figure, double* poses, size_t capacity, size_t stride_bytes,
                                size_t* total);
/* Twists of the link frames, skeleton order, world axes. */
vtb_status vtb_figure_get_twists(const vtb_world* world, vtb_figure figure, double* twists, size_t capacity, size_t stride_bytes,
                                 size_t* total);
/* Position motors on all joint axes at once. Spherical joints get their orientation motor with the first axis' gains.
 * @q_target array of nq, rad or m: those of the base are ignored
 * @v_target array of nv, rad/s or m/s, or NULL: NULL = zero
 * @stiffness array of nv, N m/rad or N/m, or NULL: NULL = as they are
 * @damping array of nv, N m s/rad or N s/m, or NULL: NULL = as they are
 * @max_force array of nv, N m or N, or NULL: NULL = as they are */
vtb_status vtb_figure_set_motors(vtb_world* world, vtb_figure figure, const double* q_target, const double* v_target,
                                 const double* stiffness, const double* damping, const double* max_force);
/* The motors follow a clip from now on, joint by joint of the same name: before each step of the world their targets are set to where the
 * clip is at the step's end. Gains: vtb_figure_set_motors. VTB_E_ARG if no joint has the name of one of the clip's.
 * @motion or NULL: the clip; NULL = no more
 * @start s: time of the clip at the world's time 0
 * @speed 1: time of the clip per time of the world
 * @loop 0 or 1: round and round */
vtb_status vtb_figure_play(vtb_world* world, vtb_figure figure, vtb_motion* motion, double start, double speed, int32_t loop);
/* The clip that the figure follows moves its root too: a joint of type motor from any body (or the world) to the root link gets the clip's
 * root as its target, in the joint's frame in body_a, with the motors; its gains and bounds are the drive. VTB_E_ARG if the figure follows
 * none, is fixed, or the joint is another.
 * @joint: the joint; none = no more */
vtb_status vtb_figure_play_root(vtb_world* world, vtb_figure figure, vtb_joint joint);
/* Motors in torque mode, kept until set again; entries of the base are ignored. */
vtb_status vtb_figure_set_torques(vtb_world* world, vtb_figure figure, const double* tau);
/* What the drives gave in the last physics step.
 * @tau array of capacity, N m or N, or NULL: receives nv numbers, 0 for the base */
vtb_status vtb_figure_get_motor_forces(const vtb_world* world, vtb_figure figure, double* tau, size_t capacity, size_t* total);
/* A workspace of its skeleton and base, for the functions below and those of dynamics.h.
 * @out: receives it */
vtb_status vtb_figure_create_workspace(const vtb_world* world, vtb_figure figure, vtb_workspace** out);
/* As vtb_dynamics_mass_matrix, at the present state.
 * @matrix array of nv x nv, kg or kg m or kg m^2: receives the matrix, row-major */
vtb_status vtb_figure_mass_matrix(const vtb_world* world, vtb_figure figure, vtb_workspace* workspace, double* matrix);
/* As vtb_dynamics_bias, at the present state and under the world's gravity. */
vtb_status vtb_figure_bias(const vtb_world* world, vtb_figure figure, vtb_workspace* workspace, double* tau);
/* As vtb_dynamics_jacobian, at the present state, world axes.
 * @point m, or NULL: in the link frame; NULL = its origin
 * @jacobian array of 6 x nv, m or 1: receives the matrix, row-major */
vtb_status vtb_figure_jacobian(const vtb_world* world, vtb_figure figure, vtb_workspace* workspace, int32_t link, const double point[3],
                               double* jacobian);
/* Centre of mass and its velocity, world. VTB_E_UNSUPPORTED for a figure without mass.
 * @position m: receives the centre of mass
 * @velocity m/s: receives its velocity */
vtb_status vtb_figure_com(const vtb_world* world, vtb_figure figure, double position[3], double velocity[3]);
/* Energies of its bodies and joints now: armature moves too, springs of joints in trees are part of the potential energy, as in
 * vtb_world_get_energy.
 * @kinetic J, or NULL: receives the kinetic energy
 * @potential J, or NULL: receives the potential energy; gravity's part is zero at the origin */
vtb_status vtb_figure_get_energy(const vtb_world* world, vtb_figure figure, double* kinetic, double* potential);
/* Momentum of its bodies now.
 * @point m, or NULL: world; NULL = the figure's centre of mass
 * @linear N s, or NULL: receives the linear momentum, world axes
 * @angular N m s, or NULL: receives the angular momentum about the point, world axes */
vtb_status vtb_figure_get_momentum(const vtb_world* world, vtb_figure figure, const double point[3], double linear[3], double angular[3]);

#endif
