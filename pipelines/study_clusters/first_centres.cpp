// Checks before the first round, and the choice of k.
#include "pipelines/study_clusters/first_centres.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "base/words.hpp"
#include "pipelines/clustering/no_structure.hpp"

namespace starpath {
namespace {

constexpr int kLeastAuto = 2, kMostAuto = 12;  // numbers of clusters that --k auto tries

}  // namespace

std::string count_text(std::int64_t count, const Noun& noun) {
  return count == 1 ? fmt::format("1 {}", noun.one) : fmt::format("{} {}", grouped(count), noun.many);
}

void check_spread(std::vector<FeatureSpread>& features, std::int64_t count, const Noun& noun,
                  std::vector<std::string>& warnings) {
  std::string constant;
  std::erase_if(features, [&](const FeatureSpread& feature) {
    if (feature.deviation() > 0) return false;
    constant += (constant.empty() ? "" : ", ") + feature.name;
    return true;
  });
  if (features.empty())
    throw Error(ErrorKind::usage,
                fmt::format("no feature varies over the {} of the study ({}); choose other --features",
                            count_text(count, noun), constant));
  if (!constant.empty()) warnings.push_back(fmt::format("left out, as all {} have the same: {}", noun.many, constant));
  for (const FeatureSpread& feature : features)
    if (feature.count < count)
      warnings.push_back(fmt::format("{} of {} have no {}: the mean takes its place", grouped(count - feature.count),
                                     count_text(count, noun), feature.name));
  if (static_cast<int>(features.size()) > kMostPointNumbers)
    throw Error(ErrorKind::usage,
                fmt::format("--features are {}, and {} is the most", features.size(), kMostPointNumbers));
}

double in_deviations(std::int64_t spread, std::int64_t points) {
  return static_cast<double>(spread) / (double{kPointUnit} * kPointUnit * static_cast<double>(points));
}

Points choose_centres(const CentreRequest& request, const Points& sample, const Noun& noun,
                      const ClusterProgress& progress, Team& team, ClusterFigures& figures,
                      std::vector<std::string>& warnings) {
  const auto points = static_cast<std::int64_t>(sample.count());
  const int most = request.k > 0 ? request.k : static_cast<int>(std::min<std::int64_t>(kMostAuto, points));
  std::vector<SampleClusters> tried;
  for (int k = request.k > 0 ? request.k : std::min(kLeastAuto, most); k <= most; ++k) {
    progress.on_phase(fmt::format("{} clusters of {}", k, count_text(points, noun)));
    SampleClusters found;  // the same on all
    team.together([&] { found = cluster_sample(sample, k, request.seed); });
    figures.choices.push_back(
        {k, found.silhouette.mean, found.silhouette.standard_error, in_deviations(found.spread, points)});
    tried.push_back(std::move(found));
  }
  SampleClusters& chosen = choose_fewest(tried);
  if (std::string warning = warn_of_no_structure(chosen.silhouette.mean, "clusters"); !warning.empty())
    warnings.push_back(std::move(warning));
  return std::move(chosen.centres);
}

std::string about_clusters(const CentreRequest& request, std::size_t k, const ClusterFigures& figures,
                           const std::vector<FeatureSpread>& features) {
  nlohmann::json names = nlohmann::json::array(), choices = nlohmann::json::array();
  for (const FeatureSpread& feature : features)
    names.push_back({{"feature", feature.name}, {"mean", feature.mean}, {"deviation", feature.deviation()}});
  for (const ClusterChoice& each : figures.choices)
    choices.push_back({{"k", each.k},
                       {"silhouette", each.silhouette},
                       {"standard_error", each.standard_error},
                       {"spread", each.spread}});
  return nlohmann::json{{"method", "k-means"},        {"k", k},
                        {"auto", request.k == 0},     {"seed", request.seed},
                        {"rounds", figures.rounds},   {"batch", figures.batch},
                        {"settled", figures.settled}, {"spread", figures.spread},
                        {"sample", choices},          {"features", names}}
      .dump();
}

}  // namespace starpath
