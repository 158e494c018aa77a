// Colours of synthetic tissue.
#include "io/synthetic/paint.hpp"

#include <utility>

#include "io/synthetic/noise.hpp"

namespace starpath::io {
namespace {

// Tissue properties are evaluated every 8 pixels and interpolated between.
constexpr int kCoarseShift = 3, kCoarse = 1 << kCoarseShift;

constexpr struct { int r, g, b; } kGlass{243, 241, 244};

std::uint8_t to_byte(int v) { return static_cast<std::uint8_t>(std::clamp(v, 0, 255)); }

// Tissue properties along one line of the coarse grid, from column `first` on.
std::vector<TissueProperties> coarse_line(const TissueMap& map, std::int64_t first, std::int64_t row, int count) {
  std::vector<TissueProperties> line;
  line.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) line.push_back(map.at((first + i) * kCoarse, row * kCoarse));
  return line;
}

// One row of pixels, a property an array: loops over them are vectorised.
struct PixelRow {
  std::vector<int> depth, packed, way;
  std::vector<std::uint8_t> r, g, b;
  explicit PixelRow(std::size_t size) : depth(size), packed(size), way(size), r(size), g(size), b(size) {}
};

constexpr int mix(int from, int to, int t) { return from + ((to - from) * t >> kCoarseShift); }

void interpolate(const std::vector<TissueProperties>& above, const std::vector<TissueProperties>& below, int down,
                 PixelRow& row) {
  const auto properties = [&](std::size_t i) {
    return TissueProperties{mix(above[i].depth, below[i].depth, down),
                            mix(above[i].cellularity, below[i].cellularity, down) >> 8,
                            mix(above[i].orientation, below[i].orientation, down) >> 8, 0};
  };
  TissueProperties left = properties(0);
  for (std::size_t i = 0; i + 1 < above.size(); ++i) {
    const TissueProperties right = properties(i + 1);
    for (int t = 0; t < kCoarse; ++t) {
      const std::size_t at = i * kCoarse + static_cast<std::size_t>(t);
      row.depth[at] = mix(left.depth, right.depth, t);
      row.packed[at] = mix(left.cellularity, right.cellularity, t);
      row.way[at] = mix(left.orientation, right.orientation, t);
    }
    left = right;
  }
}

// The values of one channel in stroma, in cytoplasm and on glass.
struct Channel {
  int stroma_dark, stroma_light, plasm_dark, plasm_light, clear;
};
template <Channel c>
std::uint8_t channel(int texture, int plasm_texture, int packed, int grain, int cover) {
  const int stroma = c.stroma_dark + ((c.stroma_light - c.stroma_dark) * texture >> 8);
  const int plasm = c.plasm_dark + ((c.plasm_light - c.plasm_dark) * plasm_texture >> 8);
  const int tissue = stroma + ((plasm - stroma) * packed >> 8) + (grain >> 4) - 8;
  return to_byte(c.clear + (grain >> 5) - 4 + ((tissue - c.clear) * cover >> 8));
}

// Colours `count` pixels from pixel `at` of the row on.
void colour(PixelRow& row, std::size_t at, const std::uint8_t* across, const std::uint8_t* along,
            const std::uint8_t* grains, std::size_t count) {
  const int* depths = row.depth.data() + at;
  const int* packs = row.packed.data() + at;
  const int* ways = row.way.data() + at;
  std::uint8_t* __restrict r = row.r.data() + at;
  std::uint8_t* __restrict g = row.g.data() + at;
  std::uint8_t* __restrict b = row.b.data() + at;
  for (std::size_t i = 0; i < count; ++i) {
    const int grain = grains[i], packed = packs[i];
    const int fibre = across[i] + ((along[i] - across[i]) * ways[i] >> 8);
    const int texture = (fibre * 3 + grain) >> 2, plasm_texture = (grain + fibre) >> 1;
    // The tissue's edge is frayed by its own texture.
    const int cover = std::clamp((depths[i] + (texture - 110) * 12) >> 2, 0, 256);
    r[i] = channel<Channel{206, 240, 184, 222, kGlass.r}>(texture, plasm_texture, packed, grain, cover);
    g[i] = channel<Channel{112, 196, 118, 172, kGlass.g}>(texture, plasm_texture, packed, grain, cover);
    b[i] = channel<Channel{160, 216, 178, 208, kGlass.b}>(texture, plasm_texture, packed, grain, cover);
  }
}

void paint_background(const TissueMap& map, const Textures& textures, std::int64_t x, std::int64_t y, View<Rgb> out) {
  const std::int64_t first_column = x / kCoarse, last_column = (x + out.width - 1) / kCoarse + 1;
  const int count = static_cast<int>(last_column - first_column + 1);
  const auto skip = static_cast<std::size_t>(x - first_column * kCoarse), width = static_cast<std::size_t>(out.width);
  std::int64_t line = y / kCoarse;
  std::vector<TissueProperties> above = coarse_line(map, first_column, line, count);
  std::vector<TissueProperties> below = coarse_line(map, first_column, line + 1, count);
  PixelRow row(static_cast<std::size_t>(count - 1) * kCoarse);
  for (int j = 0; j < out.height; ++j) {
    const std::int64_t py = y + j;
    if (py / kCoarse != line) {
      line = py / kCoarse;
      above = std::exchange(below, coarse_line(map, first_column, line + 1, count));
    }
    interpolate(above, below, static_cast<int>(py % kCoarse), row);
    for (std::size_t i = 0; i < width;) {
      const auto t = static_cast<std::size_t>(x + static_cast<std::int64_t>(i)) & (Textures::kPeriod - 1);
      const std::size_t run = std::min(width - i, Textures::kPeriod - t);
      colour(row, skip + i, textures.across(py) + t, textures.along(py) + t, textures.grain(py) + t, run);
      i += run;
    }
    Rgb* pixel = out.row(j);
    for (std::size_t i = 0; i < width; ++i) pixel[i] = {row.r[skip + i], row.g[skip + i], row.b[skip + i]};
  }
}

void paint_cell(const Cell& cell, const Textures& textures, const PaintArea& area, View<Rgb> out) {
  const std::int64_t shift_x = cell.texture & 511, shift_y = cell.texture >> 8 & 511;
  visit_cell(cell, area, [&](int column, int row, float level) {
    const int cover = std::min(256, static_cast<int>((1.1f - level) * 1280));  // half at the outline, level 1
    if (cover <= 0) return;
    const int grain = textures.grain(area.y + row + shift_y)[(area.x + column + shift_x) & (Textures::kPeriod - 1)];
    const int rim = level > 0.6f ? static_cast<int>((level - 0.6f) * 2.5f * static_cast<float>(cell.rim)) : 0;
    const int shade = (grain - 128) * cell.grain / 128 - rim;
    Rgb& pixel = out.at(column, row);
    const auto blend = [&](int under, int colour) { return to_byte(under + (colour + shade - under) * cover / 256); };
    pixel = {blend(pixel.r, cell.r), blend(pixel.g, cell.g), blend(pixel.b, cell.b)};
  });
}

// Lightens or darkens each pixel as its field was stained: by shares of the step between the labels' mean colours.
void stain_fields(const TissueMap& map, std::int64_t x, std::int64_t y, View<Rgb> out) {
  constexpr std::int32_t step_r = 33, step_g = 19, step_b = 6;
  for (int j = 0; j < out.height; ++j) {
    Rgb* pixel = out.row(j);
    for (int i = 0; i < out.width;) {
      const std::int64_t block = (x + i) / kCoarse * kCoarse;
      const std::int32_t stain = map.at(block, y + j).stain;
      const int end = static_cast<int>(std::min<std::int64_t>(out.width, block + kCoarse - x));
      for (; i < end; ++i)
        pixel[i] = {to_byte(pixel[i].r + (stain * step_r >> 8)), to_byte(pixel[i].g + (stain * step_g >> 8)),
                    to_byte(pixel[i].b + (stain * step_b >> 8))};
    }
  }
}

std::uint8_t contrast(std::int32_t noise, int gain) { return to_byte(((noise - 32768) * gain >> 8) + 128); }

}  // namespace

