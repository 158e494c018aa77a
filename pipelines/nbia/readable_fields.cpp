#include "pipelines/nbia/readable_fields.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/words.hpp"

namespace starpath {

bool ReadableFields::read(std::int64_t x, std::int64_t y, View<Rgb> field) {
  const std::vector<io::Gap> gaps = grid_.read_around_gaps(x, y, field);
  if (gaps.empty()) return true;
  if (left_out_++ == 0) first_ = gaps.front().why;
  return false;
}

std::string ReadableFields::line(const std::string& name) const {
  if (left_out_ == 0) return "";
  return fmt::format("{}: {} left out, which cannot be read as a whole; the first place: {}", name,
                     plural(left_out_, "field"), first_);
}

}  // namespace starpath
