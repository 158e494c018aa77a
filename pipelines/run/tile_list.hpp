// The source of a run that is alone: a list of tiles.
#pragma once
#include <utility>
#include <vector>

#include "pipelines/run/tile_source.hpp"

namespace starpath {

/// Gives the stage instances of tiles as ConcreteWorkflow orders them: the manager of one process.
class TileList : public TileSource {
 public:
  explicit TileList(const std::vector<std::int64_t>& tiles,
                    workflow::AbstractWorkflow workflow = workflow::single_stage("tile"))
      : work_(std::move(workflow), tiles) {}

  void start(TileSink& sink) override { sink_ = &sink; }
  void cannot_run(const std::vector<int>&) override {}  // submitting its tasks throws, and names the operation
  void request(std::size_t instances) override {
    asked_ += instances;
    serve();
  }
  void finished(const TileDone& done) override {
    work_.finished(0, {done.index, done.stage}, done.over);
    serve();
  }
  void returned(const StageInstance& instance) override {
    work_.returned(0, instance);
    serve();
  }
  void send(const StageInstance&, int, std::optional<std::string>) override {}  // there is nobody else
  void stop() override {
    work_.stop();
    serve();
  }
  void drained() override { sink_->over(work_.left() > 0); }
  void leave() override {}

 private:
  void serve() {
    std::vector<GivenInstance> given;
    for (; asked_ > 0; --asked_) {
      auto next = work_.hand_out_kept(0);
      if (!next) next = work_.hand_out_new(0);
      if (!next) break;
      given.push_back({next->instance, next->begins, {}});
    }
    if (!given.empty()) sink_->give(std::move(given));
    if (work_.exhausted() && !std::exchange(told_end_, true)) sink_->no_more();
  }

  workflow::ConcreteWorkflow work_;
  std::size_t asked_ = 0;
  TileSink* sink_ = nullptr;
  bool told_end_ = false;
};

}  // namespace starpath
