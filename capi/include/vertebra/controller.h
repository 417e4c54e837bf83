/* controller.h - controllers of figures: what moves their axes and holds their roots, before each physics step. */
#ifndef VTB_CONTROLLER_H
#define VTB_CONTROLLER_H

/* Parameters of this topic.
 * @figure: a figure of this world
 * @controller: a controller of a figure of this world
 */

/* What a controller does. */
typedef enum vtb_controller_type {
  VTB_CONTROLLER_TYPE_DRIVE = 0,            /* a spring and a damper on each axis towards a pose */
  VTB_CONTROLLER_TYPE_ANIMATION = 1,        /* clips, one after the other */
  VTB_CONTROLLER_TYPE_ROOT_DRIVE = 2,       /* a bounded force that holds the root */
  VTB_CONTROLLER_TYPE_MARKER_DRIVE = 3,     /* bounded forces that draw points of links to places */
  VTB_CONTROLLER_TYPE_INVERSE_DYNAMICS = 4, /* the torques that the wanted motion needs */
  VTB_CONTROLLER_TYPE_POINT = 5,            /* hands, heads and tools to places and directions */
  VTB_CONTROLLER_TYPE_BALANCE = 6           /* the centre of mass over the feet */
} vtb_controller_type;
/* What a controller is. The controllers of a figure act before each step in the order in which they were added: each changes what those
 * before it want. The first wants the pose that the figure had at the first step with a controller. Axes that none drives stay as their
 * motors were set; a step that fails takes all back. Snapshots hold what controllers keep. Scene files hold controllers of a
 * figure; vtb_world_save_scene answers VTB_E_UNSUPPORTED for those that calls added, changed or ended. Those that
 * push links (root and marker drives, assistance) do not act under VTB_STEPPER_DISPLACEMENT: VTB_E_UNSUPPORTED. A figure has controllers or
 * follows a clip by vtb_figure_play, not both. */
typedef struct vtb_controller_info {
  uint32_t struct_size;     /* sizeof the struct in the caller's program */
  vtb_controller_type type; /* what it does */
  vtb_figure figure;        /* whose it is */
  int32_t let_go;           /* 0 or 1: an animation has let its figure go */
  int32_t standing;         /* of balance: soles near the ground */
  double error;             /* m: of an animation: mean distance of the links from their pose; of markers: the farthest from its place */
  double force[3];          /* N: of a root drive: on the root in the last step; of inverse dynamics: what the feet lacked */
  double moment[3];         /* N m: likewise, about the root's origin; of inverse dynamics about the centre of mass */
  double outside;           /* m: of balance: how far the capture point is outside of the soles */
  int32_t steps;            /* of balance: taken until now */
  int32_t reserved;         /* 0 */
} vtb_controller_info;
/* Ends a controller; axes that only it drove are switched off in the next step. */
vtb_status vtb_controller_destroy(vtb_world* world, vtb_controller controller);
/* The controllers of a figure, in their order.
 * @out array of capacity, or NULL: receives them */
vtb_status vtb_figure_get_controllers(const vtb_world* world, vtb_figure figure, vtb_controller* out, size_t capacity, size_t* total);
/* Its type and figure, and what it did in the last step. */
vtb_status vtb_controller_get_info(const vtb_world* world, vtb_controller controller, vtb_controller_info* out);

/* Which pose drives follow. */
typedef enum vtb_drive_pose {
  VTB_DRIVE_POSE_WANTED = 0, /* that of the controllers before it */
  VTB_DRIVE_POSE_NEUTRAL = 1 /* zero angles, until vtb_drive_set_pose */
} vtb_drive_pose;
/* Drives of all axes: a robot's PD control, a rag-doll that is drawn to a pose, or drives for the pose of an animation. They act at the end
 * of a step, so any gain is stable; not under VTB_STEPPER_ODE, which is explicit and needs a step of about inertia / damping of the
 * lightest axis. */
