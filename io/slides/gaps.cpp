// Halving of a region until what cannot be read is one stored piece.
#include "io/slides/gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "io/slides/pixels.hpp"
#include "io/slides/resample.hpp"

namespace starpath::io {
namespace {

constexpr std::int64_t kUnknownBlock = 64;  // side of the pieces where a file does not say
constexpr double kMostAtOnce = 1 << 12;     // pixels a side that are read of a finer level
constexpr double kMostStep = 64;            // from one level to the next finer one
constexpr std::size_t kMostLines = 8;

std::int64_t block_side(std::int64_t stated) { return stated > 0 ? stated : kUnknownBlock; }

View<Rgb> part_of(View<Rgb> out, int left, int top, int width, int height) {
  return {out.row(top) + left, width, height, out.stride};
}

/// Pixels of the next finer level to one of the level.
double step_to_finer(const SlideInfo& info, int level) {
  const auto downsample = [&](int of) { return info.levels[static_cast<std::size_t>(of)].downsample; };
  return std::max(1.0, downsample(level) / downsample(level - 1));
}

/// Fills a region of a level by `read`, which reads the next finer one.
template <class Read>
void reduce(const SlideInfo& info, int level, std::int64_t x, std::int64_t y, View<Rgb> out, const Read& read) {
  const SlideLevel &coarse = info.levels[static_cast<std::size_t>(level)],
                   &finer = info.levels[static_cast<std::size_t>(level - 1)];
  const PixelBox part = shown_part(coarse.width, coarse.height, x, y, out);
  if (part.empty()) return;
  const double step = step_to_finer(info, level);
  const auto side = std::max<std::int64_t>(1, static_cast<std::int64_t>(kMostAtOnce / step));
  std::vector<Rgb> source;
  for (std::int64_t top = part.top; top < part.bottom; top += side)
    for (std::int64_t left = part.left; left < part.right; left += side) {
      const int width = static_cast<int>(std::min(side, part.right - left));
      const int height = static_cast<int>(std::min(side, part.bottom - top));
      const Taps across = make_taps(left, width, step, finer.width), down = make_taps(top, height, step, finer.height);
      source.resize(static_cast<std::size_t>(across.source_size) * static_cast<std::size_t>(down.source_size));
      const View<Rgb> pixels{source.data(), across.source_size, down.source_size, across.source_size};
      read(across.source_begin, down.source_begin, pixels);
      resample(pixels, across, down,
               part_of(out, static_cast<int>(left - x), static_cast<int>(top - y), width, height));
    }
}

/// Where to cut a range that reaches over several blocks: the border of blocks nearest to its middle. Its begin when it
/// lies within one.
std::int64_t cut_of(std::int64_t begin, std::int64_t end, std::int64_t block) {
  const std::int64_t middle = begin + (end - begin) / 2, below = middle / block * block;
  if (below > begin) return below;
  return below + block < end ? below + block : begin;
}

class PieceReader {
 public:
  PieceReader(const Slide& slide, bool gaps_allowed) : slide_(slide), gaps_allowed_(gaps_allowed) {}

  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) {
    try {
      slide_.read(level, x, y, out);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      divide(level, x, y, out, error);
    }
  }
  Findings take() { return std::move(found_); }

 private:
  void divide(int level, std::int64_t x, std::int64_t y, View<Rgb> out, const Error& error) {
    const SlideLevel& size = slide_.info().levels.at(static_cast<std::size_t>(level));
    const PixelBox part = shown_part(size.width, size.height, x, y, out);  // the rest is white now
    if (part.empty()) return;
    const std::int64_t column = cut_of(part.left, part.right, block_side(size.block_width));
    const std::int64_t row = cut_of(part.top, part.bottom, block_side(size.block_height));
    const auto read_part = [&](std::int64_t left, std::int64_t top, std::int64_t right, std::int64_t bottom) {
      read(level, left, top,
           part_of(out, static_cast<int>(left - x), static_cast<int>(top - y), static_cast<int>(right - left),
                   static_cast<int>(bottom - top)));
    };
    const bool wider = part.right - part.left >= part.bottom - part.top;
    if (column > part.left && (wider || row == part.top)) {
      read_part(part.left, part.top, column, part.bottom);
      read_part(column, part.top, part.right, part.bottom);
    } else if (row > part.top) {
      read_part(part.left, part.top, part.right, row);
      read_part(part.left, row, part.right, part.bottom);
    } else {
      take_piece(level, part,
                 part_of(out, static_cast<int>(part.left - x), static_cast<int>(part.top - y),
                         static_cast<int>(part.right - part.left), static_cast<int>(part.bottom - part.top)),
                 error);
    }
  }

  /// A region within a piece that cannot be read.
  void take_piece(int level, const PixelBox& part, View<Rgb> out, const Error& error) {
    if (has_finer_near(slide_.info(), level)) {
      found_.passed_over.push_back({level, error.what()});
      reduce(slide_.info(), level, part.left, part.top, out,
             [&](std::int64_t x, std::int64_t y, View<Rgb> finer) { read(level - 1, x, y, finer); });
      return;
    }
    if (!gaps_allowed_) throw error;
    fill(out, kWhite);
    found_.gaps.push_back(gap_of(level, part, error.what()));
  }

  /// All of the piece that the part lies in: no more of it can be read.
  Gap gap_of(int level, const PixelBox& part, const std::string& why) const {
    const SlideLevel& size = slide_.info().levels[static_cast<std::size_t>(level)];
    const auto level0 = [&](std::int64_t at) { return std::llround(static_cast<double>(at) * size.downsample); };
    const auto begin = [](std::int64_t at, std::int64_t block) { return at / block * block; };
    const std::int64_t across = block_side(size.block_width), down = block_side(size.block_height);
    const std::int64_t x = begin(part.left, across), y = begin(part.top, down);
    return {level0(x), level0(y), level0(std::min(across, size.width - x)), level0(std::min(down, size.height - y)),
            why};
  }

  const Slide& slide_;
  const bool gaps_allowed_;
  Findings found_;
};

}  // namespace

bool has_finer_near(const SlideInfo& info, int level) { return level > 0 && step_to_finer(info, level) <= kMostStep; }

void read_reduced(const Slide& slide, int level, std::int64_t x, std::int64_t y, View<Rgb> out) {
  reduce(slide.info(), level, x, y, out,
         [&](std::int64_t left, std::int64_t top, View<Rgb> finer) { slide.read(level - 1, left, top, finer); });
}

Findings read_pieces(const Slide& slide, int level, std::int64_t x, std::int64_t y, View<Rgb> out, bool gaps_allowed) {
  PieceReader reader(slide, gaps_allowed);
  reader.read(level, x, y, out);
  return reader.take();
}

std::vector<Gap> Slide::read_around_gaps(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const {
  return read_pieces(*this, level, x, y, out, true).gaps;
}

std::vector<std::string> gap_lines(const std::vector<Gap>& gaps) {
  std::vector<std::string> lines;
  std::set<std::pair<std::int64_t, std::int64_t>> told;
  for (const Gap& gap : gaps)
    if (told.emplace(gap.x, gap.y).second && lines.size() < kMostLines) lines.push_back(gap.why);
  if (told.size() > lines.size())
    lines.push_back(fmt::format("{} more places cannot be read", told.size() - lines.size()));
  return lines;
}

}  // namespace starpath::io
