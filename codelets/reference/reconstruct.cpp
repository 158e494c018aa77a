// Reconstruction by its definition: dilate under the mask until nothing changes, or as often as is asked for.
#include "codelets/kernels/reconstruct.hpp"

#include <algorithm>
#include <type_traits>

namespace starpath::reference {
namespace {

/// The dilation of `image` at (x, y); pixels outside the image count for nothing.
template <class T>
std::remove_const_t<T> dilated(View<T> image, int x, int y, Connectivity connectivity = Connectivity::eight) {
  std::remove_const_t<T> value = image.at(x, y);
  for (int ny = std::max(0, y - 1); ny <= std::min(image.height - 1, y + 1); ++ny)
    for (int nx = std::max(0, x - 1); nx <= std::min(image.width - 1, x + 1); ++nx)
      if (connectivity == Connectivity::eight || nx == x || ny == y) value = std::max(value, image.at(nx, ny));
  return value;
}

/// One update in place of (x, y); true when it changed. The order of updates cannot change the limit.
template <class T>
bool raise(View<T> out, View<const T> mask, Connectivity connectivity, int x, int y) {
  const T value = std::min(dilated(out, x, y, connectivity), mask.at(x, y));
  const bool changed = value != out.at(x, y);
  out.at(x, y) = value;
  return changed;
}

/// out = min(marker, mask).
template <class T>
void cap(View<const T> marker, View<const T> mask, View<T> out) {
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x) out.at(x, y) = std::min(marker.at(x, y), mask.at(x, y));
}

template <class T>
void reconstruct(View<const T> marker, View<const T> mask, Connectivity connectivity, View<T> out) {
  cap<T>(marker, mask, out);
  bool changed = true;
  while (changed) {
    changed = false;
    for (int y = 0; y < mask.height; ++y)
      for (int x = 0; x < mask.width; ++x) changed |= raise(out, mask, connectivity, x, y);
    for (int y = mask.height - 1; y >= 0; --y)
      for (int x = mask.width - 1; x >= 0; --x) changed |= raise(out, mask, connectivity, x, y);
  }
}

/// One step of all pixels at once; true when any changed.
bool step(GrayView from, GrayView mask, View<std::uint8_t> to) {
  bool changed = false;
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x) {
      to.at(x, y) = std::min(dilated(from, x, y), mask.at(x, y));
      changed |= to.at(x, y) != from.at(x, y);
    }
  return changed;
}

View<std::uint8_t> take_image(Scratch& scratch, int width, int height) {
  const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  return {scratch.take<std::uint8_t>(pixels).data(), width, height, width};
}

}  // namespace

void reconstruct_u8(const KernelContext&, GrayView marker, GrayView mask, Connectivity connectivity,
                    View<std::uint8_t> out) {
  reconstruct(marker, mask, connectivity, out);
}

void reconstruct_u16(const KernelContext&, View<const std::uint16_t> marker, View<const std::uint16_t> mask,
                     Connectivity connectivity, View<std::uint16_t> out) {
  reconstruct(marker, mask, connectivity, out);
}

void reconstruct_binary(const KernelContext& context, MaskView marker, MaskView mask, Connectivity connectivity,
                        View<std::uint8_t> out) {
  const Scratch::Mark mark(context.scratch);
  const View<std::uint8_t> reached = take_image(context.scratch, mask.width, mask.height);
  reconstruct(marker, mask, connectivity, reached);
  for (int y = 0; y < mask.height; ++y) std::copy_n(reached.row(y), mask.width, out.row(y));
}

void reconstruct8_bounded(const KernelContext& context, GrayView marker, GrayView mask, int steps,
                          View<std::uint8_t> out) {
  const Scratch::Mark mark(context.scratch);
  const View<std::uint8_t> before = take_image(context.scratch, mask.width, mask.height);
  cap<std::uint8_t>(marker, mask, out);
  bool changed = true;
  for (int t = 0; t < steps && changed; ++t) {
    for (int y = 0; y < mask.height; ++y) std::copy_n(out.row(y), mask.width, before.row(y));
    changed = step(before, mask, out);
  }
}

void recon_to_nuclei(const KernelContext& context, GrayView inverted, GrayView opened, int steps,
                     View<std::uint8_t> difference) {
  const Scratch::Mark mark(context.scratch);
  const View<std::uint8_t> rebuilt = take_image(context.scratch, inverted.width, inverted.height);
  reconstruct8_bounded(context, opened, inverted, steps, rebuilt);
  for (int y = 0; y < inverted.height; ++y)
    for (int x = 0; x < inverted.width; ++x)
      difference.at(x, y) = static_cast<std::uint8_t>(inverted.at(x, y) - rebuilt.at(x, y));
}

}  // namespace starpath::reference
