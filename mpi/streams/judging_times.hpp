// How long judging a tile takes on each device class, for the ends of streams that read.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codelets/starpu/tile_facts.hpp"
#include "estimator/knn.hpp"
#include "estimator/store/profile_use.hpp"
#include "pipelines/run/tile_loop.hpp"

namespace starpath::mpi {

/// What a run knows of such times before it begins, and whether it keeps what it measures.
struct JudgingProfile {
  std::string file;         // empty: none
  bool of_machine = false;  // the machine's own, which need not be there
  bool learns = true;       // adds to it
  unsigned nearest = 2;     // samples that are averaged
};

/// Estimates from the consumers' reports on earlier buffers, by the facts that the pipeline names (kNN). For one
/// thread. Source: anthill-2010 section 4.
class JudgingTimes {
 public:
  /// `classes`: names of the device classes. A profile that cannot be used gives `report` one line.
  JudgingTimes(JudgingTraits traits, std::vector<std::string> classes, const JudgingProfile& profile,
               ProfileUse::Report report);

  /// Seconds on each class; NaN where nothing is known. All of them are when a fact of the tile is not.
  std::vector<double> of(const TileFacts& facts) const;
  /// Judging a tile took so long on this class. Times of 0, and tiles with a fact that is not known, are left out.
  void learn(const TileFacts& facts, std::size_t device_class, double seconds);
  /// Adds what was learnt to the profile.
  void save();

 private:
  std::optional<Features> features_of(const TileFacts& facts) const;

  const JudgingTraits traits_;
  const std::vector<std::string> classes_;
  KnnEstimator estimator_;
  unsigned codelet_;
  std::optional<ProfileUse> profile_;
};

}  // namespace starpath::mpi
