// A row of a 3x3 convolution of the learned detector, by the instructions that the processor has. All of them give the
// same bits.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "codelets/kernels/detector.hpp"

namespace starpath::cpu {

/// Multipliers, shifts and halves (1 << (shift - 1)) of the outputs with even and with odd numbers, 8 bytes each; and
/// for each output a sum from which on its activation is the largest.
struct Rescaling {
  std::array<const std::uint64_t*, 2> multiplier, half, shift;
  const std::int32_t* enough;
};

struct ConvolutionRow {
  std::array<const std::uint8_t*, 3> from;  // the rows above, here and below, each from the pixel before the first
  int words;                                // of four activations, of one pixel
  const std::int8_t* weights;               // as DetectorLayer orders them
  const std::int32_t* bias;
  Rescaling rescaling;
  int out;    // a multiple of 8
  int width;  // pixels
  std::uint8_t* to;
};

/// One way to compute rows.
struct RowKernel {
  const char* name;
  bool (*runs_here)();
  void (*convolve)(const ConvolutionRow& row);
};

/// All that are compiled in, the fastest first. The last one runs everywhere.
std::span<const RowKernel> row_kernels();
/// The fastest that this processor runs.
const RowKernel& best_row_kernel();

/// cpu::detect() with a certain kernel.
void detect_by(const RowKernel& kernel, const KernelContext& context, RgbView rgb,
               std::span<const std::int32_t> network, int origin_x, int origin_y, const DetectorChannels& channels,
               View<std::uint8_t> nucleus, View<std::uint8_t> core);

void convolve_row_portably(const ConvolutionRow& row);
#if defined(__x86_64__)
void convolve_row_avx2(const ConvolutionRow& row);
void convolve_row_avx_vnni(const ConvolutionRow& row);
void convolve_row_avx512_vnni(const ConvolutionRow& row);
#endif

}  // namespace starpath::cpu
