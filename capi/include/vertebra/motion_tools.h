/* motion_tools.h - clips smoothed, mirrored, joined, in place, as periods, with other joints; rates, contacts, outliers, loops of clips. */
#ifndef VTB_MOTION_TOOLS_H
#define VTB_MOTION_TOOLS_H

/* Parameters of this topic.
 * @joint: index of a joint of the motion
 * @frame: counted from 0
 * @out: receives the result
 */

/* How a clip is smoothed; neither shifts it in time. */
typedef enum vtb_filter {
  VTB_FILTER_LOW_PASS = 0, /* Butterworth of second order, forwards and backwards */
  VTB_FILTER_SPLINE = 1    /* cubic smoothing spline */
} vtb_filter;
/* The clip smoothed, without a shift in time: rotations as unit quaternions, without wraps of angles. VTB_E_UNSUPPORTED names a joint that
 * turns so fast that nothing of it would be left.
 * @filter: kind of filter
 * @cutoff 1/s, > 0: frequency at which a vibration keeps 1/sqrt(2) of its size; below half the frame rate, above a
 * hundred-thousandth of it, of a spline at least a thousandth */
vtb_status vtb_motion_filtered(const vtb_motion* motion, vtb_filter filter, double cutoff, vtb_motion** out);
/* The clip faster or slower, at the same frame rate.
 * @factor 1, 1e-9 to 1e9: 2 = in half of the time */
vtb_status vtb_motion_faster(const vtb_motion* motion, double factor, vtb_motion** out);
/* A second clip behind the first, at the first one's frame rate, with its skeleton. The second is turned about the vertical and moved along
 * the ground so that the roots meet in the middle of the time in which both run. VTB_E_UNSUPPORTED says what the two lack: a joint, equal
 * channels, a root with all channels.
 * @second: the clip that follows
 * @blend s, >= 0: how long both run; at least a frame, at most the shorter clip */
vtb_status vtb_motion_appended(const vtb_motion* motion, const vtb_motion* second, double blend, vtb_motion** out);
/* Left and right exchanged, through the plane across an axis of the file; partners are found by their names. Twice gives the clip again.
 * VTB_E_UNSUPPORTED: partners have different channels, or axis is -1 and none are found.
 * @axis: of the file, 0..2; -1 = along which left joints lie beside right ones */
vtb_status vtb_motion_mirrored(const vtb_motion* motion, int32_t axis, vtb_motion** out);

/* The clip with a joint hung on another parent. All joints keep their poses in all frames: the joint gets the channels that its motion in
 * the new parent needs. Joints are numbered again, parents first. VTB_E_UNSUPPORTED: the parent is the joint, or hangs below it.
 * @parent: index of a joint; -1 = the joint becomes a root */
vtb_status vtb_motion_reparented(const vtb_motion* motion, int32_t joint, int32_t parent, vtb_motion** out);
/* The clip without a joint, whose children hang on its parent. The other joints keep their poses in all frames. Joints are numbered again.
 * VTB_E_UNSUPPORTED: it is the only joint, or a root with several children. */
vtb_status vtb_motion_dropped(const vtb_motion* motion, int32_t joint, vtb_motion** out);
/* The clip with its root above the origin, without heading, in all frames; other roots move with it. World axes, Z up: a pose of the clip
 * is the path's turn about the vertical and shift along the ground, applied to the pose of the result. Here, in loops and in joined clips,
 * where a root stays in one place and has one child with all channels, that child counts as the root; what is above it stays.
 * VTB_E_UNSUPPORTED: a root lacks channels.
 * @path array of capacity, m or rad: receives x, y and heading of the root for each frame; the heading is the turn about the vertical from
 * the rest pose, without jumps of whole turns */
vtb_status vtb_motion_in_place(const vtb_motion* motion, double* path, size_t capacity, size_t stride_bytes, size_t* total,
                               vtb_motion** out);
/* One period of a clip that repeats itself: frames first to last. The last becomes the first, moved on over the ground: over the first
 * seconds of the period its difference to the last fades, in positions, rotations and their velocities; later frames are as they were.
 * VTB_E_UNSUPPORTED: a root lacks channels.
 * @first: frame at which the period begins, as of vtb_motion_find_loop
 * @last: frame at which it begins again, at least first + 2
 * @blend s, >= 0: how long the difference fades; at least a frame, at most the period */
