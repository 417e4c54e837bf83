/* field.h - force fields: forces on centres of mass, by where bodies and particles are and how they move. */
#ifndef VTB_FIELD_H
#define VTB_FIELD_H

/* Parameters of this topic.
 * @field: a force field of this world
 */

/* Law of a force field; r: from the body, u: velocity against the wind. */
typedef enum vtb_field_type {
  VTB_FIELD_TYPE_RADIAL = 0,        /* strength * m * r / |r|^3 to the point, or to source, which feels the opposite */
  VTB_FIELD_TYPE_PAIRWISE = 1,      /* gravitation between all bodies */
  VTB_FIELD_TYPE_DRAG = 2,          /* -(linear + quadratic |u|) u, and -angular times the angular velocity */
  VTB_FIELD_TYPE_MAGNUS = 3,        /* strength * angular velocity x u */
  VTB_FIELD_TYPE_LENNARD_JONES = 4, /* 24 strength (2 (length/r)^12 - (length/r)^6) / r between all pairs nearer than range */
  VTB_FIELD_TYPE_ATTRACTOR = 5,     /* strength * |r|^exponent to the point, nearer than range; repels where strength is negative */
  VTB_FIELD_TYPE_USER = 6           /* what the callback gives */
} vtb_field_type;
/* Law of type radial. */
typedef struct vtb_radial_law {
  vtb_body source;  /* [none]: from this body; none = from the point */
  double point[3];  /* m [0]: world */
  double strength;  /* m^3/s^2 [0]: G M */
  double softening; /* m, >= 0 [0]: added to distances in the square */
} vtb_radial_law;
/* Law of type pairwise. */
typedef struct vtb_pairwise_law {
  double strength;  /* m^3/(kg s^2) [0]: G */
  double softening; /* m, >= 0 [0]: added to distances in the square */
  double range;     /* m, > 0 or inf [inf]: pairs that are farther apart feel nothing */
} vtb_pairwise_law;
/* Law of type drag. */
typedef struct vtb_drag_law {
  double wind[3];   /* m/s [0]: velocity of the air, world axes */
  double linear;    /* N s/m, >= 0 [0]: force per speed */
  double quadratic; /* N s^2/m^2, >= 0 [0]: force per speed squared: rho C A / 2 */
  double angular;   /* N m s, >= 0 [0]: torque against turning per angular velocity */
} vtb_drag_law;
/* Law of type magnus. */
typedef struct vtb_magnus_law {
  double wind[3];  /* m/s [0]: velocity of the air, world axes */
  double strength; /* kg [0]: force per angular velocity and speed */
} vtb_magnus_law;
/* Law of type lennard_jones. */
typedef struct vtb_lennard_jones_law {
  double strength; /* J [0]: depth of the potential */
  double length;   /* m, >= 0 [0]: distance at which the potential is zero */
  double range;    /* m, > 0 or inf [inf]: pairs that are farther apart feel nothing */
} vtb_lennard_jones_law;
/* Law of type attractor. */
typedef struct vtb_attractor_law {
  double point[3]; /* m [0]: world */
  double strength; /* N/m^exponent [0]: towards the point */
  double exponent; /* 1 [0]: of the distance */
  double range;    /* m, > 0 or inf [inf]: what is farther away feels nothing */
} vtb_attractor_law;
/* Law of type user. */
typedef struct vtb_user_law {
  /* [NULL]: adds force [N] and torque [N m, about the centre of mass], world axes, and returns 1. Once a body and step; 0, or numbers that
   * are not finite, fail the step with VTB_E_ARG */
  int32_t (*evaluate)(void* user, const vtb_world* world, vtb_field self, vtb_body body, double* force, double* torque);
  /* [NULL]: of an implicit field: adds how force and torque change with the body's pose (displacement of the centre of mass, rotation
   * vector, world axes) and with its twist (of the centre of mass): 6 x 6 each, a row for each number of the force, then the torque, and
   * returns 1. Where the field is stiff beside a body's inertia, what of its gradient resists motion acts implicitly, so that no step is
   * too long for it; first order there. Without it evaluate is called 24 times more a body and step, with the body's own pose and twist
   * moved by a millionth */
  int32_t (*gradient)(void* user, const vtb_world* world, vtb_field self, vtb_body body, double* by_pose, double* by_twist);
  /* [NULL]: returns a body's potential energy [J] in the field at its present pose. The field's forces must be its gradient, downwards. It
   * is part of potential energies then, and what the field does is no work of applied forces (vtb_energy). Called where energies are asked
   * for; what is not finite answers VTB_E_ARG there */
  double (*potential)(void* user, const vtb_world* world, vtb_field self, vtb_body body);
  void* user; /* [NULL]: handed to the callbacks */
} vtb_user_law;
/* A force field. Of its laws that of its type counts. */
typedef struct vtb_field_def {
  uint32_t struct_size;   /* sizeof the struct in the caller's program */
  vtb_field_type type;    /* [radial]: its law */
  const vtb_body* bodies; /* array of body_count [NULL]: whom it acts on; NULL = all that move by physics, and particles */
  uint32_t body_count;    /* [0]: of bodies */
  int32_t implicit;       /* 0 or 1 [0]: of type user: acts implicitly, see gradient; not under the stepper ode (VTB_E_UNSUPPORTED) */
  /* [none]: a system on which it acts; on bodies then only if they are named. Particles feel radial fields, drag, attractors, and
   * Lennard-Jones from those of their system */
  vtb_particles particles;
  vtb_radial_law radial;               /* of type radial */
  vtb_pairwise_law pairwise;           /* of type pairwise */
  vtb_drag_law drag;                   /* of type drag */
  vtb_magnus_law magnus;               /* of type magnus */
  vtb_lennard_jones_law lennard_jones; /* of type lennard_jones */
  vtb_attractor_law attractor;         /* of type attractor */
  vtb_user_law user;                   /* of type user */
} vtb_field_def;
vtb_status vtb_field_def_init(vtb_field_def* def, uint32_t struct_size);
/* A force that acts from now on, evaluated at the start of each step and applied to second order. */
vtb_status vtb_field_create(vtb_world* world, const vtb_field_def* def, vtb_field* out);
/* Another description, from the next step on. */
vtb_status vtb_field_set(vtb_world* world, vtb_field field, const vtb_field_def* def);
/* Destroys a field. */
vtb_status vtb_field_destroy(vtb_world* world, vtb_field field);

#endif
