// A build without CUDA: the names of NBIA's CUDA kernels, for the linker. Nothing calls them (starpu/gpu_workers.hpp).
#include <stdexcept>

#include "codelets/kernels/area_average.hpp"
#include "codelets/kernels/nbia_classify.hpp"
#include "codelets/kernels/nbia_statistics.hpp"

namespace starpath::cuda {

void area_average(const KernelContext&, RgbView, View<Rgb>) { throw std::logic_error("CUDA is not compiled in"); }
void nbia_statistics(const KernelContext&, RgbView, NbiaCounts*) { throw std::logic_error("CUDA is not compiled in"); }
void nbia_classify(const KernelContext&, const NbiaCounts&, const NbiaSamples&, NbiaVote*) {
  throw std::logic_error("CUDA is not compiled in");
}

}  // namespace starpath::cuda
