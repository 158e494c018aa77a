// Spread, points, centres, labels.
#include "pipelines/study_clusters/cluster_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "base/words.hpp"
#include "io/results/group_colours.hpp"
#include "io/results/group_store.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/result_store.hpp"
#include "pipelines/clustering/mini_batch.hpp"
#include "pipelines/clustering/no_structure.hpp"

namespace starpath {
namespace {

constexpr std::int64_t kSample = 20'000;       // points that seeds and --k auto are found on
constexpr int kLeastAuto = 2, kMostAuto = 12;  // numbers of clusters that --k auto tries

/// Takes out the features that cannot part nuclei, and says of what is missing.
void check_spread(std::vector<FeatureSpread>& features, std::int64_t nuclei, std::vector<std::string>& warnings) {
  std::string constant;
  std::erase_if(features, [&](const FeatureSpread& feature) {
    if (feature.deviation() > 0) return false;
    constant += (constant.empty() ? "" : ", ") + feature.name;
    return true;
  });
  if (features.empty())
    throw Error(ErrorKind::usage,
                fmt::format("no feature varies over the {} of the study ({}); choose other --features",
                            nuclei == 1 ? "1 nucleus" : fmt::format("{} nuclei", nuclei), constant));
  if (!constant.empty()) warnings.push_back("left out, as all nuclei have the same: " + constant);
  for (const FeatureSpread& feature : features)
    if (feature.nuclei < nuclei)
      warnings.push_back(fmt::format("{} of {} nuclei have no {}: the mean takes its place",
                                     grouped(nuclei - feature.nuclei), grouped(nuclei), feature.name));
  if (static_cast<int>(features.size()) > kMostPointNumbers)
    throw Error(ErrorKind::usage,
                fmt::format("--features are {}, and {} is the most", features.size(), kMostPointNumbers));
}

double in_deviations(std::int64_t spread, std::int64_t points) {
  return static_cast<double>(spread) / (double{kPointUnit} * kPointUnit * static_cast<double>(points));
}

/// Centres of the number of clusters that was said, or that silhouettes speak for.
Points choose_centres(const ClusterRequest& arguments, const Points& sample, const ClusterProgress& progress,
                      Team& team, std::vector<ClusterChoice>& choices) {
  const auto points = static_cast<std::int64_t>(sample.count());
  const int most = arguments.k > 0 ? arguments.k : static_cast<int>(std::min<std::int64_t>(kMostAuto, points));
  std::vector<SampleClusters> tried;
  for (int k = arguments.k > 0 ? arguments.k : std::min(kLeastAuto, most); k <= most; ++k) {
    progress.on_phase(fmt::format("{} clusters of {} nuclei", k, grouped(points)));
    SampleClusters found;  // the same on all
    team.together([&] { found = cluster_sample(sample, k, arguments.seed); });
    choices.push_back({k, found.silhouette.mean, found.silhouette.standard_error, in_deviations(found.spread, points)});
    tried.push_back(std::move(found));
  }
  return std::move(choose_fewest(tried).centres);
}

/// Throws Error{output} for results that nobody could begin to write now, Error{mismatch} for results that are only
/// read. Changes nothing.
void check_can_change(const std::filesystem::path& results) {
  Database database(results, Database::Open::existing);
  io::check_can_be_changed(database);
  database.execute("BEGIN IMMEDIATE; ROLLBACK");
}

/// Writes the labels, from 1, into a slide's results, and counts them by region.
void write_labels(const ClusteredSlide& slide, std::span<const std::uint8_t> labels,
                  std::vector<io::ClusterRecord> clusters, std::vector<io::ClusterCount>& counts) {
  const io::RunKey key =
      io::ResultStore::open(slide.results).key();  // closed again: a reader holds up a file in WAL mode
  const io::ResultStore store = io::ResultStore::resume(slide.results, key);
  io::GroupStore groups(store);
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> found;  // region and cluster
  for (const std::uint8_t label : labels) {
    ++clusters[label - 1U].nuclei;
    ++found[{0, label}];
  }
  if (!groups.regions().empty())
    io::NucleusStore(store).for_each_nucleus(
        false, [&, next = labels.begin()](std::int64_t, const io::NucleusRecord& nucleus) mutable {
          ++found[{nucleus.region, *next++}];
        });
  groups.put_clusters(clusters, labels);
  for (const auto& [place, nuclei] : found) counts.push_back({slide.number, place.first, place.second, nuclei});
}

std::string about(const ClusterRequest& arguments, const std::vector<FeatureSpread>& features,
                  const ClusterOutcome& outcome) {
  nlohmann::json names = nlohmann::json::array(), choices = nlohmann::json::array();
  for (const FeatureSpread& feature : features)
    names.push_back({{"feature", feature.name}, {"mean", feature.mean}, {"deviation", feature.deviation()}});
  for (const ClusterChoice& each : outcome.choices)
    choices.push_back({{"k", each.k},
                       {"silhouette", each.silhouette},
                       {"standard_error", each.standard_error},
                       {"spread", each.spread}});
  return nlohmann::json{{"method", "k-means"},        {"k", outcome.clusters.clusters.size()},
                        {"auto", arguments.k == 0},   {"seed", arguments.seed},
                        {"rounds", outcome.rounds},   {"batch", outcome.batch},
                        {"settled", outcome.settled}, {"spread", outcome.spread},
                        {"sample", choices},          {"features", names}}
      .dump();
}

class Clustering {
 public:
  Clustering(const ClusterRequest& arguments, const ClusterPlan& plan, const std::vector<std::size_t>& mine, Team& team,
             const ClusterProgress& progress, const std::atomic<bool>& stop)
      : arguments_(arguments),
        plan_(plan),
        mine_(mine),
        slides_(slides_at(plan.slides, mine)),
        team_(team),
        progress_(progress),
        stop_(stop) {}

