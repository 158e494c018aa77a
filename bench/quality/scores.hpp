// Scores of many images: as a table, as CSV.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/quality/metrics.hpp"

namespace starpath::quality {

/// One image.
struct Score {
  std::string name;
  SegmentationQuality ours;
  std::optional<SegmentationQuality> baseline;
};

/// All images at one setting.
struct Scores {
  std::string setting;  // "nuclei, median nucleus 80 px"
  std::vector<Score> images;
};

/// The indices of the `most` images with the lowest PQ, the worst first; of equals the earlier.
std::vector<std::size_t> worst_images(const Scores& scores, std::size_t most);

/// "data  images ..." and, for each segmenter, its mean with the interval that the mean lies in with 95 %
/// (bootstrap.hpp), its median and worst values, one line each; then the differences of the two segmenters. The worst
/// of a measure is that of one image, which the line names for PQ.
std::string table_header();
std::string table_of(const Scores& scores);

/// setting,image,segmenter,truth,found,matches,dice,aji,f1,pq; RFC 4180.
std::string csv_header();
std::string csv_of(const Scores& scores);

}  // namespace starpath::quality
