/* trajectory.h - the coordinates of a figure with a moving root over time: what retargeting makes and robots play. */
#ifndef VTB_TRAJECTORY_H
#define VTB_TRAJECTORY_H

/* Parameters of this topic.
 * @trajectory: coordinates over time
 * @frame: counted from 0
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
/* One more owner; each releases once. */
vtb_status vtb_trajectory_retain(vtb_trajectory* trajectory);
/* One owner less; the last one destroys it.
 * @trajectory or NULL: coordinates over time */
vtb_status vtb_trajectory_release(vtb_trajectory* trajectory);

#endif
