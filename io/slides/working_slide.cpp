// Resampling of a slide to the working resolution: separable, in integers, in bands.
#include "io/slides/working_slide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "base/error.hpp"
#include "io/slides/pixels.hpp"
#include "io/slides/resample.hpp"
#include "io/slides/resolution.hpp"
#include "io/slides/working_scale.hpp"

namespace starpath::io {
namespace {

// OpenSlide gives a level's downsample as the ratio of sizes that were rounded down: 4.0002 means 4. Takes the whole
// number when the two differ by less than a pixel over the level.
double level_downsample(const SlideLevel& level) {
  const double whole = std::round(level.downsample);
  const double drift =
      std::abs(level.downsample / whole - 1) * static_cast<double>(std::max(level.width, level.height));
  return drift < 1 ? whole : level.downsample;
}

std::int64_t scaled_size(std::int64_t pixels, double scale) {
  return std::max<std::int64_t>(1, std::llround(static_cast<double>(pixels) / scale));
}

}  // namespace

double working_scale(const std::string& name, double mpp, double target_mpp) {
  const double scale = target_mpp / mpp;
  if (!(scale >= 1.0 / 16 && scale <= kMostScale))
    throw Error(ErrorKind::usage,
                fmt::format("{}: cannot go from {} to {} um/px (a factor of {:.3g}; 1/16 to {} is possible); give the "
                            "slide's right resolution",
                            name, mpp, target_mpp, scale, kMostScale));
  return scale;
}

WorkingSlide::WorkingSlide(const Slide& slide, double target_mpp, double slide_mpp) : slide_(slide) {
  const SlideInfo& info = slide.info();
  if (!(slide_mpp > 0)) check_square(info);
  const double mpp = slide_mpp > 0 ? slide_mpp : info.mpp;
  if (mpp > 0) {
    scale_ = working_scale(info.path, mpp, target_mpp);
    if (std::abs(scale_ - 1) <= 0.01) scale_ = 1;
    mpp_ = mpp * scale_;
  }
  level_scale_ = scale_;
  for (std::size_t level = 0; level < info.levels.size(); ++level) {
    const double candidate = scale_ / level_downsample(info.levels[level]);
    if (candidate < 1 || candidate > level_scale_) continue;
    level_ = static_cast<int>(level);
    level_scale_ = candidate;
  }
  const SlideLevel& read_level = info.levels[static_cast<std::size_t>(level_)];
  width_ = scaled_size(read_level.width, level_scale_);
  height_ = scaled_size(read_level.height, level_scale_);
}

void WorkingSlide::read(std::int64_t x, std::int64_t y, View<Rgb> out) const {
  read_by(x, y, out,
          [&](std::int64_t left, std::int64_t top, View<Rgb> pixels) { slide_.read(level_, left, top, pixels); });
}

std::vector<Gap> WorkingSlide::read_around_gaps(std::int64_t x, std::int64_t y, View<Rgb> out) const {
  std::vector<Gap> gaps;
  read_by(x, y, out, [&](std::int64_t left, std::int64_t top, View<Rgb> pixels) {
    std::ranges::move(slide_.read_around_gaps(level_, left, top, pixels), std::back_inserter(gaps));
  });
  return gaps;
}

template <class Read>
void WorkingSlide::read_by(std::int64_t x, std::int64_t y, View<Rgb> out, const Read& read_level) const {
  if (level_scale_ == 1) {
    read_level(x, y, out);
    return;
  }
  const PixelBox part = shown_part(width_, height_, x, y, out);
  if (part.empty()) return;

  const SlideLevel& level = slide_.info().levels[static_cast<std::size_t>(level_)];
  const int width = static_cast<int>(part.right - part.left);
  const Taps across = make_taps(part.left, width, level_scale_, level.width);
  // Bands keep the source pixels of a large region from being in memory all at once.
  const std::int64_t band_height = std::max<std::int64_t>(1, std::llround(1024 / level_scale_));
  std::vector<Rgb> source;
  for (std::int64_t band = part.top; band < part.bottom; band += band_height) {
    const Taps down =
        make_taps(band, static_cast<int>(std::min(band_height, part.bottom - band)), level_scale_, level.height);
    source.resize(static_cast<std::size_t>(across.source_size) * static_cast<std::size_t>(down.source_size));
    const View<Rgb> pixels{source.data(), across.source_size, down.source_size, across.source_size};
    read_level(across.source_begin, down.source_begin, pixels);
    resample(pixels, across, down,
             {out.row(static_cast<int>(band - y)) + (part.left - x), width, down.count(), out.stride});
  }
}

}  // namespace starpath::io
