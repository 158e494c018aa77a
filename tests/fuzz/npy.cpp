// Headers of .npy files.
#include "io/maps/npy_header.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string head = fuzz::text_of(data, size).substr(0, io::kMostNpyHeader);
  fuzz::expect_errors_only([&] {
    const io::NpyHeader header = io::parse_npy_header(head, size, "map.npy");
    std::int64_t numbers = 1;
    for (const std::int64_t side : header.shape) numbers *= side;
    if (numbers != header.numbers || header.begin > size ||
        static_cast<std::uint64_t>(numbers) * io::bytes_of(header.type) > size - header.begin)
      std::abort();
  });
  return 0;
}
