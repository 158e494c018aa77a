// A folder of tiles as one slide; tile_names.hpp has the names of tiles. All tiles are of one size, but tiles of the
// last column and row may be smaller. A missing tile is white (many tools leave glass out); numbers may start anywhere.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "io/slides/block_cache.hpp"
#include "io/slides/fingerprint.hpp"
#include "io/slides/image_names.hpp"
#include "io/slides/pixels.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/slide_folder.hpp"
#include "io/slides/tile_names.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNamingHint =
    "give the file of one slide, or name the tiles of one by row and column (tile_r000_c001.png), by column and row "
    "(0_1.png) or by pixel offset (x1024_y0.png)";

struct TileFile {
  fs::path path;
  TileName name;
};

struct Place {
  std::int64_t column, row;
  auto operator<=>(const Place&) const = default;
};

// The image files in the folder, in the order of their names. Other files (notes, indexes) are none of our business.
std::vector<TileFile> list_tiles(const std::string& folder) {
  std::error_code failure;
  std::vector<fs::path> paths;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure))
    if (is_image_name(entry->path()) && entry->path().filename().string()[0] != '.') paths.push_back(entry->path());
  if (failure) fail_input(folder, "cannot be listed: " + failure.message(), "check its permissions");
  if (paths.empty()) fail_input(folder, "holds no PNG, JPEG or TIFF image", "give a folder of tiles, or a slide file");
  std::sort(paths.begin(), paths.end());

  std::vector<TileFile> tiles;
  for (const fs::path& path : paths) {
    const auto name = parse_tile_name(path.stem().string());
    if (!name)
      fail_input(
          folder,
          fmt::format("is no folder of tiles: the name of '{}' does not say where it lies", path.filename().string()),
          kNamingHint);
    if (!tiles.empty() && name->naming != tiles[0].name.naming)
      fail_input(folder,
                 fmt::format("mixes two ways of naming: '{}' and '{}'", tiles[0].path.filename().string(),
                             path.filename().string()),
                 kNamingHint);
    tiles.push_back({path, *name});
  }
  return tiles;
}

// Smallest distance between different values; 0 when all are the same.
std::int64_t smallest_step(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  std::int64_t step = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const std::int64_t distance = values[i] - values[i - 1];
    if (distance > 0 && (step == 0 || distance < step)) step = distance;
  }
  return step;
}

/// Takes over what a tile says of its resolution.
void take_scale(const SlideInfo& tile, SlideInfo& slide) {
  slide.mpp = tile.mpp;
  slide.mpp_by = tile.mpp_by;
  slide.oblong = tile.oblong;
  slide.power = tile.power;
  slide.mpp_doubt = tile.mpp_doubt;
}

/// `slide`, if there is one, gets the tile's resolution.
std::shared_ptr<const Block> decode_tile(const fs::path& path, SlideInfo* slide = nullptr) {
  const auto image = open_slide(path.string());
  if (slide != nullptr) take_scale(image->info(), *slide);
  check_whole_image_size(path.string(), image->info().width(), image->info().height());
  auto block = std::make_shared<Block>(
      Block{static_cast<int>(image->info().width()), static_cast<int>(image->info().height()), {}});
  block->pixels.resize(static_cast<std::size_t>(block->width) * static_cast<std::size_t>(block->height));
  image->read(0, 0, 0, {block->pixels.data(), block->width, block->height, block->width});
  return block;
}

// Tiles by place, numbered from 0.
using Grid = std::map<Place, fs::path>;

Place size_of(const Grid& grid) {
  Place size{0, 0};
  for (const auto& [place, path] : grid) {
    size.column = std::max(size.column, place.column + 1);
    size.row = std::max(size.row, place.row + 1);
  }
  return size;
}

// A few images with far-apart numbers are photographs, not tiles.
bool is_dense(const Grid& grid) {
  const Place size = size_of(grid);
  return size.column * size.row <= 1000 + 200 * static_cast<std::int64_t>(grid.size());
}

void check_dense(const std::string& folder, const Grid& grid) {
  if (is_dense(grid)) return;
  const Place size = size_of(grid);
  fail_input(folder,
             fmt::format("is no folder of tiles: {} images for a grid of {} columns and {} rows", grid.size(),
                         size.column, size.row),
             kNamingHint);
}

Grid make_grid(const std::string& folder, const std::vector<TileFile>& tiles) {
  std::vector<std::int64_t> xs, ys;
  for (const TileFile& tile : tiles) {
    xs.push_back(tile.name.x);
    ys.push_back(tile.name.y);
  }
  std::int64_t step_x = 1, step_y = 1;
  if (tiles[0].name.naming == TileNaming::offset) {
    step_x = std::max<std::int64_t>(1, smallest_step(xs));
    step_y = std::max<std::int64_t>(1, smallest_step(ys));
  }
  const std::int64_t first_x = *std::min_element(xs.begin(), xs.end()),
                     first_y = *std::min_element(ys.begin(), ys.end());
  Grid grid;
  for (const TileFile& tile : tiles) {
    const std::int64_t dx = tile.name.x - first_x, dy = tile.name.y - first_y;
    if (dx % step_x != 0 || dy % step_y != 0)
      fail_input(folder,
                 fmt::format("the offset of '{}' is no multiple of the others' step of {}x{} pixels",
                             tile.path.filename().string(), step_x, step_y),
                 "give tiles of one size that lie edge to edge");
    const auto [same, is_new] = grid.emplace(Place{dx / step_x, dy / step_y}, tile.path);
    if (!is_new)
      fail_input(folder,
                 fmt::format("'{}' and '{}' have the same place", same->second.filename().string(),
                             tile.path.filename().string()),
                 "keep one of them");
  }
  return grid;
}

