// Digests that tell one slide from another: for --resume, not against forgery.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace starpath::io {

/// FNV-1a, 64 bits (the function of Fowler, Noll and Vo). Not a faster one such as xxHash: these digests stand in
/// results, models and exports. With another function, results could not be resumed, and nuclei would get other ids.
class Digest {
 public:
  void add(std::string_view bytes);
  void add(std::int64_t number);
  std::uint64_t value() const { return state_; }
  std::string hex() const;  // 16 digits

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

/// Adds a file's size and its first and last `share` bytes. Throws Error{input} when it cannot be read.
void add_file(Digest& digest, const std::string& path, std::int64_t share);

/// Digest of a file's size, its first and last MiB, and the image's dimensions.
std::string file_fingerprint(const std::string& path, std::int64_t width, std::int64_t height);

}  // namespace starpath::io
