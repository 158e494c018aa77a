// Labels and looks of the fields of the pattern "stroma".
#include "io/synthetic/stroma.hpp"

#include <cmath>

#include "io/synthetic/noise.hpp"

namespace starpath::io {
namespace {

enum Purpose : std::uint64_t { glass = 201, stroma, looks };

}  // namespace

StromaField stroma_field(std::uint64_t seed, std::int64_t column, std::int64_t row) {
  // Noise over fields, twice as fine as regions are wide: regions of a few fields.
  if (value_noise(seed, glass, 2 * column + 1, 2 * row + 1, 2) < 20000) return {StromaLabel::glass, 0, 0};
  PlaceRandom random(hash_place(seed, column, row, looks));
  const float amount = random.unit(), stain = random.unit();
  if (value_noise(seed, stroma, 2 * column + 1, 2 * row + 1, 2) < 32768)
    return {StromaLabel::rich, static_cast<std::int32_t>(3000 + 25000 * amount),
            static_cast<std::int32_t>(60 - 300 * stain)};
  return {StromaLabel::poor, static_cast<std::int32_t>(37000 + 25000 * amount),
          static_cast<std::int32_t>(300 * stain - 60)};
}

StromaLabel stroma_label(const SyntheticSpec& spec, std::int64_t x, std::int64_t y) {
  const std::int64_t to_design = std::llround(spec.mpp * 2 * 256);
  const auto field = [&](std::int64_t v) { return ((v * to_design) >> 8) / kStromaFieldSide; };
  return stroma_field(spec.seed, field(x), field(y)).label;
}

}  // namespace starpath::io
