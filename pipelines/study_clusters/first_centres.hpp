// What clusters of nuclei, of slides and of patients have in common: values that part them, and first centres.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pipelines/clustering/points.hpp"
#include "pipelines/clustering/team.hpp"
#include "pipelines/study_clusters/study_nuclei.hpp"

namespace starpath {

/// A noun for messages.
struct Noun {
  const char *one, *many;
};
inline constexpr Noun kNuclei{"nucleus", "nuclei"};

/// "1 nucleus", "1,234 nuclei".
std::string count_text(std::int64_t count, const Noun& noun);

/// One number of clusters, as the sample has it.
struct ClusterChoice {
  int k;
  double silhouette, standard_error;  ///< of the silhouette
  double spread;                      ///< mean squared distance from the centre, squared deviations
};

/// How clusters were found.
struct ClusterFigures {
  std::vector<ClusterChoice> choices;  ///< of `--k auto`, or of the one k
  std::int64_t batch = 0;              ///< points that a round looked at; 0: all
  int rounds = 0;
  bool settled = false;
  double spread = 0;  ///< as ClusterChoice::spread, of all points
};

/// Told of the work as it goes on.
struct ClusterProgress {
  std::function<void(const std::string& what)> on_phase;  // what begins: "reading features"
  OnShare on_share;                                       // how much of it is done, 0 to 1
};

/// What a user asks of the number of clusters and of the draws.
struct CentreRequest {
  int k = 0;  ///< 0: chosen by silhouettes of a sample
  std::uint64_t seed = 1;
};

/// Points that first centres are found on, at most.
inline constexpr std::int64_t kClusterSample = 20'000;

/// Takes out the features that cannot part `count` things, and adds a line to `warnings` for what is missing. Throws
/// Error{usage} if no feature is left, or more than points can hold.
void check_spread(std::vector<FeatureSpread>& features, std::int64_t count, const Noun& noun,
                  std::vector<std::string>& warnings);

/// Squared deviations of a point, from the sum over `points`.
double in_deviations(std::int64_t spread, std::int64_t points);

/// Centres of the number of clusters that was said, or that silhouettes speak for. Each number that was tried is added
/// to `figures`, and `warnings` gets a line where the chosen one has no structure. The same on all of `team`.
Points choose_centres(const CentreRequest& request, const Points& sample, const Noun& noun,
                      const ClusterProgress& progress, Team& team, ClusterFigures& figures,
                      std::vector<std::string>& warnings);

/// How `k` clusters were found, as JSON (docs/groups-of-nuclei.md).
std::string about_clusters(const CentreRequest& request, std::size_t k, const ClusterFigures& figures,
                           const std::vector<FeatureSpread>& features);

}  // namespace starpath
