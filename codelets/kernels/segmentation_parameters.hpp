// The parameters of the segmentation's operations, in the units of the working grid.
#pragma once
#include <limits>

namespace starpath {

/// An upper limit that lets every area pass.
inline constexpr int kAnyArea = std::numeric_limits<int>::max();

/// Unit of shares of a cell.
inline constexpr int kGlassUnit = 10'000;

/// Numbers as the kernels take them: lengths in pixels, areas in pixels with intervals [min, max), levels in 0..255.
/// One run has one of these, for all its tiles.
struct PixelParameters {
  int background_level;      // operation 0
  int glass_share;           // in 1/kGlassUnit: a cell with so much glass is left out
  int red_high, red_low;     // operation 2, in 1/kRatioUnit
  int haematoxylin_level;    // operation 2, a density; 0: no limit
  int opening_reach;         // operation 3
  int reconstruction_steps;  // operation 4
  int seed_level;            // operation 5
  int seed_min_area;         // operation 6
  int seed_max_area;
  int nucleus_level;  // operation 7
  int local_reach;
  int local_weight;  // in 1/kWeightUnit
  int hole_max_area;
  int clump_min_area;  // operation 8
  int grow_steps;
  int smooth_steps;
  int split_depth;       // in 1/kDepthUnit pixel
  int nucleus_min_area;  // operation 10
  int nucleus_max_area;
  // Of the learned detector: its channels (DetectorChannels). Without it 0.
  int channels_0 = 0, channels_1 = 0, channels_2 = 0, channels_3 = 0;
  int fields_reach = 0;  // of a network in an ONNX file: how far its fields reach around a pixel. Without one 0.
  // Of both: the scores of pixels of nuclei and of their insides. Without either 0.
  int nucleus_score = 0, core_score = 0;

  friend bool operator==(const PixelParameters&, const PixelParameters&) = default;
};

/// The parameters of the papers' experiments, for 0.5 um/px.
inline constexpr PixelParameters kPaperPixels{
    .background_level = 220,
    .glass_share = 9000,
    .red_high = 80,
    .red_low = 64,
    .haematoxylin_level = 0,
    .opening_reach = 9,
    .reconstruction_steps = 192,
    .seed_level = 80,
    .seed_min_area = 11,
    .seed_max_area = 1000,
    .nucleus_level = 45,
    .local_reach = 0,
    .local_weight = 0,
    .hole_max_area = kAnyArea,
    .clump_min_area = 30,
    .grow_steps = 1,
    .smooth_steps = 0,
    .split_depth = 256,
    .nucleus_min_area = 21,
    .nucleus_max_area = 1000,
};

}  // namespace starpath
