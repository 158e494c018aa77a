// The codelets of NBIA. Buffers in the order given; cl_arg is the field's TaskStatus.
#pragma once
#include <starpu.h>

namespace starpath::codelets {

extern starpu_codelet area_average;     // R rgb, W reduced
extern starpu_codelet nbia_statistics;  // R rgb, W counts (a variable, NbiaCounts)
extern starpu_codelet nbia_classify;  // R counts, R mean, R deviation, R z, R labels (NbiaSamples), W vote (a variable)

}  // namespace starpath::codelets
