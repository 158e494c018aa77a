// The results whose nuclei are classified.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace starpath {

/// A slide with nuclei, from a study or on its own.
struct ClassifiedSlide {
  std::int64_t number;            // in study.sqlite; 0 outside of a study
  std::filesystem::path results;  // its results.sqlite
  std::string folder;             // of the results, its name
  std::string slide;              // name of the slide's file
  std::string fingerprint;        // of the slide
  std::string patient = {};       // as the study says; empty: not said
};

/// The results at `path`: a results.sqlite, its folder, or a study. Of a study, these are the slides that are done, and
/// `left_out` gets a line for each other slide. Throws Error{input} when there are none or a study's are gone,
/// Error{mismatch} when they are no finished results of `segment`.
std::vector<ClassifiedSlide> slides_to_classify(const std::filesystem::path& path, std::vector<std::string>& left_out);

}  // namespace starpath
