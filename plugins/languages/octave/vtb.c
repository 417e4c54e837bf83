/* vtb.c - vertebra for Octave (and its like that has mex files): vtb(COMMAND, ...) as README.md beside this file lists them. Poses are rows
 * of 7 numbers. A function handle given to a command is called in the step in which it acts; an error in it ends the command with that
 * error. */
#include <mex.h>
#include <stdlib.h>
#include <string.h>
#include <vertebra/vertebra.h>

/* A world with what its callbacks need. Numbers of worlds and skeletons in Octave are their pointers. */
typedef struct {
  vtb_world* world;
  mxArray* after_step; /* a function handle, or NULL */
  mxArray* force;      /* likewise: force = f(pose) */
  int failed;          /* a function handle ended with an error */
} World;

static void check(vtb_status status) {
  if (status) mexErrMsgIdAndTxt("vertebra:status", "%s: %s", vtb_status_name(status), vtb_last_error());
}

static void need(int condition, const char* text) {
  if (!condition) mexErrMsgIdAndTxt("vertebra:usage", "vtb: %s", text);
}

static mxArray* pointer(void* address) {
  mxArray* made = mxCreateNumericMatrix(1, 1, mxUINT64_CLASS, mxREAL);
  *(uint64_t*)mxGetData(made) = (uint64_t)(uintptr_t)address;
  return made;
}

static void* address(const mxArray* from) {
  need(mxIsUint64(from) && mxGetNumberOfElements(from) == 1, "expected a world, skeleton or figure");
  return (void*)(uintptr_t) * (uint64_t*)mxGetData(from);
}

static vtb_figure figure_of(const mxArray* from) {
  vtb_figure figure;
  figure.bits = (uint64_t)(uintptr_t)address(from);
  return figure;
}

/* Calls a function handle; NULL after an error in it. */
static mxArray* called(World* of, mxArray* function, mxArray* argument, int outputs) {
  mxArray *inputs[2], *output = NULL;
  inputs[0] = function, inputs[1] = argument;
  if (of->failed) return NULL;
  if (mexCallMATLABWithTrap(outputs, &output, argument ? 2 : 1, inputs, "feval")) of->failed = 1;
  return output;
}

static void after_step(void* user, const vtb_world* world) {
  (void)world;
  called(user, ((World*)user)->after_step, NULL, 0);
}

static int32_t force_on(void* user, const vtb_world* world, vtb_field self, vtb_body body, double* force, double* torque) {
  World* of = user;
  mxArray *pose = mxCreateDoubleMatrix(1, 7, mxREAL), *given;
  int good = !vtb_body_get_pose(world, body, mxGetPr(pose));
  (void)self, (void)torque;
  given = good ? called(of, of->force, pose, 1) : NULL;
  good = given && mxIsDouble(given) && mxGetNumberOfElements(given) == 3;
  for (int i = 0; good && i < 3; ++i) force[i] += mxGetPr(given)[i];
  if (given) mxDestroyArray(given);
  mxDestroyArray(pose);
  return good;
}

static mxArray* kept(const mxArray* function) {
  mxArray* copy = mxDuplicateArray(function);
  mexMakeArrayPersistent(copy);
  return copy;
}

void mexFunction(int outputs, mxArray* out[], int inputs, const mxArray* in[]) {
  char command[32] = "", path[4096] = "";
  (void)outputs;
  need(inputs >= 1 && !mxGetString(in[0], command, sizeof command), "the first argument is a command");
  if (!strcmp(command, "load")) { /* skeleton = vtb("load", path) */
    vtb_skeleton* skeleton;
    need(inputs == 2 && !mxGetString(in[1], path, sizeof path), "load needs the path of a URDF");
    check(vtb_skeleton_load_urdf(path, NULL, NULL, &skeleton));
    out[0] = pointer(skeleton);
  } else if (!strcmp(command, "release")) { /* vtb("release", skeleton) */
    need(inputs == 2, "release needs a skeleton");
    check(vtb_skeleton_release(address(in[1])));
  } else if (!strcmp(command, "world")) { /* world = vtb("world", after_step), a function handle or [] */
    vtb_world_def def;
    World* made = calloc(1, sizeof *made);
    need(made != NULL && inputs == 2, "world needs a function handle or []");
    check(vtb_world_def_init(&def, sizeof def));
    if (!mxIsEmpty(in[1])) made->after_step = kept(in[1]), def.callbacks.after_step = after_step, def.callbacks.user = made;
    check(vtb_world_create(&def, &made->world));
    out[0] = pointer(made);
  } else if (!strcmp(command, "ground")) { /* vtb("ground", world, friction) */
    need(inputs == 3, "ground needs a world and a friction");
    check(vtb_make_ground(((World*)address(in[1]))->world, mxGetScalar(in[2]), NULL));
  } else if (!strcmp(command, "figure")) { /* figure = vtb("figure", world, skeleton, pose) */
    vtb_figure_def def;
    vtb_figure figure;
    need(inputs == 4 && mxIsDouble(in[3]) && mxGetNumberOfElements(in[3]) == 7, "figure needs a world, a skeleton and a pose of 7 numbers");
    check(vtb_figure_def_init(&def, sizeof def));
    memcpy(def.pose, mxGetPr(in[3]), sizeof def.pose), def.skeleton = address(in[2]);
    check(vtb_figure_create(((World*)address(in[1]))->world, &def, &figure));
    out[0] = pointer((void*)(uintptr_t)figure.bits);
  } else if (!strcmp(command, "force")) { /* vtb("force", world, f): f(pose) gives the force on each body */
    World* of;
    vtb_field_def def;
    vtb_field field;
    need(inputs == 3 && (of = address(in[1]))->force == NULL, "force needs a world that has none yet, and a function handle");
    check(vtb_field_def_init(&def, sizeof def));
    of->force = kept(in[2]), def.type = VTB_FIELD_TYPE_USER, def.user.evaluate = force_on, def.user.user = of;
    check(vtb_field_create(of->world, &def, &field));
  } else if (!strcmp(command, "step")) { /* vtb("step", world, steps) */
    World* of;
    vtb_status status;
    need(inputs == 3, "step needs a world and a number");
    of = address(in[1]), of->failed = 0;
    status = vtb_world_step(of->world, (uint32_t)mxGetScalar(in[2]));
    need(!of->failed, "a function called in the step ended with an error; see lasterr");
    check(status);
  } else if (!strcmp(command, "poses")) { /* poses = vtb("poses", world, figure) */
    size_t links;
    double* rows;
    need(inputs == 3, "poses needs a world and a figure");
    vtb_world* world = ((World*)address(in[1]))->world;
    check(vtb_figure_get_poses(world, figure_of(in[2]), NULL, 0, 0, &links));
    rows = mxMalloc(links * 7 * sizeof *rows);
    check(vtb_figure_get_poses(world, figure_of(in[2]), rows, links, 0, &links));
    out[0] = mxCreateDoubleMatrix(links, 7, mxREAL);
    for (size_t i = 0; i < links * 7; ++i) mxGetPr(out[0])[i % 7 * links + i / 7] = rows[i];
    mxFree(rows);
  } else if (!strcmp(command, "destroy")) { /* vtb("destroy", world) */
    World* of;
    need(inputs == 2, "destroy needs a world");
    of = address(in[1]);
    check(vtb_world_destroy(of->world));
    if (of->after_step) mxDestroyArray(of->after_step);
    if (of->force) mxDestroyArray(of->force);
    free(of);
  } else {
    need(0, "commands are load, release, world, ground, figure, force, step, poses and destroy");
  }
}
