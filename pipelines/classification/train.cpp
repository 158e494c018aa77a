// Samples, k and range of a model.
#include "pipelines/classification/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/pure/conformal_range.hpp"
#include "pipelines/classification/cross_validation.hpp"

namespace starpath {
namespace {

std::vector<std::size_t> count_classes(const std::vector<AnnotatedNucleus>& nuclei, std::size_t classes) {
  std::vector<std::size_t> counts(classes);
  for (const AnnotatedNucleus& nucleus : nuclei) ++counts[nucleus.label];
  return counts;
}

void check_classes(const TrainingSet& set) {
  for (const NucleusClass& each : set.classes)
    if (is_reserved_class(each.name))
      throw Error(ErrorKind::input, fmt::format("no class can be called '{}', as exports call nuclei that are out of "
                                                "range; give it another name in QuPath",
                                                each.name));
  if (set.classes.size() < 2)
    throw Error(ErrorKind::input,
                set.classes.empty()
                    ? "no nucleus is annotated with a class"
                    : fmt::format("all annotated nuclei are of class '{}': a classifier needs two classes or more",
                                  set.classes[0].name));
  if (set.classes.size() > kMostClasses)
    throw Error(ErrorKind::input,
                fmt::format("the annotations are of {} classes, and {} is the most", set.classes.size(), kMostClasses));
  const std::vector<std::size_t> counts = count_classes(set.nuclei, set.classes.size());
  for (std::size_t c = 0; c < counts.size(); ++c)
    if (counts[c] < kLeastOfClass)
      throw Error(ErrorKind::input,
                  fmt::format("class '{}' has {} annotated {}, and needs {} at least; annotate more, or take the class "
                              "out of the annotations",
                              set.classes[c].name, counts[c], counts[c] == 1 ? "nucleus" : "nuclei", kLeastOfClass));
}

std::vector<const AnnotatedNucleus*> pointers(const std::vector<AnnotatedNucleus>& nuclei) {
  std::vector<const AnnotatedNucleus*> all;
  for (const AnnotatedNucleus& nucleus : nuclei) all.push_back(&nucleus);
  return all;
}

/// Takes out features that do not vary, and says where numbers are missing.
void check_features(TrainingSet& set, std::vector<std::string>& warnings) {
  const NucleusModel spread = standardised(pointers(set.nuclei), set.features);
  std::vector<std::size_t> kept;
  std::string constant;
  for (std::size_t f = 0; f < set.features.size(); ++f) {
    if (spread.features[f].deviation > 0)
      kept.push_back(f);
    else
      constant += (constant.empty() ? "" : ", ") + set.features[f];
    const auto missing = std::ranges::count_if(
        set.nuclei, [&](const AnnotatedNucleus& nucleus) { return !std::isfinite(nucleus.features[f]); });
    if (missing > 0)
      warnings.push_back(fmt::format("{} of {} annotated nuclei have no {}: the mean takes its place", missing,
                                     set.nuclei.size(), set.features[f]));
  }
  if (kept.empty())
    throw Error(ErrorKind::usage,
                fmt::format("no feature varies over the annotated nuclei ({}); choose other --features", constant));
  if (kept.size() > kMostPointNumbers)
    throw Error(ErrorKind::usage, fmt::format("--features are {}, and {} is the most", kept.size(), kMostPointNumbers));
  if (constant.empty()) return;
  warnings.push_back("left out, as all annotated nuclei have the same: " + constant);
  for (AnnotatedNucleus& nucleus : set.nuclei) {
    std::vector<double> features;
    for (const std::size_t f : kept) features.push_back(nucleus.features[f]);
    nucleus.features = std::move(features);
  }
  std::vector<std::string> names;
  for (const std::size_t f : kept) names.push_back(set.features[f]);
  set.features = std::move(names);
}

}  // namespace

void take_even_share(std::vector<AnnotatedNucleus>& nuclei, std::size_t classes, std::size_t most) {
  std::ranges::stable_sort(nuclei, {}, &AnnotatedNucleus::label);
  const std::size_t all = nuclei.size();
  if (all <= most) return;
  std::vector<AnnotatedNucleus> kept;
  std::size_t first = 0;
  for (const std::size_t count : count_classes(nuclei, classes)) {
    const std::size_t taken = std::min(count, std::max(kLeastOfClass, count * most / all));
    for (std::size_t i = 0; i < taken; ++i) kept.push_back(std::move(nuclei[first + i * count / taken]));
    first += count;
  }
  nuclei = std::move(kept);
}

TrainedNucleusModel train_nuclei(TrainingSet set) {
  check_classes(set);
  TrainedNucleusModel trained;
  const std::size_t all = set.nuclei.size();
  take_even_share(set.nuclei, set.classes.size(), kMostSamples);
  if (set.nuclei.size() < all)
    trained.warnings.push_back(fmt::format(
        "{} nuclei are annotated: the model takes {} of them, an even share of each class", all, set.nuclei.size()));
  check_features(set, trained.warnings);
  std::size_t units = set.slides.size();
  if (!set.units.empty()) {
    units = 1 + *std::ranges::max_element(set.units);
    for (AnnotatedNucleus& nucleus : set.nuclei) nucleus.slide = set.units.at(nucleus.slide);
  }
  const NucleusFolds folds = choose_folds(set.nuclei, set.classes.size(), units, set.unit);
  if (folds.lonely)
    trained.warnings.push_back(fmt::format(
        "class '{0}' is on too few {1}s to hold out whole {1}s: single nuclei are held out, which says less of other "
        "{1}s",
        set.classes[*folds.lonely].name, set.unit));
  const NucleusValidation validation = cross_validate(set.nuclei, set.classes.size(), set.features, folds);
  NucleusModel model = standardised(pointers(set.nuclei), set.features);
  model.mpp = set.mpp;
  model.k = validation.k;
  model.classes = std::move(set.classes);
  model.range = conformal_range(validation.distances);
  model.validated_by = folds.by;
  model.validation = validation.confusion;
  model.slides = std::move(set.slides);
  trained.model = std::move(model);
  trained.folds = static_cast<int>(folds.count);
  return trained;
}

}  // namespace starpath
