/* motion.h - clips of motion capture: BVH files read and written, resampled, and their poses. */
#ifndef VTB_MOTION_H
#define VTB_MOTION_H

/* Parameters of this topic.
 * @joint: index of a joint of the motion
 * @frame: counted from 0
 * @raw 0 or 1: 0: world axes, Z up, metres; 1: the file's axes and units
 * @def or NULL: how to read it
 * @out: receives the result
 */

/* Axis of a file that points up. */
typedef enum vtb_up_axis {
  VTB_UP_AXIS_GUESS = -1, /* from the figure's pose */
  VTB_UP_AXIS_X = 0,      /* x */
  VTB_UP_AXIS_Y = 1,      /* y */
  VTB_UP_AXIS_Z = 2       /* z */
} vtb_up_axis;
/* How a BVH file is read. */
typedef struct vtb_bvh_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t flags;       /* vtb_load_flag bits [0]: only strict */
  double unit;          /* m, >= 0 [0]: length of the file's unit; 0 = guess from the figure's height, and say so */
  vtb_up_axis up_axis;  /* [guess]: axis of the file that points up */
  uint32_t reserved;    /* must be 0 */
} vtb_bvh_def;
vtb_status vtb_bvh_def_init(vtb_bvh_def* def, uint32_t struct_size);
/* Reads a BVH file; diagnostics as for a URDF. VTB_E_IO, VTB_E_PARSE. */
vtb_status vtb_motion_load_bvh(const char* path, const vtb_bvh_def* def, vtb_diagnostics** diagnostics, vtb_motion** out);
/* The same from text. VTB_E_PARSE.
 * @text array of size, or NULL: the file's content, UTF-8; need not end in NUL
 * @name: stands for the file in the findings */
vtb_status vtb_motion_parse_bvh(const char* text, size_t size, const char* name, const vtb_bvh_def* def, vtb_diagnostics** diagnostics,
                                vtb_motion** out);
/* Writes a BVH file, file axes and units, so that loading it again gives every channel to 1e-6. VTB_E_IO. */
vtb_status vtb_motion_save_bvh(const vtb_motion* motion, const char* path);
/* The same into memory. */
vtb_status vtb_motion_write_bvh(const vtb_motion* motion, char* buffer, size_t size, size_t* needed);
/* One more owner; each releases once. */
vtb_status vtb_motion_retain(vtb_motion* motion);
/* One owner less; the last one destroys it.
 * @motion or NULL: the clip */
vtb_status vtb_motion_release(vtb_motion* motion);

/* What a motion holds. */
typedef struct vtb_motion_info {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t joints;       /* number of joints */
  int32_t roots;        /* number of joints without parent */
  int32_t channels;     /* numbers in a frame */
  int32_t frames;       /* number of frames */
  uint32_t reserved;    /* must be 0 */
  double frame_time;    /* s: from one frame to the next */
  double unit;          /* m: length of the file's unit */
  double turn[4];       /* 1: quaternion, file axes to Z-up world */
} vtb_motion_info;
/* What a joint of a motion is. */
typedef struct vtb_motion_joint {
  uint32_t struct_size;  /* sizeof the struct in the caller's program */
  int32_t parent;        /* joint; -1 = a root */
  const char* name;      /* lives as long as the motion */
  double offset[3];      /* file units: from the parent */
  int32_t channel_count; /* number of channels */
  int32_t first_channel; /* column in a frame */
  int32_t end_sites;     /* number of end sites */
  uint8_t channels[12];  /* 0..2 X, Y, Z position, 3..5 X, Y, Z rotation, file order; the first 12 */
} vtb_motion_joint;
/* Numbers of joints, channels and frames, frame time, unit, axes. */
vtb_status vtb_motion_get_info(const vtb_motion* motion, vtb_motion_info* out);
/* A joint's name, parent, offset and channels. */
vtb_status vtb_motion_get_joint(const vtb_motion* motion, int32_t joint, vtb_motion_joint* out);
/* Index by name; VTB_E_ARG if there is none.
 * @joint: receives the joint's index */
vtb_status vtb_motion_find_joint(const vtb_motion* motion, const char* name, int32_t* joint);
/* Channel values of one frame as in the file.
 * @values array of capacity, file units or degrees, or NULL: receives one number for each channel */
vtb_status vtb_motion_get_frame(const vtb_motion* motion, int32_t frame, double* values, size_t capacity, size_t* total);
/* Poses of all joints. */
vtb_status vtb_motion_get_poses(const vtb_motion* motion, int32_t frame, int32_t raw, double* poses, size_t capacity, size_t stride_bytes,
                                size_t* total);
/* The same at a time, clamped to the clip; rotations are interpolated on the group.
 * @time s: from the first frame */
vtb_status vtb_motion_sample_poses(const vtb_motion* motion, double time, int32_t raw, double* poses, size_t capacity, size_t stride_bytes,
                                   size_t* total);
/* The clip at another size.
 * @scale 1, > 0: factor on all lengths */
vtb_status vtb_motion_scaled(const vtb_motion* motion, double scale, vtb_motion** out);
/* The clip at another rate; rotations are interpolated on the group.
 * @frames_per_second 1/s, 1e-9 to 1e9: rate of the result */
vtb_status vtb_motion_resampled(const vtb_motion* motion, double frames_per_second, vtb_motion** out);
/* A part of the clip.
 * @first: index of the first frame kept
 * @last: index of the last frame kept */
vtb_status vtb_motion_trimmed(const vtb_motion* motion, int32_t first, int32_t last, vtb_motion** out);

#endif
