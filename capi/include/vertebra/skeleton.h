/* skeleton.h - models of figures: loaded from URDF or made from a motion, and what they hold. Links and joints in file order. */
#ifndef VTB_SKELETON_H
#define VTB_SKELETON_H

/* Parameters of this topic.
 * @joint: index of a joint of the skeleton
 * @collision 0 or 1: 0: visuals, 1: collision shapes
 */

/* What becomes of missing or wrong inertia. */
typedef enum vtb_inertia {
  /* Keep what is physical or nearly so, mend what is not, and say it. Links of a part that moves without any mass get it from their shapes
   * at 1000 kg/m^3, or, where these are not there, from capsules to the next joints. Strict: an error. */
  VTB_INERTIA_LENIENT = 0,
  /* Missing inertia is computed from the shapes at 1000 kg/m^3; missing moments beside a mass too, scaled to it. */
  VTB_INERTIA_GEOMETRY = 1,
  VTB_INERTIA_ERROR = 2 /* missing or invalid inertia is an error */
} vtb_inertia;
/* Options of loaders. */
typedef enum vtb_load_flag {
  VTB_LOAD_FLAG_STRICT = 1,          /* refuse what would be repaired otherwise */
  VTB_LOAD_FLAG_NO_MESHES = 2,       /* leave mesh files unread; shapes that need them are missing, and said to be */
  VTB_LOAD_FLAG_DERIVE_COLLISION = 4 /* a link without collision shape gets one from its visual or its bones */
} vtb_load_flag;
/* How a URDF file is read. */
typedef struct vtb_urdf_def {
  uint32_t struct_size;          /* sizeof the struct in the caller's program */
  uint32_t flags;                /* vtb_load_flag bits [0]: options */
  vtb_inertia inertia;           /* [lenient]: what becomes of missing or wrong inertia */
  uint32_t mesh_root_count;      /* [0]: of mesh_roots */
  const char* const* mesh_roots; /* array of mesh_root_count [NULL]: folders searched for meshes before all others, UTF-8 */
  /* [NULL]: may write a path for a mesh URI and return 1, or return 0; called first */
  int32_t (*resolve)(void* user, const char* uri, char* path, size_t path_size);
  void* user; /* [NULL]: handed to the callback */
} vtb_urdf_def;
vtb_status vtb_urdf_def_init(vtb_urdf_def* def, uint32_t struct_size);

/* Reads a URDF file; diagnostics receives a list on success and on VTB_E_PARSE.
 * @def or NULL: how to read it */
vtb_status vtb_skeleton_load_urdf(const char* path, const vtb_urdf_def* def, vtb_diagnostics** diagnostics, vtb_skeleton** out);
/* The same from text.
 * @text array of size, or NULL: the file's content, UTF-8; need not end in NUL
 * @name: stands for the file in the findings
 * @def or NULL: how to read it */
vtb_status vtb_skeleton_parse_urdf(const char* text, size_t size, const char* name, const vtb_urdf_def* def, vtb_diagnostics** diagnostics,
                                   vtb_skeleton** out);

/* How a motion becomes a figure. */
typedef struct vtb_motion_figure_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t root;         /* >= 0 [0]: which root joint of the motion, counted from 0 */
  double mass;          /* kg, >= 0 [0]: of the figure; 0 = from the height */
  double density;       /* kg/m^3, > 0 [1000]: of links whose names say nothing */
} vtb_motion_figure_def;
vtb_status vtb_motion_figure_def_init(vtb_motion_figure_def* def, uint32_t struct_size);
/* A figure from a motion's hierarchy: capsules along bones, human-like masses, joint types from the rotation channels.
 * @def or NULL: how to make it */
vtb_status vtb_skeleton_from_motion(const vtb_motion* motion, const vtb_motion_figure_def* def, vtb_diagnostics** diagnostics,
                                    vtb_skeleton** out);
/* One more owner; each releases once. */
vtb_status vtb_skeleton_retain(vtb_skeleton* skeleton);
/* One owner less; the last one destroys it.
 * @skeleton or NULL: the figure's model */
vtb_status vtb_skeleton_release(vtb_skeleton* skeleton);

