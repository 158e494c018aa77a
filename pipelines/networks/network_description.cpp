// Reading and checking of a network's description.
#include "pipelines/networks/network_description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "codelets/kernels/star_polygons.hpp"

namespace starpath {
namespace {

constexpr int kMostChannels = 256, kMostGrid = 16;
constexpr double kLeastShare = .001;  // of one, that a threshold may be
constexpr double kHoverCore = .588;   // 150 of 255, as of maps

/// A table of the file, whose every fault becomes one line.
class DescribedTable {
 public:
  DescribedTable(const toml::table& table, std::string file, std::string section)
      : table_(table), file_(std::move(file)), section_(std::move(section)) {}

  template <class... Arguments>
  [[noreturn]] void refuse(const toml::node* at, fmt::format_string<Arguments...> text,
                           Arguments&&... arguments) const {
    const auto line = (at != nullptr ? *at : table_).source().begin.line;
    throw Error(ErrorKind::input, fmt::format("{}:{}: {}{}", file_, std::max(line, toml::source_index{1}),
                                              section_.empty() ? "" : "[" + section_ + "]: ",
                                              fmt::format(text, std::forward<Arguments>(arguments)...)));
  }

  void allow(std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, node] : table_)
      if (std::ranges::find(keys, std::string_view(key.str())) == keys.end())
        refuse(&node, "no key is called '{}'; there are {}", key.str(), fmt::join(keys, ", "));
  }

  bool has(std::string_view key) const { return table_.contains(key); }

  const toml::node& need(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) refuse(nullptr, "'{}' is missing", key);
    return *node;
  }

  double number(std::string_view key, double least, double most) const {
    const toml::node& node = need(key);
    const auto value = node.value<double>();
    if (!node.is_number() || !value || !(*value >= least && *value <= most))
      refuse(&node, "'{}' is {}; a number from {} to {} is needed", key, shown(node), least, most);
    return *value;
  }

  int whole(std::string_view key, int least, int most) const {
    const toml::node& node = need(key);
    const auto value = node.value<std::int64_t>();
    if (!node.is_integer() || *value < least || *value > most)
      refuse(&node, "'{}' is {}; a whole number from {} to {} is needed", key, shown(node), least, most);
    return static_cast<int>(*value);
  }

  std::string text(std::string_view key) const {
    const toml::node& node = need(key);
    const auto value = node.value<std::string>();
    if (!node.is_string() || !value || value->empty()) refuse(&node, "'{}' is {}; a text is needed", key, shown(node));
    return *value;
  }

  /// The number of the text among these.
  std::size_t choice(std::string_view key, std::initializer_list<std::string_view> texts) const {
    const auto value = text(key);
    const auto found = std::ranges::find(texts, std::string_view(value));
    if (found == texts.end())
      refuse(table_.get(key), "'{}' is \"{}\"; it can be {}", key, value, fmt::join(texts, ", "));
    return static_cast<std::size_t>(found - texts.begin());
  }

  std::vector<double> numbers(std::string_view key, std::size_t count) const {
    const toml::node& node = need(key);
    std::vector<double> all;
    if (const toml::array* array = node.as_array())
      for (const toml::node& item : *array)
        if (const auto value = item.value<double>(); item.is_number() && value && std::isfinite(*value))
          all.push_back(*value);
    if (!node.is_array() || all.size() != count || node.as_array()->size() != count)
      refuse(&node, "'{}' is {}; a list of {} numbers is needed", key, shown(node), count);
    return all;
  }

  std::vector<int> channels(std::string_view key) const {
    const toml::node& node = need(key);
    std::vector<int> all;
    bool fits = node.is_array() && !node.as_array()->empty();
    if (fits)
      for (const toml::node& item : *node.as_array()) {
        const auto value = item.value<std::int64_t>();
        fits = fits && item.is_integer() && *value >= 0 && *value < kMostChannels &&
               std::ranges::find(all, static_cast<int>(*value)) == all.end();
        if (fits) all.push_back(static_cast<int>(*value));
      }
    if (!fits) refuse(&node, "'{}' is {}; a list of channels is needed, from 0 on, each once", key, shown(node));
    return all;
  }

 private:
  static std::string shown(const toml::node& node) {
    constexpr std::size_t most = 40;
    std::ostringstream written;
    written << toml::node_view<const toml::node>(node);
    const std::string text = written.str();
    return text.size() <= most ? text : text.substr(0, most) + "...";
  }

  const toml::table& table_;
  const std::string file_, section_;
};

/// byte * factor + offset = (low + (high - low) * byte / 255 - mean) / std.
void read_values(const DescribedTable& root, NetworkDescription& description) {
  const auto list = [&](std::string_view key, std::vector<double> otherwise) {
    return root.has(key) ? root.numbers(key, otherwise.size()) : otherwise;
  };
  const std::vector<double> range = list("range", {0, 1}), mean = list("mean", {0, 0, 0}), std = list("std", {1, 1, 1});
  if (range[0] == range[1]) root.refuse(&root.need("range"), "'range' begins and ends with {}", range[0]);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    if (!(std[channel] > 0)) root.refuse(&root.need("std"), "'std' holds {}; it must be above 0", std[channel]);
    description.factors[channel] = (range[1] - range[0]) / 255 / std[channel];
    description.offsets[channel] = (range[0] - mean[channel]) / std[channel];
  }
}

