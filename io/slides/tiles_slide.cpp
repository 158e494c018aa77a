// A folder of tiles as one slide; tile_names.hpp has the names of tiles. All tiles are of one size, but tiles of the
// last column and row may be smaller. A missing tile is white (many tools leave glass out); numbers may start anywhere.
// Pictures of labels beside tiles are left out.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
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

const Opening kPicture = {.is_picture = true};  // thousands of them: none is asked for a scanner's marks

struct TileFile {
  fs::path path;
  TileName name;
};

struct Place {
  std::int64_t column, row;
  auto operator<=>(const Place&) const = default;
};

struct TileList {
  std::vector<TileFile> tiles;  // at least one
  std::size_t labels = 0;       // pictures of labels that are left out
};

// Whether the picture is that of the labels of another one, as QuPath and others name it.
bool is_of_labels(const fs::path& path, const std::set<std::string>& stems) {
  const std::string stem = path.stem().string();
  for (const std::string_view ending : {"-labelled", "-labeled", "-labels", "_labels", "-mask", "_mask"})
    if (stem.ends_with(ending) && stems.contains(stem.substr(0, stem.size() - ending.size()))) return true;
  return false;
}

// Whether names that end with a place and a size were taken for places alone: then all are the same.
bool are_sizes(const std::vector<TileFile>& tiles) {
  const TileName& first = tiles[0].name;
  return tiles.size() > 1 && first.naming == TileNaming::plain && std::ranges::all_of(tiles, [&](const TileFile& tile) {
           return tile.name.x == first.x && tile.name.y == first.y &&
                  parse_tile_name(tile.path.stem().string(), true).has_value();
         });
}

// The image files in the folder, in the order of their names. Other files (notes, indexes) are none of our business.
TileList list_tiles(const std::string& folder) {
  std::error_code failure;
  std::vector<fs::path> paths;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure))
    if (is_image_name(entry->path()) && entry->path().filename().string()[0] != '.') paths.push_back(entry->path());
  if (failure) fail_input(folder, "cannot be listed: " + failure.message(), "check its permissions");
  if (paths.empty()) fail_input(folder, "holds no PNG, JPEG or TIFF image", "give a folder of tiles, or a slide file");
  std::sort(paths.begin(), paths.end());
  std::set<std::string> stems;
  for (const fs::path& path : paths) stems.insert(path.stem().string());

  TileList list;
  std::vector<TileFile>& tiles = list.tiles;
  list.labels = std::erase_if(paths, [&](const fs::path& path) { return is_of_labels(path, stems); });
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
  if (are_sizes(tiles))
    for (TileFile& tile : tiles) tile.name = parse_tile_name(tile.path.stem().string(), true).value_or(tile.name);
  return list;
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
  const auto image = open_slide(path.string(), kPicture);
  if (slide != nullptr) take_scale(image->info(), *slide);
  check_whole_image_size(path.string(), image->info().width(), image->info().height());
  auto block =
      std::make_shared<Block>(static_cast<int>(image->info().width()), static_cast<int>(image->info().height()));
  image->read(0, 0, 0, block->out());
  return block;
}

struct Steps {
  std::int64_t x, y;  // smallest distances between places, as names count; 0: all are the same
};

Steps steps_of(const std::vector<TileFile>& tiles) {
  std::vector<std::int64_t> xs, ys;
  for (const TileFile& tile : tiles) {
    xs.push_back(tile.name.x);
    ys.push_back(tile.name.y);
  }
  return {smallest_step(std::move(xs)), smallest_step(std::move(ys))};
}

// The side of one of the tiles at `least`, the smallest place in a direction: those at the largest may be smaller.
// 0: none can be read.
std::int64_t side_of(const std::vector<TileFile>& tiles, std::int64_t TileName::*place, bool across) {
  const std::int64_t least =
      std::ranges::min(tiles, {}, [&](const TileFile& tile) { return tile.name.*place; }).name.*place;
  for (const TileFile& tile : tiles) {
    if (tile.name.*place != least) continue;
    try {
      const auto image = open_slide(tile.path.string(), kPicture);
      return across ? image->info().width() : image->info().height();
    } catch (const Error&) {  // damaged: another one tells
    }
  }
  return 0;
}

