// The text format that machines and workloads are written in: sections of keys, each number with where it is from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace starpath::lab {

/// One indented line, `KEY VALUE  # NOTE`.
struct ModelEntry {
  std::string key;
  std::string value;
  std::string note;  ///< "source: ..." or "assumed: ..."; empty when there is none
  unsigned line = 0;
};

/// One line that is not indented, `KIND NAME`, and the entries under it.
struct ModelSection {
  std::string kind;
  std::string name;
  unsigned line = 0;
  std::vector<ModelEntry> entries;
};

/// A parsed file (docs/lab.md has the format). What is wrong with a file is an Error (input) of the form
/// "FILE:LINE: reason". Reading is done through the getters: a number must carry a note that says where it is from,
/// and a key that nobody asked for by the time of `finish` is an error, so a typing mistake is never silently ignored.
class ModelFile {
 public:
  /// Throws Error (input) when the file cannot be read or does not follow the format.
  explicit ModelFile(const std::filesystem::path& path);
  ModelFile(std::string name, std::string_view text);  ///< the same from memory

  const std::vector<ModelSection>& sections() const { return sections_; }

  /// The number under `key`, which must be there once, within [least, most], with a note. Unit words are not allowed:
  /// the key names the unit.
  double number(const ModelSection& section, std::string_view key, double least, double most);
  /// The same, or `fallback` when the key is not there.
  double number_or(const ModelSection& section, std::string_view key, double least, double most, double fallback);
  /// A whole number.
  unsigned count(const ModelSection& section, std::string_view key, unsigned least, unsigned most);
  /// The rest of the line as text.
  std::string text(const ModelSection& section, std::string_view key);
  /// Every line of the key, in order.
  std::vector<std::string> texts(const ModelSection& section, std::string_view key);

  /// Fails on the first key or section that nobody asked for. `kinds` are the kinds of section that may occur.
  void finish(const std::vector<std::string>& kinds) const;

  [[noreturn]] void fail(unsigned line, const std::string& reason) const;

 private:
  void parse(std::string_view text);
  const ModelEntry* find(const ModelSection& section, std::string_view key);
  const ModelEntry& need(const ModelSection& section, std::string_view key);
  double read(const ModelEntry& entry, double least, double most) const;

  std::string name_;
  std::vector<ModelSection> sections_;
  std::vector<const ModelEntry*> used_;
};

/// The file of a model: `name` itself when it has a '/' or the ending, else NAME.ENDING in `folder`. Throws Error
/// (usage) that lists what there is when that does not exist.
std::filesystem::path find_model(const std::filesystem::path& folder, std::string_view ending, const std::string& name);

/// The names of the folder's files of this ending, sorted.
std::vector<std::string> model_names(const std::filesystem::path& folder, std::string_view ending);

}  // namespace starpath::lab