typedef struct vtb_drive_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  vtb_drive_pose pose;  /* [wanted]: which pose */
  double omega;         /* rad/s, > 0 [15]: natural frequency of each axis with the masses that it moves */
  double ratio;         /* 1, > 0 [1]: of damping; 1 = critical */
  double strength;      /* 1, >= 0 or inf [1]: bound of each axis, as a share of its effort in the skeleton; without one: no bound */
} vtb_drive_def;
vtb_status vtb_drive_def_init(vtb_drive_def* def, uint32_t struct_size);
/* Drives behind the figure's other controllers.
 * @def or NULL: how they act */
vtb_status vtb_figure_add_drive(vtb_world* world, vtb_figure figure, const vtb_drive_def* def, vtb_controller* out);
/* The pose that the drives follow from now on. VTB_E_ARG for another type of controller.
 * @q array of nq, rad or m: coordinates; those of the base are ignored
 * @v array of nv, rad/s or m/s, or NULL: velocities; NULL = zero */
vtb_status vtb_drive_set_pose(vtb_world* world, vtb_controller controller, const double* q, const double* v);
/* The pose that the drives follow. VTB_E_ARG for another type of controller.
 * @q array of nq, rad or m, or NULL: receives coordinates
 * @v array of nv, rad/s or m/s, or NULL: receives velocities */
vtb_status vtb_drive_get_pose(const vtb_world* world, vtb_controller controller, double* q, double* v);
/* Gains of each axis; entries of the base are ignored. An axis with stiffness and damping -1 is left alone. A ball joint has the largest of
 * its three. VTB_E_ARG for another type of controller.
 * @stiffness array of nv, N m/rad or N/m, or NULL: NULL = as they are
 * @damping array of nv, N m s/rad or N s/m, or NULL: NULL = as they are
 * @max_force array of nv, N m or N, >= 0 or inf, or NULL: NULL = as they are */
vtb_status vtb_drive_set_gains(vtb_world* world, vtb_controller controller, const double* stiffness, const double* damping,
                               const double* max_force);
/* Gains of each axis; stiffness and damping -1: it is left alone. VTB_E_ARG for another type of controller.
 * @stiffness array of nv, N m/rad or N/m, or NULL: receives them
 * @damping array of nv, N m s/rad or N s/m, or NULL: receives them
 * @max_force array of nv, N m or N, or NULL: receives the bounds */
vtb_status vtb_drive_get_gains(const vtb_world* world, vtb_controller controller, double* stiffness, double* damping, double* max_force);

/* Clips as the wanted pose, with drives that follow it. A figure that is far from its pose, or is hit, is let go: its drives become weak,
 * and after a while take the motion up again. */
typedef struct vtb_animation_def {
  uint32_t struct_size;  /* sizeof the struct in the caller's program */
  uint32_t reserved;     /* must be 0 */
  double omega;          /* rad/s, > 0 [25]: natural frequency of each axis with the masses that it moves */
  double ratio;          /* 1, > 0 [1]: of damping; 1 = critical */
  double strength;       /* 1, >= 0 or inf [1]: bound of each axis, as a share of its effort in the skeleton; without one: no bound */
  double largest_error;  /* m, > 0 or inf [inf]: mean distance of the links from their pose, seen from the root, that lets go */
  double largest_impact; /* N, > 0 or inf [inf]: sum of contact forces of other bodies that lets go */
  double limp;           /* 1, 0 to 1 [0.02]: share of stiffness while it is let go */
  double rest;           /* s, >= 0 [0.5]: how long it is let go at least */
  double resume;         /* s, > 0 [1]: in which drives and pose return */
} vtb_animation_def;
vtb_status vtb_animation_def_init(vtb_animation_def* def, uint32_t struct_size);
/* An animation behind the figure's other controllers.
 * @def or NULL: how it acts */
