// A first look at a slide, small patches at a coarse level: where is tissue, and how bright is glass? Pure.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "io/slides/slide.hpp"
#include "pipelines/run/tiling.hpp"

namespace starpath {

/// Side of a field, and how far from it pixels decide about its difference, pixels of the working grid.
inline constexpr std::int64_t kSurveyField = 512, kSurveyMargin = 64;
/// The most fields that are looked at closely; it bounds the cost of a survey. A slide or region with no more is
/// covered whole.
inline constexpr std::size_t kMostSurveyFields = 24;

/// The fields that a survey may choose from, in row-major order. Like tiles, they lie on a grid that starts at the
/// slide's origin, and are cut at the region of interest.
/// `wanted`: as in TilingOptions.
std::vector<Tile> survey_fields(std::int64_t width, std::int64_t height, const Rect& roi,
                                const std::function<bool(const Rect&)>& wanted = {});

/// At most `most` of the fields numbered `from`, spread evenly over the slide: every so-manieth along a Z-order curve.
/// In the order of their numbers.
std::vector<std::size_t> spread_evenly(std::span<const Tile> fields, std::vector<std::size_t> from, std::size_t most);

/// Which patches a first look reads.
struct ProbePlan {
  struct Patch {
    std::size_t field;  // number of it
    std::int64_t x, y;  // in pixels of the level
    int side;
  };
  int level = 0;  // of the slide
  std::vector<Patch> patches;
};

/// One patch in the middle of each field, at the coarsest level that shows a field well enough; of fewer fields, spread
/// evenly, where that level is so fine that to read from all fields would take long. `scale`: level-0 pixels a pixel of
/// the working grid.
ProbePlan plan_probes(std::span<const Tile> fields, const std::vector<io::SlideLevel>& levels, double scale);

/// The look of a patch.
struct Probe {
  std::size_t field;
  std::vector<Rgb> pixels;  // empty when it could not be read
};

/// The value of empty glass: the ninth decile of the even and bright patches without colour. Patches that are exactly
/// white are left out while there is other glass: scanners put white where they did not look. Nothing without such a
/// patch.
std::optional<Rgb> find_white(std::span<const Probe> probes);

/// Shares of a patch, in pixels.
struct ProbeCounts {
  std::int64_t pixels = 0, tissue = 0, spoilt = 0;  // spoilt: ink or dark
};
ProbeCounts count_probe(const Probe& probe, Rgb white);

/// The fields to look at closely, kMostSurveyFields at most, spread evenly over the fields whose probe shows tissue in
/// a quarter or more and is spoilt in less than a quarter. Where there are too few of these, fields with less tissue
/// follow, those with most first. In the order of their numbers. Where there are more fields than that, the chosen ones
/// stand for others: only a field's square is read, and its core lies kSurveyMargin inside. Reading is the main cost of
/// a survey, and blocks of files often end where fields do: a margin around a square of 4 blocks would cost 12 more
/// blocks.
std::vector<Tile> choose_fields(std::span<const Tile> fields, std::span<const Probe> probes, Rgb white);

}  // namespace starpath
