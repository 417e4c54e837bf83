/* Skeletons made by a program. */
#include "tests/capi/every_function/check.h"

static void test_inits(void) {
  vtb_link_def link;
  vtb_skeleton_joint_def joint;
  vtb_axis_def axis;
  vtb_shape_def shape;
  OK(vtb_link_def_init(&link, sizeof link));
  OK(vtb_skeleton_joint_def_init(&joint, sizeof joint));
  OK(vtb_axis_def_init(&axis, sizeof axis));
  OK(vtb_shape_def_init(&shape, sizeof shape));
  FAILS(VTB_E_ARG, vtb_link_def_init(NULL, sizeof link));
  FAILS(VTB_E_ARG, vtb_skeleton_joint_def_init(NULL, sizeof joint));
  FAILS(VTB_E_ARG, vtb_axis_def_init(NULL, sizeof axis));
  FAILS(VTB_E_ARG, vtb_shape_def_init(NULL, sizeof shape));
  FAILS(VTB_E_ARG, vtb_link_def_init(&link, 0));
  FAILS(VTB_E_ARG, vtb_skeleton_joint_def_init(&joint, 3));
  FAILS(VTB_E_ARG, vtb_axis_def_init(&axis, 4));
  FAILS(VTB_E_ARG, vtb_shape_def_init(&shape, 1u << 20));
  CHECK(joint.parent == -1 && joint.child == -1 && joint.mimic == -1 && joint.type == VTB_JOINT_TYPE_REVOLUTE &&
        joint.parent_frame[6] == 1);
  CHECK(isinf(axis.lower) && isinf(axis.upper) && isinf(axis.effort) && axis.damping == 0);
  CHECK(shape.type == VTB_SHAPE_TYPE_SPHERE && shape.surface.friction == 0.8 && shape.category == 1 && shape.mask == 0xffffffffu &&
        shape.rgba[3] == 1);
}

static void add_shapes(vtb_skeleton_builder* builder, int32_t link) {
  const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double walls[] = {1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 1, 0, 0, -1, 1};
  const uint32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}, wrong_faces[] = {0, 2, 4};
  vtb_shape_def shape;
  vtb_shape other = {77};
  OK(vtb_shape_def_init(&shape, sizeof shape));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape)); /* no radius */
  shape.size[0] = 0.1;
  OK(vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.size[0] = NAN;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.size[0] = -0.1;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.size[0] = 0.1;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, 99, &shape));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(NULL, link, &shape));
  shape.pose[6] = 0.5;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape)); /* not a unit quaternion */
  shape.pose[6] = 1;
  shape.surface.friction = -1;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.surface.friction = 1;
  shape.surface.restitution = 1.5;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.surface.restitution = 0;
  shape.parent = other;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.parent.bits = 0;
  shape.type = VTB_SHAPE_TYPE_PLANE;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.type = 99;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.type = VTB_SHAPE_TYPE_BOX;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape)); /* two extents are zero */
  shape.size[1] = shape.size[2] = 0.1;
  OK(vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.type = VTB_SHAPE_TYPE_CAPSULE;
  OK(vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.type = VTB_SHAPE_TYPE_CYLINDER;
  OK(vtb_skeleton_builder_add_shape(builder, link, &shape));

  shape.type = VTB_SHAPE_TYPE_CONVEX;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape)); /* neither points nor planes */
  shape.geometry.point_count = 4;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.geometry.points = corners;
  OK(vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.geometry.point_count = 3;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape)); /* flat */
  shape.geometry.point_count = 0;
  shape.geometry.plane_count = 6;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.geometry.planes = walls;
  OK(vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.geometry.plane_count = 5;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape)); /* unbounded */

  shape.type = VTB_SHAPE_TYPE_MESH;
  shape.geometry.plane_count = 0;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.geometry.point_count = 4;
  shape.geometry.triangle_count = 4;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.geometry.triangles = faces;
  OK(vtb_skeleton_builder_add_shape(builder, link, &shape));
  shape.geometry.triangle_count = 1;
  shape.geometry.triangles = wrong_faces;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_shape(builder, link, &shape));
}

static void refuse_joints(vtb_skeleton_builder* builder, vtb_skeleton_joint_def joint) {
  int32_t index = -7;
  const vtb_skeleton_joint_def good = joint;
#define REFUSED(change) \
  joint = good;         \
  change;               \
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_joint(builder, &joint, &index))
  REFUSED(joint.struct_size = 0);
  REFUSED(joint.type = -1);
  REFUSED(joint.type = VTB_JOINT_TYPE_MOTOR);
  REFUSED(joint.name = NULL);
  REFUSED(joint.name = "");
  REFUSED(joint.name = "hinge");
  REFUSED(joint.parent = -1);
  REFUSED(joint.child = 99);
  REFUSED(joint.child = joint.parent);
  REFUSED(joint.axis[0] = 5);
  REFUSED(joint.axis[0] = NAN);
  REFUSED(joint.parent_frame[0] = INFINITY);
  REFUSED(joint.child_frame[6] = 0);
  REFUSED(joint.limits.swing = -1);
  REFUSED(joint.limits.twist_lower = INFINITY);
  REFUSED(joint.mimic = 5);
  REFUSED(joint.mimic = 0; joint.mimic_multiplier = NAN);
  REFUSED(joint.loop = 2);
  REFUSED(joint.type = VTB_JOINT_TYPE_UNIVERSAL; memcpy(joint.axis2, joint.axis, sizeof joint.axis));
