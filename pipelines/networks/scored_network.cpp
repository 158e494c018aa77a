// Fields of a region, one after the other.
#include "pipelines/networks/scored_network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
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
  std::ptrdiff_t to_channel;
  int channels;

  float operator[](int channel) const { return first[channel * to_channel]; }
};

/// That of the channels together.
double probability_of(const PixelValues& values, const std::vector<int>& channels, Activation activation) {
  double sum = 0;
  switch (activation) {
    case Activation::none:
      for (const int channel : channels) sum += static_cast<double>(values[channel]);
      return sum;
    case Activation::sigmoid:
      for (const int channel : channels) sum += 1 / (1 + std::exp(-static_cast<double>(values[channel])));
      return sum;
    case Activation::softmax:
      break;
  }
  float most = values[0];
  for (int channel = 1; channel < values.channels; ++channel) most = std::max(most, values[channel]);
  double all = 0;
  for (int channel = 0; channel < values.channels; ++channel)
    all += std::exp(static_cast<double>(values[channel]) - static_cast<double>(most));
  for (const int channel : channels) sum += std::exp(static_cast<double>(values[channel]) - static_cast<double>(most));
  return sum / all;
}

double logit_of_channels(const PixelValues& values, const std::vector<int>& channels, Activation activation) {
  if (activation == Activation::sigmoid && channels.size() == 1) return static_cast<double>(values[channels[0]]);
  return logit_of(probability_of(values, channels, activation));
}

/// What is wrong with a number of probabilities that come from `activation`, or of distances; empty for nothing.
std::string flaw_of(float value, std::optional<Activation> activation) {
  if (!std::isfinite(value)) return fmt::format("holds {}, which is no number", std::isnan(value) ? "nan" : "infinity");
  if (activation == Activation::none && !(value >= -kRounding && value <= 1 + kRounding))
    return fmt::format(
        "holds {}, which is no probability; if it is a logit, describe activation = \"sigmoid\" or "
        "\"softmax\"",
        value);
  return "";
}

/// Throws for a number with a flaw at pixel (x, y).
void check_number(const NetworkMap& map, const PixelValues& values, int channel, std::optional<Activation> activation,
                  std::int64_t x, std::int64_t y) {
  if (const std::string flaw = flaw_of(values[channel], activation); !flaw.empty())
    throw std::runtime_error(
        fmt::format("its output '{}' {} (channel {}, pixel x={} y={})", map.output, flaw, channel, x, y));
}

/// The channels that are probabilities; of the kind probability, and where softmax takes them, all.
void check_probabilities(const NetworkMap& map, const PixelValues& values, const NetworkDescription& description,
                         std::int64_t x, std::int64_t y) {
  const Activation activation = description.activation;
  if (description.kind == NetworkKind::probability || activation == Activation::softmax) {
    for (int channel = 0; channel < values.channels; ++channel) check_number(map, values, channel, activation, x, y);
    return;
  }
  for (const int channel : map.channels) check_number(map, values, channel, activation, x, y);
}

void check_distances(const NetworkMap& map, const PixelValues& values, std::int64_t x, std::int64_t y) {
  for (const int channel : map.channels) check_number(map, values, channel, {}, x, y);
}

FieldOutput checked(const NetworkOutput& output, const NetworkMap& map, const NetworkDescription& description) {
  const std::vector<int>& sides = output.sides;
  const int needed = 1 + *std::ranges::max_element(map.channels), grid = description.grid,
            field = description.field / grid, margin = description.margin / grid;
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error(
        fmt::format("its output '{}' is of {} numbers: {}", map.output, fmt::join(sides, "x"), why));
  };
  if (sides.size() != 4 || sides[0] != 1)
    refuse(fmt::format("1 x channels x rows x columns are needed, as 1x{}x{}x{}", needed, field, field));
  const bool may_be_first = sides[2] == sides[3], may_be_last = sides[1] == sides[2];
  const bool is_last = may_be_last && (!may_be_first || description.channels_last);
  const int channels = sides[is_last ? 3 : 1], side = sides[2], lost = field - side;
  if (!may_be_first && !may_be_last)
    refuse(fmt::format("it has not as many rows as columns, which a field of {} px has", description.field));
  if (channels < needed) refuse(fmt::format("there is no channel {}, as described", needed - 1));
  if (lost < 0 || lost % 2 != 0 || lost / 2 > margin)
    refuse(
        fmt::format("for a field of {} px with a margin of {} px{} it must have {} to {} rows and columns, an even "
                    "number less than {}",
                    description.field, description.margin, grid > 1 ? fmt::format(" and a grid of {}", grid) : "",
                    description.step() / grid, field, grid > 1 ? "the most" : "the field"));
  return {sides, channels, side, is_last ? 1 : std::ptrdiff_t{side} * side, is_last ? channels : 1, output.values};
}

