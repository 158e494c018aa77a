// The file that a run leaves for a comparison.
#include "comparison/record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/own_file.hpp"

namespace starpath {

std::size_t RunRecord::class_of(int worker) const {
  const auto has = [&](const WorkerClass& group) {
    return std::ranges::find(group.workers, worker) != group.workers.end();
  };
  return static_cast<std::size_t>(std::ranges::find_if(classes, has) - classes.begin());
}

nlohmann::json to_json(const RunRecord& record) {
  nlohmann::json classes = nlohmann::json::array(), tasks = nlohmann::json::array();
  for (const WorkerClass& group : record.classes) classes.push_back({{"name", group.name}, {"workers", group.workers}});
  for (const RecordedTask& task : record.tasks) tasks.push_back({task.stage, task.worker, task.started, task.finished});
  return {{"version", 1},
          {"policy", record.policy},
          {"makespan", record.makespan},
          {"moved_bytes", record.moved_bytes},
          {"classes", classes},
          {"stages", record.stages},
          {"tasks", tasks},
          {"found", record.found}};
}

RunRecord read_record(const std::string& text) {
  try {
    const nlohmann::json in = nlohmann::json::parse(text);
    RunRecord record{in.at("policy"), in.at("makespan"), in.at("moved_bytes"), {}, in.at("stages"), {}, in.at("found")};
    for (const auto& group : in.at("classes")) record.classes.push_back({group.at("name"), group.at("workers")});
    for (const auto& task : in.at("tasks")) {
      record.tasks.push_back({task.at(0), task.at(1), task.at(2), task.at(3)});
      if (record.tasks.back().stage >= record.stages.size() ||
          record.class_of(record.tasks.back().worker) == record.classes.size())
        throw Error(ErrorKind::input,
                    fmt::format("a task of stage {} on worker {}", task.at(0).dump(), task.at(1).dump()));
    }
    return record;
  } catch (const nlohmann::json::exception& problem) {
    throw Error(ErrorKind::input, fmt::format("no record of a run: {}", problem.what()));
  }
}

bool is_record_file(const std::filesystem::path& file) {
  using nlohmann::json;
  constexpr std::size_t most = std::size_t{1} << 20;  // bytes: more than the classes take
  json classes;
  const auto take = [&](int depth, json::parse_event_t event, json& value) {
    if (depth == 1 && event == json::parse_event_t::key) {
      if (value != "classes") throw Error(ErrorKind::input, "no record");
    } else if (depth == 1 && event == json::parse_event_t::array_end) {
      classes = value;
      throw Error(ErrorKind::input, "enough is known");
    }
    return true;
  };
  try {
    [[maybe_unused]] const json whole = json::parse(first_bytes(file, most), take);
  } catch (const json::exception&) {
  } catch (const Error&) {
  }
  return !classes.empty() && std::ranges::all_of(classes, [](const json& group) {
    return group.is_object() && group.contains("name") && group.contains("workers");
  });
}

}  // namespace starpath
