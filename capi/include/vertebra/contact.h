/* contact.h - contact points with their forces, and events of contact. */
#ifndef VTB_CONTACT_H
#define VTB_CONTACT_H

/* A contact point. */
typedef struct vtb_contact {
  vtb_body body_a;    /* none = the world */
  vtb_body body_b;    /* none = the world */
  vtb_shape shape_a;  /* of body_a */
  vtb_shape shape_b;  /* of body_b */
  double position[3]; /* m: midway between the surfaces, world */
  double normal[3];   /* 1: from a to b, world axes */
  double gap;         /* m: negative = penetration */
  double force[3];    /* N: on b, world axes, mean over the physics step */
  double torsion;     /* N m: on b about the normal, by torsional friction, likewise */
  double rolling[3];  /* N m: on b along the surfaces, by rolling friction, likewise; world axes */
  double slip[3];     /* m/s: velocity of b's point against a's along the surfaces, now; world axes */
  uint32_t feature;   /* which features touch; stable while they do */
  uint32_t reserved;  /* must be 0 */
} vtb_contact;
/* Points of the last physics step with their forces, by shapes; what sleeps keeps those it fell asleep on.
 * @out array of capacity, or NULL: receives them */
vtb_status vtb_world_get_contacts(const vtb_world* world, vtb_contact* out, size_t capacity, size_t stride_bytes, size_t* total);
/* What happened to a pair of shapes. */
typedef enum vtb_contact_phase {
  VTB_CONTACT_PHASE_BEGIN = 1,  /* it began to touch */
  VTB_CONTACT_PHASE_END = 2,    /* it ceased to touch */
  VTB_CONTACT_PHASE_PERSIST = 3 /* it went on touching */
} vtb_contact_phase;
/* An event of contact. */
typedef struct vtb_contact_event {
  vtb_shape shape_a;       /* the first of the pair */
  vtb_shape shape_b;       /* the second of the pair */
  vtb_contact_phase phase; /* what happened */
  uint32_t reserved;       /* must be 0 */
  double time;             /* s: the world's, at the end of the physics step in which it happened */
  double impulse[3];       /* N s: on shape_b in that step, through all points of the pair, world axes; at an end 0 */
} vtb_contact_event;
/* Pairs of shapes that began or ceased to touch in the last vtb_world_step call, step by step, then by shapes; under
 * VTB_WORLD_FLAG_PERSIST_EVENTS also those that went on touching.
 * @out array of capacity, or NULL: receives them */
vtb_status vtb_world_get_contact_events(const vtb_world* world, vtb_contact_event* out, size_t capacity, size_t stride_bytes,
                                        size_t* total);

#endif
