/* make.h - the usual things of a world, each in one call. What they leave out has its default; the other topics say more. */
#ifndef VTB_MAKE_H
#define VTB_MAKE_H

/* Parameters of this topic.
 * @pose pose: of the body's frame, which is the shape's, in the world
 * @mass kg, > 0: spread evenly over the shape
 * @radius m, > 0: of the shape
 * @half_length m, >= 0: half the length of the cylindrical part, along the frame's z axis
 * @body: receives the body
 * @body_a: parent; none = the world
 * @body_b: child; none = the world
 * @point m: of the joint, in the world
 * @axis 1: in the world, of any length but 0; body b turns about it or slides along it against body a
 * @joint: receives the joint; its coordinates are 0 where the bodies stand now
 */

/* The plane z = 0 of the world, solid below.
 * @friction 1, >= 0: Coulomb's coefficient
 * @shape or NULL: receives the shape */
vtb_status vtb_make_ground(vtb_world* world, double friction, vtb_shape* shape);
/* A dynamic body that is a box.
 * @half_extents m, > 0: half the lengths of the edges */
vtb_status vtb_make_box(vtb_world* world, const double pose[7], const double half_extents[3], double mass, vtb_body* body);
/* A dynamic body that is a ball. */
vtb_status vtb_make_sphere(vtb_world* world, const double pose[7], double radius, double mass, vtb_body* body);
/* A dynamic body that is a capsule. */
vtb_status vtb_make_capsule(vtb_world* world, const double pose[7], double radius, double half_length, double mass, vtb_body* body);
/* A dynamic body that is a cylinder. */
vtb_status vtb_make_cylinder(vtb_world* world, const double pose[7], double radius, double half_length, double mass, vtb_body* body);

/* A hinge without limits. */
vtb_status vtb_make_hinge(vtb_world* world, vtb_body body_a, vtb_body body_b, const double point[3], const double axis[3],
                          vtb_joint* joint);
/* A slide without limits. */
vtb_status vtb_make_slider(vtb_world* world, vtb_body body_a, vtb_body body_b, const double point[3], const double axis[3],
                           vtb_joint* joint);
/* A ball joint. */
vtb_status vtb_make_ball(vtb_world* world, vtb_body body_a, vtb_body body_b, const double point[3], vtb_joint* joint);
/* A fixed joint. */
vtb_status vtb_make_weld(vtb_world* world, vtb_body body_a, vtb_body body_b, vtb_joint* joint);
/* A spring with a damper between two points, at rest at their present distance: a joint of type distance without limits.
 * @point_a m: of body a, in the world
 * @point_b m: of body b, in the world
 * @stiffness N/m, >= 0: of the spring
 * @damping N s/m, >= 0: of the damper */
vtb_status vtb_make_spring(vtb_world* world, vtb_body body_a, vtb_body body_b, const double point_a[3], const double point_b[3],
                           double stiffness, double damping, vtb_joint* joint);

#endif
