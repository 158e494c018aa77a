// A few fields of a slide, segmented with several sets of parameters.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/pure/rect.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/preview/variants.hpp"
#include "pipelines/segmentation/options.hpp"

namespace starpath {

/// One field under one variant.
struct FieldNuclei {
  std::string refused;     // why these parameters contradict each other; if empty, the rest holds
  std::int64_t count = 0;  // nuclei whose centroid lies in the field
  double median_area = 0;  // working pixels; 0 without nuclei
  std::string outlines;    // as an SVG path, in pixels of the field
};

struct PreviewField {
  Rect rect;                          // working pixels
  std::vector<Rgb> pixels;            // row by row
  std::vector<FieldNuclei> variants;  // by variant
  RgbView view() const {
    return {pixels.data(), static_cast<int>(rect.width), static_cast<int>(rect.height), rect.width};
  }
};

/// Pixels by 8-bit value.
using PixelCounts = std::array<std::int64_t, 256>;

/// Reads the fields. Throws as Slide::read.
std::vector<PreviewField> read_fields(const io::WorkingSlide& grid, const std::vector<Rect>& rects);

/// The least channels of all fields' pixels: a pixel whose least channel is above the level background is glass.
PixelCounts darkest_of(const std::vector<PreviewField>& fields);

/// The difference image (operation 4) of the fields' pixels that are not glass: G1 and G2 are levels of it. `options`
/// give the sizes of the operations, and the level of glass. Throws as Slide::read.
PixelCounts differences_of(const io::WorkingSlide& grid, const std::vector<PreviewField>& fields,
                           const SegmentationOptions& options);

/// Told before each field under each variant, by one thread at a time.
using OnField = std::function<void(std::size_t field, std::size_t variant)>;

/// Segments every field under every variant by the tasks of a run over a slide, several fields at a time, and returns
/// the fields with what was found. `options` give the rest, `gpus_prepared` among them. Once `stop` is true, no further
/// field is begun. StarPU must be running. Throws as nuclei_of_region. Parameters that contradict
/// each other are noted in FieldNuclei::refused.
std::vector<PreviewField> segment_fields(const io::Slide& slide, const io::WorkingSlide& grid,
                                         const SegmentationOptions& options, const std::vector<Variant>& variants,
                                         std::vector<PreviewField> fields, const OnField& on_field,
                                         const std::atomic<bool>& stop);

}  // namespace starpath
