// Maps in Zarr arrays. Only the chunks that a part needs are decoded.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/cgroup.hpp"
#include "io/maps/map_file.hpp"
#include "io/maps/zarr_folder.hpp"
#include "io/maps/zarr_reader.hpp"
#include "io/slides/slide_backend.hpp"

namespace starpath::io {
namespace {

constexpr std::int64_t kMostChunk = std::int64_t{1} << 30;  // bytes
/// A chunk is in memory up to this many times: packed, unpacked, and in this machine's order.
constexpr std::int64_t kCopiesOfAChunk = 3;
/// Of all chunks that are in memory at once, with their copies, unless one alone takes more.
constexpr std::int64_t kMostAtOnce = std::int64_t{1} << 29;

/// Of the machine, or what the container or job may use, in bytes.
std::int64_t memory_here() {
  const std::int64_t machine = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  const auto limit = cgroup_memory();
  return limit ? std::min(machine, limit->bytes) : machine;
}

/// Which axes of the array are which; those of length 1 that stand before a picture are none.
struct Axes {
  std::size_t row, column;
  std::optional<std::size_t> channel;
};

/// Of three axes the shorter one of the first and the last is that of channels, the last when they are equal. Of more
/// than three, those of length 1 before the last two do not count (time, channel and depth of OME-Zarr).
Axes axes_of(const std::string& path, const std::vector<ZarrAxis>& all) {
  std::vector<std::size_t> kept;
  std::vector<std::int64_t> shape;
  for (std::size_t axis = 0; axis < all.size(); ++axis) {
    shape.push_back(all[axis].length);
    if (all.size() <= 3 || axis + 2 >= all.size() || all[axis].length > 1) kept.push_back(axis);
  }
  if (kept.size() == 2) return {kept[0], kept[1], std::nullopt};
  if (kept.size() != 3)
    fail_input(path, fmt::format("has the shape {}", fmt::join(shape, "x")),
               "save (height, width) or (height, width, channels)");
  if (all[kept[0]].length < all[kept[2]].length) return {kept[1], kept[2], kept[0]};
  return {kept[0], kept[1], kept[2]};
}

/// Bytes of a decoded chunk. Throws Error{input} when it cannot be decoded within reason.
std::int64_t check_chunk(const std::string& path, const std::vector<ZarrAxis>& axes, NumberType type) {
  double bytes = static_cast<double>(bytes_of(type));
  std::vector<std::int64_t> sides;
  for (const ZarrAxis& axis : axes) {
    sides.push_back(axis.chunk);
    bytes *= static_cast<double>(axis.chunk);
  }
  const std::int64_t most = std::min(kMostChunk, memory_here() / 2 / kCopiesOfAChunk);
  if (bytes > static_cast<double>(most))
    fail_input(path,
               fmt::format("has chunks of {} {} numbers, {:.0f} MiB each, and at most {} MiB can be decoded at once",
                           fmt::join(sides, "x"), name_of(type), bytes / (1 << 20), most >> 20),
               "write it in smaller chunks, as 1024x1024");
  return static_cast<std::int64_t>(bytes);
}

class ZarrMap final : public MapFile {
 public:
  ZarrMap(const std::string& folder, const MapShape& shape, const Axes& axes, const std::vector<ZarrAxis>& all,
          std::int64_t at_once)
      : MapFile(folder, shape), axes_(axes), all_axes_(all.size()), free_(at_once) {
    for (const ZarrAxis& axis : all) chunks_ *= (axis.length - 1) / axis.chunk + 1;
  }

  std::int64_t chunks() const override { return chunks_; }

  void read(int channel, const MapBox& box, double* to, std::ptrdiff_t stride) const override {
    read_channels(channel, 1, box, to, stride, 0);
  }

  void read_channels(int first, int count, const MapBox& box, double* to, std::ptrdiff_t stride,
                     std::ptrdiff_t plane) const override {
    std::vector<std::uint64_t> begin(all_axes_, 0);
    std::vector<std::size_t> counts(all_axes_, 1);
    std::vector<std::ptrdiff_t> strides(all_axes_, 0);
    const auto take = [&](std::size_t axis, std::int64_t from, int numbers, std::ptrdiff_t step) {
      begin[axis] = static_cast<std::uint64_t>(from);
      counts[axis] = static_cast<std::size_t>(numbers);
      strides[axis] = step;
    };
    take(axes_.row, box.y, box.height, stride);
    take(axes_.column, box.x, box.width, 1);
    if (axes_.channel) take(*axes_.channel, first, count, plane);
    const Turn turn(free_);
    std::unique_ptr<ZarrReader> reader = idle_reader();
    if (reader == nullptr) reader = open_zarr(path_);
    try {
      reader->read(begin.data(), counts.data(), strides.data(), to);
    } catch (const std::runtime_error& error) {
      fail_input(
          path_,
          fmt::format("cannot be read at x={} y={} {}x{}: {}", box.x, box.y, box.width, box.height, error.what()),
          "write it again");
    }
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(reader));
  }

 private:
  using Free = std::counting_semaphore<>;

  /// One of those who may decode a chunk.
  class Turn {
   public:
    explicit Turn(Free& free) : free_(free) { free_.acquire(); }
    ~Turn() { free_.release(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Free& free_;
  };

  std::unique_ptr<ZarrReader> idle_reader() const {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    std::unique_ptr<ZarrReader> reader = std::move(idle_.back());
    idle_.pop_back();
    return reader;
  }

  const Axes axes_;
  const std::size_t all_axes_;
  std::int64_t chunks_ = 1;
  mutable Free free_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<ZarrReader>> idle_;  // each serves one thread at a time
};

}  // namespace

std::unique_ptr<MapFile> open_zarr_map(const std::string& path) {
  const ZarrArray array = find_zarr_array(path);
  const std::string& folder = array.folder;
  const std::vector<ZarrAxis> all = open_zarr(folder)->axes();
  const Axes axes = axes_of(folder, all);
  const std::int64_t channels = axes.channel ? all[*axes.channel].length : 1;
  if (channels > kMostMapChannels)
    fail_input(folder, fmt::format("has {} channels; at most {} are read", channels, kMostMapChannels),
               "save (height, width) or (height, width, channels)");
  const MapShape shape{all[axes.column].length, all[axes.row].length, static_cast<int>(channels), array.type};
  const std::int64_t chunk = check_chunk(folder, all, array.type);
  const std::int64_t at_once = std::min(kMostAtOnce, memory_here() / 8) / (kCopiesOfAChunk * chunk);
  return std::make_unique<ZarrMap>(folder, shape, axes, all, std::max<std::int64_t>(1, at_once));
}

}  // namespace starpath::io