/// Calls take(i, j, values) for the points of the used part: point (i, j) is at pixel (grid * i, grid * j).
template <class Given, class Take>
void for_each_point(const NetworkDescription& description, const Given& given, std::size_t output, const Take& take) {
  const FieldOutput& numbers = given.outputs[output];
  const std::int64_t grid = description.grid, before = (description.field / grid - numbers.side) / 2;
  const auto first = [grid](std::int64_t pixel) { return (pixel + grid - 1) / grid; };
  for (std::int64_t j = first(given.used.y); j * grid < given.used.bottom(); ++j)
    for (std::int64_t i = first(given.used.x); i * grid < given.used.right(); ++i) {
      const std::int64_t row = j - given.field.y / grid - before, column = i - given.field.x / grid - before;
      take(i, j, PixelValues{numbers.at(row, column), numbers.to_channel, numbers.channels});
    }
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

std::array<FieldOutput, 2> ScoredNetwork::outputs_of(RgbView field) {
  const int side = description_.field;
  const bool last = description_.channels_last;
  const std::ptrdiff_t to_pixel = last ? 3 : 1, to_channel = last ? 1 : std::ptrdiff_t{side} * side;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const Rgb pixel = field.at(x, y);
      const std::array<std::uint8_t, 3> bytes =
          description_.blue_first ? std::array{pixel.b, pixel.g, pixel.r} : std::array{pixel.r, pixel.g, pixel.b};
      float* to = input_.data() + (std::ptrdiff_t{y} * side + x) * to_pixel;
      for (std::size_t channel = 0; channel < 3; ++channel, to += to_channel) *to = values_[channel][bytes[channel]];
    }
  const std::array<NetworkOutput, 2> outputs = instance_->run(input_);
  return {checked(outputs[0], description_.nucleus, description_),
          checked(outputs[1], description_.second, description_)};
}

ScoredNetwork::Given ScoredNetwork::given_of(RgbView rgb, const Rect& region, std::int64_t x, std::int64_t y) {
  const std::int64_t step = description_.step(), side = description_.field;
  const Rect field{x - description_.margin, y - description_.margin, side, side};
  const Rect there = intersection(field, region);
  std::ranges::fill(pixels_, Rgb{255, 255, 255});
  for (std::int64_t row = there.y; row < there.bottom(); ++row)
    std::copy_n(&rgb.at(static_cast<int>(there.x - region.x), static_cast<int>(row - region.y)), there.width,
                pixels_.begin() + (row - field.y) * side + there.x - field.x);
  const int width = description_.field;
  return {field, intersection({x, y, step, step}, region), region, outputs_of({pixels_.data(), width, width, width})};
}

template <class Take>
void ScoredNetwork::for_each_field(RgbView rgb, const Rect& region, std::int64_t width, std::int64_t height,
                                   const Take& take) {
  const std::int64_t step = description_.step(), margin = description_.margin, side = description_.field;
  // Whether what the slide has of [begin, begin + side) lies in [first, last).
  const auto is_whole = [&](std::int64_t begin, std::int64_t first, std::int64_t last, std::int64_t slide) {
    return std::max<std::int64_t>(begin, 0) >= first && std::min(begin + side, slide) <= last;
  };
  for (std::int64_t y = region.y / step * step; y < region.bottom(); y += step) {
    if (!is_whole(y - margin, region.y, region.bottom(), height)) continue;
    for (std::int64_t x = region.x / step * step; x < region.right(); x += step)
      if (is_whole(x - margin, region.x, region.right(), width)) take(given_of(rgb, region, x, y));
  }
}

