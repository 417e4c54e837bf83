/* vertebra_view.h - pictures of worlds, drawn without a display: a view is made, a world is pushed into it, the view draws it into memory.
 * And a viewer: a world that goes on in real time while somebody looks at it and takes hold of it, in a window or off-screen.
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
  VTB_VIEW_GROUND = 1,    /* the ground, a chequered plane: at the world's own level plane, else at z = 0, below height fields */
  VTB_VIEW_SHADOWS = 2,   /* of the sun */
  VTB_VIEW_COLLISION = 4, /* collision shapes in place of the visuals of figures */
  VTB_VIEW_CONTACTS = 8,  /* contact points of what moves */
  VTB_VIEW_AXES = 16,     /* axes of joints */
  VTB_VIEW_COM = 32,      /* centres of mass: of each body, and of each figure on the whole */
  VTB_VIEW_SKELETON = 64, /* lines from joint to joint */
  VTB_VIEW_FORCES = 128,  /* forces at contact points on what moves, arrows from there; its weight: half its size long */
  VTB_VIEW_LIMITS = 256,  /* ranges of axes with limits: sectors and bars, with a pointer at the present coordinate */
  VTB_VIEW_INERTIA = 512, /* of each body the even box that has its mass and inertia */
  VTB_VIEW_SKIN = 2048,   /* of each figure with shapes a closed surface around its bones, which bends with them, in place of its links */
  VTB_VIEW_PATHS = 1024   /* ways of the centres of mass of figures and lone bodies over the pushes, up to 4 s back */
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
/* The colour of a body's shapes and visuals from now on; rgba: 4 numbers from 0 to 1, or NULL: their own again. The body has been pushed.
 */
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

/* What is shown, for those who draw it by other means: parts, each a mesh of one colour that goes with a body or stands in the world, but
 * for the ground and for particles (vtb_particles_get). */
typedef struct vtb_view_part {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t shown;        /* 0 or 1 */
  uint64_t part;        /* its number: no other part of this view has it or had it, and its mesh never changes */
  vtb_body body;        /* that carries it, or none: the world */
  double pose[7];       /* of the mesh: that of the body when it was pushed */
  float rgba[4];        /* from 0 to 1 */
  uint32_t vertices;    /* of the mesh */
  uint32_t triangles;   /* likewise */
} vtb_view_part;
/* Up to capacity of them; total or NULL: how many there are. parts[0].struct_size, where capacity is not 0, is sizeof the struct. */
VTB_VIEW_API vtb_status vtb_view_get_parts(const vtb_view* view, vtb_view_part* parts, size_t capacity, size_t* total);
/* The mesh of a part: 3 numbers a vertex, m, and 3 of its normal; 3 indices a triangle. Arrays as large as vtb_view_part says, or NULL.
 * VTB_E_STALE where there is no such part. */
VTB_VIEW_API vtb_status vtb_view_get_part_mesh(const vtb_view* view, uint64_t part, float* vertices, float* normals, uint32_t* triangles);
/* Overlays and what is in the user's hands: triangles in the world, 3 points each [m], a colour at each point: 4 numbers from 0 to 255. Up
 * to capacity points; total or NULL: how many there are. */
VTB_VIEW_API vtb_status vtb_view_get_marks(const vtb_view* view, float* points, uint8_t* colours, size_t capacity, size_t* total);
/* Whether the ground is shown, and at which height, m. */
VTB_VIEW_API vtb_status vtb_view_get_ground(const vtb_view* view, int32_t* shown, double* height);

/* Writes such an array as a PNG. VTB_E_IO. */
VTB_VIEW_API vtb_status vtb_view_write_png(const char* path, const uint8_t* pixels, int32_t width, int32_t height);

/* A film strip: pictures of one size in rows of so many columns, each with a caption along its upper edge and a note along its lower one.
 */
VTB_VIEW_API vtb_status vtb_strip_create(int32_t width, int32_t height, int32_t columns, vtb_strip** out);
VTB_VIEW_API vtb_status vtb_strip_destroy(vtb_strip* strip); /* or NULL */
/* Adds a picture as vtb_view_draw gives it; caption and note UTF-8, "" for none. */
VTB_VIEW_API vtb_status vtb_strip_add(vtb_strip* strip, const uint8_t* pixels, const char* caption, const char* note);
/* Pictures so far, and pixels of the whole; each output may be NULL. */
VTB_VIEW_API vtb_status vtb_strip_get_size(const vtb_strip* strip, int32_t* pictures, int32_t* width, int32_t* height);
/* Writes it as a PNG. VTB_E_IO. */
VTB_VIEW_API vtb_status vtb_strip_write(const vtb_strip* strip, const char* path);

