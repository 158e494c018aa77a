#include "mpi/cluster/worker_side.hpp"

#include <utility>

namespace starpath::cluster {

WorkerSide::WorkerSide(int rank, CommandQueue& commands, RunLink& run, DeathWatch& deaths, SendToManager send)
    : rank_(rank), commands_(commands), run_(run), deaths_(deaths), send_(std::move(send)) {}

void WorkerSide::receive(const ToWorker& message) {
  const WorkerStep step = worker_.receive(message);
  if (standing_ == Standing::applying && (step.welcome || step.refused)) take_in(step);
  if (step.introductions) introductions_.set_value(step.introductions);
  if (step.cancelled) introductions_.set_value(std::nullopt);
  if (!step.tiles.empty()) run_.tell([tiles = step.tiles](TileSink& sink) { sink.give(tiles); });
  if (step.no_more || step.drop) run_.tell([drop = step.drop](TileSink& sink) { sink.no_more(drop); });
}

void WorkerSide::take_in(const WorkerStep& step) {
  standing_ = step.refused ? Standing::refused : Standing::admitted;
  if (refused()) deaths_.forget(0);
  admission_.set_value(step.refused);
}

void WorkerSide::bye(const std::string& books) {
  send_(worker_.bye(books));
  depart();
}

void WorkerSide::fail(int kind, const std::string& reason) {
  send_(worker_.failed(kind, reason));
  depart();
}

void WorkerSide::depart() {
  standing_ = Standing::departed;
  deaths_.forget(0);
}

void WorkerSide::request(std::size_t tiles) {
  commands_.post([this, tiles] { send_(worker_.request(static_cast<std::int64_t>(tiles))); });
}

void WorkerSide::finished(const TileDone& tile) {
  commands_.post([this, tile] {
    send_(worker_.finished({tile.index, tile.failed, tile.skipped, tile.found, tile.failure}));
  });
}

void WorkerSide::drained(std::size_t) {
  commands_.post([this] {
    if (rank_ == 0)
      send_(worker_.bye(""));  // its run goes on until the job is over
    else
      run_.tell([](TileSink& sink) { sink.over(false); });
  });
}

}  // namespace starpath::cluster
