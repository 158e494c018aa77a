// Reading, segmenting and counting of a few fields.
#include "pipelines/preview/fields.hpp"

#include <starpu.h>

#include <algorithm>
#include <array>
#include <exception>
#include <mutex>
#include <span>
#include <thread>

#include "base/error.hpp"
#include "base/pure/quartiles.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "io/outlines/svg_path.hpp"
#include "pipelines/segmentation/parameter_table.hpp"
#include "pipelines/segmentation/region_nuclei.hpp"

namespace starpath {
namespace {

FieldNuclei nuclei_of_field(const std::vector<io::NucleusRecord>& nuclei, const Rect& field) {
  FieldNuclei summary;
  std::vector<std::int32_t> areas;
  for (const io::NucleusRecord& nucleus : nuclei) {
    areas.push_back(nucleus.area);
    io::append_svg_path(nucleus.contour, field.x, field.y, summary.outlines);
  }
  summary.count = static_cast<std::int64_t>(nuclei.size());
  if (!areas.empty()) summary.median_area = median(std::span(areas));
  return summary;
}

/// The difference image of `region`.
std::vector<std::uint8_t> difference_of(RgbView rgb, const PixelParameters& pixels) {
  const auto size = static_cast<std::size_t>(rgb.pixels());
  std::vector<std::uint8_t> inverted(size), opened(size), difference(size);
  const auto view = [&](std::vector<std::uint8_t>& plane) {
    return View<std::uint8_t>{plane.data(), rgb.width, rgb.height, rgb.width};
  };
  Scratch scratch;
  const KernelContext context{scratch};
  cpu::morph_open(context, rgb, pixels.opening_reach, view(inverted), view(opened));
  cpu::recon_to_nuclei(context, view(inverted), view(opened), pixels.reconstruction_steps, view(difference));
  return difference;
}

}  // namespace

std::vector<PreviewField> read_fields(const io::WorkingSlide& grid, const std::vector<Rect>& rects) {
  std::vector<PreviewField> fields;
  for (const Rect& rect : rects) {
    PreviewField field{rect, std::vector<Rgb>(static_cast<std::size_t>(rect.width * rect.height)), {}};
    const int width = static_cast<int>(rect.width);
    grid.read_around_gaps(rect.x, rect.y, {field.pixels.data(), width, static_cast<int>(rect.height), width});
    fields.push_back(std::move(field));
  }
  return fields;
}

PixelCounts darkest_of(const std::vector<PreviewField>& fields) {
  PixelCounts darkest{};
  for (const PreviewField& field : fields)
    for (const Rgb p : field.pixels) ++darkest[static_cast<std::size_t>(std::min({p.r, p.g, p.b}))];
  return darkest;
}

PixelCounts differences_of(const io::WorkingSlide& grid, const std::vector<PreviewField>& fields,
                           const SegmentationOptions& options) {
  const PixelParameters pixels = pixel_parameters(options.parameters, options.levels, options.target_mpp);
  const int glass = options.parameters.background_level.value_or(options.levels.background);
  PixelCounts differences{};
  for (const PreviewField& field : fields) {
    const std::int64_t halo = options.tiling.halo;
    const Rect region = intersection(
        {field.rect.x - halo, field.rect.y - halo, field.rect.width + 2 * halo, field.rect.height + 2 * halo},
        {0, 0, grid.width(), grid.height()});
    std::vector<Rgb> around(static_cast<std::size_t>(region.width * region.height));
    const View<Rgb> view{around.data(), static_cast<int>(region.width), static_cast<int>(region.height), region.width};
    grid.read_around_gaps(region.x, region.y, view);
    const auto difference = difference_of(view, pixels);
    for (std::int64_t y = 0; y < field.rect.height; ++y)
      for (std::int64_t x = 0; x < field.rect.width; ++x) {
        const auto at =
            static_cast<std::size_t>((y + field.rect.y - region.y) * region.width + x + field.rect.x - region.x);
        if (std::min({around[at].r, around[at].g, around[at].b}) <= glass) ++differences[difference[at]];
      }
  }
  return differences;
}

namespace {

/// Hands out fields under variants, one after the other, until all are taken. Several threads take turns: the stages of
/// one field wait for each other, so one field alone keeps one worker busy.
class FieldWork {
 public:
  FieldWork(std::size_t variants, std::vector<PreviewField>& fields, const OnField& on_field)
      : variants_(variants), fields_(fields), on_field_(on_field) {}

  /// `segment` is given a field and a variant.
  template <class Segment>
  void take_turns(const Segment& segment, const std::atomic<bool>& stop) {
    while (!stop && !failed_) {
      const std::size_t turn = next_++, field = turn / variants_, variant = turn % variants_;
      if (field >= fields_.size()) return;
      try {
        {
          const std::lock_guard lock(mutex_);
          on_field_(field, variant);
        }
        fields_[field].variants[variant] = segment(fields_[field], variant);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        failed_ = true;
      }
    }
  }
  /// Once the threads have ended.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const std::size_t variants_;
  std::vector<PreviewField>& fields_;
  const OnField& on_field_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // for on_field_ and failure_
  std::exception_ptr failure_;
};

}  // namespace

std::vector<PreviewField> segment_fields(const io::Slide& slide, const io::WorkingSlide& grid,
                                         const SegmentationOptions& options, const std::vector<Variant>& variants,
                                         std::vector<PreviewField> fields, const OnField& on_field,
                                         const std::atomic<bool>& stop) {
  for (PreviewField& field : fields) field.variants.resize(variants.size());
  const auto segment = [&](const PreviewField& field, std::size_t variant) -> FieldNuclei {
    SegmentationOptions one = options;
    one.parameters = variants[variant].parameters;
    one.tiling.roi = field.rect;
    one.gaps_fail = false;
    try {
      check_parameters(one.parameters, levels_beside(one.parameters, one.levels));
    } catch (const Error& error) {
      FieldNuclei refused;
      refused.refused = error.what();
      return refused;
    }
    return nuclei_of_field(nuclei_of_region(slide, grid, one, stop), field.rect);
  };
  FieldWork work(variants.size(), fields, on_field);
  std::vector<std::jthread> threads;
  const std::size_t most = std::min(std::size_t{starpu_worker_get_count()} + 1, fields.size() * variants.size());
  for (std::size_t i = 0; i < most; ++i) threads.emplace_back([&] { work.take_turns(segment, stop); });
  threads.clear();  // joins them
  work.rethrow();
  return fields;
}

}  // namespace starpath
