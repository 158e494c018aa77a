// Opens an input as a slide and looks at some of its pixels.
#pragma once
#include <algorithm>
#include <vector>

#include "io/slides/slide.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace starpath::fuzz {

/// A region of each level at four places: corner, middle, across the border, beyond it.
inline void read_everywhere(const io::Slide& slide) {
  constexpr int side = 96;
  std::vector<Rgb> pixels(side * side);
  const View<Rgb> out{pixels.data(), side, side, side};
  for (int level = 0; level < std::min<int>(4, static_cast<int>(slide.info().levels.size())); ++level) {
    const io::SlideLevel& size = slide.info().levels[static_cast<std::size_t>(level)];
    slide.read(level, 0, 0, out);
    slide.read(level, size.width / 2, size.height / 2, out);
    slide.read(level, size.width - side / 2, -side / 2, out);
    slide.read(level, size.width + side, size.height + side, out);
  }
}

/// `begin`: the first bytes of every file of the format, which the input is made to have.
inline void open_and_read(const std::uint8_t* data, std::size_t size, std::string_view begin, const std::string& name) {
  std::string bytes = text_of(data, size);
  if (bytes.size() < begin.size()) bytes.resize(begin.size());
  begin.copy(bytes.data(), begin.size());
  const std::string path = file_of(bytes, name);
  expect_errors_only([&] { read_everywhere(*io::open_slide(path)); });
}

}  // namespace starpath::fuzz
