// study.sqlite: any bytes as the file.
#include "tests/fuzz/study.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string file = (fuzz::study_folder() / "study.sqlite").string();
  fuzz::file_of(fuzz::text_of(data, size), "study/study.sqlite");
  fuzz::use_study();
  fuzz::remove_journals(file);
  return 0;
}
