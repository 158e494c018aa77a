#include "mpi/job/worker_side.hpp"

#include <utility>

namespace starpath::mpi {

WorkerSide::WorkerSide(int rank, CommandQueue& commands, RunLink& run, SendToManager send, DataExchange::Send send_data)
    : rank_(rank),
      commands_(commands),
      run_(run),
      send_(std::move(send)),
      data_(
          run, std::move(send_data),
          [this](GivenInstance instance) {
            run_.tell([instance = std::move(instance)](TileSink& sink) { sink.give({instance}); });
          },
          [this](const StageInstance& instance, std::vector<int> stages) { vanished(instance, std::move(stages)); }) {}

void WorkerSide::receive(const ToWorker& message) {
  const WorkerStep step = worker_.receive(message);
  if (standing_ == Standing::applying && (step.welcome || step.refused)) take_in(step);
  if (step.introductions) introductions_.set_value(step.introductions);
  if (step.cancelled) introductions_.set_value(std::nullopt);
  if (step.lost) data_.lost(*step.lost);
  give(step.instances);
  for (const std::int64_t tile : step.forget) run_.tell([tile](TileSink& sink) { sink.forget(tile); });
  if (step.drop) run_.tell([](TileSink& sink) { sink.drop(); });
  if (step.no_more) run_.tell([](TileSink& sink) { sink.no_more(); });
}

/// Instances that need no data of others at once, the rest when the data are here.
void WorkerSide::give(const std::vector<Handout>& handouts) {
  std::vector<GivenInstance> complete;
  for (const Handout& handout : handouts) {
    if (handout.elsewhere.empty())
      complete.push_back({handout.instance, handout.begins, {}});
    else
      data_.fetch(handout);
  }
  if (!complete.empty()) run_.tell([complete](TileSink& sink) { sink.give(complete); });
}

/// The manager has it computed again; the run's request that this was to fill is still open.
void WorkerSide::vanished(const StageInstance& instance, std::vector<int> stages) {
  if (departed()) return;  // it has said how often it answered
  send_(worker_.returned(instance, std::move(stages)));
  send_(worker_.request(1));
}

void WorkerSide::take_in(const WorkerStep& step) {
  standing_ = step.refused ? Standing::refused : Standing::admitted;
  admission_.set_value(step.refused);
}

void WorkerSide::bye(const std::string& books) {
  send_(worker_.bye(books));
  standing_ = Standing::departed;
}

void WorkerSide::fail(int kind, const std::string& reason) {
  send_(worker_.failed(kind, reason));
  standing_ = Standing::departed;
}

void WorkerSide::cannot_run(const std::vector<int>& stages) {
  commands_.post([this, stages] { cannot_run_ = stages; });
}

void WorkerSide::request(std::size_t instances) {
  commands_.post([this, instances] {
    send_(worker_.request(static_cast<std::int64_t>(instances), std::exchange(cannot_run_, {})));
  });
}

void WorkerSide::finished(const TileDone& done) {
  commands_.post([this, done] {
    send_(worker_.finished({done.index, done.failed, done.skipped, done.found, done.failure, done.stage, done.over}));
  });
}

void WorkerSide::returned(const StageInstance& instance) {
  commands_.post([this, instance] { send_(worker_.returned(instance, {})); });
}

void WorkerSide::send(const StageInstance& instance, int to, std::optional<std::string> data) {
  commands_.post([this, instance, to, data = std::move(data)] { data_.answer(instance, to, data); });
}

void WorkerSide::drained() {
  commands_.post([this] {
    if (rank_ == 0)
      send_(worker_.bye(""));  // its run goes on until the job is over
    else
      run_.tell([](TileSink& sink) { sink.over(false); });
  });
}

void WorkerSide::leave() {
  run_.disconnect();
  commands_.post([this] { data_.run_left(); });
}

}  // namespace starpath::mpi
