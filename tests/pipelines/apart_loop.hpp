// A loop for tests that reads each tile with one job and judges it with another, as ranks with streams do.
#pragma once
#include <starpu.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pipelines/run/blocking_queue.hpp"
#include "pipelines/run/tile_loop.hpp"

namespace starpath::test {

/// One tile after the other. A buffer is copied into one that the judge has made, as if it had come from elsewhere.
class ApartLoop : public TileLoop {
 public:
  ApartLoop(TilePipeline& pipeline, std::vector<std::int64_t> tiles, int& rounds)
      : pipeline_(pipeline), tiles_(std::move(tiles)), rounds_(rounds) {}
  ~ApartLoop() override { starpu_task_wait_for_all(); }

  Progress work(std::size_t, std::size_t, const std::atomic<bool>&) override {
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    for (const std::int64_t tile : tiles_) {
      const auto reader = job_for(tile);
      for (int round = 0; !judge(*reader, round); ++round) {
      }
    }
    return progress_;
  }

  void post(std::function<void()> event) override { events_.push(std::move(event)); }
  void task_ended(TileJob& job, const std::string&, bool, const TaskExecution&) override { --job.tasks().pending; }
  void done(const TileDone& tile) override { progress_.count(tile); }
  void failed(const std::exception_ptr& reason) override { std::rethrow_exception(reason); }

 private:
  std::unique_ptr<TileJob> job_for(std::int64_t tile) {
    auto job = pipeline_.make_job(tile);
    job->instance = {tile, 0};
    job->attempts = 1;
    return job;
  }

  void wait_until(const std::function<bool()>& reached) {
    while (!reached())
      if (auto event = events_.pop(std::chrono::seconds(1))) (*event)();
  }
  void wait_for(TileJob& job) {
    wait_until([&] { return job.tasks().pending == 0; });
  }

  /// Whether the tile is over.
  bool judge(TileJob& reader, int round) {
    ++rounds_;
    reader.read(round);
    wait_for(reader);
    TileBuffer sent = reader.buffer(round);
    const auto judging = job_for(reader.instance.tile);
    TileBuffer received = judging->buffer(round);
    starpu_data_cpy(received.handle(), sent.handle(), 0, nullptr, nullptr);
    received.note = sent.note;
    sent.let_go();
    judging->tasks().worker = 1;
    judging->judge(round, std::move(received));
    do wait_for(*judging);
    while (judging->advance());
    if (!judging->over()) return false;
    const std::int64_t before = progress_.tiles_done;
    pipeline_.finish(*judging, "");
    wait_until([&] { return progress_.tiles_done > before; });
    return true;
  }

  TilePipeline& pipeline_;
  const std::vector<std::int64_t> tiles_;
  int& rounds_;
  Progress progress_;
  BlockingQueue<std::function<void()>> events_;
};

/// Makes such loops; counts the rounds of all tiles.
inline MakeTileLoop apart(std::vector<std::int64_t> tiles, int& rounds) {
  return [tiles = std::move(tiles), &rounds](TilePipeline& pipeline, const TileRunOptions&) {
    return std::make_unique<ApartLoop>(pipeline, tiles, rounds);
  };
}

}  // namespace starpath::test
