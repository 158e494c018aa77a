// The nuclei of a study as points: what clustering reads of results, and how.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/atomic_file.hpp"
#include "io/study/study_store.hpp"
#include "pipelines/clustering/mini_batch.hpp"

namespace starpath {

/// A slide whose nuclei are clustered.
struct ClusteredSlide {
  std::int64_t number;            // in study.sqlite
  std::filesystem::path results;  // its results.sqlite
  std::int64_t nuclei = 0;        // accepted
  std::int64_t first = 0;         // of them, the number of the first among all slides'
};

/// The slides of a study that are done, by number. `left_out` gets a line for each other one. Throws Error{input} for a
/// slide whose results are gone.
std::vector<ClusteredSlide> clustered_slides(const std::filesystem::path& study, const std::vector<io::StudyRow>& rows,
                                             std::vector<std::string>& left_out);

/// One feature over all nuclei that have a finite number for it.
struct FeatureSpread {
  std::string name;
  std::int64_t nuclei = 0;       // that have one
  double mean = 0, squares = 0;  // sum of squared differences from the mean (Welford 1962)

  void add(double value);
  /// Of other nuclei (Chan, Golub, LeVeque 1983).
  void merge(const FeatureSpread& other);
  double deviation() const;
};

using OnShare = std::function<void(double done)>;

/// The features that `wanted` stands for (as ExportOptions::features). Throws Error{usage} for one that a slide's
/// results do not have, Error{mismatch} for slides with other features.
std::vector<std::string> feature_names(const std::vector<ClusteredSlide>& slides,
                                       const std::vector<std::string>& wanted);

/// The slides at these places.
std::vector<ClusteredSlide> slides_at(const std::vector<ClusteredSlide>& slides,
                                      const std::vector<std::size_t>& places);

/// Over all slides. This process reads those at the places `mine`, each other one is another process's. Slides are
/// measured one by one and put together in their order, so that the same comes out however they are divided.
std::vector<FeatureSpread> measure_spread(const std::vector<ClusteredSlide>& slides,
                                          const std::vector<std::size_t>& mine, const std::vector<std::string>& names,
                                          Team& team, const OnShare& on_share);

/// The points of some slides in a file that no other program sees whole: it goes when this ends. Rows are padded
/// (padded_point).
class PointFile final : public PointSource {
 public:
  /// `features` as z-scores. Throws WriteError, as on a full disk.
  PointFile(const std::filesystem::path& folder, std::vector<ClusteredSlide> slides,
            const std::vector<FeatureSpread>& features, const OnShare& on_share);

  int numbers() const override { return numbers_; }
  std::int64_t count() const override { return count_; }
  void read(std::int64_t first, std::span<std::int16_t> values) override;
  /// At most so many points, evenly over the `all` of the study. Those that are not here are zeros.
  Points sample(std::int64_t most, std::int64_t all);
  /// As PointsOf.
  Points points_of(std::span<const PointRun> runs);

 private:
  template <class Visit>
  void for_each_here(std::span<const PointRun> runs, const Visit& visit) const;

  const std::vector<ClusteredSlide> slides_;  // whose points follow each other here
  int numbers_;
  std::int64_t count_ = 0;
  AtomicFile file_;
};

}  // namespace starpath
