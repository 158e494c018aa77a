// From labelled fields to a model. Pure but for what gives the fields.
#pragma once
#include <string>
#include <vector>

#include "pipelines/nbia/model.hpp"

namespace starpath {

/// Collects fields, then makes a model of them. Not thread-safe.
class NbiaTrainer {
 public:
  /// Throws as check_levels.
  explicit NbiaTrainer(std::vector<int> sides);

  /// Adds a square field of the last side, labelled stroma-rich or stroma-poor. False when it is glass at some level:
  /// such a field teaches nothing and is left out.
  bool add(NbiaLabel label, RgbView field);
  int count(NbiaLabel label) const;

  /// Throws Error{input} when a label has too few fields for all neighbours to be of it. The order of the fields does
  /// not matter but among equally distant samples.
  NbiaModel model(const std::string& origin, double mpp) const;

 private:
  NbiaLevel level(std::size_t number) const;

  struct Sample {
    NbiaLabel label;
    std::vector<NbiaFeatures> features;  // a level each
  };
  std::vector<int> sides_;
  std::vector<Sample> samples_;
  Scratch scratch_;
};

}  // namespace starpath
