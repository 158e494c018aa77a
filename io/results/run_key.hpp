// What a results file says of its run.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace starpath::io {

/// What must agree for two runs to be the same work. Stored at creation, compared on resume.
struct RunKey {
  std::string slide_fingerprint;
  std::string starpath_version;
  std::string parameters;  // canonical JSON of everything that changes results
};

/// A place on the canvas of a slide's file, level-0 pixels.
struct CanvasPlace {
  std::int64_t x = 0, y = 0;
  bool operator==(const CanvasPlace&) const = default;
};

/// What a reader of the results wants to know of the slide and the grid.
struct RunInfo {
  std::string slide_path;
  std::int64_t slide_width, slide_height;  // level-0 pixels
  double slide_mpp;                        // 0 when unknown
  std::int64_t width, height;              // working pixels
  double mpp;                              // of the working grid, 0 when unknown
  double scale;                            // level-0 pixels per working pixel
  std::int64_t roi_x, roi_y;               // what was analysed, working pixels;
  std::int64_t roi_width, roi_height;      // the whole grid when no region was asked for
  std::vector<std::string> feature_names;
  std::string mpp_source{};  // how the resolution is known (resolution.hpp); empty in results of 0.1.0
  /// Of the slide's first pixel, from which all places are counted. None in results of versions that counted from the
  /// canvas's.
  std::optional<CanvasPlace> origin{};
};

}  // namespace starpath::io
