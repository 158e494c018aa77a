// Which files a slide is made of.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace starpath::io {

/// Notes the files of a slide as inputs (base/input_files.hpp): the file itself, the tiles of a folder of tiles, the
/// data in the folder of a MIRAX slide, the parts beside a VMS or VMU slide, and all DICOM files beside a DICOM one,
/// because only OpenSlide knows which of them are of the same slide. Entries that are no file are passed over.
/// Thread-safe. Throws Error{input} when a folder of tiles cannot be listed.
void note_slide(const std::string& input);

/// Whether `path` is a part of a slide among `entries`, which lie in the same folder: the folder of a MIRAX slide, or a
/// picture of a VMS or VMU one. Pure.
bool is_part_of_one(const std::filesystem::path& path, const std::vector<std::filesystem::path>& entries);

}  // namespace starpath::io