  /// `before_writing`: once all slides can be written, before the first is.
  ClusterOutcome run(const std::function<void()>& before_writing) {
    progress_.on_phase("reading features");
    features_ = measure_spread(plan_.slides, mine_, plan_.features, team_, share());
    team_.together([&] { check_spread(features_, plan_.nuclei(), outcome_.warnings); });
    progress_.on_phase("standardising features");
    std::optional<PointFile> points;
    Points sample;
    team_.together([&] {
      points.emplace(arguments_.study, slides_, features_, share());
      sample = points->sample(kSample, plan_.nuclei());
    });
    unite(team_, sample.values);
    const Points seeds = choose_centres(arguments_, sample, progress_, team_, outcome_.choices);
    warn_of_silhouette(static_cast<int>(seeds.count()));
    progress_.on_phase("clustering");
    const KmeansResult found = find_centres(*points, seeds);
    outcome_.rounds = found.rounds;
    outcome_.settled = found.settled;
    label(*points, found.centres);
    team_.together([&] { find_typical(*points, found.centres); });
    team_.together([&] {
      for (const ClusteredSlide& slide : slides_) check_can_change(slide.results);
    });
    team_.together_to_the_end(before_writing);
    team_.together_to_the_end([&] { write(); });
    return std::move(outcome_);
  }

 private:
  OnShare share() const {
    return [this](double done) {
      if (stop_) throw Stopped();
      progress_.on_share(done);
    };
  }

  void warn_of_silhouette(int k) {
    const auto chosen = std::ranges::find(outcome_.choices, k, &ClusterChoice::k);
    if (std::string warning = warn_of_no_structure(chosen->silhouette, "clusters"); !warning.empty())
      outcome_.warnings.push_back(std::move(warning));
  }

  KmeansResult find_centres(PointFile& points, const Points& seeds) {
    const OnRound tell = [&](int round, std::int64_t) {
      progress_.on_share(static_cast<double>(round) / arguments_.rounds);
    };
    if (arguments_.batch == 0 || arguments_.batch >= plan_.nuclei())
      return kmeans(points, seeds, arguments_.rounds, tell, team_);
    outcome_.batch = arguments_.batch;
    const BatchOptions options{arguments_.batch, plan_.nuclei(), arguments_.rounds, arguments_.seed};
    return kmeans_by_batches([&](std::span<const PointRun> runs) { return points.points_of(runs); }, seeds, options,
                             tell, team_);
  }

