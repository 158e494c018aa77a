// The part of OpenSlide's canvas that is the slide.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "io/slides/slide.hpp"

namespace starpath::io {

/// A part of level 0, in pixels of the whole canvas.
struct SlideBounds {
  std::int64_t x, y, width, height;
};

/// What openslide.bounds-x, -y, -width and -height say of a canvas of this size. As in QuPath (OpenslideImageServer,
/// read at e7662d89) all four must be there and be whole numbers of 32 bits; else the slide is the whole canvas, and
/// nothing is returned. Nothing either where the bounds are the whole canvas. Bounds may reach over the canvas, where
/// pixels are white. Throws Error{input} for bounds without a pixel on the canvas. Pure.
std::optional<SlideBounds> stated_bounds(const std::string& path, const std::map<std::string, std::string>& properties,
                                         std::int64_t width, std::int64_t height);

/// The level's part within bounds of that size, with the downsample of the canvas: rounded down as in QuPath, one pixel
/// at the least. Pure.
SlideLevel level_within(const SlideBounds& bounds, const SlideLevel& level);

/// Whether a region of the level has the same pixels wherever the reading of it begins: the level's pixels then lie at
/// the same fractions of OpenSlide's. Pure.
bool has_fixed_grid(const SlideLevel& level, std::int64_t x, std::int64_t y);

}  // namespace starpath::io
