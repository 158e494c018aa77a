// Vectors of 256 bits for the learned detector: what AVX2 and AVX-VNNI share. To be included behind a definition of
// STARPATH_TARGET.
#pragma once
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "codelets/cpu/detector_rows.hpp"

#if !defined(STARPATH_TARGET)  // compiled alone
#define STARPATH_TARGET __attribute__((target("avx2")))
#endif

namespace starpath::cpu {
namespace {

struct Vectors256 {
  using Sums = __m256i;
  static constexpr int kOutputs = 8;

  STARPATH_TARGET static Sums load(const void* from) { return _mm256_loadu_si256(static_cast<const Sums*>(from)); }

  /// Four of the eight results, as 64-bit numbers. `sums` are in the even places.
  STARPATH_TARGET static Sums rescale(Sums sums, const Rescaling& by, std::size_t odd, int out) {
    const Sums product = _mm256_mul_epu32(sums, load(by.multiplier[odd] + out / 2));
    return _mm256_srlv_epi64(_mm256_add_epi64(product, load(by.half[odd] + out / 2)), load(by.shift[odd] + out / 2));
  }

  /// Where a sum is below 0, the activation is 0 as for the sum 0. From `enough` on it stays what it is, so that no
  /// result needs more than 32 bits.
  STARPATH_TARGET static void store(Sums sums, const Rescaling& by, int out, std::uint8_t* to) {
    sums = _mm256_min_epi32(_mm256_max_epi32(sums, _mm256_setzero_si256()), load(by.enough + out));
    const Sums even = rescale(sums, by, 0, out), odd = rescale(_mm256_srli_epi64(sums, 32), by, 1, out);
    const Sums all = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    const __m128i bytes = _mm_min_epu8(_mm_packus_epi16(words, words), _mm_set1_epi8(127));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), bytes);
  }
};

}  // namespace
}  // namespace starpath::cpu