#undef REFUSED
  CHECK(index == -7);
}

void test_builder(void) {
  vtb_skeleton_builder* builder = NULL;
  vtb_skeleton* skeleton = NULL;
  vtb_link_def link;
  vtb_skeleton_joint_def joint;
  vtb_axis_def axis;
  vtb_skeleton_info info;
  int32_t base, arm, hand, hinge, index = -7;
  test_inits();

  OK(vtb_skeleton_builder_create("arm", &builder));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_create(NULL, &builder));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_create("arm", NULL));
  OK(vtb_skeleton_builder_destroy(NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_finish(builder, 0, &skeleton)); /* no links */

  OK(vtb_link_def_init(&link, sizeof link));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_link(builder, &link, &index)); /* no name */
  link.name = "base";
  link.mass = 1;
  link.inertia[0] = link.inertia[3] = link.inertia[5] = 0.01;
  OK(vtb_skeleton_builder_add_link(builder, &link, &base));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_link(builder, &link, &index)); /* the name again */
  link.name = "arm";
  OK(vtb_skeleton_builder_add_link(builder, &link, &arm));
  link.name = "hand";
  OK(vtb_skeleton_builder_add_link(builder, &link, &hand));
  CHECK(base == 0 && arm == 1 && hand == 2);
  link.name = "bad";
  link.mass = -1;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_link(builder, &link, &index));
  link.mass = INFINITY;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_link(builder, &link, &index));
  link.mass = 1;
  link.inertia[0] = -0.01;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_link(builder, &link, &index));
  link.inertia[0] = 0.01;
  link.com[1] = NAN;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_link(builder, &link, &index));
  link.com[1] = 0;
  link.reserved = 1;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_link(builder, &link, &index));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_link(NULL, &link, &index));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_link(builder, NULL, &index));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_link(builder, &link, NULL));
  add_shapes(builder, arm);

  OK(vtb_skeleton_joint_def_init(&joint, sizeof joint));
  joint.name = "hinge";
  joint.parent = base;
  joint.child = arm;
  OK(vtb_skeleton_builder_add_joint(builder, &joint, &hinge));
  CHECK(hinge == 0);
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_joint(builder, NULL, &index));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_joint(NULL, &joint, &index));
  joint.name = "wrist";
  joint.parent = arm;
  joint.child = hand;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_add_joint(builder, &joint, NULL));
  refuse_joints(builder, joint);
  FAILS(VTB_E_ARG, vtb_skeleton_builder_finish(builder, base, &skeleton)); /* the hand hangs on nothing */
  OK(vtb_skeleton_builder_add_joint(builder, &joint, &index));

  OK(vtb_axis_def_init(&axis, sizeof axis));
  axis.lower = -1;
  axis.upper = 1;
  OK(vtb_skeleton_builder_set_axis(builder, hinge, 0, &axis));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_set_axis(builder, hinge, 1, &axis));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_set_axis(builder, 9, 0, &axis));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_set_axis(builder, hinge, 0, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_set_axis(NULL, hinge, 0, &axis));
  axis.lower = 2;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_set_axis(builder, hinge, 0, &axis));
  axis.lower = NAN;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_set_axis(builder, hinge, 0, &axis));
  axis.lower = -1;
  axis.damping = INFINITY;
  FAILS(VTB_E_ARG, vtb_skeleton_builder_set_axis(builder, hinge, 0, &axis));

  FAILS(VTB_E_ARG, vtb_skeleton_builder_finish(builder, 17, &skeleton));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_finish(builder, base, NULL));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_finish(NULL, base, &skeleton));
  FAILS(VTB_E_ARG, vtb_skeleton_builder_finish(builder, hand, &skeleton)); /* a child cannot be the root */
  CHECK(skeleton == NULL);
  OK(vtb_skeleton_builder_finish(builder, base, &skeleton));
  OK(vtb_skeleton_builder_destroy(builder)); /* the skeleton does not need it */
  info.struct_size = sizeof info;
  OK(vtb_skeleton_get_info(skeleton, &info));
  CHECK(info.links == 3 && info.joints == 2 && info.shapes == 7 && info.visuals == 7);
  axis.struct_size = sizeof axis;
  OK(vtb_skeleton_get_axis(skeleton, hinge, 0, &axis));
  CHECK(axis.lower == -1 && axis.upper == 1);
  OK(vtb_skeleton_release(skeleton));
}
