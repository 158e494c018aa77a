// The codelets of NBIA. Buffers in the order given; cl_arg is the field's TaskStatus unless said otherwise.
#pragma once
#include <starpu.h>

#include "codelets/kernels/nbia_classify.hpp"
#include "codelets/starpu/task_status.hpp"

namespace starpath::codelets {

struct NbiaClassifyArgs {
  TaskStatus* status;
  NbiaSamples samples;
  NbiaVote vote;  // the result
};

extern starpu_codelet area_average;     // R rgb, W reduced
extern starpu_codelet nbia_statistics;  // R rgb, W counts (a variable, NbiaCounts)
extern starpu_codelet nbia_classify;    // R counts; cl_arg is an NbiaClassifyArgs

}  // namespace starpath::codelets
