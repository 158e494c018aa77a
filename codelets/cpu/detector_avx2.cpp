// Rows of the learned detector with AVX2.
#if defined(__x86_64__)
#define STARPATH_TARGET __attribute__((target("avx2")))
#include "codelets/cpu/detector_row_body.hpp"
#include "codelets/cpu/detector_vectors.hpp"

namespace starpath::cpu {
namespace {

struct Avx2 : Vectors256 {
  static constexpr int kMostVectors = 3;
  static constexpr int pixels(int vectors) { return vectors == 1 ? 8 : vectors == 2 ? 5 : 3; }

  // Two products fit into 16 bits (kMostActivation).
  STARPATH_TARGET static Sums add_products(Sums sums, std::int32_t activations, Sums weights) {
    const Sums pairs = _mm256_maddubs_epi16(_mm256_set1_epi32(activations), weights);
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
};

}  // namespace

STARPATH_TARGET void convolve_row_avx2(const ConvolutionRow& row) { convolve_whole_vectors<Avx2>(row, 0); }

}  // namespace starpath::cpu
#endif
