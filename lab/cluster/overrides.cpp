// NAME=VALUE to numbers.
#include "lab/cluster/overrides.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace starpath::lab {
namespace {

struct Entry {
  std::string name;
  std::string_view value;
};

Entry split(const char* option, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos)
    throw Error(ErrorKind::usage, fmt::format("{} {}: expected NAME=VALUE", option, text));
  return {text.substr(0, equals), std::string_view(text).substr(equals + 1)};
}

template <class Number>
Number number(const char* option, const std::string& entry, std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  if (const auto [stop, problem] = std::from_chars(text.data(), end, value); problem != std::errc() || stop != end)
    throw Error(ErrorKind::usage, fmt::format("{} {}: '{}' is no such number", option, entry, text));
  return value;
}

}  // namespace

void override_nodes(ClusterModel& cluster, const std::string& entry) {
  const auto [group, count] = split("--nodes", entry);
  set_nodes(cluster, group, number<unsigned>("--nodes", entry, count));
}

void override_workers(ClusterModel& cluster, const std::string& entry) {
  auto [group, counts] = split("--workers", entry);
  std::vector<unsigned> own;
  for (bool more = true; more;) {
    const auto comma = counts.find(',');
    own.push_back(number<unsigned>("--workers", entry, counts.substr(0, comma)));
    more = comma != std::string_view::npos;
    if (more) counts.remove_prefix(comma + 1);
  }
  set_workers(cluster, group, own);
}

void override_parameter(WorkloadModel& model, const std::string& entry) {
  const auto [name, value] = split("--set", entry);
  set_parameter(model, name, number<double>("--set", entry, value));
}

}  // namespace starpath::lab
