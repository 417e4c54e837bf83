/* skeleton_edit.h - skeletons made of skeletons: other sizes, joint types, fewer links, the mirror image. The given one stays as it is.
 * Links keep their frames, and with their shapes their density: masses and inertias follow. Torques, damping, springs and armature of axes
 * stay. */
#ifndef VTB_SKELETON_EDIT_H
#define VTB_SKELETON_EDIT_H

/* Parameters of this topic.
 * @joint: index of a joint of the skeleton
 * @axis 1, unit: of the joint, in its frame
 */

/* All lengths times a factor: places of joints and sites, shapes, ways and speeds along axes that slide.
 * @factor 1, > 0: of lengths */
vtb_status vtb_skeleton_scaled(const vtb_skeleton* skeleton, double factor, vtb_skeleton** out);
/* A link's bone longer or thicker. The bone leads from its joint to the middle of the next ones, of its sites at a tip, else through its
 * centre of mass; what hangs on it moves along it. VTB_E_ARG for a link without a bone.
 * @link: whose bone, or -1: of all links; of those without a bone then only shapes become thicker
 * @length 1, > 0: factor along the bone
 * @thickness 1, > 0: factor across it */
vtb_status vtb_skeleton_link_scaled(const vtb_skeleton* skeleton, int32_t link, double length, double thickness, vtb_skeleton** out);
/* Another type of joint about (or along) an axis. Limits and losses stay where number and unit of the axes do.
 * @type: how it lets the child move; one that skeletons have */
vtb_status vtb_skeleton_joint_retyped(const vtb_skeleton* skeleton, int32_t joint, vtb_joint_type type, const double axis[3],
                                      vtb_skeleton** out);
/* The joint's child becomes part of its parent, where its coordinates are 0. VTB_E_ARG where another joint follows it. */
vtb_status vtb_skeleton_joint_merged(const vtb_skeleton* skeleton, int32_t joint, vtb_skeleton** out);
/* The joint goes, with all that hangs on it. VTB_E_ARG where a joint that stays follows one that goes. */
vtb_status vtb_skeleton_joint_dropped(const vtb_skeleton* skeleton, int32_t joint, vtb_skeleton** out);
/* The mirror image of every link in its own frame; left and right change places in names. Coordinates of hinges and slides stay the same.
 * VTB_E_ARG for joints of type planar, floating, cylindrical and wheel.
 * @plane_normal 0 to 2: x, y or z, whose sign changes */
vtb_status vtb_skeleton_mirrored(const vtb_skeleton* skeleton, int32_t plane_normal, vtb_skeleton** out);

#endif
