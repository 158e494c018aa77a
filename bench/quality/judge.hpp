// The segmentation of one image beside its truth, at one working resolution.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "bench/quality/baseline.hpp"
#include "bench/quality/labelled_images.hpp"
#include "bench/quality/scores.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/segmentation/parameters.hpp"

namespace starpath::quality {

/// The resolution at which images are taken: as they say (both 0), all as `mpp`, or each as that which gives its median
/// labelled nucleus `area` pixels on the grid of 0.5 um.
struct Resolution {
  double mpp = 0, area = 0;
};

/// What is to be judged: an image with the truth at its own resolution.
struct Subject {
  std::string name;
  std::unique_ptr<io::Slide> slide;
  LabelImage truth;
  std::optional<LabelImage> vague = std::nullopt;  // regions that are not judged, where there are any
};
Subject open_subject(const LabelledImage& image);
/// A synthetic slide, by its specification. Throws Error{usage} for a malformed one.
Subject open_synthetic(const std::string& specification);

/// A subject on the working grid.
struct Case {
  support::Image<Rgb> rgb;
  LabelImage truth, ours;
  std::optional<LabelImage> baseline, vague;
};

/// The pixels and the truth, without segmentations.
Case prepare(const Subject& subject, Resolution resolution);

/// As prepare, and segmented as `starpath segment` does. StarPU must be running.
Case segment(const Subject& subject, Resolution resolution, const SegmentationParameters& parameters);

/// NucEval's corrections (corrections.hpp).
struct Corrections {
  bool vague = false;  // leave vague regions out
  int rim = 0;         // leave so many pixels on both sides of each true border out
};

/// Takes out of truth and segmentations what is not to be judged.
void correct(Case& one, const Corrections& corrections);

}  // namespace starpath::quality
