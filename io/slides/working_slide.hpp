// A slide resampled to the working resolution: the grid in which tiles, nuclei and features live.
#pragma once
#include <cstdint>
#include <vector>

#include "io/slides/slide.hpp"

namespace starpath::io {

/// Resolution the pipelines were designed for, micrometres a pixel.
inline constexpr double kDesignMpp = 0.5;

/// Level-0 pixels to a pixel of a working slide, at the most.
inline constexpr double kMostScale = 64;

/// Every pixel of the working grid has one value that does not depend on how regions are cut: weights are fixed-point
/// functions of the pixel's own coordinates. Area averaging when the slide is finer than the grid, bilinear when it is
/// coarser; a slide within 1 % of `target_mpp` is taken as it is. Thread-safe.
class WorkingSlide {
 public:
  /// `slide_mpp` <= 0 takes the file's own value; if that is unknown too, the pixels are taken as they are (scale 1).
  /// The slide must outlive this object. Throws Error{usage} when the scale is outside [1/16, kMostScale], and
  /// Error{input} when the file's own value is of pixels that are no squares.
  WorkingSlide(const Slide& slide, double target_mpp, double slide_mpp);

  const Slide& slide() const { return slide_; }
  std::int64_t width() const { return width_; }
  std::int64_t height() const { return height_; }
  /// Level-0 pixels of the slide per working pixel (1 when taken as it is).
  double scale() const { return scale_; }
  double mpp() const { return mpp_; }  // of the working grid; 0 when unknown

  /// Reads the region at (x, y), in working pixels; outside the slide it is white. Throws as Slide::read.
  void read(std::int64_t x, std::int64_t y, View<Rgb> out) const;
  /// The same, where what cannot be read comes out white. Returns these gaps, as Slide::read_around_gaps.
  std::vector<Gap> read_around_gaps(std::int64_t x, std::int64_t y, View<Rgb> out) const;

 private:
  /// `read_level`: Slide::read or another, of the level that is read.
  template <class Read>
  void read_by(std::int64_t x, std::int64_t y, View<Rgb> out, const Read& read_level) const;

  const Slide& slide_;
  double scale_ = 1, mpp_ = 0;
  std::int64_t width_ = 0, height_ = 0;
  int level_ = 0;           // level that is read
  double level_scale_ = 1;  // pixels of that level per working pixel
};

}  // namespace starpath::io
