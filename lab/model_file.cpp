// Parsing of model files.
#include "lab/model_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "base/error.hpp"

namespace starpath::lab {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::pair<std::string_view, std::string_view> first_word(std::string_view text) {
  const auto end = std::min(text.find_first_of(kBlank), text.size());
  return {text.substr(0, end), trim(text.substr(end))};
}

}  // namespace

ModelFile::ModelFile(const std::filesystem::path& path) : name_(path.string()) {
  std::ifstream file(path);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) throw Error(ErrorKind::input, fmt::format("{}: cannot be read", name_));
  parse(text.str());
}

ModelFile::ModelFile(std::string name, std::string_view text) : name_(std::move(name)) { parse(text); }

void ModelFile::fail(unsigned line, const std::string& reason) const {
  throw Error(ErrorKind::input, fmt::format("{}:{}: {}", name_, line, reason));
}

void ModelFile::parse(std::string_view text) {
  unsigned number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const auto hash = std::min(whole.find('#'), whole.size());
    const std::string_view line = trim(whole.substr(0, hash));
    if (line.empty()) continue;
    const auto [word, rest] = first_word(line);
    if (rest.empty()) fail(number, fmt::format("'{}' has no value", word));
    if (kBlank.find(whole[0]) == std::string_view::npos) {
      sections_.push_back({std::string(word), std::string(rest), number, {}});
      continue;
    }
    if (sections_.empty()) fail(number, fmt::format("'{}' stands before any section", word));
    const std::string_view note = hash < whole.size() ? trim(whole.substr(hash + 1)) : std::string_view();
    sections_.back().entries.push_back({std::string(word), std::string(rest), std::string(note), number});
  }
  if (sections_.empty()) fail(std::max(number, 1u), "there is nothing in this file");
}

const ModelEntry* ModelFile::find(const ModelSection& section, std::string_view key) {
  const ModelEntry* found = nullptr;
  for (const ModelEntry& entry : section.entries) {
    if (entry.key != key) continue;
    if (found != nullptr) fail(entry.line, fmt::format("'{}' is given twice (first in line {})", key, found->line));
    found = &entry;
    used_.push_back(&entry);
  }
  return found;
}

const ModelEntry& ModelFile::need(const ModelSection& section, std::string_view key) {
  const ModelEntry* found = find(section, key);
  if (found == nullptr) fail(section.line, fmt::format("{} {} has no '{}'", section.kind, section.name, key));
  return *found;
}

double ModelFile::read(const ModelEntry& entry, double least, double most) const {
  double value = 0;
  const char* end = entry.value.data() + entry.value.size();
  if (const auto [stop, problem] = std::from_chars(entry.value.data(), end, value);
      problem != std::errc() || stop != end || !(value >= least && value <= most))
    fail(entry.line, fmt::format("'{} {}': expected a number from {:g} to {:g}", entry.key, entry.value, least, most));
  if (!entry.note.starts_with("source: ") && !entry.note.starts_with("assumed: ") && entry.note != "assumed")
    fail(entry.line, fmt::format("'{} {}' does not say where the number is from: end the line with '# source: ...' or "
                                 "'# assumed'",
                                 entry.key, entry.value));
  return value;
}

double ModelFile::number(const ModelSection& section, std::string_view key, double least, double most) {
  return read(need(section, key), least, most);
}

double ModelFile::number_or(const ModelSection& section, std::string_view key, double least, double most,
                            double fallback) {
  const ModelEntry* found = find(section, key);
  return found == nullptr ? fallback : read(*found, least, most);
}

unsigned ModelFile::count(const ModelSection& section, std::string_view key, unsigned least, unsigned most) {
  const ModelEntry& entry = need(section, key);
  const double value = read(entry, least, most);
  if (value != static_cast<double>(static_cast<unsigned>(value)))
    fail(entry.line, fmt::format("'{} {}': expected a whole number", entry.key, entry.value));
  return static_cast<unsigned>(value);
}

std::string ModelFile::text(const ModelSection& section, std::string_view key) { return need(section, key).value; }

std::vector<std::string> ModelFile::texts(const ModelSection& section, std::string_view key) {
  std::vector<std::string> lines;
  for (const ModelEntry& entry : section.entries) {
    if (entry.key != key) continue;
    lines.push_back(entry.value);
    used_.push_back(&entry);
  }
  return lines;
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

std::vector<std::string> model_names(const std::filesystem::path& folder, std::string_view ending) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ending) names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::filesystem::path find_model(const std::filesystem::path& folder, std::string_view ending,
                                 const std::string& name) {
  const bool is_file = name.find('/') != std::string::npos || name.ends_with(ending);
  const std::filesystem::path path = is_file ? std::filesystem::path(name) : folder / (name + std::string(ending));
  if (std::filesystem::exists(path)) return path;
  if (is_file) throw Error(ErrorKind::usage, fmt::format("{}: there is no such file", name));
  throw Error(ErrorKind::usage, fmt::format("there is no {} '{}': there are {}; or give a file (*{})", ending.substr(1),
                                            name, fmt::join(model_names(folder, ending), ", "), ending));
}

}  // namespace starpath::lab
