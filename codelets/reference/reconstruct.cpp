// Reconstruction by its definition: dilate under the mask until nothing changes.
#include "codelets/kernels/reconstruct.hpp"

#include <algorithm>

namespace starpath::reference {
namespace {

/// The 3x3 dilation of `image` at (x, y); pixels outside the image count for nothing.
template <class T>
T dilated(View<T> image, int x, int y) {
  T value = image.at(x, y);
  for (int ny = std::max(0, y - 1); ny <= std::min(image.height - 1, y + 1); ++ny)
    for (int nx = std::max(0, x - 1); nx <= std::min(image.width - 1, x + 1); ++nx)
      value = std::max(value, image.at(nx, ny));
  return value;
}

/// One update in place of (x, y); true when it changed. The order of updates cannot change the limit.
template <class T>
bool raise(View<T> out, View<const T> mask, int x, int y) {
  const T value = std::min(dilated(out, x, y), mask.at(x, y));
  const bool changed = value != out.at(x, y);
  out.at(x, y) = value;
  return changed;
}

template <class T>
void reconstruct(View<const T> marker, View<const T> mask, View<T> out) {
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x) out.at(x, y) = std::min(marker.at(x, y), mask.at(x, y));
  bool changed = true;
  while (changed) {
    changed = false;
    for (int y = 0; y < mask.height; ++y)
      for (int x = 0; x < mask.width; ++x) changed |= raise(out, mask, x, y);
    for (int y = mask.height - 1; y >= 0; --y)
      for (int x = mask.width - 1; x >= 0; --x) changed |= raise(out, mask, x, y);
  }
}

}  // namespace

void reconstruct8(const Context&, GrayView marker, GrayView mask, View<std::uint8_t> out) {
  reconstruct<std::uint8_t>(marker, mask, out);
}

void reconstruct8_u16(const Context&, View<const std::uint16_t> marker, View<const std::uint16_t> mask,
                      View<std::uint16_t> out) {
  reconstruct<std::uint16_t>(marker, mask, out);
}

void recon_to_nuclei(const Context& context, GrayView inverted, GrayView opened, View<std::uint8_t> difference) {
  const Scratch::Mark mark(context.scratch);
  const auto pixels = context.scratch.take<std::uint8_t>(static_cast<std::size_t>(inverted.pixels()));
  const View<std::uint8_t> rebuilt{pixels.data(), inverted.width, inverted.height, inverted.width};
  reconstruct8(context, opened, inverted, rebuilt);
  for (int y = 0; y < inverted.height; ++y)
    for (int x = 0; x < inverted.width; ++x)
      difference.at(x, y) = static_cast<std::uint8_t>(inverted.at(x, y) - rebuilt.at(x, y));
}

}  // namespace starpath::reference
