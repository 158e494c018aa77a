// Sums over ranks.
#include "apps/run/rank_books.hpp"

#include <cstdint>

namespace starpath::apps {
namespace {

nlohmann::json json_of(const mpi::Traffic& traffic) { return {traffic.messages, traffic.bytes}; }

void add(const nlohmann::json& sent, mpi::Traffic& sum) {
  sum.messages += sent[0].get<std::int64_t>();
  sum.bytes += sent[1].get<std::int64_t>();
}

}  // namespace

std::string books_of(const Outcome& outcome) {
  nlohmann::json shares = nlohmann::json::object();
  for (const auto& [kind, stages] : outcome.progress.shares)
    for (const auto& [stage, share] : stages) shares[kind][stage] = {share.tasks, share.seconds};
  return nlohmann::json{{"cpu", outcome.cpu_workers},
                        {"gpu", outcome.gpu_workers},
                        {"shares", shares},
                        {"control", json_of(outcome.traffic->control)},
                        {"buffers", json_of(outcome.traffic->buffers)},
                        {"stored", outcome.stored ? nlohmann::json(*outcome.stored) : nlohmann::json()}}
      .dump();
}

void add_books(const nlohmann::json& books, Outcome& outcome) {
  add(books["control"], outcome.traffic->control);
  add(books["buffers"], outcome.traffic->buffers);
  outcome.cpu_workers += books["cpu"].get<int>();
  outcome.gpu_workers += books["gpu"].get<int>();
  for (const auto& [kind, stages] : books["shares"].items())
    for (const auto& [stage, share] : stages.items()) {
      StageShare& sum = outcome.progress.shares[kind][stage];
      sum.tasks += share[0].get<std::int64_t>();
      sum.seconds += share[1].get<double>();
    }
}

}  // namespace starpath::apps
