// Trials of a network.
#include "pipelines/networks/network_trial.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <utility>

#include "base/error.hpp"

namespace starpath {
namespace {

/// A square picture with its pixels.
struct Picture {
  int side;
  std::vector<Rgb> pixels;

  RgbView view() const { return {pixels.data(), side, side, side}; }
};

/// Squares with the darkness of nuclei, of tissue and of glass, and speckles in them. The same numbers each time.
Picture speckles(int side) {
  Picture picture{side, std::vector<Rgb>(static_cast<std::size_t>(side) * static_cast<std::size_t>(side))};
  std::uint32_t state = 1;
  const auto next = [&](int least) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes, section 7.1
    return static_cast<std::uint8_t>(least + static_cast<int>((state >> 16) % 32));
  };
  constexpr std::array<std::array<int, 3>, 3> least = {{{60, 40, 90}, {170, 110, 160}, {209, 209, 209}}};
  constexpr int square = 12;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const auto& [red, green, blue] = least[static_cast<std::size_t>((x / square + 2 * (y / square)) % 3)];
      picture.pixels[static_cast<std::size_t>(y * side + x)] = {next(red), next(green), next(blue)};
    }
  return picture;
}

/// Has `work` throw what it throws as Error{input} about the network.
template <class Work>
auto about(const OnnxNetwork& network, Work work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::input, network.file + ": needs more memory than there is");
  } catch (const std::exception& error) {
    throw Error(ErrorKind::input, network.file + ": " + error.what());
  }
}

void score_speckles(ScoredNetwork& scored, const NetworkDescription& description) {
  // As large as the used part of the slide's first field, and all of the slide.
  const Picture picture = speckles(description.step());
  const int side = picture.side;
  if (description.kind == NetworkKind::stardist) {
    scored.candidates(picture.view(), {0, 0, side, side}, side, side);
    return;
  }
  std::vector<std::uint8_t> nucleus(picture.pixels.size()), core(picture.pixels.size());
  scored.score(picture.view(), {0, 0, side, side}, side, side, {nucleus.data(), side, side, side},
               {core.data(), side, side, side});
}

/// What both outputs have for the middle of a field, `side` pixels wide.
std::vector<float> middle_of(const std::array<FieldOutput, 2>& outputs, int side,
                             const NetworkDescription& description) {
  const int grid = description.grid, begin = (description.field - side) / 2;
  const int first_point = (begin + grid - 1) / grid, points = (begin + side - 1) / grid - first_point + 1;
  std::vector<float> values;
  for (const FieldOutput& output : outputs) {
    const int first = first_point - (description.field / grid - output.side) / 2;
    for (int y = first; y < first + points; ++y)
      for (int x = first; x < first + points; ++x)
        for (int channel = 0; channel < output.channels; ++channel)
          values.push_back(output.at(y, x)[channel * output.to_channel]);
  }
  return values;
}

/// `picture`, with each pixel changed whose distance from the `middle` pixels in its middle is above `distance`.
Picture changed_beyond(Picture picture, int middle, int distance) {
  const int first = (picture.side - middle) / 2, last = first + middle - 1;
  const auto is_near = [&](int at) { return at >= first - distance && at <= last + distance; };
  for (int y = 0; y < picture.side; ++y)
    for (int x = 0; x < picture.side; ++x) {
      if (is_near(x) && is_near(y)) continue;
      Rgb& pixel = picture.pixels[static_cast<std::size_t>(y * picture.side + x)];
      pixel = {static_cast<std::uint8_t>(255 - pixel.r), static_cast<std::uint8_t>(255 - pixel.g),
               static_cast<std::uint8_t>(255 - pixel.b)};
    }
  return picture;
}

}  // namespace

void try_network(const OnnxNetwork& network) {
  about(network, [&] {
    ScoredNetwork scored(network);
    score_speckles(scored, network.description);
  });
}

NetworkReach measured_reach(ScoredNetwork& network, const NetworkDescription& description) {
  // In the middle there is each place that a pixel may have in pixels of a coarse level.
  const int middle = std::min({32, description.field / 4, description.step()});
  const Picture picture = speckles(description.field);
  const std::vector<float> whole = middle_of(network.outputs_of(picture.view()), middle, description);
  const auto changes = [&](int distance) {
    const Picture changed = changed_beyond(picture, middle, distance);
    return middle_of(network.outputs_of(changed.view()), middle, description) != whole;
  };
  int seen = -1, unseen = (description.field - middle) / 2;  // beyond `unseen` there is no pixel
  while (unseen - seen > 1) {
    const int distance = (seen + unseen) / 2;
    (changes(distance) ? seen : unseen) = distance;
  }
  return {unseen, unseen == (description.field - middle) / 2};
}

NetworkReport check_network(const OnnxNetwork& network) {
  return about(network, [&] {
    const NetworkDescription& description = network.description;
    ScoredNetwork scored(network);
    score_speckles(scored, description);
    NetworkReport report;
    const auto begin = std::chrono::steady_clock::now();
    const auto outputs = scored.outputs_of(speckles(description.field).view());
    report.field_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report.outputs.push_back(fmt::format("{}: {}", description.nucleus.output, fmt::join(outputs[0].sides, "x")));
    if (description.second.output != description.nucleus.output)
      report.outputs.push_back(fmt::format("{}: {}", description.second.output, fmt::join(outputs[1].sides, "x")));
    report.bytes = scored.bytes();
    report.reach = measured_reach(scored, description);
    if (report.reach.pixels > description.margin)
      throw Error(ErrorKind::input,
                  fmt::format("{}: margin = {} is too small: the network looks {} px or more far{}",
                              description_file_of(network.file), description.margin, report.reach.pixels,
                              report.reach.is_all
                                  ? fmt::format(", the whole field: take a field of more than {} px", description.field)
                                  : fmt::format("; write margin = {}", report.reach.pixels)));
    return report;
  });
}

}  // namespace starpath
