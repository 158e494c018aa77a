// Oracle of operation 7.
#include "codelets/kernels/select.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/nucleus_pixels.hpp"

namespace starpath::reference {
namespace {

template <class Pick>
void filter_cross(MaskView in, View<std::uint8_t> out, Pick pick) {
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x) {
      std::uint8_t value = in.at(x, y);
      for (const auto& [dx, dy] : {std::pair{0, -1}, {-1, 0}, {1, 0}, {0, 1}})
        if (in.contains(x + dx, y + dy)) value = pick(value, in.at(x + dx, y + dy));
      out.at(x, y) = value;
    }
}

}  // namespace

void select(const KernelContext& context, GrayView difference, MaskView seeds, MaskView rbc, int nucleus_level,
            int local_reach, int local_weight, int hole_max_area, View<std::uint8_t> selected) {
  const int width = difference.width, height = difference.height;
  const auto size = static_cast<std::size_t>(difference.pixels());
  std::vector<std::uint8_t> bright_pixels(size), eroded_pixels(size);
  std::vector<std::int32_t> label_pixels(size);
  const View<std::uint8_t> bright{bright_pixels.data(), width, height, width};
  const View<std::uint8_t> eroded{eroded_pixels.data(), width, height, width};
  const View<std::int32_t> labels{label_pixels.data(), width, height, width};

  nucleus_pixels(context, difference, nucleus_level, local_reach, local_weight, bright);
  std::int32_t count = 0;
  label_components(context, bright, Connectivity::eight, labels, &count);
  std::vector<bool> seeded(static_cast<std::size_t>(count) + 1, false);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (labels.at(x, y) != 0 && seeds.at(x, y) != 0) seeded[static_cast<std::size_t>(labels.at(x, y))] = true;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      bright.at(x, y) = seeded[static_cast<std::size_t>(labels.at(x, y))] && rbc.at(x, y) == 0 ? 255 : 0;

  fill_small_holes4(context, bright, hole_max_area, bright);
  filter_cross(bright, eroded, [](std::uint8_t a, std::uint8_t b) { return std::min(a, b); });
  filter_cross(eroded, selected, [](std::uint8_t a, std::uint8_t b) { return std::max(a, b); });
}

}  // namespace starpath::reference
