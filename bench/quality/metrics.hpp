// How well a segmentation agrees with the truth, in the measures that nuclei data sets are published with.
#pragma once
#include <cstdint>

#include "codelets/kernels/image.hpp"

namespace starpath {

/// All in 0..1, 1 for equal images; an image without objects agrees fully with another one only.
struct SegmentationQuality {
  double dice;  // of all object pixels together: 2 |T and P| / (|T| + |P|)
  double aji;   // aggregated Jaccard index (Kumar et al. 2017)
  double f1;    // of objects: a pair is a match when its intersection over union is above 0.5
  double pq;  // panoptic quality (Kirillov et al. 2019): the matches' intersections over unions, summed, over the mean
              // number of objects of both images, which is TP + FP / 2 + FN / 2
  std::int32_t truth_objects, predicted_objects, matches;
};

/// Compares two label images of one size: 0 is background, the pixels of a positive label are one object; labels need
/// not be consecutive. Throws std::invalid_argument on different sizes and on a negative label. Thread-safe.
///
/// AJI: every true object takes the predicted object with the highest intersection over union (of equals the lowest
/// label). A predicted object may be taken more than once. The sum of these intersections is divided by the area of
/// these unions, of the true objects that nothing overlaps, and of the predicted objects that no true object took.
SegmentationQuality compare_labels(View<const std::int32_t> truth, View<const std::int32_t> predicted);

}  // namespace starpath
