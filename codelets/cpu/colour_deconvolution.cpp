// The pixels that features of wanted objects see, deconvolved 32 at once. Tissue with few nuclei costs little.
#include "codelets/kernels/colour_deconvolution.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "codelets/cpu/bits.hpp"
#include "codelets/kernels/features.hpp"

namespace starpath::cpu {
namespace {

// Both stains' amounts in one number: haematoxylin in the low half, eosin in the high one, each raised so that sums of
// three stay positive and never carry.
constexpr std::int64_t kRaise = std::int64_t{1} << 27;

/// A StainAmountTable with both stains' amounts in one number.
using PackedAmounts = std::array<std::array<std::uint64_t, 256>, 3>;

constexpr int kStep = 32;  // pixels at once: vectors without rests

PackedAmounts pack_amounts(const StainAmountTable& stains) {
  PackedAmounts table{};
  for (std::size_t channel = 0; channel < 3; ++channel)
    for (std::size_t v = 0; v < 256; ++v)
      table[channel][v] = static_cast<std::uint64_t>(stains[0][channel][v] + kRaise) |
                          static_cast<std::uint64_t>(stains[1][channel][v] + kRaise) << 32;
  return table;
}

std::int32_t lower(std::uint64_t raised) {
  return static_cast<std::int32_t>(static_cast<std::int64_t>(raised & 0xffffffffU) - 3 * kRaise);
}

// In loops of their own: compilers take numbers that come from tables through vector registers one by one where they
// compute with them in the same loop.
void deconvolve(const Rgb* pixels, const PackedAmounts& table, const std::array<std::uint8_t*, kStainChannels>& out) {
  std::array<std::uint64_t, kStep> amounts;
  std::array<std::array<std::uint32_t, kStep>, 2> places;
  for (std::size_t i = 0; i < kStep; ++i)
    amounts[i] = table[0][pixels[i].r] + table[1][pixels[i].g] + table[2][pixels[i].b];
  for (std::size_t i = 0; i < kStep; ++i) {
    places[0][i] = static_cast<std::uint32_t>(place_of_amount(lower(amounts[i])));
    places[1][i] = static_cast<std::uint32_t>(place_of_amount(lower(amounts[i] >> 32)));
  }
  for (std::size_t i = 0; i < kStep; ++i) {
    out[0][i] = kStainValueTable[places[0][i]];
    out[1][i] = kStainValueTable[places[1][i]];
  }
  for (std::size_t i = 0; i < kStep; ++i) out[2][i] = gray_value(pixels[i]);
}

/// Deconvolves `count` pixels, at most a step.
void deconvolve_some(const Rgb* pixels, int count, const PackedAmounts& table,
                     const std::array<std::uint8_t*, kStainChannels>& out) {
  if (count == kStep) return deconvolve(pixels, table, out);
  std::array<Rgb, kStep> some{};
  std::array<std::array<std::uint8_t, kStep>, kStainChannels> values;
  std::copy_n(pixels, count, some.begin());
  deconvolve(some.data(), table, {values[0].data(), values[1].data(), values[2].data()});
  for (std::size_t c = 0; c < kStainChannels; ++c) std::copy_n(values[c].begin(), count, out[c]);
}

/// Marks the steps of each row that a wanted object sees: a bit a step.
void mark_steps(RgbView rgb, std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                std::span<std::uint64_t> marks, int words) {
  std::ranges::fill(marks, 0);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (wanted[i] == 0) continue;
    const ObjectBox& box = boxes[i];
    const int first = std::max(0, box.x0 - kFeatureReach) / kStep;
    const int last = (std::min(rgb.width, box.x1 + kFeatureReach) - 1) / kStep;
    const int y0 = std::max(0, box.y0 - kFeatureReach), y1 = std::min(rgb.height, box.y1 + kFeatureReach);
    for (int y = y0; y < y1; ++y)
      for (int step = first; step <= last; ++step)
        marks[static_cast<std::size_t>(y * std::ptrdiff_t{words} + step / kWordBits)] |= std::uint64_t{1}
                                                                                         << step % kWordBits;
  }
}

}  // namespace

void colour_deconvolution(const KernelContext& context, RgbView rgb, std::span<const ObjectBox> boxes,
                          std::span<const std::uint8_t> wanted, const StainAmountTable& stains,
                          View<std::uint8_t> channels) {
  const Scratch::Mark mark(context.scratch);
  const int words = words_for((rgb.width + kStep - 1) / kStep);
  const std::span marks =
      context.scratch.take<std::uint64_t>(static_cast<std::size_t>(words) * static_cast<std::size_t>(rgb.height));
  mark_steps(rgb, boxes, wanted, marks, words);
  const PackedAmounts amounts = pack_amounts(stains);
  for (int y = 0; y < rgb.height; ++y)
    for (int w = 0; w < words; ++w)
      for (std::uint64_t left = marks[static_cast<std::size_t>(y * std::ptrdiff_t{words} + w)]; left != 0;
           left &= left - 1) {
        const int x = (w * kWordBits + std::countr_zero(left)) * kStep;
        deconvolve_some(rgb.row(y) + x, std::min(kStep, rgb.width - x), amounts,
                        {channels.row(y) + x, channels.row(y + rgb.height) + x, channels.row(y + 2 * rgb.height) + x});
      }
}

}  // namespace starpath::cpu
