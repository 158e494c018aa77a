// From the pixels of a region to the scores of its pixels: fields, the numbers that a network takes, and what the
// numbers it gives stand for.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/pure/rect.hpp"
#include "codelets/kernels/image.hpp"
#include "pipelines/networks/network_instance.hpp"

namespace starpath {

/// Fields lie on a grid that begins at the slide's first pixel and does not depend on tiles: the used part of field
/// (i, j) begins at pixel (i, j) * description.step(). So a pixel has one score, which depends on the slide alone, also
/// where the margin is smaller than what the network sees. Pixels beyond the slide are white. For one thread at a time.
class ScoredNetwork {
 public:
  /// Throws as make_network_instance() does.
  explicit ScoredNetwork(const OnnxNetwork& network);
  ScoredNetwork(const NetworkDescription& description, std::unique_ptr<NetworkInstance> instance);

  /// Overwrites the scores (kernels/detector.hpp, detect) that a pixel belongs to a nucleus, and to the core of one.
  /// `region`: where the pixels are on a slide of width x height pixels. A field is left out, with scores
  /// of 0, if the region lacks a part of it that lies on the slide. Throws std::bad_alloc, or std::runtime_error of one
  /// line: OpenCV cannot compute, an output has another shape than is described, or holds what is no number or no
  /// probability.
  void score(RgbView rgb, const Rect& region, std::int64_t width, std::int64_t height, View<std::uint8_t> nucleus,
             View<std::uint8_t> core);

  /// The network's outputs for one field, checked for their shapes alone. Valid until the next call. Throws as score().
  std::array<NetworkOutput, 2> outputs_of(RgbView field);

  /// Memory that it holds.
  std::int64_t bytes() const;

 private:
  /// The part of the region that is used of the field whose used part begins at (x, y).
  void score_field(RgbView rgb, const Rect& region, std::int64_t x, std::int64_t y,
                   const std::array<View<std::uint8_t>, 2>& scores);
  void write_scores(const NetworkMap& map, const NetworkOutput& output, const Rect& used, const Rect& field,
                    const Rect& region, View<std::uint8_t> scores) const;

  const NetworkDescription description_;
  const std::unique_ptr<NetworkInstance> instance_;
  std::array<std::array<float, 256>, 3> values_;  // of a byte, by the network's channel
  std::vector<Rgb> pixels_;                       // of a field
  std::vector<float> input_;
};

/// How far fields reach around a pixel that they give a score, pixels: a region that reaches so far around a part of
/// the slide has every score of the part.
constexpr std::int64_t reach_of_fields(const NetworkDescription& description) {
  return description.margin + description.step() - 1;
}

}  // namespace starpath
