/* vertebra_view.h - pictures of worlds, drawn without a display: a view is made, a world is pushed into it, the view draws it into memory.
 *
 * A client of vertebra.h; the library is libvertebra_view. Units and frames are those of vertebra.h: metres, radians, z up. Every call but
 * vtb_view_last_error answers a vtb_status and leaves its outputs alone when it fails; a view is used by the thread that made it, one view
 * or strip at a time. Structs begin with struct_size, the size in the caller's program; _init sets it and the defaults.
 */
#ifndef VERTEBRA_VIEW_H
#define VERTEBRA_VIEW_H

#include <vertebra/vertebra.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define VTB_VIEW_API __attribute__((visibility("default")))
#else
#define VTB_VIEW_API
#endif

typedef struct vtb_view vtb_view;   /* a picture's size, what is in it, from where it is seen */
typedef struct vtb_strip vtb_strip; /* pictures side by side */

/* What is shown besides bodies. */
enum {
  VTB_VIEW_GROUND = 1,    /* the ground, a chequered plane: at the world's own level plane, else at z = 0 */
  VTB_VIEW_SHADOWS = 2,   /* of the sun */
  VTB_VIEW_COLLISION = 4, /* collision shapes in place of the visuals of figures */
  VTB_VIEW_CONTACTS = 8,  /* contact points of what moves */
  VTB_VIEW_AXES = 16,     /* axes of joints */
  VTB_VIEW_COM = 32,      /* centres of mass: of each body, and of each figure on the whole */
  VTB_VIEW_SKELETON = 64, /* lines from joint to joint */
  VTB_VIEW_FORCES = 128   /* forces at contact points on what moves, arrows from there; its weight: half its size long */
};

/* A view. */
typedef struct vtb_view_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t width;        /* pixels, 1 to 8192 [1280] */
  int32_t height;       /* pixels, 1 to 8192 [720] */
  uint32_t shown;       /* VTB_VIEW_* bits [GROUND | SHADOWS] */
} vtb_view_def;
VTB_VIEW_API vtb_status vtb_view_def_init(vtb_view_def* def, uint32_t struct_size);
/* VTB_E_UNSUPPORTED where nothing can be drawn off-screen; the text says what to install. */
VTB_VIEW_API vtb_status vtb_view_create(const vtb_view_def* def, vtb_view** out);
VTB_VIEW_API vtb_status vtb_view_destroy(vtb_view* view); /* or NULL */
/* The text of this thread's last failed call of this header. */
VTB_VIEW_API const char* vtb_view_last_error(void);

/* The world as it is now: bodies, shapes, visuals of figures, particles, contacts. What was shown of another state is replaced; geometry is
 * read once for each shape. The world is not kept. */
VTB_VIEW_API vtb_status vtb_view_push(vtb_view* view, const vtb_world* world);
/* The colour of a body's shapes and visuals from now on; rgba: 4 numbers from 0 to 1, or NULL: their own again. The body has been pushed. */
VTB_VIEW_API vtb_status vtb_view_set_body_colour(vtb_view* view, vtb_body body, const float rgba[4]);
/* What is shown, from the next push on: VTB_VIEW_* bits. */
VTB_VIEW_API vtb_status vtb_view_set_shown(vtb_view* view, uint32_t shown);

/* Box of what was pushed, m, world: of what is no static body; of everything but planes where nothing else is there. VTB_E_ARG if the
 * world shows nothing at all. */
VTB_VIEW_API vtb_status vtb_view_get_box(const vtb_view* view, double lower[3], double upper[3]);
/* Least distance from a target [m] at which all of that is in the picture, seen from a direction (target to eye, of any length but 0) with
 * the vertical angle fov [rad]. */
VTB_VIEW_API vtb_status vtb_view_get_distance(const vtb_view* view, const double target[3], const double direction[3], double fov,
                                              double* distance);
/* Where a point is in the picture, in pixels from its upper left corner; depth [m] along the line of sight, negative behind the eye. */
VTB_VIEW_API vtb_status vtb_view_project(const vtb_view* view, const double point[3], double pixel[2], double* depth);
/* From where it is seen: position, target, up and fov of vtb_camera (scene.h). */
VTB_VIEW_API vtb_status vtb_view_set_camera(vtb_view* view, const vtb_camera* camera);
/* Draws into an array of size >= 3 x width x height bytes: red, green, blue, rows from the top. */
VTB_VIEW_API vtb_status vtb_view_draw(vtb_view* view, uint8_t* pixels, size_t size);

/* Writes such an array as a PNG. VTB_E_IO. */
VTB_VIEW_API vtb_status vtb_view_write_png(const char* path, const uint8_t* pixels, int32_t width, int32_t height);

/* A film strip: pictures of one size in rows of so many columns, each with a caption along its upper edge and a note along its lower one. */
VTB_VIEW_API vtb_status vtb_strip_create(int32_t width, int32_t height, int32_t columns, vtb_strip** out);
VTB_VIEW_API vtb_status vtb_strip_destroy(vtb_strip* strip); /* or NULL */
/* Adds a picture as vtb_view_draw gives it; caption and note UTF-8, "" for none. */
VTB_VIEW_API vtb_status vtb_strip_add(vtb_strip* strip, const uint8_t* pixels, const char* caption, const char* note);
/* Pictures so far, and pixels of the whole; each output may be NULL. */
VTB_VIEW_API vtb_status vtb_strip_get_size(const vtb_strip* strip, int32_t* pictures, int32_t* width, int32_t* height);
/* Writes it as a PNG. VTB_E_IO. */
VTB_VIEW_API vtb_status vtb_strip_write(const vtb_strip* strip, const char* path);

#ifdef __cplusplus
}
#endif

#endif
