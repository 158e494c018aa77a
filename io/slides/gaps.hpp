// What is shown where pixels cannot be read: those of a finer level, or a gap.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "io/slides/slide.hpp"

namespace starpath::io {

/// Whether a level is reduced, and at most 64 times as coarse as the next finer one: more is not read for it.
bool has_finer_near(const SlideInfo& info, int level);

/// A region of such a level, made from the next finer one: each pixel the mean of those it stands for. Throws as
/// Slide::read.
void read_reduced(const Slide& slide, int level, std::int64_t x, std::int64_t y, View<Rgb> out);

/// A piece of a reduced level that cannot be read.
struct LevelPassedOver {
  int level;
  std::string why;
};

/// What reading has met.
struct Findings {
  std::vector<Gap> gaps;  // of level 0, each a stored piece at the most; one may be named several times
  std::vector<LevelPassedOver> passed_over;
};

/// Reads a region piece by piece. A piece of a reduced level that cannot be read is made from finer ones
/// (has_finer_near). One of level 0 is a gap, and white; where `gaps_allowed` is false, the error goes on, as those of
/// other kinds than Error{input} always do.
Findings read_pieces(const Slide& slide, int level, std::int64_t x, std::int64_t y, View<Rgb> out, bool gaps_allowed);

/// Gaps as lines for people, each place once: the first few, then how many more there are.
std::vector<std::string> gap_lines(const std::vector<Gap>& gaps);

}  // namespace starpath::io
