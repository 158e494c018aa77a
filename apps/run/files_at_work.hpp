// Files that are written at the same time.
#pragma once
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "apps/run/progress_report.hpp"
#include "io/exports/export_options.hpp"

namespace starpath::apps {

/// "writing out/nuclei.geojson, out/nuclei.csv".
std::string writing_text(const std::vector<std::filesystem::path>& files);

/// The progress of several files as that of one phase. Thread-safe; nobody else uses the report meanwhile.
class FilesAtWork {
 public:
  /// The phase is told as `text`, when the first file begins.
  FilesAtWork(ProgressReport& report, std::string text, std::size_t files)
      : report_(report), text_(std::move(text)), shares_(files) {}

  /// Begins the file of this number, from 0. What it returns must not outlive this object.
  io::ExportProgress begin(std::size_t file);

 private:
  void tell(std::size_t file, double share);

  std::mutex mutex_;
  ProgressReport& report_;
  std::string text_;  // empty once it is told
  std::vector<double> shares_;
  double sum_ = 0;
};

}  // namespace starpath::apps
