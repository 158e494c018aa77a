// The life of a rank.
#include "runs/clusters/cluster_study.hpp"

#include <starpu.h>

#include <future>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/stop_signals.hpp"
#include "pipelines/run/starpu_environment.hpp"
#include "pipelines/study_clusters/share_out.hpp"
#include "runs/clusters/rank_team.hpp"
#include "runs/compute.hpp"
#include "runs/rank_life.hpp"
#include "starpath_version.hpp"

namespace starpath {
namespace {

using mpi::Job;

/// Tells the listener, which must outlive what is returned.
ClusterProgress progress_in(RunListener& listener) {
  return {[&](const std::string& what) { listener.phase(what); }, [&](double done) { listener.share(done); }};
}

/// What every rank must have been given alike. The slides are not in it: rank 0 tells them.
mpi::Agreement agreement_of(const RunRequest& run, const ClusterRequest& arguments) {
  const nlohmann::json options = {{"features", arguments.features}, {"k", arguments.k},
                                  {"rounds", arguments.rounds},     {"batch", arguments.batch},
                                  {"seed", arguments.seed},         {"export", run.exports}};
  return {version, "of a study", options.dump()};
}

/// Learns that all ranks have done their part. This job hands out no tiles.
class EndOfJob final : public TileSink {
 public:
  explicit EndOfJob(TileSource& source) : source_(source) { source.start(*this); }
  ~EndOfJob() override { source_.leave(); }
  /// This rank has done its part.
  void wait() {
    source_.drained();
    over_.get_future().wait();
  }

  void over(bool) override { over_.set_value(); }
  void give(std::vector<GivenInstance>) override {}
  void drop() override {}
  void no_more() override {}
  void done_elsewhere(const TileDone&) override {}
  void forget(std::int64_t) override {}
  void hand_over(const StageInstance&, int) override {}

 private:
  TileSource& source_;
  std::promise<void> over_;
};

/// What rank 0 needs to know of each rank.
std::string books_of(const std::optional<ClusterOutcome>& found) {
  nlohmann::json counts = nlohmann::json::array(), typical = nlohmann::json::array();
  if (found) {
    for (const io::ClusterCount& count : found->clusters.counts)
      counts.push_back({count.slide, count.region, count.cluster, count.nuclei});
    found->typical.for_each([&](std::size_t cluster, std::uint32_t distance, std::int64_t number) {
      typical.push_back({cluster, distance, number});
    });
  }
  return nlohmann::json{{"counts", counts}, {"typical", typical}}.dump();
}

void add_books(const std::string& text, ClusterOutcome& outcome) {
  const nlohmann::json books = nlohmann::json::parse(text);
  for (const auto& count : books["counts"])
    outcome.clusters.counts.push_back({count.at(0), count.at(1), count.at(2), count.at(3)});
  for (const auto& nucleus : books["typical"]) outcome.typical.add(nucleus.at(0), nucleus.at(1), nucleus.at(2));
}

/// Called when all ranks can begin.
std::optional<ClusterOutcome> cluster_in_step(const ClusterRequest& arguments, Job& job, const ClusterPlan& plan,
                                              const std::vector<std::size_t>& mine, RunListener& report,
                                              ClusteredStudy* study) {
  const std::atomic<bool>& stop = catch_stop_signals();
  std::optional<RankTeam> team;
  try {
    team.emplace(job, stop);
    return cluster_nuclei(arguments, plan, mine, *team, progress_in(report), stop, [study] {
      if (study != nullptr) study->begin();
    });
  } catch (const std::exception& error) {
    if (!team || !team->over()) job.abort(error.what());
    throw;
  }
}

/// This rank's part of the work. `study` is set on rank 0, which tells the others its plan.
std::optional<ClusterOutcome> cluster_here(const RunRequest& run, const ClusterRequest& arguments, Job& job,
                                           ClusteredStudy* study, RunListener& report) {
  std::optional<ClusterOutcome> found;
  compute(run, report, [&] {
    const nlohmann::json introduction = {{"workers", starpu_worker_get_count()},
                                         {"plan", study != nullptr ? plan_text(study->plan(), arguments.study) : ""}};
    const auto introductions = job.begin(introduction.dump(), [](int, const mpi::StreamMessage&) {});
    if (!introductions) return;
    std::vector<std::int64_t> weights;
    for (const std::string& other : *introductions) weights.push_back(nlohmann::json::parse(other)["workers"]);
    const ClusterPlan all =
        plan_from(nlohmann::json::parse(introductions->front())["plan"].get<std::string>(), arguments.study);
    std::vector<std::int64_t> nuclei;
    for (const ClusteredSlide& slide : all.slides) nuclei.push_back(slide.nuclei);
    const auto mine = share_out(nuclei, weights)[static_cast<std::size_t>(job.rank())];
    found = cluster_in_step(arguments, job, all, mine, report, study);
  });
  return found;
}

void check_can_start(const RunRequest& run) {
  choose_policy(run.session);
  check_starpu_environment();
}

void work_for_rank_0(const RunRequest& run, const ClusterRequest& arguments, Job& job, RunListener& listener) {
  mpi::BufferTransport::require();
  check_can_start(run);
  job.work(agreement_of(run, arguments));
  const io::OutputLock lock(arguments.study, job.rank());
  NotesAlone notes(listener);
  job.bye(books_of(cluster_here(run, arguments, job, nullptr, notes)));
}

void manage(const RunRequest& run, const ClusterRequest& arguments, Job& job, ClusteredStudy& study,
            RunListener& listener) {
  EndOfJob end(job.manage(agreement_of(run, arguments), {}));
  auto found = cluster_here(run, arguments, job, &study, listener);
  end.wait();
  const std::vector<mpi::RankResult> ranks = job.finish();
  if (!found) return;
  for (std::size_t rank = 1; rank < ranks.size(); ++rank) add_books(ranks[rank].books, *found);
  study.put(std::move(*found));
}

std::unique_ptr<ClusteredStudy> cluster_alone(const RunRequest& run, const ClusterRequest& arguments,
                                              RunListener& listener) {
  check_can_start(run);
  const std::atomic<bool>& stop = catch_stop_signals();
  auto study = std::make_unique<ClusteredStudy>(run, arguments);
  std::vector<std::size_t> all(study->plan().slides.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Alone team(stop);
  std::optional<ClusterOutcome> found;
  compute(run, listener, [&] {
    found = cluster_nuclei(arguments, study->plan(), all, team, progress_in(listener), stop, [&] { study->begin(); });
  });
  if (found) study->put(std::move(*found));
  return study;
}

}  // namespace

std::unique_ptr<ClusteredStudy> cluster_study(const RunRequest& run, const ClusterRequest& arguments,
                                              RunListener& listener) {
  if (mpi::launched_ranks() == 1) return cluster_alone(run, arguments, listener);
  std::unique_ptr<ClusteredStudy> study;  // its lock goes last, when no other rank has the folder
  auto job = join_job(run, mpi::MpiUse::shared, listener);
  if (job->rank() == 0)
    with_failures_told(*job, [&] {
      mpi::BufferTransport::require();
      check_can_start(run);
      study = std::make_unique<ClusteredStudy>(run, arguments);
      manage(run, arguments, *job, *study, listener);
    });
  else
    run_as_worker_rank(*job, [&] { work_for_rank_0(run, arguments, *job, listener); });
  return study;
}

}  // namespace starpath