/// `otherwise` has what the section leaves out.
NetworkMap map_of(const DescribedTable& root, const std::string& file, const std::string& section,
                  const NetworkMap* otherwise) {
  const toml::node& node = root.need(section);
  if (!node.is_table()) root.refuse(&node, "'{}' is no section: begin it with a line [{}]", section, section);
  const DescribedTable table(*node.as_table(), file, section);
  table.allow({"output", "channels", "threshold"});
  NetworkMap map;
  if (otherwise != nullptr) map = *otherwise;
  if (table.has("output")) map.output = table.text("output");
  if (table.has("channels") || otherwise == nullptr) map.channels = table.channels("channels");
  map.threshold = table.number("threshold", kLeastShare, 1 - kLeastShare);
  return map;
}

void read_distances(const DescribedTable& root, const std::string& file, NetworkDescription& description) {
  const toml::node& node = root.need("distances");
  if (!node.is_table()) root.refuse(&node, "'distances' is no section: begin it with a line [distances]");
  const DescribedTable table(*node.as_table(), file, "distances");
  NetworkMap& map = description.second;
  if (table.has("output")) map.output = table.text("output");
  if (description.kind == NetworkKind::hover) {
    table.allow({"output", "channels", "threshold"});
    map.channels = table.channels("channels");
    if (map.channels.size() != 2)
      table.refuse(&table.need("channels"), "'channels' has {}; two are needed, of the horizontal and the vertical one",
                   map.channels.size());
    map.threshold = table.has("threshold") ? table.number("threshold", kLeastShare, 1 - kLeastShare) : kHoverCore;
    return;
  }
  table.allow({"output", "rays", "grid", "overlap"});
  map.channels.resize(static_cast<std::size_t>(table.whole("rays", kLeastStarRays, kMostStarRays)));
  std::iota(map.channels.begin(), map.channels.end(), 0);
  description.grid = table.whole("grid", 1, kMostGrid);
  description.overlap = table.has("overlap") ? table.number("overlap", 0, 1) : kStarOverlap;
  for (const auto& [name, pixels] : {std::pair{"field", description.field}, {"margin", description.margin}})
    if (pixels % description.grid != 0)
      root.refuse(&root.need(name), "'{}' is {}; with a grid of {} a multiple of that is needed", name, pixels,
                  description.grid);
}

NetworkDescription description_of(const toml::table& file, const std::string& name) {
  const DescribedTable root(file, name, "");
  NetworkDescription description;
  description.kind = static_cast<NetworkKind>(root.choice("kind", {"probability", "hover", "stardist"}));
  const bool has_core = description.kind == NetworkKind::probability;
  root.allow({"kind", "um_per_px", "field", "margin", "channels", "range", "mean", "std", "activation", "nucleus",
              has_core ? "core" : "distances"});
  description.mpp = root.number("um_per_px", .1, 10);
  description.field = root.whole("field", kLeastField, kMostField);
  description.margin = root.whole("margin", 0, kMostField);
  if (description.step() < kLeastUsed)
    root.refuse(&root.need("margin"), "'margin' {} leaves {} of the field's {} px; {} or more are needed",
                description.margin, std::max(description.step(), 0), description.field, kLeastUsed);
  description.blue_first = root.has("channels") && root.choice("channels", {"rgb", "bgr"}) == 1;
  read_values(root, description);
  description.activation = static_cast<Activation>(root.choice("activation", {"none", "sigmoid", "softmax"}));
  description.nucleus = map_of(root, name, "nucleus", nullptr);
  if (has_core)
    description.second = map_of(root, name, "core", &description.nucleus);
  else
    read_distances(root, name, description);
  return description;
}

}  // namespace

NetworkDescription parse_network_description(std::string_view text, const std::string& name) {
  try {
    return description_of(toml::parse(text), name);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::input,
                fmt::format("{}:{}: is no TOML: {}", name, error.source().begin.line, error.description()));
  }
}

int score_of_probability(double probability) {
  const double logit = std::log(probability) - std::log1p(-probability);
  return static_cast<int>(std::clamp(std::floor(128.5 + 16 * logit), 1.0, 255.0));
}

int linear_score_of(double probability) {
  return static_cast<int>(std::clamp(std::lround(255 * probability), 1L, 255L));
}

std::string text_of(const NetworkDescription& description) {
  const auto text_of_map = [](const NetworkMap& map) {
    return fmt::format("{} {} {}", map.output, fmt::join(map.channels, ","), map.threshold);
  };
  const std::string kind = description.kind == NetworkKind::probability ? ""
                           : description.kind == NetworkKind::hover
                               ? "hover, "
                               : fmt::format("stardist {} {}, ", description.grid, description.overlap);
  return fmt::format("{}{} um/px, {} px, {} px, {}, {}, {}, {}, {}, {}", kind, description.mpp, description.field,
                     description.margin, description.blue_first, fmt::join(description.factors, " "),
                     fmt::join(description.offsets, " "), static_cast<int>(description.activation),
                     text_of_map(description.nucleus), text_of_map(description.second));
}

}  // namespace starpath
