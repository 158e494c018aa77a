// One run as it is compared: which worker ran which task when, and what it moved.
#pragma once
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace starpath {

/// Workers that perform alike, by StarPU's numbers of them.
struct WorkerClass {
  std::string name;
  std::vector<int> workers;

  bool operator==(const WorkerClass&) const = default;
};

struct RecordedTask {
  std::size_t stage = 0;  ///< of RunRecord::stages
  int worker = 0;
  double started = 0, finished = 0;  ///< seconds from the run's beginning
};

/// What a run writes with --record (docs/compare.md).
struct RunRecord {
  std::string policy;      ///< as StarPU names the one that ran
  double makespan = 0;     ///< seconds from the first tile asked for to the last one committed
  double moved_bytes = 0;  ///< between memories, both ways
  std::vector<WorkerClass> classes;
  std::vector<std::string> stages;  ///< in the order they were first begun
  std::vector<RecordedTask> tasks;  ///< in the order they began
  nlohmann::json found;             ///< what the run counted: the same under every policy

  /// The class of a worker; classes.size() when it is in none.
  std::size_t class_of(int worker) const;
};

nlohmann::json to_json(const RunRecord& record);
/// Throws Error{input} when that is no record.
RunRecord read_record(const std::string& text);

/// Whether a file begins as a record does: a JSON object whose first member lists classes of workers.
bool is_record_file(const std::filesystem::path& file);

}  // namespace starpath
