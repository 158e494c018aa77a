/* Starpath's estimates as a StarPU performance model, so that dmda, dmdas, heteroprio and others run on them. */
#ifndef STARPATH_PERFMODEL_H
#define STARPATH_PERFMODEL_H

#include <starpu.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A performance model of type STARPU_PER_ARCH whose cost function answers with the mean time of the nearest samples in
 * the profile that STARPATH_PROFILE names (STARPATH_KNN_K of them, 2 unless set): microseconds, or NaN where the
 * profile has no sample of the codelet on that kind of device, which StarPU takes as "not known yet". Where
 * STARPATH_ESTIMATOR names another learner than kNN, that learner answers from the samples.
 *
 * `symbol` is the model's name for StarPU and must live as long as the model. The samples are those of the codelet's
 * own name, else of `symbol`. Before the first task the caller may set `nparameters`, `parameters` and
 * `parameters_names` of the model: the estimator then looks at these parameters instead of the sizes of the task's
 * buffers; profiles must have been recorded with the same ones. A parameter that the function `parameters` leaves as it
 * found it is not known: the time of the task is not known either. Several codelets may not share one model.
 *
 * The profile is read at the first estimate, and again at the first one after a starpu_init that finds other workers;
 * it is not added to (the policies of Starpath do that, also with `starpath profile run`). If it cannot be used, one
 * line on stderr says so. Thread-safe.
 *
 *   static struct starpu_perfmodel model;
 *   model = starpath_perfmodel("blur");
 *   blur_codelet.model = &model;
 */
struct starpu_perfmodel starpath_perfmodel(const char* symbol);

#ifdef __cplusplus
}
#endif

#endif
