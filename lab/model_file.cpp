// Model files, parsed by toml++.
#include "lab/model_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "base/error.hpp"
#include "base/read_file.hpp"

namespace starpath::lab {
namespace {

unsigned line_of(const toml::node& node) { return node.source().begin.line; }

std::string spelling_of(const toml::node& node) {
  std::ostringstream text;
  text << toml::node_view<const toml::node>(node);
  return text.str();
}

bool is_text(const toml::node* node) {
  const auto* text = node == nullptr ? nullptr : node->as_string();
  return text != nullptr && !text->get().empty();
}

/// Model files of Starpath 0.1.0 begin with a line like "machine NAME".
bool is_old_format(std::string_view text) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    return line[first] != '[' && line.find('=') == std::string::npos;
  }
  return false;
}

/// Turns tables of TOML into sections. `file` words the errors.
class Reader {
 public:
  explicit Reader(const ModelFile& file) : file_(file) {}

  std::vector<ModelSection> sections(const toml::table& root) const {
    std::vector<ModelSection> all;
    for (const auto& [key, node] : root) {
      if (const toml::table* table = node.as_table(); table != nullptr && !table->is_inline()) {
        all.push_back(section(key.str(), *table));
      } else if (node.is_array_of_tables()) {
        for (const toml::node& one : *node.as_array()) all.push_back(section(key.str(), *one.as_table()));
      } else {
        file_.fail(line_of(node), fmt::format("'{}' stands before any section such as [machine]", key.str()));
      }
    }
    std::ranges::sort(all, {}, &ModelSection::line);  // TOML's tables are in the order of their keys
    return all;
  }

 private:
  ModelSection section(std::string_view kind, const toml::table& table) const {
    ModelSection found{std::string(kind), "", line_of(table), {}};
    for (const auto& [key, node] : table) {
      if (key == "name" && is_text(&node))
        found.name = node.as_string()->get();
      else
        found.entries.push_back(entry(key.str(), node));
    }
    if (found.name.empty()) file_.fail(found.line, fmt::format("[{}] has no name: expected name = \"...\"", kind));
    std::ranges::sort(found.entries, {}, &ModelEntry::line);
    return found;
  }

  ModelEntry entry(std::string_view key, const toml::node& node) const {
    ModelEntry found;
    found.key = key;
    found.line = line_of(node);
    found.spelling = spelling_of(node);
    found.number = node.value<double>();
    if (const toml::table* table = node.as_table()) read_number(*table, found);
    if (const auto* text = node.as_string()) found.texts = {text->get()};
    if (const toml::array* array = node.as_array())
      for (const toml::node& text : *array) {
        if (!is_text(&text)) file_.fail(line_of(text), fmt::format("'{}': expected texts", key));
        found.texts.push_back(text.as_string()->get());
      }
    return found;
  }

  void read_number(const toml::table& table, ModelEntry& entry) const {
    for (const auto& [key, node] : table) {
      if (key == "value") {
        entry.number = node.value<double>();
        entry.spelling = spelling_of(node);
      } else if (key == "unit" && is_text(&node)) {
        entry.unit = node.as_string()->get();
      } else if (((key == "source" || key == "assumed") && is_text(&node)) ||
                 (key == "assumed" && node.value<bool>() == true)) {
        entry.explained = true;
      } else {
        file_.fail(entry.line, fmt::format("'{}' has {} = {}: expected value, unit, and source or assumed with a text",
                                           entry.key, key.str(), spelling_of(node)));
      }
    }
  }

  const ModelFile& file_;
};

}  // namespace

ModelFile::ModelFile(const std::filesystem::path& path) : name_(path.string()) { parse(read_file(path)); }

ModelFile::ModelFile(std::string name, std::string_view text) : name_(std::move(name)) { parse(text); }

void ModelFile::fail(unsigned line, const std::string& reason) const {
  throw Error(ErrorKind::input, fmt::format("{}:{}: {}", name_, line, reason));
}