vtb_status vtb_motion_looped(const vtb_motion* motion, int32_t first, int32_t last, double blend, vtb_motion** out);

/* Velocities of all joints by differences of frames: exact for constant rates, else of second order. World axes, Z up.
 * @velocities array of capacity, twist: receives one for each joint, of its origin */
vtb_status vtb_motion_get_velocities(const vtb_motion* motion, int32_t frame, double* velocities, size_t capacity, size_t stride_bytes,
                                     size_t* total);
/* Accelerations of all joints by differences of frames. World axes, Z up.
 * @accelerations array of capacity, m/s^2 or rad/s^2: receives 6 for each joint: of its origin, then angular */
vtb_status vtb_motion_get_accelerations(const vtb_motion* motion, int32_t frame, double* accelerations, size_t capacity,
                                        size_t stride_bytes, size_t* total);

/* When a joint rests on the ground: from the frame in which it is low and slow enough, until it is too high or too fast. */
typedef struct vtb_resting_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t find_floor;  /* 0 or 1 [1]: the floor is where the lowest 3 % of the joint's frames are, and not at `floor` */
  double floor;         /* m [0]: height of the joint when it rests */
  double height_on;     /* m, >= 0 [0.03]: above the floor, below which rest begins */
  double height_off;    /* m, >= 0 [0.05]: above the floor, from which rest ends */
  double speed_on;      /* m/s, >= 0 [0.1]: below which rest begins */
  double speed_off;     /* m/s, >= 0 [0.2]: from which rest ends */
  double shortest;      /* s, >= 0 [0.1]: what is shorter is no rest */
} vtb_resting_def;
vtb_status vtb_resting_def_init(vtb_resting_def* def, uint32_t struct_size);
/* Frames in which a joint rests on the ground.
 * @def or NULL: when it does
 * @resting array of capacity: receives 0 or 1 for each frame */
vtb_status vtb_motion_get_resting(const vtb_motion* motion, int32_t joint, const vtb_resting_def* def, uint32_t* resting, size_t capacity,
                                  size_t* total);
/* Frames that do not fit their neighbours: a joint turns, or a root moves, six times as far as in the steps around. Each is told as a
 * warning: motion.first-frame and motion.last-frame (such as a T-pose before the motion), motion.spike (one frame), motion.jump (from the
 * frame before to this one, and it stays).
 * @diagnostics or NULL: receives what was found, with joint, size and what to do
 * @frames array of capacity: receives frames, ascending */
vtb_status vtb_motion_find_outliers(const vtb_motion* motion, vtb_diagnostics** diagnostics, uint32_t* frames, size_t capacity,
                                    size_t* total);
/* What is done with frames that do not fit. */
typedef enum vtb_mend {
  VTB_MEND_CUT = 0,        /* taken out; what follows moves up */
  VTB_MEND_INTERPOLATE = 1 /* replaced by what lies between the frames around: positions linear, rotations on the group; ends stay */
} vtb_mend;
/* The clip with the first, last and single frames of vtb_motion_find_outliers mended; a jump that lasts has nothing to be mended with, and
 * stays. VTB_E_UNSUPPORTED: no frame would be left.
 * @how: what is done with them
 * @diagnostics or NULL: receives motion.mended for each frame that was mended, and a warning motion.jump for each jump that stays */
vtb_status vtb_motion_mended(const vtb_motion* motion, vtb_mend how, vtb_diagnostics** diagnostics, vtb_motion** out);
/* Two frames between which the clip can be repeated: first to last - 1 is one period. Of all pairs the shortest whose error is within a
 * tenth (and 1 mm) of the least. VTB_E_UNSUPPORTED: the clip is not that long.
 * @shortest s, >= 0: least length of a period
 * @first: receives the frame at which a period begins
 * @last: receives the frame that is like the first
 * @error m: receives the root mean square over the joints of differences of positions, and of velocities times 0.1 s, in the axes of the
 * root's heading */
vtb_status vtb_motion_find_loop(const vtb_motion* motion, double shortest, int32_t* first, int32_t* last, double* error);

#endif
