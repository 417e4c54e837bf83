/* orientation.h - quaternions to and from matrices, axes with angles, and Euler angles. */
#ifndef VTB_ORIENTATION_H
#define VTB_ORIENTATION_H

/* Parameters of this topic.
 * @quaternion 1: x, y, z, w; turns local into parent axes
 * @matrix 1: 3 x 3, row-major; its columns are the local axes in the parent
 * @order: three letters of X, Y, Z such as "ZXY" or "XYX"
 * @angles rad: in the order of the letters; q = R(order[0], angles[0]) R(order[1], angles[1]) R(order[2], angles[2])
 */

/* Quaternion of a matrix, which must be a rotation to 1e-6. */
vtb_status vtb_quat_from_matrix(const double matrix[9], double quaternion[4]);
/* Matrix of a quaternion. */
vtb_status vtb_quat_to_matrix(const double quaternion[4], double matrix[9]);
/* Turn by an angle about an axis.
 * @axis 1: of any length but 0
 * @angle rad: of the turn */
vtb_status vtb_quat_from_axis_angle(const double axis[3], double angle, double quaternion[4]);
/* Axis and angle of a turn.
 * @axis 1: receives a unit vector; any where the angle is 0
 * @angle rad: receives the angle, from 0 to pi */
vtb_status vtb_quat_to_axis_angle(const double quaternion[4], double axis[3], double* angle);
/* Quaternion of Euler angles. */
vtb_status vtb_quat_from_euler(const char* order, const double angles[3], double quaternion[4]);
/* Euler angles of a quaternion; at a singular middle angle the last one is 0. */
vtb_status vtb_quat_to_euler(const double quaternion[4], const char* order, double angles[3]);

#endif
