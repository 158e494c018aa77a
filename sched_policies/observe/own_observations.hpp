// Whether a file is one that the plug-in wrote.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/own_file.hpp"

namespace starpath {

/// Statistics are one JSON object with the members that Statistics writes.
inline bool is_statistics_file(const std::filesystem::path& file) {
  constexpr std::size_t most = std::size_t{1} << 24;  // bytes: more than a machine of 10,000 workers has
  const auto json = nlohmann::json::parse(first_bytes(file, most), nullptr, false);
  return json.is_object() && json.contains("policies") && json.contains("classes") && json.contains("ran");
}

/// A trace has an event a line. The first one gives worker 0 its name, which begins with its number. The end may be
/// missing.
inline bool is_trace_file(const std::filesystem::path& file) {
  constexpr std::size_t most = 4096;  // bytes: more than the first event has
  const std::string start = first_bytes(file, most);
  if (!start.starts_with("[\n")) return false;
  std::string line = start.substr(2, start.find('\n', 2) - 2);
  if (line.ends_with(',')) line.pop_back();
  const auto event = nlohmann::json::parse(line, nullptr, false);
  if (!event.is_object() || event.value("name", nlohmann::json()) != "thread_name") return false;
  const auto args = event.value("args", nlohmann::json());
  const auto name = args.is_object() ? args.value("name", nlohmann::json()) : nlohmann::json();
  return event.value("tid", nlohmann::json()) == 0 && event.value("pid", nlohmann::json()) == 0 && name.is_string() &&
         name.get_ref<const std::string&>().starts_with("0 ");
}

/// The two files, by the variables that name them.
inline constexpr OutputKind kStatisticsFile = {"STARPATH_STATS", is_statistics_file},
                            kTraceFile = {"STARPATH_TRACE", is_trace_file};

}  // namespace starpath
