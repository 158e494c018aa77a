// Workers that libgomp keeps on a part of the machine.
#pragma once
#include <string>

namespace starpath {

/// libgomp, which StarPU is linked with, binds the first thread of a program to one place before main, where
/// OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY is set. StarPU starts workers only where that thread may run. Returns
/// a line that says so when the calling thread still is where libgomp has put it, else nothing. To be called on the
/// thread that starts StarPU.
std::string openmp_binding();

}  // namespace starpath
