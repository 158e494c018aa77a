// Colour deconvolution in fixed point: how much haematoxylin and eosin a pixel holds, each as an 8-bit image, and gray.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/portable_math.hpp"

namespace starpath {

// Source: Ruifrok and Johnston, "Quantification of histochemical staining by color deconvolution" (2001).
//
// A stain's 8-bit value is 255 where there is none of it and falls towards 0 with its density:
//   density d(v) = 255 (1 - ln(v + 1) / ln 255)      of a channel value v,
//   amount c     = row of the inverse stain matrix . (d(r), d(g), d(b)),
//   value        = 255^((255 - c) / 255), rounded to the nearest integer and saturated to 0..255.
// All of it in integers: d and the matrix in units of 2^-16, each product rounded to 2^-16 (half up), c rounded to
// 2^-5.

/// Rows haematoxylin and eosin of the inverse of the matrix with the columns H = (.650, .704, .286), E = (.072, .990,
/// .105) and their complement sqrt(max(0, 1 - H^2 - E^2)), all normalised to length 1. Unit 2^-16.
inline constexpr std::array<std::array<std::int64_t, 3>, 2> kStainInverse = {
    {{{152068, 1751, -120781}}, {{-107942, 64833, 85734}}}};

/// d(v) in units of 2^-16. d(255) is slightly negative.
inline constexpr auto kDensityTable = [] {
  std::array<std::int64_t, 256> table{};
  for (int v = 0; v < 256; ++v) {
    const double d = 255 * 65536.0 * (1 - portable_log2(v + 1.0) / portable_log2(255.0));
    table[static_cast<std::size_t>(v)] = static_cast<std::int64_t>(d < 0 ? d - 0.5 : d + 0.5);
  }
  return table;
}();

/// Two rows of the inverse of a stain matrix, as kStainInverse.
using StainInverse = std::array<std::array<std::int64_t, 3>, 2>;

/// table[stain][channel][v]: the number that a channel's value adds to the amount of a stain, in units of 2^-16, below
/// 2^27 either way.
using StainAmountTable = std::array<std::array<std::array<std::int32_t, 256>, 3>, 2>;
constexpr StainAmountTable stain_amounts(const StainInverse& inverse) {
  constexpr std::int64_t most = (std::int64_t{1} << 27) - 1;
  StainAmountTable table{};
  for (std::size_t stain = 0; stain < 2; ++stain)
    for (std::size_t channel = 0; channel < 3; ++channel)
      for (std::size_t v = 0; v < 256; ++v)
        table[stain][channel][v] = static_cast<std::int32_t>(
            std::clamp((inverse[stain][channel] * kDensityTable[v] + 32768) >> 16, -most, most));
  return table;
}
inline constexpr StainAmountTable kStainAmountTable = stain_amounts(kStainInverse);

/// kStainValueTable[i] is the value of the amount i / 32. Amounts below 0 give 255 and amounts of 288 and more give 0.
using StainValueTable = std::array<std::uint8_t, 288 * 32 + 1>;
inline constexpr StainValueTable kStainValueTable = [] {
  StainValueTable table{};
  const double log2_255 = portable_log2(255.0);
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<std::uint8_t>(portable_exp2(log2_255 * (255 - static_cast<double>(i) / 32) / 255) + 0.5);
  return table;
}();

/// Where the value of an amount, given in units of 2^-16, stands in kStainValueTable.
constexpr std::int32_t place_of_amount(std::int32_t amount) {
  constexpr std::int32_t last = static_cast<std::int32_t>(std::tuple_size_v<StainValueTable>) - 1;
  return std::clamp((amount + 1024) >> 11, 0, last);
}

/// Value of an amount given in units of 2^-16, from kStainValueTable or a copy of it on a GPU.
constexpr std::uint8_t stain_value(std::int32_t amount, const StainValueTable& table = kStainValueTable) {
  return table[static_cast<std::size_t>(place_of_amount(amount))];
}

/// The three images that features are measured on, of one pixel.
struct StainValues {
  std::uint8_t haematoxylin, eosin, gray;
  friend bool operator==(const StainValues&, const StainValues&) = default;
};

/// 0.299 r + 0.587 g + 0.114 b with weights in units of 2^-15, rounded half up.
constexpr std::uint8_t gray_value(Rgb p) {
  return static_cast<std::uint8_t>((9798 * p.r + 19235 * p.g + 3735 * p.b + 16384) >> 15);
}

/// How much haematoxylin a pixel holds by these stains, in units of 2^-16 of a density.
constexpr std::int32_t haematoxylin_amount(Rgb p, const StainAmountTable& amounts = kStainAmountTable) {
  return amounts[0][0][p.r] + amounts[0][1][p.g] + amounts[0][2][p.b];
}

/// From the tables above or copies of them on a GPU.
constexpr StainValues stain_values(Rgb p, const StainAmountTable& amounts = kStainAmountTable,
                                   const StainValueTable& values = kStainValueTable) {
  const auto& h = amounts[0];
  const auto& e = amounts[1];
  return {stain_value(h[0][p.r] + h[1][p.g] + h[2][p.b], values),
          stain_value(e[0][p.r] + e[1][p.g] + e[2][p.b], values), gray_value(p)};
}

}  // namespace starpath
