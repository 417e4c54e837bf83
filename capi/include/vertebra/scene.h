/* scene.h - scene files: read, made into worlds, saved from worlds; names of things. */
#ifndef VTB_SCENE_H
#define VTB_SCENE_H

/* Parameters of this topic.
 * @scene: a scene file as loaded
 * @kind: what is named
 * @bits: receives the number of the handle, for the struct of its kind; 0 for what was destroyed
 */

/* Reads a scene file (docs/reference/scene.md) with all it names and checks it; diagnostics as for a URDF. VTB_E_IO, VTB_E_PARSE. */
vtb_status vtb_scene_load(const char* path, vtb_diagnostics** diagnostics, vtb_scene** out);
/* The same from text; paths in it are relative to the folder of name. VTB_E_PARSE.
 * @text array of size, or NULL: the file's content, UTF-8; need not end in NUL
 * @name: stands for the file in the findings */
vtb_status vtb_scene_parse(const char* text, size_t size, const char* name, vtb_diagnostics** diagnostics, vtb_scene** out);
/* One more owner; each releases once. */
vtb_status vtb_scene_retain(vtb_scene* scene);
/* One owner less; the last one destroys it.
 * @scene or NULL: the scene */
vtb_status vtb_scene_release(vtb_scene* scene);
/* Its settings; those that it does not name have their defaults. */
vtb_status vtb_scene_get_settings(const vtb_scene* scene, vtb_world_def* out);
/* A world of its own, with all its things.
 * @settings or NULL: in place of the scene's; NULL = those */
vtb_status vtb_scene_create_world(vtb_scene* scene, const vtb_world_def* settings, vtb_world** out);
/* All its things into a world that is there. It is added whole or not at all. VTB_E_ARG where a name is taken.
 * @prefix or NULL: text before every name; NULL = none
 * @pose pose, or NULL: the scene's origin in the world; NULL = the world's */
vtb_status vtb_scene_add(vtb_scene* scene, vtb_world* world, const char* prefix, const double pose[7]);
/* A camera, for those who show the scene. */
typedef struct vtb_camera {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t reserved;    /* must be 0 */
  const char* name;     /* lives as long as the scene */
  double position[3];   /* m: world */
  double target[3];     /* m: in the middle of the picture, world */
  double up[3];         /* 1: the direction that is up, world axes */
  double fov;           /* rad: height of the picture */
} vtb_camera;
/* A camera; VTB_E_ARG beyond the last. */
vtb_status vtb_scene_get_camera(const vtb_scene* scene, int32_t index, vtb_camera* out);
/* Things that have names. */
typedef enum vtb_named {
  VTB_NAMED_BODY = 0,       /* vtb_body */
  VTB_NAMED_SHAPE = 1,      /* vtb_shape */
  VTB_NAMED_JOINT = 2,      /* vtb_joint */
  VTB_NAMED_COUPLING = 3,   /* vtb_coupling */
  VTB_NAMED_FIELD = 4,      /* vtb_field */
  VTB_NAMED_FIGURE = 5,     /* vtb_figure; its links and joints are named figure/link, figure/joint */
  VTB_NAMED_CONSTRAINT = 6, /* vtb_constraint: parts of drivelines, lengths and volumes over points */
  VTB_NAMED_PARTICLES = 7,  /* vtb_particles */
  VTB_NAMED_SENSOR = 8      /* vtb_sensor */
} vtb_named;
/* The handle of a thing that a scene gave a name. VTB_E_ARG if there is none, VTB_E_STALE if it was destroyed. */
vtb_status vtb_world_find(const vtb_world* world, vtb_named kind, const char* name, uint64_t* bits);
/* The names of one kind, in file order; VTB_E_ARG beyond the last. */
vtb_status vtb_world_get_name(const vtb_world* world, vtb_named kind, size_t index, uint64_t* bits, char* buffer, size_t size,
                              size_t* needed);
/* The scene the world was made from, in its own words, with what calls have changed, destroyed and made since, the present settings and
 * state: loaded again it goes on bit for bit. A world made by calls becomes a scene, too. Where things were destroyed, or a body's shapes
 * not made together, others get other numbers in the order of solving: then it goes on from the present coordinates, to round-off.
 * VTB_E_UNSUPPORTED names what a file cannot say (filters, callbacks of forces and constraints, figures made by a call); VTB_E_IO. */
vtb_status vtb_world_save_scene(const vtb_world* world, const char* path);
/* The same into memory. Files in it stay relative to the folder of that scene: parse it under a name in that folder. */
vtb_status vtb_world_write_scene(const vtb_world* world, char* buffer, size_t size, size_t* needed);
/* What scene files may hold, as Markdown: every element with its attributes. */
vtb_status vtb_scene_get_reference(char* buffer, size_t size, size_t* needed);

#endif
