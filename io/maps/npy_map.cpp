// Maps in .npy files. Only the rows that are asked for are read.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "io/maps/map_file.hpp"
#include "io/maps/npy_header.hpp"
#include "io/slides/slide_backend.hpp"

namespace starpath::io {
namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) fail_input(path, fmt::format("cannot be read ({})", std::strerror(errno)), "check the path");
  }
  ~OpenFile() { close(file_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::uint64_t bytes(const std::string& path) const {
    struct stat state {};
    if (fstat(file_, &state) != 0 || !S_ISREG(state.st_mode)) fail_input(path, "is no regular file", "check the path");
    return static_cast<std::uint64_t>(state.st_size);
  }
  /// As many bytes as there are, up to `size`. Nothing: an error, which errno tells.
  std::optional<std::size_t> read(std::byte* to, std::size_t size, std::uint64_t at) const {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t got = pread(file_, to + done, size - done, static_cast<off_t>(at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return std::nullopt;
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

 private:
  int file_;
};

/// How an array's numbers follow each other.
struct Layout {
  MapShape shape;
  std::int64_t column, row, channel;  // numbers from one to the next
};

Layout layout_of(const NpyHeader& header, const std::string& path) {
  const std::vector<std::int64_t>& sides = header.shape;
  if (header.by_columns)
    fail_input(path, "holds its numbers by columns (Fortran's order)", "save numpy.ascontiguousarray(array)");
  if (sides.size() != 2 && sides.size() != 3)
    fail_input(path, fmt::format("has {} axes", sides.size()), "save (height, width) or (height, width, channels)");
  const bool has_channels = sides.size() == 3, first = has_channels && sides[0] < sides[2];
  const std::int64_t channels = !has_channels ? 1 : first ? sides[0] : sides[2];
  const std::int64_t height = sides[first ? 1 : 0], width = sides[first ? 2 : 1];
  if (channels > kMostMapChannels)
    fail_input(path,
               fmt::format("has the shape {}x{}x{}, and no axis of at most {} channels", sides[0], sides[1], sides[2],
                           kMostMapChannels),
               "save (height, width) or (height, width, channels)");
  const std::int64_t column = first ? 1 : channels;
  return {{width, height, static_cast<int>(channels), header.type}, column, width * column, first ? width * height : 1};
}

class NpyMap final : public MapFile {
 public:
  NpyMap(const std::string& path, std::unique_ptr<OpenFile> file, const Layout& layout, std::size_t begin)
      : MapFile(path, layout.shape), file_(std::move(file)), layout_(layout), begin_(begin) {}

  void read(int channel, const MapBox& box, double* to, std::ptrdiff_t stride) const override {
    read_channels(channel, 1, box, to, stride, 0);
  }

  void read_channels(int first, int count, const MapBox& box, double* to, std::ptrdiff_t stride,
                     std::ptrdiff_t plane) const override {
    // Channels lie side by side, or each is a picture of its own.
    if (layout_.channel > layout_.column && count > 1)
      return MapFile::read_channels(first, count, box, to, stride, plane);
    const std::size_t bytes = bytes_of(shape_.type), step = bytes * static_cast<std::size_t>(layout_.column);
    const auto width = static_cast<std::size_t>(box.width);
    std::vector<std::byte> row((width - 1) * step + bytes * static_cast<std::size_t>(count));
    for (int y = 0; y < box.height; ++y) {
      const std::int64_t begin = first * layout_.channel + (box.y + y) * layout_.row + box.x * layout_.column;
      const auto got = file_->read(row.data(), row.size(), begin_ + static_cast<std::uint64_t>(begin) * bytes);
      if (got != row.size())
        fail_input(path_,
                   fmt::format("row {} cannot be read ({})", box.y + y,
                               got ? "the file has become shorter" : std::strerror(errno)),
                   "copy or write it again");
      for (int channel = 0; channel < count; ++channel)
        take_numbers(row.data() + static_cast<std::size_t>(channel) * bytes, shape_.type, step, width,
                     to + channel * plane + y * stride);
    }
  }

 private:
  const std::unique_ptr<OpenFile> file_;
  const Layout layout_;
  const std::size_t begin_;
};

}  // namespace

std::unique_ptr<MapFile> open_npy_map(const std::string& path) {
  auto file = std::make_unique<OpenFile>(path);
  const std::uint64_t bytes = file->bytes(path);
  std::string head(kMostNpyHeader, '\0');
  const auto got = file->read(reinterpret_cast<std::byte*>(head.data()), head.size(), 0);
  if (!got) fail_input(path, fmt::format("cannot be read ({})", std::strerror(errno)), "check the file");
  head.resize(*got);
  const NpyHeader header = parse_npy_header(head, bytes, path);
  return std::make_unique<NpyMap>(path, std::move(file), layout_of(header, path), header.begin);
}

}  // namespace starpath::io
