// Tissue outline, cellularity and cell lists of a synthetic slide, all functions of place.
#include "io/synthetic/tissue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "io/synthetic/noise.hpp"
#include "io/synthetic/stroma.hpp"

namespace starpath::io {
namespace {

enum Purpose : std::uint64_t {
  outline = 1,
  outline_mid,
  outline_fine,
  packing,
  packing_fine,
  fibre_way,
  vessel,
  nucleus,
  red
};

constexpr int kNucleusSlots = 3;
constexpr std::int64_t kNucleusSquare = 32, kRedSquare = 15;  // design pixels
constexpr float kLargestHalfAxis = 13;                        // design pixels
constexpr float kBlurReach = 1.265f;                          // sqrt(1.6): see Cell::level

// Share of glass: next to none on a small slide, 30 % on a large one.
double glass_share(double design_side) {
  return 0.02 + 0.28 * std::clamp((design_side - 2048) / (8192 - 2048), 0.0, 1.0);
}

std::int64_t square_side(std::int64_t design, float zoom) {
  return std::max<std::int64_t>(4, std::llround(static_cast<float>(design) * zoom));
}

// Cosine and sine of an angle in (-pi/2, pi/2] from a number in (-1, 1], without the maths library: the same on every
// machine.
void set_direction(Cell& cell, float t) {
  const float scale = 1 / (1 + t * t);
  cell.cosine = (1 - t * t) * scale;
  cell.sine = 2 * t * scale;
}

void set_axes(Cell& cell, float a, float b) {
  cell.inverse_a = 1 / a;
  cell.inverse_b = 1 / b;
  const float cc = cell.cosine * cell.cosine, ss = cell.sine * cell.sine;
  cell.reach_x = kBlurReach * std::sqrt(a * a * cc + b * b * ss) + 1;
  cell.reach_y = kBlurReach * std::sqrt(a * a * ss + b * b * cc) + 1;
}

void set_colour(Cell& cell, float r, float g, float b, float shift) {
  const auto channel = [](float v) { return static_cast<std::uint8_t>(std::clamp(v, 0.0f, 255.0f)); };
  cell.r = channel(r + shift);
  cell.g = channel(g + shift);
  cell.b = channel(b + shift * 0.7f);
}

}  // namespace

TissueMap::TissueMap(const SyntheticSpec& spec) : spec_(spec), density_(static_cast<float>(spec.density)) {
  zoom_ = static_cast<float>(0.5 / spec.mpp);
  to_design_ = std::llround(spec.mpp * 2 * 256);
  nucleus_cell_ = square_side(kNucleusSquare, zoom_);
  red_cell_ = square_side(kRedSquare, zoom_);
  const std::int64_t squares = (spec.width / nucleus_cell_ + 3) * (spec.height / nucleus_cell_ + 3);
  if (squares * kNucleusSlots >= std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorKind::usage,
                fmt::format("synthetic:{}x{},mpp={}: more nuclei than 31 bits can number; give a smaller slide",
                            spec.width, spec.height, spec.mpp));
  const std::int64_t side = (std::max(spec.width, spec.height) * to_design_) >> 8;
  tissue_shift_ = std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(side / 4))) - 1, 8, 13);

  constexpr int samples = 64;
  std::vector<std::int32_t> depths;
  for (int j = 0; j < samples; ++j)
    for (int i = 0; i < samples; ++i)
      depths.push_back(raw_depth(spec.width * (2 * i + 1) / (2 * samples), spec.height * (2 * j + 1) / (2 * samples)));
  const auto cut =
      depths.begin() + static_cast<std::ptrdiff_t>(glass_share(static_cast<double>(side)) * (samples * samples - 1));
  std::nth_element(depths.begin(), cut, depths.end());
  threshold_ = *cut;
}

std::int32_t TissueMap::raw_depth(std::int64_t x, std::int64_t y) const {
  const std::int64_t dx = (x * to_design_) >> 8, dy = (y * to_design_) >> 8;
  // Higher in the middle, so that the slide's border tends to be glass.
  const auto arch = [](std::int64_t v, std::int64_t size) {
    return 4 * ((v << 12) / size) * (4096 - (v << 12) / size) >> 12;
  };
  const auto middle = static_cast<std::int32_t>((arch(std::clamp<std::int64_t>(x, 0, spec_.width), spec_.width) *
                                                 arch(std::clamp<std::int64_t>(y, 0, spec_.height), spec_.height)) >>
                                                8);
  const std::uint64_t seed = spec_.seed;
  return (value_noise(seed, outline, dx, dy, tissue_shift_) * 4 +
          value_noise(seed, outline_mid, dx, dy, tissue_shift_ - 2) * 2 +
          value_noise(seed, outline_fine, dx, dy, tissue_shift_ - 4) + middle * 3) /
         10;
}

TissueProperties TissueMap::stroma_at(std::int64_t design_x, std::int64_t design_y) const {
  const StromaField field = stroma_field(spec_.seed, design_x / kStromaFieldSide, design_y / kStromaFieldSide);
  constexpr std::int32_t deep = 20000;
  const std::int32_t way = (value_noise(spec_.seed, fibre_way, design_x, design_y, 8) - 32768) * 3 + 32768;
  return {field.label == StromaLabel::glass ? -deep : deep, field.cellularity, std::clamp(way, 0, 65535), -deep,
          field.stain};
}

