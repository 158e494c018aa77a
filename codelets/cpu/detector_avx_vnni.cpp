// Rows of the learned detector with AVX-VNNI: processors that have these instructions without AVX-512.
#if defined(__x86_64__)
#define STARPATH_TARGET __attribute__((target("avx2,avxvnni")))
#include "codelets/cpu/detector_row_body.hpp"
#include "codelets/cpu/detector_vectors.hpp"

namespace starpath::cpu {
namespace {

struct AvxVnni : Vectors256 {
  static constexpr int kMostVectors = 3;
  static constexpr int pixels(int vectors) { return vectors == 1 ? 12 : vectors == 2 ? 6 : 4; }

  STARPATH_TARGET static Sums add_products(Sums sums, std::int32_t activations, Sums weights) {
    return _mm256_dpbusd_avx_epi32(sums, _mm256_set1_epi32(activations), weights);
  }
};

}  // namespace

STARPATH_TARGET void convolve_row_avx_vnni(const ConvolutionRow& row) { convolve_whole_vectors<AvxVnni>(row, 0); }

}  // namespace starpath::cpu
#endif
