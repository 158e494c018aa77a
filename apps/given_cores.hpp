// The cores that the process was started on.
#pragma once

namespace starpath::apps {

/// libgomp, which StarPU is linked with, binds the first thread of a process to one place as soon as it is loaded,
/// where OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY is set: before main, and workers that StarPU starts from that
/// thread would stay there. This gives the calling thread back the cores that the process had at its start, and takes
/// the variables out of the environment, so that programs which this one starts have these cores too. Changes nothing
/// where none of the variables is set. To be called first, on the first thread.
void take_given_cores();

}  // namespace starpath::apps