Textures::Textures(std::uint64_t seed) {
  constexpr std::size_t size = std::size_t{kPeriod} * kPeriod;
  across_.resize(size);
  along_.resize(size);
  grain_.resize(size);
  for (int y = 0; y < kPeriod; ++y) {
    for (int x = 0; x < kPeriod; ++x) {
      // Waves bend the fibres; two finenesses of fibre.
      const int bend = periodic_noise(seed, 101, x, y, 64, 64, 8, 8) >> 10;
      const int coarse_fibre = periodic_noise(seed, 102, x, y + bend, 64, 8, 8, 64);
      const int fine_fibre = periodic_noise(seed, 103, x, y + bend, 32, 4, 16, 128);
      const std::size_t at = static_cast<std::size_t>(y) * kPeriod + static_cast<std::size_t>(x);
      across_[at] = contrast((coarse_fibre + fine_fibre) / 2, 2);
      along_[static_cast<std::size_t>(x) * kPeriod + static_cast<std::size_t>(y)] = across_[at];
      const int blotch = periodic_noise(seed, 104, x, y, 4, 4, 128, 128),
                speck = periodic_noise(seed, 105, x, y, 2, 2, 256, 256);
      grain_[at] = contrast((blotch * 3 + speck) / 4, 1);
    }
  }
}

void paint(const TissueMap& map, const Textures& textures, std::int64_t x, std::int64_t y, View<Rgb> out) {
  if (out.width < 1 || out.height < 1) return;
  paint_background(map, textures, x, y, out);
  const PaintArea area{x, y, out.width, out.height};
  for (const Cell& cell : map.red_cells(x, y, out.width, out.height)) paint_cell(cell, textures, area, out);
  for (const Cell& cell : map.nuclei(x, y, out.width, out.height)) paint_cell(cell, textures, area, out);
  if (map.pattern() == SyntheticPattern::stroma) stain_fields(map, x, y, out);
}

}  // namespace starpath::io
