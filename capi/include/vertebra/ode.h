/* ode.h - differential equations of the caller, and the integrators that they and the stepper ode use. */
#ifndef VTB_ODE_H
#define VTB_ODE_H

/* Methods of integration. */
typedef enum vtb_integrator {
  VTB_INTEGRATOR_WORLD = -1,           /* of bodies and figures: the world's */
  VTB_INTEGRATOR_EXPLICIT_EULER = 0,   /* order 1 */
  VTB_INTEGRATOR_SYMPLECTIC_EULER = 1, /* order 1: velocities first, positions with the new ones */
  VTB_INTEGRATOR_IMPLICIT_EULER = 2,   /* order 1: Newton's method, Jacobian by differences */
  VTB_INTEGRATOR_MIDPOINT = 3,         /* order 2, explicit */
  VTB_INTEGRATOR_RK4 = 4,              /* order 4, Runge and Kutta */
  VTB_INTEGRATOR_DORMAND_PRINCE = 5    /* order 5 with an embedded method of order 4 */
} vtb_integrator;
/* How the length of a step is chosen. */
typedef enum vtb_step_control {
  VTB_STEP_CONTROL_FIXED = 0,    /* steps of equal length, at most the given one */
  VTB_STEP_CONTROL_DOUBLING = 1, /* by the error of a step against two of half its length */
  VTB_STEP_CONTROL_EMBEDDED = 2, /* by the error against the embedded method; Dormand-Prince only */
  VTB_STEP_CONTROL_TAYLOR = 3 /* by the first term the method leaves out, from the history of derivatives: one evaluation, but seen late */
} vtb_step_control;
/* An initial-value problem y' = f(t, y). */
typedef struct vtb_ode_def {
  uint32_t struct_size;      /* sizeof the struct in the caller's program */
  int32_t size;              /* 1 to 100000 [0]: numbers of the state y */
  int32_t positions;         /* >= 0 [0]: the leading ones that are positions; symplectic Euler only */
  vtb_integrator integrator; /* except world [rk4]: method */
  vtb_step_control control;  /* [fixed]: how the length of a step is chosen */
  uint32_t reserved;         /* must be 0 */
  double step;               /* units of t, > 0 [1e-3]: fixed steps, and the first of adaptive ones */
  double tolerance;          /* units of y, > 0 [1e-6]: largest error of one step in any number of y, absolute */
  double smallest_step;      /* units of t, > 0 [1e-9]: of adaptive steps */
  double largest_step;       /* units of t, > 0 [0.1]: of adaptive steps */
  /* [NULL]: writes dy/dt at (t, y) and returns 1, or returns 0 where there is none: adaptive steps then shrink */
  int32_t (*derivative)(void* user, double t, const double* y, double* dy);
  void (*project)(void* user, double t, double* y); /* [NULL]: changes y after each step, e.g. to unit quaternions */
  void* user;                                       /* [NULL]: handed to the callbacks */
} vtb_ode_def;
vtb_status vtb_ode_def_init(vtb_ode_def* def, uint32_t struct_size);
/* What one vtb_ode_advance took. */
typedef struct vtb_ode_report {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t steps;        /* taken */
  int32_t rejected;     /* tried and made shorter */
  int32_t evaluations;  /* of the derivative */
  int32_t at_smallest;  /* steps of the smallest size whose error was above the tolerance */
  uint32_t reserved;    /* must be 0 */
  double worst_error;   /* units of y: of the steps taken, as estimated */
  double next_step;     /* units of t: what an adaptive step would try next */
} vtb_ode_report;

/* A system at t = 0 and y = 0. Free of worlds. */
vtb_status vtb_ode_create(const vtb_ode_def* def, vtb_ode** out);
/* Destroys a system.
 * @ode or NULL: the system */
vtb_status vtb_ode_destroy(vtb_ode* ode);
/* Time and state.
 * @ode: the system
 * @t units of t: receives the time
 * @y array of size of the system, units of y: receives the state */
vtb_status vtb_ode_get_state(const vtb_ode* ode, double* t, double* y);
/* Sets time and state and forgets the history of steps.
 * @ode: the system
 * @t units of t: the time
 * @y array of size of the system, units of y: the state */
vtb_status vtb_ode_set_state(vtb_ode* ode, double t, const double* y);
/* Moves the state to a later time, exactly. VTB_E_DIVERGED: a step had no derivative or gave no number; the last good state stands.
 * @ode: the system
 * @until units of t: the time to reach, not before the present one
 * @report or NULL: receives what it took */
vtb_status vtb_ode_advance(vtb_ode* ode, double until, vtb_ode_report* report);

#endif
