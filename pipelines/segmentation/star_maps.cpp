// Maps of StarDist: points that may begin a nucleus, and the polygons that are kept of them.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "codelets/kernels/features.hpp"
#include "pipelines/segmentation/instance_maps.hpp"
#include "pipelines/segmentation/ownership.hpp"

namespace starpath {
namespace {

/// Numbers of a band of all channels that are in memory at once.
constexpr std::int64_t kStarBandNumbers = std::int64_t{1} << 21;
constexpr double kProbabilityRounding = 1e-3;  // of a probability

// A tile must be right about pixels that are so far from its core (longest_instance).
constexpr std::int64_t kBeyondInstances = kFeatureReach + kCandidateMargin + 1;

/// What polygons that reach a pixel depend on lies this far from it.
constexpr std::int64_t reach_of_stars(int longest) { return longest_ray(longest) + kStarBlock + kStarSight; }

}  // namespace

std::int64_t halo_of_stars(int longest, const NetworkDescription& network) {
  return reach_of_fields(network) + reach_of_stars(longest) + longest + kBeyondInstances;
}

int longest_star(std::int64_t halo, const NetworkDescription& network) {
  int longest = 1;
  while (longest < longest_instance(halo) && halo_of_stars(longest + 1, network) <= halo) ++longest;
  return longest;
}

/// The channels from `first` on, one plane after the other.
void InstanceMaps::read_planes(std::size_t first, const io::MapBox& box, std::vector<double>& values) const {
  const std::ptrdiff_t plane = std::ptrdiff_t{box.width} * box.height;
  values.resize((channels_.size() - first) * static_cast<std::size_t>(plane));
  for (std::size_t at = first; at < channels_.size();) {
    const Channel& channel = channels_[at];
    std::size_t end = at + 1;  // those of one file
    while (end < channels_.size() && channels_[end].image == channel.image && channels_[end].number != 0) ++end;
    channel.image->read_channels(channel.number, static_cast<int>(end - at), box,
                                 values.data() + static_cast<std::ptrdiff_t>(at - first) * plane, box.width, plane);
    at = end;
  }
}

void InstanceMaps::read_candidates(const Rect& region, int longest, StarCandidates& candidates) const {
  const StarGrid& grid = candidates.grid();
  const auto first = [&](std::int64_t pixel, std::int64_t size) {
    return std::clamp<std::int64_t>(grid.first_from(pixel), 0, size);
  };
  const std::int64_t left = first(region.x, scale_.size.width), right = first(region.right(), scale_.size.width),
                     top = first(region.y, scale_.size.height), bottom = first(region.bottom(), scale_.size.height);
  if (left == right) return;
  const auto width = static_cast<int>(right - left);
  const std::int64_t most_rows =
      std::max<std::int64_t>(1, kStarBandNumbers / width / static_cast<std::int64_t>(channels_.size()));
  const double most = longest_ray(longest) * grid.working;
  std::vector<double> probabilities, distances;
  for (std::int64_t y = top; y < bottom; y += most_rows) {
    const io::MapBox box{left, y, width, static_cast<int>(std::min(most_rows, bottom - y))};
    const std::size_t size = static_cast<std::size_t>(width) * static_cast<std::size_t>(box.height);
    const Channel& sure = channels_[0];
    probabilities.resize(size);
    sure.image->read(sure.number, box, probabilities.data(), width);
    const double unit = sure.unit / 255;
    bool has_some = false;
    for (std::size_t at = 0; at < size; ++at) {
      double& probability = probabilities[at];
      if (!(probability * unit >= -kProbabilityRounding && probability * unit <= 1 + kProbabilityRounding))
        refuse_value(sure, probability, left + static_cast<std::int64_t>(at) % width,
                     y + static_cast<std::int64_t>(at) / width, fmt::format("a probability is from 0 to {}", 1 / unit));
      probability *= unit;
      has_some = has_some || probability > stars_.probability;
    }
    if (!has_some) continue;
    read_planes(1, box, distances);
    for (std::size_t at = 0; at < size; ++at) {
      if (!(probabilities[at] > stars_.probability)) continue;
      const std::int64_t i = left + static_cast<std::int64_t>(at) % width,
                         j = y + static_cast<std::int64_t>(at) / width;
      candidates.add_point(i, j, probabilities[at]);
      for (std::size_t ray = 1; ray < channels_.size(); ++ray) {
        const double distance = distances[(ray - 1) * size + at];
        if (!(distance >= 0 && distance <= most))
          refuse_value(channels_[ray], distance, i, j,
                       fmt::format("a distance is from 0 to {:.4g} pixels{}", most,
                                   distance > most ? "; a larger --halo takes larger ones" : ""));
        candidates.add_ray(distance);
      }
    }
  }
}

void InstanceMaps::read_stars(std::int64_t x, std::int64_t y, int longest, View<std::int32_t> numbers) const {
  constexpr std::int64_t around = kStarBlock + kStarSight;
  const Rect region{x - around, y - around, numbers.width + 2 * around, numbers.height + 2 * around};
  StarCandidates candidates(static_cast<int>(channels_.size()) - 1, {stars_.grid, scale_.working});
  read_candidates(region, longest, candidates);
  Scratch scratch;
  cpu::star_polygons(KernelContext{scratch}, candidates.stars(), stars_.overlap, x, y, numbers);
}

}  // namespace starpath
