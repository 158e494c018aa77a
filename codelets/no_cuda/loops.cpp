// A build without CUDA: the names of the loops' CUDA kernels, for the linker. Nothing calls them
// (starpu/gpu_workers.hpp).
#include "codelets/benchmarks/loops.hpp"

#include <stdexcept>

#include "codelets/benchmarks/estimator.hpp"
#include "codelets/benchmarks/wavefronts.hpp"

namespace starpath::cuda {
namespace {

[[noreturn]] void refuse() { throw std::logic_error("CUDA is not compiled in"); }

}  // namespace

void vector_increment(const KernelContext&, std::span<std::uint32_t>) { refuse(); }
void black_scholes(const KernelContext&, const OptionBatch&) { refuse(); }
void value_histogram(const KernelContext&, std::span<const std::uint8_t>, std::span<std::uint64_t>) { refuse(); }
void zero_bins(const KernelContext&, std::span<std::uint64_t>) { refuse(); }
void add_bins(const KernelContext&, std::span<std::uint64_t>, std::span<const std::uint64_t>) { refuse(); }
void box_filter(const KernelContext&, GrayView, int, View<std::uint8_t>, int) { refuse(); }
void n_body(const KernelContext&, std::span<const Body>, std::size_t, float, std::span<Acceleration>) { refuse(); }
void heart_step(const KernelContext&, const HeartStep&) { refuse(); }
void nearest_neighbours(const KernelContext&, const NeighbourSearch&) { refuse(); }
void frequent_items(const KernelContext&, const ItemSearch&, std::size_t, std::span<ItemCount>) { refuse(); }
void heat_step(const KernelContext&, const HeatTile&) { refuse(); }
void match_strings(const KernelContext&, const MatchTile&) { refuse(); }

}  // namespace starpath::cuda
