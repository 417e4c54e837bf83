/* objects.h - what a world holds, listed and read back: every kind of thing, what it was made from, its name and the caller's number.
 *
 * Lists are in the order of making (a number freed by destruction is used again). A def that is read back has struct_size set by the caller;
 * the pointers in it are NULL and its counts say how much there is. */
#ifndef VTB_OBJECTS_H
#define VTB_OBJECTS_H
#include "vertebra/vertebra.h"

vtb_status vtb_world_get_shapes(const vtb_world* world, vtb_shape* out, size_t capacity, size_t* total);
/* Joints of figures too; rotors too. */
vtb_status vtb_world_get_joints(const vtb_world* world, vtb_joint* out, size_t capacity, size_t* total);
vtb_status vtb_world_get_couplings(const vtb_world* world, vtb_coupling* out, size_t capacity, size_t* total);
/* Users' constraints, parts of drivelines, constraints over points. */
vtb_status vtb_world_get_constraints(const vtb_world* world, vtb_constraint* out, size_t capacity, size_t* total);
vtb_status vtb_world_get_fields(const vtb_world* world, vtb_field* out, size_t capacity, size_t* total);
vtb_status vtb_world_get_particles(const vtb_world* world, vtb_particles* out, size_t capacity, size_t* total);
vtb_status vtb_world_get_figures(const vtb_world* world, vtb_figure* out, size_t capacity, size_t* total);
/* Shapes of a body; body none: those of the world itself. */
vtb_status vtb_body_get_shapes(const vtb_world* world, vtb_body body, vtb_shape* out, size_t capacity, size_t* total);
/* Joints of which a body is body_a or body_b; body none: those with the world itself. */
vtb_status vtb_body_get_joints(const vtb_world* world, vtb_body body, vtb_joint* out, size_t capacity, size_t* total);

/* Kind, mass properties, present pose [m] and twist, settings. */
vtb_status vtb_body_get_def(const vtb_world* world, vtb_body body, vtb_body_def* out);
/* Type, size, pose in its parent, parent, surface, filter, colour; numbers of points, triangles and samples. */
vtb_status vtb_shape_get_def(const vtb_world* world, vtb_shape shape, vtb_shape_def* out);
/* Bits it belongs to and bits it collides with; either may be NULL. */
vtb_status vtb_shape_get_filter(const vtb_world* world, vtb_shape shape, uint32_t* category, uint32_t* mask);
/* Type, bodies, frames, axes, what it holds and how; axes' limits and motors: vtb_joint_get_axis, vtb_joint_get_motor. */
vtb_status vtb_joint_get_def(const vtb_world* world, vtb_joint joint, vtb_joint_def* out);
/* Number of coordinates and of velocities; either may be NULL. */
vtb_status vtb_joint_get_size(const vtb_world* world, vtb_joint joint, int32_t* nq, int32_t* nv);
/* The joint's frames on body_a and on body_b, both in the world [m]; either may be NULL. VTB_E_ARG for a rotor, which has none. */
vtb_status vtb_joint_get_world_frames(const vtb_world* world, vtb_joint joint, double frame_a[7], double frame_b[7]);
/* Unit directions in the world, three numbers each: what each velocity turns about or slides along, body_b against body_a. VTB_E_ARG for
 * a rotor. */
vtb_status vtb_joint_get_world_axes(const vtb_world* world, vtb_joint joint, double* axes, size_t capacity, size_t* total);
/* Offset, level, softness, bound and number of terms; joint_a and joint_b are none. */
vtb_status vtb_coupling_get_def(const vtb_world* world, vtb_coupling coupling, vtb_coupling_def* out);
/* Its joints' axes with their coefficients. */
vtb_status vtb_coupling_get_terms(const vtb_world* world, vtb_coupling coupling, vtb_coupling_term* out, size_t capacity, size_t* total);
/* Type and numbers; bodies are counted; callbacks are NULL. */
vtb_status vtb_field_get_def(const vtb_world* world, vtb_field field, vtb_field_def* out);

/* A name of a thing, unique among its kind: kind is VTB_NAMED_*, bits those of its handle. A thing that a scene gave a name keeps that, for
 * the scene refers to it; links and joints of figures keep theirs. name NULL or "": none. VTB_E_ARG if the name is taken; saved scenes hold
 * the names of bodies, joints and all but figures' parts. */
vtb_status vtb_world_set_name(vtb_world* world, int32_t kind, uint64_t bits, const char* name);
/* The name of a thing; "" where it has none. */
vtb_status vtb_world_get_name_of(const vtb_world* world, int32_t kind, uint64_t bits, char* buffer, size_t size, size_t* needed);
/* A number of the caller's beside a thing, 0 at first; it is no part of snapshots and scenes. */
vtb_status vtb_world_set_user_value(vtb_world* world, int32_t kind, uint64_t bits, uint64_t value);
vtb_status vtb_world_get_user_value(const vtb_world* world, int32_t kind, uint64_t bits, uint64_t* value);

/* The thing of a name. VTB_E_ARG if there is none, VTB_E_STALE if it was destroyed. */
vtb_status vtb_world_find_body(const vtb_world* world, const char* name, vtb_body* out);
vtb_status vtb_world_find_shape(const vtb_world* world, const char* name, vtb_shape* out);
vtb_status vtb_world_find_joint(const vtb_world* world, const char* name, vtb_joint* out);
vtb_status vtb_world_find_coupling(const vtb_world* world, const char* name, vtb_coupling* out);
vtb_status vtb_world_find_constraint(const vtb_world* world, const char* name, vtb_constraint* out);
vtb_status vtb_world_find_field(const vtb_world* world, const char* name, vtb_field* out);
vtb_status vtb_world_find_particles(const vtb_world* world, const char* name, vtb_particles* out);
vtb_status vtb_world_find_figure(const vtb_world* world, const char* name, vtb_figure* out);

#endif
