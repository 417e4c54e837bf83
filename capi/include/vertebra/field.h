/* field.h - force fields: forces on centres of mass, by where bodies and particles are and how they move. */
#ifndef VTB_FIELD_H
#define VTB_FIELD_H

/* Parameters of this topic.
 * @field: a force field of this world
 */

/* Law of a force field; r: from the body, u: velocity against the wind. */
typedef enum vtb_field_type {
  VTB_FIELD_TYPE_RADIAL = 0,        /* strength * m * r / |r|^3 to the point, or to source, which feels the opposite; strength = G M */
  VTB_FIELD_TYPE_PAIRWISE = 1,      /* gravitation between all bodies; strength = G */
  VTB_FIELD_TYPE_DRAG = 2,          /* -(linear + quadratic |u|) u, and -angular times the angular velocity; quadratic = rho C A / 2 */
  VTB_FIELD_TYPE_MAGNUS = 3,        /* strength * angular velocity x u */
  VTB_FIELD_TYPE_LENNARD_JONES = 4, /* 24 strength (2 (length/r)^12 - (length/r)^6) / r between all pairs nearer than range */
  VTB_FIELD_TYPE_ATTRACTOR = 5,     /* strength * |r|^exponent to the point, nearer than range; repels where strength is negative */
  VTB_FIELD_TYPE_USER = 6           /* what the callback gives */
} vtb_field_type;
/* A force field. */
typedef struct vtb_field_def {
  uint32_t struct_size;   /* sizeof the struct in the caller's program */
  vtb_field_type type;    /* [radial]: its law */
  uint32_t body_count;    /* [0]: of bodies */
  int32_t implicit;       /* 0 or 1 [0]: of type user: acts implicitly, see gradient; not under the stepper ode (VTB_E_UNSUPPORTED) */
  const vtb_body* bodies; /* array of body_count [NULL]: whom it acts on; NULL = all that move by physics, and particles */
  /* [none]: a system on which it acts; on bodies then only if they are named. Particles feel radial fields, drag, attractors, and
   * Lennard-Jones from those of their system */
  vtb_particles particles;
  vtb_body source; /* [none]: radial: from this body; none = from the point */
  double point[3]; /* m [0]: radial, attractor: world */
  double wind[3];  /* m/s [0]: drag, Magnus: velocity of the air, world axes */
  /* m^3/s^2 or m^3/(kg s^2) or kg or J or N/m^exponent [0]: in the order of radial, pairwise, Magnus, Lennard-Jones, attractor */
  double strength;
  double exponent;  /* 1 [0]: attractor */
  double range;     /* m, > 0 or inf [inf]: pairs, attractor: farther ones feel nothing */
  double softening; /* m, >= 0 [0]: added to distances of gravitation in the square */
  double length;    /* m, >= 0 [0]: Lennard-Jones */
  double linear;    /* N s/m, >= 0 [0]: drag */
  double quadratic; /* N s^2/m^2, >= 0 [0]: drag */
  double angular;   /* N m s, >= 0 [0]: drag against turning */
  /* [NULL]: of type user: adds force [N] and torque [N m, about the centre of mass], world axes, and returns 1. Once a body and step; 0, or
   * numbers that are not finite, fail the step with VTB_E_ARG */
  int32_t (*evaluate)(void* user, const vtb_world* world, vtb_field self, vtb_body body, double* force, double* torque);
  /* [NULL]: of an implicit field: adds how force and torque change with the body's pose (displacement of the centre of mass, rotation
   * vector, world axes) and with its twist (of the centre of mass): 6 x 6 each, a row for each number of the force, then the torque, and
   * returns 1. Where the field is stiff beside a body's inertia, what of its gradient resists motion acts implicitly, so that no step is
   * too long for it; first order there. Without it evaluate is called 24 times more a body and step, with the body's own pose and twist
   * moved by a millionth */
  int32_t (*gradient)(void* user, const vtb_world* world, vtb_field self, vtb_body body, double* by_pose, double* by_twist);
  void* user; /* [NULL]: handed to the callbacks */
} vtb_field_def;
vtb_status vtb_field_def_init(vtb_field_def* def, uint32_t struct_size);
/* A force that acts from now on, evaluated at the start of each step and applied to second order. */
vtb_status vtb_field_create(vtb_world* world, const vtb_field_def* def, vtb_field* out);
/* Another description, from the next step on. */
vtb_status vtb_field_set(vtb_world* world, vtb_field field, const vtb_field_def* def);
/* Destroys a field. */
vtb_status vtb_field_destroy(vtb_world* world, vtb_field field);

#endif
