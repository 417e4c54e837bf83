/* make.h - the usual things of a world, each in one call. What they leave out has its default; the defs of the other headers say more. */
#ifndef VTB_MAKE_H
#define VTB_MAKE_H
#include "vertebra/vertebra.h"

/* The plane z = 0 of the world, solid below. friction: Coulomb coefficient, 0 or more. shape may be NULL. */
vtb_status vtb_make_ground(vtb_world* world, double friction, vtb_shape* shape);
/* A dynamic body with one shape and its mass [kg], spread evenly over the shape. pose: of the body's frame, which is the shape's, in the
 * world. half_extents [m] are half the lengths of the edges; capsules and cylinders lie along the frame's z axis, half_length [m] being
 * half the length of the cylindrical part. */
vtb_status vtb_make_box(vtb_world* world, const double pose[7], const double half_extents[3], double mass, vtb_body* body);
vtb_status vtb_make_sphere(vtb_world* world, const double pose[7], double radius, double mass, vtb_body* body);
vtb_status vtb_make_capsule(vtb_world* world, const double pose[7], double radius, double half_length, double mass, vtb_body* body);
vtb_status vtb_make_cylinder(vtb_world* world, const double pose[7], double radius, double half_length, double mass, vtb_body* body);

/* Joints between two bodies where they stand now, so that every coordinate is 0. Either body may be none, which is the world. point [m]
 * and axis (of any length but 0) are in the world's frame; the joint turns or slides body b against body a about or along the axis. */
vtb_status vtb_make_hinge(vtb_world* world, vtb_body body_a, vtb_body body_b, const double point[3], const double axis[3], vtb_joint* joint);
vtb_status vtb_make_slider(vtb_world* world, vtb_body body_a, vtb_body body_b, const double point[3], const double axis[3],
                           vtb_joint* joint);
vtb_status vtb_make_ball(vtb_world* world, vtb_body body_a, vtb_body body_b, const double point[3], vtb_joint* joint);
vtb_status vtb_make_weld(vtb_world* world, vtb_body body_a, vtb_body body_b, vtb_joint* joint);
/* A spring with a damper between a point of body a and a point of body b, both given in the world [m], at rest at their present distance.
 * stiffness [N/m], damping [N s/m], each 0 or more. It is a joint of type distance without limits; its axis holds the numbers. */
vtb_status vtb_make_spring(vtb_world* world, vtb_body body_a, vtb_body body_b, const double point_a[3], const double point_b[3],
                           double stiffness, double damping, vtb_joint* joint);

#endif
