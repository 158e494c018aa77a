// The tile that the kernel benchmarks run on: 4096x4096 pixels that look like H&E-stained tissue at 0.5 um/px.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "codelets/kernels/image.hpp"

namespace starpath::bench {

inline constexpr int kTileSide = 4096;

/// Owns a square or other image without padding.
template <class T>
class Plane {
 public:
  explicit Plane(int width = kTileSide, int height = kTileSide)
      : width_(width), height_(height), pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}
  View<T> view() { return {pixels_.data(), width_, height_, width_}; }
  View<const T> view() const { return {pixels_.data(), width_, height_, width_}; }

 private:
  int width_, height_;
  std::vector<T> pixels_;
};

/// Smooth random values in 0..1: a lattice of random numbers `cell` pixels apart, interpolated.
class SmoothNoise {
 public:
  SmoothNoise(std::mt19937& rng, int width, int height, int cell)
      : columns_(width / cell + 2), scale_(1.0F / static_cast<float>(cell)) {
    values_.resize(static_cast<std::size_t>(columns_ * (height / cell + 2)));
    std::uniform_real_distribution<float> value(0, 1);
    for (auto& v : values_) v = value(rng);
  }
  float at(int x, int y) const {
    const float fx = static_cast<float>(x) * scale_, fy = static_cast<float>(y) * scale_;
    const int ix = static_cast<int>(fx), iy = static_cast<int>(fy);
    const float tx = ease(fx - static_cast<float>(ix)), ty = ease(fy - static_cast<float>(iy));
    const float* v = values_.data() + iy * columns_ + ix;
    return std::lerp(std::lerp(v[0], v[1], tx), std::lerp(v[columns_], v[columns_ + 1], tx), ty);
  }

 private:
  static float ease(float t) { return t * t * (3 - 2 * t); }
  int columns_;
  float scale_;
  std::vector<float> values_;
};

/// Paints synthetic tissue: glass, stroma with texture, some 17,000 nuclei (single and in clumps), red blood cells.
class TissuePainter {
 public:
  TissuePainter(View<Rgb> tile, unsigned seed)
      : tile_(tile),
        rng_(seed),
        region_(rng_, tile.width, tile.height, 700),
        crowd_(rng_, tile.width, tile.height, 180),
        coarse_(rng_, tile.width, tile.height, 40),
        middle_(rng_, tile.width, tile.height, 12),
        fine_(rng_, tile.width, tile.height, 4) {}

  void paint() {
    stroma();
    const int candidates = static_cast<int>(tile_.pixels() / 360);
    for (int i = 0; i < candidates; ++i) nucleus();
    for (int i = 0; i < candidates / 25; ++i) red_cell();
    sensor();
  }

 private:
  struct Colour {
    float r, g, b;
  };
  float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(rng_); }
  bool is_glass(int x, int y) const { return region_.at(x, y) < 0.28F + 0.06F * middle_.at(x, y); }
  static std::uint8_t to_byte(float v) { return static_cast<std::uint8_t>(std::clamp(v + 0.5F, 0.0F, 255.0F)); }

  void stroma() {
    for (int y = 0; y < tile_.height; ++y)
      for (int x = 0; x < tile_.width; ++x) {
        const float stain = 0.45F * coarse_.at(x, y) + 0.35F * middle_.at(x, y) + 0.2F * fine_.at(x, y);
        tile_.at(x, y) = is_glass(x, y)
                             ? Rgb{242, 240, 243}
                             : Rgb{to_byte(246 - 50 * stain), to_byte(208 - 110 * stain), to_byte(226 - 60 * stain)};
      }
  }

  /// Blends an ellipse with a soft edge and mottled inside over the tile.
  void ellipse(int cx, int cy, float major, float minor, float angle, float mottle, Colour colour) {
    const int reach = static_cast<int>(major) + 2;
    const float c = std::cos(angle), s = std::sin(angle);
    for (int y = std::max(0, cy - reach); y < std::min(tile_.height, cy + reach + 1); ++y)
      for (int x = std::max(0, cx - reach); x < std::min(tile_.width, cx + reach + 1); ++x) {
        const auto dx = static_cast<float>(x - cx), dy = static_cast<float>(y - cy);
        const float u = (c * dx + s * dy) / major, v = (c * dy - s * dx) / minor;
        const float inside = std::clamp((1 - std::sqrt(u * u + v * v)) * minor * 0.5F + 0.5F, 0.0F, 1.0F);
        if (inside == 0) continue;
        const float alpha = inside * (1 - mottle * fine_.at(x, y));
        Rgb& p = tile_.at(x, y);
        p = {to_byte(std::lerp(static_cast<float>(p.r), colour.r, alpha)),
             to_byte(std::lerp(static_cast<float>(p.g), colour.g, alpha)),
             to_byte(std::lerp(static_cast<float>(p.b), colour.b, alpha))};
      }
  }

  void nucleus() {
    const int x = static_cast<int>(uniform(0, static_cast<float>(tile_.width - 1)));
    const int y = static_cast<int>(uniform(0, static_cast<float>(tile_.height - 1)));
    if (is_glass(x, y) || uniform(0.15F, 0.95F) > crowd_.at(x, y)) return;
    const float major = uniform(6, 11), dark = uniform(0, 45);
    ellipse(x, y, major, major * uniform(0.55F, 1), uniform(0, 3.15F), uniform(0.1F, 0.45F),
            {75 + dark, 50 + dark, 120 + dark});
  }

  void red_cell() {
    const int x = static_cast<int>(uniform(0, static_cast<float>(tile_.width - 1)));
    const int y = static_cast<int>(uniform(0, static_cast<float>(tile_.height - 1)));
    if (!is_glass(x, y)) ellipse(x, y, 7, 6.5F, 0, 0.1F, {205, 25, 45});
  }

  void sensor() {
    for (int y = 0; y < tile_.height; ++y)
      for (int x = 0; x < tile_.width; ++x) {
        const auto bits = rng_();
        const auto noise = [&](int shift) { return static_cast<float>((bits >> shift) & 7U) - 3.5F; };
        Rgb& p = tile_.at(x, y);
        p = {to_byte(static_cast<float>(p.r) + noise(0)), to_byte(static_cast<float>(p.g) + noise(8)),
             to_byte(static_cast<float>(p.b) + noise(16))};
      }
  }

  View<Rgb> tile_;
  std::mt19937 rng_;
  SmoothNoise region_, crowd_, coarse_, middle_, fine_;
};

/// The benchmark tile, made once: synthetic tissue, or, with STARPATH_BENCH_TILE=<slide file>, that slide's
/// full-resolution level, repeated in mirrored copies until the tile is full.
const Plane<Rgb>& tile();

}  // namespace starpath::bench
