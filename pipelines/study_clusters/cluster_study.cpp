// Spread, points, centres, labels.
#include "pipelines/study_clusters/cluster_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "io/results/group_colours.hpp"
#include "io/results/group_store.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/result_store.hpp"
#include "pipelines/clustering/mini_batch.hpp"
#include "pipelines/study_clusters/first_centres.hpp"

namespace starpath {
namespace {

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

class Clustering {
 public:
  Clustering(const ClusterRequest& arguments, const ClusterPlan& plan, const std::vector<std::size_t>& mine, Team& team,
             const ClusterProgress& progress, const std::atomic<bool>& stop)
      : arguments_(arguments),
        asked_{arguments.k, arguments.seed},
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
    team_.together([&] { check_spread(features_, plan_.nuclei(), kNuclei, outcome_.warnings); });
    progress_.on_phase("standardising features");
    std::optional<PointFile> points;
    Points sample;
    team_.together([&] {
      points.emplace(arguments_.study, slides_, features_, share());
      sample = points->sample(kClusterSample, plan_.nuclei());
    });
    unite(team_, sample.values);
    const Points seeds = choose_centres(asked_, sample, kNuclei, progress_, team_, outcome_, outcome_.warnings);
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
    outcome_.clusters.about = about_clusters(asked_, outcome_.clusters.clusters.size(), outcome_, features_);
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
                                  value_of_point(centre[i], features_[i].mean, features_[i].deviation()));
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
  const CentreRequest asked_;
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
