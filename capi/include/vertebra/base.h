/* base.h - version, statuses, objects, handles and diagnostics: what every other topic uses. */
#ifndef VTB_BASE_H
#define VTB_BASE_H

/* Parameters that mean the same in every call.
 * @world: the world; used by one thread at a time
 * @def: the description, prepared by its _init call
 * @struct_size: sizeof the struct in the caller's program
 * @out: receives the result
 * @capacity: rows, or numbers, that the array has room for
 * @total: receives how many there are, whatever the capacity
 * @stride_bytes: bytes from one row to the next; 0 = packed
 * @buffer array of size, or NULL: receives the text or the bytes
 * @size: of the buffer or text, in bytes
 * @needed: receives the bytes needed, the closing NUL of a text included
 * @diagnostics or NULL: receives the list of findings; to be released
 * @name: UTF-8
 * @path: of a file, UTF-8
 * @index: counted from 0
 * @poses array of capacity x 7, pose, or NULL: receives 7 numbers each
 * @twists array of capacity x 6, twist, or NULL: receives 6 numbers each
 * @q array of nq, rad or m: coordinates, in the order of joint_type.h
 * @v array of nv, rad/s or m/s: velocities, likewise
 * @tau array of nv, N m or N: generalised forces
 * @skeleton: a figure's model
 * @motion: a clip
 * @link: index of a link of the skeleton
 * @body: a body of this world
 * @shape: a shape of this world
 * @joint: a joint of this world
 * @axis: index of the joint's axis, in the order of its velocities
 */

/* Constants. */
enum {
  VTB_ABI = 1 /* equals the library's SOVERSION */
};

/* What a call answers; values never change. */
typedef enum vtb_status {
  VTB_OK = 0,             /* the call did what it says */
  VTB_E_ARG = -1,         /* an argument is NULL, not a number, out of range or of the wrong size */
  VTB_E_STALE = -2,       /* a handle of something destroyed, or of another world */
  VTB_E_BUSY = -3,        /* called from inside a callback */
  VTB_E_NOMEM = -4,       /* out of memory */
  VTB_E_DIVERGED = -5,    /* the step was undone; the world holds the last good one */
  VTB_E_INFEASIBLE = -6,  /* constraints contradict each other; the result is inside all bounds, the residual is in the statistics */
  VTB_E_IO = -7,          /* a file could not be read or written */
  VTB_E_PARSE = -8,       /* a file was read but makes no sense; see the diagnostics */
  VTB_E_UNSUPPORTED = -9, /* known, but not with these settings */
  VTB_E_INTERNAL = -10,   /* a defect of the library; the world may only be destroyed */
  VTB_E_UNSOLVED = -11    /* with VTB_WORLD_FLAG_TELL_UNSOLVED: rows that no solver met; the step was made, see the statistics */
} vtb_status;

/* VTB_ABI of the library in use. */
uint32_t vtb_abi(void);
/* Version of the library in use, such as "0.1.0". */
const char* vtb_version(void);
/* Name of a status, such as "VTB_E_ARG"; "unknown status" for other numbers.
 * @code: the status */
const char* vtb_status_name(vtb_status code);
/* The text of this thread's last failed call, valid until its next one; "" before the first. */
const char* vtb_last_error(void);

/* Bodies and what joins and moves them; used by one thread at a time. */
typedef struct vtb_world vtb_world;
/* A figure's model. */
typedef struct vtb_skeleton vtb_skeleton;
/* A clip on named joints. */
typedef struct vtb_motion vtb_motion;
/* Coordinates of a figure over time. */
typedef struct vtb_trajectory vtb_trajectory;
/* Names for the roles of a retargeting; used by one thread at a time while it is changed. */
typedef struct vtb_retarget_map vtb_retarget_map;
/* Measures of a retargeted trajectory; any thread may read it. */
typedef struct vtb_retarget_report vtb_retarget_report;
/* Retargeting frame by frame; used by one thread at a time. */
typedef struct vtb_retargeter vtb_retargeter;
/* Positions of optical markers over time. */
typedef struct vtb_markers vtb_markers;
/* Optical markers to a figure's coordinates, frame by frame; used by one thread at a time. */
typedef struct vtb_marker_fitter vtb_marker_fitter;
/* A scene file as loaded. */
typedef struct vtb_scene vtb_scene;
/* What a loader found. */
typedef struct vtb_diagnostics vtb_diagnostics;
/* A skeleton being made by a program. */
typedef struct vtb_skeleton_builder vtb_skeleton_builder;
/* A system of differential equations of the caller with its integrator; used by one thread at a time. */
typedef struct vtb_ode vtb_ode;
/* Scratch memory for dynamics of one skeleton; used by one thread at a time. */
typedef struct vtb_workspace vtb_workspace;

/* Handle of a rigid body. */
typedef struct vtb_body {
  uint64_t bits; /* 0 = none */
} vtb_body;
/* Handle of a shape. */
typedef struct vtb_shape {
  uint64_t bits; /* 0 = none */
} vtb_shape;
/* Handle of a joint. */
typedef struct vtb_joint {
  uint64_t bits; /* 0 = none */
} vtb_joint;
/* Handle of a coupling of joint axes. */
typedef struct vtb_coupling {
  uint64_t bits; /* 0 = none */
} vtb_coupling;
/* Handle of a constraint of the caller, of a part of a driveline, or of a constraint on points. */
typedef struct vtb_constraint {
  uint64_t bits; /* 0 = none */
} vtb_constraint;
/* Handle of a force field. */
typedef struct vtb_field {
  uint64_t bits; /* 0 = none */
} vtb_field;
/* Handle of a particle system. */
typedef struct vtb_particles {
  uint64_t bits; /* 0 = none */
} vtb_particles;
/* Handle of a figure. */
typedef struct vtb_figure {
  uint64_t bits; /* 0 = none */
} vtb_figure;
/* Handle of a sensor. */
typedef struct vtb_sensor {
  uint64_t bits; /* 0 = none */
} vtb_sensor;
/* Handle of a controller of a figure. */
typedef struct vtb_controller {
  uint64_t bits; /* 0 = none */
} vtb_controller;

/* How much a finding of a loader matters. */
typedef enum vtb_severity {
  VTB_SEVERITY_INFO = 0,    /* something was assumed */
  VTB_SEVERITY_WARNING = 1, /* something was repaired or left out */
  VTB_SEVERITY_ERROR = 2    /* the file cannot be used */
} vtb_severity;
/* One finding; its strings live as long as the vtb_diagnostics. */
typedef struct vtb_diagnostic {
  vtb_severity severity; /* how much it matters */
  int32_t line;          /* counted from 1; 0 = unknown */
  const char* code;      /* stable, such as "urdf.inertia.not-psd" */
  const char* file;      /* as it was named */
  const char* element;   /* such as "joint 'elbow'" */
  const char* message;   /* what was found, what was done, how to mend */
} vtb_diagnostic;
/* How many findings there are.
 * @diagnostics: the list
 * @count: receives the number */
vtb_status vtb_diagnostics_count(const vtb_diagnostics* diagnostics, size_t* count);
/* One finding; VTB_E_ARG beyond the last.
 * @diagnostics: the list */
vtb_status vtb_diagnostics_get(const vtb_diagnostics* diagnostics, size_t index, vtb_diagnostic* out);
/* Releases a list.
 * @diagnostics or NULL: the list */
vtb_status vtb_diagnostics_release(vtb_diagnostics* diagnostics);

#endif
