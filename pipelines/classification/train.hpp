// From annotated nuclei to a model. Pure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pipelines/classification/nucleus_model.hpp"

namespace starpath {

struct AnnotatedNucleus {
  std::uint8_t label = 0;        // number of its class
  std::size_t slide = 0;         // number of its slide
  std::vector<double> features;  // not finite: no number
};

struct TrainingSet {
  double mpp = 0;  // as NucleusModel
  std::vector<NucleusClass> classes;
  std::vector<std::string> features;
  std::vector<TrainedSlide> slides;
  std::vector<AnnotatedNucleus> nuclei;
  std::vector<std::size_t> units = {};  // of each slide the number of what is held out with it; empty: each on its own
  std::string unit = "slide";           // what that is: "slide" or "patient"
};

/// A class needs so many nuclei, and of more than so many samples in all an even share of each class is taken.
inline constexpr std::size_t kLeastOfClass = 5, kMostSamples = 20'000;

/// Orders nuclei by class. Of more than `most` it leaves of each class the same share, evenly over all, but
/// kLeastOfClass at least.
void take_even_share(std::vector<AnnotatedNucleus>& nuclei, std::size_t classes, std::size_t most);

struct TrainedNucleusModel {
  NucleusModel model;
  int folds = 0;
  std::vector<std::string> warnings;  // a line each
};

/// The same set gives the same model. Throws Error{input} for fewer than two classes, more than kMostClasses, a
/// reserved one, or one with fewer than kLeastOfClass nuclei, Error{usage} when no feature varies or there are more
/// than kMostPointNumbers.
TrainedNucleusModel train_nuclei(TrainingSet set);

}  // namespace starpath
