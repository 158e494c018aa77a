// What ten lines of scikit-image make of the same pixels.
#pragma once
#include <optional>
#include <string>

#include "base/temporary_folder.hpp"
#include "bench/quality/label_image.hpp"

namespace starpath::quality {

/// Images are added, run() segments all of them by baseline.py, labels() gives what it found. In temporary folders.
class Baseline {
 public:
  Baseline();

  /// `key` is a file's name without extension, one for each image.
  void add(const std::string& key, RgbView rgb);
  /// With this Python. Returns "" or, in one line, why there is no baseline.
  std::string run(const std::string& python);
  /// Nothing when run() failed.
  std::optional<LabelImage> labels(const std::string& key) const;

 private:
  TemporaryFolder folder_;
  bool ran_ = false;
};

}  // namespace starpath::quality
