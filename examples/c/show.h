/* show.h - what the examples share: an end with the library's words where a call fails, where models are, pictures of worlds, plots.
 *
 * A program's first argument is the folder for its picture; without one it is the current folder. */
#ifndef SHOW_H
#define SHOW_H

#include <vertebra/vertebra.h>

/* Ends the program with the library's text, unless the call went well. */
void ok(vtb_status status);
/* To be called first: takes the folder from the arguments. */
void show_in(int argc, char** argv);
/* The path of a file of the examples, as "../models/urdf/arm7.urdf"; valid until the next call. */
const char* example_file(const char* name);

/* Pictures of a world in rows of so many columns, of width x height pixels each, all seen from the eye. Without libvertebra_view the
 * program says so and draws none. show_ground 0: without the ground. */
void strip_begin(int columns, int width, int height, const double eye[3], const double target[3], int show_ground);
void strip_add(const vtb_world* world, const char* caption);
void strip_end(const char* name);

/* A line chart as SVG: lines over the same x, count points each. */
typedef struct plot_line {
  const char* name;
  const double* y;
} plot_line;
void plot(const char* name, const char* title, const char* x_label, const char* y_label, const double* x, int count, const plot_line* lines,
          int line_count);

#endif
