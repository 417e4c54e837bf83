/* shape.h - shapes of bodies and of the world: geometry, surface, filter and colour. */
#ifndef VTB_SHAPE_H
#define VTB_SHAPE_H

/* How a pair makes one coefficient of two; where its shapes name different rules the larger number counts. */
typedef enum vtb_combine {
  VTB_COMBINE_DEFAULT = 0,        /* friction: geometric mean; restitution: maximum */
  VTB_COMBINE_GEOMETRIC_MEAN = 1, /* square root of the product */
  VTB_COMBINE_AVERAGE = 2,        /* half the sum */
  VTB_COMBINE_MINIMUM = 3,        /* the smaller */
  VTB_COMBINE_MULTIPLY = 4,       /* the product */
  VTB_COMBINE_MAXIMUM = 5         /* the larger */
} vtb_combine;
/* Geometry of a shape. */
typedef enum vtb_shape_type {
  VTB_SHAPE_TYPE_SPHERE = 0,   /* size[0] = radius */
  VTB_SHAPE_TYPE_CAPSULE = 1,  /* size[0] = radius, size[2] = half length of the cylinder part; along local z */
  VTB_SHAPE_TYPE_BOX = 2,      /* size = half extents */
  VTB_SHAPE_TYPE_CYLINDER = 3, /* size[0] = radius, size[2] = half length; along local z */
  VTB_SHAPE_TYPE_PLANE = 4,    /* solid below local z = 0; static bodies only */
  VTB_SHAPE_TYPE_CONVEX = 5,   /* points, or planes (half-spaces n.x <= d) */
  VTB_SHAPE_TYPE_MESH = 6,     /* points and triangles: a surface, contact on static bodies only, unless convex_parts make it a solid */
  VTB_SHAPE_TYPE_COMPOUND = 7, /* a frame for other shapes, no geometry */
  /* Heights over a grid, solid below; static and kinematic bodies. size[0], size[1] = spacing along x (columns) and y (rows), size[2] =
   * depth of the solid below the lowest height; it ends in vertical sides, which rays do not see. */
  VTB_SHAPE_TYPE_HEIGHTFIELD = 8
} vtb_shape_type;

/* A surface.
 * With contact_stiffness it has a penalty contact in place of a rigid one: it pushes with stiffness * depth + damping * its rate; with
 * hertz by stiffness * depth^1.5 * (1 + damping * rate); it never pulls. Two springs act in series; a rigid partner leaves the other's. */
typedef struct vtb_surface {
  double friction;                 /* 1, >= 0 [0.8]: Coulomb coefficient while sliding; see friction_combine */
  double restitution;              /* 1, 0 to 1 [0]: Newton's coefficient; see restitution_combine */
  double static_friction;          /* 1, >= 0 [0]: Coulomb coefficient up to which the pair sticks; below friction it counts as that */
  double rolling_friction;         /* m, >= 0 [0]: of torques against rolling per normal force; a pair takes the larger */
  double torsional_friction;       /* m, >= 0 [0]: likewise against turning about the normal */
  vtb_combine friction_combine;    /* [default]: how a pair makes one static and one sliding friction of two */
  vtb_combine restitution_combine; /* [default]: how a pair makes one restitution of two */
  double contact_stiffness;        /* N/m or N/m^1.5, >= 0 [0]: of a penalty contact in place of a rigid one; 0 = rigid */
  double contact_damping;          /* N s/m or s/m, >= 0 [0]: of the penalty contact */
  int32_t hertz;                   /* 0 or 1 [0]: its penalty contact follows Hertz, and a pair's if either does */
  int32_t stabilised;              /* 0 or 1 [0]: under the stepper ode: no rollback for its contacts, they are pushed out afterwards */
} vtb_surface;
/* What a convex shape, a mesh or a heightfield consists of. */
typedef struct vtb_geometry {
  const double* points;      /* array of 3 x point_count, m [NULL]: of a convex shape or a mesh */
  const double* planes;      /* array of 4 x plane_count, 1 and m [NULL]: outward normal and distance of each half-space */
  const uint32_t* triangles; /* array of 3 x triangle_count [NULL]: indices of points, counter-clockwise from outside */
  /* array of height_rows x height_columns, m [NULL]: row by row; sample (row, column) is at (column size[0], row size[1]) */
  const double* heights;
  uint32_t point_count;    /* [0]: of points */
  uint32_t plane_count;    /* [0]: of planes */
  uint32_t triangle_count; /* [0]: of triangles */
  uint32_t height_rows;    /* [0]: rows of a heightfield, at least 2 */
  uint32_t height_columns; /* [0]: columns of a heightfield, at least 2 */
  /* 0 to 1024 [0]: of a mesh: largest number of convex parts to cut it into, which touch in its place; 0 = none. The mesh must be closed;
   * makes it fit for moving bodies; takes seconds for thousands of triangles */
  uint32_t convex_parts;
  double convex_tolerance; /* 1, >= 0 [0.02]: cutting a mesh ends where its parts exceed its volume by no more than this share */
} vtb_geometry;
/* A shape. */
typedef struct vtb_shape_def {
  uint32_t struct_size;  /* sizeof the struct in the caller's program */
  vtb_shape_type type;   /* [sphere]: its geometry */
  double size[3];        /* m [0]: see vtb_shape_type */
  double pose[7];        /* pose [identity]: in the parent shape or the link frame */
  vtb_shape parent;      /* [none]: a compound of the same body; not for skeletons */
  vtb_surface surface;   /* friction, restitution, softness */
  uint32_t category;     /* bits [1]: categories it belongs to */
  uint32_t mask;         /* bits [all]: categories it collides with; both shapes must agree */
  float rgba[4];         /* 1, 0 to 1 [0.7 0.7 0.7 1]: colour for display */
  vtb_geometry geometry; /* of a convex shape, a mesh or a heightfield */
} vtb_shape_def;
vtb_status vtb_shape_def_init(vtb_shape_def* def, uint32_t struct_size);

