// Mean of each block: columns of a band of rows are summed first, without a branch.
#include "codelets/kernels/area_average.hpp"

#include <algorithm>

namespace starpath::cpu {

void area_average(const KernelContext& context, RgbView rgb, View<Rgb> out) {
  const int wide = rgb.width / out.width, high = rgb.height / out.height;
  const auto pixels = static_cast<std::uint32_t>(wide * high);
  const auto columns = context.scratch.take<std::uint32_t>(static_cast<std::size_t>(rgb.width) * 3);
  for (int j = 0; j < out.height; ++j) {
    std::fill(columns.begin(), columns.end(), 0U);
    for (int y = j * high; y < (j + 1) * high; ++y) {
      const std::uint8_t* from = &rgb.row(y)->r;
      for (std::size_t i = 0; i < columns.size(); ++i) columns[i] += from[i];
    }
    const std::uint32_t* column = columns.data();
    for (Rgb* to = out.row(j); to != out.row(j) + out.width; ++to) {
      std::uint32_t r = pixels / 2, g = r, b = r;
      for (int x = 0; x < wide; ++x, column += 3) r += column[0], g += column[1], b += column[2];
      *to = {static_cast<std::uint8_t>(r / pixels), static_cast<std::uint8_t>(g / pixels),
             static_cast<std::uint8_t>(b / pixels)};
    }
  }
}

}  // namespace starpath::cpu
