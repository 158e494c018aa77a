// What the vector kernels of a row share. A source includes it once, after it has defined STARPATH_TARGET, the
// instructions that its functions may use.
#pragma once
#include <cstddef>
#include <cstring>

#include "codelets/cpu/detector_rows.hpp"

#if !defined(STARPATH_TARGET)  // compiled alone
#define STARPATH_TARGET __attribute__((target("avx2")))
#endif

namespace starpath::cpu {
namespace {

/// `Vectors` has Sums, a vector of 32-bit sums of kOutputs outputs, load(), add_products(sums, activations, weights),
/// where the four activations of a word meet the four weights of each output, and store(sums, rescaling, out, to). It
/// says with pixels(vectors) how many pixels together fill the registers, and with kMostVectors how many vectors of
/// outputs a pixel may have.
template <class Vectors, int vectors, int pixels>
STARPATH_TARGET void convolve_pixels(const ConvolutionRow& row, int x, int out) {
  typename Vectors::Sums sums[pixels][vectors];
  for (auto& of_pixel : sums)
    for (int v = 0; v < vectors; ++v) of_pixel[v] = Vectors::load(row.bias + out + v * Vectors::kOutputs);
  const std::ptrdiff_t pixel = std::ptrdiff_t{4} * row.words, step = std::ptrdiff_t{4} * row.out;
  const std::int8_t* weights = row.weights + std::ptrdiff_t{4} * out;
  for (const std::uint8_t* line : row.from) {
    const std::uint8_t* from = line + x * pixel;
    for (int word = 0; word < 3 * row.words; ++word, from += 4, weights += step) {
      typename Vectors::Sums these[vectors];
      for (int v = 0; v < vectors; ++v) these[v] = Vectors::load(weights + v * 4 * Vectors::kOutputs);
      for (int p = 0; p < pixels; ++p) {
        std::int32_t activations;
        std::memcpy(&activations, from + p * pixel, sizeof activations);
        for (int v = 0; v < vectors; ++v) sums[p][v] = Vectors::add_products(sums[p][v], activations, these[v]);
      }
    }
  }
  std::uint8_t* to = row.to + std::ptrdiff_t{x} * row.out + out;
  for (int p = 0; p < pixels; ++p, to += row.out)
    for (int v = 0; v < vectors; ++v)
      Vectors::store(sums[p][v], row.rescaling, out + v * Vectors::kOutputs, to + v * Vectors::kOutputs);
}

template <class Vectors, int vectors>
STARPATH_TARGET void convolve_outputs(const ConvolutionRow& row, int out) {
  constexpr int pixels = Vectors::pixels(vectors);
  int x = 0;
  for (; x + pixels <= row.width; x += pixels) convolve_pixels<Vectors, vectors, pixels>(row, x, out);
  for (; x < row.width; ++x) convolve_pixels<Vectors, vectors, 1>(row, x, out);
}

/// The outputs [out, end), as many as fill whole vectors; returns the first that is left.
template <class Vectors>
STARPATH_TARGET int convolve_whole_vectors(const ConvolutionRow& row, int out) {
  for (int left = (row.out - out) / Vectors::kOutputs; left > 0; left = (row.out - out) / Vectors::kOutputs) {
    // Four are two and two rather than three and one.
    const int parts = (left + Vectors::kMostVectors - 1) / Vectors::kMostVectors, vectors = (left + parts - 1) / parts;
    switch (vectors) {
      case 1:
        convolve_outputs<Vectors, 1>(row, out);
        break;
      case 2:
        convolve_outputs<Vectors, 2>(row, out);
        break;
      case 3:
        convolve_outputs<Vectors, 3>(row, out);
        break;
      default:
        convolve_outputs<Vectors, 4>(row, out);
    }
    out += vectors * Vectors::kOutputs;
  }
  return out;
}

}  // namespace
}  // namespace starpath::cpu
