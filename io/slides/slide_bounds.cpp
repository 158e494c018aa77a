// OpenSlide's canvas of a MIRAX, Leica or Ventana slide holds all that the scanner could have seen.
#include "io/slides/slide_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/pure/parse_number.hpp"
#include "io/slides/slide_backend.hpp"

namespace starpath::io {
namespace {

std::optional<std::int64_t> number(const std::map<std::string, std::string>& properties, const char* name) {
  const auto found = properties.find(name);
  if (found == properties.end()) return std::nullopt;
  return parse_number<std::int32_t>(found->second);
}

}  // namespace

std::optional<SlideBounds> stated_bounds(const std::string& path, const std::map<std::string, std::string>& properties,
                                         std::int64_t width, std::int64_t height) {
  const auto x = number(properties, "openslide.bounds-x"), y = number(properties, "openslide.bounds-y"),
             across = number(properties, "openslide.bounds-width"),
             down = number(properties, "openslide.bounds-height");
  if (!x || !y || !across || !down) return std::nullopt;
  const SlideBounds bounds{*x, *y, *across, *down};
  if (bounds.width < 1 || bounds.height < 1 || bounds.x >= width || bounds.y >= height ||
      bounds.x + bounds.width <= 0 || bounds.y + bounds.height <= 0)
    fail_input(path,
               fmt::format("says that its {} x {} px begin at x={}, y={} of a canvas of {} x {} px, where nothing is",
                           bounds.width, bounds.height, bounds.x, bounds.y, width, height),
               "the file may be damaged: copy it again, or convert it to a tiled TIFF");
  const bool is_canvas = bounds.x == 0 && bounds.y == 0 && bounds.width == width && bounds.height == height;
  return is_canvas ? std::nullopt : std::optional(bounds);
}

SlideLevel level_within(const SlideBounds& bounds, const SlideLevel& level) {
  const auto reduced = [&](std::int64_t side) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(side) / level.downsample));
  };
  SlideLevel within = level;
  within.width = reduced(bounds.width);
  within.height = reduced(bounds.height);
  return within;
}

bool has_fixed_grid(const SlideLevel& level, std::int64_t x, std::int64_t y) {
  if (level.downsample != std::floor(level.downsample)) return false;
  const auto step = static_cast<std::int64_t>(level.downsample);
  // A fraction over a power of two is kept to the last bit in all of OpenSlide's sums; another only where it is none.
  return std::has_single_bit(static_cast<std::uint64_t>(step)) || (x % step == 0 && y % step == 0);
}

}  // namespace starpath::io
