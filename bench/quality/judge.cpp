// Segmentations by the pipeline itself.
#include "bench/quality/judge.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "bench/quality/corrections.hpp"
#include "io/outlines/contour.hpp"
#include "pipelines/segmentation/region_nuclei.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "pipelines/segmentation/survey_first.hpp"
#include "support/synthetic_labels.hpp"

namespace starpath::quality {
namespace {

/// Of the labelled nuclei, in pixels of the image; 0 without any.
double median_area(const LabelImage& labels) {
  std::map<std::int32_t, std::int64_t> pixels;
  for (int y = 0; y < labels.height(); ++y)
    for (int x = 0; x < labels.width(); ++x)
      if (labels.at(x, y) != 0) ++pixels[labels.at(x, y)];
  if (pixels.empty()) return 0;
  std::vector<std::int64_t> areas;
  for (const auto& [label, count] : pixels) areas.push_back(count);
  const auto middle = areas.begin() + static_cast<std::ptrdiff_t>(areas.size() / 2);
  std::nth_element(areas.begin(), middle, areas.end());
  return static_cast<double>(*middle);
}

double slide_mpp(const Subject& subject, Resolution resolution) {
  if (resolution.area <= 0) return resolution.mpp;
  const double median = median_area(subject.truth);
  return median == 0 ? io::kDesignMpp : io::kDesignMpp * std::sqrt(resolution.area / median);
}

Case on_working_grid(const Subject& subject, const io::WorkingSlide& grid) {
  const int width = static_cast<int>(grid.width()), height = static_cast<int>(grid.height());
  Case one{support::Image<Rgb>(width, height, 0), on_grid(subject.truth, width, height, grid.scale()),
           LabelImage(width, height, 0), std::nullopt, std::nullopt};
  if (subject.vague) one.vague = on_grid(*subject.vague, width, height, grid.scale());
  grid.read(0, 0, one.rgb.view());
  return one;
}

}  // namespace

Subject open_subject(const LabelledImage& image) {
  auto slide = io::open_slide(image.image.string());
  const auto& info = slide->info();
  const int width = static_cast<int>(info.width()), height = static_cast<int>(info.height());
  LabelImage truth = read_labels(image, width, height);
  std::optional<LabelImage> vague;
  if (!image.vague.empty()) vague = read_vague(image, width, height);
  return {image.name, std::move(slide), std::move(truth), std::move(vague)};
}

Subject open_synthetic(const std::string& specification) {
  auto slide = io::open_slide(specification);
  const auto spec = io::parse_synthetic(specification);
  LabelImage truth(static_cast<int>(spec.width), static_cast<int>(spec.height), 0);
  support::synthetic_labels(spec, 0, 0, truth.view());
  return {specification, std::move(slide), std::move(truth)};
}

Case prepare(const Subject& subject, Resolution resolution) {
  return on_working_grid(subject, {*subject.slide, io::kDesignMpp, slide_mpp(subject, resolution)});
}

Case segment(const Subject& subject, Resolution resolution, const SegmentationParameters& parameters) {
  SegmentationOptions options;
  options.parameters = parameters;
  options.tiling.halo = 0;  // what the detector needs
  options.tiling.halo = halo_of(options);
  options.resolution = io::stated_resolution(subject.slide->info(), slide_mpp(subject, resolution));
  const io::WorkingSlide grid(*subject.slide, options.target_mpp, options.resolution.mpp);
  Case one = on_working_grid(subject, grid);
  const std::atomic<bool> stop{false};
  survey_for(grid, options, stop);
  std::int32_t label = 0;
  for (const io::NucleusRecord& nucleus : nuclei_of_region(*subject.slide, grid, options, stop)) {
    ++label;
    for (const io::PixelRun& run : io::pixel_runs(nucleus.contour))
      for (int x = run.x0; x < run.x1; ++x) one.ours.at(x, run.y) = label;
  }
  return one;
}

void correct(Case& one, const Corrections& corrections) {
  std::vector<LabelImage*> images = {&one.truth, &one.ours};
  if (one.baseline) images.push_back(&*one.baseline);
  if (corrections.vague && one.vague)
    for (LabelImage* labels : images) leave_out_vague(*one.vague, *labels);
  if (corrections.rim == 0) return;
  const LabelImage rims = rims_of(one.truth, corrections.rim);
  for (LabelImage* labels : images) leave_out(rims, *labels);
}

}  // namespace starpath::quality
