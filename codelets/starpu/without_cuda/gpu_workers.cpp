// A build without CUDA: StarPU is given no CUDA implementation, so that nothing here is ever asked for a context.
#include "codelets/starpu/gpu_workers.hpp"

#include <stdexcept>

namespace starpath::codelets {

KernelContext gpu_context() { throw std::logic_error("CUDA is not compiled in"); }
std::vector<std::string> prepare_gpu_workers(std::int64_t, std::size_t) { return {}; }
void release_gpu_workers() {}
const char* gpu_error() { return nullptr; }
int has_room(unsigned, starpu_task*, unsigned) { return 1; }

}  // namespace starpath::codelets
