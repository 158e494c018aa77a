#include "io/slides/dicom_series.hpp"

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <utility>

#include "io/slides/child_slide.hpp"
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
  std::vector<fs::path> files = files_in(folder);
  std::erase_if(files, is_slide_name);
  const ReaderProgram decoder = slide_decoder();
  if (!decoder.path.empty())
    return std::ranges::any_of(files, is_dicom) ? dicom_series_in_child(decoder, folder) : std::vector<DicomSeries>();
  std::vector<DicomSeries> all;
  std::error_code ignored;
  for (const fs::path& file : files) {
    const auto identity = dicom_identity(file);
    if (!identity) continue;
    auto series = std::ranges::find(all, identity->series, &DicomSeries::uid);
    if (series == all.end()) series = all.insert(series, {identity->series, {}, {}, file.string()});
    (identity->flavour == "VOLUME" ? series->tissue : series->beside).push_back(file.string());
    if (fs::file_size(file, ignored) > fs::file_size(series->largest, ignored)) series->largest = file.string();
  }
  return all;
}

bool may_hold_dicom(const fs::path& folder) {
  const std::vector<fs::path> files = files_in(folder);
  return std::ranges::none_of(files, [](const fs::path& file) { return is_slide_name(file); }) &&
         std::ranges::any_of(files, is_dicom);
}

std::optional<DicomSeries> only_dicom_in(const fs::path& folder) {
  if (std::ranges::any_of(files_in(folder), [](const fs::path& file) { return is_slide_name(file); })) return {};
  std::vector<DicomSeries> all = dicom_series_in(folder);
  return all.size() == 1 ? std::optional(std::move(all.front())) : std::nullopt;
}

}  // namespace starpath::io
