// Scores of fields, and the farthest of the best.
#include "pipelines/preview/field_choice.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace starpath {
namespace {

constexpr double kLeastScore = 4;  // mean absorption of red below which a field shows no tissue

struct Candidate {
  Rect field;
  double score;
};

/// How much red a pixel of tissue absorbs; 0 for glass, for what is dark, and for the colours of pens.
int absorption(Rgb pixel) {
  constexpr int glass_from = 220, dark_to = 70, pen_step = 60;
  const int r = pixel.r, g = pixel.g, b = pixel.b;
  const bool glass = std::min({r, g, b}) > glass_from, dark = std::max({r, g, b}) < dark_to;
  const bool pen = g > std::max(r, b) + 8 || b > std::max(r, g) + pen_step || r > std::max(g, b) + 2 * pen_step;
  return glass || dark || pen ? 0 : 255 - r;
}

double score_of(const io::Overview& overview, const Rect& field) {
  const auto range = [&](std::int64_t begin, std::int64_t end, std::int64_t origin, int size) {
    const auto at = [&](std::int64_t value) {
      return static_cast<int>(std::floor(static_cast<double>(value - origin) / overview.reduction));
    };
    const int first = std::clamp(at(begin), 0, size - 1);
    return std::pair{first, std::clamp(at(end), first + 1, size)};
  };
  const auto [x0, x1] = range(field.x, field.right(), overview.region.x, overview.width);
  const auto [y0, y1] = range(field.y, field.bottom(), overview.region.y, overview.height);
  std::int64_t sum = 0;
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) sum += absorption(overview.view().at(x, y));
  return static_cast<double>(sum) / (static_cast<double>(x1 - x0) * (y1 - y0));
}

enum class Part { whole, cut, sliver };

Part part_of(const Rect& field) {
  constexpr std::int64_t all = kPreviewField * kPreviewField;
  const std::int64_t pixels = field.width * field.height;
  if (pixels == all) return Part::whole;
  return 4 * pixels >= all ? Part::cut : Part::sliver;
}

std::vector<Candidate> candidates_in(const io::Overview& overview) {
  std::vector<Candidate> candidates;
  const Rect& region = overview.region;
  for (std::int64_t y = region.y / kPreviewField * kPreviewField; y < region.bottom(); y += kPreviewField)
    for (std::int64_t x = region.x / kPreviewField * kPreviewField; x < region.right(); x += kPreviewField) {
      const Rect field = intersection({x, y, kPreviewField, kPreviewField}, region);
      candidates.push_back({field, score_of(overview, field)});
    }
  return candidates;
}

std::int64_t squared_distance(const Rect& a, const Rect& b) {
  const std::int64_t dx = 2 * a.x + a.width - 2 * b.x - b.width, dy = 2 * a.y + a.height - 2 * b.y - b.height;
  return dx * dx + dy * dy;
}

bool has_tissue(const Candidate& candidate) { return candidate.score >= kLeastScore; }

/// Those with at least half of the highest score, but `most` if there are so many, the highest first. Without tissue,
/// those nearest the middle.
void keep_best(std::vector<Candidate>& candidates, const Rect& region, std::size_t most) {
  if (std::ranges::any_of(candidates, has_tissue)) {
    std::ranges::stable_sort(candidates, [](const auto& a, const auto& b) { return a.score > b.score; });
    const double least = candidates.front().score / 2;
    while (candidates.size() > most && candidates.back().score < least) candidates.pop_back();
  } else {
    std::ranges::stable_sort(candidates, [&](const auto& a, const auto& b) {
      return squared_distance(a.field, region) < squared_distance(b.field, region);
    });
    candidates.resize(std::min(candidates.size(), most));
  }
}

/// The first, and each time the farthest from those chosen.
void take_farthest(std::vector<Candidate>& candidates, std::size_t most, std::vector<Rect>& chosen) {
  while (chosen.size() < most && !candidates.empty()) {
    const auto nearest = [&](const Candidate& candidate) {
      std::int64_t distance = 0;
      for (const Rect& field : chosen) {
        const std::int64_t to_field = squared_distance(candidate.field, field);
        distance = distance == 0 ? to_field : std::min(distance, to_field);
      }
      return distance;
    };
    const auto farthest =
        std::ranges::max_element(candidates, [&](const auto& a, const auto& b) { return nearest(a) < nearest(b); });
    chosen.push_back(farthest->field);
    candidates.erase(farthest);
  }
}

}  // namespace

std::vector<Rect> choose_preview_fields(const io::Overview& overview, std::size_t most, std::span<const Rect> from) {
  std::vector<Candidate> candidates;
  for (const Rect& field : from) candidates.push_back({field, score_of(overview, field)});
  if (from.empty()) candidates = candidates_in(overview);
  if (std::ranges::any_of(candidates, has_tissue)) std::erase_if(candidates, std::not_fn(has_tissue));
  std::vector<Rect> chosen;
  for (const Part part : {Part::whole, Part::cut, Part::sliver}) {
    if (chosen.size() >= most || (part == Part::sliver && !chosen.empty())) break;
    std::vector<Candidate> alike;
    std::ranges::copy_if(candidates, std::back_inserter(alike),
                         [&](const Candidate& candidate) { return part_of(candidate.field) == part; });
    keep_best(alike, overview.region, most - chosen.size());
    take_farthest(alike, most, chosen);
  }
  std::ranges::sort(chosen, [](const Rect& a, const Rect& b) { return a.y != b.y ? a.y < b.y : a.x < b.x; });
  return chosen;
}

}  // namespace starpath
