// The choices that a user has for an export.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/on_threads.hpp"

namespace starpath::io {

/// Told how much of an export is written, 0 to 1. May throw, which ends the export and leaves no file.
using ExportProgress = std::function<void(double share)>;

enum class Compression { none, gzip };

struct ExportOptions {
  /// "basic" (kBasicFeatures), "all", or names of features; several are joined.
  std::vector<std::string> features = {"basic"};
  /// Significant digits of measurements in text. 0: as few as read back as the same single-precision number.
  int digits = 0;
  /// The threads of all exports that are written at the same time. They read outlines and the slide, and pack labels.
  std::shared_ptr<ThreadBudget> threads = std::make_shared<ThreadBudget>(1);
  ExportProgress on_progress{};
};

}  // namespace starpath::io