void ModelFile::parse(std::string_view text) {
  try {
    sections_ = Reader(*this).sections(toml::parse(text));
  } catch (const toml::parse_error& error) {
    if (is_old_format(text))
      fail(error.source().begin.line,
           "a model file of Starpath 0.1.0; scripts/lab-models-to-toml.py FILE converts it to TOML");
    fail(error.source().begin.line, std::string(error.description()));
  }
  if (sections_.empty()) fail(1, "there is nothing in this file");
}

const ModelEntry* ModelFile::find(const ModelSection& section, std::string_view key) {
  const auto found = std::ranges::find(section.entries, key, &ModelEntry::key);
  if (found == section.entries.end()) return nullptr;
  used_.push_back(&*found);
  return &*found;
}

const ModelEntry& ModelFile::need(const ModelSection& section, std::string_view key) {
  const ModelEntry* found = find(section, key);
  if (found == nullptr) fail(section.line, fmt::format("{} {} has no '{}'", section.kind, section.name, key));
  return *found;
}

double ModelFile::read(const ModelEntry& entry, std::string_view unit, double least, double most) const {
  if (!entry.number || !(*entry.number >= least && *entry.number <= most))
    fail(entry.line,
         fmt::format("'{}' is {}: expected a number from {:g} to {:g}", entry.key, entry.spelling, least, most));
  if (!entry.explained)
    fail(entry.line, fmt::format("'{0}' does not say where the number is from: write {0} = {{ value = {1}, source = "
                                 "\"...\" }}, or assumed = \"...\"",
                                 entry.key, entry.spelling));
  if (entry.unit != unit)
    fail(entry.line, fmt::format("'{}' has {}: expected {}", entry.key,
                                 entry.unit.empty() ? "no unit" : fmt::format("the unit {}", entry.unit),
                                 unit.empty() ? "none" : fmt::format("unit = \"{}\"", unit)));
  return *entry.number;
}

double ModelFile::number(const ModelSection& section, std::string_view key, std::string_view unit, double least,
                         double most) {
  return read(need(section, key), unit, least, most);
}

double ModelFile::number_or(const ModelSection& section, std::string_view key, std::string_view unit, double least,
                            double most, double fallback) {
  const ModelEntry* found = find(section, key);
  return found == nullptr ? fallback : read(*found, unit, least, most);
}

unsigned ModelFile::count(const ModelSection& section, std::string_view key, unsigned least, unsigned most) {
  const ModelEntry& entry = need(section, key);
  const double value = read(entry, "", least, most);
  if (value != static_cast<double>(static_cast<unsigned>(value)))
    fail(entry.line, fmt::format("'{}' is {}: expected a whole number", entry.key, entry.spelling));
  return static_cast<unsigned>(value);
}

std::string ModelFile::text(const ModelSection& section, std::string_view key) {
  need(section, key);
  return text_or(section, key, "");
}

std::string ModelFile::text_or(const ModelSection& section, std::string_view key, const std::string& fallback) {
  const ModelEntry* found = find(section, key);
  if (found == nullptr) return fallback;
  if (found->texts.size() != 1) fail(found->line, fmt::format("'{}' is {}: expected a text", key, found->spelling));
  return found->texts.front();
}

std::vector<std::string> ModelFile::texts(const ModelSection& section, std::string_view key) {
  const ModelEntry* found = find(section, key);
  if (found == nullptr) return {};
  if (found->texts.empty()) fail(found->line, fmt::format("'{}' is {}: expected texts", key, found->spelling));
  return found->texts;
}

void ModelFile::finish(const std::vector<std::string>& kinds) const {
  for (const ModelSection& section : sections_) {
    if (std::ranges::find(kinds, section.kind) == kinds.end())
      fail(section.line, fmt::format("unknown section '{}': expected {}", section.kind, fmt::join(kinds, " or ")));
    for (const ModelEntry& entry : section.entries) {
      if (std::ranges::find(used_, &entry) == used_.end())
        fail(entry.line, fmt::format("unknown key '{}' in {} {}", entry.key, section.kind, section.name));
    }
  }
}

}  // namespace starpath::lab
