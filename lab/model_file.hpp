// The files of machines, workloads and networks of nodes: TOML, each number with its unit and its source.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace starpath::lab {

/// `KEY = VALUE`. A number is written as { value = 15, unit = "us", source = "..." }, with `assumed` in place of
/// `source` where nobody measured it.
struct ModelEntry {
  std::string key;
  unsigned line = 0;
  std::string spelling;            ///< the value as a message shows it
  std::optional<double> number;    ///< a bare number, or the value of { value = ... }
  std::vector<std::string> texts;  ///< one text, or an array of them
  std::string unit;                ///< empty: none
  bool explained = false;          ///< it has `source` or `assumed`
};

/// A table `[KIND]`, or one of the tables `[[KIND]]`, and its content.
struct ModelSection {
  std::string kind;
  std::string name;  ///< its key `name`
  unsigned line = 0;
  std::vector<ModelEntry> entries;
};

/// A parsed file (docs/lab.md has the format). A fault in a file is an Error (input) of the form "FILE:LINE: reason".
/// Reading is done through the getters. A number must say where it is from. A key that no getter asked for by the time
/// of `finish` is an error, so a typing mistake is never silently ignored.
class ModelFile {
 public:
  /// Throws Error (input) when the file cannot be read or does not follow the format.
  explicit ModelFile(const std::filesystem::path& path);
  ModelFile(std::string name, std::string_view text);  ///< the same from memory

  /// In the order of the file.
  const std::vector<ModelSection>& sections() const { return sections_; }

  /// The number under `key`, which must be there, in this unit (empty: a bare number) and within [least, most].
  double number(const ModelSection& section, std::string_view key, std::string_view unit, double least, double most);
  /// The same, or `fallback` when the key is not there.
  double number_or(const ModelSection& section, std::string_view key, std::string_view unit, double least, double most,
                   double fallback);
  /// A whole number without a unit.
  unsigned count(const ModelSection& section, std::string_view key, unsigned least, unsigned most);
  std::string text(const ModelSection& section, std::string_view key);
  std::string text_or(const ModelSection& section, std::string_view key, const std::string& fallback);
  /// A text or an array of texts; empty when the key is not there.
  std::vector<std::string> texts(const ModelSection& section, std::string_view key);

  /// Fails on the first key or section that nobody asked for. `kinds` are the kinds of section that may occur.
  void finish(const std::vector<std::string>& kinds) const;

  [[noreturn]] void fail(unsigned line, const std::string& reason) const;

 private:
  void parse(std::string_view text);
  const ModelEntry* find(const ModelSection& section, std::string_view key);
  const ModelEntry& need(const ModelSection& section, std::string_view key);
  double read(const ModelEntry& entry, std::string_view unit, double least, double most) const;

  std::string name_;
  std::vector<ModelSection> sections_;
  std::vector<const ModelEntry*> used_;
};

/// The file of a model: `name` itself when it has a '/' or an ending, else FOLDER/KINDs/NAME.toml. When that does not
/// exist, throws Error (usage) that lists the models there are. `kind`: "machine", "workload" or "network".
std::filesystem::path find_model(const std::filesystem::path& folder, std::string_view kind, const std::string& name);

/// The names of the models of this kind in the folder, sorted.
std::vector<std::string> model_names(const std::filesystem::path& folder, std::string_view kind);

}  // namespace starpath::lab
