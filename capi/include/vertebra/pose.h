/* pose.h - algebra of poses: position [m] and unit quaternion x, y, z, w; a pose maps local to parent coordinates. */
#ifndef VTB_POSE_H
#define VTB_POSE_H
#include "vertebra/vertebra.h"

/* The pose that applies b, then a: where a frame at b in a frame at a stands. out may be a or b. */
vtb_status vtb_pose_multiply(const double a[7], const double b[7], double out[7]);
/* The pose that undoes it: of the parent in the local frame. out may be pose. */
vtb_status vtb_pose_inverse(const double pose[7], double out[7]);
/* A point [m], given in the local frame, in the parent frame. out may be point. */
vtb_status vtb_pose_apply(const double pose[7], const double point[3], double out[3]);
/* A direction likewise: it turns and does not move. out may be direction. */
vtb_status vtb_pose_rotate(const double pose[7], const double direction[3], double out[3]);

#endif
