/* A learner of execution times in a library of yours, which Starpath loads in the place of its own:
 * STARPATH_ESTIMATOR=/path/to/library.so. Plain C, and nothing of Starpath to link. docs/write-an-estimator.md has an
 * example and the rules.
 *
 * Thread safety: Starpath calls the functions for one learner one after another, each time from any thread. It may call
 * them for two learners at the same time: what these share is yours to guard. Schedulers wait while a function runs, so
 * it takes microseconds, waits for nothing, and calls nothing of StarPU.
 */
#ifndef STARPATH_ESTIMATOR_H
#define STARPATH_ESTIMATOR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. Starpath loads libraries of its own version alone. */
#define STARPATH_ESTIMATOR_ABI 1

/* What is known of a task before it runs. The arrays last until the function returns. */
struct starpath_input {
  uint32_t device_class;      /* a kind of device: a number from 0, the same throughout a run. A codelet's second and
                                 further implementations have numbers of their own behind those of all kinds */
  uint32_t numeric_count;     /* 0 to 16 */
  uint32_t categorical_count; /* 0 to 4 */
  const double* numeric;      /* parameters of the task in the order of `starpath profile show`; finite */
  const int64_t* categorical; /* those that compare by equality; the first is the codelet's implementation */
};

struct starpath_estimate {
  double seconds; /* finite, above 0 */
  double error;   /* its expected error as a share of it (0.1: 10 %), from 0; INFINITY, as it comes, is "cannot say" */
};

struct starpath_estimator_functions {
  uint32_t abi; /* STARPATH_ESTIMATOR_ABI */

  /* A learner for one codelet. NULL: there is none. */
  void* (*create)(void);
  void (*destroy)(void* learner);

  /* A task has taken so many seconds, finite and above 0, on the class that `input` names. */
  void (*learn)(void* learner, const struct starpath_input* input, double seconds);

  /* Sets `estimate` and returns 1, or returns 0 where the learner cannot tell: kNN answers then. */
  int (*estimate)(void* learner, const struct starpath_input* input, struct starpath_estimate* estimate);
};

/* What the library defines. */
#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
extern const struct starpath_estimator_functions starpath_estimator;

#ifdef __cplusplus
}
#endif

#endif
