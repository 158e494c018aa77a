// Weights of the learned detector.
#include "pipelines/segmentation/learned_detector.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  fuzz::expect_errors_only([&] {
    const LearnedDetector detector = parse_detector(fuzz::text_of(data, size), "detector.json");
    if (static_cast<int>(detector.words.size()) != DetectorLayers(detector.channels).words()) std::abort();
    detector_digest(detector);
  });
  return 0;
}
