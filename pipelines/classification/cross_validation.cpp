// Folds, votes and the number of neighbours.
#include "pipelines/classification/cross_validation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace starpath {
namespace {

using Counts = std::vector<std::vector<double>>;  // [slide or fold][class]

Counts count_by_slide(const std::vector<AnnotatedNucleus>& nuclei, std::size_t classes, std::size_t slides) {
  Counts counts(slides, std::vector<double>(classes));
  for (const AnnotatedNucleus& nucleus : nuclei) ++counts[nucleus.slide][nucleus.label];
  return counts;
}

/// The slides with most nuclei first, each to the fold that then lacks least of an even share of every class.
std::vector<std::size_t> deal_slides(const Counts& slides, std::size_t folds) {
  const std::size_t classes = slides[0].size();
  std::vector<double> total(classes), size(slides.size());
  for (std::size_t s = 0; s < slides.size(); ++s)
    for (std::size_t c = 0; c < classes; ++c) {
      total[c] += slides[s][c];
      size[s] += slides[s][c];
    }
  std::vector<std::size_t> order(slides.size()), fold_of(slides.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return size[a] > size[b]; });
  Counts in(folds, std::vector<double>(classes));
  for (const std::size_t s : order) {
    // Adding x to a sum of squares of shares adds x (x + 2 there).
    const auto cost = [&](std::size_t fold) {
      double sum = 0;
      for (std::size_t c = 0; c < classes; ++c)
        if (total[c] > 0) sum += slides[s][c] * (slides[s][c] + 2 * in[fold][c]) / (total[c] * total[c]);
      return sum;
    };
    std::size_t best = 0;
    for (std::size_t fold = 1; fold < folds; ++fold)
      if (cost(fold) < cost(best)) best = fold;
    fold_of[s] = best;
    for (std::size_t c = 0; c < classes; ++c) in[best][c] += slides[s][c];
  }
  return fold_of;
}

NucleusFolds deal_nuclei(const std::vector<AnnotatedNucleus>& nuclei, std::size_t classes) {
  std::vector<std::size_t> seen(classes);
  NucleusFolds dealt{"nucleus", 0, {}, {}};
  for (const AnnotatedNucleus& nucleus : nuclei) ++seen[nucleus.label];
  dealt.count = std::min(kMostFolds, *std::ranges::min_element(seen));
  std::ranges::fill(seen, std::size_t{0});
  for (const AnnotatedNucleus& nucleus : nuclei) dealt.folds.push_back(seen[nucleus.label]++ % dealt.count);
  return dealt;
}

/// The votes of one fold's nuclei with each choice of k, by those of the others.
class FoldVotes {
 public:
  FoldVotes(const std::vector<AnnotatedNucleus>& nuclei, const std::vector<std::string>& features,
            const NucleusFolds& folds, std::size_t fold) {
    std::vector<const AnnotatedNucleus*> others;
    for (std::size_t i = 0; i < nuclei.size(); ++i)
      if (folds.folds[i] == fold)
        held_out_.push_back(i);
      else
        others.push_back(&nuclei[i]);
    model_ = standardised(others, features);
    samples_ = model_.sample_rows();
    const auto width = static_cast<std::size_t>(model_.row_numbers());
    rows_.resize(held_out_.size() * width);
    for (std::size_t i = 0; i < held_out_.size(); ++i)
      model_.put_row(nuclei[held_out_[i]].features, std::span(rows_).subspan(i * width, width));
  }

  const std::vector<std::size_t>& held_out() const { return held_out_; }
  std::vector<ClassVote> votes(int k) const {
    Scratch scratch;
    std::vector<ClassVote> votes(held_out_.size());
    const auto view = [&](const std::vector<std::int16_t>& rows, std::size_t count) {
      const int width = model_.row_numbers();
      return View<const std::int16_t>{rows.data(), width, static_cast<int>(count), width};
    };
    cpu::nearest_classes(KernelContext{scratch}, view(rows_, held_out_.size()), view(samples_, model_.samples()),
                         model_.labels, votes, k);
    return votes;
  }

 private:
  std::vector<std::size_t> held_out_;
  NucleusModel model_;
  std::vector<std::int16_t> samples_, rows_;
};

/// How many of kNeighbourChoices there are neighbours for in every fold.
std::size_t fitting_choices(const NucleusFolds& folds) {
  std::vector<std::size_t> sizes(folds.count);
  for (const std::size_t fold : folds.folds) ++sizes[fold];
  const std::size_t others = folds.folds.size() - *std::ranges::max_element(sizes);
  return static_cast<std::size_t>(
      std::ranges::count_if(kNeighbourChoices, [&](int k) { return static_cast<std::size_t>(k) <= others; }));
}

