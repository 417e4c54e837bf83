/* skeleton_builder.h - skeletons made by a program. Link and joint indices count from 0 in the order added. */
#ifndef VTB_SKELETON_BUILDER_H
#define VTB_SKELETON_BUILDER_H

/* Parameters of this topic.
 * @builder: the skeleton being made
 * @joint: index of a joint added before
 */

/* A link to add. */
typedef struct vtb_link_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t reserved;    /* must be 0 */
  const char* name;     /* [NULL]: copied */
  double mass;          /* kg, >= 0 [0]: of the link */
  double com[3];        /* m [0]: centre of mass, link frame */
  double inertia[6];    /* kg m^2 [0]: xx, xy, xz, yy, yz, zz about the centre of mass, link axes */
} vtb_link_def;
vtb_status vtb_link_def_init(vtb_link_def* def, uint32_t struct_size);
/* A joint to add. */
typedef struct vtb_skeleton_joint_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  /* except motor axis_angular axis_linear distance point_on_line point_on_plane point_on_curve rotor [revolute]: how it lets the
   * child move against the parent */
  vtb_joint_type type;
  const char* name;       /* [NULL]: copied */
  int32_t parent;         /* [-1]: link; -1 = not set */
  int32_t child;          /* [-1]: link; -1 = not set */
  double parent_frame[7]; /* pose [identity]: joint frame in the parent link */
  double child_frame[7];  /* pose [identity]: joint frame in the child link */
  /* 1, unit [1 0 0]: joint frame: axis of turning, sliding or screw, normal of planar, twist axis of spherical, parent's axis of universal,
   * of wheel that of travel and steering */
  double axis[3];
  double axis2[3];         /* 1, unit [0 1 0]: universal: the child's axis; wheel: the axle */
  vtb_swing_twist limits;  /* of a spherical joint; of others: vtb_skeleton_builder_set_axis */
  int32_t mimic;           /* >= -1 [-1]: joint added before that this one follows, -1 = none */
  int32_t loop;            /* 0 or 1 [0]: closes a cycle */
  double mimic_multiplier; /* rad/rad or m/rad or rad/m or m/m [1]: q = multiplier * q of the joint followed + offset */
  double mimic_offset;     /* rad or m [0]: see mimic_multiplier */
  double pitch;            /* m [0]: screw, advance in a turn */
} vtb_skeleton_joint_def;
vtb_status vtb_skeleton_joint_def_init(vtb_skeleton_joint_def* def, uint32_t struct_size);

/* An empty skeleton to add to.
 * @name: of the skeleton; copied */
vtb_status vtb_skeleton_builder_create(const char* name, vtb_skeleton_builder** out);
/* Destroys a builder.
 * @builder or NULL: the builder */
vtb_status vtb_skeleton_builder_destroy(vtb_skeleton_builder* builder);
/* Adds a link.
 * @index: receives its index */
vtb_status vtb_skeleton_builder_add_link(vtb_skeleton_builder* builder, const vtb_link_def* def, int32_t* index);
/* Adds a collision shape, shown as a visual too, in the link's frame. */
vtb_status vtb_skeleton_builder_add_shape(vtb_skeleton_builder* builder, int32_t link, const vtb_shape_def* def);
/* Adds a joint between two links that are there.
 * @index: receives its index */
vtb_status vtb_skeleton_builder_add_joint(vtb_skeleton_builder* builder, const vtb_skeleton_joint_def* def, int32_t* index);
/* Limits, spring and losses of one axis of a joint added before. */
vtb_status vtb_skeleton_builder_set_axis(vtb_skeleton_builder* builder, int32_t joint, int32_t axis, const vtb_axis_def* def);
/* Adds a named frame on a link.
 * @pose pose: in the link's frame
 * @name: of the site; copied */
vtb_status vtb_skeleton_builder_add_site(vtb_skeleton_builder* builder, int32_t link, const char* name, const double pose[7]);
/* Says what a link is, such as left_foot.
 * @name: of the role; copied */
vtb_status vtb_skeleton_builder_set_role(vtb_skeleton_builder* builder, const char* name, int32_t link);
/* The skeleton as it stands; the builder may go on. VTB_E_ARG, among others, if the links are no tree from the root on.
 * @root_link: index of the link that is the root */
vtb_status vtb_skeleton_builder_finish(const vtb_skeleton_builder* builder, int32_t root_link, vtb_skeleton** out);

#endif
