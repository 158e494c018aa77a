// Choosing fields.
#include "pipelines/survey/probes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "codelets/kernels/survey.hpp"

namespace starpath {
namespace {

/// A field is seen well enough from so many pixels a side on; a patch has at most twice as many.
constexpr double kSmallestProbe = 16;
constexpr int kLargestProbe = 32;
/// A level with more pixels is not read whole: as many patches are read as such a level may have.
constexpr double kLargestCoarseLevel = 16e6;
constexpr std::size_t kMostProbes = 1024;

/// Interleaved bits of column and row.
std::uint64_t z_order(const Tile& field) {
  const auto column = static_cast<std::uint64_t>(field.core.x / kSurveyField);
  const auto row = static_cast<std::uint64_t>(field.core.y / kSurveyField);
  std::uint64_t code = 0;
  for (unsigned bit = 0; bit < 32; ++bit) code |= (column >> bit & 1) << 2 * bit | (row >> bit & 1) << (2 * bit + 1);
  return code;
}

int coarsest_level(const std::vector<io::SlideLevel>& levels, double scale) {
  int chosen = 0;
  for (std::size_t level = 0; level < levels.size(); ++level)
    if (static_cast<double>(kSurveyField) * scale / levels[level].downsample >= kSmallestProbe &&
        levels[level].downsample > levels[static_cast<std::size_t>(chosen)].downsample)
      chosen = static_cast<int>(level);
  return chosen;
}

/// Of a patch and a channel: the middle value, and how far apart the fifth and the ninety-fifth of a hundred are.
std::pair<int, int> middle_and_spread(const Probe& probe, std::uint8_t Rgb::*channel) {
  std::vector<std::uint8_t> values(probe.pixels.size());
  std::transform(probe.pixels.begin(), probe.pixels.end(), values.begin(), [&](const Rgb& p) { return p.*channel; });
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return {values[n / 2], values[n - 1 - n / 20] - values[n / 20]};
}

/// The middle colour of a patch that may be glass: even, bright, without colour.
std::optional<Rgb> glass_colour(const Probe& probe) {
  constexpr int bright = 200, even = 12, colourless = 30;
  if (probe.pixels.empty()) return std::nullopt;
  std::array<int, 3> colour{};
  for (std::size_t c = 0; c < 3; ++c) {
    const auto [middle, spread] = middle_and_spread(probe, std::array{&Rgb::r, &Rgb::g, &Rgb::b}[c]);
    if (middle < bright || spread > even) return std::nullopt;
    colour[c] = middle;
  }
  const auto [low, high] = std::minmax_element(colour.begin(), colour.end());
  if (*high - *low > colourless) return std::nullopt;
  return Rgb{static_cast<std::uint8_t>(colour[0]), static_cast<std::uint8_t>(colour[1]),
             static_cast<std::uint8_t>(colour[2])};
}

}  // namespace

std::vector<Tile> survey_fields(std::int64_t width, std::int64_t height, const Rect& roi,
                                const std::function<bool(const Rect&)>& wanted) {
  return cut_tiles(width, height,
                   {.tile = kSurveyField, .halo = kSurveyMargin, .cell = 1, .roi = roi, .wanted = wanted});
}

std::vector<std::size_t> spread_evenly(std::span<const Tile> fields, std::vector<std::size_t> from, std::size_t most) {
  if (from.size() <= most) return from;
  std::vector<std::pair<std::uint64_t, std::size_t>> along;
  for (const std::size_t field : from) along.emplace_back(z_order(fields[field]), field);
  std::sort(along.begin(), along.end());
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < most; ++i) chosen.push_back(along[(2 * i + 1) * along.size() / (2 * most)].second);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

ProbePlan plan_probes(std::span<const Tile> fields, const std::vector<io::SlideLevel>& levels, double scale) {
  ProbePlan plan{coarsest_level(levels, scale), {}};
  const double ratio = scale / levels[static_cast<std::size_t>(plan.level)].downsample;  // level's pixels a pixel
  std::vector<std::size_t> chosen(fields.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  const double side = static_cast<double>(kSurveyField) * ratio;
  if (side * side * static_cast<double>(fields.size()) > kLargestCoarseLevel)
    chosen = spread_evenly(fields, std::move(chosen), kMostProbes);
  for (const std::size_t field : chosen) {
    const Rect& core = fields[field].core;
    const auto shorter = static_cast<double>(std::min(core.width, core.height)) * ratio;
    const int patch = std::clamp(static_cast<int>(shorter), 1, kLargestProbe);
    const auto begin = [&](std::int64_t at, std::int64_t size) {
      return std::llround((static_cast<double>(at) + static_cast<double>(size) / 2) * ratio - patch / 2.0);
    };
    plan.patches.push_back(
        {field, std::max(0LL, begin(core.x, core.width)), std::max(0LL, begin(core.y, core.height)), patch});
  }
  return plan;
}

std::optional<Rgb> find_white(std::span<const Probe> probes) {
  std::vector<std::pair<int, Rgb>> glass, white;
  for (const Probe& probe : probes)
    if (const auto colour = glass_colour(probe)) {
      const int sum = colour->r + colour->g + colour->b;
      (sum == 3 * 255 ? white : glass).emplace_back(sum, *colour);
    }
  if (glass.empty()) glass.swap(white);
  if (glass.empty()) return std::nullopt;
  std::sort(glass.begin(), glass.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.first, a.second.r, a.second.g) < std::tuple(b.first, b.second.r, b.second.g);
  });
  return glass[glass.size() - 1 - glass.size() / 10].second;
}

