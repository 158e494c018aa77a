// Looks for colour in samples of a slide.
#include "pipelines/nbia/colour_check.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace starpath {

void check_has_colour(const std::string& name, const io::WorkingSlide& slide) {
  constexpr int samples = 8, side = 32;  // along each axis; pixels
  constexpr int glass_level = 220;
  std::array<Rgb, side * side> pixels;
  bool dark = false;
  for (int j = 0; j < samples; ++j)
    for (int i = 0; i < samples; ++i) {
      const std::int64_t x = slide.width() * (2 * i + 1) / (2 * samples),
                         y = slide.height() * (2 * j + 1) / (2 * samples);
      slide.read_around_gaps(
          std::clamp<std::int64_t>(x - side / 2, 0, std::max<std::int64_t>(0, slide.width() - side)),
          std::clamp<std::int64_t>(y - side / 2, 0, std::max<std::int64_t>(0, slide.height() - side)),
          {pixels.data(), side, side, side});  // a gap is white, as glass
      for (const Rgb p : pixels) {
        if (p.r != p.g || p.g != p.b) return;
        dark = dark || p.r <= glass_level;
      }
    }
  if (dark)
    throw Error(ErrorKind::input,
                name + ": is a gray picture, but NBIA needs the colours of a stain; give the RGB original");
}

}  // namespace starpath
