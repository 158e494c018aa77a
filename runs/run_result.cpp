// The counts of a run.
#include "runs/run_result.hpp"

namespace starpath {

bool interrupted(const RunWork& work, const ExportsAtEnd& exports) {
  return work.progress.interrupted || !exports.stopped.empty();
}

nlohmann::json resolution_json(const io::Resolution& resolution) {
  nlohmann::json members = {
      {"mpp", resolution.mpp}, {"source", io::name_of(resolution.source)}, {"detail", resolution.detail}};
  if (!resolution.doubt.empty()) members["doubt"] = resolution.doubt;
  return members;
}

nlohmann::json counted(const Conclusion& conclusion) {
  nlohmann::json members = conclusion.found_json;
  if (conclusion.resolution) members["resolution"] = resolution_json(*conclusion.resolution);
  return members;
}

nlohmann::json shares_json(const StageShares& all) {
  nlohmann::json shares;
  for (const auto& [kind, stages] : all)
    for (const auto& [stage, share] : stages)
      shares[kind][stage] = {{"tasks", share.tasks}, {"seconds", share.seconds}};
  return shares;
}

}  // namespace starpath
