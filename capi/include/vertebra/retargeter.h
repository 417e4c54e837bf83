/* retargeter.h - retargeting frame by frame: what vtb_retarget does, for frames as they come. */
#ifndef VTB_RETARGETER_H
#define VTB_RETARGETER_H

/* Parameters of this topic.
 * @retargeter: from a motion's joints to a figure's coordinates
 * @q array of capacity, rad or m: receives nq coordinates where ready is 1; VTB_E_ARG if it is smaller
 * @ready: receives 1 if there is a frame, else 0
 */

/* What a retargeter takes and gives. */
typedef struct vtb_retargeter_info {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t joints;       /* poses in a frame of the source */
  int32_t nq;           /* coordinates in a frame of the result, named as a trajectory's */
  int32_t latency;      /* frames from a pose to its result */
  double frame_time;    /* s: between two frames */
} vtb_retargeter_info;
/* Calibrated on a clip of the same actor: roles, lengths, height of the ground, and the constant turns of feet, hands and head are the
 * clip's. A contact of a foot is placed by what is seen of it within the latency. Frames are taken as they come: a first or last frame of
 * another pose, such as a T-pose, is followed, where vtb_retarget replaces it. Fails as vtb_retarget does; the range of def is not used.
 * @def or NULL: how to do it
 * @latency s, >= 0: how far a result may look ahead; 0.1 is a good choice */
vtb_status vtb_retargeter_create(const vtb_motion* motion, const vtb_skeleton* skeleton, const vtb_retarget_def* def, double latency,
                                 vtb_retargeter** out);
/* Numbers of joints and coordinates, latency, frame time. */
vtb_status vtb_retargeter_get_info(const vtb_retargeter* retargeter, vtb_retargeter_info* out);
/* The next frame of the source. The result belongs to the frame that came `latency` frames before.
 * @poses array of joints x 7, pose: the clip's joints in their order, world, as vtb_motion_get_poses gives them */
vtb_status vtb_retargeter_push(vtb_retargeter* retargeter, const double* poses, double* q, size_t capacity, size_t* total, int32_t* ready);
/* One of the frames that are still held back, when no more frames come. */
vtb_status vtb_retargeter_finish(vtb_retargeter* retargeter, double* q, size_t capacity, size_t* total, int32_t* ready);
/* Forgets all frames; what it was calibrated to stays. */
vtb_status vtb_retargeter_restart(vtb_retargeter* retargeter);
/* Destroys a retargeter.
 * @retargeter or NULL: the retargeter */
vtb_status vtb_retargeter_destroy(vtb_retargeter* retargeter);

#endif
