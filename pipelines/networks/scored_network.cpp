// Fields of a region, one after the other.
#include "pipelines/networks/scored_network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace starpath {
namespace {

/// What a probability may differ from 0..1 by: networks round.
constexpr float kRounding = 1e-3f;

std::uint8_t score_of_logit(double logit) {
  return static_cast<std::uint8_t>(std::clamp(std::floor(128.5 + 16 * logit), 0.0, 255.0));
}

/// Logits of 0 and 1 are beyond all scores.
double logit_of(double probability) {
  constexpr double least = 1e-9;
  const double p = std::clamp(probability, least, 1 - least);
  return std::log(p) - std::log1p(-p);
}

/// The numbers of one pixel of an output.
struct PixelValues {
  const float* first;
  std::ptrdiff_t plane;
  int channels;

  float operator[](int channel) const { return first[channel * plane]; }
};

double logit_of_channels(const PixelValues& values, const std::vector<int>& channels, Activation activation) {
  double sum = 0;
  switch (activation) {
    case Activation::none:
      for (const int channel : channels) sum += static_cast<double>(values[channel]);
      return logit_of(sum);
    case Activation::sigmoid:
      if (channels.size() == 1) return static_cast<double>(values[channels[0]]);
      for (const int channel : channels) sum += 1 / (1 + std::exp(-static_cast<double>(values[channel])));
      return logit_of(sum);
    case Activation::softmax:
      break;
  }
  float most = values[0];
  for (int channel = 1; channel < values.channels; ++channel) most = std::max(most, values[channel]);
  double all = 0;
  for (int channel = 0; channel < values.channels; ++channel)
    all += std::exp(static_cast<double>(values[channel]) - static_cast<double>(most));
  for (const int channel : channels) sum += std::exp(static_cast<double>(values[channel]) - static_cast<double>(most));
  return logit_of(sum / all);
}

/// What is wrong with a number where probabilities come from `activation`; empty for nothing.
std::string flaw_of(float value, Activation activation) {
  if (!std::isfinite(value)) return fmt::format("holds {}, which is no number", std::isnan(value) ? "nan" : "infinity");
  if (activation == Activation::none && !(value >= -kRounding && value <= 1 + kRounding))
    return fmt::format(
        "holds {}, which is no probability; if it is a logit, describe activation = \"sigmoid\" or "
        "\"softmax\"",
        value);
  return "";
}

void check_shape(const NetworkOutput& output, const NetworkMap& map, const NetworkDescription& description) {
  const std::vector<int>& sides = output.sides;
  const int needed = 1 + *std::ranges::max_element(map.channels), field = description.field;
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error(
        fmt::format("its output '{}' is of {} numbers: {}", map.output, fmt::join(sides, "x"), why));
  };
  if (sides.size() != 4 || sides[0] != 1)
    refuse(fmt::format("1 x channels x rows x columns are needed, as 1x{}x{}x{}", needed, field, field));
  if (sides[1] < needed) refuse(fmt::format("there is no channel {}, as described", needed - 1));
  if (sides[2] != sides[3] || sides[2] > field || (field - sides[2]) % 2 != 0 ||
      (field - sides[2]) / 2 > description.margin)
    refuse(
        fmt::format("for a field of {} px with a margin of {} px it must have {} to {} rows and columns, an even "
                    "number less than the field",
                    field, description.margin, description.step(), field));
}

}  // namespace

ScoredNetwork::ScoredNetwork(const OnnxNetwork& network)
    : ScoredNetwork(network.description, make_network_instance(network)) {}

ScoredNetwork::ScoredNetwork(const NetworkDescription& description, std::unique_ptr<NetworkInstance> instance)
    : description_(description), instance_(std::move(instance)), values_{} {
  for (std::size_t channel = 0; channel < 3; ++channel)
    for (std::size_t byte = 0; byte < 256; ++byte)
      values_[channel][byte] =
          static_cast<float>(static_cast<double>(byte) * description.factors[channel] + description.offsets[channel]);
  const auto field = static_cast<std::size_t>(description.field);
  pixels_.resize(field * field);
  input_.resize(3 * field * field);
}

std::int64_t ScoredNetwork::bytes() const {
  return instance_->bytes() + static_cast<std::int64_t>(pixels_.size() * sizeof(Rgb) + input_.size() * sizeof(float));
}