vtb_status vtb_figure_add_animation(vtb_world* world, vtb_figure figure, const vtb_animation_def* def, vtb_controller* out);
/* How a clip is repeated. */
typedef enum vtb_repeat {
  VTB_REPEAT_NO = 0,    /* its last frame stays */
  VTB_REPEAT_STAY = 1,  /* again at the clip's own place */
  VTB_REPEAT_TRAVEL = 2 /* again from where it has come to */
} vtb_repeat;
/* A clip of an animation: a motion whose joints have the names of the figure's, or a trajectory of the figure. */
typedef struct vtb_play_def {
  uint32_t struct_size;       /* sizeof the struct in the caller's program */
  vtb_repeat repeat;          /* [no]: how it is repeated */
  vtb_motion* motion;         /* [NULL]: the clip, or NULL; the animation keeps it alive */
  vtb_trajectory* trajectory; /* [NULL]: the clip, or NULL: one of the two; smoothed by splines, see track.h */
  double begin;               /* s, >= 0 [0]: time of the world at which it begins; at least the present, and that of the clip before it */
  double blend;               /* s, >= 0 [0.3]: from then on, in which it takes over from what was wanted before */
  double from;                /* s, >= 0 [0]: of the clip: where the part that is played begins */
  double to;                  /* s, > 0 or inf [inf]: where it ends; at most the clip's end */
  double speed;               /* 1, 1e-6 to 1e6 [1]: time of the clip per time of the world */
  double seam;                /* s, >= 0 [0.2]: of the clip: end and beginning run together for so long where it is repeated */
  double heading;             /* rad [0]: its root is turned about z by this, about the world's origin, */
  double shift[3];            /* m [0]: then moved by this */
  uint32_t joins;             /* 0 or 1 [0]: heading and shift are found, so that the root goes on from where it is when the clip begins */
  uint32_t reserved;          /* must be 0 */
} vtb_play_def;
vtb_status vtb_play_def_init(vtb_play_def* def, uint32_t struct_size);
/* A clip behind those that the animation has. VTB_E_ARG for another type of controller, and for a clip that does not fit the figure. */
vtb_status vtb_animation_play(vtb_world* world, vtb_controller controller, const vtb_play_def* def);

/* A bounded force that holds the root link where the controllers before it want it, each axis on its own. */
typedef struct vtb_root_drive_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t reserved;    /* must be 0 */
  double omega[6];      /* rad/s, >= 0 [25]: along x, y, z and about them: natural frequency of the figure as one body; 0 = free */
  double rate[6];       /* 1/s, >= 0 [0]: at which a velocity follows, besides */
  double limit[6];      /* N or N m, >= 0 or inf [inf]: largest force and moment */
  double ratio;         /* 1, > 0 [1]: of damping; 1 = critical */
  double weight;        /* 1, 0 to 1 [0]: share of the figure's weight that the root carries */
} vtb_root_drive_def;
vtb_status vtb_root_drive_def_init(vtb_root_drive_def* def, uint32_t struct_size);
/* A root drive behind the figure's other controllers. VTB_E_ARG if its base is fixed.
 * @def or NULL: how it acts */
vtb_status vtb_figure_add_root_drive(vtb_world* world, vtb_figure figure, const vtb_root_drive_def* def, vtb_controller* out);

/* Bounded forces that draw points of links to places in the world, as markers of an optical record draw a figure. */
typedef struct vtb_marker_drive_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t count;       /* > 0 [0]: number of points */
  const int32_t* links; /* array of count [NULL]: link of each */
  const double* points; /* array of count x 3, m [NULL]: its place in the link's frame */
  double omega;         /* rad/s, > 0 [20]: of the figure's mass, shared among the points */
  double ratio;         /* 1, > 0 [1]: of damping; 1 = critical */
  double limit;         /* N, > 0 or inf [inf]: of each force */
} vtb_marker_drive_def;
vtb_status vtb_marker_drive_def_init(vtb_marker_drive_def* def, uint32_t struct_size);
/* A marker drive behind the figure's other controllers; its points have no places yet. */
vtb_status vtb_figure_add_marker_drive(vtb_world* world, vtb_figure figure, const vtb_marker_drive_def* def, vtb_controller* out);
/* A record of markers that the points follow. */
typedef struct vtb_marker_play_def {
  uint32_t struct_size;   /* sizeof the struct in the caller's program */
  uint32_t count;         /* > 0 [0]: of the points of this controller */
  vtb_markers* markers;   /* [NULL]: the record; the controller keeps it alive */
  const int32_t* columns; /* array of count, >= -1 [NULL]: marker of the record that each point follows; -1 = none */
  double begin;           /* s, >= 0 [0]: time of the world at the record's first frame; before it the points have no places */
  double pose[7];         /* pose [identity]: of the record's world in this one */
} vtb_marker_play_def;
vtb_status vtb_marker_play_def_init(vtb_marker_play_def* def, uint32_t struct_size);
/* The points follow markers of a record: on straight lines between its frames; where a marker is missing its point has no place; behind the
 * record the last places stay. Ends with vtb_marker_drive_set_places. VTB_E_ARG for another type of controller, and for a record without
 * frames. */
