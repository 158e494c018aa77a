// results.sqlite and the parts of ranks: any bytes as the file.
#include "tests/fuzz/results.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string bytes = fuzz::text_of(data, size);
  const std::string file = fuzz::file_of(bytes, "results.sqlite"), part = fuzz::file_of(bytes, "results.rank-1.sqlite");
  fuzz::expect_errors_only([&] { fuzz::go_on(file); });
  fuzz::expect_errors_only([&] {
    const std::string whole = (fuzz::folder() / "whole.sqlite").string();
    io::remove_results_file(whole);
    io::ResultStore::create(whole, io::testing::key(), io::testing::info());
    io::merge_part(whole, part, io::testing::key());
    fuzz::go_on(whole);
  });
  fuzz::remove_journals(file);
  fuzz::remove_journals(part);
  return 0;
}
