/* retarget.h - a motion onto a figure of other proportions. */
#ifndef VTB_RETARGET_H
#define VTB_RETARGET_H

/* How a motion is retargeted. */
typedef struct vtb_retarget_def {
  uint32_t struct_size;        /* sizeof the struct in the caller's program */
  uint32_t reserved;           /* must be 0 */
  double rate;                 /* 1/s, >= 0 [0]: frames a second of the result; 0 = the motion's */
  double start;                /* s, >= 0 [0]: first time of the motion that the result has; the whole motion is looked at */
  double end;                  /* s, >= 0 [0]: last time that it has; 0 = the motion's end */
  const vtb_retarget_map* map; /* [NULL]: names for roles; those without are found; NULL = all are found */
} vtb_retarget_def;
vtb_status vtb_retarget_def_init(vtb_retarget_def* def, uint32_t struct_size);
/* A motion onto a figure, without forces, the whole clip at once. Legs, arms and head of both are found by names, by topology
 * and lengths where names say nothing, or taken from a map, and told in
 * the diagnostics (a finding retarget.role each). Limbs take the motion's directions; the path is scaled by the lengths of the legs; feet
 * stand on the ground (height 0) where the motion's do, and neither slide nor sink in; axes keep their limits and largest speeds (swing and
 * twist do not); links keep apart, but for those that overlap at zero coordinates and neighbours over up to two joints. Hands and head turn
 * as the motion's do, up to the constant offset that suits the clip best. A floor of the motion that leans by up to 0.1 m/m is taken as
 * level (retarget.floor), and first or last frames of another pose, such as a T-pose, as what their neighbours lead to
 * (retarget.first-frame, retarget.last-frame). VTB_E_UNSUPPORTED says what is missing: a role (both need hips,
 * knees and feet), legs with a length, a name of the map that is not there; and it refuses results of more than a million frames.
 * @def or NULL: how to do it
 * @diagnostics or NULL: receives the roles found, and what was changed of the motion */
vtb_status vtb_retarget(const vtb_motion* motion, const vtb_skeleton* skeleton, const vtb_retarget_def* def, vtb_diagnostics** diagnostics,
                        vtb_trajectory** out);

#endif
