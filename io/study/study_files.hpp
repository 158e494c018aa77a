// What lies in a study's folder beside the folders of its slides.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "base/lower_case.hpp"

namespace starpath::io {

/// Written by segment, cluster, cohort and report.
inline constexpr std::array<std::string_view, 11> kStudyFiles = {"study.sqlite",
                                                                 "results.lock",
                                                                 "report.html",
                                                                 "clusters.png",
                                                                 "clusters_of_slides.csv",
                                                                 "clusters_of_patients.csv",
                                                                 "heatmap.svg",
                                                                 "slides.csv",
                                                                 "regions.csv",
                                                                 "patients.csv",
                                                                 "points"};

/// Whether `name` is that of such a file, or may be of one that goes with it while it is written ("study.sqlite-wal",
/// "report.html.0123abcd.part"), whatever its capitals.
inline bool is_study_file(const std::string& name) {
  const std::string lower = lower_case(name);
  for (const std::string_view file : kStudyFiles) {
    if (!lower.starts_with(file)) continue;
    if (lower.size() == file.size()) return true;
    const char next = lower[file.size()];
    if (next == '-' || next == '.') return true;
  }
  return false;
}

}  // namespace starpath::io
