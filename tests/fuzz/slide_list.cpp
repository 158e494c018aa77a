// The list of a study's slides.
#include "pipelines/study/slide_list.hpp"

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string file = fuzz::file_of(fuzz::text_of(data, size), "slides.csv");
  fuzz::expect_errors_only([&] { check_given_once(read_slide_list(file, [](const std::string&) {})); });
  return 0;
}
