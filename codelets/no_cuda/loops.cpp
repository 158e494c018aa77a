// A build without CUDA: the names of the loops' CUDA kernels, for the linker. Nothing calls them
// (starpu/gpu_workers.hpp).
#include <stdexcept>

#include "codelets/kernels/estimator_benchmarks.hpp"
#include "codelets/kernels/loop_benchmarks.hpp"
#include "codelets/kernels/wavefront_benchmarks.hpp"

namespace starpath::cuda {
namespace {

[[noreturn]] void refuse() { throw std::logic_error("CUDA is not compiled in"); }

}  // namespace

void vector_increment(const Context&, std::span<std::uint32_t>) { refuse(); }
void black_scholes(const Context&, const OptionBatch&) { refuse(); }
void value_histogram(const Context&, std::span<const std::uint8_t>, std::span<std::uint64_t>) { refuse(); }
void zero_bins(const Context&, std::span<std::uint64_t>) { refuse(); }
void add_bins(const Context&, std::span<std::uint64_t>, std::span<const std::uint64_t>) { refuse(); }
void box_filter(const Context&, GrayView, int, View<std::uint8_t>, int) { refuse(); }
void n_body(const Context&, std::span<const Body>, std::size_t, float, std::span<Acceleration>) { refuse(); }
void heart_step(const Context&, const HeartStep&) { refuse(); }
void nearest_neighbours(const Context&, const NeighbourSearch&) { refuse(); }
void frequent_items(const Context&, const ItemSearch&, std::size_t, std::span<ItemCount>) { refuse(); }
void heat_step(const Context&, const HeatTile&) { refuse(); }
void match_strings(const Context&, const MatchTile&) { refuse(); }

}  // namespace starpath::cuda