/// The place of the last whose balanced accuracy is within one standard error of the highest (Breiman, Friedman,
/// Olshen, Stone 1984, section 3.4.3): of choices that are as good as can be told, the one that averages most.
std::size_t one_error_from_best(const std::vector<Confusion>& choices) {
  const auto best = std::ranges::max_element(choices, {}, &Confusion::balanced_accuracy);
  const double least = best->balanced_accuracy() - best->balanced_error();
  std::size_t last = 0;
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i].balanced_accuracy() >= least) last = i;
  return last;
}

}  // namespace

NucleusModel standardised(const std::vector<const AnnotatedNucleus*>& nuclei,
                          const std::vector<std::string>& features) {
  NucleusModel model;
  for (std::size_t f = 0; f < features.size(); ++f) {
    double count = 0, mean = 0, squares = 0;  // Welford 1962
    for (const AnnotatedNucleus* nucleus : nuclei) {
      const double value = nucleus->features[f];
      if (!std::isfinite(value)) continue;
      const double before = value - mean;
      mean += before / ++count;
      squares += before * (value - mean);
    }
    const double variance = count > 0 ? squares / count : 0;
    // What rounding makes of equal numbers is no difference.
    model.features.push_back({features[f], mean, variance > mean * mean * 1e-24 ? std::sqrt(variance) : 0});
  }
  std::vector<std::int16_t> row(features.size());
  for (const AnnotatedNucleus* nucleus : nuclei) {
    model.put_row(nucleus->features, row);
    model.points.insert(model.points.end(), row.begin(), row.end());
    model.labels.push_back(nucleus->label);
  }
  return model;
}

NucleusFolds choose_folds(const std::vector<AnnotatedNucleus>& nuclei, std::size_t classes, std::size_t slides,
                          const std::string& unit) {
  if (slides < 2) return deal_nuclei(nuclei, classes);
  const Counts counts = count_by_slide(nuclei, classes, slides);
  const std::size_t count = std::min(kMostFolds, slides);
  const std::vector<std::size_t> fold_of = deal_slides(counts, count);
  for (std::size_t c = 0; c < classes; ++c) {
    std::set<std::size_t> folds;
    for (std::size_t s = 0; s < slides; ++s)
      if (counts[s][c] > 0) folds.insert(fold_of[s]);
    if (folds.size() > 1) continue;
    NucleusFolds dealt = deal_nuclei(nuclei, classes);
    dealt.lonely = c;
    return dealt;
  }
  NucleusFolds dealt{unit, count, {}, {}};
  for (const AnnotatedNucleus& nucleus : nuclei) dealt.folds.push_back(fold_of[nucleus.slide]);
  return dealt;
}

NucleusValidation cross_validate(const std::vector<AnnotatedNucleus>& nuclei, std::size_t classes,
                                 const std::vector<std::string>& features, const NucleusFolds& folds) {
  const std::size_t choices = fitting_choices(folds);
  std::vector<std::vector<ClassVote>> votes(choices, std::vector<ClassVote>(nuclei.size()));
  std::vector<std::vector<Confusion>> of_fold(choices, std::vector(folds.count, Confusion(classes)));
  for (std::size_t fold = 0; fold < folds.count; ++fold) {
    const FoldVotes judged(nuclei, features, folds, fold);
    for (std::size_t choice = 0; choice < choices; ++choice) {
      const std::vector<ClassVote> said = judged.votes(kNeighbourChoices[choice]);
      for (std::size_t i = 0; i < said.size(); ++i) {
        const std::size_t nucleus = judged.held_out()[i];
        votes[choice][nucleus] = said[i];
        of_fold[choice][fold].add(nuclei[nucleus].label, said[i].label);
      }
    }
  }
  // The choice by all folds but one, or by all.
  const auto chosen_without = [&](std::size_t left_out) {
    std::vector<Confusion> sums(choices, Confusion(classes));
    for (std::size_t choice = 0; choice < choices; ++choice)
      for (std::size_t fold = 0; fold < folds.count; ++fold)
        if (fold != left_out) sums[choice] += of_fold[choice][fold];
    return one_error_from_best(sums);
  };
  NucleusValidation validation{1, Confusion(classes), {}};
  for (std::size_t fold = 0; fold < folds.count; ++fold) validation.confusion += of_fold[chosen_without(fold)][fold];
  const std::size_t chosen = chosen_without(folds.count);
  validation.k = kNeighbourChoices[chosen];
  for (const ClassVote& vote : votes[chosen]) validation.distances.push_back(vote.distance);
  return validation;
}

}  // namespace starpath
