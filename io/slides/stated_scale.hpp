// What a picture's file says of its resolution, in tags and in words.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/slides/slide.hpp"

namespace starpath::io {

/// One statement of the size of a pixel, in micrometres.
struct PixelSize {
  double x = 0, y = 0;
  std::string by;  // for people: "MPP in its description"
};

/// What a file says. What comes first is believed first.
struct Statements {
  std::vector<PixelSize> sizes{};
  double power = 0;                   // of the objective, 1 to 150; 0: not said
  std::vector<std::string> unread{};  // what could be a resolution and is no number of micrometres, for people
};

/// Pixels a unit of length, as tags of pictures have them.
struct PixelsAUnit {
  double x = 0, y = 0;     // 0: not said
  double micrometres = 0;  // of the unit; 0: it has none
  std::string name{};      // of the unit, with its article: "an inch"
};

inline PixelsAUnit pixels_an_inch(double x, double y) { return {x, y, 25400, "an inch"}; }
inline PixelsAUnit pixels_a_centimetre(double x, double y) { return {x, y, 10000, "a centimetre"}; }

/// What the tags and the description of a picture of this size say: ImageJ's unit; MPP and AppMag as Aperio, Motic and
/// others write them, for the picture as it was before it was reduced; the tags alone. `description` may be in any
/// encoding. Pure; never throws.
Statements read_statements(const PixelsAUnit& tags, std::string_view description, std::int64_t width,
                           std::int64_t height);

/// Takes the first size that can be of a microscope (slide_backend.hpp) into mpp or oblong, and says in mpp_doubt which
/// others there are and why they were not taken.
void take_statements(const Statements& found, SlideInfo& info);

}  // namespace starpath::io
