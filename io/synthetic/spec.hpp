// The parameters of "synthetic:WxH[,seed=N][,density=D][,mpp=M][,pattern=stroma]".
#pragma once
#include <cstdint>
#include <string>

namespace starpath::io {

/// How tissue is laid out: as a section, or in fields of known label (stroma.hpp).
enum class SyntheticPattern { tissue, stroma };

struct SyntheticSpec {
  std::int64_t width = 0, height = 0;  // pixels, 1 to 1,000,000
  std::uint64_t seed = 1;
  double density = 1;  // factor on the number of nuclei, 0 to 4
  double mpp = 0.5;    // micrometres a pixel, 0.1 to 2: how large tissue and nuclei are drawn
  SyntheticPattern pattern = SyntheticPattern::tissue;
};

/// Reads the text after and including "synthetic:". Throws Error{usage} that names the wrong part and the allowed
/// values.
SyntheticSpec parse_synthetic(const std::string& text);

}  // namespace starpath::io
