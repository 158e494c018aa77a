#include "io/slides/dicom_series.hpp"

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <utility>

#include "io/slides/dicom_instance.hpp"
#include "io/slides/image_names.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error, ignored;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(ignored) && entry->path().filename().string()[0] != '.') files.push_back(entry->path());
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::vector<DicomSeries> dicom_series_in(const fs::path& folder) {
  std::vector<DicomSeries> all;
  std::error_code ignored;
  for (const fs::path& file : files_in(folder)) {
    if (is_slide_name(file)) continue;
    const auto identity = dicom_identity(file);
    if (!identity) continue;
    auto series = std::ranges::find(all, identity->series, &DicomSeries::uid);
    if (series == all.end()) series = all.insert(series, {identity->series, {}, {}, file.string()});
    (identity->flavour == "VOLUME" ? series->tissue : series->beside).push_back(file.string());
    if (fs::file_size(file, ignored) > fs::file_size(series->largest, ignored)) series->largest = file.string();
  }
  return all;
}

std::optional<DicomSeries> only_dicom_in(const fs::path& folder) {
  if (std::ranges::any_of(files_in(folder), [](const fs::path& file) { return is_slide_name(file); })) return {};
  std::vector<DicomSeries> all = dicom_series_in(folder);
  return all.size() == 1 ? std::optional(std::move(all.front())) : std::nullopt;
}

}  // namespace starpath::io
