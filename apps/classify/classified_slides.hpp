// The results that `starpath classify` works on.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace starpath::apps {

/// A slide with nuclei, from a study or on its own.
struct ClassifiedSlide {
  std::int64_t number;            // in study.sqlite; 0 outside of a study
  std::filesystem::path results;  // its results.sqlite
  std::string folder;             // of the results, its name
  std::string slide;              // name of the slide's file
  std::string fingerprint;        // of the slide
  std::string patient = {};       // as the study says; empty: not said
};

/// The results at `path`: a results.sqlite, its folder, or a study, whose slides are those that are done. `left_out`
/// gets a line for each other slide of a study. Throws Error{input} when there are none or a study's are gone,
/// Error{mismatch} when they are no finished results of `segment`.
std::vector<ClassifiedSlide> slides_at(const std::filesystem::path& path, std::vector<std::string>& left_out);

}  // namespace starpath::apps
