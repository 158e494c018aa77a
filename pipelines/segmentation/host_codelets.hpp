// Codelets of the segmentation that only a CPU runs: they touch files and records, not pixels alone. cl_arg is the
// TileJob.
#pragma once
#include <starpu.h>

namespace starpath {

extern starpu_codelet read_codelet;       // W rgb
extern starpu_codelet ownership_codelet;  // R boxes, W roles
extern starpu_codelet collect_codelet;    // R labels, R boxes, R roles, R table

}  // namespace starpath
