// Reading, segmenting and counting of a few fields.
#include "apps/preview/preview.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "io/outlines/svg_path.hpp"
#include "pipelines/segmentation/parameter_table.hpp"
#include "pipelines/segmentation/region_nuclei.hpp"

namespace starpath::apps {
namespace {

constexpr double kMostScale = 64;  // level-0 pixels to a pixel that a WorkingSlide takes
constexpr int kBandHeight = 128;   // rows of the overview that are read at once

/// The one in the middle; of an even number the mean of two.
double median(std::vector<std::int32_t> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return (static_cast<double>(values[(values.size() - 1) / 2]) + values[values.size() / 2]) / 2;
}

FieldNuclei summary_of(const std::vector<io::NucleusRecord>& nuclei, const Rect& field, double mpp) {
  FieldNuclei summary;
  std::vector<std::int32_t> areas;
  for (const io::NucleusRecord& nucleus : nuclei) {
    areas.push_back(nucleus.area);
    io::append_svg_path(nucleus.contour, field.x, field.y, summary.outlines);
  }
  summary.count = static_cast<std::int64_t>(nuclei.size());
  summary.median_area = median(std::move(areas)) * mpp * mpp;
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
  overview.reduction = std::clamp(longer / side, 1.0, std::max(1.0, kMostScale / grid.scale()));
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

FieldHistograms histograms_of(const io::WorkingSlide& grid, const std::vector<PreviewField>& fields,
                              const SegmentationOptions& options) {
  const PixelParameters pixels = pixel_parameters(options.parameters, options.levels, options.target_mpp);
  const int glass = options.parameters.background_level.value_or(options.levels.background);
  FieldHistograms histograms;
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
        const int least = std::min({around[at].r, around[at].g, around[at].b});
        ++histograms.darkest[static_cast<std::size_t>(least)];
        if (least <= glass) ++histograms.difference[difference[at]];
      }
  }
  return histograms;
}

void segment_fields(const io::Slide& slide, const io::WorkingSlide& grid, const SegmentationOptions& options,
                    const std::vector<Variant>& variants, std::vector<PreviewField>& fields, const OnField& on_field,
                    const std::atomic<bool>& stop) {
  for (std::size_t f = 0; f < fields.size(); ++f) {
    fields[f].variants.resize(variants.size());
    for (std::size_t v = 0; v < variants.size() && !stop; ++v) {
      on_field(f, v);
      SegmentationOptions one = options;
      one.parameters = variants[v].parameters;
      one.tiling.roi = fields[f].rect;
      try {
        check_parameters(one.parameters, one.levels);
      } catch (const Error& error) {
        fields[f].variants[v].refused = error.what();
        continue;
      }
      fields[f].variants[v] = summary_of(nuclei_of_region(slide, grid, one, stop), fields[f].rect, options.target_mpp);
    }
  }
}

}  // namespace starpath::apps
