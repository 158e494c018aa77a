// The choice among the kernels of a row, and the one for every processor.
#include "codelets/cpu/detector_rows.hpp"

#include <algorithm>
#include <cstddef>

namespace starpath::cpu {
namespace {

constexpr std::array kRowKernels = {
#if defined(__x86_64__)
    RowKernel{"AVX-512 VNNI",
              [] {
                return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl") &&
                       __builtin_cpu_supports("avx512bw");
              },
              convolve_row_avx512_vnni},
#if !defined(__clang__) || __clang_major__ >= 18  // older ones do not know how to ask for these instructions
    RowKernel{"AVX-VNNI", [] { return __builtin_cpu_supports("avxvnni") && __builtin_cpu_supports("avx2"); },
              convolve_row_avx_vnni},
#endif
    RowKernel{"AVX2", [] { return __builtin_cpu_supports("avx2") != 0; }, convolve_row_avx2},
#endif
    RowKernel{"portable", [] { return true; }, convolve_row_portably},
};

}  // namespace

std::span<const RowKernel> row_kernels() { return kRowKernels; }

const RowKernel& best_row_kernel() {
  static const RowKernel& best =
      *std::ranges::find_if(kRowKernels, [](const RowKernel& row) { return row.runs_here(); });
  return best;
}

void convolve_row_portably(const ConvolutionRow& row) {
  const std::ptrdiff_t pixel = std::ptrdiff_t{kWeightsInWord} * row.words;
  std::array<std::int32_t, DetectorChannels::kMostChannels> sums;
  for (int x = 0; x < row.width; ++x) {
    std::copy_n(row.bias, row.out, sums.begin());
    const std::int8_t* weights = row.weights;
    for (const std::uint8_t* line : row.from) {
      const std::uint8_t* a = line + x * pixel;
      for (int word = 0; word < 3 * row.words; ++word, a += kWeightsInWord)
        for (int out = 0; out < row.out; ++out, weights += kWeightsInWord)
          sums[static_cast<std::size_t>(out)] +=
              a[0] * weights[0] + a[1] * weights[1] + a[2] * weights[2] + a[3] * weights[3];
    }
    std::uint8_t* const to = row.to + std::ptrdiff_t{x} * row.out;
    for (int out = 0; out < row.out; ++out) {
      const auto odd = static_cast<std::size_t>(out % 2);
      to[out] = activation_of(sums[static_cast<std::size_t>(out)],
                              static_cast<std::int32_t>(row.rescaling.multiplier[odd][out / 2]),
                              static_cast<std::int32_t>(row.rescaling.shift[odd][out / 2]));
    }
  }
}

}  // namespace starpath::cpu
