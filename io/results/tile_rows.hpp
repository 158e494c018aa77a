// The rows of a tile's features, made before they are stored. A tile's commit then copies whole rows; to give SQLite
// each number takes twice as long as that, and only one thread may write a file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/sqlite.hpp"
#include "io/results/nucleus_record.hpp"
#include "io/results/row_checksum.hpp"

namespace starpath::io {

/// Not thread-safe; to be filled by one thread, and stored by another. Throws as Database.
class TileRows {
 public:
  /// Rows of a tile of this number, with so many features.
  TileRows(std::int64_t tile, std::size_t features);
  /// The tile's next nucleus, whose own `features` are not looked at. Error{internal} when these are not as many.
  void add(const NucleusRecord& nucleus, std::span<const double> features);
  /// To be called once, after the last.
  void finish();

  // After finish().
  std::int64_t count() const { return count_; }
  /// Of the rows of `objects` and then of `features`, as Checksums wants it.
  const RowChecksum& checksum() const { return objects_; }
  /// A database with the table `features`.
  const DatabaseImage& image() const { return image_; }

 private:
  const std::int64_t tile_;
  const std::size_t features_wanted_;
  std::int64_t count_ = 0;
  std::optional<Database> database_;
  std::optional<Statement> put_;
  RowChecksum objects_, features_;
  std::vector<std::byte> contour_bytes_;
  DatabaseImage image_;
};

/// The number of a tile's nucleus in all tables: the tile's is its upper half.
constexpr std::int64_t object_number(std::int64_t tile, std::int64_t nucleus) {
  return tile * (std::int64_t{1} << 32) + nucleus;
}

/// Calls use(values...) with a nucleus' row of the table `objects`, whose columns kSegmentationColumns tells in this
/// order. `contour`: as encode_contour makes it.
template <class Use>
void use_object_row(std::int64_t object, const NucleusRecord& n, std::span<const std::byte> contour, const Use& use) {
  use(object, n.tile, n.first_x, n.first_y, n.x0, n.y0, n.x1, n.y1, n.centroid_x, n.centroid_y, std::int64_t{n.area},
      static_cast<std::int64_t>(n.role), contour);
}

}  // namespace starpath::io
