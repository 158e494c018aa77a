// Dice, AJI, F1 and PQ from the areas of objects and of their overlaps.
#include "bench/quality/metrics.hpp"

#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace starpath {
namespace {

using Label = std::int32_t;
using Areas = std::map<Label, std::int64_t>;

struct Overlaps {
  Areas truth, predicted;
  std::map<std::pair<Label, Label>, std::int64_t> both;  // (truth, predicted), background left out
};

/// Counts in stretches of equal labels, so that the maps are asked once a stretch and not once a pixel.
Overlaps count_overlaps(View<const Label> truth, View<const Label> predicted) {
  Overlaps overlaps;
  for (int y = 0; y < truth.height; ++y)
    for (int x = 0; x < truth.width;) {
      const Label t = truth.at(x, y), p = predicted.at(x, y);
      if (t < 0 || p < 0) throw std::invalid_argument("compare_labels: a label is negative");
      const int begin = x;
      while (x < truth.width && truth.at(x, y) == t && predicted.at(x, y) == p) ++x;
      if (t != 0) overlaps.truth[t] += x - begin;
      if (p != 0) overlaps.predicted[p] += x - begin;
      if (t != 0 && p != 0) overlaps.both[{t, p}] += x - begin;
    }
  return overlaps;
}

std::int64_t total(const Areas& areas) {
  std::int64_t sum = 0;
  for (const auto& [label, area] : areas) sum += area;
  return sum;
}

double ratio(double part, double whole) { return whole == 0 ? 1 : part / whole; }

double dice(const Overlaps& overlaps) {
  std::int64_t common = 0;
  for (const auto& [pair, area] : overlaps.both) common += area;
  return ratio(2 * static_cast<double>(common), static_cast<double>(total(overlaps.truth) + total(overlaps.predicted)));
}

double aggregated_jaccard(const Overlaps& overlaps) {
  struct Best {
    Label predicted = 0;
    std::int64_t intersection = 0, union_area = 1;
  };
  std::map<Label, Best> best;
  for (const auto& [pair, intersection] : overlaps.both) {
    const auto [t, p] = pair;
    const std::int64_t union_area = overlaps.truth.at(t) + overlaps.predicted.at(p) - intersection;
    Best& known = best[t];
    if (intersection * known.union_area > known.intersection * union_area) known = {p, intersection, union_area};
  }
  std::int64_t intersections = 0, unions = 0;
  std::set<Label> taken;
  for (const auto& [t, area] : overlaps.truth) {
    const auto found = best.find(t);
    intersections += found == best.end() ? 0 : found->second.intersection;
    unions += found == best.end() ? area : found->second.union_area;
    if (found != best.end()) taken.insert(found->second.predicted);
  }
  for (const auto& [p, area] : overlaps.predicted)
    if (!taken.contains(p)) unions += area;
  return ratio(static_cast<double>(intersections), static_cast<double>(unions));
}

struct Matches {
  std::int32_t count = 0;
  double jaccard = 0;  // sum of intersections over unions
};

/// Above one half, no object can be in two pairs.
Matches find_matches(const Overlaps& overlaps) {
  Matches matches;
  for (const auto& [pair, intersection] : overlaps.both) {
    const std::int64_t union_area = overlaps.truth.at(pair.first) + overlaps.predicted.at(pair.second) - intersection;
    if (2 * intersection <= union_area) continue;
    ++matches.count;
    matches.jaccard += static_cast<double>(intersection) / static_cast<double>(union_area);
  }
  return matches;
}

}  // namespace

SegmentationQuality compare_labels(View<const Label> truth, View<const Label> predicted) {
  if (truth.width != predicted.width || truth.height != predicted.height)
    throw std::invalid_argument("compare_labels: the images have different sizes");
  const Overlaps overlaps = count_overlaps(truth, predicted);
  const auto truths = static_cast<std::int32_t>(overlaps.truth.size());
  const auto predictions = static_cast<std::int32_t>(overlaps.predicted.size());
  const double objects = static_cast<double>(truths) + predictions;
  const Matches matches = find_matches(overlaps);
  return {dice(overlaps),
          aggregated_jaccard(overlaps),
          ratio(2.0 * matches.count, objects),
          ratio(2.0 * matches.jaccard, objects),
          truths,
          predictions,
          matches.count};
}

}  // namespace starpath
