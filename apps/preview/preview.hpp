// A few fields of a slide segmented with several sets of parameters: what the page shows.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "apps/preview/field_choice.hpp"
#include "apps/preview/variants.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/segmentation/options.hpp"

namespace starpath::apps {

/// One field under one variant.
struct FieldNuclei {
  std::string refused;     // why these parameters cannot be; empty: the rest holds
  std::int64_t count = 0;  // nuclei whose centroid lies in the field
  double median_area = 0;  // um2; 0 without nuclei
  std::string outlines;    // as an SVG path, in pixels of the field
};

struct PreviewField {
  Rect rect;                // working pixels
  std::vector<Rgb> pixels;  // row by row
  std::vector<FieldNuclei> variants;
  RgbView view() const {
    return {pixels.data(), static_cast<int>(rect.width), static_cast<int>(rect.height), rect.width};
  }
};

using Histogram = std::array<std::int64_t, 256>;

/// Of the pixels of all fields.
struct FieldHistograms {
  Histogram difference{};  // operation 4, of pixels that are not glass: G1 and G2 are levels of it
  Histogram darkest{};     // the least channel: glass is where it is above the level background
};

/// The region of interest as a picture whose longer side has about `side` pixels. Where the slide has no level coarse
/// enough for that, a picture of fewer pixels, each the mean of a patch: no slide is read whole. Throws as Slide::read.
Overview read_overview(const io::Slide& slide, const io::WorkingSlide& grid, const Rect& region, int side);

/// Reads the fields. Throws as Slide::read.
std::vector<PreviewField> read_fields(const io::WorkingSlide& grid, const std::vector<Rect>& rects);

/// Counts what the levels cut, with the operations' own sizes. `options` give parameters and levels.
FieldHistograms histograms_of(const io::WorkingSlide& grid, const std::vector<PreviewField>& fields,
                              const SegmentationOptions& options);

/// Told before each field under each variant.
using OnField = std::function<void(std::size_t field, std::size_t variant)>;

/// Segments every field under every variant, through the tasks of `starpath segment`. `options` give the rest. StarPU
/// must be running. Throws as nuclei_of_region; parameters that contradict each other are noted instead.
void segment_fields(const io::Slide& slide, const io::WorkingSlide& grid, const SegmentationOptions& options,
                    const std::vector<Variant>& variants, std::vector<PreviewField>& fields, const OnField& on_field,
                    const std::atomic<bool>& stop);

}  // namespace starpath::apps
