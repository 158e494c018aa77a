// Parameters of the segmentation as a user asks for them.
#pragma once
#include <string>
#include <vector>

#include "pipelines/segmentation/parameters.hpp"

namespace starpath {

struct AskedParameters {
  std::string preset = "default";
  std::vector<std::string> changed = {};  ///< NAME=VALUE, in place of what the preset says
  std::string file = {};                  ///< TOML; empty: none
  std::vector<std::string> said = {};     ///< NAME=VALUE
  std::string detector = {};              ///< "levels" or "learned"; empty: what the others say
  std::string weights = {};               ///< of the learned detector, a file; empty: those of the program
  std::string network = {};               ///< an ONNX file, which finds the nuclei; empty: none
  bool of_maps = false;                   ///< maps tell where nuclei are, and no detector is chosen
};

/// The preset, then what is changed of it, then the file, then what was said, then the detector or network, which is
/// tried on one field (network_trial.hpp). Where nobody says a detector, another value of a parameter that only the
/// levels look at chooses the levels. Throws Error{usage}, also where the detector does not look at a parameter whose
/// value was said, or, for a file that cannot be read and for a network,
/// Error{input}.
SegmentationParameters parameters_of(const AskedParameters& asked);

/// Of each row of parameter_table(): what the user said its value by, where `parameters` are those of parameters_of().
std::vector<std::string> origins_of(const AskedParameters& asked, const SegmentationParameters& parameters);

}  // namespace starpath