/* The viewer. A world, which its owner keeps, is stepped so that its time goes with the clock's: where drawing is slow pictures are
 * skipped, steps are never longer. It makes and destroys things in the world: shots, the joint by which a body is held, fields while they
 * act; so long as it lives nobody else adds or removes things there. */
typedef struct vtb_viewer vtb_viewer;

/* How a viewer is. */
enum {
  VTB_VIEWER_OFFSCREEN = 1, /* no window: events come by vtb_viewer_send, pictures go out by vtb_viewer_get_view and vtb_view_draw */
  VTB_VIEWER_PAUSED = 2,    /* it starts paused */
  VTB_VIEWER_PLAYED = 4,    /* the world is not stepped: `follow` brings it to times from 0 to `end`, round and round */
  VTB_VIEWER_BARE = 8       /* nothing is written over the picture, until the key Tab */
};
typedef struct vtb_viewer_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  uint32_t flags;       /* VTB_VIEWER_* bits [0] */
  int32_t width;        /* pixels, 1 to 8192 [1280] */
  int32_t height;       /* pixels, 1 to 8192 [720] */
  uint32_t shown;       /* VTB_VIEW_* bits [GROUND | SHADOWS] */
  int32_t samples;      /* of a pixel, 0 to 16, where the driver has it [-1]: -1: 4, or 0 in a window that is drawn by software */
  const char* title;    /* of the window, UTF-8, or NULL [NULL] */
  double history;       /* s, >= 0 [60]: how far it can rewind */
  double memory;        /* bytes, >= 0 [2.5e8]: what snapshots may take for that */
  double patience; /* s of the clock, > 0 or inf [0.2]: steps that take longer than that in a frame are left out: the world is slower */
  double end;      /* s [0]: last time of a played world */
  double front;    /* rad [0]: where the front of what is shown points, about z from x, for the named views */
  /* [NULL]: called before each picture with the time of the world; poses what does not go by physics. What is not VTB_OK ends the frame
   * with that status and the text of vtb_last_error */
  vtb_status (*follow)(void* user, vtb_world* world, double time);
  void* user; /* [NULL]: handed to the callback */
} vtb_viewer_def;
VTB_VIEW_API vtb_status vtb_viewer_def_init(vtb_viewer_def* def, uint32_t struct_size);
/* VTB_E_UNSUPPORTED where no window can be opened, or nothing be drawn off-screen; the text says what is missing. */
VTB_VIEW_API vtb_status vtb_viewer_create(const vtb_viewer_def* def, vtb_world* world, vtb_viewer** out);
/* What it made in the world goes with it. Before the world's end; or NULL. */
VTB_VIEW_API vtb_status vtb_viewer_destroy(vtb_viewer* viewer);
/* Its view, for colours, projection, pictures; it stays the viewer's. */
VTB_VIEW_API vtb_status vtb_viewer_get_view(vtb_viewer* viewer, vtb_view** view);

/* What a user does. */
enum {
  VTB_VIEWER_EVENT_MOVE = 0,        /* the mouse, to x, y */
  VTB_VIEWER_EVENT_PRESS = 1,       /* of a button */
  VTB_VIEWER_EVENT_RELEASE = 2,     /* of a button */
  VTB_VIEWER_EVENT_SCROLL = 3,      /* of the wheel by `scroll` notches, away from the user positive */
  VTB_VIEWER_EVENT_KEY = 4,         /* pressed */
  VTB_VIEWER_EVENT_KEY_RELEASE = 5, /* let go */
  VTB_VIEWER_EVENT_RESIZE = 6,      /* to x times y pixels; in a window only */
  VTB_VIEWER_EVENT_CLOSE = 7
};
enum { VTB_VIEWER_LEFT = 1, VTB_VIEWER_MIDDLE = 2, VTB_VIEWER_RIGHT = 3 }; /* buttons */
enum { VTB_VIEWER_SHIFT = 1, VTB_VIEWER_CTRL = 2 };                        /* modifiers */
/* Keys without a character have the numbers of X key symbols. */
enum {
  VTB_VIEWER_KEY_BACKSPACE = 0xFF08,
  VTB_VIEWER_KEY_TAB = 0xFF09,
  VTB_VIEWER_KEY_ESCAPE = 0xFF1B,
  VTB_VIEWER_KEY_LEFT = 0xFF51,
  VTB_VIEWER_KEY_UP = 0xFF52,
  VTB_VIEWER_KEY_RIGHT = 0xFF53,
  VTB_VIEWER_KEY_DOWN = 0xFF54,
  VTB_VIEWER_KEY_PAGE_UP = 0xFF55,
  VTB_VIEWER_KEY_PAGE_DOWN = 0xFF56
};
typedef struct vtb_viewer_event {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t type;         /* VTB_VIEWER_EVENT_* */
  double x, y;          /* pixels from the upper left corner: where the mouse is */
  double scroll;        /* of SCROLL */
  int32_t button;       /* of PRESS and RELEASE */
  int32_t key;          /* of KEY and KEY_RELEASE: a character as Unicode, or VTB_VIEWER_KEY_* */
  uint32_t modifiers;   /* VTB_VIEWER_SHIFT, VTB_VIEWER_CTRL bits */
  uint32_t reserved;    /* must be 0 */
} vtb_viewer_event;
/* As if a user had done it; what that does is in docs/howto/view.md. */
VTB_VIEW_API vtb_status vtb_viewer_send(vtb_viewer* viewer, const vtb_viewer_event* event);
/* So much of the clock's time goes by: window's events, steps, the picture (none is drawn off-screen until it is asked for). */
VTB_VIEW_API vtb_status vtb_viewer_frame(vtb_viewer* viewer, double seconds);
/* Frames by the clock until the user closes the window, or for so many seconds; 0: no end. VTB_E_UNSUPPORTED off-screen. */
VTB_VIEW_API vtb_status vtb_viewer_run(vtb_viewer* viewer, double seconds);

