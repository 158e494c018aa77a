/* Time grows in proportion to the size of a task, and the machine changes: each new task replaces a fifth of what is
 * known of its kind of device. */
#include <math.h>
#include <starpath/estimator.h>
#include <stdlib.h>

enum { kClasses = 8 };

struct learner {
  double rate[kClasses];  /* seconds for each unit of size; 0: nothing is known */
  double error[kClasses]; /* by which share estimates were off lately */
};

static double size_of(const struct starpath_input* input) {
  double size = 1;
  for (uint32_t i = 0; i < input->numeric_count; i++) size += fabs(input->numeric[i]);
  return size;
}

static void* create(void) { return calloc(1, sizeof(struct learner)); }

static void learn(void* learner, const struct starpath_input* input, double seconds) {
  struct learner* self = learner;
  const uint32_t class = input->device_class;
  const double rate = seconds / size_of(input);
  if (class >= kClasses) return;
  if (self->rate[class] == 0) {
    self->rate[class] = rate;
    self->error[class] = 1;
    return;
  }
  self->error[class] += (fabs(self->rate[class] / rate - 1) - self->error[class]) / 5;
  self->rate[class] += (rate - self->rate[class]) / 5;
}

static int estimate(void* learner, const struct starpath_input* input, struct starpath_estimate* estimate) {
  const struct learner* self = learner;
  const uint32_t class = input->device_class;
  if (class >= kClasses || self->rate[class] == 0) return 0;
  estimate->seconds = self->rate[class] * size_of(input);
  estimate->error = self->error[class];
  return 1;
}

const struct starpath_estimator_functions starpath_estimator = {
    .abi = STARPATH_ESTIMATOR_ABI, .create = create, .destroy = free, .learn = learn, .estimate = estimate};