/* What a skeleton holds. */
typedef struct vtb_skeleton_info {
  uint32_t struct_size;        /* sizeof the struct in the caller's program */
  int32_t links;               /* number of links */
  int32_t joints;              /* number of joints */
  int32_t root;                /* index of the root link */
  int32_t floating_by_default; /* 0 or 1: 0 when the file fixes the root (a link named "world") */
  int32_t visuals;             /* over all links */
  int32_t shapes;              /* collision shapes over all links */
  int32_t sites;               /* number of sites */
  double mass;                 /* kg: sum over the links */
  int32_t roles;               /* number of roles */
  uint32_t reserved;           /* must be 0 */
} vtb_skeleton_info;
/* What a link is. */
typedef struct vtb_link_info {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t parent_joint; /* index of the joint that leads to it; -1 for the root */
  const char* name;     /* lives as long as the skeleton */
  double mass;          /* kg: of the link */
  double com[3];        /* m: centre of mass, link frame */
  double inertia[6];    /* kg m^2: xx, xy, xz, yy, yz, zz about the centre of mass, link axes */
} vtb_link_info;
/* What a joint is. */
typedef struct vtb_joint_info {
  uint32_t struct_size;     /* sizeof the struct in the caller's program */
  vtb_joint_type type;      /* what it lets move */
  const char* name;         /* lives as long as the skeleton */
  const char* type_name;    /* such as "revolute" */
  int32_t parent;           /* link */
  int32_t child;            /* link */
  int32_t axes;             /* number of velocities */
  int32_t mimic;            /* joint that it follows, or -1 */
  int32_t loop;             /* 0 or 1: closes a cycle */
  int32_t has_safety;       /* 0 or 1: the file has a safety controller for it */
  double parent_frame[7];   /* pose: joint frame in the parent link */
  double child_frame[7];    /* pose: joint frame in the child link */
  double axis[3];           /* 1: see vtb_skeleton_joint_def */
  double axis2[3];          /* 1: see vtb_skeleton_joint_def */
  double mimic_multiplier;  /* rad/rad or m/rad or rad/m or m/m: q = multiplier * q of the joint followed + offset */
  double mimic_offset;      /* rad or m: see mimic_multiplier */
  vtb_swing_twist limits;   /* of a spherical joint */
  double safety_lower;      /* rad or m: of the safety controller */
  double safety_upper;      /* rad or m: of the safety controller */
  double safety_k_position; /* 1/s: of the safety controller */
  double safety_k_velocity; /* N m s/rad or N s/m: of the safety controller */
  double pitch;             /* m: screw, advance in a turn */
} vtb_joint_info;
/* Numbers of links, joints and shapes, mass, root. */
vtb_status vtb_skeleton_get_info(const vtb_skeleton* skeleton, vtb_skeleton_info* out);
/* The name that the file or the builder gave. */
vtb_status vtb_skeleton_get_name(const vtb_skeleton* skeleton, char* buffer, size_t size, size_t* needed);
/* A link's name, mass, centre of mass and inertia. */
vtb_status vtb_skeleton_get_link(const vtb_skeleton* skeleton, int32_t link, vtb_link_info* out);
/* A joint's name, type, links, frames and what the file says besides. */
vtb_status vtb_skeleton_get_joint(const vtb_skeleton* skeleton, int32_t joint, vtb_joint_info* out);
/* Limits, spring and losses of one axis. */
vtb_status vtb_skeleton_get_axis(const vtb_skeleton* skeleton, int32_t joint, int32_t axis, vtb_axis_def* out);
/* Index by name; VTB_E_ARG if there is none.
 * @link: receives the link's index */
vtb_status vtb_skeleton_find_link(const vtb_skeleton* skeleton, const char* name, int32_t* link);
/* Index by name; VTB_E_ARG if there is none.
 * @joint: receives the joint's index */
vtb_status vtb_skeleton_find_joint(const vtb_skeleton* skeleton, const char* name, int32_t* joint);

/* A named frame on a link: where a bone ends, a marker sits, a hand grips. */
typedef struct vtb_site_info {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t link;         /* that carries it */
  const char* name;     /* lives as long as the skeleton */
  double pose[7];       /* pose: in the link's frame */
} vtb_site_info;
/* A site's name, link and pose.
 * @site: index of a site of the skeleton */
vtb_status vtb_skeleton_get_site(const vtb_skeleton* skeleton, int32_t site, vtb_site_info* out);
/* Index by name; VTB_E_ARG if there is none.
 * @site: receives the site's index */
vtb_status vtb_skeleton_find_site(const vtb_skeleton* skeleton, const char* name, int32_t* site);
/* What a link is, such as left_foot. */
typedef struct vtb_role_info {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t link;         /* that has it */
  const char* name;     /* lives as long as the skeleton */
} vtb_role_info;
/* A role's name and link. Retargeting takes roles before all that it finds by itself; see retarget_map.h for their names.
 * @role: index of a role of the skeleton */
vtb_status vtb_skeleton_get_role(const vtb_skeleton* skeleton, int32_t role, vtb_role_info* out);
/* The link of a role; VTB_E_ARG if there is none.
 * @link: receives the link's index */
vtb_status vtb_skeleton_find_role(const vtb_skeleton* skeleton, const char* name, int32_t* link);

/* Geometry for display: a visual or a collision shape as triangles in its link's frame with one colour. */
typedef struct vtb_visual_info {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t link;         /* that carries it */
  uint32_t vertices;    /* number of vertices */
  uint32_t triangles;   /* number of triangles */
  float rgba[4];        /* 1: red, green, blue and opacity, 0 to 1 */
} vtb_visual_info;
/* Sizes, link and colour of one visual or collision shape, for vtb_skeleton_get_visual_mesh. */
vtb_status vtb_skeleton_get_visual(const vtb_skeleton* skeleton, int32_t collision, int32_t index, vtb_visual_info* out);
/* Its triangles.
 * @vertices array of vertex_capacity x 3, m, or NULL: receives positions in the link frame
 * @vertex_capacity: vertices that the array has room for
 * @triangles array of triangle_capacity x 3, or NULL: receives indices of vertices, counter-clockwise from outside
 * @triangle_capacity: triangles that the array has room for */
vtb_status vtb_skeleton_get_visual_mesh(const vtb_skeleton* skeleton, int32_t collision, int32_t index, double* vertices,
                                        size_t vertex_capacity, uint32_t* triangles, size_t triangle_capacity);

#endif
