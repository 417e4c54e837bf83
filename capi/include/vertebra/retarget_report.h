/* retarget_report.h - how well a trajectory renders a motion: what retargeting made, or any other program. Ground at height 0. */
#ifndef VTB_RETARGET_REPORT_H
#define VTB_RETARGET_REPORT_H

/* Parameters of this topic.
 * @report: measures of a trajectory
 * @frame: counted from 0
 */

/* Measures of a whole clip. Key points: knees, feet, elbows and hands against goals that have the motion's directions and the figure's own
 * lengths. Shares are of frames. */
typedef struct vtb_retarget_report_info {
  uint32_t struct_size;      /* sizeof the struct in the caller's program */
  int32_t frames;            /* number of frames */
  int32_t axes;              /* number of joint axes */
  int32_t contacts;          /* number of contacts of feet in the motion */
  double frame_time;         /* s: from one frame to the next */
  double yaw;                /* rad: of the trajectory against the motion about the vertical */
  double path_scale;         /* 1: size of the trajectory's path over the motion's */
  double error_relative;     /* m: mean distance of key points from their goals, both from the middle of the hips */
  double error_relative_p95; /* m: its 95th percentile */
  double error_global;       /* m: mean distance in the world; goals on the motion's path, laid on the trajectory's */
  double error_global_p95;   /* m: its 95th percentile */
  double slide_mean;         /* m: mean over the contacts of how far the sole drifts in each */
  double slide_p95;          /* m: 95th percentile */
  double slide_max;          /* m: the farthest */
  double slide_speed;        /* m/s: mean in contact */
  double contact_share;      /* 1: of frames and feet: in contact */
  double contact_kept;       /* 1: of these: sole within 20 mm of the ground */
  double contact_height;     /* m: median height of soles in contact */
  double depth_max;          /* m: of the deepest point of any link below the ground */
  double depth_mean;         /* m: mean of each frame's deepest */
  double depth_frames;       /* 1: share with more than 5 mm */
  double floating_frames;    /* 1: share with every link over 20 mm above the ground */
  double overlap_max;        /* m: of hulls of links in each other, beyond that of zero coordinates */
  double overlap_frames;     /* 1: share with more than 10 mm */
  double limit_excess;       /* rad or m: how far a limit is passed at most */
  double limit_frames;       /* 1: share with a limit passed by more than 1e-3 */
  double resting_frames;     /* 1: share with an axis at its limit */
  double speed_ratio;        /* 1: largest rate over its limit */
  double speed_frames;       /* 1: share with a rate above its limit */
  double jump_max;           /* rad or m: largest change from frame to frame */
  double jump_frames;        /* 1: share with more than 0.5 */
  double spike_max;          /* rad or m: largest distance from the mean of the frames before and after */
  double spike_frames;       /* 1: share with more than 0.1 */
  double jerk_rms;           /* rad/s^3 or m/s^3: of all axes */
  double jerk_feet;          /* 1: of feet, over the motion's at the figure's size */
  double jerk_hands;         /* 1: of hands, likewise */
  const char* depth_link;    /* the deepest; "" = none; lives as long as the report */
  const char* overlap_links; /* those that overlap most; "" = none; lives as long as the report */
} vtb_retarget_report_info;
/* One axis of a joint. */
typedef struct vtb_retarget_report_axis {
  uint32_t struct_size;  /* sizeof the struct in the caller's program */
  uint32_t reserved;     /* must be 0 */
  const char* name;      /* of the coordinate; lives as long as the report */
  double lower;          /* rad or m, any: limit */
  double upper;          /* rad or m, any: limit */
  double velocity_limit; /* rad/s or m/s, any: limit */
  double lowest;         /* rad or m: reached */
  double highest;        /* rad or m: reached */
  double excess;         /* rad or m: how far a limit is passed at most */
  double beyond_frames;  /* 1: share with more than 1e-3 */
  double resting_frames; /* 1: share within 1e-3 of a limit or beyond */
  double speed_max;      /* rad/s or m/s: largest rate */
  double speed_frames;   /* 1: share with a rate above its limit */
  double jump_max;       /* rad or m: largest change from frame to frame */
  double spike_max;      /* rad or m: largest distance from the mean of the frames before and after */
} vtb_retarget_report_axis;
/* One contact of a foot in the motion. */
typedef struct vtb_retarget_report_contact {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t side;         /* 0 left, 1 right */
  int32_t first;        /* frame */
  int32_t last;         /* frame, within the contact */
  double slide;         /* m: largest distance that the sole drifts */
  double path;          /* m: length of the drift */
} vtb_retarget_report_contact;
/* A role's key point and the body that ends its limb. */
typedef struct vtb_retarget_report_role {
  uint32_t struct_size;      /* sizeof the struct in the caller's program */
  int32_t known;             /* 0 or 1: motion and figure have its point */
  double error_relative;     /* m: mean, from the middle of the hips */
  double error_relative_p95; /* m: 95th percentile */
  double error_global;       /* m: mean, in the world */
  double error_global_p95;   /* m: 95th percentile */
  double turn_mean;          /* rad: of feet, hands, head against the motion's; the best constant offset taken out; -1 = none */
  double turn_p95;           /* rad: 95th percentile */
} vtb_retarget_report_role;
/* One frame. Points of the motion and of the figure in the world, in the order of vtb_retarget_role; not numbers where there is none. */
typedef struct vtb_retarget_report_frame {
  uint32_t struct_size;     /* sizeof the struct in the caller's program */
  uint32_t reserved;        /* must be 0 */
  double error;             /* m: mean distance of key points from their goals, from the middle of the hips */
  double depth;             /* m: of the deepest point below the ground; negative = above it */
  double overlap;           /* m: of links in each other, beyond that of zero coordinates */
  double foot_height[2];    /* m: of the lowest point of the left and right sole */
  double motion_points[48]; /* m, any: of the motion */
  double figure_points[48]; /* m, any: of the figure */
} vtb_retarget_report_frame;

/* Measures a trajectory of a figure against the motion that it renders, at the same times from the motion's beginning. VTB_E_UNSUPPORTED
 * says what is missing: as vtb_retarget, and a trajectory of other coordinates or another number of frames.
 * @trajectory: coordinates of the figure
 * @map or NULL: names for roles */
vtb_status vtb_retarget_report_create(const vtb_motion* motion, const vtb_skeleton* skeleton, const vtb_trajectory* trajectory,
                                      const vtb_retarget_map* map, vtb_retarget_report** out);
/* Measures of the whole clip. */
vtb_status vtb_retarget_report_get_info(const vtb_retarget_report* report, vtb_retarget_report_info* out);
/* One axis. */
vtb_status vtb_retarget_report_get_axis(const vtb_retarget_report* report, int32_t index, vtb_retarget_report_axis* out);
/* One contact. */
vtb_status vtb_retarget_report_get_contact(const vtb_retarget_report* report, int32_t index, vtb_retarget_report_contact* out);
/* One role.
 * @role: which */
vtb_status vtb_retarget_report_get_role(const vtb_retarget_report* report, vtb_retarget_role role, vtb_retarget_report_role* out);
/* One frame. */
vtb_status vtb_retarget_report_get_frame(const vtb_retarget_report* report, int32_t frame, vtb_retarget_report_frame* out);
/* Destroys a report.
 * @report or NULL: the report */
vtb_status vtb_retarget_report_destroy(vtb_retarget_report* report);

#endif
