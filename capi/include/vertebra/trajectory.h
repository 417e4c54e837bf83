/* trajectory.h - the coordinates of a figure with a moving root over time: what retargeting makes and robots play. */
#ifndef VTB_TRAJECTORY_H
#define VTB_TRAJECTORY_H

/* Parameters of this topic.
 * @trajectory: coordinates over time
 * @skeleton: the figure that has these coordinates, with a floating base; VTB_E_ARG names the first that differs
 * @frame: counted from 0
 * @out: receives the clip
 */

/* What a trajectory holds. */
typedef struct vtb_trajectory_info {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t frames;       /* number of frames */
  int32_t nq;           /* coordinates in a frame, as a workspace with a floating base has them */
  uint32_t reserved;    /* must be 0 */
  double frame_time;    /* s: from one frame to the next */
} vtb_trajectory_info;
/* Numbers of frames and coordinates, frame time. */
vtb_status vtb_trajectory_get_info(const vtb_trajectory* trajectory, vtb_trajectory_info* out);
/* Name of one coordinate, as vtb_workspace_get_q_name gives it. */
vtb_status vtb_trajectory_get_name(const vtb_trajectory* trajectory, int32_t index, char* buffer, size_t size, size_t* needed);
/* The coordinates of one frame.
 * @q array of capacity, rad or m, or NULL: receives nq coordinates */
vtb_status vtb_trajectory_get_frame(const vtb_trajectory* trajectory, int32_t frame, double* q, size_t capacity, size_t* total);
/* The coordinates of all frames.
 * @q array of capacity, rad or m, or NULL: receives frames x nq coordinates, frame after frame */
vtb_status vtb_trajectory_get_frames(const vtb_trajectory* trajectory, double* q, size_t capacity, size_t* total);
/* Writes a CSV file: a line "# fps=30", a header (root_x to root_z, root_qx to root_qw, names of the joints' coordinates), a row a frame;
 * metres, radians, Z up. VTB_E_IO. */
vtb_status vtb_trajectory_save_csv(const vtb_trajectory* trajectory, const char* path);
/* The same into memory. */
vtb_status vtb_trajectory_write_csv(const vtb_trajectory* trajectory, char* buffer, size_t size, size_t* needed);
/* Reads such a CSV file; diagnostics as for a URDF, with lines. Quaternions that are not of unit length are made so, with a warning.
 * VTB_E_IO, VTB_E_PARSE. */
vtb_status vtb_trajectory_load_csv(const char* path, vtb_diagnostics** diagnostics, vtb_trajectory** out);
/* The same from text. VTB_E_PARSE.
 * @text array of size, or NULL: the file's content, UTF-8; need not end in NUL
 * @name: stands for the file in the findings */
vtb_status vtb_trajectory_parse_csv(const char* text, size_t size, const char* name, vtb_diagnostics** diagnostics, vtb_trajectory** out);
/* Velocities of one frame: means of the differences to the frames before and behind, at the ends 3/2 of the first minus 1/2 of the second,
 * all divided by the frame time; differences are those of vtb_workspace_difference, on the group for quaternions.
 * @v array of capacity, rad/s or m/s: receives nv velocities, as a workspace with a floating base has them */
vtb_status vtb_trajectory_get_velocities(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton, int32_t frame, double* v,
                                         size_t capacity, size_t* total);
/* Writes a JSON object: fps, figure, names (as the CSV's header), frames (an array of coordinates each). VTB_E_IO. */
vtb_status vtb_trajectory_save_json(const vtb_trajectory* trajectory, const char* path);
/* The same into memory. */
vtb_status vtb_trajectory_write_json(const vtb_trajectory* trajectory, char* buffer, size_t size, size_t* needed);
/* Writes a NumPy archive (NPZ) of doubles, T frames, B links: fps [1], joint_pos [T, nq - 7] and joint_vel [T, nv - 6] (equal numbers but
 * for joints with quaternions), body_pos_w, body_lin_vel_w and body_ang_vel_w [T, B, 3], body_quat_w [T, B, 4] with w first, joint_names
 * [nq - 7], body_names [B]. World axes, Z up, SI; velocities are those of the link frames' origins, by vtb_trajectory_get_velocities.
 * VTB_E_IO; VTB_E_UNSUPPORTED: an array of 4 GB or more. */
vtb_status vtb_trajectory_save_npz(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton, const char* path);
/* A clip of the trajectory, in metres: a joint for the root link and for each joint of the figure, by their names, and a joint NAME.frame
 * before one whose frame is turned or whose axis is none of its frame's. As a BVH file it can be shown and worked on anywhere;
 * vtb_trajectory_from_motion gives the coordinates back. VTB_E_UNSUPPORTED names a joint that clips have no channels for (planar,
 * cylindrical, screw, wheel). */
vtb_status vtb_motion_from_trajectory(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton, vtb_motion** out);
/* The coordinates of a figure in all frames of a clip, by the names of joints, as vtb_workspace_from_motion gives them. VTB_E_UNSUPPORTED:
 * no joint has a name of the clip's; other figures need vtb_retarget.
 * @skeleton: the figure
 * @found or NULL: receives the number of moving joints that were found
 * @out: receives the trajectory */
vtb_status vtb_trajectory_from_motion(const vtb_motion* motion, const vtb_skeleton* skeleton, int32_t* found, vtb_trajectory** out);
/* One more owner; each releases once. */
vtb_status vtb_trajectory_retain(vtb_trajectory* trajectory);
/* One owner less; the last one destroys it.
 * @trajectory or NULL: coordinates over time */
vtb_status vtb_trajectory_release(vtb_trajectory* trajectory);

#endif
