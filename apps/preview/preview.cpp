// Reading, segmenting and counting of a few fields.
#include "apps/preview/preview.hpp"

#include <starpu.h>

#include <algorithm>
#include <array>
#include <cmath>
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

namespace starpath::apps {
namespace {

constexpr int kBandHeight = 128;  // rows of the overview that are read at once

FieldNuclei summary_of(const std::vector<io::NucleusRecord>& nuclei, const Rect& field) {
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

namespace {

/// More level-0 pixels than this are not read for a picture.
constexpr double kMostRead = 64e6;
/// Places that are looked at instead, and how many level-0 pixels a side.
constexpr double kMostPatches = 1024;
constexpr int kPatch = 32;

/// Level-0 pixels, or those of the finest level that is coarse enough, that a picture of this reduction takes.
double pixels_read(const io::Slide& slide, const io::WorkingSlide& grid, const Rect& region, double reduction) {
  double downsample = 1;
  for (const io::SlideLevel& level : slide.info().levels)
    if (level.downsample <= grid.scale() * reduction) downsample = std::max(downsample, level.downsample);
  const double ratio = grid.scale() / downsample;
  return static_cast<double>(region.width) * static_cast<double>(region.height) * ratio * ratio;
}

Rgb mean_of(RgbView patch) {
  std::array<std::int64_t, 3> sum{};
  for (int y = 0; y < patch.height; ++y)
    for (int x = 0; x < patch.width; ++x) {
      const Rgb p = patch.at(x, y);
      sum[0] += p.r, sum[1] += p.g, sum[2] += p.b;
    }
  const auto mean = [&](std::int64_t s) { return static_cast<std::uint8_t>(s / patch.pixels()); };
  return {mean(sum[0]), mean(sum[1]), mean(sum[2])};
}

Overview sample_overview(const io::Slide& slide, const io::WorkingSlide& grid, const Rect& region) {
  Overview overview;
  overview.region = region;
  const double area = static_cast<double>(region.width) * static_cast<double>(region.height);
  overview.reduction = std::max(static_cast<double>(kPreviewField), std::sqrt(area / kMostPatches));
  const auto cells = [&](std::int64_t pixels) {
    return std::max(1, static_cast<int>(std::ceil(static_cast<double>(pixels) / overview.reduction)));
  };
  overview.width = cells(region.width);
  overview.height = cells(region.height);
  std::vector<Rgb> patch(static_cast<std::size_t>(kPatch) * kPatch);
  for (int j = 0; j < overview.height; ++j)
    for (int i = 0; i < overview.width; ++i) {
      const auto middle = [&](std::int64_t origin, std::int64_t size, int cell) {
        const double begin = cell * overview.reduction;
        const double end = std::min(begin + overview.reduction, static_cast<double>(size));
        return std::llround((static_cast<double>(origin) + (begin + end) / 2) * grid.scale()) - kPatch / 2;
      };
      slide.read(0, middle(region.x, region.width, i), middle(region.y, region.height, j),
                 {patch.data(), kPatch, kPatch, kPatch});
      overview.pixels.push_back(mean_of({patch.data(), kPatch, kPatch, kPatch}));
    }
  return overview;
}

}  // namespace

Overview read_overview(const io::Slide& slide, const io::WorkingSlide& grid, const Rect& region, int side) {
  Overview overview;
  overview.region = region;
  const auto longer = static_cast<double>(std::max(region.width, region.height));
  overview.reduction = std::clamp(longer / side, 1.0, std::max(1.0, io::kMostScale / grid.scale()));
  if (pixels_read(slide, grid, region, overview.reduction) > kMostRead) return sample_overview(slide, grid, region);
  const auto reduced = [&](std::int64_t pixels) {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(pixels) / overview.reduction));
  };
  overview.width = static_cast<int>(reduced(region.width));
  overview.height = static_cast<int>(reduced(region.height));
  overview.pixels.resize(static_cast<std::size_t>(overview.width) * overview.height);
  // In units of level-0 pixels, so that it works without a known resolution.
  const io::WorkingSlide coarse(slide, grid.scale() * overview.reduction, 1.0);
  const std::int64_t left = std::llround(static_cast<double>(region.x) / overview.reduction);
  const std::int64_t top = std::llround(static_cast<double>(region.y) / overview.reduction);
  for (int y = 0; y < overview.height; y += kBandHeight)
    coarse.read(left, top + y,
                {overview.view().row(y), overview.width, std::min(kBandHeight, overview.height - y), overview.width});
  return overview;
}

std::vector<PreviewField> read_fields(const io::WorkingSlide& grid, const std::vector<Rect>& rects) {
  std::vector<PreviewField> fields;
  for (const Rect& rect : rects) {
    PreviewField field{rect, std::vector<Rgb>(static_cast<std::size_t>(rect.width * rect.height)), {}};
    const int width = static_cast<int>(rect.width);
    grid.read(rect.x, rect.y, {field.pixels.data(), width, static_cast<int>(rect.height), width});
    fields.push_back(std::move(field));
  }
  return fields;
}

Histogram darkest_of(const std::vector<PreviewField>& fields) {
  Histogram darkest{};
  for (const PreviewField& field : fields)
    for (const Rgb p : field.pixels) ++darkest[static_cast<std::size_t>(std::min({p.r, p.g, p.b}))];
  return darkest;
}

Histogram differences_of(const io::WorkingSlide& grid, const std::vector<PreviewField>& fields,
                         const SegmentationOptions& options) {
  const PixelParameters pixels = pixel_parameters(options.parameters, options.levels, options.target_mpp);
  const int glass = options.parameters.background_level.value_or(options.levels.background);
  Histogram differences{};
  for (const PreviewField& field : fields) {
    const std::int64_t halo = options.tiling.halo;
    const Rect region = intersection(
        {field.rect.x - halo, field.rect.y - halo, field.rect.width + 2 * halo, field.rect.height + 2 * halo},
        {0, 0, grid.width(), grid.height()});
    std::vector<Rgb> around(static_cast<std::size_t>(region.width * region.height));
    const View<Rgb> view{around.data(), static_cast<int>(region.width), static_cast<int>(region.height), region.width};
    grid.read(region.x, region.y, view);
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

/// One field under one variant, after another, until all are taken. Several threads work on one of these: the stages of
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

void segment_fields(const io::Slide& slide, const io::WorkingSlide& grid, const SegmentationOptions& options,
                    const std::vector<Variant>& variants, std::vector<PreviewField>& fields, const OnField& on_field,
                    const std::atomic<bool>& stop) {
  for (PreviewField& field : fields) field.variants.resize(variants.size());
  const auto segment = [&](const PreviewField& field, std::size_t variant) -> FieldNuclei {
    SegmentationOptions one = options;
    one.parameters = variants[variant].parameters;
    one.tiling.roi = field.rect;
    try {
      check_parameters(one.parameters, levels_beside(one.parameters, one.levels));
    } catch (const Error& error) {
      FieldNuclei refused;
      refused.refused = error.what();
      return refused;
    }
    return summary_of(nuclei_of_region(slide, grid, one, stop), field.rect);
  };
  FieldWork work(variants.size(), fields, on_field);
  std::vector<std::jthread> threads;
  const std::size_t most = std::min(std::size_t{starpu_worker_get_count()} + 1, fields.size() * variants.size());
  for (std::size_t i = 0; i < most; ++i) threads.emplace_back([&] { work.take_turns(segment, stop); });
  threads.clear();
  work.rethrow();
}

}  // namespace starpath::apps
