/* query.h - rays, casts, overlaps and distances, at the bodies' present poses, for shapes whose category shares a bit with mask; others
 * are passed over. At equal distance the shape created first counts. A mesh without convex parts is a surface, with its front towards the
 * asking. A shape to ask with is described as for vtb_shape_create, with its pose in the world; its parent, surface, category, mask and
 * colour do not matter. It is a sphere, capsule, box, cylinder, convex shape or mesh with convex parts; else VTB_E_UNSUPPORTED. The hull of
 * points or planes, and the parts, are made in the call. */
#ifndef VTB_QUERY_H
#define VTB_QUERY_H

/* Parameters of this topic.
 * @origin m: where the ray begins, world
 * @direction 1: world axes, of any length but 0
 * @mask bits: categories that count
 * @def: the shape to ask with
 * @max_distance m, >= 0 or inf: farther shapes do not count
 */

/* Where a ray or a cast shape hits. */
typedef struct vtb_ray_hit {
  vtb_body body;      /* that was hit; none = the world */
  vtb_shape shape;    /* that was hit; none: nothing */
  double distance;    /* m: along the direction */
  double position[3]; /* m: world */
  double normal[3];   /* 1: outward, world axes */
} vtb_ray_hit;
/* The first shape along the ray. */
vtb_status vtb_world_ray_cast(const vtb_world* world, const double origin[3], const double direction[3], double max_distance, uint32_t mask,
                              vtb_ray_hit* out);
/* Every shape along the ray, where it is entered, by distance.
 * @out array of capacity, or NULL: receives the hits */
vtb_status vtb_world_ray_cast_all(const vtb_world* world, const double origin[3], const double direction[3], double max_distance,
                                  uint32_t mask, vtb_ray_hit* out, size_t capacity, size_t stride_bytes, size_t* total);
/* Moves a shape without turning it, up to the first shape it meets; distance 0 and a normal out of that where it overlaps one from the
 * start.
 * @path m: straight way from the pose described, world axes */
vtb_status vtb_world_shape_cast(const vtb_world* world, const vtb_shape_def* def, const double path[3], uint32_t mask, vtb_ray_hit* out);
/* The shapes that a shape overlaps, by id.
 * @out array of capacity, or NULL: receives them */
vtb_status vtb_world_overlap(const vtb_world* world, const vtb_shape_def* def, uint32_t mask, vtb_shape* out, size_t capacity,
                             size_t* total);
/* The shapes that may meet a box, by id: their own bounding boxes, each along its shape's axes, set in a box along the world's, do.
 * @lower m: corner of the box with the smallest coordinates, world
 * @upper m: corner with the largest
 * @out array of capacity, or NULL: receives them */
vtb_status vtb_world_overlap_box(const vtb_world* world, const double lower[3], const double upper[3], uint32_t mask, vtb_shape* out,
                                 size_t capacity, size_t* total);
/* Distance of two shapes. */
typedef struct vtb_closest {
  vtb_body body;     /* of the other shape; none = the world */
  vtb_shape shape;   /* the other one; none: nothing within the distance */
  double distance;   /* m: negative: depth of penetration, the least way that separates convex shapes */
  double point_a[3]; /* m: closest (deepest) point of the shape that was asked with, world */
  double point_b[3]; /* m: of the other */
  double normal[3];  /* 1: unit, from the first to the other */
} vtb_closest;
/* The shape nearest to a shape. */
vtb_status vtb_world_closest(const vtb_world* world, const vtb_shape_def* def, double max_distance, uint32_t mask, vtb_closest* out);
/* Distance of two shapes of the world, whatever their masks; out tells of b. VTB_E_UNSUPPORTED if neither is one to ask with.
 * @a: a shape of this world
 * @b: another shape of this world */
vtb_status vtb_shape_get_distance(const vtb_world* world, vtb_shape a, vtb_shape b, double max_distance, vtb_closest* out);

#endif