vtb_status vtb_marker_drive_play(vtb_world* world, vtb_controller controller, const vtb_marker_play_def* def);
/* Where the points shall be at the end of the next step, and from then on. VTB_E_ARG for another type of controller.
 * @places array of count x 3, m: world; not a number where a point has no place
 * @velocities array of count x 3, m/s, or NULL: of the places; NULL = zero
 * @count: of the points of this controller */
vtb_status vtb_marker_drive_set_places(vtb_world* world, vtb_controller controller, const double* places, const double* velocities,
                                       size_t count);
/* Where the points shall be. VTB_E_ARG for another type of controller.
 * @places array of capacity x 3, m, or NULL: receives them, world; not a number where a point has no place
 * @capacity: points that the array has room for
 * @total: receives the number of points of this controller */
vtb_status vtb_marker_drive_get_places(const vtb_world* world, vtb_controller controller, double* places, size_t capacity, size_t* total);

/* How inverse dynamics meets errors. */
typedef enum vtb_feedback {
  VTB_FEEDBACK_NONE = 0,         /* not at all: torques alone */
  VTB_FEEDBACK_DRIVES = 1,       /* by drives of the axes, the stiffer the larger the torque */
  VTB_FEEDBACK_ACCELERATIONS = 2 /* by accelerations that the torques give as well: computed torque */
} vtb_feedback;
/* The torques that the wanted motion needs, with the ground's forces on the feet. */
typedef struct vtb_inverse_dynamics_def {
  uint32_t struct_size;  /* sizeof the struct in the caller's program */
  vtb_feedback feedback; /* [drives]: how errors are met */
  double omega;          /* rad/s, > 0 [15]: of the feedback of axes */
  double ratio;          /* 1, > 0 [1]: of damping; 1 = critical */
  double root_omega;     /* rad/s, > 0 [25]: of a free root, by the forces of the feet */
  double root_ratio;     /* 1, > 0 [1]: likewise */
  double flexion;        /* rad or m, > 0 or inf [0.1]: stiffness of drives grows by the torque over this */
  double strength;      /* 1, >= 0 or inf [1]: bound of each axis: share of its effort, or of one from masses where the skeleton has none */
  double friction;      /* 1, >= 0 [0.8]: of the ground, level at height 0, that the forces of the feet count on */
  double assist_force;  /* 1, >= 0 or inf [0]: largest force on the root for what the feet lack, as a share of the weight */
  double assist_moment; /* 1, >= 0 or inf [0]: largest moment, as a share of the weight times the height of the centre of mass */
} vtb_inverse_dynamics_def;
vtb_status vtb_inverse_dynamics_def_init(vtb_inverse_dynamics_def* def, uint32_t struct_size);
/* Inverse dynamics behind the figure's other controllers. The feet are what stands on the ground in the first step.
 * @def or NULL: how it acts */
vtb_status vtb_figure_add_inverse_dynamics(vtb_world* world, vtb_figure figure, const vtb_inverse_dynamics_def* def, vtb_controller* out);

