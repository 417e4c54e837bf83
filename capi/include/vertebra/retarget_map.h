/* retarget_map.h - which joint of a motion and which link of a figure play which role in retargeting, where names do not say or mislead. */
#ifndef VTB_RETARGET_MAP_H
#define VTB_RETARGET_MAP_H

/* Parameters of this topic.
 * @map: names for roles
 * @role: what a part of the body is
 */

/* What a part of a body is. Of a motion the joint at the place: a hip is the joint that moves the thigh. Of a figure, hip and shoulder are
 * the first link of the limb, knee and elbow the link below that joint, foot and hand the last link. */
typedef enum vtb_retarget_role {
  VTB_RETARGET_ROLE_LEFT_HIP = 0,        /* thigh of the left leg */
  VTB_RETARGET_ROLE_LEFT_KNEE = 1,       /* shin of the left leg */
  VTB_RETARGET_ROLE_LEFT_FOOT = 2,       /* of the left leg */
  VTB_RETARGET_ROLE_LEFT_TOE = 3,        /* of the left foot; of motions only */
  VTB_RETARGET_ROLE_LEFT_SHOULDER = 4,   /* upper arm of the left arm */
  VTB_RETARGET_ROLE_LEFT_ELBOW = 5,      /* forearm of the left arm */
  VTB_RETARGET_ROLE_LEFT_HAND = 6,       /* of the left arm */
  VTB_RETARGET_ROLE_RIGHT_HIP = 7,       /* thigh of the right leg */
  VTB_RETARGET_ROLE_RIGHT_KNEE = 8,      /* shin of the right leg */
  VTB_RETARGET_ROLE_RIGHT_FOOT = 9,      /* of the right leg */
  VTB_RETARGET_ROLE_RIGHT_TOE = 10,      /* of the right foot; of motions only */
  VTB_RETARGET_ROLE_RIGHT_SHOULDER = 11, /* upper arm of the right arm */
  VTB_RETARGET_ROLE_RIGHT_ELBOW = 12,    /* forearm of the right arm */
  VTB_RETARGET_ROLE_RIGHT_HAND = 13,     /* of the right arm */
  VTB_RETARGET_ROLE_PELVIS = 14,         /* what carries both legs */
  VTB_RETARGET_ROLE_HEAD = 15            /* the head */
} vtb_retarget_role;
/* Names for one role. */
typedef struct vtb_retarget_names {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t reserved;    /* must be 0 */
  const char* joint;    /* of the motion; "" = to be found; lives as long as the map stays as it is */
  const char* link;     /* of the figure; "" = to be found; lives as long as the map stays as it is */
} vtb_retarget_names;

/* An empty map: every role is to be found. */
vtb_status vtb_retarget_map_create(vtb_retarget_map** out);
/* What retargeting would take, to be saved, mended and given back: all roles that are found, although they may not suffice.
 * @given or NULL: names that count before those found
 * @diagnostics or NULL: receives a finding retarget.map for what is missing or wrong */
vtb_status vtb_retarget_map_guess(const vtb_motion* motion, const vtb_skeleton* skeleton, const vtb_retarget_map* given,
                                  vtb_diagnostics** diagnostics, vtb_retarget_map** out);
/* Reads a file: an element role for each role with its name and either or both of joint and link, inside retarget_map. VTB_E_IO,
 * VTB_E_PARSE. */
vtb_status vtb_retarget_map_load(const char* path, vtb_diagnostics** diagnostics, vtb_retarget_map** out);
/* The same from text. VTB_E_PARSE.
 * @text array of size, or NULL: the file's content, UTF-8; need not end in NUL
 * @name: stands for the file in the findings */
vtb_status vtb_retarget_map_parse(const char* text, size_t size, const char* name, vtb_diagnostics** diagnostics, vtb_retarget_map** out);
/* Writes a file. VTB_E_IO. */
vtb_status vtb_retarget_map_save(const vtb_retarget_map* map, const char* path);
/* The same into memory. */
vtb_status vtb_retarget_map_write(const vtb_retarget_map* map, char* buffer, size_t size, size_t* needed);
/* Names for a role.
 * @joint or NULL: of the motion; NULL or "" = to be found
 * @link or NULL: of the figure; NULL or "" = to be found */
vtb_status vtb_retarget_map_set(vtb_retarget_map* map, vtb_retarget_role role, const char* joint, const char* link);
/* The names of a role. */
vtb_status vtb_retarget_map_get(const vtb_retarget_map* map, vtb_retarget_role role, vtb_retarget_names* out);
/* Destroys a map; a retargeting that was made with it stays.
 * @map or NULL: the map */
vtb_status vtb_retarget_map_destroy(vtb_retarget_map* map);

#endif
