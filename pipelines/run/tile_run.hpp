// The loop that keeps a window of stage instances in flight, for every pipeline.
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "pipelines/run/blocking_queue.hpp"
#include "pipelines/run/memory_need.hpp"
#include "pipelines/run/memory_watch.hpp"
#include "pipelines/run/run_progress.hpp"
#include "pipelines/run/tile_intake.hpp"
#include "pipelines/run/tile_loop.hpp"
#include "pipelines/run/worker_rest.hpp"

namespace starpath {

/// One run over the stage instances of a source. A job is in flight while one of its stages is; between stages it is
/// kept with its data, until this process is given the next stage, or told to forget it. Stages of a
/// tile that need nothing of each other run one after the other. Used by the thread that runs
/// the pipeline, except post(). StarPU must be running. Other threads may run pipelines of their own at the same time.
class TileRun : public TileLoop {
 public:
  TileRun(TilePipeline& pipeline, TileSource& source, const TileRunOptions& options,
          const ProgressCallback& on_progress);
  /// Waits for this run's tasks: they hold addresses of jobs.
  ~TileRun() override;
  TileRun(const TileRun&) = delete;
  TileRun& operator=(const TileRun&) = delete;

  Progress work(std::size_t total, std::size_t left, const std::atomic<bool>& stop) override;
  void post(std::function<void()> event) override { events_.push(std::move(event)); }
  void task_ended(TileJob& job, const std::string& stage, bool reading, const TaskExecution& task) override;
  void done(const TileDone& tile) override;
  void failed(const std::exception_ptr& reason) override { std::rethrow_exception(reason); }

 private:
  /// Waits; says so when it takes long.
  std::function<void()> next_event();
  std::optional<std::function<void()>> next_event_within(std::chrono::seconds limit);
  void handle(const SourceEvent& event);
  void start(GivenInstance given);
  void start_behind(std::int64_t tile);
  std::size_t in_flight() const { return jobs_.size() + behind_.size(); }
  TileJob& job_for(const GivenInstance& given);
  void keep(TileJob& job);
  void hand_over(const DataWanted& wanted);
  void advance(TileJob& job);
  void retry_or_give_up(TileJob& job);
  void finish(TileJob& job, const std::string& error);

  TilePipeline& pipeline_;
  const TileRunOptions options_;
  RunProgress progress_;
  MemoryNeed need_;                    // from work() on
  std::optional<MemoryWatch> memory_;  // the same
  WorkerRest rest_;
  BlockingQueue<std::function<void()>> events_;
  TileIntake intake_;
  std::unordered_map<TileJob*, std::unique_ptr<TileJob>> jobs_;      // in flight
  std::unordered_map<std::int64_t, std::unique_ptr<TileJob>> kept_;  // between stages, by tile
  std::unordered_multimap<std::int64_t, GivenInstance> behind_;      // another stage of their tile is in work
  std::unordered_map<std::int64_t, int> last_stages_;                // of tiles that are being written
  std::unordered_set<std::int64_t> given_up_;                        // tiles whose instances are not begun any more
  bool ending_ = false;                                              // only the ends of tasks matter
  std::size_t writing_ = 0;                                          // finished, but not known to be on the disk
};

/// Such loops over the instances of `source`. Both arguments must outlive them.
MakeTileLoop tile_runs(TileSource& source, const ProgressCallback& on_progress);

}  // namespace starpath
