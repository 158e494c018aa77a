// Reads the nuclei of a study as points, which clustering works on.
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
  std::int64_t nuclei = 0;        // accepted ones
  std::int64_t first = 0;         // number of the slide's first nucleus among those of all slides
};

/// The slides of a study that are done, in the order of their numbers. `left_out` gets a line for each slide that is
/// not done. Throws Error{input} for a slide whose results are gone.
std::vector<ClusteredSlide> clustered_slides(const std::filesystem::path& study, const std::vector<io::StudyRow>& rows,
                                             std::vector<std::string>& left_out);

/// Mean and spread of one feature over all things (nuclei, slides, patients) that have a finite value of it.
struct FeatureSpread {
  std::string name;
  std::int64_t count = 0;        // of things with a finite value
  double mean = 0, squares = 0;  // sum of squared differences from the mean (Welford 1962)

  void add(double value);
  /// Adds what `other` knows of other things (Chan, Golub, LeVeque 1983).
  void merge(const FeatureSpread& other);
  double deviation() const;
};

using OnShare = std::function<void(double done)>;

/// The features that `wanted` stands for (as ExportOptions::features). Throws Error{usage} for one that a slide's
/// results do not have, Error{mismatch} for slides with other features.
std::vector<std::string> feature_names(const std::vector<ClusteredSlide>& slides,
                                       const std::vector<std::string>& wanted);

/// The slides at these places of `slides`.
std::vector<ClusteredSlide> slides_at(const std::vector<ClusteredSlide>& slides,
                                      const std::vector<std::size_t>& places);

/// Measures the features over all slides. This process reads the slides at the places `mine`; other processes of the
/// team read the others. Each slide is measured alone, and the slides are added in their order: the result does not
/// depend on how they are divided.
std::vector<FeatureSpread> measure_spread(const std::vector<ClusteredSlide>& slides,
                                          const std::vector<std::size_t>& mine, const std::vector<std::string>& names,
                                          Team& team, const OnShare& on_share);

/// The points of some slides, in a temporary file that goes with this object. Rows are padded (padded_point).
class PointFile final : public PointSource {
 public:
  /// Writes `features` of each nucleus as z-scores. Throws WriteError, for example on a full disk.
  PointFile(const std::filesystem::path& folder, std::vector<ClusteredSlide> slides,
            const std::vector<FeatureSpread>& features, const OnShare& on_share);

  int numbers() const override { return numbers_; }
  std::int64_t count() const override { return count_; }
  void read(std::int64_t first, std::span<std::int16_t> values) override;
  /// At most `most` points, taken evenly from the `all` points of the study. Points of other processes are zeros.
  Points sample(std::int64_t most, std::int64_t all);
  /// As PointsOf.
  Points points_of(std::span<const PointRun> runs);

 private:
  template <class Visit>
  void for_each_here(std::span<const PointRun> runs, const Visit& visit) const;

  const std::vector<ClusteredSlide> slides_;  // in the order of their points in the file
  int numbers_;
  std::int64_t count_ = 0;
  AtomicFile file_;
};

}  // namespace starpath
