// A random label image whose objects are what the pipelines make: 8-connected, without holes.
#pragma once
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "codelets/kernels/image.hpp"

namespace starpath::io::testing {

struct LabelImage {
  int width, height;
  std::vector<std::int32_t> pixels;
  std::int32_t count = 0;
  std::vector<std::pair<int, int>> first;  // (x, y) of the first pixel of label i + 1, in raster order

  LabelImage(int w, int h) : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
  std::int32_t& at(int x, int y) {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
  View<const std::int32_t> view() const { return {pixels.data(), width, height, width}; }
};

/// Spreads `value` over everything that equals the pixel (x, y) and hangs together with it.
inline void flood(LabelImage& image, int x, int y, std::int32_t value, bool diagonal) {
  const std::int32_t old = image.at(x, y);
  std::vector<std::pair<int, int>> todo{{x, y}};
  image.at(x, y) = value;
  while (!todo.empty()) {
    const auto [px, py] = todo.back();
    todo.pop_back();
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int nx = px + dx, ny = py + dy;
        if ((dx != 0 && dy != 0 && !diagonal) || !image.view().contains(nx, ny) || image.at(nx, ny) != old) continue;
        image.at(nx, ny) = value;
        todo.emplace_back(nx, ny);
      }
  }
}

/// Objects of `image` (pixels != 0), holes filled (4-connected), numbered in raster order.
inline void label_objects(LabelImage& image) {
  LabelImage outside(image.width + 2, image.height + 2);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) outside.at(x + 1, y + 1) = image.at(x, y) != 0;
  flood(outside, 0, 0, 2, false);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) image.at(x, y) = outside.at(x + 1, y + 1) == 2 ? 0 : -1;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.at(x, y) == -1) {
        flood(image, x, y, ++image.count, true);
        image.first.emplace_back(x, y);
      }
}

inline LabelImage random_blobs(int width, int height, unsigned percent, std::uint32_t seed) {
  std::mt19937 random(seed);
  LabelImage image(width, height);
  for (auto& pixel : image.pixels) pixel = random() % 100 < percent;
  label_objects(image);
  return image;
}

}  // namespace starpath::io::testing
