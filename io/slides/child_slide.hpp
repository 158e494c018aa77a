// Slides that are decoded in processes without rights, because those who made the files may mean harm and the libraries
// that read them have had holes (docs/robustness.md).
#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/slides/dicom_series.hpp"
#include "io/slides/opening.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io {

/// The program that decodes (io/reader), and how long its answers may take.
struct ReaderProgram {
  std::filesystem::path path{};  ///< empty: slides are decoded in this process
  /// Of a slide on a slow network disk, with hundreds of files. Much longer than healthy slides take.
  std::chrono::milliseconds to_open = std::chrono::minutes(5);
  /// For 4 million pixels, which the slowest decoders have after seconds.
  std::chrono::milliseconds to_read = std::chrono::minutes(1);
};

/// From now on, for all slides that are opened. Without a call, they are decoded in this process. Thread-safe.
void decode_slides_with(ReaderProgram program);
/// The program in use.
ReaderProgram slide_decoder();

/// As open_foreign_here(), in processes of `program`: one for each thread that reads the slide at a time, for as long
/// as the slide is open. What lies near the borders of large regions, up to 32 MiB of it, is kept here for reads that
/// overlap them. Each process ends at the latest with this one. A process that dies, does not answer in time, or
/// answers what cannot be, is ended. What it was reading is tried once more in a fresh one if it died, and then is a
/// region that cannot be read: Error{input} with its place. Error{runtime} when no process can be started.
std::unique_ptr<Slide> open_in_child(const ReaderProgram& program, const std::string& input, const Opening& opening);
/// As is_foreign_here(), in such a process. Never throws Error{input}: a process that dies has met something.
bool is_foreign_in_child(const ReaderProgram& program, const std::string& input);
/// As dicom_series_in(), in such a process; none where it dies. Throws Error{runtime} alone.
std::vector<DicomSeries> dicom_series_in_child(const ReaderProgram& program, const std::filesystem::path& folder);

}  // namespace starpath::io
