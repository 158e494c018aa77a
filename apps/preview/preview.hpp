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
  double median_area = 0;  // working pixels; 0 without nuclei
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

/// The region of interest as a picture whose longer side has about `side` pixels. Where the slide has no level coarse
/// enough for that, a picture of fewer pixels, each the mean of a patch: no slide is read whole. Throws as Slide::read.
Overview read_overview(const io::Slide& slide, const io::WorkingSlide& grid, const Rect& region, int side);

/// Reads the fields. Throws as Slide::read.
std::vector<PreviewField> read_fields(const io::WorkingSlide& grid, const std::vector<Rect>& rects);

/// The least channels of all fields' pixels: glass is where they are above the level background.
Histogram darkest_of(const std::vector<PreviewField>& fields);

/// Operation 4 of the fields' pixels that are not glass: G1 and G2 are levels of it. `options` give the operations'
/// sizes, and the level of glass. Throws as Slide::read.
Histogram differences_of(const io::WorkingSlide& grid, const std::vector<PreviewField>& fields,
                         const SegmentationOptions& options);

/// Told before each field under each variant, by one thread at a time.
using OnField = std::function<void(std::size_t field, std::size_t variant)>;

/// Segments every field under every variant, through the tasks of `starpath segment`, several at a time. `options` give
/// the rest, `gpus_prepared` among them. StarPU must be running. Throws as nuclei_of_region; parameters that contradict
/// each other are noted instead.
void segment_fields(const io::Slide& slide, const io::WorkingSlide& grid, const SegmentationOptions& options,
                    const std::vector<Variant>& variants, std::vector<PreviewField>& fields, const OnField& on_field,
                    const std::atomic<bool>& stop);

}  // namespace starpath::apps
