// Rows of the learned detector with AVX-512 VNNI: sixteen outputs in a vector, and eight where as many are left.
#if defined(__x86_64__)
// GCC 12's header of AVX-512 leaves values on purpose uninitialised that no bit of a result depends on.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#define STARPATH_TARGET __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vnni")))
#include "codelets/cpu/detector_row_body.hpp"
#include "codelets/cpu/detector_vectors.hpp"

namespace starpath::cpu {
namespace {

struct Eight : Vectors256 {
  static constexpr int kMostVectors = 1;
  static constexpr int pixels(int) { return 16; }

  STARPATH_TARGET static Sums add_products(Sums sums, std::int32_t activations, Sums weights) {
    return _mm256_dpbusd_epi32(sums, _mm256_set1_epi32(activations), weights);
  }
};

struct Sixteen {
  using Sums = __m512i;
  static constexpr int kOutputs = 16, kMostVectors = 4;
  static constexpr int pixels(int vectors) { return vectors == 1 ? 16 : vectors == 2 ? 12 : vectors == 3 ? 8 : 6; }

  STARPATH_TARGET static Sums load(const void* from) { return _mm512_loadu_si512(from); }
  STARPATH_TARGET static Sums add_products(Sums sums, std::int32_t activations, Sums weights) {
    return _mm512_dpbusd_epi32(sums, _mm512_set1_epi32(activations), weights);
  }

  STARPATH_TARGET static Sums rescale(Sums sums, const Rescaling& by, std::size_t odd, int out) {
    const Sums product = _mm512_mul_epu32(sums, load(by.multiplier[odd] + out / 2));
    return _mm512_srlv_epi64(_mm512_add_epi64(product, load(by.half[odd] + out / 2)), load(by.shift[odd] + out / 2));
  }
  /// As that of Vectors256.
  STARPATH_TARGET static void store(Sums sums, const Rescaling& by, int out, std::uint8_t* to) {
    sums = _mm512_min_epi32(_mm512_max_epi32(sums, _mm512_setzero_si512()), load(by.enough + out));
    const Sums even = rescale(sums, by, 0, out), odd = rescale(_mm512_srli_epi64(sums, 32), by, 1, out);
    const Sums all = _mm512_mask_blend_epi32(0xaaaa, even, _mm512_slli_epi64(odd, 32));
    const __m128i bytes = _mm_min_epu8(_mm512_cvtusepi32_epi8(all), _mm_set1_epi8(127));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  }
};

}  // namespace

STARPATH_TARGET void convolve_row_avx512_vnni(const ConvolutionRow& row) {
  convolve_whole_vectors<Eight>(row, convolve_whole_vectors<Sixteen>(row, 0));
}

}  // namespace starpath::cpu
#endif
