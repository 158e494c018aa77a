// Samples from CSV and JSON.
#include "estimator/queries/sample_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/csv/csv_cells.hpp"
#include "base/error.hpp"
#include "base/json_depth.hpp"
#include "base/pure/parse_number.hpp"
#include "base/read_file.hpp"
#include "base/utf8.hpp"
#include "estimator/queries/codelet_groups.hpp"

namespace starpath {
namespace {

using Json = nlohmann::ordered_json;

/// One sample before it is sorted into its group: names and values in the file's order.
struct Row {
  std::string codelet;
  std::string device_class;
  double seconds = 0;
  std::vector<std::pair<std::string, double>> numeric;
  std::vector<std::pair<std::string, std::int64_t>> categorical;
};

/// Samples sorted by codelet and device class.
class Groups {
 public:
  /// Returns what is wrong with the row, "" if nothing is.
  std::string add(const Row& row) {
    if (!(row.seconds > 0) || !std::isfinite(row.seconds)) return "'seconds' must be a number above 0";
    auto& group = groups_[{row.codelet, row.device_class}];
    group.codelet = row.codelet;
    group.device_class = row.device_class;
    SampleSet::Entry entry{.features = {}, .seconds = row.seconds};
    for (const auto& [name, value] : row.numeric) {
      if (!std::isfinite(value)) return fmt::format("'{}' is not a finite number", name);
      if (!entry.features.add_numeric(value))
        return fmt::format("more than {} numeric parameters", Features::kMaxNumeric);
    }
    for (const auto& [name, value] : row.categorical) {
      if (!entry.features.add_categorical(value))
        return fmt::format("more than {} categories", Features::kMaxCategorical);
    }
    if (!same(row.numeric, group.numeric_names) || !same(row.categorical, group.categorical_names))
      return fmt::format("the parameters of codelet '{}' differ from those of an earlier sample", row.codelet);
    group.samples.push_back(entry);
    group.offered = group.samples.size();
    return "";
  }

  std::vector<ProfileGroup> take() {
    std::vector<ProfileGroup> all;
    for (auto& [key, group] : groups_) all.push_back(std::move(group));
    return all;
  }

 private:
  template <class Values>
  static bool same(const Values& values, std::vector<std::string>& names) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i == names.size()) names.push_back(values[i].first);
      if (values[i].first != names[i]) return false;
    }
    return true;
  }

  std::map<std::pair<std::string, std::string>, ProfileGroup> groups_;
};

[[noreturn]] void refuse(const std::string& file, const std::string& where, const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("{}{}: {}", file, where, what));
}

constexpr std::string_view kCategoryMark = "category:";

/// Puts one cell into the row; returns what is wrong with it.
std::string put(const std::string& column, const std::string& cell, Row& row) {
  if (column == "codelet") {
    row.codelet = cell;
  } else if (column == "class") {
    row.device_class = cell;
  } else if (cell.empty() && column != "seconds") {
    return "";
  } else if (column.starts_with(kCategoryMark)) {
    const auto value = parse_number<std::int64_t>(cell);
    if (!value) return fmt::format("'{}' is no integer: {}", cell, column);
    row.categorical.emplace_back(column.substr(kCategoryMark.size()), *value);
  } else {
    const auto value = parse_number<double>(cell);
    if (!value) return fmt::format("'{}' is no number: {}", cell, column);
    if (column == "seconds") {
      row.seconds = *value;
    } else {
      row.numeric.emplace_back(column, *value);
    }
  }
  return "";
}

std::vector<ProfileGroup> read_csv(const std::string& file, const std::string& text) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> header = csv_cells(file, 1, line);
  std::set<std::string> known;
  for (const std::string& column : header)
    if (!known.insert(column).second) refuse(file, ":1", fmt::format("the header has two columns '{}'", column));
  for (const char* needed : {"codelet", "class", "seconds"}) {
    if (!known.contains(needed)) refuse(file, ":1", fmt::format("the header has no column '{}'", needed));
  }
  Groups groups;
  for (std::size_t count = 2; std::getline(in, line); ++count) {
    if (line.empty() || line == "\r") continue;
    const std::vector<std::string> cells = csv_cells(file, count, line);
    const std::string where = fmt::format(":{}", count);
    if (cells.size() != header.size())
      refuse(file, where, fmt::format("{} cells under a header of {}", cells.size(), header.size()));
    Row row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (const std::string wrong = put(header[i], cells[i], row); !wrong.empty()) refuse(file, where, wrong);
    }
    if (const std::string wrong = groups.add(row); !wrong.empty()) refuse(file, where, wrong);
  }
  return groups.take();
}

std::vector<ProfileGroup> read_json(const std::string& file, const std::string& text) {
  if (nests_deeply(text)) refuse(file, "", fmt::format("nests more than {} levels", kMostJsonLevels));
  const Json all = Json::parse(text, nullptr, false);
  if (!all.is_array()) refuse(file, "", "is no JSON array of samples");
  Groups groups;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string where = fmt::format(": sample {}", i + 1);
    try {
      const Json& sample = all[i];
      Row row{.codelet = sample.at("codelet"),
              .device_class = sample.at("class"),
              .seconds = sample.at("seconds"),
              .numeric = {},
              .categorical = {}};
      const Json none = Json::object();
      const Json& numeric = sample.contains("numeric") ? sample["numeric"] : none;
      const Json& categorical = sample.contains("categorical") ? sample["categorical"] : none;
      for (const auto& [name, value] : numeric.items()) row.numeric.emplace_back(name, value.get<double>());
      for (const auto& [name, value] : categorical.items())
        row.categorical.emplace_back(name, value.get<std::int64_t>());
      if (const std::string wrong = groups.add(row); !wrong.empty()) refuse(file, where, wrong);
    } catch (const Json::exception& error) {
      refuse(file, where, error.what());
    }
  }
  return groups.take();
}

/// Features of other names would be compared with those there are.
void check_names(const std::vector<ProfileStore::Summary>& stored, const std::vector<ProfileGroup>& fresh) {
  for (const ProfileGroup& group : fresh) {
    for (const ProfileStore::Summary& known : stored) {
      const auto& names = known.group.numeric_names;
      if (known.group.codelet != group.codelet) continue;
      for (std::size_t i = 0; i < std::min(names.size(), group.numeric_names.size()); ++i) {
        if (names[i] == group.numeric_names[i]) continue;
        throw Error(
            ErrorKind::mismatch,
            fmt::format("codelet '{}': parameter {} is '{}' in the profile and '{}' in the file; order and names "
                        "must be the same",
                        group.codelet, i + 1, names[i], group.numeric_names[i]));
      }
    }
  }
}

}  // namespace

std::vector<ProfileGroup> read_samples(const std::string& file) {
  std::string text = file == "-" ? read_rest(STDIN_FILENO, file) : read_file(file);
  text.erase(0, text.size() - without_byte_order_mark(text).size());
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  const bool json = start != std::string::npos && (text[start] == '[' || text[start] == '{');
  std::vector<ProfileGroup> groups = json ? read_json(file, text) : read_csv(file, text);
  if (groups.empty()) refuse(file, "", "holds no samples");
  return groups;
}

std::size_t import_samples(const std::string& file, const std::string& profile) {
  const std::vector<ProfileGroup> groups = read_samples(file);
  std::size_t samples = 0;
  for (const ProfileGroup& group : groups) samples += group.samples.size();
  ProfileStore store = open_profile(profile, ProfileStore::Open::create);
  check_names(store.list(), groups);
  store.append(groups);
  return samples;
}

}  // namespace starpath
