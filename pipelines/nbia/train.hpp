// From labelled fields to a model. Pure except for the sources of fields.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codelets/kernels/kernel_context.hpp"
#include "pipelines/nbia/model.hpp"
#include "pipelines/nbia/training_samples.hpp"

namespace starpath {

/// Numbers of held-out fields by their label, then by the decision of the levels in use, one after the other.
using NbiaConfusion = std::map<NbiaLabel, std::map<NbiaLabel, std::int64_t>>;

struct TrainedModel {
  NbiaModel model;
  NbiaConfusion confusion;
};

/// Collects fields, then makes a model of them. Not thread-safe.
class NbiaTrainer {
 public:
  /// Throws as check_levels.
  explicit NbiaTrainer(std::vector<int> sides);

  /// Adds a square field of the last side, labelled stroma-rich or stroma-poor. False when it is glass at some level:
  /// such a field teaches nothing and is left out.
  bool add(NbiaLabel label, RgbView field, FieldOrigin origin = {});
  int count(NbiaLabel label) const;

  /// The samples, their ranges, each level's cross-validation, and whether the level is used. Throws Error{input} when
  /// a label has too few fields for all neighbours to be of it. The order of the fields matters only among equally
  /// distant samples, and for which fields are held out together.
  TrainedModel train(const std::string& origin, double mpp) const;

 private:
  std::vector<int> sides_;
  std::vector<TrainingSample> samples_;
  std::set<std::string> fields_;  // their digests
  Scratch scratch_;
};

}  // namespace starpath
