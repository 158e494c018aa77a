// What a classifier says of nuclei that it has not seen: annotated ones judged by the others. Pure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipelines/classification/train.hpp"

namespace starpath {

/// What is held out together.
struct NucleusFolds {
  std::string by;                     // "patient", "slide" or "nucleus"
  std::size_t count = 0;              // of folds
  std::vector<std::size_t> folds;     // of each nucleus
  std::optional<std::size_t> lonely;  // a class that is in one fold alone, where slides could not be held out
};

/// At most so many folds, and numbers of neighbours that are tried.
inline constexpr std::size_t kMostFolds = 10;
inline constexpr int kNeighbourChoices[] = {1, 3, 5, 7, 9, 11, 15, 21, 31};

/// Whole slides (or patients: `unit`, and AnnotatedNucleus::slide is their number) where there are several and every
/// class is on two at least: as many folds as slides, or kMostFolds, to which slides are dealt so that each has its
/// share of every class. Else single nuclei, each class dealt in turn.
NucleusFolds choose_folds(const std::vector<AnnotatedNucleus>& nuclei, std::size_t classes, std::size_t slides,
                          const std::string& unit = "slide");

struct NucleusValidation {
  int k = 1;            // the largest that is within one standard error of the best (balanced accuracy)
  Confusion confusion;  // of every nucleus, with the k that the other folds choose in this way
  std::vector<std::uint32_t> distances;  // ClassVote::distance of every nucleus, with k
};

/// Judges the nuclei of each fold by those of the others, whose means and deviations standardise both.
NucleusValidation cross_validate(const std::vector<AnnotatedNucleus>& nuclei, std::size_t classes,
                                 const std::vector<std::string>& features, const NucleusFolds& folds);

/// Means, deviations, points and labels of these nuclei, whose labels rise. Features that do not vary get deviation 0.
NucleusModel standardised(const std::vector<const AnnotatedNucleus*>& nuclei, const std::vector<std::string>& features);

}  // namespace starpath
