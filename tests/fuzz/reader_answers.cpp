// What a process that decodes a slide says of it, and of the files in a folder.
#include "io/slides/reader_messages.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string bytes = fuzz::text_of(data, size);
  // A record that is accepted can be packed, and is accepted again.
  fuzz::expect_errors_only([&] {
    const io::SlideRecord record = io::unpacked(bytes);
    for (const io::SlideLevel& level : record.info.levels)
      if (!(level.width > 0 && level.height > 0 && level.downsample >= 1)) std::abort();
    if (io::unpacked(io::packed(record)).info.fingerprint != record.info.fingerprint) std::abort();
  });
  fuzz::expect_errors_only([&] {
    for (const io::DicomSeries& series : io::unpacked_series(bytes, "/slides"))
      for (const std::string& file : series.tissue)
        if (std::filesystem::path(file).parent_path() != "/slides") std::abort();
  });
  return 0;
}
