// Random labelled objects, and pictures to measure them on.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "codelets/kernels/connected_components.hpp"
#include "support/images.hpp"

namespace starpath::support {

/// Discs and single pixels painted over each other, at the borders too; labels in raster order of first pixels. Discs
/// cut apart by later ones stay one label: objects need not be connected.
inline Image<std::int32_t> random_labels(Rng& rng, int width, int height, int padding) {
  Image<int> painted(width, height, padding);
  std::uniform_int_distribution<int> x(-3, width + 2), y(-3, height + 2), radius(0, 9), kind(0, 2);
  const int count = 1 + width * height / 250;
  for (int id = 1; id <= count; ++id) {
    const int cx = x(rng), cy = y(rng), r = kind(rng) == 0 ? 0 : radius(rng);
    for (int v = std::max(0, cy - r); v <= std::min(height - 1, cy + r); ++v)
      for (int u = std::max(0, cx - r); u <= std::min(width - 1, cx + r); ++u)
        if ((u - cx) * (u - cx) + (v - cy) * (v - cy) <= r * r) painted.at(u, v) = id;
  }
  Image<std::int32_t> labels(width, height, padding);
  std::vector<std::int32_t> renamed(static_cast<std::size_t>(count) + 1, 0);
  std::int32_t next = 0;
  for (int v = 0; v < height; ++v)
    for (int u = 0; u < width; ++u) {
      if (painted.at(u, v) == 0) continue;
      std::int32_t& name = renamed[static_cast<std::size_t>(painted.at(u, v))];
      if (name == 0) name = ++next;
      labels.at(u, v) = name;
    }
  return labels;
}

/// The boxes of objects 1 to the largest label.
inline std::vector<ObjectBox> boxes_of(const Image<std::int32_t>& labels) {
  std::int32_t count = 0;
  for (int y = 0; y < labels.height(); ++y)
    for (int x = 0; x < labels.width(); ++x) count = std::max(count, labels.at(x, y));
  std::vector<ObjectBox> boxes(static_cast<std::size_t>(count));
  TestContext context;
  reference::object_boxes(context, labels.view(), boxes);
  return boxes;
}

/// Noise of a random strength about a random colour: faint noise has edges near Canny's thresholds, strong noise
/// reaches every filter's limits.
inline Image<Rgb> random_tissue(Rng& rng, int width, int height, int padding) {
  constexpr int strengths[] = {0, 1, 2, 6, 40, 255};
  const int strength = strengths[std::uniform_int_distribution<std::size_t>(0, 5)(rng)];
  std::uniform_int_distribution<int> base(0, 255 - strength), step(0, strength);
  const int r = base(rng), g = base(rng), b = base(rng);
  Image<Rgb> image(width, height, padding);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image.at(x, y) = {static_cast<std::uint8_t>(r + step(rng)), static_cast<std::uint8_t>(g + step(rng)),
                        static_cast<std::uint8_t>(b + step(rng))};
  return image;
}

}  // namespace starpath::support
