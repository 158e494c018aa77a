// The part of an export that says how the nuclei were found.
#pragma once
#include <nlohmann/json.hpp>

#include "base/json_depth.hpp"
#include "io/results/run_key.hpp"

namespace starpath::io {

/// {"version": of starpath, "run": parameters, or null where the results say none}.
inline nlohmann::json run_json(const RunKey& key) {
  nlohmann::json run;
  if (!nests_deeply(key.parameters)) run = nlohmann::json::parse(key.parameters, nullptr, false);
  return {{"version", key.starpath_version}, {"run", run.is_discarded() ? nlohmann::json() : run}};
}

}  // namespace starpath::io
