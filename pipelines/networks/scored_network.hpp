// From the pixels of a region to the scores of its pixels, or to candidates for polygons: fields, the numbers that a
// network takes, and what the numbers it gives stand for.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/pure/rect.hpp"
#include "codelets/kernels/distance_scores.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/star_candidates.hpp"
#include "pipelines/networks/network_instance.hpp"

namespace starpath {

/// Numbers of an output whose shape was checked.
struct FieldOutput {
  std::vector<int> sides;               // as the network gives them
  int channels, side;                   // side: of its rows, and of its columns
  std::ptrdiff_t to_channel, to_pixel;  // from one channel to the next, from one column to the next
  const float* values;

  /// The first channel of a pixel.
  const float* at(std::int64_t row, std::int64_t column) const { return values + (row * side + column) * to_pixel; }
};

/// Fields lie on a grid that begins at the slide's first pixel and does not depend on tiles: the used part of field
/// (i, j) begins at pixel (i, j) * description.step(). So a pixel has one score, which depends on the slide alone, also
/// where the margin is smaller than what the network sees. Pixels beyond the slide are white. For one thread at a time.
class ScoredNetwork {
 public:
  /// Throws as make_network_instance() does.
  explicit ScoredNetwork(const OnnxNetwork& network);
  ScoredNetwork(const NetworkDescription& description, std::unique_ptr<NetworkInstance> instance);

  /// Overwrites the scores that a pixel belongs to a nucleus, and to the core of one: of the kind probability as
  /// kernels/detector.hpp, detect, has them, and of hover by distance_scores(). `region`: where the pixels are on a
  /// slide of width x height pixels. A field is left out, with scores of 0, if the region lacks a part of it that lies
  /// on the slide. Throws std::bad_alloc, or std::runtime_error of one line: the engine cannot compute, an output has
  /// another shape than is described, or holds what is no number or no probability.
  void score(RgbView rgb, const Rect& region, std::int64_t width, std::int64_t height, View<std::uint8_t> nucleus,
             View<std::uint8_t> core);

  /// Of the kind stardist: the points of the region whose probability is above the threshold, without those that have a
  /// ray of more than `longest` pixels. Distances below 0 count as 0. Fields are left out as by score(), and what it
  /// throws is the same.
  StarCandidates candidates(RgbView rgb, const Rect& region, std::int64_t width, std::int64_t height,
                            double longest = kMostStarRay);

  const NetworkDescription& description() const { return description_; }

  /// The network's outputs for one field, checked for their shapes alone. The channels of an output lie before its rows
  /// and columns, or behind them as TensorFlow has them: where these are equally many and the channels are not, that
  /// tells; otherwise they lie as those of the input. Valid until the next call. Throws as score().
  std::array<FieldOutput, 2> outputs_of(RgbView field);

  /// Memory that it holds.
  std::int64_t bytes() const;

 private:
  /// What a network gave for a field of a region. Only the part `used` of the field counts.
  struct Given {
    Rect field, used, region;
    std::array<FieldOutput, 2> outputs;
  };
  /// Calls take(given) for each field that the region has the whole of.
  template <class Take>
  void for_each_field(RgbView rgb, const Rect& region, std::int64_t width, std::int64_t height, const Take& take);
  Given given_of(RgbView rgb, const Rect& region, std::int64_t x, std::int64_t y);
  void write_scores(std::size_t output, const NetworkMap& map, const Given& given, View<std::uint8_t> scores) const;
  void write_maps(const Given& given, View<Rgb> maps) const;
  void add_candidates(const Given& given, double longest, StarCandidates& candidates) const;

  const NetworkDescription description_;
  const std::unique_ptr<NetworkInstance> instance_;
  std::array<std::array<float, 256>, 3> values_;  // of a byte, by the network's channel
  std::vector<Rgb> pixels_;                       // of a field
  std::vector<float> input_;
};

/// How far fields reach around a pixel that they give a score, pixels: a region that reaches so far around a part of
/// the slide has every score of the part.
constexpr std::int64_t reach_of_fields(const NetworkDescription& description) {
  const int filter = description.kind == NetworkKind::hover ? kDistanceReach : 0;
  return description.margin + description.step() - 1 + filter;
}

}  // namespace starpath
