// Blocks of pages, decoded once and copied from.
#include "io/slides/tiff_pyramid.hpp"

#include "io/slides/gaps.hpp"
#include "io/slides/slide_backend.hpp"

namespace starpath::io {
namespace {

constexpr std::int64_t kLargeTile = std::int64_t{1} << 24;  // pixels: 112 MiB while it is decoded

// Regions of a pipeline overlap by twice a halo: 448 pixels by default, so two blocks of 256. So neighbours ask for the
// outer two blocks of a region again, and not for those within. Smaller blocks are decoded again.
constexpr std::int64_t kAskedAgain = 2;

// Bytes of decoded pixels. Tiles: as OpenSlide's cache has by default, which holds the outer tiles of one region of
// 4096 pixels. Strips are as wide as the slide, so they get more.
constexpr std::size_t kTilesKept = std::size_t{32} << 20, kStripsKept = std::size_t{64} << 20;

}  // namespace

TiffPyramid::TiffPyramid(std::string path, std::vector<TiffLevel> levels, std::uint8_t ground)
    : path_(std::move(path)),
      ground_(ground),
      levels_(std::move(levels)),
      cache_(levels_.front().tiled ? kTilesKept : kStripsKept) {
  idle_.push_back(std::make_unique<TiffFile>(path_, ground_));
}

std::shared_ptr<const Block> TiffPyramid::decode(const Slide& slide, int level, std::uint32_t column,
                                                 std::uint32_t row) const {
  std::unique_ptr<TiffFile> file;
  {
    const std::lock_guard lock(idle_mutex_);
    if (!idle_.empty()) {
      file = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!file) file = std::make_unique<TiffFile>(path_, ground_);
  const TiffLevel& page = levels_[static_cast<std::size_t>(level)];
  auto decoded = file->decode(page, column, row);
  if (!decoded)
    fail_read(slide.info(), level, std::int64_t{column} * page.block_width, std::int64_t{row} * page.block_height,
              static_cast<int>(page.block_width), static_cast<int>(page.block_height), file->message());
  const bool left_out = file->left_out();
  decoded_ += static_cast<std::int64_t>(decoded->size());
  clear_ += file->clear_pixels();
  {
    const std::lock_guard lock(idle_mutex_);
    idle_.push_back(std::move(file));
  }
  if (!left_out || !has_finer_near(slide.info(), level)) return decoded;
  // Some writers leave tiles out of reduced levels alone. What the slide has there tells these from ground.
  auto made = std::make_shared<Block>(decoded->width(), decoded->height());
  read_reduced(slide, level, std::int64_t{column} * page.block_width, std::int64_t{row} * page.block_height,
               made->out());
  return made;
}

std::shared_ptr<const Block> TiffPyramid::block(const Slide& slide, int level, std::uint32_t column, std::uint32_t row,
                                                bool keep) const {
  const TiffLevel& page = levels_[static_cast<std::size_t>(level)];
  const std::int64_t key = (std::int64_t{level} << 52) + std::int64_t{row} * page.columns() + column;
  if (auto found = cache_.find(key)) return found;
  std::unique_lock<std::mutex> one_at_a_time;
  if (!page.tiled || std::int64_t{page.block_width} * page.block_height > kLargeTile) {
    one_at_a_time = std::unique_lock(large_mutex_);
    if (auto found = cache_.find(key)) return found;
  }
  auto decoded = decode(slide, level, column, row);
  if (keep || one_at_a_time) cache_.put(key, decoded);
  return decoded;
}

void TiffPyramid::read(const Slide& slide, int level, std::int64_t x, std::int64_t y, View<Rgb> out) const {
  check_level(slide.info(), level);
  const SlideLevel& size = slide.info().levels[static_cast<std::size_t>(level)];
  const auto is_outer = [](std::int64_t block, std::int64_t side, std::int64_t begin, int pixels) {
    return block < begin / side + kAskedAgain || block > (begin + pixels - 1) / side - kAskedAgain;
  };
  read_blocks(size, x, y, out, [&](std::int64_t column, std::int64_t row) {
    return block(slide, level, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row),
                 is_outer(column, size.block_width, x, out.width) || is_outer(row, size.block_height, y, out.height));
  });
}

}  // namespace starpath::io
