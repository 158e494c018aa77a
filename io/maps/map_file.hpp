// One file of maps: numbers of one type on a grid of pixels, in one or more channels.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/maps/number_type.hpp"

namespace starpath::io {

struct MapShape {
  std::int64_t width, height;
  int channels;
  NumberType type;
};

/// A part of a map.
struct MapBox {
  std::int64_t x, y;
  int width, height;
};

/// Thread-safe.
class MapFile {
 public:
  virtual ~MapFile() = default;
  const MapShape& shape() const { return shape_; }
  const std::string& path() const { return path_; }
  /// How many chunks a Zarr array has if all are there; 0 of other files.
  virtual std::int64_t chunks() const { return 0; }

  /// to[y * stride + x] = the number of `channel` at (box.x + x, box.y + y). The box lies in the map. Throws
  /// Error{input} naming file, place and reason.
  virtual void read(int channel, const MapBox& box, double* to, std::ptrdiff_t stride) const = 0;

  /// The channels from `first` on, `plane` numbers apart: to[c * plane + y * stride + x] is of channel first + c. As
  /// read(), but what holds several channels is read once.
  virtual void read_channels(int first, int count, const MapBox& box, double* to, std::ptrdiff_t stride,
                             std::ptrdiff_t plane) const {
    for (int channel = 0; channel < count; ++channel) read(first + channel, box, to + channel * plane, stride);
  }

 protected:
  MapFile(std::string path, const MapShape& shape) : path_(std::move(path)), shape_(shape) {}
  const std::string path_;
  const MapShape shape_;
};

/// The most channels that a file of maps may have: of three axes of an array, one with more is none of channels.
inline constexpr int kMostMapChannels = 256;

/// Whether the name ends as those of single files that open_map_file() reads: .npy, .tif, .tiff.
bool is_map_name(const std::string& path);

/// A file that numpy.save wrote, of the shape (height, width), (height, width, channels) or (channels, height, width):
/// of the first and the last axis the shorter one is that of channels, the last when they are equal. Or a TIFF, whose
/// channels are values of a pixel, or pages of the same size. Is checked to hold what it declares. Or a Zarr folder,
/// whose array has a shape as above; of more than three axes, those of length 1 before the last two do not count. Its
/// chunks are checked when they are read. Throws Error{input}, and for Zarr as open_zarr().
std::unique_ptr<MapFile> open_map_file(const std::string& path);

// The formats.
std::unique_ptr<MapFile> open_npy_map(const std::string& path);
std::unique_ptr<MapFile> open_tiff_map(const std::string& path);
std::unique_ptr<MapFile> open_zarr_map(const std::string& path);

}  // namespace starpath::io
