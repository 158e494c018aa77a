// What this process and one that decodes a slide for it say to each other: requests and replies of fixed size over a
// socket; pixels, texts and descriptions in shared memory (base/helper_process.hpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/slides/dicom_series.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io {

/// The most pixels that are asked for at once; the memory of a reader is 12 MiB.
inline constexpr int kReaderWidth = 4096, kReaderHeight = 1024;
inline constexpr std::size_t kReaderMemory = std::size_t{kReaderWidth} * kReaderHeight * sizeof(Rgb);

enum class ReaderTask : std::uint32_t {
  recognise,
  open,
  read,
  list,  // the DICOM series in a folder
};

struct ReaderRequest {
  ReaderTask task = ReaderTask::recognise;
  std::uint32_t whole_canvas = 0;        // of `open`: Opening::whole_canvas
  std::int64_t level = 0, x = 0, y = 0;  // of `read`, as Slide::read
  std::int32_t width = 0, height = 0;
};

enum class ReaderOutcome : std::uint32_t {
  done,     // recognised; opened or listed, as described in the memory; read, and the pixels are there row after row
  unknown,  // of no format that readers read
  failed,   // Error{input}, whose text is in the memory
};

struct ReaderReply {
  ReaderOutcome outcome;
  std::uint32_t guards;  // of Guards, see below
  std::uint64_t bytes;   // of the text or description in the memory
};

/// What holds a reader down (io/reader/sandbox.hpp), as bits.
inline constexpr std::uint32_t kCallsGuarded = 1, kFilesGuarded = 2;

/// What an opened slide says of itself.
struct SlideRecord {
  SlideInfo info;  // without its path, and without properties that are long or too many
  std::vector<std::string> warnings;
};

/// At most kReaderMemory bytes. Throws Error{input} where the slide says more of itself.
std::string packed(const SlideRecord& record);

/// The reverse, for bytes that nobody vouches for. Throws Error{input} unless they are those of a record whose sizes
/// and numbers are possible: levels of 1 to 2^40 pixels a side, downsamples from 1 on, places that cannot overflow.
SlideRecord unpacked(std::string_view bytes);

/// The series in a folder, by the names of their files without the folder's. Throws as packed(SlideRecord).
std::string packed(const std::vector<DicomSeries>& series);
/// The reverse: all files lie in `folder`. Throws Error{input}.
std::vector<DicomSeries> unpacked_series(std::string_view bytes, const std::filesystem::path& folder);

}  // namespace starpath::io
