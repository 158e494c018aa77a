// Digest of a slide file.
#include "io/slides/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "io/slides/slide_backend.hpp"

namespace starpath::io {

void Digest::add(std::string_view bytes) {
  for (const char c : bytes) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
}

void Digest::add(std::int64_t number) { add(fmt::format("{};", number)); }

std::string Digest::hex() const { return fmt::format("{:016x}", state_); }

void add_file(Digest& digest, const std::string& path, std::int64_t share) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::int64_t size = file ? static_cast<std::int64_t>(file.tellg()) : -1;
  if (size < 0) fail_input(path, "cannot be read", "check its permissions");
  digest.add(size);
  std::string bytes;
  const auto add_range = [&](std::int64_t from, std::int64_t to) {
    bytes.resize(static_cast<std::size_t>(to - from));
    file.seekg(from);
    file.read(bytes.data(), to - from);
    if (!file) fail_input(path, "cannot be read to its end", "check the disk it is on");
    digest.add(bytes);
  };
  const std::int64_t first_end = std::min(size, share);
  add_range(0, first_end);
  add_range(std::max(first_end, size - share), size);
}

std::string file_fingerprint(const std::string& path, std::int64_t width, std::int64_t height) {
  Digest digest;
  add_file(digest, path, std::int64_t{1} << 20);
  digest.add(width);
  digest.add(height);
  return digest.hex();
}

}  // namespace starpath::io