TissueProperties TissueMap::at(std::int64_t x, std::int64_t y) const {
  const std::int64_t dx = (x * to_design_) >> 8, dy = (y * to_design_) >> 8;
  if (spec_.pattern == SyntheticPattern::stroma) return stroma_at(dx, dy);
  const std::uint64_t seed = spec_.seed;
  TissueProperties tissue{};
  tissue.depth = raw_depth(x, y) - threshold_;
  // Stretched, so that clearly stromal and clearly cellular places are common.
  const std::int32_t packed =
      (value_noise(seed, packing, dx, dy, 9) * 3 + value_noise(seed, packing_fine, dx, dy, 7)) / 4;
  tissue.cellularity = std::clamp((packed - 32768) * 3 + 26000, 0, 65535);
  tissue.orientation = std::clamp((value_noise(seed, fibre_way, dx, dy, 8) - 32768) * 3 + 32768, 0, 65535);
  tissue.blood = value_noise(seed, vessel, dx, dy, 7) - 59500;
  return tissue;
}

bool TissueMap::make_nucleus(std::int64_t i, std::int64_t j, int slot, Cell& out) const {
  PlaceRandom random(hash_place(spec_.seed, i, j, nucleus * 64 + static_cast<std::uint64_t>(slot)));
  const auto side = static_cast<float>(nucleus_cell_);
  const float in_x = random.unit() * side, in_y = random.unit() * side;
  const std::int64_t x = i * nucleus_cell_ + static_cast<std::int64_t>(in_x);
  const std::int64_t y = j * nucleus_cell_ + static_cast<std::int64_t>(in_y);
  const TissueProperties tissue = at(x, y);
  const float packed = static_cast<float>(tissue.cellularity) * 0x1p-16f;
  if (tissue.depth < 500 || tissue.blood > -600 || random.unit() >= density_ * (0.10f + 0.42f * packed)) return false;

  out.x = static_cast<float>(x) + 0.5f;
  out.y = static_cast<float>(y) + 0.5f;
  // Stroma holds slender fibroblasts, packed tissue rounder and larger nuclei.
  const bool slender = random.unit() > packed + 0.25f;
  const float a = slender ? random.between(8.5f, kLargestHalfAxis) : random.between(6.0f, 10.0f);
  const float b = slender ? random.between(3.2f, 5.0f) : a * random.between(0.68f, 0.95f);
  set_direction(out, random.between(-1, 1));
  set_axes(out, a * zoom_, std::min(b, 8.8f) * zoom_);
  out.three = random.between(-0.15f, 0.15f);
  out.four = random.between(-0.05f, 0.05f);
  const bool pale = !slender && random.unit() < 0.15f;
  if (pale)
    set_colour(out, 128, 104, 165, random.between(-10, 10));
  else
    set_colour(out, 84, 58, 128, random.between(-20, 20));
  out.rim = pale ? 40 : 14;
  out.grain = static_cast<std::uint8_t>(random.between(22, 48));
  out.texture = static_cast<std::uint32_t>(random.unit() * 65536);
  const std::int64_t columns = spec_.width / nucleus_cell_ + 3;
  out.id = static_cast<std::int32_t>(((j + 1) * columns + (i + 1)) * kNucleusSlots + slot + 1);
  return true;
}

bool TissueMap::make_red_cell(std::int64_t i, std::int64_t j, Cell& out) const {
  PlaceRandom random(hash_place(spec_.seed, i, j, red * 64));
  const auto side = static_cast<float>(red_cell_);
  const std::int64_t x = i * red_cell_ + static_cast<std::int64_t>(side * random.between(0.2f, 0.8f));
  const std::int64_t y = j * red_cell_ + static_cast<std::int64_t>(side * random.between(0.2f, 0.8f));
  const TissueProperties tissue = at(x, y);
  if (tissue.depth < 500 || tissue.blood < 0 || random.unit() > 0.8f) return false;
  out.x = static_cast<float>(x) + 0.5f;
  out.y = static_cast<float>(y) + 0.5f;
  set_direction(out, random.between(-1, 1));
  const float a = random.between(5.8f, 7.2f) * zoom_;
  set_axes(out, a, a * random.between(0.8f, 1.0f));
  out.three = random.between(-0.06f, 0.06f);
  out.four = 0;
  set_colour(out, 214, 36, 48, 0);
  out.rim = 10;
  out.grain = 8;
  out.texture = static_cast<std::uint32_t>(random.unit() * 65536);
  out.id = 0;
  return true;
}

template <class Make>
std::vector<Cell> TissueMap::collect(std::int64_t x, std::int64_t y, int width, int height, std::int64_t side,
                                     int slots, const Make& make) const {
  const auto reach = static_cast<std::int64_t>(std::ceil(kBlurReach * kLargestHalfAxis * zoom_)) + 2;
  const auto square = [side](std::int64_t v) { return v >= 0 ? v / side : -1; };
  std::vector<Cell> cells;
  Cell cell{};
  const std::int64_t right = std::min(x + width - 1 + reach, spec_.width),
                     bottom = std::min(y + height - 1 + reach, spec_.height);
  for (std::int64_t j = std::max<std::int64_t>(0, square(y - reach)); j <= square(bottom); ++j)
    for (std::int64_t i = std::max<std::int64_t>(0, square(x - reach)); i <= square(right); ++i)
      for (int slot = 0; slot < slots; ++slot)
        if (make(i, j, slot, cell)) cells.push_back(cell);
  return cells;
}

std::vector<Cell> TissueMap::nuclei(std::int64_t x, std::int64_t y, int width, int height) const {
  return collect(x, y, width, height, nucleus_cell_, kNucleusSlots,
                 [this](std::int64_t i, std::int64_t j, int slot, Cell& out) { return make_nucleus(i, j, slot, out); });
}

std::vector<Cell> TissueMap::red_cells(std::int64_t x, std::int64_t y, int width, int height) const {
  return collect(x, y, width, height, red_cell_, 1,
                 [this](std::int64_t i, std::int64_t j, int, Cell& out) { return make_red_cell(i, j, out); });
}

}  // namespace starpath::io