  void label(PointFile& points, const Points& centres) {
    progress_.on_phase("labelling");
    labels_.reserve(static_cast<std::size_t>(points.count()));
    const CentreSums sums = label_points(
        points, centres,
        [&](std::int64_t, std::span<const std::uint8_t> labels) {
          labels_.insert(labels_.end(), labels.begin(), labels.end());
        },
        team_);
    outcome_.spread = in_deviations(sums.spread(), plan_.nuclei());
    centre_of_ = order_by_size(centres, sums);
    std::vector<std::uint8_t> number(centre_of_.size());
    for (std::size_t i = 0; i < centre_of_.size(); ++i) {
      number[static_cast<std::size_t>(centre_of_[i])] = static_cast<std::uint8_t>(i + 1);
      add_cluster(centres.row(static_cast<std::size_t>(centre_of_[i])), sums.points_of(centre_of_[i]));
    }
    for (std::uint8_t& label : labels_) label = number[label];
    outcome_.clusters.about = about(arguments_, features_, outcome_);
  }

  void find_typical(PointFile& points, const Points& centres) {
    outcome_.typical = TypicalNuclei(centre_of_.size(), kTypicalNuclei);
    const auto numbers = static_cast<std::size_t>(points.numbers());
    std::vector<std::int16_t> block;
    std::int64_t before = 0;
    for (const ClusteredSlide& slide : slides_) {
      for (std::int64_t first = 0; first < slide.nuclei; first += kPointsOfBlock) {
        const std::int64_t end = std::min(slide.nuclei, first + kPointsOfBlock);
        block.resize(static_cast<std::size_t>(end - first) * numbers);
        points.read(before + first, block);
        for (std::int64_t p = first; p < end; ++p) {
          const std::size_t cluster = labels_[static_cast<std::size_t>(before + p)] - 1U;
          const std::int16_t* const centre = centres.row(static_cast<std::size_t>(centre_of_[cluster]));
          const std::int16_t* const point = block.data() + static_cast<std::size_t>(p - first) * numbers;
          outcome_.typical.add(cluster, squared_distance(point, centre, points.numbers()), slide.first + p);
        }
      }
      before += slide.nuclei;
    }
  }

  void add_cluster(const std::int16_t* centre, std::int64_t nuclei) {
    const std::size_t place = outcome_.clusters.clusters.size();
    io::StudyCluster cluster{fmt::format("cluster {}", place + 1), io::group_colour(place), nuclei, {}};
    for (std::size_t i = 0; i < features_.size(); ++i)
      cluster.centre.emplace_back(features_[i].name,
                                  features_[i].mean + centre[i] * features_[i].deviation() / kPointUnit);
    outcome_.clusters.clusters.push_back(std::move(cluster));
  }

  void write() {
    std::vector<io::ClusterRecord> records;
    for (const io::StudyCluster& cluster : outcome_.clusters.clusters)
      records.push_back({cluster.name, cluster.colour});
    std::span<const std::uint8_t> labels = labels_;
    for (const ClusteredSlide& slide : slides_) {
      progress_.on_phase("writing " + slide.results.string());
      const auto nuclei = static_cast<std::size_t>(slide.nuclei);
      write_labels(slide, labels.first(nuclei), records, outcome_.clusters.counts);
      labels = labels.subspan(nuclei);
    }
  }

  const ClusterRequest& arguments_;
  const ClusterPlan& plan_;
  const std::vector<std::size_t>& mine_;
  const std::vector<ClusteredSlide> slides_;  // mine
  Team& team_;
  const ClusterProgress& progress_;
  const std::atomic<bool>& stop_;
  ClusterOutcome outcome_;
  std::vector<FeatureSpread> features_;
  std::vector<int> centre_of_;        // of each cluster
  std::vector<std::uint8_t> labels_;  // clusters from 1, of the nuclei of my slides
};

}  // namespace

std::optional<ClusterOutcome> cluster_nuclei(const ClusterRequest& arguments, const ClusterPlan& plan,
                                             const std::vector<std::size_t>& mine, Team& team,
                                             const ClusterProgress& progress, const std::atomic<bool>& stop,
                                             const std::function<void()>& before_writing) {
  try {
    return Clustering(arguments, plan, mine, team, progress, stop).run(before_writing);
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

}  // namespace starpath
