// The slides among the DICOM files of a folder: a slide is a series, with a file for each level, label and overview.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace starpath::io {

/// The whole-slide images of one series, by name.
struct DicomSeries {
  std::string uid;
  std::vector<std::string> tissue;  // levels, or parts of them
  std::vector<std::string> beside;  // labels, overviews and thumbnails
  std::string largest;              // of these files: the slide is named for it
};

/// The series whose files lie in the folder itself, by the names of their first files. Passes over hidden files, and
/// files with the ending of another format without opening them. Throws Error{runtime} alone, where DICOM is read in
/// processes of their own and none can be started (child_slide.hpp).
std::vector<DicomSeries> dicom_series_in(const std::filesystem::path& folder);

/// The series in a folder that holds the DICOM files of one slide, and no other image or slide; else nothing. Throws
/// as dicom_series_in().
std::optional<DicomSeries> only_dicom_in(const std::filesystem::path& folder);

/// Whether a folder holds a file with DICOM's mark, and no other image or slide. Never throws.
bool may_hold_dicom(const std::filesystem::path& folder);

}  // namespace starpath::io
