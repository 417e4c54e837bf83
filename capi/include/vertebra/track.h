/* track.h - a trajectory tracked in simulation, with limits of torque, contact and friction. */
#ifndef VTB_TRACK_H
#define VTB_TRACK_H

/* Options of tracking. */
typedef enum vtb_track_flag {
  VTB_TRACK_FLAG_NO_ASSIST = 1,       /* nothing helps the root: the figure stands on its feet alone, until it falls */
  VTB_TRACK_FLAG_NO_FEED_FORWARD = 2, /* drives of the axes alone, without torques by inverse dynamics */
  VTB_TRACK_FLAG_NO_FEEDBACK = 4,     /* torques by inverse dynamics alone, within limits of torque */
  VTB_TRACK_FLAG_NO_PREPARATION = 8,  /* the trajectory as it is: feet that swing may touch the ground */
  VTB_TRACK_FLAG_SELF_COLLISION = 16  /* links of the figure touch each other */
} vtb_track_flag;
/* How a trajectory is tracked. */
typedef struct vtb_track_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t flags;       /* vtb_track_flag bits [0]: options */
  double step;          /* s, 1e-5 to 1 [1/240]: longest step; a frame is a whole number of steps */
  double start;         /* s, >= 0 [0]: time of the trajectory at which it starts */
  double friction;      /* 1, >= 0 [0.8]: of the ground */
  double assist_force;  /* 1, >= 0 [0.5]: largest force that helps the root, as a share of the weight */
  double assist_moment; /* 1, >= 0 [0.5]: largest moment, as a share of the weight times the height of the centre of mass */
  double omega;      /* rad/s, > 0 [15]: least natural frequency of an axis' feedback; the limit of torque over 0.5 rad makes it stiffer */
  double root_omega; /* rad/s, > 0 [21]: of the feedback of the root */
  double clearance;  /* m, >= 0 [0.02]: of feet in the middle of a swing */
} vtb_track_def;
vtb_status vtb_track_def_init(vtb_track_def* def, uint32_t struct_size);
/* What was measured. Key points are the origins of the links; the trajectory that they are compared with is the prepared one. */
typedef struct vtb_track_info {
  uint32_t struct_size;      /* sizeof the struct in the caller's program */
  int32_t fell;              /* 0 or 1: its centre of mass came below 70 % of its height in the trajectory */
  double time;               /* s: from the start to the end, or to the fall */
  double assist_mean;        /* 1: force on the root, as a share of the weight */
  double assist_peak;        /* 1: likewise, the largest */
  double assist_moment_mean; /* 1: moment on the root, as a share of the weight times the height of the centre of mass */
  double assist_moment_peak; /* 1: likewise, the largest */
  double error_mean;         /* m: of the key points in the world */
  double error_peak;         /* m: likewise, the largest */
  double clamped;            /* 1: share of time that the worst axis spent at its limit of torque */
  double slide_mean;         /* m: way along the ground of a foot in a contact, over all contacts */
  double slide_peak;         /* m: likewise, the largest */
  double penetration;        /* m: deepest contact with the ground */
  double shift;              /* m: largest way by which the preparation moved the body sideways */
  int32_t clamped_axis;      /* index of that axis among the velocities; -1 = none */
  int32_t contacts;          /* contacts of feet with the ground, with those that last at the end */
  int32_t derived_efforts;   /* axes without a limit of torque (none or 0 in the skeleton), whose limit was made from masses */
  uint32_t reserved;         /* must be 0 */
} vtb_track_info;
/* A trajectory in a world with level ground at height 0: feet clear the ground while they swing and the body moves so far sideways that its
 * feet can bear it; torques by inverse dynamics with contact, feedback by drives of the axes and by forces of the feet, and a bounded
 * wrench on the root for what these lack. The result ends where the figure falls. VTB_E_ARG if the trajectory is another figure's,
 * VTB_E_UNSUPPORTED if no link has a collision shape.
 * @trajectory: coordinates of the figure
 * @def or NULL: how to do it
 * @info or NULL: receives what was measured
 * @out or NULL: receives what the figure did, at the trajectory's frames */
vtb_status vtb_track(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton, const vtb_track_def* def, vtb_track_info* info,
                     vtb_trajectory** out);

#endif
