/* pose.h - algebra of poses: a pose is a position [m] and a unit quaternion x, y, z, w, and maps local to parent coordinates. */
#ifndef VTB_POSE_H
#define VTB_POSE_H

/* The pose that applies b, then a: of a frame that stands at b in a frame that stands at a.
 * @a pose: the outer one
 * @b pose: the inner one
 * @out pose: receives the product; may be a or b */
vtb_status vtb_pose_multiply(const double a[7], const double b[7], double out[7]);
/* The pose that undoes a pose: of the parent in the local frame.
 * @pose pose: the pose
 * @out pose: receives the inverse; may be pose */
vtb_status vtb_pose_inverse(const double pose[7], double out[7]);
/* A point of the local frame in the parent frame.
 * @pose pose: of the local frame
 * @point m: in the local frame
 * @out m: receives the point in the parent frame; may be point */
vtb_status vtb_pose_apply(const double pose[7], const double point[3], double out[3]);
/* A direction of the local frame in the parent frame: it turns and does not move.
 * @pose pose: of the local frame
 * @direction 1: in the local frame, of any length
 * @out 1: receives the direction in the parent frame; may be direction */
vtb_status vtb_pose_rotate(const double pose[7], const double direction[3], double out[3]);

#endif
