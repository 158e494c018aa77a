// Parts of slides by their names, and of DICOM by their first bytes.
#include "io/slides/slide_parts.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/input_files.hpp"
#include "base/lower_case.hpp"
#include "io/slides/dicom_instance.hpp"
#include "io/slides/dicom_series.hpp"
#include "io/slides/image_names.hpp"
#include "io/slides/slide_folder.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

template <class Choice>
void note_files_in(const fs::path& folder, const Choice& is_part) {
  std::error_code error, ignored;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(ignored) && is_part(entry->path())) note_input(entry->path());
}

/// Results may lie there too.
auto ends_with_one_of(std::initializer_list<std::string_view> endings) {
  return [known = std::vector(endings)](const fs::path& file) {
    return std::ranges::find(known, lower_case(file.extension().string())) != known.end();
  };
}

/// Whether `file` is a picture of the VMS or VMU slide of that stem.
bool is_hamamatsu_part(const fs::path& file, const std::string& stem) {
  const std::string ending = lower_case(file.extension().string());
  return (ending == ".jpg" || ending == ".ngr" || ending == ".opt") && file.filename().string().starts_with(stem);
}

/// Of a study whose slides lie in one folder, that is looked through once.
bool is_first_look_at(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> known;
  std::error_code error;
  fs::path name = fs::absolute(folder, error);
  const std::lock_guard lock(mutex);
  return known.insert(std::move(name)).second;
}

}  // namespace

void note_slide(const std::string& input) {
  const fs::path path = input, beside = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code error;
  if (fs::is_directory(path, error)) {
    if (is_folder_of_tiles(input)) note_files_in(path, is_image_name);
    if (only_dicom_in(path)) note_files_in(path, is_dicom);
    return;
  }
  if (!fs::is_regular_file(path, error)) return;
  note_input(path);
  const std::string ending = lower_case(path.extension().string()), stem = path.stem().string();
  if (ending == ".mrxs") note_files_in(fs::path(path).replace_extension(), ends_with_one_of({".dat", ".ini"}));
  if (ending == ".vms" || ending == ".vmu")
    note_files_in(beside, [&](const fs::path& file) { return is_hamamatsu_part(file, stem); });
  if (is_dicom(path) && is_first_look_at(beside)) note_files_in(beside, is_dicom);
}

bool is_part_of_one(const fs::path& path, const std::vector<fs::path>& entries) {
  return std::ranges::any_of(entries, [&](const fs::path& entry) {
    const std::string ending = lower_case(entry.extension().string()), stem = entry.stem().string();
    if (ending == ".mrxs") return path.filename() == stem;
    return (ending == ".vms" || ending == ".vmu") && is_hamamatsu_part(path, stem);
  });
}

}  // namespace starpath::io
