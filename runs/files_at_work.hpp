// Files that are written at the same time.
#pragma once
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "io/exports/export_options.hpp"
#include "runs/run_listener.hpp"

namespace starpath {

/// "out/nuclei.geojson, out/nuclei.csv"; of many files, the first ones and how many more there are.
std::string file_list(const std::vector<std::filesystem::path>& files);

/// What became of files.
struct FilesAtEnd {
  std::vector<std::filesystem::path> written, stopped;
};

/// The progress of several files as that of one phase, and their end once `stop` is true. Thread-safe; nobody else uses
/// the report meanwhile.
class FilesAtWork {
 public:
  /// The phase is told as `text`, when the first file begins.
  FilesAtWork(RunListener& report, std::string text, const std::vector<std::filesystem::path>& files,
              const std::atomic<bool>& stop);
  /// Ends the phase: what follows starts on a line of its own.
  ~FilesAtWork() { report_.close(); }
  FilesAtWork(const FilesAtWork&) = delete;
  FilesAtWork& operator=(const FilesAtWork&) = delete;

  /// Writes the file of this number, from 0, by `write`; what that gets must not outlive the call. Once the user wants
  /// to stop, no file is begun, and those at work are given up (io::ExportProgress). Throws what `write` throws.
  void write(std::size_t file, const std::function<void(const io::ExportProgress&)>& write);

  /// When all calls of write() have returned.
  FilesAtEnd end() const;

 private:
  struct File {
    std::filesystem::path path;
    double share = 0;
    bool written = false;
  };

  void begin();
  void tell(File& file, double share);

  std::mutex mutex_;
  RunListener& report_;
  std::string text_;  // empty once it is told
  const std::atomic<bool>& stop_;
  std::vector<File> files_;
  double sum_ = 0;
};

}  // namespace starpath