// How far apart neighbours are, as names count. Plain numbers are pixels where their steps are the sides of a tile.
struct Layout {
  bool in_pixels;
  Steps step;            // smallest, between tiles that are there
  std::int64_t x, y;     // between neighbours; at least 1
  bool is_said = false;  // names have sizes
};

Layout layout_of(const std::vector<TileFile>& tiles) {
  Layout layout{tiles[0].name.naming == TileNaming::offset, steps_of(tiles), 1, 1};
  const Steps step = layout.step;
  if (tiles[0].name.naming == TileNaming::plain && std::max(step.x, step.y) > 1)
    layout.in_pixels = (step.x == 0 || step.x == side_of(tiles, &TileName::x, true)) &&
                       (step.y == 0 || step.y == side_of(tiles, &TileName::y, false));
  if (!layout.in_pixels) return layout;
  const auto said = [&](std::int64_t TileName::*side) {
    return std::ranges::max(tiles, {}, [&](const TileFile& tile) { return tile.name.*side; }).name.*side;
  };
  const std::int64_t width = said(&TileName::width), height = said(&TileName::height);
  // With sizes, so many tiles may be missing that no two are neighbours.
  layout.is_said = width > 0 && height > 0 && step.x % width == 0 && step.y % height == 0;
  layout.x = layout.is_said ? width : std::max<std::int64_t>(1, step.x);
  layout.y = layout.is_said ? height : std::max<std::int64_t>(1, step.y);
  return layout;
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
bool is_dense(const Grid& grid, const Layout& layout) {
  constexpr std::int64_t most_step = 16;  // of numbers that count tiles
  const Place size = size_of(grid);
  return size.column * size.row <= 1000 + 200 * static_cast<std::int64_t>(grid.size()) &&
         (layout.in_pixels || std::max(layout.step.x, layout.step.y) <= most_step);
}

void check_dense(const std::string& folder, const Grid& grid, const Layout& layout) {
  if (is_dense(grid, layout)) return;
  const Place size = size_of(grid);
  fail_input(folder,
             fmt::format("is no folder of tiles: {} images for a grid of {} columns and {} rows", grid.size(),
                         size.column, size.row),
             kNamingHint);
}

Grid make_grid(const std::string& folder, const std::vector<TileFile>& tiles, const Layout& layout) {
  const auto by_x = [](const TileFile& tile) { return tile.name.x; };
  const auto by_y = [](const TileFile& tile) { return tile.name.y; };
  const std::int64_t first_x = by_x(std::ranges::min(tiles, {}, by_x)),
                     first_y = by_y(std::ranges::min(tiles, {}, by_y));
  Grid grid;
  for (const TileFile& tile : tiles) {
    const std::int64_t dx = tile.name.x - first_x, dy = tile.name.y - first_y;
    if (dx % layout.x != 0 || dy % layout.y != 0)
      fail_input(folder,
                 fmt::format("the offset of '{}' is no multiple of the others' step of {}x{} pixels",
                             tile.path.filename().string(), layout.x, layout.y),
                 "give tiles of one size that lie edge to edge");
    const auto [same, is_new] = grid.emplace(Place{dx / layout.x, dy / layout.y}, tile.path);
    if (!is_new)
      fail_input(folder,
                 fmt::format("'{}' and '{}' have the same place", same->second.filename().string(),
                             tile.path.filename().string()),
                 "keep one of them");
  }
  return grid;
}

std::string names_text(const std::vector<TileFile>& tiles, const Layout& layout) {
  const TileNaming naming = tiles[0].name.naming;
  const char* how = naming == TileNaming::plain && layout.in_pixels ? "by left and top" : describe(naming);
  return fmt::format("{}, as '{}'", how, tiles[0].path.filename().string());
}

class TilesSlide final : public Slide {
 public:
  explicit TilesSlide(const std::string& folder);
  const SlideInfo& info() const override { return info_; }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override;

 private:
  void measure(const Layout& layout);
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
  const TileList list = list_tiles(folder);
  const std::vector<TileFile>& tiles = list.tiles;
  const Layout layout = layout_of(tiles);
  grid_ = make_grid(folder, tiles, layout);
  check_dense(folder, grid_, layout);
  columns_ = size_of(grid_).column;
  rows_ = size_of(grid_).row;
  measure(layout);

  Digest digest;
  for (const TileFile& tile : tiles) {
    digest.add(tile.path.filename().string());
    add_file(digest, tile.path.string(), 4096);
  }
  info_.fingerprint = digest.hex();
  info_.properties = {{"tiles.columns", fmt::format("{}", columns_)},
                      {"tiles.rows", fmt::format("{}", rows_)},
                      {"tiles.names", names_text(tiles, layout)},
                      {"tiles.labels_left_out", fmt::format("{}", list.labels)},
                      {"tiles.size", fmt::format("{}x{}", tile_width_, tile_height_)},
                      {"tiles.missing", fmt::format("{}", columns_ * rows_ - static_cast<std::int64_t>(grid_.size()))}};
}

// Sizes come from three tiles only: one that is in neither the last column nor row where there is one, one of the last
// column, one of the last row. The others are checked when they are read.
void TilesSlide::measure(const Layout& layout) {
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
  tile_width_ = inner_column->width();
  tile_height_ = inner_row->height();
  const auto last_column = find([&](Place p) { return p.column == columns_ - 1; });
  const auto last_row = find([&](Place p) { return p.row == rows_ - 1; });
  info_.levels = {
      {(columns_ - 1) * tile_width_ + last_column->width(), (rows_ - 1) * tile_height_ + last_row->height(), 1}};

  if (!layout.in_pixels) return;
  // Sizes in names may be those in the slide that the tiles were made smaller from.
  const auto [step_x, step_y] = layout.step;
  const bool fits = layout.is_said ? layout.x * tile_height_ == layout.y * tile_width_
                                   : (step_x <= 1 || step_x == tile_width_) && (step_y <= 1 || step_y == tile_height_);
  if (!fits)
    fail_input(info_.path,
               fmt::format("tiles are {}x{} pixels but lie {}x{} pixels apart", tile_width_, tile_height_,
                           layout.is_said ? layout.x : step_x, layout.is_said ? layout.y : step_y),
               "give tiles that lie edge to edge, without overlap");
}

std::shared_ptr<const Block> TilesSlide::tile(Place place) const {
  const auto found = grid_.find(place);
  if (found == grid_.end()) return nullptr;
  const std::int64_t key = place.row * columns_ + place.column;
  if (auto cached = cache_.find(key)) return cached;
  auto decoded = decode_tile(found->second);
  const int width = expected_width(place.column), height = expected_height(place.row);
  if (decoded->width() != width || decoded->height() != height)
    fail_input(found->second.string(),
               fmt::format("tile is {}x{} pixels where {}x{} are expected", decoded->width(), decoded->height(), width,
                           height),
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

std::string why_no_tiles(const std::string& folder) {
  std::vector<TileFile> tiles;
  const auto reason = [&](const Error& error) {  // between the folder and what to do
    constexpr std::string_view start = "is no folder of tiles: ";
    const std::string text = error.what();
    std::string why = text.substr(std::min(folder.size() + 2, text.size()));
    why.resize(std::min(why.rfind("; "), why.size()));
    return why.starts_with(start) ? why.substr(start.size()) : "it " + why;
  };
  try {
    tiles = list_tiles(folder).tiles;
  } catch (const Error& error) {
    return reason(error);
  }
  try {
    const Layout layout = layout_of(tiles);
    const Grid grid = make_grid(folder, tiles, layout);
    try {
      check_dense(folder, grid, layout);
    } catch (const Error& error) {
      return reason(error);
    }
  } catch (const Error&) {  // tiles, but not those of one slide: opening it reports the fault
  }
  return "";
}

bool is_folder_of_tiles(const std::string& folder) { return why_no_tiles(folder).empty(); }

const SlideBackend kTilesBackend = {"tiles", recognises, open};

}  // namespace starpath::io
