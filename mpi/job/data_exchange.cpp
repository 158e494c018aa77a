#include "mpi/job/data_exchange.hpp"

#include <utility>

namespace starpath::mpi {

void DataExchange::fetch(const workflow::Handout& handout) {
  const auto fetch = fetches_.insert_or_assign(handout.instance, Fetch{{handout.instance, handout.begins, {}}, {}, {}});
  for (const auto& [stage, rank] : handout.elsewhere) {
    if (lost_.contains(rank)) {
      fetch.first->second.vanished.push_back(stage);
      continue;
    }
    fetch.first->second.missing.emplace(stage, rank);
    send_(rank, {DataPhase::wanted, {handout.instance.tile, stage}});
  }
  conclude(fetch.first);
}

void DataExchange::lost(int rank) {
  lost_.insert(rank);
  for (auto next = fetches_.begin(); next != fetches_.end();) {
    const auto fetch = next++;
    for (const auto& [stage, keeper] : fetch->second.missing)
      if (keeper == rank) fetch->second.vanished.push_back(stage);
    if (std::erase_if(fetch->second.missing, [&](const auto& missing) { return missing.second == rank; }) > 0)
      conclude(fetch);
  }
}

void DataExchange::conclude(Fetches::iterator fetch) {
  if (!fetch->second.missing.empty()) return;
  Fetch done = std::move(fetches_.extract(fetch).mapped());
  if (done.vanished.empty())
    on_complete_(std::move(done.instance));
  else
    on_vanished_(done.instance.instance, std::move(done.vanished));
}

void DataExchange::receive(int from, const DataMessage& message) {
  if (message.phase != DataPhase::wanted) return arrived(from, message);
  if (run_left_) return send_(from, {DataPhase::gone, message.instance});
  wanted_.emplace(message.instance, from);
  run_.tell([instance = message.instance, from](TileSink& sink) { sink.hand_over(instance, from); });
}

/// Each answer is for one fetch that waits for this rank's data: one that was given up as lost may still come.
void DataExchange::arrived(int from, const DataMessage& message) {
  const auto [tile, stage] = message.instance;
  for (auto found = fetches_.lower_bound({tile, 0}); found != fetches_.end() && found->first.tile == tile; ++found) {
    const auto missing = found->second.missing.find(stage);
    if (missing == found->second.missing.end() || missing->second != from) continue;
    found->second.missing.erase(missing);
    if (message.phase == DataPhase::here)
      found->second.instance.inputs.push_back({stage, message.bytes});
    else
      found->second.vanished.push_back(stage);
    return conclude(found);
  }
}

void DataExchange::answer(const StageInstance& instance, int to, std::optional<std::string> data) {
  const auto wanted = wanted_.find({instance, to});
  if (wanted == wanted_.end()) return;  // the run has left, and all were told
  wanted_.erase(wanted);                // this one: the rank may want the same for another stage
  if (data)
    send_(to, {DataPhase::here, instance, std::move(*data)});
  else
    send_(to, {DataPhase::gone, instance});
}

void DataExchange::run_left() {
  run_left_ = true;
  for (const auto& [instance, rank] : std::exchange(wanted_, {})) send_(rank, {DataPhase::gone, instance});
}

}  // namespace starpath::mpi
