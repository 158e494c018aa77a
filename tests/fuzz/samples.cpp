// Samples that `starpath profile import` reads, CSV and JSON, and the record of a run that `starpath compare` reads.
#include "comparison/record.hpp"
#include "estimator/queries/sample_file.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string text = fuzz::text_of(data, size), file = fuzz::file_of(text, "samples");
  fuzz::expect_errors_only([&] { read_samples(file); });
  fuzz::expect_errors_only([&] { read_record(text); });
  return 0;
}