/* A shape on a body.
 * @body: that carries it; none = the world */
vtb_status vtb_shape_create(vtb_world* world, vtb_body body, const vtb_shape_def* def, vtb_shape* out);
/* Destroys a shape, with the shapes in its compound. */
vtb_status vtb_shape_destroy(vtb_world* world, vtb_shape shape);
/* The body that carries the shape.
 * @body: receives it; none = the world */
vtb_status vtb_shape_get_body(const vtb_world* world, vtb_shape shape, vtb_body* body);
/* Pose in the parent shape or the link frame.
 * @pose pose: receives it */
vtb_status vtb_shape_get_pose(const vtb_world* world, vtb_shape shape, double pose[7]);
/* Moves a shape and wakes what may touch it.
 * @pose pose: in the parent shape or the link frame */
vtb_status vtb_shape_set_pose(vtb_world* world, vtb_shape shape, const double pose[7]);
/* The present surface. */
vtb_status vtb_shape_get_surface(const vtb_world* world, vtb_shape shape, vtb_surface* out);
/* Another surface, from the next step on: get it first, then change what is to change.
 * @surface: the surface */
vtb_status vtb_shape_set_surface(vtb_world* world, vtb_shape shape, const vtb_surface* surface);
/* What the shape may touch: two shapes may if each one's category shares a bit with the other's mask.
 * @category bits: categories it belongs to
 * @mask bits: categories it collides with */
vtb_status vtb_shape_set_filter(vtb_world* world, vtb_shape shape, uint32_t category, uint32_t mask);
/* The colour for display that it was created with.
 * @rgba 1: receives red, green, blue and opacity, 0 to 1 */
vtb_status vtb_shape_get_colour(const vtb_world* world, vtb_shape shape, float rgba[4]);
/* Triangles for display.
 * @vertices array of vertex_capacity x 3, m, or NULL: receives positions in the link frame
 * @vertex_capacity: vertices that the array has room for
 * @vertex_total: receives the number of vertices
 * @triangles array of triangle_capacity x 3, or NULL: receives indices of vertices, counter-clockwise from outside
 * @triangle_capacity: triangles that the array has room for
 * @triangle_total: receives the number of triangles */
vtb_status vtb_shape_get_mesh(const vtb_world* world, vtb_shape shape, double* vertices, size_t vertex_capacity, size_t* vertex_total,
                              uint32_t* triangles, size_t triangle_capacity, size_t* triangle_total);
/* Whether two bodies may touch at all; joints and filters are asked besides.
 * @a: one body; none = the world
 * @b: the other body; none = the world
 * @collides 0 or 1: whether they may */
vtb_status vtb_world_set_pair_collides(vtb_world* world, vtb_body a, vtb_body b, int32_t collides);
/* The pairs of bodies that may not touch: those set by vtb_world_set_pair_collides and those that figures came with.
 * @a array of capacity, or NULL: receives one body of each; none = the world
 * @b array of capacity, or NULL: receives the other */
vtb_status vtb_world_get_ignored_pairs(const vtb_world* world, vtb_body* a, vtb_body* b, size_t capacity, size_t* total);

#endif