ProbeCounts count_probe(const Probe& probe, Rgb white) {
  ProbeCounts counts;
  for (const Rgb p : probe.pixels) {
    const SurveyClass what = survey_class(p, 0, white, density_below_white(kSurveyDensity, p.r, white.r),
                                          density_below_white(kSurveyDensity, p.g, white.g));
    ++counts.pixels;
    counts.tissue += what == SurveyClass::tissue;
    counts.spoilt += what == SurveyClass::pen || what == SurveyClass::dark;
  }
  return counts;
}

namespace {

/// Numbers of the fields to look at, as choose_fields chooses them.
std::vector<std::size_t> number_fields(std::span<const Tile> fields, std::span<const Probe> probes, Rgb white) {
  std::vector<std::size_t> good;
  std::vector<std::pair<std::int64_t, std::size_t>> poor;  // by their tissue in 1 / 65536, negative: most comes first
  for (const Probe& probe : probes) {
    const ProbeCounts counts = count_probe(probe, white);
    if (counts.pixels == 0) continue;
    if (4 * counts.tissue >= counts.pixels && 4 * counts.spoilt < counts.pixels)
      good.push_back(probe.field);
    else
      poor.emplace_back(-(counts.tissue << 16) / counts.pixels, probe.field);
  }
  if (good.size() >= kMostSurveyFields) return spread_evenly(fields, std::move(good), kMostSurveyFields);
  std::sort(poor.begin(), poor.end());
  for (std::size_t i = 0; i < poor.size() && good.size() < kMostSurveyFields; ++i) good.push_back(poor[i].second);
  std::sort(good.begin(), good.end());
  return good;
}

/// A field whose core has its margin within the field's square. The slide's borders need none. A field too narrow for a
/// margin stays as it is.
Tile without_margin_around(const Tile& field) {
  const Rect& square = field.core;
  const auto margin = [](bool at_border) { return at_border ? 0 : kSurveyMargin; };
  const std::int64_t left = margin(field.region.x == square.x), top = margin(field.region.y == square.y);
  const std::int64_t across = left + margin(field.region.right() == square.right());
  const std::int64_t down = top + margin(field.region.bottom() == square.bottom());
  const Rect core{square.x + left, square.y + top, square.width - across, square.height - down};
  return core.empty() ? field : Tile{field.index, core, square};
}

}  // namespace

std::vector<Tile> choose_fields(std::span<const Tile> fields, std::span<const Probe> probes, Rgb white) {
  std::vector<Tile> chosen;
  for (const std::size_t number : number_fields(fields, probes, white))
    chosen.push_back(fields.size() > kMostSurveyFields ? without_margin_around(fields[number]) : fields[number]);
  return chosen;
}

}  // namespace starpath
