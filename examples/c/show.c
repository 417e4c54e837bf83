/* show.c - see show.h. Pictures are drawn by libvertebra_view where it was found (SHOW_VIEW). */
#include "show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef SHOW_VIEW
#include <vertebra_view.h>
#endif

static const char* folder = ".";

void ok(vtb_status status) {
  if (status == VTB_OK) return;
  fprintf(stderr, "%s: %s\n", vtb_status_name(status), vtb_last_error());
  exit(1);
}

void show_in(int argc, char** argv) {
  if (argc > 1) folder = argv[1];
}

const char* example_file(const char* name) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/%s", EXAMPLES, name);
  return path;
}

static const char* in_folder(const char* name) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

#ifdef SHOW_VIEW
static vtb_view* view;
static vtb_strip* strip;
static uint8_t* pixels;
static size_t size;

static void drawn(vtb_status status) {
  if (status == VTB_OK) return;
  fprintf(stderr, "%s: %s\n", vtb_status_name(status), vtb_view_last_error());
  exit(1);
}

void strip_begin(int columns, int width, int height, const double eye[3], const double target[3], int show_ground) {
  vtb_view_def def;
  vtb_camera camera = {.struct_size = sizeof camera, .up = {0, 0, 1}, .fov = 0.7};
  drawn(vtb_view_def_init(&def, sizeof def));
  def.width = width, def.height = height, def.shown = show_ground ? VTB_VIEW_GROUND | VTB_VIEW_SHADOWS : VTB_VIEW_SHADOWS;
  drawn(vtb_view_create(&def, &view));
  drawn(vtb_strip_create(width, height, columns, &strip));
  for (int k = 0; k < 3; ++k) camera.position[k] = eye[k], camera.target[k] = target[k];
  drawn(vtb_view_set_camera(view, &camera));
  size = 3 * (size_t)width * (size_t)height;
  if (!(pixels = malloc(size))) exit(1);
}

void strip_add(const vtb_world* world, const char* caption) {
  drawn(vtb_view_push(view, world));
  drawn(vtb_view_draw(view, pixels, size));
  drawn(vtb_strip_add(strip, pixels, caption, ""));
}

void strip_end(const char* name) {
  drawn(vtb_strip_write(strip, in_folder(name)));
  drawn(vtb_strip_destroy(strip));
  drawn(vtb_view_destroy(view));
  free(pixels);
}
#else
void strip_begin(int columns, int width, int height, const double eye[3], const double target[3], int show_ground) {
  (void)columns, (void)width, (void)height, (void)eye, (void)target, (void)show_ground;
  fprintf(stderr, "no picture: built without libvertebra_view\n");
}
void strip_add(const vtb_world* world, const char* caption) { (void)world, (void)caption; }
void strip_end(const char* name) { (void)name; }
#endif

enum { LEFT = 70, RIGHT = 620, TOP = 34, BOTTOM = 300, LEGEND = 18 }; /* pixels of the frame */

/* A round distance between the lines of a grid, about five of them. */
static double grid(double low, double high) {
  double power = pow(10, floor(log10((high - low) / 5))), steps = (high - low) / 5 / power;
  return power * (steps < 1.5 ? 1 : steps < 3.5 ? 2 : steps < 7.5 ? 5 : 10);
}

void plot(const char* name, const char* title, const char* x_label, const char* y_label, const double* x, int count, const plot_line* lines,
          int line_count) {
  static const char* const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};
  double low = INFINITY, high = -INFINITY, first = x[0], last = x[count - 1];
  FILE* file = fopen(in_folder(name), "w");
  if (!file) return perror(in_folder(name)), exit(1);
  for (int k = 0; k < line_count; ++k)
    for (int i = 0; i < count; ++i) low = fmin(low, lines[k].y[i]), high = fmax(high, lines[k].y[i]);
  low -= 0.05 * (high - low), high += 0.05 * (high - low);
  const double sx = (RIGHT - LEFT) / (last - first), sy = (BOTTOM - TOP) / (high - low), dx = grid(first, last), dy = grid(low, high);
  fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n",
          BOTTOM + 50 + LEGEND * line_count);
  fprintf(file, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/><text x=\"%d\" y=\"20\" font-weight=\"bold\">%s</text>\n", LEFT,
          title);
  for (double at = ceil(first / dx) * dx; at <= last + 1e-9 * dx; at += dx)
    fprintf(file, "<path d=\"M%.1f %dV%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
            LEFT + sx * (at - first), TOP, BOTTOM, LEFT + sx * (at - first), BOTTOM + 15, fabs(at) < 1e-9 * dx ? 0 : at);
  for (double at = ceil(low / dy) * dy; at <= high; at += dy)
    fprintf(file, "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT,
            BOTTOM - sy * (at - low), RIGHT, LEFT - 5, BOTTOM - sy * (at - low) + 4, fabs(at) < 1e-9 * dy ? 0 : at);
  fprintf(file,
          "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text><text transform=\"rotate(-90)\" x=\"%d\" y=\"14\" "
          "text-anchor=\"end\">%s</text>\n",
          RIGHT, BOTTOM + 30, x_label, -TOP, y_label);
  for (int k = 0; k < line_count; ++k) {
    const char* colour = colours[k % 4];
    fprintf(file, "<polyline fill=\"none\" stroke-width=\"1.6\" stroke=\"%s\" points=\"", colour);
    for (int i = 0; i < count; ++i) fprintf(file, "%.1f,%.1f ", LEFT + sx * (x[i] - first), BOTTOM - sy * (lines[k].y[i] - low));
    fprintf(file, "\"/>\n<path d=\"M%d %dh20\" stroke=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>\n", LEFT, BOTTOM + 40 + LEGEND * k, colour,
            LEFT + 26, BOTTOM + 44 + LEGEND * k, lines[k].name);
  }
  fprintf(file, "</svg>\n");
  fclose(file);
}
