/* threads.h - the threads that steps of worlds work on: the library's own, or those of a host. */
#ifndef VTB_THREADS_H
#define VTB_THREADS_H

/* Where a world's steps take their threads from. Results are the same, to the last bit, for any number and any host. A function of the
 * caller's that acts in a step (before_step, filter, log, force fields, constraints) is called by the thread that called the step alone,
 * while no other thread is at work. */
typedef struct vtb_threads_def {
  uint32_t struct_size; /* sizeof the struct in the caller's program */
  int32_t count;        /* 1 to 256 [1]: threads that work at a time, the one that calls the step included */
  /* [NULL]: of a host, both or none. enqueue arranges for one call of task(context), on any thread, from now on until finish has returned;
   * its answer is handed to finish, which returns when that task has ended. A host may run the task at once in enqueue, or only in finish.
   * Both are called on the thread that called the step, up to count - 1 tasks at a time. NULL: threads of the library's own, which
   * vtb_world_set_threads begins and vtb_world_destroy ends. */
  void* (*enqueue)(void* user, void (*task)(void* context), void* context);
  void (*finish)(void* user, void* enqueued); /* [NULL]: see enqueue */
  void* user;                                 /* [NULL]: handed to both */
} vtb_threads_def;
vtb_status vtb_threads_def_init(vtb_threads_def* def, uint32_t struct_size);

/* Sets the threads of a world's steps, from the next one on; a world begins with one. What they need is made at once: call
 * vtb_world_reserve after it, not before.
 * @def or NULL: the threads; NULL for one */
vtb_status vtb_world_set_threads(vtb_world* world, const vtb_threads_def* def);
/* Threads that the world's steps work on, the one that calls included.
 * @count: receives the number */
vtb_status vtb_world_get_threads(const vtb_world* world, int32_t* count);

/* Advances several worlds, each as vtb_world_step does, on the threads of the first of them. Worlds in whose steps a function of the
 * caller's acts are advanced first, one after the other, on the thread that calls (with their own threads); the others side by side, each
 * on one thread at a time. All are advanced, whatever happens to some; the answer is that of the first that has another than VTB_OK, and
 * vtb_last_error() tells of that one. VTB_E_ARG: a world stands in the list twice, and none is advanced.
 * @worlds array of count: distinct worlds, which no other thread uses meanwhile
 * @count: of worlds
 * @steps: physics time steps of each
 * @statuses array of count, or NULL: receives the status of each */
vtb_status vtb_worlds_step(vtb_world* const* worlds, size_t count, uint32_t steps, vtb_status* statuses);

#endif
