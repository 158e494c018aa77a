#include "mpi/job/manager_side.hpp"

#include <fmt/format.h>

namespace starpath::mpi {

ManagerSide::ManagerSide(const Network& network, RunLink& run, DeathWatch& deaths, SendToWorker send)
    : network_(network), run_(run), deaths_(deaths), send_(std::move(send)) {}

void ManagerSide::call_roll(const Agreement& agreement) {
  roll_.emplace(network_.size(), agreement);
  for (const auto& [from, message] : early_) roll_->receive(from, message);
  check_roll();
}

void ManagerSide::check_roll() {
  if (!roll_->over()) return;
  called_.set_value(roll_->failure());
  roll_.reset();
}

void ManagerSide::open(const Agreement& agreement, const std::vector<std::int64_t>& tiles, int takers,
                       const workflow::AbstractWorkflow& workflow) {
  manager_.emplace(network_.size(), agreement, tiles, takers, workflow);
  for (const auto& [from, message] : std::exchange(early_, {})) receive(from, message);
}

void ManagerSide::receive(int from, const ToManager& message) {
  if (!manager_) {
    early_.emplace_back(from, message);
    if (!roll_) return;
    roll_->receive(from, message);
    return check_roll();
  }
  send(manager_->receive(from, message));
  if (!manager_->expects(from)) deaths_.forget(from);
  if (const auto* tile = std::get_if<Finished>(&message); tile != nullptr && tile->over && from != 0)
    tell_run_of(*tile, from);
  check_over();
}

void ManagerSide::fail(int kind, const std::string& reason) {
  if (!manager_) open({}, {}, 0, workflow::single_stage("tile"));
  send(manager_->fail({0, kind, reason}));
  check_over();
}

std::vector<RankResult> ManagerSide::results() const {
  std::vector<RankResult> results;
  for (int rank = 0; rank < network_.size(); ++rank)
    results.push_back({manager_->finished(rank), manager_->books(rank)});
  return results;
}

void ManagerSide::send(const Manager::Sends& sends) {
  for (const auto& [to, message] : sends) send_(to, message);
}

void ManagerSide::tell_run_of(const Finished& tile, int from) {
  const std::string failure = tile.failure.empty() ? "" : fmt::format("{}, {}", tile.failure, network_.name_of(from));
  const TileDone done{tile.tile, tile.failed, tile.skipped, tile.found, failure};
  run_.tell([done](TileSink& sink) { sink.done_elsewhere(done); });
}

void ManagerSide::check_over() {
  if (phase_ == Phase::over || !manager_->over()) return;
  phase_ = Phase::over;
  const bool interrupted = manager_->left() > 0;
  run_.tell([interrupted](TileSink& sink) { sink.over(interrupted); });
  over_.set_value();
}

}  // namespace starpath::mpi
