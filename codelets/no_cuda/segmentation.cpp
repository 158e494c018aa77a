// A build without CUDA: the names of the CUDA kernels, for the linker. Nothing calls them (starpu/gpu_workers.hpp).
#include <stdexcept>

#include "codelets/kernels/background.hpp"
#include "codelets/kernels/bwlabel.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/features.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/rbc.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "codelets/kernels/select.hpp"
#include "codelets/kernels/watershed.hpp"

namespace starpath::cuda {
namespace {

[[noreturn]] void not_compiled() { throw std::logic_error("CUDA is not compiled in"); }

}  // namespace

void background(const KernelContext&, RgbView, View<std::uint8_t>) { not_compiled(); }
void count_background(const KernelContext&, MaskView, int, int, View<std::uint32_t>) { not_compiled(); }
void rbc(const KernelContext&, RgbView, View<std::uint8_t>) { not_compiled(); }
void morph_open(const KernelContext&, RgbView, View<std::uint8_t>, View<std::uint8_t>) { not_compiled(); }
void recon_to_nuclei(const KernelContext&, GrayView, GrayView, View<std::uint8_t>) { not_compiled(); }
void fill_holes(const KernelContext&, GrayView, View<std::uint8_t>) { not_compiled(); }
void area_threshold(const KernelContext&, MaskView, View<std::uint8_t>) { not_compiled(); }
void select(const KernelContext&, GrayView, MaskView, MaskView, View<std::uint8_t>) { not_compiled(); }
void pre_watershed(const KernelContext&, MaskView, View<std::uint8_t>, View<std::uint16_t>) { not_compiled(); }
void watershed(const KernelContext&, MaskView, View<const std::uint16_t>, View<std::uint8_t>) { not_compiled(); }
void bwlabel(const KernelContext&, MaskView, View<std::int32_t>, std::int32_t*) { not_compiled(); }
void object_boxes(const KernelContext&, View<const std::int32_t>, std::span<ObjectBox>) { not_compiled(); }
void features(const KernelContext&, RgbView, View<const std::int32_t>, std::span<const ObjectBox>,
              std::span<const std::uint8_t>, View<double>) {
  not_compiled();
}

}  // namespace starpath::cuda
