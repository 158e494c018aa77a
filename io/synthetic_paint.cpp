// Colours of synthetic tissue.
#include "io/synthetic_paint.hpp"

#include <array>

#include "io/synthetic_noise.hpp"

namespace starpath::io {
namespace {

constexpr int coarse = 8;  // tissue properties are evaluated every 8 pixels and interpolated between

struct Colour {
  int r, g, b;
};
constexpr Colour glass{243, 241, 244};
constexpr Colour stroma_dark{206, 112, 160}, stroma_light{240, 196, 216};
constexpr Colour plasm_dark{184, 118, 178}, plasm_light{222, 172, 208};

std::uint8_t to_byte(int v) { return static_cast<std::uint8_t>(std::clamp(v, 0, 255)); }

// Tissue properties along one line of the coarse grid, from column `first` on.
struct CoarseLine {
  std::vector<Tissue> at;
  CoarseLine(const TissueMap& map, std::int64_t first, std::int64_t row, int count) {
    at.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) at.push_back(map.at((first + i) * coarse, row * coarse));
  }
};

Tissue mix(const Tissue& a, const Tissue& b, int t) {
  const auto each = [t](std::int32_t from, std::int32_t to) { return from + (to - from) * t / coarse; };
  return {each(a.depth, b.depth), each(a.cellularity, b.cellularity), each(a.orientation, b.orientation), 0};
}

struct Row {
  const std::uint8_t *across, *along, *grain;
};

Rgb background_pixel(const Tissue& tissue, int across, int along, int grain) {
  const int way = tissue.orientation >> 8;
  const int fibre = across + (along - across) * way / 256;
  const int texture = fibre * 3 / 4 + grain / 4;
  // The tissue's edge is frayed by its own texture.
  const int cover = std::clamp((tissue.depth + (texture - 110) * 12) / 6, 0, 256);
  const int packed = tissue.cellularity >> 8;
  const auto channel = [&](int dark, int light, int plasm_from, int plasm_to, int clear) {
    const int stroma = dark + (light - dark) * texture / 256;
    const int plasm = plasm_from + (plasm_to - plasm_from) * (grain / 2 + fibre / 2) / 256;
    const int tissue_colour = stroma + (plasm - stroma) * packed / 256;
    return to_byte(clear + grain / 32 - 4 + (tissue_colour + grain / 16 - 8 - clear) * cover / 256);
  };
  return {channel(stroma_dark.r, stroma_light.r, plasm_dark.r, plasm_light.r, glass.r),
          channel(stroma_dark.g, stroma_light.g, plasm_dark.g, plasm_light.g, glass.g),
          channel(stroma_dark.b, stroma_light.b, plasm_dark.b, plasm_light.b, glass.b)};
}

void paint_background(const TissueMap& map, const Textures& textures, std::int64_t x, std::int64_t y, View<Rgb> out) {
  const std::int64_t first_column = x / coarse, last_column = (x + out.width - 1) / coarse + 1;
  const int count = static_cast<int>(last_column - first_column + 1);
  std::int64_t line = y / coarse;
  CoarseLine above(map, first_column, line, count), below(map, first_column, line + 1, count);
  std::vector<Tissue> now(static_cast<std::size_t>(count));
  for (int row = 0; row < out.height; ++row) {
    const std::int64_t py = y + row;
    if (py / coarse != line) {
      line = py / coarse;
      above = std::move(below);
      below = CoarseLine(map, first_column, line + 1, count);
    }
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = mix(above.at[i], below.at[i], static_cast<int>(py % coarse));
    const Row texture{textures.across(py), textures.along(py), textures.grain(py)};
    Rgb* pixel = out.row(row);
    for (int column = 0; column < out.width; ++column) {
      const std::int64_t px = x + column;
      const auto i = static_cast<std::size_t>(px / coarse - first_column);
      const auto t = static_cast<std::size_t>(px & (Textures::period - 1));
      const Tissue tissue = mix(now[i], now[i + 1], static_cast<int>(px % coarse));
      pixel[column] = background_pixel(tissue, texture.across[t], texture.along[t], texture.grain[t]);
    }
  }
}

void paint_cell(const Cell& cell, const Textures& textures, const PaintArea& area, View<Rgb> out) {
  const std::int64_t shift_x = cell.texture & 511, shift_y = cell.texture >> 8 & 511;
  visit_cell(cell, area, [&](int column, int row, float level) {
    const int cover = std::min(256, static_cast<int>((1.1f - level) * 1280));  // half at the outline, level 1
    if (cover <= 0) return;
    const int grain = textures.grain(area.y + row + shift_y)[(area.x + column + shift_x) & (Textures::period - 1)];
    const int rim = level > 0.6f ? static_cast<int>((level - 0.6f) * 2.5f * static_cast<float>(cell.rim)) : 0;
    const int shade = (grain - 128) * cell.grain / 128 - rim;
    Rgb& pixel = out.at(column, row);
    const auto blend = [&](int under, int colour) { return to_byte(under + (colour + shade - under) * cover / 256); };
    pixel = {blend(pixel.r, cell.r), blend(pixel.g, cell.g), blend(pixel.b, cell.b)};
  });
}

std::uint8_t contrast(std::int32_t noise, int gain) { return to_byte(((noise - 32768) * gain >> 8) + 128); }

}  // namespace

Textures::Textures(std::uint64_t seed) {
  constexpr std::size_t size = std::size_t{period} * period;
  across_.resize(size);
  along_.resize(size);
  grain_.resize(size);
  for (int y = 0; y < period; ++y) {
    for (int x = 0; x < period; ++x) {
      // Waves bend the fibres; two finenesses of fibre.
      const int bend = periodic_noise(seed, 101, x, y, 64, 64, 8, 8) >> 10;
      const int coarse_fibre = periodic_noise(seed, 102, x, y + bend, 64, 8, 8, 64);
      const int fine_fibre = periodic_noise(seed, 103, x, y + bend, 32, 4, 16, 128);
      const std::size_t at = static_cast<std::size_t>(y) * period + static_cast<std::size_t>(x);
      across_[at] = contrast((coarse_fibre + fine_fibre) / 2, 2);
      along_[static_cast<std::size_t>(x) * period + static_cast<std::size_t>(y)] = across_[at];
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
}

}  // namespace starpath::io
