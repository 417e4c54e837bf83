/* particles.h - systems of particles, their emitters and sinks. */
#ifndef VTB_PARTICLES_H
#define VTB_PARTICLES_H

/* Parameters of this topic.
 * @particles: a particle system of this world
 */

/* Options of a particle system. */
typedef enum vtb_particles_flag {
  VTB_PARTICLES_FLAG_NO_PAIRS = 1, /* they do not touch each other */
  VTB_PARTICLES_FLAG_NO_SHAPES = 2 /* they do not touch shapes */
} vtb_particles_flag;
/* Balls that do not turn, under gravity and force fields, that touch each other and shapes and push bodies. They move after the bodies in
 * each step, under every stepper. Energy and momentum of the world do not count them. */
typedef struct vtb_particles_def {
  uint32_t struct_size;            /* sizeof the struct in the caller's program */
  uint32_t flags;                  /* vtb_particles_flag bits [0]: options */
  uint32_t max_count;              /* [1000]: room that is made at once */
  int32_t iterations;              /* [8]: sweeps over contacts in a step, at most */
  uint32_t category;               /* bits [1]: categories they belong to */
  uint32_t mask;                   /* bits [all]: categories of shapes they collide with; both must agree */
  double friction;                 /* 1, >= 0 [0.8]: Coulomb coefficient */
  double restitution;              /* 1, 0 to 1 [0]: Newton's coefficient */
  vtb_combine friction_combine;    /* [default]: how a pair makes one friction of two */
  vtb_combine restitution_combine; /* [default]: how a pair makes one restitution of two */
  double gravity_scale;            /* 1 [1]: share of gravity they feel */
} vtb_particles_def;
vtb_status vtb_particles_def_init(vtb_particles_def* def, uint32_t struct_size);
/* One particle. */
typedef struct vtb_particle {
  double position[3]; /* m: world */
  double velocity[3]; /* m/s: world axes */
  double mass;        /* kg: of the particle */
  double radius;      /* m: of the particle */
  double life;        /* s: left; inf = for ever */
  uint64_t id;        /* from 1 on, by age; 0 in vtb_particles_set: a new one */
} vtb_particle;
/* A disc that throws particles into a cone about its normal. */
typedef struct vtb_emitter_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t seed;        /* [1]: of its random numbers */
  double position[3];   /* m [0]: world */
  double direction[3];  /* 1 [0 0 1]: of any length but 0 */
  double disc_radius;   /* m, >= 0 [0]: of the disc */
  double cone_angle;    /* rad, >= 0 [0]: between the cone's axis and its side */
  double speed;         /* m/s [1]: evenly from speed - speed_spread to speed + speed_spread */
  double speed_spread;  /* m/s, >= 0 [0]: see speed */
  double rate;          /* 1/s, >= 0 [0]: particles a second, each at its own instant */
  double mass;          /* kg, > 0 [1e-3]: of each */
  double radius;        /* m, > 0 [0.01]: of each */
  double life;          /* s, >= 0 or inf [inf]: of each */
} vtb_emitter_def;
vtb_status vtb_emitter_def_init(vtb_emitter_def* def, uint32_t struct_size);
/* Geometry of a sink. */
typedef enum vtb_sink_type {
  VTB_SINK_TYPE_HALF_SPACE = 0, /* below local z = 0 */
  VTB_SINK_TYPE_BOX = 1,        /* size = half extents */
  VTB_SINK_TYPE_SPHERE = 2      /* size[0] = radius */
} vtb_sink_type;
/* What takes particles whose centre is inside. */
typedef struct vtb_sink_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  vtb_sink_type type;   /* [half_space]: its geometry */
  double pose[7];       /* pose [identity]: world */
  double size[3];       /* m [0]: see vtb_sink_type */
} vtb_sink_def;
vtb_status vtb_sink_def_init(vtb_sink_def* def, uint32_t struct_size);
/* Counts of a particle system. */
typedef struct vtb_particles_state {
  uint32_t struct_size;   /* sizeof the struct in the caller's program */
  int32_t contacts;       /* of the last physics step */
  double max_penetration; /* m: of these at its end */
  uint64_t count;         /* particles now */
  uint64_t emitted;       /* so far: made by emitters */
  uint64_t expired;       /* so far: past their life */
  uint64_t absorbed;      /* so far: taken by sinks */
  uint64_t refused;       /* so far: not made for want of room */
  uint32_t emitters;      /* how many it has */
  uint32_t sinks;         /* likewise */
} vtb_particles_state;

/* A particle system. */
vtb_status vtb_particles_create(vtb_world* world, const vtb_particles_def* def, vtb_particles* out);
/* Destroys a system, with the force fields that act on it. */
vtb_status vtb_particles_destroy(vtb_world* world, vtb_particles particles);
/* Its settings. */
vtb_status vtb_particles_get_def(const vtb_world* world, vtb_particles particles, vtb_particles_def* out);
/* All particles, the oldest first.
 * @out array of capacity, or NULL: receives them */
vtb_status vtb_particles_get(const vtb_world* world, vtb_particles particles, vtb_particle* out, size_t capacity, size_t stride_bytes,
                             size_t* total);
/* Puts these in the place of all from an index on: with first 0 they are all there are, with first = count they are added.
 * @first: index of the first particle to be replaced; at most the present count
 * @values array of count, or NULL: what takes their place
 * @count: of values */
vtb_status vtb_particles_set(vtb_world* world, vtb_particles particles, size_t first, const vtb_particle* values, size_t count,
                             size_t stride_bytes);
/* Counts. */
vtb_status vtb_particles_get_state(const vtb_world* world, vtb_particles particles, vtb_particles_state* out);
/* The system's emitters from now on; one of the same index and seed goes on with its random numbers.
 * @emitters array of count, or NULL: each prepared by vtb_emitter_def_init
 * @count: of emitters; 0 = none from now on */
vtb_status vtb_particles_set_emitters(vtb_world* world, vtb_particles particles, const vtb_emitter_def* emitters, size_t count,
                                      size_t stride_bytes);
/* One of the emitters.
 * @emitter: index, in the order in which they were set */
vtb_status vtb_particles_get_emitter(const vtb_world* world, vtb_particles particles, int32_t emitter, vtb_emitter_def* out);
/* The system's sinks from now on.
 * @sinks array of count, or NULL: each prepared by vtb_sink_def_init
 * @count: of sinks; 0 = none from now on */
vtb_status vtb_particles_set_sinks(vtb_world* world, vtb_particles particles, const vtb_sink_def* sinks, size_t count, size_t stride_bytes);
/* One of the sinks.
 * @sink: index, in the order in which they were set */
vtb_status vtb_particles_get_sink(const vtb_world* world, vtb_particles particles, int32_t sink, vtb_sink_def* out);

#endif