std::array<NetworkOutput, 2> ScoredNetwork::outputs_of(RgbView field) {
  const int side = description_.field;
  const std::ptrdiff_t plane = std::ptrdiff_t{side} * side;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const Rgb pixel = field.at(x, y);
      const std::array<std::uint8_t, 3> bytes =
          description_.blue_first ? std::array{pixel.b, pixel.g, pixel.r} : std::array{pixel.r, pixel.g, pixel.b};
      float* to = input_.data() + std::ptrdiff_t{y} * side + x;
      for (std::size_t channel = 0; channel < 3; ++channel, to += plane) *to = values_[channel][bytes[channel]];
    }
  const std::array<NetworkOutput, 2> outputs = instance_->run(input_);
  check_shape(outputs[0], description_.nucleus, description_);
  check_shape(outputs[1], description_.core, description_);
  return outputs;
}

void ScoredNetwork::write_scores(const NetworkMap& map, const NetworkOutput& output, const Rect& used,
                                 const Rect& field, const Rect& region, View<std::uint8_t> scores) const {
  const int channels = output.sides[1], side = output.sides[2], before = (description_.field - side) / 2;
  const std::ptrdiff_t plane = std::ptrdiff_t{side} * side;
  for (std::int64_t y = used.y; y < used.bottom(); ++y)
    for (std::int64_t x = used.x; x < used.right(); ++x) {
      const std::int64_t row = y - field.y - before, column = x - field.x - before;
      const PixelValues values{output.values + row * side + column, plane, channels};
      for (int channel = 0; channel < channels; ++channel)
        if (const std::string flaw = flaw_of(values[channel], description_.activation); !flaw.empty())
          throw std::runtime_error(
              fmt::format("its output '{}' {} (channel {}, pixel x={} y={})", map.output, flaw, channel, x, y));
      scores.at(static_cast<int>(x - region.x), static_cast<int>(y - region.y)) =
          score_of_logit(logit_of_channels(values, map.channels, description_.activation));
    }
}

void ScoredNetwork::score_field(RgbView rgb, const Rect& region, std::int64_t x, std::int64_t y,
                                const std::array<View<std::uint8_t>, 2>& scores) {
  const std::int64_t step = description_.step(), side = description_.field;
  const Rect field{x - description_.margin, y - description_.margin, side, side};
  const Rect there = intersection(field, region), used = intersection({x, y, step, step}, region);
  std::ranges::fill(pixels_, Rgb{255, 255, 255});
  for (std::int64_t row = there.y; row < there.bottom(); ++row)
    std::copy_n(&rgb.at(static_cast<int>(there.x - region.x), static_cast<int>(row - region.y)), there.width,
                pixels_.begin() + (row - field.y) * side + there.x - field.x);
  const int width = description_.field;
  const auto outputs = outputs_of({pixels_.data(), width, width, width});
  write_scores(description_.nucleus, outputs[0], used, field, region, scores[0]);
  write_scores(description_.core, outputs[1], used, field, region, scores[1]);
}

void ScoredNetwork::score(RgbView rgb, const Rect& region, std::int64_t width, std::int64_t height,
                          View<std::uint8_t> nucleus, View<std::uint8_t> core) {
  for (int y = 0; y < rgb.height; ++y) {
    std::fill_n(nucleus.row(y), rgb.width, std::uint8_t{0});
    std::fill_n(core.row(y), rgb.width, std::uint8_t{0});
  }
  const std::int64_t step = description_.step(), margin = description_.margin, side = description_.field;
  // Whether what the slide has of [begin, begin + side) lies in [first, last).
  const auto is_whole = [&](std::int64_t begin, std::int64_t first, std::int64_t last, std::int64_t slide) {
    return std::max<std::int64_t>(begin, 0) >= first && std::min(begin + side, slide) <= last;
  };
  for (std::int64_t y = region.y / step * step; y < region.bottom(); y += step) {
    if (!is_whole(y - margin, region.y, region.bottom(), height)) continue;
    for (std::int64_t x = region.x / step * step; x < region.right(); x += step)
      if (is_whole(x - margin, region.x, region.right(), width)) score_field(rgb, region, x, y, {nucleus, core});
  }
}

}  // namespace starpath
