// Rows of pixels as rows of bits: pixel x is bit x % 64 of word x / 64. The only intrinsics of the mask kernels are
// here.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace starpath::cpu {

inline constexpr int kWordBits = 64;

/// Words that hold `width` bits.
constexpr int words_for(int width) { return (width + kWordBits - 1) / kWordBits; }

/// Bit i of the result is the top bit of bytes[i], for 64 bytes aligned to 64.
inline std::uint64_t top_bits(const std::uint8_t* bytes) {
#if defined(__AVX2__)  // halves: compilers store halves, and a load waits for stores that are shorter than itself
  const auto half = [](const std::uint8_t* at) {
    return std::uint64_t{
        static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_load_si256(reinterpret_cast<const __m256i*>(at))))};
  };
  return half(bytes + 32) << 32 | half(bytes);
#elif defined(__SSE2__)
  std::uint64_t word = 0;
  for (int part = 3; part >= 0; --part)
    word = word << 16 | static_cast<std::uint16_t>(_mm_movemask_epi8(
                            _mm_load_si128(reinterpret_cast<const __m128i*>(bytes + std::ptrdiff_t{part} * 16))));
  return word;
#else
  std::uint64_t word = 0;
  for (int i = kWordBits - 1; i >= 0; --i) word = word << 1 | bytes[i] >> 7;
  return word;
#endif
}

/// Bit i of the result is set where byte i of two vectors of at most 64 bytes differs.
template <class V>
std::uint64_t differing_bytes(V a, V b) {
#if defined(__AVX512BW__)
  if constexpr (sizeof(V) == 64) return _mm512_cmpneq_epu8_mask(std::bit_cast<__m512i>(a), std::bit_cast<__m512i>(b));
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(V) == 16)
    return 0xFFFFU ^ static_cast<std::uint64_t>(
                         _mm_movemask_epi8(_mm_cmpeq_epi8(std::bit_cast<__m128i>(a), std::bit_cast<__m128i>(b))));
#endif
  std::uint8_t bytes_a[sizeof a], bytes_b[sizeof b];
  std::memcpy(bytes_a, &a, sizeof a);
  std::memcpy(bytes_b, &b, sizeof b);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof a; ++i) bits |= std::uint64_t{bytes_a[i] != bytes_b[i]} << i;
  return bits;
}

/// Packs test(x) for x in 0..width-1 into words_for(width) words; bits past the width are 0.
template <class Test>
void pack_bits(int width, Test test, std::uint64_t* words) {
  alignas(kWordBits) std::uint8_t flags[kWordBits];
  int x = 0;
  for (; x + kWordBits <= width; x += kWordBits) {
    for (int i = 0; i < kWordBits; ++i) flags[i] = test(x + i) ? 255 : 0;
    *words++ = top_bits(flags);
  }
  if (x == width) return;
  for (int i = 0; i < kWordBits; ++i) flags[i] = i < width - x && test(x + i) ? 255 : 0;
  *words = top_bits(flags);
}

/// Bits of `word` that differ from the pixel on their left: where runs begin and end. `before` is the word on the left.
constexpr std::uint64_t edges_of(std::uint64_t word, std::uint64_t before) {
  return word ^ (word << 1 | before >> (kWordBits - 1));
}

}  // namespace starpath::cpu