/* Balance: the figure stands over its feet, by their forces alone; a biped whose feet do not suffice steps. */
typedef struct vtb_balance_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t reserved;    /* must be 0 */
  double capture;       /* 1, > 0 [3]: rate at which the capture point returns, as a multiple of the pendulum's own */
  double centred;       /* 1, 0 to 1 [0.75]: the centre of mass wanted: 0 = the pose's, 1 = over the middle of the soles */
  double height;        /* rad/s, > 0 [8]: of the centre of mass up and down */
  double upright;       /* rad/s, > 0 [10]: of the root's orientation */
  double hip;           /* m, >= 0 [0.03]: how far outside of the soles the centre of pressure may be wanted */
  double legs;          /* 1, 0 to 1 [0.2]: share of their stiffness that drives of the legs keep */
  double friction;      /* 1, >= 0 [0.8]: of the ground, level at height 0, that the forces of the feet count on */
  /* s, >= 0 [0.25]: time of a step, which a figure with one foot each on two legs takes where the capture point leaves the soles by 15 mm;
   * 0 = it takes none */
  double step_time;
} vtb_balance_def;
vtb_status vtb_balance_def_init(vtb_balance_def* def, uint32_t struct_size);
/* Balance behind the figure's other controllers. The figure must stand on the ground in the first step, which answers VTB_E_ARG otherwise.
 * @def or NULL: how it acts */
vtb_status vtb_figure_add_balance(vtb_world* world, vtb_figure figure, const vtb_balance_def* def, vtb_controller* out);

/* What a goal of a point controller asks for. */
typedef enum vtb_goal_type {
  VTB_GOAL_TYPE_PLACE = 0,     /* the link's point is at the target */
  VTB_GOAL_TYPE_AIM = 1,       /* the link's direction, from its point, passes through the target */
  VTB_GOAL_TYPE_DIRECTION = 2, /* the link's direction is along the target */
  VTB_GOAL_TYPE_STILL = 3      /* the link stays where it was when the goal began */
} vtb_goal_type;
/* A goal: a hand at a place, a head that looks, an object held upright, a foot that stays. */
typedef struct vtb_goal_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  vtb_goal_type type;   /* [place]: what is asked for */
  int32_t link;         /* >= 0 [0]: of the figure */
  int32_t from;         /* >= -1 [-1]: axes between this link and `link` move; -1 = all from the root on */
  double point[3];      /* m [0]: of the link, in its frame */
  double direction[3];  /* 1, unit [1 0 0]: of the link, in its frame */
  double target[3];     /* m or 1 [0]: a place in the world, or for type direction a direction there, of any length but 0 */
  double begin;         /* s, >= 0 [0]: time of the world at which it begins to act */
  double end;           /* s, >= 0 or inf [inf]: and to fade */
  double blend;         /* s, >= 0 [0.5]: in which it comes and goes */
} vtb_goal_def;
vtb_status vtb_goal_def_init(vtb_goal_def* def, uint32_t struct_size);
/* Goals over the pose of the controllers before it; without drives of theirs the axes of its goals get drives from their efforts. */
vtb_status vtb_figure_add_point(vtb_world* world, vtb_figure figure, vtb_controller* out);
/* One more goal. VTB_E_ARG for another type of controller, for links that the figure does not have or without axes between them.
 * @goal: receives its index, counted from 0 */
vtb_status vtb_point_add_goal(vtb_world* world, vtb_controller controller, const vtb_goal_def* def, int32_t* goal);
/* A goal as it is now: with the target that it was moved to. VTB_E_ARG for another type of controller.
 * @goal: index of it */
vtb_status vtb_point_get_goal(const vtb_world* world, vtb_controller controller, int32_t goal, vtb_goal_def* out);
/* Moves a goal.
 * @goal: index of it
 * @target m or 1: as in vtb_goal_def */
vtb_status vtb_point_set_target(vtb_world* world, vtb_controller controller, int32_t goal, const double target[3]);
/* How far the figure is from a goal now.
 * @goal: index of it
 * @error m or rad: receives the distance; of type aim and direction the angle */
vtb_status vtb_point_get_error(const vtb_world* world, vtb_controller controller, int32_t goal, double* error);

#endif
