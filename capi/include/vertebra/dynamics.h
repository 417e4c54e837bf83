/* dynamics.h - kinematics and dynamics of a skeleton in generalised coordinates, without a world. Frames: world axes. */
#ifndef VTB_DYNAMICS_H
#define VTB_DYNAMICS_H

/* Parameters of this topic.
 * @workspace: scratch memory of one skeleton, base and treatment of mimic joints; used by one thread at a time
 * @gravity m/s^2: world axes
 * @a array of nv, rad/s^2 or m/s^2: accelerations
 * @joint: index of a joint of the skeleton
 */

/* Whether a root moves. */
typedef enum vtb_base {
  VTB_BASE_DEFAULT = 0, /* as the file says */
  VTB_BASE_FIXED = 1,   /* fixed in the world */
  VTB_BASE_FLOATING = 2 /* moves freely */
} vtb_base;
/* Options of a workspace. */
typedef enum vtb_model_flag {
  VTB_MODEL_FLAG_NO_MIMIC = 1 /* mimic joints get coordinates of their own */
} vtb_model_flag;
/* A workspace fixes the base and the treatment of mimic joints, and with them the coordinates. It keeps its skeleton alive.
 * @base: of the root
 * @flags vtb_model_flag bits: options */
vtb_status vtb_workspace_create(vtb_skeleton* skeleton, vtb_base base, uint32_t flags, vtb_workspace** out);
/* Destroys a workspace.
 * @workspace or NULL: the workspace */
vtb_status vtb_workspace_destroy(vtb_workspace* workspace);
/* Numbers of coordinates and velocities.
 * @nq: receives the number of coordinates
 * @nv: receives the number of velocities */
vtb_status vtb_workspace_get_size(const vtb_workspace* workspace, int32_t* nq, int32_t* nv);
/* Name of one coordinate: the joint's, with a suffix where it has several. */
vtb_status vtb_workspace_get_q_name(const vtb_workspace* workspace, int32_t index, char* buffer, size_t size, size_t* needed);
/* Name of one velocity. */
vtb_status vtb_workspace_get_v_name(const vtb_workspace* workspace, int32_t index, char* buffer, size_t size, size_t* needed);
/* Where a joint's coordinates are; -1 where it has none: fixed, mimic, loop.
 * @q_index: receives the index of its first coordinate
 * @v_index: receives the index of its first velocity */
vtb_status vtb_workspace_get_joint(const vtb_workspace* workspace, int32_t joint, int32_t* q_index, int32_t* v_index);
/* Neutral coordinates: zero angles, unit quaternions. */
vtb_status vtb_workspace_neutral(const vtb_workspace* workspace, double* q);
/* Coordinates after a time at constant velocities.
 * @dt s: the time
 * @q_out array of nq, rad or m: receives the coordinates */
vtb_status vtb_workspace_integrate(const vtb_workspace* workspace, const double* q, const double* v, double dt, double* q_out);
/* The velocities that take q0 to q1 in unit time.
 * @q0 array of nq, rad or m: coordinates to start from
 * @q1 array of nq, rad or m: coordinates to arrive at
 * @v_out array of nv, rad/s or m/s: receives the velocities */
vtb_status vtb_workspace_difference(const vtb_workspace* workspace, const double* q0, const double* q1, double* v_out);
/* Coordinates and velocities of a motion at a time, by joint name.
 * @time s: from the first frame
 * @q array of nq, rad or m, or NULL: receives the coordinates
 * @v array of nv, rad/s or m/s, or NULL: receives the velocities
 * @found or NULL: receives the number of joints matched by name */
vtb_status vtb_workspace_from_motion(vtb_workspace* workspace, const vtb_motion* motion, double time, double* q, double* v, int32_t* found);

/* Poses of the link frames, skeleton order. */
vtb_status vtb_dynamics_poses(vtb_workspace* workspace, const double* q, double* poses, size_t capacity, size_t stride_bytes,
                              size_t* total);
/* Twists of the link frames, skeleton order. */
vtb_status vtb_dynamics_twists(vtb_workspace* workspace, const double* q, const double* v, double* twists, size_t capacity,
                               size_t stride_bytes, size_t* total);
/* Jacobian of a point fixed in a link: rows linear, then angular velocity.
 * @point m, or NULL: in the link frame; NULL = its origin
 * @jacobian array of 6 x nv, m or 1: receives the matrix, row-major */
vtb_status vtb_dynamics_jacobian(vtb_workspace* workspace, const double* q, int32_t link, const double point[3], double* jacobian);
/* Mass matrix.
 * @matrix array of nv x nv, kg or kg m or kg m^2: receives the matrix, row-major */
vtb_status vtb_dynamics_mass_matrix(vtb_workspace* workspace, const double* q, double* matrix);
/* Generalised forces at rest acceleration: Coriolis and centrifugal forces and gravity. */
vtb_status vtb_dynamics_bias(vtb_workspace* workspace, const double* q, const double* v, const double gravity[3], double* tau);
/* Generalised forces that hold the figure still against gravity alone. */
vtb_status vtb_dynamics_gravity(vtb_workspace* workspace, const double* q, const double gravity[3], double* tau);
/* Inverse dynamics: tau = M a + bias. */
vtb_status vtb_dynamics_inverse(vtb_workspace* workspace, const double* q, const double* v, const double* a, const double gravity[3],
                                double* tau);
/* Forward dynamics: M a + bias = tau. VTB_E_UNSUPPORTED names a link whose joints move no inertia. */
vtb_status vtb_dynamics_forward(vtb_workspace* workspace, const double* q, const double* v, const double* tau, const double gravity[3],
                                double* a);
/* Centre of mass and its velocity. VTB_E_UNSUPPORTED for a figure without mass.
 * @position m: receives the centre of mass, world
 * @velocity m/s: receives its velocity, world axes */
vtb_status vtb_dynamics_com(vtb_workspace* workspace, const double* q, const double* v, double position[3], double velocity[3]);
/* Momentum.
 * @momentum N s or N m s: receives the linear momentum, then the angular momentum about the centre of mass, world axes */
vtb_status vtb_dynamics_momentum(vtb_workspace* workspace, const double* q, const double* v, double momentum[6]);
/* Energies.
 * @kinetic J: receives the kinetic energy
 * @potential J: receives the potential energy; zero at the world origin's height */
vtb_status vtb_dynamics_energy(vtb_workspace* workspace, const double* q, const double* v, const double gravity[3], double* kinetic,
                               double* potential);

#endif
