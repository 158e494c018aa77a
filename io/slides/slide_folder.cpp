// Listing slides by their names, and files of unknown names by what they hold.
#include "io/slides/slide_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/lower_case.hpp"
#include "io/slides/dicom_instance.hpp"
#include "io/slides/dicom_series.hpp"
#include "io/slides/foreign_kinds.hpp"
#include "io/slides/image_names.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/slide_parts.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNamed = 3;

/// Names that are left out, by reason.
class LeftOut {
 public:
  void add(const std::string& reason, const fs::path& path) { names_[reason].push_back(path.filename().string()); }

  std::string text() {
    std::string all;
    for (auto& [reason, names] : names_) {
      std::ranges::sort(names);
      const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
      names.resize(names.size() - more);
      all += fmt::format("{}{} ({}{})", all.empty() ? "" : ", ", reason, fmt::join(names, ", "),
                         more == 0 ? "" : fmt::format(" and {} more", more));
    }
    return all;
  }

 private:
  std::map<std::string, std::vector<std::string>> names_;
};

/// Why a file whose ending is that of no slide is left out; empty: it is a slide.
std::string reason_against(const fs::path& path) {
  if (is_dicom(path)) return "DICOM files that are no slides";
  if (!foreign_ending(path).empty()) return "formats that are not read";
  if (!is_recognised(path.string())) return "no image";
  try {
    open_slide(path.string());
    return "";
  } catch (const Error&) {
    return "images that cannot be read";
  }
}

/// The entries without hidden ones, by name.
std::vector<fs::path> entries_of(const std::string& folder) {
  std::vector<fs::path> entries;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure))
    if (entry->path().filename().string()[0] != '.') entries.push_back(entry->path());
  if (failure) fail_input(folder, "cannot be listed: " + failure.message(), "check its permissions");
  std::ranges::sort(entries);
  return entries;
}

}  // namespace

bool is_folder_of_one_slide(const std::string& folder) { return is_folder_of_tiles(folder) || only_dicom_in(folder); }

FolderContents contents_of(const std::string& folder) {
  const std::vector<fs::path> entries = entries_of(folder);
  FolderContents contents;
  LeftOut left_out;
  std::error_code ignored;
  std::set<std::string> dicom;  // all files of these slides
  for (const DicomSeries& series : dicom_series_in(folder)) {
    if (series.tissue.empty()) continue;
    contents.slides.push_back(series.largest);
    dicom.insert(series.tissue.begin(), series.tissue.end());
    dicom.insert(series.beside.begin(), series.beside.end());
  }
  for (const fs::path& path : entries) {
    if (is_part_of_one(path, entries) || dicom.contains(path.string())) continue;
    const bool is_folder = fs::is_directory(path, ignored);
    const std::string reason = is_folder             ? is_folder_of_one_slide(path.string()) ? "" : "folders"
                               : is_slide_name(path) ? ""
                                                     : reason_against(path);
    if (reason.empty())
      contents.slides.push_back(path.string());
    else
      left_out.add(reason, path);
  }
  std::ranges::sort(contents.slides);
  contents.left_out = left_out.text();
  return contents;
}

std::vector<std::string> slides_in(const std::string& folder) { return contents_of(folder).slides; }

}  // namespace starpath::io
