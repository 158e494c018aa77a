// What a user says of nuclei and stains, in micrometres, and what it comes to on the working grid.
#pragma once
#include <memory>
#include <optional>

#include "codelets/kernels/segmentation_parameters.hpp"
#include "pipelines/networks/worker_networks.hpp"
#include "pipelines/segmentation/detection.hpp"
#include "pipelines/segmentation/learned_detector.hpp"

namespace starpath {

/// Levels that the stain and the scanner decide, 0..255.
struct StainLevels {
  int background;     // glass is brighter than this in every channel
  int seed, nucleus;  // G1 and G2, of the difference image
  int haematoxylin;   // a density that nuclei are above; 0: no limit

  friend bool operator==(const StainLevels&, const StainLevels&) = default;
};

/// The levels of the code of the papers' authors (nscale), for a slide that was not surveyed.
inline constexpr StainLevels kFixedLevels{220, 80, 45, 0};

/// An upper limit of this or more lets every area pass.
inline constexpr double kAnyAreaUm2 = 1e6;

/// A user's values. Lengths and areas are those of nuclei on the glass, whatever the resolution. Areas are intervals
/// [min, max). A level that is left out is taken from the slide. The values here are those of the levels that
/// bench/results/quality.md found; the preset "default", which users get, asks for the learned detector instead.
struct SegmentationParameters {
  std::optional<int> background_level;    // operation 0
  double glass_percent = 99.95;           // operation 0: a cell with so much glass is left out
  double red_high = 5, red_low = 4;       // operation 2, red to green
  std::optional<int> haematoxylin_level;  // operation 2: what holds less is no nucleus; 0: no limit
  double opening_um = 6;                  // operation 3: half the width of the octagon
  double reconstruction_um = 96;          // operation 4: how far values travel
  std::optional<int> seed_level;          // operation 5: G1
  double seed_min_um2 = 2.75;             // operation 6
  double seed_max_um2 = kAnyAreaUm2;
  std::optional<int> nucleus_level;  // operation 7: G2
  double local_um = 6;               // operation 7: half the width of the surroundings that raise it
  double local_weight = 0.8;         // operation 7: how much they do, 0..1
  double hole_max_um2 = 5;           // operation 7
  double clump_min_um2 = 7.5;        // operation 8
  double grow_um = 0;                // operation 8: how far objects are dilated
  double smooth_um = 0.5;            // operation 8: over how much distances are averaged
  double split_um = 0.25;            // operation 8: how deep a notch parts two nuclei
  double min_area_um2 = 7.5;         // operation 10
  double max_area_um2 = 250;
  double stain_check = 1;  // after operation 11: whether what holds more eosin than haematoxylin is left out, 0 or 1
  double normalise = 0;    // what sees the colours of a reference: nothing, features, or all (normalisation.hpp)
  double detector = 0;     // what finds the nuclei (detection.hpp)
  std::optional<int> nucleus_score, core_score;         // of a network; left out: its own
  std::shared_ptr<const LearnedDetector> weights = {};  // of the learned detector; none: those of the program
  std::shared_ptr<WorkerNetworks> network = {};         // of an ONNX file

  friend bool operator==(const SegmentationParameters&, const SegmentationParameters&) = default;
};

inline bool is_learned(const SegmentationParameters& parameters) {
  return detection_by(parameters.detector) == Detection::learned;
}
inline const LearnedDetector& weights_of(const SegmentationParameters& parameters) {
  return parameters.weights ? *parameters.weights : bundled_detector();
}

inline bool has_network(const SegmentationParameters& parameters) {
  return detection_by(parameters.detector) == Detection::network && parameters.network;
}

/// Whether that network gives polygons (NetworkKind::stardist).
inline bool has_stars(const SegmentationParameters& parameters) {
  return has_network(parameters) && parameters.network->network().description.kind == NetworkKind::stardist;
}

/// What finds the nuclei by these parameters.
inline Detection detection_of(const SegmentationParameters& parameters) {
  return has_stars(parameters) ? Detection::stars : detection_by(parameters.detector);
}

/// The scores from which on pixels belong to nuclei and to their insides: those that the user says, else those of the
/// network. Nothing without a network, or with one of polygons.
struct NetworkScores {
  int nucleus, core;
};
std::optional<NetworkScores> scores_of(const SegmentationParameters& parameters);

/// The slide's levels, moved so far that neither contradicts a level that the user has said: G2 is at most G1.
StainLevels levels_beside(const SegmentationParameters& parameters, const StainLevels& levels);

/// What the kernels get on a grid of `mpp` um a pixel: lengths and areas rounded to whole pixels and to what kernels
/// take, levels_beside() where the user has said none.
PixelParameters pixel_parameters(const SegmentationParameters& parameters, const StainLevels& levels, double mpp);

}  // namespace starpath
