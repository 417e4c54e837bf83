/* objects.h - what a world holds, listed and read back: every kind of thing, what it was made from, its name and a number of the caller's.
 * Lists are in the order of the handles' numbers, which is that of making; a number that was freed is used again. */
#ifndef VTB_OBJECTS_H
#define VTB_OBJECTS_H

/* Parameters of this topic.
 * @out array of capacity, or NULL: receives the things
 * @coupling: a coupling of this world
 * @field: a field of this world
 * @sensor: a sensor of this world
 * @kind: what it is
 * @bits: the number of its handle
 */

/* All shapes. */
vtb_status vtb_world_get_shapes(const vtb_world* world, vtb_shape* out, size_t capacity, size_t* total);
/* All joints, those of figures and rotors too. */
vtb_status vtb_world_get_joints(const vtb_world* world, vtb_joint* out, size_t capacity, size_t* total);
/* All couplings. */
vtb_status vtb_world_get_couplings(const vtb_world* world, vtb_coupling* out, size_t capacity, size_t* total);
/* All constraints: users', parts of drivelines, over points. */
vtb_status vtb_world_get_constraints(const vtb_world* world, vtb_constraint* out, size_t capacity, size_t* total);
/* All force fields. */
vtb_status vtb_world_get_fields(const vtb_world* world, vtb_field* out, size_t capacity, size_t* total);
/* All particle systems. */
vtb_status vtb_world_get_particles(const vtb_world* world, vtb_particles* out, size_t capacity, size_t* total);
/* All figures. */
vtb_status vtb_world_get_figures(const vtb_world* world, vtb_figure* out, size_t capacity, size_t* total);
/* All sensors. */
vtb_status vtb_world_get_sensors(const vtb_world* world, vtb_sensor* out, size_t capacity, size_t* total);
/* Shapes of a body.
 * @body: whose; none = those of the world itself */
vtb_status vtb_body_get_shapes(const vtb_world* world, vtb_body body, vtb_shape* out, size_t capacity, size_t* total);
/* Joints of which a body is one end.
 * @body: whose; none = those with the world itself */
vtb_status vtb_body_get_joints(const vtb_world* world, vtb_body body, vtb_joint* out, size_t capacity, size_t* total);

/* Kind, mass, settings, present pose and twist.
 * @out: receives them */
vtb_status vtb_body_get_def(const vtb_world* world, vtb_body body, vtb_body_def* out);
/* Type, size, pose, parent, surface, filter, colour; numbers of points, triangles and samples, with pointers that are NULL.
 * @out: receives them */
vtb_status vtb_shape_get_def(const vtb_world* world, vtb_shape shape, vtb_shape_def* out);
/* What it may collide with.
 * @category or NULL: receives the bits it belongs to
 * @mask or NULL: receives the bits it collides with */
vtb_status vtb_shape_get_filter(const vtb_world* world, vtb_shape shape, uint32_t* category, uint32_t* mask);
/* Type, bodies, frames, axes, what it holds and how; vtb_joint_get_axis and vtb_joint_get_motor say more of its axes.
 * @out: receives them */
vtb_status vtb_joint_get_def(const vtb_world* world, vtb_joint joint, vtb_joint_def* out);
/* How many numbers its state has.
 * @nq or NULL: receives the number of coordinates
 * @nv or NULL: receives the number of velocities */
vtb_status vtb_joint_get_size(const vtb_world* world, vtb_joint joint, int32_t* nq, int32_t* nv);
/* Its frames on both bodies, in the world. VTB_E_ARG for a rotor, which has none.
 * @frame_a pose, or NULL: receives that on body_a
 * @frame_b pose, or NULL: receives that on body_b */
vtb_status vtb_joint_get_world_frames(const vtb_world* world, vtb_joint joint, double frame_a[7], double frame_b[7]);
/* What each velocity turns about or slides along, body_b against body_a: unit vectors in the world. VTB_E_ARG for a rotor.
 * @axes array of capacity x 3, 1, or NULL: receives three numbers for each velocity */
vtb_status vtb_joint_get_world_axes(const vtb_world* world, vtb_joint joint, double* axes, size_t capacity, size_t* total);
/* Offset, level, softness, bound and number of terms; its joints are in the terms.
 * @out: receives them */
vtb_status vtb_coupling_get_def(const vtb_world* world, vtb_coupling coupling, vtb_coupling_def* out);
/* Its joints' axes with their coefficients. */
vtb_status vtb_coupling_get_terms(const vtb_world* world, vtb_coupling coupling, vtb_coupling_term* out, size_t capacity, size_t* total);
/* Type and numbers; bodies are counted; callbacks are NULL.
 * @out: receives them */
vtb_status vtb_field_get_def(const vtb_world* world, vtb_field field, vtb_field_def* out);
/* Type, body or joint, site, axes and region.
 * @out: receives them */
vtb_status vtb_sensor_get_def(const vtb_world* world, vtb_sensor sensor, vtb_sensor_def* out);

/* Gives a thing a name, unique among its kind and without blanks; saved scenes hold it. VTB_E_ARG where the name is taken, for a thing of a
 * scene, which keeps the scene's name, and for a part of a figure, which has the name of its link or joint.
 * @name or NULL: UTF-8; NULL or "" = none */
vtb_status vtb_world_set_name(vtb_world* world, vtb_named kind, uint64_t bits, const char* name);
/* The name of a thing; "" where it has none. A body or joint of a figure is FIGURE/LINK or FIGURE/JOINT, by which it is found too; only
 * LINK or JOINT where the figure has no name. */
vtb_status vtb_world_get_name_of(const vtb_world* world, vtb_named kind, uint64_t bits, char* buffer, size_t size, size_t* needed);
/* Keeps a number of the caller's beside a thing; it is no part of snapshots and scenes.
 * @value: the number */
vtb_status vtb_world_set_user_value(vtb_world* world, vtb_named kind, uint64_t bits, uint64_t value);
/* The number of the caller's; 0 until it is set.
 * @value: receives the number */
vtb_status vtb_world_get_user_value(const vtb_world* world, vtb_named kind, uint64_t bits, uint64_t* value);

/* The body of a name. VTB_E_ARG if there is none, VTB_E_STALE if it was destroyed; likewise below.
 * @out: receives the handle */
vtb_status vtb_world_find_body(const vtb_world* world, const char* name, vtb_body* out);
/* The shape of a name.
 * @out: receives the handle */
vtb_status vtb_world_find_shape(const vtb_world* world, const char* name, vtb_shape* out);
/* The joint of a name.
 * @out: receives the handle */
vtb_status vtb_world_find_joint(const vtb_world* world, const char* name, vtb_joint* out);
/* The coupling of a name.
 * @out: receives the handle */
vtb_status vtb_world_find_coupling(const vtb_world* world, const char* name, vtb_coupling* out);
/* The constraint of a name.
 * @out: receives the handle */
vtb_status vtb_world_find_constraint(const vtb_world* world, const char* name, vtb_constraint* out);
/* The force field of a name.
 * @out: receives the handle */
vtb_status vtb_world_find_field(const vtb_world* world, const char* name, vtb_field* out);
/* The particle system of a name.
 * @out: receives the handle */
vtb_status vtb_world_find_particles(const vtb_world* world, const char* name, vtb_particles* out);
/* The figure of a name.
 * @out: receives the handle */
vtb_status vtb_world_find_figure(const vtb_world* world, const char* name, vtb_figure* out);
/* The sensor of a name.
 * @out: receives the handle */
vtb_status vtb_world_find_sensor(const vtb_world* world, const char* name, vtb_sensor* out);

#endif
