// Segmenting as one rank of several: rank 0 hands out tiles and merges, every rank computes.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/core_share.hpp"
#include "apps/segment_run.hpp"
#include "base/error.hpp"
#include "io/result_parts.hpp"
#include "mpi/cluster.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;
using cluster::Agreement;
using cluster::Cluster;

Agreement agreement_of(const io::RunKey& key) { return {key.starpath_version, key.slide_fingerprint, key.parameters}; }

fs::path results_file(const SegmentArguments& arguments) { return fs::path(arguments.out) / "results.sqlite"; }

/// Who ran what on a rank, for the summary of rank 0.
std::string books_of(const Outcome& outcome) {
  nlohmann::json shares = nlohmann::json::object();
  for (const auto& [kind, stages] : outcome.progress.shares)
    for (const auto& [stage, share] : stages) shares[kind][stage] = {share.tasks, share.seconds};
  return nlohmann::json{{"cpu", outcome.cpu_workers}, {"cuda", outcome.cuda_workers}, {"shares", shares}}.dump();
}

void add_books(const std::string& text, Outcome& outcome) {
  const nlohmann::json books = nlohmann::json::parse(text);
  outcome.cpu_workers += books["cpu"].get<int>();
  outcome.cuda_workers += books["cuda"].get<int>();
  for (const auto& [kind, stages] : books["shares"].items())
    for (const auto& [stage, share] : stages.items()) {
      StageShare& sum = outcome.progress.shares[kind][stage];
      sum.tasks += share[0].get<std::int64_t>();
      sum.seconds += share[1].get<double>();
    }
}

void work_here(const SegmentArguments& arguments, const SegmentInput& input, io::ResultStore& store, TileSource& tiles,
               const ProgressCallback& on_progress, Outcome& outcome) {
  static const std::atomic<bool> never{false};  // the cluster hears of signals, and tells every rank
  compute(arguments, outcome,
          [&] { outcome.progress = segment_tiles(input.grid, store, arguments.options, tiles, on_progress, never); });
}

/// Ranks other than 0: their results go into a file of their own.
void work_for_manager(SegmentArguments& arguments, Cluster& cluster) {
  const SegmentInput input(arguments);
  choose_policy(arguments.session);
  TileSource& tiles = cluster.work(agreement_of(input.key));
  Outcome outcome;
  {
    io::ResultStore part =
        io::ResultStore::create(io::part_file(results_file(arguments), cluster.rank()), input.key, input.info);
    work_here(arguments, input, part, tiles, {}, outcome);
  }
  cluster.bye(books_of(outcome));
}

/// What rank 0 has after the ranks are gone.
struct Collected {
  std::vector<Cluster::RankResult> ranks;
  std::vector<std::string> names;
};

Collected manage(const SegmentArguments& arguments, const SegmentInput& input, io::ResultStore& store, Cluster& cluster,
                 ProgressReport& report, Outcome& outcome) {
  TileSource& tiles = cluster.manage(agreement_of(input.key), tiles_left(input.grid, store, arguments.options));
  const auto on_progress = [&](const Progress& progress, const std::string& failure) {
    report.update(progress, failure);
  };
  work_here(arguments, input, store, tiles, on_progress, outcome);
  Collected collected{cluster.finish(), {}};
  for (int rank = 0; rank < cluster.size(); ++rank) collected.names.push_back(cluster.name_of(rank));
  return collected;
}

/// The store must be closed.
void merge(const SegmentArguments& arguments, const SegmentInput& input, const Collected& collected,
           ProgressReport& report, Outcome& outcome) {
  report.phase(fmt::format("merging the results of {} ranks", collected.ranks.size()));
  for (std::size_t rank = 1; rank < collected.ranks.size(); ++rank) {
    const fs::path part = io::part_file(results_file(arguments), static_cast<int>(rank));
    std::error_code error;
    const std::int64_t merged = fs::exists(part, error) ? io::merge_part(results_file(arguments), part, input.key) : 0;
    if (merged < collected.ranks[rank].tiles)
      throw Error(ErrorKind::output,
                  fmt::format("{}: holds {} of the {} tiles of {}: --out must be one folder that all nodes share",
                              part.string(), merged, collected.ranks[rank].tiles, collected.names[rank]));
    io::remove_results_file(part);
    add_books(collected.ranks[rank].books, outcome);
  }
}

int manage_and_conclude(SegmentArguments& arguments, std::unique_ptr<Cluster> cluster) {
  ProgressReport report(choose_style(arguments.json, arguments.quiet), "nuclei");
  std::optional<SegmentInput> input;
  std::optional<io::ResultStore> store;
  Outcome outcome;
  with_resume_hint(report, [&] {
    Collected collected;
    try {
      input.emplace(arguments);
      choose_policy(arguments.session);
      store.emplace(open_results(arguments, *input));
      collected = manage(arguments, *input, *store, *cluster, report, outcome);
    } catch (const Error& error) {
      cluster->fail(error.kind(), error.what());
      throw;
    } catch (const std::exception& error) {
      cluster->fail(ErrorKind::internal, error.what());
      throw;
    }
    cluster.reset();  // the others may go while this rank merges
    store.reset();
    merge(arguments, *input, collected, report, outcome);
    store.emplace(io::ResultStore::resume(results_file(arguments).string(), input->key));
    conclude_segmentation(arguments, *input, *store, report, outcome);
  });
  return tell(arguments, outcome);
}

}  // namespace

int segment_as_rank(SegmentArguments arguments) {
  if (!arguments.record.empty())
    throw Error(ErrorKind::usage, "--record and compare are for one process: start without mpirun");
  cluster::ClusterOptions options;
  options.patience = arguments.patience;
  options.stop = &catch_stop_signals();
  options.on_lost = [](const std::string& what) { fmt::print(stderr, "starpath: {}\n", what); };
  auto cluster = std::make_unique<Cluster>(options);
  take_core_share(cluster->core_share());
  if (cluster->rank() == 0) return manage_and_conclude(arguments, std::move(cluster));
  // Rank 0 tells what went wrong here, and its exit code is that of the job: a launcher kills all ranks at once when
  // one of them ends with another than 0.
  try {
    work_for_manager(arguments, *cluster);
  } catch (const Error& error) {
    cluster->fail(error.kind(), error.what());
  } catch (const std::exception& error) {
    cluster->fail(ErrorKind::internal, error.what());
  }
  return 0;
}

}  // namespace starpath::apps