void ScoredNetwork::write_scores(std::size_t output, const NetworkMap& map, const Given& given,
                                 View<std::uint8_t> scores) const {
  for_each_point(description_, given, output, [&](std::int64_t x, std::int64_t y, const PixelValues& values) {
    check_probabilities(map, values, description_, x, y);
    scores.at(static_cast<int>(x - given.region.x), static_cast<int>(y - given.region.y)) =
        score_of_logit(logit_of_channels(values, map.channels, description_.activation));
  });
}

void ScoredNetwork::write_maps(const Given& given, View<Rgb> maps) const {
  const auto byte = [](double value) { return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0))); };
  const auto pixel = [&](std::int64_t x, std::int64_t y) -> Rgb& {
    return maps.at(static_cast<int>(x - given.region.x), static_cast<int>(y - given.region.y));
  };
  const NetworkMap &nucleus = description_.nucleus, &distances = description_.second;
  for_each_point(description_, given, 0, [&](std::int64_t x, std::int64_t y, const PixelValues& values) {
    check_probabilities(nucleus, values, description_, x, y);
    pixel(x, y).r = byte(255 * probability_of(values, nucleus.channels, description_.activation));
  });
  for_each_point(description_, given, 1, [&](std::int64_t x, std::int64_t y, const PixelValues& values) {
    check_distances(distances, values, x, y);
    const auto level = [&](std::size_t which) {
      return byte(127 * std::clamp(static_cast<double>(values[distances.channels[which]]), -1.0, 1.0) + 128);
    };
    pixel(x, y).g = level(0);
    pixel(x, y).b = level(1);
  });
}

void ScoredNetwork::score(RgbView rgb, const Rect& region, std::int64_t width, std::int64_t height,
                          View<std::uint8_t> nucleus, View<std::uint8_t> core) {
  if (description_.kind == NetworkKind::hover) {
    constexpr Rgb nothing{0, 128, 128};
    std::vector<Rgb> held(static_cast<std::size_t>(rgb.pixels()), nothing);
    const View<Rgb> maps{held.data(), rgb.width, rgb.height, rgb.width};
    for_each_field(rgb, region, width, height, [&](const Given& given) { write_maps(given, maps); });
    Scratch scratch;
    cpu::distance_scores(KernelContext{scratch}, maps, nucleus, core);
    return;
  }
  for (int y = 0; y < rgb.height; ++y) {
    std::fill_n(nucleus.row(y), rgb.width, std::uint8_t{0});
    std::fill_n(core.row(y), rgb.width, std::uint8_t{0});
  }
  for_each_field(rgb, region, width, height, [&](const Given& given) {
    write_scores(0, description_.nucleus, given, nucleus);
    write_scores(1, description_.second, given, core);
  });
}

void ScoredNetwork::add_candidates(const Given& given, double longest, StarCandidates& candidates) const {
  const NetworkMap &nucleus = description_.nucleus, &distances = description_.second;
  struct Place {
    std::int64_t i, j;
    double probability;
  };
  std::vector<Place> sure;
  for_each_point(description_, given, 0, [&](std::int64_t i, std::int64_t j, const PixelValues& values) {
    check_probabilities(nucleus, values, description_, i * description_.grid, j * description_.grid);
    const double probability = probability_of(values, nucleus.channels, description_.activation);
    if (probability > nucleus.threshold) sure.push_back({i, j, probability});
  });
  auto next = sure.begin();
  for_each_point(description_, given, 1, [&](std::int64_t i, std::int64_t j, const PixelValues& values) {
    if (next == sure.end() || next->i != i || next->j != j) return;
    check_distances(distances, values, i * description_.grid, j * description_.grid);
    const double probability = next++->probability;
    for (const int ray : distances.channels)
      if (static_cast<double>(values[ray]) > longest) return;
    candidates.add_point(i, j, probability);
    for (const int ray : distances.channels) candidates.add_ray(std::max(0.0, static_cast<double>(values[ray])));
  });
}

StarCandidates ScoredNetwork::candidates(RgbView rgb, const Rect& region, std::int64_t width, std::int64_t height,
                                         double longest) {
  StarCandidates found(static_cast<int>(description_.second.channels.size()), {description_.grid, 1});
  for_each_field(rgb, region, width, height, [&](const Given& given) { add_candidates(given, longest, found); });
  return found;
}

}  // namespace starpath
