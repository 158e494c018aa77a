// The weights of the learned detector, and the file that holds them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/kernels/detector.hpp"

namespace starpath {

struct LearnedDetector {
  DetectorChannels channels{};
  std::vector<std::int32_t> words;  // as DetectorLayers orders them
  double mpp = 0;                   // um a pixel of the images that it was trained on
  int nucleus_score = 0;            // a pixel with this score or more belongs to a nucleus,
  int core_score = 0;               // and with this one to the inside of a nucleus
};

/// JSON with the keys
/// - format: "starpath-detector"; version: 1; um_per_px; channels: those of three or four levels;
/// - thresholds: {"nucleus", "core"}, scores of 0..255;
/// - layers, in the order of DetectorLayers: {"name", "in", "out", "kernel", "weights" (whole numbers of -127..127 in
///   the order output, row, column, input), "bias", "multiplier", "shift" (one for each output)}.
/// Other keys are for people. Checks everything, also that no sum can exceed 32 bits. Throws Error{input}, one line
/// that begins with `name`.
LearnedDetector parse_detector(const std::string& text, const std::string& name);

/// The same of a file.
LearnedDetector read_detector(const std::string& file);

/// The detector that is part of the program.
const LearnedDetector& bundled_detector();

/// 16 hexadecimal digits, the same for detectors that give the same scores and levels.
std::string detector_digest(const LearnedDetector& detector);

}  // namespace starpath
