// Sums over ranks.
#include "runs/rank_books.hpp"

#include <cstdint>

namespace starpath {
namespace {

nlohmann::json json_of(const mpi::Traffic& traffic) { return {traffic.messages, traffic.bytes}; }

void add(const nlohmann::json& sent, mpi::Traffic& sum) {
  sum.messages += sent[0].get<std::int64_t>();
  sum.bytes += sent[1].get<std::int64_t>();
}

}  // namespace

nlohmann::json books_of(const RunWork& work) {
  nlohmann::json shares = nlohmann::json::object();
  for (const auto& [kind, stages] : work.progress.shares)
    for (const auto& [stage, share] : stages) shares[kind][stage] = {share.tasks, share.seconds};
  return {{"cpu", work.session.cpu_workers},
          {"gpu", work.session.gpu_workers},
          {"shares", shares},
          {"control", json_of(work.traffic->control)},
          {"buffers", json_of(work.traffic->buffers)}};
}

void add_books(const nlohmann::json& books, RunWork& work) {
  add(books["control"], work.traffic->control);
  add(books["buffers"], work.traffic->buffers);
  work.session.cpu_workers += books["cpu"].get<int>();
  work.session.gpu_workers += books["gpu"].get<int>();
  for (const auto& [kind, stages] : books["shares"].items())
    for (const auto& [stage, share] : stages.items())
      work.progress.add({{kind, {{stage, {share[0].get<std::int64_t>(), share[1].get<double>()}}}}});
}

}  // namespace starpath
