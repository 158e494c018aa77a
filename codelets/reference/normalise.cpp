// Colour normalisation, pixel by pixel.
#include "codelets/kernels/normalise.hpp"

namespace starpath::reference {

void normalise(const KernelContext&, RgbView rgb, const ColourMap& map, View<Rgb> out) {
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x) out.at(x, y) = mapped_colour(rgb.at(x, y), map);
}

}  // namespace starpath::reference
