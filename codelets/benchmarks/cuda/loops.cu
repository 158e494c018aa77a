// A thread an element, an option or a pixel; bodies pass through shared memory in the order of their sums.
#include "codelets/benchmarks/loops.hpp"
#include "codelets/cuda/seam.hpp"

namespace starpath::cuda {
namespace {

constexpr int kBodyThreads = 128;
constexpr int kBins = 256, kBinThreads = 256;
constexpr std::int64_t kValuesABlock = 65536;  // counted in shared memory before they go to the bins

using Count = unsigned long long;  // that atomicAdd knows
static_assert(sizeof(Count) == sizeof(std::uint64_t));

__global__ void __launch_bounds__(kBinThreads)
    histogram_kernel(const std::uint8_t* values, std::int64_t size, Count* counts) {
  STARPATH_SHARED(unsigned, block_counts, kBins);
  const unsigned thread = threadIdx.x;
  block_counts[thread] = 0;
  __syncthreads();
  const std::int64_t begin = std::int64_t{blockIdx.x} * kValuesABlock;
  const std::int64_t end = begin + kValuesABlock < size ? begin + kValuesABlock : size;
  for (std::int64_t i = begin + thread; i < end; i += kBinThreads) atomicAdd(&block_counts[values[i]], 1U);
  __syncthreads();
  if (block_counts[thread] != 0) atomicAdd(&counts[thread], Count{block_counts[thread]});
}

__global__ void __launch_bounds__(kBodyThreads) n_body_kernel(const Body* bodies, std::size_t count, std::size_t first,
                                                              float softening, Acceleration* out, std::size_t size) {
  STARPATH_SHARED(Body, others, kBodyThreads);
  const std::size_t i = std::size_t{blockIdx.x} * kBodyThreads + threadIdx.x;
  const Body body = i < size ? bodies[first + i] : Body{};
  Acceleration sum{0, 0, 0};
  for (std::size_t begin = 0; begin < count; begin += kBodyThreads) {
    if (begin + threadIdx.x < count) others[threadIdx.x] = bodies[begin + threadIdx.x];
    __syncthreads();
    const std::size_t left = count - begin;
    for (std::size_t k = 0; k < kBodyThreads && k < left; ++k)
      starpath::detail::attract(body, others[k], softening, sum);
    __syncthreads();  // before the next bodies come
  }
  if (i < size) out[i] = sum;
}

}  // namespace

void vector_increment(const KernelContext& context, std::span<std::uint32_t> values) {
  std::uint32_t* const all = values.data();
  for_items(context, "vector_increment", static_cast<std::int64_t>(values.size()),
            [=] __device__(std::int64_t i) { ++all[i]; });
}

void black_scholes(const KernelContext& context, const OptionBatch& options) {
  const double* const spot = options.spot.data();
  const double* const strike = options.strike.data();
  const double* const years = options.years.data();
  double* const call = options.call.data();
  double* const put = options.put.data();
  const double rate = options.rate, volatility = options.volatility;
  for_items(context, "black_scholes", static_cast<std::int64_t>(options.spot.size()), [=] __device__(std::int64_t i) {
    const starpath::detail::OptionPrice price =
        starpath::detail::option_price(spot[i], strike[i], years[i], rate, volatility);
    call[i] = price.call;
    put[i] = price.put;
  });
}

void value_histogram(const KernelContext& context, std::span<const std::uint8_t> values,
                     std::span<std::uint64_t> counts) {
  const auto size = static_cast<std::int64_t>(values.size());
  launch(context, "value_histogram", dim3(parts_of(size, kValuesABlock)), dim3(kBinThreads), histogram_kernel,
         values.data(), size, reinterpret_cast<Count*>(counts.data()));
}

void zero_bins(const KernelContext& context, std::span<std::uint64_t> counts) {
  std::uint64_t* const all = counts.data();
  for_items(context, "zero_bins", static_cast<std::int64_t>(counts.size()),
            [=] __device__(std::int64_t i) { all[i] = 0; });
}

void add_bins(const KernelContext& context, std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
  std::uint64_t* const to = into.data();
  const std::uint64_t* const more = from.data();
  for_items(context, "add_bins", static_cast<std::int64_t>(into.size()),
            [=] __device__(std::int64_t i) { to[i] += more[i]; });
}

// Sums of columns first, then of rows over them.
void box_filter(const KernelContext& context, GrayView in, int first, View<std::uint8_t> out, int radius) {
  const Scratch::Mark mark(context.scratch);
  const View<std::uint32_t> columns = take_image<std::uint32_t>(context, out);
  for_pixels(context, "box_filter columns", out.width, out.height, [=] __device__(int x, int y) {
    const int middle = y + first;
    const int top = middle - radius > 0 ? middle - radius : 0;
    const int bottom = middle + radius < in.height ? middle + radius : in.height - 1;
    std::uint32_t sum = 0;
    for (int row = top; row <= bottom; ++row) sum += in.at(x, row);
    columns.at(x, y) = sum;
  });
  for_pixels(context, "box_filter rows", out.width, out.height, [=] __device__(int x, int y) {
    const int middle = y + first;
    const int top = middle - radius > 0 ? middle - radius : 0;
    const int bottom = middle + radius < in.height ? middle + radius : in.height - 1;
    const int left = x - radius > 0 ? x - radius : 0;
    const int right = x + radius < out.width ? x + radius : out.width - 1;
    std::uint32_t sum = 0;
    for (int column = left; column <= right; ++column) sum += columns.at(column, y);
    const auto count = static_cast<std::uint32_t>((bottom - top + 1) * (right - left + 1));
    out.at(x, y) = static_cast<std::uint8_t>((2 * sum + count) / (2 * count));
  });
}

void n_body(const KernelContext& context, std::span<const Body> bodies, std::size_t first, float softening,
            std::span<Acceleration> out) {
  launch(context, "n_body", dim3(parts_of(static_cast<std::int64_t>(out.size()), kBodyThreads)), dim3(kBodyThreads),
         n_body_kernel, bodies.data(), bodies.size(), first, softening, out.data(), out.size());
}

}  // namespace starpath::cuda