/* What a viewer is at. */
typedef struct vtb_viewer_state {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t closed;       /* 0 or 1: the user wants to end it */
  int32_t paused;       /* 0 or 1 */
  int32_t shots;        /* fired since the start; those that rewinding took back are not counted */
  double time;          /* s: of the world, or of what is played */
  double speed;         /* 1: time of the world per time of the clock that is asked for */
  double real_time;     /* 1: what it was over the last second, as a share of `speed` */
  double frame_rate;    /* 1/s: pictures by the clock, likewise; 0 off-screen, where pictures are drawn when asked for */
  double left_out;      /* s: time of the world that was given up because steps took too long */
  uint64_t steps;       /* made since the start */
  uint64_t frames;      /* since the start */
  uint64_t rewinds;     /* how often it went back to a snapshot */
  int32_t width;        /* pixels of the picture */
  int32_t height;       /* likewise */
  uint32_t shown;       /* VTB_VIEW_* bits */
  uint32_t reserved;    /* 0 */
  vtb_body held;        /* the body that is dragged or turned, or none */
  double hold_force;    /* N: that holds it */
  vtb_body under;       /* the body under the mouse, or none */
  vtb_body followed;    /* that the camera follows, or none */
  double rewind_to;     /* s: the earliest time that it can go back to */
  vtb_camera camera;    /* from where it is seen */
} vtb_viewer_state;
VTB_VIEW_API vtb_status vtb_viewer_get_state(const vtb_viewer* viewer, vtb_viewer_state* state);
/* What it says to the user now: why something could not be done; "" most of the time. The viewer's, until the next call. */
VTB_VIEW_API vtb_status vtb_viewer_get_message(vtb_viewer* viewer, const char** text);

/* A slider: an axis of a joint; of a ball joint one of three components of the rotation vector. rad, or m where the axis slides. */
typedef struct vtb_viewer_slider {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t axis;         /* of the joint */
  vtb_joint joint;      /* whose axis */
  const char* name;     /* UTF-8; the viewer's, until the next call */
  double lower;         /* where the slider begins: the limit of the axis, or where it has none -pi or -1 m */
  double upper;         /* where it ends */
  double coordinate;    /* as it is */
  double target;        /* of the motor; the coordinate where none has been set */
  int32_t slides;       /* 0 or 1: m in place of rad */
  uint32_t reserved;    /* 0 */
} vtb_viewer_slider;
/* The world's sliders, up to capacity; total or NULL: how many there are. sliders[0].struct_size, where capacity is not 0, is sizeof the
 * struct. */
VTB_VIEW_API vtb_status vtb_viewer_get_sliders(vtb_viewer* viewer, vtb_viewer_slider* sliders, size_t capacity, size_t* total);
/* Sets a coordinate, at rest; or, where target is not 0, the target of the motor, which is made if the axis has none. VTB_E_ARG where there
 * is no such slider. */
VTB_VIEW_API vtb_status vtb_viewer_set_slider(vtb_viewer* viewer, vtb_joint joint, int32_t axis, int32_t target, double value);
/* From where it is seen, from now on; the user may move it. */
VTB_VIEW_API vtb_status vtb_viewer_set_camera(vtb_viewer* viewer, const vtb_camera* camera);

#ifdef __cplusplus
}
#endif

#endif