class TilesSlide final : public Slide {
 public:
  explicit TilesSlide(const std::string& folder);
  const SlideInfo& info() const override { return info_; }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override;

 private:
  void measure(const std::vector<TileFile>& tiles);
  std::shared_ptr<const Block> tile(Place place) const;  // null where there is none
  int expected_width(std::int64_t column) const {
    return static_cast<int>(column == columns_ - 1 ? info_.width() - column * tile_width_ : tile_width_);
  }
  int expected_height(std::int64_t row) const {
    return static_cast<int>(row == rows_ - 1 ? info_.height() - row * tile_height_ : tile_height_);
  }

  SlideInfo info_;
  Grid grid_;
  std::int64_t columns_ = 1, rows_ = 1, tile_width_ = 0, tile_height_ = 0;
  mutable BlockCache cache_;
};

TilesSlide::TilesSlide(const std::string& folder) {
  info_.path = folder;
  info_.format = "tiles";
  const std::vector<TileFile> tiles = list_tiles(folder);
  grid_ = make_grid(folder, tiles);
  check_dense(folder, grid_);
  columns_ = size_of(grid_).column;
  rows_ = size_of(grid_).row;
  measure(tiles);

  Digest digest;
  for (const TileFile& tile : tiles) {
    digest.add(tile.path.filename().string());
    add_file(digest, tile.path.string(), 4096);
  }
  info_.fingerprint = digest.hex();
  info_.properties = {{"tiles.columns", fmt::format("{}", columns_)},
                      {"tiles.rows", fmt::format("{}", rows_)},
                      {"tiles.size", fmt::format("{}x{}", tile_width_, tile_height_)},
                      {"tiles.missing", fmt::format("{}", columns_ * rows_ - static_cast<std::int64_t>(grid_.size()))}};
}

// Sizes come from three tiles only: one that is in neither the last column nor row where there is one, one of the last
// column, one of the last row. The others are checked when they are read.
void TilesSlide::measure(const std::vector<TileFile>& tiles) {
  const auto find = [&](auto suits) -> std::shared_ptr<const Block> {
    std::optional<Error> failure;
    for (const auto& [place, path] : grid_) {
      if (!suits(place)) continue;
      try {
        return decode_tile(path, &info_);
      } catch (const Error& error) {  // a damaged tile is only an error when it is read: another one serves here
        failure = error;
      }
    }
    throw failure.value();  // the grid has a tile in each of the places asked for
  };
  const auto inner_column = find([&](Place p) { return p.column < columns_ - 1 || columns_ == 1; });
  const auto inner_row = find([&](Place p) { return p.row < rows_ - 1 || rows_ == 1; });
  tile_width_ = inner_column->width;
  tile_height_ = inner_row->height;
  const auto last_column = find([&](Place p) { return p.column == columns_ - 1; });
  const auto last_row = find([&](Place p) { return p.row == rows_ - 1; });
  info_.levels = {
      {(columns_ - 1) * tile_width_ + last_column->width, (rows_ - 1) * tile_height_ + last_row->height, 1}};

  if (tiles[0].name.naming != TileNaming::offset) return;
  std::vector<std::int64_t> xs, ys;
  for (const TileFile& tile : tiles) {
    xs.push_back(tile.name.x);
    ys.push_back(tile.name.y);
  }
  const std::int64_t step_x = smallest_step(xs), step_y = smallest_step(ys);
  if ((step_x > 1 && step_x != tile_width_) || (step_y > 1 && step_y != tile_height_))
    fail_input(
        info_.path,
        fmt::format("tiles are {}x{} pixels but lie {}x{} pixels apart", tile_width_, tile_height_, step_x, step_y),
        "give tiles that lie edge to edge, without overlap");
}

std::shared_ptr<const Block> TilesSlide::tile(Place place) const {
  const auto found = grid_.find(place);
  if (found == grid_.end()) return nullptr;
  const std::int64_t key = place.row * columns_ + place.column;
  if (auto cached = cache_.find(key)) return cached;
  auto decoded = decode_tile(found->second);
  const int width = expected_width(place.column), height = expected_height(place.row);
  if (decoded->width != width || decoded->height != height)
    fail_input(
        found->second.string(),
        fmt::format("tile is {}x{} pixels where {}x{} are expected", decoded->width, decoded->height, width, height),
        "tiles must be of one size, but for the last column and row");
  cache_.put(key, decoded);
  return decoded;
}

void TilesSlide::read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const {
  check_level(info_, level);
  fill(out, kWhite);
  const std::int64_t right = std::min(x + out.width, info_.width()), bottom = std::min(y + out.height, info_.height());
  for (std::int64_t row = std::max<std::int64_t>(y, 0) / tile_height_; row * tile_height_ < bottom; ++row) {
    for (std::int64_t column = std::max<std::int64_t>(x, 0) / tile_width_; column * tile_width_ < right; ++column) {
      if (const auto piece = tile({column, row}))
        copy_overlap(piece->view(), column * tile_width_, row * tile_height_, out, x, y);
    }
  }
}

bool recognises(const InputProbe& probe) { return probe.is_directory; }

std::unique_ptr<Slide> open(const InputProbe& probe) { return std::make_unique<TilesSlide>(probe.input); }

}  // namespace

bool is_folder_of_tiles(const std::string& folder) {
  std::vector<TileFile> tiles;
  try {
    tiles = list_tiles(folder);
  } catch (const Error&) {
    return false;
  }
  try {
    return is_dense(make_grid(folder, tiles));
  } catch (const Error&) {
    return true;  // tiles, but not those of one slide: opening it reports the fault
  }
}

const SlideBackend kTilesBackend = {"tiles", recognises, open};

}  // namespace starpath::io
