// From vectors to points, and from centres to names.
#include "pipelines/study_clusters/cluster_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "pipelines/clustering/kmeans.hpp"
#include "pipelines/study_clusters/study_nuclei.hpp"

namespace starpath {
namespace {

std::vector<FeatureSpread> measure(const MemberVectors& vectors) {
  std::vector<FeatureSpread> spreads;
  for (const std::string& column : vectors.columns) spreads.push_back({column});
  for (const MemberVector& member : vectors.members)
    for (std::size_t i = 0; i < spreads.size(); ++i) spreads[i].add(member.values[i]);
  return spreads;
}

/// The values of `spreads`, which are some of the vectors' columns, as z-scores.
Points points_of(const MemberVectors& vectors, const std::vector<FeatureSpread>& spreads) {
  Points points{padded_point(static_cast<int>(spreads.size())), {}};
  const auto numbers = static_cast<std::size_t>(points.numbers);
  points.values.resize(vectors.members.size() * numbers);
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    const auto column =
        static_cast<std::size_t>(std::ranges::find(vectors.columns, spreads[i].name) - vectors.columns.begin());
    for (std::size_t member = 0; member < vectors.members.size(); ++member)
      points.values[member * numbers + i] =
          point_number(vectors.members[member].values[column], spreads[i].mean, spreads[i].deviation());
  }
  return points;
}

/// At most kClusterSample of the points, taken evenly.
Points sample_of(const Points& points) {
  const auto all = static_cast<std::int64_t>(points.count()), most = std::min(all, kClusterSample);
  Points sample{points.numbers, {}};
  for (std::int64_t i = 0; i < most; ++i) {
    const std::int16_t* const row = points.row(static_cast<std::size_t>(i * all / most));
    sample.values.insert(sample.values.end(), row, row + points.numbers);
  }
  return sample;
}

/// Fills in clusters and members of the outcome. `labels`: numbers of centres.
void name_clusters(const MemberVectors& vectors, const std::vector<FeatureSpread>& spreads, const Points& centres,
                   const CentreSums& sums, const std::vector<std::uint8_t>& labels, io::MemberClusters& clusters) {
  const std::vector<int> centre_of = order_by_size(centres, sums);
  std::vector<std::int64_t> number(centre_of.size());
  for (std::size_t place = 0; place < centre_of.size(); ++place) {
    number[static_cast<std::size_t>(centre_of[place])] = static_cast<std::int64_t>(place) + 1;
    io::MemberCluster cluster{fmt::format("cluster {}", place + 1), sums.points_of(centre_of[place]), {}};
    const std::int16_t* const centre = centres.row(static_cast<std::size_t>(centre_of[place]));
    for (std::size_t i = 0; i < spreads.size(); ++i)
      cluster.centre.emplace_back(spreads[i].name, value_of_point(centre[i], spreads[i].mean, spreads[i].deviation()));
    clusters.clusters.push_back(std::move(cluster));
  }
  for (std::size_t member = 0; member < labels.size(); ++member)
    clusters.members.emplace_back(vectors.members[member].name, number[labels[member]]);
}

MemberOutcome cluster(const MemberClusterRequest& request, const MemberVectors& vectors,
                      const ClusterProgress& progress, Team& team) {
  MemberOutcome outcome;
  const Noun noun = noun_of(request.kind);
  const auto count = static_cast<std::int64_t>(vectors.members.size());
  std::vector<FeatureSpread> spreads = measure(vectors);
  check_spread(spreads, count, noun, outcome.warnings);
  PointsInMemory points(points_of(vectors, spreads));
  const Points seeds =
      choose_centres(request.centres, sample_of(points.points()), noun, progress, team, outcome, outcome.warnings);
  progress.on_phase("clustering");
  const KmeansResult found = kmeans(points, seeds, request.rounds, {}, team);
  outcome.rounds = found.rounds;
  outcome.settled = found.settled;
  std::vector<std::uint8_t> labels;
  const CentreSums sums = label_points(
      points, found.centres,
      [&](std::int64_t, std::span<const std::uint8_t> some) { labels.insert(labels.end(), some.begin(), some.end()); },
      team);
  outcome.spread = in_deviations(sums.spread(), count);
  name_clusters(vectors, spreads, found.centres, sums, labels, outcome.clusters);
  outcome.clusters.about = about_clusters(request.centres, outcome.clusters.clusters.size(), outcome, spreads);
  return outcome;
}

}  // namespace

Noun noun_of(io::MemberKind kind) {
  return kind == io::MemberKind::slides ? Noun{"slide", "slides"} : Noun{"patient", "patients"};
}

MemberVectors plan_members(const std::filesystem::path& study, const io::StudyStore& store, io::MemberKind kind,
                           const std::vector<std::string>& features, int k, std::vector<std::string>& warnings) {
  const std::vector<io::StudyRow> rows = store.rows();
  if (kind == io::MemberKind::patients &&
      std::ranges::all_of(rows, [](const io::StudyRow& row) { return row.slide.patient.empty(); }))
    throw Error(ErrorKind::input,
                fmt::format("{}: no slide has a patient; name the patients in the column `patient` of a list, run "
                            "`starpath segment --slides LIST --resume` with it, or say --of slides",
                            study.string()));
  const std::vector<ClusteredSlide> slides = clustered_slides(study, rows, warnings);
  const std::vector<std::string> names = slides.empty() ? std::vector<std::string>() : feature_names(slides, features);
  MemberVectors vectors = member_vectors(rows, kind, names, warnings);
  const auto count = static_cast<std::int64_t>(vectors.members.size());
  const Noun noun = noun_of(kind);
  if (count < 2)
    throw Error(ErrorKind::input, fmt::format("{}: {} done and with nuclei, and clusters need two {} at least; add "
                                              "slides to the study",
                                              study.string(), count_text(count, noun), noun.many));
  if (k > count)
    throw Error(ErrorKind::usage, fmt::format("--k {} is more than the {} of the study that are done and have nuclei",
                                              k, count_text(count, noun)));
  return vectors;
}

std::optional<MemberOutcome> cluster_members(const MemberClusterRequest& request, const MemberVectors& vectors,
                                             const ClusterProgress& progress, const std::atomic<bool>& stop) {
  Alone team(stop);
  try {
    return cluster(request, vectors, progress, team);
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

}  // namespace starpath
