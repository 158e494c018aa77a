// The functions of a device that GPU workers use. with_cuda/ or with_opencl/ defines them.
#pragma once
#include "codelets/kernels/scratch.hpp"

namespace starpath::codelets {

/// Memory of StarPU's memory node, counted there, so that StarPU makes room elsewhere. The calling thread drives it.
MemorySource gpu_memory(unsigned node);

/// The calling worker's CUDA stream, ready for launches.
void* gpu_stream();

}  // namespace starpath::codelets
