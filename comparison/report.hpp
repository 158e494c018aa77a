// A comparison as tables for people and JSON for programs. Pure.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "comparison/summary.hpp"

namespace starpath {

/// What was compared, for the reader.
struct CompareSubject {
  std::string command;  ///< "segment slide.svs"
  std::string machine;  ///< "Intel ..., 2 cores"
  std::string version;  ///< of Starpath
  std::string date;     ///< "2026-01-31 12:00 UTC"
  unsigned repetitions = 0, calibrations = 0;
};

/// "3 runs of each policy, in turns, after 1 calibration run".
std::string protocol_of(const CompareSubject& subject);
/// "cpu: 14 workers; cuda Tesla K20: 2 workers".
std::string workers_of(const Comparison& comparison);
/// Percent of a stage's tasks that the class ran; NaN when it had none.
double share_of(const PolicyFacts& facts, std::size_t stage, std::size_t device_class);

std::string text_of(const Comparison& comparison, const CompareSubject& subject);
/// Layout: docs/compare.md.
nlohmann::json json_of(const Comparison& comparison, const CompareSubject& subject);

}  // namespace starpath
