// Maps of a whole slide: one file, or a folder of pieces that are named by their places.
#pragma once
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/annotations/box_tree.hpp"
#include "io/maps/map_file.hpp"

namespace starpath::io {

/// Width and height, in pixels of the map.
struct MapSize {
  std::int64_t width, height;
  bool operator==(const MapSize&) const = default;
};

/// A piece of a map, and the part of a box that it holds.
struct MapPart {
  std::size_t piece;
  MapBox box;
};

/// Where no piece lies, numbers are 0. Thread-safe.
class MapImage {
 public:
  /// A file or a Zarr folder (open_map_file), or a folder whose .npy and .tif files are pieces. A piece is named by its
  /// first pixel, x before y, in pixels of the map (1024_2048.npy, tile_x1024_y2048.npy), or by row and column
  /// (r2_c1.npy); then all pieces have the size of the largest, but those of the last row and column. Pieces may have
  /// any sizes, and hold numbers of one type in as many channels. Throws Error{input}: a name without a place, two ways
  /// of naming, pieces that overlap or are of different kinds, and as open_map_file does for each of them.
  explicit MapImage(const std::string& path);

  const std::string& path() const { return path_; }
  int channels() const { return channels_; }
  NumberType type() const { return type_; }
  bool is_folder() const { return file_ == nullptr; }
  std::size_t pieces() const { return pieces_.size(); }
  /// From (0, 0) to the last pixel of any piece.
  MapSize extent() const { return extent_; }
  /// By pieces, in pixels.
  std::int64_t covered() const { return covered_; }
  /// Of a Zarr folder: chunks that are not there, whose pixels hold the fill value, and the chunks of the whole array.
  struct Chunks {
    std::int64_t missing = 0, all = 0;
  };
  Chunks chunks() const { return chunks_; }
  /// Digest of names and places, and of size, first and last bytes of each file; of Zarr, of each chunk.
  const std::string& fingerprint() const { return fingerprint_; }

  /// As MapFile::read; the box may reach over the extent.
  void read(int channel, const MapBox& box, double* to, std::ptrdiff_t stride) const {
    read_channels(channel, 1, box, to, stride, 0);
  }
  /// As MapFile::read_channels; the same.
  void read_channels(int first, int count, const MapBox& box, double* to, std::ptrdiff_t stride,
                     std::ptrdiff_t plane) const;
  /// The pieces that meet the box, by rising numbers.
  std::vector<MapPart> parts_of(const MapBox& box) const;

 private:
  struct Piece {
    std::string path;
    std::int64_t x, y, width, height;
  };
  void take_folder();
  void take_place(Piece& piece, bool by_row, const MapSize& largest) const;
  void check_apart() const;
  std::shared_ptr<const MapFile> file_of(std::size_t piece) const;

  std::string path_;
  std::vector<Piece> pieces_;
  std::shared_ptr<const MapFile> file_;  // of a map that is one file
  int channels_ = 1;
  NumberType type_ = NumberType::u8;
  MapSize extent_{0, 0};
  std::int64_t covered_ = 0;
  Chunks chunks_;
  std::string fingerprint_;
  std::optional<BoxTree> places_;
  mutable std::mutex mutex_;
  mutable std::list<std::pair<std::size_t, std::shared_ptr<const MapFile>>> open_;  // the last used first
};

}  // namespace starpath::io
